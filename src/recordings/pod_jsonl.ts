// Pod JSONL values to steps: events, methods that a recording holds beside them, and what the person did. The older
// dialect of the protocol (protocol rule 8) is recognised here and translated by pod_older.ts.

import { parseEvent } from "../transcript/event.ts";
import { parseMethod } from "../transcript/method.ts";
import { isFields, rowOf, textOf } from "./fields.ts";
import type { RecordingFormat } from "./format.ts";
import { createOlderDialect, type OlderDialect } from "./pod_older.ts";
import type { RecordingStep, Translator } from "./translator.ts";

/** The format, for detect.ts. */
export const FORMAT: RecordingFormat = {
  name: "pod-jsonl",
  label: "Pod JSONL, also its older dialect",
  isRecord: isPodRecord,
  create: createPodTranslator,
};

/** Events that only the older dialect has. */
const OLDER: ReadonlySet<string> = new Set([
  "snapshot",
  "alert",
  "thinking_start",
  "thinking_delta",
  "thinking_done",
  "run_end",
  "segment_rotated",
]);
/** Events that only this one has. */
const NEWER: ReadonlySet<string> = new Set([
  "hello",
  "history",
  "step_start",
  "step_end",
  "reasoning_start",
  "reasoning_delta",
  "reasoning_done",
  "notification",
  "surface",
]);
/** Events that mean something else in the older dialect: they wait until the dialect is known. */
const AMBIGUOUS: ReadonlySet<string> = new Set(["turn_start", "turn_end"]);
/** So many values wait at most; then it is this dialect. */
const WAITING_AT_MOST = 500;

/** A translator of one recording, or of one agent's output. */
export function createPodTranslator(): Translator {
  let dialect: "unknown" | "newer" | OlderDialect = "unknown";
  let waiting: { readonly value: unknown; readonly line: number }[] = [];

  const release = (): RecordingStep[] => {
    const values = waiting;
    waiting = [];
    return values.flatMap(({ value, line }) => translate(value, line));
  };
  const translate = (value: unknown, line: number): readonly RecordingStep[] => {
    if (!isFields(value)) {
      return [{ kind: "problem", what: "Cannot parse record: value is not an object", line }];
    }
    const direction = textOf(value.dir);
    const told = rowOf(DIRECTIONS, direction);
    if (told !== null) return [told(value, line)];
    if (direction !== null && direction !== "in") {
      return [{ kind: "ignored", what: `dir ${direction}`, line }];
    }
    if (value.event === undefined && value.method !== undefined) return [methodStep(value, line)];
    return typeof dialect === "object"
      ? dialect.push(value, line)
      : [{ kind: "event", parsed: parseEvent(value), line }];
  };
  const decide = (found: "newer" | OlderDialect): RecordingStep[] => {
    dialect = found;
    return release();
  };

  return {
    push: (value, line) => {
      if (dialect !== "unknown") return translate(value, line);
      const name = isFields(value) && (value.dir === undefined || value.dir === "in")
        ? textOf(value.event)
        : null;
      if (name !== null && OLDER.has(name)) {
        return [...decide(createOlderDialect()), ...translate(value, line)];
      }
      if (name !== null && NEWER.has(name)) return [...decide("newer"), ...translate(value, line)];
      if (waiting.length === 0 && (name === null || !AMBIGUOUS.has(name))) return translate(value, line);
      waiting.push({ value, line });
      return waiting.length > WAITING_AT_MOST ? decide("newer") : [];
    },
    end: () => {
      const steps = dialect === "unknown" ? decide("newer") : [];
      return typeof dialect === "object" ? [...steps, ...dialect.end()] : steps;
    },
  };
}

/** Directions a pod's recording knows beside events: methods, and what the person did. */
const POD_DIRECTIONS: ReadonlySet<string> = new Set(["in", "out", "key", "paste", "size"]);

/** True when a value can only be a record of a pod, or of its older dialect. */
export function isPodRecord(value: unknown): boolean {
  if (!isFields(value) || "jsonrpc" in value || "msg" in value) return false;
  if (textOf(value.event) !== null) return true;
  const direction = textOf(value.dir);
  if (direction !== null) return POD_DIRECTIONS.has(direction);
  return textOf(value.method) !== null && (value.params === undefined || isFields(value.params));
}

type Fields = Readonly<Record<string, unknown>>;

const DIRECTIONS: Readonly<Record<string, (value: Fields, line: number) => RecordingStep>> = {
  out: methodStep,
  key: (value, line) => {
    const key = textOf(value.key);
    return key === null ? broken("key", line) : { kind: "key", key };
  },
  paste: (value, line) => {
    const text = textOf(value.text);
    return text === null ? broken("paste", line) : { kind: "paste", text };
  },
  size: (value, line) => {
    const { columns, rows } = value;
    return isCells(columns) && isCells(rows) ? { kind: "size", columns, rows } : broken("size", line);
  },
};

function methodStep(value: Fields, line: number): RecordingStep {
  const parsed = parseMethod(value);
  switch (parsed.kind) {
    case "method":
      return { kind: "method", method: parsed.method, line };
    case "unknown":
      return { kind: "ignored", what: `method ${parsed.name}`, line };
    case "problem":
      return { kind: "problem", what: parsed.what, line };
  }
}

function broken(direction: string, line: number): RecordingStep {
  return {
    kind: "problem",
    what: `Cannot parse recorded ${direction}: a field is missing or of another type`,
    line,
  };
}

function isCells(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
