// Patches as agents write them: "*** Begin Patch" and unified diffs, parsed and followed in what is known of a file.

import type { CachedFile } from "./file_cache.ts";
import {
  creation,
  type EditOutcome,
  type Match,
  plainRegion,
  replaceMatches,
  searchText,
  stale,
} from "./file_edit.ts";
import type { EditRegion } from "./tool_call.ts";

/** What a patch does to one file. */
export interface FilePatch {
  readonly path: string;
  readonly action: "add" | "update" | "delete";
  readonly movedTo: string | null;
  readonly hunks: readonly PatchHunk[];
}

/** A place of a patch: lines with their mark " ", "-" or "+". */
export interface PatchHunk {
  /** Line numbers where the patch gives them. */
  readonly oldStart: number | null;
  readonly newStart: number | null;
  /** A line that stands above the place ("@@ function foo"). */
  readonly anchor: string | null;
  readonly lines: readonly { readonly mark: " " | "-" | "+"; readonly text: string }[];
}

interface OpenPatch {
  path: string;
  action: FilePatch["action"];
  movedTo: string | null;
  hunks: {
    oldStart: number | null;
    newStart: number | null;
    anchor: string | null;
    lines: PatchHunk["lines"][number][];
  }[];
}

/** All files of a patch in order. What is no patch gives an empty list. */
export function parsePatch(patch: string): readonly FilePatch[] {
  const lines = patch.replaceAll("\r\n", "\n").split("\n");
  const start = lines.findIndex((text) => text.trim() === "*** Begin Patch");
  return (start === -1 ? parseUnified(lines) : parseEnvelope(lines.slice(start + 1)))
    .filter((file) => file.path !== "");
}

/** Follows the part of a patch that concerns one file. */
export function followPatch(file: CachedFile | undefined, patch: FilePatch): EditOutcome {
  if (patch.action === "add") return creation(addedText(patch));
  if (patch.action === "delete") return followDeletion(file, patch);
  if (file === undefined || file.stale) return unlocated(file, patch, "context unknown");
  const matches = locateHunks(file, patch.hunks);
  if (matches === null) return unlocated(stale(file), patch, file.complete ? "not found" : "context unknown");
  return replaceMatches(file, matches);
}

const HEADERS: readonly (readonly [prefix: string, action: FilePatch["action"]])[] = [
  ["*** Add File: ", "add"],
  ["*** Update File: ", "update"],
  ["*** Delete File: ", "delete"],
];

function parseEnvelope(lines: readonly string[]): FilePatch[] {
  const files: OpenPatch[] = [];
  for (const text of lines) {
    if (text.trim() === "*** End Patch") break;
    const header = HEADERS.find(([prefix]) => text.startsWith(prefix));
    const file = files.at(-1);
    if (header !== undefined) {
      files.push({ path: text.slice(header[0].length).trim(), action: header[1], movedTo: null, hunks: [] });
    } else if (file === undefined || text === "*** End of File") {
      continue;
    } else if (text.startsWith("*** Move to: ")) {
      file.movedTo = text.slice("*** Move to: ".length).trim();
    } else if (text.startsWith("@@")) {
      const anchor = text.slice(2).trim();
      file.hunks.push({ oldStart: null, newStart: null, anchor: anchor === "" ? null : anchor, lines: [] });
    } else {
      addLine(file, text);
    }
  }
  return files;
}

function parseUnified(lines: readonly string[]): FilePatch[] {
  const files: OpenPatch[] = [];
  let oldPath = "";
  let left = { old: 0, new: 0 };
  for (const text of lines) {
    const file = files.at(-1);
    const inHunk = left.old > 0 || left.new > 0;
    if (inHunk && file !== undefined) {
      const mark = text[0] ?? " ";
      if (mark === "\\") continue;
      addLine(file, text);
      left = { old: left.old - (mark === "+" ? 0 : 1), new: left.new - (mark === "-" ? 0 : 1) };
    } else if (text.startsWith("--- ")) {
      oldPath = diffPath(text);
    } else if (text.startsWith("+++ ")) {
      const newPath = diffPath(text);
      files.push({
        path: oldPath === "" ? newPath : oldPath,
        action: oldPath === "" ? "add" : newPath === "" ? "delete" : "update",
        movedTo: oldPath !== "" && newPath !== "" && newPath !== oldPath ? newPath : null,
        hunks: [],
      });
    } else {
      const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
      if (hunk === null || file === undefined) continue;
      left = { old: Number(hunk[2] ?? 1), new: Number(hunk[4] ?? 1) };
      file.hunks.push({ oldStart: Number(hunk[1]), newStart: Number(hunk[3]), anchor: null, lines: [] });
    }
  }
  return files;
}

function addLine(file: OpenPatch, text: string): void {
  let hunk = file.hunks.at(-1);
  if (hunk === undefined) file.hunks.push(hunk = { oldStart: null, newStart: null, anchor: null, lines: [] });
  const mark = text[0];
  if (mark === "+" || mark === "-" || mark === " ") hunk.lines.push({ mark, text: text.slice(1) });
  // An empty context line often loses its blank.
  else if (text === "") hunk.lines.push({ mark: " ", text: "" });
}

