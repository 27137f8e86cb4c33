// The golden text, character for character.

import assert from "node:assert/strict";
import { type Line, lineOf } from "../text/line.ts";
import { createFrame, DIM, type Frame, paintLine, REVERSE } from "./frame.ts";
import { framePicture, type SnapshotState, snapshotText } from "./snapshot.ts";

const STATE: SnapshotState = {
  rowsStart: 0,
  rowsEnd: 6,
  rowCount: 6,
  isFollowing: true,
  focus: "composer",
  panel: null,
};

function paint(frame: Frame, lines: readonly Line[]): void {
  for (const [row, line] of lines.entries()) paintLine(frame, { row, column: 0, width: frame.width }, line);
}

Deno.test("picture first, ink after", () => {
  const frame = createFrame(30, 4);
  paint(frame, [
    lineOf(["# 1 ", "turn.mark"], [" ", "default"], ["m-1", "model"]),
    lineOf(["> ", "user.mark"], ["fix the 宽 column bug", "user.text"]),
    lineOf(["plain", "default"]),
    lineOf([">", "composer.mark"]),
  ]);
  frame.cursor = { row: 3, column: 2, shape: "bar" };
  frame.title = 'fix "the" bug - Trifold';
  assert.equal(
    snapshotText(frame, STATE),
    `cursor 3,2 bar   rows 0-5 of 6 follow   focus composer   title "fix \\"the\\" bug - Trifold"
00 │# 1  m-1                      │
01 │> fix the 宽 column bug       │
02 │plain                         │
03▸│>                             │
-- roles
00  turn.mark*4 _*1 model*3
01  user.mark*2 user.text*21
03  composer.mark*1
`,
  );
});

Deno.test("hidden cursor, held, panel, attributes, and an emulator's picture", () => {
  const frame = createFrame(8, 2);
  paintLine(frame, { row: 0, column: 0, width: 8 }, lineOf(["old", "user.text"]), DIM);
  paintLine(frame, { row: 1, column: 2, width: 8 }, lineOf(["sel", "default"]), REVERSE);
  const state = {
    ...STATE,
    rowsStart: 3,
    rowsEnd: 3,
    rowCount: 9,
    isFollowing: false,
    focus: "panel",
    panel: "help",
  };
  const picture = { rows: ["seen    ", "there   "], cursor: null, title: "" };
  assert.equal(
    snapshotText(frame, state, picture),
    `cursor hidden   rows none of 9 held   focus panel   panel help   title ""
00 │seen    │
01 │there   │
-- roles
00  user.text+dim*3
01  _*2 _+reverse*3
`,
  );
});

Deno.test("invisible signs are tokens, joiners inside a cluster are not", () => {
  const frame = createFrame(4, 1);
  const rows = ["a\u200bb\u202ec\u00a0", "👨‍👩‍👧‍👦❤\ufe0f宽\u3000", "\ufe0fx\u200d", "\u{e0041}\ufeff"];
  const text = snapshotText(frame, STATE, { rows, cursor: null, title: "t\u2066" });
  assert.deepEqual(text.split("\n").slice(0, 5), [
    'cursor hidden   rows 0-5 of 6 follow   focus composer   title "t<U+2066>"',
    "00 │a<U+200B>b<U+202E>c<U+00A0>│",
    "01 │👨‍👩‍👧‍👦❤\ufe0f宽\u3000│",
    "02 │<U+FE0F>x\u200d│",
    "03 │<U+E0041><U+FEFF>│",
  ]);
});

Deno.test("row numbers take three digits from 100 rows up", () => {
  const numbers = (height: number) => snapshotText(createFrame(1, height), STATE).split("\n")[1];
  assert.equal(numbers(99), "00 │ │");
  assert.equal(numbers(100), "000 │ │");
});

Deno.test("an empty frame is a picture too", () => {
  assert.deepEqual(framePicture(createFrame(0, 0)), { rows: [], cursor: null, title: "" });
  assert.ok(snapshotText(createFrame(0, 0), STATE).endsWith("\n-- roles\n"));
});
