// Where a draft's line wraps, kept in the line for as long as the width stays, and what stands where in its rows.
// Words move whole to the next row as everywhere (text/line_breaks.ts); unlike elsewhere no blank is dropped, so that
// every caret stop has a cell: one blank behind a full row takes none, further ones begin the next row.

import { cellWidth, cutToWidth, widthGeneration } from "../text/graphemes.ts";
import type { Role } from "../text/role.ts";
import { type DraftLine, pasteAt } from "./draft_text.ts";
import {
  breakKind,
  breaksBetween,
  isBlank,
  TAB_WIDTH,
  type UnitKind,
  unitText,
  walkUnits,
} from "./draft_units.ts";

/** The rows of one line. */
export interface LineLayout {
  readonly width: number;
  readonly generation: number;
  /** Where each row begins, in UTF-16 units of the line. */
  readonly starts: readonly number[];
  /** Cells of the label at a row's start that stand in the rows before; null when no label is cut. */
  readonly skips: readonly number[] | null;
  /** The last row has no cell left for a caret behind it. */
  readonly endsFull: boolean;
}

/** Sees what stands in a row: units `start` to `end`, first cell, shown text, cells, role. `false` stops the walk. */
export type CellsVisitor = (piece: RowPiece) => void | false;

/** One unit, or the part of a label, in a row. */
export interface RowPiece {
  readonly start: number;
  readonly end: number;
  readonly column: number;
  readonly width: number;
  readonly text: string;
  readonly role: Role;
  /** False for a label whose beginning stands in a row before: no caret stop. */
  readonly isStop: boolean;
}

type PieceSize = Pick<RowPiece, "start" | "end" | "width">;

/** The layout of a line for a width of at least 1; computed once for a line, width and state of the width tables. */
export function layoutOf(line: DraftLine, width: number): LineLayout {
  const known = line.layout as LineLayout | null;
  const generation = widthGeneration();
  if (known !== null && known.width === width && known.generation === generation) return known;
  const layout = line.pastes.length === 0 && ASCII_TEXT.test(line.text)
    ? layoutAscii(line.text, width, generation)
    : layoutUnits(line, width, generation);
  line.layout = layout;
  return layout;
}

/** The row of a line that holds the caret stop `column`, and the cell there; the row may be one behind the last. */
export function cellOf(line: DraftLine, layout: LineLayout, column: number): { row: number; cell: number } {
  const { starts, skips, width } = layout;
  let row = lastRowAt(starts, column);
  // A label cut over rows begins in the first of them.
  while (row > 0 && starts[row] === column && (skips?.[row] ?? 0) > 0) row--;
  let cell = 0;
  walkRow(line, layout, row, (piece) => {
    if (piece.start >= column) return false;
    cell = piece.column + piece.width;
  });
  // Behind a full row, before a blank that takes no cell too, the caret stands where the next sign will.
  return cell >= width ? { row: row + 1, cell: 0 } : { row, cell };
}

/** The caret stop of a row nearest to `cell` from the left; null when no stop stands in the row. */
export function stopAtCell(line: DraftLine, layout: LineLayout, row: number, cell: number): number | null {
  let stop: number | null = null;
  let behind = 0;
  walkRow(line, layout, row, (piece) => {
    behind = piece.column + piece.width;
    // What has no cell in this row is shown in the next one.
    if (piece.column >= layout.width || (stop !== null && piece.column > cell)) return false;
    if (piece.isStop) stop = piece.start;
  });
  const isLast = row === layout.starts.length - 1;
  const takesEnd = isLast && behind < layout.width && (behind <= cell || stop === null);
  return takesEnd ? line.text.length : stop;
}

