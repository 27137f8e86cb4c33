// Silence is only what the loop could have heard.

import assert from "node:assert/strict";
import { createDecoder, decode, nextDeadline, tick } from "../../input/key_decoder.ts";
import type { TerminalInput } from "../../input/terminal_input.ts";
import { createKeyClock } from "./key_clock.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A loop as the client's: time passes, timers fire when they are due or when the loop goes on, reads come. */
function createLoop() {
  let realMs = 1000;
  const clock = createKeyClock(() => realMs);
  const decoder = createDecoder({ escapeMs: 25 });
  const seen: TerminalInput[] = [];
  const wake = () => {
    if (!clock.catchUp(nextDeadline(decoder))) seen.push(...tick(decoder, clock.now()));
  };
  return {
    seen,
    read(text: string) {
      clock.catchUp(nextDeadline(decoder));
      seen.push(...decode(decoder, bytes(text), clock.now()));
    },
    /** The loop runs: a timer is late by a ms. */
    pass(lengthMs: number) {
      for (let at = 0; at < lengthMs; at++) {
        realMs++;
        const due = nextDeadline(decoder);
        if (due !== null && clock.now() > due) wake();
      }
    },
    /** The loop stands still; then its timers come before what waits to be read. */
    stand(lengthMs: number) {
      realMs += lengthMs;
      wake();
    },
  };
}

const names = (seen: readonly TerminalInput[]) =>
  seen.map((input) =>
    input.kind === "key" ? input.key.name : input.kind === "paste" ? input.text : input.kind
  );

Deno.test("an Esc is one after silence, and is none when its rest waited while the loop stood still", () => {
  const loop = createLoop();
  loop.read("\x1b");
  loop.pass(30);
  assert.deepEqual(names(loop.seen), ["Esc"]);
  loop.read("\x1b");
  loop.stand(5000);
  loop.read("[D");
  assert.deepEqual(names(loop.seen), ["Esc", "Left"]);
  loop.read("\x1b");
  loop.stand(5000);
  loop.pass(40);
  assert.deepEqual(names(loop.seen), ["Esc", "Left", "Esc"], "still told, a little later");
});

Deno.test("a paste goes on after the loop stood still, and ends after a silence that could be heard", () => {
  const loop = createLoop();
  loop.read("\x1b[200~one");
  loop.stand(60_000);
  loop.read("two");
  loop.stand(60_000);
  loop.pass(5);
  loop.read("three\x1b[201~x");
  assert.deepEqual(names(loop.seen), ["onetwothree", "x"]);
  loop.read("\x1b[200~cut");
  loop.stand(60_000);
  loop.pass(1100);
  assert.deepEqual(names(loop.seen), ["onetwothree", "x", "cut"]);
});
