// Histories, their state, surfaces and older pages, as pods and as others write them.

import assert from "node:assert/strict";
import type { Transcript } from "./block.ts";
import { createTranscript, markDisconnected, takeChanges } from "./reduce.ts";
import { headAndTail } from "./shorten.ts";
import { historyOf, historyPagesOf } from "./snapshot.ts";
import { feed, outline } from "./transcript_test_helper.ts";

type Short = readonly [name: string, data?: unknown];

const call = (
  id: string,
  name = "probe",
  args = "{}",
): Short => ["tool_call_done", { id, name, arguments: args }];
const result = (id: string, more = {}): Short => ["tool_result", { id, summary: "", ...more }];
const run = (id: string, text: string): Short => ["user_message", { message_id: id, text, kind: "run" }];
const ended = (result: string, more = {}): Short => ["turn_end", { result, ...more }];

function check(events: readonly Short[], expected: readonly string[]): Transcript {
  const transcript = feed(createTranscript(), ...events);
  assert.deepEqual(outline(transcript), expected);
  return transcript;
}

Deno.test("K09 history.state is restored, each field doubted on its own", () => {
  const state = {
    title: "Fix it",
    plan: [{ id: "1", text: "one", status: "completed" }, { id: "2", status: "strange" }],
    questions: [{ batch_id: "q", questions: [] }],
    queue: [{ message_id: "u", text: "later" }],
    options: 5,
    commands: [{ name: "review" }],
    models: [{ model: "m-1" }],
    model: { provider: "acme", model: "m-1" },
    context: { used_tokens: 10, window_tokens: "many" },
    usage: { input_tokens: 7 },
    counts: { events: 99, turns: 3 },
    created_ms: 1,
    last_active_ms: -4,
    draft: { parts: [] },
  };
  const transcript = feed(createTranscript(), ["history", { state, items: [] }]);
  assert.equal(transcript.title, "Fix it");
  assert.deepEqual(transcript.plan.map((item) => item.id), ["1"]);
  assert.deepEqual(outline(transcript), ["question q open"]);
  assert.equal(transcript.queue.length, 1);
  assert.equal(transcript.commands.length, 1);
  assert.deepEqual(transcript.model, { provider: "acme", model: "m-1" });
  assert.deepEqual([transcript.usage.inputTokens, transcript.counts.events, transcript.counts.turns], [
    7,
    99,
    3,
  ]);
  assert.deepEqual([transcript.createdMs, transcript.lastActiveMs, transcript.context], [1, null, null]);
  assert.deepEqual(transcript.draft, { parts: [] });
  assert.deepEqual([...transcript.counts.anomalies.keys()], [
    "history.state.plan",
    "history.state.options",
    "history.state.context",
    "history.state.last_active_ms",
  ]);
});

Deno.test("edge 99: histories as others write them", () => {
  const transcript = check([["history", {
    items: [
      { type: "message", role: "system", content: "be good" },
      {
        type: "message",
        role: "user",
        content: [{ type: "text", text: "one " }, { type: "text", text: "two" }],
      },
      { type: "tool_call", id: "a", name: "probe", arguments: { n: 1 } },
      { type: "message", role: "assistant", content: [{ type: "text", text: "hi" }, { type: "image" }] },
      { type: "tool_result", id: "b", output: "early" },
      { type: "tool_call", call_id: "b", name: "probe", arguments: "{}" },
      { type: "tool_result", call_id: "orphan", output: [{ type: "text", text: "x" }] },
      { type: "hologram" },
      5,
      { type: "event", event: "retry", data: { attempt: 1 } },
      { type: "event", event: "brand_new" },
      { type: "event", event: "history", data: {} },
      { type: "message", role: "user", content: "three" },
      { type: "message", role: "user", content: "four", kind: "steer" },
      { type: "compact", new_session_id: "s2" },
      { type: "turn_stats", result: "finished", requests: 2, input_tokens: 10 },
    ],
  }]], [
    "info: be good",
    "# null",
    "> one two",
    'probe a incomplete {"n":1}',
    "text hi\n[image]",
    "probe b done {} [early]",
    "? orphan done [x]",
    "warn: Skipped 1 message\nCannot parse history item: value is not an object",
    "warn: Retry 1",
    "# null",
    "> three",
    ">> four",
    "compact done",
    "= finished",
  ]);
  assert.deepEqual([...transcript.counts.unknownEvents.keys()], ["item hologram", "item brand_new"]);
});

Deno.test("edge 99: ten thousand items are restored at once", () => {
  const items = Array.from(
    { length: 10_000 },
    (_, index) => ({ type: "message", role: "assistant", content: `text ${index}` }),
  );
  const transcript = feed(createTranscript(), ["history", { items }]);
  assert.equal(transcript.blocks.length, 10_000);
});

