// User-perceived characters (graphemes, also called clusters) and how many cells each takes.
// Single code points come from a generated table; clusters of several from string-width, the authority.
// Expects text without controls: outside_text.ts turned them into visible tokens.

import { clustersOf, LONGEST_KEPT_RUN, runEnd, segments, widthOf } from "./cluster_runs.ts";
import { clusterCells, voidClusterWidths } from "./cluster_widths.ts";
import { extendsPictograph, FLAG_LENGTH, isHalfFlag, isJoiner, isPictograph } from "./emoji_ends.ts";
import {
  ambiguousWidth,
  changeAmbiguousWidth,
  classAt,
  classTable,
  DOUBTFUL,
  HARD,
  JOINS_BACK,
  NOT_SIMPLE,
  pointClass,
  pointLength,
  WIDTH_BITS,
} from "./width_classes.ts";

export { clusterWidthsWanted, loadClusterWidths, widthGeneration } from "./cluster_widths.ts";

/** Nothing below this joins what stands before it, but for LF behind CR. */
const FIRST_JOINING = 0x300;

/** Sees one grapheme: where it begins and ends in UTF-16 units, and its cells. `false` stops the walk. */
export type GraphemeVisitor = (start: number, end: number, width: number) => void | false;

/** Visits the graphemes of `text` in order: the hot loop of painting and wrapping. ASCII allocates nothing. */
export function walkGraphemes(text: string, visit: GraphemeVisitor): void {
  walkFrom(text, 0, visit);
}

/** Cells of a text without controls. */
export function cellWidth(text: string): number {
  const ascii = asciiLength(text);
  if (ascii === text.length) return ascii;
  // The last ASCII sign may carry an accent.
  let width = Math.max(0, ascii - 1);
  walkFrom(text, width, (_start, _end, cells) => {
    width += cells;
  });
  return width;
}

/** UTF-16 index behind the grapheme that begins at `at`, which must be a grapheme's start; at most the length. */
export function graphemeEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const end = easyEnd(text, at);
  if (end !== 0) return end;
  // Only as much is cut into graphemes as the first one needs, so that a walk over a long run stays linear.
  for (let length = LONGEST_KEPT_RUN;; length *= 4) {
    const piece = text.slice(at, at + length);
    const first = segments(piece)[Symbol.iterator]().next().value?.segment ?? piece;
    if (first.length < piece.length - 1 || at + length >= text.length) return at + first.length;
  }
}

/** All graphemes of `text`. */
export function graphemes(text: string): readonly string[] {
  const all: string[] = [];
  walkFrom(text, 0, (start, end) => {
    all.push(text.slice(start, end));
  });
  return all;
}

/** Cells of one grapheme. */
export function clusterWidth(cluster: string): number {
  return widthOf(cluster);
}

/** The longest prefix of whole graphemes that takes at most `width` cells. */
export function cutToWidth(text: string, width: number): string {
  if (width <= 0) return "";
  let cut = 0;
  let left = width;
  walkFrom(text, 0, (_start, end, cells) => {
    if (cells > left) return false;
    left -= cells;
    cut = end;
  });
  return cut === text.length ? text : text.slice(0, cut);
}

/**
 * True for a cluster some terminal may give another width than we do, so that the encoder must not trust where the
 * cursor stands behind it.
 */
export function isDoubtful(cluster: string): boolean {
  if (cluster.length === 1) {
    const unit = cluster.charCodeAt(0);
    return unit >= 0x7f && (pointClass(unit) & DOUBTFUL) !== 0;
  }
  if (cluster.length === 0) return false;
  const first = cluster.codePointAt(0)!;
  if (pointLength(cluster, 0) === cluster.length) return (pointClass(first) & DOUBTFUL) !== 0;
  const firstClass = pointClass(first);
  return (firstClass & WIDTH_BITS) !== 1 || (firstClass & DOUBTFUL) !== 0 || !isAccentedLetter(cluster);
}

