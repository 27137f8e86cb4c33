// What only `claude --output-format stream-json` has: messages in pieces (stream_event), the session's init, the
// result that ends a turn, and requests for permission. The whole message follows its pieces; it is not shown twice.

import { type ClaudeState, closeTurn, stepOf, type StreamBlock } from "./claude_state.ts";
import { takeUsage } from "./claude_messages.ts";
import { type Fields, fieldsOf, firstText, listOf, numberOf, rowOf, textOf } from "./fields.ts";
import { positive } from "./recorded_content.ts";
import { askQuestion, closeQuestion } from "./recorded_questions.ts";
import { ignore } from "./recorded_ignored.ts";
import { tell } from "./telling.ts";
import { startCall, toldId } from "./telling_calls.ts";
import { ensureTurn, tellUsage, type TurnEnd } from "./telling_turn.ts";

type TakePiece = (state: ClaudeState, event: Fields, parent: string | null) => void;

/** Pieces of a message (Anthropic Messages API, streaming). */
const PIECES: Readonly<Record<string, TakePiece>> = {
  message_start: (state, event, parent) => {
    const message = fieldsOf(event.message);
    const messageId = firstText(message.id) ?? `line ${state.telling.line}`;
    closeStream(state, parent);
    state.streams.set(parent ?? "", { messageId, blocks: new Map() });
    if (parent === null) stepOf(state, messageId, firstText(message.model));
    else ignore(state.telling, "start of a nested message");
  },
  content_block_start: startBlock,
  content_block_delta: takeDelta,
  content_block_stop: (state, event, parent) => {
    const block = state.streams.get(parent ?? "")?.blocks.get(numberOf(event.index) ?? -1);
    if (block === undefined || block.closed || block.kind === "tool_use" || block.kind === "other") {
      return ignore(state.telling, "end of a block that is told");
    }
    closeBlock(state, block, parent);
  },
  message_delta: (state, event, parent) => {
    const stream = state.streams.get(parent ?? "");
    if (stream === undefined || parent !== null) return ignore(state.telling, "usage of a nested message");
    takeUsage(state, stream.messageId, fieldsOf(event.usage));
  },
  message_stop: (state, _event, parent) => {
    const had = state.streams.has(parent ?? "");
    closeStream(state, parent);
    state.streams.delete(parent ?? "");
    ignore(state.telling, had ? "end of a message" : "end of an unknown message");
  },
  ping: (state) => ignore(state.telling, "ping"),
  error: (state, event) => {
    const message = firstText(fieldsOf(event.error).message) ?? "stream error";
    tell(state.telling, "error", { code: "provider_error", message });
  },
};

/** stream_event: one piece. */
export function takeStreamEvent(state: ClaudeState, record: Fields): void {
  const event = fieldsOf(record.event);
  const type = textOf(event.type) ?? "";
  const take = rowOf(PIECES, type);
  if (take === null) return ignore(state.telling, `unknown stream_event/${type.slice(0, 60)}`);
  take(state, event, toldId(state.telling, firstText(record.parent_tool_use_id)));
}

/** The streamed block that a block of the whole message repeats; from now on it is closed. Null when none is open. */
export function closedInStream(
  state: ClaudeState,
  whole: { parent: string | null; messageId: string; kind: StreamBlock["kind"]; id?: string },
): StreamBlock | null {
  const stream = state.streams.get(whole.parent ?? "");
  if (stream === undefined || stream.messageId !== whole.messageId) return null;
  for (const block of stream.blocks.values()) {
    if (block.closed || block.kind !== whole.kind || (whole.id !== undefined && block.id !== whole.id)) {
      continue;
    }
    block.closed = true;
    return block;
  }
  return null;
}

function startBlock(state: ClaudeState, event: Fields, parent: string | null): void {
  const { telling } = state;
  const stream = state.streams.get(parent ?? "");
  const index = numberOf(event.index) ?? -1;
  const block = fieldsOf(event.content_block);
  if (stream === undefined) return ignore(telling, "block of an unknown message");
  const base = { closed: false, id: `${stream.messageId}#${index}` };
  switch (block.type) {
    case "text":
      stream.blocks.set(index, { ...base, kind: "text" });
      return ignore(telling, "start of a text");
    case "thinking":
      stream.blocks.set(index, { ...base, kind: "thinking" });
      return tell(telling, "reasoning_start", { id: base.id, parent_id: parent });
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use": {
      const id = firstText(block.id) ?? base.id;
      stream.blocks.set(index, { ...base, kind: "tool_use", id });
      startCall(telling, { id, name: firstText(block.name) ?? "tool", parent });
      return;
    }
    default:
      stream.blocks.set(index, { ...base, kind: "other" });
      ignore(telling, "start of a block that is told whole");
  }
}

function takeDelta(state: ClaudeState, event: Fields, parent: string | null): void {
  const { telling } = state;
  const block = state.streams.get(parent ?? "")?.blocks.get(numberOf(event.index) ?? -1);
  const delta = fieldsOf(event.delta);
  if (block === undefined || block.closed) return ignore(telling, "piece of a block that is told");
  const text = textOf(delta.text) ?? textOf(delta.thinking) ?? textOf(delta.partial_json) ?? "";
  if (text === "") return ignore(telling, "piece without text");
  if (delta.type === "text_delta" && block.kind === "text") {
    return tell(telling, "text_delta", { text, parent_id: parent });
  }
  if (delta.type === "thinking_delta" && block.kind === "thinking") {
    return tell(telling, "reasoning_delta", { id: block.id, text, parent_id: parent });
  }
  if (delta.type === "input_json_delta" && block.kind === "tool_use") {
    const id = toldId(telling, block.id) ?? block.id;
    return tell(telling, "tool_call_args_delta", { id, json: text, parent_id: parent });
  }
  ignore(telling, "piece that is told whole");
}

