// Tables in boxes, columns aligned by cells on the screen. In a narrow place columns shrink and cells wrap, so all
// text stays readable; where words would have to be broken, each row becomes "head: cell" lines instead.

import { cellWidth, walkGraphemes } from "./graphemes.ts";
import { type Line, lineText, lineWidth, type Span } from "./line.ts";
import type { TableShape } from "./markdown_blocks.ts";
import { type BoxSigns, boxSigns } from "./markdown_box.ts";
import { wrapLine } from "./wrap.ts";

/** A longer word may be broken in a cell: a path of 60 signs must not turn the table into lines. */
const LONGEST_WHOLE_WORD = 12;

/** A table's rows. Sources count from `source`: the borders' own, then one for the head and one for each row. */
export function tableRows(table: TableShape, width: number, source: number): Line[] {
  const widths = columnWidths(table, width);
  return widths === null ? stackedRows(table, width, source) : boxedRows(table, widths, source);
}

/** Cells of each column, borders and padding not counted; null where a box is no help. */
function columnWidths(table: TableShape, width: number): number[] | null {
  const columns = table.head.map((head, column) => [head, ...table.rows.map((row) => cellAt(row, column))]);
  const natural = columns.map((cells) => Math.max(1, ...cells.map(lineWidth)));
  const room = width - (3 * natural.length + 1);
  if (total(natural) <= room) return natural;
  const least = columns.map((cells) => Math.min(LONGEST_WHOLE_WORD, Math.max(1, ...cells.map(longestWord))));
  if (total(least) > room) return null;
  return shrunk(natural, least, room);
}

/** Shares `room` out: each column gets what it needs least, the rest goes to the narrowest that still want more. */
function shrunk(natural: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...least];
  let left = room - total(least);
  while (left > 0) {
    const wanting = widths.map((width, column) => ({ width, column }))
      .filter(({ width, column }) => width < natural[column]!);
    if (wanting.length === 0) break;
    const narrowest = Math.min(...wanting.map(({ width }) => width));
    for (const { column } of wanting.filter(({ width }) => width === narrowest)) {
      if (left === 0) break;
      widths[column] = narrowest + 1;
      left--;
    }
  }
  return widths;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

/** Cells of the longest run that wrapping would rather not break: wide signs may be parted anywhere. */
function longestWord(cell: Line): number {
  let longest = 0;
  let word = 0;
  const text = lineText(cell);
  walkGraphemes(text, (start, _end, width) => {
    if (text.charCodeAt(start) === 0x20) word = 0;
    else word = width === 1 ? word + 1 : Math.max(width, 1);
    if (word > longest) longest = word;
  });
  return longest;
}

function cellAt(row: readonly Line[], column: number): Line {
  return row[column] ?? { spans: [] };
}

function boxedRows(table: TableShape, widths: readonly number[], source: number): Line[] {
  const signs = boxSigns();
  const border = (ends: BoxSigns["top"], at: number): Line => {
    const parts = widths.map((width) => signs.flat.repeat(width + 2));
    return {
      spans: [{ text: ends[0] + parts.join(ends[1]) + ends[2], role: "md.table_border" }],
      source: at,
      offset: 0,
    };
  };
  const head = boxedRow(table.head, table, widths, source + 1);
  const body = table.rows.map((row, index) => boxedRow(row, table, widths, source + 2 + index));
  // Rows of several lines run into each other without a line between them.
  const apart = body.some((lines) => lines.length > 1);
  const rows: Line[] = [border(signs.top, source), ...head];
  for (const [index, lines] of body.entries()) {
    if (index === 0 || apart) rows.push({ ...border(signs.middle, source + 1 + index), offset: LAST });
    for (const line of lines) rows.push(line);
  }
  const end = source + 1 + table.rows.length;
  if (body.length === 0) rows.push({ ...border(signs.middle, end), offset: LAST });
  rows.push({ ...border(signs.bottom, end), offset: LAST });
  return rows;
}

