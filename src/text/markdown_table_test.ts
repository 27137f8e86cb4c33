import assert from "node:assert/strict";
import fc from "fast-check";
import { graphemes, loadClusterWidths, setAmbiguousWidth } from "./graphemes.ts";
import { lineText, lineWidth } from "./line.ts";
import { createMarkdown, loadMarkdown, markdownLines, updateMarkdown } from "./markdown.ts";

await loadMarkdown();
await loadClusterWidths();

function rows(text: string, width: number): readonly string[] {
  const md = createMarkdown();
  updateMarkdown(md, text, true);
  const lines = markdownLines(md, width);
  for (const line of lines) assert(lineWidth(line) <= width, lineText(line));
  return lines.map(lineText);
}

function check(text: string, width: number, expected: readonly string[]): void {
  assert.deepEqual(rows(text, width), expected);
}

const TABLE = "| name | what it is | n |\n|---|:-:|--:|\n| left | a few more words | 1 |\n| 宽 | x | 👍🏽 |\n";

Deno.test("a table that fits is a box with aligned columns", () => {
  check(TABLE, 60, [
    "┌──────┬──────────────────┬────┐",
    "│ name │    what it is    │  n │",
    "├──────┼──────────────────┼────┤",
    "│ left │ a few more words │  1 │",
    "│ 宽   │        x         │ 👍🏽 │",
    "└──────┴──────────────────┴────┘",
  ]);
});

Deno.test("in a narrow place columns shrink, cells wrap, and rows get lines between them", () => {
  check(TABLE, 24, [
    "┌──────┬──────────┬────┐",
    "│ name │ what it  │  n │",
    "│      │    is    │    │",
    "├──────┼──────────┼────┤",
    "│ left │  a few   │  1 │",
    "│      │   more   │    │",
    "│      │  words   │    │",
    "├──────┼──────────┼────┤",
    "│ 宽   │    x     │ 👍🏽 │",
    "└──────┴──────────┴────┘",
  ]);
});

Deno.test("where words would break, rows are lines of head and cell", () => {
  check(TABLE, 19, [
    ...["name: left", "what it is: a few", "more words", "n: 1", "────────"],
    ...["name: 宽", "what it is: x", "n: 👍🏽"],
  ]);
  check("| a | |\n|---|---|\n| 1234567 | 2345678 |\n", 10, ["a: 1234567", "2345678"]);
  check("| wide head | other |\n|---|---|\n", 8, ["wide", "head", "other"]);
});

Deno.test("a long word may be broken in a box", () => {
  check("| path |\n|---|\n| src/a/very/long/path.ts |\n", 18, [
    ...["┌────────────────┐", "│ path           │", "├────────────────┤"],
    ...["│ src/a/very/lon │", "│ g/path.ts      │", "└────────────────┘"],
  ]);
});

Deno.test("cells keep inline Markdown; those beyond the head's are not lost", () => {
  check("a | b\n--|--\n**x** | `p|q` and\\|more\ny\n", 40, [
    "┌───┬────────────────┐",
    "│ a │ b              │",
    "├───┼────────────────┤",
    "│ x │ `p|q` and|more │",
    "│ y │                │",
    "└───┴────────────────┘",
  ]);
});

Deno.test("tables without rows, of one column, in lists and quotes", () => {
  check("| a |\n|---|\n", 20, ["┌───┐", "│ a │", "├───┤", "└───┘"]);
  check("- in\n\n  | a |\n  |---|\n  | 1 |\n", 20, [
    ...["- in", "", "  ┌───┐", "  │ a │", "  ├───┤", "  │ 1 │", "  └───┘"],
  ]);
  check("> | a |\n> |---|\n> | 1 |\n", 20, ["│ ┌───┐", "│ │ a │", "│ ├───┤", "│ │ 1 │", "│ └───┘"]);
});

Deno.test("text after a table stands in rows of its own", () => {
  const shown = rows("| a |\n|---|\n| 1 |\n\nText.", 20);
  assert.deepEqual(shown.slice(-3), ["└───┘", "", "Text."]);
  assert.deepEqual(rows("| a |\n|---|\n| 1 |\n# Head", 20).slice(-3), ["└───┘", "Head", "════"]);
});

Deno.test("where box signs take two cells, ASCII is drawn", () => {
  setAmbiguousWidth(2);
  try {
    check("| a |\n|---|\n| b |\n\n> q\n\n---\n", 9, [
      "+---+",
      "| a |",
      "+---+",
      "| b |",
      "+---+",
      "",
      "| q",
      "",
      "---------",
    ]);
  } finally {
    setAmbiguousWidth(1);
  }
});

const CELL = fc.array(fc.constantFrom("a", "word", "longerword", "宽字", "👩‍💻", "한글", "é", "x-y", "`c`"), {
  maxLength: 4,
})
  .map((words) => words.join(" "));

Deno.test("every sign of every cell can be read at any width from 2", () => {
  const table = fc.integer({ min: 1, max: 5 }).chain((columns) =>
    fc.array(fc.array(CELL, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 4 })
  );
  fc.assert(
    fc.property(table, fc.integer({ min: 2, max: 70 }), ([head = [], ...body], width) => {
      const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
      const shown = rows(row(head) + row(head.map(() => "---")) + body.map(row).join(""), width).join("");
      const counts = new Map<string, number>();
      for (const sign of graphemes(shown)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
      for (const sign of graphemes(body.flat().join(""))) {
        if (sign === " ") continue;
        const left = (counts.get(sign) ?? 0) - 1;
        assert(left >= 0, `${sign} is missing`);
        counts.set(sign, left);
      }
    }),
    { numRuns: 1000 },
  );
});
