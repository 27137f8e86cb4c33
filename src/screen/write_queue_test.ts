// Slow, full and gone terminals: order kept, nothing lost, nothing written twice.

import assert from "node:assert/strict";
import fc from "fast-check";
import { createWriteQueue, dropWaiting, isIdle, send, settled, type WritePort } from "./write_queue.ts";

type Turn = number | "full" | "interrupted" | "gone";

/** A terminal that takes as many bytes as its turns say, then all of them. */
function fakeTerminal(turns: Turn[]) {
  const state = { taken: "", sync: 0, async: 0, waits: [] as number[] };
  const take = (bytes: Uint8Array): number => {
    const turn = turns.shift();
    if (turn === "full") throw Object.assign(new Error("full"), { name: "WouldBlock" });
    if (turn === "interrupted") throw Object.assign(new Error("again"), { name: "Interrupted" });
    if (turn === "gone") throw new Error("Input/output error (os error 5)");
    const count = Math.min(turn ?? bytes.length, bytes.length);
    state.taken += new TextDecoder().decode(bytes.subarray(0, count));
    return count;
  };
  const port: WritePort = {
    writeSync(bytes) {
      state.sync++;
      return take(bytes);
    },
    async write(bytes) {
      state.async++;
      await Promise.resolve();
      return take(bytes);
    },
    async wait(delayMs) {
      state.waits.push(delayMs);
      await Promise.resolve();
    },
  };
  const events = { drains: 0, gone: [] as unknown[] };
  const queue = createWriteQueue(port, {
    onDrain: () => events.drains++,
    onGone: (error) => events.gone.push(error),
  });
  return { queue, state, events };
}

Deno.test("small frames are written at once", () => {
  const { queue, state, events } = fakeTerminal([]);
  send(queue, "one");
  send(queue, "");
  send(queue, "two");
  assert.equal(state.taken, "onetwo");
  assert.deepEqual([state.sync, state.async, events.drains], [2, 0, 0]);
  assert.ok(isIdle(queue));
});

Deno.test("a large frame leaves the loop running, what comes after it waits", async () => {
  const { queue, state, events } = fakeTerminal([3000, 3000]);
  const large = "x".repeat(10_000);
  send(queue, large);
  assert.ok(!isIdle(queue));
  send(queue, "after");
  assert.equal(state.taken, "");
  await settled(queue);
  assert.equal(state.taken, large + "after");
  assert.equal(state.sync, 0);
  assert.equal(events.drains, 1);
  assert.ok(isIdle(queue));
});

Deno.test("a full terminal is tried again after short waits that grow", async () => {
  const { queue, state } = fakeTerminal([
    2,
    "full",
    "full",
    "interrupted",
    "full",
    "full",
    "full",
    "full",
    1,
  ]);
  send(queue, "abcdef");
  await settled(queue);
  assert.equal(state.taken, "abcdef");
  assert.deepEqual(state.waits, [2, 4, 8, 16, 16, 16, 16]);
});

Deno.test("a terminal that is gone is told of once, and nothing waits for it", async () => {
  for (const turns of [["gone"], [1, "gone"], [1, "full", "gone"]] as Turn[][]) {
    const { queue, events, state } = fakeTerminal(turns);
    send(queue, "abc");
    send(queue, "def");
    await settled(queue);
    await Promise.resolve();
    send(queue, "more");
    await settled(queue);
    assert.equal(events.gone.length, 1);
    assert.ok(state.taken.length <= 1);
    assert.equal(events.drains, 0);
  }
});

Deno.test("what is not being written yet can be dropped, what is goes out whole", async () => {
  const { queue, state } = fakeTerminal([1, "full"]);
  send(queue, "first");
  send(queue, "second");
  dropWaiting(queue);
  send(queue, "last");
  await settled(queue);
  assert.equal(state.taken, "firstlast");
});

Deno.test("any frames over any terminal arrive whole and in order", async () => {
  const turn = fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.constantFrom<Turn>("full", "interrupted", 0));
  const frames = fc.array(fc.record({ letter: fc.constantFrom("a", "b", "c"), length: fc.nat(9000) }), {
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 20 }), frames, async (turns, sent) => {
      const { queue, state } = fakeTerminal(turns);
      for (const { letter, length } of sent) {
        send(queue, letter.repeat(length));
        if (length % 3 === 0) await Promise.resolve();
      }
      await settled(queue);
      assert.equal(state.taken, sent.map(({ letter, length }) => letter.repeat(length)).join(""));
      assert.ok(isIdle(queue));
    }),
    { numRuns: 300 },
  );
});
