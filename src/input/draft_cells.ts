// What stands where in one row of a draft's line: for drawing it, and for the caret's way between cells and stops.
// Where rows begin is draft_layout.ts.

import { cellWidth, cutToWidth } from "../text/graphemes.ts";
import type { Role } from "../text/role.ts";
import { lastRowAt, type LineLayout, tabCells } from "./draft_layout.ts";
import { type DraftLine, pasteAt } from "./draft_text.ts";
import { unitText, walkUnits } from "./draft_units.ts";

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

function cutAndPad(text: string, width: number): string {
  const cut = cutToWidth(text, width);
  return cut + " ".repeat(width - cellWidth(cut));
}
