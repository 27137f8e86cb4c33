// Places between rows: steps up and down over blocks, their segments and the blank row between two blocks. A step
// lays out only the blocks it passes.

import type { BlockId } from "../transcript/block.ts";
import { rowOfSource, rowSource, segmentRows } from "./block_lines.ts";
import { firstIndex, indexOfBlock, type Layout, rowsOf } from "./layout.ts";

/** A row: block by index, segment of the block (-1: the blank row above it), row of the segment. */
export interface Position {
  readonly index: number;
  readonly segment: number;
  readonly row: number;
}

/** What scrolling holds on to: it outlives resizes, fold modes and growth above. Segment -1 is the blank row above the block. */
export interface Anchor {
  readonly block: BlockId;
  readonly segment: number;
  /** Number of the unwrapped line in the segment. */
  readonly source: number;
  /** Graphemes of that line before the row. */
  readonly offset: number;
}

/** A step's end, and how many rows it really went. */
export interface Step {
  readonly position: Position;
  readonly moved: number;
}

/** The first row; null when nothing shows. */
export function firstPosition(layout: Layout): Position | null {
  return nextSegment(layout, { index: firstIndex(layout) - 1, segment: Infinity, row: 0 });
}

/** The last row; null when nothing shows. */
export function lastPosition(layout: Layout): Position | null {
  return previousSegment(layout, { index: layout.blocks.length, segment: -1, row: 0 });
}

/** `rows` further down, or as far as there is. */
export function stepDown(layout: Layout, from: Position, rows: number): Step {
  let position = from;
  let left = rows;
  while (left > 0) {
    const below = rowsIn(layout, position) - 1 - position.row;
    if (left <= below) return { position: { ...position, row: position.row + left }, moved: rows };
    const next = nextSegment(layout, position);
    if (next === null) {
      return {
        position: { ...position, row: position.row + Math.max(0, below) },
        moved: rows - left + Math.max(0, below),
      };
    }
    left -= below + 1;
    position = next;
  }
  return { position, moved: rows };
}

/** `rows` further up, or as far as there is. */
export function stepUp(layout: Layout, from: Position, rows: number): Step {
  let position = from;
  let left = rows;
  while (left > 0) {
    if (left <= position.row) return { position: { ...position, row: position.row - left }, moved: rows };
    const previous = previousSegment(layout, position);
    if (previous === null) return { position: { ...position, row: 0 }, moved: rows - left + position.row };
    left -= position.row + 1;
    position = previous;
  }
  return { position, moved: rows };
}

/** The first row of a block's own content, without the blank row above it; null when the block shows nothing. */
export function blockStart(layout: Layout, index: number): Position | null {
  const { segments } = rowsOf(layout, index);
  const segment = segments.findIndex((candidate) => segmentRows(candidate) > 0);
  return segment === -1 ? null : { index, segment, row: 0 };
}

/** What holds on to a row. */
export function anchorOf(layout: Layout, position: Position): Anchor {
  const block = layout.blocks[position.index]?.id ?? 0;
  const segment = position.segment < 0
    ? undefined
    : rowsOf(layout, position.index).segments[position.segment];
  if (segment === undefined) return { block, segment: -1, source: 0, offset: 0 };
  return { block, segment: position.segment, ...rowSource(segment, position.row) };
}

/** The row an anchor holds on to now; the nearest when its text is folded away; null when nothing shows. */
export function positionOf(layout: Layout, anchor: Anchor): Position | null {
  const index = Math.max(firstIndex(layout), indexOfBlock(layout, anchor.block));
  if (index >= layout.blocks.length) return lastPosition(layout);
  if (layout.blocks[index]?.id !== anchor.block || rowsOf(layout, index).segments.length === 0) {
    return nextSegment(layout, { index: index - 1, segment: Infinity, row: 0 }) ?? lastPosition(layout);
  }
  const { segments } = rowsOf(layout, index);
  if (anchor.segment < 0) {
    return hasGap(layout, index) ? { index, segment: -1, row: 0 } : blockStart(layout, index);
  }
  const segment = Math.min(anchor.segment, segments.length - 1);
  const found = segments[segment];
  if (found === undefined) return blockStart(layout, index);
  const row = anchor.segment > segment
    ? segmentRows(found) - 1
    : rowOfSource(found, anchor.source, anchor.offset);
  return { index, segment, row: Math.max(0, row) };
}

/** True when a blank row stands above the block. */
export function hasGap(layout: Layout, index: number): boolean {
  return index > firstIndex(layout) && layout.settings.fold !== "overview" &&
    rowsOf(layout, index).segments.length > 0;
}

function rowsIn(layout: Layout, position: Position): number {
  if (position.segment < 0) return 1;
  const segment = rowsOf(layout, position.index).segments[position.segment];
  return segment === undefined ? 0 : segmentRows(segment);
}

function nextSegment(layout: Layout, from: Position): Position | null {
  if (from.index >= 0 && from.index < layout.blocks.length && from.segment !== Infinity) {
    const { segments } = rowsOf(layout, from.index);
    for (let segment = from.segment + 1; segment < segments.length; segment++) {
      const found = segments[segment];
      if (found !== undefined && segmentRows(found) > 0) return { index: from.index, segment, row: 0 };
    }
  }
  for (let index = from.index + 1; index < layout.blocks.length; index++) {
    const start = blockStart(layout, index);
    if (start !== null) return hasGap(layout, index) ? { index, segment: -1, row: 0 } : start;
  }
  return null;
}

function previousSegment(layout: Layout, from: Position): Position | null {
  if (from.segment >= 0 && from.index < layout.blocks.length) {
    const { segments } = rowsOf(layout, from.index);
    for (let segment = Math.min(from.segment, segments.length) - 1; segment >= 0; segment--) {
      const rows = segments[segment] === undefined ? 0 : segmentRows(segments[segment]!);
      if (rows > 0) return { index: from.index, segment, row: rows - 1 };
    }
    if (hasGap(layout, from.index)) return { index: from.index, segment: -1, row: 0 };
  }
  for (let index = from.index - 1; index >= firstIndex(layout); index--) {
    const { segments } = rowsOf(layout, index);
    for (let segment = segments.length - 1; segment >= 0; segment--) {
      const rows = segmentRows(segments[segment]!);
      if (rows > 0) return { index, segment, row: rows - 1 };
    }
  }
  return null;
}
