// The draft: lines, caret, selection, undo. Every change goes through `replaceRange`; the editing actions by name are
// draft_actions.ts, its rows on the screen draft_rows.ts.

import {
  countPoints,
  createPaste,
  type DraftLine,
  type DraftPart,
  EMPTY_FRAGMENT,
  expandFragment,
  type Fragment,
  fragmentParts,
  fragmentUnits,
  isEmptyFragment,
  joinDraftLines,
  joinFragments,
  partsFragment,
  type Paste,
  pasteFragment,
  type Position,
  sliceDraftLine,
  sliceFragment,
  textFragment,
} from "./draft_text.ts";
import { inheritLayout } from "./draft_layout.ts";
import { stopAtOrAfter } from "./draft_motion.ts";
import { cleanText } from "./paste_text.ts";

/** What a person is typing. Changed in place, only by the functions of this folder. */
export interface Draft {
  readonly lines: DraftLine[];
  caret: Position;
  /** The other end of the selection; null without one. */
  anchor: Position | null;
  /** The column in cells that Up and Down try to keep; null when something else moved the caret. */
  goal: number | null;
  /** Pastes of fewer code points go in as text; 0: none does. */
  readonly pasteThreshold: number;
  /** The number of the next paste. Never set back, so that no number is used twice. */
  nextPaste: number;
  /** Pastes that were expanded and can be folded again. */
  expanded: readonly Paste[];
  readonly undo: Edit[];
  /** UTF-16 units the steps of `undo` keep. */
  undoUnits: number;
  readonly redo: Edit[];
  /** What a next change of the same kind may join as one step of undo. */
  run: EditRun | null;
  killed: Fragment;
  /** The last action cut something, so that a next cut adds to it. */
  killing: boolean;
  /** Grows with every change of the text. */
  version: number;
}

/** One step of undo: at `start`, `removed` became `inserted`. */
export interface Edit {
  readonly start: Position;
  readonly removed: Fragment;
  readonly inserted: Fragment;
  readonly caret: Position;
  readonly anchor: Position | null;
  /** UTF-16 units of both. */
  readonly units: number;
}

/** Changes that make one step together: typing up to the next word, or single deletions in one direction. */
export interface EditRun {
  readonly kind: "type" | "delete_left" | "delete_right";
  readonly blank: boolean;
}

/** A range of a draft, in order. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Steps of undo kept. */
const MAX_UNDO = 1000;
/** UTF-16 units they keep in all; the newest step is kept whatever it takes. */
export const MAX_UNDO_UNITS = 32 << 20;

/** An empty draft. One lives as long as the client, for it counts the pastes. */
export function createDraft(options: { readonly pasteThreshold?: number } = {}): Draft {
  return {
    lines: [...EMPTY_FRAGMENT],
    caret: { line: 0, column: 0 },
    anchor: null,
    goal: null,
    pasteThreshold: options.pasteThreshold ?? 0,
    nextPaste: 1,
    expanded: [],
    undo: [],
    undoUnits: 0,
    redo: [],
    run: null,
    killed: EMPTY_FRAGMENT,
    killing: false,
    version: 0,
  };
}

/** What would be sent: the text with every paste in full. */
export function draftText(draft: Draft): string {
  return expandFragment(draft.lines);
}

/** Whether nothing is in it, not even a blank. */
export function isEmptyDraft(draft: Draft): boolean {
  return isEmptyFragment(draft.lines);
}

/** Whether it holds nothing but white space, so that there is nothing to send; a paste of blanks is such, too. */
export function isBlankDraft(draft: Draft): boolean {
  return draftText(draft).trim() === "";
}

/** The selected range; null without one. */
export function selectionOf(draft: Draft): Range | null {
  const { anchor, caret } = draft;
  if (anchor === null) return null;
  const order = comparePositions(anchor, caret);
  if (order === 0) return null;
  return order < 0 ? { start: anchor, end: caret } : { start: caret, end: anchor };
}

/** Types text in place of the selection. Several calls make one step of undo up to the next word. */
export function typeText(draft: Draft, text: string): void {
  const fragment = textFragment(text);
  if (isEmptyFragment(fragment)) return;
  const isBreak = fragment.length > 1;
  const blank = !isBreak && /^\s+$/u.test(text);
  const joins = draft.run?.kind === "type" && !isBreak && (blank || !draft.run.blank) &&
    selectionOf(draft) === null;
  replaceSelection(draft, fragment, { joins });
  draft.run = isBreak ? null : { kind: "type", blank };
}

