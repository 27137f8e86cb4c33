// Painting: against a plain model of cells, and the edges one by one.

import assert from "node:assert/strict";
import fc from "fast-check";
import { clusterWidth, graphemes, loadClusterWidths } from "../text/graphemes.ts";
import { type Line, line, lineOf } from "../text/line.ts";
import { ROLES } from "../text/role.ts";
import {
  cellAttributes,
  cellRole,
  cellText,
  clearFrame,
  copyFrame,
  createFrame,
  DIM,
  fillRegion,
  type Frame,
  paintLine,
  resizeFrame,
  signWidth,
  usePool,
} from "./frame.ts";

await loadClusterWidths();

function rowText(frame: Frame, row: number): string {
  return Array.from({ length: frame.width }, (_, column) => cellText(frame, row, column)).join("");
}

/** Paints lines over each other at row 0 of a frame and says how the row reads. */
function check(
  options: { width: number; paint: [Line, { column?: number; width?: number }?][]; expect: string },
): void {
  const frame = createFrame(options.width, 1);
  for (const [painted, region] of options.paint) {
    paintLine(frame, { row: 0, column: region?.column ?? 0, width: region?.width ?? options.width }, painted);
  }
  assert.equal(rowText(frame, 0), options.expect);
}

Deno.test("a line is painted at its place, with its roles, and leaves the rest alone", () => {
  const frame = createFrame(12, 2);
  paintLine(frame, { row: 1, column: 2, width: 9 }, lineOf(["ab", "tool.name"], ["宽c", "tool.path"]), DIM);
  assert.equal(rowText(frame, 0), " ".repeat(12));
  assert.equal(rowText(frame, 1), "  ab宽c     ");
  const inks = Array.from(
    { length: 8 },
    (_, column) => cellRole(frame, 1, column) + cellAttributes(frame, 1, column),
  );
  assert.deepEqual(inks, [
    "default0",
    "default0",
    "tool.name1",
    "tool.name1",
    "tool.path1",
    "tool.path1",
    "tool.path1",
    "default0",
  ]);
});

Deno.test("signs join over the end of ASCII, and never over spans", () => {
  const frame = createFrame(6, 1);
  paintLine(frame, { row: 0, column: 0, width: 6 }, line("abe\u0301c"));
  assert.equal(cellText(frame, 0, 2), "e\u0301");
  assert.equal(cellText(frame, 0, 3), "c");
});

Deno.test("edge 74, edge 85 a wide sign that does not fit shows a substitute", () => {
  check({ width: 3, paint: [[line("a宽b")]], expect: "a宽" });
  check({ width: 3, paint: [[line("ab宽")]], expect: "ab?" });
  check({ width: 1, paint: [[line("宽")]], expect: "?" });
  check({ width: 6, paint: [[line("......")], [line("a宽"), { width: 2 }]], expect: "a?...." });
  check({ width: 4, paint: [[line("宽b"), { column: -1 }]], expect: "?b  " });
  check({ width: 4, paint: [[line("abcdef"), { column: -2 }]], expect: "cd  " });
});

Deno.test("what is left of a sign that was painted over is blank", () => {
  check({ width: 6, paint: [[line("宽宽宽")], [line("x"), { column: 1 }]], expect: " x宽宽" });
  check({ width: 6, paint: [[line("宽宽宽")], [line("x"), { column: 2 }]], expect: "宽x 宽" });
  check({ width: 6, paint: [[line("宽宽宽")], [line("宽"), { column: 1 }]], expect: " 宽 宽" });
  check({ width: 6, paint: [[line("宽宽宽")], [line(""), { column: 1 }]], expect: "宽宽宽" });
});

Deno.test("nothing is painted outside frame and region", () => {
  const frame = createFrame(4, 2);
  const ink = line("xxxxxxxxxx");
  for (const region of [[-1, 0, 4], [2, 0, 4], [0, 4, 4], [0, -9, 5], [0, 0, 0], [0, 0, -3]] as const) {
    paintLine(frame, { row: region[0], column: region[1], width: region[2] }, ink);
  }
  assert.equal(rowText(frame, 0) + rowText(frame, 1), " ".repeat(8));
  paintLine(createFrame(0, 0), { row: 0, column: 0, width: 10 }, ink);
  paintLine(createFrame(5, 0), { row: 0, column: 0, width: 10 }, ink);
  paintLine(createFrame(0, 5), { row: 0, column: 0, width: 10 }, ink);
});

Deno.test("U08 no control ever gets into a cell", () => {
  const frame = createFrame(20, 1);
  paintLine(frame, { row: 0, column: 0, width: 20 }, line("a\x1b[2Jb\x07\x9bc\r\n\u0301\x00\x7f\ud800"));
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(rowText(frame, 0), /[\x00-\x1f\x7f-\x9f\ud800-\udfff]/);
  assert.equal(rowText(frame, 0).trim(), "a[2Jbc");
});

