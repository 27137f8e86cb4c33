// A pod with clients on a real socket: what they see, whoever attaches when; and how it ends.

import assert from "node:assert/strict";
import { plainTranscript, streamEvents, STREAMS } from "../transcript/transcript_test_helper.ts";
import { openTestPod, SpokenAgent, until, WatchingClient, withPlaces, withPod } from "./pod_test_helper.ts";
import { connectTo } from "./socket.ts";
import { readMeta } from "./directory.ts";

Deno.test("a new pod's log begins with one hello and one empty history, and reads alone", async () => {
  await withPod({}, async (pod) => {
    pod.agent.hello(["steer"], { session_id: "s1", greeting: { pod_name: "spoken" } });
    pod.agent.say(["title", { title: "T" }]);
    const [hello, history, title, ...rest] = pod.logged();
    assert.deepEqual([hello?.event, history?.event, title?.event, rest.length], [
      "hello",
      "history",
      "title",
      0,
    ]);
    assert.equal("seq" in (hello ?? {}), false);
    const data = history?.data as Record<string, unknown>;
    assert.deepEqual([data.session_id, data.items], ["s1", []]);
    assert.equal((data.greeting as Record<string, unknown>).pod_name, "spoken");
    assert.equal(title?.seq, 1);
    assert.equal(typeof title?.ts, "number");
    await Promise.resolve();
  });
});

Deno.test("steps of the agent's start reach those who wait, before its hello, and are not logged", async () => {
  await withPod({}, async (pod) => {
    const client = await pod.connect();
    pod.agent.say(["starting", { step: "initialize", detail: "spoken" }]);
    await until("the step", () => client.of("starting").length === 2);
    assert.deepEqual(pod.logged(), []);
    assert.equal(client.of("hello").length, 0);
    await client.send("run", { input: "too early", message_id: "m1" });
    await until("the refusal", () => client.of("error").length === 1);
    assert.equal(client.of("error")[0]?.data.message_id, "m1");
    pod.agent.hello();
    await until("history", () => client.of("history").length === 1);
    assert.deepEqual(client.events.slice(-2).map((event) => event.event), ["hello", "history"]);
  });
});

Deno.test("an agent that says hello and no more, or begins with something else, is there all the same", async () => {
  await withPod({}, async (pod) => {
    const client = await pod.connect();
    pod.agent.say(["hello", { agent: "terse" }]);
    await until("history", () => client.of("history").length === 1);
    assert.equal(client.transcript.agent, "terse");
  });
  await withPod({}, async (pod) => {
    const client = await pod.connect();
    pod.agent.say(["turn_start", { turn: 1 }]);
    await until(
      "history",
      () => client.of("turn_start").length === 1 || client.transcript.turns.length === 1,
    );
    assert.deepEqual(pod.logged().map((line) => line.event), ["hello", "history", "turn_start"]);
  });
});

Deno.test("an agent that is there at once is told of before any timer is touched: the first one costs 5 ms", async () => {
  const before = { setTimeout, clearTimeout, setInterval };
  const touched: string[] = [];
  let atGreeting: readonly string[] | null = null;
  const noting = Object.entries(before).map(([name, real]) => [name, (...args: unknown[]) => {
    touched.push(name);
    return (real as (...args: unknown[]) => unknown)(...args);
  }]);
  await withPlaces(async (places) => {
    Object.assign(globalThis, Object.fromEntries(noting));
    try {
      const pod = await openTestPod(places, {
        startAgent: (_context, listener) => {
          const agent = new SpokenAgent(listener);
          // As the demo agent does it: one after the other, in the next microtask.
          queueMicrotask(() => {
            agent.say(["hello", { agent: "prompt" }]);
            atGreeting = [...touched];
            agent.say(["history", {}]);
          });
          return Promise.resolve(agent);
        },
      });
      const client = await pod.connect();
      await until("history", () => client.of("history").length === 1);
      client.leave();
      await pod.host.end("test ends");
      await pod.ended;
    } finally {
      Object.assign(globalThis, before);
    }
  });
  assert.deepEqual(atGreeting, []);
  assert.ok(touched.includes("setInterval"), "its socket is looked after all the same");
});

