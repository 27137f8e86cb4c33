// The client's end of the socket: an Agent like any other, whose end says why.

import assert from "node:assert/strict";
import type { Agent, AgentEnd } from "../agents/agent.ts";
import type { Event } from "../transcript/event.ts";
import { attachToPod } from "./client.ts";
import { openTestPod, type TestPod, until, withPlaces } from "./pod_test_helper.ts";
import { type Connection, connectTo } from "./socket.ts";

interface Attached {
  readonly agent: Agent;
  readonly events: Event[];
  readonly problems: string[];
  readonly ends: AgentEnd[];
}

function attach(connect: () => Promise<Connection>): Attached {
  const events: Event[] = [];
  const problems: string[] = [];
  const ends: AgentEnd[] = [];
  const agent = attachToPod({ name: "pod ab12", connect }, {
    onEvents: (parsed) => {
      assert.ok(parsed.length > 0);
      for (const one of parsed) {
        if (one.kind === "event") events.push(one.event);
        else problems.push(JSON.stringify(one));
      }
    },
    onEnd: (end) => ends.push(end),
  });
  return { agent, events, problems, ends };
}

async function withAttached(test: (pod: TestPod, attached: Attached) => Promise<void>): Promise<void> {
  await withPlaces(async (places) => {
    const pod = await openTestPod(places, { clientLimitBytes: 1 << 20 });
    pod.agent.hello();
    const attached = attach(() => connectTo(pod.meta.socket));
    try {
      await until("history", () => attached.events.some((event) => event.event === "history"));
      await test(pod, attached);
    } finally {
      await attached.agent.close();
      await pod.host.end("test");
      await pod.ended;
    }
  });
}

Deno.test("events in, methods out, large ones whole, and what was sent before leaving arrives", async () => {
  await withAttached(async (pod, { agent, ends }) => {
    const input = "é".repeat(3_000_000);
    agent.send({ method: "run", params: { input, message_id: "m1" } });
    agent.send({ method: "keep_draft", params: { parts: [{ type: "text", text: "draft" }] } });
    await agent.close();
    assert.deepEqual(ends.map((end) => end.kind), ["closed"]);
    await until("the run", () => pod.agent.of("run").length === 1);
    assert.deepEqual(pod.agent.of("run")[0]?.params, { input, message_id: "m1" });
    await until("the draft", () => Deno.readTextFileSync(pod.files.draft).includes("draft"));
    // After its end it does nothing.
    agent.send({ method: "cancel", params: {} });
    await agent.close();
    assert.equal(ends.length, 1);
  });
});

Deno.test("the last words of a client arrive although the pod is telling it a lot", async () => {
  await withPlaces(async (places) => {
    const pod = await openTestPod(places);
    pod.agent.hello();
    const flood = setInterval(() => {
      for (let count = 0; count < 20; count++) pod.agent.say(["text_delta", { text: "x".repeat(5000) }]);
    }, 0);
    for (let round = 0; round < 20; round++) {
      const { agent, events } = attach(() => connectTo(pod.meta.socket));
      await until("history", () => events.some((event) => event.event === "history"));
      agent.send({ method: "run", params: { input: "last words", message_id: `m${round}` } });
      await agent.close();
    }
    clearInterval(flood);
    await until("all of them", () => pod.host.clientCount === 0);
    const waiting = pod.logged().filter((line) => line.event === "queue").at(-1)?.data as {
      items: unknown[];
    };
    assert.equal(waiting.items.length + pod.agent.of("run").length, 20);
    await pod.host.end("test");
    await pod.ended;
  });
});

Deno.test("the pod shuts down because somebody asked", async () => {
  await withAttached(async (pod, { agent, ends, events }) => {
    agent.send({ method: "shutdown", params: {} });
    await until("the method", () => pod.agent.of("shutdown").length === 1);
    pod.agent.end({ kind: "shut_down" });
    await until("the end", () => ends.length === 1);
    assert.deepEqual([ends[0]?.kind, ends[0]?.what, ends[0]?.wasThere], ["shut_down", "shut down", true]);
    assert.equal(events.at(-1)?.event, "shutdown");
  });
});

Deno.test("the pod's agent dies: the end says how", async () => {
  await withAttached(async (pod, { ends }) => {
    pod.agent.end({ what: "spoken ended with signal SIGKILL" });
    await until("the end", () => ends.length === 1);
    assert.deepEqual([ends[0]?.kind, ends[0]?.what], ["exited", "spoken ended with signal SIGKILL"]);
  });
});

Deno.test("the pod ends by itself: the end says why", async () => {
  await withAttached(async (pod, { ends }) => {
    await pod.host.end("ended by SIGTERM");
    await until("the end", () => ends.length === 1);
    assert.deepEqual([ends[0]?.kind, ends[0]?.what], ["exited", "pod ab12 ended: ended by SIGTERM"]);
  });
});

Deno.test("a client that was too slow is told so, and nothing of the line that was cut off", async () => {
  await withAttached(async (pod, { ends, problems }) => {
    const text = "x".repeat(900_000);
    // Without a pause the client gets no chance to read.
    for (let count = 0; count < 10; count++) pod.agent.say(["text_delta", { text }]);
    await until("the end", () => ends.length === 1);
    assert.match(ends[0]?.what ?? "", /read too slowly/);
    assert.deepEqual(problems, []);
  });
});

Deno.test("nothing answers, or it is gone without a word", async () => {
  const missing = attach(() => connectTo("/nonexistent/a.sock"));
  await until("the end", () => missing.ends.length === 1);
  assert.deepEqual([missing.ends[0]?.kind, missing.ends[0]?.wasThere], ["not_started", false]);
  const gone = attach(() =>
    Promise.resolve({
      read: () => Promise.resolve(null),
      write: (bytes: Uint8Array) => Promise.resolve(bytes.length),
      close: () => {},
    })
  );
  await until("the end", () => gone.ends.length === 1);
  assert.equal(gone.ends[0]?.what, "pod ab12 is gone");
});

Deno.test("closing while it still connects holds nobody up", async () => {
  const connected = Promise.withResolvers<Connection>();
  const { agent, ends } = attach(() => connected.promise);
  await agent.close();
  assert.deepEqual(ends.map((end) => end.kind), ["closed"]);
  let isClosed = false;
  connected.resolve({
    read: () => Promise.resolve(null),
    write: () => Promise.resolve(1),
    close: () => isClosed = true,
  });
  await until("the connection closed", () => isClosed);
  assert.equal(ends.length, 1);
});
