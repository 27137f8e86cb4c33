// Rows, groups, results and state that the event flow tests do not reach.

import assert from "node:assert/strict";
import type { Transcript } from "./block.ts";
import {
  addOwnMessage,
  applyEvent,
  createTranscript,
  markDisconnected,
  takeChanges,
  takeOwnMessage,
} from "./reduce.ts";
import { contentText, imageLabel } from "./content.ts";
import { longTextString } from "./long_text.ts";
import type { ToolCall } from "./tool_call.ts";
import { eventOf, feed, outline } from "./transcript_test_helper.ts";

type Short = readonly [name: string, data?: unknown];

const readStart = (id: string): Short => ["tool_call_start", { id, name: "Read" }];
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

function firstCall(transcript: Transcript): ToolCall {
  const block = transcript.blocks.find((one) => one.kind === "tool_call");
  if (block?.kind !== "tool_call" || block.calls[0] === undefined) throw new Error("no call");
  return block.calls[0];
}

Deno.test("N09: the latest plan stays until the agent tells another, whatever became of its turn", () => {
  const transcript = feed(
    createTranscript(),
    ["user_message", { message_id: "u1", text: "go", kind: "run" }],
    ["turn_start", { turn: 1 }],
    ["plan", { items: [{ id: "1", text: "look", status: "in_progress" }] }],
    ["turn_end", { turn: 1, result: "cancelled" }],
    ["user_message", { message_id: "u2", text: "go on", kind: "run" }],
    ["turn_start", { turn: 2 }],
  );
  assert.deepEqual(transcript.plan.map(({ text }) => text), ["look"]);
  feed(transcript, ["plan", { items: [] }]);
  assert.equal(transcript.plan.length, 0);
});

Deno.test("edge 65: Reads that follow each other share a block, cut by what is listed", () => {
  const cuts: readonly (readonly [string, Short, boolean])[] = [
    ["another tool", call("g", "Grep"), true],
    ["text", ["text_delta", { text: "so" }], true],
    ["reasoning", ["reasoning_delta", { id: "r", text: "hm" }], true],
    ["a steer message", ["user_message", { text: "stop", kind: "steer" }], true],
    ["a notification", ["notification", { message: "note" }], true],
    ["a compaction", ["compact_start"], true],
    ["a turn", ["turn_start", { turn: 2 }], true],
    ["blank text", ["text_delta", { text: " \n" }], false],
    ["a blank final text", ["text_done", { text: "\n" }], false],
    ["empty reasoning", ["reasoning_done", { id: "r", text: "" }], false],
    ["usage", ["usage", { input_tokens: 1 }], false],
    ["status", ["status", { status: "running" }], false],
    ["context", ["context", { used_tokens: 1 }], false],
    ["a plan", ["plan", { items: [] }], false],
    ["a step's end", ["step_end"], false],
    ["a step's start", ["step_start", { turn: 1, step: 2 }], false],
  ];
  for (const [what, event, isCut] of cuts) {
    const transcript = feed(
      createTranscript(),
      ["turn_start", { turn: 1 }],
      readStart("a"),
      event,
      readStart("b"),
    );
    const groups = transcript.blocks.flatMap((block) =>
      block.kind === "tool_call" ? [block.calls.length] : []
    );
    assert.equal(groups.includes(2), !isCut, what);
  }
});

Deno.test("edge 65, 66: groups of any size, by start order, each call with its own stage", () => {
  check([
    readStart("a"),
    readStart("b"),
    ["tool_call_start", { id: "c", name: "read_file" }],
    call("b", "Read", '{"file_path":"/x"}'),
    result("b", { is_error: true }),
    readStart("a2"),
  ], ['Read a pending + Read b error {"file_path":"/x"} + read_file c pending + Read a2 pending']);
  const ids = Array.from({ length: 50 }, (_, index) => `r${index}`);
  const transcript = feed(createTranscript(), ...ids.map(readStart));
  assert.equal(transcript.blocks.length, 1);
  check([readStart("a"), ["tool_call_start", { id: "g", name: "Grep" }], readStart("b")], [
    "Read a pending",
    "Grep g pending",
    "Read b pending",
  ]);
});

