// A client under an endless agent and a restless person: after every frame the terminal shows the frame, cell by cell;
// at the end of every session memory is what it was and no cache has grown past its bound.

import assert from "node:assert/strict";
import { createState, DEFAULT_SETTINGS, type State } from "../../src/app/state.ts";
import { drawFrame } from "../../src/app/draw.ts";
import type { Input } from "../../src/app/effect.ts";
import { update } from "../../src/app/update.ts";
import { parseKeyScript } from "../../src/input/key_script.ts";
import {
  BASIC_CAPABILITIES,
  createEncoder,
  encodeFrame,
  type Encoder,
  invalidate,
} from "../../src/screen/encode.ts";
import { createFrame, type Frame } from "../../src/screen/frame.ts";
import { createTheme } from "../../src/screen/theme.ts";
import { parseEvent } from "../../src/transcript/event.ts";
import { randomOf } from "../bench/generate.ts";
import { compareFrame, createEmulator, type Emulator, WIDTH_CONFIGS } from "../emulator.ts";
import { foreignOutput } from "../escape/output_grammar.ts";
import { agentEvents } from "./events.ts";
import { type Extent, heapInUse, isEnough } from "./extent.ts";

export interface SoakOptions extends Extent {
  readonly seed: number;
  /** Events of a session before it begins anew. */
  readonly sessionEvents: number;
  readonly say?: (line: string) => void;
}

export interface SoakReport {
  readonly events: number;
  readonly frames: number;
  readonly bytes: number;
  /** Heap in use (bytes) after each session, garbage collected where the runtime lets us. */
  readonly heaps: readonly number[];
}

const THEME = createTheme({ color: true });
/** Frames before the terminal is another one. */
const FRAMES_A_TERMINAL = 500;

const DEEDS = [
  ...["<S-Up>", "<S-Down>", "<PageUp>", "<PageDown>", "<C-Home>", "<C-End>", "<C-End>", "<A-Up>", "<A-Down>"],
  ...[
    "<F2>",
    "<C-r>",
    "<C-t>",
    "<C-l>",
    "<F1>",
    "<Esc>",
    "<Esc>",
    "<Tab>",
    "<F6>",
    "j",
    "k",
    "<Space>",
    "[",
    "]",
  ],
  ...[
    "hello",
    "日本語",
    "<Backspace>",
    "<Left>",
    "<Right>",
    "<Up>",
    "<Down>",
    "<C-w>",
    "<C-_>",
    "<C-u>",
    "<C-y>",
  ],
  ...[
    "<S-Left>",
    "<S-Right>",
    "<S-Enter>",
    '<Paste "pasted\\ntext 👍🏽">',
    "<C-x><C-e>",
    "<Enter>",
    "/status<Enter>",
  ],
  ...[
    "/set<Enter>",
    "/clear<Enter>",
    "1",
    "2",
    "<C-p>",
    "<C-n>",
    "<C-s>",
    "<Wait 600>",
    "<Wait 3100>",
    "<Delete>",
  ],
];

export async function soakScreen(options: SoakOptions): Promise<SoakReport> {
  const random = randomOf(options.seed);
  const int = (below: number) => Math.floor(random() * below);
  const agent = agentEvents(options.seed, options.sessionEvents);
  const client = new SoakClient();
  const heaps: number[] = [];
  let events = 0;
  client.event("hello", {
    protocol: "pod-jsonl",
    version: 1,
    agent: "soak",
    capabilities: ["pause", "steer", "history"],
  });
  while (!isEnough(events, options)) {
    const group = agent.next().value;
    if (group[0]?.[0] === "history" && events > 0) {
      // The emulators that were taken down hold on to what they are until their timers have run.
      await new Promise((resolve) => setTimeout(resolve, 20));
      heaps.push(client.endSession());
      options.say?.(`${events} events, ${client.frames} frames, heap ${(heaps.at(-1)! / 1e6).toFixed(1)} MB`);
    }
    client.answerSent(() => int(8) === 0);
    for (const [event, data] of group) client.event(event, data);
    events += group.length;
    if (int(3) === 0) client.keys(DEEDS[int(DEEDS.length)] ?? "");
    if (int(40) === 0) client.resize(1 + int(int(8) === 0 ? 200 : 90), 1 + int(int(8) === 0 ? 60 : 30));
    client.nowMs += int(30);
    client.frame(`seed ${options.seed}, event ${events}`);
  }
  client.checkCaches();
  client.close();
  return { events, frames: client.frames, bytes: client.bytes, heaps };
}

class SoakClient {
  readonly state: State;
  readonly #frame: Frame;
  #encoder: Encoder;
  #emulator: Emulator;
  #config = 0;
  /** Messages that nothing was said of yet. */
  readonly #sent: { readonly input: string; readonly message_id?: string | undefined }[] = [];
  nowMs = 0;
  frames = 0;
  bytes = 0;

