// The rows of one chunk of outside text, found without building them all: plain ASCII by arithmetic, other lines
// from an array of row starts. Rows are full to the last cell; a row's Line is made when it is asked for.

import { indentedLine, isAsciiText, spanCutter, substituteWide, walkSpans } from "./cell_rows.ts";
import { walkGraphemes } from "./graphemes.ts";
import type { Line, Span } from "./line.ts";
import { outsideLines } from "./outside_text.ts";
import type { Role } from "./role.ts";
import { copyStyle, isPlainStyle, plainStyle, type SgrStyle } from "./sgr.ts";
import { isSimpleText } from "./tokens.ts";

/** The wrapped rows of a chunk of text. */
export interface TextRows {
  /** Rows in all; 0 for an empty text. A final newline adds none. */
  readonly rowCount: number;
  /** One row, made anew; its source is the index of its line in the chunk. */
  rowAt(row: number): Line;
  /** The row that shows the grapheme `offset` of line `source`; the nearest one when there is none. */
  rowOf(source: number, offset: number): number;
  /** The rows of a text that begins with this one. What is known moves there: these rows are not to be used any more. */
  grow(text: TextParts): TextRows;
}

/** A text that is read in parts, a string or what stands for one: joining a long one for each word would cost it all. */
export interface TextParts {
  readonly length: number;
  slice(from: number, to?: number): string;
}

/** Printable ASCII and newlines: no line needs a look at its signs. */
const ASCII_LINES = /^[\n\x20-\x7e]*$/;

let measuredUnits = 0;

/** UTF-16 units looked at to find rows since the program began: what tests measure speed by. */
export function measuredLength(): number {
  return measuredUnits;
}

/** How a chunk is shown: the cells of its rows without the blanks in front, and how many of those. */
interface Measure {
  readonly role: Role;
  readonly rowWidth: number;
  readonly indent: number;
}

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
  return measureAny(text, { role: options.role, rowWidth: width - indent, indent });
}

function measureAny(parts: TextParts, measure: Measure): TextRows {
  const text = parts.slice(0);
  measuredUnits += text.length;
  return ASCII_LINES.test(text)
    ? asciiRows(text, measure, { starts: [], rows: [], seen: 0, rowCount: 0 })
    : styledRows(text, measure, { lines: [], rows: [], seen: 0, start: 0, style: plainStyle(), open: null });
}

