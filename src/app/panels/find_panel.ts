// The row in which a text is looked for in the transcript. What is found, and where the view goes, is find.ts's.

import { type Composer, composerRows } from "../../input/composer.ts";
import type { BlockRows, Segment } from "../../layout/block_lines.ts";
import type { FoundRow } from "../../layout/find.ts";
import type { LayoutSettings } from "../../layout/look.ts";
import type { Viewport } from "../../layout/viewport.ts";
import { cellWidth } from "../../text/graphemes.ts";
import type { Wanted } from "../../text/find_text.ts";
import { type Line, line, lineOf, lineWidth, padLine, shortenLine } from "../../text/line.ts";
import type { Block, BlockId, Transcript } from "../../transcript/block.ts";

/** A block and how many places are in it. */
export interface FoundBlock {
  readonly id: BlockId;
  readonly count: number;
}

/** The place that the view went to: which one of its block, and where that is at the moment; null where it is hidden. */
export interface CurrentPlace {
  readonly block: Block;
  readonly at: number;
  readonly row: FoundRow | null;
}

/** The places of a block that was drawn so. */
export interface KnownPlaces {
  readonly drawn: BlockRows;
  readonly wanted: Wanted;
  readonly rows: readonly FoundRow[];
}

/** A block that is being looked through. */
export interface HalfLooked {
  readonly block: Block;
  readonly version: number;
  readonly segments: readonly Segment[];
  at: number;
  count: number;
}

/** An open search. */
export interface FindPanel {
  readonly kind: "find";
  readonly name: "find";
  /** The person opened it: it has the keys at once. */
  readonly shownMs: null;
  readonly field: Composer;
  /** Who had the keys before. */
  readonly back: "composer" | "history";
  /** Null while nothing is asked for. */
  wanted: Wanted | null;
  /** What was found is true for this transcript, drawn in this way. */
  of: Transcript | null;
  drawnAs: string;
  /** Blocks with places in them, the newest first. */
  found: FoundBlock[];
  /** The oldest and the newest block looked through; null before the first. */
  oldest: BlockId | null;
  newest: BlockId | null;
  /** Blocks that have changed since. */
  readonly stale: Set<BlockId>;
  half: HalfLooked | null;
  /** What has changed and what is new is looked through as well: the person moves on. */
  isCatchingUp: boolean;
  /** False while there is more to look through. */
  isOver: boolean;
  current: CurrentPlace | null;
  /** Where to go as soon as it is found: to the newest place at or above the view's end, an older one, a newer one. */
  goal: "first" | "older" | "newer" | null;
  /** The row at the view's end when the search was opened, and where the view was held. */
  from: { readonly block: Block; readonly segment: number; readonly row: number } | null;
  start: Viewport;
  /** Where `current` stands is true for these. */
  placedIn: LayoutSettings | null;
  /** All places of the block that the view went to last, as it is shown: the next is found at once. */
  places: KnownPlaces | null;
}

const LABEL = "find ";

/** The panel's one row, and the caret in it. */
export function findRows(
  panel: FindPanel,
  width: number,
): { readonly rows: readonly Line[]; readonly caret: { readonly row: number; readonly column: number } } {
  const said = saidOf(panel);
  const hints = [
    `  ${said}  Enter older, Down newer, Esc closes`,
    `  ${said}  Enter Down Esc`,
    `  ${said}`,
    "",
  ];
  // Half of the row is for what is typed.
  const hint = hints.find((one) => cellWidth(one) <= width / 2) ?? "";
  const room = Math.max(1, width - LABEL.length - cellWidth(hint) - 1);
  const field = composerRows(panel.field, room, 1);
  const typed = lineOf(
    [LABEL, "panel.label"],
    ...(field.rows[0]?.spans ?? []).map((span) => [span.text, span.role] as const),
  );
  const padded = padLine(shortenLine(typed, width), Math.max(lineWidth(typed), width - cellWidth(hint)));
  const row = hint === ""
    ? shortenLine(typed, width)
    : { spans: [...padded.spans, ...line(hint, isMissing(panel) ? "panel.warn" : "panel.hint").spans] };
  return { rows: [row], caret: { row: 0, column: Math.min(width - 1, LABEL.length + field.caret.column) } };
}

function isMissing({ wanted, isOver, found }: FindPanel): boolean {
  return wanted !== null && isOver && found.length === 0;
}

/** Which place of how many; the oldest is the first. */
function saidOf(panel: FindPanel): string {
  const { wanted, current, found, isOver } = panel;
  if (wanted === null) return "";
  if (isMissing(panel)) return "not found";
  let older = 0;
  let all = 0;
  for (const { id, count } of found) {
    all += count;
    if (current !== null && id < current.block.id) older += count;
  }
  if (!isOver) return `${all}, looking`;
  return current === null ? `${all} found` : `${older + current.at + 1} of ${all}`;
}
