// Turns: from session/prompt to its answer, and from one replayed user message to the next. A turn ends once, with
// everything that was open in it closed.

import { endCalls, hasStrayCall } from "./acp_calls.ts";
import { blocksText, blockText, isTextBlock } from "./acp_content.ts";
import type { RpcId } from "./acp_message.ts";
import { cancelQuestions } from "./acp_questions.ts";
import { tellAuth } from "./acp_session.ts";
import { type AcpState, type AcpTurn, elapsedMs, emit, ignore, type OpenRequest } from "./acp_state.ts";
import { closeBlock, closeBlocks, readableError } from "./acp_text.ts";
import { beginCost, takePromptUsage } from "./acp_usage.ts";
import { fieldAt, type Fields, fieldsOf, firstText, numberOf, rowOf, showValue, textOf } from "./fields.ts";

type TurnResult = "finished" | "limit_reached" | "rejected" | "cancelled" | "interrupted" | "error";

/** ACP StopReason. One that is not here ends the turn as finished and is named as the reason. */
const STOPS: Readonly<Record<string, { readonly result: TurnResult; readonly reason: string | null }>> = {
  end_turn: { result: "finished", reason: null },
  max_tokens: { result: "limit_reached", reason: "max_tokens" },
  max_turn_requests: { result: "limit_reached", reason: "max_turn_requests" },
  refusal: { result: "rejected", reason: "refusal" },
  cancelled: { result: "cancelled", reason: null },
};

/** Code of ACP "authentication required". */
const AUTH_REQUIRED = -32000;
/** Code of a request that was cancelled (`$/cancel_request`). */
const REQUEST_CANCELLED = -32800;

/** User messages that agents put into the history for the model, by how they begin. */
const INJECTED =
  /^\s*(?:<(?:session_context|environment_context|user_instructions|system-reminder|system_reminder|command-name|command-message|local-command-stdout|local-command-stderr|task-notification|permissions instructions)\b|Caveat: The messages below were generated)/;
/** Marks a replay has in place of the tool calls it leaves out (Gemini). */
const FUNCTION_MARKS = /^(?:\[Function Response: [^\]]*\]\s*)+$/;
const INTERRUPTED = /^\[Request interrupted by user[^\]]*\]\s*$/;

/** session/prompt: the person's message and the turn that answers it. While one runs it is a message into that turn. */
export function takePrompt(state: AcpState, request: OpenRequest): void {
  state.replaying = false;
  const { id, params } = request;
  const text = blocksText(params.prompt);
  const messageId = messageIdOf(state, request);
  if (state.turn !== null && !state.turn.isReplay) {
    state.turn.prompts.add(id);
    emit(state, "user_message", { message_id: messageId, text, kind: "steer" });
    return;
  }
  endTurn(state, { result: "finished" });
  beginTurn(state, { text, prompt: id, messageId });
  emit(state, "status", { status: "running" });
}

/** The answer to session/prompt: the turn is over only now. */
export function takePromptResult(state: AcpState, request: OpenRequest, result: Fields): void {
  if (!finishPrompt(state, request)) return;
  const turn = state.turn;
  takePromptUsage(state, result);
  const stop = textOf(result.stopReason) ?? "end_turn";
  const end = rowOf(STOPS, stop);
  if (turn !== null && turn.retries > 0 && stop === "end_turn") {
    emit(state, "notification", {
      level: "warn",
      source: state.agent.title,
      message: `No answer after ${turn.retries} ${
        turn.retries === 1 ? "retry" : "retries"
      }; the agent gave no reason`,
    });
  }
  const errorText = turn?.errorText ?? null;
  if (errorText !== null && stop === "end_turn") {
    endTurn(state, { result: "error", reason: "provider_error", message: readableError(errorText) });
  } else endTurn(state, end ?? { result: "finished", reason: stop });
}

/** The answer to _session/steering: taken into the running turn, or not. */
export function takeSteerResult(state: AcpState, request: OpenRequest, result: Fields): void {
  if (result.outcome !== "injected" || state.turn === null) return ignore(state, "message not steered");
  closeBlocks(state);
  emit(state, "user_message", {
    message_id: messageIdOf(state, request),
    text: blocksText(request.params.prompt),
    kind: "steer",
  });
}

/** An error in answer to session/prompt: the turn is over, and why is said once. */
export function takePromptError(state: AcpState, request: OpenRequest, error: Fields): void {
  if (!finishPrompt(state, request)) return;
  const message = errorMessage(error);
  const cancelled = error.code === REQUEST_CANCELLED ||
    (state.turn?.cancelAsked === true && /\b(?:abort|cancel)/i.test(message));
  if (cancelled) return endTurn(state, { result: "cancelled" });
  const code = tellError(state, error, messageIdOf(state, request));
  endTurn(state, { result: "error", reason: code, message });
}

/** Says an error of the agent; gives its code. A login that is missing says also how to log in. */
export function tellError(state: AcpState, error: Fields, messageId: string | null): string {
  const isAuth = error.code === AUTH_REQUIRED;
  if (isAuth) tellAuth(state);
  const code = isAuth ? "auth_required" : messageId === null ? "internal" : "provider_error";
  emit(state, "error", { code, message: errorMessage(error), message_id: messageId });
  return code;
}

/** session/cancel. Updates go on until the answer comes. */
export function takeCancel(state: AcpState): void {
  if (state.turn !== null) state.turn.cancelAsked = true;
  ignore(state, "session/cancel");
}

