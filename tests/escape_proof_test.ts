// The escape proof: whatever text arrives from an agent, a recording, a file's name, a paste or a program of ours,
// nothing but our own sequences reaches the terminal, and the letters of that text stay readable. Every text field of
// the protocol is walked from its schemas; what is written is read by a strict grammar that is not the encoder's.

import assert from "node:assert/strict";
import { createFeed, loadLibraries, snapshotState } from "../src/app/files.ts";
import { parseKeyScript } from "../src/input/key_script.ts";
import { framePicture, snapshotText } from "../src/screen/snapshot.ts";
import type { FoldMode } from "../src/transcript/block.ts";
import {
  type FieldText,
  hostileEvents,
  type HostileLine,
  hostileMethods,
  hostileTools,
} from "./escape/hostile_session.ts";
import { foreignOutput } from "./escape/output_grammar.ts";
import { EVERYTHING, PIECES, RAW_BYTES, SHORT_PAYLOADS } from "./escape/payloads.ts";
import {
  closePlayer,
  createPlayer,
  feedBytes,
  give,
  type Player,
  press,
  resize,
  show,
} from "./golden/player.ts";

await loadLibraries();

const FOLDS: readonly FoldMode[] = ["detail", "normal", "overview"];
/** Members of the longest list of words: so often each event is told in another way. */
const CHOICES = 8;

/** What a drive has seen: every row that was ever on the screen, and every title. */
interface Drive {
  readonly player: Player;
  readonly seen: Set<string>;
  /** Frames between two looks at the picture; 0: never. */
  readonly keeps: boolean;
}

Deno.test("escape proof, invariant 4: every event, item and panel field with everything, in all fold modes and two sizes", () => {
  for (const [width, height] of [[80, 24], [34, 12]] as const) {
    for (const [choice, fold] of FOLDS.entries()) {
      const drive = begin({ width, height, fold, terminals: true });
      driveSession(drive, () => EVERYTHING, choice);
      checkTerminals(drive.player);
      closePlayer(drive.player);
    }
  }
});

Deno.test("escape proof: every piece in every field, each event in all its ways, whatever is cut away", () => {
  for (let choice = 0; choice < Math.max(CHOICES, SHORT_PAYLOADS.length); choice++) {
    const payload = SHORT_PAYLOADS[choice % SHORT_PAYLOADS.length] ?? "";
    const drive = begin({
      width: choice % 2 === 0 ? 100 : 40,
      height: 60,
      fold: FOLDS[choice % 3] ?? "detail",
      terminals: false,
    });
    driveSession(drive, () => payload, choice);
  }
});

Deno.test("escape proof: the letters around a hostile piece stay readable in every field that is shown", () => {
  const pieces = [
    "\x1b[2J",
    "\x1b]0;o\x07",
    "\u009b6n",
    "\u202e",
    "\u{e0041}",
  ];
  for (const [at, piece] of pieces.entries()) {
    const paths: string[] = [];
    const mark = (path: string) => {
      let index = paths.indexOf(path);
      if (index === -1) index = paths.push(path) - 1;
      return `q${index}a`;
    };
    const text = (path: string) => `${mark(path)}${piece}${mark(path)}z`;
    const drive = begin({ width: 160, height: 200, fold: "detail", terminals: false, keeps: true });
    for (const choice of [0, 1, 2]) driveSession(drive, text, choice);
    const seen = [...drive.seen].join("\n");
    const lost = paths.filter((path) => !NOT_SHOWN.some((pattern) => pattern.test(path))).filter((path) => {
      const name = `q${paths.indexOf(path)}a`;
      return !(seen.includes(name) && seen.includes(`${name}z`));
    });
    assert.deepEqual(lost, [], `piece ${at}: ${JSON.stringify(piece)}`);
    const shown = paths.filter((path) => NOT_SHOWN.some((pattern) => pattern.test(path))).filter((path) =>
      seen.includes(`q${paths.indexOf(path)}az`)
    );
    assert.deepEqual(shown, [], "what is shown all the same has to leave the list of what is not");
  }
});

