// What all ways of making rows share: walking spans by grapheme, cutting rows out of them, and the substitute for
// a grapheme that fits no row. wrap.ts makes rows of lines, text_rows.ts finds rows of outside text.

import { walkGraphemes } from "./graphemes.ts";
import type { Line, Span } from "./line.ts";

/** Stands for a grapheme wider than its whole row, so that no row is ever wider than its width. */
export const SUBSTITUTE = "?";

const ASCII_TEXT = /^[\x20-\x7e]*$/;

/** True for printable ASCII: one unit, one grapheme, one cell. */
export function isAsciiText(text: string): boolean {
  return ASCII_TEXT.test(text);
}

/** Visits the graphemes of spans in order. Spans are measured apart, as they are painted. Indices run over all. */
export function walkSpans(
  spans: readonly Span[],
  visit: (start: number, end: number, width: number) => void | false,
): void {
  let base = 0;
  let isStopped = false;
  for (const { text } of spans) {
    walkGraphemes(text, (start, end, width) => {
      if (visit(base + start, base + end, width) !== false) return;
      isStopped = true;
      return false;
    });
    if (isStopped) return;
    base += text.length;
  }
}

/** The spans with every grapheme wider than `width` cells replaced by the substitute; as many graphemes as before. */
export function substituteWide(spans: readonly Span[], width: number): Span[] {
  return spans.map(({ text, role }) => {
    let fitting = "";
    walkGraphemes(text, (start, end, cells) => {
      fitting += cells > width ? SUBSTITUTE : text.slice(start, end);
    });
    return { text: fitting, role };
  });
}

/**
 * Cuts rows out of spans. Calls must go forward: `from` never lies before the `to` of the call before, so cutting a
 * line into all its rows looks at each span once. `first` and `base` begin at a later span: its index and first unit.
 */
export function spanCutter(
  spans: readonly Span[],
  first = 0,
  base = 0,
): (from: number, to: number) => Span[] {
  let index = first;
  let spanStart = base;
  return (from, to) => {
    // Most rows have one span, and many rows are kept: no list is larger than what is in it.
    let only: Span | null = null;
    let several: Span[] | null = null;
    while (index < spans.length) {
      const span = spans[index]!;
      const start = Math.max(from - spanStart, 0);
      const end = Math.min(to - spanStart, span.text.length);
      if (end > start) {
        const isWhole = start === 0 && end === span.text.length;
        const cut = isWhole ? span : { text: span.text.slice(start, end), role: span.role };
        if (only === null) only = cut;
        else (several ??= [only]).push(cut);
      }
      if (spanStart + span.text.length > to) break;
      spanStart += span.text.length;
      index++;
    }
    return several !== null ? several.slice() : only !== null ? [only] : [];
  };
}

/** A line with `indent` blanks in front. */
export function indentedLine(
  spans: readonly Span[],
  indent: number,
  { source, offset }: { readonly source: number; readonly offset: number },
): Line {
  if (indent === 0 || spans.length === 0) return { spans, source, offset };
  return { spans: inFront({ text: " ".repeat(indent), role: "default" }, spans), source, offset };
}

/** The spans with one more in front, in a list no larger than that. */
export function inFront(first: Span, spans: readonly Span[]): Span[] {
  return spans.length === 1 ? [first, spans[0]!] : [first].concat(spans);
}
