// The editing actions of a draft, by name. Which keys ask for them is actions.ts's; Up and Down beyond the draft,
// sending and completion are composer.ts's.

import type { ActionName } from "./actions.ts";
import {
  comparePositions,
  type Draft,
  endOf,
  insertFragment,
  lineAt,
  type Range,
  redo,
  replaceRange,
  selectionOf,
  setCaret,
  typeText,
  undo,
} from "./draft.ts";
import { stopAfter, stopBefore, wordEnd, wordStart } from "./draft_motion.ts";
import { moveByRow } from "./draft_rows.ts";
import {
  EMPTY_FRAGMENT,
  type Fragment,
  isEmptyFragment,
  joinFragments,
  MARK,
  type Paste,
  pasteAt,
  pasteFragment,
  type Position,
  sliceFragment,
  textFragment,
} from "./draft_text.ts";

/** Does one action. `width` is the composer's, in cells, for moves by row. False when there was nothing to do. */
type DraftAction = (draft: Draft, width: number) => boolean;

/** The actions a draft knows by itself. */
export const DRAFT_ACTIONS = {
  newline: (draft) => {
    typeText(draft, "\n");
    return true;
  },
  caret_left: (draft) => collapse(draft, "start") || moveTo(draft, before(draft, draft.caret)),
  caret_right: (draft) => collapse(draft, "end") || moveTo(draft, after(draft, draft.caret)),
  caret_up: (draft, width) => moveByRow(draft, -1, width),
  caret_down: (draft, width) => moveByRow(draft, 1, width),
  caret_line_start: (draft) => moveTo(draft, lineStart(draft)),
  caret_line_end: (draft) => moveTo(draft, lineEnd(draft)),
  caret_word_left: (draft) => moveTo(draft, wordBefore(draft)),
  caret_word_right: (draft) => moveTo(draft, wordAfter(draft)),
  select_left: (draft) => selectTo(draft, before(draft, draft.caret)),
  select_right: (draft) => selectTo(draft, after(draft, draft.caret)),
  select_line_start: (draft) => selectTo(draft, lineStart(draft)),
  select_line_end: (draft) => selectTo(draft, lineEnd(draft)),
  delete_left: (draft) => remove(draft, before(draft, draft.caret), "delete_left"),
  delete_right: (draft) => remove(draft, after(draft, draft.caret), "delete_right"),
  delete_word_left: (draft) => kill(draft, wordBefore(draft)),
  delete_word_right: (draft) => kill(draft, wordAfter(draft)),
  kill_line_start: (draft) =>
    kill(draft, draft.caret.column > 0 ? lineStart(draft) : before(draft, draft.caret)),
  kill_line_end: (draft) => {
    const end = lineEnd(draft);
    return kill(draft, comparePositions(end, draft.caret) > 0 ? end : after(draft, draft.caret));
  },
  yank: (draft) => {
    if (isEmptyFragment(draft.killed)) return false;
    insertFragment(draft, draft.killed);
    return true;
  },
  undo,
  redo,
  toggle_placeholder: togglePlaceholder,
} as const satisfies Partial<Record<ActionName, DraftAction>>;

/** The name of an action a draft knows by itself. */
export type DraftActionName = keyof typeof DRAFT_ACTIONS;

const KILLS: ReadonlySet<DraftActionName> = new Set([
  "delete_word_left",
  "delete_word_right",
  "kill_line_start",
  "kill_line_end",
]);

/** Whether a draft knows the action by itself. */
export function isDraftAction(name: string): name is DraftActionName {
  return Object.hasOwn(DRAFT_ACTIONS, name);
}

/** Does an action; false when there was nothing to do, for example at the first row. */
export function applyDraftAction(draft: Draft, name: DraftActionName, width: number): boolean {
  const done = (DRAFT_ACTIONS[name] as DraftAction)(draft, width);
  draft.killing = KILLS.has(name);
  return done;
}

function before(draft: Draft, at: Position): Position {
  if (at.column > 0) return { line: at.line, column: stopBefore(lineAt(draft, at.line).text, at.column) };
  return at.line === 0 ? at : { line: at.line - 1, column: lineAt(draft, at.line - 1).text.length };
}

function after(draft: Draft, at: Position): Position {
  const { text } = lineAt(draft, at.line);
  if (at.column < text.length) return { line: at.line, column: stopAfter(text, at.column) };
  return at.line === draft.lines.length - 1 ? at : { line: at.line + 1, column: 0 };
}

function lineStart(draft: Draft): Position {
  return { line: draft.caret.line, column: 0 };
}

function lineEnd(draft: Draft): Position {
  return { line: draft.caret.line, column: lineAt(draft, draft.caret.line).text.length };
}