/** Fields that no screen shows, by reason. */
const NOT_SHOWN: readonly RegExp[] = [
  // Ids only route events; what a client may do and how its protocol is called is nobody's reading.
  /^id$|\.id$|\.call$|^items\.message$|\.orphan$|session id$/,
  /^(?:compact_done\.new_session_id|surface\.session_id|items\.compact\.session)$/,
  /^hello\.(?:protocol|capabilities)$|^tool_output\.stream$|^step_end\.stop_reason$|^question\.kind$/,
  // A problem names the field, not its value.
  /^items\.(?:no object|status)$/,
  // Of a way to log in its name and what it says of itself are shown.
  /^auth\.methods\.(?:id|type|terminal)/,
  // What a Read read is never shown; of two results the first stays.
  /^tool Read\.(?:output|summary|result|result 2|second|second output)$|^tool \w+\.second(?: output)?$/,
  // Another session's draft is taken only into an empty one.
  /^state\.draft paste$/,
];

Deno.test("escape proof: controls as raw bytes, in lines and instead of lines", () => {
  const raw = Uint8Array.from(RAW_BYTES.flatMap((byte) => [byte, 0x76]));
  const controls = Uint8Array.from(
    [...Array(0x20).keys(), 0x7f].filter((byte) => byte !== 0x0a).flatMap((byte) => [byte, 0x76]),
  );
  for (const payload of [raw, controls, new TextEncoder().encode(EVERYTHING)]) {
    for (const [width, height] of [[80, 24], [34, 12]] as const) {
      const drive = begin({ width, height, fold: "detail", terminals: true });
      const lines = [...hostileEvents(() => "\ue000", 0), ...hostileTools(() => "\ue000")];
      for (const { event, line } of lines) {
        feedBytes(drive.player, withBytes(line, payload), false);
        feedBytes(drive.player, withBytes("\ue000\n", payload), false);
        look(drive, event);
      }
      drivePanels(drive);
      checkTerminals(drive.player);
      closePlayer(drive.player);
    }
  }
});

Deno.test("escape proof: methods, keys and pastes that a recording holds, and what this client types itself", () => {
  for (const payload of [EVERYTHING, ...SHORT_PAYLOADS]) {
    for (const choice of [0, 1]) {
      const drive = begin({
        width: 90,
        height: 30,
        fold: "normal",
        terminals: payload === EVERYTHING,
        plays: true,
      });
      for (const line of hostileMethods(() => payload, choice)) {
        feedBytes(drive.player, new TextEncoder().encode(line), false);
        look(drive, line.slice(0, 40));
      }
      driveTyping(drive, payload);
      checkTerminals(drive.player);
      closePlayer(drive.player);
    }
  }
});

Deno.test("escape proof: what is printed for a file or a pipe holds no control but the newline", () => {
  const drive = begin({ width: 100, height: 60, fold: "detail", terminals: false });
  driveSession(drive, () => EVERYTHING, 0);
  const { state, frame } = drive.player;
  const printed = snapshotText(frame, snapshotState(state));
  assert.deepEqual(foreignOutput(printed.replaceAll("\n", " ")), []);
});