/** The path of a "---" or "+++" line, without "a/", "b/" and a date; "" for /dev/null. */
function diffPath(text: string): string {
  const path = (text.slice(4).split("\t")[0] ?? "").trim();
  return path === "/dev/null" ? "" : path.replace(/^[ab]\//, "");
}

function addedText(patch: FilePatch): string {
  const added = patch.hunks.flatMap((hunk) => hunk.lines.filter(({ mark }) => mark === "+"));
  return added.map(({ text }) => `${text}\n`).join("");
}

function followDeletion(file: CachedFile | undefined, patch: FilePatch): EditOutcome {
  if (file === undefined || file.stale || !file.complete) {
    return { ...unlocated(undefined, patch, "context unknown"), file: undefined };
  }
  const whole = file.runs[0]?.text ?? "";
  return { regions: whole === "" ? [] : [plainRegion(`${whole}\n`, "", 1)], note: null, file: undefined };
}

/** The hunks as they are; their own context and numbers are all that is known. */
function unlocated(file: CachedFile | undefined, patch: FilePatch, note: string): EditOutcome {
  const regions: EditRegion[] = patch.hunks
    .filter((hunk) => hunk.lines.length > 0)
    .map((hunk) => plainRegion(sideOf(hunk, "-"), sideOf(hunk, "+"), hunk.oldStart, hunk.newStart));
  const hasNumbers = patch.hunks.every((hunk) => hunk.oldStart !== null);
  return { regions, note: hasNumbers && regions.length > 0 ? null : note, file };
}

/** One side of a hunk, each line ended by LF. */
function sideOf(hunk: PatchHunk, side: "-" | "+"): string {
  return hunk.lines.filter(({ mark }) => mark === " " || mark === side).map(({ text }) => `${text}\n`).join(
    "",
  );
}

/** Where the hunks are, in order, for each run; null when one is not there. */
function locateHunks(file: CachedFile, hunks: readonly PatchHunk[]): Match[][] | null {
  const texts = file.runs.map((_, index) => searchText(file, index));
  const matches: Match[][] = texts.map(() => []);
  let run = 0;
  let from = 0;
  for (const hunk of hunks) {
    if (hunk.lines.every(({ mark }) => mark === " ")) continue;
    let match: Match | null = null;
    for (let at = run; at < texts.length && match === null; at++) {
      match = locateHunk(texts[at] ?? "", hunk, at === run ? from : 0, file.runs[at]?.start ?? 1);
      if (match !== null) run = at;
    }
    if (match === null) return null;
    matches[run]?.push(withoutContext(match, hunk));
    from = match.end;
  }
  return matches;
}

/** The changed lines of a hunk alone: the context is shown as for every other edit. */
function withoutContext(match: Match, hunk: PatchHunk): Match {
  const { lines } = hunk;
  const first = lines.findIndex(({ mark }) => mark !== " ");
  const last = lines.findLastIndex(({ mark }) => mark !== " ");
  const length = (from: number, to: number) =>
    lines.slice(from, to).reduce((sum, { text }) => sum + text.length + 1, 0);
  const head = length(0, first);
  // A match at the end of a file without its final newline is one shorter.
  const tail = Math.min(
    length(last + 1, lines.length),
    match.end - match.start - head,
    match.text.length - head,
  );
  return {
    start: match.start + head,
    end: match.end - tail,
    text: match.text.slice(head, match.text.length - tail),
  };
}

function locateHunk(text: string, hunk: PatchHunk, from: number, start: number): Match | null {
  const oldText = sideOf(hunk, "-");
  const newText = sideOf(hunk, "+");
  const begin = hunk.anchor === null ? from : behindLine(text, hunk.anchor, from) ?? from;
  if (oldText === "") {
    const at = hunk.anchor !== null || hunk.oldStart === null
      ? hunk.anchor === null ? text.length : begin
      : offsetOfLine(text, hunk.oldStart + 1 - start);
    return at === null || at < from ? null : { start: at, end: at, text: newText };
  }
  const candidates: Match[] = [];
  for (let at = text.indexOf(oldText, begin); at !== -1; at = text.indexOf(oldText, at + 1)) {
    if (at === 0 || text[at - 1] === "\n") {
      candidates.push({ start: at, end: at + oldText.length, text: newText });
    }
  }
  // The last line may lack its newline.
  const tail = oldText.slice(0, -1);
  if (candidates.length === 0 && text.endsWith(tail) && text.length - tail.length >= begin) {
    const at = text.length - tail.length;
    if (at === 0 || text[at - 1] === "\n") return { start: at, end: text.length, text: newText.slice(0, -1) };
  }
  if (hunk.oldStart === null) return candidates[0] ?? null;
  const wanted = offsetOfLine(text, hunk.oldStart - start) ?? 0;
  return candidates.sort((a, b) => Math.abs(a.start - wanted) - Math.abs(b.start - wanted))[0] ?? null;
}

/** Behind the first line from `from` on that is `line`, blanks around it aside. */
function behindLine(text: string, line: string, from: number): number | null {
  for (let at = from; at < text.length;) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline;
    if (text.slice(at, end).trim() === line) return Math.min(end + 1, text.length);
    at = end + 1;
  }
  return null;
}

/** Where the line `index` (from 0) begins; null past the end. */
function offsetOfLine(text: string, index: number): number | null {
  let at = 0;
  for (let line = 0; line < index; line++) {
    const newline = text.indexOf("\n", at);
    if (newline === -1) return null;
    at = newline + 1;
  }
  return index < 0 ? null : at;
}