/** The word's start to the left; at a line's start the end of the line above. */
function wordBefore(draft: Draft): Position {
  const { line, column } = draft.caret;
  return column === 0
    ? before(draft, draft.caret)
    : { line, column: wordStart(lineAt(draft, line).text, column) };
}

function wordAfter(draft: Draft): Position {
  const { line, column } = draft.caret;
  const { text } = lineAt(draft, line);
  return column === text.length ? after(draft, draft.caret) : { line, column: wordEnd(text, column) };
}

/** Moves without Shift end the selection; left and right do nothing more. */
function collapse(draft: Draft, side: "start" | "end"): boolean {
  const selection = selectionOf(draft);
  if (selection === null) return false;
  setCaret(draft, selection[side]);
  return true;
}

function moveTo(draft: Draft, target: Position): boolean {
  const moved = comparePositions(target, draft.caret) !== 0 || draft.anchor !== null;
  setCaret(draft, target);
  return moved;
}

function selectTo(draft: Draft, target: Position): boolean {
  const anchor = draft.anchor ?? draft.caret;
  const moved = comparePositions(target, draft.caret) !== 0;
  setCaret(draft, target);
  draft.anchor = anchor;
  return moved;
}

function remove(draft: Draft, target: Position, kind: "delete_left" | "delete_right"): boolean {
  const selection = selectionOf(draft);
  if (selection !== null) {
    replaceRange(draft, selection, EMPTY_FRAGMENT);
    return true;
  }
  const range = rangeTo(draft, target);
  if (range === null) return false;
  replaceRange(draft, range, EMPTY_FRAGMENT, { joins: draft.run?.kind === kind });
  draft.run = { kind, blank: false };
  return true;
}

/** Cuts from the caret to `target`, or the selection. Cuts in a row are yanked together. */
function kill(draft: Draft, target: Position): boolean {
  const range = selectionOf(draft) ?? rangeTo(draft, target);
  if (range === null) return false;
  const piece = sliceFragment(draft.lines, range.start, range.end);
  const isForward = comparePositions(range.start, draft.caret) >= 0;
  draft.killed = !draft.killing
    ? piece
    : isForward
    ? joinFragments(draft.killed, piece)
    : joinFragments(piece, draft.killed);
  replaceRange(draft, range, EMPTY_FRAGMENT);
  return true;
}

function rangeTo(draft: Draft, target: Position): Range | null {
  const order = comparePositions(target, draft.caret);
  if (order === 0) return null;
  return order < 0 ? { start: target, end: draft.caret } : { start: draft.caret, end: target };
}

/**
 * Folds the expanded paste that ends at the caret, else expands the nearest placeholder before the caret, which then
 * stands behind its text. The paste and its number stay the same.
 */
function togglePlaceholder(draft: Draft): boolean {
  for (const paste of draft.expanded) {
    const range = expandedBefore(draft, textFragment(paste.text));
    if (range === null) continue;
    draft.expanded = draft.expanded.filter((other) => other !== paste);
    replaceRange(draft, range, pasteFragment(paste));
    return true;
  }
  const found = placeholderBefore(draft);
  if (found === null) return false;
  const end = { line: found.at.line, column: found.at.column + 1 };
  replaceRange(draft, { start: found.at, end }, textFragment(found.paste.text));
  draft.expanded = [found.paste, ...draft.expanded];
  return true;
}

/** The range before the caret, if it holds just this text. */
function expandedBefore(draft: Draft, text: Fragment): Range | null {
  const { caret } = draft;
  const last = text.at(-1)?.text ?? "";
  const line = caret.line - text.length + 1;
  if (line < 0) return null;
  const column = text.length > 1
    ? lineAt(draft, line).text.length - (text[0]?.text.length ?? 0)
    : caret.column - last.length;
  const start = { line, column };
  if (column < 0 || comparePositions(endOf(start, text), caret) !== 0) return null;
  const piece = sliceFragment(draft.lines, start, caret);
  return piece.every((own, index) => own.text === text[index]?.text) ? { start, end: caret } : null;
}

function placeholderBefore(draft: Draft): { at: Position; paste: Paste } | null {
  for (let line = draft.caret.line; line >= 0; line--) {
    const own = lineAt(draft, line);
    if (own.pastes.length === 0) continue;
    const limit = line === draft.caret.line ? draft.caret.column : own.text.length;
    const column = limit === 0 ? -1 : own.text.lastIndexOf(MARK, limit - 1);
    const paste = column < 0 ? null : pasteAt(own, column);
    if (paste !== null) return { at: { line, column }, paste };
  }
  return null;
}
