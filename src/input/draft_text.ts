// The text of a draft: lines in which a paste stands as one sign, and pieces cut out of them.
// Editing is draft.ts; where the lines wrap is draft_layout.ts.

import { cleanText } from "./paste_text.ts";

/** A paste shown as a placeholder. The object is the paste: it is known by identity, never by its label. */
export interface Paste {
  /** Counts from 1 for the life of the client. */
  readonly number: number;
  /** What is sent, in the form of `cleanText`. */
  readonly text: string;
  /** What is shown: `[Clipboard #N | X chars, Y lines]`. */
  readonly label: string;
}

/**
 * One logical line. Each MARK in `text` stands for the paste of the same rank in `pastes`. Lines are never changed,
 * so what is computed of one may be kept in it.
 */
export interface DraftLine {
  readonly text: string;
  readonly pastes: readonly Paste[];
  /** draft_layout.ts's memory of where the line wraps. */
  layout: unknown;
}

/** A place between two signs: a line, and UTF-16 units before it in that line. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A piece of a draft: lines with line ends between them, at least one line. */
export type Fragment = readonly DraftLine[];

/** A part of a draft that is kept: equal to DraftPart of the methods, which this folder may not import. */
export interface DraftPart {
  readonly type: "text" | "paste";
  readonly text: string;
}

/** Stands for a paste in a line: a noncharacter, which Unicode keeps for such use and `textFragment` lets no text hold. */
export const MARK = "\uffff";

/** A line. */
export function draftLine(text: string, pastes: readonly Paste[] = NO_PASTES): DraftLine {
  return { text, pastes, layout: null };
}

const NO_PASTES: readonly Paste[] = [];

/** A piece without text. */
export const EMPTY_FRAGMENT: Fragment = [draftLine("")];

/** A paste with the label decisions of this product fix: code points, and lines without counting a final line end. */
export function createPaste(number: number, text: string): Paste {
  const label = `[Clipboard #${number} | ${countPoints(text)} chars, ${countLines(text)} lines]`;
  return { number, text, label };
}

/** Outside text as a piece of plain text. The one way text gets into lines. */
export function textFragment(text: string): Fragment {
  return cleanText(text).replaceAll(MARK, "\ufffd").split("\n").map((line) => draftLine(line));
}

/** A piece that is one placeholder. */
export function pasteFragment(paste: Paste): Fragment {
  return [draftLine(MARK, [paste])];
}

/** Whether a piece has nothing in it. */
export function isEmptyFragment(fragment: Fragment): boolean {
  return fragment.length === 1 && fragment[0]?.text === "";
}

/** Two pieces, one behind the other. */
export function joinFragments(first: Fragment, second: Fragment): Fragment {
  const last = first.at(-1);
  const next = second[0];
  if (last === undefined) return second;
  if (next === undefined) return first;
  return [...first.slice(0, -1), joinDraftLines(last, next), ...second.slice(1)];
}

/** Two lines made one. */
export function joinDraftLines(first: DraftLine, second: DraftLine): DraftLine {
  if (first.text === "") return second;
  if (second.text === "") return first;
  return draftLine(first.text + second.text, [...first.pastes, ...second.pastes]);
}

/** The piece of a line from `start` to `end`. */
export function sliceDraftLine(line: DraftLine, start: number, end = line.text.length): DraftLine {
  if (start === 0 && end === line.text.length) return line;
  const text = line.text.slice(start, end);
  if (line.pastes.length === 0) return draftLine(text);
  const before = countMarks(line.text, 0, start);
  return draftLine(text, line.pastes.slice(before, before + countMarks(line.text, start, end)));
}

/** The piece of `lines` between two positions. */
export function sliceFragment(lines: readonly DraftLine[], start: Position, end: Position): Fragment {
  const first = lines[start.line];
  const last = lines[end.line];
  if (first === undefined || last === undefined) return EMPTY_FRAGMENT;
  if (start.line === end.line) return [sliceDraftLine(first, start.column, end.column)];
  return [
    sliceDraftLine(first, start.column),
    ...lines.slice(start.line + 1, end.line),
    sliceDraftLine(last, 0, end.column),
  ];
}

/** The paste whose MARK stands at `column`; null when another sign does. */
export function pasteAt(line: DraftLine, column: number): Paste | null {
  if (line.text.charAt(column) !== MARK) return null;
  return line.pastes[countMarks(line.text, 0, column)] ?? null;
}

/** UTF-16 units a piece keeps, its pastes in full: what bounds go by. */
export function fragmentUnits(fragment: Fragment): number {
  let units = 0;
  for (const { text, pastes } of fragment) {
    units += text.length;
    for (const paste of pastes) units += paste.text.length;
  }
  return units;
}

/** What is sent: every placeholder replaced by its text, in one pass. */
export function expandFragment(fragment: Fragment): string {
  return fragment.map(expandLine).join("\n");
}

/** A piece as parts, for keeping it elsewhere. */
export function fragmentParts(fragment: Fragment): DraftPart[] {
  const parts: DraftPart[] = [];
  let text = "";
  for (const [index, line] of fragment.entries()) {
    if (index > 0) text += "\n";
    for (const [rank, piece] of line.text.split(MARK).entries()) {
      const paste = rank === 0 ? undefined : line.pastes[rank - 1];
      if (paste !== undefined) {
        if (text !== "") parts.push({ type: "text", text });
        parts.push({ type: "paste", text: paste.text });
        text = "";
      }
      text += piece;
    }
  }
  if (text !== "") parts.push({ type: "text", text });
  return parts;
}

/** A piece from parts; `number` gives each paste its number. */
export function partsFragment(parts: readonly DraftPart[], number: () => number): Fragment {
  let fragment = EMPTY_FRAGMENT;
  for (const part of parts) {
    const text = cleanText(part.text);
    if (text === "") continue;
    const piece = part.type === "paste" ? pasteFragment(createPaste(number(), text)) : textFragment(text);
    fragment = joinFragments(fragment, piece);
  }
  return fragment;
}

/** Code points of a text. */
export function countPoints(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) pairs++;
  return text.length - pairs;
}

/** Lines of a text; a final line end adds none, and there is always one. */
export function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < text.length - 1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function expandLine(line: DraftLine): string {
  if (line.pastes.length === 0) return line.text;
  return line.text.split(MARK).map((piece, rank) => rank === 0 ? piece : line.pastes[rank - 1]!.text + piece)
    .join("");
}

function countMarks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf(MARK, start); at >= 0 && at < end; at = text.indexOf(MARK, at + 1)) count++;
  return count;
}
