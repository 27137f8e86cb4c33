// The event flow in every odd order (edge cases 1-31), and the case U12.

import assert from "node:assert/strict";
import { historyOf } from "./snapshot.ts";
import { applyEvent, createTranscript, noteProblem, takeChanges } from "./reduce.ts";
import type { Transcript } from "./block.ts";
import { eventOf, feed, outline } from "./transcript_test_helper.ts";

type Short = readonly [name: string, data?: unknown];

const start = (id: string, name = "probe"): Short => ["tool_call_start", { id, name }];
const delta = (id: string, json: string): Short => ["tool_call_args_delta", { id, json }];
const done = (
  id: string,
  args: string,
  name = "probe",
): Short => ["tool_call_done", { id, name, arguments: args }];
const result = (id: string, summary: string, output: string, isError = false): Short => [
  "tool_result",
  { id, summary, output, is_error: isError },
];
const text = (text: string): Short => ["text_delta", { text }];
const textDone = (text: string): Short => ["text_done", { text }];
const turn = (number: number): Short => ["turn_start", { turn: number }];
const ended = (result = "finished", more = {}): Short => ["turn_end", { result, ...more }];

/** The outline after the events. */
function check(events: readonly Short[], expected: readonly string[]): Transcript {
  const transcript = feed(createTranscript(), ...events);
  assert.deepEqual(outline(transcript), expected);
  return transcript;
}

Deno.test("edge 1: arguments before the start make a streaming call that start and done fill in", () => {
  check([delta("a", '{"p')], ['? a streaming {"p']);
  check([delta("a", '{"p'), start("a"), delta("a", '":1}')], ['probe a streaming {"p":1}']);
  check([delta("a", '{"p'), done("a", '{"p":1}')], ['probe a executing {"p":1}']);
});

Deno.test("edge 2: done before start, or without deltas, is one executing block", () => {
  check([done("a", "{}"), start("a")], ["probe a executing {}"]);
  check([start("a"), done("a", "{}")], ["probe a executing {}"]);
});

Deno.test("edge 3: a result before the start stands, and start and done name it", () => {
  check([result("a", "ok", "OUT")], ["? a done [OUT]"]);
  check([result("a", "ok", "OUT"), start("a"), done("a", '{"x":1}')], ['probe a done {"x":1} [OUT]']);
});

Deno.test("edge 4: a result before done stays; the file is known when both are", () => {
  const read = [
    start("r", "Read"),
    result("r", "Read 1 line(s)", "     1\tone\n"),
    done("r", '{"file_path":"/f"}', "Read"),
  ];
  const transcript = check(read, ['Read r done {"file_path":"/f"} [     1\tone\n]']);
  assert.equal(transcript.files.files.get("/f")?.runs[0]?.text, "one");
});

Deno.test("edge 5: a delta after done changes nothing and is counted", () => {
  const transcript = check([start("a"), done("a", "{}"), delta("a", "junk")], ["probe a executing {}"]);
  assert.equal(transcript.counts.anomalies.get("tool_call_args_delta after tool_call_done"), 1);
});

Deno.test("edge 6: of two dones the last wins, unless the result was there", () => {
  check([start("a"), done("a", '{"n":1}'), done("a", '{"n":2}')], ['probe a executing {"n":2}']);
  check([start("a"), done("a", '{"n":1}'), result("a", "ok", "1"), done("a", '{"n":2}')], [
    'probe a done {"n":1} [1]',
  ]);
});

Deno.test("edge 7: an identical second result is ignored, a different one marked", () => {
  check([start("a"), done("a", "{}"), result("a", "ok", "1"), result("a", "ok", "1")], [
    "probe a done {} [1]",
  ]);
  const transcript = check([
    start("a"),
    done("a", "{}"),
    result("a", "ok", "1"),
    result("a", "no", "2", true),
  ], [
    "probe a done {} [1] (second result ignored)",
  ]);
  assert.equal(transcript.counts.anomalies.get("tool_result repeated"), 1);
});

