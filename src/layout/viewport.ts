// Which rows of the transcript are in view: following the newest row, or held at an anchor. Only scrolling rewrites
// the anchor; while not following, blocks in view keep the look they had.

import { type Block, type BlockId, isBlockRunning } from "../transcript/block.ts";
import type { Line } from "../text/line.ts";
import { segmentLine, segmentRows } from "./block_lines.ts";
import { blockMark, type Mark } from "./gutter.ts";
import { firstIndex, forgetHeight, heightOf, indexOfBlock, type Layout, rowsOf } from "./layout.ts";
import {
  type Anchor,
  anchorOf,
  blockStart,
  firstPosition,
  lastPosition,
  type Position,
  positionOf,
  stepDown,
  stepUp,
} from "./position.ts";

/** Where the reader is. */
export interface Viewport {
  /** Null while following. */
  anchor: Anchor | null;
  /** The newest block, and its version, when following stopped: what is newer is "new below". */
  leftAt: { readonly block: BlockId; readonly version: number } | null;
}

/** One row of the transcript on the screen; a blank row between blocks has no line. */
export interface VisibleRow {
  readonly block: Block;
  readonly line: Line | null;
  /** On a block's first row. */
  readonly mark: Mark | null;
  /** Which row of the block; -1 for the blank row above it. */
  readonly segment: number;
  readonly row: number;
}

/** A viewport that follows. */
export function createViewport(): Viewport {
  return { anchor: null, leftAt: null };
}

/** True while the newest row is held in view. */
export function isFollowing(viewport: Viewport): boolean {
  return viewport.anchor === null;
}

/** The rows in view, at most `height`; lays out only the blocks they belong to. */
export function visibleRows(layout: Layout, viewport: Viewport, height: number): readonly VisibleRow[] {
  const rows: VisibleRow[] = [];
  let position = height <= 0 ? null : topPosition(layout, viewport, height);
  while (position !== null && rows.length < height) {
    const block = layout.blocks[position.index];
    if (block === undefined) break;
    if (position.segment < 0) {
      rows.push({ block, line: null, mark: null, segment: -1, row: 0 });
    } else {
      const segment = rowsOf(layout, position.index).segments[position.segment];
      if (segment === undefined) break;
      const end = Math.min(segmentRows(segment), position.row + height - rows.length);
      const isStart = position.row === 0 && isFirstSegment(layout, position);
      for (let row = position.row; row < end; row++) {
        const mark = row === 0 && isStart ? blockMark(block) : null;
        rows.push({ block, line: segmentLine(segment, row), mark, segment: position.segment, row });
      }
      position = { ...position, row: Math.max(position.row, end - 1) };
    }
    const step: { position: Position; moved: number } = stepDown(layout, position, 1);
    position = step.moved === 0 ? null : step.position;
  }
  if (viewport.anchor !== null) hold(layout, rows);
  return rows;
}

/** Moves by rows, negative up. Reaching the last row going down follows again. */
export function scrollRows(layout: Layout, viewport: Viewport, height: number, rows: number): void {
  const top = topPosition(layout, viewport, height);
  if (top === null || rows === 0) return;
  if (rows < 0) {
    const step = stepUp(layout, top, -rows);
    if (step.moved > 0) holdAt(layout, viewport, height, step.position);
    return;
  }
  if (viewport.anchor === null) return;
  moveDownTo(layout, viewport, height, stepDown(layout, top, rows).position);
}

/** To the very first row. */
export function scrollToStart(layout: Layout, viewport: Viewport, height: number): void {
  const first = firstPosition(layout);
  const top = topPosition(layout, viewport, height);
  if (first === null || top === null || comparePositions(first, top) === 0) return;
  holdAt(layout, viewport, height, first);
}

/** To the newest row; follows again. */
export function follow(layout: Layout, viewport: Viewport): void {
  viewport.anchor = null;
  viewport.leftAt = null;
  for (const id of layout.held.keys()) forgetHeight(layout, id);
  layout.held.clear();
}