Deno.test("escape proof: the grammar takes none of the hostile pieces for ours", () => {
  // deno-lint-ignore no-control-regex
  const ours = /^\x1b\[(?:H|10;10H|5;10r|\?25l|\?2026h|2 q|S|9T|31m|1;2;3;4;5;6;7;8;9m)$/;
  const joiners = /^[\u200c\u200d\u00ad\u034f\u180e\u115f\u3164\ufe0f\u{1d173}]$|^a\u0301|^[\r\b]$/u;
  for (const piece of PIECES) {
    const isTaken = foreignOutput(`v${piece}v`).length === 0;
    assert.equal(isTaken, ours.test(piece) || joiners.test(piece), JSON.stringify(piece));
  }
  for (
    const piece of ["\x1b[12345H", "\x1b]2;a\x1b[m\x1b\\", "\x1b]2;a\x07", "\x1b[?25$p", "\n", "\x1b[K\x1b"]
  ) {
    assert.notDeepEqual(foreignOutput(piece), [], JSON.stringify(piece));
  }
});

// ---- the drive

function begin(options: {
  readonly width: number;
  readonly height: number;
  readonly fold: FoldMode;
  readonly terminals: boolean;
  readonly keeps?: boolean;
  readonly plays?: boolean;
}): Drive {
  const player = createPlayer(options, { recording: false, terminals: options.terminals });
  if (options.plays) Object.assign(player, { feed: createFeed("pod-jsonl", { plays: true }) });
  const drive = { player, seen: new Set<string>(), keeps: options.keeps ?? false };
  tellLine(drive, { event: "hello", line: HELLO });
  return drive;
}

const HELLO = JSON.stringify({ event: "hello", data: { agent: "a", capabilities: ["pause", "steer"] } }) +
  "\n";

/** Every event, the tools, what our own programs may say, and every panel. */
function driveSession(drive: Drive, text: FieldText, choice: number): void {
  const events = hostileEvents(text, choice);
  drivePrompts(drive, text);
  for (const line of events) {
    tellLine(drive, line);
    if (line.event === "question") driveQuestion(drive);
    if (PANEL_EVENTS.has(line.event)) drivePanels(drive);
  }
  // In mid-stream too: what is open shows otherwise than what is done.
  for (const line of hostileTools(text)) tellLine(drive, line);
  tellLine(drive, named(events, "history"));
  tellLine(drive, named(events, "history_page"));
  driveInputs(drive, text);
  drivePanels(drive);
  driveScroll(drive);
}

/** Events that name the model, and the last one that fills a list; a history empties and fills them again. */
const PANEL_EVENTS: ReadonlySet<string> = new Set(["step_start", "model_selected"]);

function named(lines: readonly HostileLine[], event: string): HostileLine {
  const found = lines.find((line) => line.event === event);
  assert.ok(found !== undefined);
  return found;
}

function tellLine(drive: Drive, { event, line }: HostileLine): void {
  feedBytes(drive.player, new TextEncoder().encode(line), false);
  look(drive, event);
}

function driveQuestion(drive: Drive): void {
  drive.player.nowMs += 1000;
  for (
    const keys of ["<Wait 600>", "<Down>", "<Space>", "<Tab>", "x", "<Esc>", "<F6>", "<F6>", "<PageDown>"]
  ) {
    type(drive, keys);
  }
}

function drivePanels(drive: Drive): void {
  const scripts = [
    ["/status<Enter>", "<PageDown>", "<PageDown>", "<Esc>"],
    ["/help<Enter>", "<PageDown>", "<PageDown>", "<PageDown>", "<Esc>"],
    ["/model<Enter>", "<Down>", "v", "<Esc>"],
    ["/set<Enter>", "<Wait 600><Enter>", "<Down>", "<Esc>", "<Esc>"],
    ["/", "<Down>", "<Up>", "<Up>", "<Esc>", "<C-u>"],
    ["/model ", "<Down>", "<Tab>", "<C-u>"],
  ];
  type(drive, "<Esc><C-u>");
  for (const steps of scripts) for (const keys of steps) type(drive, keys);
}

/** Messages of earlier clients, recalled and searched. */
function drivePrompts(drive: Drive, text: FieldText): void {
  const parts = [{ type: "text", text: text("prompt") }, {
    type: "paste",
    text: text("prompt paste"),
  }] as const;
  give(drive.player, { kind: "prompts", prompts: [parts] });
  for (const keys of ["<C-p>", "<C-x><C-e>", "<C-n>", "<C-s>", "q", "<Esc>"]) type(drive, keys);
  clear(drive);
}

/** What reaches the client from elsewhere than the agent. */
function driveInputs(drive: Drive, text: FieldText): void {
  const { player } = drive;
  const of = (path: string) => text(`input.${path}`);
  const row = {
    id: of("session id"),
    title: of("session title"),
    agent: of("session agent"),
    status: of("session status"),
    age: of("session age"),
    directory: of("session directory"),
    command: of("session command"),
  };
  give(player, { kind: "sessions", rows: [row, row] });
  look(drive, "sessions");
  type(drive, "<Esc><C-u>");
  for (const level of ["info", "warn", "error"] as const) {
    give(player, { kind: "notice", level, message: of("notice") });
    look(drive, `notice ${level}`);
  }
  give(player, { kind: "file_problem", problem: { line: 3, what: of("problem") } });
  look(drive, "problem");
  give(player, { kind: "ignored", what: of("ignored") });
  give(player, { kind: "edited", text: null, what: of("editor") });
  look(drive, "editor");
  give(player, { kind: "edited", text: of("edited"), what: null });
  look(drive, "edited");
  type(drive, "<C-u>");
  clear(drive);
  type(drive, "@");
  const { request } = player.state.composer.completion;
  assert.ok(request !== null, "a file is asked for");
  const candidates = [{ label: of("file"), text: of("file"), detail: of("file detail") }];
  give(player, { kind: "files", request, candidates });
  look(drive, "files");
  for (const keys of ["<Tab>", "<Home>", "<End>", "<Up>", "<Backspace>"]) type(drive, keys);
  clear(drive);
  type(drive, "<Wait 4000>");
  give(player, { kind: "agent_end", what: of("agent end"), asked: false });
  look(drive, "agent end");
}

/** A paste shown as it is, sent, refused, given back, searched for. */
function driveTyping(drive: Drive, payload: string): void {
  const { player } = drive;
  const tell = (event: string, data: unknown) =>
    tellLine(drive, { event, line: JSON.stringify({ event, data }) + "\n" });
  tell("history", { session_id: "s", status: "idle", items: [] });
  for (const kind of ["paste", "typed"] as const) {
    clear(drive);
    if (kind === "paste") {
      give(player, { kind: "paste", text: payload, cut: true, endedBy: "marker" });
      look(drive, "paste");
      type(drive, "<C-x><C-e>");
    } else {
      for (const sign of payload.slice(0, 400)) {
        give(player, { kind: "key", key: { name: sign, text: sign, ctrl: false, alt: false, shift: false } });
      }
      look(drive, "typed");
    }
    for (const keys of ["<Home>", "<Right>", "<End>", "<Up>", "<S-Left>", "<End>", "<Enter>"]) {
      type(drive, keys);
    }
    tell("error", {
      code: "provider_error",
      message: payload,
      message_id: `c-${player.state.nextMessage - 1}`,
    });
    for (const keys of ["<C-p>", "<C-s>", "v", "<Esc>"]) type(drive, keys);
    clear(drive);
    give(player, { kind: "edited", text: `/${payload}`, what: null });
    type(drive, "<Enter>");
    give(player, { kind: "edited", text: `/set ${payload}`, what: null });
    type(drive, "<Enter>");
    clear(drive);
  }
  tell("status", { status: "running" });
  tell("queue", {
    items: [{ message_id: payload, text: payload }, { message_id: "2", text: `a\n${payload}` }],
  });
  type(drive, "<C-x><C-q>");
  clear(drive);
}

function driveScroll(drive: Drive): void {
  const { player } = drive;
  const { columns, rows } = player.state;
  for (
    const keys of ["<F2>", "<C-Home>", "<PageDown>", "<PageDown>", "<F2>", "<PageUp>", "<F2>", "<C-Home>"]
  ) type(drive, keys);
  for (const keys of ["<Tab>", "j", "<Space>", "j", "<Enter>", "G", "k", "<Esc>"]) type(drive, keys);
  for (const [width, height] of [[columns - 9, rows - 4], [9, 5], [columns, rows]] as const) {
    resize(player, width, height);
    look(drive, `resized to ${width}x${height}`);
  }
}

function clear(drive: Drive): void {
  give(drive.player, { kind: "edited", text: "", what: null });
  type(drive, "<Esc>");
}

function type(drive: Drive, script: string): void {
  const parsed = parseKeyScript(script);
  assert.ok(parsed.kind === "script");
  press(drive.player, parsed.steps);
  look(drive, script);
}

/** Draws; the terminals show the frame, and nothing but ours was written. */
function look(drive: Drive, where: string): void {
  const { player } = drive;
  assert.deepEqual(show(player, where).slice(0, 3), []);
  assert.deepEqual(foreignOutput(player.written).slice(0, 3), [], where);
  if (!drive.keeps) return;
  for (const row of framePicture(player.frame).rows) drive.seen.add(row);
  drive.seen.add(player.frame.title);
}

/** The terminals are as our own start left them: the alternate screen and no autowrap, and nobody asked them anything. */
function checkTerminals(player: Player): void {
  const untouched = createPlayer(
    { width: player.state.columns, height: player.state.rows, fold: "normal" },
    { recording: false, terminals: player.emulators.length > 0 },
  );
  player.emulators.forEach((emulator, at) => {
    const { cursorVisible: _, cursorStyle, ...modes } = emulator.modes();
    const { cursorVisible: __, cursorStyle: ___, ...expected } = untouched.emulators[at]?.modes() ??
      emulator.modes();
    assert.deepEqual(modes, expected);
    assert.ok([0, 2, 6].includes(cursorStyle));
    assert.deepEqual(emulator.requests, []);
    assert.deepEqual(emulator.answers, []);
    assert.equal(emulator.scrollbackLength(), 0);
    assert.match(emulator.title(), /^$|Trifold$/);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(emulator.title(), /[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  });
  closePlayer(untouched);
}

function withBytes(line: string, payload: Uint8Array): Uint8Array {
  const parts = line.split("\ue000").map((part) => new TextEncoder().encode(part));
  const bytes: number[] = [];
  parts.forEach((part, at) => {
    if (at > 0) bytes.push(...payload);
    bytes.push(...part);
  });
  return Uint8Array.from(bytes);
}
