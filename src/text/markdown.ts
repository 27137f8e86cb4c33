// Message text (Markdown) as lines of a width. A streamed message costs what its open end costs: pieces whose end is
// certain are read and wrapped once. markdown_stream.ts cuts pieces, markdown_blocks.ts reads one, markdown_rows.ts
// draws it.

import { cellWidth, widthGeneration } from "./graphemes.ts";
import type { Line } from "./line.ts";
import { SEGMENT_LENGTH, segmentEnd } from "./long_line.ts";
import { blockShapes, codeLines, literalShapes, type Shape } from "./markdown_blocks.ts";
import { plainLines } from "./markdown_inline.ts";
import {
  type BlockTokens,
  joinLinks,
  lexBlocks,
  lexInline,
  type LinkTable,
  markdownGeneration,
} from "./markdown_lexer.ts";
import {
  drawCode,
  drawGap,
  drawLabel,
  drawLinePart,
  drawLines,
  drawShapes,
  type RowSink,
} from "./markdown_rows.ts";
import { completeLength, markdownSource, restOfSource } from "./markdown_source.ts";
import { CUT_START, cutPieces, type CutState, type Piece } from "./markdown_stream.ts";
import { createReading, isRead, type Reading, readOn, type TextSource } from "./text_source.ts";

export { isMarkdownWanted, loadMarkdown, markdownGeneration } from "./markdown_lexer.ts";

/** Lines are kept for this many widths: the present one and the one before a resize. */
const MOST_VIEWS = 2;
/** An open piece longer than this (UTF-16 units) is read again only when it has grown by an eighth. */
const ALWAYS_READ = 2048;

/**
 * An unfinished line that would make a heading of the line before it, but is mostly the start of a list or rule: not
 * shown until the next sign comes, or the paragraph would flash as a heading.
 */
const MAYBE_UNDERLINE = /^ {0,3}(?:-+|=+) *$/;

/** One message: its text, what was made of it, and the lines of the widths it was last drawn in. */
export interface MarkdownText {
  text: TextSource;
  done: boolean;
  /** How far `text` is in the pieces below, in `tail` and in `rest`. */
  readonly reading: Reading;
  /** What the pieces below were made of; null before anything was. */
  settled: { readonly done: boolean; readonly generation: number } | null;
  /** Source behind the closed parts: whole lines, then what is sure of the unfinished one. */
  tail: string;
  /** Cells of the unfinished line that are in `tail` or before it; -1 where none of it is. */
  column: number;
  /** The rest of the unfinished line, as it came. */
  rest: string;
  state: CutState;
  readonly closed: Part[];
  open: readonly Part[];
  links: LinkTable | null;
  views: View[];
}

