// Actions of a panel that has the keys. Panels of text scroll; there is nothing in them to choose.

import type { ActionName, ACTIONS } from "../input/actions.ts";
import type { ActionHandler } from "./keys.ts";
import { regionsOf } from "./regions.ts";
import type { State } from "./state.ts";

type PanelAction = {
  [Name in ActionName]: typeof ACTIONS[Name]["group"] extends "panel" ? Name : never;
}[ActionName];

/** The actions of the group "panel". */
export const PANEL_ACTIONS: Readonly<Record<PanelAction, ActionHandler>> = {
  panel_up: (state) => scrollPanel(state, -1),
  panel_down: (state) => scrollPanel(state, 1),
  panel_page_up: (state) => scrollPanelPage(state, -1),
  panel_page_down: (state) => scrollPanelPage(state, 1),
  panel_mark: () => {},
  panel_check: () => {},
  panel_answer: () => {},
  panel_free_text: () => {},
  panel_leave: (state) => {
    state.focus = "composer";
  },
};

/** Scrolls an open panel by rows. */
export function scrollPanel(state: State, rows: number): void {
  if (state.panel !== null) state.panel.scroll = Math.max(0, state.panel.scroll + rows);
}

/** Scrolls an open panel by what is seen of it. */
export function scrollPanelPage(state: State, direction: -1 | 1): void {
  scrollPanel(state, direction * Math.max(1, regionsOf(state).panel.height - 2));
}
