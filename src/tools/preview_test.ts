import assert from "node:assert/strict";
import fc from "fast-check";
import { lineText } from "../text/line.ts";
import { appendLongText, longText } from "../transcript/long_text.ts";
import {
  COUNT_LIMIT,
  countRows,
  headAndTail,
  headRows,
  hiddenText,
  type Preview,
  tailRows,
} from "./preview.ts";
import type { LongPart, Part } from "./renderer.ts";
import { rowsOf } from "./testing.ts";

function part(text: string): LongPart {
  return { kind: "long", text: longText(text), role: "tool.output", indent: 0 };
}

function shown({ rows, hidden }: Preview): string {
  return [...rows.map((row) => lineText(row)), hiddenText(hidden)].join("|");
}

const TEN = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join("\n") + "\n";

Deno.test("head and tail count hidden rows exactly", () => {
  assert.equal(shown(headRows([part(TEN)], 2, 20)), "line 1|line 2|+8 rows");
  assert.equal(shown(tailRows([part(TEN)], 2, 20)), "line 9|line 10|+8 rows");
  assert.equal(shown(headRows([part(TEN)], 9, 20)).split("|").at(-1), "+1 row");
  assert.equal(shown(headRows([part(TEN)], 10, 20)).split("|").at(-1), "");
  assert.equal(shown(headRows([part("")], 3, 20)), "");
  assert.equal(shown(headRows([], 3, 20)), "");
});

Deno.test("rows are screen rows: a wrapped line counts as many", () => {
  assert.equal(shown(headRows([part("abcdefghij\nk")], 2, 4)), "abcd|efgh|+2 rows");
  assert.equal(shown(tailRows([part("abcdefghij\nk")], 2, 4)), "ij|k|+2 rows");
  assert.equal(countRows([part("abcdefghij\nk"), { spans: [] }], 4), 5);
});

Deno.test("a preview runs over several parts", () => {
  const parts: readonly Part[] = [
    part("a\nb"),
    { spans: [{ text: "own", role: "default" }] },
    part("c\nd\n"),
  ];
  assert.equal(shown(headRows(parts, 4, 20)), "a|b|own|c|+1 row");
  assert.equal(shown(tailRows(parts, 4, 20)), "b|own|c|d|+1 row");
});

Deno.test("N11 head and tail with what is between them; all where the row that says so would hide just one", () => {
  const preview = (count: number) => {
    const text = TEN.split("\n").slice(0, count).join("\n");
    const { head, hidden, tail } = headAndTail([part(text)], { head: 2, tail: 2, width: 20 });
    return [head.length, hiddenText(hidden), tail.length];
  };
  assert.deepEqual(preview(4), [4, "", 0]);
  assert.deepEqual(preview(5), [5, "", 0]);
  assert.deepEqual(preview(6), [2, "+2 rows", 2]);
  assert.deepEqual(preview(10), [2, "+6 rows", 2]);
});

Deno.test("above 1 MiB lines are counted, and only the ends are measured", () => {
  const line = "x".repeat(99) + "\n";
  const count = Math.ceil(COUNT_LIMIT / line.length) + 10;
  const big = part(line.repeat(count));
  assert.equal(hiddenText(headRows([big], 3, 120).hidden), `+${count - 3} lines`);
  assert.equal(hiddenText(tailRows([big], 3, 120).hidden), `+${count - 3} lines`);
  // Two rows a line: three rows are one whole line and half of another, which counts as hidden.
  assert.equal(hiddenText(headRows([big], 3, 50).hidden), `+${count - 1} lines`);
  assert.equal(hiddenText(tailRows([big], 3, 50).hidden), `+${count - 1} lines`);
  const ends = headAndTail([big], { head: 2, tail: 2, width: 120 });
  assert.equal(hiddenText(ends.hidden), `+${count - 4} lines`);
});

Deno.test("edge 67 one line of 10 MiB: the ends are shown and the line counts as hidden", () => {
  const long = longText();
  for (let at = 0; at < 10; at++) appendLongText(long, "y".repeat(1 << 20));
  const one: LongPart = { kind: "long", text: long, role: "tool.output", indent: 0 };
  assert.equal(hiddenText(headRows([one], 3, 80).hidden), "+1 line");
  assert.equal(hiddenText(tailRows([one], 3, 80).hidden), "+1 line");
});

Deno.test("U09 a line of 1 MiB is counted in rows", () => {
  assert.equal(
    hiddenText(headRows([part("z".repeat(1 << 20))], 3, 80).hidden),
    `+${Math.ceil((1 << 20) / 80) - 3} rows`,
  );
});

Deno.test("coloured text has as many rows as the layout will make of it", () => {
  const piece = fc.constantFrom(
    "a",
    "word ",
    "\n",
    "\u001b[31m",
    "\u001b[0m",
    "\u001b[1;38;5;200m",
    "\u001b[m",
    "\u001b[2K",
    "\t",
    "宽",
    "\r",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (pieces, width) => {
      const text = part(pieces.join(""));
      assert.equal(countRows([text], width), rowsOf([text], width).length);
    }),
    { numRuns: 500 },
  );
});
