// The kinds of records Claude Code writes: what each becomes, and which are known and not shown, with the reason.
// A kind is "type", or "type/subtype" for system, attachment, progress and stream records.

import { isFromPerson, takeAssistant, takePiece, takeUser } from "./claude_messages.ts";
import {
  type ClaudeState,
  closeTurn,
  finishCompacting,
  parentOf,
  takeSteer,
  takeTitle,
  TITLE_RANKS,
} from "./claude_state.ts";
import {
  takeControlRequest,
  takeControlResponse,
  takeInit,
  takeStatus,
  takeStreamEvent,
  takeTurnResult,
} from "./claude_stream.ts";
import { readUserText } from "./claude_text.ts";
import { fieldAt, type Fields, fieldsOf, firstText, listOf, numberOf, textOf } from "./fields.ts";
import { contentText, countText, positive, tokensText } from "./recorded_content.ts";
import { ignore } from "./recorded_ignored.ts";
import { tell } from "./telling.ts";
import { growOutput, toldId } from "./telling_calls.ts";
import { expectEnd, tellRetry } from "./telling_turn.ts";

type Take = (state: ClaudeState, record: Fields) => void;

/** The record's kind. */
export function claudeKind(record: Fields): string {
  const type = textOf(record.type) ?? "";
  const detail = type === "system"
    ? record.subtype
    : type === "attachment"
    ? fieldAt(record, "attachment", "type")
    : type === "progress"
    ? fieldAt(record, "data", "type")
    : undefined;
  return typeof detail === "string" ? `${type}/${detail}` : type;
}

/** What each kind becomes. */
export const CLAUDE_RECORDS: Readonly<Record<string, Take>> = {
  user: takeUser,
  assistant: takeAssistant,
  stream_event: takeStreamEvent,
  result: (state, record) =>
    "subtype" in record || "is_error" in record
      ? takeTurnResult(state, record)
      : ignore(state.telling, "workflow"),
  control_request: takeControlRequest,
  control_response: takeControlResponse,

  summary: (state, record) => takeTitle(state, textOf(record.summary), TITLE_RANKS.summary),
  "ai-title": (state, record) => takeTitle(state, textOf(record.aiTitle), TITLE_RANKS["ai-title"]),
  "custom-title": (state, record) =>
    takeTitle(state, textOf(record.customTitle), TITLE_RANKS["custom-title"]),
  "queue-operation": takeQueue,
  "pr-link": (state, record) =>
    note(
      state,
      `Pull request ${firstText(record.prRepository) ?? ""}#${numberOf(record.prNumber) ?? "?"}: ${
        firstText(record.prUrl) ?? ""
      }`,
    ),
  "frame-link": (state, record) =>
    note(
      state,
      [firstText(record.title), firstText(record.frameUrl)].filter((part) => part !== null).join(": "),
    ),
  agents_killed: (state, record) => note(state, firstText(record.content) ?? "Agents were stopped", "warn"),

  "system/init": takeInit,
  "system/status": takeStatus,
  "system/thinking_tokens": (state) => {
    if (state.telling.turn === null) return ignore(state.telling, "status of nothing");
    tell(state.telling, "status", { status: "running" });
  },
  "system/compact_boundary": takeBoundary,
  "system/microcompact_boundary": (state, record) => {
    const saved = positive(fieldAt(record, "microcompactMetadata", "tokensSaved"));
    note(
      state,
      `${firstText(record.content) ?? "Context microcompacted"}${
        saved === null ? "" : `: ${tokensText(saved)} tokens of old results freed`
      }`,
    );
  },
  "system/turn_duration": (state) => {
    if (!closeTurn(state, null)) ignore(state.telling, "duration of a turn that is over");
  },
  "system/api_error": takeApiRetry,
  "system/api_retry": takeApiRetry,
  "system/error": (state, record) =>
    tell(state.telling, "error", { code: "provider_error", message: errorText(record.error) }),
  "system/api_refusal": (state, record) => {
    note(state, firstText(record.apiRefusalExplanation, record.content) ?? "The request was refused", "warn");
    expectEnd(state.telling, { result: "rejected", reason: "refusal" });
  },
  "system/model_refusal_fallback": (state, record) =>
    note(state, firstText(record.content) ?? "Another model answers", "warn"),
  "system/stop_hook_summary": takeHooks,
  "system/local_command": takeCommand,
  "system/local_command_output": (state, record) =>
    note(state, firstText(record.content) ?? "", "info", "command"),
  "system/informational": takeInformation,
  "system/away_summary": takeInformation,
  "system/memory_saved": takeInformation,
  "system/agents_killed": takeInformation,
  "system/permission_retry": takeInformation,
  "system/scheduled_task_fire": takeInformation,
  "system/snip_boundary": takeInformation,
  "system/task_notification": (state, record) =>
    note(
      state,
      [firstText(record.summary, record.description), firstText(record.status)].filter((part) =>
        part !== null
      ).join(": "),
      "info",
      "task",
    ),

  "attachment/queued_command": takeQueued,
  "attachment/file": (state, record) =>
    attached(state, record, fieldAt(record, "attachment", "content", "file")),
  "attachment/already_read_file": (state, record) => attached(state, record, null),
  "attachment/pdf_reference": (state, record) => attached(state, record, null),
  "attachment/directory": (state, record) => attached(state, record, null),
  "attachment/image": (state, record) => attached(state, record, null),
  "attachment/selected_lines_in_ide": (state, record) => attached(state, record, null),
  "attachment/hook_blocking_error": (state, record) =>
    hookNote(
      state,
      record,
      firstText(fieldAt(record, "attachment", "blockingError", "blockingError")),
      "blocked",
    ),
  "attachment/hook_non_blocking_error": (state, record) =>
    hookNote(
      state,
      record,
      firstText(fieldAt(record, "attachment", "stderr"), fieldAt(record, "attachment", "stdout")),
      "failed",
    ),
  "attachment/hook_stopped_continuation": (state, record) =>
    hookNote(state, record, firstText(fieldAt(record, "attachment", "message")), "stopped the turn"),
  "attachment/hook_system_message": (state, record) =>
    hookNote(state, record, firstText(fieldAt(record, "attachment", "content")), "says"),
  "attachment/task_status": (state, record) => {
    const task = fieldsOf(record.attachment);
    note(
      state,
      `${firstText(task.description, task.taskId) ?? "task"}: ${firstText(task.status) ?? ""}`,
      "info",
      "task",
    );
  },

  "progress/bash_progress": takeOutputSoFar,
  "progress/powershell_progress": takeOutputSoFar,
  "progress/agent_progress": takeAgentProgress,
  "progress/skill_progress": takeAgentProgress,
};

