// How a block is to be shown: the fold that applies to it, and what is held for a reader who scrolled away.

import type { BlockId, FoldMode } from "../transcript/block.ts";

/** What decides a block's lines beside its content and the width. */
export interface Look {
  /** The global mode or the block's own override. */
  readonly fold: FoldMode;
  /** Shown as running: in normal as in detail. */
  readonly running: boolean;
  /** An answer shown whole in normal: the last text of the newest turn. */
  readonly whole: boolean;
}

/** Settings that every block's lines depend on. */
export interface LayoutSettings {
  /** Cells of a row, gutter included. */
  readonly width: number;
  readonly fold: FoldMode;
  readonly showReasoning: boolean;
  readonly previewHead: number;
  readonly previewTail: number;
  /** Blocks whose fold differs from the mode, by id. */
  readonly overrides: ReadonlyMap<BlockId, FoldMode>;
  /** Blocks up to this id are cleared from the view; null: none. */
  readonly clearedThrough: BlockId | null;
}

/** The view a renderer is asked for: what runs shows as in detail, but in overview it stays one row. */
export function effectiveFold(look: Look): FoldMode {
  return look.fold === "normal" && look.running ? "detail" : look.fold;
}

/** Cells in front of a block's text: its mark and a blank; none where the screen is too narrow for both. */
export function gutterWidth(width: number): number {
  return width >= 6 ? 2 : 0;
}
