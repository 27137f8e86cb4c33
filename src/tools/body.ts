// What stands under a header: a little to its right, outside text as long parts, short texts as rows.

import type { Line, Span } from "../text/line.ts";
import { safeText } from "../text/outside_text.ts";
import type { Role } from "../text/role.ts";
import { wrapText } from "../text/wrap.ts";
import type { LongText } from "../transcript/long_text.ts";
import type { ToolCall } from "../transcript/tool_call.ts";
import type { LongPart, Part } from "./renderer.ts";

/** Long text standing under a header. */
export function longPart(text: LongText, role: Role, width: number): LongPart {
  return { kind: "long", text, role, indent: bodyIndent(width) };
}

/** Cells a body stands to the right of its header; none where room is short. */
export function bodyIndent(width: number): number {
  return width >= 24 ? 2 : 0;
}

/** Short outside text as rows under a header. */
export function bodyRows(text: string, role: Role, width: number): readonly Line[] {
  return indentRows(wrapText(safeText(text), role, width - bodyIndent(width)), width);
}

/** Rows made for the cells right of the indent, put behind it. */
export function indentRows(rows: readonly Line[], width: number): readonly Line[] {
  const indent = bodyIndent(width);
  if (indent === 0) return rows;
  const blank: Span = { text: " ".repeat(indent), role: "default" };
  return rows.map((row) => ({ ...row, spans: [blank, ...row.spans] }));
}

/** The tool's output, whole; nothing when it is absent. */
export function outputPart(call: ToolCall, width: number): readonly Part[] {
  if (call.output === null || call.output.length === 0) return [];
  return [longPart(call.output, call.stage === "error" ? "tool.error" : "tool.output", width)];
}

/** True when the output is absent or only white space. Looks at no more than its first chunk needs. */
export function isBlank(text: LongText | null): boolean {
  return text === null || text.chunks.every((chunk) => !/\S/.test(chunk));
}
