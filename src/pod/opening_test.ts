// Between an agent's hello and its session: a login may be wanted, and the making may fail. Whoever waits is told, and
// the session begins whole.

import assert from "node:assert/strict";
import { attachToPod } from "./client.ts";
import type { AgentEnd } from "../agents/agent.ts";
import {
  openTestPod,
  type TestPod,
  until,
  type WatchingClient,
  withPlaces,
  withPod,
} from "./pod_test_helper.ts";
import { connectTo } from "./socket.ts";

const HELLO = ["hello", { protocol: "pod-jsonl", version: 1, agent: "locked", capabilities: [] }] as const;
const MAKING = ["starting", { step: "session" }] as const;
const AUTH = ["auth", { methods: [{ id: "oauth", label: "Log in", type: "agent" }] }] as const;
const HISTORY = ["history", { session_id: "s9", status: "idle", greeting: { pod_name: "Locked" } }] as const;

const names = (client: WatchingClient) => client.events.map((event) => event.event);
const greeted = (client: WatchingClient) => {
  const [first] = client.transcript.blocks;
  return first?.kind === "greeting" ? first.greeting.pod_name : null;
};

Deno.test("a login before there is a session: it can be done, and the greeting is there for all, in the log too", async () => {
  await withPod({}, async (pod) => {
    const client = await pod.connect();
    pod.agent.say(HELLO, MAKING);
    pod.agent.say(AUTH);
    pod.agent.say(["notification", { level: "warn", message: "old Node" }]);
    await until("the login", () => client.of("auth").length === 1);
    // Nothing of a session is shown or stored yet, and later clients are told the same.
    const second = await pod.connect();
    await until("the login told again", () => second.of("auth").length === 1);
    for (const one of [client, second]) {
      assert.deepEqual(names(one), ["starting", "hello", "starting", "auth"]);
    }
    assert.equal(second.transcript.status, "starting");
    assert.deepEqual(pod.logged(), []);
    await client.send("run", { input: "hi", message_id: "m1" });
    await until("the refusal", () => client.of("error").length === 1);
    assert.equal(client.of("error")[0]?.data.code, "not_running");

    await client.send("authenticate", { method_id: "oauth" }, 5);
    await until("the login asked for", () => pod.agent.of("authenticate").length === 1);
    // A refusal is the asking client's alone.
    const asked = pod.agent.of("authenticate")[0];
    pod.agent.say(["error", { code: "already_running", message: "A login is under way", id: asked?.id }]);
    await until("the second refusal", () => client.of("error").length === 2);
    assert.equal(client.of("error")[1]?.data.id, 5);
    // One that failed is told to all, with the ways to log in.
    pod.agent.say(["error", { code: "auth_required", message: "Not logged in" }], AUTH);
    await until("the ways again", () => second.of("auth").length === 2);
    assert.equal(second.of("error").length, 1);

    await second.send("authenticate", { method_id: "oauth" });
    await until("the second try", () => pod.agent.of("authenticate").length === 2);
    pod.agent.say(["starting", { step: "authenticate" }], HISTORY, ["status", { status: "idle" }]);
    await until("the session", () => client.of("status").length === 1 && second.of("status").length === 1);
    const third = await pod.connect();
    await until("its history", () => third.of("history").length === 1);
    for (const one of [client, second, third]) {
      assert.equal(greeted(one), "Locked");
      assert.equal(one.transcript.sessionId, "s9");
      assert.deepEqual(one.transcript.authMethods, []);
      const rows = one.transcript.blocks.map((block) =>
        block.kind === "notification" ? block.message : block.kind
      );
      assert.deepEqual(rows.filter((row) => row !== "Not logged in" && !row.startsWith("Cannot")), [
        "greeting",
        "old Node",
      ]);
    }
    assert.deepEqual(pod.logged().map((line) => line.event), ["hello", "history", "notification", "status"]);
  });
});

Deno.test("a login before hello can be done as well", async () => {
  await withPod({}, async (pod) => {
    const client = await pod.connect();
    pod.agent.say(AUTH);
    await until("the login", () => client.of("auth").length === 1);
    await client.send("authenticate", { method_id: "oauth" });
    await until("the login asked for", () => pod.agent.of("authenticate").length === 1);
    pod.agent.say(HELLO, HISTORY);
    await until("the session", () => client.of("history").length === 1);
    assert.equal(greeted(client), "Locked");
    assert.deepEqual(pod.logged().map((line) => line.event), ["hello", "history"]);
  });
});

Deno.test("a login that nobody has done is wanted behind the session's beginning too", async () => {
  await withPod({}, async (pod) => {
    const client = await pod.connect();
    pod.agent.say(AUTH, HELLO, HISTORY, ["title", { title: "T" }]);
    await until("the title", () => client.transcript.title === "T");
    const later = await pod.connect();
    await until("the login told again", () => later.of("auth").length === 1);
    for (const one of [client, later]) {
      assert.deepEqual(one.transcript.authMethods.map((method) => method.id), ["oauth"]);
    }
    assert.deepEqual(pod.logged().map((line) => line.event), ["hello", "history", "auth", "title"]);
  });
});

Deno.test("a login wanted for a session that has a past: the past is shown meanwhile", async () => {
  await withPlaces(async (places) => {
    const first = await openTestPod(places);
    first.agent.hello([], { greeting: { pod_name: "before" } });
    first.agent.say(["turn_start", { turn: 1 }], ["text_done", { text: "said" }], ["turn_end", { turn: 1 }]);
    await until("the log", () => first.logged().length > 3);
    await first.host.end("goes on");
    await first.ended;
    const pod = await openTestPod(places, { meta: first.meta });
    const client = await pod.connect();
    pod.agent.say(HELLO, MAKING, AUTH);
    await until("the login", () => client.of("auth").length === 1);
    assert.equal(client.of("history").length, 1);
    assert.equal(greeted(client), "before");
    const later = await pod.connect();
    await until("the login told again", () => later.transcript.authMethods.length === 1);
    await pod.host.end("test is over");
    await pod.ended;
  });
});

const ENDS: readonly (readonly [name: string, end: Partial<AgentEnd>])[] = [
  ["makes no session", { kind: "no_session", what: "Cannot start a session with x: disk full" }],
  ["is gone while it is made", { kind: "exited", what: "x ended with exit code 1" }],
];

for (const [name, end] of ENDS) {
  Deno.test(`an agent that ${name}: whoever attached is told, nothing is stored`, async () => {
    await withPlaces(async (places) => {
      const pod = await openTestPod(places);
      const attached = await attach(pod);
      pod.agent.say(HELLO, MAKING);
      await until("its hello", () => attached.names.includes("hello"));
      pod.agent.end(end);
      await until("the end", () => attached.ends.length === 1);
      const { kind, what, wasThere } = attached.ends[0] ?? {};
      assert.deepEqual([kind, what, wasThere], ["no_session", end.what, true]);
      assert.ok(!attached.names.includes("history"));
      assert.deepEqual(await pod.ended, { code: 1, isStored: false });
    });
  });
}

async function attach(pod: TestPod): Promise<{ readonly names: string[]; readonly ends: AgentEnd[] }> {
  const names: string[] = [];
  const ends: AgentEnd[] = [];
  const connection = await connectTo(pod.meta.socket);
  attachToPod({ name: "pod ab12", connect: () => Promise.resolve(connection) }, {
    onEvents: (parsed) => {
      for (const one of parsed) if (one.kind === "event") names.push(one.event.event);
    },
    onEnd: (one) => ends.push(one),
  });
  return { names, ends };
}
