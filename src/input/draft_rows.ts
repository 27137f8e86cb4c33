// A draft as rows of a screen, and the caret's way up and down over them.
// The caret's row stays in the middle while the draft is taller than its room, so the same draft and size always
// give the same rows. Marks in front of the rows are the screen's business.

import { type Line, line as styledLine, type Span } from "../text/line.ts";
import type { Role } from "../text/role.ts";
import { type Draft, lineAt, type Range, selectionOf, setCaret } from "./draft.ts";
import { cellOf, stopAtCell, walkRow } from "./draft_cells.ts";
import { layoutOf } from "./draft_layout.ts";
import type { Position } from "./draft_text.ts";

/** What is seen of a draft. */
export interface DraftRows {
  /** At most `height` rows, none wider than the width. */
  readonly rows: readonly Line[];
  /** The caret's place in `rows`; always inside them. */
  readonly caret: { readonly row: number; readonly column: number };
  /** Rows hidden above and below. */
  readonly above: number;
  readonly below: number;
}

/** Rows the whole draft takes, the caret's included. Width is at least 1. */
export function draftHeight(draft: Draft, width: number): number {
  return caretRow(draft, Math.max(1, width)).total;
}

/** Rows the composer may take on a screen of `rows` rows, however much is typed. */
export function composerRoom(rows: number): number {
  return Math.max(1, Math.min(10, Math.floor(rows / 3)));
}

/** The rows around the caret. A size of 0 is taken as 1. */
export function draftRows(draft: Draft, width: number, height: number): DraftRows {
  const columns = Math.max(1, width);
  const room = Math.max(1, height);
  const { row, cell, total } = caretRow(draft, columns);
  const top = Math.max(0, Math.min(row - (room >> 1), total - room));
  const rows: Line[] = [];
  const selection = selectionOf(draft);
  let { line, row: rowInLine } = lineOfRow(draft, columns, top);
  const end = Math.min(total, top + room);
  while (rows.length < end - top) {
    const count = line < draft.lines.length ? layoutOf(lineAt(draft, line), columns).starts.length : 0;
    // The caret's own row behind a full one is not part of its line's layout.
    const isCaretOnly = line === draft.caret.line && rowInLine === count && top + rows.length === row;
    if (rowInLine >= count && !isCaretOnly) {
      line++;
      rowInLine = 0;
      continue;
    }
    rows.push(
      isCaretOnly ? styledLine("") : rowLine(draft, { line, row: rowInLine, width: columns, selection }),
    );
    rowInLine++;
  }
  return { rows, caret: { row: row - top, column: cell }, above: top, below: total - end };
}

/** Moves the caret `by` rows, keeping its column as far as rows allow; false at the first or last row, where nothing moves. */
export function moveByRow(draft: Draft, by: -1 | 1, width: number): boolean {
  const columns = Math.max(1, width);
  const { caret } = draft;
  const line = lineAt(draft, caret.line);
  const { row, cell } = cellOf(line, layoutOf(line, columns), caret.column);
  const goal = draft.goal ?? cell;
  let at = { line: caret.line, row: row + by };
  for (;;) {
    const next = normalRow(draft, at, columns);
    if (next === null) return false;
    const target = lineAt(draft, next.line);
    const column = stopAtCell(target, layoutOf(target, columns), next.row, goal);
    if (column !== null) {
      setCaret(draft, { line: next.line, column });
      draft.goal = goal;
      return true;
    }
    // Nothing but the middle of a label stands there.
    at = { line: next.line, row: next.row + by };
  }
}

/** The row as one of a line that has it; null above the first row or below the last. */
function normalRow(draft: Draft, at: { line: number; row: number }, width: number) {
  if (at.row < 0) {
    if (at.line === 0) return null;
    return { line: at.line - 1, row: layoutOf(lineAt(draft, at.line - 1), width).starts.length - 1 };
  }
  if (at.row < layoutOf(lineAt(draft, at.line), width).starts.length) return at;
  return at.line + 1 < draft.lines.length ? { line: at.line + 1, row: 0 } : null;
}

/** The caret's row among all rows, its cell there, and how many rows there are. */
function caretRow(draft: Draft, width: number): { row: number; cell: number; total: number } {
  const { caret, lines } = draft;
  let above = 0;
  let total = 0;
  for (let index = 0; index < lines.length; index++) {
    if (index === caret.line) above = total;
    total += layoutOf(lines[index]!, width).starts.length;
  }
  const line = lineAt(draft, caret.line);
  const layout = layoutOf(line, width);
  const { row, cell } = cellOf(line, layout, caret.column);
  return { row: above + row, cell, total: row === layout.starts.length ? total + 1 : total };
}

function lineOfRow(draft: Draft, width: number, row: number): { line: number; row: number } {
  let left = row;
  for (let line = 0; line < draft.lines.length; line++) {
    const own = lineAt(draft, line);
    const layout = layoutOf(own, width);
    let count = layout.starts.length;
    if (line === draft.caret.line && cellOf(own, layout, draft.caret.column).row === count) count++;
    if (left < count) return { line, row: left };
    left -= count;
  }
  return { line: draft.lines.length - 1, row: 0 };
}

function rowLine(
  draft: Draft,
  at: { line: number; row: number; width: number; selection: Range | null },
): Line {
  const line = lineAt(draft, at.line);
  const spans: Span[] = [];
  walkRow(line, layoutOf(line, at.width), at.row, ({ start, text, role }) => {
    const shown: Role = isSelected(at.selection, { line: at.line, column: start })
      ? "composer.selection"
      : role;
    const last = spans.at(-1);
    if (text === "") return;
    if (last !== undefined && last.role === shown) {
      spans[spans.length - 1] = { text: last.text + text, role: shown };
    } else spans.push({ text, role: shown });
  });
  return { spans };
}

function isSelected(selection: Range | null, position: Position): boolean {
  if (selection === null) return false;
  const { start, end } = selection;
  if (position.line < start.line || position.line > end.line) return false;
  if (position.line === start.line && position.column < start.column) return false;
  return position.line < end.line || position.column < end.column;
}
