import assert from "node:assert/strict";
import fc from "fast-check";
import { SUBSTITUTE } from "./cell_rows.ts";
import { cellWidth, clusterWidth, graphemes } from "./graphemes.ts";
import { type Line, line, lineText, lineWidth, type Span } from "./line.ts";
import { wrapLine, type WrapOptions, wrapText } from "./wrap.ts";

const rows = (text: string, width: number, options?: WrapOptions) =>
  wrapLine(line(text), width, options).map(lineText);

const SIGNS = [
  ..."abc def ghi    .,-(x)漢字かな、。「」한국 ー（）a\u0301",
  "👨\u200d👩",
  "🇯🇵",
  "か\u3099",
  "\u3000",
  "\u1100\u1100\u1161",
  "क्षि",
  "longerword",
];
const ROLES = ["default", "md.strong", "md.code"] as const;
const anyLine = fc.array(
  fc.record({
    text: fc.array(fc.constantFrom(...SIGNS), { maxLength: 20 }).map((signs) => signs.join("")),
    role: fc.constantFrom(...ROLES),
  }),
  { maxLength: 4 },
).map((spans): Line => ({ spans }));
const asciiLine = fc.array(fc.constantFrom(..."abc  d ", "word", "longerword"), { maxLength: 60 })
  .map((signs) => line(signs.join("")));

/** Graphemes with their roles, spans measured apart. */
function styledGraphemes(spans: readonly Span[]): (readonly [string, string])[] {
  return spans.flatMap(({ text, role }) => graphemes(text).map((grapheme) => [grapheme, role] as const));
}

const isBlank = (text: string) => /^[ \u3000]*$/.test(text);

/** What holds for the rows of any line: width, place, styles, and that nothing but blanks at breaks is lost. */
function checkRows(unwrapped: Line, width: number, options: WrapOptions): void {
  const wrapped = wrapLine(unwrapped, width, options);
  const source = styledGraphemes(unwrapped.spans);
  const indent = Math.max(0, Math.min(options.indent ?? 0, width - 2));
  let at = 0;
  assert.ok(wrapped.length >= 1);
  for (const [index, row] of wrapped.entries()) {
    assert.ok(lineWidth(row) <= width, `row ${index} is ${lineWidth(row)} cells wide`);
    assert.equal(row.source, options.source ?? 0);
    const body = index > 0 && indent > 0 && row.spans.length > 0 ? row.spans.slice(1) : row.spans;
    if (body !== row.spans) assert.equal(row.spans[0]!.text, " ".repeat(indent));
    // Blanks are dropped between rows, and in front of the first word where it does not fit behind them.
    const first = index === 0 ? leadingDrop(source, body, width - indent) : row.offset!;
    assert.ok(isBlank(source.slice(at, first).map(([text]) => text).join("")), "only blanks are dropped");
    if (options.mode === "cell") assert.equal(first, at);
    at = first;
    for (const [text, role] of styledGraphemes(body)) {
      const [expected, expectedRole] = source[at++]!;
      assert.equal(role, expectedRole);
      if (text === expected) continue;
      assert.equal(text, SUBSTITUTE);
      assert.ok(clusterWidth(expected) > width - indent);
    }
  }
  assert.ok(isBlank(source.slice(at).map(([text]) => text).join("")), "only blanks are dropped at the end");
}

/** The grapheme the first row begins with: 0, or the first that is no blank where blanks in front were dropped. */
function leadingDrop(
  source: readonly (readonly [string, string])[],
  body: readonly Span[],
  limit: number,
): number {
  const isShownBlank = (text: string) => isBlank(text) && clusterWidth(text) <= limit;
  const shown = styledGraphemes(body).map(([text]) => text);
  const isWhole = shown.every((text, index) =>
    text === source[index]![0] || (text === SUBSTITUTE && clusterWidth(source[index]![0]) > limit)
  );
  return isWhole ? 0 : source.findIndex(([text]) => !isShownBlank(text));
}

Deno.test("invariant 3: no row is wider than its width, nothing is lost, styles stay, for widths 1 to 200", () => {
  fc.assert(
    fc.property(
      fc.oneof(anyLine, asciiLine),
      fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 200 })),
      fc.constantFrom<"word" | "cell">("word", "cell"),
      fc.nat(6),
      (unwrapped, width, mode, indent) => checkRows(unwrapped, width, { mode, indent, source: 3 }),
    ),
    { numRuns: 6_000 },
  );
});

