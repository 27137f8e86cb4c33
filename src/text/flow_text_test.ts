// A growing text's rows are those of the whole text, whatever it is made of and however it came.

import assert from "node:assert/strict";
import fc from "fast-check";
import { createFlow, flowRows } from "./flow_text.ts";
import { loadClusterWidths } from "./graphemes.ts";
import { safeBlockText } from "./outside_text.ts";
import { wrapText } from "./wrap.ts";

await loadClusterWidths();

const ROLE = "reasoning.text";
const text = fc.array(
  fc.constantFrom(
    "word ",
    "two words  ",
    "\n",
    "\r\n",
    "\n\n",
    "\t",
    "日本語の文章、",
    "👩‍👩‍👧‍👦",
    "e\u0301",
    "\x1b[1m",
    "   ",
    "unbroken".repeat(30),
    "many words of a line ".repeat(90),
    "の".repeat(1500),
  ),
  { maxLength: 40 },
).map((parts) => parts.join(""));

Deno.test("a growing text has the rows of the whole, at any width and pace", () => {
  const cases = fc.record({
    text,
    width: fc.constantFrom(1, 2, 9, 60, 118),
    paces: fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 9 }),
    pieces: fc.boolean(),
  });
  fc.assert(
    fc.property(cases, ({ text, width, paces, pieces }) => {
      const all = createFlow();
      const few = createFlow();
      const growing = { pieces: [""], length: 0 };
      for (let at = 0, turn = 0; at < text.length; turn++) {
        const end = Math.min(text.length, at + paces[turn % paces.length]!);
        growing.pieces[growing.pieces.length - 1] += text.slice(at, end);
        if (turn % 3 === 0) growing.pieces.push("");
        growing.length = end;
        const source = pieces ? growing : text.slice(0, end);
        const rows = flowRows(all, source, { role: ROLE, width, most: null });
        const said = flowRows(few, source, { role: ROLE, width, most: 2 });
        at = end;
        if (turn % 4 !== 0 && at < text.length) continue;
        const so = text.slice(0, end).trim();
        const expected = so === "" ? [] : wrapText(safeBlockText(so), ROLE, width);
        const notBlank = expected.filter((row) => row.spans.length > 0);
        assert.deepEqual(rows.rows, expected);
        assert.deepEqual(said.rows, notBlank.slice(0, 2));
        assert.deepEqual([rows.said, said.said], [notBlank.length, notBlank.length]);
      }
    }),
    { numRuns: 150 },
  );
});

Deno.test("another width, or a text that does not go on from the one before, begins anew", () => {
  const flow = createFlow();
  const rows = (text: string, width: number) =>
    flowRows(flow, text, { role: ROLE, width, most: null }).rows.length;
  assert.equal(rows("one two three", 13), 1);
  assert.equal(rows("one two three", 5), 3);
  assert.equal(rows("four", 5), 1);
  assert.equal(rows("", 5), 0);
});
