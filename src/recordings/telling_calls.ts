// Tool calls of a recorded session: joined on their id, told under the names our renderers know. A call is told as
// it is found; results may come later, twice, or without a call.

import { toolKind } from "../transcript/tool_names.ts";
import { planItems, todoCard, todosOf } from "./acp_plan.ts";
import { fieldsOf, isFields } from "./fields.ts";
import { resultSummary } from "./result_summary.ts";
import { ignore, tell, type Telling } from "./telling.ts";
import type { ToolKind } from "../transcript/tool_names.ts";

/** The card of a call that none of our renderers draws. */
export interface CallCard {
  readonly title?: string | null;
  readonly kind?: string | null;
  readonly body?: unknown[] | null;
}

/** A call that has been told. */
export interface ToldCall {
  /** Its id in our events: that of the records, numbered when they use it twice. */
  readonly id: string;
  readonly kind: ToolKind;
  name: string;
  /** Arguments as fields where they are an object or its JSON text, else as they are; null until they are fixed. */
  args: unknown;
  readonly parent: string | null;
  isOver: boolean;
  /** Output told while it ran. */
  streamed: string;
}

/** A call as a record gives it. */
export interface FoundCall {
  readonly id: string;
  readonly name: string;
  /** An object, or the raw text where it is not JSON. */
  readonly args: unknown;
  readonly parent?: string | null;
  readonly card?: CallCard | null;
}

/** A result as a record gives it. */
export interface FoundResult {
  readonly output: string | null;
  readonly isError: boolean;
  /** How a command ended, where the record says. */
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  /** One line, where the record has a better one than can be made here. */
  readonly summary?: string | null;
  readonly card?: CallCard | null;
  /** What was changed, as a unified diff of one file. */
  readonly patch?: { readonly path: string; readonly text: string } | null;
  /** What was changed, as texts of the places or of whole files. `old` null is a new file. */
  readonly diffs?: readonly { readonly path: string; readonly old: string | null; readonly new: string }[];
  /** Whether a written file was there before, where the record says. */
  readonly wrote?: "Created" | "Overwrote" | null;
  /** For a result whose call was never told. */
  readonly name?: string | null;
}

/** Our names of the tools we render; others keep theirs. */
const OWN_NAMES: Readonly<Partial<Record<ToolKind, string>>> = {
  read: "Read",
  write: "Write",
  edit: "Edit",
  multi_edit: "Edit",
  glob: "Glob",
  grep: "Grep",
  shell: "Bash",
};

/** Tells a call with its arguments. One that is told already is not told again. */
export function tellCall(telling: Telling, found: FoundCall): ToldCall {
  const known = telling.calls.get(found.id);
  if (known !== undefined && !known.isOver && known.name === found.name) {
    if (argumentText(known.args) === argumentText(parsedArguments(found.args))) {
      ignore(telling, "call told again");
      return known;
    }
    describeCall(telling, known, found);
    return known;
  }
  const call = startCall(telling, found);
  describeCall(telling, call, found);
  return call;
}

/** Announces a call whose arguments are still to come. */
export function startCall(telling: Telling, found: Omit<FoundCall, "args" | "card">): ToldCall {
  const known = telling.calls.get(found.id);
  const kind = toolKind(found.name);
  const call: ToldCall = {
    id: known === undefined ? found.id : nextId(known.id, found.id),
    kind,
    name: found.name,
    args: null,
    parent: found.parent ?? null,
    isOver: false,
    streamed: "",
  };
  telling.calls.set(found.id, call);
  telling.open.add(call);
  tell(telling, "tool_call_start", { id: call.id, name: shownName(call), parent_id: call.parent });
  return call;
}

/** Fixes the call's arguments. Todo-shaped ones are the plan too. */
export function describeCall(
  telling: Telling,
  call: ToldCall,
  found: { readonly args: unknown; readonly card?: CallCard | null },
): void {
  call.args = parsedArguments(found.args);
  const todos = todosOf(fieldsOf(call.args));
  tell(telling, "tool_call_done", {
    id: call.id,
    name: shownName(call),
    arguments: argumentText(found.args),
    presentation: found.card ?? (todos === null ? null : todoCard(todos)),
    parent_id: call.parent,
  });
  if (todos !== null && call.parent === null) tell(telling, "plan", { items: planItems(todos) });
}

