// encode(diff(A, B)) sent to a terminal that shows A makes it show B: against three terminals that are not ours.

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  compareFrame,
  createEmulator,
  type Emulator,
  WIDTH_CONFIGS,
  type WidthConfig,
} from "../../tests/emulator.ts";
import { loadClusterWidths } from "../text/graphemes.ts";
import { ROLES } from "../text/role.ts";
import { createEncoder, encodeFrame, type Encoder, invalidate } from "./encode.ts";
import {
  clearFrame,
  createFrame,
  type Cursor,
  DIM,
  fillRegion,
  type Frame,
  paintLine,
  REVERSE,
} from "./frame.ts";
import { createTheme } from "./theme.ts";

await loadClusterWidths();

const theme = createTheme({ color: true });
const capabilities = { synchronizedOutput: true, title: true, scrollRegions: true };
/** What the terminal's modes are while we own the screen. */
const OWNED = "\x1b[?1049h\x1b[?7l";

const SAFE = [
  ..."abc xyz 019~@#",
  ..."漢字かな、。한글ＡＢ",
  ..."éüñßабвγδאבسش",
  "e\u0301",
  "и\u0306",
  "─",
  "│",
  "✓",
  "✗",
  "…",
];
const DOUBTFUL = [
  "👨‍👩‍👧‍👦",
  "👩🏽‍🚀",
  "👍🏽",
  "🇯🇵",
  "🇯",
  "🇯🇽",
  "1\ufe0f\u20e3",
  "1\u20e3",
  "1\ufe0f",
  "❤\ufe0f",
  "❤",
  "☰",
  "𝌆",
  "🙂",
  "ｶ\uff9e",
  "ᄀᄀ가",
  "각\u11a8",
  "क्षि",
  "நி",
  "తె",
  "ខ្មែ",
  "ที่",
  "あ\u3099",
  "⚠\ufe0f",
  "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "z\u0489\u0338\u0335",
  "㉈",
  "z🏽\u0301",
  "❤\ufe0f🏽\u200d",
  "©",
  "🤻",
];

type PaintedSpan = { text: string; role: number };
type PaintedRow = { row: number; column: number; width: number; attributes: number; spans: PaintedSpan[] };
type Picture = { rows: PaintedRow[]; fill: number; cursor: Cursor | null; title: string };

const sign = fc.oneof(
  { weight: 15, arbitrary: fc.constantFrom(...SAFE) },
  { weight: 5, arbitrary: fc.constantFrom(...DOUBTFUL) },
);
const span: fc.Arbitrary<PaintedSpan> = fc.record({
  text: fc.array(sign, { minLength: 1, maxLength: 9 }).map((signs) => signs.join("")),
  role: fc.nat(ROLES.length - 1),
});

function pictures(width: number, height: number): fc.Arbitrary<Picture> {
  const row = fc.record({
    row: fc.nat(height - 1),
    column: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -2, max: width })),
    width: fc.integer({ min: 1, max: width + 2 }),
    attributes: fc.constantFrom(0, 0, 0, DIM, REVERSE, DIM | REVERSE),
    spans: fc.array(span, { minLength: 1, maxLength: 5 }),
  });
  return fc.record({
    rows: fc.array(row, { maxLength: height * 2 }),
    fill: fc.constantFrom(0, 0, 0, ROLES.indexOf("panel.selected")),
    cursor: fc.option(
      fc.record({
        row: fc.nat(height - 1),
        column: fc.nat(width - 1),
        shape: fc.constantFrom("bar" as const, "block" as const),
      }),
    ),
    title: fc.constantFrom("", "one", "два - Trifold"),
  });
}

function paintPicture(frame: Frame, picture: Picture): void {
  clearFrame(frame);
  if (picture.fill !== 0) {
    fillRegion(
      frame,
      { row: 1, column: 2, width: frame.width - 3, height: 2 },
      ROLES[picture.fill] ?? "default",
    );
  }
  for (const row of picture.rows) {
    const spans = row.spans.map((part) => ({ text: part.text, role: ROLES[part.role] ?? "default" }));
    paintLine(frame, row, { spans }, row.attributes);
  }
  frame.cursor = picture.cursor;
  frame.title = picture.title || frame.title;
}

interface Screen {
  readonly emulator: Emulator;
  readonly encoder: Encoder;
}

function openScreen(config: WidthConfig, width: number, height: number, options = capabilities): Screen {
  const emulator = createEmulator({ width, height, config, scrollback: 10 });
  emulator.write(OWNED);
  return { emulator, encoder: createEncoder({ theme, capabilities: options }) };
}

/** Shows the frame on the screen and says what is wrong there. */
function showFrame(screen: Screen, frame: Frame): string[] {
  const bytes = encodeFrame(screen.encoder, frame);
  screen.emulator.write(bytes);
  const wrong = compareFrame(screen.emulator, frame, theme);
  if (screen.emulator.scrollbackLength() !== 0) wrong.push("scrollback");
  return wrong.length === 0 ? wrong : [...wrong, JSON.stringify(bytes)];
}

for (const config of WIDTH_CONFIGS) {
  Deno.test(`random frames after each other show exactly, ${config}`, () => {
    // xterm.js knows no screen narrower than two columns.
    const sizes = fc.tuple(fc.integer({ min: 2, max: 24 }), fc.integer({ min: 1, max: 6 }));
    const run = sizes.chain(([width, height]) =>
      fc.record({
        width: fc.constant(width),
        height: fc.constant(height),
        sync: fc.boolean(),
        pictures: fc.array(pictures(width, height), { minLength: 2, maxLength: 4 }),
      })
    );
    fc.assert(
      fc.property(run, ({ width, height, sync, pictures }) => {
        const screen = openScreen(config, width, height, { ...capabilities, synchronizedOutput: sync });
        const frame = createFrame(width, height);
        for (const picture of pictures) {
          paintPicture(frame, picture);
          assert.deepEqual(showFrame(screen, frame), []);
          assert.equal(encodeFrame(screen.encoder, frame), "");
        }
        screen.emulator.dispose();
      }),
      { numRuns: 4000 },
    );
  });
}
