// Plain text wrapped by words while it grows: whole lines once, the unfinished one from its last row on. The rows are
// those that wrapText gives for the whole text, white space at both ends dropped.

import { cellWidth, widthGeneration } from "./graphemes.ts";
import type { Line } from "./line.ts";
import { type OpenRow, SEGMENT_LENGTH, segmentEnd, wrapSegment } from "./long_line.ts";
import { safeBlockText } from "./outside_text.ts";
import type { Role } from "./role.ts";
import { createReading, type Reading, readOn, type TextSource } from "./text_source.ts";

export interface FlowOptions {
  readonly role: Role;
  /** Cells of a row, at least 1. */
  readonly width: number;
  /** So many rows that are not blank are kept and blank ones dropped; null keeps all. */
  readonly most: number | null;
}

/** A text so far, in rows. */
export interface FlowRows {
  /** The same array as long as the text goes on: its end changes in place. */
  readonly rows: readonly Line[];
  /** Rows that are not blank, whether kept or not. */
  readonly said: number;
}

/** What is known of one text. */
export interface FlowText {
  options: FlowOptions;
  widths: number;
  reading: Reading;
  /** White space at the end of what is read: shown when something stands behind it. */
  held: string;
  /** The unfinished line behind its segments, as it came; null before anything was said. */
  rest: string | null;
  /** Its last row where it has segments, and their cells. */
  open: OpenRow | null;
  column: number;
  source: number;
  readonly rows: Line[];
  /** Of `rows`, those of what will not change; and how many of all rows before the unfinished ones say something. */
  closedRows: number;
  closedSaid: number;
}

export function createFlow(): FlowText {
  return {
    options: { role: "default", width: 0, most: null },
    widths: -1,
    reading: createReading(),
    held: "",
    rest: null,
    open: null,
    column: 0,
    source: 0,
    rows: [],
    closedRows: 0,
    closedSaid: 0,
  };
}

/** The rows of `text`, of which earlier calls may have seen a beginning. */
export function flowRows(flow: FlowText, text: TextSource, options: FlowOptions): FlowRows {
  const before = flow.options;
  if (
    before.width !== options.width || before.role !== options.role || before.most !== options.most ||
    flow.widths !== widthGeneration()
  ) restart(flow, options);
  let fresh = readOn(flow.reading, text);
  if (fresh === null) {
    restart(flow, options);
    fresh = readOn(flow.reading, text) ?? "";
  }
  flow.rows.length = flow.closedRows;
  takeText(flow, flow.held + fresh);
  if (flow.rest === null) return { rows: flow.rows, said: 0 };
  const { rows } = segmentRows(flow, flow.rest, true);
  let said = flow.closedSaid;
  for (const row of rows) if (keepRow(flow, row, said)) said++;
  return { rows: flow.rows, said };
}

function restart(flow: FlowText, options: FlowOptions): void {
  Object.assign(flow, createFlow(), { options, widths: widthGeneration() });
}

/** Closes whole lines and the segments of a long one; the rest of that stays open. */
function takeText(flow: FlowText, added: string): void {
  const text = flow.rest === null ? added.trimStart() : added;
  const end = text.trimEnd().length;
  flow.held = text.slice(end);
  if (end === 0) return;
  let rest = (flow.rest ?? "") + text.slice(0, end);
  for (let newline = rest.indexOf("\n"); newline !== -1; newline = rest.indexOf("\n")) {
    const line = rest.slice(0, newline);
    closeSegments(flow, line.endsWith("\r") ? line.slice(0, -1) : line, true);
    rest = rest.slice(newline + 1);
  }
  flow.rest = closeSegments(flow, rest, false);
}

/** The rest behind the segments; "" where the line ends. */
function closeSegments(flow: FlowText, line: string, isLast: boolean): string {
  let rest = line;
  while (rest.length > 2 * SEGMENT_LENGTH) {
    const end = segmentEnd(rest);
    if (end === 0) break;
    const { rows, open } = segmentRows(flow, rest.slice(0, end), false);
    flow.column += cellWidth(safeBlockText(rest.slice(0, end), flow.column));
    for (const row of rows.slice(0, -1)) closeRow(flow, row);
    flow.open = open;
    rest = rest.slice(end);
  }
  if (!isLast) return rest;
  for (const row of segmentRows(flow, rest, true).rows) closeRow(flow, row);
  flow.open = null;
  flow.column = 0;
  flow.source++;
  return "";
}

function segmentRows(flow: FlowText, text: string, isLast: boolean): ReturnType<typeof wrapSegment> {
  const { role, width } = flow.options;
  const { open, source } = flow;
  const safe = safeBlockText(text, flow.column);
  return wrapSegment({ text: safe, role, mode: "word", open, source, isLast, trims: false }, width);
}

function closeRow(flow: FlowText, row: Line): void {
  if (keepRow(flow, row, flow.closedSaid)) flow.closedSaid++;
  flow.closedRows = flow.rows.length;
}

/** True when the row says something. */
function keepRow(flow: FlowText, row: Line, said: number): boolean {
  const { most } = flow.options;
  if (most === null) {
    flow.rows.push(row);
    return row.spans.length > 0;
  }
  if (row.spans.length === 0) return false;
  if (said < most) flow.rows.push(row);
  return true;
}