/** Kinds that are known and not shown, and why. */
export const CLAUDE_IGNORED: Readonly<Record<string, string>> = {
  "file-history-snapshot": "backups of files",
  mode: "mode of the client",
  "permission-mode": "mode of the client",
  "agent-name": "name of the agent",
  "agent-setting": "setting of the client",
  "agent-color": "setting of the client",
  "last-prompt": "last prompt, repeated",
  "atis-latch": "state of the client",
  "tools-used": "list of used tools",
  "cost-state": "sums of the client",
  "api-request": "request as it was sent",
  "api-request-blob": "request as it was sent",
  "api-request-shape": "request as it was sent",
  "bridge-session": "remote control",
  "worktree-state": "place of the worktree",
  relocated: "place of the session",
  started: "workflow",
  "content-replacement": "results kept elsewhere",
  "marble-origami-commit": "state of the client",
  "marble-origami-snapshot": "state of the client",
  "speculation-accept": "state of the client",
  "attribution-snapshot": "state of the client",
  "task-summary": "summary for the session list",
  tag: "tag of the session list",
  "saved_hook_context": "context from a hook",
  keep_alive: "sign of life",
  rate_limit_event: "rate limits",
  auth_status: "login state",
  tool_progress: "sign of life of a tool",
  tool_use_summary: "summary of calls that are shown",
  prompt_suggestion: "suggestion of the client",
  control_cancel_request: "control of the client",
  streamlined_text: "text that is shown",
  streamlined_tool_use_summary: "summary of calls that are shown",

  "system/session_start": "start of the session",
  "system/hook_started": "hook ran",
  "system/hook_progress": "hook ran",
  "system/hook_response": "hook ran",
  "system/task_started": "state of a background task",
  "system/task_progress": "state of a background task",
  "system/task_updated": "state of a background task",
  "system/session_state_changed": "state of the client",
  "system/files_persisted": "backups of files",
  "system/bridge_status": "remote control",
  "system/bridge_state": "remote control",
  "system/api_metrics": "measurements",
  "system/file_snapshot": "backups of files",
  "system/thinking": "sign of life",
  "system/elicitation_complete": "state of the client",
  "system/post_turn_summary": "summary for the session list",

  "progress/hook_progress": "hook ran",
  "progress/mcp_progress": "progress of a remote tool",
  "progress/query_update": "progress of a search",
  "progress/search_results_received": "progress of a search",
  "progress/waiting_for_task": "waiting for a task",
  "progress/task_progress": "progress of a task",
  "progress/repl_tool_call": "progress of a tool",

  ...Object.fromEntries(
    [
      "agent_listing_delta",
      "agent_mention",
      "async_hook_response",
      "auto_mode",
      "auto_mode_exit",
      "batching_reminder_sent",
      "budget_usd",
      "command_permissions",
      "compact_file_reference",
      "compaction_reminder",
      "context_efficiency",
      "critical_system_reminder",
      "current_session_memory",
      "date",
      "date_change",
      "deferred_tools_delta",
      "diagnostics",
      "dynamic_skill",
      "edited_image_file",
      "edited_text_file",
      "environment",
      "hook_additional_context",
      "hook_cancelled",
      "hook_error_during_execution",
      "hook_permission_decision",
      "hook_success",
      "invoked_skills",
      "max_turns_reached",
      "mcp_instructions_delta",
      "mcp_resource",
      "model",
      "nested_memory",
      "opened_file_in_ide",
      "output_style",
      "output_token_usage",
      "plan_file_reference",
      "plan_mode",
      "plan_mode_exit",
      "plan_mode_reentry",
      "prompt_snapshot",
      "read_truncation_notice",
      "relevant_memories",
      "remote_session_change",
      "session_context",
      "silent_turn_reminder",
      "skill_discovery",
      "skill_listing",
      "structured_output",
      "task_reminder",
      "team_context",
      "teammate_mailbox",
      "teammate_shutdown_batch",
      "todo_reminder",
      "token_usage",
      "total_tokens_reminder",
      "ultra_effort_enter",
      "ultra_effort_exit",
      "ultrathink_effort",
      "verify_plan_reminder",
    ].map((name) => [`attachment/${name}`, "context for the model"]),
  ),
};

