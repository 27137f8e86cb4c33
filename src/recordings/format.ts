// What a format recordings come in has to say of itself. Each translator's file has one, named FORMAT: detect.ts holds
// them all, and a client that guesses the format loads one file alone.

import type { Translator } from "./translator.ts";

/** A format recordings come in. */
export interface RecordingFormat {
  /** As `--format` takes it. */
  readonly name: string;
  /** What it is, for people. */
  readonly label: string;
  /** True when a JSON value can only be a record of this format. */
  isRecord(value: unknown): boolean;
  create(options?: FormatOptions): Translator;
}

/** How a recording is to be told. Formats without branches need not look at it. */
export interface FormatOptions {
  /** Which branch to show: "all" of them, or the one with that entry in it; the newest without. */
  readonly branch?: string | undefined;
}
