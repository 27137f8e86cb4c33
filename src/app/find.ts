// Looking for a text in the transcript: opening and closing, what is asked for, and what the search is told of the rest
// of the state. Looking through blocks is find_blocks.ts, going to a place find_places.ts.

import { composerAction, createComposer, typeKey } from "../input/composer.ts";
import { draftText } from "../input/draft.ts";
import { firstIndex, indexOfBlock } from "../layout/layout.ts";
import { follow, followAtEnd, visibleRows } from "../layout/viewport.ts";
import { createWanted } from "../text/find_text.ts";
import type { Block, BlockId, Changes } from "../transcript/block.ts";
import { hasMore, lookOn } from "./find_blocks.ts";
import { placeAgain, reachGoal } from "./find_places.ts";
import type { FindPanel } from "./panels/find_panel.ts";
import { isSessionList } from "./panels/picker_panel.ts";
import { shownFind } from "./panels/shown_panel.ts";
import { regionsOf } from "./regions.ts";
import { showHint, type State } from "./state.ts";

/** Opens the search, or gives it the keys; with a text that is looked for, else with the one looked for last, selected. */
export function openFind(state: State, text = ""): void {
  // The list of sessions has a field of its own.
  if (isSessionList(state.panel)) return;
  const open = shownFind(state);
  const back = state.focus;
  state.focus = "composer";
  state.panelFocus = "auto";
  const panel: FindPanel = open ?? {
    kind: "find",
    name: "find",
    shownMs: null,
    field: createComposer(),
    back,
    wanted: null,
    of: null,
    drawnAs: "",
    found: [],
    oldest: null,
    newest: null,
    stale: new Set(),
    half: null,
    isCatchingUp: false,
    isOver: true,
    current: null,
    goal: null,
    ...viewNow(state),
    placedIn: null,
    places: null,
  };
  state.panel = panel;
  const typed = text !== "" ? text : open === null ? state.lastFound : "";
  if (typed === "") return;
  composerAction(panel.field, "kill_line_start", state.columns);
  typeKey(panel.field, { name: "paste", text: typed, ctrl: false, alt: false, shift: false });
  if (text === "") composerAction(panel.field, "select_line_start", state.columns);
  // What was looked for last is marked; the view goes where the person asks for it.
  askFor(state, panel, text === "" ? null : "first");
}

/** Looks for what is in the field now. */
export function refreshFind(state: State): void {
  const panel = shownFind(state);
  if (panel !== null) askFor(state, panel, "first");
}

/** To the next place up or down, round at the ends. */
export function moveFind(state: State, goal: "older" | "newer"): void {
  const open = shownFind(state);
  if (open === null && state.lastFound === "") return showHint(state, "Nothing was looked for yet: Ctrl-F");
  if (open === null) {
    const { focus } = state;
    openFind(state);
    state.focus = focus;
  }
  const panel = shownFind(state);
  if (panel === null || panel.wanted === null) return;
  panel.isCatchingUp = true;
  panel.goal = panel.current === null ? "first" : goal;
  lookOnAndGo(state);
}

/** Looks on, and goes where the person wants to as soon as that is known; to be called while `state.isLooking`. */
export function lookOnAndGo(state: State): void {
  const panel = shownFind(state);
  if (panel === null || panel.wanted === null) return;
  begin(state, panel);
  lookOn(state, panel);
  if (reachGoal(state, panel) === "nowhere") backToStart(state, panel);
}

/** Closes the search. The view stays where it is; at its end it follows again. */
export function closeFind(state: State): void {
  const panel = shownFind(state);
  if (panel === null) return;
  state.panel = null;
  state.openFind = null;
  state.panelFocus = "auto";
  followAtEnd(state.layout, state.viewport, regionsOf(state).transcript.height);
  if (panel.back === "history" && state.selected !== null) state.focus = "history";
}

