// Any tool without a renderer of its own: its arguments as JSON, then its output.

import type { ToolCall } from "../transcript/tool_call.ts";
import { mainArgument, prettyArguments } from "./arguments.ts";
import { nameText } from "./header.ts";
import { addHidden, headRows } from "./preview.ts";
import type { Part } from "./renderer.ts";
import { isBlank, outputPart } from "./body.ts";
import { rendererOf, summaryPreview, type ToolLook } from "./stages.ts";

/** Rows in normal of the arguments, and of the output. */
const ROWS = 3;

/** Arguments stand flush with the name, output further in, so that both can be told apart without colour. */
export const fallbackLook: ToolLook = {
  head: (call) => ({
    lead: { text: nameText(call.name), role: "tool.name" },
    argument: mainArgument(call),
    facts: [],
  }),
  detail: (call, { width }) => [...argumentParts(call), ...outputPart(call, width)],
  normal: (call, { width }) => {
    const args = headRows(argumentParts(call), ROWS, width);
    const output = isBlank(call.output)
      ? summaryPreview(call, width)
      : headRows(outputPart(call, width), ROWS, width);
    return { rows: [...args.rows, ...output.rows], hidden: addHidden(args.hidden, output.hidden) };
  },
};

/** Draws a call of a tool we know nothing about. */
export const renderFallback = rendererOf(fallbackLook);

function argumentParts(call: ToolCall): readonly Part[] {
  const text = prettyArguments(call);
  return text.length === 0 ? [] : [{ kind: "long", text, role: "tool.args", indent: 0 }];
}
