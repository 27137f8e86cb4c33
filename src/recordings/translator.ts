// The one contract of all recording formats: JSON values in, steps out. A translator keeps its own state, never
// throws, does no I/O and accounts for every value it is given: it becomes a step, or is "ignored" with a reason.
// Reading bytes is source.ts, cutting them into values json_lines.ts, choosing a translator detect.ts.

import type { ParsedEvent } from "../transcript/event.ts";
import type { Method } from "../transcript/method.ts";
import type { SessionDocument } from "./session_document.ts";

/** What one value of a recording gives. `line` is where it stood, counted from 1. */
export type RecordingStep =
  /** Something the agent said, in our vocabulary; an unknown name or a broken payload is kept as such, to be counted. */
  | { readonly kind: "event"; readonly parsed: ParsedEvent; readonly line: number }
  /** Something the client asked of the agent (an interleaved `"dir":"out"` line). */
  | { readonly kind: "method"; readonly method: Method; readonly line: number }
  /** What the person did: recorded by --record, replayed by print. */
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "size"; readonly columns: number; readonly rows: number }
  /** Known and deliberately not shown; `what` is a short name, for counting. */
  | { readonly kind: "ignored"; readonly what: string; readonly line: number }
  /** A fault in the data: the action, the value, the wish. */
  | { readonly kind: "problem"; readonly what: string; readonly line: number };

/** Turns the values of one recording into steps, in order. */
export interface Translator {
  /** Steps of one JSON value; `line` counts from 1. */
  push(value: unknown, line: number): readonly RecordingStep[];
  /**
   * A whole session's steps, told as they are asked for, a message or less at a time: all together what `push` gives
   * for it as one value. Nothing else may be pushed before it is told. Formats without such sessions leave it out.
   */
  pushDocument?(document: SessionDocument, line: number): Iterable<readonly RecordingStep[]>;
  /** Steps owed when the file ends (a turn or text still open). The translator is not used afterwards. */
  end(): readonly RecordingStep[];
}

/** Makes a fresh translator of one format. */
export type TranslatorFactory = () => Translator;
