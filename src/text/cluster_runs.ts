// The stretches of text whose grapheme boundaries only Intl.Segmenter knows. It is slow (160-270 ms a megabyte) and
// building it takes 21 ms, so it is built when first needed and what it said is kept by the stretch's text.

import { clusterCells, widthGeneration } from "./cluster_widths.ts";
import { classAt, NOT_SIMPLE, pointClass, pointLength, WIDTH_BITS } from "./width_classes.ts";

/** The clusters of one run: where each ends, in UTF-16 units from the start of the run, and its cells. */
export interface Clusters {
  readonly ends: readonly number[];
  readonly widths: readonly number[];
}

const CACHE_SIZE = 4096;
/** Runs up to this many UTF-16 units are kept. */
export const LONGEST_KEPT_RUN = 64;

const cache = new Map<string, Clusters>();
let cacheGeneration = 0;
let segmenter: Intl.Segmenter | null = null;

/**
 * Where the run that begins at `at` ends: behind the first simple sign that is followed by another simple one, since
 * a sign before it may join it (a prepended mark), but never the one after it.
 */
export function runEnd(text: string, at: number): number {
  let end = at;
  let wasSimple = false;
  while (end < text.length) {
    const isSimple = (classAt(text, end) & NOT_SIMPLE) === 0;
    if (isSimple && wasSimple) return end;
    wasSimple = isSimple;
    end += pointLength(text, end);
  }
  return end;
}

/** The clusters of a whole run. */
export function clustersOf(run: string): Clusters {
  if (cacheGeneration !== widthGeneration()) {
    cache.clear();
    cacheGeneration = widthGeneration();
  }
  const known = cache.get(run);
  if (known !== undefined) return known;
  const ends: number[] = [];
  const widths: number[] = [];
  for (const { segment, index } of segments(run)) {
    ends.push(index + segment.length);
    widths.push(widthOf(segment));
  }
  const clusters = { ends, widths };
  if (run.length <= LONGEST_KEPT_RUN) {
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(run, clusters);
  }
  return clusters;
}

/** The graphemes of a run one after the other, for runs too long to be kept. */
export function segments(run: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(run);
}

/** Cells of one cluster: the table's for a single code point, string-width's for several. */
export function widthOf(cluster: string): number {
  if (cluster.length === 0) return 0;
  if (pointLength(cluster, 0) < cluster.length) return clusterCells(cluster);
  return pointClass(cluster.codePointAt(0)!) & WIDTH_BITS;
}
