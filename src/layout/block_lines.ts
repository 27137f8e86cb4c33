// One block to rows for a look and a width. Lines are built at once; long outside text stays a list of chunks, each
// measured when its rows are asked for. Where the rows stand on the screen is viewport.ts's.

import { joinLines, type Line, line, lineOf, lineWidth, shortenLine } from "../text/line.ts";
import type { MarkdownGroup } from "../text/markdown.ts";
import { MOST_DRAWN } from "../text/markdown_groups.ts";
import { safeText } from "../text/outside_text.ts";
import type { Role } from "../text/role.ts";
import { countTextRows, measureText, type TextRows } from "../text/text_rows.ts";
import { rendererFor } from "../tools/registry.ts";
import { isLongPart, type LongPart, type Part } from "../tools/renderer.ts";
import { type Block, isBlockRunning, type ToolBlock } from "../transcript/block.ts";
import { lastChunk, type LongText, type TextParts } from "../transcript/long_text.ts";
import { plural } from "./format.ts";
import { blockMark } from "./gutter.ts";
import { effectiveFold, gutterWidth, type LayoutSettings, type Look } from "./look.ts";
import { createKept, type KeptText } from "./streamed_text.ts";
import { answerGroups, drawTextBlock, type TextContext } from "./text_blocks.ts";

/** Rows that are there. */
export interface LinesSegment {
  readonly kind: "lines";
  readonly lines: readonly Line[];
}

/** One chunk of long text; `rows` once it was measured. */
export interface ChunkSegment {
  readonly kind: "chunk";
  readonly source: LongText;
  /** Its place among the chunks. */
  readonly chunk: number;
  readonly text: string;
  readonly role: Role;
  readonly indent: number;
  readonly width: number;
  rows: TextRows | null;
  /** The rows of the chunk when it was shorter, and how to read what it has now, until rows are asked for. */
  shorter?: { readonly rows: TextRows; readonly parts: TextParts } | undefined;
  /** How many rows it has, once they were counted. */
  rowCount?: number;
  /** Rows asked for lately, by number: a row that is the same stays the same object. */
  recent?: Map<number, Line>;
}

/** Some of an answer's rows, drawn when they are asked for. */
export type Segment = LinesSegment | ChunkSegment | MarkdownGroup;

/** A block laid out. Rows are numbered inside their segment; an empty block has no segment. */
export interface BlockRows {
  readonly segments: readonly Segment[];
  /** By block, kept across versions, so that a delta costs what it says. */
  readonly kept: Map<number, KeptText>;
}

/** Deepest nested agent whose blocks are drawn; deeper ones are counted. */
const DEEPEST = 8;

/** Lays out a block. `before` is the block's previous layout: its Markdown and measured chunks are used again. */
export function layoutBlock(
  block: Block,
  look: Look,
  settings: LayoutSettings,
  before: BlockRows | null,
): BlockRows {
  const kept = before?.kept ?? new Map<number, KeptText>();
  const width = Math.max(1, settings.width - gutterWidth(settings.width));
  const context: PartsContext = { settings, width, kept, depth: 0 };
  const groups = wholeAnswer(block, look, context);
  if (groups !== null) return { segments: groups, kept };
  const parts = blockParts(block, look, context);
  const segments: BuiltSegment[] = [];
  for (const part of parts) {
    if (isGroup(part)) segments.push(part);
    else if (isLongPart(part)) addChunks(segments, part, width, before);
    else addLine(segments, part);
  }
  return { segments, kept };
}

/** Rows of a segment; measures it when it was not. */
export function segmentRows(segment: Segment): number {
  if (segment.kind === "lines") return segment.lines.length;
  if (segment.kind === "group") return spared(() => segment.rowCount(), 1);
  if (segment.shorter !== undefined) return measured(segment).rowCount;
  return segment.rowCount ??= segment.rows?.rowCount ?? countTextRows(segment.text, segment.width, segment);
}

/** About how many lines are kept for a block while its rows are. */
export function keptLines({ segments }: BlockRows): number {
  const [first] = segments;
  if (segments.length === 1 && first?.kind === "group") return segmentRows(first);
  let lines = 0;
  for (const segment of segments) lines += segment.kind === "lines" ? segment.lines.length : 1;
  return first?.kind === "group" ? Math.min(segments.length, MOST_DRAWN) * GROUP_LINES : lines;
}

/** Lines of a group of a long answer, as a rule. */
const GROUP_LINES = 200;

