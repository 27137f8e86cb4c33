// `pi --mode json` as events: messages in pieces, calls with their output so far. The whole message that follows
// its pieces only closes them.

import { fieldAt, type Fields, fieldsOf, firstText, numberOf, rowOf, textOf } from "./fields.ts";
import { closeAssistant, contentText, errorText, foundResult, takeMessage } from "./pi_entries.ts";
import type { PiState } from "./pi_state.ts";
import { ignore, ignoreUnknown, nextThoughtId, notify, tell, tellText, tellThought } from "./telling.ts";
import { finishCompaction } from "./telling_compact.ts";
import { describeCall, growOutput, startCall, tellCall, tellResult, type ToldCall } from "./telling_calls.ts";
import { beginStep, ensureTurn, leaveTurn, tellRetry } from "./telling_turn.ts";

type Take = (state: PiState, record: Fields) => void;

/** What each kind of live record tells. */
export const PI_LIVE: Readonly<Record<string, Take>> = {
  message_start: (state, record) => {
    const message = fieldsOf(record.message);
    if (message.role !== "assistant") return ignore(state.telling, "start of a message, told at its end");
    state.pieces.clear();
    state.streamed = true;
    beginStep(state.telling, { provider: textOf(message.provider), model: textOf(message.model) });
  },
  message_update: (state, record) => {
    const update = fieldsOf(record.assistantMessageEvent);
    const take = rowOf(PIECES, update.type);
    if (take === null) return ignoreUnknown(state.telling, `message_update ${textOf(update.type) ?? ""}`);
    take(state, update);
  },
  message_end: (state, record) => {
    const message = fieldsOf(record.message);
    if (message.role === "toolResult" && state.telling.calls.get(textOf(message.toolCallId) ?? "")?.isOver) {
      return ignore(state.telling, "result told by its call");
    }
    if (message.role !== "assistant" || !state.streamed) return takeMessage(state, message, null);
    closePieces(state, message);
    state.streamed = false;
    closeAssistant(state, message, null);
  },
  tool_execution_start: (state, record) => {
    tellCall(state.telling, {
      id: textOf(record.toolCallId) ?? "",
      name: textOf(record.toolName) ?? "tool",
      args: record.args,
    });
  },
  tool_execution_update: (state, record) => {
    const call = state.telling.calls.get(textOf(record.toolCallId) ?? "");
    if (call === undefined) return ignore(state.telling, "output of an unknown call");
    growOutput(state.telling, call, contentText(fieldAt(record.partialResult, "content")));
  },
  tool_execution_end: (state, record) => {
    const { telling } = state;
    ensureTurn(telling);
    const id = textOf(record.toolCallId) ?? "";
    const result = fieldsOf(record.result);
    const call = telling.calls.get(id);
    const found = foundResult(
      { ...result, isError: record.isError === true || result.isError === true },
      { name: textOf(record.toolName), args: fieldsOf(call?.args) },
    );
    const exitCode = numberOf(fieldAt(result.structuredContent, "exit_code"));
    tellResult(telling, id, exitCode === null ? found : { ...found, exitCode });
  },
  turn_end: (state) => ignore(state.telling, "end of a request, told by its message"),
  agent_end: (state) => {
    if (state.telling.turn === null) return ignore(state.telling, "end of a run, told by its message");
    leaveTurn(state.telling);
  },
  auto_retry_start: takeRetry,
  auto_retry_end: (state, record) => {
    if (record.success === true) return ignore(state.telling, "end of retries");
    notify(state.telling, "error", `Retries failed: ${firstText(record.finalError) ?? "no reason given"}`);
  },
  compaction_start: startCompaction,
  compaction_end: endCompaction,
  auto_compaction_start: startCompaction,
  auto_compaction_end: endCompaction,
  extension_error: (state, record) => {
    notify(state.telling, "error", `Extension failed: ${firstText(record.error, record.message) ?? ""}`);
  },
};

