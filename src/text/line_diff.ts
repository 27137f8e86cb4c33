// Two texts as the hunks of lines in which they differ, on the library `diff`, imported lazily.
// Colours and gutters belong to the renderers; making the lines safe to show belongs to outside_text.ts.

import { loadLibrary } from "./libraries.ts";

type Diff = typeof import("diff/lib/patch/create.js");

/** One row of a hunk. Line numbers begin at 1; null on the side that does not have the line. */
export interface DiffRow {
  /** "note" is the row "\ No newline at end of file", which belongs to the row before it. */
  readonly kind: "context" | "removed" | "added" | "note";
  /** The line without its line end. */
  readonly text: string;
  readonly oldLine: number | null;
  readonly newLine: number | null;
}

/** Changed lines and the context around them. `oldStart` and `newStart` are the first row's line numbers. */
export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly rows: readonly DiffRow[];
}

/**
 * More edits than this are not looked for: the time grows with their square, up to 45 s for 10,000 changed lines.
 * A count and not a time, so that the same texts always give the same hunks.
 */
const MOST_EDITS = 500;
const CONTEXT = 3;

const KINDS: Readonly<Record<string, DiffRow["kind"]>> = {
  " ": "context",
  "-": "removed",
  "+": "added",
  "\\": "note",
};

let diff: Diff | null = null;
let loading: Promise<void> | null = null;
let generation = 0;

/** Loads the library; until then `diffLines` returns null. */
export function loadLineDiff(): Promise<void> {
  loading ??= loadLibrary("diff/lib/patch/create.js").then((module) => {
    diff = module;
    generation++;
  });
  return loading;
}

/** Grows when `diffLines` may now find what it did not before. */
export function lineDiffGeneration(): number {
  return generation;
}

/**
 * The hunks that make `newText` of `oldText`, none when only line ends differ; null when that costs too much or the
 * library is not loaded: show all of the old text removed and all of the new one added. `context` is 3 lines.
 */
export function diffLines(
  oldText: string,
  newText: string,
  options: { readonly context?: number } = {},
): Hunk[] | null {
  if (diff === null) return null;
  const patch = diff.structuredPatch(
    "",
    "",
    withLineFeeds(oldText),
    withLineFeeds(newText),
    undefined,
    undefined,
    {
      context: options.context ?? CONTEXT,
      maxEditLength: MOST_EDITS,
    },
  );
  return patch?.hunks.map((hunk) => numbered(hunk)) ?? null;
}

/** Every line end as LF: files differ in them, but no one edits them, and a CR is nothing to look at. */
function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r+\n|\r/g, "\n") : text;
}

function numbered(hunk: { oldStart: number; newStart: number; lines: readonly string[] }): Hunk {
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  const rows = hunk.lines.map((line): DiffRow => {
    const kind = KINDS[line.charAt(0)] ?? "context";
    const text = kind === "note" ? line : line.slice(1);
    return {
      kind,
      text,
      oldLine: kind === "context" || kind === "removed" ? oldLine++ : null,
      newLine: kind === "context" || kind === "added" ? newLine++ : null,
    };
  });
  return { oldStart: hunk.oldStart, newStart: hunk.newStart, rows };
}
