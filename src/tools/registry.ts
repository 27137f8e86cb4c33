// Which renderer draws a call: the card the tool described, else the one for its name, else the fallback.
// A new tool is one more line in RENDERERS and one more kind in transcript/tool_names.ts.

import type { ToolCall } from "../transcript/tool_call.ts";
import { type ToolKind, toolKind } from "../transcript/tool_names.ts";
import { renderEdit } from "./edit.ts";
import { renderFallback } from "./fallback.ts";
import { renderGlob } from "./glob.ts";
import { renderGrep } from "./grep.ts";
import { renderPresentation } from "./presentation.ts";
import { renderRead } from "./read.ts";
import type { ToolRenderer } from "./renderer.ts";
import { renderShell } from "./shell.ts";
import { renderWrite } from "./write.ts";

const RENDERERS: Readonly<Record<ToolKind, ToolRenderer>> = {
  read: renderRead,
  write: renderWrite,
  edit: renderEdit,
  multi_edit: renderEdit,
  patch: renderEdit,
  glob: renderGlob,
  grep: renderGrep,
  shell: renderShell,
  other: renderFallback,
};

/** The renderer of a block's calls. Calls of one block are all Reads or just one. */
export function rendererFor(calls: readonly ToolCall[]): ToolRenderer {
  const [call] = calls;
  if (call === undefined) return renderFallback;
  if (calls.length === 1 && isDescribed(call)) return renderPresentation;
  return RENDERERS[toolKind(call.name)];
}

/** True when the tool described a card: a kind alone describes nothing. */
function isDescribed({ presentation }: ToolCall): boolean {
  if (presentation === null) return false;
  return (presentation.title ?? "").trim() !== "" || (presentation.body ?? []).length > 0;
}
