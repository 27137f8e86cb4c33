// Lines to rows no wider than a width. Words move whole to the next row and are broken only when longer than one;
// Chinese and Japanese break between any two signs but before closing and behind opening punctuation (kinsoku).

import { indentedLine, isAsciiText, spanCutter, substituteWide, walkSpans } from "./cell_rows.ts";
import { breaksBetween, isBlank, signKind } from "./line_breaks.ts";
import { type Line, line, lineText } from "./line.ts";
import type { Role } from "./role.ts";

/** How lines become rows. */
export interface WrapOptions {
  /** "word", the default, breaks at blanks and between CJK signs and drops the blanks there; "cell" where a row is full. */
  readonly mode?: "word" | "cell";
  /** Blank cells in front of continuation rows; less where fewer than two cells would be left. */
  readonly indent?: number;
  /** What the rows say as their source: the index of the unwrapped line. */
  readonly source?: number;
}

/** One row: units from `start` to `end` of the line's text, and the graphemes of the line before it. */
interface RowCut {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
}

let wrappedUnits = 0;

/** UTF-16 units wrapped since the program began: what tests measure speed by. */
export function wrappedLength(): number {
  return wrappedUnits;
}

/**
 * The rows of a line, at least one, none wider than `width`, which is at least 1. A grapheme wider than a row is
 * drawn as "?". `offset` counts graphemes of the line, dropped blanks included.
 */
export function wrapLine(unwrapped: Line, width: number, options: WrapOptions = {}): Line[] {
  if (!(width >= 1)) throw new Error(`Cannot wrap text to ${width} cells: width must be at least 1`);
  const source = options.source ?? unwrapped.source ?? 0;
  const text = lineText(unwrapped);
  wrappedUnits += text.length;
  const isAscii = isAsciiText(text);
  if (isAscii ? text.length <= width : fits(unwrapped, text.length, width)) {
    return [{ spans: unwrapped.spans, source, offset: 0 }];
  }
  const indent = Math.max(0, Math.min(options.indent ?? 0, width - 2));
  const widths: RowWidths = { first: width, rest: width - indent };
  const isWordMode = (options.mode ?? "word") === "word";
  let spans = unwrapped.spans;
  let cuts: RowCut[];
  if (isAscii) {
    cuts = isWordMode ? cutAsciiWords(text, widths) : cutAsciiCells(text, widths);
  } else {
    let signs = listSigns(spans, text);
    if (signs.widest > widths.rest) {
      spans = substituteWide(spans, widths.rest);
      signs = listSigns(spans, lineText({ spans }));
    }
    cuts = cutSigns(signs, widths, isWordMode ? cutWordRow : cutCellRow);
  }
  const cut = spanCutter(spans);
  return cuts.map(({ start, end, offset }, row) =>
    indentedLine(cut(start, end), row === 0 ? 0 : indent, { source, offset })
  );
}

/** The rows of a text of several lines in one role; a row's source is the index of its line. */
export function wrapText(text: string, role: Role, width: number, options: WrapOptions = {}): Line[] {
  const rows: Line[] = [];
  for (const [index, part] of text.split("\n").entries()) {
    for (const row of wrapLine(line(part, role), width, { ...options, source: index })) rows.push(row);
  }
  return rows;
}

interface RowWidths {
  readonly first: number;
  readonly rest: number;
}

/** True when the line is no wider than `width`; looks at no more of it than that takes. */
function fits(unwrapped: Line, units: number, width: number): boolean {
  // No grapheme takes more than two cells a unit.
  if (units * 2 <= width) return true;
  let cells = 0;
  walkSpans(unwrapped.spans, (_start, _end, graphemeCells) => {
    cells += graphemeCells;
    return cells > width ? false : undefined;
  });
  return cells <= width;
}

const BLANK = 0x20;

function cutAsciiCells(text: string, widths: RowWidths): RowCut[] {
  const cuts: RowCut[] = [{ start: 0, end: widths.first, offset: 0 }];
  for (let start = widths.first; start < text.length; start += widths.rest) {
    cuts.push({ start, end: Math.min(text.length, start + widths.rest), offset: start });
  }
  return cuts;
}

