// The parts of a message: pieces of its source (markdown_stream.ts) and what the parser made of them, drawn one after
// the other. Which parts a message has is markdown.ts's, which of their rows are kept markdown_groups.ts's.

import { widthGeneration } from "./graphemes.ts";
import type { Line } from "./line.ts";
import { blockShapes, codeLines, literalShapes, type Shape } from "./markdown_blocks.ts";
import { plainLines } from "./markdown_inline.ts";
import { type BlockTokens, joinLinks, lexBlocks, lexInline, type LinkTable } from "./markdown_lexer.ts";
import {
  drawCode,
  drawGap,
  drawLabel,
  drawLinePart,
  drawLines,
  drawShapes,
  type RowSink,
} from "./markdown_rows.ts";
import type { Piece } from "./markdown_stream.ts";

/** An open piece longer than this (UTF-16 units) is read again only when it has grown by an eighth. */
const ALWAYS_READ = 2048;

/** A piece and what the parser made of it. */
export interface Part {
  readonly piece: Piece;
  /** UTF-16 units of the piece that are read; the rest of a long open piece is shown as it is. */
  readonly readLength: number;
  blocks: BlockTokens | null;
  shapes: readonly Shape[] | null;
  /** The links it was read with, and is read with again; undefined before it was read. */
  links: LinkTable | null | undefined;
  /** Rows of `shapes` while the piece is open, so that a long list is not wrapped anew for each word. */
  rows: DrawnRows | null;
}

/** Rows that hold for this width and place in the message. */
interface DrawnRows {
  readonly width: number;
  readonly widths: number;
  readonly from: number;
  readonly end: number;
  readonly rows: readonly Line[];
}

/** A piece that may still grow, and the part that stood in its place before. */
export function openPart(piece: Piece, before: Part | undefined, done: boolean): Part {
  if (
    before !== undefined && samePiece(before.piece, piece) &&
    (!done || before.readLength === piece.text.length)
  ) {
    return { ...before, piece };
  }
  if (done || piece.kind !== "blocks" || piece.text.length <= ALWAYS_READ) {
    return newPart(piece, piece.text.length);
  }
  if (before?.piece.kind === "blocks") {
    const read = before.readLength;
    const grown = piece.text.length - read;
    // Behind half a line the rest would begin a row of its own; one line is never long (LONGEST_LINE).
    const isWholeLines = piece.text.charAt(read - 1) === "\n";
    if (
      isWholeLines && grown >= 0 && grown * 8 < read &&
      piece.text.slice(0, read) === before.piece.text.slice(0, read)
    ) {
      return { ...before, piece };
    }
  }
  // Whole lines only: half a line as Markdown and half as it is would look broken.
  return newPart(piece, piece.text.lastIndexOf("\n") + 1 || piece.text.length);
}

/** A piece of which nothing is known. */
export function newPart(piece: Piece, readLength: number): Part {
  return { piece, readLength, blocks: null, shapes: null, links: undefined, rows: null };
}

export function samePiece(one: Piece, other: Piece): boolean {
  return one.kind === other.kind && one.text === other.text && one.label === other.label &&
    one.extent === other.extent;
}

/** False for pieces that need no look. */
export function mayDefineLinks(piece: Piece): boolean {
  return piece.kind === "blocks" && piece.text.includes("]:");
}

/** The part's blocks; null where they cannot be told. */
export function blocksOf(part: Part): BlockTokens | null {
  part.blocks ??= lexBlocks(part.piece.text.slice(0, part.readLength));
  return part.blocks;
}

/** What was read is forgotten: it is read again with the same links when it is drawn again. */
export function forgetRead(part: Part): void {
  part.shapes = null;
  part.rows = null;
}

function shapesOf(part: Part, known: LinkTable | null): readonly Shape[] {
  if (part.shapes !== null) return part.shapes;
  const blocks = part.piece.kind === "literal" ? null : blocksOf(part);
  if (part.links === undefined) part.links = known;
  const links = joinLinks(part.links, blocks?.links ?? null);
  part.shapes = blocks === null
    ? literalShapes(part.piece.text.slice(0, part.readLength))
    : blockShapes(blocks, (text) => lexInline(text, links));
  // Shapes hold all that drawing needs.
  part.blocks = null;
  return part.shapes;
}

/** How a part is drawn. */
export interface PartOptions {
  readonly width: number;
  /** The links that are known now. */
  readonly links: LinkTable | null;
  /** Nothing stands before it. */
  readonly isFirst: boolean;
}

/** Draws a part into a message's rows. */
export function drawPart(part: Part, sink: RowSink, options: PartOptions): void {
  const { width, isFirst } = options;
  const { kind, text, gap, label, extent } = part.piece;
  const empty = kind === "fence" && label === null && text === "";
  if (gap && !empty && !isFirst) drawGap(sink);
  if (extent !== "lines" && (kind === "plain" || kind === "fence")) {
    if (label !== null) drawLabel(label, width, sink);
    return drawLinePart({ text, kind, extent }, width, sink);
  }
  switch (kind) {
    case "plain":
      return drawLines(plainLines(text, "default"), width, sink);
    case "fence":
      return drawCode(label, codeLines(text), width, sink);
    case "blocks":
    case "literal":
      drawRead(part, sink, options);
      if (part.readLength < text.length) drawShapes(literalShapes(text.slice(part.readLength)), width, sink);
  }
}

/** Draws what is read of a piece; what of a long piece is only in part read is drawn once. */
function drawRead(part: Part, sink: RowSink, { width, links }: PartOptions): void {
  const widths = widthGeneration();
  const known = part.rows;
  if (known?.width === width && known.widths === widths && known.from === sink.source) {
    for (const row of known.rows) sink.rows.push(row);
    sink.source = known.end;
    return;
  }
  const from = sink.source;
  const start = sink.rows.length;
  drawShapes(shapesOf(part, links), width, sink);
  if (part.readLength === part.piece.text.length) return;
  part.rows = { width, widths, from, end: sink.source, rows: sink.rows.slice(start) };
}