/** The row of that number as a line, without gutter. */
export function segmentLine(segment: Segment, row: number): Line {
  if (segment.kind !== "chunk") return linesIn(segment)[row] ?? { spans: [] };
  const known = segment.recent?.get(row);
  if (known !== undefined) return known;
  const found = measured(segment).rowAt(row);
  if (segment.recent === undefined) remember(segment);
  else if (segment.recent.size >= RECENT_ROWS) segment.recent.clear();
  segment.recent?.set(row, found);
  return found;
}

/** Rows of a chunk that are kept, and chunks with such rows: more than a screen shows at once. */
const RECENT_ROWS = 300;
const RECENT_CHUNKS = 24;
const recentChunks: ChunkSegment[] = [];

function remember(segment: ChunkSegment): void {
  segment.recent = new Map();
  recentChunks.push(segment);
  if (recentChunks.length > RECENT_CHUNKS) delete recentChunks.shift()?.recent;
}

/** Where a row comes from: the number of the unwrapped line in its segment, and graphemes of it before the row. */
export function rowSource(
  segment: Segment,
  row: number,
): { readonly source: number; readonly offset: number } {
  if (segment.kind === "chunk") {
    const { source = row, offset = 0 } = measured(segment).rowAt(row);
    return { source, offset };
  }
  const lines = linesIn(segment);
  let source = -1;
  for (let at = 0; at <= row && at < lines.length; at++) if (!lines[at]?.offset) source++;
  return { source: Math.max(0, source), offset: lines[row]?.offset ?? 0 };
}

/** The row that shows a source line at an offset; the nearest there is. */
export function rowOfSource(segment: Segment, source: number, offset: number): number {
  if (segment.kind === "chunk") {
    const rows = measured(segment);
    return Math.min(Math.max(0, rows.rowOf(source, offset)), Math.max(0, rows.rowCount - 1));
  }
  const lines = linesIn(segment);
  let seen = -1;
  let found = Math.max(0, lines.length - 1);
  for (let at = 0; at < lines.length; at++) {
    const from = lines[at]?.offset ?? 0;
    if (from === 0) seen++;
    if (seen === source && from <= offset) found = at;
    if (seen > source) break;
  }
  return found;
}

function linesIn(segment: Exclude<Segment, ChunkSegment>): readonly Line[] {
  return segment.kind === "lines" ? segment.lines : spared(() => segment.lines(), FAULTY_GROUP);
}

/** A fault in drawing a group shows as a row and spares the rest (invariant 10). */
function spared<Value>(draw: () => Value, instead: Value): Value {
  try {
    return draw();
  } catch {
    return instead;
  }
}

const FAULTY_GROUP: readonly Line[] = [line("Cannot draw this part of the answer", "note.error")];

function measured(segment: ChunkSegment): TextRows {
  if (segment.shorter !== undefined) {
    segment.rows = segment.shorter.rows.grow(segment.shorter.parts);
    segment.shorter = undefined;
  }
  segment.rows ??= measureText(segment.text, segment.width, { role: segment.role, indent: segment.indent });
  return segment.rows;
}

/** What a block consists of: an answer that is shown whole comes in groups. */
type BlockPart = Part | MarkdownGroup;

function isGroup(part: BlockPart): part is MarkdownGroup {
  return "kind" in part && part.kind === "group";
}

interface PartsContext {
  readonly settings: LayoutSettings;
  readonly width: number;
  readonly kept: Map<number, KeptText>;
  readonly depth: number;
}

/** The groups of an answer that is shown whole; null where the block is another, or cannot be read. */
function wholeAnswer(block: Block, look: Look, context: PartsContext): readonly MarkdownGroup[] | null {
  if (block.kind !== "assistant_text") return null;
  try {
    return answerGroups(block, textContext(block, look, context));
  } catch {
    return null;
  }
}

function textContext(block: Block, look: Look, context: PartsContext): TextContext {
  return {
    fold: effectiveFold(look),
    width: context.width,
    running: look.running,
    whole: look.whole,
    showReasoning: context.settings.showReasoning,
    kept: () => keptOf(block.id, context.kept),
  };
}

/** A block's parts without gutter. A fault in a renderer shows as a row and spares the rest (invariant 10). */
function blockParts(block: Block, look: Look, context: PartsContext): readonly BlockPart[] {
  try {
    return block.kind === "tool_call"
      ? toolParts(block, look, context)
      : drawTextBlock(block, textContext(block, look, context));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [shortenLine(line(`Cannot draw this block: ${safeText(message)}`, "note.error"), context.width)];
  }
}

function keptOf(id: number, all: Map<number, KeptText>): KeptText {
  let kept = all.get(id);
  if (kept === undefined) all.set(id, kept = createKept());
  return kept;
}

