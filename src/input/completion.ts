// Completion while typing: what is being completed, the list, and putting a choice in. Candidates come from outside.

import { type Draft, lineAt, replaceRange } from "./draft.ts";
import { MARK, type Position, textFragment } from "./draft_text.ts";

/** What the text before the caret asks to be completed. */
export interface CompletionRequest {
  /** A command's name, what stands behind a command, or a file. */
  readonly kind: "command" | "argument" | "file";
  /** The command whose argument it is, without "/"; "" for the other kinds. */
  readonly command: string;
  /** What has been typed of it, without "/", "@" and quotes. */
  readonly query: string;
}

/** One choice. */
export interface Candidate {
  /** What is shown. */
  readonly label: string;
  /** What goes into the draft: a command's name, an argument, a path; "/", "@" and quotes are put around it. */
  readonly text: string;
  /** More about it, shown behind. */
  readonly detail?: string;
}

/** The state of completion. The list is open while there are candidates. */
export interface Completion {
  request: CompletionRequest | null;
  /** Where what is completed begins, "/" and "@" included. */
  start: Position;
  candidates: readonly Candidate[];
  selected: number;
  /** What the candidates are for: they may come for a later request only after a while. */
  answered: CompletionRequest | null;
  /** Closed with Esc: stays closed while the same word is typed on. */
  dismissed: boolean;
}

/** Nothing being completed. */
export function createCompletion(): Completion {
  return {
    request: null,
    start: { line: 0, column: 0 },
    candidates: [],
    selected: 0,
    answered: null,
    dismissed: false,
  };
}

/**
 * Looks at the draft after it changed or the caret moved. Returns a request when candidates for another text are
 * wanted: answer it with `setCandidates`. Until then the old ones stay, so that the list does not flicker.
 */
export function updateCompletion(completion: Completion, draft: Draft): CompletionRequest | null {
  const found = draft.anchor === null ? findRequest(draft) : null;
  if (found === null) {
    closeCompletion(completion);
    completion.request = null;
    completion.dismissed = false;
    return null;
  }
  const { request, start } = found;
  const isSameWord = completion.request?.kind === request.kind && completion.start.line === start.line &&
    completion.start.column === start.column;
  if (!isSameWord) {
    closeCompletion(completion);
    completion.dismissed = false;
  }
  const isSame = isSameWord && isSameRequest(completion.request, request);
  completion.request = request;
  completion.start = start;
  return isSame || completion.dismissed ? null : request;
}

/**
 * Shows candidates for a request; ignored when something else is being completed by now. Better ones for the same
 * request leave the mark where the person has moved it.
 */
export function setCandidates(
  completion: Completion,
  request: CompletionRequest,
  candidates: readonly Candidate[],
): void {
  if (completion.dismissed || !isSameRequest(completion.request, request)) return;
  const isMoved = completion.selected > 0 && isSameRequest(completion.answered, request);
  const marked = isMoved ? completion.candidates[completion.selected]?.text : undefined;
  completion.candidates = candidates;
  completion.answered = request;
  const at = marked === undefined ? -1 : candidates.findIndex((candidate) => candidate.text === marked);
  completion.selected = Math.max(0, at);
}

/** Whether a list is shown. */
export function isCompletionOpen(completion: Completion): boolean {
  return completion.candidates.length > 0;
}

/** Moves the mark, around at the ends. */
export function moveCompletion(completion: Completion, by: -1 | 1): void {
  const count = completion.candidates.length;
  if (count > 0) completion.selected = (completion.selected + by + count) % count;
}

/** Closes the list until another word is begun. */
export function dismissCompletion(completion: Completion): void {
  completion.dismissed = true;
  closeCompletion(completion);
}

/** Whether the marked choice is what stands in the draft already, so that Enter has nothing to put in. */
export function isChoiceTyped(completion: Completion): boolean {
  const choice = completion.candidates[completion.selected];
  return choice === undefined ||
    choice.text === completion.request?.query && completion.request.kind !== "file";
}

/** Puts the marked choice in place of what was typed of it, a blank behind, as one step of undo; false when there is none. */
export function applyCompletion(completion: Completion, draft: Draft): boolean {
  const choice = completion.candidates[completion.selected];
  const { request, start } = completion;
  if (choice === undefined || request === null) return false;
  const text = choiceText(request.kind, choice.text);
  const behind = lineAt(draft, draft.caret.line).text.charAt(draft.caret.column);
  replaceRange(draft, { start, end: draft.caret }, textFragment(text + (behind === " " ? "" : " ")));
  dismissCompletion(completion);
  return true;
}

function closeCompletion(completion: Completion) {
  completion.candidates = [];
  completion.selected = 0;
}

function choiceText(kind: CompletionRequest["kind"], text: string): string {
  switch (kind) {
    case "command":
      return `/${text}`;
    case "argument":
      return text;
    case "file":
      return /\s/u.test(text) ? `@"${text}"` : `@${text}`;
  }
}

function isSameRequest(first: CompletionRequest | null, second: CompletionRequest): boolean {
  return first !== null && first.kind === second.kind && first.command === second.command &&
    first.query === second.query;
}

/** A name that is longer (UTF-16 units) is not completed. */
const LONGEST_TYPED = 1000;
const NO_BEGINNING = "x";
/** In a line that is longer (UTF-16 units) nothing is completed. */
export const LONGEST_LINE = 1 << 14;

/** A message that begins with "/" is a command; "//" is text. "@" begins a file where a word may begin. */
function findRequest(draft: Draft): { request: CompletionRequest; start: Position } | null {
  const { line, column } = draft.caret;
  const { text } = lineAt(draft, line);
  // Keys that come faster than they are drawn are joined without being copied: not so where each is looked at.
  if (text.length > LONGEST_LINE) return null;
  // A line of any length costs as much as a name: what stands before the looked at part is no word's beginning.
  const from = Math.max(0, column - LONGEST_TYPED);
  const before = (from === 0 ? "" : NO_BEGINNING) + text.slice(from, column);
  if (line === 0 && before.startsWith("/") && !before.startsWith("//") && !before.includes(MARK)) {
    const match = /^\/(\S*)$/u.exec(before);
    if (match !== null) {
      return { request: { kind: "command", command: "", query: match[1] ?? "" }, start: { line, column: 0 } };
    }
    const argument = /^\/(\S+)\s+(\S*)$/u.exec(before);
    if (argument !== null) {
      const [, command = "", query = ""] = argument;
      return {
        request: { kind: "argument", command, query },
        start: { line, column: column - query.length },
      };
    }
  }
  const quoted = /(?:^|[\s([{<,;\uffff])@"([^"\uffff]*)$/u.exec(before);
  const plain = /(?:^|[\s([{<,;\uffff])@([^\s"\uffff]*)$/u.exec(before);
  const query = (quoted ?? plain)?.[1];
  if (query === undefined) return null;
  const mark = quoted === null ? 1 : 2;
  return {
    request: { kind: "file", command: "", query },
    start: { line, column: column - query.length - mark },
  };
}
