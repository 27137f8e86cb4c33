// What a tool call does to the cached files, and the record of it in the call: the edit's before-image and the
// write's label are fixed when the result comes. Failed tools never touch a file.

import { touch } from "./blocks.ts";
import {
  type CachedFile,
  type FileCache,
  fileOfText,
  forgetFile,
  mergeSlice,
  normalisePath,
  peekFile,
  storeFile,
  useFile,
} from "./file_cache.ts";
import { followEdit } from "./file_edit.ts";
import { longTextString } from "./long_text.ts";
import { followPatch, parsePatch } from "./patch.ts";
import { parseReadOutput } from "./read_output.ts";
import type { EditRegion, FileChange } from "./tool_call.ts";
import { type ToolInput, toolInput, toolKind } from "./tool_names.ts";
import type { Call, Session } from "./work.ts";

/** A new state of a file; undefined when it is gone or nothing is known of it. */
type Edited = readonly [path: string, file: CachedFile | undefined];

/** Does what the finished call does, once, when both its arguments and its result are known. */
export function settleFiles(session: Session, call: Call): void {
  if (call.filesSettled || !call.argsFixed || !call.resulted) return;
  call.filesSettled = true;
  const paths = runFiles(session, call);
  if (paths.length > 0) refreshPreviews(session, paths);
}

/** Draws what an executing edit will do, if the file is as it is known. */
export function previewFiles(session: Session, call: Call): void {
  if (!isEditing(call)) return;
  call.changes = editChanges(session, call, peekFile)?.changes ?? null;
}

/** Runs the call's effect on the cache and gives the paths that changed. */
export function runFiles(session: Session, call: Call): readonly string[] {
  const kind = toolKind(call.name);
  const input = kind === "read" || kind === "write" ? toolInput(call) : null;
  if (kind === "write") return runWrite(session, call, input as ToolInput);
  if (kind === "read") return runRead(session, call, input as ToolInput);
  if (!isEditing(call)) return [];
  const edit = editChanges(session, call, call.stage === "done" ? useFile : peekFile);
  call.changes = edit?.changes ?? null;
  if (edit === null || call.stage !== "done") return [];
  for (const [path, file] of edit.edited) {
    if (file === undefined) forgetFile(session.files, path);
    else storeFile(session.files, path, file);
  }
  return edit.edited.map(([path]) => path);
}

function runRead(session: Session, call: Call, input: ToolInput): readonly string[] {
  if (call.stage !== "done" || call.output === null || input.path === null) return [];
  const slice = parseReadOutput(longTextString(call.output), {
    offset: input.offset,
    limit: input.limit,
    summary: call.summary,
  });
  if (slice === null) return [];
  const path = pathOf(session, input.path);
  storeFile(session.files, path, mergeSlice(useFile(session.files, path), slice));
  return [path];
}

function runWrite(session: Session, call: Call, input: ToolInput): readonly string[] {
  if (call.stage !== "done") return [];
  const path = input.path === null ? null : pathOf(session, input.path);
  const known = path !== null && session.files.files.has(path);
  call.writeLabel = /^created\b/i.test(call.summary)
    ? "created"
    : /^overwr(ote|itten)\b/i.test(call.summary) || known
    ? "overwrote"
    : "wrote";
  if (path === null || input.content === null) return [];
  storeFile(session.files, path, fileOfText(input.content));
  return [path];
}

function isEditing(call: Call): boolean {
  const kind = toolKind(call.name);
  return kind === "edit" || kind === "multi_edit" || kind === "patch";
}

function editChanges(
  session: Session,
  call: Call,
  look: (files: FileCache, path: string) => CachedFile | undefined,
): { changes: readonly FileChange[]; edited: readonly Edited[] } | null {
  const input = toolInput(call);
  if (input.path !== null && input.edits.length > 0) return stepChanges(session, input, look);
  return input.patch === null ? null : patchChanges(session, input.patch, look);
}

function stepChanges(
  session: Session,
  input: ToolInput,
  look: (files: FileCache, path: string) => CachedFile | undefined,
): { changes: readonly FileChange[]; edited: readonly Edited[] } {
  const shown = input.path ?? "";
  const path = pathOf(session, shown);
  let file = look(session.files, path);
  let note: string | null = null;
  const regions: EditRegion[] = [];
  for (const step of input.edits) {
    const outcome = followEdit(file, step);
    for (const one of outcome.regions) regions.push(one);
    note ??= outcome.note;
    file = outcome.file;
  }
  return { changes: [{ path: shown, regions, note }], edited: file === undefined ? [] : [[path, file]] };
}

function patchChanges(
  session: Session,
  patch: string,
  look: (files: FileCache, path: string) => CachedFile | undefined,
): { changes: readonly FileChange[]; edited: readonly Edited[] } | null {
  const patches = parsePatch(patch);
  if (patches.length === 0) return null;
  // A patch may name a file twice: its later part sees what the earlier made.
  const edited = new Map<string, CachedFile | undefined>();
  const changes = patches.map((part): FileChange => {
    const path = pathOf(session, part.path);
    const before = edited.has(path) ? edited.get(path) : look(session.files, path);
    const { regions, note, file } = followPatch(before, part);
    edited.set(path, part.movedTo === null ? file : undefined);
    if (part.movedTo !== null) edited.set(pathOf(session, part.movedTo), file);
    return {
      path: part.path,
      regions,
      note,
      ...(part.action === "update" ? {} : { action: part.action }),
      ...(part.movedTo === null ? {} : { movedTo: part.movedTo }),
    };
  });
  return { changes, edited: [...edited] };
}

/** Edits that still execute show the file as it is known now. */
function refreshPreviews(session: Session, paths: readonly string[]): void {
  for (const call of session.work.openCalls) {
    if (!call.argsFixed || !isEditing(call) || call.changes === null) continue;
    if (!call.changes.some((change) => paths.includes(pathOf(session, change.path)))) continue;
    previewFiles(session, call);
    touch(session, call.block);
  }
}

function pathOf(session: Session, path: string): string {
  return normalisePath(path, session.greeting?.cwd ?? null);
}
