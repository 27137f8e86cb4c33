import assert from "node:assert/strict";
import fc from "fast-check";
import { cellWidth, setAmbiguousWidth } from "./graphemes.ts";
import {
  EMPTY_LINE,
  joinLines,
  type Line,
  line,
  lineOf,
  lineText,
  lineWidth,
  padLine,
  shortenLine,
  shortenText,
} from "./line.ts";

const anySpan = fc.record({
  text: fc.array(fc.constantFrom(..."ab 漢", "e\u0301", "👨\u200d👩"), { maxLength: 6 }).map((signs) =>
    signs.join("")
  ),
  role: fc.constantFrom("default" as const, "md.code" as const),
});
const anyLine = fc.array(anySpan, { maxLength: 5 }).map((spans): Line => ({ spans, source: 1, offset: 2 }));

Deno.test("a shortened line fits, is the line where it fitted, else its beginning and an ellipsis", () => {
  for (const ambiguous of [1, 2] as const) {
    try {
      setAmbiguousWidth(ambiguous);
      fc.assert(
        fc.property(anyLine, fc.integer({ min: -1, max: 20 }), (long, width) => {
          const short = shortenLine(long, width);
          const text = lineText(short);
          assert.equal(shortenText(lineText(long), width), text);
          assert.ok(lineWidth(short) <= Math.max(0, width));
          assert.deepEqual([short.source, short.offset], [1, 2]);
          if (lineWidth(long) <= width) return assert.equal(short, long);
          if (width <= 0) return assert.equal(text, "");
          assert.match(text, /[….]$/);
          assert.ok(lineText(long).startsWith(text.slice(0, -1)));
          // Nothing that fitted beside the ellipsis was cut.
          assert.ok(lineWidth(short) >= width - 1 - (ambiguous - 1) || text.length === 1);
        }),
        { numRuns: 1_000 },
      );
    } finally {
      setAmbiguousWidth(1);
    }
  }
});

Deno.test("lines are made, joined, padded", () => {
  assert.equal(line(""), EMPTY_LINE);
  const two = lineOf(["漢", "md.code"], ["", "default"], ["x", "default"]);
  assert.equal(two.spans.length, 2);
  assert.equal(lineWidth(two), 3);
  assert.equal(lineText(joinLines(two, line("!"))), "漢x!");
  assert.equal(lineText(padLine(two, 5)), "漢x  ");
  assert.equal(padLine(two, 3), two);
  assert.equal(cellWidth(lineText(padLine(EMPTY_LINE, 4))), 4);
});