/** A piece and what the parser made of it. */
interface Part {
  readonly piece: Piece;
  /** UTF-16 units of the piece that are read; the rest of a long open piece is shown as it is. */
  readonly readLength: number;
  blocks: BlockTokens | null;
  shapes: readonly Shape[] | null;
  /** The links `shapes` were made with. */
  links: LinkTable | null;
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

/** The lines of one width: those of the closed parts, `closedRows` of them, then those of the open ones. */
interface View {
  readonly width: number;
  readonly widths: number;
  readonly sink: RowSink;
  /** Closed parts that are drawn, and what the sink held behind them: open parts are drawn over it. */
  drawn: number;
  closed: { readonly rows: number; readonly last: Line | undefined; readonly sink: Omit<RowSink, "rows"> };
  settled: MarkdownText["settled"];
}

/** An empty message. */
export function createMarkdown(): MarkdownText {
  return {
    text: "",
    done: false,
    reading: createReading(),
    settled: null,
    tail: "",
    column: -1,
    rest: "",
    state: CUT_START,
    closed: [],
    open: [],
    links: null,
    views: [],
  };
}

/**
 * Sets the message's whole text so far; `done` says that no more will come. Costs nothing until lines are asked for.
 * A text that does not go on from the one before is read from its start.
 */
export function updateMarkdown(md: MarkdownText, text: TextSource, done: boolean): void {
  md.text = text;
  md.done = done;
}

/**
 * The message's lines, none wider than `width`, which is at least 1; empty for a text without any. The same array as
 * long as the message goes on: its end changes in place. `source` counts unwrapped lines over the whole message and
 * does not depend on the width.
 */
export function markdownLines(md: MarkdownText, width: number): readonly Line[] {
  settle(md);
  const view = viewOf(md, width);
  const { sink } = view;
  if (view.settled === md.settled) return sink.rows;
  eraseOpen(view);
  for (; view.drawn < md.closed.length; view.drawn++) drawPart(md, md.closed[view.drawn]!, width, sink);
  view.closed = {
    rows: sink.rows.length,
    last: sink.rows.at(-1),
    sink: { source: sink.source, open: sink.open },
  };
  for (const part of md.open) drawPart(md, part, width, sink);
  view.settled = md.settled;
  return sink.rows;
}

/** Takes the rows of the open parts away; the first of them may have taken the last closed row's place. */
function eraseOpen({ sink, closed }: View): void {
  sink.rows.length = closed.rows;
  if (closed.last !== undefined) sink.rows[closed.rows - 1] = closed.last;
  Object.assign(sink, closed.sink);
}

/** Brings the parts up to the text. */
function settle(md: MarkdownText): void {
  const generation = markdownGeneration();
  const before = md.settled;
  const isSame = before?.generation === generation;
  if (isSame && before.done === md.done && isRead(md.reading, md.text)) return;
  if (before !== null && !isSame) restart(md);
  let fresh = readOn(md.reading, md.text);
  if (fresh === null) {
    restart(md);
    fresh = readOn(md.reading, md.text) ?? "";
  }
  takeText(md, md.rest + fresh);
  // A CR at the very end is a line end whether or not its LF comes.
  const rest = md.rest.endsWith("\r") ? md.rest.slice(0, -1) : md.rest;
  const lastLine = md.column === -1 ? markdownSource(rest) : restOfSource(rest, md.column);
  const cut = cutPieces(md.tail + lastLine, md.state, false, md.tail.length);
  for (const piece of cut.pieces) closePiece(md, piece);
  md.tail = md.tail.slice(cut.end);
  md.state = cut.state;
  const shown = !md.done && md.column === -1 && MAYBE_UNDERLINE.test(lastLine) ? "" : lastLine;
  md.open = cutPieces(md.tail + shown, md.state, true).pieces.map((piece, index) =>
    openPart(piece, md.open[index], md.done)
  );
  if (md.done) useAllLinks(md);
  md.settled = { done: md.done, generation };
}

/** Puts whole lines into the tail, and of a long unfinished line what is sure. */
function takeText(md: MarkdownText, text: string): void {
  let rest = text;
  const whole = completeLength(text);
  if (whole > 0) {
    const lines = text.slice(0, whole);
    md.tail += md.column === -1 ? markdownSource(lines) : restOfSource(lines, md.column);
    md.column = -1;
    rest = text.slice(whole);
  }
  while (rest.length > 2 * SEGMENT_LENGTH) {
    const end = segmentEnd(rest);
    if (end === 0) break;
    const sure = rest.slice(0, end);
    const source = md.column === -1 ? markdownSource(sure) : restOfSource(sure, md.column);
    md.tail += source;
    md.column = Math.max(0, md.column) + cellWidth(source);
    rest = rest.slice(end);
  }
  md.rest = rest;
}

function restart(md: MarkdownText): void {
  Object.assign(md, { ...createMarkdown(), text: md.text, done: md.done });
}

function closePiece(md: MarkdownText, piece: Piece): void {
  const known = md.open.find((part) => part.readLength === piece.text.length && samePiece(part.piece, piece));
  const part = known === undefined ? newPart(piece, piece.text.length) : { ...known, piece, rows: null };
  md.closed.push(part);
  if (mayDefineLinks(piece)) md.links = joinLinks(md.links, blocksOf(part)?.links ?? null);
}

function openPart(piece: Piece, before: Part | undefined, done: boolean): Part {
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
    if (grown >= 0 && grown * 8 < read && piece.text.slice(0, read) === before.piece.text.slice(0, read)) {
      return { ...before, piece };
    }
  }
  // Whole lines only: half a line as Markdown and half as it is would look broken.
  return newPart(piece, piece.text.lastIndexOf("\n") + 1 || piece.text.length);
}

