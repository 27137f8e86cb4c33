// A block as text to be taken along: what was said or printed as it came, anything else as it is drawn in detail.

import { lineText } from "../text/line.ts";
import { longTextString } from "../transcript/long_text.ts";
import { segmentLine, segmentRows } from "./block_lines.ts";
import { detailSegments, type Layout } from "./layout.ts";

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
      const printed = block.calls.map((call) =>
        call.output === null ? "" : longTextString(call.output).trimEnd()
      );
      const said = printed.filter((text) => text !== "").join("\n");
      return said === "" ? drawnText(layout, index) : said;
    }
    default:
      return drawnText(layout, index);
  }
}

function drawnText(layout: Layout, index: number): string {
  const rows = detailSegments(layout, index).flatMap((segment) =>
    Array.from({ length: segmentRows(segment) }, (_, row) => lineText(segmentLine(segment, row)).trimEnd())
  );
  return rows.join("\n").trimEnd();
}
