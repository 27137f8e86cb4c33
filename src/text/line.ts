// Lines of styled text, measured in cells and not yet placed on a screen.
// Wrapping lives in wrap.ts; where text comes from outside it went through outside_text.ts before it got here.

import { cellWidth, cutToWidth } from "./graphemes.ts";
import type { Role } from "./role.ts";

/** Text in one role. Holds no control character: such text is made safe before it becomes a span. */
export interface Span {
  readonly text: string;
  readonly role: Role;
}

/**
 * Spans side by side. A renderer's lines fit their width. `source` and `offset` tell the anchor where the line
 * comes from: the index of the unwrapped line it is a piece of, and the graphemes of that line before it.
 */
export interface Line {
  readonly spans: readonly Span[];
  readonly source?: number;
  readonly offset?: number;
}

/** A line without text. */
export const EMPTY_LINE: Line = { spans: [] };

/** A line of one span. */
export function line(text: string, role: Role = "default"): Line {
  return text === "" ? EMPTY_LINE : { spans: [{ text, role }] };
}

/** A line of several spans given as pairs; empty texts are left out. */
export function lineOf(...parts: readonly (readonly [text: string, role: Role])[]): Line {
  return { spans: parts.filter(([text]) => text !== "").map(([text, role]) => ({ text, role })) };
}

/** The line's text without roles. */
export function lineText(line: Line): string {
  const [only] = line.spans;
  if (only !== undefined && line.spans.length === 1) return only.text;
  return line.spans.map((span) => span.text).join("");
}

/** Width in cells. */
export function lineWidth(line: Line): number {
  let width = 0;
  for (const span of line.spans) width += cellWidth(span.text);
  return width;
}

/** `first` with `second` behind it. */
export function joinLines(first: Line, second: Line): Line {
  return { ...first, spans: [...first.spans, ...second.spans] };
}

/** The line cut to at most `width` cells; what was cut is replaced by an ellipsis in the role it cut. */
export function shortenLine(line: Line, width: number): Line {
  const spans: Span[] = [];
  let left = width;
  for (const span of line.spans) {
    const cut = cutToWidth(span.text, left);
    if (cut.length < span.text.length) {
      return { ...line, spans: endInEllipsis(spans, { text: cut, role: span.role }, width) };
    }
    spans.push(span);
    left -= cellWidth(cut);
  }
  return line;
}

/** `text` cut to at most `width` cells, ending in an ellipsis where something was cut. */
export function shortenText(text: string, width: number): string {
  const cut = cutToWidth(text, width);
  if (cut.length === text.length || width <= 0) return cut;
  const mark = ellipsis(width);
  return cutToWidth(cut, width - cellWidth(mark)) + mark;
}

/** The line padded with blanks of `role` up to `width` cells; a wider line is returned as it is. */
export function padLine(line: Line, width: number, role: Role = "default"): Line {
  const missing = width - lineWidth(line);
  return missing <= 0 ? line : { ...line, spans: [...line.spans, { text: " ".repeat(missing), role }] };
}

/** `before` and `last` cut until an ellipsis fits behind them in `width` cells. */
function endInEllipsis(before: readonly Span[], last: Span, width: number): Span[] {
  if (width <= 0) return [];
  const mark = ellipsis(width);
  const spans: Span[] = [];
  let left = width - cellWidth(mark);
  for (const span of before) {
    const cut = cutToWidth(span.text, left);
    if (cut.length < span.text.length) return [...spans, { text: cut + mark, role: span.role }];
    spans.push(span);
    left -= cellWidth(cut);
  }
  return [...spans, { text: cutToWidth(last.text, left) + mark, role: last.role }];
}

/** One sign; a full stop where signs of ambiguous width are set to two cells and there is only one. */
function ellipsis(width: number): string {
  return cellWidth("…") <= width ? "…" : ".";
}
