// Whole sessions through the client: recordings of every format with damage in them, and arbitrary events. Nothing
// throws, no renderer fails, whatever is drawn is ours, and attaching again shows the same.

import assert from "node:assert/strict";
import fc from "fast-check";
import { createFeed } from "../../src/app/files.ts";
import { FORMATS } from "../../src/recordings/detect.ts";
import { EVENT_SCHEMAS, type EventName, parseEvent } from "../../src/transcript/event.ts";
import type { NotificationBlock, Transcript } from "../../src/transcript/block.ts";
import { applyParsed, createTranscript } from "../../src/transcript/reduce.ts";
import { historyOf } from "../../src/transcript/snapshot.ts";
import { plainTranscript } from "../../src/transcript/transcript_test_helper.ts";
import { framePicture } from "../../src/screen/snapshot.ts";
import { fillSchema } from "../escape/fill_schema.ts";
import { foreignOutput } from "../escape/output_grammar.ts";
import { createPlayer, feedBytes, give, type Player, press, resize, show } from "../golden/player.ts";
import { anyJson, type Fuzzer, hostileText, splitBytes, wordOrText } from "./fuzzer.ts";

const TESTDATA = new URL("../../testdata/", import.meta.url);

interface Sample {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Lines kept of a sample: its beginning, where its kinds of records are. */
const LINES_AT_MOST = 300;

const samples = readSamples();
/** Names and short texts that the samples use, for values that get past the first question. */
const words = harvest(samples);

function readSamples(): Sample[] {
  const found: Sample[] = [];
  for (const entry of Deno.readDirSync(TESTDATA)) {
    if (!entry.isDirectory || entry.name === "fuzz") continue;
    for (const file of Deno.readDirSync(new URL(`${entry.name}/`, TESTDATA))) {
      if (!/\.jsonl?$/.test(file.name) || file.name === "case.json") continue;
      const text = Deno.readTextFileSync(new URL(`${entry.name}/${file.name}`, TESTDATA));
      const lines = text.split("\n").filter((line) => line !== "").slice(0, LINES_AT_MOST);
      found.push({ name: `${entry.name}/${file.name}`, lines });
    }
  }
  return found.sort((a, b) => a.name < b.name ? -1 : 1);
}

function harvest(all: readonly Sample[]): string[] {
  const seen = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value === "string") {
      if (value.length <= 30) seen.add(value);
    } else if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (key.length <= 30) seen.add(key);
        walk(inner);
      }
    }
  };
  for (const { lines } of all) for (const line of lines) walk(parsed(line));
  return [...seen].sort();
}

type Change =
  | { readonly kind: "drop" | "double" | "cut" | "swap"; readonly line: number; readonly at: number }
  | {
    readonly kind: "replace" | "insert";
    readonly line: number;
    readonly at: number;
    readonly value: unknown;
  };

interface DamagedRecording {
  readonly sample: string;
  readonly format: string | null;
  readonly start: number;
  readonly changes: readonly Change[];
  readonly cuts: readonly number[];
  readonly end: string;
}

const json = anyJson(words);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constantFrom("drop", "double", "cut", "swap"), line: fc.nat(), at: fc.nat() }),
  fc.record({ kind: fc.constantFrom("replace", "insert"), line: fc.nat(), at: fc.nat(), value: json }),
  fc.record({ kind: fc.constant("replace" as const), line: fc.nat(), at: fc.nat(), value: json }),
);

export const RECORDINGS: Fuzzer<DamagedRecording> = {
  name: "recordings",
  label:
    "invariant 2: recordings of every format, damaged, tell the same however their bytes are cut; nothing throws",
  gateRuns: 60,
  values: fc.record({
    sample: fc.constantFrom(...samples.map((sample) => sample.name)),
    format: fc.option(fc.constantFrom(...FORMATS.map((format) => format.name)), { freq: 2, nil: null }),
    start: fc.nat(),
    changes: fc.array(change, { maxLength: 12 }),
    cuts: fc.array(fc.nat({ max: 3000 }), { maxLength: 20 }),
    end: fc.constantFrom("\n", "", "{", "\0"),
  }),
  check({ sample, format, start, changes, cuts, end }) {
    const lines = damaged(samples.find((one) => one.name === sample)?.lines ?? [], start, changes);
    const bytes = new TextEncoder().encode(lines.join("\n") + end);
    const startMs = performance.now();
    const whole = play([bytes], format);
    const pieces = play(splitBytes(bytes, cuts), format);
    assert.deepEqual(plainTranscript(pieces.state.transcript), plainTranscript(whole.state.transcript));
    look(whole);
    assert.ok(performance.now() - startMs < 10_000, `it took ${performance.now() - startMs} ms`);
  },
};

