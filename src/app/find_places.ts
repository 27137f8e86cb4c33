// Going to a place that the open search has found: which one, and how it comes into view. A block whose fold hides the
// place is unfolded, and folded again when the search goes to another.

import { foundAsShown, foundInDetail, type FoundRow } from "../layout/find.ts";
import { indexOfBlock, rowsOf } from "../layout/layout.ts";
import { revealRow } from "../layout/viewport.ts";
import type { Wanted } from "../text/find_text.ts";
import type { BlockId } from "../transcript/block.ts";
import { hasNews } from "./find_blocks.ts";
import type { FindPanel } from "./panels/find_panel.ts";
import { regionsOf } from "./regions.ts";
import { applyLayoutSettings, type State } from "./state.ts";

interface Place {
  readonly id: BlockId;
  readonly at: number;
}

/** Goes where the person wants to, if that is known; "nowhere": nothing is found at all. */
export function reachGoal(state: State, panel: FindPanel): "nowhere" | null {
  const { goal, current } = panel;
  if (goal === null || goal !== "older" && panel.isCatchingUp && hasNews(state, panel)) return null;
  const place = goal === "first" || current === null
    ? firstPlace(state, panel)
    : goal === "older"
    ? olderPlace(panel, { id: current.block.id, at: current.at })
    : newerPlace(panel, { id: current.block.id, at: current.at });
  if (place === null && !panel.isOver) return null;
  panel.goal = null;
  if (place !== null) goTo(state, panel, place);
  if (place !== null || panel.found.length > 0) return null;
  foldAgain(state);
  return "nowhere";
}

/** The place that the view went to stands elsewhere at another width or fold; it may be hidden. */
export function placeAgain(state: State, panel: FindPanel): void {
  const { current, wanted } = panel;
  if (current === null || wanted === null) return;
  const index = indexOfBlock(state.layout, current.block.id);
  const isThere = state.layout.blocks[index] === current.block;
  const rows = isThere ? foundAsShown(state.layout, index, wanted) : [];
  const all = panel.found.find(({ id }) => id === current.block.id)?.count;
  const isWhole = all === undefined || all === rows.length;
  panel.current = { ...current, row: isWhole ? rows[current.at] ?? null : null };
}

/** The newest place at or above where the view ended; where there is none, the oldest below. */
function firstPlace(state: State, { found, from, isOver, wanted }: FindPanel): Place | null {
  const above = found.findIndex(({ id }) => from === null || id <= from.block.id);
  const entry = found[above];
  if (entry === undefined || wanted === null) {
    const below = isOver ? found.at(-1) : undefined;
    return below === undefined ? null : { id: below.id, at: 0 };
  }
  if (from === null || entry.id !== from.block.id) return { id: entry.id, at: entry.count - 1 };
  const rows = foundAsShown(state.layout, indexOfBlock(state.layout, entry.id), wanted);
  if (rows.length !== entry.count) return { id: entry.id, at: entry.count - 1 };
  const at = rows.findLastIndex(({ segment, row }) =>
    segment < from.segment || segment === from.segment && row <= from.row
  );
  if (at !== -1) return { id: entry.id, at };
  const next = found[above + 1];
  if (next !== undefined) return { id: next.id, at: next.count - 1 };
  return isOver ? { id: entry.id, at: 0 } : null;
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
  const index = indexOfBlock(layout, id);
  const block = layout.blocks[index];
  if (panel.wanted === null || block === undefined || block.id !== id) return;
  if (state.unfolded !== null && state.unfolded.block !== block) foldAgain(state);
  const { places, wanted } = panel;
  const isKnown = places?.drawn === rowsOf(layout, index) && places.wanted === wanted;
  const rows = isKnown ? places.rows : openRows(state, wanted, index);
  panel.places = { drawn: rowsOf(layout, index), wanted, rows };
  const there = Math.min(at, rows.length - 1);
  const row = rows[there];
  panel.current = row === undefined ? null : { block, at: there, row };
  if (row === undefined) return;
  state.selected = id;
  revealRow(layout, state.viewport, regionsOf(state).transcript.height, { index, ...row });
}

/** All places of a block, which is unfolded where it hides any of them. */
function openRows(state: State, wanted: Wanted, index: number): readonly FoundRow[] {
  const { layout } = state;
  const block = layout.blocks[index]!;
  const rows = foundAsShown(layout, index, wanted);
  if (isSame(rows, foundInDetail(layout, index, wanted))) return rows;
  state.unfolded ??= { block, before: state.overrides.get(block.id) };
  state.overrides.set(block.id, "detail");
  applyLayoutSettings(state);
  return foundAsShown(layout, index, wanted);
}

/** The same places in the same words: what a fold says of what it hides is another. */
function isSame(shown: readonly FoundRow[], all: readonly FoundRow[]): boolean {
  return shown.length === all.length && shown.every(({ text }, at) => text === all[at]!.text);
}

/** A block that was unfolded for a place in it is as before. */
function foldAgain(state: State): void {
  if (state.unfolded === null) return;
  const { block: { id }, before } = state.unfolded;
  state.unfolded = null;
  if (state.overrides.get(id) !== "detail") return;
  if (before === undefined) state.overrides.delete(id);
  else state.overrides.set(id, before);
  applyLayoutSettings(state);
}
