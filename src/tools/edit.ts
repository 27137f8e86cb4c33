// Edit, MultiEdit and patches: what changed, as a diff. The transcript has worked out the change; where it could
// not, the old and new text of the arguments stand for it.

import { toolInput } from "../transcript/tool_names.ts";
import type { FileChange, ToolCall } from "../transcript/tool_call.ts";
import { otherArguments } from "./arguments.ts";
import { changeList, changeSuffix, withoutFinalNewline } from "./change_rows.ts";
import { diffParts, diffPreview } from "./diff_view.ts";
import { fallbackLook } from "./fallback.ts";
import { argumentOf, type Head, nameText } from "./header.ts";
import type { Part, RenderContext } from "./renderer.ts";
import { outputPart } from "./body.ts";
import { rendererOf, type ToolLook } from "./stages.ts";

/** Diff rows in normal. */
export const DIFF_ROWS = 12;

const editLook: ToolLook = {
  head: (call, context) => {
    const changes = changesOf(call);
    if (changes === null) return bareHead(call, context);
    const head = changeHead(nameText(call.name), changes);
    // Nothing was changed by a call that failed, whatever it meant to change.
    return call.stage === "error" || call.stage === "incomplete" ? { ...head, facts: [] } : head;
  },
  detail: (call, context) => {
    const changes = changesOf(call);
    if (changes === null) return fallbackLook.detail(call, context);
    return [
      ...restOfArguments(call, context.width),
      ...diffParts(changeList(changes), context.width),
      ...outputPart(call, context.width),
    ];
  },
  normal: (call, context) => {
    const changes = changesOf(call);
    if (changes === null) return fallbackLook.normal(call, context);
    return diffPreview(changeList(changes), DIFF_ROWS, context.width);
  },
};

/** Draws a call that changes parts of files. */
export const renderEdit = rendererOf(editLook);

/** The header of a diff: one path, or how many files, and the sums. */
export function changeHead(name: string, changes: readonly FileChange[]): Head {
  const { added, removed } = changeList(changes);
  const paths = [...new Set(changes.map((change) => change.path))];
  const [only] = changes;
  const suffix = only === undefined || changes.length > 1 ? "" : changeSuffix(only).trim();
  return {
    lead: { text: name, role: "tool.name" },
    argument: argumentOf(paths.length === 1 ? paths[0]! : `${paths.length} files`, "tool.path", "end"),
    facts: [
      ...(suffix === "" ? [] : [{ text: suffix, role: "tool.label" } as const]),
      { text: `(+${added} -${removed})`, role: "tool.note" },
    ],
  };
}

function bareHead(call: ToolCall, context: RenderContext): Head {
  const { path } = toolInput(call);
  if (path === null) return fallbackLook.head(call, context);
  return {
    lead: { text: nameText(call.name), role: "tool.name" },
    argument: argumentOf(path, "tool.path", "end"),
    facts: [],
  };
}

const keptChanges = new WeakMap<object, readonly FileChange[]>();

/** The recorded changes, else what the arguments say; null when neither shows any. */
function changesOf(call: ToolCall): readonly FileChange[] | null {
  if (call.changes !== null && call.changes.length > 0) return call.changes;
  if (call.input === null) return null;
  let changes = keptChanges.get(call.input);
  if (changes === undefined) keptChanges.set(call.input, changes = argumentChanges(call));
  return changes.length === 0 ? null : changes;
}

function argumentChanges(call: ToolCall): readonly FileChange[] {
  const { path, edits } = toolInput(call);
  const regions = edits.filter(({ oldText, newText }) => oldText !== newText).map(({ oldText, newText }) => ({
    oldStart: null,
    newStart: null,
    oldText: withoutFinalNewline(oldText),
    newText: withoutFinalNewline(newText),
    oldLacksFinalNewline: false,
    newLacksFinalNewline: false,
  }));
  return regions.length === 0 ? [] : [{ path: path ?? "", regions, note: null }];
}

/** What the diff does not show; a patch given as raw text is the diff. */
function restOfArguments(call: ToolCall, width: number): readonly Part[] {
  if (call.input === null) return [];
  const { path, oldText, newText, patch } = toolInput(call);
  return otherArguments(call, width, {
    values: [path, oldText, newText, patch],
    names: ["edits", "replacements", "changes"],
  });
}
