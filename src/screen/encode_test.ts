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
  resizeFrame,
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
      { numRuns: 1200 },
    );
  });
}

for (const config of WIDTH_CONFIGS) {
  Deno.test(`the same frame shows exactly over any ruin of a screen, ${config}`, () => {
    const run = fc.record({
      before: pictures(12, 4),
      after: pictures(12, 4),
      ruin: fc.array(sign, { maxLength: 60 }),
    });
    fc.assert(
      fc.property(run, ({ before, after, ruin }) => {
        const screen = openScreen(config, 12, 4);
        const frame = createFrame(12, 4);
        paintPicture(frame, before);
        assert.deepEqual(showFrame(screen, frame), []);
        screen.emulator.write(`\x1b[H\x1b[7m${ruin.join("")}\x1b[2;3H${ruin.join("")}\x1b[?25l\x1b[4 q`);
        invalidate(screen.encoder);
        paintPicture(frame, after);
        assert.deepEqual(showFrame(screen, frame), []);
        screen.emulator.dispose();
      }),
      { numRuns: 300 },
    );
  });

  Deno.test(`scrolled frames show exactly, ${config}`, () => {
    const run = fc.record({
      lines: fc.array(fc.array(span, { maxLength: 3 }), { minLength: 30, maxLength: 30 }),
      steps: fc.array(
        fc.record({
          by: fc.integer({ min: -12, max: 12 }),
          footer: fc.nat(4),
          noise: fc.nat(12),
          cursorRow: fc.nat(11),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    });
    let scrolls = 0;
    fc.assert(
      fc.property(run, ({ lines, steps }) => {
        const screen = openScreen(config, 16, 12);
        const frame = createFrame(16, 12);
        let from = 0;
        for (const { by, footer, noise, cursorRow } of steps) {
          from += by;
          clearFrame(frame);
          for (let row = 0; row < 12 - footer; row++) {
            const parts = lines[((from + row) % 30 + 30) % 30] ?? [];
            const spans = parts.map((part) => ({ text: part.text, role: ROLES[part.role] ?? "default" }));
            paintLine(frame, { row, column: 0, width: 16 }, { spans });
          }
          paintLine(frame, { row: noise, column: 3, width: 5 }, {
            spans: [{ text: `n${by}`, role: "ansi.on_red" }],
          });
          frame.cursor = { row: cursorRow, column: cursorRow, shape: "bar" };
          const bytes = encodeFrame(screen.encoder, frame);
          // deno-lint-ignore no-control-regex
          if (/\x1b\[\d*[ST]/.test(bytes)) scrolls++;
          screen.emulator.write(bytes);
          assert.deepEqual(compareFrame(screen.emulator, frame, theme), [], JSON.stringify(bytes));
          assert.deepEqual(screen.emulator.modes().scrollRegion, [0, 12]);
          assert.equal(screen.emulator.scrollbackLength(), 0);
        }
        screen.emulator.dispose();
      }),
      { numRuns: 300 },
    );
    assert.ok(scrolls > 100, `only ${scrolls} scrolls`);
  });
}

Deno.test("a resize repaints all, whatever the terminal made of what it showed", () => {
  fc.assert(
    fc.property(
      pictures(20, 6),
      fc.integer({ min: 2, max: 30 }),
      fc.integer({ min: 1, max: 9 }),
      (picture, width, height) => {
        const screen = openScreen("graphemes", 20, 6);
        const frame = createFrame(20, 6);
        paintPicture(frame, picture);
        assert.deepEqual(showFrame(screen, frame), []);
        screen.emulator.resize(width, height);
        resizeFrame(frame, width, height);
        paintLine(frame, { row: 0, column: 0, width }, { spans: [{ text: "漢字 text", role: "md.strong" }] });
        assert.deepEqual(showFrame(screen, frame), []);
        screen.emulator.dispose();
      },
    ),
    { numRuns: 300 },
  );
});

/** Bytes of the second of two frames, given as rows; the first one is painted whole before. */
function bytesBetween(before: readonly string[], after: readonly string[], options = capabilities): string {
  const encoder = createEncoder({ theme, capabilities: options });
  const frame = createFrame(40, 8);
  const paint = (rows: readonly string[]) => {
    clearFrame(frame);
    for (const [row, text] of rows.entries()) {
      paintLine(frame, { row, column: 0, width: 40 }, { spans: [{ text, role: "default" }] });
    }
    frame.cursor = { row: 7, column: 0, shape: "bar" };
  };
  paint(before);
  encodeFrame(encoder, frame);
  paint(after);
  return encodeFrame(encoder, frame);
}

const plain = { synchronizedOutput: false, title: true, scrollRegions: true };

Deno.test("the bytes are the fewest that are certain", () => {
  assert.equal(bytesBetween(["abc"], ["abc"], plain), "");
  assert.equal(bytesBetween(["abc"], ["abX"], plain), "\x1b[?25l\x1b[;3HX\x1b[8H\x1b[?25h");
  assert.equal(bytesBetween(["abc"], ["abX"]), "\x1b[?2026h\x1b[;3HX\x1b[8H\x1b[?2026l");
  // A gap of unchanged cells is written over when that is no dearer than a move.
  // deno-lint-ignore no-control-regex
  assert.match(bytesBetween(["a1b23456c"], ["X1X23456X"]), /X1X\x1b\[9GX/);
  // The rest of a row is erased behind its text, never ahead of it.
  assert.equal(bytesBetween(["abcdefghij"], ["ab"]), "\x1b[?2026h\x1b[;3H\x1b[K\x1b[8H\x1b[?2026l");
  assert.equal(bytesBetween(["abcd"], ["ab"]), "\x1b[?2026h\x1b[;3H  \x1b[8H\x1b[?2026l");
  // A doubtful sign: blanks, back, the sign, then only absolute moves and its reach again.
  assert.equal(
    bytesBetween(["abcdefgh"], ["a🙂defgh"]),
    "\x1b[?2026h\x1b[;2H  \x1b[2G🙂\x1b[8H\x1b[?2026l",
  );
});

Deno.test("S13 no frame erases ahead of content, and each is one synchronized update", () => {
  fc.assert(
    fc.property(pictures(20, 6), pictures(20, 6), (before, after) => {
      const encoder = createEncoder({ theme, capabilities });
      const frame = createFrame(20, 6);
      for (const picture of [before, after]) {
        paintPicture(frame, picture);
        const bytes = encodeFrame(encoder, frame);
        // deno-lint-ignore no-control-regex
        assert.doesNotMatch(bytes, /\x1b\[\d*J|\x1b\[[12]K|\n|\x1b\[\d*[LMPX@]/);
        if (picture === before) assert.ok(bytes.startsWith("\x1b[?2026h") && bytes.endsWith("\x1b[?2026l"));
        assert.equal(bytes.split("\x1b[?2026h").length, bytes.split("\x1b[?2026l").length);
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("a scroll resets colours first and the region in the same write, off the last row", () => {
  const rows = Array.from({ length: 8 }, (_, row) => String(row).repeat(40));
  const encoder = createEncoder({ theme, capabilities });
  const frame = createFrame(40, 8);
  const paint = (lines: readonly string[]) => {
    clearFrame(frame);
    for (const [row, text] of lines.entries()) {
      paintLine(frame, { row, column: 0, width: 40 }, { spans: [{ text, role: "ansi.on_red" }] });
    }
  };
  paint(rows);
  encodeFrame(encoder, frame);
  paint([...rows.slice(1, 7), "9".repeat(40), ...rows.slice(7)]);
  const nines = "9".repeat(40);
  assert.equal(
    encodeFrame(encoder, frame),
    `\x1b[?2026h\x1b[m\x1b[;7r\x1b[S\x1b[r\x1b[7H\x1b[7;31m${nines}\x1b[?2026l`,
  );
});

Deno.test("a cluster that is found wider or narrower later is painted again", () => {
  for (const config of WIDTH_CONFIGS) {
    const screen = openScreen(config, 8, 1);
    const frame = createFrame(8, 1);
    const family = "👨‍👩‍👧‍👦";
    for (const isWide of [true, false, true]) {
      clearFrame(frame);
      paintLine(frame, { row: 0, column: 0, width: 8 }, {
        spans: [{ text: `a${family}b`, role: "default" }],
      });
      if (!isWide) {
        // As if its width had only been estimated.
        frame.glyphs.copyWithin(2, 3);
        frame.styles.copyWithin(2, 3);
      }
      const bytes = encodeFrame(screen.encoder, frame);
      assert.ok(bytes.includes(family), JSON.stringify(bytes));
      screen.emulator.write(bytes);
      assert.deepEqual(compareFrame(screen.emulator, frame, theme), []);
    }
  }
});

/** Paints so many different clusters that frames cleared afterwards use a new pool. */
function renewPool(): void {
  const frame = createFrame(5000, 1);
  let text = "";
  for (let code = 0x4e00; code < 0x4e00 + 4200; code++) text += String.fromCharCode(code) + "\u0323";
  for (const part of [text.slice(0, 4000), text.slice(4000)]) {
    paintLine(frame, { row: 0, column: 0, width: 5000 }, { spans: [{ text: part, role: "default" }] });
  }
  clearFrame(frame);
}

Deno.test("frames after a renewal of the cluster pool show exactly", () => {
  const screen = openScreen("graphemes", 20, 1);
  const frame = createFrame(20, 1);
  const pools = new Set();
  for (const text of ["e\u0301a\u0301", "e\u0301a\u0301", "a\u0301e\u0301", "o\u0301"]) {
    renewPool();
    clearFrame(frame);
    pools.add(frame.clusters);
    paintLine(frame, { row: 0, column: 0, width: 20 }, { spans: [{ text, role: "default" }] });
    assert.deepEqual(showFrame(screen, frame), []);
  }
  assert.equal(pools.size, 4);
});

Deno.test("U08, N20 a title loses its controls and cannot end early", () => {
  const encoder = createEncoder({ theme, capabilities: plain });
  const frame = createFrame(2, 1);
  frame.title = "a\x1b]2;b\x07c\x9bd\n\u202ee\ud83d" + "x".repeat(400);
  // deno-lint-ignore no-control-regex
  const title = /\x1b\]2;([^\x1b]*)\x1b\\/.exec(encodeFrame(encoder, frame))?.[1];
  assert.equal(title?.slice(0, 11), "a]2;bcde\ufffdxx");
  assert.equal(title?.length, 256 - 5);
  frame.title = "two";
  assert.equal(
    encodeFrame(createEncoder({ theme, capabilities: { ...plain, title: false } }), frame).includes("two"),
    false,
  );
});

Deno.test("N21 without colour nothing but text is written", () => {
  const encoder = createEncoder({ theme: createTheme({ color: false }), capabilities });
  const frame = createFrame(30, 3);
  const spans = ROLES.map((role) => ({ text: "x", role }));
  paintLine(frame, { row: 0, column: 0, width: 30 }, { spans }, DIM | REVERSE);
  paintLine(frame, { row: 1, column: 0, width: 30 }, { spans: spans.slice(-30) });
  // The one reset at the start: what the terminal was left in is not ours.
  // deno-lint-ignore no-control-regex
  const sgr = [...encodeFrame(encoder, frame).matchAll(/\x1b\[([\d;]*)m/g)].map((match) => match[1]);
  assert.deepEqual(sgr, [""]);
});

/** A transcript with a status row and a composer at 120x40, as the bytes' budgets are measured. */
function paintSession(frame: Frame, state: { first: number; tail: string; draft: string }): void {
  const { width, height } = frame;
  clearFrame(frame);
  for (let row = 0; row < height - 2; row++) {
    const number = state.first + row;
    const text = `${number} ${
      "lorem ipsum dolor sit amet consectetur ".repeat(3).slice(number % 7, 20 + (number * 13) % 80)
    }`;
    const shown = row === height - 3 ? state.tail : text;
    const spans = [{ text: "  ", role: "tool.output" as const }, { text: shown, role: "default" as const }];
    paintLine(frame, { row, column: 0, width }, { spans });
  }
  paintLine(frame, { row: height - 2, column: 0, width }, {
    spans: [{ text: "responding 12s", role: "status.left" }],
  });
  const draft = [{ text: "> ", role: "composer.mark" as const }, {
    text: state.draft,
    role: "composer.text" as const,
  }];
  paintLine(frame, { row: height - 1, column: 0, width }, { spans: draft });
  frame.cursor = { row: height - 1, column: 2 + state.draft.length, shape: "bar" };
}

Deno.test("S4, S5, S9, S10, S12 bytes of a token, a scrolled line, a key and nothing", () => {
  const encoder = createEncoder({ theme, capabilities });
  const frame = createFrame(120, 40);
  const bytes = (state: { first: number; tail: string; draft: string }) => {
    paintSession(frame, state);
    return new TextEncoder().encode(encodeFrame(encoder, frame)).length;
  };
  let tail = "The";
  bytes({ first: 0, tail, draft: "" });
  assert.equal(bytes({ first: 0, tail, draft: "" }), 0);
  let total = 0;
  let first = 0;
  for (let token = 0; token < 100; token++) {
    const isFull = tail.length > 100;
    tail = isFull ? "next" : `${tail} word`;
    first += isFull ? 1 : 0;
    total += bytes({ first, tail, draft: "" });
  }
  assert.ok(total / 100 <= 50, `a token takes ${total / 100} bytes`);
  assert.ok(bytes({ first, tail, draft: "d" }) <= 40);
  bytes({ first, tail: "", draft: "" });
  for (first++; first < 40; first++) {
    const scrolled = bytes({ first, tail: "", draft: "" });
    assert.ok(scrolled <= 200, `a line takes ${scrolled} bytes`);
  }
});

Deno.test("edge 84 frames without cells, and back", () => {
  const encoder = createEncoder({ theme, capabilities });
  const frame = createFrame(0, 0);
  assert.equal(encodeFrame(encoder, frame), "\x1b[?25l");
  assert.equal(encodeFrame(encoder, frame), "");
  for (const [width, height] of [[1, 1], [0, 5], [5, 0], [500, 500], [1, 24], [80, 1]] as const) {
    resizeFrame(frame, width, height);
    paintLine(frame, { row: 0, column: 0, width }, { spans: [{ text: "宽x", role: "md.strong" }] });
    encodeFrame(encoder, frame);
    assert.equal(encodeFrame(encoder, frame), "");
  }
});
