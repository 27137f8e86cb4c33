// The kinds of records in a Codex rollout and in `codex exec --json`: what each becomes, and which are known and not
// shown, with the reason. A kind is "type", or "type/payload type".

import { readableError } from "./acp_text.ts";
import {
  plainText,
  reviewText,
  takeAnswer,
  takeCall,
  takeCallOutput,
  takeDynamicEnd,
  takeExecEnd,
  takeImage,
  takeItem,
  takeMadeImage,
  takeMcpEnd,
  takePatchEnd,
  takeSearch,
  takeThought,
  thoughtText,
} from "./codex_items.ts";
import {
  closeTurn,
  type CodexState,
  flushHeld,
  holdUserMessage,
  isTwin,
  note,
  takeError,
  takeUserMessage,
} from "./codex_state.ts";
import { fieldAt, type Fields, fieldsOf, firstText, listOf, numberOf, textOf } from "./fields.ts";
import { contentText, joinedTexts, positive } from "./recorded_content.ts";
import { ignore } from "./recorded_ignored.ts";
import { tell, tellTitle } from "./telling.ts";
import { startCall, tellResult } from "./telling_calls.ts";
import { tellCompaction, tellSummary } from "./telling_compact.ts";
import { tellRetry, tellUsage, type Tokens } from "./telling_turn.ts";

type Take = (state: CodexState, payload: Fields) => void;

/** A record's kind and what it carries. The oldest rollouts have response items without an envelope. */
export function codexRecord(record: Fields): { readonly kind: string; readonly payload: Fields } {
  const type = textOf(record.type) ?? "";
  if (type === "event_msg" || type === "response_item") {
    const payload = fieldsOf(record.payload);
    return { kind: `${type}/${textOf(payload.type) ?? ""}`, payload };
  }
  if ("payload" in record) return { kind: type, payload: fieldsOf(record.payload) };
  return { kind: BARE.has(type) ? `response_item/${type}` : type, payload: record };
}

const BARE: ReadonlySet<string> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "local_shell_call",
  "local_shell_call_output",
  "web_search_call",
]);

