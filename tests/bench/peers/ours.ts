// Trifold in the same scenario: its state, layout and encoder, writing to the same kind of terminal. The start is
// measured with the real program beside this (run.ts).

import { drawFrame } from "../../../src/app/draw.ts";
import type { Input } from "../../../src/app/effect.ts";
import { loadLibraries } from "../../../src/app/files.ts";
import { createState, DEFAULT_SETTINGS } from "../../../src/app/state.ts";
import { update } from "../../../src/app/update.ts";
import { parseKeys } from "../../../src/input/key.ts";
import { isFollowing, scrollRows } from "../../../src/layout/viewport.ts";
import { transcriptHeight } from "../../../src/app/update.ts";
import { BASIC_CAPABILITIES, createEncoder, encodeFrame, invalidate } from "../../../src/screen/encode.ts";
import { createFrame } from "../../../src/screen/frame.ts";
import { createTheme } from "../../../src/screen/theme.ts";
import { parseEvent } from "../../../src/transcript/event.ts";
import { type Piece, pieceEvents } from "../generate.ts";
// @ts-types="./scenario.d.ts"
import { run } from "./scenario.mjs";

await loadLibraries();
const { columns, rows } = Deno.consoleSize();
const settings = DEFAULT_SETTINGS;
const state = createState({
  columns,
  rows,
  recording: false,
  home: null,
  clientId: "bench",
  fold: "detail",
  settings,
});
const frame = createFrame(columns, rows);
const capabilities = { ...BASIC_CAPABILITIES, synchronizedOutput: true };
const encoder = createEncoder({ theme: createTheme({ color: true }), capabilities });
const bytesOf = new TextEncoder();

function give(input: Input): void {
  update(state, input, performance.now());
}

function tell(event: string, data: Readonly<Record<string, unknown>>): void {
  give({ kind: "events", parsed: [parseEvent({ event, data })] });
}

function paint(): void {
  drawFrame(state, frame);
  const bytes = bytesOf.encode(encodeFrame(encoder, frame));
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

Deno.stdout.writeSync(bytesOf.encode("\x1b[?1049h\x1b[?7l"));
await run({
  mount: (pieces: readonly Piece[]) => {
    for (const { event, data } of pieceEvents(pieces)) tell(event, data);
    tell("text_delta", { text: "start" });
    paint();
  },
  append: (token: string) => {
    tell("text_delta", { text: token });
    paint();
  },
  scroll: (by: number) => {
    if (by === -1) { for (const key of parseKeys("<S-Up>")) give({ kind: "key", key }); }
    else scrollRows(state.layout, state.viewport, transcriptHeight(state), by);
    paint();
    return !isFollowing(state.viewport);
  },
  resized: () =>
    new Promise<number>((resolve) =>
      Deno.addSignalListener("SIGWINCH", () => {
        const startMs = performance.timeOrigin + performance.now();
        invalidate(encoder);
        give({ kind: "resize", ...Deno.consoleSize() });
        paint();
        resolve(startMs);
      })
    ),
});
