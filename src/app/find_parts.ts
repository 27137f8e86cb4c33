// What the open search finds in the rows in view, to be drawn in a role of its own.

import type { VisibleRow } from "../layout/viewport.ts";
import { findInRows } from "../text/find_text.ts";
import { lineText } from "../text/line.ts";
import type { Role } from "../text/role.ts";
import { shownFind } from "./find.ts";
import type { FindPanel } from "./panels/find_panel.ts";
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
    // As it is looked for: in one segment of one block.
    while (end < rows.length && isBeside(rows[from]!, rows[end]!)) end++;
    const some = rows.slice(from, end);
    for (
      const found of findInRows(
        panel.wanted,
        some.map(({ line }) => line === null ? "" : lineText(line)),
      )
    ) {
      const [first] = found;
      const role = isCurrent(panel, some[first!.row]!, first!.start) ? "find.current" : "find.hit";
      for (const { row, start, end: partEnd } of found) {
        const visible = some[row]!;
        parts.set(visible, [...parts.get(visible) ?? [], { start, end: partEnd, role }]);
      }
    }
  }
  return parts;
}

function isBeside(one: VisibleRow, other: VisibleRow): boolean {
  return one.block === other.block && one.segment === other.segment;
}

function isCurrent({ current }: FindPanel, { block, segment, row }: VisibleRow, start: number): boolean {
  const place = current?.id === block.id ? current.row : null;
  return place !== null && place.segment === segment && place.row === row && place.start === start;
}
