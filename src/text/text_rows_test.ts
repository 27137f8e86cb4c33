import assert from "node:assert/strict";
import fc from "fast-check";
import { SUBSTITUTE } from "./cell_rows.ts";
import { cellWidth, clusterWidth, graphemes } from "./graphemes.ts";
import { lineText, lineWidth } from "./line.ts";
import { outsideLines } from "./outside_text.ts";
import { countTextRows, measuredLength, measureText, type TextRows } from "./text_rows.ts";
import { wrapLine } from "./wrap.ts";

const ROLE = "tool.output";
const measure = (text: string, width: number, indent = 0) => measureText(text, width, { role: ROLE, indent });
const shown = (rows: TextRows) =>
  Array.from({ length: rows.rowCount }, (_, row) => lineText(rows.rowAt(row)));

const anyText = fc.oneof(
  fc.array(fc.constantFrom(..."ab c\n\n", "word word word word"), { maxLength: 60 }),
  fc.array(
    fc.constantFrom(
      ..."ab \n漢字、\t\r\b\0",
      "\x1b[31m",
      "\x1b[m",
      "👨\u200d👩",
      "e\u0301",
      "\u1100\u1100\u1161",
      "🇯🇵",
    ),
    { maxLength: 60 },
  ),
).map((signs) => signs.join(""));

Deno.test("rows found by measure are the rows wrapping gives, for widths 1 to 200", () => {
  fc.assert(
    fc.property(
      anyText,
      fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 200 })),
      fc.nat(4),
      (text, width, indent) => {
        const rows = measure(text, width, indent);
        const room = width - Math.max(0, Math.min(indent, width - 2));
        const expected = outsideLines(text, ROLE)
          .flatMap((line, source) => wrapLine(line, room, { mode: "cell", source }));
        assert.equal(rows.rowCount, expected.length);
        for (const [index, row] of expected.entries()) {
          const found = rows.rowAt(index);
          assert.ok(lineWidth(found) <= width);
          assert.deepEqual([found.source, found.offset], [row.source, row.offset]);
          const body = width - room > 0 && found.spans.length > 0 ? found.spans.slice(1) : found.spans;
          assert.deepEqual(body, row.spans);
          assert.equal(rows.rowOf(found.source!, found.offset!), index);
        }
      },
    ),
    { numRuns: 4_000 },
  );
});

Deno.test("every grapheme is found on the row that shows it", () => {
  for (
    const text of ["abcdefghij\n\nklm", "漢字かな交じり文\n\n한글e\u0301", "a\x1b[31mbc漢字de\x1b[mfg\nx"]
  ) {
    for (const width of [1, 2, 3, 5, 40]) {
      const rows = measure(text, width);
      for (const [source, line] of outsideLines(text, ROLE).entries()) {
        for (const [offset, grapheme] of graphemes(lineText(line)).entries()) {
          const row = rows.rowAt(rows.rowOf(source, offset));
          const seen = graphemes(lineText(row))[offset - row.offset!];
          assert.equal(seen, clusterWidth(grapheme) > width ? SUBSTITUTE : grapheme);
          assert.equal(row.source, source);
        }
      }
    }
  }
});

Deno.test("places outside the text give its nearest row", () => {
  const rows = measure("abcdef\ngh\n", 4);
  assert.deepEqual(shown(rows), ["abcd", "ef", "gh"]);
  assert.equal(rows.rowOf(0, 999), 1);
  assert.equal(rows.rowOf(7, 0), 2);
  assert.equal(rows.rowOf(-1, 0), 0);
  assert.equal(measure("漢字漢字", 4).rowOf(0, 999), 1);
  assert.equal(measure("", 4).rowCount, 0);
  assert.equal(measure("", 4).rowOf(0, 0), 0);
});

Deno.test("edge 69 empty lines are rows, a final newline is none", () => {
  assert.deepEqual(shown(measure("\n", 4)), [""]);
  assert.deepEqual(shown(measure("a\n\nb\n", 4, 1)), [" a", "", " b"]);
  assert.deepEqual(shown(measure("漢\n\nb", 4, 1)), [" 漢", "", " b"]);
});

Deno.test("edge 85 rows of one cell show a substitute for a wide sign", () => {
  assert.deepEqual(shown(measure("a漢b", 1, 3)), ["a", "?", "b"]);
});

Deno.test("U07 columns hold at width 24: rows are cut, none is wider", () => {
  const rows = measure("ok\tpkg/a\t0.01s\nFAIL\tpkg/longer/name\t12.3s\n日本\tx\n日本語の\ty", 24);
  assert.deepEqual(shown(rows), [
    "ok      pkg/a   0.01s",
    "FAIL    pkg/longer/name ",
    "12.3s",
    "日本    x",
    "日本語の        y",
  ]);
});