/** A stretch of the sample with the changes made to it. */
function damaged(original: readonly string[], start: number, changes: readonly Change[]): string[] {
  const from = original.length > 60 ? start % (original.length - 40) : 0;
  const lines = [...original.slice(from === 0 ? 0 : Math.max(0, from - 1), from + 120)];
  for (const one of changes) {
    if (lines.length === 0) break;
    const line = one.line % lines.length;
    const text = lines[line] ?? "";
    switch (one.kind) {
      case "drop":
        lines.splice(line, 1);
        break;
      case "double":
        lines.splice(one.at % (lines.length + 1), 0, text);
        break;
      case "cut":
        lines[line] = text.slice(0, one.at % (text.length + 1));
        break;
      case "swap":
        lines[line] = lines[one.at % lines.length] ?? "";
        lines[one.at % lines.length] = text;
        break;
      case "insert":
        lines.splice(line, 0, JSON.stringify(one.value) ?? "null");
        break;
      case "replace":
        lines[line] = JSON.stringify(replaced(parsed(text), one.at, one.value)) ?? "null";
        break;
    }
  }
  return lines;
}

/** The value with the `at`-th of its parts, counted depth first, replaced. */
function replaced(value: unknown, at: number, by: unknown): unknown {
  const count = partCount(value);
  let left = at % count;
  const walk = (part: unknown): unknown => {
    if (left-- === 0) return by;
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(value);
}

function partCount(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return 1 + Object.values(value).reduce((sum: number, part) => sum + partCount(part), 0);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

function play(pieces: readonly Uint8Array[], format: string | null): Player {
  const player = createPlayer({ width: 70, height: 30, fold: "normal" }, {
    recording: true,
    terminals: false,
  });
  Object.assign(player, { feed: createFeed(format) });
  for (const piece of pieces) feedBytes(player, piece, false);
  feedBytes(player, new Uint8Array(0), true);
  return player;
}

/** Draws in every fold mode, from the end and from the start. */
function look(player: Player): void {
  for (const keys of ["", "<F2>", "<C-Home>", "<F2>", "<PageDown>", "<F2>", "<C-End>"]) {
    if (keys !== "") press(player, [{ kind: "key", key: KEYS[keys] as never }]);
    frame(player);
  }
  resize(player, 9, 7);
  frame(player);
}

const named = (name: string, ctrl = false) => ({ name, ctrl, alt: false, shift: false });
const KEYS: Readonly<Record<string, unknown>> = {
  "<F2>": named("F2"),
  "<C-Home>": named("Home", true),
  "<C-End>": named("End", true),
  "<PageDown>": named("PageDown"),
};

function frame(player: Player): void {
  show(player, "fuzz");
  assert.deepEqual(foreignOutput(player.written), []);
  const fault = framePicture(player.frame).rows.find((row) => row.includes("Cannot draw this block"));
  assert.equal(fault, undefined);
}

interface AnyEvents {
  readonly events: readonly unknown[];
  readonly fold: "detail" | "normal" | "overview";
}

const IDS = ["1", "2", "3", ""];
const EVENT_NAMES = Object.keys(EVENT_SCHEMAS) as EventName[];
const FREQUENT: readonly EventName[] = [
  "tool_call_start",
  "tool_call_done",
  "tool_result",
  "text_delta",
  "turn_end",
  "turn_start",
  "user_message",
];
const text = wordOrText([
  "Read",
  "Edit",
  "Write",
  "Bash",
  "a.ts",
  "one",
  "two\n",
  "one\ntwo\nthree\n",
  '{"file_path":"a.ts"}',
  '{"file_path":"a.ts","old_string":"two","new_string":"2"}',
  '{"file_path":"a.ts","content":"one\\ntwo\\n"}',
  "apply_patch",
  "*** Begin Patch",
]);

/** An event with fields of its schema, some of them replaced by anything. */
const event: fc.Arbitrary<unknown> = fc.record({
  name: fc.oneof(fc.constantFrom(...FREQUENT), fc.constantFrom(...EVENT_NAMES)),
  texts: fc.array(text, { minLength: 4, maxLength: 4 }),
  ids: fc.array(fc.constantFrom(...IDS), { minLength: 3, maxLength: 3 }),
  choice: fc.nat({ max: 8 }),
  hasParent: fc.nat({ max: 6 }),
  number: fc.constantFrom(1, 2, 3, 0, -1, 1e15, null),
  other: fc.option(
    fc.tuple(
      fc.nat({ max: 30 }),
      anyJson([
        "text",
        "id",
        "name",
        "type",
        "message",
        "tool_call",
        "tool_result",
        "user",
        "assistant",
        "role",
        "content",
      ]),
    ),
    { freq: 8 },
  ),
  seq: fc.option(fc.nat({ max: 40 }), { freq: 20 }),
}).map(({ name, texts, ids, choice, hasParent, number, other, seq }) => {
  let count = 0;
  const data = fillSchema(EVENT_SCHEMAS[name], {
    choice,
    text: (path) => {
      if (path.endsWith("parent_id")) return hasParent === 0 ? ids[2] ?? "" : (undefined as never);
      if (/(?:^|\.)(?:id|batch_id|message_id|call_id|tool_call_id)$/.test(path)) {
        return ids[count++ % 2] ?? "";
      }
      return texts[count++ % texts.length] ?? "";
    },
    // A part of a session is not told again as the whole of it.
    number: (path) => path.endsWith("more_before") ? null : number,
    unknown: (path) =>
      path.endsWith("items") || path.endsWith("in_flight") || path.endsWith("body") ? [] : undefined,
  });
  const changed = other === null ? data : replaced(data, other[0], other[1]);
  return { event: name, data: changed, ...(seq === null ? {} : { seq }) };
});

export const EVENTS: Fuzzer<AnyEvents> = {
  name: "events",
  label:
    "arbitrary events: reduce never throws, a turn's end closes all calls, attaching again shows the same",
  gateRuns: 100,
  values: fc.record({
    events: fc.array(event, { maxLength: 30 }),
    fold: fc.constantFrom("detail", "normal", "overview"),
  }),
  check({ events, fold }) {
    const player = createPlayer({ width: 60, height: 40, fold }, { recording: false, terminals: false });
    for (const one of events) {
      give(player, { kind: "events", parsed: [parseEvent(JSON.parse(JSON.stringify(one)))] });
      frame(player);
    }
    give(player, {
      kind: "events",
      parsed: [parseEvent({ event: "turn_end", data: { result: "finished" } })],
    });
    for (const block of player.state.transcript.blocks) {
      if (block.kind !== "tool_call") continue;
      for (const call of block.calls) {
        assert.ok(["done", "error", "incomplete"].includes(call.stage), `${call.id} is ${call.stage}`);
      }
    }
    look(player);
    // Gaps are told to who saw them, and nobody attaches to what is shut down.
    if (events.some((one) => ["seq", "shutdown"].some((word) => JSON.stringify(one).includes(`"${word}"`)))) {
      return;
    }
    const attached = createTranscript();
    const data = JSON.parse(JSON.stringify(historyOf(player.state.transcript)));
    applyParsed(attached, parseEvent({ event: "history", data }));
    // What this client could not read, or missed, is its own to tell.
    const seen = (transcript: Transcript) =>
      (plainTranscript(transcript) as { readonly blocks: readonly Partial<NotificationBlock>[] }).blocks
        .filter((block) =>
          block.kind !== "notification" || !/^(?:Skipped|Repaired|Events? \w+) /.test(block.message ?? "")
        );
    assert.deepEqual(seen(attached), seen(player.state.transcript));
  },
};

interface AnyText {
  readonly text: string;
  readonly piece: string;
  readonly keys: readonly number[];
}

/** Typing, pasting and moving in the draft, drawn after each step: what is sent is what a plain string would hold. */
export const DRAFTS: Fuzzer<AnyText> = {
  name: "drafts",
  label: "the draft: any text pasted and edited is drawn safely, and undo brings it back",
  gateRuns: 60,
  values: fc.record({
    text: hostileText({ maxLength: 40 }),
    piece: hostileText({ maxLength: 6 }),
    keys: fc.array(fc.nat({ max: DRAFT_KEYS().length - 1 }), { maxLength: 20 }),
  }),
  check({ text: pasted, piece, keys }) {
    const player = createPlayer({ width: 24, height: 12, fold: "normal" }, {
      recording: false,
      terminals: false,
    });
    give(player, { kind: "edited", text: pasted, what: null });
    for (const index of keys) {
      const key = DRAFT_KEYS()[index];
      if (key === undefined) give(player, { kind: "paste", text: piece, cut: false, endedBy: "marker" });
      else press(player, [{ kind: "key", key: key as never }]);
      frame(player);
      const { cursor } = player.frame;
      assert.ok(cursor === null || cursor.column < player.frame.width && cursor.row < player.frame.height);
    }
  },
};

function DRAFT_KEYS(): readonly unknown[] {
  return [
    undefined,
    ...["Left", "Right", "Up", "Down", "Home", "End", "Backspace", "Delete", "Tab"].map((name) =>
      named(name)
    ),
    ...["w", "k", "u", "y", "_", "a", "e"].map((name) => named(name, true)),
    { ...named("a"), text: "a" },
    { ...named("日"), text: "日" },
    { ...named("Left"), shift: true },
    { ...named("Right"), ctrl: true },
    { ...named("Enter"), shift: true },
  ];
}