/** As `cutWords`, for ASCII: looks at the signs around each row's end only. */
function cutAsciiWords(text: string, widths: RowWidths): RowCut[] {
  const cuts: RowCut[] = [];
  let start = 0;
  for (;;) {
    const full = start + (cuts.length === 0 ? widths.first : widths.rest);
    if (full >= text.length) {
      cuts.push({ start, end: text.length, offset: cuts.length === 0 ? 0 : start });
      return cuts;
    }
    let next = full;
    if (text.charCodeAt(full) !== BLANK) {
      while (next > start && text.charCodeAt(next - 1) !== BLANK) next--;
    }
    if (next === start) {
      cuts.push({ start, end: full, offset: cuts.length === 0 ? 0 : start });
      start = full;
      continue;
    }
    let end = next;
    while (end > start && text.charCodeAt(end - 1) === BLANK) end--;
    while (text.charCodeAt(next) === BLANK) next++;
    // Blanks alone make no row of their own, but for a line that has nothing else.
    if (end > start || next >= text.length) cuts.push({ start, end, offset: cuts.length === 0 ? 0 : start });
    if (next >= text.length) return cuts;
    start = next;
  }
}

/** The graphemes of a line: where each begins, its cells, what it means for breaks. */
interface Signs {
  readonly count: number;
  /** One more than there are graphemes: the last is the line's length. */
  readonly starts: Uint32Array;
  readonly widths: Uint32Array;
  readonly kinds: Uint8Array;
  readonly widest: number;
}

function listSigns(spans: Line["spans"], text: string): Signs {
  const starts = new Uint32Array(text.length + 1);
  const widths = new Uint32Array(text.length);
  const kinds = new Uint8Array(text.length);
  let count = 0;
  let widest = 0;
  walkSpans(spans, (start, end, width) => {
    const kind = signKind(text, start);
    starts[count] = start;
    widths[count] = width;
    // A blank that carries an accent is a visible sign.
    kinds[count] = isBlank(kind) && end > start + 1 ? 0 : kind;
    if (width > widest) widest = width;
    count++;
  });
  starts[count] = text.length;
  return { count, starts, widths, kinds, widest };
}

/** Where the row that begins at grapheme `first` ends, and where the next one begins behind the blanks dropped. */
type RowCutter = (
  signs: Signs,
  first: number,
  rowWidth: number,
) => { readonly end: number; readonly next: number };

/** Greedy: rows take what `cutRow` says one after the other. */
function cutSigns(signs: Signs, widths: RowWidths, cutRow: RowCutter): RowCut[] {
  const cuts: RowCut[] = [];
  let offset = 0;
  let index = 0;
  while (index < signs.count || cuts.length === 0) {
    const row = cutRow(signs, index, cuts.length === 0 ? widths.first : widths.rest);
    // Blanks in front of a first word that does not fit behind them make no row of their own.
    if (row.end > index || row.next >= signs.count) {
      cuts.push({ start: signs.starts[index]!, end: signs.starts[row.end]!, offset });
      offset = row.next;
    }
    index = row.next;
  }
  return cuts;
}

/** A row ends before the first grapheme that does not fit. */
function cutCellRow(
  { count, widths }: Signs,
  first: number,
  rowWidth: number,
): { end: number; next: number } {
  let cells = 0;
  let end = first;
  while (end < count && cells + widths[end]! <= rowWidth) cells += widths[end++]!;
  return { end, next: end };
}

/** A row ends at the last place it may before the first grapheme that does not fit. */
function cutWordRow(
  { count, widths, kinds }: Signs,
  first: number,
  rowWidth: number,
): { end: number; next: number } {
  let cells = 0;
  let end = first;
  let next = first;
  for (let index = first; index < count; index++) {
    const kind = kinds[index]!;
    cells += widths[index]!;
    if (isBlank(kind)) {
      if (next < index || index === first) end = index;
      next = index + 1;
      continue;
    }
    if (index > first && next < index && breaksBetween(kinds[index - 1]!, kind)) {
      end = index;
      next = index;
    }
    if (cells > rowWidth) return next > first ? { end, next } : { end: index, next: index };
  }
  return cells > rowWidth ? { end, next } : { end: count, next: count };
}