/** Blocks whose whole message never came end with what was streamed. */
function closeStream(state: ClaudeState, parent: string | null): void {
  const stream = state.streams.get(parent ?? "");
  for (const block of stream?.blocks.values() ?? []) if (!block.closed) closeBlock(state, block, parent);
}

function closeBlock(state: ClaudeState, block: StreamBlock, parent: string | null): void {
  block.closed = true;
  if (block.kind === "text") tell(state.telling, "text_done", { parent_id: parent });
  else if (block.kind === "thinking") {
    tell(state.telling, "reasoning_done", { id: block.id, parent_id: parent });
  }
}

/** system/init: the session. It repeats before each turn. */
export function takeInit(state: ClaudeState, record: Fields): void {
  const { telling } = state;
  if (telling.greeted) {
    const model = firstText(record.model);
    if (model === null || model === telling.model) return ignore(telling, "session as before");
    telling.model = model;
    return tell(telling, "model_selected", { model, source: "request" });
  }
  state.version = firstText(record.claude_code_version) ?? state.version;
  state.permissionMode = firstText(record.permissionMode) ?? state.permissionMode;
  state.tools = listOf(record.tools).filter((tool) => typeof tool === "string");
  telling.greeting.model = firstText(record.model);
  ignore(telling, "session, told with the greeting");
}

/** How a result ends a turn, by its subtype. */
const RESULTS: Readonly<Record<string, TurnEnd>> = {
  success: { result: "finished" },
  error_max_turns: { result: "limit_reached", reason: "max turns" },
  error_max_budget_usd: { result: "limit_reached", reason: "budget" },
  error_during_execution: { result: "error", reason: "error during execution" },
};

/** result: ends the turn; its text was told already. */
export function takeTurnResult(state: ClaudeState, record: Fields): void {
  const { telling } = state;
  const isTold = telling.turn !== null;
  const turn = ensureTurn(telling);
  const window = Object.values(fieldsOf(record.modelUsage)).map((usage) =>
    positive(fieldsOf(usage).contextWindow)
  );
  telling.greeting.contextWindow = window.find((size) => size !== null) ?? telling.greeting.contextWindow;
  const cost = numberOf(record.total_cost_usd);
  const { lastUsage } = state;
  if (lastUsage !== null && lastUsage.turn === turn.number) {
    const costUsd = cost === null ? null : Math.max(0, Math.round((cost - state.costTold) * 1e9) / 1e9);
    state.costTold = cost ?? state.costTold;
    tellUsage(telling, { ...lastUsage.tokens, costUsd }, { turn: lastUsage.turn, step: lastUsage.step });
  }
  const text = firstText(record.result, ...listOf(record.errors));
  const known = rowOf(RESULTS, record.subtype) ??
    { result: "error" as const, reason: textOf(record.subtype) };
  const failed = record.is_error === true && known.result === "finished";
  const end: TurnEnd = failed ? { result: "error", reason: "provider_error" } : known;
  const message = end.result === "error" ? text : null;
  if (message !== null && turn.end.message !== message) {
    tell(telling, "error", { code: "provider_error", message });
  }
  if (!isTold && text !== null && message === null) {
    tell(telling, "text_delta", { text });
    tell(telling, "text_done", {});
  }
  closeTurn(state, { ...end, message });
}

/** system/status: what the agent is doing. */
export function takeStatus(state: ClaudeState, record: Fields): void {
  if (record.status === null || state.telling.turn === null && record.status !== "compacting") {
    return ignore(state.telling, "status of nothing");
  }
  tell(state.telling, "status", { status: record.status === "compacting" ? "compacting" : "running" });
}

const ALLOW = "allow";
const DENY = "deny";

/** control_request can_use_tool: a permission asked of the client. */
export function takeControlRequest(state: ClaudeState, record: Fields): void {
  const { telling } = state;
  const request = fieldsOf(record.request);
  const id = firstText(record.request_id);
  if (request.subtype !== "can_use_tool" || id === null) return ignore(telling, "control of the client");
  const name = firstText(request.tool_name) ?? "tool";
  const input = fieldsOf(request.input);
  askQuestion(telling, state.questions, {
    batch_id: id,
    kind: "permission",
    tool_call_id: toldId(telling, firstText(request.tool_use_id)),
    questions: [{
      id: "permission",
      header: name,
      text: firstText(input.command, input.file_path, input.url) ?? JSON.stringify(input),
      options: [
        { id: ALLOW, label: "Allow", effect: "allow_once" },
        { id: DENY, label: "Deny", effect: "deny" },
      ],
    }],
  });
}

/** control_response: what the person answered. */
export function takeControlResponse(state: ClaudeState, record: Fields): void {
  const outer = fieldsOf(record.response);
  const answer = fieldsOf(outer.response);
  const behavior = firstText(answer.behavior) ?? "";
  const isOurs = closeQuestion(state.telling, state.questions, {
    batch_id: firstText(outer.request_id, record.request_id) ?? "",
    reason: behavior === "" ? "cancelled" : "answered",
    answers: behavior === "" ? [] : [{
      id: "permission",
      selected: [behavior === ALLOW ? ALLOW : DENY],
      text: behavior === ALLOW ? null : firstText(answer.message),
    }],
  });
  if (!isOurs) ignore(state.telling, "answer of the client");
}
