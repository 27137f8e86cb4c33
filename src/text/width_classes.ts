// What is known of every single code point: its cells, whether it joins its neighbours, whether terminals disagree
// about it. Decoded from the generated table at the first sign that is not ASCII.

import { WIDTH_RUNS } from "./width_table.ts";

/** The two bits that hold a code point's cells: 0, 1 or 2. In the table 3 stands for an ambiguous width. */
export const WIDTH_BITS = 3;
/** Joins what stands before it and does nothing else: accents, variation selectors, skin tones. */
export const JOINS_BACK = 4;
/** Joins in a way only Intl.Segmenter knows, or breaks always: ZWJ, jamo, regional indicators, viramas, controls. */
export const HARD = 8;
/** Terminals disagree about its width. */
export const DOUBTFUL = 16;
/** A code point with neither bit set is simple: between two simple ones there is always a grapheme boundary. */
export const NOT_SIMPLE = JOINS_BACK | HARD;

const AMBIGUOUS = 3;
/** Classes below this are read from an array; the few runs above it are searched. */
const TABLE_END = 0x20000;

let ambiguousCells: 1 | 2 = 1;
let table: Uint8Array | null = null;
let highRuns: readonly { readonly end: number; readonly pointClass: number }[] = [];

/** Classes of U+0000-1FFFF by code point. Surrogates read alone are HARD, so it may be asked by code unit too. */
export function classTable(): Uint8Array {
  return table ?? decodeTable();
}

/** The class of any code point. */
export function pointClass(point: number): number {
  const classes = table ?? decodeTable();
  return point < TABLE_END ? classes[point]! : highRuns.find((run) => point < run.end)!.pointClass;
}

/** The class of the code point that begins at `at`; 0, simple, behind the end of `text`. */
export function classAt(text: string, at: number): number {
  if (at >= text.length) return 0;
  const unit = text.charCodeAt(at);
  if ((unit & 0xf800) === 0xd800) return pointClass(text.codePointAt(at)!);
  return (table ?? decodeTable())[unit]!;
}

/** UTF-16 units of the code point that begins at `at`. */
export function pointLength(text: string, at: number): 1 | 2 {
  if ((text.charCodeAt(at) & 0xfc00) !== 0xd800) return 1;
  return (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}

/** How many cells signs of ambiguous width take: 1 as a rule, 2 in terminals set up for East Asian text. */
export function ambiguousWidth(): 1 | 2 {
  return ambiguousCells;
}

/** Sets what `ambiguousWidth` says. Widths asked for earlier are no longer true. */
export function changeAmbiguousWidth(cells: 1 | 2): void {
  ambiguousCells = cells;
  table = null;
}

function decodeTable(): Uint8Array {
  const classes = new Uint8Array(TABLE_END);
  const high: { end: number; pointClass: number }[] = [];
  let from = 0;
  for (const run of WIDTH_RUNS.split(" ")) {
    const value = parseInt(run, 36);
    const end = from + (value >> 5);
    const decoded = resolveAmbiguous(value & 31);
    classes.fill(decoded, Math.min(from, TABLE_END), Math.min(end, TABLE_END));
    if (end > TABLE_END) high.push({ end, pointClass: decoded });
    from = end;
  }
  // A unit of a surrogate pair says nothing alone.
  classes.fill(HARD, 0xd800, 0xe000);
  highRuns = high;
  table = classes;
  return classes;
}

/** An ambiguous sign drawn wide is doubtful: only the person's setting says that this terminal does so. */
function resolveAmbiguous(tableClass: number): number {
  if ((tableClass & WIDTH_BITS) !== AMBIGUOUS) return tableClass;
  const rest = tableClass & ~WIDTH_BITS;
  return ambiguousCells === 2 ? rest | 2 | DOUBTFUL : rest | 1;
}