Deno.test("what a compaction replaced is dimmed and counted, with the items below", () => {
  check([
    ["history", { greeting: { pod_name: "demo" } }],
    run("u1", "go"),
    ["turn_start", { turn: 1 }],
    ["text_done", { text: "did" }],
    ended("finished"),
    ["compact_start", { reason: "manual" }],
    ["surface", {
      op: "replace",
      session_id: "s2",
      items: [
        { type: "message", role: "user", content: "[summary]" },
        { type: "message", role: "user", message_id: "u1", kind: "run", content: "go" },
        { type: "message", role: "assistant", content: "did" },
      ],
    }],
    ["compact_done"],
    run("u2", "on"),
  ], [
    "greeting demo",
    "~# 1",
    "~> go",
    "~text did",
    "~= finished",
    "compact done",
    "marker 4",
    "> [summary]",
    "> go",
    "text did",
    "# null",
    "> on",
  ]);
});

Deno.test("older pages go in front with smaller ids; the greeting comes with the oldest", () => {
  const live = feed(createTranscript(), ["history", { session_id: "s", greeting: { pod_name: "demo" } }]);
  for (let turn = 1; turn <= 5; turn++) {
    feed(live, run(`u${turn}`, `message ${turn}`), ["turn_start", { turn }], ["text_done", {
      text: `answer ${turn}`,
    }], ended("finished"));
  }
  const { history, pages } = historyPagesOf(live, { pageBytes: 450 });
  assert.ok(pages.length >= 2);
  const transcript = createTranscript();
  const send = (event: string, data: unknown) => feed(transcript, [event, JSON.parse(JSON.stringify(data))]);
  send("history", history);
  assert.equal(transcript.moreBefore, history.more_before);
  const newest = transcript.blocks.map((block) => block.id);
  assert.deepEqual(newest, newest.map((_, index) => index));
  takeChanges(transcript);
  for (const page of pages) {
    const before = [...transcript.blocks];
    send("history_page", page);
    const { prepended, rebuilt } = takeChanges(transcript);
    assert.equal(rebuilt, false);
    assert.deepEqual(transcript.blocks.slice(prepended), before);
  }
  send("history_page", pages[0]);
  assert.deepEqual(outline(transcript), outline(live));
  assert.equal(transcript.moreBefore, null);
  const ids = transcript.blocks.map((block) => block.id);
  assert.deepEqual(ids, [...ids].sort((a, b) => a - b));
});

Deno.test("an item larger than a page keeps its head and tail", () => {
  assert.equal(headAndTail("x".repeat(10), 10), "x".repeat(10));
  assert.equal(headAndTail(`aa${"é".repeat(50)}bb`, 4), "aa\n[100 bytes left out]\nbb");
  const live = feed(createTranscript(), call("a"), result("a", { output: `head${"x".repeat(5000)}tail` }));
  const { history, pages } = historyPagesOf(live, { pageBytes: 1000 });
  for (const { items } of [history, ...pages]) assert.ok(JSON.stringify(items).length <= 1100);
  const text = JSON.stringify([history, ...pages]);
  assert.match(text, /head.*bytes left out.*tail/);
});

Deno.test("live events before the older pages have come find their turn and their calls", () => {
  const live = feed(createTranscript(), run("u", "go"), ["turn_start", { turn: 1 }]);
  for (let index = 0; index < 6; index++) feed(live, call(`c${index}`, "probe", `{"n":${index}}`));
  feed(live, result("c1", { output: "one" }), ["text_done", { text: "between" }]);
  const { history, pages } = historyPagesOf(live, { pageBytes: 300 });
  assert.ok(pages.length > 1);
  const transcript = createTranscript();
  const both = (...events: readonly Short[]) => [live, transcript].forEach((one) => feed(one, ...events));
  feed(transcript, ["history", JSON.parse(JSON.stringify(history))]);
  both(result("c0", { output: "zero" }), ["step_start", { turn: 1, step: 2 }], ["text_delta", {
    text: "more",
  }]);
  pages.forEach((page, index) => {
    feed(transcript, ["history_page", JSON.parse(JSON.stringify(page))]);
    if (index === 0) both(result("c3", { output: "three" }));
  });
  both(ended("finished"));
  assert.deepEqual(outline(transcript), outline(live));
});

Deno.test("a history taken before hello or after a lost connection says idle", () => {
  const transcript = createTranscript();
  assert.equal(historyOf(transcript).status, "idle");
  markDisconnected(transcript, "gone");
  assert.equal(historyOf(transcript).status, "idle");
});

Deno.test("open questions keep their order however many pages their rows come in: who waits longest is asked first", () => {
  const asked = (id: string): Short => ["question", { batch_id: id, questions: [{ id: "a", text: "?" }] }];
  const said: Short = ["text_done", { text: "words ".repeat(60) }];
  const live = feed(
    createTranscript(),
    run("u1", "go"),
    asked("q1"),
    said,
    run("u2", "on"),
    asked("q2"),
    said,
  );
  const { history, pages } = historyPagesOf(live, { pageBytes: 300, itemBytes: 1 << 20 });
  assert.ok(pages.length > 0);
  const attached = feed(
    createTranscript(),
    ["history", history],
    ...pages.map((page): Short => ["history_page", page]),
  );
  assert.deepEqual(attached.questions.map((open) => open.batchId), ["q1", "q2"]);
});