Deno.test("what an agent brings of an earlier session begins the log, in pages too", async () => {
  await withPod({}, async (pod) => {
    const client = await pod.connect();
    const message = (text: string) => ({
      type: "message",
      role: "user",
      kind: "run",
      content: [{ type: "text", text }],
    });
    pod.agent.say(
      ["hello", { agent: "old" }],
      ["history", { items: [message("second")], more_before: 1 }],
      ["history_page", { items: [message("first")], more_before: null }],
      ["title", { title: "T" }],
    );
    await until("title", () => client.transcript.title === "T");
    const texts = client.transcript.blocks.flatMap((block) =>
      block.kind === "user_message" ? [block.text] : []
    );
    assert.deepEqual(texts, ["first", "second"]);
    assert.deepEqual(pod.logged().map((line) => line.event), ["hello", "history", "title"]);
  });
});

Deno.test("every event is in the log before a client sees it", async () => {
  await withPod({}, async (pod) => {
    pod.agent.hello();
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    const missing: unknown[] = [];
    client.onEvent = (event) => {
      if (event.event === "text_delta" && !pod.logged().some((line) => line.seq === event.seq)) {
        missing.push(event);
      }
    };
    for (let count = 0; count < 50; count++) {
      pod.agent.say(["text_delta", { text: `${count} ` }]);
      await new Promise((resolve) => setTimeout(resolve));
    }
    await until("all deltas", () => client.of("text_delta").length === 50);
    assert.deepEqual(missing, []);
  });
});

for (const pageBytes of [200, 256 << 10]) {
  for (const name of STREAMS) {
    Deno.test(`${name}: clients that attach at any event see what one sees that was always there (pages of ${pageBytes}) (edge 25)`, async () => {
      await withPod({ pageBytes }, async (pod) => {
        const events = streamEvents(name).filter((event) => !["hello", "history"].includes(event.event));
        pod.agent.hello();
        const clients = [await pod.connect()];
        await until("history", () => clients[0]?.of("history").length === 1);
        for (const [index, { event, data }] of events.entries()) {
          pod.agent.tell([{ kind: "event", event: { event, data } as never, unknownFields: [] }]);
          if (index % 4 === 0) clients.push(await pod.connect());
          if (index % 7 === 0) await new Promise((resolve) => setTimeout(resolve));
        }
        pod.agent.say(["title", { title: "the end" }]);
        await until(
          "the end",
          () =>
            clients.every((client) =>
              client.transcript.title === "the end" && client.transcript.moreBefore === null
            ),
        );
        const [first, ...later] = clients.map((client) => plainTranscript(client.transcript));
        for (const one of later) assert.deepEqual(withoutFacts(one), withoutFacts(first));
        assert.deepEqual(clients.flatMap((client) => client.problems), []);
      });
    });
  }
}

Deno.test("a batch that asks something else under the name of an open one is another one: the first is over", async () => {
  await withPod({}, async (pod) => {
    pod.agent.hello();
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    const asked = (text: string) =>
      ["question", {
        batch_id: "q",
        kind: "permission",
        questions: [{ id: "p", text, options: [] }],
      }] as const;
    pod.agent.say(asked("ls"), asked("rm -rf build"));
    await until("the second", () => client.of("question").length === 2);
    assert.deepEqual(client.of("question_closed").map(({ data }) => [data.batch_id, data.reason]), [[
      "q",
      "cancelled",
    ]]);
    assert.deepEqual(client.transcript.questions.map(({ batchId }) => batchId), ["q~2"]);
    const answers = [{ id: "p", selected: ["allow"], text: null }];
    await client.send("answer", { batch_id: "q", answers }, 7);
    await until("the refusal", () => client.of("error").length === 1);
    await client.send("answer", { batch_id: "q~2", answers });
    await until("the answer", () => pod.agent.of("answer").length === 1);
    assert.deepEqual(pod.agent.of("answer")[0]?.params, { batch_id: "q", answers });
  });
});

