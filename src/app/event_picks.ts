// Pickers that open by what happens and not by a key: the ways to log in, and the list of sessions.

import { oneLine } from "./one_line.ts";
import {
  createPicker,
  isSessionList,
  type PickerItem,
  type PickerPanel,
  setPickerItems,
} from "./panels/picker_panel.ts";
import { restartRecording } from "./reading.ts";
import type { State } from "./state.ts";

/** Puts a picker on the screen. */
export function openPicker(state: State, picker: PickerPanel): void {
  state.panel = picker;
  state.panelFocus = "auto";
}

/** Opens the ways to log in that an agent that wants it has told; a key is never asked for here. */
export function pickLogin(state: State): void {
  const items = state.transcript.authMethods.map((method): PickerItem => ({
    id: method.id,
    label: oneLine(method.label === "" ? method.id : method.label),
    detail: [oneLine(method.description ?? ""), method.terminal === null ? "" : "in the terminal"]
      .filter((part) => part !== "").join("  "),
    isCurrent: false,
  }));
  if (items.length === 0) return;
  openPicker(state, createPicker("The agent wants you to log in", { kind: "login" }, items, state.nowMs));
}

/** A session is there: no login is wanted any more, whoever has done it. */
export function leaveLogin(state: State): void {
  if (state.panel?.kind !== "picker" || state.panel.purpose.kind !== "login") return;
  state.panel = null;
  state.panelFocus = "auto";
}

/** The list of sessions, opened or brought up to date; the mark stays on what it was on. */
export function showSessionItems(
  state: State,
  { items, isEnd }: { readonly items: readonly PickerItem[]; readonly isEnd: boolean },
): void {
  const title = isEnd ? "Sessions" : "Sessions (still looking)";
  const list = isSessionList(state.panel) ? state.panel : state.listBelow;
  if (list !== null) return setPickerItems(list, title, items);
  openPicker(state, createPicker(title, { kind: "session" }, items));
}

/** What was picked is about to be shown; the list waits. */
export function openSession(state: State): void {
  const { panel } = state;
  if (isSessionList(panel)) state.sessionList = { panel, isWhole: state.loaded };
  state.panel = null;
  state.loaded = false;
}

/** Back to the list, as it was left; nothing stays of what was read. */
export function closeSession(state: State): void {
  if (state.sessionList === null) return;
  restartRecording(state);
  state.panel = state.sessionList.panel;
  state.loaded = state.sessionList.isWhole;
  state.sessionList = null;
  state.focus = "composer";
  state.panelFocus = "auto";
  state.hint = null;
}