/** What each kind becomes. */
export const CODEX_RECORDS: Readonly<Record<string, Take>> = {
  session_meta: takeSession,
  turn_context: takeTurnContext,
  world_state: takeWorld,
  compacted: takeCompacted,
  token_usage_record: (state, payload) => {
    const total = numberOf(fieldAt(payload, "thread_token_usage", "total_tokens"));
    takeTokens(state, fieldsOf(payload.usage), total, false);
  },

  "response_item/message": takeMessage,
  "response_item/reasoning": (state, item) => takeThought(state, thoughtText(item), "model"),
  "response_item/function_call": (state, item) =>
    takeCall(state, callId(state, item), toolName(item), item.arguments),
  "response_item/custom_tool_call": (state, item) =>
    takeCall(state, callId(state, item), toolName(item), item.input),
  "response_item/local_shell_call": (state, item) => {
    const action = fieldsOf(item.action);
    const workdir = firstText(action.working_directory);
    takeCall(state, callId(state, item), "shell", {
      command: action.command,
      ...(workdir === null ? {} : { workdir }),
    });
  },
  "response_item/tool_search_call": (state, item) =>
    takeCall(state, callId(state, item), "tool_search", item.arguments),
  "response_item/web_search_call": (state, item) => {
    const id = firstText(item.call_id, item.id) ?? callId(state, item);
    takeSearch(state, id, item);
  },
  "response_item/image_generation_call": (state, item) => takeMadeImage(state, callId(state, item), item),
  "response_item/function_call_output": takeOutput,
  "response_item/custom_tool_call_output": takeOutput,
  "response_item/local_shell_call_output": takeOutput,
  "response_item/tool_search_output": (state, item) => {
    const names = listOf(item.tools).map((tool) => firstText(fieldAt(tool, "name")) ?? "").filter((name) =>
      name !== ""
    );
    takeCallOutput(state, firstText(item.call_id) ?? "", names.join("\n"));
  },
  "response_item/agent_message": (state, item) =>
    note(
      state,
      `${firstText(item.author) ?? "agent"} to ${firstText(item.recipient) ?? "agent"}:\n${
        contentText(item.content) ?? ""
      }`,
    ),

  "event_msg/task_started": beginTask,
  "event_msg/turn_started": beginTask,
  "event_msg/task_complete": endTask,
  "event_msg/turn_complete": endTask,
  "event_msg/turn_aborted": (state, event) => {
    const reason = firstText(event.reason) ?? "interrupted";
    const end = { result: "cancelled" as const, reason: reason === "interrupted" ? null : reason };
    if (!closeTurn(state, end)) ignore(state.telling, "end of a turn that is over");
  },
  "event_msg/user_message": takeUserEvent,
  "event_msg/item_started": (state, event) => takeItem(state, event.item, "started"),
  "event_msg/item_completed": (state, event) => takeItem(state, event.item, "completed"),
  "event_msg/agent_message": (state, event) => takeAnswer(state, textOf(event.message) ?? "", "screen"),
  "event_msg/agent_reasoning": (state, event) => takeThoughtSection(state, textOf(event.text) ?? ""),
  "event_msg/agent_reasoning_raw_content": (state, event) =>
    takeThought(state, textOf(event.text) ?? "", "screen"),
  "event_msg/exec_command_end": (state, event) => takeExecEnd(state, callId(state, event), event),
  "event_msg/patch_apply_end": (state, event) => takePatchEnd(state, callId(state, event), event),
  "event_msg/mcp_tool_call_end": (state, event) => takeMcpEnd(state, callId(state, event), event),
  "event_msg/web_search_end": (state, event) => takeSearch(state, callId(state, event), event),
  "event_msg/view_image_tool_call": (state, event) => takeImage(state, callId(state, event), event),
  "event_msg/image_generation_end": (state, event) => takeMadeImage(state, callId(state, event), event),
  "event_msg/dynamic_tool_call_request": (state, event) =>
    takeCall(
      state,
      firstText(event.callId) ?? callId(state, event),
      [firstText(event.namespace), firstText(event.tool) ?? "tool"].filter((part) => part !== null).join(
        "__",
      ),
      event.arguments ?? {},
    ),
  "event_msg/dynamic_tool_call_response": (state, event) =>
    takeDynamicEnd(state, callId(state, event), event),
  "event_msg/token_count": (state, event) => {
    const info = fieldsOf(event.info);
    const window = positive(info.model_context_window);
    state.telling.greeting.contextWindow = window ?? state.telling.greeting.contextWindow;
    const total = numberOf(fieldAt(info, "total_token_usage", "total_tokens"));
    takeTokens(state, fieldsOf(info.last_token_usage), total, true);
  },
  "event_msg/context_compacted": (state) => {
    if (isTwin(state, "compaction", "screen", "")) {
      return ignore(state.telling, "compaction, told by its own record");
    }
    flushHeld(state);
    tellCompaction(state.telling, { summary: "", keepsMessages: true });
  },
  "event_msg/error": (state, event) => takeError(state, readableError(firstText(event.message) ?? "error")),
  "event_msg/stream_error": (state, event) => {
    flushHeld(state);
    tellRetry(state.telling, { error: readableError(firstText(event.message) ?? "stream error") });
  },
  "event_msg/warning": (state, event) => note(state, firstText(event.message), "warn"),
  "event_msg/guardian_warning": (state, event) => note(state, firstText(event.message), "warn"),
  "event_msg/deprecation_notice": (state, event) =>
    note(
      state,
      [firstText(event.summary), firstText(event.details)].filter((part) => part !== null).join("\n"),
      "warn",
    ),
  "event_msg/background_event": (state, event) => note(state, firstText(event.message)),
  "event_msg/model_reroute": (state, event) =>
    note(state, `Another model answers: ${firstText(event.to_model) ?? "?"}`, "warn"),
  "event_msg/thread_name_updated": (state, event) => takeTitle(state, firstText(event.thread_name)),
  "event_msg/thread_goal_updated": (state, event) => {
    const goal = fieldsOf(event.goal);
    note(state, `Goal: ${firstText(goal.objective) ?? ""} (${firstText(goal.status) ?? "?"})`);
  },
  "event_msg/thread_settings_applied": (state, event) => takeSettings(state, fieldsOf(event.thread_settings)),
  "event_msg/guardian_assessment": (state, event) => {
    const facts = [firstText(event.status), firstText(event.risk_level), firstText(event.rationale)];
    note(
      state,
      `Guardian: ${facts.filter((fact) => fact !== null).join(", ")}`,
      event.status === "denied" ? "warn" : "info",
    );
  },
  "event_msg/entered_review_mode": (state, event) =>
    note(state, `Review begins: ${firstText(event.user_facing_hint, event.prompt) ?? ""}`),
  "event_msg/exited_review_mode": (state, event) =>
    note(state, `Review:\n${reviewText(event.review_output)}`),
  "event_msg/undo_completed": (state, event) =>
    note(state, firstText(event.message) ?? (event.success === true ? "Undone" : "Undo failed")),
  "event_msg/thread_rolled_back": (state, event) =>
    note(
      state,
      `Went back ${
        numberOf(event.num_turns) ?? "some"
      } turns: what stands there is no longer in the model's view`,
      "warn",
    ),
  "event_msg/sub_agent_activity": (state, event) =>
    note(state, `Agent ${firstText(event.agent_path) ?? ""}: ${firstText(event.kind) ?? ""}`),
  "event_msg/collab_agent_spawn_begin": takeCollabBegin("spawn_agent"),
  "event_msg/collab_agent_interaction_begin": takeCollabBegin("send_input"),
  "event_msg/collab_waiting_begin": takeCollabBegin("wait_agent"),
  "event_msg/collab_close_begin": takeCollabBegin("close_agent"),
  "event_msg/collab_agent_spawn_end": (state, event) =>
    takeCollab(
      state,
      event,
      `Agent ${firstText(event.new_agent_nickname, event.new_thread_id) ?? ""} begins`,
    ),
  "event_msg/collab_agent_interaction_end": (state, event) =>
    takeCollab(
      state,
      event,
      `To agent ${firstText(event.receiver_agent_nickname, event.receiver_thread_id) ?? ""}`,
    ),
  "event_msg/collab_waiting_end": (state, event) => takeCollab(state, event, "Waited for agents"),
  "event_msg/collab_close_end": (state, event) =>
    takeCollab(
      state,
      event,
      `Agent ${firstText(event.receiver_agent_nickname, event.receiver_thread_id) ?? ""} closed`,
    ),
  "event_msg/collab_resume_end": (state, event) =>
    takeCollab(
      state,
      event,
      `Agent ${firstText(event.receiver_agent_nickname, event.receiver_thread_id) ?? ""} resumed`,
    ),

  "thread.started": (state, record) => {
    state.isExec = true;
    state.telling.greeting.sessionId = firstText(record.thread_id);
    ignore(state.telling, "session, told with the greeting");
  },
  "turn.started": (state) => {
    state.isExec = true;
    closeTurn(state, null);
    state.inTask = true;
    ignore(state.telling, "turn, told with its first item");
  },
  "turn.completed": (state, record) => {
    takeTokens(state, fieldsOf(record.usage), null, false);
    if (!closeTurn(state, { result: "finished" })) ignore(state.telling, "end of a turn that is over");
  },
  "turn.failed": (state, record) => failTurn(state, fieldsOf(record.error)),
  "item.started": (state, record) => takeItem(state, record.item, "started"),
  "item.updated": (state, record) => takeItem(state, record.item, "updated"),
  "item.completed": (state, record) => takeItem(state, record.item, "completed"),
  error: (state, record) => takeError(state, readableError(firstText(record.message) ?? "error")),
};

