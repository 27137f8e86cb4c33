// Actions that change how the transcript is looked at: scrolling, turns, fold modes, selection, redraw, help.

import type { ActionName, ACTIONS } from "../input/actions.ts";
import { indexOfBlock } from "../layout/layout.ts";
import { blockStart } from "../layout/position.ts";
import {
  endsBelow,
  follow,
  isFollowing,
  revealBlock,
  scrollRows,
  scrollToStart,
  scrollToTurn,
  visibleRows,
} from "../layout/viewport.ts";
import type { FoldMode } from "../transcript/block.ts";
import { escape } from "./actions_agent.ts";
import { scrollPanelPage } from "./actions_panel.ts";
import { copySelected } from "./copy.ts";
import { closeFind, moveFind, openFind } from "./find.ts";
import { helpPanel } from "./help.ts";
import type { ActionHandler } from "./keys.ts";
import { isSessionList } from "./panels/picker_panel.ts";
import { panelWithKeys, shownPanel } from "./panels/shown_panel.ts";
import { regionsOf } from "./regions.ts";
import { applyLayoutSettings, showHint, type State } from "./state.ts";

type ViewAction = {
  [Name in ActionName]: typeof ACTIONS[Name]["group"] extends "view" | "places" ? Name : never;
}[ActionName];

const NEXT_FOLD: Readonly<Record<FoldMode, FoldMode>> = {
  normal: "detail",
  detail: "overview",
  overview: "normal",
};

/** The actions of the groups "view" and "places". */
export const VIEW_ACTIONS: Readonly<Record<Exclude<ViewAction, "leave">, ActionHandler>> = {
  scroll_up: (state) => scroll(state, -1),
  scroll_down: (state) => scroll(state, 1),
  page_up: (state) => scrollPage(state, -1, 1),
  page_down: (state) => scrollPage(state, 1, 1),
  half_page_up: (state) => scrollPage(state, -1, 0.5),
  half_page_down: (state) => scrollPage(state, 1, 0.5),
  previous_turn: (state) => jumpTurn(state, -1),
  next_turn: (state) => jumpTurn(state, 1),
  to_start: (state) => {
    scrollToStart(state.layout, state.viewport, height(state));
    selectInView(state, "first");
  },
  to_end: (state) => {
    follow(state.layout, state.viewport);
    selectInView(state, "last");
  },
  fold_next: (state) => setFold(state, NEXT_FOLD[state.fold]),
  fold_overview: (state) => setFold(state, "overview"),
  fold_normal: (state) => setFold(state, "normal"),
  fold_detail: (state) => setFold(state, "detail"),
  fold_block: (state) => foldSelected(state),
  copy_block: copySelected,
  toggle_reasoning: (state) => {
    state.showReasoning = !state.showReasoning;
    applyLayoutSettings(state);
    showHint(state, state.showReasoning ? "Reasoning is shown" : "Reasoning is hidden");
  },
  toggle_plan: (state) => {
    state.showPlan = !state.showPlan;
    if (state.transcript.plan.length === 0) showHint(state, "There is no plan yet");
    else showHint(state, state.showPlan ? "The plan is shown" : "The plan is hidden");
  },
  find: (state) => openFind(state),
  find_older: (state) => moveFind(state, "older"),
  find_newer: (state) => moveFind(state, "newer"),
  redraw: () => [{ kind: "redraw" }],
  help: (state) => {
    closeFind(state);
    state.panelFocus = "auto";
    // The list of sessions comes back when help is closed.
    if (isSessionList(state.panel)) state.listBelow = state.panel;
    state.panel = state.panel?.name === "help" ? state.listBelow : helpPanel(state);
    if (state.panel?.name !== "help") state.listBelow = null;
  },
  switch_place: (state) => {
    if (state.focus === "history") {
      state.focus = "composer";
      // The places go round: message, panel, message, history, and to the panel again.
      state.panelFocus = shownPanel(state)?.kind === "question" ? "entered" : "auto";
    } else if (
      shownPanel(state)?.kind === "question" && state.panelFocus !== "left" && panelWithKeys(state) === null
    ) state.panelFocus = "entered";
    else enterHistory(state);
  },
  to_composer: (state) => {
    closeFind(state);
    state.focus = "composer";
  },
  select_previous: (state) => moveSelection(state, -1),
  select_next: (state) => moveSelection(state, 1),
  escape,
  suspend: () => [{ kind: "suspend" }],
};

