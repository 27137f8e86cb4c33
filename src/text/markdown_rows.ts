// Shapes (markdown_blocks.ts) as rows of a width: no row is wider, whatever is nested in what.
// Every row says which unwrapped line it is a piece of, so that the reader's place survives a new width.

import { inFront } from "./cell_rows.ts";
import { cellWidth } from "./graphemes.ts";
import { type OpenRow, wrapSegment } from "./long_line.ts";
import { type Line, lineWidth, type Span } from "./line.ts";
import type { Shape } from "./markdown_blocks.ts";
import { boxSigns } from "./markdown_box.ts";
import { tableRows } from "./markdown_table.ts";
import { wrapLine } from "./wrap.ts";

/** Where rows go. `source` is the number of the next unwrapped line, counted over the whole message. */
export interface RowSink {
  readonly rows: Line[];
  source: number;
  /** The last row, while its line goes on in the part that is drawn next. */
  open: OpenRow | null;
}

/** Cells of code's indent. */
const CODE_INDENT = 2;
const FENCE_INDENT: Span = { text: " ".repeat(CODE_INDENT), role: "md.fence" };
/** What is nested keeps at least this many cells, or half of the message's width where that is less. */
const LEAST_INNER = 10;

/** Draws shapes into a message's rows. */
export function drawShapes(shapes: readonly Shape[], width: number, sink: RowSink): void {
  drawAll(shapes, { width, least: leastOf(width) }, sink);
}

/** Draws one blank row. */
export function drawGap(sink: RowSink): void {
  sink.rows.push({ spans: [], source: sink.source++, offset: 0 });
}

/** Draws lines, wrapped by words or by cells. */
export function drawLines(
  lines: readonly Line[],
  width: number,
  sink: RowSink,
  mode: "word" | "cell" = "word",
): void {
  for (const line of lines) {
    for (const row of wrapLine(line, width, { mode, source: sink.source })) sink.rows.push(row);
    sink.source++;
  }
}

/** A part of a long line. */
export interface LinePart {
  readonly text: string;
  readonly kind: "plain" | "fence";
  readonly extent: "first" | "middle" | "last";
}

/** Draws the next part of a long line; its first row takes the place of the row it goes on with. */
export function drawLinePart({ text, kind, extent }: LinePart, width: number, sink: RowSink): void {
  const isCode = kind === "fence";
  const room: Room = { width, least: leastOf(width) };
  const indent = isCode ? codeIndent(room) : 0;
  if (sink.open !== null) sink.rows.pop();
  const start = sink.rows.length;
  const { rows, open } = wrapSegment({
    text,
    role: isCode ? "md.fence" : "default",
    mode: isCode ? "cell" : "word",
    open: sink.open,
    source: sink.source,
    isLast: extent === "last",
    trims: !isCode,
  }, width - indent);
  for (const row of rows) sink.rows.push(row);
  if (indent > 0) prefixRows(sink, start, () => FENCE_INDENT);
  sink.open = extent === "last" ? null : open;
  if (extent === "last") sink.source++;
}

/** Draws the label of a fence whose first line is a long one. */
export function drawLabel(label: string, width: number, sink: RowSink): void {
  drawLines([{ spans: [{ text: label, role: "md.fence_mark" }] }], width, sink);
}

/** Draws lines of code under their label. */
export function drawCode(label: string | null, lines: readonly string[], width: number, sink: RowSink): void {
  drawCodeIn(label, lines, { width, least: leastOf(width) }, sink);
}

function leastOf(width: number): number {
  return Math.min(LEAST_INNER, Math.ceil(width / 2));
}

function codeIndent(room: Room): number {
  return room.width - CODE_INDENT >= room.least ? CODE_INDENT : 0;
}

interface Room {
  readonly width: number;
  /** Below this many cells nothing is indented any further. */
  readonly least: number;
}

function drawAll(shapes: readonly Shape[], room: Room, sink: RowSink): void {
  let gap = false;
  const start = sink.rows.length;
  for (const shape of shapes) {
    if (shape.kind === "gap") {
      gap = true;
      continue;
    }
    const empty = isEmpty(shape);
    if (gap && !empty && sink.rows.length > start) drawGap(sink);
    gap = false;
    if (!empty) drawShape(shape, room, sink);
  }
}

/** A fence just opened has no row yet, and so no gap before it either. */
function isEmpty(shape: Shape): boolean {
  return shape.kind === "code" && shape.label === null && shape.lines.length === 0;
}

