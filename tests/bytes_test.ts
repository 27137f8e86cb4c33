// Budgets that repeat exactly: bytes of frames and blocks laid out for them. Times are the benches' business.

import assert from "node:assert/strict";
import { loadLibraries } from "../src/app/files.ts";
import { nextDeadline } from "../src/app/state.ts";
import { parseKeyScript } from "../src/input/key_script.ts";
import { cellText, type Frame } from "../src/screen/frame.ts";
import { isFollowing } from "../src/layout/viewport.ts";
import type { FoldMode } from "../src/transcript/block.ts";
import { eventLines, streamedTokens } from "./bench/generate.ts";
import { createEmulator } from "./emulator.ts";
import { createPlayer, feedBytes, give, type Player, press as pressSteps, show } from "./golden/player.ts";

await loadLibraries();

const SHORT = 1000;
const LONG = 100_000;
const TOKENS = 600;

/** What a series of frames cost. */
interface Cost {
  readonly frames: number;
  readonly bytes: number;
  /** Blocks laid out for frames. */
  readonly blocks: number;
}

Deno.test("S4 a streamed token writes 70 bytes at most, on average", () => {
  for (const fold of ["normal", "detail"] as const) {
    const { bytes, frames } = streamTokens(session(SHORT, fold));
    assert.equal(frames, TOKENS);
    assert.ok(bytes / frames <= 70, `${fold}: ${(bytes / frames).toFixed(1)} bytes`);
  }
});

Deno.test("S5 a line scrolled writes 200 bytes at most, on average", () => {
  const { bytes, frames } = scrollLines(session(SHORT, "detail"));
  assert.ok(bytes / frames <= 200, `${(bytes / frames).toFixed(1)} bytes`);
});

Deno.test("S6 a page scrolled writes 4.5 KB at most, on average", () => {
  const { bytes, frames } = scrollPages(session(SHORT, "detail"));
  assert.ok(bytes / frames <= 4.5 * 1024, `${(bytes / frames).toFixed(0)} bytes`);
});

Deno.test("S9 a key's echo writes 60 bytes at most", () => {
  const player = session(SHORT, "normal");
  for (const key of "the quick brown fox 日本語 jumps over the lazy dog") {
    const { bytes } = cost(player, [() => press(player, key === " " ? "<Space>" : key)]);
    assert.ok(bytes <= 60, `${JSON.stringify(key)}: ${bytes} bytes`);
  }
});

Deno.test("S10 idle: nothing is waited for and nothing written", () => {
  const player = session(SHORT, "normal");
  assert.equal(nextDeadline(player.state), null);
  const idle = cost(
    player,
    Array.from({ length: 20 }, () => () => {
      player.nowMs += 1000;
      give(player, { kind: "tick" });
    }),
  );
  assert.deepEqual(idle, { frames: 20, bytes: 0, blocks: 0 });
});

Deno.test("S12 a frame in which nothing changed writes nothing and lays nothing out", () => {
  const player = createPlayer({ fold: "detail", width: 200, height: 60 }, {
    recording: false,
    terminals: false,
  });
  tell(player, eventLines(SHORT));
  show(player, "first");
  assert.deepEqual(cost(player, [() => {}, () => {}]), { frames: 2, bytes: 0, blocks: 0 });
});

Deno.test("S13 each frame is one synchronized write, and nothing is erased that is painted again", () => {
  const player = session(SHORT, "detail");
  const emulator = createEmulator({ width: 120, height: 40 });
  emulator.write("\x1b[?1049h\x1b[?7l");
  const look = (where: string) => {
    show(player, where);
    checkWrite(player.written, player.frame, (bytes) => {
      emulator.write(bytes);
      return emulator.cursor();
    });
  };
  // From the first frame on, so that the emulator shows what the encoder believes.
  press(player, "<C-l>");
  player.encoder.isKnown = false;
  look("first");
  for (
    const keys of [
      "<PageUp>",
      "<S-Up>",
      "<S-Down>",
      "<F2>",
      "<F2>",
      "<C-Home>",
      "<PageDown>",
      "x",
      "<F1>",
      "<Esc>",
      "<C-End>",
    ]
  ) {
    press(player, keys);
    look(keys);
  }
  for (const token of streamedTokens(200)) {
    tell(player, textDelta(token));
    look(token);
  }
  emulator.dispose();
});

