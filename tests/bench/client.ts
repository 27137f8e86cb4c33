// A client in this process, without terminal: what the benches and the byte tests measure. Frames are encoded as for
// a terminal that knows synchronized output, and counted.

import process from "node:process";
import { drawFrame } from "../../src/app/draw.ts";
import type { Input } from "../../src/app/effect.ts";
import { createFeed } from "../../src/app/files.ts";
import { createState, DEFAULT_SETTINGS, type State } from "../../src/app/state.ts";
import { update } from "../../src/app/update.ts";
import { parseKeys } from "../../src/input/key.ts";
import { BASIC_CAPABILITIES, createEncoder, encodeFrame, invalidate } from "../../src/screen/encode.ts";
import { createFrame } from "../../src/screen/frame.ts";
import { createTheme } from "../../src/screen/theme.ts";
import type { FoldMode } from "../../src/transcript/block.ts";
import { parseEvent } from "../../src/transcript/event.ts";

export interface BenchClient {
  readonly state: State;
  /** Gives an input; nothing is drawn. */
  give(input: Input): void;
  tell(event: string, data: Record<string, unknown>): void;
  press(keys: string): void;
  /** Draws and encodes a frame; returns its bytes as text. */
  frame(): string;
  resize(columns: number, rows: number): void;
  /** Reads a recording; returns CPU milliseconds. */
  read(text: string): number;
}

/** A client of that size. */
export function benchClient(columns: number, rows: number, fold: FoldMode = "detail"): BenchClient {
  const settings = DEFAULT_SETTINGS;
  const state = createState({ columns, rows, recording: false, home: null, clientId: "b", fold, settings });
  const frame = createFrame(columns, rows);
  const capabilities = { ...BASIC_CAPABILITIES, synchronizedOutput: true };
  const encoder = createEncoder({ theme: createTheme({ color: true }), capabilities });
  const give = (input: Input) => void update(state, input, 0);
  return {
    state,
    give,
    tell: (event, data) => give({ kind: "events", parsed: [parseEvent({ event, data })] }),
    press: (keys) => parseKeys(keys).forEach((key) => give({ kind: "key", key })),
    frame: () => {
      drawFrame(state, frame);
      return encodeFrame(encoder, frame);
    },
    resize: (newColumns, newRows) => {
      invalidate(encoder);
      give({ kind: "resize", columns: newColumns, rows: newRows });
    },
    read: (text) => {
      const start = cpuMs();
      const feed = createFeed("pod-jsonl");
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += 1 << 18) {
        feed.push(bytes.subarray(at, at + (1 << 18))).forEach(give);
      }
      feed.end().forEach(give);
      return cpuMs() - start;
    },
  };
}

/** CPU time of this process so far, in ms. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Bytes of a frame on the wire. */
export function byteCount(text: string): number {
  return new TextEncoder().encode(text).length;
}
