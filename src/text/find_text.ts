// Looking for text in rows as they are on the screen: case does not matter, a blank stands for any run of blanks, and
// what was wrapped is found across its rows. Which rows, and what to do with what is found, is the caller's.

import { graphemeEnd } from "./graphemes.ts";
import type { Line, Span } from "./line.ts";
import type { Role } from "./role.ts";

/** What is looked for. */
export interface Wanted {
  /** As it was asked for, without blanks around it. */
  readonly text: string;
  /** Finds it in text that is not wrapped. */
  readonly unwrapped: RegExp;
  /** Finds it in rows joined by line ends. */
  readonly inRows: RegExp;
}

/** A row to look in. */
export interface FindRow {
  readonly text: string;
  /** It goes on with the line that the row above began. */
  readonly goesOn: boolean;
}

/** A part of a row, in UTF-16 units of its text. */
export interface RowPart {
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

/** Where it was found: the parts of one row or of several, one below the other. At least one. */
export type FoundText = readonly RowPart[];

/** Longer texts are cut (UTF-16 units). */
export const LONGEST_WANTED = 200;
/** What rows are joined by: a line end, and where a line was wrapped. */
const LINE_END = "\n";
const ROW_END = "\r";
/** What may stand between two signs of a word that was wrapped: the frame of a quote begins each row. */
const WRAP = "(?:\\r[\\s│]*)?";
/** What a blank stands for. */
const BLANKS = "(?:[^\\S\\r\\n]*[\\r\\n]\\s*│)*\\s+";

/** What to look for; null where there is nothing but blanks. */
export function createWanted(text: string): Wanted | null {
  const cut = [...text.trim().slice(0, LONGEST_WANTED + 1)].slice(0, LONGEST_WANTED).join("");
  const trimmed = cut.toWellFormed().trim();
  if (trimmed === "") return null;
  const words = trimmed.split(/\s+/u).map((word) => [...word].map(literal));
  return {
    text: trimmed,
    unwrapped: new RegExp(words.map((signs) => signs.join("")).join("\\s+"), "iu"),
    inRows: new RegExp(words.map((signs) => signs.join(WRAP)).join(BLANKS), "giu"),
  };
}

/** All places in these rows, from the first to the last; they do not overlap. */
export function findInRows(wanted: Wanted, rows: readonly FindRow[]): readonly FoundText[] {
  const found: RowPart[][] = [];
  let joined = rows[0]?.text ?? "";
  for (let at = 1; at < rows.length; at++) {
    const { text, goesOn } = rows[at]!;
    joined += (goesOn ? ROW_END : LINE_END) + text;
  }
  let row = 0;
  let rowStart = 0;
  for (const match of joined.matchAll(wanted.inRows)) {
    const end = match.index + match[0].length;
    while (match.index > rowStart + (rows[row]?.text.length ?? 0)) {
      rowStart += (rows[row++]?.text.length ?? 0) + 1;
    }
    const parts: RowPart[] = [];
    for (let at = row, from = rowStart; from < end && at < rows.length; at++) {
      const { text } = rows[at]!;
      const start = from > match.index ? frameLength(text) : match.index - from;
      const partEnd = Math.min(end - from, text.length);
      if (start < partEnd) parts.push({ row: at, start, end: partEnd });
      from += text.length + 1;
    }
    if (parts.length > 0) found.push(parts);
  }
  return found;
}

/** A row with parts of it in other roles. The parts are in order; none ends inside a grapheme. */
export function markParts(
  line: Line,
  parts: readonly { readonly start: number; readonly end: number; readonly role: Role }[],
): Line {
  const spans: Span[] = [];
  let from = 0;
  let part = 0;
  for (const { text, role } of line.spans) {
    let at = 0;
    while (at < text.length) {
      while (part < parts.length && parts[part]!.end <= from + at) part++;
      const next = parts[part];
      const isMarked = next !== undefined && next.start <= from + at;
      const until = next === undefined ? text.length : isMarked ? next.end - from : next.start - from;
      const end = wholeGraphemes(text, at, Math.min(text.length, until));
      spans.push({ text: text.slice(at, end), role: isMarked ? next.role : role });
      at = end;
    }
    from += text.length;
  }
  return { ...line, spans };
}

/** The end of the last grapheme that begins before `until`; at least one. */
function wholeGraphemes(text: string, at: number, until: number): number {
  let end = at;
  do end = graphemeEnd(text, end); while (end < until);
  return end;
}

/** What stands in front of a row that goes on: blanks, and the frame of a quote. */
function frameLength(text: string): number {
  return /^[\s│]*/.exec(text)?.[0].length ?? 0;
}

function literal(sign: string): string {
  return sign.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
}