/** Puts in a paste: a placeholder, or its text when it is shorter than the threshold. One step of undo. */
export function insertPaste(draft: Draft, pasted: string): void {
  const text = cleanText(pasted);
  if (text === "") return;
  const isShort = draft.pasteThreshold > 0 && countPoints(text) < draft.pasteThreshold;
  insertFragment(draft, isShort ? textFragment(text) : pasteFragment(createPaste(draft.nextPaste++, text)));
}

/** Puts a piece in place of the selection, as one step of undo. */
export function insertFragment(draft: Draft, fragment: Fragment): void {
  if (isEmptyFragment(fragment) && selectionOf(draft) === null) return;
  replaceSelection(draft, fragment, { joins: false });
}

/** Puts a piece in front of what is there, a line end between them; the caret stays where it stood in the text. */
export function insertInFront(draft: Draft, piece: Fragment): void {
  if (isEmptyFragment(piece)) return;
  const wasEmpty = isEmptyDraft(draft);
  const fragment = wasEmpty ? piece : joinFragments(piece, textFragment("\n"));
  const { line, column } = draft.caret;
  const start = { line: 0, column: 0 };
  replaceRange(draft, { start, end: start }, fragment);
  if (!wasEmpty) draft.caret = { line: line + fragment.length - 1, column };
}

/** The same for parts kept elsewhere, whose pastes get new numbers. */
export function insertPartsInFront(draft: Draft, parts: readonly DraftPart[]): void {
  insertInFront(draft, partsFragment(parts, () => draft.nextPaste++));
}

/** The draft as parts, to be kept (method keep_draft). */
export function draftParts(draft: Draft): DraftPart[] {
  return fragmentParts(draft.lines);
}

/** Puts parts in place of all there is, the caret behind them; pastes get new numbers. One step of undo. */
export function setDraftParts(draft: Draft, parts: readonly DraftPart[]): void {
  setDraft(draft, partsFragment(parts, () => draft.nextPaste++));
}

/** The whole draft as a piece; it stays as it is whatever happens to the draft. */
export function draftFragment(draft: Draft): Fragment {
  return [...draft.lines];
}

/** Puts a piece in place of all there is, the caret behind it. One step of undo. */
export function setDraft(draft: Draft, fragment: Fragment): void {
  replaceRange(draft, wholeRange(draft), fragment);
}

/** Empties the draft because it was sent: undo does not bring it back. Returns what was in it. */
export function takeDraft(draft: Draft): Fragment {
  const fragment = draftFragment(draft);
  setDraft(draft, EMPTY_FRAGMENT);
  draft.undo.length = 0;
  draft.undoUnits = 0;
  draft.redo.length = 0;
  draft.expanded = [];
  return fragment;
}

/** Puts `inserted` in place of `range`, the caret behind it. `joins`: part of the step of undo before it. */
export function replaceRange(
  draft: Draft,
  range: Range,
  inserted: Fragment,
  options: { readonly joins?: boolean } = {},
): void {
  const { start, end } = range;
  const removed = sliceFragment(draft.lines, start, end);
  if (isEmptyFragment(removed) && isEmptyFragment(inserted)) return;
  const units = fragmentUnits(removed) + fragmentUnits(inserted);
  const edit: Edit = { start, removed, inserted, caret: draft.caret, anchor: draft.anchor, units };
  const last = draft.undo.at(-1);
  const joined = options.joins === true && last !== undefined ? joinEdits(last, edit) : null;
  if (joined !== null) draft.undo[draft.undo.length - 1] = joined;
  else draft.undo.push(edit);
  draft.undoUnits += units;
  while (draft.undo.length > MAX_UNDO || draft.undoUnits > MAX_UNDO_UNITS && draft.undo.length > 1) {
    draft.undoUnits -= draft.undo.shift()?.units ?? 0;
  }
  draft.redo.length = 0;
  setCaret(draft, splice(draft, range, inserted));
}

/** Takes back the last step; false when there is none. */
export function undo(draft: Draft): boolean {
  const edit = draft.undo.pop();
  if (edit === undefined) return false;
  draft.undoUnits -= edit.units;
  splice(draft, { start: edit.start, end: endOf(edit.start, edit.inserted) }, edit.removed);
  draft.redo.push(edit);
  setCaret(draft, edit.caret);
  draft.anchor = edit.anchor;
  return true;
}