Deno.test("a batch closed and asked again under its name: an answer to the first does not decide the second", async () => {
  await withPod({}, async (pod) => {
    pod.agent.hello();
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    const asked = (text: string) =>
      ["question", { batch_id: "q1", questions: [{ id: "a", text, options: [] }] }] as const;
    const closed = ["question_closed", { batch_id: "q1", reason: "cancelled" }] as const;
    pod.agent.say(asked("remove build?"), asked("remove build?"), closed, asked("remove all?"));
    await until("the second", () => client.of("question").length === 3);
    const names = client.of("question").map((event) => event.data.batch_id);
    assert.deepEqual(names, ["q1", "q1", "q1~2"], "asked twice while open is asked once");
    assert.deepEqual(client.transcript.questions.map((open) => open.batchId), ["q1~2"]);
    const answers = [{ id: "a", selected: [], text: "yes" }];
    await client.send("answer", { batch_id: "q1", answers }, 7);
    await client.send("dismiss_question", { batch_id: "q1" }, 8);
    await until("the refusals", () => client.of("error").length === 2);
    assert.deepEqual(client.of("error").map((event) => event.data.id), [7, 8]);
    await client.send("answer", { batch_id: "q1~2", answers });
    await client.send("answer", { batch_id: "never asked here", answers });
    await until("the answers", () => pod.agent.of("answer").length === 2);
    const heard = pod.agent.asked.map((method) =>
      "batch_id" in method.params ? method.params.batch_id : null
    );
    assert.deepEqual(heard, ["q1", "never asked here"]);
    pod.agent.say(closed);
    await until("the end", () => client.transcript.questions.length === 0);
    assert.equal(client.of("question_closed").at(-1)?.data.batch_id, "q1~2");
  });
});

Deno.test("who attaches while a retry is waited for is told when it began", async () => {
  await withPod({ nowMs: () => 5000 }, async (pod) => {
    pod.agent.hello();
    pod.agent.say(
      ["turn_start", { turn: 1 }],
      ["retry", { attempt: 2, max_attempts: 5, wait_ms: 8000, error: "overloaded" }],
      ["usage", { input_tokens: 1 }],
    );
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    assert.deepEqual(client.transcript.retry, { attempt: 2, maxAttempts: 5, waitMs: 8000, startedMs: 5000 });
    pod.agent.say(["text_delta", { text: "at last" }]);
    const later = await pod.connect();
    await until("both", () => later.of("history").length === 1 && client.transcript.retry === null);
    assert.equal(later.transcript.retry, null);
  });
});

Deno.test("get_history answers one client, and only that one", async () => {
  await withPod({}, async (pod) => {
    pod.agent.hello();
    const [one, two] = [await pod.connect(), await pod.connect()];
    await until("histories", () => one.of("history").length === 1 && two.of("history").length === 1);
    await one.send("get_history");
    await until("the second history", () => one.of("history").length === 2);
    pod.agent.say(["title", { title: "T" }]);
    await until("title", () => two.transcript.title === "T" && one.transcript.title === "T");
    assert.equal(two.of("history").length, 1);
    assert.deepEqual(pod.agent.of("get_history"), []);
  });
});

Deno.test("a refusal goes to the client that asked, with its own id, and is not logged", async () => {
  await withPod({}, async (pod) => {
    pod.agent.hello();
    const [one, two] = [await pod.connect(), await pod.connect()];
    await until("histories", () => one.of("history").length === 1 && two.of("history").length === 1);
    await one.send("cancel", {}, 7);
    await two.send("pause", {}, 7);
    await until("both methods", () => pod.agent.asked.length === 2);
    const [cancel, pause] = pod.agent.asked;
    assert.notEqual(cancel?.id, pause?.id);
    pod.agent.say(["error", { code: "not_running", message: "no turn", id: cancel?.id }]);
    await until("the refusal", () => one.of("error").length === 1);
    assert.equal(one.of("error")[0]?.data.id, 7);
    assert.equal(one.of("error")[0]?.seq, undefined);
    await one.write("this is no method\n");
    await until("the second refusal", () => one.of("error").length === 2);
    assert.equal(two.of("error").length, 0);
    assert.equal(pod.logged().filter((line) => line.event === "error").length, 0);
  });
});

Deno.test("whatever bytes a client sends, the pod answers, and the others notice nothing", async () => {
  await withPod({}, async (pod) => {
    pod.agent.hello();
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    const wild = await pod.connect();
    const bytes = new Uint8Array(1 << 16);
    crypto.getRandomValues(bytes);
    const lines = [
      '{"method":"run"}',
      '{"method":"run","params":{"input":7}}',
      '{"method":"from_the_future","params":{}}',
      '{"method":"answer","params":null}',
      "[]",
      "null",
      '"text"',
      '{"event":"title","data":{"title":"not yours to say"}}',
      "",
      "\u0000",
    ];
    await wild.write(lines.join("\n") + "\n");
    await wild.connection.write(bytes);
    await wild.write("\n" + '{"method":"cancel"}' + "\r\n");
    await until("the one good method", () => pod.agent.of("cancel").length === 1);
    await until("refusals", () => wild.of("error").length >= 3);
    // Half a line for ever, from one who then goes.
    await wild.write('{"method":"run","params":{"input":"');
    wild.leave();
    pod.agent.say(["title", { title: "T" }]);
    await until("title", () => client.transcript.title === "T");
    assert.deepEqual(client.of("error"), []);
    assert.equal(pod.agent.asked.length, 1);
  });
});

