// The cache between blocks and rows: which blocks are laid out, with which look, and how much work that was.
// It follows the transcript through its changes; positions and scrolling are viewport.ts's.

import { lineDiffGeneration } from "../text/line_diff.ts";
import { markdownGeneration } from "../text/markdown.ts";
import { widthGeneration } from "../text/graphemes.ts";
import {
  type Block,
  type BlockId,
  type Changes,
  isBlockRunning,
  type Transcript,
} from "../transcript/block.ts";
import { type BlockRows, keptLines, layoutBlock, type Segment, segmentRows } from "./block_lines.ts";
import type { LayoutSettings, Look } from "./look.ts";

/** What a reader who scrolled away keeps seeing of a block in view, however the block goes on. */
export type HeldLook = Pick<Look, "running" | "whole">;

interface CachedRows {
  readonly rows: BlockRows;
  readonly version: number;
  readonly look: Look;
  readonly generation: number;
  readonly lineCount: number;
}

/** Layout state of one client. Changed in place. */
export interface Layout {
  settings: LayoutSettings;
  blocks: readonly Block[];
  readonly held: Map<BlockId, HeldLook>;
  /** Work done, exact: blocks laid out for frames and for the index. Tests and benches read it. */
  readonly work: { blocks: number; indexed: number };
  readonly cache: Map<BlockId, CachedRows>;
  cachedLines: number;
  /** Grows with every change of settings that all lines depend on. */
  generation: number;
  /** How often the blocks became others altogether: ids from before mean nothing then. */
  rebuilt: number;
  libraries: number;
  newestAnswer: BlockId | null;
  seenBlocks: number;
  /** Rows of each block, by index, gap not counted; -1 when unknown. */
  heights: Int32Array;
}

/** Lines kept beyond what is in view. */
const MOST_CACHED_LINES = 6000;

/** A layout of nothing. */
export function createLayout(settings: LayoutSettings): Layout {
  return {
    settings,
    blocks: [],
    held: new Map(),
    work: { blocks: 0, indexed: 0 },
    cache: new Map(),
    cachedLines: 0,
    generation: 0,
    rebuilt: 0,
    libraries: 0,
    newestAnswer: null,
    seenBlocks: 0,
    heights: new Int32Array(0),
  };
}

/** Takes over what changed in the transcript since the last call; costs what changed. */
export function syncLayout(layout: Layout, transcript: Transcript, changes: Changes): void {
  const libraries = markdownGeneration() + widthGeneration() + lineDiffGeneration();
  if (libraries !== layout.libraries) {
    layout.libraries = libraries;
    forget(layout);
  }
  layout.blocks = transcript.blocks;
  if (changes.rebuilt) {
    forget(layout);
    layout.rebuilt++;
    layout.held.clear();
    layout.seenBlocks = 0;
    layout.newestAnswer = null;
  } else if (changes.prepended > 0) {
    layout.seenBlocks += changes.prepended;
    layout.heights = new Int32Array(0);
    if (layout.newestAnswer === null) findNewestAnswer(layout);
  }
  for (const block of changes.touched) {
    const index = layout.heights.length === 0 ? -1 : indexOfBlock(layout, block.id);
    if (index >= 0 && index < layout.heights.length) layout.heights[index] = -1;
  }
  for (; layout.seenBlocks < layout.blocks.length; layout.seenBlocks++) {
    const block = layout.blocks[layout.seenBlocks];
    if (block === undefined) continue;
    if (block.kind === "turn_header") setNewestAnswer(layout, null);
    else if (block.kind === "assistant_text") setNewestAnswer(layout, block.id);
  }
}

/** Changes the settings; lines that depend on what changed are laid out again when they are seen. */
export function changeSettings(layout: Layout, settings: LayoutSettings): void {
  const before = layout.settings;
  layout.settings = settings;
  const onlyFold = before.width === settings.width && before.showReasoning === settings.showReasoning &&
    before.previewHead === settings.previewHead && before.previewTail === settings.previewTail;
  if (!onlyFold) layout.generation++;
  layout.heights = new Int32Array(0);
}

/** Index of the first block that a /clear left in the view. */
export function firstIndex(layout: Layout): number {
  const cleared = layout.settings.clearedThrough;
  if (cleared === null) return 0;
  const index = indexOfBlock(layout, cleared);
  return layout.blocks[index]?.id === cleared ? index + 1 : index;
}

/** The look a block has now: the mode or its override, and what is held for the reader. */
export function lookOf(layout: Layout, block: Block): Look {
  const held = layout.held.get(block.id);
  return {
    fold: layout.settings.overrides.get(block.id) ?? layout.settings.fold,
    running: held?.running ?? isBlockRunning(block),
    whole: held?.whole ?? block.id === layout.newestAnswer,
  };
}

