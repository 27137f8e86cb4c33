// A recording whose tail is shown while the whole is read from its beginning: the whole grows in a transcript of its
// own and then takes the tail's place, under the reader's eyes: who follows goes on following, who scrolled away keeps
// the text that was being read. In the end nothing differs from a recording that was read in order.

import { syncLayout } from "../layout/layout.ts";
import { follow } from "../layout/viewport.ts";
import type { Block, BlockId, Transcript } from "../transcript/block.ts";
import { countIn } from "../transcript/counts.ts";
import type { ParsedEvent } from "../transcript/event.ts";
import { applyParsed, createTranscript, noteProblem, takeChanges } from "../transcript/reduce.ts";
import type { Input } from "./effect.ts";
import { applyLayoutSettings, type FileProblem, noteFileProblem, type State } from "./state.ts";

/** What has been read of the whole, out of sight. */
export interface Reading {
  readonly whole: Transcript;
  readonly fileProblems: FileProblem[];
  readonly ignored: Map<string, number>;
  /** What the client itself said meanwhile. */
  readonly notices: ParsedEvent[];
  /** How much of the bytes, from 0 to 1. */
  share: number;
}

/** What a recording's reading gives. */
export type ReadInput = Extract<Input, { kind: "events" | "file_problem" | "ignored" }>;

/** What is shown so far is the tail only: the whole recording follows, from its beginning. */
export function beginWhole(state: State): void {
  // What the tail has counted will be counted again.
  state.fileProblems.length = 0;
  state.ignored.clear();
  state.reading = { whole: createTranscript(), fileProblems: [], ignored: new Map(), notices: [], share: 0 };
}

/** Another recording has taken the place of the one that was read. */
export function restartRecording(state: State): void {
  state.reading = null;
  state.transcript = createTranscript();
  state.fileProblems.length = 0;
  state.ignored.clear();
  state.overrides.clear();
  state.selected = null;
  state.clearedThrough = null;
  syncLayout(state.layout, state.transcript, { rebuilt: true, prepended: 0, touched: new Set() });
  follow(state.layout, state.viewport);
  applyLayoutSettings(state);
}

/** Reads on, out of sight. */
export function readWhole(reading: Reading, input: ReadInput): void {
  switch (input.kind) {
    case "events":
      for (const parsed of input.parsed) applyParsed(reading.whole, parsed);
      return;
    case "file_problem":
      noteFileProblem(reading.fileProblems, input.problem);
      noteProblem(reading.whole, input.problem);
      return;
    case "ignored":
      countIn(reading.ignored, input.what);
  }
}

/** The whole takes the tail's place. `moveFindTo` takes an open search along. */
export function showWhole(
  state: State,
  moveFindTo: typeof import("./find.ts").moveFindTo | null,
): void {
  const { reading, transcript: tail, layout, viewport } = state;
  if (reading === null) return;
  const { whole } = reading;
  for (const parsed of reading.notices) applyParsed(whole, parsed);
  state.reading = null;
  state.transcript = whole;
  for (const problem of reading.fileProblems) noteFileProblem(state.fileProblems, problem);
  for (const [what, count] of reading.ignored) countIn(state.ignored, what, count);

  const placeOf = (id: BlockId) => placeInWhole(tail.blocks, whole.blocks, id);
  const held = [...layout.held].map(([id, look]) => [placeOf(id), look] as const);
  const overrides = [...state.overrides].map(([id, fold]) => [placeOf(id), fold] as const);
  takeChanges(whole);
  syncLayout(layout, whole, { rebuilt: true, prepended: 0, touched: new Set() });
  for (const [block, look] of held) if (block !== null) layout.held.set(block.id, look);
  state.overrides.clear();
  for (const [block, fold] of overrides) if (block !== null) state.overrides.set(block.id, fold);
  if (state.selected !== null) state.selected = placeOf(state.selected)?.id ?? null;
  if (state.clearedThrough !== null) state.clearedThrough = placeOf(state.clearedThrough)?.id ?? null;
  if (viewport.anchor !== null) {
    const block = placeOf(viewport.anchor.block);
    viewport.anchor = block === null ? null : { ...viewport.anchor, block: block.id };
  }
  if (viewport.leftAt !== null) {
    const block = placeOf(viewport.leftAt.block);
    viewport.leftAt = block === null ? null : { block: block.id, version: block.version };
  }
  applyLayoutSettings(state);
  moveFindTo?.(state, placeOf);
}

/** The block of the whole that a block of its tail is: both end alike, so it is looked for from the end. */
function placeInWhole(tail: readonly Block[], whole: readonly Block[], id: BlockId): Block | null {
  const index = tail.findIndex((block) => block.id >= id);
  const block = tail[index];
  if (block === undefined) return whole.at(-1) ?? null;
  const expected = whole.length - (tail.length - index);
  const isSame = (at: number) => {
    const candidate = whole[at];
    return candidate !== undefined && candidate.kind === block.kind && mark(candidate) === mark(block);
  };
  for (let away = 0; away <= whole.length; away++) {
    for (const at of [expected + away, expected - away]) if (isSame(at)) return whole[at] ?? null;
  }
  return whole[Math.min(Math.max(0, expected), whole.length - 1)] ?? null;
}

/** What a block is known by, apart from its place: ids may be counted from where the reading began. */
function mark(block: Block): string {
  switch (block.kind) {
    case "user_message":
    case "assistant_text":
    case "reasoning":
      return block.text;
    case "notification":
      return block.message;
    case "tool_call":
      return block.calls.map((call) => `${call.name} ${call.args.chunks[0] ?? ""}`).join("\n");
    default:
      return "";
  }
}