/** Does again what was taken back last; false when there is nothing. */
export function redo(draft: Draft): boolean {
  const edit = draft.redo.pop();
  if (edit === undefined) return false;
  const end = splice(draft, { start: edit.start, end: endOf(edit.start, edit.removed) }, edit.inserted);
  draft.undo.push(edit);
  draft.undoUnits += edit.units;
  setCaret(draft, end);
  return true;
}

/** Moves the caret; ends the selection, runs of typing and of cuts, and what Up and Down remember. */
export function setCaret(draft: Draft, caret: Position): void {
  draft.caret = caret;
  draft.anchor = null;
  draft.goal = null;
  draft.run = null;
  draft.killing = false;
}

/** All of the draft. */
export function wholeRange(draft: Draft): Range {
  return { start: { line: 0, column: 0 }, end: endOf({ line: 0, column: 0 }, draft.lines) };
}

/** The line of that index; an empty one when there is none. */
export function lineAt(draft: Draft, line: number): DraftLine {
  return draft.lines[line] ?? EMPTY_FRAGMENT[0]!;
}

/** Less than, equal to or greater than 0 as `first` stands before, at or behind `second`. */
export function comparePositions(first: Position, second: Position): number {
  return first.line - second.line || first.column - second.column;
}

/** Where a piece put in at `start` ends. */
export function endOf(start: Position, fragment: Fragment): Position {
  const length = fragment.at(-1)?.text.length ?? 0;
  if (fragment.length <= 1) return { line: start.line, column: start.column + length };
  return { line: start.line + fragment.length - 1, column: length };
}

function replaceSelection(draft: Draft, fragment: Fragment, options: { readonly joins: boolean }) {
  const range = selectionOf(draft) ?? { start: draft.caret, end: draft.caret };
  replaceRange(draft, range, fragment, options);
}

/** Changes the lines and nothing else; returns the caret stop behind what was put in. */
function splice(draft: Draft, range: Range, inserted: Fragment): Position {
  const { start, end } = range;
  const head = sliceDraftLine(lineAt(draft, start.line), 0, start.column);
  const tail = sliceDraftLine(lineAt(draft, end.line), end.column);
  const first = joinDraftLines(head, inserted[0]!);
  const count = end.line - start.line + 1;
  const behind = endOf(start, inserted);
  if (inserted.length === 1) {
    const line = joinDraftLines(first, tail);
    if (count === 1) {
      const edit = { start: start.column, oldEnd: end.column, newEnd: behind.column };
      inheritLayout(line, lineAt(draft, start.line), edit);
    }
    draft.lines.splice(start.line, count, line);
  } else {
    spliceLines(draft.lines, { at: start.line, count }, [
      first,
      ...inserted.slice(1, -1),
      joinDraftLines(inserted.at(-1)!, tail),
    ]);
  }
  draft.version++;
  return { line: behind.line, column: stopAtOrAfter(lineAt(draft, behind.line).text, behind.column) };
}

/** Array.splice for any number of lines: a call has room for some 100,000 arguments only. */
function spliceLines(lines: DraftLine[], range: { at: number; count: number }, put: readonly DraftLine[]) {
  if (put.length < 10_000) {
    lines.splice(range.at, range.count, ...put);
    return;
  }
  const tail = lines.slice(range.at + range.count);
  lines.length = range.at;
  for (const line of put) lines.push(line);
  for (const line of tail) lines.push(line);
}

/** Two steps as one, when the second goes on where the first stopped; null when it does not. */
function joinEdits(first: Edit, second: Edit): Edit | null {
  const { caret, anchor } = first;
  const units = first.units + second.units;
  const behind = endOf(first.start, first.inserted);
  if (isEmptyFragment(second.removed)) {
    if (comparePositions(second.start, behind) !== 0) return null;
    return {
      start: first.start,
      removed: first.removed,
      inserted: joinFragments(first.inserted, second.inserted),
      caret,
      anchor,
      units,
    };
  }
  if (!isEmptyFragment(first.inserted) || !isEmptyFragment(second.inserted)) return null;
  if (comparePositions(second.start, first.start) === 0) {
    return {
      start: first.start,
      removed: joinFragments(first.removed, second.removed),
      inserted: first.inserted,
      caret,
      anchor,
      units,
    };
  }
  if (comparePositions(endOf(second.start, second.removed), first.start) !== 0) return null;
  return {
    start: second.start,
    removed: joinFragments(second.removed, first.removed),
    inserted: first.inserted,
    caret,
    anchor,
    units,
  };
}
