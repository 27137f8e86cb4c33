// The same agent behind a pod with two clients: one reads always, one stops reading for a while and is left behind or
// dropped. In the end both have the pod's transcript, and the process has the handles it began with.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { type Connection, connectTo, writeWholly } from "../../src/pod/socket.ts";
import type { Places } from "../../src/pod/places.ts";
import { openTestPod, type TestPod, until, withPlaces } from "../../src/pod/pod_test_helper.ts";
import { createLineReader, feed } from "../../src/recordings/json_lines.ts";
import { type EventName, parseEvent } from "../../src/transcript/event.ts";
import { applyParsed, createTranscript } from "../../src/transcript/reduce.ts";
import type { Transcript } from "../../src/transcript/block.ts";
import { plainTranscript } from "../../src/transcript/transcript_test_helper.ts";
import { randomOf } from "../bench/generate.ts";
import { agentEvents } from "./events.ts";
import { type Extent, heapInUse, isEnough, megabytes } from "./extent.ts";

export interface PodSoakOptions extends Extent {
  readonly seed: number;
  /** Events of a pod before another one is started. */
  readonly sessionEvents: number;
  readonly say?: (line: string) => void;
}

export interface PodSoakReport {
  readonly events: number;
  /** How often the second client stopped reading, and how often it was dropped for it. */
  readonly stops: number;
  readonly drops: number;
  /** Heap in use (bytes) after each pod, garbage collected where the runtime lets us. */
  readonly heaps: readonly number[];
  /** Open handles before and after. */
  readonly handles: readonly [before: number, after: number];
}

/** What a client that is far behind may have waiting for it. */
const LIMIT_BYTES = 1 << 16;
const PATIENCE_MS = 60_000;

export async function soakPod(options: PodSoakOptions): Promise<PodSoakReport> {
  // What the runtime opens once and keeps is no handle of ours.
  await withPlaces(async (places) => {
    const pod = await openTestPod(places);
    pod.agent.hello();
    const client = new SoakReader(pod);
    await client.connect();
    client.leave();
    await pod.host.end("warmed up");
    await pod.ended;
  });
  await settle();
  const before = openHandles();
  const report = { events: 0, stops: 0, drops: 0, heaps: [] as number[] };
  for (let round = 0; !isEnough(report.events, options); round++) {
    await withPlaces((places) => soakOnePod(places, options, options.seed + round, report));
    await settle();
    report.heaps.push(heapInUse());
    options.say?.(
      `${report.events} events, dropped ${report.drops} times, heap ${megabytes(report.heaps.at(-1))}`,
    );
  }
  return { ...report, handles: [before, openHandles()] };
}

/** One pod, from its start to its end. */
async function soakOnePod(
  places: Places,
  options: PodSoakOptions,
  seed: number,
  report: { events: number; stops: number; drops: number },
): Promise<void> {
  const pod = await openTestPod(places, { clientLimitBytes: LIMIT_BYTES });
  pod.agent.hello(["history"], { session_id: "s", items: [] });
  const steady = new SoakReader(pod);
  const restless = new SoakReader(pod);
  await Promise.all([steady.connect(), restless.connect()]);
  const random = randomOf(seed);
  const agent = agentEvents(seed, Infinity);
  agent.next();
  for (let events = 0; events < options.sessionEvents && !isEnough(report.events, options);) {
    const group = agent.next().value.filter(([event]) => event !== "queue");
    pod.agent.say(...group.map(([event, data]) => [event as EventName, data] as const));
    events += group.length;
    report.events += group.length;
    if (random() < 0.004) {
      restless.isStopped = !restless.isStopped;
      if (restless.isStopped) report.stops++;
    }
    if (events % 7 === 0) await new Promise((resolve) => setTimeout(resolve));
    if (restless.isGone) {
      report.drops++;
      await restless.connect();
    }
  }
  restless.isStopped = false;
  pod.agent.say(["title", { title: "the end" }]);
  await until("the steady client at the end", () => steady.transcript.title === "the end", PATIENCE_MS);
  const endMs = Date.now() + PATIENCE_MS;
  while (restless.transcript.title !== "the end" || restless.transcript.moreBefore !== null) {
    assert.ok(Date.now() < endMs, "the client that stopped now and then never came to the end");
    if (restless.isGone) {
      report.drops++;
      await restless.connect();
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.deepEqual(steady.problems, []);
  checkSame("the client that stopped now and then", restless.transcript, steady.transcript);
  const late = new SoakReader(pod);
  await late.connect();
  await until(
    "a late client",
    () => late.transcript.title === "the end" && late.transcript.moreBefore === null,
    PATIENCE_MS,
  );
  checkSame("a late client", late.transcript, steady.transcript);
  for (const client of [steady, restless, late]) client.leave();
  await pod.host.end("soak is over");
  await pod.ended;
}

/** Fails with the first place at which they differ: a diff of whole transcripts of that length would never end. */
function checkSame(who: string, one: Transcript, other: Transcript): void {
  const place = firstDifference(plainTranscript(one), plainTranscript(other));
  assert.equal(place, null, `${who} has another transcript`);
}

function firstDifference(one: unknown, other: unknown, at = "$"): string | null {
  if (isDeepStrictEqual(one, other)) return null;
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null;
  if (isObject(one) && isObject(other)) {
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const place = firstDifference(one[key], other[key], `${at}.${key}`);
      if (place !== null) return place;
    }
  }
  const say = (value: unknown) => JSON.stringify(value)?.slice(0, 400);
  return `${at}: ${say(one)} instead of ${say(other)}`;
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

/** A client that can be told not to read. */
class SoakReader {
  readonly #pod: TestPod;
  transcript = createTranscript();
  readonly problems: string[] = [];
  isStopped = false;
  isGone = true;
  #connection: Connection | null = null;

  constructor(pod: TestPod) {
    this.#pod = pod;
  }

  async connect(): Promise<void> {
    this.transcript = createTranscript();
    this.#connection = await connectTo(this.#pod.meta.socket);
    this.isGone = false;
    void this.#read(this.#connection);
  }

  async #read(connection: Connection): Promise<void> {
    const lines = createLineReader();
    const buffer = new Uint8Array(1 << 16);
    for (;;) {
      while (this.isStopped) await new Promise((resolve) => setTimeout(resolve, 5));
      const count = await connection.read(buffer).catch(() => null);
      if (count === null) break;
      for (const record of feed(lines, buffer.subarray(0, count))) {
        if (record.kind === "problem") this.problems.push(record.what);
        else applyParsed(this.transcript, parseEvent(record.value));
      }
      // As the client of a person does, when it sees that events are missing.
      if (this.transcript.wantsHistory) {
        this.transcript.wantsHistory = false;
        await writeWholly(connection, new TextEncoder().encode('{"method":"get_history"}\n')).catch(() => {});
      }
    }
    this.isGone = true;
    this.#close(connection);
  }

  leave(): void {
    if (this.#connection !== null) this.#close(this.#connection);
  }

  #close(connection: Connection): void {
    try {
      connection.close();
    } catch {
      // Closed already.
    }
  }
}

function openHandles(): number {
  try {
    return [...Deno.readDirSync("/proc/self/fd")].length;
  } catch {
    return 0;
  }
}