Deno.test("a call that turns out a Read joins the groups next to it, and only those", () => {
  const unnamed: Short = ["tool_call_start", { id: "u", name: "" }];
  check([readStart("a"), unnamed, readStart("b"), call("u", "Read", "{}")], [
    "Read a pending + Read u executing {} + Read b pending",
  ]);
  check([readStart("a"), unnamed, call("u", "Grep", "{}"), readStart("b")], [
    "Read a pending",
    "Grep u executing {}",
    "Read b pending",
  ]);
  check([readStart("a"), call("g"), unnamed, call("u", "Read", "{}")], [
    "Read a pending",
    "probe g executing {}",
    "Read u executing {}",
  ]);
});

Deno.test("edge 69, 71, 72: outputs absent, empty, in pieces, and after the result", () => {
  const piece = (text: string): Short => ["tool_output", { id: "a", text }];
  const output = (...events: readonly Short[]) => {
    const { output } = firstCall(feed(createTranscript(), call("a"), ...events));
    return output === null ? null : longTextString(output);
  };
  assert.equal(output(result("a")), null);
  assert.equal(output(result("a", { output: "" })), "");
  assert.equal(output(piece("one "), piece("two")), "one two");
  assert.equal(output(piece("one "), result("a", { output: "whole" })), "whole");
  assert.equal(output(piece("one "), result("a")), "one ");
  assert.equal(output(piece("one "), result("a"), piece("two")), "one two");
  assert.equal(output(result("a", { output: "whole", is_error: true }), piece("late")), "whole");
});

Deno.test("presentations are merged field by field; a body stands for the whole body", () => {
  const before = { title: "Deploy", kind: "execute", body: [{ type: "text", text: "a" }] };
  const merged = (after: unknown) =>
    firstCall(feed(
      createTranscript(),
      ["tool_call_done", { id: "a", name: "deploy", arguments: "{}", presentation: before }],
      result("a", { presentation: after }),
    )).presentation;
  assert.deepEqual(merged(null), before);
  assert.deepEqual(merged({ title: "Deployed" }), { ...before, title: "Deployed" });
  assert.deepEqual(merged({ body: [{ type: "markdown", text: "**b**" }, { type: "hologram" }] }), {
    ...before,
    body: [{ type: "markdown", text: "**b**" }, { type: "text", text: "[hologram]" }],
  });
});

Deno.test("images and other parts of an output become labels", () => {
  assert.equal(imageLabel("image/png", 12345), "[image image/png, 12345 bytes]");
  assert.equal(
    contentText([
      { type: "text", text: "before" },
      { type: "image", source: { media_type: "image/png", data: "AAAA" } },
      { type: "resource" },
      "after",
    ]),
    "before\n[image image/png, 3 bytes]\n[resource]\nafter",
  );
  const transcript = feed(
    createTranscript(),
    call("a"),
    result("a", { output: [{ type: "text", text: "one" }] }),
  );
  assert.equal(outline(transcript)[0], "probe a done {} [one]");
});

Deno.test("N12 chunks and the finished event are one block", () => {
  const transcript = feed(createTranscript(), ["text_delta", { text: "on" }], ["text_delta", { text: "e" }]);
  const [block] = transcript.blocks;
  const version = block?.version ?? 0;
  feed(transcript, ["text_done", { text: "one" }]);
  assert.equal(transcript.blocks[0], block);
  assert.ok((block?.version ?? 0) > version);
});

Deno.test("N08 usage is kept by turn and step, a later one replaces the earlier", () => {
  const usage = (
    step: number,
    input: number | null,
  ): Short => ["usage", { turn: 1, step, input_tokens: input, output_tokens: 5 }];
  const transcript = feed(
    createTranscript(),
    ["turn_start", { turn: 1 }],
    ["step_start", { turn: 1, step: 1 }],
    usage(1, 100),
    usage(1, 120),
    ["step_start", { turn: 1, step: 2 }],
    usage(2, null),
    ended("finished"),
  );
  const stats = transcript.blocks.at(-1);
  assert.deepEqual(stats?.kind === "turn_stats" && [stats.requests, stats.inputTokens, stats.outputTokens], [
    2,
    120,
    10,
  ]);
  assert.deepEqual([transcript.usage.inputTokens, transcript.usage.cacheReadTokens], [120, null]);
});

Deno.test("K05 the end's own numbers come first", () => {
  const transcript = feed(
    createTranscript(),
    ["turn_start", { turn: 1 }],
    ended("finished", { requests: 7, elapsed_ms: 41000 }),
  );
  const stats = transcript.blocks.at(-1);
  assert.deepEqual(stats?.kind === "turn_stats" && [stats.requests, stats.inputTokens, stats.elapsedMs], [
    7,
    null,
    41000,
  ]);
});

