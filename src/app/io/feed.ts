// Bytes of a recording to inputs of the client, however the bytes are cut. Which format it has is the caller's to
// find out; what its records mean is the translator's.

import { parseKeyScript } from "../../input/key_script.ts";
import { createRecordReader } from "../../recordings/json_document.ts";
import type { Record as FileRecord } from "../../recordings/json_lines.ts";
import type { FormatOptions } from "../../recordings/detect.ts";
import type { RecordingStep, Translator } from "../../recordings/translator.ts";
import type { ParsedEvent } from "../../transcript/event.ts";
import type { Input } from "../effect.ts";

/** Turns a recording's bytes into inputs of the client. */
export interface Feed {
  push(bytes: Uint8Array): readonly Input[];
  end(): readonly Input[];
  /** Why nothing of it can be shown; null while all is well. */
  fault(): string | null;
  /** Null until it is known. */
  format(): FoundFormat | null;
}

/** What is wanted of a format. */
export interface FoundFormat {
  create(options?: FormatOptions): Translator;
}

/** A format that was found, or why there is none. */
export type Found =
  | { readonly kind: "format"; readonly format: FoundFormat }
  | { readonly kind: "problem"; readonly what: string };

/** Tells the format from the first good records; null: more of them are needed. At the end it must tell. */
export type Choose = (values: readonly unknown[], isEnd: boolean) => Found | null;

export interface FeedOptions extends FormatOptions {
  /** Keys, pastes and sizes that the recording holds are played; else only what the agent said is shown. */
  readonly plays?: boolean;
}

/** A feed whose format `choose` tells: at once, or when enough records have been read. */
export function createFeedOf(choose: Choose, options: FeedOptions = {}): Feed {
  const reader = createRecordReader();
  let format: FoundFormat | null = null;
  let translator: Translator | null = null;
  let fault: string | null = null;
  /** Records read before the format was known. */
  const waiting: FileRecord[] = [];
  const values: unknown[] = [];
  decide(false);

  function decide(isEnd: boolean): void {
    const found = choose(values, isEnd);
    if (found?.kind === "problem") fault = found.what;
    else if (found !== null) {
      format = found.format;
      translator = format.create({ branch: options.branch });
    }
  }
  function take(records: readonly FileRecord[], isEnd: boolean): Input[] {
    if (translator === null && fault === null) {
      const known = values.length;
      for (const record of records) {
        waiting.push(record);
        if (record.kind === "value") values.push(record.value);
      }
      const isHopeless = values.length === 0 && waiting.length > MOST_WITHOUT_VALUE;
      if (isEnd || isHopeless || values.length > known) decide(isEnd || isHopeless);
      records = translator === null ? [] : waiting.splice(0);
    }
    if (translator === null) return [];
    const inputs = toInputs(records, translator, isEnd);
    return options.plays ? inputs : inputs.filter((input) => !PLAYED.has(input.kind));
  }
  return {
    push: (bytes) => fault !== null ? [] : take(reader.feed(bytes), false),
    end: () =>
      fault !== null
        ? []
        : [...take(reader.end(), true), ...(fault === null ? [{ kind: "recording_end" } as const] : [])],
    fault: () => fault,
    format: () => format,
  };
}

const PLAYED: ReadonlySet<Input["kind"]> = new Set(["key", "paste", "resize"]);

/** After so many lines without one that is JSON no format is looked for any more. */
const MOST_WITHOUT_VALUE = 10_000;
/** Events in one input: few enough that a slice of reading can end between two. */
const EVENTS_AT_ONCE = 100;

function toInputs(records: readonly FileRecord[], translator: Translator, isEnd: boolean): Input[] {
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
    for (const one of stepInputs(step)) inputs.push(one);
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
    case "key": {
      const script = parseKeyScript(step.key);
      if (script.kind === "problem") {
        return [{ kind: "file_problem", problem: { line: null, what: script.what } }];
      }
      return script.steps.flatMap((one) => one.kind === "key" ? [{ kind: "key", key: one.key }] : []);
    }
    case "method":
      return [];
  }
}
