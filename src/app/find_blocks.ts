// Looking through the transcript's blocks for the open search: from the newest up, some at a time, so that keys are
// answered meanwhile; a block that is long is looked through in several goes.

import type { Segment } from "../layout/block_lines.ts";
import { foundInSegment } from "../layout/find.ts";
import { detailSegments, firstIndex, indexOfBlock } from "../layout/layout.ts";
import type { Block, BlockId } from "../transcript/block.ts";
import type { FindPanel, FoundBlock, HalfLooked } from "./panels/find_panel.ts";
import type { State } from "./state.ts";

/** Work of one go, in blocks of usual size: two milliseconds or so. */
export const WORK_AT_ONCE = 50;
/** Text (UTF-16 units) that costs as much as a usual block: of a block to be laid out, of output, of an answer. */
const TEXT_LAID_OUT = 20_000;
const OUTPUT_LOOKED_AT = 8000;
const ANSWER_LOOKED_AT = 500;

/** Looks through as many blocks as one go has room for. */
export function lookOn(state: State, panel: FindPanel): void {
  if (panel.wanted === null) return;
  let left = WORK_AT_ONCE;
  while (left > 0) {
    const half = panel.half ?? nextBlock(state, panel);
    if (half === null) break;
    panel.half = half;
    left -= lookThrough(panel, half, left);
  }
  panel.isOver = olderIndex(state, panel) < firstIndex(state.layout) && panel.half === null;
  if (!hasNews(state, panel) && panel.half === null) panel.isCatchingUp = false;
}

/** True while blocks are left to be looked through; older ones may still come. */
export function hasMore(state: State, panel: FindPanel): boolean {
  return panel.half !== null || olderIndex(state, panel) >= firstIndex(state.layout) ||
    panel.isCatchingUp && hasNews(state, panel);
}

/** True where something has changed or come since the blocks were looked through. */
export function hasNews(state: State, panel: FindPanel): boolean {
  return panel.stale.size > 0 || newerIndex(state, panel) < state.layout.blocks.length;
}

/** The block to be looked through now: what is new first, when the person moves on. Its cost is half of it. */
function nextBlock(state: State, panel: FindPanel): HalfLooked | null {
  const { layout } = state;
  if (panel.isCatchingUp) {
    for (const id of panel.stale) {
      panel.stale.delete(id);
      const index = indexOfBlock(layout, id);
      if (layout.blocks[index]?.id === id) return begun(state, index);
    }
    const newer = newerIndex(state, panel);
    if (newer < layout.blocks.length) {
      panel.newest = layout.blocks[newer]!.id;
      return begun(state, newer);
    }
  }
  const older = olderIndex(state, panel);
  if (older < firstIndex(layout)) return null;
  panel.oldest = layout.blocks[older]!.id;
  panel.newest ??= panel.oldest;
  return begun(state, older);
}

function begun({ layout }: State, index: number): HalfLooked {
  const block = layout.blocks[index]!;
  return { block, version: block.version, segments: detailSegments(layout, index), at: 0, count: 0 };
}

/** Looks through a block's segments as far as there is room; returns what it cost. */
function lookThrough(panel: FindPanel, half: HalfLooked, room: number): number {
  const from = half.at;
  let cost = from === 0 ? 1 + textLength(half.block) / TEXT_LAID_OUT : 0;
  for (; half.at < half.segments.length && (cost <= room || half.at === from); half.at++) {
    const segment = half.segments[half.at]!;
    half.count += foundInSegment(segment, panel.wanted!, half.version).length;
    cost += costOf(segment, half);
  }
  if (half.at < half.segments.length) return cost;
  panel.half = null;
  setFound(panel, { id: half.block.id, count: half.count });
  return cost;
}

function costOf(segment: Segment, { block, segments }: HalfLooked): number {
  switch (segment.kind) {
    case "lines":
      return segment.lines.length / 200;
    case "chunk":
      return segment.text.length / OUTPUT_LOOKED_AT;
    case "group":
      return textLength(block) / segments.length / ANSWER_LOOKED_AT;
  }
}

function textLength(block: Block): number {
  switch (block.kind) {
    case "tool_call":
      return block.calls.reduce((sum, call) => sum + (call.output?.length ?? 0) + call.args.length, 0);
    case "assistant_text":
    case "reasoning":
    case "user_message":
      return block.text.length;
    default:
      return 0;
  }
}

/** What is known of a block takes the place of what was known. */
function setFound(panel: FindPanel, entry: FoundBlock): void {
  const at = placeIn(panel.found, entry.id);
  const isKnown = panel.found[at]?.id === entry.id;
  if (entry.count > 0) panel.found.splice(at, isKnown ? 1 : 0, entry);
  else if (isKnown) panel.found.splice(at, 1);
}

/** Where a block stands, or would stand, in a list that begins with the newest. */
function placeIn(found: readonly FoundBlock[], id: BlockId): number {
  let low = 0;
  let high = found.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (found[middle]!.id > id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the newest block that has not been looked through from the newest up. */
function olderIndex({ layout }: State, { oldest }: FindPanel): number {
  return (oldest === null ? layout.blocks.length : indexOfBlock(layout, oldest)) - 1;
}

/** The index of the oldest block that is newer than those looked through. */
function newerIndex({ layout }: State, { newest }: FindPanel): number {
  return newest === null ? layout.blocks.length : indexOfBlock(layout, newest + 1);
}
