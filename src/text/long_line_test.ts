// Lines of more than LONGEST_LINE: their rows are those of the whole line, however it came, and a word added to one
// costs what it says and not what the line is long.

import assert from "node:assert/strict";
import fc from "fast-check";
import { loadClusterWidths } from "./graphemes.ts";
import { LONGEST_LINE } from "./long_line.ts";
import { type Line, lineText, lineWidth } from "./line.ts";
import { createMarkdown, loadMarkdown, markdownLines, updateMarkdown } from "./markdown.ts";
import { safeBlockText } from "./outside_text.ts";
import { wrapLine } from "./wrap.ts";

await Promise.all([loadMarkdown(), loadClusterWidths()]);

/** What a long line may be made of. */
const WORDS: readonly (readonly string[])[] = [
  ["alpha ", "beta, ", "gamma", "  ", "delta-epsilon ", "x"],
  ["日本語", "の文章、", "「引用」", "です。", " a "],
  ["👩‍👩‍👧‍👦", "🇩🇪", "e\u0301", "नमस्ते", " ", "ไทย"],
  ["tab\there ", "\x1b[31mred\x1b[0m ", "\u202eturned ", "`code` ", "**bold** ", "[link](x) "],
  ["     ", " ", "w"],
  ["unbroken"],
];

const longLine = fc.tuple(
  fc.constantFrom(...WORDS),
  fc.array(fc.nat(), { minLength: 40, maxLength: 60 }),
  fc.integer({ min: LONGEST_LINE + 1, max: 3 * LONGEST_LINE }),
).map(([words, picks, length]) => {
  let text = "begin ";
  for (let at = 0; text.length < length; at++) {
    text += words[(picks[at % picks.length]! + at) % words.length]!;
  }
  return text + ".";
});

Deno.test("a long line has the rows that wrapping all of it gives, whole or streamed, plain or in a fence", () => {
  const cases = fc.record({
    text: longLine,
    width: fc.constantFrom(1, 2, 7, 40, 120),
    inFence: fc.boolean(),
    pace: fc.integer({ min: 50, max: 3000 }),
  });
  fc.assert(
    fc.property(cases, ({ text, width, inFence, pace }) => {
      const source = inFence
        ? "```\n" + text + "\nend\n```\n\nbehind"
        : "before\n\n" + text + "\nnext *line*";
      const whole = createMarkdown();
      updateMarkdown(whole, source, true);
      const expected = shown(markdownLines(whole, width));
      const streamed = createMarkdown();
      for (let at = pace; at < source.length; at += pace) {
        updateMarkdown(streamed, source.slice(0, at), false);
        for (const row of markdownLines(streamed, width)) assert.ok(lineWidth(row) <= width);
      }
      updateMarkdown(streamed, source, true);
      assert.deepEqual(shown(markdownLines(streamed, width)), expected);
      const indent = inFence && width >= 7 ? 2 : 0;
      const line: Line = { spans: [{ text: safeBlockText(text), role: "default" }] };
      const rows = wrapLine(line, width - indent, { mode: inFence ? "cell" : "word" }).map(lineText);
      const from = inFence ? 0 : expected.length - rows.length - rowsOf("next line", width);
      assert.deepEqual(
        expected.slice(from, from + rows.length).map((row) => row.trimEnd()),
        rows.map((row) => " ".repeat(indent) + row).map((row) => row.trimEnd()),
      );
    }),
    { numRuns: 60 },
  );
});

Deno.test("the offsets of a long line's rows count its graphemes, and all its rows have its source", () => {
  const text = "word ".repeat(LONGEST_LINE);
  const md = createMarkdown();
  updateMarkdown(md, text, true);
  const rows = markdownLines(md, 33);
  assert.deepEqual(rows, wrapLine({ spans: [{ text: text.trimEnd(), role: "default" }] }, 33));
});

Deno.test("marks in front of a long line are shown, and what follows it is read again", () => {
  for (const mark of ["- ", "> ", "# ", "| a | ", "1. "]) {
    const md = createMarkdown();
    updateMarkdown(md, `intro\n${mark}${"word ".repeat(2000)}end\n\n- *item*`, true);
    const rows = markdownLines(md, 80);
    assert.ok(rows.some((row) => lineText(row).startsWith(`${mark}word word`)), mark);
    assert.equal(lineText(rows.at(-1)!), "- item");
    const letters = rows.map(lineText).join("").replaceAll(" ", "");
    assert.ok(letters.includes("word".repeat(2000) + "end"), mark);
  }
});

function rowsOf(text: string, width: number): number {
  return wrapLine({ spans: [{ text, role: "default" }] }, width).length;
}

function shown(rows: readonly Line[]): string[] {
  return rows.map(lineText);
}