Deno.test("edge 8: an id used again in its turn is a new block once the first is finished", () => {
  const first = [turn(1), start("a"), done("a", "{}"), result("a", "ok", "1")];
  check([...first, start("a"), done("a", '{"again":1}'), result("a", "ok", "2")], [
    "# 1",
    "probe a done {} [1]",
    'probe a done {"again":1} [2]',
  ]);
  check([turn(1), start("a"), delta("a", "{"), start("a"), delta("a", "}")], ["# 1", "probe a streaming {}"]);
});

Deno.test("edge 9: the same id in another turn is a new block", () => {
  check([turn(1), start("a"), done("a", "{}"), ended(), turn(2), start("a")], [
    "# 1",
    "probe a incomplete {}",
    "= finished",
    "# 2",
    "probe a pending",
  ]);
});

Deno.test("edge 10: calls without an id are told apart by their order", () => {
  check([
    start(""),
    start(""),
    done("", '{"n":1}'),
    done("", '{"n":2}'),
    result("", "1", "one"),
    result("", "2", "two"),
  ], [
    'probe  done {"n":1} [one]',
    'probe  done {"n":2} [two]',
  ]);
});

Deno.test("edge 11: a result for an id never started is an orphan block, live and in replay", () => {
  check([turn(1), result("z", "?", "Z-OUT"), ended()], ["# 1", "? z done [Z-OUT]", "= finished"]);
  const items = [{ type: "turn", turn: 1 }, {
    type: "tool_result",
    call_id: "z",
    summary: "?",
    content: "Z-OUT",
  }];
  check([["history", { items }]], ["# 1", "? z done [Z-OUT]"]);
});

Deno.test("edge 12: the turn's end makes all open calls incomplete", () => {
  const transcript = check([turn(1), start("a"), delta("b", "{"), done("c", "{}"), ended("cancelled")], [
    "# 1",
    "probe a incomplete",
    "? b incomplete {",
    "probe c incomplete {}",
    "= cancelled",
  ]);
  const block = transcript.blocks[1];
  assert.equal(block?.kind === "tool_call" && block.calls[0]?.incompleteReason, "cancelled");
  check([turn(1), done("c", "{}"), ended("paused")], ["# 1", "probe c executing {}"]);
});

Deno.test("edge 13: a result that comes late repairs the call", () => {
  check([turn(1), done("a", "{}"), ended(), result("a", "late", "OUT", true)], [
    "# 1",
    "probe a error {} [OUT] (late)",
    "= finished",
  ]);
});

Deno.test("edge 14: a turn that begins while another is open interrupts it", () => {
  check([turn(1), done("a", "{}"), turn(2), text("two")], [
    "# 1",
    "probe a incomplete {}",
    "= interrupted",
    "# 2",
    "text two...",
  ]);
  check([turn(1), turn(1), text("still one")], ["# 1", "text still one..."]);
});

Deno.test("edge 15: a turn's end without a turn shows its row only if something was open", () => {
  check([ended()], []);
  check([text("open"), ended()], ["text open", "= finished"]);
  check([turn(1), ended(), ended()], ["# 1", "= finished"]);
});

Deno.test("edge 16: text after a finished text is a new block", () => {
  check([text("one"), textDone("one"), text("two")], ["text one", "text two..."]);
});

Deno.test("edge 17: the final text wins over its pieces", () => {
  check([text("onn"), textDone("one")], ["text one"]);
  check([text("one"), textDone("")], ["text one"]);
});

Deno.test("edge 18: a final text without pieces makes the block", () => {
  check([textDone("one")], ["text one"]);
  check([textDone(" \n")], []);
});

Deno.test("edge 19: a tool that starts in the middle of text closes it", () => {
  check([text("before "), start("a"), text("after"), textDone("before after")], [
    "text before ",
    "probe a pending",
    "text after",
  ]);
  check([text("before"), start("a"), textDone("before")], ["text before", "probe a pending"]);
});

Deno.test("edge 20: parallel calls whose arguments come byte by byte keep them apart", () => {
  const [a, b] = ['{"p":"a.txt","é":1}', '{"q":[1,2,{"😀":"b"}]}'];
  const events: Short[] = [start("A"), start("B")];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    if (at < a.length) events.push(delta("A", a[at] ?? ""));
    if (at < b.length) events.push(delta("B", b[at] ?? ""));
  }
  check(events, [`probe A streaming ${a}`, `probe B streaming ${b}`]);
});

