// Cells of clusters of several code points. string-width decides; it costs some 70 ms to load, so it comes after
// the first frame, and until then a cluster gets an estimate that is checked when the library is there.

import { loadLibrary } from "./libraries.ts";
import { ambiguousWidth, pointClass, WIDTH_BITS } from "./width_classes.ts";

type StringWidth = (
  text: string,
  options: { ambiguousIsNarrow: boolean; countAnsiEscapeCodes: boolean },
) => number;

/** Clusters kept; when full the cache starts again, which costs little as a text uses few different ones. */
const CACHE_SIZE = 8192;
/** Longer clusters, in UTF-16 units, are hostile or odd and not worth keeping. */
const LONGEST_KEPT = 64;

const EMOJI_SIGN = /[\ufe0f\u200d\u20e3\u{1f3fb}-\u{1f3ff}]|[\u{1f1e6}-\u{1f1ff}]{2}/u;

const cache = new Map<string, number>();
let stringWidth: StringWidth | null = null;
let loading: Promise<void> | null = null;
let generation = 0;
/** An estimate was given that the cache no longer holds, so it cannot be checked. */
let lostEstimate = false;

/** Cells of a cluster of several code points; an estimate until `loadClusterWidths` is done. */
export function clusterCells(cluster: string): number {
  const known = cache.get(cluster);
  if (known !== undefined) return known;
  const cells = stringWidth === null ? estimateCells(cluster) : measureCells(stringWidth, cluster);
  if (cluster.length <= LONGEST_KEPT) {
    if (cache.size >= CACHE_SIZE) forgetClusters();
    cache.set(cluster, cells);
  } else if (stringWidth === null) {
    lostEstimate = true;
  }
  return cells;
}

/** Loads string-width. Afterwards widths are exact, and `widthGeneration` has grown if any was wrong before. */
export function loadClusterWidths(): Promise<void> {
  loading ??= loadLibrary("string-width").then((library) => useLibrary(library.default));
  return loading;
}

/** True when an estimate was given and the library is not asked for yet. */
export function clusterWidthsWanted(): boolean {
  return loading === null && (cache.size > 0 || lostEstimate);
}

/** Grows whenever widths that were given before are no longer true. */
export function widthGeneration(): number {
  return generation;
}

/** All widths given before are void. */
export function voidClusterWidths(): void {
  cache.clear();
  generation++;
}

function useLibrary(library: StringWidth): void {
  stringWidth = library;
  // Its emoji pattern takes 20-40 ms to compile at the first use: here, not under a key.
  measureCells(library, "👍🏽");
  let corrected = lostEstimate;
  for (const [cluster, estimate] of cache) {
    const cells = measureCells(library, cluster);
    if (cells === estimate) continue;
    corrected = true;
    cache.set(cluster, cells);
  }
  if (corrected) generation++;
}

function forgetClusters(): void {
  if (stringWidth === null) lostEstimate = true;
  cache.clear();
}

function measureCells(library: StringWidth, cluster: string): number {
  return library(cluster, { ambiguousIsNarrow: ambiguousWidth() === 1, countAnsiEscapeCodes: true });
}

/** 2 for what looks like an emoji, else the sum of the code points. */
function estimateCells(cluster: string): number {
  let sum = 0;
  for (const sign of cluster) sum += pointClass(sign.codePointAt(0)!) & WIDTH_BITS;
  return sum > 0 && EMOJI_SIGN.test(cluster) ? 2 : sum;
}
