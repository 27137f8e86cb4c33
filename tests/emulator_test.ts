// The oracle itself: without these facts no other screen test means anything.

import assert from "node:assert/strict";
import { createEmulator, probeWidth, WIDTH_CONFIGS } from "./emulator.ts";

Deno.test("the graphemes configuration joins a family into one sign of width 2", () => {
  const family = "👨‍👩‍👧‍👦";
  const emulator = createEmulator({ width: 10, height: 2, config: "graphemes" });
  emulator.write(family + "x");
  assert.equal(emulator.cell(0, 0).text, family);
  assert.equal(emulator.cell(0, 0).width, 2);
  assert.equal(emulator.cell(0, 1).width, 0);
  assert.equal(emulator.cell(0, 2).text, "x");
  assert.equal(probeWidth(family), 2);
  assert.equal(probeWidth("1\ufe0f"), 2);
});

Deno.test("the three configurations disagree about emoji and agree about CJK", () => {
  const widths = WIDTH_CONFIGS.map((config) => {
    const emulator = createEmulator({ width: 10, height: 1, config });
    emulator.write("宽🙂");
    return [emulator.cell(0, 0).width, emulator.cell(0, 2).width];
  });
  assert.deepEqual(widths, [[2, 2], [2, 2], [2, 1]]);
});

Deno.test("modes, title, requests and scrollback are seen", () => {
  const emulator = createEmulator({ width: 20, height: 3 });
  const before = emulator.modes();
  emulator.write(
    "1\r\n2\r\n3\r\n4\x1b]2;outer\x07\x1b[22;2t\x1b[?1049h\x1b[?7l\x1b[?1000h\x1b[?1002h\x1b[?1006h\x1b[?1004h\x1b[?2004h" +
      "\x1b[>1u\x1b[>4;1m\x1b[?25l\x1b[6 q\x1b[2;3r\x1b]2;inner\x1b\\",
  );
  assert.equal(emulator.scrollbackLength(), 1);
  assert.equal(emulator.title(), "inner");
  assert.deepEqual(emulator.modes(), {
    alternateScreen: true,
    mouse: "drag",
    sgrMouse: true,
    focus: true,
    bracketedPaste: true,
    autowrap: false,
    origin: false,
    insert: false,
    synchronizedOutput: false,
    cursorVisible: false,
    cursorStyle: 6,
    scrollRegion: [1, 3],
    keyboardStack: [1],
    modifyOtherKeys: 1,
  });
  emulator.write(
    "\x1b[r\x1b[<u\x1b[>4m\x1b[?2004l\x1b[?1004l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?7h\x1b[?25h\x1b[0 q" +
      "\x1b[?1049l\x1b[23;2t",
  );
  assert.deepEqual(emulator.modes(), before);
  assert.equal(emulator.title(), "outer");
  assert.deepEqual(emulator.normalScreen(), ["1", "2", "3", "4"]);
  assert.deepEqual(emulator.requests, []);
  emulator.write("\x07\x1b]52;c;QUJD\x07\x1b[6n\x1b]8;;http://x.invalid\x07L\x1b]8;;\x07");
  assert.deepEqual(emulator.requests, ["bell", "osc 52", "cursor query", "osc 8 http://x.invalid"]);
});