/** More of the output of a call that runs. `whole` is all so far; only what is new is told. */
export function growOutput(telling: Telling, call: ToldCall, whole: string): void {
  if (call.isOver || !whole.startsWith(call.streamed) || whole.length === call.streamed.length) {
    return ignore(telling, "output without news");
  }
  const text = whole.slice(call.streamed.length);
  call.streamed = whole;
  tell(telling, "tool_output", { id: call.id, stream: "stdout", text, parent_id: call.parent });
}

/** Tells a result. Without a call it stands alone; a second one is told where it differs, so that the call says so. */
export function tellResult(telling: Telling, id: string, result: FoundResult): void {
  let call = telling.calls.get(id);
  if (call === undefined) {
    call = startCall(telling, { id, name: result.name ?? "tool" });
  } else if (call.isOver) {
    return ignore(telling, "result told again");
  }
  const { patch } = result;
  const isEdit = call.kind === "edit" || call.kind === "multi_edit";
  if (isEdit && !result.isError) {
    if (patch !== null && patch !== undefined) tellPatch(telling, call, patch);
    else if (result.diffs !== undefined) tellDiffs(telling, call, result.diffs);
  }
  call.isOver = true;
  telling.open.delete(call);
  const given = call.streamed !== "" && result.output === call.streamed ? null : result.output;
  call.streamed = "";
  tell(telling, "tool_result", {
    id: call.id,
    summary: result.summary ?? resultSummary(call, result, telling.greeting.cwd),
    output: given,
    is_error: result.isError,
    presentation: result.card ?? null,
    parent_id: call.parent,
  });
}

/** The id of the open or newest call under that record id, as our events have it. */
export function toldId(telling: Telling, id: string | null): string | null {
  return id === null ? null : telling.calls.get(id)?.id ?? id;
}

/** The turn is over: nothing is expected of its calls, though a late result still finds them. */
export function dropOpenCalls(telling: Telling): void {
  telling.open.clear();
}

/** The recorded patch stands for the arguments: it has the lines around the change and their numbers. */
function tellPatch(
  telling: Telling,
  call: ToldCall,
  patch: { readonly path: string; readonly text: string },
): void {
  const hunks = patch.text.search(/^@@ -\d/m);
  if (hunks === -1) return;
  const text = `--- ${patch.path}\n+++ ${patch.path}\n${patch.text.slice(hunks)}`;
  tell(telling, "tool_call_done", {
    id: call.id,
    name: shownName(call),
    arguments: JSON.stringify({ file_path: patch.path, patch: text }),
    parent_id: call.parent,
  });
}

/** Recorded places of one file stand for the arguments: they show the lines around the change. */
function tellDiffs(telling: Telling, call: ToldCall, diffs: NonNullable<FoundResult["diffs"]>): void {
  const [first] = diffs;
  if (first === undefined || diffs.some(({ path, old }) => path !== first.path || old === null)) return;
  const edits = diffs.map((diff) => ({ old_string: diff.old ?? "", new_string: diff.new }));
  tell(telling, "tool_call_done", {
    id: call.id,
    name: shownName(call),
    arguments: JSON.stringify({ file_path: first.path, ...(edits.length === 1 ? edits[0] : { edits }) }),
    parent_id: call.parent,
  });
}

function shownName(call: ToldCall): string {
  return OWN_NAMES[call.kind] ?? call.name;
}

function argumentText(args: unknown): string {
  return typeof args === "string" ? args : JSON.stringify(args ?? {});
}

/** JSON text of an object as its fields; anything else as it is. */
function parsedArguments(args: unknown): unknown {
  if (typeof args !== "string") return args ?? {};
  try {
    const value: unknown = JSON.parse(args);
    return isFields(value) ? value : args;
  } catch {
    return args;
  }
}

/** "c1", then "c1#2", "c1#3": the same records always give the same ids. */
function nextId(before: string, id: string): string {
  const count = before.startsWith(`${id}#`) ? Number(before.slice(id.length + 1)) : 1;
  return `${id}#${(Number.isFinite(count) ? count : 1) + 1}`;
}
