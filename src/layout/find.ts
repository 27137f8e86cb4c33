// Where a text stands in a block's rows. A block is looked through as in detail, where all of it shows, and as it is
// shown; of long output only the chunks that hold the text are measured.

import { findInRows, type FoundText, type Wanted } from "../text/find_text.ts";
import { lineText } from "../text/line.ts";
import { type Segment, segmentLine, segmentRows } from "./block_lines.ts";
import { detailSegments, type Layout, rowsOf } from "./layout.ts";

/** The row that a place begins in, where in it (UTF-16 units), and what that row says. */
export interface FoundRow {
  readonly segment: number;
  readonly row: number;
  readonly start: number;
  readonly text: string;
}

/** Signs that make what is drawn differ from the text: then it has to be drawn to be looked through. */
const REDRAWN =
  // deno-lint-ignore no-control-regex
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]/;

interface Looked {
  readonly wanted: Wanted;
  readonly version: number;
  readonly found: readonly FoundText[];
}

const looked = new WeakMap<Segment, Looked>();

/** All places in one segment of a block of that version; looked for once. */
export function foundInSegment(segment: Segment, wanted: Wanted, version: number): readonly FoundText[] {
  const known = looked.get(segment);
  if (known !== undefined && known.wanted === wanted && known.version === version) return known.found;
  const found = isWithout(segment, wanted) ? [] : findInRows(
    wanted,
    Array.from({ length: segmentRows(segment) }, (_, row) => {
      const line = segmentLine(segment, row);
      return { text: lineText(line), goesOn: (line.offset ?? 0) > 0 };
    }),
  );
  looked.set(segment, { wanted, version, found });
  return found;
}

/** All places in these segments of the block at an index. */
function foundRows(
  layout: Layout,
  index: number,
  segments: readonly Segment[],
  wanted: Wanted,
): readonly FoundRow[] {
  const version = layout.blocks[index]?.version ?? 0;
  return segments.flatMap((segment, at) =>
    foundInSegment(segment, wanted, version).map(([first]) => ({
      segment: at,
      row: first!.row,
      start: first!.start,
      text: lineText(segmentLine(segment, first!.row)).trim(),
    }))
  );
}

/** All places in a block as it is shown now. */
export function foundAsShown(layout: Layout, index: number, wanted: Wanted): readonly FoundRow[] {
  return foundRows(layout, index, rowsOf(layout, index).segments, wanted);
}

/** All places in a block as in detail. */
export function foundInDetail(layout: Layout, index: number, wanted: Wanted): readonly FoundRow[] {
  return foundRows(layout, index, detailSegments(layout, index), wanted);
}

function isWithout(segment: Segment, wanted: Wanted): boolean {
  return segment.kind === "chunk" && !REDRAWN.test(segment.text) && !wanted.unwrapped.test(segment.text);
}