Deno.test("U08 the letters can be read in order at any width", () => {
  const output =
    "\x1b[31mred\x1b[0m plain\n\x1b[2J\x1b[H\x1b[10;10HX\x1b]0;pwn\x07\x1b]8;;http://x.invalid\x07L\x07tail";
  for (const width of [5, 24, 80]) {
    const plain = shown(measure(output, width)).join("");
    assert.match(plain, /red plain.*X.*L.*tail$/);
  }
});

Deno.test("U09 very long lines: rows by arithmetic, the last sign within reach", () => {
  const MEBIBYTE = 1 << 20;
  for (const width of [20, 80]) {
    const ascii = measure("a".repeat(MEBIBYTE - 1) + "Z", width);
    assert.equal(ascii.rowCount, Math.ceil(MEBIBYTE / width));
    assert.ok(lineText(ascii.rowAt(ascii.rowCount - 1)).endsWith("Z"));
    assert.equal(ascii.rowOf(0, MEBIBYTE - 1), ascii.rowCount - 1);

    const wide = measure("漢".repeat(100_000) + "Z", width);
    assert.equal(wide.rowCount, 200_000 / width + 1);
    assert.equal(lineText(wide.rowAt(wide.rowCount - 1)), "Z");
    assert.equal(cellWidth(lineText(wide.rowAt(17))), width);
  }
});

Deno.test("a line of very many colours finds a row without walking the others", () => {
  const rows = measure("\x1b[31mab漢\x1b[32mcd".repeat(20_000), 60);
  let spanCount = 0;
  for (let row = 0; row < rows.rowCount; row++) spanCount += rows.rowAt(row).spans.length;
  assert.ok(spanCount < 60_000);
  assert.equal(rows.rowCount, 2000);
});

Deno.test("a width below one is a fault of the caller", () => {
  assert.throws(() => measure("a", 0), /width must be at least 1/);
});

Deno.test("counting rows finds as many as measuring them", () => {
  const sign = fc.constantFrom("a", "b", " ", "\n", "\n", "宽", "é", "\x1b[1m", "\t", "👩‍💻");
  const text = fc.array(sign, { maxLength: 60 }).map((signs) => signs.join(""));
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 0, max: 14 }),
      (text, width, indent) => {
        const options = { role: ROLE, indent } as const;
        assert.equal(countTextRows(text, width, options), measureText(text, width, options).rowCount);
      },
    ),
  );
});

Deno.test("rows that grow with their text are those of the whole text", () => {
  const parts = fc.constantFrom(
    "word ",
    "\n",
    "日本語",
    "👩‍👩‍👧‍👦",
    "e\u0301",
    "\x1b[31m",
    "\x1b[0m",
    "progress 10%\r",
    "\t",
    "\b",
    "x".repeat(300),
    "の".repeat(90),
    "😀",
  );
  const cases = fc.record({
    text: fc.array(parts, { maxLength: 60 }).map((all) => all.join("")),
    width: fc.constantFrom(1, 2, 3, 24, 120),
    indent: fc.constantFrom(0, 2),
    paces: fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 7 }),
  });
  fc.assert(
    fc.property(cases, ({ text, width, indent, paces }) => {
      const options = { role: "tool.output", indent } as const;
      let grown = measureText("", width, options);
      for (let at = 0, turn = 0; at < text.length; turn++) {
        at = Math.min(text.length, at + paces[turn % paces.length]!);
        const so = text.slice(0, at);
        grown = grown.grow(so);
        const whole = measureText(so, width, options);
        const rows = Array.from({ length: whole.rowCount }, (_, row) => row);
        assert.equal(grown.rowCount, whole.rowCount);
        assert.deepEqual(rows.map((row) => grown.rowAt(row)), rows.map((row) => whole.rowAt(row)));
        for (const row of rows) {
          const { source = 0, offset = 0 } = whole.rowAt(row);
          assert.equal(grown.rowOf(source, offset), whole.rowOf(source, offset));
        }
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("what is added to a text is all that is looked at, whatever stands before it", () => {
  for (
    const unit of ["line of words\n", "word ", "日本語の文章\n", "日本語、", "\x1b[1mbold\x1b[0m line\n"]
  ) {
    const costs = [200, 6000].map((count) => {
      const options = { role: "tool.output", indent: 2 } as const;
      const rows = measureText(unit.repeat(count), 120, options);
      const before = measuredLength();
      rows.grow(unit.repeat(count + 10));
      return measuredLength() - before;
    });
    assert.equal(costs[1], costs[0], unit);
    assert.ok(costs[0]! <= 11 * unit.length, unit);
  }
});
