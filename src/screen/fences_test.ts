// Answers in one piece, in many, among keys; and that nothing waits for ever.

import assert from "node:assert/strict";
import { createFences, fencesAnswered, forgetFences, openFence, readFences } from "./fences.ts";

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}

Deno.test("an answer cut anywhere closes its fence, among keys and other answers", () => {
  const stream = "a\x1b[?2026;2$y\x1b[?1u\x1b[Ab\x1b[?62;1;6;22cq";
  for (let cut = 0; cut <= stream.length; cut++) {
    const fences = createFences();
    openFence(fences);
    readFences(fences, bytes(stream.slice(0, cut)));
    assert.equal(fences.open, cut >= stream.length - 1 ? 0 : 1);
    readFences(fences, bytes(stream.slice(cut)));
    assert.equal(fences.open, 0);
  }
  const fences = createFences();
  openFence(fences);
  for (const sign of stream.slice(0, -2)) readFences(fences, bytes(sign));
  assert.equal(fences.open, 1);
  readFences(fences, bytes("c"));
  assert.equal(fences.open, 0);
});

Deno.test("each fence has its own answer", () => {
  const fences = createFences();
  openFence(fences);
  openFence(fences);
  readFences(fences, bytes("\x1b[?6c"));
  assert.equal(fences.open, 1);
  readFences(fences, bytes("\x1b[?6c\x1b[?6c"));
  assert.equal(fences.open, 0);
});

Deno.test("waiting ends with the last answer, or when it is given up", async () => {
  const fences = createFences();
  await fencesAnswered(fences);
  openFence(fences);
  const order: string[] = [];
  const answered = fencesAnswered(fences).then(() => order.push("answered"));
  await Promise.resolve();
  order.push("waiting");
  readFences(fences, bytes("\x1b[?1;2c"));
  await answered;
  openFence(fences);
  const forgotten = fencesAnswered(fences).then(() => order.push("forgotten"));
  forgetFences(fences);
  await forgotten;
  assert.deepEqual(order, ["waiting", "answered", "forgotten"]);
});

Deno.test("a long paste keeps nothing but its end", () => {
  const fences = createFences();
  openFence(fences);
  readFences(fences, bytes("x".repeat(100_000) + "\x1b[?1"));
  assert.ok(fences.rest.length <= 64);
  readFences(fences, bytes("c"));
  assert.equal(fences.open, 0);
});