Deno.test("a client that does not read is dropped and told, and holds up nobody", async () => {
  await withPod({ clientLimitBytes: 1 << 20 }, async (pod) => {
    pod.agent.hello();
    const meta = readMeta(pod.files);
    assert.ok(!("problem" in meta));
    const stopped = new WatchingClient(await connectTo(meta.socket));
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    const text = "x".repeat(20_000);
    for (let count = 0; count < 300; count++) {
      pod.agent.say(["text_delta", { text: `${count} ${text}` }]);
      if (count % 10 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    await until("all deltas", () => client.of("text_delta").length === 300);
    void stopped.read();
    await until("its end", () => stopped.isEnded);
    const last = stopped.events.at(-1);
    assert.equal(last?.event, "error");
    assert.ok(last?.event === "error" && last.data.fatal === true && /too slowly/.test(last.data.message));
    assert.ok(stopped.of("text_delta").length < 300);
    // It comes back and has missed nothing.
    const again = await pod.connect();
    await until("history", () => again.of("history").length === 1);
    pod.agent.say(["title", { title: "T" }]);
    await until("titles", () => again.transcript.title === "T" && client.transcript.title === "T");
    assert.deepEqual(
      withoutFacts(plainTranscript(again.transcript)),
      withoutFacts(plainTranscript(client.transcript)),
    );
  });
});

Deno.test("5,000 deltas a second reach two clients without falling behind", async () => {
  await withPod({}, async (pod) => {
    pod.agent.hello();
    const [one, two] = [await pod.connect(), await pod.connect()];
    await until("histories", () => one.of("history").length === 1 && two.of("history").length === 1);
    const startMs = performance.now();
    for (let count = 0; count < 5000; count++) {
      pod.agent.say(["text_delta", { text: "word " }]);
      if (count % 50 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    await until("all", () => one.of("text_delta").length === 5000 && two.of("text_delta").length === 5000);
    assert.ok(performance.now() - startMs < 3000, "slower than it comes");
  });
});

Deno.test("the agent's end is told and logged, then the pod ends", async () => {
  await withPlaces(async (places) => {
    const pod = await openTestPod(places);
    pod.agent.hello();
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    pod.agent.say(["turn_start", { turn: 1 }], ["tool_call_start", { id: "c1", name: "Bash" }]);
    pod.agent.end();
    assert.deepEqual(await pod.ended, { code: 1, isStored: true });
    await until("its end", () => client.isEnded);
    assert.equal(client.of("error")[0]?.data.message, "spoken ended with exit code 3");
    assert.equal(client.of("shutdown")[0]?.data.reason, "spoken ended with exit code 3");
    assert.deepEqual(pod.logged().slice(-2).map((line) => line.event), ["error", "shutdown"]);
    assert.equal(client.transcript.status, "disconnected");
    const meta = readMeta(pod.files);
    assert.ok(!("problem" in meta) && meta.status === "stopped" && meta.pid === null);
  });
});

Deno.test("an agent that fails at its start: those who wait are told why, and nothing is stored (edge 97)", async () => {
  await withPlaces(async (places) => {
    const pod = await openTestPod(places);
    const client = await pod.connect();
    await until("the start", () => client.of("starting").length === 1);
    pod.agent.end({ kind: "not_started", what: "Cannot start spoken: no program", wasThere: false });
    assert.deepEqual(await pod.ended, { code: 1, isStored: false });
    await until("its end", () => client.isEnded);
    assert.equal(client.of("error")[0]?.data.message, "Cannot start spoken: no program");
    assert.deepEqual(pod.logged(), []);
  });
  await withPlaces(async (places) => {
    const pod = await openTestPod(places);
    pod.agent.end({ kind: "not_started", what: "too fast", wasThere: false });
    await delay(50);
    const client = await pod.connect();
    assert.equal((await pod.ended).code, 1);
    await until("its end", () => client.isEnded);
    assert.equal(client.of("error")[0]?.data.message, "too fast");
  });
});

Deno.test("a client that gives up waiting for the agent leaves no pod behind; one that was shown something does", async () => {
  await withPlaces(async (places) => {
    const pod = await openTestPod(places);
    const [client, other] = [await pod.connect(), await pod.connect()];
    pod.agent.say(["starting", { step: "initialize", detail: "spoken" }]);
    await until("the step", () => client.of("starting").length === 2 && other.of("starting").length === 2);
    client.leave();
    assert.equal(await endsWithin(pod, 300), false);
    other.leave();
    assert.deepEqual(await pod.ended, { code: 0, isStored: false });
    assert.equal(pod.agent.isClosed, true);
  });
  for (const shown of [["hello", { agent: "slow" }], ["auth", { methods: [{ id: "key" }] }]] as const) {
    await withPlaces(async (places) => {
      const pod = await openTestPod(places);
      const client = await pod.connect();
      pod.agent.say(shown, ["starting", { step: "session", detail: "" }]);
      await until("what is shown", () => client.of(shown[0]).length > 0);
      client.leave();
      assert.equal(await endsWithin(pod, 300), false, shown[0]);
      await pod.host.end("the test");
      await pod.ended;
    });
  }
});

Deno.test("shutdown: the agent is asked, its last events are logged, clients are told", async () => {
  await withPlaces(async (places) => {
    const pod = await openTestPod(places);
    pod.agent.hello();
    const [one, two] = [await pod.connect(), await pod.connect()];
    await until("histories", () => one.of("history").length === 1 && two.of("history").length === 1);
    await one.send("shutdown");
    await until("shutdown", () => pod.agent.of("shutdown").length === 1);
    pod.agent.say(["notification", { message: "last words" }], ["shutdown", { reason: "requested" }]);
    pod.agent.end({ kind: "shut_down" });
    assert.equal((await pod.ended).code, 0);
    await until("their ends", () => one.isEnded && two.isEnded);
    assert.deepEqual(two.of("shutdown").map((event) => event.data.reason), ["requested"]);
    assert.deepEqual(pod.logged().slice(-2).map((line) => line.event), ["notification", "shutdown"]);
    assert.throws(() => Deno.statSync(pod.meta.socket), Deno.errors.NotFound);
  });
});

Deno.test("it goes on without clients, and ends when it is idle and alone for long enough", async () => {
  await withPlaces(async (places) => {
    const pod = await openTestPod(places, { idleEndMinutes: 0.4 / 60 });
    pod.agent.hello();
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    pod.agent.say(["turn_start", { turn: 1 }]);
    client.leave();
    assert.equal(await endsWithin(pod, 600), false, "it works");
    pod.agent.say(["text_done", { text: "all alone" }], ["turn_end", { turn: 1 }]);
    const other = await pod.connect();
    await until("history", () => other.of("history").length === 1);
    assert.equal(await endsWithin(pod, 600), false, "somebody is here");
    assert.ok(other.transcript.blocks.some((block) => block.kind === "assistant_text"));
    other.leave();
    await pod.ended;
    assert.match(String((pod.logged().at(-1)?.data as Record<string, unknown>).reason), /^idle for/);
  });
});

Deno.test("lines of the agent that cannot be read are told to all and logged, the first few of them", async () => {
  await withPod({}, async (pod) => {
    pod.agent.hello();
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    for (let count = 0; count < 50; count++) pod.agent.tell([{ kind: "problem", what: `bad ${count}` }]);
    pod.agent.tell([{ kind: "unknown", name: "from_the_future" }]);
    pod.agent.say(["title", { title: "T" }]);
    await until("title", () => client.transcript.title === "T");
    assert.equal(client.of("notification").length, 10);
    assert.equal(pod.said.length, 50);
  });
});

/** Without what the pod says of itself, and a client that was always there has not been told. */
function withoutFacts(transcript: unknown): unknown {
  const { createdMs: _c, lastActiveMs: _l, counts: _n, draft: _d, ...rest } = transcript as Record<
    string,
    unknown
  >;
  return rest;
}

function endsWithin(pod: { readonly ended: Promise<unknown> }, ms: number): Promise<boolean> {
  return Promise.race([pod.ended.then(() => true), delay(ms).then(() => false)]);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