/** The rows of the block at an index, from the cache where nothing changed. */
export function rowsOf(layout: Layout, index: number, purpose: "blocks" | "indexed" = "blocks"): BlockRows {
  const block = layout.blocks[index];
  if (block === undefined) return { segments: [], kept: new Map() };
  const look = lookOf(layout, block);
  const kept = layout.cache.get(block.id);
  if (
    kept !== undefined && kept.version === block.version && kept.generation === layout.generation &&
    sameLook(kept.look, look)
  ) {
    return kept.rows;
  }
  layout.work[purpose]++;
  const rows = layoutBlock(block, look, layout.settings, kept?.rows ?? null);
  if (purpose === "blocks") keep(layout, block, look, rows);
  return rows;
}

/** The segments of a block as in detail; nothing is kept of how it was drawn unless it is shown so. */
export function detailSegments(layout: Layout, index: number): readonly Segment[] {
  const block = layout.blocks[index];
  if (block === undefined) return [];
  if (lookOf(layout, block).fold === "detail") return rowsOf(layout, index).segments;
  const look = { fold: "detail", running: isBlockRunning(block), whole: true } as const;
  // What was read for the screen is not read again.
  const cached = layout.cache.get(block.id);
  const isSame = cached?.version === block.version && cached.generation === layout.generation;
  return layoutBlock(block, look, layout.settings, isSame ? cached.rows : null).segments;
}

/** Rows of the block at an index, gap not counted; measured once for each look. */
export function heightOf(layout: Layout, index: number): number {
  if (layout.heights.length < layout.blocks.length) growHeights(layout);
  const known = layout.heights[index] ?? -1;
  if (known >= 0) return known;
  let rows = 0;
  for (const segment of rowsOf(layout, index, "indexed").segments) rows += segmentRows(segment);
  layout.heights[index] = rows;
  return rows;
}

/** Measures up to `most` blocks whose height is unknown, from the newest up. Returns true when none is left. */
export function measureRest(layout: Layout, most: number): boolean {
  if (layout.heights.length < layout.blocks.length) growHeights(layout);
  let left = most;
  for (let index = layout.blocks.length - 1; index >= firstIndex(layout); index--) {
    if ((layout.heights[index] ?? -1) >= 0) continue;
    if (left-- <= 0) return false;
    heightOf(layout, index);
  }
  return true;
}

/** The index of a block by id, by halving: ids rise with the index. The nearest block at or after it when it is gone. */
export function indexOfBlock(layout: Layout, id: BlockId): number {
  let low = 0;
  let high = layout.blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((layout.blocks[middle]?.id ?? Infinity) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sameLook(a: Look, b: Look): boolean {
  return a.fold === b.fold && a.running === b.running && a.whole === b.whole;
}

function keep(layout: Layout, block: Block, look: Look, rows: BlockRows): void {
  const before = layout.cache.get(block.id);
  if (before !== undefined) {
    layout.cachedLines -= before.lineCount;
    layout.cache.delete(block.id);
  }
  const lineCount = 1 + keptLines(rows);
  layout.cache.set(block.id, {
    rows,
    version: block.version,
    look,
    generation: layout.generation,
    lineCount,
  });
  layout.cachedLines += lineCount;
  // Oldest first; what is in view was laid out last, and is laid out again for nothing only when it alone is too much.
  for (const [id, entry] of layout.cache) {
    if (layout.cachedLines <= MOST_CACHED_LINES || id === block.id || layout.cache.size <= 256) break;
    layout.cachedLines -= entry.lineCount;
    layout.cache.delete(id);
  }
}

function forget(layout: Layout): void {
  layout.cache.clear();
  layout.cachedLines = 0;
  layout.heights = new Int32Array(0);
}

function growHeights(layout: Layout): void {
  const grown = new Int32Array(Math.max(64, layout.blocks.length * 2)).fill(-1);
  grown.set(layout.heights);
  layout.heights = grown;
}

function setNewestAnswer(layout: Layout, id: BlockId | null): void {
  if (layout.newestAnswer !== null) forgetHeight(layout, layout.newestAnswer);
  layout.newestAnswer = id;
}

/** A block's height must be measured again: its look changed. */
export function forgetHeight(layout: Layout, id: BlockId): void {
  const index = indexOfBlock(layout, id);
  if (index < layout.heights.length) layout.heights[index] = -1;
}

function findNewestAnswer(layout: Layout): void {
  for (let index = layout.blocks.length - 1; index >= 0; index--) {
    const block = layout.blocks[index];
    if (block?.kind === "turn_header") return;
    if (block?.kind === "assistant_text") {
      layout.newestAnswer = block.id;
      return;
    }
  }
}
