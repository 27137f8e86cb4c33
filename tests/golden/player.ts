// Plays a case through the whole pipeline: bytes, reader, translator, reduce, layout, frame, encoder, and three
// terminal emulators that are not ours. After every frame the emulators must show the frame.

import { createFeed, type Feed } from "../../src/app/files.ts";
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
import { createFrame, type Frame } from "../../src/screen/frame.ts";
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
}

/** A client of that size, shown in its terminals. */
export function createPlayer(view: View, options: { readonly recording: boolean }): Player {
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
    emulators: emulatorsOf(view.width, view.height),
    nowMs: 0,
    sent: [],
    frames: 0,
    bytes: 0,
  };
  return player;
}

function emulatorsOf(width: number, height: number): readonly Emulator[] {
  const emulators = WIDTH_CONFIGS.map((config) => createEmulator({ width, height, config }));
  // What terminal.ts sets for the life of the program: the alternate screen, no autowrap.
  for (const emulator of emulators) emulator.write("\x1b[?1049h\x1b[?7l");
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
  player.emulators.forEach((emulator) => emulator.resize(width, height));
  invalidate(player.encoder);
  give(player, { kind: "resize", columns: width, rows: height });
}

/** Draws a frame and sends its bytes to every emulator. Returns the wrong cells of all three. */
export function show(player: Player, where: string): readonly string[] {
  drawFrame(player.state, player.frame);
  const bytes = encodeFrame(player.encoder, player.frame);
  if (bytes !== "") player.frames++;
  player.bytes += new TextEncoder().encode(bytes).length;
  const wrong: string[] = [];
  for (const emulator of player.emulators) {
    if (bytes !== "") emulator.write(bytes);
    for (const cell of compareFrame(emulator, player.frame, THEME)) {
      wrong.push(`${where}, ${emulator.config}: ${cell}`);
    }
  }
  return wrong;
}

/** Frees the emulators. */
export function closePlayer(player: Player): void {
  for (const emulator of player.emulators) emulator.dispose();
}