/** Previous (-1) or next (1) turn's header to the top. From inside a turn its own header comes first; past the last one it follows. Returns the header's block. */
export function scrollToTurn(
  layout: Layout,
  viewport: Viewport,
  height: number,
  direction: -1 | 1,
): Block | null {
  const top = topPosition(layout, viewport, height);
  if (top === null || fits(layout, height)) return null;
  const from = viewport.anchor === null ? lastPosition(layout) ?? top : top;
  const onHeader = layout.blocks[from.index]?.kind === "turn_header" && (from.segment < 0 || from.row === 0);
  let index = from.index;
  if (direction < 0) {
    if (onHeader) index--;
    while (index >= firstIndex(layout) && layout.blocks[index]?.kind !== "turn_header") index--;
    if (index < firstIndex(layout)) {
      scrollToStart(layout, viewport, height);
      return layout.blocks[0] ?? null;
    }
  } else {
    if (viewport.anchor === null) return null;
    index += from.segment < 0 && onHeader ? 0 : 1;
    while (index < layout.blocks.length && layout.blocks[index]?.kind !== "turn_header") index++;
    if (index >= layout.blocks.length) {
      follow(layout, viewport);
      return layout.blocks.at(-1) ?? null;
    }
  }
  const start = blockStart(layout, index);
  if (start !== null) holdAt(layout, viewport, height, start);
  return layout.blocks[index] ?? null;
}

/** Scrolls as little as needed so that the block's first row is in view. */
export function revealBlock(layout: Layout, viewport: Viewport, height: number, id: BlockId): void {
  const start = blockStart(layout, indexOfBlock(layout, id));
  const top = topPosition(layout, viewport, height);
  if (start === null || top === null || height <= 0) return;
  if (comparePositions(start, top) < 0) {
    holdAt(layout, viewport, height, start);
    return;
  }
  const bottom = stepDown(layout, top, height - 1).position;
  if (comparePositions(start, bottom) <= 0) return;
  moveDownTo(
    layout,
    viewport,
    height,
    stepUp(layout, start, Math.max(0, height - Math.min(height, rowsOfBlock(layout, start.index)))).position,
  );
}

/** Scrolls so that a row is in view, a third from the top, if it is not there already; the view then stays there. */
export function revealRow(layout: Layout, viewport: Viewport, height: number, position: Position): void {
  const at = topPosition(layout, viewport, height);
  const last = lastPosition(layout);
  if (at === null || last === null || height <= 0) return;
  const lowest = stepUp(layout, last, height - 1).position;
  const top = comparePositions(at, lowest) < 0 ? at : lowest;
  const bottom = stepDown(layout, top, height - 1).position;
  const isInView = comparePositions(top, position) <= 0 && comparePositions(position, bottom) <= 0;
  const wanted = isInView ? top : stepUp(layout, position, Math.floor(height / 3)).position;
  holdAt(layout, viewport, height, comparePositions(wanted, lowest) < 0 ? wanted : lowest);
}

/** Follows again where the last row is in view. */
export function followAtEnd(layout: Layout, viewport: Viewport, height: number): void {
  const top = viewport.anchor === null ? null : topPosition(layout, viewport, height);
  if (top !== null && stepDown(layout, top, height).moved < height) follow(layout, viewport);
}

/** True when the block's last row stands below the view. */
export function endsBelow(layout: Layout, viewport: Viewport, height: number, id: BlockId): boolean {
  const index = indexOfBlock(layout, id);
  const top = topPosition(layout, viewport, height);
  if (top === null || height <= 0) return false;
  const bottom = stepDown(layout, top, height - 1).position;
  if (bottom.index !== index) return bottom.index < index;
  const { segments } = rowsOf(layout, index);
  const last = segments.length - 1;
  const segment = segments[last];
  return segment !== undefined && (bottom.segment < last || bottom.row < segmentRows(segment) - 1);
}

