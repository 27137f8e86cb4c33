// Whether a first frame will want the Markdown parser, told without drawing it: to find out by drawing costs 5 ms.

import { seemsMarked } from "../text/markdown.ts";
import type { State } from "./state.ts";

/** How much of a text's end is looked at, in UTF-16 units. */
const LOOKED_AT = 4096;
/** About how many rows anything takes that is no answer. */
const OTHER_ROWS = 2;

/** A guess from about as many of the newest blocks as fill the screen. */
export function seemsToWantMarkdown({ transcript: { blocks }, columns, rows }: State): boolean {
  for (let at = blocks.length - 1, filled = 0; at >= 0 && filled < rows; at--) {
    const block = blocks[at]!;
    if (block.kind !== "assistant_text") {
      filled += OTHER_ROWS;
      continue;
    }
    if (seemsMarked(block.text.slice(-LOOKED_AT))) return true;
    filled += 1 + block.text.length / Math.max(1, columns);
  }
  return false;
}
