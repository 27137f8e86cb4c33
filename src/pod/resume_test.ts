// A pod that is started again on its log, whatever state that was left in.

import assert from "node:assert/strict";
import { plainTranscript, streamEvents, STREAMS } from "../transcript/transcript_test_helper.ts";
import type { Places } from "./places.ts";
import { openTestPod, type TestPod, until, type WatchingClient, withPlaces } from "./pod_test_helper.ts";

/** Makes a pod's log with a test, then ends it as a kill would: nothing more is written. */
async function storedPod(places: Places, fill: (pod: TestPod) => Promise<void> | void): Promise<TestPod> {
  const pod = await openTestPod(places);
  pod.agent.hello(["models"]);
  await fill(pod);
  const log = Deno.readFileSync(pod.files.log);
  await pod.host.end("test");
  await pod.ended;
  Deno.writeFileSync(pod.files.log, log);
  return pod;
}

/** Starts it again and gives a client that has the history; ends both afterwards. */
async function resumed(
  stored: TestPod,
  test: (pod: TestPod, client: WatchingClient) => Promise<void> | void,
  hello: (pod: TestPod) => void = (pod) => pod.agent.hello(["models"]),
): Promise<void> {
  const pod = await openTestPod(stored.places, { meta: stored.meta });
  try {
    hello(pod);
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    await test(pod, client);
  } finally {
    await pod.host.end("test");
    await pod.ended;
  }
}

const rows = (client: WatchingClient) =>
  client.transcript.blocks.flatMap((block) => block.kind === "notification" ? [block.message] : []);

for (const name of STREAMS) {
  Deno.test(`${name}: what was in the log is there again (L01, K09)`, async () => {
    await withPlaces(async (places) => {
      let before: unknown;
      const stored = await storedPod(places, async (pod) => {
        const client = await pod.connect();
        await until("history", () => client.of("history").length === 1);
        for (const { event, data } of streamEvents(name)) {
          if (event === "hello" || event === "history") continue;
          pod.agent.tell([{ kind: "event", event: { event, data } as never, unknownFields: [] }]);
        }
        pod.agent.say(["turn_end", { turn: 9, result: "finished" }], ["status", { status: "idle" }], [
          "title",
          { title: "the end" },
        ]);
        await until("the end", () => client.transcript.title === "the end");
        for (const open of [...client.transcript.questions]) {
          pod.agent.say(["question_closed", { batch_id: open.batchId, reason: "shutdown" }]);
        }
        pod.agent.say(["compact_failed", { error: "x" }], ["status", { status: "idle" }], ["title", {
          title: "settled",
        }]);
        await until("all settled", () => client.transcript.title === "settled");
        before = blocksOf(client);
      });
      await resumed(stored, (_pod, client) => {
        const after = blocksOf(client) as unknown[];
        assert.deepEqual(after.slice(0, (before as unknown[]).length), before);
        assert.deepEqual(rows(client).filter((row) => /cannot be read|cut off/.test(row)), []);
      }, (pod) => pod.agent.hello(["models"]));
    });
  });
}

Deno.test("a turn that was cut off is closed: tools incomplete, questions closed, idle again", async () => {
  await withPlaces(async (places) => {
    const stored = await storedPod(places, (pod) => {
      pod.agent.say(
        ["user_message", { message_id: "m1", text: "go" }],
        ["turn_start", { turn: 4 }],
        ["text_delta", { text: "I wi" }],
        ["tool_call_start", { id: "c1", name: "Bash" }],
        ["question", { batch_id: "q1", questions: [{ id: "a", text: "Which?" }] }],
      );
    });
    await resumed(stored, async (pod, client) => {
      const kinds = client.transcript.blocks.map((block) => block.kind);
      assert.deepEqual(kinds.slice(0, 6), [
        "turn_header",
        "user_message",
        "assistant_text",
        "tool_call",
        "question",
        "turn_stats",
      ]);
      const call = client.transcript.blocks[3];
      assert.ok(call?.kind === "tool_call" && call.calls[0]?.stage === "incomplete");
      assert.deepEqual([client.transcript.status, client.transcript.questions], ["idle", []]);
      assert.deepEqual(rows(client), ["The agent does not remember what stands above"]);
      // The agent counts from one again, the session does not.
      pod.agent.say(["user_message", { message_id: "m2", text: "on" }], ["turn_start", { turn: 1 }], [
        "turn_end",
        {
          turn: 1,
        },
      ]);
      await until("the next turn", () => client.transcript.turns.length === 2);
      assert.equal(client.transcript.turns[1]?.number, 5);
    });
  });
});

Deno.test("an agent that brings its past is not said to forget, and our log is what is shown", async () => {
  await withPlaces(async (places) => {
    const stored = await storedPod(places, (pod) => {
      pod.agent.say(["user_message", { text: "ours" }], ["turn_start", { turn: 1 }], ["turn_end", {
        turn: 1,
      }]);
    });
    await resumed(
      stored,
      (_pod, client) => {
        const texts = client.transcript.blocks.flatMap((block) =>
          block.kind === "user_message" ? [block.text] : []
        );
        assert.deepEqual(texts, ["ours"]);
        assert.deepEqual(rows(client), []);
        assert.equal(client.transcript.commands[0]?.name, "review");
      },
      (pod) =>
        pod.agent.hello([], {
          items: [{ type: "message", role: "user", content: [{ type: "text", text: "its own" }] }],
          state: { commands: [{ name: "review", description: "d" }] },
        }),
    );
  });
});

