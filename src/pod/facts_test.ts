// What lists read of a pod that runs is true at that moment, and costs a bounded number of writes.

import assert from "node:assert/strict";
import { readMeta } from "./directory.ts";
import { type TestPod, until, withPod } from "./pod_test_helper.ts";

function statusIn(pod: TestPod): string {
  const meta = readMeta(pod.files);
  return "problem" in meta ? meta.problem : meta.status;
}

Deno.test("what a client has seen the pod do, meta.json says already", async () => {
  await withPod({}, async (pod) => {
    pod.agent.hello();
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    for (let turn = 1; turn <= 5; turn++) {
      const seen: string[] = [];
      client.onEvent = (event) => {
        if (["turn_start", "question", "question_closed", "turn_end"].includes(event.event)) {
          seen.push(statusIn(pod));
        }
      };
      pod.agent.say(["turn_start", { turn }]);
      await until("running", () => seen.length === 1);
      pod.agent.say(["question", { batch_id: `q${turn}`, questions: [] }]);
      await until("waiting", () => seen.length === 2);
      pod.agent.say(["question_closed", { batch_id: `q${turn}` }]);
      await until("running again", () => seen.length === 3);
      pod.agent.say(["turn_end", { turn }]);
      await until("idle", () => seen.length === 4);
      assert.deepEqual(seen, ["running", "waiting", "running", "idle"]);
    }
  });
});

Deno.test("an agent that changes its status all the time costs few writes, and the last one is written", async () => {
  await withPod({}, async (pod) => {
    pod.agent.hello();
    const { renameSync } = Deno;
    let writes = 0;
    Deno.renameSync = (from, to) => {
      writes++;
      renameSync(from, to);
    };
    try {
      const beganMs = performance.now();
      for (let count = 0; count < 5000; count++) {
        pod.agent.say(["status", { status: count % 2 === 0 ? "idle" : "running" }]);
      }
      pod.agent.say(["status", { status: "compacting" }]);
      await until("the last", () => statusIn(pod) === "compacting");
      const windows = 2 + Math.floor((performance.now() - beganMs) / 200);
      assert.ok(writes <= 40 * windows, `${writes} writes in ${windows} windows`);
    } finally {
      Deno.renameSync = renameSync;
    }
  });
});
