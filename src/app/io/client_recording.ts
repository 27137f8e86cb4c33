// What --record writes and `trifold print` plays again: pod JSONL with, beside events and methods, what the person
// did and what the world told the client, each with the client's time. Both directions stand here, so that they agree.
// A recording of this kind begins with a "size" line that holds the client's settings.

import * as v from "valibot";
import { formatKey, type Key } from "../../input/key.ts";
import { parseKeyScript } from "../../input/key_script.ts";
import { createLineReader, end as endLines, feed as feedLines } from "../../recordings/json_lines.ts";
import { type ParsedEvent, parseEvent } from "../../transcript/event.ts";
import type { Method } from "../../transcript/method.ts";
import type { Input } from "../effect.ts";
import type { StateOptions } from "../state.ts";

/** An input of a recorded client and its time in ms since the client's start. */
export interface TimedInput {
  readonly input: Input;
  readonly nowMs: number;
}

/** A recorded client: how it began, and its inputs as the bytes come. */
export interface Replay {
  readonly options: StateOptions;
  readonly ambiguousWidth: 1 | 2;
  push(bytes: Uint8Array): readonly TimedInput[];
  end(): readonly TimedInput[];
}

/** Not recorded: what changes nothing when it is played, and what tells of other sessions than the recorded one. */
type LeftOut = "answer" | "prompts" | "sessions" | "session_items" | "session_opens" | "session_closes";
/** Inputs kept as they are. The others have lines of their own. */
type WholeInput = Exclude<Input["kind"], LeftOut | "tick" | "key" | "paste" | "resize" | "events">;

const nullableText = v.nullable(v.string());
const fold = v.picklist(["detail", "normal", "overview"]);
const cells = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000));
const candidate = v.object({ label: v.string(), text: v.string(), detail: v.exactOptional(v.string()) });

/** One schema an input: a recording comes from outside. */
const INPUT_SCHEMAS = {
  mouse: v.object({
    kind: v.literal("mouse"),
    action: v.picklist(["wheel_up", "wheel_down", "press", "release", "drag"]),
    row: v.number(),
    column: v.number(),
    button: v.number(),
    ctrl: v.boolean(),
    alt: v.boolean(),
    shift: v.boolean(),
  }),
  focus: v.object({ kind: v.literal("focus"), focused: v.boolean() }),
  file_problem: v.object({
    kind: v.literal("file_problem"),
    problem: v.object({ line: v.nullable(v.number()), what: v.string() }),
  }),
  ignored: v.object({ kind: v.literal("ignored"), what: v.string() }),
  whole_begins: v.object({ kind: v.literal("whole_begins") }),
  progress: v.object({
    kind: v.literal("progress"),
    share: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  }),
  recording_end: v.object({ kind: v.literal("recording_end") }),
  recording_restarts: v.object({ kind: v.literal("recording_restarts") }),
  agent_end: v.object({ kind: v.literal("agent_end"), what: v.string(), asked: v.boolean() }),
  notice: v.object({
    kind: v.literal("notice"),
    level: v.picklist(["info", "warn", "error"]),
    message: v.string(),
  }),
  edited: v.object({ kind: v.literal("edited"), text: nullableText, what: nullableText }),
  files: v.object({
    kind: v.literal("files"),
    request: v.object({
      kind: v.picklist(["command", "argument", "file"]),
      command: v.string(),
      query: v.string(),
    }),
    candidates: v.array(candidate),
  }),
  prompt: v.object({ kind: v.literal("prompt"), text: v.string() }),
} as const satisfies {
  readonly [Kind in WholeInput]: v.GenericSchema<unknown, Extract<Input, { kind: Kind }>>;
};

const clientSchema = v.object({
  dir: v.literal("size"),
  columns: cells,
  rows: cells,
  client: v.object({
    id: v.string(),
    /** Not in recordings of earlier versions. */
    pod: v.optional(nullableText, null),
    recording: v.boolean(),
    home: nullableText,
    fold,
    ambiguous_width: v.picklist([1, 2]),
    settings: v.object({
      keys: v.record(v.string(), v.array(v.string())),
      pasteThreshold: v.number(),
      previewHead: v.number(),
      previewTail: v.number(),
      showReasoning: v.boolean(),
    }),
  }),
});

/** The first line of a client's recording. */
export function clientLine(options: StateOptions, ambiguousWidth: 1 | 2): string {
  return toLine({
    dir: "size",
    columns: options.columns,
    rows: options.rows,
    client: {
      id: options.clientId,
      pod: options.podId ?? null,
      recording: options.recording,
      home: options.home,
      fold: options.fold,
      ambiguous_width: ambiguousWidth,
      settings: options.settings,
    },
  });
}