/** Moves the view by rows; an open panel of text takes page keys first. */
export function scroll(state: State, rows: number): void {
  scrollRows(state.layout, state.viewport, height(state), rows);
  keepSelectionInView(state);
}

/** Sets the global fold mode and forgets the folds of single blocks. */
export function setFold(state: State, fold: FoldMode): void {
  state.fold = fold;
  state.overrides.clear();
  state.unfolded = null;
  applyLayoutSettings(state);
}

function height(state: State): number {
  return regionsOf(state).transcript.height;
}

function scrollPage(state: State, direction: -1 | 1, share: number): void {
  if (shownPanel(state) !== null && (state.panel !== null || panelWithKeys(state) !== null)) {
    scrollPanelPage(state, direction);
    return;
  }
  const rows = share === 1 ? height(state) - 1 : Math.floor(height(state) / 2);
  scroll(state, direction * Math.max(1, rows));
}

function jumpTurn(state: State, direction: -1 | 1): void {
  const block = scrollToTurn(state.layout, state.viewport, height(state), direction);
  if (state.focus === "history" && block !== null) state.selected = block.id;
}

function enterHistory(state: State): void {
  state.focus = "history";
  const rows = visibleRows(state.layout, state.viewport, height(state));
  const stillThere = rows.some((row) => row.block.id === state.selected);
  if (!stillThere) state.selected = rows.at(isFollowing(state.viewport) ? -1 : 0)?.block.id ?? null;
  if (state.selected === null) {
    state.focus = "composer";
    showHint(state, "There is nothing to select yet");
  }
}

/** A block taller than the view is scrolled through first; then the selection goes on to the next block that shows. */
function moveSelection(state: State, direction: -1 | 1): void {
  if (state.selected === null) return enterHistory(state);
  const rows = height(state);
  if (direction === 1 && endsBelow(state.layout, state.viewport, rows, state.selected)) {
    return void scroll(state, 1);
  }
  const { blocks } = state.transcript;
  for (let index = indexOfBlock(state.layout, state.selected) + direction;; index += direction) {
    const block = blocks[index];
    if (block === undefined) break;
    if (blockStart(state.layout, index) === null) continue;
    state.selected = block.id;
    break;
  }
  revealBlock(state.layout, state.viewport, rows, state.selected);
}

function foldSelected(state: State): void {
  if (state.selected === null) return;
  // What the person folds stays so.
  if (state.unfolded?.block.id === state.selected) state.unfolded = null;
  const shown = state.overrides.get(state.selected);
  if (shown !== undefined) state.overrides.delete(state.selected);
  else state.overrides.set(state.selected, state.fold === "detail" ? "normal" : "detail");
  applyLayoutSettings(state);
  revealBlock(state.layout, state.viewport, height(state), state.selected);
}

function selectInView(state: State, which: "first" | "last"): void {
  if (state.focus !== "history") return;
  const rows = visibleRows(state.layout, state.viewport, height(state));
  state.selected = rows.at(which === "first" ? 0 : -1)?.block.id ?? state.selected;
}

/** A view scrolled away from the selected block takes the selection along. */
function keepSelectionInView(state: State): void {
  if (state.focus !== "history") return;
  const rows = visibleRows(state.layout, state.viewport, height(state));
  if (rows.length === 0 || rows.some((row) => row.block.id === state.selected)) return;
  const first = rows[0]?.block.id ?? 0;
  state.selected = (state.selected ?? 0) < first ? first : rows.at(-1)?.block.id ?? first;
}
