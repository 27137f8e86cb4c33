import assert from "node:assert/strict";
import fc from "fast-check";
import { sleepReally, tokenCount, tokens } from "./pace.ts";

Deno.test("pace: tokens join to the text, and none is long or half a sign", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.lorem()),
      (text) => {
        const pieces = tokens(text);
        assert.equal(pieces.join(""), text);
        for (const piece of pieces) {
          assert.ok([...piece.trim()].length <= 6);
          assert.ok(piece.isWellFormed());
        }
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("pace: tokens are counted as bills do", () => {
  assert.deepEqual(["", "a", "four", "fives"].map(tokenCount), [0, 1, 1, 2]);
});

Deno.test("pace: a wait ends early when something is wanted", async () => {
  const abort = new AbortController();
  const startMs = performance.now();
  const wait = sleepReally(60_000, abort.signal);
  abort.abort();
  await wait;
  await sleepReally(60_000, abort.signal);
  assert.ok(performance.now() - startMs < 20_000);
});
