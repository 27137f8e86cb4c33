// Recordings on their way into the client: bytes to inputs, and the commands that need no terminal. Reading is
// recordings/source.ts, the formats are recordings/detect.ts, the screen's text screen/snapshot.ts.

import { keyTable } from "../input/key_table.ts";
import { parseKeys } from "../input/key.ts";
import { parseKeyScript, type ScriptStep } from "../input/key_script.ts";
import { isFollowing, rowTotals, visibleRows } from "../layout/viewport.ts";
import { detectFormat, formatNamed, RECORDS_LOOKED_AT } from "../recordings/detect.ts";
import { createLineReader, end as endLines, feed as feedLines } from "../recordings/json_lines.ts";
import { openSource, readSource } from "../recordings/source.ts";
import type { RecordingStep, Translator } from "../recordings/translator.ts";
import { createFrame } from "../screen/frame.ts";
import { framePicture, type SnapshotState, snapshotText } from "../screen/snapshot.ts";
import { cellWidth, loadClusterWidths } from "../text/graphemes.ts";
import { loadLineDiff } from "../text/line_diff.ts";
import { loadMarkdown } from "../text/markdown.ts";
import type { ParsedEvent } from "../transcript/event.ts";
import type { Call } from "./commands.ts";
import { drawFrame } from "./draw.ts";
import type { Input } from "./effect.ts";
import { createState, DEFAULT_SETTINGS, type State } from "./state.ts";
import { transcriptHeight, update } from "./update.ts";

/** The libraries that the first frame does without: with them everything is exact. */
export async function loadLibraries(): Promise<void> {
  await Promise.all([loadMarkdown(), loadClusterWidths(), loadLineDiff()]);
}

/** Turns a recording's bytes into inputs of the client, however the bytes are cut. */
export interface Feed {
  push(bytes: Uint8Array): readonly Input[];
  end(): readonly Input[];
  /** Why nothing of it can be shown; null while all is well. */
  fault(): string | null;
}

/** A feed of the named format, or of the one that the first good records have. */
export function createFeed(format: string | null): Feed {
  const lines = createLineReader();
  let translator: Translator | null = null;
  let fault: string | null = null;
  /** Records read before the format was known. */
  const waiting: ReturnType<typeof feedLines>[number][] = [];
  if (format !== null) choose(formatNamed(format));

  function choose(found: ReturnType<typeof formatNamed>): void {
    if (found.kind === "problem") fault = found.what;
    else translator = found.format.create();
  }
  function take(records: ReturnType<typeof feedLines>, isEnd: boolean): Input[] {
    if (translator === null && fault === null) {
      waiting.push(...records);
      const values = waiting.flatMap((record) => record.kind === "value" ? [record.value] : []);
      if (!isEnd && values.length < RECORDS_LOOKED_AT) {
        // A pod's own log says hello on its first line; nothing else needs to be waited for.
        const found = values.length === 0 ? null : detectFormat(values);
        if (found === null || found.kind === "problem") return [];
      }
      choose(detectFormat(values));
      records = waiting.splice(0);
    }
    if (translator === null) return [];
    return toInputs(records, translator, isEnd);
  }
  return {
    push: (bytes) => fault !== null ? [] : take(feedLines(lines, bytes), false),
    end: () =>
      fault !== null
        ? []
        : [...take(endLines(lines), true), ...(fault === null ? [{ kind: "recording_end" } as const] : [])],
    fault: () => fault,
  };
}

/** Events in one input: few enough that a slice of reading can end between two. */
const EVENTS_AT_ONCE = 100;

type LineRecord = ReturnType<typeof feedLines>[number];

function toInputs(records: readonly LineRecord[], translator: Translator, isEnd: boolean): Input[] {
  const inputs: Input[] = [];
  const parsed: ParsedEvent[] = [];
  const flush = () => {
    if (parsed.length > 0) inputs.push({ kind: "events", parsed: parsed.splice(0) });
  };
  const takeStep = (step: RecordingStep) => {
    if (step.kind === "event") {
      parsed.push(step.parsed);
      if (parsed.length >= EVENTS_AT_ONCE) flush();
      return;
    }
    flush();
    inputs.push(...stepInputs(step));
  };
  for (const record of records) {
    if (record.kind === "problem") {
      flush();
      inputs.push({ kind: "file_problem", problem: record });
    } else for (const step of translator.push(record.value, record.line)) takeStep(step);
  }
  if (isEnd) { for (const step of translator.end()) takeStep(step); }
  flush();
  return inputs;
}

function stepInputs(step: Exclude<RecordingStep, { kind: "event" }>): readonly Input[] {
  switch (step.kind) {
    case "problem":
      return [{ kind: "file_problem", problem: { line: step.line, what: step.what } }];
    case "ignored":
      return [{ kind: "ignored", what: step.what }];
    case "size":
      return [{ kind: "resize", columns: step.columns, rows: step.rows }];
    case "paste":
      return [{ kind: "paste", text: step.text, cut: false, endedBy: "marker" }];
    case "key":
      return parseKeys(step.key).map((key) => ({ kind: "key", key }));
    case "method":
      return [];
  }
}

/** What a snapshot's state line says; measures every block. */
export function snapshotState(state: State): SnapshotState {
  const height = transcriptHeight(state);
  const inView = visibleRows(state.layout, state.viewport, height).length;
  const { top, total } = rowTotals(state.layout, state.viewport, height);
  return {
    rowsStart: top,
    rowsEnd: top + inView,
    rowCount: total,
    isFollowing: isFollowing(state.viewport),
    focus: state.focus,
    panel: state.panel?.name ?? null,
  };
}

/** `trifold print`: the golden text of a recording's last screen, on standard output. */
export async function printRecording(call: Call): Promise<number> {
  const script = call.flags.keys === null ? null : parseKeyScript(call.flags.keys);
  if (script !== null && script.kind === "problem") return refuse(`Cannot read --keys: ${script.what}`, 2);
  const source = await openSource(call.words[0] ?? "");
  if (source.kind === "problem") return refuse(source.what, 1);
  await loadLibraries();
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
  const feed = createFeed(call.flags.format);
  const apply = (inputs: readonly Input[]) => inputs.forEach((input) => update(state, input, 0));
  for await (const read of readSource(source)) {
    if (read.kind === "problem") return refuse(read.what, 1);
    apply(feed.push(read.bytes));
  }
  source.close();
  apply(feed.end());
  const fault = feed.fault();
  if (fault !== null) return refuse(fault, 1);
  pressScript(state, script?.steps ?? []);
  await writeOut(printedText(state, call));
  return 0;
}

/** `trifold keys`: the key table as text. */
export async function printKeys(): Promise<number> {
  const rows = keyTable().filter((row) => row.keys !== "");
  const width = Math.max(...rows.map((row) => cellWidth(row.keys)));
  let group = "";
  const lines: string[] = [];
  for (const row of rows) {
    if (row.group !== group) lines.push(...(group === "" ? [] : [""]), row.group);
    group = row.group;
    lines.push(`  ${row.keys}${" ".repeat(width - cellWidth(row.keys))}  ${row.label}`);
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
  let nowMs = 0;
  for (const step of steps) {
    if (step.kind === "key") update(state, { kind: "key", key: step.key }, nowMs);
    else if (step.kind === "paste") {
      update(state, { kind: "paste", text: step.text, cut: false, endedBy: "marker" }, nowMs);
    } else update(state, { kind: "tick" }, nowMs += step.ms);
  }
}

/** Writes all of it; a reader that has gone away is no fault of ours. */
async function writeOut(text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

function refuse(text: string, code: number): number {
  console.error(text);
  return code;
}
