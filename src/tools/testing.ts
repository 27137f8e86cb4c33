// For the tests of this folder: calls made by hand, and parts laid out to rows as the layout does it.

import { type Line, lineText } from "../text/line.ts";
import { measureText } from "../text/text_rows.ts";
import type { FoldMode } from "../transcript/block.ts";
import { longText } from "../transcript/long_text.ts";
import type { EditRegion, FileChange, ToolCall, ToolStage } from "../transcript/tool_call.ts";
import { rendererFor } from "./registry.ts";
import { isLongPart, type Part, type RenderContext } from "./renderer.ts";

/** What a test says of a call; the rest is that of a call just announced. */
export interface CallSketch {
  readonly name: string;
  readonly stage?: ToolStage;
  /** An object is fixed JSON; a string is raw text, fixed unless the stage says it still streams. */
  readonly args?: Readonly<Record<string, unknown>> | string;
  readonly summary?: string;
  readonly output?: string | null;
  readonly more?: Partial<ToolCall>;
}

/** A call from its sketch. */
export function callOf(sketch: CallSketch): ToolCall {
  const { name, stage = "done", args, summary = "", output = null, more = {} } = sketch;
  const isObject = typeof args === "object";
  return {
    id: `${name} ${stage}`,
    name,
    stage,
    args: longText(isObject ? JSON.stringify(args) : args ?? ""),
    argsFixed: args !== undefined && stage !== "pending" && stage !== "streaming",
    input: isObject && stage !== "pending" && stage !== "streaming" ? args : null,
    summary,
    output: output === null ? null : longText(output),
    presentation: null,
    writeLabel: null,
    changes: null,
    late: false,
    secondResultIgnored: false,
    incompleteReason: stage === "incomplete" ? "cancelled" : null,
    children: [],
    ...more,
  };
}

/** A change of one file at one place. */
export function changeOf(
  path: string,
  oldText: string,
  newText: string,
  start: number | null = null,
): FileChange {
  const region: EditRegion = {
    oldStart: start,
    newStart: start,
    oldText,
    newText,
    oldLacksFinalNewline: false,
    newLacksFinalNewline: false,
  };
  return { path, regions: [region], note: start === null ? "context unknown" : null };
}

/** A context for `calls`, running calls coming as detail in normal, as the layout gives them. */
export function contextOf(calls: readonly ToolCall[], fold: FoldMode, width: number): RenderContext {
  const running = calls.some((call) =>
    call.stage === "pending" || call.stage === "streaming" || call.stage === "executing"
  );
  return {
    fold: running && fold === "normal" ? "detail" : fold,
    width,
    running,
    previewHead: 2,
    previewTail: 2,
  };
}

/** The parts of a block in the view asked for. */
export function partsOf(calls: readonly ToolCall[], fold: FoldMode, width: number): readonly Part[] {
  return rendererFor(calls)(calls, contextOf(calls, fold, width));
}

/** Parts as the rows the layout makes of them. */
export function rowsOf(parts: readonly Part[], width: number): readonly Line[] {
  return parts.flatMap((part): readonly Line[] => {
    if (!isLongPart(part)) return [part];
    return part.text.chunks.flatMap((chunk) => {
      const rows = measureText(chunk, width, { role: part.role, indent: part.indent });
      return Array.from({ length: rows.rowCount }, (_, row) => rows.rowAt(row));
    });
  });
}

/** The picture of one call: the text of each row, blanks at the end cut. */
export function pictureOf(
  calls: ToolCall | readonly ToolCall[],
  fold: FoldMode,
  width = 60,
): readonly string[] {
  const list = Array.isArray(calls) ? calls as readonly ToolCall[] : [calls as ToolCall];
  return rowsOf(partsOf(list, fold, width), width).map((row) => lineText(row).trimEnd());
}
