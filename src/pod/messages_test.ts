// Messages through a pod: what runs, steers and waits, and that none is lost or taken twice.

import assert from "node:assert/strict";
import {
  openTestPod,
  type TestPod,
  until,
  type WatchingClient,
  withPlaces,
  withPod,
} from "./pod_test_helper.ts";

/** A pod whose agent is there, and a client that has its history. */
async function withClient(
  capabilities: readonly string[],
  test: (pod: TestPod, client: WatchingClient) => Promise<void>,
): Promise<void> {
  await withPod({}, async (pod) => {
    pod.agent.hello(capabilities);
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    await test(pod, client);
  });
}

const runs = (pod: TestPod) =>
  pod.agent.of("run").map((method) => "input" in method.params && method.params.input);
const queued = (client: WatchingClient) => client.transcript.queue.map((item) => item.text);

Deno.test("run to a running agent waits in the queue; unqueue takes it out; the next goes out at the turn's end (N13)", async () => {
  await withClient([], async (pod, client) => {
    await client.send("run", { input: "first", message_id: "m1" });
    await until("the run", () => runs(pod).length === 1);
    pod.agent.say(["user_message", { message_id: "m1", text: "first" }], ["status", { status: "running" }], [
      "turn_start",
      { turn: 1 },
    ]);
    for (const id of ["m2", "m3", "m4"]) await client.send("run", { input: id, message_id: id });
    await until("the queue", () => queued(client).length === 3);
    await client.send("unqueue", { message_id: "m3" });
    await until("the rest", () => queued(client).join() === "m2,m4");
    assert.deepEqual(runs(pod), ["first"]);
    pod.agent.say(["turn_end", { turn: 1 }], ["status", { status: "idle" }]);
    await until("the second run", () => runs(pod).length === 2);
    // Until the agent has it, it stands in the queue: a pod that is killed now has it still.
    assert.deepEqual(queued(client), ["m2", "m4"]);
    pod.agent.say(["user_message", { message_id: "m2", text: "m2" }], ["turn_start", { turn: 2 }]);
    await until("the queue without it", () => queued(client).join() === "m4");
    await client.send("unqueue", { message_id: "m2" }, 5);
    await until("the refusal", () => client.of("error").length === 1);
    assert.deepEqual([client.of("error")[0]?.data.id, queued(client)], [5, ["m4"]]);
    pod.agent.say(["turn_end", { turn: 2 }], ["status", { status: "idle" }]);
    await until("the last run", () => runs(pod).join() === "first,m2,m4");
  });
});

Deno.test("a paused turn keeps the queue waiting; text sent then runs", async () => {
  await withClient(["pause"], async (pod, client) => {
    pod.agent.say(["turn_start", { turn: 1 }]);
    await client.send("run", { input: "later", message_id: "m1" });
    await until("the queue", () => queued(client).length === 1);
    pod.agent.say(["turn_end", { turn: 1, result: "paused" }], ["status", { status: "paused" }]);
    await delay(50);
    assert.deepEqual(runs(pod), []);
    await client.send("run", { input: "instead", message_id: "m2" });
    await until("the run", () => runs(pod).join() === "instead");
  });
});

Deno.test("two clients send at the same moment: one message runs, the other waits", async () => {
  await withClient([], async (pod, one) => {
    const two = await pod.connect();
    await until("history", () => two.of("history").length === 1);
    await Promise.all([
      one.send("run", { input: "one", message_id: "a-1" }),
      two.send("run", { input: "two", message_id: "b-1" }),
    ]);
    await until("the queue", () => queued(one).length === 1 && queued(two).length === 1);
    assert.equal(runs(pod).length, 1);
  });
});