/** What of the search depends on the rest of the state, behind every input. */
export function syncFind(state: State): void {
  const panel = shownFind(state);
  if (state.openFind !== null && state.openFind !== panel) {
    followAtEnd(state.layout, state.viewport, regionsOf(state).transcript.height);
  }
  state.openFind = panel;
  state.isLooking = panel !== null && panel.wanted !== null &&
    (isOutdated(state, panel) || hasMore(state, panel));
  if (panel === null || panel.placedIn === state.layout.settings) return;
  panel.placedIn = state.layout.settings;
  placeAgain(state, panel);
}

/** What changed in the transcript has to be looked through again. */
export function noteChanges(state: State, { touched }: Changes): void {
  const panel = shownFind(state);
  if (panel === null || panel.oldest === null) return;
  for (const { id } of touched) if (id >= panel.oldest && id <= (panel.newest ?? id)) panel.stale.add(id);
}

/** Another transcript has taken the place of the one looked through; `placeOf` knows its blocks there. */
export function moveFindTo(state: State, placeOf: (id: BlockId) => Block | null): void {
  const panel = shownFind(state);
  const moved = (block: Block | undefined) => block === undefined ? null : placeOf(block.id);
  const unfolded = moved(state.unfolded?.block);
  state.unfolded = unfolded === null || state.unfolded === null
    ? null
    : { ...state.unfolded, block: unfolded };
  if (panel === null) return;
  const current = moved(panel.current?.block);
  panel.current = current === null || panel.current === null ? null : { ...panel.current, block: current };
  const from = moved(panel.from?.block);
  const { anchor } = panel.start;
  const held = anchor === null ? null : placeOf(anchor.block);
  if (from === null || panel.from === null || anchor !== null && held === null) {
    Object.assign(panel, viewNow(state));
  } else {
    panel.from = { ...panel.from, block: from };
    const newest = state.transcript.blocks.at(-1);
    panel.start = anchor === null || held === null ? { anchor: null, leftAt: null } : {
      anchor: { ...anchor, block: held.id },
      leftAt: newest === undefined ? null : { block: newest.id, version: newest.version },
    };
  }
  panel.placedIn = null;
}

function askFor(state: State, panel: FindPanel, goal: FindPanel["goal"]): void {
  const wanted = createWanted(draftText(panel.field.draft));
  if (wanted?.text === panel.wanted?.text) return;
  panel.wanted = wanted;
  state.lastFound = wanted?.text ?? "";
  panel.current = null;
  panel.goal = goal;
  panel.drawnAs = "";
  if (wanted === null) backToStart(state, panel);
  else lookOnAndGo(state);
}

function isOutdated(state: State, panel: FindPanel): boolean {
  return panel.of !== state.transcript || panel.drawnAs !== drawnAs(state);
}

/** What places depend on beside the blocks themselves. */
function drawnAs({ layout }: State): string {
  return [layout.rebuilt, layout.generation, layout.libraries, layout.settings.clearedThrough].join();
}

/** Begins anew where what was found is not true any more. The place that the view went to is kept where it is still there. */
function begin(state: State, panel: FindPanel): void {
  if (!isOutdated(state, panel)) return;
  panel.of = state.transcript;
  panel.drawnAs = drawnAs(state);
  panel.found = [];
  panel.oldest = null;
  panel.newest = null;
  panel.stale.clear();
  panel.half = null;
  panel.isOver = false;
  if (!isThere(state, panel.current?.block)) panel.current = null;
  if (!isThere(state, state.unfolded?.block)) state.unfolded = null;
  if (!isThere(state, panel.from?.block)) Object.assign(panel, viewNow(state));
}

function isThere({ layout }: State, block: Block | undefined): boolean {
  if (block === undefined) return false;
  const index = indexOfBlock(layout, block.id);
  return index >= firstIndex(layout) && layout.blocks[index] === block;
}

/** Where nothing is found the view is where it was before. */
function backToStart(state: State, panel: FindPanel): void {
  if (panel.start.anchor === null) follow(state.layout, state.viewport);
  else Object.assign(state.viewport, panel.start);
}

function viewNow(state: State): Pick<FindPanel, "from" | "start"> {
  const last = visibleRows(state.layout, state.viewport, regionsOf(state).transcript.height).at(-1);
  return {
    from: last === undefined ? null : { block: last.block, segment: last.segment, row: last.row },
    start: { ...state.viewport },
  };
}