function takeSession(state: CodexState, meta: Fields): void {
  const { telling } = state;
  if (telling.greeted || telling.greeting.sessionId !== null) return ignore(telling, "session told again");
  const { greeting } = telling;
  greeting.sessionId = firstText(meta.id, meta.session_id);
  greeting.cwd = firstText(meta.cwd);
  state.provider = firstText(meta.model_provider);
  state.version = firstText(meta.cli_version);
  const branch = firstText(fieldAt(meta, "git", "branch"));
  if (branch !== null) greeting.notes.push(`git branch ${branch}`);
  const fork = firstText(meta.forked_from_id);
  if (fork !== null) greeting.notes.push(`forked from ${fork}`);
  const parent = firstText(
    meta.parent_thread_id,
    fieldAt(meta, "source", "subagent", "thread_spawn", "parent_thread_id"),
  );
  if (parent !== null) greeting.notes.push(`agent of session ${parent}`);
  ignore(telling, "session, told with the greeting");
}

function takeTurnContext(state: CodexState, context: Fields): void {
  const { telling } = state;
  telling.greeting.cwd ??= firstText(context.cwd);
  const sandbox = firstText(
    fieldAt(context, "sandbox_policy", "type"),
    fieldAt(context, "sandbox_policy", "mode"),
  );
  const approval = firstText(context.approval_policy);
  state.scope =
    [sandbox, approval === null ? null : `approval ${approval}`].filter((part) => part !== null).join(", ") ||
    null;
  takeModel(state, firstText(context.model), null);
}

