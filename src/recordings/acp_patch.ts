// Changes of files as the arguments our Edit takes: from a whole file before and after, or from a unified diff.
// Agents that give a tool's own old and new strings need none of this.

import type { FileDiff } from "./acp_content.ts";

/** One replacement of text by text. */
export interface Replacement {
  readonly old_string: string;
  readonly new_string: string;
}

/** A file's changes read from a unified diff. */
export interface PatchedFile {
  readonly path: string;
  readonly edits: readonly Replacement[];
}

/** Lines kept on either side of a change. */
const CONTEXT = 3;

/**
 * The part of a file that changed, with lines around it, as few as tell it apart from any other place of the file.
 * Whole texts come back when nothing smaller does.
 */
export function replacementOf(diff: FileDiff): Replacement {
  const oldText = diff.old ?? "";
  const oldLines = linesOf(oldText);
  const newLines = linesOf(diff.new);
  const shorter = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorter && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  while (tail < shorter - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail++;
  for (let context = CONTEXT; context < oldLines.length * 2; context *= 2) {
    const from = Math.max(0, head - context);
    const until = Math.max(0, tail - context);
    const old = oldLines.slice(from, oldLines.length - until).join("");
    if (old === "" || oldText.indexOf(old) !== oldText.lastIndexOf(old)) continue;
    const text = newLines.slice(from, newLines.length - until).join("");
    return { old_string: old, new_string: text };
  }
  return { old_string: oldText, new_string: diff.new };
}

/** Reads a unified diff, one entry a file, hunks in order. What is not a hunk is passed over. */
export function parsePatch(patch: string): readonly PatchedFile[] {
  const files: { path: string; edits: Replacement[] }[] = [];
  let old: string[] = [];
  let text: string[] = [];
  // Counted, since a removed line may look like the header of the next file.
  let oldLeft = 0;
  let newLeft = 0;
  for (const line of patch.split("\n")) {
    if (oldLeft <= 0 && newLeft <= 0) {
      const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (line.startsWith("+++ ")) files.push({ path: patchPath(line.slice(4)), edits: [] });
      if (counts === null) continue;
      [old, text] = [[], []];
      oldLeft = Number(counts[1] ?? 1);
      newLeft = Number(counts[2] ?? 1);
      continue;
    }
    if (!/^[ +-]/.test(line) && line !== "") continue;
    if (!line.startsWith("+")) oldLeft--, old.push(line.slice(1));
    if (!line.startsWith("-")) newLeft--, text.push(line.slice(1));
    if (oldLeft > 0 || newLeft > 0) continue;
    files.at(-1)?.edits.push({ old_string: old.join("\n"), new_string: text.join("\n") });
  }
  return files.filter((file) => file.edits.length > 0);
}

/** Lines with their ends, so that they join to the same text. */
function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function patchPath(text: string): string {
  return text.replace(/\t.*$/, "").replace(/^[ab]\//, "");
}
