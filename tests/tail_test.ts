// Recordings opened at their end: what is shown first costs what the end costs, the reader's place is kept when the
// whole takes the tail's place, and in the end nothing differs from a recording that was read in order.

import assert from "node:assert/strict";
import { createFeedOf, type FoundFormat } from "../src/app/io/feed.ts";
import { chooseFormat, loadLibraries } from "../src/app/files.ts";
import { openTail, SHORT_RECORDING } from "../src/app/io/tail.ts";
import { transcriptHeight } from "../src/app/update.ts";
import { FORMATS } from "../src/recordings/detect.ts";
import type { State } from "../src/app/state.ts";
import { drawFrame } from "../src/app/draw.ts";
import { createFrame } from "../src/screen/frame.ts";
import { update } from "../src/app/update.ts";
import { eventLines } from "./bench/generate.ts";
import { createClient, give, picture, press, rowTexts, stateText } from "./recording_client.ts";

await loadLibraries();

const TESTDATA = new URL("../testdata/", import.meta.url);
const PIECE = 1000;

interface Recording {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly format: FoundFormat;
}

/** All recordings of testdata that have a format, and which formats they are. */
const recordings = readRecordings();

Deno.test("every format has a recording here to be opened at its end", () => {
  const seen = new Set(recordings.map((recording) => recording.format));
  const missing = FORMATS.filter((format) => !seen.has(format)).map((format) => format.name);
  assert.deepEqual(missing, []);
});

Deno.test("a recording opened at its end comes to what reading it in order gives, in every format", () => {
  for (const recording of recordings) {
    const plain = readInOrder(recording);
    for (const share of [0.1, 0.35, 0.6, 0.9]) {
      const state = openAtEnd(recording, Math.ceil(recording.bytes.length * share), []);
      assert.deepEqual(stateText(state), stateText(plain), `${recording.name}, ${share} of it first`);
    }
  }
});

Deno.test("scrolled, folded and selected meanwhile: the end of it is still the same", () => {
  const keys = ["<PageUp>", "<S-Up>", "<F6>", "<Up>", "<Space>", "<PageUp>", "<Esc>"];
  for (const recording of recordings) {
    const plain = readInOrder(recording);
    const state = openAtEnd(recording, Math.ceil(recording.bytes.length * 0.6), keys);
    // A new fold mode forgets the folds of single blocks.
    for (const one of [plain, state]) {
      for (const key of ["<F2>", "<F2>", "<F2>", "<C-End>"]) press(one, key);
      // The hints are over.
      update(one, { kind: "tick" }, 5000);
    }
    assert.deepEqual(stateText(state), stateText(plain), recording.name);
  }
});

Deno.test("who scrolled up in the tail reads the same rows when the whole has come", () => {
  const bytes = new TextEncoder().encode(eventLines(3000));
  const format = formatOf(bytes);
  const state = createClient("detail");
  give(state, openTail(lastOf(bytes), { format, hasTurnNumbers: true, rows: 24, fold: "detail" }) ?? []);
  for (let at = 0; at < 4; at++) press(state, "<PageUp>");
  press(state, "<S-Up>");
  give(state, [{ kind: "whole_begins" }]);
  const feed = createFeedOf(() => ({ kind: "format", format }));
  const before = rowTexts(state);
  assert.equal(before.length, transcriptHeight(state));
  for (let at = 0; at < bytes.length; at += PIECE) {
    give(state, feed.push(bytes.subarray(at, at + PIECE)));
    give(state, [{ kind: "progress", share: at / bytes.length }]);
    assert.deepEqual(rowTexts(state), before);
  }
  const blocks = state.transcript.blocks.length;
  give(state, feed.end());
  assert.ok(state.transcript.blocks.length > blocks, "the whole is more than the tail");
  assert.deepEqual(rowTexts(state), before);
  press(state, "<S-Up>");
  assert.deepEqual(rowTexts(state).slice(1), before.slice(0, -1));
});

Deno.test("the status row says how much has been read, and no sums of a part", () => {
  const bytes = new TextEncoder().encode(eventLines(3000));
  const state = createClient("normal");
  const options = { format: formatOf(bytes), hasTurnNumbers: true, rows: 24, fold: "normal" } as const;
  give(state, openTail(lastOf(bytes), options) ?? []);
  give(state, [{ kind: "whole_begins" }, { kind: "progress", share: 0.379 }]);
  assert.match(picture(state), /reading 37% {2}normal\s*$/m);
  give(state, [{ kind: "recording_end" }]);
  assert.doesNotMatch(picture(state), /reading/);
});

