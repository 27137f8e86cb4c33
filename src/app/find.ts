// Looking for a text in the transcript: blocks are looked through from the newest up, some at a time, so that keys are
// answered meanwhile; the view goes to a place as soon as it is known, and a block that hides it is unfolded.

import { composerAction, createComposer, typeKey } from "../input/composer.ts";
import { draftText } from "../input/draft.ts";
import { foundAsShown, foundInDetail, type FoundRow } from "../layout/find.ts";
import { firstIndex, indexOfBlock } from "../layout/layout.ts";
import { follow, followAtEnd, revealRow, visibleRows } from "../layout/viewport.ts";
import { createWanted } from "../text/find_text.ts";
import { type BlockId, isBlockRunning } from "../transcript/block.ts";
import type { FindPanel, FoundBlock } from "./panels/find_panel.ts";
import { regionsOf } from "./regions.ts";
import { applyLayoutSettings, showHint, type State } from "./state.ts";

/** Blocks looked through in one go: two milliseconds or so. */
export const BLOCKS_AT_ONCE = 50;

/** The search on the screen. */
export function shownFind(state: State): FindPanel | null {
  return state.panel?.kind === "find" ? state.panel : null;
}

/** Opens the search, or gives it the keys; with a text that is looked for, else with the one looked for last, selected. */
export function openFind(state: State, text = ""): void {
  state.focus = "composer";
  state.panelFocus = "auto";
  const open = shownFind(state);
  const rows = visibleRows(state.layout, state.viewport, regionsOf(state).transcript.height);
  const panel: FindPanel = open ?? {
    kind: "find",
    name: "find",
    shownMs: null,
    field: createComposer(),
    wanted: null,
    of: null,
    found: [],
    oldest: null,
    newest: null,
    growing: new Map(),
    isOver: true,
    current: null,
    goal: null,
    from: rows.at(-1)?.block.id ?? null,
    start: { ...state.viewport },
    unfolded: null,
    placedIn: null,
  };
  state.panel = panel;
  const typed = text !== "" ? text : open === null ? state.lastFound : "";
  if (typed !== "") {
    composerAction(panel.field, "kill_line_start", state.columns);
    typeKey(panel.field, { name: "paste", text: typed, ctrl: false, alt: false, shift: false });
    if (text === "") composerAction(panel.field, "select_line_start", state.columns);
  }
  refreshFind(state);
}

/** Looks for what is in the field now. */
export function refreshFind(state: State): void {
  const panel = shownFind(state);
  if (panel === null) return;
  const wanted = createWanted(draftText(panel.field.draft));
  if (wanted?.text === panel.wanted?.text) return;
  panel.wanted = wanted;
  state.lastFound = wanted?.text ?? "";
  panel.current = null;
  panel.goal = "first";
  begin(state, panel);
}

/** To the next place up or down, round at the ends. */
export function moveFind(state: State, goal: "older" | "newer"): void {
  if (shownFind(state) === null && state.lastFound !== "") {
    const { focus } = state;
    openFind(state);
    state.focus = focus;
    return;
  }
  const panel = shownFind(state);
  if (panel === null) return showHint(state, "Nothing was looked for yet: Ctrl-F");
  if (panel.wanted === null) return;
  takeNews(state, panel);
  panel.goal = panel.current === null ? "first" : goal;
  reachGoal(state, panel);
}

/** Looks on; to be called while `state.isLooking`. */
export function lookOn(state: State): void {
  const panel = shownFind(state);
  if (panel === null || panel.wanted === null) return;
  const { layout } = state;
  let index = panel.oldest === null ? layout.blocks.length : indexOfBlock(layout, panel.oldest);
  const isAnother = panel.oldest !== null && layout.blocks[index]?.id !== panel.oldest;
  if (panel.of !== state.transcript || isAnother) return begin(state, panel);
  for (let left = BLOCKS_AT_ONCE; left > 0 && index > firstIndex(layout); left--) {
    const block = layout.blocks[--index]!;
    const found = lookThrough(state, panel, index);
    if (found !== null) panel.found.push(found);
    panel.oldest = block.id;
    panel.newest ??= block.id;
  }
  panel.isOver = index <= firstIndex(layout);
  reachGoal(state, panel);
}

/** True while blocks are left to be looked through; older ones may still come. */
function isLooking(state: State): boolean {
  const panel = shownFind(state);
  if (panel === null || panel.wanted === null) return false;
  const { layout, transcript } = state;
  if (panel.of !== transcript || panel.oldest === null) return panel.of !== transcript || !panel.isOver;
  const index = indexOfBlock(layout, panel.oldest);
  return index > firstIndex(layout) || layout.blocks[index]?.id !== panel.oldest;
}

/** What of the search depends on the rest of the state, behind every input. */
export function syncFind(state: State): void {
  const panel = shownFind(state);
  state.isLooking = isLooking(state);
  if (panel === null || panel.placedIn === state.layout.settings) return;
  panel.placedIn = state.layout.settings;
  placeAgain(state, panel);
}

/** The place that the view went to stands elsewhere at another width or fold. */
function placeAgain(state: State, panel: FindPanel): void {
  const { current, wanted } = panel;
  if (current === null || wanted === null) return;
  const index = indexOfBlock(state.layout, current.id);
  const rows = state.layout.blocks[index]?.id === current.id ? foundAsShown(state.layout, index, wanted) : [];
  panel.current = { ...current, row: rows[current.at] ?? null };
}

