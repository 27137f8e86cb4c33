// Bytes of a recording to inputs of the client, however the bytes are cut. Which format it has is the caller's to
// find out; what its records mean is the translator's.

import { parseKeyScript } from "../../input/key_script.ts";
import { createRecordReader, type DocumentRecord } from "../../recordings/json_document.ts";
import { firstMessages, type SessionDocument } from "../../recordings/session_document.ts";
import type { FormatOptions } from "../../recordings/format.ts";
import type { RecordingStep, Translator } from "../../recordings/translator.ts";
import type { ParsedEvent } from "../../transcript/event.ts";
import type { Input } from "../effect.ts";

/** Turns a recording's bytes into inputs of the client. */
export interface Feed {
  push(bytes: Uint8Array): readonly Input[];
  end(): readonly Input[];
  /**
   * The records of a whole recording, read already: told as the inputs are asked for, a message of a session at a
   * time. Whether their format is known is told at once. Instead of `push` and `end`.
   */
  tellAll(records: readonly DocumentRecord[]): Iterable<readonly Input[]>;
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
  /** Where a line of the stream really stands, where that is another place than its number says. */
  readonly placeOf?: (line: number) => LinePlace | null;
}

/** A line of one file of a recording; `file` is null for the session's own. */
export interface LinePlace {
  readonly file: string | null;
  readonly line: number;
}

/** A feed whose format `choose` tells: at once, or when enough records have been read. */
export function createFeedOf(choose: Choose, options: FeedOptions = {}): Feed {
  const reader = createRecordReader({ splits: true });
  let format: FoundFormat | null = null;
  let translator: Translator | null = null;
  let fault: string | null = null;
  /** Records read before the format was known. */
  const waiting: DocumentRecord[] = [];
  const values: unknown[] = [];
  decide(false);

  function decide(isEnd: boolean): void {
    const found = choose(values, isEnd);
    if (found?.kind === "problem") fault = `${found.what}${firstDamage()}`;
    else if (found !== null) {
      format = found.format;
      translator = format.create({ branch: options.branch });
      values.length = 0;
    }
  }
  /** Why there is nothing to tell a format from, where something was there and could not be read. */
  function firstDamage(): string {
    const [first] = waiting;
    return values.length > 0 || first?.kind !== "problem" ? "" : `; line ${first.line}: ${first.what}`;
  }
  /** Looks whether the format is known now, and gives what may be told of it. */
  function look(records: readonly DocumentRecord[], isEnd: boolean): readonly DocumentRecord[] {
    if (translator === null && fault === null) {
      const known = values.length;
      for (const record of records) {
        waiting.push(record);
        if (record.kind === "value") values.push(record.value);
        if (record.kind === "document") {
          values.push(sampleOf(record.document));
        }
      }
      const isHopeless = values.length === 0 && waiting.length > MOST_WITHOUT_VALUE;
      if (isEnd || isHopeless || values.length > known) decide(isEnd || isHopeless);
      records = translator === null ? [] : waiting.splice(0);
    }
    return records;
  }
  function* tell(records: readonly DocumentRecord[], isEnd: boolean): Generator<readonly Input[]> {
    if (translator === null) return;
    for (const inputs of toInputs(records, translator, isEnd)) {
      const shown = options.plays ? inputs : inputs.filter((input) => !PLAYED.has(input.kind));
      yield options.placeOf === undefined ? shown : shown.map((input) => placed(input, options.placeOf));
    }
  }
  const take = (records: readonly DocumentRecord[], isEnd: boolean): readonly Input[] => {
    const inputs: Input[] = [];
    for (const some of tell(look(records, isEnd), isEnd)) for (const one of some) inputs.push(one);
    return inputs;
  };
  function* told(records: readonly DocumentRecord[]): Generator<readonly Input[]> {
    yield* tell(records, true);
    yield [{ kind: "recording_end" }];
  }
  return {
    push: (bytes) => fault !== null ? [] : take(reader.feed(bytes), false),
    end: () =>
      fault !== null
        ? []
        : [...take(reader.end(), true), ...(fault === null ? [{ kind: "recording_end" } as const] : [])],
    tellAll: (records) => {
      const known = look(records, true);
      return fault !== null ? [] : told(known);
    },
    fault: () => fault,
    format: () => format,
  };
}

/** A problem with the place it really has: lines are counted in the session's own file, others say which. */
function placed(input: Input, placeOf: FeedOptions["placeOf"]): Input {
  if (input.kind !== "file_problem" || input.problem.line === null) return input;
  const { problem } = input;
  const place = problem.line === null ? null : placeOf?.(problem.line) ?? null;
  if (place === null) return input;
  return place.file === null ? { ...input, problem: { ...problem, line: place.line } } : {
    ...input,
    problem: { ...problem, line: null, what: `${place.file}, line ${place.line}: ${problem.what}` },
  };
}

const PLAYED: ReadonlySet<Input["kind"]> = new Set(["key", "paste", "resize"]);

/** A session's first messages tell its format. */
const MESSAGES_TOLD_FROM = 4;

/** A session in one value with its first messages, which tell its format. */
export function sampleOf(document: SessionDocument): object {
  return { ...document.head, messages: [...firstMessages(document, MESSAGES_TOLD_FROM)] };
}

/** After so many lines without one that is JSON no format is looked for any more. */
const MOST_WITHOUT_VALUE = 10_000;
/** Events in one input: few enough that a slice of reading can end between two. */
const EVENTS_AT_ONCE = 100;

/** Inputs of these records: all at once, but a session's a message at a time. */
function* toInputs(
  records: readonly DocumentRecord[],
  translator: Translator,
  isEnd: boolean,
): Generator<readonly Input[]> {
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
    } else if (record.kind === "value") {
      for (const step of translator.push(record.value, record.line)) takeStep(step);
    } else {
      for (const steps of documentSteps(record, translator)) {
        for (const step of steps) takeStep(step);
        flush();
        if (inputs.length > 0) yield inputs.splice(0);
      }
    }
  }
  if (isEnd) { for (const step of translator.end()) takeStep(step); }
  flush();
  yield inputs;
}

/** A session's steps, message by message where its format can be told so. */
function documentSteps(
  { document, line }: Extract<DocumentRecord, { kind: "document" }>,
  translator: Translator,
): Iterable<readonly RecordingStep[]> {
  if (translator.pushDocument !== undefined) return translator.pushDocument(document, line);
  try {
    return [translator.push(document.whole(), line)];
  } catch {
    return [[{ kind: "problem", what: "the JSON value is broken", line }]];
  }
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