Deno.test("S1 the first frame of a recording costs what its end costs, however long it is", () => {
  const costs = [3000, 100_000].map((rows) => {
    const bytes = new TextEncoder().encode(eventLines(rows));
    assert.ok(bytes.length > SHORT_RECORDING);
    let read = 0;
    const state = createClient("detail", 120, 40);
    const inputs = openTail((length) => {
      read += length;
      return lastOf(bytes)(length);
    }, { format: formatOf(bytes), hasTurnNumbers: true, rows: 40, fold: "detail" });
    give(state, inputs ?? []);
    drawFrame(state, createFrame(120, 40));
    const { work, blocks } = state.layout;
    return { read, events: state.transcript.counts.events, blocks: blocks.length, work: work.blocks };
  });
  const [short, long] = costs;
  assert.deepEqual(long, short);
  assert.equal(long?.read, 1 << 16);
  assert.ok((long?.work ?? Infinity) <= 12, `${long?.work} blocks laid out`);
});

Deno.test("a tail that does not fill the screen is read longer, and given up where no turn begins in it", () => {
  const format = formatOf(new TextEncoder().encode(eventLines(100)));
  const event = (name: string, data: object) => JSON.stringify({ event: name, data }) + "\n";
  const long = event("turn_start", { turn: 1 }) +
    event("text_delta", { text: "word ".repeat(10) }).repeat(5000);
  const asked: number[] = [];
  const open = (text: string) => {
    const bytes = new TextEncoder().encode(event("hello", {}) + text);
    asked.length = 0;
    const read = (length: number) => {
      asked.push(length);
      return lastOf(bytes)(length);
    };
    return openTail(read, { format, hasTurnNumbers: true, rows: 40, fold: "detail" });
  };
  assert.notEqual(open(long), null);
  assert.deepEqual(asked, [1 << 16, 1 << 18, 1 << 20]);
  assert.equal(open(event("text_delta", { text: "word ".repeat(10) }).repeat(200_000)), null);
  assert.equal(asked.length, 4);
  assert.equal(open(`${"x".repeat(1 << 23)}`), null);
  assert.equal(openTail(() => null, { format, hasTurnNumbers: true, rows: 40, fold: "detail" }), null);
});

function openAtEnd(recording: Recording, length: number, keys: readonly string[]): State {
  const { bytes, format } = recording;
  const state = createClient("normal");
  const options = { format, hasTurnNumbers: false, rows: 24, fold: "normal" } as const;
  give(state, openTail((wanted) => lastOf(bytes)(Math.min(length, wanted)), options) ?? []);
  give(state, [{ kind: "whole_begins" }]);
  const feed = createFeedOf(() => ({ kind: "format", format }));
  const middle = Math.floor(bytes.length / 2);
  give(state, feed.push(bytes.subarray(0, middle)));
  if (state.transcript.blocks.length > 0) { for (const key of keys) press(state, key); }
  for (let at = middle; at < bytes.length; at += PIECE) {
    give(state, feed.push(bytes.subarray(at, Math.min(bytes.length, at + PIECE))));
  }
  give(state, feed.end());
  return state;
}

function readInOrder({ bytes, format }: Recording): State {
  const state = createClient("normal");
  const feed = createFeedOf(() => ({ kind: "format", format }));
  give(state, feed.push(bytes));
  give(state, feed.end());
  return state;
}

function lastOf(bytes: Uint8Array): (length: number) => Uint8Array {
  return (length) => bytes.subarray(Math.max(0, bytes.length - length));
}

function formatOf(bytes: Uint8Array): FoundFormat {
  const feed = createFeedOf(chooseFormat(null));
  feed.push(bytes);
  feed.end();
  const format = feed.format();
  assert.ok(format !== null, feed.fault() ?? "");
  return format;
}

function readRecordings(): readonly Recording[] {
  const found: Recording[] = [];
  for (const folder of Deno.readDirSync(TESTDATA)) {
    const path = new URL(`${folder.name}/events.jsonl`, TESTDATA);
    let bytes: Uint8Array;
    try {
      bytes = Deno.readFileSync(path);
    } catch {
      continue;
    }
    if (bytes.length > 0) found.push({ name: folder.name, bytes, format: formatOf(bytes) });
  }
  return found;
}
