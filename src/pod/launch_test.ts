// A pod that is started dies at every point of its start, or hangs there: whoever waits for it is told, in bounded time.

import assert from "node:assert/strict";
import type { AgentEnd } from "../agents/agent.ts";
import { awaitAgent, type StartAgent } from "../app/io/await_agent.ts";
import { attachToLaunched } from "../app/io/pod_link.ts";
import { attachToPod } from "./client.ts";
import { createPod, podDirectory } from "./directory.ts";
import { connectToLaunched, type LaunchedPod, launchPod } from "./launch.ts";
import type { Places } from "./places.ts";
import { until, withPlaces } from "./pod_test_helper.ts";
import type { Connection } from "./socket.ts";

/** Stands for this program run as a pod: `FATE` says how far it comes. What it waits for is a file beside its meta.json. */
const FAKE_POD = `
const [fate, , directory] = Deno.args;
const { socket } = JSON.parse(Deno.readTextFileSync(directory + "/meta.json"));
const die = () => Deno.kill(Deno.pid, "SIGKILL");
const forever = () => new Promise((resolve) => setTimeout(resolve, 1e9));
const say = (connection, text) => connection.write(new TextEncoder().encode(text));
const HELLO = JSON.stringify({ event: "hello", data: { protocol: "pod-jsonl", version: 1, agent: "fake" } }) + "\\n";
const MAKING = JSON.stringify({ event: "starting", data: { step: "session" } }) + "\\n";
if (fate === "says why") {
  console.error("the disk is full");
  Deno.exit(3);
}
if (fate === "before it listens") die();
if (fate === "never listens") await forever();
Deno.mkdirSync(socket.slice(0, socket.lastIndexOf("/")), { recursive: true, mode: 0o700 });
Deno.umask(0o177);
const listener = Deno.listen({ transport: "unix", path: socket });
if (fate === "before it accepts") {
  for (;;) {
    try {
      Deno.statSync(directory + "/connected");
      die();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
const connection = await listener.accept();
if (fate === "before hello") die();
if (fate === "says nothing") await forever();
if (fate === "in the middle of hello") await say(connection, HELLO.slice(0, 20));
if (fate === "behind hello") await say(connection, HELLO);
if (fate === "while its session is made") await say(connection, HELLO + MAKING);
if (fate === "in the middle of the history") await say(connection, HELLO + '{"event":"history","data":{"items":[');
die();
`;

/** How far it comes, and what whoever started it is told. `there`: the screen is taken, and shows the loss. */
const FATES: readonly (readonly [fate: string, kind: "ended" | "there", what: RegExp])[] = [
  ["says why", "ended", /^the disk is full$/],
  ["before it listens", "ended", /^Cannot start pod \w+: it ended with 137$/],
  ["never listens", "ended", /^Cannot start pod \w+: it does not answer$/],
  ["before it accepts", "ended", /^pod \w+ is gone$/],
  ["before hello", "ended", /^pod \w+ is gone$/],
  ["says nothing", "ended", /^pod \w+ does not answer: it hangs, or has been suspended$/],
  ["in the middle of hello", "ended", /^pod \w+ is gone$/],
  ["behind hello", "there", /^pod \w+ is gone$/],
  ["while its session is made", "there", /^pod \w+ is gone$/],
  ["in the middle of the history", "there", /^pod \w+ is gone$/],
];

for (const [fate, kind, what] of FATES) {
  // A started process and its pipes are no leak of these tests: it is ended by its own hand.
  Deno.test({
    name: `a pod that dies or hangs: ${fate}`,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () => startFake(fate, kind, what),
  });
}

async function startFake(fate: string, kind: "ended" | "there", what: RegExp): Promise<void> {
  await withPlaces(async (places, root) => {
    Deno.writeTextFileSync(`${root}/fake.mjs`, FAKE_POD);
    const meta = createPod(places, { agent: { kind: "demo" }, cwd: root, idleEndMinutes: 1 });
    const args = ["run", "--no-config", "--no-lock", "-A", `${root}/fake.mjs`, fate];
    const pod = launchPod(places, meta, { command: Deno.execPath(), args });
    const ends: AgentEnd[] = [];
    // Its end is waited for, but keeps no program alive.
    const alive = setInterval(() => {}, 1000);
    try {
      const startMs = fate === "never listens" ? 300 : 20_000;
      const answerMs = fate === "says nothing" ? 300 : 20_000;
      const start: StartAgent = fate === "before it accepts"
        ? (listener) =>
          attachToPod({ name: `pod ${meta.id}`, connect: () => connectAndNote(pod, places) }, listener)
        : (listener) => attachToLaunched(pod, listener, { startMs, answerMs });
      const waiting = awaitAgent({ first: start, again: start, onStep: () => {} });
      const awaited = await waiting;
      assert.equal(awaited.kind, kind);
      if (awaited.kind === "ended") return assert.match(awaited.what, what);
      awaited.start({ onEvents: () => {}, onEnd: (end) => ends.push(end) });
      await until("its end", () => ends.length === 1);
      assert.match(ends[0]?.what ?? "", what);
      assert.deepEqual([ends[0]?.kind, ends[0]?.wasThere], ["exited", true]);
    } finally {
      pod.end();
      await pod.ended;
      clearInterval(alive);
    }
  });
}

/** The pod waits for the note: somebody is connected, though it has taken nobody in. */
async function connectAndNote(pod: LaunchedPod, places: Places): Promise<Connection> {
  const connection = await connectToLaunched(pod);
  Deno.writeTextFileSync(`${podDirectory(places, pod.meta.id)}/connected`, "");
  return connection;
}