Deno.test("the time of a turn comes from its events where its end does not say it", () => {
  const transcript = createTranscript();
  for (const [event, ts] of [["turn_start", 1000], ["turn_end", 3500]] as const) {
    applyEvent(transcript, eventOf({ event, data: { turn: 1 }, ts }));
  }
  const stats = transcript.blocks.at(-1);
  assert.equal(stats?.kind === "turn_stats" && stats.elapsedMs, 2500);
  assert.deepEqual([transcript.createdMs, transcript.lastActiveMs], [1000, 3500]);
});

Deno.test("N23 every end is explained by a row, once", () => {
  const error: Short = ["error", { code: "provider_error", message: "401" }];
  check([["turn_start", { turn: 1 }], error, ended("error", { message: "401" })], [
    "# 1",
    "error: 401",
    "= error",
  ]);
  check([["turn_start", { turn: 1 }], ended("error", { message: "401" }), error], ["# 1", "= error (401)"]);
  check([["turn_start", { turn: 1 }], error, ended("error", { message: "other" })], [
    "# 1",
    "error: 401",
    "= error (other)",
  ]);
  for (const end of ["cancelled", "limit_reached", "rejected", "interrupted", "rolled_back"]) {
    check([["turn_start", { turn: 1 }], ended(end)], ["# 1", `= ${end}`]);
  }
  check([["error", { code: "not_running" }]], ["error: not_running"]);
});

Deno.test("retries are told with what is known of them", () => {
  const retry = (data: unknown) => outline(feed(createTranscript(), ["retry", data]))[0];
  assert.equal(
    retry({ attempt: 2, max_attempts: 5, wait_ms: 4000, error: "overloaded" }),
    "warn: Retry 2/5 in 4s: overloaded",
  );
  assert.equal(retry({ attempt: 1, wait_ms: 1500 }), "warn: Retry 1 in 1.5s");
  assert.equal(retry({}), "warn: Retry");
});

Deno.test("the model stands in a header when it changed", () => {
  const step = (model: string): Short => ["step_start", { provider: "acme", model }];
  check([
    ["turn_start", { turn: 1 }],
    step("m-1"),
    ended("finished"),
    ["turn_start", { turn: 2 }],
    step("m-1"),
    ended("finished"),
    ["turn_start", { turn: 3 }],
    step("m-2"),
    step("m-1"),
  ], ["# 1 m-1", "= finished", "# 2", "= finished", "# 3 m-2"]);
});

Deno.test("a paused turn goes on; its end closes it", () => {
  check([
    run("u", "go"),
    ["turn_start", { turn: 1 }],
    call("a"),
    ended("paused"),
    ["turn_start", { turn: 1 }],
    result("a", { output: "x" }),
    ended("finished"),
  ], ["# 1", "> go", "probe a done {} [x]", "= finished"]);
});

Deno.test("an own message is drawn at once and confirmed in place", () => {
  const transcript = createTranscript();
  addOwnMessage(transcript, { messageId: "m1", text: "go", kind: "run" });
  assert.deepEqual(outline(transcript), ["# null", "> go (unconfirmed)"]);
  const [, block] = transcript.blocks;
  feed(transcript, run("m1", "go"), ["turn_start", { turn: 1 }], ["text_delta", { text: "hi" }]);
  assert.deepEqual(outline(transcript), ["# 1", "> go", "text hi..."]);
  assert.equal(transcript.blocks[1], block);
  addOwnMessage(transcript, { messageId: "m2", text: "faster", kind: "steer" });
  feed(transcript, ["text_delta", { text: " there" }], ["user_message", {
    message_id: "m2",
    text: "faster",
    kind: "steer",
  }]);
  assert.deepEqual(outline(transcript), ["# 1", "> go", "text hi there...", ">> faster"]);
  feed(transcript, ["user_message", { message_id: "m2", text: "faster", kind: "steer" }]);
  assert.equal(transcript.blocks.length, 4);
});