/** The offset of a border below a row: behind all its text. */
const LAST = Number.MAX_SAFE_INTEGER;

/** One row of cells as the lines of its tallest cell. `offset` counts the graphemes of all cells shown before. */
function boxedRow(
  row: readonly Line[],
  table: TableShape,
  widths: readonly number[],
  source: number,
): Line[] {
  const { first, between, last } = sides();
  const cells = widths.map((width, column) => wrapLine(cellAt(row, column), width));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  const lines: Line[] = [];
  for (let at = 0; at < height; at++) {
    const spans: Span[] = [];
    let offset = 0;
    for (const [column, width] of widths.entries()) {
      const wrapped = cells[column]!;
      const text = wrapped[at];
      offset += text?.offset ?? wrapped.at(-1)?.offset ?? 0;
      spans.push(column === 0 ? first : between);
      spans.push(...alignedSpans(text?.spans ?? [], width, table.align[column] ?? null));
    }
    spans.push(last);
    lines.push({ spans: spans.slice(), source, offset });
  }
  return lines;
}

function alignedSpans(
  spans: readonly Span[],
  width: number,
  align: TableShape["align"][number],
): readonly Span[] {
  const missing = width - lineWidth({ spans });
  if (missing <= 0) return spans;
  const before = align === "right" ? missing : align === "center" ? missing >> 1 : 0;
  return [
    ...(before > 0 ? [blanks(before)] : []),
    ...spans,
    ...(missing > before ? [blanks(missing - before)] : []),
  ];
}

/** What stands beside cells: the same spans in all rows of all tables. */
interface SideSpans {
  readonly side: string;
  readonly first: Span;
  readonly between: Span;
  readonly last: Span;
}

let sideSpans: SideSpans | null = null;

function sides(): SideSpans {
  const { side } = boxSigns();
  if (sideSpans?.side === side) return sideSpans;
  const border = (text: string): Span => ({ text, role: "md.table_border" });
  return sideSpans = {
    side,
    first: border(`${side} `),
    between: border(` ${side} `),
    last: border(` ${side}`),
  };
}

function blanks(count: number): Span {
  if (count >= SHORT_BLANKS) return { text: " ".repeat(count), role: "default" };
  return shortBlanks[count] ??= { text: " ".repeat(count), role: "default" };
}

const SHORT_BLANKS = 64;
const shortBlanks: Span[] = [];

/** Each row as lines "head: cell", with a short rule between rows. A table without rows shows its heads. */
function stackedRows(table: TableShape, width: number, source: number): Line[] {
  const rows: Line[] = [];
  if (table.rows.length === 0) {
    for (const head of table.head) rows.push(...numbered([head], width, source + 1, rows));
    return rows;
  }
  const rule = boxSigns().flat.repeat(Math.min(width, Math.max(1, Math.min(8, width >> 1))));
  for (const [index, row] of table.rows.entries()) {
    const at = source + 2 + index;
    const start: Line[] = [];
    if (index > 0) rows.push({ spans: [{ text: rule, role: "md.table_border" }], source: at, offset: 0 });
    for (const [column, head] of table.head.entries()) {
      const label: Span[] = lineText(head) === ""
        ? []
        : [...head.spans, { text: ": ", role: "md.table_border" }];
      start.push(...numbered([{ spans: [...label, ...cellAt(row, column).spans] }], width, at, start));
    }
    for (const one of start) rows.push(one);
  }
  return rows;
}

/** Wrapped rows of one source whose offsets go on behind those already there. */
function numbered(lines: readonly Line[], width: number, source: number, before: readonly Line[]): Line[] {
  const last = before.at(-1);
  const base = last === undefined ? 0 : (last.offset ?? 0) + cellWidth(lineText(last));
  return lines.flatMap((line) => wrapLine(line, width, { source })).map((row) => ({
    ...row,
    offset: base + (row.offset ?? 0),
  }));
}
