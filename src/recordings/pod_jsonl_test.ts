import assert from "node:assert/strict";
import { applyParsed, createTranscript, noteProblem } from "../transcript/reduce.ts";
import type { Transcript } from "../transcript/block.ts";
import { createLineReader, end, feed } from "./json_lines.ts";
import { createPodTranslator } from "./pod_jsonl.ts";
import type { RecordingStep } from "./translator.ts";

function steps(...values: readonly unknown[]): RecordingStep[] {
  const translator = createPodTranslator();
  return [...values.flatMap((value, index) => translator.push(value, index + 1)), ...translator.end()];
}

/** "line event" for each event, the kind for other steps. */
function names(...values: readonly unknown[]): string[] {
  return steps(...values).map((step) => {
    if (step.kind !== "event") return step.kind;
    return step.parsed.kind === "event"
      ? `${step.line} ${step.parsed.event.event}`
      : `${step.line} ${step.parsed.kind}`;
  });
}

const event = (name: string, data: unknown = {}) => ({ event: name, data });

/** Reads a recording's bytes as the client does. */
function open(bytes: Uint8Array): { transcript: Transcript; ignored: string[] } {
  const transcript = createTranscript();
  const reader = createLineReader();
  const translator = createPodTranslator();
  const ignored: string[] = [];
  const take = (step: RecordingStep) => {
    if (step.kind === "event") applyParsed(transcript, step.parsed);
    else if (step.kind === "problem") noteProblem(transcript, step);
    else if (step.kind === "ignored") ignored.push(step.what);
  };
  for (const record of [...feed(reader, bytes), ...end(reader)]) {
    if (record.kind === "problem") noteProblem(transcript, record);
    else translator.push(record.value, record.line).forEach(take);
  }
  translator.end().forEach(take);
  return { transcript, ignored };
}

function texts(transcript: Transcript): string[] {
  return transcript.blocks.flatMap((block) => block.kind === "assistant_text" ? [block.text] : []);
}

Deno.test("events pass as they are, in any direction mark that means in", () => {
  assert.deepEqual(
    names(event("hello"), { dir: "in", ...event("title", { title: "t" }) }, event("new_thing"), 5),
    [
      "1 hello",
      "2 title",
      "3 unknown",
      "problem",
    ],
  );
});

Deno.test("methods, keys, pastes and sizes of a recording", () => {
  assert.deepEqual(
    steps(
      event("hello"),
      { dir: "out", method: "run", params: { input: "go", message_id: "u1" } },
      { method: "pause" },
      { dir: "key", key: "<C-o>", ts: 1 },
      { dir: "paste", text: "a\nb" },
      { dir: "size", columns: 80, rows: 24 },
      { dir: "size", columns: "wide" },
      { dir: "out", method: "dance" },
      { dir: "up" },
    ).slice(1),
    [
      { kind: "method", method: { method: "run", params: { input: "go", message_id: "u1" } }, line: 2 },
      { kind: "method", method: { method: "pause", params: {} }, line: 3 },
      { kind: "key", key: "<C-o>" },
      { kind: "paste", text: "a\nb" },
      { kind: "size", columns: 80, rows: 24 },
      { kind: "problem", what: "Cannot parse recorded size: a field is missing or of another type", line: 7 },
      { kind: "ignored", what: "method dance", line: 8 },
      { kind: "ignored", what: "dir up", line: 9 },
    ],
  );
});

Deno.test("rule 8: turns become steps, a run becomes the turn", () => {
  assert.deepEqual(
    names(
      event("snapshot", { items: [] }),
      event("user_message", { text: "go" }),
      event("turn_start", { turn: 1 }),
      event("thinking_delta", { text: "hm" }),
      event("thinking_done", { text: "hm" }),
      event("tool_call_start", { id: "a", name: "Read" }),
      event("turn_end", { turn: 1, result: "tool_use" }),
      event("tool_result", { id: "a", summary: "ok" }),
      event("turn_start", { turn: 2 }),
      event("text_done", { text: "done" }),
      event("turn_end", { turn: 2 }),
      event("run_end", { result: "finished" }),
      event("alert", { level: "warning", message: "careful" }),
      event("segment_rotated", { entries: [] }),
    ),
    [
      "1 history",
      "2 user_message",
      "3 turn_start",
      "3 step_start",
      "4 reasoning_delta",
      "5 reasoning_done",
      "6 tool_call_start",
      "7 step_end",
      "8 tool_result",
      "9 step_start",
      "10 text_done",
      "11 step_end",
      "12 turn_end",
      "13 notification",
      "14 surface",
    ],
  );
});

