import assert from "node:assert/strict";
import type { TerminalInput } from "../../input/terminal_input.ts";
import { createInbox } from "./inbox.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const shown = (inputs: readonly TerminalInput[]) =>
  inputs.map((input) => input.kind === "key" ? input.key.name : input.kind).join(" ");

Deno.test("what is typed before anything can take it is told in its order, however the reads cut it", async () => {
  const told: string[] = [];
  const inbox = createInbox(25, (inputs) => told.push(shown(inputs)));
  // The terminal uses one array for all its reads.
  const buffer = bytes("ab");
  inbox.take(buffer);
  buffer.set(bytes("\x1b["));
  inbox.take(buffer);
  buffer.set(bytes("Ac"));
  inbox.take(buffer);
  assert.deepEqual(told, []);
  assert.equal(inbox.waitMs(), null, "nothing is judged yet");
  assert.deepEqual(inbox.silence(), []);
  await inbox.open();
  assert.equal(told.filter((one) => one !== "").join(" "), "a b Up c");
  inbox.take(bytes("d"));
  assert.equal(told.at(-1), "d");
});

Deno.test("an Esc typed before is a key when silence has passed", async () => {
  const told: string[] = [];
  const inbox = createInbox(1, (inputs) => told.push(shown(inputs)));
  inbox.take(bytes("\x1b"));
  await Promise.all([inbox.open(), inbox.open()]);
  assert.equal(told.join(""), "");
  assert.ok((inbox.waitMs() ?? Infinity) <= 1);
  let keys = "";
  for (const endMs = performance.now() + 5000; keys === "" && performance.now() < endMs;) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    keys = shown(inbox.silence());
  }
  assert.equal(keys, "Esc");
});

Deno.test("an answer to a query that was sent before is an answer, though its pieces come apart", async () => {
  const told: string[] = [];
  const inbox = createInbox(1, (inputs) => told.push(shown(inputs)));
  inbox.expectAnswers();
  inbox.take(bytes("\x1b[?62"));
  await inbox.open();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(shown(inbox.silence()), "");
  inbox.take(bytes(";22c"));
  assert.equal(told.join(""), "answer");
});

Deno.test("Enter typed ahead, which the terminal made a newline of, is Enter; lines of a paste are not", async () => {
  const keysOf = async (...reads: readonly string[]) => {
    const told: string[] = [];
    const inbox = createInbox(25, (inputs) => told.push(shown(inputs)));
    const [first = "", ...others] = reads;
    inbox.take(bytes(first));
    await inbox.open();
    for (const read of others) inbox.take(bytes(read));
    return told.join(" ");
  };
  const newline = await keysOf("a", "\n");
  assert.notEqual(newline, "a Enter");
  assert.equal(await keysOf("hi\n"), "h i Enter");
  assert.equal(await keysOf("hi\n\x1b[?62;22c"), "h i Enter answer");
  assert.equal(await keysOf("a\nb"), `${newline} b`);
  assert.equal(await keysOf("a\nb\n"), [newline, newline.replace("a", "b")].join(" "));
  assert.equal(await keysOf("\n"), newline.replace("a ", ""));
  assert.equal(await keysOf("\x1b[200~a\nb\x1b[201~"), "paste");
});