function toolParts(block: ToolBlock, look: Look, context: PartsContext): readonly BlockPart[] {
  const fold = effectiveFold(look);
  const own = rendererFor(block.calls)(block.calls, {
    fold,
    width: context.width,
    running: look.running,
    previewHead: context.settings.previewHead,
    previewTail: context.settings.previewTail,
  });
  const children = block.calls.flatMap((call) => call.children);
  if (children.length === 0 || fold === "overview") return own;
  if (fold === "normal" || context.depth >= DEEPEST) {
    return withNestedCount(own, children.length, context.width);
  }
  const inner = Math.max(1, context.width - 4);
  const parts: BlockPart[] = [];
  for (const child of children) {
    const childLook: Look = { fold: "detail", running: isBlockRunning(child), whole: true };
    const place = { ...context, width: inner, depth: context.depth + 1 };
    const nested = wholeAnswer(child, childLook, place) ?? blockParts(child, childLook, place);
    for (const one of indentNested(nested, child, context.width)) parts.push(one);
  }
  // In the order things happened: what the call was asked, what its agent did, what came of it.
  const end = own.findIndex((part) =>
    isLongPart(part) &&
    (part.role === "tool.summary" || block.calls.some((call) => call.output === part.text))
  );
  return end === -1 ? [...own, ...parts] : [...own.slice(0, end), ...parts, ...own.slice(end)];
}

/** A nested block's parts behind two blanks and its own mark. */
function indentNested(parts: readonly BlockPart[], child: Block, width: number): readonly BlockPart[] {
  const indent = Math.min(4, width - 1);
  const mark = blockMark(child);
  const blank = line(" ".repeat(indent));
  const first = indent < 4 ? blank : lineOf(["  ", "default"], [mark.text, mark.role], [" ", "default"]);
  const inFront = (front: Line, part: Line): Line => ({ ...part, spans: joinLines(front, part).spans });
  return parts.map((part, at): BlockPart => {
    const front = at === 0 ? first : blank;
    if (isGroup(part)) return frontedGroup(part, (row, index) => inFront(index === 0 ? front : blank, row));
    return isLongPart(part) ? { ...part, indent: part.indent + indent } : inFront(front, part);
  });
}

/** The same group with something in front of each row. It lives as long as the group stays as it is. */
function frontedGroup(group: MarkdownGroup, inFront: (row: Line, index: number) => Line): MarkdownGroup {
  let lines: readonly Line[] | null = null;
  return {
    kind: "group",
    rowCount: () => group.rowCount(),
    lines: () => lines ??= group.lines().map(inFront),
  };
}

/** The count of nested blocks behind the header, in as many words as fit beside it. */
function withNestedCount(parts: readonly Part[], count: number, width: number): readonly Part[] {
  const [head, ...rest] = parts;
  if (head === undefined || isLongPart(head)) return parts;
  const forms = [`  +${plural(count, "block")} inside`, `  +${count} inside`, ` +${count}`];
  const room = width - lineWidth(head);
  const more = forms.find((form) => form.length <= room) ?? forms[2] ?? "";
  const whole = joinLines(shortenLine(head, Math.max(1, width - more.length)), line(more, "more"));
  return [shortenLine(whole, width), ...rest];
}

/** A segment that is still being put together. */
type BuiltSegment = ChunkSegment | MarkdownGroup | { readonly kind: "lines"; readonly lines: Line[] };

function addLine(segments: BuiltSegment[], added: Line): void {
  const last = segments.at(-1);
  if (last !== undefined && last.kind === "lines") last.lines.push(added);
  else segments.push({ kind: "lines", lines: [added] });
}

function addChunks(segments: BuiltSegment[], part: LongPart, width: number, before: BlockRows | null): void {
  const { chunks } = part.text;
  for (let at = 0; at < chunks.length; at++) {
    const text = chunks[at]!;
    const kept = before?.segments[segments.length];
    const same = kept !== undefined && kept.kind === "chunk" && kept.source === part.text &&
      kept.chunk === at && kept.width === width && kept.role === part.role && kept.indent === part.indent;
    if (same && kept.text.length === text.length) {
      segments.push(kept);
      continue;
    }
    const segment: ChunkSegment = {
      kind: "chunk",
      source: part.text,
      chunk: at,
      text,
      role: part.role,
      indent: part.indent,
      width,
      rows: null,
    };
    // The last chunk of a text that grew goes on where it was; what is known of it moves.
    if (same && kept.text.length < text.length) {
      const rows = kept.shorter?.rows ?? kept.rows;
      if (rows !== null) {
        segment.shorter = { rows, parts: at === chunks.length - 1 ? lastChunk(part.text) : text };
      }
      kept.rows = null;
      kept.shorter = undefined;
    }
    segments.push(segment);
  }
}