Deno.test("a model that was only chosen is forgotten, one that was used comes back and the agent is told (N18)", async () => {
  await withPlaces(async (places) => {
    const stored = await storedPod(places, (pod) => {
      pod.agent.say(
        ["turn_start", { turn: 1 }],
        ["step_start", { turn: 1, step: 1, provider: "acme", model: "used" }],
        ["turn_end", { turn: 1 }],
        ["model_selected", { provider: "acme", model: "only chosen", source: "client" }],
      );
    });
    await resumed(stored, async (pod, client) => {
      assert.deepEqual(client.transcript.model, { provider: "acme", model: "used" });
      await until("the method", () => pod.agent.of("select_model").length === 1);
      assert.deepEqual(pod.agent.of("select_model")[0]?.params, { provider: "acme", model: "used" });
    });
  });
});

Deno.test("a torn last line stays as it is, gets its newline, and is told once", async () => {
  await withPlaces(async (places) => {
    const stored = await storedPod(places, (pod) => {
      pod.agent.say(["notification", { message: "whole" }]);
    });
    const torn = '{"event":"notification","data":{"level":"info","message":"half of';
    Deno.writeTextFileSync(stored.files.log, torn, { append: true });
    const before = Deno.readTextFileSync(stored.files.log);
    await resumed(stored, async (pod, client) => {
      assert.equal(rows(client)[0], "whole");
      assert.match(rows(client)[1] ?? "", /last line was cut off/);
      assert.ok(Deno.readTextFileSync(pod.files.log).startsWith(before + "\n"));
      pod.agent.say(["notification", { message: "later" }]);
      await until("later", () => rows(client).includes("later"));
    });
    await resumed(stored, (_pod, client) => {
      assert.equal(rows(client).filter((row) => /cut off/.test(row)).length, 1);
      assert.ok(rows(client).includes("later"));
    });
  });
});

Deno.test("a last line that lacks only its newline is kept, and so is what follows", async () => {
  await withPlaces(async (places) => {
    const stored = await storedPod(places, (pod) => {
      pod.agent.say(["notification", { message: "the last" }]);
    });
    const text = Deno.readTextFileSync(stored.files.log);
    Deno.writeTextFileSync(stored.files.log, text.slice(0, -1));
    await resumed(stored, (pod, client) => {
      assert.equal(rows(client)[0], "the last");
      assert.ok(pod.logged().length > 3);
    });
  });
});

Deno.test("lines damaged in the middle are told, all others are there", async () => {
  await withPlaces(async (places) => {
    const stored = await storedPod(places, (pod) => {
      for (const message of ["one", "two", "three"]) pod.agent.say(["notification", { message }]);
    });
    const lines = Deno.readTextFileSync(stored.files.log).split("\n");
    lines[3] = "\u0000\u0000\u0000";
    Deno.writeTextFileSync(stored.files.log, lines.join("\n"));
    await resumed(stored, (_pod, client) => {
      const shown = rows(client);
      assert.ok(shown.includes("one") && shown.includes("three") && !shown.includes("two"));
      assert.ok(shown.some((row) => /cannot be read/.test(row) && /line 4/.test(row)));
    });
  });
});

Deno.test("a log of another version is refused with both versions named", async () => {
  await withPlaces(async (places) => {
    const stored = await storedPod(places, () => {});
    const text = Deno.readTextFileSync(stored.files.log);
    Deno.writeTextFileSync(stored.files.log, text.replace('"version":1', '"version":7'));
    await assert.rejects(
      openTestPod(places, { meta: stored.meta }),
      /version 7 of the protocol, this program knows 1/,
    );
    assert.equal(Deno.readTextFileSync(stored.files.log), text.replace('"version":1', '"version":7'));
    // Nothing is held after the refusal.
    Deno.writeTextFileSync(stored.files.log, text);
    await resumed(stored, () => {});
  });
});

Deno.test("numbers go on where the log ended, and no line is ever rewritten", async () => {
  await withPlaces(async (places) => {
    const stored = await storedPod(places, (pod) => {
      for (let count = 0; count < 5; count++) pod.agent.say(["notification", { message: `${count}` }]);
    });
    let text = Deno.readTextFileSync(stored.files.log);
    for (let round = 0; round < 3; round++) {
      await resumed(stored, (pod) => pod.agent.say(["title", { title: `round ${round}` }]));
      const now = Deno.readTextFileSync(stored.files.log);
      assert.ok(now.startsWith(text));
      text = now;
    }
    const seqs = text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line).seq).slice(2);
    assert.deepEqual(seqs, seqs.map((_, index) => index + 1));
  });
});

function blocksOf(client: WatchingClient): unknown {
  return (plainTranscript(client.transcript) as { blocks: unknown }).blocks;
}
