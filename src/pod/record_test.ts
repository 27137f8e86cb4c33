// What a pod writes: lines that read back the same, whatever the disk does; and what a client is sent, whatever a
// socket takes.

import assert from "node:assert/strict";
import { outline, streamEvents } from "../transcript/transcript_test_helper.ts";
import { createTranscript } from "../transcript/reduce.ts";
import type { Event } from "../transcript/event.ts";
import type { PodLog } from "./log.ts";
import { openLog } from "./log.ts";
import { Outbox } from "./outbox.ts";
import { until, withPlaces } from "./pod_test_helper.ts";
import { readSession, Recorder, type StoredSession } from "./record.ts";

const NOTHING: StoredSession = {
  transcript: createTranscript(),
  isBegun: false,
  problems: [],
  isTorn: false,
  lastSeq: 0,
  lastTurn: 0,
  usedModel: null,
  seenMessages: new Set(),
};

/** A log in memory that takes nothing while `isFull`. */
function memoryLog(): PodLog & { isFull: boolean; text(): string; syncs: number } {
  let waiting = "";
  let written = "";
  return {
    isFull: false,
    syncs: 0,
    text: () => written,
    readAll: () => [new TextEncoder().encode(written)],
    append(lines) {
      waiting += new TextDecoder().decode(lines);
      if (this.isFull) return "No space left on device";
      written += waiting;
      waiting = "";
      return null;
    },
    sync() {
      this.syncs++;
    },
    waitingBytes: () => waiting.length,
    isInPlace: () => true,
    close: () => {},
  };
}

function recorderOf(log: PodLog, faults: string[] = []): Recorder {
  const session = { ...NOTHING, transcript: createTranscript() };
  return new Recorder(log, session, { nowMs: () => 1000, onFault: (what) => faults.push(what) });
}

const delta = (text: string): Event => ({ event: "text_delta", data: { text, parent_id: null } });

Deno.test("synced when input is taken and when a turn ends, not for each delta", () => {
  const log = memoryLog();
  const recorder = recorderOf(log);
  recorder.add([{
    event: "user_message",
    data: { message_id: "m1", text: "go", kind: "run", parent_id: null },
  }]);
  assert.equal(log.syncs, 1);
  for (let count = 0; count < 100; count++) recorder.add([delta("x")]);
  assert.equal(log.syncs, 1);
  const data = {
    turn: 1,
    result: "finished",
    reason: null,
    message: null,
    requests: null,
    elapsed_ms: null,
  } as const;
  recorder.add([{ event: "turn_end", data }]);
  assert.equal(log.syncs, 2);
});

Deno.test("a full disk: told once, kept, and written in order when there is room", () => {
  const log = memoryLog();
  const faults: string[] = [];
  const recorder = recorderOf(log, faults);
  recorder.add([delta("a")]);
  log.isFull = true;
  recorder.add([delta("b")]);
  recorder.add([delta("c")]);
  assert.deepEqual(faults, ["No space left on device"]);
  assert.ok(log.waitingBytes() > 0);
  log.isFull = false;
  recorder.add([delta("d")]);
  const texts = log.text().trim().split("\n").map((line) => JSON.parse(line).data.text);
  assert.deepEqual(texts, ["a", "b", "c", "d"]);
});

Deno.test("the lines of every kind of event read back the same", async () => {
  await withPlaces(async (_places, root) => {
    const log = await openLog(`${root}/log`);
    assert.ok(log !== null);
    const recorder = recorderOf(log);
    for (const event of streamEvents("questions-and-state")) {
      if (event.event !== "hello" && event.event !== "history") recorder.add([event]);
    }
    const read = readSession(log);
    assert.deepEqual(outline(read.transcript), outline(recorder.transcript));
    assert.deepEqual([read.problems, read.isTorn], [[], false]);
    log.close();
  });
});

Deno.test("an event larger than a line keeps the head and tail of its texts", () => {
  const log = memoryLog();
  const recorder = recorderOf(log);
  const output = "head " + "x".repeat(40 << 20) + " tail";
  const data = { id: "c1", summary: "s", output, is_error: false, presentation: null, parent_id: null };
  recorder.add([{ event: "tool_result", data }]);
  const line = log.text();
  assert.ok(line.length < 32 << 20);
  const shown = JSON.parse(line).data.output as string;
  assert.ok(shown.startsWith("head ") && shown.endsWith(" tail") && /bytes left out/.test(shown));
});

Deno.test("outbox: partial writes, order, pages between history and what follows, and the end", async () => {
  const taken: number[] = [];
  const bytes: Uint8Array[] = [];
  let isGone = false;
  const outbox = new Outbox({
    read: () => Promise.resolve(null),
    write: async (given) => {
      await Promise.resolve();
      const count = Math.min(given.length, 1 + taken.length % 5);
      taken.push(count);
      bytes.push(given.slice(0, count));
      return count;
    },
    close: () => {},
  }, {
    limitBytes: 100,
    farewell: new Uint8Array(),
    onCutOff: () => assert.fail("not slow"),
    onGone: () => isGone = true,
  });
  const line = (text: string) => new TextEncoder().encode(text + "\n");
  outbox.push(line("hello"));
  outbox.pushHistory(line("history".repeat(50)), [line("page 1".repeat(50)), line("page 2")].values());
  outbox.push(line("live 1"));
  outbox.push(line("live 2"));
  await outbox.end();
  outbox.push(line("too late"));
  const text = bytes.map((part) => new TextDecoder().decode(part)).join("");
  const lines = text.trim().split("\n");
  assert.deepEqual(lines.map((one) => one.slice(0, 7).trim()), [
    "hello",
    "history",
    "page 1p",
    "page 2",
    "live 1",
    "live 2",
  ]);
  assert.ok(isGone);
});

Deno.test("outbox: a client that takes nothing is cut off in the middle of a line, and told on a line of its own", async () => {
  let release = Promise.withResolvers<void>();
  let text = "";
  const outbox = new Outbox({
    read: () => Promise.resolve(null),
    write: async (given) => {
      await release.promise;
      const count = Math.min(given.length, 10);
      text += new TextDecoder().decode(given.subarray(0, count));
      return count;
    },
    close: () => {},
  }, {
    limitBytes: 100,
    farewell: new TextEncoder().encode("too slow\n"),
    onCutOff: () => cutOff = true,
    onGone: () => isGone = true,
  });
  let cutOff = false;
  let isGone = false;
  const line = new TextEncoder().encode("0123456789abcdefghij\n");
  for (let count = 0; count < 20; count++) outbox.push(line);
  assert.ok(cutOff);
  assert.equal(isGone, false, "it is told when it reads again");
  release.resolve();
  release = Promise.withResolvers<void>();
  release.resolve();
  await until("its end", () => isGone);
  assert.equal(text, "0123456789\ntoo slow\n");
});