Deno.test("a region is filled with blanks of a role", () => {
  const frame = createFrame(6, 3);
  for (let row = 0; row < 3; row++) paintLine(frame, { row, column: 0, width: 6 }, line("宽宽宽"));
  fillRegion(frame, { row: 1, column: 1, width: 2, height: 5 }, "panel.text");
  assert.deepEqual([0, 1, 2].map((row) => rowText(frame, row)), ["宽宽宽", "    宽", "    宽"]);
  assert.equal(cellRole(frame, 1, 1), "panel.text");
  fillRegion(frame, { row: -2, column: -2, width: 0, height: 9 });
});

Deno.test("a frame that is resized is blank and keeps its memory when it shrinks", () => {
  const frame = createFrame(10, 4);
  paintLine(frame, { row: 0, column: 0, width: 10 }, line("abc"));
  const memory = frame.glyphs.buffer;
  resizeFrame(frame, 5, 2);
  assert.equal(frame.glyphs.length, 10);
  assert.equal(rowText(frame, 0), "     ");
  assert.equal(frame.glyphs.buffer, memory);
  resizeFrame(frame, 500, 500);
  assert.equal(frame.styles.length, 250_000);
  resizeFrame(frame, NaN, -4);
  assert.equal(frame.glyphs.length, 0);
});

Deno.test("frames stay readable when the pool of clusters is renewed", () => {
  const old = createFrame(4, 1);
  paintLine(old, { row: 0, column: 0, width: 4 }, line("e\u0301👍🏽"));
  const other = createFrame(200, 30);
  let code = 0x4e00;
  for (let round = 0; round < 3; round++) {
    clearFrame(other);
    for (let row = 0; row < 30; row++) {
      let text = "";
      for (let sign = 0; sign < 100; sign++) text += String.fromCharCode(code++) + "\u0301";
      paintLine(other, { row, column: 0, width: 200 }, line(text));
    }
  }
  clearFrame(other);
  assert.notEqual(other.clusters, old.clusters);
  assert.ok(other.clusters.texts.length < 5000);
  assert.equal(rowText(old, 0), "e\u0301👍🏽 ");
  usePool(old, other.clusters);
  assert.equal(rowText(old, 0), "e\u0301👍🏽 ");
  copyFrame(other, old);
  assert.equal(rowText(other, 0), "e\u0301👍🏽 ");
});

const signs = fc.constantFrom(..."ab 宽漢é🙂", "e\u0301", "👨‍👩‍👧‍👦", "🇯🇵", "நி", "1\ufe0f", "\u0301", "\u200d");
const paintings = fc.array(
  fc.record({
    column: fc.integer({ min: -3, max: 12 }),
    width: fc.integer({ min: 0, max: 14 }),
    texts: fc.array(fc.array(signs, { maxLength: 6 }).map((part) => part.join("")), { maxLength: 3 }),
  }),
  { maxLength: 5 },
);

/** The plain model: a list of cells, each with the sign it belongs to. */
function modelRow(
  width: number,
  painted: readonly { column: number; width: number; texts: string[] }[],
): string[] {
  const cells: { text: string; sign: object | null }[] = Array.from(
    { length: width },
    () => ({ text: " ", sign: null }),
  );
  for (const { column: start, width: regionWidth, texts } of painted) {
    const left = Math.max(0, start);
    const right = Math.min(width, start + regionWidth);
    let column = start;
    for (const grapheme of texts.flatMap((text) => graphemes(text))) {
      const taken = clusterWidth(grapheme);
      if (taken <= 0 || column >= right) continue;
      const isWhole = column >= left && column + taken <= right;
      const sign = {};
      for (let cell = Math.max(column, left); cell < Math.min(column + taken, right); cell++) {
        const hurt = cells[cell]?.sign ?? null;
        if (hurt !== null) {
          for (const other of cells) {
            if (other.sign === hurt) Object.assign(other, { text: " ", sign: null });
          }
        }
        cells[cell] = isWhole ? { text: cell === column ? grapheme : "", sign } : { text: "?", sign: null };
      }
      column += taken;
    }
  }
  return cells.map((cell) => cell.text);
}

Deno.test("painting equals the plain model of cells, and signs stay whole", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), paintings, (width, painted) => {
      const frame = createFrame(width, 1);
      for (const { texts, ...region } of painted) {
        paintLine(frame, { row: 0, ...region }, { spans: texts.map((text) => ({ text, role: ROLES[5] })) });
      }
      const seen = Array.from({ length: width }, (_, column) => cellText(frame, 0, column));
      assert.deepEqual(seen, modelRow(width, painted));
      for (let column = 0; column < width;) {
        const taken = signWidth(frame, column, width);
        assert.equal(taken, clusterWidth(cellText(frame, 0, column)));
        column += taken;
      }
    }),
    { numRuns: 2000 },
  );
});
