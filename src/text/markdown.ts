// Message text (Markdown) as lines of a width. A streamed message costs what its open end costs: pieces whose end is
// certain are read and wrapped once. markdown_stream.ts cuts pieces, markdown_parts.ts reads and draws them,
// markdown_groups.ts keeps rows.

import { cellWidth } from "./graphemes.ts";
import type { Line } from "./line.ts";
import { SEGMENT_LENGTH, segmentEnd } from "./long_line.ts";
import {
  addToGroups,
  type GroupStart,
  linesOfAll,
  type MarkdownGroup,
  type View,
  viewOf,
} from "./markdown_groups.ts";
import { joinLinks, type LinkTable, markdownGeneration } from "./markdown_lexer.ts";
import {
  blocksOf,
  forgetRead,
  mayDefineLinks,
  newPart,
  openPart,
  type Part,
  samePiece,
} from "./markdown_parts.ts";
import { completeLength, markdownSource, restOfSource } from "./markdown_source.ts";
import { CUT_START, cutPieces, type CutState, type Piece } from "./markdown_stream.ts";
import { createReading, isRead, type Reading, readOn, type TextSource } from "./text_source.ts";

export type { MarkdownGroup } from "./markdown_groups.ts";
export { isMarkdownWanted, loadMarkdown, markdownGeneration } from "./markdown_lexer.ts";
export { seemsMarked } from "./markdown_stream.ts";

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
  /** Which of the closed parts each group begins with; the last group has the open ones too. */
  readonly groups: GroupStart[];
  links: LinkTable | null;
  readonly views: View[];
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
    groups: [{ part: 0, length: 0 }],
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
  return linesOfAll(viewOf(md.views, md, width));
}

/**
 * The same lines in groups, each drawn when it is asked for: of a long message only those that are looked at are kept.
 * The same array as long as the message goes on; `source` counts inside a group.
 */
export function markdownGroups(md: MarkdownText, width: number): readonly MarkdownGroup[] {
  settle(md);
  return viewOf(md.views, md, width).groups;
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
  addToGroups(md, part);
  if (mayDefineLinks(piece)) md.links = joinLinks(md.links, blocksOf(part)?.links ?? null);
}

/** Definitions change text before them too: once the message is complete, all of it is read with all of them. */
function useAllLinks(md: MarkdownText): void {
  let links = md.links;
  for (const part of md.open) {
    if (mayDefineLinks(part.piece)) links = joinLinks(links, blocksOf(part)?.links ?? null);
  }
  let changed = false;
  for (const part of [...md.closed, ...md.open]) {
    if (part.links === undefined || part.links === links || !part.piece.text.includes("[")) continue;
    forgetRead(part);
    part.links = undefined;
    changed = true;
  }
  md.links = links;
  if (changed) md.views.length = 0;
}