/** Visits what stands in a row, from left to right. */
export function walkRow(line: DraftLine, layout: LineLayout, row: number, visit: CellsVisitor): void {
  const { starts, skips, width } = layout;
  const start = starts[row] ?? line.text.length;
  const skip = skips?.[row] ?? 0;
  const end = starts[row + 1] ?? line.text.length;
  const cutBehind = skips?.[row + 1] ?? 0;
  let column = 0;
  const put = (unit: PieceSize, text: string, role: Role, isStop: boolean) => {
    const piece = { ...unit, column, text, role, isStop };
    column += unit.width;
    return visit(piece);
  };
  // A row that ends inside a label holds that label's part too.
  const walkEnd = cutBehind > 0 ? end + 1 : end;
  walkUnits(line, { start, end: walkEnd }, (unitStart, unitEnd, cells, kind) => {
    const unit = { start: unitStart, end: unitEnd, width: 0 };
    if (kind === "label") {
      const label = pasteAt(line, unitStart)?.label ?? "";
      const from = unitStart === start ? skip : 0;
      const to = unitStart === end && cutBehind > 0 ? cutBehind : label.length;
      return put({ ...unit, width: to - from }, label.slice(from, to), "composer.placeholder", from === 0);
    }
    if (kind === "tab") {
      const blanks = tabCells(column, width);
      return put({ ...unit, width: blanks }, " ".repeat(blanks), "composer.text", true);
    }
    const shown = unitText(line.text.slice(unitStart, unitEnd), kind);
    // A sign wider than any row is shown as "?", a blank that does not fit takes what is left, behind a full row nothing.
    const left = Math.max(0, width - column);
    if (cells <= left) return put({ ...unit, width: cells }, shown.text, shown.role, true);
    if (kind === "token") return put({ ...unit, width: left }, cutAndPad(shown.text, left), shown.role, true);
    const text = cells > width && left > 0 ? "?" : " ".repeat(left);
    return put({ ...unit, width: text.length }, text, shown.role, true);
  });
}

// deno-lint-ignore no-control-regex
const ASCII_TEXT = /^[\x20-\x7e]*$/;
const BLANK = 0x20;

/** As `layoutUnits` where every sign is a cell: looks at the signs around each row's end only. */
function layoutAscii(text: string, width: number, generation: number): LineLayout {
  const starts = [0];
  for (let start = 0;;) {
    const full = start + width;
    if (full >= text.length) {
      return { width, generation, starts, skips: null, endsFull: full === text.length };
    }
    let next = full + 1;
    if (text.charCodeAt(full) !== BLANK) {
      next = full;
      while (next > start && text.charCodeAt(next - 1) !== BLANK) next--;
      if (next === start) next = full;
    } else if (next === text.length) {
      return { width, generation, starts, skips: null, endsFull: true };
    }
    starts.push(next);
    start = next;
  }
}

/** Greedy: a row ends at the last place it may before the first unit that does not fit. */
function layoutUnits(line: DraftLine, width: number, generation: number): LineLayout {
  const starts = [0];
  const skips = [0];
  let cells = 0;
  let kindBefore = 0;
  /** The last place this row may end at, and the cells before it; at its own start it has none. */
  let place = 0;
  let placeCells = 0;
  /** A blank hangs behind the full row: whatever comes begins the next one. */
  let hangs = false;
  const beginRow = (start: number, skip: number) => {
    starts.push(start);
    skips.push(skip);
    place = start;
    placeCells = 0;
  };
  walkUnits(line, { start: 0, end: line.text.length }, (start, end, unitCells, kind) => {
    if (hangs) {
      beginRow(start, 0);
      cells = 0;
      hangs = false;
    }
    const breaks = breakKind(line.text, start, kind);
    const isFirst = start === starts.at(-1);
    if (isBlank(breaks)) {
      if (cells >= width) {
        hangs = true;
      } else {
        cells = Math.min(width, cells + (kind === "tab" ? tabCells(cells, width) : unitCells));
      }
      place = end;
      placeCells = cells;
    } else {
      if (!isFirst && !isBlank(kindBefore) && breaksBetween(kindBefore, breaks)) {
        place = start;
        placeCells = cells;
      }
      const needed = Math.min(unitCells, width);
      if (
        cells + (kind === "label" ? unitCells : needed) > width && place > starts.at(-1)! && place <= start
      ) {
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
  });
  return {
    width,
    generation,
    starts,
    skips: skips.some((skip) => skip > 0) ? skips : null,
    endsFull: hangs || cells >= width,
  };
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

function cutAndPad(text: string, width: number): string {
  const cut = cutToWidth(text, width);
  return cut + " ".repeat(width - cellWidth(cut));
}

function tabCells(column: number, width: number): number {
  return Math.max(0, Math.min(TAB_WIDTH - column % TAB_WIDTH, width - column));
}

function lastRowAt(starts: readonly number[], column: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= column) low = middle;
    else high = middle - 1;
  }
  return low;
}
