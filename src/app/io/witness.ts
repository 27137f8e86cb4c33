// Who looks on while a client runs: the recorder of --record and the log of --log. Both write at once, so that a
// crash loses nothing, and neither can disturb the client: a file that takes no more is told of once.

import type { Method } from "../../transcript/method.ts";
import type { Input } from "../effect.ts";
import type { StateOptions } from "../state.ts";
import { versionText } from "./version.ts";
import { clientLine, inputLines, sentLine } from "./client_recording.ts";

/** Sees everything that enters and leaves a client, with the client's time in ms. */
export interface Witness {
  input(input: Input, nowMs: number): void;
  sent(method: Method, nowMs: number): void;
  end(code: number, state: { readonly columns: number; readonly rows: number; readonly nowMs: number }): void;
}

export interface WitnessOptions {
  readonly record: string | null;
  readonly log: string | null;
  readonly client: StateOptions;
  readonly ambiguousWidth: 1 | 2;
  readonly complain: (message: string) => void;
}

/** The witnesses asked for, or why there cannot be one. */
export function openWitnesses(options: WitnessOptions): readonly Witness[] | string {
  const witnesses: Witness[] = [];
  for (const [path, create] of [[options.record, createRecorder], [options.log, createLog]] as const) {
    if (path === null) continue;
    try {
      const file = openFor(path, create === createRecorder);
      witnesses.push(create(lineWriter(file, path, options.complain), options));
    } catch (error) {
      return refusal(path, error);
    }
  }
  return witnesses;
}

/** Why what is asked for cannot be written, to be asked before anything is started; null when it can. Changes no file that is there. */
export function whyUnwritable(paths: readonly (string | null)[]): string | null {
  for (const path of paths) {
    if (path === null) continue;
    try {
      openFor(path, false).close();
    } catch (error) {
      return refusal(path, error);
    }
  }
  return null;
}

function openFor(path: string, isNew: boolean): Deno.FsFile {
  return Deno.openSync(path, { create: true, write: true, mode: 0o600, truncate: isNew, append: !isNew });
}

function refusal(path: string, error: unknown): string {
  return `Cannot write to ${JSON.stringify(path)}: ${error instanceof Error ? error.message : String(error)}`;
}

/** Least time between two lines of nothing but time, in ms. */
const TICK_MS = 500;

type Write = (text: string) => void;

function lineWriter(file: Deno.FsFile, path: string, complain: (message: string) => void): Write {
  let isBroken = false;
  return (text) => {
    if (isBroken || text === "") return;
    const bytes = new TextEncoder().encode(text);
    try {
      for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    } catch (error) {
      isBroken = true;
      complain(`Cannot go on writing ${path}: ${shortFailure(error)}`);
    }
  };
}

/** Writes what `trifold print` plays again. */
function createRecorder(write: Write, options: WitnessOptions): Witness {
  write(clientLine(options.client, options.ambiguousWidth));
  let lastMs = 0;
  return {
    input: (input, nowMs) => {
      // Time goes on by itself: a line now and then is enough for a recording that ends anywhere.
      if (input.kind === "tick" && nowMs < lastMs + TICK_MS) return;
      lastMs = nowMs;
      write(inputLines(input, nowMs));
    },
    sent: (method, nowMs) => write(sentLine(method, nowMs)),
    // The time until the end: a hint may have gone meanwhile.
    end: (_code, { columns, rows, nowMs }) => write(inputLines({ kind: "resize", columns, rows }, nowMs)),
  };
}

/** Writes one line a thing that is not as it should be, and what led there; no text of messages, no keys. */
function createLog(write: Write, options: WitnessOptions): Witness {
  const say = (text: string) => write(`${new Date().toISOString()} ${text.replaceAll("\n", "\n    ")}\n`);
  const ignored = new Map<string, number>();
  say(`start ${versionText()}, ${options.client.columns}x${options.client.rows}`);
  globalThis.addEventListener("error", (event) => say(`error ${failureText(event.error)}`));
  globalThis.addEventListener("unhandledrejection", (event) => say(`rejection ${failureText(event.reason)}`));
  return {
    input: (input) => {
      if (input.kind === "ignored") ignored.set(input.what, (ignored.get(input.what) ?? 0) + 1);
      for (const text of inputNotes(input)) say(text);
    },
    sent: (method) => say(`sent ${method.method}`),
    end: (code) => {
      for (const [what, count] of ignored) say(`ignored ${what}: ${count}`);
      say(`end ${code}`);
    },
  };
}

function shortFailure(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function failureText(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}

function inputNotes(input: Input): readonly string[] {
  switch (input.kind) {
    case "resize":
      return [`size ${input.columns}x${input.rows}`];
    case "file_problem":
      return [
        `problem${
          input.problem.line === null ? "" : ` in line ${input.problem.line}`
        }: ${input.problem.what}`,
      ];
    case "events":
      return input.parsed.flatMap((parsed) => {
        if (parsed.kind === "problem") return [`problem: ${parsed.what}`];
        if (parsed.kind === "unknown") return [`unknown event ${parsed.name}`];
        const { event, unknownFields } = parsed;
        const unknown = unknownFields.map((field) => `unknown field ${field}`);
        if (event.event === "error") {
          return [...unknown, `agent error ${event.data.code}: ${event.data.message}`];
        }
        return TOLD.has(event.event) ? [...unknown, `event ${event.event}`] : unknown;
      });
    case "agent_end":
      return [`agent ended: ${input.what}`];
    case "notice":
      return [`${input.level}: ${input.message}`];
    case "edited":
      return input.what === null ? ["edited"] : [input.what];
    case "paste":
      return [`paste of ${input.text.length}${input.cut ? ", cut" : ""}, ended by ${input.endedBy}`];
    case "answer":
      return [`terminal answers ${input.name} ${input.params}`];
    default:
      return [];
  }
}

/** Events that divide a session. */
const TOLD: ReadonlySet<string> = new Set([
  "hello",
  "history",
  "turn_start",
  "turn_end",
  "retry",
  "compact_start",
  "compact_done",
  "compact_failed",
  "surface",
  "starting",
  "shutdown",
]);
