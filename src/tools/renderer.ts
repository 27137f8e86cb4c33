// The contract between the layout and a tool's renderer. A renderer is pure: the same calls and context give the
// same parts, and no line is wider than `context.width`, for every width from 1.
// The layout puts the gutter (stage mark, indent), nested blocks and spacing around what a renderer returns.

import type { Line } from "../text/line.ts";
import type { Role } from "../text/role.ts";
import type { FoldMode } from "../transcript/block.ts";
import type { LongText } from "../transcript/long_text.ts";
import type { ToolCall } from "../transcript/tool_call.ts";

/** What a renderer may know beside the calls. */
export interface RenderContext {
  /** The view asked for. A running call comes as "detail" even in normal; overview wants exactly one line. */
  readonly fold: FoldMode;
  /** Cells a line may take, the gutter not counted; at least 1. */
  readonly width: number;
  /** True while the block is shown as running: held by the reader, or really running. */
  readonly running: boolean;
  /** Rows of a card's body kept at its head and tail in normal (settings preview_head, preview_tail). */
  readonly previewHead: number;
  readonly previewTail: number;
}

/**
 * Outside text shown whole, measured and wrapped by the layout only where it is seen: 50 MB of output is one part.
 * It is made safe by the layout (outside_text), keeps its SGR colours, and is wrapped by cells, not words.
 */
export interface LongPart {
  readonly kind: "long";
  readonly text: LongText;
  readonly role: Role;
  /** Blank cells in front of each row. */
  readonly indent: number;
}

/** One piece of what a renderer returns: a line that fits, or long text. */
export type Part = Line | LongPart;

/** Draws one tool's block. Only Read gets more than one call. Never returns an empty list. */
export type ToolRenderer = (calls: readonly ToolCall[], context: RenderContext) => readonly Part[];

/** True for a part the layout measures itself. */
export function isLongPart(part: Part): part is LongPart {
  return "kind" in part;
}