Deno.test("plain ASCII breaks where the same text with a wide sign in front would", () => {
  fc.assert(
    fc.property(asciiLine, fc.integer({ min: 3, max: 30 }), (unwrapped, width) => {
      // The wide sign takes the path for all signs; as long as it stands in a row of its own both must agree.
      const [span] = unwrapped.spans;
      if (span === undefined || span.text.startsWith(" ")) return;
      const marked = wrapLine({ spans: [{ text: "漢", role: "md.code" }, span] }, width).slice(1);
      const text = "x".repeat(2) + span.text;
      const plain = wrapLine(line(text), width).map(lineText);
      if (plain[0] !== "xx") return;
      assert.deepEqual(marked.map(lineText), plain.slice(1));
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("words move whole, long words are broken, blanks at a break are dropped", () => {
  assert.deepEqual(rows("the quick brown fox", 10), ["the quick", "brown fox"]);
  assert.deepEqual(rows("the quick  brown fox", 10), ["the quick", "brown fox"]);
  assert.deepEqual(rows("abcdefghij klm", 4), ["abcd", "efgh", "ij", "klm"]);
  assert.deepEqual(rows("ab cdefghij", 4), ["ab", "cdef", "ghij"]);
  assert.deepEqual(rows("abcd efgh", 4), ["abcd", "efgh"]);
  assert.deepEqual(rows("abcd    ", 4), ["abcd"]);
  assert.deepEqual(rows("abc     ", 4), ["abc"]);
  assert.deepEqual(rows("       ", 4), [""]);
  assert.deepEqual(rows("  ab cd", 5), ["  ab", "cd"]);
  assert.deepEqual(rows("   abcd", 5), ["abcd"]);
  assert.deepEqual(rows("", 5), [""]);
  assert.deepEqual(rows("ab", 5), ["ab"]);
});

Deno.test("continuation rows are indented, as far as there is room", () => {
  assert.deepEqual(rows("the quick brown fox", 10, { indent: 2 }), ["the quick", "  brown", "  fox"]);
  assert.deepEqual(rows("abcdefgh", 3, { indent: 9 }), ["abc", " de", " fg", " h"]);
  assert.deepEqual(rows("abc", 1, { indent: 9 }), ["a", "b", "c"]);
  assert.deepEqual(rows("漢字漢", 4, { indent: 1, mode: "cell" }), ["漢字", " 漢"]);
});

Deno.test("cells: rows are full and keep their blanks", () => {
  assert.deepEqual(rows("ab cd ef", 4, { mode: "cell" }), ["ab c", "d ef"]);
  assert.deepEqual(rows("a漢字b", 4, { mode: "cell" }), ["a漢", "字b"]);
  assert.deepEqual(wrapLine(line("a漢字b"), 4, { mode: "cell" }).map((row) => row.offset), [0, 2]);
});

Deno.test("edge 85 a sign wider than the row becomes a substitute cell", () => {
  assert.deepEqual(rows("a漢b", 1), ["a", "?", "b"]);
  assert.deepEqual(rows("漢", 1, { mode: "cell" }), ["?"]);
  assert.deepEqual(rows("\u1100\u1100\u1161", 3), ["?"]);
});

Deno.test("kinsoku: closing punctuation never begins a row, opening never ends one", () => {
  assert.deepEqual(rows("漢字。漢字", 4), ["漢", "字。", "漢字"]);
  assert.deepEqual(rows("漢字「字」", 6), ["漢字", "「字」"]);
  assert.deepEqual(rows("漢字字」。", 6), ["漢字", "字」。"]);
  for (let width = 6; width <= 30; width++) {
    for (
      const row of rows("「漢字」、（かな）。漢字かな『交じり』文：「折り返し」の試験。".repeat(2), width)
    ) {
      assert.ok(!/^[、。」』）：]/.test(row), row);
      assert.ok(!/[「『（]$/.test(row), row);
    }
  }
});

Deno.test("Latin and Korean words are not broken, a wide neighbour parts them", () => {
  assert.deepEqual(rows("한글도 섞어서", 8), ["한글도", "섞어서"]);
  assert.deepEqual(rows("漢字word漢字", 6), ["漢字", "word漢", "字"]);
  assert.deepEqual(rows("a.b(c),d e", 8), ["a.b(c),d", "e"]);
});

const U05 = "A漢字かな交じり文、「折り返し」の試験です。한글도 섞어서 mixed words 中文排版没有空格".repeat(3);

Deno.test("U05 wide characters at the right edge", () => {
  const isChineseOrJapanese = (sign: string) =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。「」]/u.test(sign);
  for (let width = 20; width <= 45; width++) {
    const wrapped = wrapLine(line(U05), width);
    const signs = graphemes(U05);
    let joined = "";
    for (const [index, row] of wrapped.entries()) {
      const text = lineText(row);
      assert.ok(cellWidth(text) <= width);
      if (signs[graphemes(joined).length] === " ") joined += " ";
      assert.equal(row.offset, graphemes(joined).length);
      joined += text;
      const next = wrapped[index + 1];
      if (next === undefined) continue;
      const last = text.at(-1)!;
      const first = lineText(next)[0]!;
      if (!isChineseOrJapanese(last) || !isChineseOrJapanese(first)) continue;
      const free = width - cellWidth(text);
      const afterFirst = lineText(next)[1]!;
      const isForced = first === "「" || /[、。」]/.test(afterFirst);
      assert.ok(free <= (isForced ? 5 : 1), `${free} free cells after ${text} at width ${width}`);
    }
    assert.equal(joined, U05);
  }
});

Deno.test("U09 a line of 10,000 signs makes the rows that arithmetic says", () => {
  for (const width of [20, 80]) {
    for (const mode of ["word", "cell"] as const) {
      const wrapped = wrapLine(line("a".repeat(10_000)), width, { mode });
      assert.equal(wrapped.length, 10_000 / width);
      assert.equal(wrapped.at(-1)!.offset, 10_000 - width);
    }
  }
});

Deno.test("a text of several lines keeps its empty ones and numbers them", () => {
  const wrapped = wrapText("one two\n\nthree", "user.text", 4);
  assert.deepEqual(wrapped.map((row) => [lineText(row), row.source, row.offset]), [
    ["one", 0, 0],
    ["two", 0, 4],
    ["", 1, 0],
    ["thre", 2, 0],
    ["e", 2, 4],
  ]);
  assert.equal(wrapped[0]!.spans[0]!.role, "user.text");
});

Deno.test("a width below one is a fault of the caller", () => {
  assert.throws(() => wrapLine(line("a"), 0), /width must be at least 1/);
});