/** Begins the next step where the one before was told to be over. */
export function ensureStep(state: AcpState): void {
  const { turn } = state;
  if (turn === null || turn.stepOpen) return;
  turn.step++;
  turn.stepOpen = true;
  emit(state, "step_start", { turn: turn.number, step: turn.step, model: state.model });
}

/** user_message_chunk. Replayed ones open turns; live ones echo the prompt or come from elsewhere. */
export function takeUserChunk(state: AcpState, update: Fields, parent: string | null): void {
  const text = blockText(update.content);
  if (parent !== null) {
    closeBlock(state, parent);
    return emit(state, "user_message", { text, kind: "run", parent_id: parent });
  }
  if (state.turn !== null && !state.turn.isReplay) {
    if (state.turn.text.includes(text)) return ignore(state, "echo of the prompt");
    closeBlocks(state);
    return emit(state, "user_message", { message_id: textOf(update.messageId), text, kind: "steer" });
  }
  const messageId = textOf(update.messageId);
  const open = state.userText;
  const continues = open !== null &&
    (messageId !== null ? open.messageId === messageId : !isTextBlock(update.content));
  if (!continues) flushUserText(state);
  state.userText = continues
    ? { text: open.text + (isTextBlock(update.content) ? "" : "\n") + text, messageId: open.messageId }
    : { text, messageId };
  ignore(state, "merged into the replayed message");
}

/** Tells the replayed user message whose pieces were collected. */
export function flushUserText(state: AcpState): void {
  const told = state.userText;
  if (told === null) return;
  state.userText = null;
  if (FUNCTION_MARKS.test(told.text)) {
    closeBlocks(state);
    return ignore(state, "mark of a tool call left out by the replay");
  }
  if (INTERRUPTED.test(told.text)) return endTurn(state, { result: "cancelled" });
  if (INJECTED.test(told.text)) {
    closeBlocks(state);
    const message = `Context given to the model:\n${told.text.trim()}`;
    return emit(state, "notification", { level: "info", source: state.agent.title, message });
  }
  endTurn(state, { result: "finished" });
  beginTurn(state, { text: told.text, prompt: null, messageId: told.messageId });
}

/** The session is over, or another begins: what is open is closed, as interrupted unless it was only replayed. */
export function endSession(state: AcpState): void {
  const hasStray = hasStrayCall(state);
  const wasTurn = state.turn !== null;
  endTurn(state, { result: state.turn?.isReplay === false ? "interrupted" : "finished" });
  if (hasStray && !wasTurn) emit(state, "turn_end", { result: "interrupted" });
  state.cards.clear();
}

/** Ends the open turn, if any, and closes all that was open in it. */
export function endTurn(
  state: AcpState,
  end: { result: TurnResult; reason?: string | null; message?: string },
): void {
  const { turn } = state;
  closeBlocks(state);
  cancelQuestions(state);
  endCalls(state);
  if (turn === null) return;
  if (turn.stepOpen) {
    emit(state, "step_end", { turn: turn.number, step: turn.step });
  }
  emit(state, "turn_end", {
    turn: turn.number,
    result: end.result,
    reason: end.reason ?? null,
    message: end.message ?? null,
    requests: turn.countedSteps > 0 ? turn.countedSteps : null,
    elapsed_ms: turn.isReplay ? null : elapsedMs(state, turn.startMs),
  });
  state.turn = null;
  if (!turn.isReplay) emit(state, "status", { status: "idle" });
}

/** The client's own id of a message, or one made from the request's. */
function messageIdOf(state: AcpState, { id, params }: OpenRequest): string {
  return firstText(params.messageId, fieldAt(params, "_meta", "trifold.message_id")) ??
    `${state.options.idPrefix}prompt-${id}`;
}

function beginTurn(
  state: AcpState,
  from: { text: string; prompt: RpcId | null; messageId: string | null },
): void {
  const isReplay = from.prompt === null && state.replaying;
  const turn: AcpTurn = {
    number: ++state.turns,
    startMs: state.nowMs,
    isReplay,
    prompts: new Set(from.prompt === null ? [] : [from.prompt]),
    text: from.text,
    step: 0,
    stepOpen: false,
    countedSteps: 0,
    cancelAsked: false,
    retries: 0,
    errorText: null,
  };
  state.turn = turn;
  beginCost(state);
  emit(state, "user_message", { message_id: from.messageId, text: from.text, kind: "run" });
  emit(state, "turn_start", { turn: turn.number });
  ensureStep(state);
}

/** Takes one prompt's answer; false while others of the same turn still wait, or for one of no turn. */
function finishPrompt(state: AcpState, request: OpenRequest): boolean {
  const { turn } = state;
  if (turn === null || !turn.prompts.delete(request.id)) {
    ignore(state, "answer to a prompt of no open turn");
    return false;
  }
  if (turn.prompts.size === 0) return true;
  ignore(state, "answer to one of several prompts");
  return false;
}

/** An error's text for people: the message, and what the data adds to it. */
export function errorMessage(error: Fields): string {
  const message = readableError(firstText(error.message) ?? "unknown error");
  const data = fieldsOf(error.data);
  const detail = firstText(
    error.data,
    data.details,
    data.detail,
    data.message,
    data.error,
    fieldAt(data, "error", "message"),
  );
  const shown = detail === null ? "" : readableError(detail);
  const code = numberOf(error.code);
  const text = shown === "" || message.includes(shown) ? message : `${message}: ${shown}`;
  return code === null || message !== "unknown error" ? text : `${text} (${showValue(code)})`;
}
