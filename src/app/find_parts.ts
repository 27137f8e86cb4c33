// What the open search finds in the rows in view, to be drawn in a role of its own.

import { foundInSegment } from "../layout/find.ts";
import { indexOfBlock, rowsOf } from "../layout/layout.ts";
import type { VisibleRow } from "../layout/viewport.ts";
import type { FoundText } from "../text/find_text.ts";
import type { Role } from "../text/role.ts";
import type { CurrentPlace, FindPanel } from "./panels/find_panel.ts";
import { shownFind } from "./panels/shown_panel.ts";
import type { State } from "./state.ts";

/** A part of a row, in UTF-16 units of its text. */
export interface FoundPart {
  readonly start: number;
  readonly end: number;
  readonly role: Role;
}

/** The parts of each row, from left to right; rows without any are left out. */
export function foundParts(
  state: State,
  rows: readonly VisibleRow[],
): ReadonlyMap<VisibleRow, readonly FoundPart[]> {
  const parts = new Map<VisibleRow, FoundPart[]>();
  const panel = shownFind(state);
  if (panel === null || panel.wanted === null) return parts;
  for (let from = 0, end = 0; from < rows.length; from = end) {
    const first = rows[from]!;
    while (rows[end]?.block === first.block && rows[end]?.segment === first.segment) end++;
    if (first.line !== null) addParts(state, panel, rows.slice(from, end), parts);
  }
  return parts;
}

/** What is found in one segment of one block: as it is looked for, also what begins or ends out of view. */
function addParts(
  { layout }: State,
  { wanted, current }: FindPanel,
  rows: readonly VisibleRow[],
  parts: Map<VisibleRow, FoundPart[]>,
): void {
  const [{ block, segment, row: top }] = rows as [VisibleRow];
  const found = rowsOf(layout, indexOfBlock(layout, block.id)).segments[segment];
  if (found === undefined || wanted === null) return;
  const all = foundInSegment(found, wanted, block.version);
  for (let at = firstInView(all, top); at < all.length; at++) {
    const text = all[at]!;
    if (text[0]!.row >= top + rows.length) break;
    const role = isCurrent(current, rows[0]!, text) ? "find.current" : "find.hit";
    for (const { row, start, end } of text) {
      const visible = rows[row - top];
      if (visible === undefined) continue;
      const known = parts.get(visible);
      if (known === undefined) parts.set(visible, [{ start, end, role }]);
      else known.push({ start, end, role });
    }
  }
}

/** The first that does not end above a row. */
function firstInView(all: readonly FoundText[], top: number): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle]!.at(-1)!.row < top) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isCurrent(current: CurrentPlace | null, { block, segment }: VisibleRow, text: FoundText): boolean {
  const place = current?.block === block ? current.row : null;
  return place !== null && place.segment === segment && place.row === text[0]!.row &&
    place.start === text[0]!.start;
}