/** Pieces of a message that streams. */
const PIECES: Readonly<Record<string, Take>> = {
  text_start: (state) => ignore(state.telling, "start of a piece, told with its text"),
  text_delta: (state, update) => growText(state, update),
  text_end: (state, update) => endPiece(state, numberOf(update.contentIndex) ?? 0, textOf(update.content)),
  thinking_start: (state) => ignore(state.telling, "start of a piece, told with its text"),
  thinking_delta: (state, update) => growThought(state, update),
  thinking_end: (state, update) =>
    endPiece(state, numberOf(update.contentIndex) ?? 0, textOf(update.content)),
  toolcall_start: (state, update) => {
    const id = textOf(update.id);
    if (id === null) return ignore(state.telling, "start of a piece, told with its text");
    startCall(state.telling, { id, name: firstText(update.toolName, update.name) ?? "tool" });
    state.pieces.set(numberOf(update.contentIndex) ?? 0, { kind: "call", id, length: 0 });
  },
  toolcall_delta: (state, update) => {
    const piece = state.pieces.get(numberOf(update.contentIndex) ?? 0);
    const json = textOf(update.delta) ?? "";
    const call = piece === undefined ? undefined : state.telling.calls.get(piece.id);
    if (call === undefined || json === "") return ignore(state.telling, "empty piece");
    tell(state.telling, "tool_call_args_delta", { id: call.id, json });
  },
  toolcall_end: (state, update) => {
    const found = fieldsOf(update.toolCall);
    finishCall(state, found);
  },
};

function finishCall(state: PiState, found: Fields): void {
  const { telling } = state;
  const id = textOf(found.id) ?? "";
  const call: ToldCall | undefined = telling.calls.get(id);
  const name = textOf(found.name) ?? "tool";
  if (call === undefined || call.isOver || call.args !== null) {
    tellCall(telling, { id, name, args: found.arguments });
    return;
  }
  call.name = name;
  describeCall(telling, call, { args: found.arguments });
}

function growText(state: PiState, update: Fields): void {
  const text = textOf(update.delta) ?? "";
  if (text === "") return ignore(state.telling, "empty piece");
  const index = numberOf(update.contentIndex) ?? 0;
  const piece = state.pieces.get(index) ?? { kind: "text" as const, id: "", length: 0 };
  state.pieces.set(index, piece);
  piece.length += text.length;
  tell(state.telling, "text_delta", { text });
}

function growThought(state: PiState, update: Fields): void {
  const text = textOf(update.delta) ?? "";
  if (text === "") return ignore(state.telling, "empty piece");
  const index = numberOf(update.contentIndex) ?? 0;
  let piece = state.pieces.get(index);
  if (piece === undefined) {
    piece = { kind: "thinking", id: nextThoughtId(state.telling), length: 0 };
    state.pieces.set(index, piece);
    tell(state.telling, "reasoning_start", { id: piece.id });
  }
  piece.length += text.length;
  tell(state.telling, "reasoning_delta", { id: piece.id, text });
}

/** A piece is whole: pi may tell it after the next one has begun, so its text is given where nothing streamed. */
function endPiece(state: PiState, index: number, whole: string | null): void {
  const piece = state.pieces.get(index);
  if (piece === undefined || piece.length < 0) return ignore(state.telling, "end of an empty piece");
  piece.length = -1;
  if (piece.kind === "thinking") return tell(state.telling, "reasoning_done", { id: piece.id, text: whole });
  ignore(state.telling, "end of a piece, told with its text");
}

/** Whatever of the whole message the pieces did not tell. */
function closePieces(state: PiState, message: Fields): void {
  const content = Array.isArray(message.content) ? message.content.map(fieldsOf) : [];
  content.forEach((block, index) => {
    const piece = state.pieces.get(index);
    if (block.type === "toolCall") {
      const call = state.telling.calls.get(textOf(block.id) ?? "");
      if (call === undefined || call.args === null) finishCall(state, block);
    } else if (piece === undefined) {
      if (block.type === "thinking") tellThought(state.telling, textOf(block.thinking) ?? "");
      else tellText(state.telling, contentText([block]));
    } else if (piece.kind === "thinking" && piece.length >= 0) {
      tell(state.telling, "reasoning_done", { id: piece.id });
    }
  });
  tell(state.telling, "text_done", {});
  state.pieces.clear();
}

function takeRetry(state: PiState, record: Fields): void {
  tellRetry(state.telling, {
    attempt: numberOf(record.attempt),
    max: numberOf(record.maxAttempts),
    waitMs: numberOf(record.delayMs),
    error: errorText(firstText(record.errorMessage)),
  });
}

function startCompaction(state: PiState, record: Fields): void {
  tell(state.telling, "compact_start", { reason: textOf(record.reason) });
}

function endCompaction(state: PiState, record: Fields): void {
  const { telling } = state;
  const error = firstText(record.errorMessage);
  if (record.aborted === true || error !== null) {
    return tell(telling, "compact_failed", { error: error ?? "cancelled" });
  }
  const result = fieldsOf(record.result);
  finishCompaction(telling, {
    summary: textOf(result.summary) ?? "",
    keepsMessages: textOf(result.firstKeptEntryId) !== null,
    tokensBefore: numberOf(result.tokensBefore),
  });
}
