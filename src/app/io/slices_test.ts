// Long work lets keys in when its slice is used up, not sooner, and a new slice begins when they were.

import assert from "node:assert/strict";
import { beginSlices, oneByOne } from "./slices.ts";

/** Does pieces of work of these lengths, in ms; gives the work between two times that keys were let in. */
async function slicesOf(pieces: readonly number[], keysMs = 0): Promise<number[]> {
  let nowMs = 1000;
  let worked = 0;
  const done: number[] = [];
  const slices = beginSlices({
    nowMs: () => nowMs,
    letKeysIn: () => {
      done.push(worked);
      worked = 0;
      nowMs += keysMs;
      return Promise.resolve();
    },
  });
  for (const length of pieces) {
    nowMs += length;
    worked += length;
    await slices.rest();
  }
  return [...done, worked];
}

Deno.test("work in small pieces is cut at 8 ms, whatever the keys in between take", async () => {
  assert.deepEqual(await slicesOf(Array(20).fill(1)), [8, 8, 4]);
  assert.deepEqual(await slicesOf(Array(20).fill(1), 30), [8, 8, 4]);
  assert.deepEqual(await slicesOf([3, 3, 3, 3]), [9, 3], "at most a piece too long");
});

Deno.test("a piece longer than a slice is followed by keys at once", async () => {
  assert.deepEqual(await slicesOf([1, 80, 1, 1]), [81, 2]);
});

Deno.test("work short enough lets nothing wait", () => {
  const slices = beginSlices({ nowMs: () => 0, letKeysIn: () => assert.fail("nothing was due") });
  for (let piece = 0; piece < 1000; piece++) assert.equal(slices.rest(), undefined);
});

Deno.test("what is done one by one lets keys in behind each", async () => {
  const seen: string[] = [];
  const work = (name: string) => async () => {
    await Promise.resolve();
    seen.push(name);
  };
  await oneByOne([work("a"), () => void seen.push("b")], () => {
    seen.push("keys");
    return Promise.resolve();
  });
  assert.deepEqual(seen, ["a", "keys", "b", "keys"]);
});