Deno.test("edge 21: a hundred calls at once", () => {
  const ids = Array.from({ length: 100 }, (_, index) => `t${index}`);
  const events = [...ids.map((id) => start(id)), ...ids.map((id) => done(id, `"${id}"`))];
  const results = ids.toReversed().map((id) => result(id, "ok", id));
  check([...events, ...results], ids.map((id) => `probe ${id} done "${id}" [${id}]`));
});

Deno.test("edge 22: a history after a lost connection doubles nothing", () => {
  const live = feed(
    createTranscript(),
    turn(1),
    text("hello"),
    textDone("hello"),
    start("a"),
    delta("a", '{"x'),
  );
  const before = outline(live);
  const history = JSON.parse(JSON.stringify(historyOf(live)));
  feed(live, ["history", history]);
  assert.deepEqual(outline(live), before);
  feed(live, delta("a", '":1}'), done("a", '{"x":1}'));
  assert.deepEqual(outline(live).at(-1), 'probe a executing {"x":1}');
});

Deno.test("edge 23: gaps, repeats and late numbers", () => {
  const transcript = createTranscript();
  feed(transcript, ["hello", { capabilities: ["history"] }], ["history", { through_seq: 10 }]);
  const numbered = (seq: number) =>
    applyEvent(transcript, eventOf({ event: "text_done", data: { text: `n${seq}` }, seq }));
  for (const seq of [9, 10, 11]) numbered(seq);
  assert.deepEqual(outline(transcript), ["text n11"]);
  assert.equal(transcript.wantsHistory, false);
  for (const seq of [13, 12, 12, 14]) numbered(seq);
  assert.deepEqual(outline(transcript), [
    "text n11",
    "warn: Events are missing: number 12 was expected, 13 came",
    "text n13",
    "text n12",
    "text n14",
  ]);
  assert.equal(transcript.wantsHistory, true);
  feed(transcript, ["history", { through_seq: 14, items: [] }]);
  assert.equal(transcript.wantsHistory, false);
  assert.equal(transcript.lastSeq, 14);
});

Deno.test("edge 23: without the capability a gap is told, but no history is wanted", () => {
  const transcript = createTranscript();
  for (const seq of [1, 5]) applyEvent(transcript, eventOf({ event: "title", data: { title: "t" }, seq }));
  assert.deepEqual(outline(transcript), ["warn: Events are missing: number 2 was expected, 5 came"]);
  assert.equal(transcript.wantsHistory, false);
});

Deno.test("edge 24: the same history twice is the same screen, with the same ids", () => {
  const items = [
    { type: "message", role: "user", kind: "run", content: [{ type: "text", text: "go" }] },
    { type: "tool_call", call_id: "a", name: "Read", arguments: "{}" },
  ];
  const transcript = feed(createTranscript(), ["history", { items }]);
  const before = transcript.blocks.map((block) => [block.id, block.kind]);
  takeChanges(transcript);
  feed(transcript, ["history", { items }]);
  assert.deepEqual(transcript.blocks.map((block) => [block.id, block.kind]), before);
  assert.equal(takeChanges(transcript).rebuilt, true);
});

Deno.test("edge 25: text in flight goes on without loss or doubling", () => {
  const inFlight = [{ kind: "text", text: "I wi" }, { kind: "reasoning", id: "r", text: "Lo" }];
  check([
    ["history", { status: "running", items: [{ type: "turn", turn: 1 }], in_flight: inFlight }],
    text("ll"),
    ["reasoning_delta", { id: "r", text: "ok" }],
    textDone("I will"),
  ], ["# 1", "text I will", "reasoning Look..."]);
});

Deno.test("edge 26: compactions without a beginning, without an end, with two ends", () => {
  check([["compact_done", {}]], ["compact done"]);
  check([["compact_start"], ["compact_done"], ["compact_failed", { error: "x" }]], [
    "compact done",
    "compact failed",
  ]);
  check([["compact_start"], ["shutdown"]], ["compact incomplete"]);
  check([["compact_start"], ["compact_start"], ["compact_done"]], ["compact done"]);
});