/** The rows that measureText would find, only counted. */
export function countTextRows(
  text: string,
  width: number,
  options: { readonly role: Role; readonly indent: number },
): number {
  if (!ASCII_LINES.test(text)) return measureText(text, width, options).rowCount;
  measuredUnits += text.length;
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

/** Lines of ASCII: where each begins in the text and which row it begins at. Of the text, `seen` units are in it. */
interface AsciiLines {
  readonly starts: number[];
  readonly rows: number[];
  readonly seen: number;
  readonly rowCount: number;
}

/** Rows of ASCII; `known` are those of a text that this one begins with. */
function asciiRows(text: TextParts, measure: Measure, known: AsciiLines): TextRows {
  const { role, rowWidth, indent } = measure;
  const { starts, rows, seen } = known;
  const added = text.slice(seen);
  let rowCount = known.rowCount;
  let start = seen;
  // The last line goes on where it has no newline yet.
  if (seen > 0 && text.slice(seen - 1, seen) !== "\n") {
    start = starts.pop()!;
    rowCount = rows.pop()!;
  }
  for (let from = 0; start < text.length; from = start - seen) {
    const newline = added.indexOf("\n", from);
    const end = newline === -1 ? text.length : seen + newline;
    starts.push(start);
    rows.push(rowCount);
    rowCount += Math.max(1, Math.ceil((end - start) / rowWidth));
    start = end + 1;
  }
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
    grow(longer) {
      const added = longer.slice(text.length);
      if (!ASCII_LINES.test(added)) return measureAny(longer, measure);
      measuredUnits += added.length;
      return asciiRows(longer, measure, { starts, rows, seen: text.length, rowCount });
    },
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
  readonly units: readonly number[] | Uint32Array;
  readonly graphemes: readonly number[] | Uint32Array;
}

/** Shared by the many lines of one span or one row. */
const ONLY_ZERO = Uint32Array.of(0);
const ONE_ROW: RowStarts = { units: ONLY_ZERO, graphemes: ONLY_ZERO };

/** Lines made safe, and what the last one goes on with. */
interface StyledLines {
  readonly lines: MeasuredLine[];
  /** The first row of each line. */
  readonly rows: number[];
  /** UTF-16 units of the text that are in them. */
  readonly seen: number;
  /** Where the last line begins in the text, and in which colours. */
  readonly start: number;
  readonly style: SgrStyle;
  /** Where the last line's rows begin so far, where it is made of simple signs only. */
  readonly open: OpenStarts | null;
}

/** Row starts that are still being found. */
interface OpenStarts {
  readonly units: number[];
  readonly graphemes: number[];
  /** Cells of the last row, graphemes and UTF-16 units in all. */
  cells: number;
  count: number;
  length: number;
}

/** Rows of text with colours or signs that are not ASCII; `known` are those of a text that this one begins with. */
function styledRows(text: TextParts, measure: Measure, known: StyledLines): TextRows {
  const { rowWidth, indent, role } = measure;
  const { lines, rows, seen } = known;
  let { start } = known;
  const style = copyStyle(known.style);
  const added = text.slice(seen);
  const newline = added.lastIndexOf("\n");
  let open = known.open;
  if (newline !== -1) {
    const whole = text.slice(start, seen + newline + 1);
    measuredUnits += whole.length;
    for (const line of outsideLines(whole, role, style)) addLine(measureLine(line.spans, rowWidth));
    start = seen + newline + 1;
    open = null;
  }
  const settled = lines.length;
  const openStyle = copyStyle(style);
  if (start < text.length) {
    const isPlain = isPlainStyle(style) && (open !== null || seen <= start);
    open = isPlain ? openStarts(newline === -1 ? added : added.slice(newline + 1), rowWidth, open) : null;
    if (open === null) {
      const last = text.slice(start);
      measuredUnits += last.length;
      addLine(measureLine(outsideLines(last, role, style)[0]?.spans ?? [], rowWidth));
    } else {
      // Its rows are read out of the text when they are asked for.
      addLine({ spans: [], spanStarts: ONLY_ZERO, length: open.length, starts: open });
    }
  }
  const rowCount = nextRow();
  const lineStart = start;

  function addLine(line: MeasuredLine): void {
    rows.push(nextRow());
    lines.push(line);
  }
  function nextRow(): number {
    const last = lines.length - 1;
    return last < 0 ? 0 : rows[last]! + rowsOf(lines[last]!, rowWidth);
  }
  return {
    rowCount,
    rowAt(row) {
      const source = lastAtMost(rows, row);
      const { spans, spanStarts, length, starts } = lines[source]!;
      const index = row - rows[source]!;
      const start = starts === null ? index * rowWidth : starts.units[index]!;
      const end = starts === null ? start + rowWidth : starts.units[index + 1] ?? length;
      const offset = starts === null ? start : starts.graphemes[index]!;
      if (starts !== null && starts === open) {
        const piece = text.slice(lineStart + start, lineStart + end);
        return indentedLine([{ text: piece, role }], indent, { source, offset });
      }
      const first = lastAtMost(spanStarts, start);
      return indentedLine(spanCutter(spans, first, spanStarts[first])(start, end), indent, {
        source,
        offset,
      });
    },
    rowOf: (source, offset) =>
      rowWithin(rows, rowCount, source, (first, count) => {
        const starts = lines[source]!.starts;
        const index = starts === null ? Math.floor(offset / rowWidth) : lastAtMost(starts.graphemes, offset);
        return first + Math.min(count - 1, index);
      }),
    grow(longer) {
      lines.length = settled;
      rows.length = settled;
      return styledRows(longer, measure, { lines, rows, seen: text.length, start, style: openStyle, open });
    },
  };
}

function rowsOf({ starts, length }: MeasuredLine, rowWidth: number): number {
  return starts?.units.length ?? Math.max(1, Math.ceil(length / rowWidth));
}

/**
 * Goes on with the row starts of an unfinished line as far as its signs are simple: between two of those there is
 * always a boundary. Null where the line must be looked at as a whole.
 */
function openStarts(added: string, rowWidth: number, before: OpenStarts | null): OpenStarts | null {
  const open = before ?? { units: [0], graphemes: [0], cells: 0, count: 0, length: 0 };
  if (rowWidth < 2 || !isSimpleText(added)) return null;
  measuredUnits += added.length;
  walkGraphemes(added, (start, _end, width) => {
    if (open.cells + width > rowWidth) {
      open.units.push(open.length + start);
      open.graphemes.push(open.count);
      open.cells = 0;
    }
    open.cells += width;
    open.count++;
  });
  open.length += added.length;
  return open;
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
function lastAtMost(values: readonly number[] | Uint32Array, limit: number): number {
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
  firstRows: readonly number[],
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
function textEnd(text: TextParts): number {
  return text.slice(text.length - 1) === "\n" ? text.length - 1 : text.length;
}