/** The lines of one input at a time; "" for what changes nothing when it is played. */
export function inputLines(input: Input, nowMs: number): string {
  switch (input.kind) {
    case "key":
      return toLine({ dir: "key", key: formatKey(input.key), at: nowMs });
    case "paste":
      return toLine({ dir: "paste", text: input.text, cut: input.cut, at: nowMs });
    case "resize":
      return toLine({ dir: "size", columns: input.columns, rows: input.rows, at: nowMs });
    case "events":
      return input.parsed.map((parsed) => eventLine(parsed, nowMs)).join("");
    case "tick":
      return toLine({ dir: "tick", at: nowMs });
    case "answer":
    case "prompts":
    case "sessions":
    case "session_items":
    case "session_opens":
      return "";
    case "session_closes":
      // Of the list nothing is recorded; what was read is gone.
      return toLine({ dir: "input", input: { kind: "recording_restarts" }, at: nowMs });
    default:
      return toLine({ dir: "input", input, at: nowMs });
  }
}

/** A method the client sent. */
export function sentLine(method: Method, nowMs: number): string {
  return toLine({ dir: "out", ...method, at: nowMs });
}

function eventLine(parsed: ParsedEvent, nowMs: number): string {
  switch (parsed.kind) {
    case "event": {
      // Unknown fields were left out when the event was checked; their names are counted again.
      const unknown = Object.fromEntries(
        parsed.unknownFields.map((field) => [field.slice(parsed.event.event.length + 1), null]),
      );
      return toLine({ dir: "in", ...parsed.event, data: { ...unknown, ...parsed.event.data }, at: nowMs });
    }
    case "unknown":
      return toLine({ dir: "in", event: parsed.name, at: nowMs });
    case "problem":
      return toLine({ dir: "problem", what: parsed.what, at: nowMs });
  }
}

function toLine(record: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(record) + "\n";
}

/** Bytes of a first line looked at; a recording of another kind may have any first line. */
const FIRST_LINE_BYTES = 1 << 20;

/** The recorded client that these first bytes begin; null for any other recording. "more": the first line is not whole. */
export function openReplay(bytes: Uint8Array): Replay | null | "more" {
  const lineEnd = bytes.indexOf(0x0a);
  if (lineEnd < 0) return bytes.length < FIRST_LINE_BYTES ? "more" : null;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes.subarray(0, lineEnd)));
  } catch {
    return null;
  }
  const result = v.safeParse(clientSchema, value);
  if (!result.success) return null;
  const { columns, rows, client } = result.output;
  const reader = createLineReader();
  let nowMs = 0;
  const take = (records: ReturnType<typeof feedLines>): TimedInput[] =>
    records.flatMap((record) => {
      if (record.kind === "problem") {
        return [{ input: { kind: "file_problem", problem: record }, nowMs } as const];
      }
      const { at } = isFields(record.value) ? record.value : {};
      if (typeof at === "number" && Number.isFinite(at)) nowMs = Math.max(nowMs, at);
      return recordInputs(record.value, record.line).map((input) => ({ input, nowMs }));
    });
  return {
    options: {
      columns,
      rows,
      recording: client.recording,
      home: client.home,
      clientId: client.id,
      podId: client.pod,
      fold: client.fold,
      settings: client.settings,
    },
    ambiguousWidth: client.ambiguous_width,
    push: (more) => take(feedLines(reader, more)),
    end: () => take(endLines(reader)),
  };
}

function recordInputs(value: unknown, line: number): readonly Input[] {
  if (!isFields(value)) return [fault("record", line)];
  switch (value.dir) {
    case "in":
      return [{ kind: "events", parsed: [parseEvent(value)] }];
    case "out":
      return [];
    case "problem":
      return [{ kind: "events", parsed: [{ kind: "problem", what: String(value.what) }] }];
    case "key": {
      const key = typeof value.key === "string" ? oneKey(value.key) : null;
      return [key === null ? fault("key", line) : { kind: "key", key }];
    }
    case "paste":
      if (typeof value.text !== "string") return [fault("paste", line)];
      return [{ kind: "paste", text: value.text, cut: value.cut === true, endedBy: "marker" }];
    case "size": {
      const { columns, rows } = value;
      const isSize = v.is(cells, columns) && v.is(cells, rows);
      return [isSize ? { kind: "resize", columns, rows } : fault("size", line)];
    }
    case "tick":
      return [{ kind: "tick" }];
    case "input":
      return [wholeInput(value.input) ?? fault("input", line)];
  }
  return [{ kind: "ignored", what: `dir ${String(value.dir)}` }];
}

function wholeInput(value: unknown): Input | null {
  if (!isFields(value) || typeof value.kind !== "string" || !Object.hasOwn(INPUT_SCHEMAS, value.kind)) {
    return null;
  }
  const schema: v.GenericSchema<unknown, Input> = INPUT_SCHEMAS[value.kind as WholeInput];
  const result = v.safeParse(schema, value);
  return result.success ? result.output : null;
}

function oneKey(text: string): Key | null {
  const script = parseKeyScript(text);
  const step = script.kind === "script" && script.steps.length === 1 ? script.steps[0] : undefined;
  return step?.kind === "key" ? step.key : null;
}

function fault(what: string, line: number): Input {
  const problem = { line, what: `Cannot play recorded ${what}: a field is missing or of another type` };
  return { kind: "file_problem", problem };
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
