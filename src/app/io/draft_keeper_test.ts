// The draft is handed over once after a change and when a history came; a client that was not typed into uses no timer.

import assert from "node:assert/strict";
import { createDraft, typeText } from "../../input/draft.ts";
import type { Method } from "../../transcript/method.ts";
import { createDraftKeeper } from "./draft_keeper.ts";

Deno.test("a client that attaches with nothing typed hands over no draft and touches no timer", () => {
  const touched: string[] = [];
  const sent: Method[] = [];
  withTimers((name) => touched.push(name), () => {
    const keeper = createDraftKeeper(createDraft(), (method) => sent.push(method));
    keeper.look();
    keeper.attached();
    keeper.flush();
  });
  assert.deepEqual([touched, sent], [[], []], "the first use of a timer costs a first frame 5 ms");
});

Deno.test("what was typed before the pod was there is handed over with its history, once", () => {
  const draft = createDraft();
  const sent: Method[] = [];
  const touched: string[] = [];
  withTimers((name) => touched.push(name), () => {
    const keeper = createDraftKeeper(draft, (method) => sent.push(method));
    typeText(draft, "hello");
    keeper.look();
    assert.equal(sent.length, 0, "not with every key");
    keeper.attached();
    keeper.flush();
  });
  assert.deepEqual(sent.map((method) => method.method), ["keep_draft"]);
  assert.deepEqual(touched, ["setTimeout", "clearTimeout"], "the timer that was set is stopped");
});

/** Runs with timers that do nothing but tell that they were used. */
function withTimers(note: (name: string) => void, run: () => void): void {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  Object.assign(globalThis, {
    setTimeout: () => (note("setTimeout"), 1),
    clearTimeout: () => note("clearTimeout"),
  });
  try {
    run();
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }
}
