// Which rows moved: what is found pays, stays off the last row, and is what a person would call the scroll.

import assert from "node:assert/strict";
import fc from "fast-check";
import { cellRole, cellText, createFrame, type Frame, paintLine } from "./frame.ts";
import { findScroll, scrollFrame } from "./scroll.ts";

const WIDTH = 30;

function frameOf(rows: readonly string[]): Frame {
  const frame = createFrame(WIDTH, rows.length);
  for (const [row, text] of rows.entries()) {
    paintLine(frame, { row, column: 0, width: WIDTH }, { spans: [{ text, role: "ansi.on_red" }] });
  }
  return frame;
}

function rowsOf(frame: Frame): string[] {
  return Array.from(
    { length: frame.height },
    (_, row) =>
      Array.from({ length: frame.width }, (_, column) => cellText(frame, row, column)).join("").trimEnd(),
  );
}

function rowText(row: number): string {
  return `${row} ${String.fromCharCode(97 + (row % 26)).repeat(15)}`;
}

/** Rows of a transcript with a status row and a composer below. */
function screenOf(from: number, count = 10): string[] {
  const rows = Array.from({ length: count }, (_, row) => rowText(from + row));
  return [...rows, "status", "> draft"];
}

function check(
  before: readonly string[],
  after: readonly string[],
  expected: ReturnType<typeof findScroll>,
): void {
  assert.deepEqual(findScroll(frameOf(before), frameOf(after)), expected);
}

Deno.test("a transcript that goes up or down is one scroll, the rows below it stay", () => {
  check(screenOf(5), screenOf(6), { top: 0, bottom: 10, by: 1 });
  check(screenOf(5), screenOf(4), { top: 0, bottom: 10, by: -1 });
  check(screenOf(5), screenOf(9), { top: 0, bottom: 10, by: 4 });
  check(screenOf(5), screenOf(1), { top: 0, bottom: 10, by: -4 });
});

Deno.test("rows above the growing one may stay too", () => {
  const before = ["head", ...screenOf(0, 8)];
  const after = ["head", rowText(0), ...screenOf(3, 7)];
  const scroll = findScroll(frameOf(before), frameOf(after));
  assert.equal(scroll?.by, 2);
  assert.equal(scroll?.top, 2);
});

Deno.test("what does not pay is painted", () => {
  check(screenOf(5), screenOf(5), null);
  check(screenOf(5), screenOf(500), null);
  check(screenOf(5, 0), screenOf(6, 0), null);
  check(screenOf(5, 1), screenOf(6, 1), null);
  const spinner = screenOf(5);
  spinner[10] = "status 2";
  check(screenOf(5), spinner, null);
  // Short rows are cheaper than a region.
  check(["1", "2", "3", "4", "5", ""], ["2", "3", "4", "5", "6", ""], null);
  // A cleared screen is erased row by row, not moved.
  check(screenOf(5), screenOf(5).map(() => ""), null);
});

const words = fc.constantFrom(
  "",
  "alpha beta gamma delta",
  "one two three four five",
  "status",
  "x",
  "宽宽宽宽宽宽宽宽宽宽宽宽",
);

Deno.test("any two frames: the region is inside, off the last row, and moving it is what a terminal does", () => {
  const frames = fc.integer({ min: 0, max: 14 }).chain((height) =>
    fc.tuple(
      fc.array(words, { minLength: height, maxLength: height }),
      fc.array(words, { minLength: height, maxLength: height }),
    )
  );
  let found = 0;
  fc.assert(
    fc.property(frames, ([before, after]) => {
      const shown = frameOf(before);
      const scroll = findScroll(shown, frameOf(after));
      if (scroll === null) return;
      found++;
      const { top, bottom, by } = scroll;
      assert.ok(top >= 0 && bottom <= before.length - 1 && bottom - top >= 2 * Math.abs(by) && by !== 0);
      scrollFrame(shown, scroll);
      const expected: string[] = [...before];
      const inside: string[] = before.slice(top, bottom);
      const blank = Array.from({ length: Math.abs(by) }, () => "");
      expected.splice(
        top,
        inside.length,
        ...(by > 0 ? [...inside.slice(by), ...blank] : [...blank, ...inside.slice(0, by)]),
      );
      assert.deepEqual(rowsOf(shown), expected);
      for (let row = 0; row < Math.abs(by); row++) {
        const exposed = by > 0 ? bottom - 1 - row : top + row;
        assert.ok(
          Array.from({ length: WIDTH }).every((_, column) => cellRole(shown, exposed, column) === "default"),
        );
      }
    }),
    { numRuns: 3000 },
  );
  assert.ok(found > 100, `only ${found} scrolls`);
});
