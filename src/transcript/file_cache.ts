// File contents as the conversation showed them, for diffs only: per path the known lines, in runs without gaps.
// Locating an edit in them is file_edit.ts; which tool stores what is file_effects.ts.

/** Lines that stand together: joined by LF, without the newline that ends the last. */
export interface Run {
  /** Number of the first line, from 1. */
  readonly start: number;
  /** Lines in the run; at least 1. */
  readonly lines: number;
  readonly text: string;
}

/** One file as far as it is known. Never changed in place, so a preview may work on a copy. */
export interface CachedFile {
  /** Rising, without overlap; runs that touch are joined. */
  readonly runs: readonly Run[];
  /** All lines are known. */
  readonly complete: boolean;
  /** The last line ends in a newline; true while unknown. */
  readonly finalNewline: boolean;
  /** Line ends as they were seen; `text` has LF only. */
  readonly eol: "lf" | "crlf" | "mixed";
  /** An edit could not be followed: the lines are no longer believed. */
  readonly stale: boolean;
}

/** A piece of a file as a tool showed it. */
export interface FileSlice {
  readonly start: number;
  readonly lines: number;
  readonly text: string;
  readonly complete: boolean;
  readonly finalNewline: boolean;
  readonly eol: CachedFile["eol"];
}

/** Files by normalised path, least recently used first. */
export interface FileCache {
  readonly files: Map<string, CachedFile>;
  /** UTF-16 units held, with a little for each run. */
  size: number;
  readonly limit: number;
}

const LIMIT = 64 << 20;
const RUN_COST = 64;

export function createFileCache(limit = LIMIT): FileCache {
  return { files: new Map(), size: 0, limit };
}

export function clearFiles(cache: FileCache): void {
  cache.files.clear();
  cache.size = 0;
}

/** The file as known; it counts as used. */
export function useFile(cache: FileCache, path: string): CachedFile | undefined {
  const file = cache.files.get(path);
  if (file === undefined) return undefined;
  cache.files.delete(path);
  cache.files.set(path, file);
  return file;
}

/** The file as known, without counting as a use: for previews. */
export function peekFile(cache: FileCache, path: string): CachedFile | undefined {
  return cache.files.get(path);
}

/** Stores what is now known of a file; old files give way. One larger than the whole cache is forgotten. */
export function storeFile(cache: FileCache, path: string, file: CachedFile): void {
  forgetFile(cache, path);
  const size = sizeOf(path, file);
  if (size > cache.limit) return;
  cache.files.set(path, file);
  cache.size += size;
  for (const oldest of cache.files.keys()) {
    if (cache.size <= cache.limit) break;
    forgetFile(cache, oldest);
  }
}

export function forgetFile(cache: FileCache, path: string): void {
  const file = cache.files.get(path);
  if (file === undefined) return;
  cache.files.delete(path);
  cache.size -= sizeOf(path, file);
}

/** A file whose whole text is known. */
export function fileOfText(text: string): CachedFile {
  return fileOfSlice(sliceOfText(text, { start: 1, complete: true }));
}

/** The text as a slice: line ends become LF, and the final newline a flag. */
export function sliceOfText(
  text: string,
  options: { readonly start: number; readonly complete: boolean },
): FileSlice {
  const eol = eolOf(text);
  const plain = normaliseEol(text);
  const ends = plain.endsWith("\n");
  const body = ends ? plain.slice(0, -1) : plain;
  return {
    start: options.start,
    lines: plain === "" ? 0 : countNewlines(body) + 1,
    text: body,
    complete: options.complete,
    finalNewline: plain === "" || ends,
    eol,
  };
}

/** What is known after a slice was seen. A complete one replaces all; others are laid over what is known. */
export function mergeSlice(before: CachedFile | undefined, slice: FileSlice): CachedFile {
  if (slice.complete || before === undefined || before.stale) return fileOfSlice(slice);
  if (slice.lines === 0) return before;
  const end = slice.start + slice.lines;
  const kept = before.runs.flatMap((run) => [
    ...cutRun(run, run.start, slice.start),
    ...cutRun(run, end, run.start + run.lines),
  ]);
  const runs = joinRuns([...kept, runOf(slice)].sort((a, b) => a.start - b.start));
  const agrees = before.complete && runs.length === 1 && runs[0]?.text === before.runs[0]?.text;
  return {
    runs,
    complete: agrees,
    finalNewline: agrees ? before.finalNewline : true,
    eol: before.eol === slice.eol ? before.eol : "mixed",
    stale: false,
  };
}

/** Lexical only: "." and ".." resolved, against `cwd` where the path is relative and `cwd` known. */
export function normalisePath(path: string, cwd: string | null): string {
  const windows = /^[A-Za-z]:[\\/]/.test(path);
  const slashed = windows ? path.replaceAll("\\", "/") : path;
  const isAbsolute = windows || slashed.startsWith("/") || slashed.startsWith("~");
  const whole = isAbsolute || cwd === null || cwd === ""
    ? slashed
    : `${cwd.replaceAll("\\", "/")}/${slashed}`;
  const root = whole.startsWith("/") ? "/" : "";
  const parts: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || root === "") parts.push(part);
  }
  return root + parts.join("/");
}

/** CR LF as LF; a CR alone stays. */
export function normaliseEol(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

export function countNewlines(text: string, from = 0, to = text.length): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function eolOf(text: string): CachedFile["eol"] {
  if (!text.includes("\r\n")) return "lf";
  return /(^|[^\r])\n/.test(text) ? "mixed" : "crlf";
}

function fileOfSlice(slice: FileSlice): CachedFile {
  const { complete, finalNewline, eol } = slice;
  return { runs: slice.lines === 0 ? [] : [runOf(slice)], complete, finalNewline, eol, stale: false };
}

function runOf(slice: FileSlice): Run {
  return { start: slice.start, lines: slice.lines, text: slice.text };
}

/** The part of a run from line `from` up to but not including line `to`. */
function cutRun(run: Run, from: number, to: number): Run[] {
  const start = Math.max(from, run.start);
  const end = Math.min(to, run.start + run.lines);
  if (start >= end) return [];
  if (start === run.start && end === run.start + run.lines) return [run];
  const first = lineOffset(run.text, start - run.start);
  const last = end === run.start + run.lines ? run.text.length : lineOffset(run.text, end - run.start) - 1;
  return [{ start, lines: end - start, text: run.text.slice(first, last) }];
}

/** Where line `index` (from 0) begins. */
function lineOffset(text: string, index: number): number {
  let at = 0;
  for (let line = 0; line < index; line++) at = text.indexOf("\n", at) + 1;
  return at;
}

function joinRuns(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last === undefined || last.start + last.lines !== run.start) {
      joined.push(run);
      continue;
    }
    joined[joined.length - 1] = {
      start: last.start,
      lines: last.lines + run.lines,
      text: `${last.text}\n${run.text}`,
    };
  }
  return joined;
}

function sizeOf(path: string, file: CachedFile): number {
  return file.runs.reduce((sum, run) => sum + run.text.length + RUN_COST, path.length + RUN_COST);
}
