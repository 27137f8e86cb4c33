import assert from "node:assert/strict";
import { createLoopTimer } from "./loop_timer.ts";

/** A clock that goes on while it is looked at, as clocks do. */
const HURRY_MS = 0.001;

/** A timer whose time the test moves; `run` calls back what is due, as late as the clock then says. */
function underTest() {
  let now = 0;
  let woken = 0;
  const waiting = new Set<{ readonly atMs: number; readonly call: () => void }>();
  const timer = createLoopTimer(() => woken++, {
    nowMs: () => now += HURRY_MS,
    after: (ms, call) => {
      assert.ok(ms >= 0, `${ms} ms`);
      const one = { atMs: now + ms, call };
      waiting.add(one);
      return () => waiting.delete(one);
    },
  });
  return {
    timer,
    woken: () => woken,
    to: (ms: number) => {
      now = ms;
    },
    run: () => {
      for (const one of [...waiting]) {
        if (one.atMs > now || !waiting.delete(one)) continue;
        one.call();
      }
    },
  };
}

Deno.test("the loop's timer wakes once, when it is due; what is read counts as read then", () => {
  const { timer, woken, to, run } = underTest();
  timer.set(100);
  timer.set(200);
  to(150);
  run();
  assert.deepEqual([woken(), Math.floor(timer.readMs())], [0, 150]);
  to(203);
  assert.equal(Math.floor(timer.readMs()), 203);
  run();
  run();
  assert.equal(woken(), 1);
  timer.set(null);
  to(900);
  run();
  assert.deepEqual([woken(), Math.floor(timer.readMs())], [1, 900]);
});

Deno.test("what waited while the loop stood still is dated to where it stopped, and is read before it goes on", () => {
  const { timer, woken, to, run } = underTest();
  timer.set(120);
  to(700);
  assert.equal(timer.readMs(), 120, "read before the timer is called");
  run();
  assert.deepEqual([woken(), timer.readMs()], [0, 120], "and behind it");
  to(711);
  run();
  assert.equal(woken(), 1);
  assert.equal(Math.floor(timer.readMs()), 711);
  timer.set(600);
  to(713);
  run();
  assert.equal(woken(), 2, "what was due long ago is due at once, and not late");
});