Deno.test("a message id that was seen is not taken again, after a resume neither", async () => {
  await withPlaces(async (places) => {
    const pod = await openTestPod(places);
    pod.agent.hello();
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    for (let count = 0; count < 3; count++) await client.send("run", { input: "once", message_id: "m1" });
    await until("the run", () => runs(pod).length === 1);
    pod.agent.say(["user_message", { message_id: "m1", text: "once" }], ["turn_start", { turn: 1 }]);
    await client.send("run", { input: "waits", message_id: "m2" });
    await client.send("run", { input: "waits", message_id: "m2" });
    await until("the queue", () => queued(client).length === 1);
    await delay(30);
    assert.deepEqual([runs(pod).length, queued(client).length], [1, 1]);
    await pod.host.end("test");
    await pod.ended;
    const again = await openTestPod(places, { meta: pod.meta });
    again.agent.hello();
    const later = await again.connect();
    await until("history", () => later.of("history").length === 1);
    for (const id of ["m1", "m2"]) await later.send("run", { input: "again", message_id: id });
    await delay(50);
    assert.deepEqual(runs(again), [], "both were taken before");
    assert.deepEqual(queued(later), ["waits"], "what waited waits, until a turn ends");
    assert.ok(later.of("history").length === 1);
    await again.host.end("test");
    await again.ended;
  });
});

Deno.test("an agent that is still busy with its own turn gets the message when it is free (edge 95)", async () => {
  await withClient([], async (pod, client) => {
    await client.send("run", { input: "too soon", message_id: "m1" });
    await until("the run", () => runs(pod).length === 1);
    const id = pod.agent.of("run")[0]?.id;
    pod.agent.say(["error", { code: "already_running", message: "busy", id, message_id: "m1" }]);
    await until("the queue", () => queued(client).length === 1);
    await until("the second try", () => runs(pod).length === 2);
    assert.equal(client.of("error").length, 0);
    pod.agent.say(["user_message", { message_id: "m1", text: "too soon" }], ["turn_start", { turn: 1 }]);
    await until("the empty queue", () => queued(client).length === 0);
  });
});

Deno.test("a message the agent refuses goes back to its client alone, and may be sent again", async () => {
  await withClient([], async (pod, client) => {
    const other = await pod.connect();
    await until("history", () => other.of("history").length === 1);
    await client.send("run", { input: "please", message_id: "m1" });
    await until("the run", () => runs(pod).length === 1);
    pod.agent.say(["error", { code: "auth_required", message: "log in", message_id: "m1" }]);
    await until("the refusal", () => client.of("error").length === 1);
    assert.equal(client.of("error")[0]?.data.message_id, "m1");
    await client.send("run", { input: "please", message_id: "m1" });
    await until("the second run", () => runs(pod).length === 2);
    assert.equal(other.of("error").length, 0);
    assert.equal(pod.logged().filter((line) => line.event === "error").length, 0);
  });
});

Deno.test("steer: a running agent that can is steered, any other has the message queued, an idle one runs it", async () => {
  await withClient(["steer"], async (pod, client) => {
    await client.send("steer", { input: "idle", message_id: "m1" });
    await until("a run", () => runs(pod).join() === "idle");
    pod.agent.say(["user_message", { message_id: "m1", text: "idle" }], ["turn_start", { turn: 1 }]);
    await until("the turn", () => client.transcript.status === "running");
    await client.send("steer", { input: "left", message_id: "m2" });
    await until("the steer", () => pod.agent.of("steer").length === 1);
    pod.agent.say(["compact_start", {}]);
    await until("compacting", () => client.transcript.status === "compacting");
    await client.send("steer", { input: "not now", message_id: "m3" });
    await until("the queue", () => queued(client).join() === "not now");
  });
  await withClient([], async (pod, client) => {
    pod.agent.say(["turn_start", { turn: 1 }]);
    await client.send("steer", { input: "cannot", message_id: "m1" });
    await until("the queue", () => queued(client).join() === "cannot");
    assert.deepEqual(pod.agent.of("steer"), []);
  });
});

Deno.test("a steer no step took goes back to its client, or waits in the queue when that is gone", async () => {
  await withClient(["steer"], async (pod, client) => {
    const other = await pod.connect();
    await until("history", () => other.of("history").length === 1);
    pod.agent.say(["turn_start", { turn: 1 }]);
    await until("the turn", () => client.transcript.status === "running");
    await client.send("steer", { input: "mine", message_id: "m1" });
    await other.send("steer", { input: "of one who left", message_id: "m2" });
    await until("both", () => pod.agent.of("steer").length === 2);
    other.leave();
    await delay(20);
    pod.agent.say(
      ["turn_end", { turn: 1 }],
      ["error", { code: "not_running", message: "ended", message_id: "m1" }],
      ["error", { code: "not_running", message: "ended", message_id: "m2" }],
    );
    await until("the refusal", () => client.of("error").length === 1);
    assert.equal(client.of("error")[0]?.data.message_id, "m1");
    await until("the run of the other", () => runs(pod).join() === "of one who left");
  });
});

