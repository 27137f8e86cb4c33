// What Glob and Grep share: the pattern and where it was looked for in the header, then the output as it is.

import type { Span } from "../text/line.ts";
import type { ToolCall } from "../transcript/tool_call.ts";
import { toolInput } from "../transcript/tool_names.ts";
import { mainArgument, otherArguments } from "./arguments.ts";
import { argumentOf, nameText } from "./header.ts";
import { headRows } from "./preview.ts";
import { isBlank, outputPart } from "./body.ts";
import { summaryPreview, type ToolLook } from "./stages.ts";

/** Rows of the output in normal. */
const ROWS = 5;

/** The look of a search. */
export const searchLook: ToolLook = {
  head: (call) => {
    const { pattern } = toolInput(call);
    return {
      lead: { text: nameText(call.name), role: "tool.name" },
      argument: pattern === null ? mainArgument(call) : argumentOf(pattern),
      facts: placeFacts(call),
    };
  },
  detail: (call, { width }) => {
    const { pattern, path } = toolInput(call);
    return [...otherArguments(call, width, { values: [pattern, path] }), ...outputPart(call, width)];
  },
  normal: (call, { width }) =>
    isBlank(call.output) ? summaryPreview(call, width) : headRows(outputPart(call, width), ROWS, width),
};

function placeFacts(call: ToolCall): readonly Span[] {
  const { path, pattern } = toolInput(call);
  if (path === null || path.trim() === "" || pattern === null) return [];
  return [{ text: `in ${argumentOf(path).text}`, role: "tool.path" }];
}
