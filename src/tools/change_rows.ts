// File changes as the rows of a unified diff, not yet wrapped: the one source of Edit's detail and its preview.

import { safeBlockText, safeText } from "../text/outside_text.ts";
import { diffLines, type Hunk, lineDiffGeneration } from "../text/line_diff.ts";
import type { EditRegion, FileChange } from "../transcript/tool_call.ts";

/** One row of a diff before wrapping. Its text is safe. */
export interface ChangeRow {
  readonly kind: "path" | "note" | "gap" | "context" | "removed" | "added";
  readonly text: string;
  /** The line's number where the file was known: in the old text for removed rows, else in the new one. */
  readonly number: number | null;
  /** Rows to the nearest changed one; 0 for all but context. */
  readonly distance: number;
}

/** The rows of all changes, in order. */
export interface ChangeList {
  readonly rows: readonly ChangeRow[];
  readonly added: number;
  readonly removed: number;
  /** Cells the widest line number takes; 0 when none is known. */
  readonly numberWidth: number;
  /** UTF-16 units of all texts. */
  readonly length: number;
}

/** Context lines on either side. */
const CONTEXT = 3;

/** Lists made before the diff library was there are made again once it is. */
const keptLists = new WeakMap<
  readonly FileChange[],
  { readonly generation: number; readonly list: ChangeList }
>();

/** The rows of `changes`: of one file without its path, of several with each one's path in front. */
export function changeList(changes: readonly FileChange[]): ChangeList {
  const generation = lineDiffGeneration();
  const kept = keptLists.get(changes);
  if (kept?.generation === generation) return kept.list;
  const rows: ChangeRow[] = [];
  for (const change of changes) {
    if (changes.length > 1) {
      rows.push(plainRow("path", `${safeText(change.path, { strict: true })}${changeSuffix(change)}`));
    }
    // Of a deleted file nothing is missing.
    const isBare = change.action === "delete" && change.regions.length === 0;
    if (change.note !== null && !isBare) rows.push(plainRow("note", `(${safeText(change.note)})`));
    let first = true;
    for (const region of change.regions) {
      for (const hunkRows of regionRows(region)) {
        if (!first) rows.push(plainRow("gap", "⋯"));
        for (const one of hunkRows) rows.push(one);
        first = false;
      }
    }
  }
  const list = listOf(rows);
  keptLists.set(changes, { generation, list });
  return list;
}

/** What a patch did with the file as a whole; "" for a change of its text. */
export function changeSuffix({ action, movedTo }: FileChange): string {
  const moved = movedTo === undefined ? "" : ` -> ${safeText(movedTo, { strict: true })}`;
  return moved + (action === "add" ? " (added)" : action === "delete" ? " (deleted)" : "");
}

/** A text as a region holds it: its lines joined, the last one's end left out. */
export function withoutFinalNewline(text: string): string {
  return text.endsWith("\n") ? text.slice(0, text.endsWith("\r\n") ? -2 : -1) : text;
}

function listOf(rows: readonly ChangeRow[]): ChangeList {
  let added = 0;
  let removed = 0;
  let highest = 0;
  let length = 0;
  for (const row of rows) {
    if (row.kind === "added") added++;
    if (row.kind === "removed") removed++;
    highest = Math.max(highest, row.number ?? 0);
    length += row.text.length;
  }
  return { rows, added, removed, numberWidth: highest === 0 ? 0 : String(highest).length, length };
}

/** A region's hunks; plain old and new where a diff would cost too much. */
function regionRows(region: EditRegion): readonly (readonly ChangeRow[])[] {
  const oldText = endedText(region.oldText, region.oldLacksFinalNewline);
  const newText = endedText(region.newText, region.newLacksFinalNewline);
  const hunks = diffLines(oldText, newText, { context: CONTEXT });
  if (hunks !== null && hunks.length > 0) return hunks.map((hunk) => hunkRows(hunk, region));
  if (hunks !== null) {
    return [[plainRow("note", oldText === newText ? "(no change)" : "(only line ends change)")]];
  }
  return [[
    ...plainLines(region.oldText, "removed", region.oldStart),
    ...plainLines(region.newText, "added", region.newStart),
  ]];
}

function endedText(text: string, lacksFinalNewline: boolean): string {
  return text === "" || lacksFinalNewline ? text : `${text}\n`;
}

function hunkRows(hunk: Hunk, region: EditRegion): readonly ChangeRow[] {
  const rows = hunk.rows.map((row): ChangeRow => {
    if (row.kind === "note") return plainRow("note", row.text);
    const line = row.kind === "removed" ? row.oldLine : row.newLine;
    const start = row.kind === "removed" ? region.oldStart : region.newStart;
    return {
      kind: row.kind,
      text: lineSafe(row.text),
      number: start === null || line === null ? null : start + line - 1,
      distance: 0,
    };
  });
  return withDistances(rows);
}

function withDistances(rows: readonly ChangeRow[]): readonly ChangeRow[] {
  const distances = new Array<number>(rows.length).fill(Infinity);
  let since = Infinity;
  for (let at = 0; at < rows.length; at++) {
    since = isChange(rows[at]!) ? 0 : since + 1;
    distances[at] = since;
  }
  since = Infinity;
  for (let at = rows.length - 1; at >= 0; at--) {
    since = isChange(rows[at]!) ? 0 : since + 1;
    distances[at] = Math.min(distances[at]!, since);
  }
  return rows.map((row, at) => row.kind === "context" ? { ...row, distance: distances[at]! } : row);
}

function isChange(row: ChangeRow): boolean {
  return row.kind === "added" || row.kind === "removed";
}

function plainLines(text: string, kind: "removed" | "added", start: number | null): readonly ChangeRow[] {
  if (text === "") return [];
  return text.split("\n").map((line, index) => ({
    kind,
    text: lineSafe(line),
    number: start === null ? null : start + index,
    distance: 0,
  }));
}

function plainRow(kind: "path" | "note" | "gap", text: string): ChangeRow {
  return { kind, text, number: null, distance: 0 };
}

/** A line of a file; the CR of a CRLF ending is no part of it. */
function lineSafe(text: string): string {
  return safeBlockText(text.endsWith("\r") ? text.slice(0, -1) : text);
}
