// The commands that need no terminal: `trifold print`, the golden text of a recording's last screen, and `trifold keys`.

import { joinBytes } from "../../recordings/bytes.ts";
import { type KeyRow, keyTable } from "../../input/key_table.ts";
import { createKeymap } from "../../input/keymap.ts";
import { parseKeyScript, type ScriptStep } from "../../input/key_script.ts";
import { readSource } from "../../recordings/source.ts";
import type { SessionDocument } from "../../recordings/session_document.ts";
import { createFrame } from "../../screen/frame.ts";
import { framePicture, snapshotText } from "../../screen/snapshot.ts";
import { cellWidth, setAmbiguousWidth } from "../../text/graphemes.ts";
import type { Call } from "../commands.ts";
import { drawFrame } from "../draw.ts";
import type { Input } from "../effect.ts";
import { createFeed, loadLibraries, snapshotState } from "../files.ts";
import { createState, DEFAULT_SETTINGS, type State } from "../state.ts";
import { update } from "../update.ts";
import { openReplay, type Replay, type TimedInput } from "./client_recording.ts";
import { openFiles, type RecordingFiles } from "./recording_files.ts";
import { refuse } from "./refuse.ts";
import { writeOut } from "./write_out.ts";

/** `trifold print`: the golden text of a recording's last screen, on standard output. */
export async function printRecording(call: Call): Promise<number> {
  const script = call.flags.keys === null ? null : parseKeyScript(call.flags.keys);
  if (script !== null && script.kind === "problem") return refuse(`Cannot read --keys: ${script.what}`, 2);
  const source = await openFiles(call.words[0] ?? "", { follow: false });
  if (source.kind === "problem") return refuse(source.what, 1);
  await loadLibraries();
  // A client's own recording says so in its first line.
  let first: Uint8Array = new Uint8Array(0);
  let replay: ReturnType<typeof openReplay> = "more";
  let playing: Playing | null = null;
  if (source.document !== null) {
    playing = playEvents(call, source);
    playing.take(source.document);
    replay = null;
  }
  for await (const read of playing === null ? readSource(source) : []) {
    if (read.kind === "problem") return refuse(read.what, 1);
    if (playing !== null) {
      playing.push(read.bytes);
      continue;
    }
    first = joinBytes([first, read.bytes]);
    replay = openReplay(first);
    if (replay === "more") continue;
    playing = replay === null ? playEvents(call, source) : playClient(replay);
    playing.push(first);
  }
  source.close();
  if (playing === null) {
    playing = playEvents(call, source);
    playing.push(first);
  }
  const fault = playing.end();
  if (fault !== null) return refuse(fault, 1);
  const { state } = playing;
  if (replay !== null && call.flags.size !== null) {
    update(state, { kind: "resize", ...call.flags.size }, state.nowMs);
  }
  pressScript(state, script?.steps ?? []);
  await writeOut(printedText(state, call));
  return 0;
}

/** A client without a terminal that a recording is played to. */
interface Playing {
  readonly state: State;
  push(bytes: Uint8Array): void;
  /** Instead of bytes: all of a session that is kept in many files. */
  take(session: SessionDocument): void;
  /** Returns why nothing of it could be shown; null when all is well. */
  end(): string | null;
}

/** What an agent said, in front of nobody. */
function playEvents(call: Call, { placeOf }: RecordingFiles): Playing {
  const { columns, rows } = call.flags.size ?? { columns: 80, rows: 24 };
  const state = createState({
    columns,
    rows,
    recording: true,
    home: Deno.env.get("HOME") ?? null,
    clientId: "print",
    fold: call.flags.fold,
    settings: DEFAULT_SETTINGS,
  });
  const branch = call.flags.branch ? "all" : undefined;
  const feed = createFeed(call.flags.format, { plays: true, branch, placeOf });
  const apply = (inputs: readonly Input[]) => inputs.forEach((input) => update(state, input, 0));
  let isTaken = false;
  return {
    state,
    push: (bytes) => apply(feed.push(bytes)),
    take: (document) => {
      isTaken = true;
      for (const inputs of feed.tellAll([{ kind: "document", document, line: 1 }])) apply(inputs);
    },
    end: () => {
      if (!isTaken) apply(feed.end());
      return feed.fault();
    },
  };
}

/** What a client saw and a person did, at their times. */
function playClient(replay: Replay): Playing {
  setAmbiguousWidth(replay.ambiguousWidth);
  const state = createState(replay.options);
  const apply = (inputs: readonly TimedInput[]) =>
    inputs.forEach(({ input, nowMs }) => {
      // What was due before it, such as the end of a hint.
      update(state, { kind: "tick" }, nowMs);
      update(state, input, nowMs);
      lookToEnd(state);
    });
  return {
    state,
    push: (bytes) => apply(replay.push(bytes)),
    take: () => {},
    end: () => {
      apply(replay.end());
      return null;
    },
  };
}

/** `trifold keys`: the key table as text, with the names that the configuration file has for the actions. */
export async function printKeys(call: Call): Promise<number> {
  const { keymap } = createKeymap(call.flags.config.settings.keys);
  const rows = keyTable(keymap);
  const widest = (of: (row: KeyRow) => string) => Math.max(...rows.map((row) => cellWidth(of(row))));
  const padded = (text: string, width: number) => text + " ".repeat(width - cellWidth(text));
  const [keys, labels] = [widest((row) => row.keys), widest((row) => row.label)];
  let group = "";
  const lines: string[] = [];
  for (const row of rows) {
    if (row.group !== group) lines.push(...(group === "" ? [] : [""]), row.group);
    group = row.group;
    lines.push(`  ${padded(row.keys, keys)}  ${padded(row.label, labels)}  ${row.action}`);
  }
  await writeOut(lines.join("\n") + "\n");
  return 0;
}

function printedText(state: State, call: Call): string {
  const frame = createFrame(state.columns, state.rows);
  drawFrame(state, frame);
  const shown = snapshotState(state);
  if (call.flags.json) return JSON.stringify({ ...shown, ...framePicture(frame) }) + "\n";
  if (call.flags.text) return framePicture(frame).rows.map((row) => row.trimEnd() + "\n").join("");
  return `== end | ${state.fold} | ${state.columns}x${state.rows} ==\n` + snapshotText(frame, shown);
}

function pressScript(state: State, steps: readonly ScriptStep[]): void {
  let { nowMs } = state;
  for (const step of steps) {
    if (step.kind === "key") update(state, { kind: "key", key: step.key }, nowMs);
    else if (step.kind === "paste") {
      update(state, { kind: "paste", text: step.text, cut: false, endedBy: "marker" }, nowMs);
    } else update(state, { kind: "tick" }, nowMs += step.ms);
    lookToEnd(state);
  }
}

/** Nobody types while something is looked for. */
function lookToEnd(state: State): void {
  while (state.isLooking) update(state, { kind: "tick" }, state.nowMs);
}
