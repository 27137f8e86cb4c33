// Prompts kept between clients: who may read them, what damage and other clients do to them.

import assert from "node:assert/strict";
import type { DraftPart } from "../../input/draft_text.ts";
import { openPromptStore, type PromptStore } from "./prompts.ts";

async function inState(run: (state: string) => Promise<void>): Promise<void> {
  const state = await Deno.makeTempDir({ prefix: "trifold_prompts_" });
  try {
    await run(state);
  } finally {
    await Deno.remove(state, { recursive: true });
  }
}

function open(state: string, directory = "/some/where"): PromptStore {
  const store = openPromptStore(directory, state);
  assert.ok(store !== null);
  return store;
}

const text = (value: string): readonly DraftPart[] => [{ type: "text", text: value }];
const texts = async (store: PromptStore) =>
  (await store.load()).prompts.map((parts) => parts.map((part) => part.text).join(""));

function historyFile(state: string): string {
  const [name] = [...Deno.readDirSync(`${state}/history`)].map((entry) => entry.name).filter((name) =>
    name.endsWith(".jsonl")
  );
  return `${state}/history/${name}`;
}

Deno.test("prompts are kept for the next client of that directory and no other, pastes as pastes", () =>
  inState(async (state) => {
    const first = open(state);
    assert.deepEqual(await first.load(), { prompts: [], notice: null });
    const parts: DraftPart[] = [{ type: "text", text: "日本 " }, { type: "paste", text: "one\ntwo\n" }];
    assert.equal(await first.add(text("hello")), null);
    assert.equal(await first.add(parts), null);
    assert.deepEqual((await open(state).load()).prompts, [text("hello"), parts]);
    assert.deepEqual(await texts(open(state, "/else/where")), []);
  }));

Deno.test({
  name: "only their owner can read them, also where the file was open to others",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inState(async (state) => {
      const store = open(state);
      await store.add(text("secret"));
      Deno.chmodSync(historyFile(state), 0o644);
      await store.add(text("other"));
      const mode = (path: string) => (Deno.statSync(path).mode ?? 0) & 0o777;
      assert.equal(mode(`${state}/history`), 0o700);
      for (const entry of Deno.readDirSync(`${state}/history`)) {
        assert.equal(mode(`${state}/history/${entry.name}`), 0o600, entry.name);
      }
    }),
});

Deno.test("two clients that add at once lose nothing, and neither does a replacement meanwhile", () =>
  inState(async (state) => {
    await open(state).add(text("begin"));
    Deno.writeTextFileSync(historyFile(state), "{damaged\n", { append: true });
    const clients = [open(state), open(state), open(state)];
    const added = clients.flatMap((client, at) => [
      ...Array.from({ length: 40 }, (_, count) => client.add(text(`${at}-${count}`))),
      client.load(),
    ]);
    await Promise.all(added);
    const kept = await texts(open(state));
    for (let at = 0; at < 3; at++) {
      const own = kept.filter((prompt) => prompt.startsWith(`${at}-`));
      assert.deepEqual(own, Array.from({ length: 40 }, (_, count) => `${at}-${count}`));
    }
  }));

Deno.test("two processes that add at once lose nothing", () =>
  inState(async (state) => {
    const program = `
      import { openPromptStore } from ${JSON.stringify(new URL("./prompts.ts", import.meta.url).href)};
      const store = openPromptStore("/some/where", Deno.args[0]);
      for (let at = 0; at < 50; at++) await store.add([{ type: "text", text: Deno.args[1] + at }]);`;
    const run = (name: string) =>
      new Deno.Command(Deno.execPath(), {
        args: ["eval", "--no-check", program, state, name],
        stdout: "null",
      }).output();
    const results = await Promise.all([run("a"), run("b")]);
    assert.deepEqual(
      results.map((result) => [result.code, new TextDecoder().decode(result.stderr)]),
      [[0, ""], [0, ""]],
    );
    const kept = await texts(open(state));
    assert.equal(kept.length, 100);
    assert.deepEqual(kept.filter((prompt) => prompt.startsWith("a")).length, 50);
  }));

Deno.test("damaged lines are told of once, are set aside, and cost no good one", () =>
  inState(async (state) => {
    const store = open(state);
    await store.add(text("before"));
    const path = historyFile(state);
    const damage = ["{half a li", '{"parts":[]}', '{"parts":[{"type":"text"}]}', "\u0000\u0000", "[]"];
    Deno.writeTextFileSync(path, damage.join("\n"), { append: true });
    await store.add(text("after"));
    const loaded = await store.load();
    assert.deepEqual(loaded.prompts, [text("before"), text("after")]);
    assert.match(loaded.notice ?? "", /^5 damaged lines .*\.damaged$/);
    assert.deepEqual(Deno.readTextFileSync(path.replace(/jsonl$/, "damaged")), damage.join("\n") + "\n");
    assert.deepEqual(await open(state).load(), { prompts: [text("before"), text("after")], notice: null });
  }));

Deno.test("the newest 1,000 are kept; the file stays small", () =>
  inState(async (state) => {
    const store = open(state);
    await store.add(text("oldest"));
    const path = historyFile(state);
    const lines = Array.from(
      { length: 1300 },
      (_, at) => JSON.stringify({ at, parts: text(`p${at}`) }) + "\n",
    );
    Deno.writeTextFileSync(path, lines.join(""), { append: true });
    const kept = await texts(store);
    assert.equal(kept.length, 1000);
    assert.equal(kept.at(-1), "p1299");
    const stored = Deno.readTextFileSync(path).trimEnd().split("\n");
    assert.equal(stored.length, 1001);
    assert.deepEqual(JSON.parse(stored[0] ?? ""), { directory: "/some/where" });
    assert.deepEqual(await texts(store), kept);
  }));

Deno.test("a directory that cannot be written is said, not thrown", () =>
  inState(async (state) => {
    Deno.writeTextFileSync(`${state}/history`, "a file where the directory should be");
    const store = open(state);
    assert.match(await store.add(text("x")) ?? "", /^Cannot keep the prompt: /);
    assert.equal((await store.load()).prompts.length, 0);
  }));
