// How slow the machine is just now, for the few tests that hold a promise of seconds: the promise is the program's, and
// what else runs on the machine must not break it.

import assert from "node:assert/strict";

/** What starting a process takes on a machine with nothing else to do, in milliseconds. */
const IDLE_START_MS = 6;

/** How many times longer than on an idle machine a process takes to start; at least 1. */
async function slowness(): Promise<number> {
  const took: number[] = [];
  for (let count = 0; count < 7; count++) {
    const startMs = performance.now();
    await new Deno.Command("true").output();
    took.push(performance.now() - startMs);
  }
  // Not the median: a machine that is busy is so by turns.
  return Math.max(1, Math.max(...took) / IDLE_START_MS);
}

/** Fails when something took longer than it may, on a machine as slow as this one is just now. */
export async function checkWithin(allowedMs: number, tookMs: number): Promise<void> {
  if (tookMs < allowedMs) return;
  const limitMs = allowedMs * await slowness();
  assert.ok(tookMs < limitMs, `took ${tookMs} ms, ${limitMs.toFixed(0)} ms allowed on a machine this slow`);
}
