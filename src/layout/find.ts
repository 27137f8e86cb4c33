// Where a text stands in a block's rows. A block is looked through as in detail, where all of it shows; of long output
// only the chunks that hold the text are measured.

import { findInRows, type Wanted } from "../text/find_text.ts";
import { lineText } from "../text/line.ts";
import { isBlockRunning } from "../transcript/block.ts";
import { type BlockRows, layoutBlock, type Segment, segmentLine, segmentRows } from "./block_lines.ts";
import { type Layout, lookOf, rowsOf } from "./layout.ts";

/** The row that a place begins in, and where in it (UTF-16 units). */
export interface FoundRow {
  readonly segment: number;
  readonly row: number;
  readonly start: number;
}

/** Signs that make what is drawn differ from the text: then it has to be drawn to be looked through. */
// deno-lint-ignore no-control-regex
const REDRAWN = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

/** All places in a block as it is shown now. */
export function foundAsShown(layout: Layout, index: number, wanted: Wanted): readonly FoundRow[] {
  return foundInRows(rowsOf(layout, index), wanted);
}

/** All places in a block as in detail; nothing is kept of how it was drawn unless it is shown so. */
export function foundInDetail(layout: Layout, index: number, wanted: Wanted): readonly FoundRow[] {
  const block = layout.blocks[index];
  if (block === undefined) return [];
  if (lookOf(layout, block).fold === "detail") return foundAsShown(layout, index, wanted);
  const look = { fold: "detail", running: isBlockRunning(block), whole: true } as const;
  // What was read for the screen is not read again.
  const cached = layout.cache.get(block.id);
  const isSame = cached?.version === block.version && cached.generation === layout.generation;
  return foundInRows(layoutBlock(block, look, layout.settings, isSame ? cached.rows : null), wanted);
}

function foundInRows({ segments }: BlockRows, wanted: Wanted): readonly FoundRow[] {
  return segments.flatMap((segment, at) =>
    isWithout(segment, wanted) ? [] : findInRows(wanted, textsOf(segment)).map(([first]) => ({
      segment: at,
      row: first!.row,
      start: first!.start,
    }))
  );
}

function isWithout(segment: Segment, wanted: Wanted): boolean {
  return segment.kind === "chunk" && !REDRAWN.test(segment.text) && !wanted.unwrapped.test(segment.text);
}

function textsOf(segment: Segment): readonly string[] {
  return Array.from({ length: segmentRows(segment) }, (_, row) => lineText(segmentLine(segment, row)));
}