Deno.test("a queued message that is refused stays in the queue and is not tried for ever", async () => {
  await withClient([], async (pod, client) => {
    pod.agent.say(["turn_start", { turn: 1 }]);
    await client.send("run", { input: "next", message_id: "m1" });
    await until("the queue", () => queued(client).length === 1);
    pod.agent.say(["turn_end", { turn: 1 }]);
    await until("the run", () => runs(pod).length === 1);
    pod.agent.say(["error", { code: "provider_error", message: "401", message_id: "m1" }]);
    await until("the row", () => client.of("error").length === 1);
    await delay(50);
    assert.deepEqual([runs(pod).length, queued(client)], [1, ["next"]]);
  });
});

Deno.test("a model that was chosen is seen by all clients and by those who attach, the pair as one (N18)", async () => {
  await withClient(["models"], async (pod, client) => {
    await client.send("select_model", { provider: "acme", model: "m-2" });
    await until("the method", () => pod.agent.of("select_model").length === 1);
    pod.agent.say(["model_selected", { provider: "acme", model: "m-2", source: "client" }]);
    const other = await pod.connect();
    await until("the model", () => client.transcript.model?.model === "m-2");
    await until("history", () => other.of("history").length === 1);
    assert.deepEqual(other.transcript.model, { provider: "acme", model: "m-2" });
  });
});

Deno.test("drafts: each client keeps its own, the newest comes back, none comes back twice", async () => {
  await withClient([], async (pod, client) => {
    const other = await pod.connect();
    await until("history", () => other.of("history").length === 1);
    const draft = (text: string) => ({ parts: [{ type: "text", text }] });
    await client.send("keep_draft", draft("older"));
    await delay(10);
    await other.send("keep_draft", {
      parts: [{ type: "text", text: "newer " }, { type: "paste", text: "pasted" }],
    });
    await delay(10);
    const third = await pod.connect();
    await until("history", () => third.of("history").length === 1);
    assert.deepEqual(third.transcript.draft, [{ type: "text", text: "newer " }, {
      type: "paste",
      text: "pasted",
    }]);
    // A client's own draft does not come back to it.
    await other.send("get_history");
    await until("history", () => other.of("history").length === 2);
    assert.deepEqual(other.transcript.draft, [{ type: "text", text: "older" }]);
    other.leave();
    await until("it has left", () => pod.host.clientCount === 2);
    await third.send("keep_draft", {
      parts: [{ type: "text", text: "newer " }, { type: "paste", text: "pasted" }],
    });
    await delay(10);
    await third.send("keep_draft", { parts: [] });
    await delay(10);
    const fourth = await pod.connect();
    await until("history", () => fourth.of("history").length === 1);
    assert.deepEqual(fourth.transcript.draft, [{ type: "text", text: "older" }]);
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(pod.files.draft)), [{ type: "text", text: "older" }]);
    assert.equal(pod.logged().some((line) => line.event === "keep_draft"), false);
  });
});

Deno.test("a draft outlives its pod", async () => {
  await withPlaces(async (places) => {
    const pod = await openTestPod(places);
    pod.agent.hello();
    const client = await pod.connect();
    await client.send("keep_draft", { parts: [{ type: "text", text: "half a thought" }] });
    await until("the file", () => {
      try {
        return Deno.readTextFileSync(pod.files.draft).includes("half");
      } catch {
        return false;
      }
    });
    await pod.host.end("test");
    await pod.ended;
    const again = await openTestPod(places, { meta: pod.meta });
    again.agent.hello();
    const later = await again.connect();
    await until("history", () => later.of("history").length === 1);
    assert.deepEqual(later.transcript.draft, [{ type: "text", text: "half a thought" }]);
    await again.host.end("test");
    await again.ended;
  });
});

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