Deno.test("S11 a session of 100,000 rows costs at most 1.3 times what one of 1,000 costs", () => {
  const runs: readonly [name: string, run: (player: Player) => Cost][] = [
    ["tokens", streamTokens],
    ["keys", typeKeys],
    ["lines", scrollLines],
    ["pages", scrollPages],
  ];
  for (const fold of ["normal", "detail"] as const) {
    const [short, long] = [session(SHORT, fold), session(LONG, fold)];
    for (const [name, run] of runs) {
      const [few, many] = [run(short), run(long)];
      for (const what of ["bytes", "blocks"] as const) {
        const most = Math.max(few[what] * 1.3, few[what] + 2);
        assert.ok(many[what] <= most, `${fold}, ${name}: ${many[what]} ${what} instead of ${few[what]}`);
      }
    }
  }
});

/** A client of 120x40 that shows the end of a session of about that many rows. */
function session(rows: number, fold: FoldMode): Player {
  const player = createPlayer({ fold, width: 120, height: 40 }, { recording: false, terminals: false });
  tell(player, eventLines(rows));
  tell(player, event("turn_end", { turn: 1, result: "finished" }) + event("status", { status: "idle" }));
  show(player, "first");
  return player;
}

function streamTokens(player: Player): Cost {
  press(player, "<C-End>");
  tell(player, textDelta("Begin. "));
  show(player, "begin");
  const spent = cost(player, streamedTokens(TOKENS).map((token) => () => tell(player, textDelta(token))));
  tell(player, event("text_done", { text: "" }));
  return spent;
}

function typeKeys(player: Player): Cost {
  const spent = cost(
    player,
    [..."hello world"].map((key) => () => press(player, key === " " ? "<Space>" : key)),
  );
  press(player, "<C-u>");
  show(player, "cleared");
  return spent;
}

/** Up and down again. Folded, the shorter session has few rows: no step may end at its start. */
function scrollLines(player: Player): Cost {
  const count = player.state.fold === "detail" ? 300 : 100;
  return scroll(player, { up: "<S-Up>", down: "<S-Down>", count });
}

function scrollPages(player: Player): Cost {
  const count = player.state.fold === "detail" ? 15 : 3;
  return scroll(player, { up: "<PageUp>", down: "<PageDown>", count });
}

function scroll(
  player: Player,
  keys: { readonly up: string; readonly down: string; readonly count: number },
): Cost {
  press(player, "<C-End>");
  show(player, "end");
  const { up, down, count } = keys;
  const deeds = [up, down].flatMap((key) => Array.from({ length: count }, () => () => press(player, key)));
  const spent = cost(player, deeds.slice(0, -1));
  assert.ok(!isFollowing(player.state.viewport));
  return spent;
}

/** A frame after each deed: what they wrote and laid out together. */
function cost(player: Player, deeds: readonly (() => void)[]): Cost {
  const before = { bytes: player.bytes, blocks: player.state.layout.work.blocks };
  for (const deed of deeds) {
    deed();
    show(player, "measured");
  }
  return {
    frames: deeds.length,
    bytes: player.bytes - before.bytes,
    blocks: player.state.layout.work.blocks - before.blocks,
  };
}

/** `write` gives bytes to a terminal and returns where its cursor stands then. */
function checkWrite(
  written: string,
  frame: Frame,
  write: (bytes: string) => { readonly row: number; readonly column: number },
): void {
  const isDrawn = written.includes("\x1b[?2026h");
  if (isDrawn) {
    assert.ok(written.startsWith("\x1b[?2026h") && written.endsWith("\x1b[?2026l"));
    assert.equal(written.split("\x1b[?2026").length, 3, "one synchronized update");
  }
  // deno-lint-ignore no-control-regex
  assert.ok(!/\x1b\[[0-3]?J|\x1b\[[12]K|\x1b\[\d*X/.test(written), "only the end of a row may be erased");
  const pieces = written.split("\x1b[K");
  pieces.forEach((piece, at) => {
    const isErase = at < pieces.length - 1;
    const { row, column } = write(piece + (isErase ? "\x1b[K" : ""));
    if (!isErase) return;
    for (let cell = column; cell < frame.width; cell++) {
      assert.equal(cellText(frame, row, cell), " ", `erased ahead of content at ${row},${cell}`);
    }
  });
}

function press(player: Player, script: string): void {
  const parsed = parseKeyScript(script);
  assert.ok(parsed.kind === "script");
  pressSteps(player, parsed.steps);
}

function tell(player: Player, lines: string): void {
  feedBytes(player, new TextEncoder().encode(lines), false);
}

function textDelta(text: string): string {
  return event("text_delta", { text });
}

function event(name: string, data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ event: name, data }) + "\n";
}