function takeSettings(state: CodexState, settings: Fields): void {
  state.telling.greeting.cwd ??= firstText(settings.cwd);
  takeModel(state, firstText(settings.model), firstText(settings.model_provider_id));
}

/** What the model is given beside the messages; of it only the model itself is seen. */
function takeWorld(state: CodexState, world: Fields): void {
  const mode = fieldsOf(fieldAt(world.state, "collaboration_mode"));
  takeModel(state, firstText(mode.model), null);
}

/** The model of what follows; a change is told at once. */
function takeModel(state: CodexState, model: string | null, provider: string | null): void {
  const { telling } = state;
  const isNew = model !== null && model !== state.model;
  const before = state.model;
  state.model = model ?? state.model;
  state.provider = provider ?? state.provider;
  if (!isNew || before === null || !telling.greeted) {
    return ignore(telling, "settings, told with what follows");
  }
  tell(telling, "model_selected", { provider: state.provider, model, source: "request" });
}

function takeTitle(state: CodexState, title: string | null): void {
  if (state.telling.greeted) return tellTitle(state.telling, title);
  state.title = title;
  ignore(state.telling, "title, told with the greeting");
}

/** User messages begin like this when they hold what the client gives the model. */
const INJECTED =
  /^\s*(?:<(?:environment_context|user_instructions|permissions|skills?_instructions|skill|turn_aborted|subagent_notification|user_shell_command|apps_instructions|plugins_instructions|collaboration_mode|model_switch|image|hook_context)\b|# AGENTS\.md instructions|# Context from my IDE)/i;

function takeMessage(state: CodexState, item: Fields): void {
  const { telling } = state;
  const text = contentText(item.content) ?? "";
  switch (item.role) {
    case "assistant":
      return takeAnswer(state, text, "model");
    case "user": {
      const kinds = listOf(fieldAt(item, "internal_chat_message_metadata_passthrough", "content_item_kinds"));
      const isOwn = kinds.length === 0 ? !INJECTED.test(text) : kinds.some((kind) => kind === "user.text");
      if (!isOwn || text.trim() === "") return ignore(telling, "context for the model");
      return holdUserMessage(state, text, plainText(item.content));
    }
    default:
      return ignore(telling, "instructions for the model");
  }
}

function takeUserEvent(state: CodexState, event: Fields): void {
  const kind = firstText(event.kind);
  if (kind === "environment_context" || kind === "user_instructions") {
    return ignore(state.telling, "context for the model");
  }
  const text = textOf(event.message) ?? "";
  const images = [
    ...listOf(event.images).map((url) => ({ type: "image", url })),
    ...listOf(event.local_images).map((path) => ({ type: "local_image", path })),
  ];
  const whole = contentText(images.length === 0 ? text : [{ type: "text", text }, ...images]) ?? "";
  takeUserMessage(state, whole, text.trim());
}

/** Old rollouts have a thought's sections one by one: those of the model's view are one text. */
function takeThoughtSection(state: CodexState, text: string): void {
  for (const [key, twin] of state.twins) {
    if (twin.view !== "model" || !key.startsWith("thought ") || !key.includes(text.trim())) continue;
    if (key === `thought ${text.trim()}`) break;
    return ignore(state.telling, "reasoning in the other view");
  }
  takeThought(state, text, "screen");
}

function takeOutput(state: CodexState, item: Fields): void {
  const { telling } = state;
  const id = firstText(item.call_id, item.id) ?? `output-${++state.items}`;
  if (!telling.calls.has(id)) startCall(telling, { id, name: firstText(item.name) ?? "tool" });
  takeCallOutput(state, id, item.output);
}

function beginTask(state: CodexState, event: Fields): void {
  const { telling } = state;
  const window = positive(event.model_context_window);
  telling.greeting.contextWindow = window ?? telling.greeting.contextWindow;
  const waits = telling.turn !== null && telling.turn.step === 0 && !state.inTask;
  if (!waits) closeTurn(state, null);
  state.inTask = true;
  ignore(telling, "turn, told with its message");
}

function endTask(state: CodexState, event: Fields): void {
  const error = fieldsOf(event.error);
  if (Object.keys(error).length > 0) return failTurn(state, error);
  if (!closeTurn(state, { result: "finished" })) ignore(state.telling, "end of a turn that is over");
}

function failTurn(state: CodexState, error: Fields): void {
  const message = readableError(firstText(error.message) ?? "error");
  takeError(state, message);
  closeTurn(state, { result: "error", reason: "provider_error", message });
}

/** Usage of one request; both records that tell it say the session's total, by which the second is known. */
function takeTokens(state: CodexState, usage: Fields, total: number | null, isCount: boolean): void {
  const { telling } = state;
  const input = numberOf(usage.input_tokens);
  const isTold = total !== null && total === state.countedTotal;
  const place = telling.turn === null
    ? state.lastPlace
    : { turn: telling.turn.number, step: telling.turn.step };
  if (input === null || place === null || isTold) {
    return ignore(telling, isTold ? "usage told already" : isCount ? "rate limits" : "usage of nothing");
  }
  state.countedTotal = total;
  state.needsStep = true;
  const tokens: Tokens = {
    input,
    output: numberOf(usage.output_tokens),
    cacheRead: numberOf(usage.cached_input_tokens),
    cacheWrite: numberOf(usage.cache_write_input_tokens),
    reasoning: numberOf(usage.reasoning_output_tokens),
  };
  // The sum of a whole turn (exec --json) says nothing of the context.
  tellUsage(telling, tokens, { ...place, isContext: total !== null });
}

function takeCompacted(state: CodexState, payload: Fields): void {
  const { telling } = state;
  flushHeld(state);
  const kept = listOf(payload.replacement_history).map((item) => contentText(fieldAt(item, "content")) ?? "")
    .filter((text) => text.trim() !== "" && !INJECTED.test(text));
  const summary = firstText(payload.message) ?? joinedTexts(kept.slice(-1));
  if (isTwin(state, "compaction", "model", "")) {
    if (summary === "") return ignore(telling, "compaction told already");
    return tellSummary(telling, summary);
  }
  tellCompaction(telling, { summary, keepsMessages: false });
}

/** Work of other agents: their sessions are files of their own. */
/** Work with other agents begins; most often the model's call has said so. */
function takeCollabBegin(name: string): (state: CodexState, event: Fields) => void {
  return (state, event) => {
    const id = callId(state, event);
    if (state.telling.calls.has(id)) return ignore(state.telling, "start of a call that is told");
    const prompt = firstText(event.prompt);
    takeCall(state, id, name, prompt === null ? {} : { prompt });
  };
}

function takeCollab(state: CodexState, event: Fields, title: string): void {
  const { telling } = state;
  const call = telling.calls.get(firstText(event.call_id) ?? "");
  const prompt = firstText(event.prompt);
  const status = event.status ?? event.statuses;
  const said = typeof status === "string" ? status : status === undefined ? null : JSON.stringify(status);
  if (call !== undefined && !call.isOver) {
    return tellResult(telling, firstText(event.call_id) ?? "", {
      output: said,
      isError: false,
      summary: title,
    });
  }
  const lines = [`${title}${said === null ? "" : ` (${said})`}`, prompt].filter((part) => part !== null);
  note(state, lines.join("\n"));
}

function callId(state: CodexState, item: Fields): string {
  return firstText(item.call_id, item.id) ?? `call-${++state.items}`;
}

function toolName(item: Fields): string {
  const namespace = firstText(item.namespace);
  const name = firstText(item.name, fieldAt(item, "function", "name")) ?? "tool";
  return namespace === null ? name : `${namespace}.${name}`;
}