Deno.test("rule 8: what comes before the dialect is known waits for it", () => {
  const start = [
    event("user_message", { text: "go" }),
    event("turn_start", { turn: 1 }),
    event("text_delta", { text: "a" }),
  ];
  assert.deepEqual(names(...start, event("turn_end", { turn: 1 }), event("run_end")), [
    "1 user_message",
    "2 turn_start",
    "2 step_start",
    "3 text_delta",
    "4 step_end",
    "5 turn_end",
  ]);
  assert.deepEqual(names(...start, event("step_start"), event("turn_end", { turn: 1 })), [
    "1 user_message",
    "2 turn_start",
    "3 text_delta",
    "4 step_start",
    "5 turn_end",
  ]);
  assert.deepEqual(names(...start), ["1 user_message", "2 turn_start", "3 text_delta"]);
});

Deno.test("rule 8: a run that goes idle without its end is finished by the next one", () => {
  const values = [
    event("snapshot"),
    event("user_message", { text: "one" }),
    event("turn_start"),
    event("turn_end"),
    event("status", { status: "idle" }),
    event("user_message", { text: "two" }),
    event("turn_start"),
  ];
  assert.deepEqual(names(...values).slice(-4), [
    "6 turn_end",
    "6 user_message",
    "7 turn_start",
    "7 step_start",
  ]);
});

Deno.test("rule 8: the old stream gives the blocks of the new one", () => {
  const shared = {
    read: [
      event("tool_call_start", { id: "a", name: "Read" }),
      event("tool_call_done", { id: "a", name: "Read", arguments: '{"file_path":"/a"}' }),
    ],
    result: event("tool_result", { id: "a", summary: "Read 1 line(s)", output: "     1\tone\n" }),
  };
  const older = [
    event("snapshot", { session_id: "s", items: [] }),
    event("user_message", { message_id: "u", text: "go" }),
    event("turn_start", { turn: 7 }),
    ...shared.read,
    event("usage", { input_tokens: 10, output_tokens: 1 }),
    event("turn_end", { turn: 7 }),
    shared.result,
    event("turn_start", { turn: 8 }),
    event("text_done", { text: "read it" }),
    event("usage", { input_tokens: 20, output_tokens: 2 }),
    event("turn_end", { turn: 8 }),
    event("run_end", { result: "finished" }),
  ];
  const newer = [
    event("history", { session_id: "s", items: [] }),
    event("user_message", { message_id: "u", text: "go" }),
    event("turn_start", { turn: 1 }),
    event("step_start", { turn: 1, step: 1 }),
    ...shared.read,
    event("usage", { input_tokens: 10, output_tokens: 1 }),
    event("step_end", { turn: 1, step: 1 }),
    shared.result,
    event("step_start", { turn: 1, step: 2 }),
    event("text_done", { text: "read it" }),
    event("usage", { input_tokens: 20, output_tokens: 2 }),
    event("step_end", { turn: 1, step: 2 }),
    event("turn_end", { turn: 1, result: "finished" }),
  ];
  const shown = [older, newer].map((values) => {
    const { transcript } = open(
      new TextEncoder().encode(values.map((value) => JSON.stringify(value)).join("\n")),
    );
    return transcript.blocks.map((block) => [
      block.kind,
      block.kind === "tool_call" ? block.calls.map((call) => call.stage) : null,
      block.kind === "turn_stats" ? [block.result, block.requests, block.inputTokens] : null,
    ]);
  });
  assert.deepEqual(shown[0], shown[1]);
  assert.deepEqual(shown[0]?.at(-1), ["turn_stats", null, ["finished", 2, 30]]);
});

Deno.test("U13 a damaged recording is read as far as it can be, and every bad line is named", () => {
  const record = (text: string) => JSON.stringify(event("text_done", { text }));
  const encoder = new TextEncoder();
  const bytes = [
    record("M1"),
    record("M2"),
    record("M3"),
    record("a lost text").slice(0, 40),
    "",
    "\0".repeat(64),
    record("M4") + record("M5"),
    JSON.stringify(event("brand_new", { a: 1 })),
    record(`M6 ${"x".repeat(300_000)}`),
    record("M7 #"),
    record("M8 two#lines").replace("#", "\n"),
    record("M9"),
  ].join("\n");
  const good = encoder.encode(bytes);
  good[good.indexOf("#".charCodeAt(0))] = 0xff;
  const { transcript } = open(good);
  assert.deepEqual(texts(transcript).map((text) => text.slice(0, 8)), [
    "M1",
    "M2",
    "M3",
    "M4",
    "M5",
    `M6 xxxxx`,
    "M7 \ufffd",
    "M8 two\nl",
    "M9",
  ]);
  const notice = transcript.blocks.find((block) => block.kind === "notification");
  assert.match(notice?.message ?? "", /^Skipped 2 lines: 4, 6; repaired 2 lines: 10-11\n/);
  assert.deepEqual([...transcript.counts.unknownEvents], [["brand_new", 1]]);

  const half = open(encoder.encode(bytes + record("half").slice(0, 20)));
  const last = half.transcript.blocks.find((block) => block.kind === "notification");
  assert.deepEqual(texts(half.transcript).at(-1), "M9");
  assert.match(last?.message ?? "", /^Skipped 3 lines: 4, 6, 13;/);
});