/** Rows about the session. */
function note(
  state: ClaudeState,
  message: string,
  level: "info" | "warn" = "info",
  source: string = state.telling.agent,
): void {
  if (message.trim() === "") return ignore(state.telling, "notice without text");
  tell(state.telling, "notification", { level, source, message });
}

function takeInformation(state: ClaudeState, record: Fields): void {
  const level = /^(?:warning|warn|error)$/.test(textOf(record.level) ?? "") ? "warn" : "info";
  note(state, firstText(record.content, record.message) ?? "", level);
}

/** Commands of the client, and what they printed. */
function takeCommand(state: ClaudeState, record: Fields): void {
  const pieces = readUserText(textOf(record.content) ?? "");
  if (pieces.length === 0) return ignore(state.telling, "command without output");
  for (const piece of pieces) takePiece(state, piece, { parent: null, isSteer: false, isHuman: true });
}

function takeBoundary(state: ClaudeState, record: Fields): void {
  const meta = fieldsOf(record.compactMetadata ?? record.compact_metadata);
  finishCompacting(state, "");
  const kept = [
    listOf(fieldAt(meta, "preservedMessages", "uuids")).length,
    Object.keys(fieldsOf(meta.preservedSegment ?? meta.preserved_segment)).length,
  ];
  state.compacting = {
    tokensBefore: positive(meta.preTokens ?? meta.pre_tokens),
    tokensAfter: positive(meta.postTokens ?? meta.post_tokens),
    keeps: kept.some((count) => count > 0),
  };
  tell(state.telling, "compact_start", { reason: firstText(meta.trigger, record.trigger) });
}

/** A failed request that is tried again, or given up. */
function takeApiRetry(state: ClaudeState, record: Fields): void {
  const attempt = positive(record.retryAttempt ?? record.attempt);
  const error = errorText(record.error);
  if (attempt === null) return tell(state.telling, "error", { code: "provider_error", message: error });
  tellRetry(state.telling, {
    attempt,
    max: positive(record.maxRetries ?? record.max_retries),
    waitMs: numberOf(record.retryInMs ?? record.retry_delay_ms),
    error,
  });
}

