// Lines too long to be looked at again for each word that is added to them: cut into segments whose rows are found
// once. Rows are filled from their start, so a segment goes on with the text of the last row before it.

import { walkGraphemes } from "./graphemes.ts";
import { type Line, lineText } from "./line.ts";
import type { Role } from "./role.ts";
import { wrapLine } from "./wrap.ts";

/** A line of more UTF-16 units than this is cut into segments. */
export const LONGEST_LINE = 4096;
/** A segment ends at the first boundary of graphemes behind so many UTF-16 units. */
export const SEGMENT_LENGTH = 1024;
/** So much must follow a boundary: less could still join what stands before it. */
const SURE_LENGTH = 64;
/** A grapheme longer than this is cut. */
const LONGEST_SIGN = 4096;

/** With so much of a line its first segment's end is known. */
export const FARTHEST_SEGMENT = SEGMENT_LENGTH + LONGEST_SIGN + SURE_LENGTH;

/** The last row of a line that goes on: where its next segment begins to be wrapped. */
export interface OpenRow {
  readonly text: string;
  /** Graphemes of the line before the row. */
  readonly offset: number;
}

/** A segment to be wrapped. */
export interface Segment {
  readonly text: string;
  readonly role: Role;
  readonly mode: "word" | "cell";
  /** The row it goes on with, whose place its own first row takes; null where a line begins. */
  readonly open: OpenRow | null;
  readonly source: number;
  /** The line ends with it. */
  readonly isLast: boolean;
  /** Blanks at both ends of the line mean nothing. */
  readonly trims: boolean;
}

/**
 * Where the first segment of `text` ends: at the first boundary of graphemes behind SEGMENT_LENGTH that no text to
 * come can move; 0 while there is none.
 */
export function segmentEnd(text: string): number {
  if (text.length < SEGMENT_LENGTH + SURE_LENGTH) return 0;
  let found = 0;
  walkGraphemes(text.slice(0, SEGMENT_LENGTH + LONGEST_SIGN), (_start, end) => {
    if (end < SEGMENT_LENGTH) return;
    found = end;
    return false;
  });
  return found + SURE_LENGTH <= text.length ? found : 0;
}

/** The rows of a segment, and the last of them to go on with. */
export function wrapSegment(
  { text, role, mode, open, source, isLast, trims }: Segment,
  width: number,
): { readonly rows: readonly Line[]; readonly open: OpenRow } {
  const whole = (open?.text ?? "") + text;
  const start = trims && (open === null || open.text.trim() === "") ? blanksAt(whole) : 0;
  const end = trims && isLast ? whole.length - blanksBehind(whole) : whole.length;
  const shown = whole.slice(start, Math.max(start, end));
  const wrapped = wrapLine({ spans: shown === "" ? [] : [{ text: shown, role }] }, width, { mode, source });
  const before = open?.offset ?? 0;
  const rows = before === 0
    ? wrapped
    : wrapped.map((row) => ({ ...row, offset: before + (row.offset ?? 0) }));
  const last = rows[rows.length - 1]!;
  return { rows, open: { text: openText(lineText(last), shown, mode, width), offset: last.offset ?? 0 } };
}

/** A row's text with the blanks behind it that wrapping drops: they part it from the next word. */
function openText(row: string, whole: string, mode: "word" | "cell", width: number): string {
  if (mode === "cell" || !whole.endsWith(" ")) return row;
  return row.slice(0, row.length - blanksBehind(row)) + " ".repeat(Math.min(blanksBehind(whole), width + 1));
}

function blanksAt(text: string): number {
  let count = 0;
  while (text.charCodeAt(count) === 0x20) count++;
  return count;
}

function blanksBehind(text: string): number {
  let count = 0;
  while (text.charCodeAt(text.length - 1 - count) === 0x20) count++;
  return count;
}
