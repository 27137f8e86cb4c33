// Follows an edit in what is known of a file: where it was, what stood around it, what the file is afterwards.
// A place is given in whole lines with up to three lines of context, merged with its neighbour where contexts touch.

import { type CachedFile, countNewlines, fileOfText, normaliseEol, type Run } from "./file_cache.ts";
import type { EditRegion } from "./tool_call.ts";
import type { EditStep } from "./tool_names.ts";

/** Lines shown on either side of a change. */
export const CONTEXT_LINES = 3;

/** What an edit did. */
export interface EditOutcome {
  readonly regions: readonly EditRegion[];
  /** "context unknown", "not found" or "not unique": the regions are then only old and new text. */
  readonly note: string | null;
  /** The file afterwards; undefined when nothing is known of it. */
  readonly file: CachedFile | undefined;
}

/** One stretch of a run's text to be replaced; offsets are into the searched text of the run. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Follows one replacement. */
export function followEdit(file: CachedFile | undefined, step: EditStep): EditOutcome {
  const oldText = normaliseEol(step.oldText);
  const newText = normaliseEol(step.newText);
  if (oldText === "") return followCreation(file, newText);
  if (file === undefined || file.stale) return plainOutcome(file, step, "context unknown");
  const matches = file.runs.map((_, index) => findAll(searchText(file, index), oldText, newText));
  const found = matches.reduce((sum, list) => sum + list.length, 0);
  if (found === 0) {
    if (file.complete) return plainOutcome(stale(file), step, "not found");
    const moved = countNewlines(oldText) !== countNewlines(newText);
    return plainOutcome(moved ? stale(file) : file, step, "context unknown");
  }
  if (found > 1 && !step.replaceAll) return plainOutcome(stale(file), step, "not unique");
  const outcome = replaceMatches(file, matches);
  const first = file.runs[0];
  const mayHideMore = step.replaceAll && !file.complete &&
    (file.runs.length > 1 || (first?.start ?? 1) > 1) &&
    countNewlines(oldText) !== countNewlines(newText);
  return mayHideMore && outcome.file !== undefined ? { ...outcome, file: stale(outcome.file) } : outcome;
}

/** Replaces matches, given for each run in rising order, and tells the places. */
export function replaceMatches(file: CachedFile, matches: readonly (readonly Match[])[]): EditOutcome {
  const regions: EditRegion[] = [];
  const runs: Run[] = [];
  let moved = 0;
  let { finalNewline } = file;
  let broken = false;
  file.runs.forEach((run, index) => {
    const list = matches[index] ?? [];
    if (list.length === 0) {
      runs.push(moved === 0 ? run : { ...run, start: run.start + moved });
      return;
    }
    const text = searchText(file, index);
    const reachesEnd = file.complete && index === file.runs.length - 1;
    for (const one of regionsOf(text, list, { start: run.start, moved, reachesEnd })) regions.push(one);
    const after = replaceIn(text, list, 0, text.length);
    const ends = after.endsWith("\n");
    if (reachesEnd) finalNewline = ends || after === "";
    else if (!ends && after !== "") broken = true;
    const body = ends ? after.slice(0, -1) : after;
    const lines = after === "" ? 0 : countNewlines(body) + 1;
    if (lines > 0) runs.push({ start: run.start + moved, lines, text: body });
    moved += lines - run.lines;
  });
  return { regions, note: null, file: { ...file, runs, finalNewline, stale: broken } };
}

/** A run's text as edits see it: its last line ends in a newline unless the file is known to lack one. */
export function searchText(file: CachedFile, index: number): string {
  const run = file.runs[index];
  if (run === undefined) return "";
  const isEnd = file.complete && index === file.runs.length - 1;
  return isEnd && !file.finalNewline ? run.text : `${run.text}\n`;
}

/** Old and new text as they are, where the place is not known. */
export function plainRegion(
  oldText: string,
  newText: string,
  oldStart: number | null = null,
  newStart = oldStart,
): EditRegion {
  return {
    oldStart,
    newStart,
    oldText: withoutFinalNewline(normaliseEol(oldText)),
    newText: withoutFinalNewline(normaliseEol(newText)),
    oldLacksFinalNewline: false,
    newLacksFinalNewline: false,
  };
}

