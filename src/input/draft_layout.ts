// Where a draft's line wraps, kept in the line for as long as the width stays.
// Words move whole to the next row as everywhere (text/line_breaks.ts); unlike elsewhere no blank is dropped, so that
// every caret stop has a cell: one blank behind a full row takes none, further ones begin the next row. A line that was
// changed keeps the rows before the change, and those behind it from where they are the same again.

import { widthGeneration } from "../text/graphemes.ts";
import type { DraftLine } from "./draft_text.ts";
import { breakKind, breaksBetween, isBlank, TAB_WIDTH, walkUnits } from "./draft_units.ts";

/** The rows of one line. */
export interface LineLayout {
  readonly kind: "layout";
  readonly width: number;
  readonly generation: number;
  /** Where each row begins, in UTF-16 units of the line. */
  readonly starts: readonly number[];
  /** Cells of the label at a row's start that stand in the rows before; null when no label is cut. */
  readonly skips: readonly number[] | null;
  /** The last row has no cell left for a caret behind it. */
  readonly endsFull: boolean;
}

/** What changed in a line: what was up to `oldEnd` is now up to `newEnd`, both from `start` on. */
export interface LineEdit {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** Kept in a line that has no layout yet: the layout of the line it came from, and what changed since. */
interface FormerLayout {
  readonly kind: "former";
  readonly layout: LineLayout;
  readonly edit: LineEdit;
}

/** The layout of a line for a width of at least 1; computed once for a line, width and state of the width tables. */
export function layoutOf(line: DraftLine, width: number): LineLayout {
  const known = line.layout as LineLayout | FormerLayout | null;
  const generation = widthGeneration();
  const fits = (layout: LineLayout) => layout.width === width && layout.generation === generation;
  if (known?.kind === "layout" && fits(known)) return known;
  const former = known?.kind === "former" && fits(known.layout) ? known : null;
  const layout = line.pastes.length === 0 && ASCII_TEXT.test(line.text)
    ? layoutAscii(line.text, width, generation)
    : layoutUnits(line, { width, generation }, former);
  line.layout = layout;
  return layout;
}

/** Lets `line` use what is known of the line it was made from. */
export function inheritLayout(line: DraftLine, from: DraftLine, edit: LineEdit): void {
  const known = from.layout as LineLayout | FormerLayout | null;
  if (known === null || line.layout !== null) return;
  const former: FormerLayout = known.kind === "layout"
    ? { kind: "former", layout: known, edit }
    : { kind: "former", layout: known.layout, edit: joinEdits(known.edit, edit) };
  line.layout = former;
}

/** The last row that begins at or before `column`. */
export function lastRowAt(starts: readonly number[], column: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= column) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The cells of a tab at `column` of a row. */
export function tabCells(column: number, width: number): number {
  return Math.max(0, Math.min(TAB_WIDTH - column % TAB_WIDTH, width - column));
}

/** Two edits, one after the other, as one. */
function joinEdits(first: LineEdit, second: LineEdit): LineEdit {
  const end = Math.max(first.newEnd, second.oldEnd);
  return {
    start: Math.min(first.start, second.start),
    oldEnd: end - first.newEnd + first.oldEnd,
    newEnd: end - second.oldEnd + second.newEnd,
  };
}

const ASCII_TEXT = /^[\x20-\x7e]*$/;
const BLANK = 0x20;

/** As `layoutUnits` where every sign is a cell: looks at the signs around each row's end only. */
function layoutAscii(text: string, width: number, generation: number): LineLayout {
  const starts = [0];
  for (let start = 0;;) {
    const full = start + width;
    if (full >= text.length) {
      return { kind: "layout", width, generation, starts, skips: null, endsFull: full === text.length };
    }
    let next = full + 1;
    if (text.charCodeAt(full) !== BLANK) {
      next = full;
      while (next > start && text.charCodeAt(next - 1) !== BLANK) next--;
      if (next === start) next = full;
    } else if (next === text.length) {
      return { kind: "layout", width, generation, starts, skips: null, endsFull: true };
    }
    starts.push(next);
    start = next;
  }
}

/** A change can move the break before its row, and through the sign that did not fit there one more before. */
const ROWS_BEFORE_EDIT = 3;

/** Greedy: a row ends at the last place it may before the first unit that does not fit. */
function layoutUnits(
  line: DraftLine,
  size: { readonly width: number; readonly generation: number },
  former: FormerLayout | null,
): LineLayout {
  const { width } = size;
  const { starts, skips } = rowsBefore(former);
  let cells = 0;
  let kindBefore = 0;
  /** The last place this row may end at, and the cells before it; at its own start it has none. */
  let place = starts.at(-1)!;
  let placeCells = 0;
  /** A blank hangs behind the full row: whatever comes begins the next one. */
  let hangs = false;
  /** The row of the former layout that is the same as the row just begun, as are all behind it. */
  let sameFrom = -1;
  const beginRow = (start: number, skip: number) => {
    if (sameFrom >= 0) return;
    starts.push(start);
    skips.push(skip);
    place = start;
    placeCells = 0;
    if (skip === 0 && former !== null) sameFrom = sameRow(former, start);
  };
  walkUnits(line, { start: place, end: line.text.length }, (start, end, unitCells, kind) => {
    if (hangs) {
      beginRow(start, 0);
      cells = 0;
      hangs = false;
    }
    const breaks = breakKind(line.text, start, kind);
    if (isBlank(breaks)) {
      if (cells >= width) hangs = true;
      else cells = Math.min(width, cells + (kind === "tab" ? tabCells(cells, width) : unitCells));
      place = end;
      placeCells = cells;
    } else {
      const isFirst = start === starts.at(-1);
      if (!isFirst && !isBlank(kindBefore) && breaksBetween(kindBefore, breaks)) {
        place = start;
        placeCells = cells;
      }
      // A label is cut over rows, any other unit takes at most a row.
      const needed = kind === "label" ? unitCells : Math.min(unitCells, width);
      if (cells + needed > width && place > starts.at(-1)!) {
        cells -= placeCells;
        beginRow(place, 0);
      }
      if (kind === "label" && cells + unitCells > width) {
        cells = layoutLabel({ start, cells: unitCells, width }, cells, beginRow);
      } else {
        if (cells + needed > width) {
          beginRow(start, 0);
          cells = 0;
        }
        cells += needed;
      }
    }
    kindBefore = breaks;
    return sameFrom < 0 ? undefined : false;
  });
  let endsFull = hangs || cells >= width;
  if (former !== null && sameFrom >= 0) {
    const { layout, edit } = former;
    const shift = edit.newEnd - edit.oldEnd;
    for (let row = sameFrom + 1; row < layout.starts.length; row++) {
      starts.push(layout.starts[row]! + shift);
      skips.push(layout.skips?.[row] ?? 0);
    }
    endsFull = layout.endsFull;
  }
  const isCut = skips.some((skip) => skip > 0);
  return { kind: "layout", ...size, starts, skips: isCut ? skips : null, endsFull };
}

/** The rows of a former layout that a change leaves as they are; the last one begins where to go on. */
function rowsBefore(former: FormerLayout | null): { starts: number[]; skips: number[] } {
  if (former === null) return { starts: [0], skips: [0] };
  const { layout, edit } = former;
  const labelStart = (row: number) => {
    let first = row;
    while (first > 0 && (layout.skips?.[first] ?? 0) > 0) first--;
    return first;
  };
  const edited = labelStart(lastRowAt(layout.starts, edit.start));
  const row = labelStart(Math.max(0, edited - ROWS_BEFORE_EDIT));
  const starts = layout.starts.slice(0, row + 1);
  return { starts, skips: starts.map((_, index) => layout.skips?.[index] ?? 0) };
}

/** The row of the former layout that begins with the same text as one that begins at `start` now; -1 when none does. */
function sameRow(former: FormerLayout, start: number): number {
  const { layout, edit } = former;
  if (start < edit.newEnd) return -1;
  const before = start - edit.newEnd + edit.oldEnd;
  const row = lastRowAt(layout.starts, before);
  return layout.starts[row] === before && (layout.skips?.[row] ?? 0) === 0 ? row : -1;
}

/** A label longer than what is left of the row, which is all of it when the label is the row's first: cut by cells. */
function layoutLabel(
  label: { start: number; cells: number; width: number },
  cellsBefore: number,
  beginRow: (start: number, skip: number) => void,
): number {
  let cells = cellsBefore;
  if (cells >= label.width || (cells > 0 && label.cells <= label.width)) {
    beginRow(label.start, 0);
    cells = 0;
  }
  let shown = 0;
  while (cells + label.cells - shown > label.width) {
    shown += label.width - cells;
    beginRow(label.start, shown);
    cells = 0;
  }
  return cells + label.cells - shown;
}