Deno.test("an own message that another's overtook moves to where its event puts it", () => {
  const transcript = createTranscript();
  addOwnMessage(transcript, { messageId: "mine", text: "mine", kind: "run" });
  feed(
    transcript,
    run("theirs", "theirs"),
    ["turn_start", { turn: 1 }],
    ended("finished"),
    run("mine", "mine"),
    ["turn_start", { turn: 2 }],
  );
  assert.deepEqual(outline(transcript).slice(-2), ["# 2", "> mine"]);
  assert.equal(outline(transcript).filter((line) => line.startsWith("> mine")).length, 1);
});

Deno.test("an own message that waits in the queue, or was refused, leaves the transcript", () => {
  const transcript = feed(createTranscript(), run("a", "one"), ["turn_start", { turn: 1 }]);
  addOwnMessage(transcript, { messageId: "q", text: "next", kind: "run" });
  feed(transcript, ["queue", { items: [{ message_id: "q", text: "next" }] }]);
  assert.deepEqual(outline(transcript), ["# 1", "> one"]);
  addOwnMessage(transcript, { messageId: "r", text: "refused", kind: "run" });
  assert.deepEqual(takeOwnMessage(transcript, "r"), { messageId: "r", text: "refused", kind: "run" });
  assert.equal(takeOwnMessage(transcript, "r"), null);
  assert.deepEqual(outline(transcript), ["# 1", "> one"]);
  const idle = createTranscript();
  addOwnMessage(idle, { messageId: "x", text: "x", kind: "run" });
  takeOwnMessage(idle, "x");
  assert.deepEqual([idle.blocks.length, idle.turns.length], [0, 0]);
});

Deno.test("an own message outlives a history that does not hold it", () => {
  const transcript = createTranscript();
  addOwnMessage(transcript, { messageId: "mine", text: "mine", kind: "run" });
  feed(transcript, ["history", { items: [] }]);
  assert.deepEqual(outline(transcript), ["# null", "> mine (unconfirmed)"]);
  feed(transcript, ["history", {
    items: [{ type: "message", role: "user", message_id: "mine", content: "mine" }],
  }]);
  assert.deepEqual(outline(transcript), ["# null", "> mine"]);
});

Deno.test("nested agents live inside their call, and a change of theirs is one of all around", () => {
  const transcript = feed(createTranscript(), call("k", "Task"), call("n", "Task"));
  feed(transcript, ["tool_call_start", { id: "kk", name: "Task", parent_id: "k" }]);
  takeChanges(transcript);
  feed(transcript, ["text_delta", { text: "deep", parent_id: "kk" }], ["text_delta", {
    text: "side",
    parent_id: "n",
  }]);
  assert.deepEqual(outline(transcript), [
    "Task k executing {}",
    "  Task kk pending",
    "    text deep...",
    "Task n executing {}",
    "  text side...",
  ]);
  assert.deepEqual([...takeChanges(transcript).touched], transcript.blocks);
  feed(transcript, ["text_delta", { text: "er", parent_id: "kk" }]);
  assert.deepEqual([...takeChanges(transcript).touched], [transcript.blocks[0]]);
});

Deno.test("a call that is its own parent, or its child's child, harms nothing", () => {
  const nest = (id: string, parent_id: string): Short => ["tool_call_start", { id, name: "Task", parent_id }];
  check([nest("a", "a")], ["Task a pending"]);
  check([nest("a", "b"), nest("b", "a")], ["Task b pending", "  Task a pending"]);
});

Deno.test("questions: open until closed, a shutdown closes them", () => {
  const ask = (batch: string): Short => ["question", { batch_id: batch, questions: [] }];
  const transcript = feed(createTranscript(), ask("a"), ask("b"), ask("b"), ["question_closed", {
    batch_id: "a",
    reason: "dismissed",
  }]);
  assert.deepEqual(transcript.questions.map((open) => open.batchId), ["b"]);
  feed(transcript, ["shutdown", { reason: "requested" }]);
  assert.deepEqual(outline(transcript), ["question a dismissed", "question b shutdown"]);
  assert.deepEqual([transcript.status, transcript.statusDetail], ["disconnected", "shut down"]);
});

Deno.test("a lost connection leaves in the middle only what cannot go on", () => {
  const transcript = feed(createTranscript(), ["turn_start", { turn: 1 }], call("a"), ["compact_start"]);
  markDisconnected(transcript, "connection lost");
  assert.deepEqual(outline(transcript), ["# 1", "probe a executing {}", "compact incomplete"]);
  assert.deepEqual([transcript.status, transcript.statusDetail], ["disconnected", "connection lost"]);
});
