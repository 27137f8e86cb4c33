// The rows of one chunk of outside text, found without building them all: plain ASCII by arithmetic, other lines
// from an array of row starts. Rows are full to the last cell; a row's Line is made when it is asked for.

import {
  hasWiderThan,
  indentedLine,
  isAsciiText,
  spanCutter,
  substituteWide,
  walkSpans,
} from "./cell_rows.ts";
import type { Line, Span } from "./line.ts";
import { outsideLines } from "./outside_text.ts";
import type { Role } from "./role.ts";

/** The wrapped rows of a chunk of text. */
export interface TextRows {
  /** Rows in all; 0 for an empty text. A final newline adds none. */
  readonly rowCount: number;
  /** One row, made anew; its source is the index of its line in the chunk. */
  rowAt(row: number): Line;
  /** The row that shows the grapheme `offset` of line `source`; the nearest one when there is none. */
  rowOf(source: number, offset: number): number;
}

/** Printable ASCII and newlines: no line needs a look at its signs. */
const ASCII_LINES = /^[\n\x20-\x7e]*$/;

/**
 * Measures a text from outside, wrapped by cells to `width` with `indent` blanks in front of each row (fewer where
 * less than two cells would be left). Controls are shown as tokens, colours are kept.
 */
export function measureText(
  text: string,
  width: number,
  options: { readonly role: Role; readonly indent: number },
): TextRows {
  if (!(width >= 1)) throw new Error(`Cannot wrap text to ${width} cells: width must be at least 1`);
  const indent = Math.max(0, Math.min(options.indent, width - 2));
  const rowWidth = width - indent;
  return ASCII_LINES.test(text)
    ? asciiRows(text, options.role, rowWidth, indent)
    : styledRows(outsideLines(text, options.role), rowWidth, indent);
}

/** Rows of ASCII: where each line begins in the text and which row it begins at. */
function asciiRows(text: string, role: Role, rowWidth: number, indent: number): TextRows {
  const lineStarts: number[] = [];
  const firstRows: number[] = [];
  let rowCount = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    lineStarts.push(start);
    firstRows.push(rowCount);
    rowCount += Math.max(1, Math.ceil((end - start) / rowWidth));
    start = end + 1;
  }
  const starts = Uint32Array.from(lineStarts);
  const rows = Uint32Array.from(firstRows);
  return {
    rowCount,
    rowAt(row) {
      const source = lineOfRow(rows, row);
      const offset = (row - rows[source]!) * rowWidth;
      const start = starts[source]! + offset;
      const lineEnd = source + 1 < starts.length ? starts[source + 1]! - 1 : textEnd(text);
      const piece = text.slice(start, Math.min(start + rowWidth, lineEnd));
      return indentedLine(piece === "" ? [] : [{ text: piece, role }], indent, { source, offset });
    },
    rowOf: (source, offset) =>
      rowWithin(
        rows,
        rowCount,
        source,
        (first, count) => first + Math.min(count - 1, Math.floor(offset / rowWidth)),
      ),
  };
}

/** Where a styled line's rows begin: in UTF-16 units and in graphemes of its text. Null: one row, or ASCII. */
type RowStarts = { readonly units: Uint32Array; readonly graphemes: Uint32Array } | null;

/** Rows of lines already made safe. */
function styledRows(lines: readonly Line[], rowWidth: number, indent: number): TextRows {
  const rows = new Uint32Array(lines.length);
  const spansOf: (readonly Span[])[] = [];
  const startsOf: RowStarts[] = [];
  let rowCount = 0;
  for (const [source, { spans }] of lines.entries()) {
    rows[source] = rowCount;
    const length = unitCount(spans);
    if (spans.every((span) => isAsciiText(span.text))) {
      spansOf.push(spans);
      startsOf.push(null);
      rowCount += Math.max(1, Math.ceil(length / rowWidth));
    } else {
      const fitting = hasWiderThan(spans, rowWidth) ? substituteWide(spans, rowWidth) : spans;
      const starts = rowStarts(fitting, rowWidth);
      spansOf.push(fitting);
      startsOf.push(starts);
      rowCount += starts.units.length;
    }
  }
  return {
    rowCount,
    rowAt(row) {
      const source = lineOfRow(rows, row);
      const spans = spansOf[source]!;
      const starts = startsOf[source]!;
      const index = row - rows[source]!;
      const start = starts === null ? index * rowWidth : starts.units[index]!;
      const end = starts === null ? start + rowWidth : starts.units[index + 1] ?? unitCount(spans);
      const offset = starts === null ? start : starts.graphemes[index]!;
      return indentedLine(spanCutter(spans)(start, end), indent, { source, offset });
    },
    rowOf: (source, offset) =>
      rowWithin(rows, rowCount, source, (first, count) => {
        const starts = startsOf[source]!;
        const index = starts === null ? Math.floor(offset / rowWidth) : lineOfRow(starts.graphemes, offset);
        return first + Math.min(count - 1, index);
      }),
  };
}

function rowStarts(spans: readonly Span[], rowWidth: number): NonNullable<RowStarts> {
  const units = [0];
  const graphemes = [0];
  let cells = 0;
  let count = 0;
  walkSpans(spans, (start, _end, width) => {
    if (cells + width > rowWidth) {
      units.push(start);
      graphemes.push(count);
      cells = 0;
    }
    cells += width;
    count++;
  });
  return { units: Uint32Array.from(units), graphemes: Uint32Array.from(graphemes) };
}

/** The last index whose value is at most `row`; values rise from 0. */
function lineOfRow(firstRows: Uint32Array, row: number): number {
  let low = 0;
  let high = firstRows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (firstRows[middle]! <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A row of line `source`, picked by `pick` from its first row and its number of rows; ends of the text otherwise. */
function rowWithin(
  firstRows: Uint32Array,
  rowCount: number,
  source: number,
  pick: (first: number, count: number) => number,
): number {
  if (source < 0 || firstRows.length === 0) return 0;
  if (source >= firstRows.length) return rowCount - 1;
  const first = firstRows[source]!;
  return pick(first, (firstRows[source + 1] ?? rowCount) - first);
}

function unitCount(spans: readonly Span[]): number {
  let units = 0;
  for (const span of spans) units += span.text.length;
  return units;
}

/** Where the last line ends: before a final newline. */
function textEnd(text: string): number {
  return text.endsWith("\n") ? text.length - 1 : text.length;
}
