// The files a group of Reads has asked for, kept from one drawing to the next: a Read that comes costs itself, not the
// thousands before it.

import { normalisePath } from "../transcript/file_cache.ts";
import type { ToolCall } from "../transcript/tool_call.ts";
import { toolInput } from "../transcript/tool_names.ts";

/** All Reads of one path in a group. */
export interface FileReads {
  /** Null while the arguments have not told it. */
  readonly path: string | null;
  readonly calls: readonly ToolCall[];
}

/** What a call's place among the files was found from. */
interface Placed {
  readonly call: ToolCall;
  readonly input: ToolCall["input"];
  readonly path: string | null;
  readonly key: string;
}

interface File extends FileReads {
  readonly calls: ToolCall[];
}

interface Group {
  readonly placed: Placed[];
  readonly files: File[];
  readonly byKey: Map<string, File>;
}

const groups = new WeakMap<readonly ToolCall[], Group>();

/** Reads by path, in the order the paths were first asked for; a call without one stands alone. */
export function filesOf(calls: readonly ToolCall[]): readonly FileReads[] {
  const before = groups.get(calls);
  if (before !== undefined && follow(before, calls, [])) return before.files;
  const group: Group = { placed: [], files: [], byKey: new Map() };
  follow(group, calls, before?.placed ?? []);
  groups.set(calls, group);
  return group.files;
}

/** Brings the group up to its calls, of which `known` may tell more; false where it must be made anew. */
function follow(group: Group, calls: readonly ToolCall[], known: readonly Placed[]): boolean {
  const { placed } = group;
  if (placed.length > calls.length) return false;
  for (let index = 0; index < calls.length; index++) {
    const call = calls[index]!;
    const before = placed[index];
    if (before !== undefined) {
      if (before.call !== call) return false;
      if (before.input === call.input) continue;
      // Its arguments have come: it may take another place only where no file stands behind it.
      if (group.files.at(-1)?.calls.at(-1) !== call || !leave(group, before)) return false;
    }
    const found = known[index];
    placed[index] = found?.call === call && found.input === call.input ? found : placeOf(call, index);
    addTo(group, placed[index]!);
  }
  return true;
}

/** Takes a call that stands alone out again; false when it does not. */
function leave(group: Group, { key }: Placed): boolean {
  if (group.byKey.get(key)?.calls.length !== 1) return false;
  group.byKey.delete(key);
  group.files.pop();
  return true;
}

function placeOf(call: ToolCall, index: number): Placed {
  const { path } = toolInput(call);
  return { call, input: call.input, path, key: path === null ? `\0${index}` : normalisePath(path, null) };
}

function addTo({ files, byKey }: Group, { call, path, key }: Placed): void {
  const file = byKey.get(key);
  if (file !== undefined) {
    file.calls.push(call);
    return;
  }
  const made: File = { path, calls: [call] };
  byKey.set(key, made);
  files.push(made);
}