function begin(state: State, panel: FindPanel): void {
  panel.of = state.transcript;
  panel.found = [];
  panel.oldest = null;
  panel.newest = null;
  panel.growing.clear();
  panel.isOver = panel.wanted === null;
  if (panel.wanted === null) backToStart(state, panel);
  else lookOn(state);
}

function lookThrough(state: State, panel: FindPanel, index: number): FoundBlock | null {
  const block = state.layout.blocks[index];
  if (block === undefined || panel.wanted === null) return null;
  if (isBlockRunning(block) || index === state.layout.blocks.length - 1) {
    panel.growing.set(block.id, block.version);
  }
  const count = foundInDetail(state.layout, index, panel.wanted).length;
  return count === 0 ? null : { id: block.id, count };
}

/** What came, and what went on, since the transcript was looked through. */
function takeNews(state: State, panel: FindPanel): void {
  const { layout } = state;
  if (panel.of !== state.transcript || panel.newest === null) return begin(state, panel);
  const changed = [...panel.growing].flatMap(([id, version]) => {
    const index = indexOfBlock(layout, id);
    const block = layout.blocks[index];
    return block?.id === id && block.version !== version ? [index] : [];
  });
  const news = layout.blocks.slice(indexOfBlock(layout, panel.newest + 1));
  const again = new Set([...changed, ...news.map((_, at) => layout.blocks.length - news.length + at)]);
  if (again.size === 0) return;
  const ids = new Set([...again].map((index) => layout.blocks[index]!.id));
  for (const id of ids) panel.growing.delete(id);
  const found = [...again].map((index) => lookThrough(state, panel, index)).filter((one) => one !== null);
  panel.found = [...panel.found.filter(({ id }) => !ids.has(id)), ...found].sort((a, b) => b.id - a.id);
  panel.newest = layout.blocks.at(-1)?.id ?? panel.newest;
}

/** Goes where the person wants to, if that is known. */
function reachGoal(state: State, panel: FindPanel): void {
  if (panel.goal === null) return;
  const { current } = panel;
  const place = panel.goal === "first" || current === null
    ? firstPlace(panel)
    : panel.goal === "older"
    ? olderPlace(panel, current)
    : newerPlace(panel, current);
  if (place === null) {
    if (!panel.isOver) return;
    panel.goal = null;
    if (panel.found.length === 0) backToStart(state, panel);
    return;
  }
  panel.goal = null;
  goTo(state, panel, place);
}

/** Where nothing is found the view is where it was before. */
function backToStart(state: State, panel: FindPanel): void {
  foldAgain(state, panel);
  if (panel.start.anchor === null) follow(state.layout, state.viewport);
  else Object.assign(state.viewport, panel.start);
}

/** Closes the search. The view stays where it is; at the end it follows again. */
export function closeFind(state: State): void {
  if (shownFind(state) === null) return;
  state.panel = null;
  followAtEnd(state.layout, state.viewport, regionsOf(state).transcript.height);
}

type Place = { readonly id: BlockId; readonly at: number };

/** The newest place at or above where the view ended; where there is none, the oldest below. */
function firstPlace({ found, from, isOver }: FindPanel): Place | null {
  const above = found.find(({ id }) => from === null || id <= from);
  if (above !== undefined) return { id: above.id, at: above.count - 1 };
  const below = isOver ? found.at(-1) : undefined;
  return below === undefined ? null : { id: below.id, at: 0 };
}

function olderPlace({ found, isOver }: FindPanel, current: Place): Place | null {
  if (current.at > 0) return { id: current.id, at: current.at - 1 };
  const next = found.find(({ id }) => id < current.id) ?? (isOver ? found[0] : undefined);
  return next === undefined ? null : { id: next.id, at: next.count - 1 };
}

function newerPlace({ found, isOver }: FindPanel, current: Place): Place | null {
  const own = found.find(({ id }) => id === current.id);
  if (own !== undefined && current.at < own.count - 1) return { id: own.id, at: current.at + 1 };
  const next = found.findLast(({ id }) => id > current.id) ?? (isOver ? found.at(-1) : undefined);
  return next === undefined ? null : { id: next.id, at: 0 };
}

/** Shows a place: unfolds its block where it is hidden, and scrolls no more than needed. */
function goTo(state: State, panel: FindPanel, { id, at }: Place): void {
  const { layout } = state;
  if (panel.wanted === null) return;
  if (panel.unfolded !== null && panel.unfolded.id !== id) foldAgain(state, panel);
  const index = indexOfBlock(layout, id);
  const all = foundInDetail(layout, index, panel.wanted);
  let rows: readonly FoundRow[] = foundAsShown(layout, index, panel.wanted);
  if (rows.length !== all.length) {
    panel.unfolded ??= { id, before: state.overrides.get(id) };
    state.overrides.set(id, "detail");
    applyLayoutSettings(state);
    rows = foundAsShown(layout, index, panel.wanted);
  }
  const row = rows[Math.min(at, rows.length - 1)];
  panel.current = row === undefined ? null : { id, at: Math.min(at, rows.length - 1), row };
  if (row !== undefined) {
    revealRow(layout, state.viewport, regionsOf(state).transcript.height, { index, ...row });
  }
}

/** A block that was unfolded for a place in it is as before. */
function foldAgain(state: State, panel: FindPanel): void {
  if (panel.unfolded === null) return;
  const { id, before } = panel.unfolded;
  panel.unfolded = null;
  if (state.overrides.get(id) !== "detail") return;
  if (before === undefined) state.overrides.delete(id);
  else state.overrides.set(id, before);
  applyLayoutSettings(state);
}
