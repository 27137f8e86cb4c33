// The rows of one chunk of outside text, found without building them all: plain ASCII by arithmetic, other lines
// from an array of row starts. Rows are full to the last cell; a row's Line is made when it is asked for.

import { indentedLine, isAsciiText, spanCutter, substituteWide, walkSpans } from "./cell_rows.ts";
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

/** The rows that measureText would find, only counted. */
export function countTextRows(
  text: string,
  width: number,
  options: { readonly role: Role; readonly indent: number },
): number {
  if (!ASCII_LINES.test(text)) return measureText(text, width, options).rowCount;
  const rowWidth = width - Math.max(0, Math.min(options.indent, width - 2));
  let rowCount = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    rowCount += end - start <= rowWidth ? 1 : Math.ceil((end - start) / rowWidth);
    start = end + 1;
  }
  return rowCount;
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
  const starts = new Uint32Array(lineStarts);
  const rows = new Uint32Array(firstRows);
  return {
    rowCount,
    rowAt(row) {
      const source = lastAtMost(rows, row);
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

/** A line already made safe, with what finds one of its rows at once. */
interface MeasuredLine {
  readonly spans: readonly Span[];
  /** The first unit of each span. */
  readonly spanStarts: Uint32Array;
  readonly length: number;
  /** Where its rows begin, in UTF-16 units and in graphemes. Null for ASCII, whose rows are `rowWidth` apart. */
  readonly starts: RowStarts | null;
}

interface RowStarts {
  readonly units: Uint32Array;
  readonly graphemes: Uint32Array;
}

/** Shared by the many lines of one span or one row. */
const ONLY_ZERO = Uint32Array.of(0);
const ONE_ROW: RowStarts = { units: ONLY_ZERO, graphemes: ONLY_ZERO };

/** Rows of lines already made safe. */
function styledRows(lines: readonly Line[], rowWidth: number, indent: number): TextRows {
  const measured = lines.map((line) => measureLine(line.spans, rowWidth));
  const rows = new Uint32Array(lines.length);
  let rowCount = 0;
  for (const [source, { starts, length }] of measured.entries()) {
    rows[source] = rowCount;
    rowCount += starts?.units.length ?? Math.max(1, Math.ceil(length / rowWidth));
  }
  return {
    rowCount,
    rowAt(row) {
      const source = lastAtMost(rows, row);
      const { spans, spanStarts, length, starts } = measured[source]!;
      const index = row - rows[source]!;
      const start = starts === null ? index * rowWidth : starts.units[index]!;
      const end = starts === null ? start + rowWidth : starts.units[index + 1] ?? length;
      const offset = starts === null ? start : starts.graphemes[index]!;
      const first = lastAtMost(spanStarts, start);
      return indentedLine(spanCutter(spans, first, spanStarts[first])(start, end), indent, {
        source,
        offset,
      });
    },
    rowOf: (source, offset) =>
      rowWithin(rows, rowCount, source, (first, count) => {
        const starts = measured[source]!.starts;
        const index = starts === null ? Math.floor(offset / rowWidth) : lastAtMost(starts.graphemes, offset);
        return first + Math.min(count - 1, index);
      }),
  };
}

function measureLine(spans: readonly Span[], rowWidth: number): MeasuredLine {
  if (spans.every((span) => isAsciiText(span.text))) return { spans, ...spanPlaces(spans), starts: null };
  const starts = rowStarts(spans, rowWidth);
  if (starts !== null) return { spans, ...spanPlaces(spans), starts };
  const fitting = substituteWide(spans, rowWidth);
  return { spans: fitting, ...spanPlaces(fitting), starts: rowStarts(fitting, rowWidth) };
}

/** Null when some grapheme is wider than a row. */
function rowStarts(spans: readonly Span[], rowWidth: number): RowStarts | null {
  const units = [0];
  const graphemes = [0];
  let cells = 0;
  let count = 0;
  let hasWider = false;
  walkSpans(spans, (start, _end, width) => {
    if (cells + width > rowWidth) {
      hasWider = width > rowWidth;
      if (hasWider) return false;
      units.push(start);
      graphemes.push(count);
      cells = 0;
    }
    cells += width;
    count++;
  });
  if (hasWider) return null;
  if (units.length === 1) return ONE_ROW;
  return { units: new Uint32Array(units), graphemes: new Uint32Array(graphemes) };
}

function spanPlaces(spans: readonly Span[]): { spanStarts: Uint32Array; length: number } {
  if (spans.length <= 1) return { spanStarts: ONLY_ZERO, length: spans[0]?.text.length ?? 0 };
  const spanStarts = new Uint32Array(spans.length);
  let length = 0;
  for (const [index, span] of spans.entries()) {
    spanStarts[index] = length;
    length += span.text.length;
  }
  return { spanStarts, length };
}

/** The last index whose value is at most `limit`; values rise from 0. */
function lastAtMost(values: Uint32Array, limit: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle]! <= limit) low = middle;
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

/** Where the last line ends: before a final newline. */
function textEnd(text: string): number {
  return text.endsWith("\n") ? text.length - 1 : text.length;
}