/** Sets the cells of signs of ambiguous width (setting ambiguous_width): 1 as a rule. */
export function setAmbiguousWidth(cells: 1 | 2): void {
  if (cells === ambiguousWidth()) return;
  changeAmbiguousWidth(cells);
  voidClusterWidths();
}

function walkFrom(text: string, from: number, visit: GraphemeVisitor): void {
  const length = text.length;
  let classes: Uint8Array | null = null;
  let at = from;
  while (at < length) {
    const unit = text.charCodeAt(at);
    const nextUnit = at + 1 < length ? text.charCodeAt(at + 1) : 0;
    if (isPlainAscii(unit) && nextUnit < FIRST_JOINING) {
      if (visit(at, at + 1, 1) === false) return;
      at++;
      continue;
    }
    // Two simple units beside each other, as in CJK text; units of surrogate pairs are not simple. The unit 0 that
    // stands for the end is a control, so the last sign takes the path below.
    classes ??= classTable();
    const unitClass = classes[unit]!;
    if (((unitClass | classes[nextUnit]!) & NOT_SIMPLE) === 0) {
      if (visit(at, at + 1, unitClass & WIDTH_BITS) === false) return;
      at++;
      continue;
    }
    const end = easyEnd(text, at);
    if (end === 0) {
      const behind = walkRun(text, at, visit);
      if (behind === -1) return;
      at = behind;
      continue;
    }
    const single = at + pointLength(text, at);
    const width = end === single ? classAt(text, at) & WIDTH_BITS : clusterCells(text.slice(at, end));
    if (visit(at, end, width) === false) return;
    at = end;
  }
}

/** The end of the grapheme at `at` where the class table and the rules of emoji tell it, else 0. */
function easyEnd(text: string, at: number): number {
  let end = at + pointLength(text, at);
  if ((classAt(text, at) & HARD) !== 0) {
    if (!isHalfFlag(text, at)) return 0;
    if (isHalfFlag(text, end)) end = at + FLAG_LENGTH;
  }
  // Behind a pictograph and what belongs to it a joiner may be followed by another one.
  let mayJoin = true;
  for (;;) {
    const next = classAt(text, end);
    if ((next & NOT_SIMPLE) === 0 || isHalfFlag(text, end)) return end;
    if ((next & JOINS_BACK) !== 0) mayJoin &&= extendsPictograph(text, end);
    else if (!mayJoin || !isJoiner(text, end) || !isPictograph(text, at)) return 0;
    else if (isPictograph(text, end + 1)) end++;
    end += pointLength(text, end);
  }
}

/** Walks the run that begins at `at`; the index behind it, or -1 when the visitor stopped the walk. */
function walkRun(text: string, at: number, visit: GraphemeVisitor): number {
  const end = runEnd(text, at);
  if (end - at > LONGEST_KEPT_RUN) {
    for (const { segment, index } of segments(text.slice(at, end))) {
      if (visit(at + index, at + index + segment.length, widthOf(segment)) === false) return -1;
    }
    return end;
  }
  const { ends, widths } = clustersOf(text.slice(at, end));
  let start = 0;
  for (let index = 0; index < ends.length; index++) {
    const clusterEnd = ends[index]!;
    if (visit(at + start, at + clusterEnd, widths[index]!) === false) return -1;
    start = clusterEnd;
  }
  return end;
}

function isPlainAscii(unit: number): boolean {
  return unit >= 0x20 && unit < 0x7f;
}

/** How many plain ASCII signs `text` begins with. */
function asciiLength(text: string): number {
  let at = 0;
  while (at < text.length && isPlainAscii(text.charCodeAt(at))) at++;
  return at;
}

/** Safe in every terminal though made of several code points: an alphabet's letter with plain accents. */
function isAccentedLetter(cluster: string): boolean {
  // Not beside the other constants: Unicode's classes would take half a millisecond of every start.
  return /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}][\u0300-\u036f]+$/u
    .test(cluster);
}
