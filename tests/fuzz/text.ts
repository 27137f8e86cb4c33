// Text from outside on its way to rows: nothing a terminal acts on, no row too wide, no letter lost, streamed as whole.

import assert from "node:assert/strict";
import fc from "fast-check";
import { cellWidth, cutToWidth, graphemes } from "../../src/text/graphemes.ts";
import { type Line, lineText } from "../../src/text/line.ts";
import { createMarkdown, markdownLines, updateMarkdown } from "../../src/text/markdown.ts";
import { outsideLines, safeBlockText, safeText } from "../../src/text/outside_text.ts";
import { measureText } from "../../src/text/text_rows.ts";
import { wrapLine, wrapText } from "../../src/text/wrap.ts";
import { foreignOutput } from "../escape/output_grammar.ts";
import { type Fuzzer, hostileText } from "./fuzzer.ts";

interface TextCase {
  readonly text: string;
  readonly width: number;
  readonly cuts: readonly number[];
}

const values = fc.record({
  text: fc.oneof(
    hostileText({ maxLength: 80 }),
    fc.tuple(hostileText({ maxLength: 4 }), fc.integer({ min: 1, max: 120 })).map(([text, times]) =>
      text.repeat(times)
    ),
  ),
  width: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 130 })),
  cuts: fc.array(fc.nat({ max: 30 }), { maxLength: 20 }),
});

/** Longest time one value may take: far more than needed, far less than quadratic work takes. */
const MOST_MS = 5000;

export const OUTSIDE: Fuzzer<TextCase> = {
  name: "outside",
  label: "outside text and wrapping: safe, no row too wide, nothing lost",
  gateRuns: 150,
  values,
  check({ text, width }) {
    const startMs = performance.now();
    for (const strict of [false, true]) checkSafe([safeText(text, { strict })]);
    checkSafe(safeBlockText(text).split("\n"));
    const lines = outsideLines(text, "tool.output");
    checkSafe(lines.map(lineText));
    // A sign that is wider than the row becomes a substitute.
    const fits = lines.every((line) => graphemes(lineText(line)).every((sign) => cellWidth(sign) <= width));
    // Blanks may go at soft breaks; nothing else.
    const letters = (rows: readonly Line[]) => rows.map(lineText).join("").replaceAll(/\s/gu, "");
    for (const mode of ["word", "cell"] as const) {
      for (const line of lines) {
        const rows = wrapLine(line, width, { mode });
        checkRows(rows, width);
        if (fits) assert.equal(letters(rows), lineText(line).replaceAll(/\s/gu, ""));
      }
    }
    checkRows(wrapText(safeBlockText(text), "user.text", width), width);
    const measured = measureText(text, width, { role: "tool.output", indent: 0 });
    const rows = Array.from({ length: measured.rowCount }, (_, row) => measured.rowAt(row));
    checkRows(rows, width);
    if (fits) assert.equal(letters(rows), lines.map(lineText).join("").replaceAll(/\s/gu, ""));
    rows.forEach((row, at) => {
      if (row.source !== undefined) assert.equal(measured.rowOf(row.source, row.offset ?? 0), at);
    });
    const safe = safeText(text);
    assert.equal(graphemes(safe).join(""), safe);
    assert.ok(cellWidth(cutToWidth(safe, width)) <= width);
    assert.ok(safe.startsWith(cutToWidth(safe, width)));
    assert.ok(performance.now() - startMs < MOST_MS, `it took ${performance.now() - startMs} ms`);
  },
};

export const MARKDOWN: Fuzzer<TextCase> = {
  name: "markdown",
  label: "Markdown: safe, no row too wide, streamed in any pieces as whole",
  gateRuns: 100,
  values,
  check({ text, width, cuts }) {
    const startMs = performance.now();
    const whole = createMarkdown();
    updateMarkdown(whole, text, true);
    const rows = markdownLines(whole, width);
    checkRows(rows, width);
    checkSafe(rows.map(lineText));
    const streamed = createMarkdown();
    let end = 0;
    for (const cut of cuts) {
      end = Math.min(text.length, end + 1 + cut);
      updateMarkdown(streamed, text.slice(0, end), false);
      const soFar = markdownLines(streamed, width);
      checkRows(soFar, width);
      checkSafe(soFar.map(lineText));
    }
    updateMarkdown(streamed, text, true);
    assert.deepEqual(markdownLines(streamed, width).map(shown), rows.map(shown));
    assert.ok(performance.now() - startMs < MOST_MS, `it took ${performance.now() - startMs} ms`);
  },
};

function shown(line: Line): unknown {
  return line.spans.map((span) => [span.role, span.text]);
}

function checkSafe(texts: readonly string[]): void {
  for (const text of texts) assert.deepEqual(foreignOutput(text), []);
}

function checkRows(rows: readonly Line[], width: number): void {
  for (const row of rows) {
    const cells = cellWidth(lineText(row));
    // A wide sign in a column of one cell: the frame shows a substitute.
    const isOneSign = width === 1 && cells === 2 && graphemes(lineText(row)).length === 1;
    assert.ok(cells <= width || isOneSign, `${cells} cells in ${width}: ${JSON.stringify(lineText(row))}`);
  }
}