function newPart(piece: Piece, readLength: number): Part {
  return { piece, readLength, blocks: null, shapes: null, links: null, rows: null };
}

function samePiece(one: Piece, other: Piece): boolean {
  return one.kind === other.kind && one.text === other.text && one.label === other.label &&
    one.extent === other.extent;
}

/** Definitions change text before them too: once the message is complete, all of it is read with all of them. */
function useAllLinks(md: MarkdownText): void {
  let links = md.links;
  for (const part of md.open) {
    if (mayDefineLinks(part.piece)) links = joinLinks(links, blocksOf(part)?.links ?? null);
  }
  let changed = false;
  for (const part of [...md.closed, ...md.open]) {
    if (part.shapes === null || part.links === links || !part.piece.text.includes("[")) continue;
    part.shapes = null;
    part.rows = null;
    changed = true;
  }
  md.links = links;
  if (changed) md.views = [];
}

function mayDefineLinks(piece: Piece): boolean {
  return piece.kind === "blocks" && piece.text.includes("]:");
}

function blocksOf(part: Part): BlockTokens | null {
  part.blocks ??= lexBlocks(part.piece.text.slice(0, part.readLength));
  return part.blocks;
}

function shapesOf(md: MarkdownText, part: Part): readonly Shape[] {
  if (part.shapes !== null) return part.shapes;
  const blocks = part.piece.kind === "literal" ? null : blocksOf(part);
  const links = joinLinks(md.links, blocks?.links ?? null);
  part.links = md.links;
  part.shapes = blocks === null
    ? literalShapes(part.piece.text.slice(0, part.readLength))
    : blockShapes(blocks, (text) => lexInline(text, links));
  // Shapes hold all that drawing needs; tokens are read again in the rare case of a late link definition.
  part.blocks = null;
  return part.shapes;
}

function drawPart(md: MarkdownText, part: Part, width: number, sink: RowSink): void {
  const { kind, text, gap, label, extent } = part.piece;
  const empty = kind === "fence" && label === null && text === "";
  if (gap && !empty && sink.rows.length > 0) drawGap(sink);
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
      drawRead(md, part, width, sink);
      if (part.readLength < text.length) drawShapes(literalShapes(text.slice(part.readLength)), width, sink);
  }
}

/** Draws what is read of a piece; what of a long piece is only in part read is drawn once. */
function drawRead(md: MarkdownText, part: Part, width: number, sink: RowSink): void {
  const widths = widthGeneration();
  const known = part.rows;
  if (known?.width === width && known.widths === widths && known.from === sink.source) {
    for (const row of known.rows) sink.rows.push(row);
    sink.source = known.end;
    return;
  }
  const from = sink.source;
  const start = sink.rows.length;
  drawShapes(shapesOf(md, part), width, sink);
  if (part.readLength === part.piece.text.length) return;
  part.rows = { width, widths, from, end: sink.source, rows: sink.rows.slice(start) };
}

function viewOf(md: MarkdownText, width: number): View {
  const widths = widthGeneration();
  let view = md.views.find((each) => each.width === width && each.widths === widths);
  view ??= {
    width,
    widths,
    sink: { rows: [], source: 0, open: null },
    drawn: 0,
    closed: { rows: 0, last: undefined, sink: { source: 0, open: null } },
    settled: null,
  };
  md.views = [view, ...md.views.filter((each) => each !== view && each.widths === widths)].slice(
    0,
    MOST_VIEWS,
  );
  return view;
}