  constructor() {
    this.state = createState({
      columns: 80,
      rows: 24,
      recording: false,
      home: null,
      clientId: "c",
      fold: "normal",
      settings: DEFAULT_SETTINGS,
    });
    this.#frame = createFrame(80, 24);
    this.#encoder = newEncoder();
    this.#emulator = newEmulator(this.state, 0);
  }

  event(event: string, data: Readonly<Record<string, unknown>>): void {
    this.#update({ kind: "events", parsed: [parseEvent({ event, data })] });
  }

  keys(script: string): void {
    const parsed = parseKeyScript(script);
    assert.ok(parsed.kind === "script");
    for (const step of parsed.steps) {
      if (step.kind === "key") this.#update({ kind: "key", key: step.key });
      else if (step.kind === "paste") {
        this.#update({ kind: "paste", text: step.text, cut: false, endedBy: "marker" });
      } else {
        this.nowMs += step.ms;
        this.#update({ kind: "tick" });
      }
    }
  }

  /** As a pod does: what was sent is told of, or refused. */
  answerSent(isRefused: () => boolean): void {
    for (const { input, message_id } of this.#sent.splice(0)) {
      if (isRefused()) {
        this.event("error", { code: "not_running", message: "Cannot take it now", message_id });
      } else this.event("user_message", { message_id, text: input, kind: "run" });
    }
  }

  #update(input: Input): void {
    for (const effect of update(this.state, input, this.nowMs)) {
      if (effect.kind !== "send") continue;
      const { method, params } = effect.method;
      if (method === "run" || method === "steer") this.#sent.push(params);
    }
  }

  resize(columns: number, rows: number): void {
    this.#update({ kind: "resize", columns, rows });
    // The emulator knows no screen of one column.
    this.#emulator.resize(Math.max(2, columns), rows);
    if (columns < 2) this.#emulator.write("\x1b[2J");
    invalidate(this.#encoder);
  }

  frame(where: string): void {
    if (this.frames % FRAMES_A_TERMINAL === FRAMES_A_TERMINAL - 1) this.#changeTerminal();
    drawFrame(this.state, this.#frame);
    const bytes = encodeFrame(this.#encoder, this.#frame);
    this.frames++;
    this.bytes += bytes.length;
    if (bytes !== "") this.#emulator.write(bytes);
    assert.deepEqual(foreignOutput(bytes), [], where);
    if (this.state.columns < 2) return;
    assert.deepEqual(
      compareFrame(this.#emulator, this.#frame, THEME).slice(0, 3),
      [],
      `${where}, ${this.#emulator.config}`,
    );
    assert.equal(this.#emulator.scrollbackLength(), 0, where);
    assert.deepEqual(this.#emulator.requests, [], where);
  }

  /** Heap in use now that a session is over. */
  endSession(): number {
    this.checkCaches();
    return heapInUse();
  }

  checkCaches(): void {
    const { layout, transcript, composer, fileProblems, ignored } = this.state;
    assert.ok(
      layout.cache.size <= 256 || layout.cachedLines <= 6000 + 2000,
      `${layout.cache.size} blocks cached`,
    );
    assert.ok(transcript.files.size <= transcript.files.limit);
    for (
      const counts of [
        transcript.counts.unknownEvents,
        transcript.counts.unknownFields,
        transcript.counts.anomalies,
        ignored,
      ]
    ) {
      assert.ok(counts.size <= 201, `${counts.size} names counted`);
    }
    assert.ok(this.state.sent.size <= 1, `${this.state.sent.size} messages unanswered`);
    assert.ok(composer.draft.undo.length <= 1000);
    assert.ok(fileProblems.length <= 1000);
    assert.ok(this.#frame.clusters.texts.length <= 4096 + 12_000, "clusters in the pool");
  }

  close(): void {
    this.#emulator.dispose();
  }

  #changeTerminal(): void {
    this.#emulator.dispose();
    this.#config = (this.#config + 1) % WIDTH_CONFIGS.length;
    this.#encoder = newEncoder();
    this.#emulator = newEmulator(this.state, this.#config);
  }
}

function newEncoder(): Encoder {
  return createEncoder({ theme: THEME, capabilities: { ...BASIC_CAPABILITIES, synchronizedOutput: true } });
}

function newEmulator(state: State, config: number): Emulator {
  const emulator = createEmulator({
    width: Math.max(2, state.columns),
    height: Math.max(1, state.rows),
    config: WIDTH_CONFIGS[config] ?? "graphemes",
  });
  emulator.write("\x1b[?1049h\x1b[?7l");
  return emulator;
}
