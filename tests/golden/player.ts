// Plays a case through the whole pipeline: bytes, reader, translator, reduce, layout, frame, encoder, and three
// terminal emulators that are not ours. After every frame the emulators must show the frame.

import type { Feed } from "../../src/app/io/feed.ts";
import { createFeed } from "../../src/app/files.ts";
import { drawFrame } from "../../src/app/draw.ts";
import type { Input } from "../../src/app/effect.ts";
import { createState, DEFAULT_SETTINGS, type State } from "../../src/app/state.ts";
import { update } from "../../src/app/update.ts";
import type { ScriptStep } from "../../src/input/key_script.ts";
import {
  BASIC_CAPABILITIES,
  createEncoder,
  encodeFrame,
  type Encoder,
  invalidate,
} from "../../src/screen/encode.ts";
import { createFrame, type Frame, usePool } from "../../src/screen/frame.ts";
import { createTheme } from "../../src/screen/theme.ts";
import { compareFrame, createEmulator, type Emulator, WIDTH_CONFIGS } from "../emulator.ts";
import type { View } from "./case.ts";

const THEME = createTheme({ color: true });

/** One client in front of three emulators. */
export interface Player {
  readonly state: State;
  readonly feed: Feed;
  readonly frame: Frame;
  readonly encoder: Encoder;
  emulators: readonly Emulator[];
  nowMs: number;
  /** Methods the client sent, as JSON. */
  readonly sent: string[];
  /** Frames written, and bytes in all. */
  frames: number;
  bytes: number;
  /** What the newest frame wrote; "" when nothing changed. */
  written: string;
}

/** A client of that size, shown in its terminals (none of them when only its state is wanted). */
export function createPlayer(
  view: View,
  options: { readonly recording: boolean; readonly terminals?: boolean },
): Player {
  const state = createState({
    columns: view.width,
    rows: view.height,
    recording: options.recording,
    home: null,
    clientId: "c",
    fold: view.fold,
    settings: DEFAULT_SETTINGS,
  });
  const player: Player = {
    state,
    feed: createFeed(null),
    frame: createFrame(view.width, view.height),
    encoder: createEncoder({
      theme: THEME,
      capabilities: { ...BASIC_CAPABILITIES, synchronizedOutput: true },
    }),
    emulators: options.terminals === false ? [] : emulatorsOf(view.width, view.height),
    nowMs: 0,
    sent: [],
    frames: 0,
    bytes: 0,
    written: "",
  };
  return player;
}

/** The emulators know no screen of one column: there they have two, the second of which must stay blank. */
const LEAST_COLUMNS = 2;
/** Emulators nobody uses, by size: making one costs as much as many frames. */
const idle = new Map<string, (readonly Emulator[])[]>();

function emulatorsOf(columns: number, rows: number): readonly Emulator[] {
  const [width, height] = [Math.max(LEAST_COLUMNS, columns), Math.max(1, rows)];
  const emulators = idle.get(`${width}x${height}`)?.pop() ??
    WIDTH_CONFIGS.map((config) => createEmulator({ width, height, config }));
  for (const emulator of emulators) {
    // RIS, then what terminal.ts sets for the life of the program: the alternate screen, no autowrap.
    emulator.write("\x1bc\x1b[?1049h\x1b[?7l");
    emulator.answers.length = 0;
    emulator.requests.length = 0;
  }
  return emulators;
}

/** Gives one input to the client. */
export function give(player: Player, input: Input): void {
  for (const effect of update(player.state, input, player.nowMs)) {
    if (effect.kind === "send") player.sent.push(JSON.stringify(effect.method));
  }
}

/** Feeds bytes of a recording; `end` closes the last line. */
export function feedBytes(player: Player, bytes: Uint8Array, end: boolean): void {
  for (const input of player.feed.push(bytes)) give(player, input);
  if (end) { for (const input of player.feed.end()) give(player, input); }
}

/** Presses the keys of a script. */
export function press(player: Player, steps: readonly ScriptStep[]): void {
  for (const step of steps) {
    if (step.kind === "key") give(player, { kind: "key", key: step.key });
    else if (step.kind === "paste") {
      give(player, { kind: "paste", text: step.text, cut: false, endedBy: "marker" });
    } else {
      player.nowMs += step.ms;
      give(player, { kind: "tick" });
    }
  }
}

/** Changes the size of the client and its terminals. */
export function resize(player: Player, width: number, height: number): void {
  for (const emulator of player.emulators) {
    emulator.resize(Math.max(LEAST_COLUMNS, width), Math.max(1, height));
    // What stood in a column that the client's screen no longer has would never be painted over.
    if (width < LEAST_COLUMNS) emulator.write("\x1b[2J");
  }
  invalidate(player.encoder);
  give(player, { kind: "resize", columns: width, rows: height });
}

/** Draws a frame and sends its bytes to every emulator. Returns the wrong cells of all three. */
export function show(player: Player, where: string): readonly string[] {
  drawFrame(player.state, player.frame);
  const bytes = encodeFrame(player.encoder, player.frame);
  player.written = bytes;
  if (bytes !== "") player.frames++;
  player.bytes += new TextEncoder().encode(bytes).length;
  const wrong: string[] = [];
  for (const emulator of player.emulators) {
    if (bytes !== "") emulator.write(bytes);
    for (const cell of compareFrame(emulator, shownFrame(player.frame), THEME)) {
      wrong.push(`${where}, ${emulator.config}: ${cell}`);
    }
  }
  return wrong;
}

/** The frame as the emulators have room for it. */
function shownFrame(frame: Frame): Frame {
  if (frame.width >= LEAST_COLUMNS && frame.height >= 1) return frame;
  const wide = createFrame(Math.max(LEAST_COLUMNS, frame.width), Math.max(1, frame.height));
  usePool(wide, frame.clusters);
  for (let row = 0; row < frame.height; row++) {
    wide.glyphs.set(frame.glyphs.subarray(row * frame.width, (row + 1) * frame.width), row * wide.width);
    wide.styles.set(frame.styles.subarray(row * frame.width, (row + 1) * frame.width), row * wide.width);
  }
  wide.cursor = frame.cursor;
  wide.title = frame.title;
  return wide;
}

/** Gives the emulators back. */
export function closePlayer(player: Player): void {
  const [first] = player.emulators;
  if (first === undefined) return;
  const size = `${first.width}x${first.height}`;
  idle.set(size, [...idle.get(size) ?? [], player.emulators]);
}