/** An error's text, wherever it is kept. */
function errorText(value: unknown): string {
  const error = fieldsOf(value);
  const inner = fieldsOf(error.error);
  const said = firstText(
    typeof value === "string" ? value : undefined,
    error.formatted,
    error.message,
    fieldsOf(inner.error).message,
    inner.message,
    fieldsOf(error.cause).message,
    error.type,
  );
  const status = positive(error.status);
  return said ?? (status === null ? "API error" : `API error ${status}`);
}

function takeHooks(state: ClaudeState, record: Fields): void {
  const errors = listOf(record.hookErrors).map((error) => firstText(error, fieldsOf(error).message) ?? "")
    .filter((error) => error !== "");
  const stopped = record.preventedContinuation === true;
  if (errors.length === 0 && !stopped) return ignore(state.telling, "hooks ran");
  const why = firstText(record.stopReason);
  note(
    state,
    [stopped ? `A hook stopped the turn${why === null ? "" : `: ${why}`}` : null, ...errors].filter((part) =>
      part !== null
    ).join("\n"),
    "warn",
  );
}

function hookNote(state: ClaudeState, record: Fields, text: string | null, did: string): void {
  const hook =
    firstText(fieldAt(record, "attachment", "hookName"), fieldAt(record, "attachment", "hookEvent")) ??
      "hook";
  note(state, `${hook} ${did}${text === null ? "" : `: ${text.trim()}`}`, "warn", "hook");
}

/** A file the person named in a message. */
function attached(state: ClaudeState, record: Fields, file: unknown): void {
  const attachment = fieldsOf(record.attachment);
  const path = firstText(attachment.displayPath, attachment.filename, attachment.path) ?? "file";
  const lines = positive(fieldsOf(file).numLines);
  note(state, `${path}${lines === null ? "" : ` (${countText(lines, "line")})`}`, "info", "attached");
}

/** A message that was sent while the agent worked. */
function takeQueued(state: ClaudeState, record: Fields): void {
  const attachment = fieldsOf(record.attachment);
  const text = contentText(attachment.prompt) ?? "";
  const at = state.steered.indexOf(text);
  if (at !== -1) {
    state.steered.splice(at, 1);
    return ignore(state.telling, "queued message, told when it was taken");
  }
  const isTask = attachment.commandMode === "task-notification";
  const isHuman = !isTask && isFromPerson(attachment) && attachment.isMeta !== true;
  const pieces = readUserText(text);
  if (pieces.length === 0) return ignore(state.telling, "queued message without text");
  const parent = toldId(state.telling, parentOf(state, record));
  for (const piece of pieces) takePiece(state, piece, { parent, isSteer: true, isHuman });
}

/** The queue of messages: one that is removed was given to the model; versions differ in whether they say so again. */
function takeQueue(state: ClaudeState, record: Fields): void {
  const { queued, telling } = state;
  const content = textOf(record.content);
  switch (record.operation) {
    case "enqueue":
      queued.push(content ?? "");
      return ignore(telling, "message queued");
    case "dequeue":
      queued.shift();
      return ignore(telling, "queued message, told as it is sent");
    case "popAll":
      queued.length = 0;
      return ignore(telling, "queue emptied by the person");
    case "remove": {
      const at = content === null ? 0 : Math.max(0, queued.indexOf(content));
      const [text] = queued.splice(at, 1);
      if (text === undefined || text.trim() === "" || text.trimStart().startsWith("<")) {
        return ignore(telling, "queued message, told as it is sent");
      }
      state.steered.push(text);
      return takeSteer(state, text);
    }
    default:
      return ignore(telling, "state of the queue");
  }
}

function takeOutputSoFar(state: ClaudeState, record: Fields): void {
  const { telling } = state;
  const data = fieldsOf(record.data);
  const call = telling.calls.get(firstText(record.parentToolUseID) ?? "");
  if (call === undefined) return ignore(telling, "output of an unknown call");
  growOutput(telling, call, textOf(data.fullOutput) ?? textOf(data.output) ?? "");
}

/** A message of a nested agent, inside the call that began it. */
function takeAgentProgress(state: ClaudeState, record: Fields): void {
  const message = fieldsOf(fieldAt(record, "data", "message"));
  const inner: Fields = {
    ...message,
    isSidechain: false,
    parent_tool_use_id: firstText(record.parentToolUseID, record.parent_tool_use_id),
  };
  if (message.type === "assistant") return takeAssistant(state, inner);
  if (message.type === "user") return takeUser(state, inner);
  ignore(state.telling, "progress of an agent");
}
