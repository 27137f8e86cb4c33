// Actions that ask something of the agent or leave the program: submit's sending, Esc, Ctrl-C, Ctrl-D.

import type { ActionName } from "../input/actions.ts";
import { isEmptyDraft } from "../input/draft.ts";
import { clearDraft } from "./actions_message.ts";
import { escapePanel } from "./actions_panel.ts";
import type { Effect } from "./effect.ts";
import { panelWithKeys } from "./panels/shown_panel.ts";
import type { ActionHandler } from "./keys.ts";
import type { Method } from "../transcript/method.ts";
import { isBusy, showHint, type State } from "./state.ts";

/** How long a second press counts, in ms. */
const SECOND_PRESS_MS = 3000;
const LEAVE_RECORDING = "Ctrl-C again leaves";
const LEAVE_AGENT = "Ctrl-C again leaves, the agent goes on; Esc interrupts";

/** "leave" and the actions of the group "agent". */
export const AGENT_ACTIONS: Readonly<
  Record<Extract<ActionName, "leave" | "delete_or_shutdown">, ActionHandler>
> = {
  leave,
  delete_or_shutdown: shutDown,
};

/** One method as an effect. */
export function send(method: Method): Effect {
  return { kind: "send", method };
}

/** The first that applies: panel, completion, history, then interrupt. */
export function escape(state: State): readonly Effect[] {
  if (state.panel !== null || panelWithKeys(state) !== null) return escapePanel(state);
  if (state.focus === "history") {
    state.focus = "composer";
    return [];
  }
  if (state.options.recording) {
    const hasList = state.sessionList !== null && isEmptyDraft(state.composer.draft);
    return hasList ? [{ kind: "close_recording" }] : [];
  }
  // A login that is waited for can be given up.
  const isLoggingIn = state.transcript.status === "starting" && state.transcript.authMethods.length > 0;
  if (isLoggingIn || state.transcript.status === "paused") return [send({ method: "cancel", params: {} })];
  if (!isBusy(state)) return [];
  const pause = state.transcript.status === "running" && state.transcript.capabilities.includes("pause");
  return [send(pause ? { method: "pause", params: {} } : { method: "cancel", params: {} })];
}

/** Ctrl-C never touches the agent: it clears the draft and arms leaving; a second one within three seconds leaves. */
function leave(state: State): readonly Effect[] {
  if (state.nowMs < state.leaveUntilMs) return [{ kind: "quit", code: 0 }];
  state.leaveUntilMs = state.nowMs + SECOND_PRESS_MS;
  // In a search or a list the message is not in sight.
  if (state.panel === null || panelWithKeys(state) !== state.panel) clearDraft(state);
  showHint(state, state.options.recording ? LEAVE_RECORDING : LEAVE_AGENT);
  return [];
}

/** Takes back that a second Ctrl-C would leave, and the hint that says so. */
export function disarmLeaving(state: State): void {
  state.leaveUntilMs = 0;
  if (state.hint?.text === LEAVE_AGENT || state.hint?.text === LEAVE_RECORDING) state.hint = null;
}

/** Asks for the agent's end; while it runs a second press within three seconds must confirm. */
export function shutDown(state: State): readonly Effect[] {
  if (state.options.recording || state.transcript.status === "disconnected") {
    return [{ kind: "quit", code: 0 }];
  }
  const running = isBusy(state);
  if (running && state.nowMs >= state.shutdownUntilMs) {
    state.shutdownUntilMs = state.nowMs + SECOND_PRESS_MS;
    showHint(state, "A turn is running: Ctrl-D again shuts the agent down", "warn");
    return [];
  }
  state.shutdownUntilMs = 0;
  state.shutdownAsked = true;
  return [send({ method: "shutdown", params: {} })];
}
