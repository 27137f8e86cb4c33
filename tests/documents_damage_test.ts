// One-document recordings that are damaged, and values that are none: what is sound is shown, what is not is told.

import assert from "node:assert/strict";
import { chooseFormat, loadLibraries } from "../src/app/files.ts";
import { createFeedOf } from "../src/app/io/feed.ts";
import { createRecordReader } from "../src/recordings/json_document.ts";
import { openFolderSource } from "../src/recordings/source.ts";
import { createClient, give } from "./recording_client.ts";
import { longExport, makeStore, messagesOf } from "./session_values.ts";

await loadLibraries();

Deno.test("documents: what is damaged is told with its line, the rest is shown", () => {
  const text = JSON.stringify(longExport(8), null, 2);
  const broken = text.replace('"question 4', '"question \\x 4');
  const line = text.slice(0, text.indexOf('"question 4')).split("\n").length;
  const state = createClient("detail");
  const feed = createFeedOf(chooseFormat(null));
  give(state, [...feed.push(new TextEncoder().encode(broken)), ...feed.end()]);
  const [problem, ...others] = state.fileProblems;
  assert.deepEqual(others, []);
  assert.equal(problem?.what, "the JSON of a message is broken");
  assert.ok(Math.abs((problem?.line ?? 0) - line) < 14, `${problem?.line} for ${line}`);
  const said = state.transcript.blocks.flatMap((block) => block.kind === "user_message" ? [block.text] : []);
  assert.deepEqual(said.map((one) => one.slice(0, 10)), ["question 0"]);
  // Cut off in the last message: those before are whole.
  const cut = createClient("detail");
  const cutFeed = createFeedOf(chooseFormat(null));
  give(cut, [...cutFeed.push(new TextEncoder().encode(text.slice(0, -60))), ...cutFeed.end()]);
  assert.deepEqual(cut.fileProblems, [{ kind: "problem", line: 1, what: "the JSON value is cut off" }]);
  const heard = cut.transcript.blocks.filter((block) => block.kind === "user_message");
  assert.equal(heard.length, 2);
});

Deno.test("documents: a part of the store that cannot be read is told", async () => {
  const root = await Deno.makeTempDir({ prefix: "trifold_store_" });
  try {
    await makeStore(root, 8);
    await Deno.writeTextFile(`${root}/part/msg_000004/prt_1.json`, "{");
    await Deno.writeTextFile(`${root}/part/prt_loose.json`, "");
    const source = openFolderSource(root);
    assert.ok(source.kind === "source" && source.document !== null);
    const state = createClient("normal");
    const feed = createFeedOf(chooseFormat(null));
    for (const some of feed.tellAll([{ kind: "document", document: source.document, line: 1 }])) {
      give(state, some);
    }
    assert.deepEqual(state.fileProblems.map(({ what }) => what), [
      "part/prt_loose.json is no JSON object",
      "part/msg_000004/prt_1.json is no JSON object",
    ]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("documents: damage in one message leaves the others, however they are written and cut", () => {
  const usersOf = (text: string, size: number) => {
    const state = createClient("detail");
    const feed = createFeedOf(chooseFormat(null));
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += size) give(state, feed.push(bytes.slice(at, at + size)));
    give(state, feed.end());
    assert.ok(state.fileProblems.length > 0, "nothing is told");
    return state.transcript.blocks.filter((block) => block.kind === "user_message").length;
  };
  // A lost quote, a lost bracket, and some too many.
  const damages = [[/"question 20/, "question 20"], [/\{\s*"id":\s*"m20"/, '"id":"m20"'], [
    /question 20/,
    'q"]}}]}',
  ]] as const;
  for (const spaces of [0, 2]) {
    const text = JSON.stringify(longExport(40), null, spaces);
    for (const [sound, broken] of damages) {
      for (const size of [700, text.length]) {
        assert.equal(usersOf(text.replace(sound, broken), size), 9, `${spaces} ${broken} ${size}`);
      }
    }
  }
});

Deno.test("documents: messages are found however they are indented", () => {
  const messages = [{ a: [{}, { b: ["\n}"] }] }, {}, { c: 1 }];
  for (
    const text of [
      '{"messages": [\n{\n"a": [\n{\n},\n{\n"b": ["\\n}"]\n}\n]\n},\n{\n},\n{\n"c": 1\n}\n]}',
      JSON.stringify({ messages }, null, 3).replaceAll("\n", "\r\n"),
      JSON.stringify({ messages }, null, "\t"),
      `{\n"messages": [\n ${messages.map((one) => JSON.stringify(one)).join(",\n ")}\n]}`,
    ]
  ) {
    const reader = createRecordReader({ splits: true });
    const [record] = [...reader.feed(new TextEncoder().encode(text)), ...reader.end()];
    assert.ok(record?.kind === "document", text);
    assert.deepEqual(messagesOf(record.document), messages, text);
  }
});

Deno.test("documents: JSON lines, lists and values that are no session stay what they were", () => {
  const read = (text: string) => {
    const reader = createRecordReader({ splits: true });
    return [...reader.feed(new TextEncoder().encode(text)), ...reader.end()];
  };
  for (
    const text of [
      '{\n"messages": ["a", {"b": 1}]\n}',
      '{\n"messages": {"a": 1}\n}',
      '{\n"messages": [{"a": 1}], "messages": []\n}',
      '{\n"inner": {"messages": [{"a": 1}]}\n}',
      '{\n"a": [1, 2]\n}',
      '{\n"messages": [\n{"a": [\n{\n},\n{\n}\n]}\n], "messages": 1}',
    ]
  ) {
    assert.deepEqual(read(text), [{ kind: "value", value: JSON.parse(text), line: 1 }], text);
  }
  for (
    const glue of [
      '{\n"messages": [{"a": 1} {"b": 2}]\n}',
      '{\n"messages": [{"a": 1},]\n}',
      '{\n"messages": [,]}',
    ]
  ) {
    assert.deepEqual(read(glue).at(-1), { kind: "problem", line: 1, what: "the JSON value is broken" }, glue);
  }
});
