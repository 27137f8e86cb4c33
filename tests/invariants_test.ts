// The invariants of ARCHITECTURE.md: each is named by a test somewhere, and those that no other file tests as a whole
// are tested here.

import assert from "node:assert/strict";
import { give, press, screenRows, taken, tell, testClient } from "../src/app/testing.ts";
import { draftText } from "../src/input/draft.ts";

const ROOT = new URL("../", import.meta.url);

Deno.test("every invariant of ARCHITECTURE.md is named by a test", () => {
  const text = Deno.readTextFileSync(new URL("ARCHITECTURE.md", ROOT));
  const section = /\n## Invariants\n([\s\S]*?)\n## /.exec(text)?.[1] ?? "";
  const numbers = [...section.matchAll(/^(\d+)\. /gm)].map((match) => Number(match[1]));
  assert.deepEqual(numbers, Array.from({ length: numbers.length }, (_, at) => at + 1));
  assert.ok(numbers.length >= 12);
  const named = new Set<number>();
  for (const path of testFiles(ROOT)) {
    const source = Deno.readTextFileSync(path);
    for (const match of source.matchAll(/["`][^"`\n]*invariant (\d+)/g)) named.add(Number(match[1]));
  }
  assert.deepEqual(numbers.filter((number) => !named.has(number)), []);
});

Deno.test("invariant 10: a fault while drawing one block shows a row and spares the rest", () => {
  for (const fold of ["detail", "normal", "overview"]) {
    const client = testClient({ rows: 30 });
    tell(client, "text_done", { text: "before" });
    tell(client, "text_done", { text: "the broken one" });
    tell(client, "tool_call_done", { id: "1", name: "Bash", arguments: "{}" });
    tell(client, "text_done", { text: "behind" });
    const [, text, tool] = client.state.transcript.blocks;
    assert.ok(text?.kind === "assistant_text" && tool?.kind === "tool_call");
    breakFields(text, ["text"], 1);
    breakFields(tool.calls[0] ?? {}, ["args", "summary", "input"], 2);
    press(client, `/fold ${fold}<Enter>`);
    const rows = screenRows(client).join("\n");
    assert.ok(rows.includes("before") && rows.includes("behind"), rows);
    assert.match(rows, /Cannot draw this block: boom \\x1b\[2J 1/);
    assert.match(rows, /Cannot draw this block: boom \\x1b\[2J 2/);
  }
});

Deno.test("invariant 11: nothing typed is lost to a panel, a resize, a refusal, a disconnect or a new history", () => {
  const client = testClient();
  const draft = () => draftText(client.state.composer.draft);
  press(client, "half a thought 日本");
  tell(client, "question", {
    batch_id: "q",
    questions: [{ id: "a", text: "Now?", options: [{ id: "1", label: "yes" }] }],
  });
  press(client, "<Wait 100>語");
  assert.equal(draft(), "half a thought 日本語");
  for (const [columns, rows] of [[1, 1], [0, 0], [300, 2], [80, 24]] as const) {
    give(client, { kind: "resize", columns, rows });
    screenRows(client);
    press(client, "x");
  }
  assert.equal(draft(), "half a thought 日本語xxxx");
  assert.ok(!taken(client).includes("answer"), "nothing was answered by it");
  press(client, "<Esc><Enter>");
  assert.equal(draft(), "");
  const id = `c-${client.state.nextMessage - 1}`;
  press(client, "and more");
  tell(client, "error", { code: "already_running", message: "busy", message_id: id });
  assert.ok(draft().includes("half a thought 日本語xxxx") && draft().endsWith("and more"), draft());
  const before = draft();
  give(client, { kind: "agent_end", what: "crashed", asked: false });
  tell(client, "hello", { agent: "test", capabilities: ["history"] });
  tell(client, "history", {
    session_id: "s",
    status: "idle",
    items: [],
    state: { draft: [{ type: "text", text: "old" }] },
  });
  assert.equal(draft(), before);
  // What was sent and never arrived comes back as well.
  press(client, "<Enter>");
  give(client, { kind: "agent_end", what: "crashed", asked: false });
  tell(client, "history", { session_id: "s", status: "idle", items: [] });
  assert.ok(draft().includes("half a thought"), draft());
});

function breakFields(target: object, fields: readonly string[], at: number): void {
  const fail = () => {
    throw new Error(`boom \x1b[2J ${at}`);
  };
  for (const field of fields) Object.defineProperty(target, field, { get: fail });
}

function testFiles(folder: URL): URL[] {
  const found: URL[] = [];
  for (const name of ["src/", "tests/"]) walk(new URL(name, folder), found);
  return found;
}

function walk(folder: URL, found: URL[]): void {
  for (const entry of Deno.readDirSync(folder)) {
    if (entry.isDirectory) walk(new URL(`${entry.name}/`, folder), found);
    // Fuzzers bear the names of the tests that run them.
    else if (/_test\.ts$/.test(entry.name) || folder.pathname.includes("/fuzz/")) {
      found.push(new URL(entry.name, folder));
    }
  }
}