/** Blocks that came after following stopped; the newest of then counts when it grew. 0 while following. */
export function newBelow(layout: Layout, viewport: Viewport): number {
  if (viewport.leftAt === null) return 0;
  const index = indexOfBlock(layout, viewport.leftAt.block);
  const last = layout.blocks[index];
  if (last === undefined) return 0;
  const grew = last.id === viewport.leftAt.block && last.version !== viewport.leftAt.version ? 1 : 0;
  return layout.blocks.length - 1 - index + grew;
}

/** The row at the top of the view; null when nothing shows. */
export function topPosition(layout: Layout, viewport: Viewport, height: number): Position | null {
  if (viewport.anchor !== null) return positionOf(layout, viewport.anchor);
  const last = lastPosition(layout);
  return last === null ? null : stepUp(layout, last, Math.max(0, height - 1)).position;
}

/** Row number of the top row and rows in all, exact: measures every block. */
export function rowTotals(
  layout: Layout,
  viewport: Viewport,
  height: number,
): { readonly top: number; readonly total: number } {
  const position = topPosition(layout, viewport, height);
  let total = 0;
  let top = 0;
  const first = firstIndex(layout);
  for (let index = first; index < layout.blocks.length; index++) {
    const rows = heightOf(layout, index);
    const gap = rows > 0 && index > first && layout.settings.fold !== "overview" ? 1 : 0;
    if (position !== null && index === position.index) top = total + rowInBlock(layout, position, gap);
    total += rows + gap;
  }
  return { top, total };
}

function rowInBlock(layout: Layout, position: Position, gap: number): number {
  if (position.segment < 0) return 0;
  let row = gap + position.row;
  const { segments } = rowsOf(layout, position.index);
  for (let segment = 0; segment < position.segment; segment++) row += segmentRows(segments[segment]!);
  return row;
}

function rowsOfBlock(layout: Layout, index: number): number {
  let rows = 0;
  for (const segment of rowsOf(layout, index).segments) rows += segmentRows(segment);
  return rows;
}

function isFirstSegment(layout: Layout, position: Position): boolean {
  const { segments } = rowsOf(layout, position.index);
  for (let segment = 0; segment < position.segment; segment++) {
    if (segmentRows(segments[segment]!) > 0) return false;
  }
  return true;
}

/** Stops following (or moves the anchor) and lets go of the looks of blocks that left the view. */
function holdAt(layout: Layout, viewport: Viewport, height: number, position: Position): void {
  if (viewport.anchor === null) {
    const newest = layout.blocks.at(-1);
    viewport.leftAt = newest === undefined ? null : { block: newest.id, version: newest.version };
    // What was in view when the reader left keeps the look it had there.
    for (const row of visibleRows(layout, viewport, height)) holdBlock(layout, row.block);
  }
  viewport.anchor = anchorOf(layout, position);
  const inView = new Set(visibleRows(layout, viewport, height).map((row) => row.block.id));
  for (const id of layout.held.keys()) {
    if (inView.has(id)) continue;
    layout.held.delete(id);
    forgetHeight(layout, id);
  }
}

function moveDownTo(layout: Layout, viewport: Viewport, height: number, position: Position): void {
  if (stepDown(layout, position, height).moved < height) follow(layout, viewport);
  else holdAt(layout, viewport, height, position);
}

function hold(layout: Layout, rows: readonly VisibleRow[]): void {
  for (const row of rows) holdBlock(layout, row.block);
}

function holdBlock(layout: Layout, block: Block): void {
  if (layout.held.has(block.id)) return;
  layout.held.set(block.id, { running: isBlockRunning(block), whole: block.id === layout.newestAnswer });
}

/** True when the whole transcript fits the view: then nothing scrolls. Looks at no more than a view's rows. */
function fits(layout: Layout, height: number): boolean {
  const first = firstPosition(layout);
  return first === null || stepDown(layout, first, height).moved < height;
}

function comparePositions(a: Position, b: Position): number {
  return a.index - b.index || a.segment - b.segment || a.row - b.row;
}
