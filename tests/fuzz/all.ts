// All fuzzers, by name.

import type { Fuzzer } from "./fuzzer.ts";
import { ANY_KEYS, KNOWN_KEYS } from "./keys.ts";
import { LINES } from "./lines.ts";
import { DRAFTS, EVENTS, RECORDINGS } from "./sessions.ts";
import { ACP_OUT, CONFIG, SCRIPTS } from "./small.ts";
import { MARKDOWN, OUTSIDE } from "./text.ts";

// deno-lint-ignore no-explicit-any
export const FUZZERS: readonly Fuzzer<any>[] = [
  KNOWN_KEYS,
  ANY_KEYS,
  LINES,
  RECORDINGS,
  EVENTS,
  OUTSIDE,
  MARKDOWN,
  DRAFTS,
  ACP_OUT,
  CONFIG,
  SCRIPTS,
];

export const CORPUS = new URL("../../testdata/fuzz/", import.meta.url);

/** A value that once broke something, and why it is kept. */
export interface KeptValue {
  readonly why: string;
  readonly value: unknown;
}

/** What is kept for a fuzzer, by file name. */
export function keptValues(name: string): (KeptValue & { readonly file: string })[] {
  const kept: (KeptValue & { readonly file: string })[] = [];
  for (const entry of Deno.readDirSync(CORPUS)) {
    if (!entry.name.startsWith(`${name}.`) || !entry.name.endsWith(".json")) continue;
    kept.push({ file: entry.name, ...JSON.parse(Deno.readTextFileSync(new URL(entry.name, CORPUS))) });
  }
  return kept.sort((a, b) => a.file < b.file ? -1 : 1);
}
