// What a session of Codex has told so far. A rollout stores most things twice, for the model (response_item) and for
// the screen (event_msg): whichever comes first is told, the other is known by its text or its call's id.

import { firstText } from "./fields.ts";
import { ignore } from "./recorded_ignored.ts";
import { createTelling, greet, notify, tell, type Telling, tellTitle } from "./telling.ts";
import { tellResult } from "./telling_calls.ts";
import {
  beginStep,
  beginTurn,
  endTurn,
  expectEnd,
  leaveTurn,
  tellSteer,
  type TurnEnd,
} from "./telling_turn.ts";

/** The two stores of a rollout. */
export type View = "model" | "screen";

/** The state of one session. Written by the codex*.ts files only. */
export interface CodexState {
  readonly telling: Telling;
  version: string | null;
  scope: string | null;
  title: string | null;
  model: string | null;
  provider: string | null;
  /** A task was begun by a record of its own, and is not over. */
  inTask: boolean;
  /** The next output of the model is a new request. */
  needsStep: boolean;
  /** `exec --json` does not say where a request begins: a turn is then one step that stands for no request. */
  isExec: boolean;
  /** Where usage belongs that comes behind its turn. */
  lastPlace: { readonly turn: number; readonly step: number } | null;
  /** Texts told from one view whose twin in the other has not come. */
  readonly twins: Map<string, { view: View; count: number }>;
  /** A user message of the model's view, until the screen's tells it or something answers it. */
  held: { readonly text: string; readonly key: string } | null;
  /** Text of the newest message that was told. */
  lastUser: string | null;
  /** Tokens of the session when usage was told last. */
  countedTotal: number | null;
  /** Commands that still ran when the model went on, with their sessions. */
  readonly running: Map<string, string>;
  /** Calls whose result only said that they were aborted: their output may follow. */
  readonly aborted: Set<string>;
  users: number;
  items: number;
}

export function createCodexState(): CodexState {
  return {
    telling: createTelling("Codex"),
    version: null,
    scope: null,
    title: null,
    model: null,
    provider: null,
    inTask: false,
    needsStep: true,
    isExec: false,
    lastPlace: null,
    twins: new Map(),
    held: null,
    lastUser: null,
    countedTotal: null,
    running: new Map(),
    aborted: new Set(),
    users: 0,
    items: 0,
  };
}

/** Tells who recorded what and where, once. */
export function greetCodex(state: CodexState): void {
  const { telling, version, scope } = state;
  if (telling.greeted) return;
  telling.greeting.model ??= state.model;
  telling.greeting.provider ??= state.provider;
  greet(telling, { agent: version === null ? telling.agent : `${telling.agent} ${version}`, scope });
  if (state.title !== null) tellTitle(telling, state.title);
}

/** True when the other view told the same already; else it is noted. `text` may be any key. */
export function isTwin(state: CodexState, kind: string, view: View, text: string): boolean {
  const key = `${kind} ${text.trim()}`;
  const twin = state.twins.get(key);
  if (twin !== undefined && twin.view !== view) {
    if (--twin.count === 0) state.twins.delete(key);
    return true;
  }
  if (twin === undefined) state.twins.set(key, { view, count: 1 });
  else twin.count++;
  return false;
}

/** Output of the model comes: it belongs to a turn and a request. */
export function ensureRequest(state: CodexState): void {
  const { telling } = state;
  flushHeld(state);
  if (telling.turn !== null && telling.turn.stepOpen && (state.isExec || !state.needsStep)) return;
  state.needsStep = false;
  beginStep(telling, { provider: state.provider, model: state.model, isRequest: !state.isExec });
  state.lastPlace = telling.turn === null ? null : { turn: telling.turn.number, step: telling.turn.step };
}

/** A message of the person, as the screen's view tells it. `key` is its text without images. */
export function takeUserMessage(state: CodexState, text: string, key: string): void {
  const { telling } = state;
  if (state.held?.key === key) state.held = null;
  else flushHeld(state);
  state.lastUser = key;
  state.needsStep = true;
  const message = { text, messageId: `user-${++state.users}` };
  if (telling.turn !== null && state.inTask) return tellSteer(telling, message);
  dropRunning(state);
  state.twins.clear();
  beginTurn(telling, message);
}

/** A message of the person in the model's view: told only if the screen's never does (oldest versions). */
export function holdUserMessage(state: CodexState, text: string, key: string): void {
  if (state.lastUser === key) {
    state.lastUser = null;
    return ignore(state.telling, "message in the model's view");
  }
  flushHeld(state);
  state.held = { text, key };
  ignore(state.telling, "message in the model's view");
}

/** Tells a held message that nothing else told. */
export function flushHeld(state: CodexState): void {
  const { held } = state;
  if (held === null) return;
  state.held = null;
  takeUserMessage(state, held.text, held.key);
  state.lastUser = null;
}

/** Ends the open turn; false when there is none. */
export function closeTurn(state: CodexState, end: TurnEnd | null): boolean {
  const { telling } = state;
  flushHeld(state);
  dropRunning(state);
  state.inTask = false;
  state.needsStep = true;
  if (telling.turn === null) return false;
  if (end === null) leaveTurn(telling);
  else endTurn(telling, end);
  return true;
}

/** What the provider or the client said went wrong; the turn ends with it unless it goes on. */
export function takeError(state: CodexState, message: string): void {
  const { telling } = state;
  flushHeld(state);
  if (telling.turn?.end.message === message) return ignore(telling, "error told again");
  expectEnd(telling, { result: "error", reason: "provider_error", message });
  tell(telling, "error", { code: "provider_error", message });
}

/** A row about the session. */
export function note(state: CodexState, message: string | null, level: "info" | "warn" = "info"): void {
  if (firstText(message) === null) return ignore(state.telling, "notice without text");
  flushHeld(state);
  notify(state.telling, level, message ?? "");
}

/** Commands that go on in the background: their tool has answered. */
function dropRunning(state: CodexState): void {
  for (const [id, session] of state.running) {
    const call = state.telling.calls.get(id);
    if (call === undefined || call.isOver) continue;
    tellResult(state.telling, id, {
      output: null,
      isError: false,
      summary: `still running (session ${session})`,
    });
  }
  state.running.clear();
}
