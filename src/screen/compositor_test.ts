// Layers over each other, and who owns the cursor.

import assert from "node:assert/strict";
import { line } from "../text/line.ts";
import { compose, type Layer } from "./compositor.ts";
import {
  cellText,
  createFrame,
  type Cursor,
  fillRegion,
  type Frame,
  paintLine,
  type Region,
} from "./frame.ts";

function layer(text: string, region: Region, cursor?: Cursor | null): Layer {
  return {
    region,
    paint(frame, place) {
      fillRegion(frame, place);
      for (let row = place.row; row < place.row + place.height; row++) {
        paintLine(frame, { ...place, row }, line(text));
      }
    },
    ...(cursor === undefined ? {} : { cursor: () => cursor }),
  };
}

function picture(frame: Frame): string[] {
  return Array.from(
    { length: frame.height },
    (_, row) => Array.from({ length: frame.width }, (_, column) => cellText(frame, row, column)).join(""),
  );
}

function cursorAt(row: number, column: number): Cursor {
  return { row, column, shape: "bar" };
}

Deno.test("later layers stand in front", () => {
  const frame = createFrame(8, 3);
  compose(frame, [
    layer("宽宽宽宽", { row: 0, column: 0, width: 8, height: 3 }),
    layer("xyz", { row: 1, column: 1, width: 4, height: 1 }),
  ]);
  assert.deepEqual(picture(frame), ["宽宽宽宽", " xyz  宽", "宽宽宽宽"]);
});

Deno.test("the frontmost layer that gives a cursor owns it", () => {
  const frame = createFrame(8, 3);
  const region = { row: 0, column: 0, width: 8, height: 3 };
  compose(frame, [
    layer("a", region, cursorAt(1, 1)),
    layer("b", region, cursorAt(2, 2)),
    layer("c", region, null),
  ]);
  assert.deepEqual(frame.cursor, cursorAt(2, 2));
  compose(frame, [layer("a", region)]);
  assert.equal(frame.cursor, null);
});

Deno.test("a cursor behind a full row stands on its last cell, one outside is hidden", () => {
  const frame = createFrame(8, 3);
  const region = { row: 0, column: 0, width: 8, height: 3 };
  for (
    const [cursor, expected] of [
      [cursorAt(0, 8), cursorAt(0, 7)],
      [cursorAt(0, 9), null],
      [cursorAt(3, 0), null],
      [cursorAt(-1, 0), null],
      [cursorAt(0, -1), null],
    ] as const
  ) {
    compose(frame, [layer("a", region, cursor)]);
    assert.deepEqual(frame.cursor, expected);
  }
});

Deno.test("regions reach past the frame, are empty, or lie outside", () => {
  const frame = createFrame(4, 2);
  compose(frame, [
    layer("abcdefgh", { row: -1, column: -2, width: 9, height: 9 }),
    layer("hidden", { row: 0, column: 0, width: 0, height: 2 }, cursorAt(0, 0)),
    layer("hidden", { row: 2, column: 0, width: 4, height: 2 }, cursorAt(0, 0)),
    layer("hidden", { row: 0, column: 4, width: 4, height: -1 }, cursorAt(0, 0)),
  ]);
  assert.deepEqual(picture(frame), ["cdef", "cdef"]);
  assert.equal(frame.cursor, null);
  compose(createFrame(0, 0), [layer("a", { row: 0, column: 0, width: 4, height: 2 }, cursorAt(0, 0))]);
});

Deno.test("composing again leaves nothing of the last frame", () => {
  const frame = createFrame(4, 1);
  compose(frame, [layer("abcd", { row: 0, column: 0, width: 4, height: 1 }, cursorAt(0, 0))]);
  compose(frame, []);
  assert.deepEqual(picture(frame), ["    "]);
  assert.equal(frame.cursor, null);
});