function drawShape(shape: Exclude<Shape, { kind: "gap" }>, room: Room, sink: RowSink): void {
  switch (shape.kind) {
    case "text":
      return drawLines(shape.lines, room.width, sink);
    case "heading":
      return drawHeading(shape.lines, shape.depth, room.width, sink);
    case "code":
      return drawCodeIn(shape.label, shape.lines, room, sink);
    case "rule":
      return drawRule(room.width, sink);
    case "quote":
      return drawQuote(shape.body, room, sink);
    case "item":
      return drawItem(shape.mark, shape.body, room, sink);
    case "table":
      for (const row of tableRows(shape, room.width, sink.source)) sink.rows.push(row);
      // A number for each row of the source: borders, head, cells.
      sink.source += shape.rows.length + 2;
      return;
    default:
      return unreachable(shape);
  }
}

/** The two great headings are underlined, the rest keep their marks: depth shows without colour or bold. */
function drawHeading(lines: readonly Line[], depth: number, width: number, sink: RowSink): void {
  const [first = { spans: [] }, ...rest] = lines;
  if (depth > 2 || lines.every((line) => line.spans.length === 0)) {
    const marked: Line = { spans: [{ text: "#".repeat(depth) + " ", role: "md.heading" }, ...first.spans] };
    return drawLines([marked, ...rest], width, sink);
  }
  const start = sink.rows.length;
  drawLines(lines, width, sink);
  let widest = 0;
  for (const row of sink.rows.slice(start)) widest = Math.max(widest, lineWidth(row));
  const signs = boxSigns();
  const text = repeated(depth === 1 ? signs.double : signs.flat, Math.min(width, widest));
  sink.rows.push({ spans: [{ text, role: "md.heading" }], source: sink.source++, offset: 0 });
}

function drawRule(width: number, sink: RowSink): void {
  const text = repeated(boxSigns().flat, width);
  sink.rows.push({ spans: [{ text, role: "md.rule" }], source: sink.source++, offset: 0 });
}

function repeated(sign: string, width: number): string {
  return sign.repeat(Math.floor(width / cellWidth(sign)));
}

function drawCodeIn(label: string | null, lines: readonly string[], room: Room, sink: RowSink): void {
  if (label !== null) drawLabel(label, room.width, sink);
  const indent = codeIndent(room);
  const start = sink.rows.length;
  const spans = lines.map((text): Line => ({ spans: text === "" ? [] : [{ text, role: "md.fence" }] }));
  drawLines(spans, room.width - indent, sink, "cell");
  if (indent > 0) prefixRows(sink, start, () => FENCE_INDENT);
}

/** Quotes have their mark on every row: "│ ", without the blank, or none where not even two cells are left. */
function drawQuote(body: readonly Shape[], room: Room, sink: RowSink): void {
  const sign = boxSigns().side;
  const mark = [sign + " ", sign].find((each) => room.width - cellWidth(each) >= Math.min(2, room.least));
  const start = sink.rows.length;
  drawAll(body, { ...room, width: room.width - (mark === undefined ? 0 : cellWidth(mark)) }, sink);
  if (sink.rows.length === start) drawGap(sink);
  if (mark === undefined) return;
  const span: Span = { text: mark, role: "md.quote_mark" };
  prefixRows(sink, start, () => span);
}

/** The mark stands left of the item; where the item would be too narrow, in its first line. */
function drawItem(mark: string, body: readonly Shape[], room: Room, sink: RowSink): void {
  if (room.width - mark.length < room.least) {
    const span: Span = { text: mark, role: "md.list_mark" };
    const [first, ...rest] = body;
    if (first?.kind !== "text") {
      return drawAll([{ kind: "text", lines: [{ spans: [span] }] }, ...body], room, sink);
    }
    const [line = { spans: [] }, ...lines] = first.lines;
    const marked: Shape = { kind: "text", lines: [{ spans: [span, ...line.spans] }, ...lines] };
    return drawAll([marked, ...rest], room, sink);
  }
  const start = sink.rows.length;
  drawAll(body, { ...room, width: room.width - mark.length }, sink);
  // An item without any text is still an item.
  if (sink.rows.length === start) drawGap(sink);
  const blank: Span = { text: " ".repeat(mark.length), role: "default" };
  const first: Span = { text: mark, role: "md.list_mark" };
  prefixRows(sink, start, (row) => row === 0 ? first : blank);
}

/** Puts a span in front of the rows from `start` on; a blank row gets none but marks to be seen. */
function prefixRows(sink: RowSink, start: number, prefix: (row: number) => Span): void {
  for (let at = start; at < sink.rows.length; at++) {
    const row = sink.rows[at]!;
    const span = prefix(at - start);
    if (row.spans.length === 0 && span.text.trim() === "") continue;
    sink.rows[at] = { ...row, spans: inFront(span, row.spans) };
  }
}

function unreachable(shape: never): never {
  throw new Error(`Cannot draw the shape ${JSON.stringify(shape)}`);
}