Deno.test("edge 27: a surface replaced while a tool runs and a question is open", () => {
  const transcript = check([
    turn(1),
    done("t", "{}"),
    ["question", { batch_id: "q", questions: [] }],
    ["plan", { items: [{ id: "1", text: "one", status: "in_progress" }] }],
    ["surface", { op: "replace", items: [{ type: "message", role: "user", content: "[summary]" }] }],
    result("t", "ok", "OUT"),
    ["question_closed", { batch_id: "q", reason: "answered" }],
    text("on"),
    ended(),
  ], [
    "~# 1",
    "~probe t done {} [OUT]",
    "~question q answered",
    "marker 3",
    "> [summary]",
    "text on",
    "= finished",
  ]);
  assert.equal(transcript.plan.length, 1);
  assert.equal(transcript.turns.length, 1);
});

Deno.test("edge 28: usage with nulls, negative and huge numbers", () => {
  const usage = (input: unknown, output: unknown): Short => [
    "usage",
    { turn: 1, step: 1, input_tokens: input, output_tokens: output },
  ];
  const transcript = feed(createTranscript(), turn(1), usage(null, -5), usage(1e300, 7));
  assert.equal(transcript.usage.inputTokens, 1e300);
  assert.equal(transcript.usage.outputTokens, 7);
  feed(transcript, usage(null, null), ended());
  const stats = transcript.blocks.at(-1);
  assert.deepEqual(stats?.kind === "turn_stats" && [stats.inputTokens, stats.outputTokens], [null, null]);
});

Deno.test("edge 29: unknown names and fields are counted, wrong data is told", () => {
  const transcript = check([["brand_new"], ["title", { title: "t", color: 1 }], ["title", 5], [
    "turn_start",
    null,
  ]], [
    "warn: Skipped 1 message\nCannot parse title: data must be Object",
    "# null",
  ]);
  assert.deepEqual([...transcript.counts.unknownEvents], [["brand_new", 1]]);
  assert.deepEqual([...transcript.counts.unknownFields], [["title.color", 1]]);
});

Deno.test("edge 30: lines that could not be read share one row that names them", () => {
  const transcript = createTranscript();
  for (const line of [4, 6, 7, 8]) noteProblem(transcript, { line, what: "not JSON" });
  noteProblem(transcript, { line: 9, what: "invalid UTF-8", kept: true });
  assert.deepEqual(outline(transcript).map((line) => line.split("\n")[0]), [
    "warn: Skipped 4 lines: 4, 6-8; repaired 1 line: 9",
  ]);
});

/** The events of the case; the map from its neutral names is one to one. */
const U12: readonly Short[] = [
  turn(1),
  start("A"),
  start("B"),
  delta("A", '{"p":"a'),
  delta("B", '{"p":'),
  delta("A", '.txt"}'),
  delta("B", '"b.txt"}'),
  done("B", ""),
  done("A", ""),
  result("B", "b done", "B-OUT"),
  start("C"),
  delta("C", '{"p":"c'),
  result("A", "a failed", "A-ERR", true),
  result("Z", "?", "Z-OUT"),
  ended(),
  result("B", "again", "B-TWICE"),
  result("C", "late", "C-OUT"),
];

Deno.test("U12 parallel calls, one error, one missing", () => {
  check(U12.slice(0, 10), ["# 1", 'probe A executing {"p":"a.txt"}', 'probe B done {"p":"b.txt"} [B-OUT]']);
  const atEnd = check(U12.slice(0, 15), [
    "# 1",
    'probe A error {"p":"a.txt"} [A-ERR]',
    'probe B done {"p":"b.txt"} [B-OUT]',
    'probe C incomplete {"p":"c',
    "? Z done [Z-OUT]",
    "= finished",
  ]);
  const live = check(U12, [
    "# 1",
    'probe A error {"p":"a.txt"} [A-ERR]',
    'probe B done {"p":"b.txt"} [B-OUT] (second result ignored)',
    'probe C done {"p":"c [C-OUT] (late)',
    "? Z done [Z-OUT]",
    "= finished",
  ]);
  const reopened = feed(createTranscript(), ["history", JSON.parse(JSON.stringify(historyOf(live)))]);
  assert.deepEqual(outline(reopened), outline(live));
  assert.equal(atEnd.blocks.length, live.blocks.length);
});
