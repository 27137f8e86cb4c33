// Turns and steps of a recorded session. Records seldom say that a turn is over: what its last answer said is kept
// and holds when the next message comes, or the file ends.

import { greet, ignore, notify, tell, type Telling } from "./telling.ts";
import { dropOpenCalls } from "./telling_calls.ts";

/** How a turn ended. */
export interface TurnEnd {
  readonly result: "finished" | "cancelled" | "interrupted" | "limit_reached" | "error" | "rejected";
  readonly reason?: string | null;
  readonly message?: string | null;
}

/** The turn that is being answered. */
export interface ToldTurn {
  readonly number: number;
  readonly startMs: number | null;
  step: number;
  stepOpen: boolean;
  /** Steps that stood for a request to the model. */
  requests: number;
  /** How it ends if nothing more is said in it. */
  end: TurnEnd;
  /** Failed requests since the last answer. */
  retries: number;
}

/** Tokens of one request under our names: input holds what was read from and written to the cache. */
export interface Tokens {
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead?: number | null;
  readonly cacheWrite?: number | null;
  readonly reasoning?: number | null;
  readonly costUsd?: number | null;
}

/** The end of a turn that nothing ended: the file stops in it, or another message came. */
const LEFT: TurnEnd = { result: "interrupted" };

/** A message of the person and the turn that answers it. The turn before is left as its last answer left it. */
export function beginTurn(
  telling: Telling,
  message: { readonly text: string; readonly messageId: string | null } | null,
): void {
  leaveTurn(telling);
  if (message !== null) {
    tell(telling, "user_message", { message_id: message.messageId, text: message.text, kind: "run" });
  }
  telling.turn = {
    number: ++telling.turns,
    startMs: telling.timeMs,
    step: 0,
    stepOpen: false,
    requests: 0,
    end: LEFT,
    retries: 0,
  };
  tell(telling, "turn_start", { turn: telling.turns });
}

/** The open turn; one is begun where records go on without a message. */
export function ensureTurn(telling: Telling): ToldTurn {
  if (telling.turn === null) beginTurn(telling, null);
  return telling.turn as ToldTurn;
}

/** A message into the running turn. */
export function tellSteer(
  telling: Telling,
  message: { readonly text: string; readonly messageId: string | null },
): void {
  ensureTurn(telling);
  tell(telling, "user_message", { message_id: message.messageId, text: message.text, kind: "steer" });
}

/** A request to the model begins. */
export function beginStep(
  telling: Telling,
  from: { readonly provider?: string | null; readonly model: string | null; readonly isRequest?: boolean },
): void {
  const turn = ensureTurn(telling);
  endStep(telling, null);
  turn.step++;
  turn.stepOpen = true;
  if (from.isRequest !== false) turn.requests++;
  turn.end = LEFT;
  telling.model = from.model ?? telling.model;
  tell(telling, "step_start", {
    turn: turn.number,
    step: turn.step,
    provider: from.provider ?? null,
    model: telling.model,
  });
}

/** The open step of a turn, begun if there is none. */
export function ensureStep(telling: Telling, model: string | null = null): void {
  if (telling.turn === null || !telling.turn.stepOpen) beginStep(telling, { model });
}

/** Ends the open step, if any. */
export function endStep(telling: Telling, stopReason: string | null): void {
  const { turn } = telling;
  if (turn === null || !turn.stepOpen) return;
  turn.stepOpen = false;
  tell(telling, "step_end", { turn: turn.number, step: turn.step, stop_reason: stopReason });
}

/**
 * Usage of a step of the open turn (its present one when `step` is not given) and the context it shows. A second
 * one for the same step replaces the first. Nothing but nulls and zeros says nothing.
 */
export function tellUsage(
  telling: Telling,
  tokens: Tokens,
  at: { readonly turn?: number; readonly step?: number; readonly isContext?: boolean } = {},
): void {
  const { turn } = telling;
  const place = at.turn !== undefined && at.step !== undefined
    ? { turn: at.turn, step: at.step }
    : turn === null
    ? null
    : { turn: turn.number, step: at.step ?? turn.step };
  if (place === null || ((tokens.input ?? 0) === 0 && (tokens.output ?? 0) === 0)) {
    return ignore(telling, "usage of nothing");
  }
  tell(telling, "usage", {
    ...place,
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    cache_read_input_tokens: tokens.cacheRead ?? null,
    cache_write_input_tokens: tokens.cacheWrite ?? null,
    reasoning_tokens: tokens.reasoning ?? null,
    cost_usd: tokens.costUsd ?? null,
  });
  if (at.isContext === false) return;
  tell(telling, "context", {
    used_tokens: (tokens.input ?? 0) + (tokens.output ?? 0),
    window_tokens: telling.greeting.contextWindow,
    estimated: true,
  });
}

/** Says how the turn ends if nothing more comes. */
export function expectEnd(telling: Telling, end: TurnEnd): void {
  if (telling.turn !== null) telling.turn.end = end;
}

/** A failed request is tried again. */
export function tellRetry(
  telling: Telling,
  retry: { attempt?: number | null; max?: number | null; waitMs?: number | null; error: string | null },
): void {
  const turn = ensureTurn(telling);
  turn.retries++;
  tell(telling, "retry", {
    attempt: retry.attempt ?? turn.retries,
    max_attempts: retry.max ?? null,
    wait_ms: retry.waitMs ?? null,
    error: retry.error,
  });
}

/** Ends the open turn, if any; what is open in it is closed by the event. */
export function endTurn(telling: Telling, end: TurnEnd): void {
  const { turn } = telling;
  if (turn === null) return;
  endStep(telling, null);
  const elapsed = turn.startMs === null || telling.timeMs === null ? null : telling.timeMs - turn.startMs;
  tell(telling, "turn_end", {
    turn: turn.number,
    result: end.result,
    reason: end.reason ?? null,
    message: end.message ?? null,
    requests: turn.requests === 0 ? null : turn.requests,
    elapsed_ms: elapsed === null || elapsed < 0 ? null : elapsed,
  });
  telling.turn = null;
  dropOpenCalls(telling);
}

/** Ends the open turn as its last answer said. */
export function leaveTurn(telling: Telling): void {
  if (telling.turn !== null) endTurn(telling, telling.turn.end);
}

/** The recording is over: what it left open is closed, calls of no turn too. */
export function endSession(telling: Telling): void {
  greet(telling);
  leaveTurn(telling);
  if (telling.open.size === 0) return;
  tell(telling, "turn_end", { result: "interrupted" });
  dropOpenCalls(telling);
}

/** An error of the provider, which ends the turn unless it is tried again. */
export function tellFailure(telling: Telling, message: string): void {
  if (telling.turn === null) return notify(telling, "error", message);
  expectEnd(telling, { result: "error", reason: "provider_error", message });
}
