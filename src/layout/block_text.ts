// A block as text to be taken along: what was said or printed as it came, anything else as it is drawn in detail.

import { lineText } from "../text/line.ts";
import { isBlockRunning } from "../transcript/block.ts";
import { layoutBlock, segmentLine, segmentRows } from "./block_lines.ts";
import type { Layout } from "./layout.ts";

/** The text of the block at an index, without blanks at its end; empty where nothing is there. */
export function blockText(layout: Layout, index: number): string {
  const block = layout.blocks[index];
  switch (block?.kind) {
    case undefined:
      return "";
    case "user_message":
    case "assistant_text":
    case "reasoning":
      return block.text.trimEnd();
    case "tool_call": {
      const printed = block.calls.map((call) => (call.output?.chunks.join("") ?? "").trimEnd());
      const said = printed.filter((text) => text !== "").join("\n");
      return said === "" ? drawnText(layout, index) : said;
    }
    default:
      return drawnText(layout, index);
  }
}

function drawnText(layout: Layout, index: number): string {
  const block = layout.blocks[index];
  if (block === undefined) return "";
  const look = { fold: "detail", running: isBlockRunning(block), whole: true } as const;
  const rows = layoutBlock(block, look, layout.settings, null).segments.flatMap((segment) =>
    Array.from({ length: segmentRows(segment) }, (_, row) => lineText(segmentLine(segment, row)).trimEnd())
  );
  return rows.join("\n").trimEnd();
}
