// Head and tail of what a fold hides: the rows to show and the exact count of those that are not. Text above
// COUNT_LIMIT is never measured whole; there lines are counted instead of rows, which long text knows anyway.

import type { Line } from "../text/line.ts";
import { measureText, type TextRows } from "../text/text_rows.ts";
import { lineCount } from "../transcript/long_text.ts";
import { isLongPart, type LongPart, type Part } from "./renderer.ts";

/** Up to this many UTF-16 units hidden screen rows are counted, beyond it hidden lines. */
export const COUNT_LIMIT = 1 << 20;

/** How much a fold hides; a count of 0 is nothing. */
export interface Hidden {
  readonly count: number;
  readonly unit: "row" | "line";
}

/** Rows that fit their width, and what was left out. */
export interface Preview {
  readonly rows: readonly Line[];
  readonly hidden: Hidden;
}

/** A colour or attribute, as nearly all programs write them (ECMA-48 8.3.117). */
// deno-lint-ignore no-control-regex
const COLOUR = /\x1b\[[0-9;]{0,24}m/g;
const PLAIN = /^[\n\x20-\x7e]*$/;

/** Nothing is hidden. */
export const NONE_HIDDEN: Hidden = { count: 0, unit: "row" };

/** A preview without rows. */
export const EMPTY_PREVIEW: Preview = { rows: [], hidden: NONE_HIDDEN };

/** "+12 rows"; "" when nothing is hidden. */
export function hiddenText(hidden: Hidden): string {
  if (hidden.count === 0) return "";
  return `+${hidden.count} ${hidden.unit}${hidden.count === 1 ? "" : "s"}`;
}

/** Both together. Lines win: a sum of rows and lines says at least as many lines. */
export function addHidden(first: Hidden, second: Hidden): Hidden {
  const unit = (first.count > 0 && first.unit === "line") || (second.count > 0 && second.unit === "line")
    ? "line"
    : "row";
  return { count: first.count + second.count, unit };
}

/** Screen rows of all parts at `width` cells: measures everything, so it is for parts known to be small. */
export function countRows(parts: readonly Part[], width: number): number {
  let rows = 0;
  for (const part of parts) {
    if (!isLongPart(part)) {
      rows++;
      continue;
    }
    for (const chunk of part.text.chunks) rows += chunkRows(part, chunk, width);
  }
  return rows;
}

/** The first `count` rows at `width` cells. */
export function headRows(parts: readonly Part[], count: number, width: number): Preview {
  const unit = hiddenUnit(parts);
  const rows: Line[] = [];
  const total = unit === "line" ? countLines(parts) : countRows(parts, width);
  let lines = 0;
  for (const part of parts) {
    if (rows.length >= count) break;
    if (!isLongPart(part)) {
      rows.push(part);
      lines++;
      continue;
    }
    for (const chunk of part.text.chunks) {
      if (rows.length >= count) break;
      const measured = measure(part, chunk, width);
      const taken = Math.min(measured.rowCount, count - rows.length);
      for (let row = 0; row < taken; row++) rows.push(measured.rowAt(row));
      lines += taken < measured.rowCount ? measured.rowAt(taken).source ?? 0 : completeLines(part, chunk);
    }
  }
  return { rows, hidden: { count: total - (unit === "line" ? lines : rows.length), unit } };
}

/** The last `count` rows at `width` cells. */
export function tailRows(parts: readonly Part[], count: number, width: number): Preview {
  const unit = hiddenUnit(parts);
  const rows: Line[] = [];
  const total = unit === "line" ? countLines(parts) : countRows(parts, width);
  let lines = 0;
  for (let at = parts.length - 1; at >= 0 && rows.length < count; at--) {
    const part = parts[at]!;
    if (!isLongPart(part)) {
      rows.unshift(part);
      lines++;
      continue;
    }
    const chunks = part.text.chunks;
    for (let index = chunks.length - 1; index >= 0 && rows.length < count; index--) {
      const chunk = chunks[index]!;
      const measured = measure(part, chunk, width);
      const first = Math.max(0, measured.rowCount - (count - rows.length));
      const taken: Line[] = [];
      for (let row = first; row < measured.rowCount; row++) taken.push(measured.rowAt(row));
      rows.unshift(...taken);
      lines += linesFrom(measured, first, part, index);
    }
  }
  return { rows, hidden: { count: Math.max(0, total - (unit === "line" ? lines : rows.length)), unit } };
}

/**
 * The first `head` and the last `tail` rows. When one row more would show all, all are shown: the row that names
 * what is hidden would take the same room.
 */
export function headAndTail(
  parts: readonly Part[],
  size: { readonly head: number; readonly tail: number; readonly width: number },
): { readonly head: readonly Line[]; readonly hidden: Hidden; readonly tail: readonly Line[] } {
  const { head, tail, width } = size;
  if (hiddenUnit(parts) === "row") {
    const total = countRows(parts, width);
    if (total <= head + tail + 1) {
      return { head: headRows(parts, total, width).rows, hidden: NONE_HIDDEN, tail: [] };
    }
  }
  const first = headRows(parts, head, width);
  const last = tailRows(parts, tail, width);
  const total = hiddenUnit(parts) === "line" ? countLines(parts) : countRows(parts, width);
  const count = Math.max(1, first.hidden.count + last.hidden.count - total);
  return { head: first.rows, hidden: { count, unit: first.hidden.unit }, tail: last.rows };
}

function hiddenUnit(parts: readonly Part[]): "row" | "line" {
  let length = 0;
  for (const part of parts) if (isLongPart(part)) length += part.text.length;
  return length > COUNT_LIMIT ? "line" : "row";
}

function countLines(parts: readonly Part[]): number {
  let lines = 0;
  for (const part of parts) lines += isLongPart(part) ? lineCount(part.text) : 1;
  return lines;
}

/** Colours take no cells: a text that is plain without them is counted without making its spans. */
function chunkRows(part: LongPart, chunk: string, width: number): number {
  if (!chunk.includes("\u001b")) return measure(part, chunk, width).rowCount;
  const plain = chunk.replaceAll(COLOUR, "");
  if (!PLAIN.test(plain)) return measure(part, chunk, width).rowCount;
  // A last line of colours alone is a row, though nothing is left of it.
  const lost = !chunk.endsWith("\n") && (plain === "" || plain.endsWith("\n"));
  return (plain === "" ? 0 : measure(part, plain, width).rowCount) + (lost ? 1 : 0);
}

function measure(part: LongPart, chunk: string, width: number): TextRows {
  return measureText(chunk, width, { role: part.role, indent: part.indent });
}

/** Lines that end in the chunk; the text's own end ends one too. */
function completeLines(part: LongPart, chunk: string): number {
  let lines = 0;
  for (let at = chunk.indexOf("\n"); at !== -1; at = chunk.indexOf("\n", at + 1)) lines++;
  const isLast = part.text.chunks.at(-1) === chunk;
  return lines + (isLast && !chunk.endsWith("\n") ? 1 : 0);
}

/** Lines that begin in the chunk at row `first` or behind it. */
function linesFrom(measured: TextRows, first: number, part: LongPart, index: number): number {
  if (measured.rowCount === 0) return 0;
  const source = measured.rowAt(first).source ?? 0;
  const last = measured.rowAt(measured.rowCount - 1).source ?? 0;
  const before = first > 0 ? measured.rowAt(first - 1).source ?? 0 : -1;
  const continues = index > 0 && !part.text.chunks[index - 1]!.endsWith("\n");
  const cut = source === before || (first === 0 && source === 0 && continues);
  return last - source + (cut ? 0 : 1);
}
