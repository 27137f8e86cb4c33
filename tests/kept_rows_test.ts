// Rows that are left as they are in a frame used again (compositor.ts): whatever happens in between, the frame shows
// what a fresh one would (invariant 6).

import assert from "node:assert/strict";
import { drawFrame } from "../src/app/draw.ts";
import type { Input } from "../src/app/effect.ts";
import { loadLibraries } from "../src/app/files.ts";
import { createState, DEFAULT_SETTINGS, type State } from "../src/app/state.ts";
import { update } from "../src/app/update.ts";
import { parseKeys } from "../src/input/key.ts";
import { cellAttributes, cellRole, cellText, createFrame, type Frame } from "../src/screen/frame.ts";
import { parseEvent } from "../src/transcript/event.ts";
import { eventLines, randomOf, streamedTokens } from "./bench/generate.ts";

await loadLibraries();

const SEEDS = [1, 2, 3, 4];
const STEPS = 250;
const KEYS = [
  "<PgUp>",
  "<PgDn>",
  "<S-Up>",
  "<S-Down>",
  "<C-o>",
  "<C-End>",
  "<C-Home>",
  "<A-Up>",
  "<F1>",
  "<Esc>",
  "<F6>",
  "<Space>",
  "j",
  "/",
  "<C-u>",
  "<C-j>",
  "<C-r>",
  "<C-f>",
  "<Enter>",
  "<Up>",
  "e",
];

Deno.test("invariant 6: a frame used again shows what a fresh one shows, whatever happened in between", () => {
  for (const seed of SEEDS) {
    const random = randomOf(seed);
    const state = createClient();
    const frame = createFrame(state.columns, state.rows);
    const tokens = streamedTokens(STEPS, seed);
    for (const line of eventLines(400, seed).trimEnd().split("\n")) tell(state, JSON.parse(line));
    for (let step = 0; step < STEPS; step++) {
      const what = deed(state, random, tokens[step] ?? "");
      drawFrame(state, frame);
      const fresh = createFrame(state.columns, state.rows);
      drawFrame(state, fresh);
      assert.equal(difference(frame, fresh), null, `seed ${seed}, step ${step}: ${what}`);
    }
  }
});

/** Does something by chance; returns what. */
function deed(state: State, random: () => number, token: string): string {
  const chance = random();
  if (chance < 0.55) {
    const key = KEYS[Math.floor(random() * KEYS.length)] ?? "x";
    for (const one of parseKeys(key)) give(state, { kind: "key", key: one });
    return key;
  }
  if (chance < 0.8) {
    tell(state, { event: "text_delta", data: { text: token } });
    return "token";
  }
  if (chance < 0.86) {
    tell(state, { event: "text_done", data: {} });
    tell(state, {
      event: "tool_call_start",
      data: { id: `t${state.transcript.counts.events}`, name: "Bash" },
    });
    return "call";
  }
  if (chance < 0.9) {
    tell(state, { event: "compact_start", data: {} });
    tell(state, { event: "surface", data: { op: "replace", items: [{ type: "assistant", text: token }] } });
    return "compaction";
  }
  if (chance < 0.95) {
    give(state, {
      kind: "resize",
      columns: 20 + Math.floor(random() * 80),
      rows: 4 + Math.floor(random() * 30),
    });
    return "resize";
  }
  state.nowMs += 3500;
  give(state, { kind: "tick" });
  return "tick";
}

function difference(frame: Frame, fresh: Frame): string | null {
  for (let row = 0; row < fresh.height; row++) {
    for (let column = 0; column < fresh.width; column++) {
      for (const look of [cellText, cellRole, cellAttributes]) {
        const [has, wanted] = [look(frame, row, column), look(fresh, row, column)];
        if (has !== wanted) {
          return `${row},${column}: ${JSON.stringify(has)} instead of ${JSON.stringify(wanted)}`;
        }
      }
    }
  }
  return null;
}

function createClient(): State {
  const settings = DEFAULT_SETTINGS;
  return createState({
    columns: 70,
    rows: 20,
    recording: false,
    home: null,
    clientId: "k",
    fold: "normal",
    settings,
  });
}

function tell(state: State, value: unknown): void {
  give(state, { kind: "events", parsed: [parseEvent(value)] });
}

function give(state: State, input: Input): void {
  update(state, input, state.nowMs);
}