/** The same file, no longer believed. */
export function stale(file: CachedFile): CachedFile {
  return { ...file, stale: true };
}

/** A file made with that text. */
export function creation(text: string): EditOutcome {
  const file = fileOfText(text);
  const region: EditRegion = {
    oldStart: 1,
    newStart: 1,
    oldText: "",
    newText: withoutFinalNewline(normaliseEol(text)),
    oldLacksFinalNewline: false,
    newLacksFinalNewline: !file.finalNewline,
  };
  return { regions: [region], note: null, file };
}

function followCreation(file: CachedFile | undefined, newText: string): EditOutcome {
  const isEmpty = file === undefined || file.stale || file.complete && file.runs.length === 0;
  if (isEmpty) return creation(newText);
  return { regions: [plainRegion("", newText)], note: "not unique", file: stale(file) };
}

function plainOutcome(file: CachedFile | undefined, step: EditStep, note: string): EditOutcome {
  return { regions: [plainRegion(step.oldText, step.newText)], note, file };
}

function findAll(text: string, wanted: string, replacement: string): Match[] {
  const found: Match[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    found.push({ start: at, end: at + wanted.length, text: replacement });
  }
  return found;
}

interface Place {
  readonly start: number;
  readonly moved: number;
  readonly reachesEnd: boolean;
}

function regionsOf(text: string, matches: readonly Match[], place: Place): EditRegion[] {
  const spans: { start: number; end: number; matches: Match[] }[] = [];
  for (const match of matches) {
    const start = linesBack(text, lineStart(text, match.start), CONTEXT_LINES);
    const end = linesOn(text, changedEnd(text, match), CONTEXT_LINES);
    const last = spans.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
      last.matches.push(match);
    } else {
      spans.push({ start, end, matches: [match] });
    }
  }
  let line = place.start;
  let counted = 0;
  let { moved } = place;
  return spans.map((span) => {
    line += countNewlines(text, counted, span.start);
    counted = span.start;
    const oldText = text.slice(span.start, span.end);
    const newText = replaceIn(text, span.matches, span.start, span.end);
    const isEnd = place.reachesEnd && span.end === text.length;
    const region: EditRegion = {
      oldStart: line,
      newStart: line + moved,
      oldText: withoutFinalNewline(oldText),
      newText: withoutFinalNewline(newText),
      oldLacksFinalNewline: isEnd && oldText !== "" && !oldText.endsWith("\n"),
      newLacksFinalNewline: isEnd && newText !== "" && !newText.endsWith("\n"),
    };
    moved += countNewlines(newText) - countNewlines(oldText);
    return region;
  });
}

/** Where the changed lines end: behind a newline, or at the text's end. */
function changedEnd(text: string, match: Match): number {
  const startsLine = lineStart(text, match.start) === match.start;
  const keepsLines = match.text.endsWith("\n") || match.text === "" && startsLine;
  if (text[match.end - 1] === "\n" && match.end > match.start && keepsLines) return match.end;
  if (match.end === match.start && startsLine && keepsLines) return match.end;
  return linesOn(text, match.end, 1);
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** The start of the line `count` lines above the one that begins at `at`. */
function linesBack(text: string, at: number, count: number): number {
  let start = at;
  for (let left = count; left > 0 && start > 0; left--) start = lineStart(text, start - 1);
  return start;
}

/** Behind the newline `count` lines on. */
function linesOn(text: string, at: number, count: number): number {
  let end = at;
  for (let left = count; left > 0 && end < text.length; left--) {
    const newline = text.indexOf("\n", end);
    end = newline === -1 ? text.length : newline + 1;
  }
  return end;
}

function replaceIn(text: string, matches: readonly Match[], from: number, to: number): string {
  let out = "";
  let at = from;
  for (const match of matches) {
    out += text.slice(at, match.start) + match.text;
    at = match.end;
  }
  return out + text.slice(at, to);
}

function withoutFinalNewline(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
