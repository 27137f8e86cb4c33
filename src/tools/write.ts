// Write: what became of the file, in a role of its own, and the beginning of what was written.

import type { Span } from "../text/line.ts";
import { lineCount, type LongText } from "../transcript/long_text.ts";
import type { ToolCall } from "../transcript/tool_call.ts";
import { toolInput } from "../transcript/tool_names.ts";
import { keptText, otherArguments } from "./arguments.ts";
import { argumentOf, nameText } from "./header.ts";
import { headRows } from "./preview.ts";
import type { Part } from "./renderer.ts";
import { longPart, outputPart } from "./body.ts";
import { rendererOf, type ToolLook } from "./stages.ts";

/** Rows of the content in normal. */
const ROWS = 5;

const LABELS: Readonly<Record<NonNullable<ToolCall["writeLabel"]>, Span>> = {
  created: { text: "Created", role: "tool.created" },
  overwrote: { text: "Overwrote", role: "tool.overwrote" },
  wrote: { text: "Wrote", role: "tool.label" },
};

const writeLook: ToolLook = {
  head: (call) => ({
    lead: call.stage === "done" && call.writeLabel !== null
      ? LABELS[call.writeLabel]
      : { text: nameText(call.name), role: "tool.name" },
    argument: argumentOf(toolInput(call).path ?? "", "tool.path", "end"),
    facts: sizeFacts(call),
  }),
  detail: (call, { width }) => [
    ...contentParts(call, width),
    ...restOfArguments(call, width),
    ...outputPart(call, width),
  ],
  normal: (call, { width }) => {
    if (contentOf(call) !== null) return headRows(contentParts(call, width), ROWS, width);
    return headRows(restOfArguments(call, width), ROWS, width);
  },
};

/** Draws a call that writes a whole file. */
export const renderWrite = rendererOf(writeLook);

function contentOf(call: ToolCall): LongText | null {
  const { content } = toolInput(call);
  if (content === null || call.input === null) return null;
  return keptText(call.input, "content", () => content);
}

function restOfArguments(call: ToolCall, width: number): readonly Part[] {
  const { path, content } = toolInput(call);
  return otherArguments(call, width, { values: [path, content] });
}

function contentParts(call: ToolCall, width: number): readonly Part[] {
  const content = contentOf(call);
  return content === null || content.length === 0 ? [] : [longPart(content, "default", width)];
}

/** "(12 lines)", and whether the last one lacks its newline. */
function sizeFacts(call: ToolCall): readonly Span[] {
  const content = contentOf(call);
  if (content === null) return [];
  if (content.length === 0) return [{ text: "(empty)", role: "tool.note" }];
  const lines = lineCount(content);
  const unended = content.chunks.at(-1)?.endsWith("\n") !== true;
  return [{
    text: `(${lines} line${lines === 1 ? "" : "s"}${unended ? ", no final newline" : ""})`,
    role: "tool.note",
  }];
}
