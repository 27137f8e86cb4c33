// What real agents do beside the specification, each through the live adapter: the ways were measured with the agents
// named, the scripts in testdata/acp-live are our own.

import assert from "node:assert/strict";
import type { AcpAgent } from "../../src/agents/acp.ts";
import type { AcpOptions } from "../../src/agents/acp.ts";
import { type LiveAgent, scriptPath, sentTo, textOf, withReplay } from "./live_agent.ts";

function play(
  name: string,
  script: string,
  test: (live: LiveAgent<AcpAgent>) => Promise<void>,
  options: Partial<AcpOptions> = {},
): void {
  Deno.test(`acp live: ${name}`, () => withReplay(scriptPath(script), test, options));
}

function answer(live: LiveAgent, id: string, selected: string): void {
  live.send("answer", { batch_id: id, answers: [{ id: "permission", selected: [selected] }] });
}

/** All output of a call, streamed and at its end. */
function outputOf(live: LiveAgent, id: string): string {
  const streamed = live.all("tool_output").filter((output) => output.id === id).map((output) => output.text);
  return streamed.join("") + (resultOf(live, id)?.output ?? "");
}

function resultOf(live: LiveAgent, id: string) {
  const results = live.all("tool_result").filter((result) => result.id === id);
  assert.ok(results.length <= 1, `${id} has ${results.length} results`);
  return results[0];
}

play("shell output in every dialect, increments appended and whole texts replaced", "shell", async (live) => {
  await live.turn("go");
  assert.equal(outputOf(live, "pi"), "one\ntwo\n");
  assert.equal(outputOf(live, "codex"), "ab\n");
  assert.match(outputOf(live, "codex-read"), /const a = 1;/, "delta on a card without a terminal");
  assert.equal(outputOf(live, "claude"), "all at once\n");
  assert.equal(outputOf(live, "opencode"), "1\n2\n3\n");
  assert.equal(outputOf(live, "gemini"), "");
  assert.deepEqual(
    ["pi", "codex", "claude", "opencode", "gemini"].map((id) => resultOf(live, id)?.is_error),
    [true, false, false, true, false],
    "an exit code is believed before a status",
  );
  const [initialize] = await sentTo(live);
  assert.deepEqual(initialize?.params.clientCapabilities, {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    elicitation: { form: {}, url: {} },
    auth: { terminal: false },
    _meta: { terminal_output: true },
  }, "what is advertised is what is drawn: no fs, no terminal");
});

play("a provider's error is seen in all three of its forms", "errors", async (live) => {
  const ends = [];
  for (const input of ["json error", "as text", "retries only", "strange code", "limit", "refusal"]) {
    ends.push(await live.turn(input));
  }
  assert.deepEqual(ends.map((end) => end.result), [
    "error",
    "error",
    "finished",
    "error",
    "limit_reached",
    "rejected",
  ]);
  assert.match(ends[0]?.message ?? "", /^quota exceeded \(429 RESOURCE_EXHAUSTED\)$/);
  assert.match(ends[1]?.message ?? "", /mock overloaded/);
  assert.equal(ends[3]?.message, "the code is no number");
  assert.deepEqual(live.all("retry").map((retry) => [retry.attempt, retry.wait_ms]), [[1, 2000], [2, 4000]]);
  assert.match(
    live.all("notification").find((one) => one.message.startsWith("No answer"))?.message ?? "",
    /No answer after 2 retries; the agent gave no reason/,
  );
  assert.equal(live.all("status").at(-1)?.status, "idle");
});

play(
  "after a cancel open questions are cancelled, updates go on, late ones fill the old call only",
  "late",
  async (live) => {
    live.send("run", { input: "sleep" });
    await live.untilEvent("question");
    live.send("cancel");
    await live.untilEvent("turn_end");
    assert.deepEqual(live.all("question_closed").map((closed) => closed.reason), ["cancelled"]);
    assert.deepEqual(live.all("turn_end").map((end) => end.result), ["cancelled"]);
    assert.equal(textOf(live), "stopping", "what came before the prompt's answer is shown");
    const order = (await sentTo(live)).map((sent) => sent.method ?? JSON.stringify(sent.result));
    assert.deepEqual(order.slice(-2), ["session/cancel", '{"outcome":{"outcome":"cancelled"}}']);
    const end = await live.turn("next");
    assert.equal(end.result, "finished");
    const late = live.events().findLast((event) => event.event === "tool_output");
    assert.equal(late?.event === "tool_output" ? late.data.id : "", "sleepy");
    assert.equal(resultOf(live, "sleepy"), undefined, "no final status is made up for it");
    await live.until("the straggler", () => textOf(live).includes("said after the end"));
    assert.equal(live.all("turn_end").length, 2);
  },
);

play(
  "refusing goes by kind, and a refused call is closed whatever the agent does",
  "reject",
  async (live) => {
    live.send("run", { input: "gemini" });
    await live.untilEvent("question");
    live.send("dismiss_question", { batch_id: "live-permission-0" });
    await live.untilEvent("turn_end");
    assert.deepEqual((await sentTo(live)).at(-1)?.result, {
      outcome: { outcome: "selected", optionId: "cancel" },
    });
    assert.deepEqual([resultOf(live, "g")?.is_error, resultOf(live, "g")?.summary], [
      true,
      "Rejected by you",
    ]);

    live.send("run", { input: "opencode" });
    await live.untilEvent("question", 2);
    answer(live, "live-permission-ask-a", "once");
    await live.untilEvent("question", 3);
    assert.equal(live.all("question")[2]?.tool_call_id, "o", "asked twice for one call");
    answer(live, "live-permission-ask-b", "no such option");
    await live.until(
      "the refusal",
      () => live.all("error").at(-1)?.message === "The agent offers no such answer",
    );
    answer(live, "live-permission-ask-b", "reject");
    answer(live, "live-permission-ask-b", "once");
    await live.untilEvent("turn_end", 2);
    assert.equal(resultOf(live, "o")?.is_error, true);
    assert.equal(live.all("tool_call_start").filter((start) => start.id === "o").length, 1);

    live.send("run", { input: "codex" });
    await live.untilEvent("question", 4);
    assert.deepEqual(live.all("question")[3]?.questions[0]?.options.map((option) => option.effect), [
      "allow_once",
      "allow_always",
      "deny",
    ]);
    answer(live, "live-permission-2", "abort");
    await live.untilEvent("turn_end", 3);

    live.send("run", { input: "nothing refuses" });
    await live.untilEvent("question", 5);
    live.send("dismiss_question", { batch_id: "live-permission-3" });
    live.send("dismiss_question", { batch_id: "live-permission-99" });
    await live.untilEvent("turn_end", 4);
    assert.deepEqual((await sentTo(live)).at(-1)?.result, { outcome: { outcome: "cancelled" } });
    assert.match(live.all("error").at(-1)?.message ?? "", /No open question live-permission-99/);
    assert.deepEqual(live.all("turn_end").map((end) => end.result), [
      "finished",
      "finished",
      "cancelled",
      "finished",
    ]);
  },
);

play("calls come asked for first, never announced, growing, or as todos", "order", async (live) => {
  live.send("run", { input: "go" });
  await live.untilEvent("question");
  assert.equal(live.all("tool_call_start")[0]?.id, "early", "the question has its call");
  answer(live, "live-permission-0", "y");
  await live.untilEvent("turn_end");
  assert.equal(outputOf(live, "early"), "a");
  assert.equal(resultOf(live, "never-announced")?.is_error, false);
  const grown = live.all("tool_call_done").filter((done) => done.id === "grows").at(-1);
  assert.deepEqual(JSON.parse(grown?.arguments ?? ""), { file_path: "/repo/NOTES.md", content: "# Notes\n" });
  const pieces = live.all("tool_call_args_delta").filter((delta) => delta.id === "grows");
  assert.ok(pieces.length > 0 && grown?.arguments.startsWith(pieces.map((piece) => piece.json).join("")));
  assert.deepEqual(live.all("plan").map((plan) => plan.items.map((item) => item.status).join()), [
    "completed,in_progress",
    "completed,completed",
  ], "a todo-shaped call is the plan, and so is a plan");
  for (const id of ["early", "never-announced", "grows", "todo"]) assert.ok(resultOf(live, id), id);
});

play("garbage, half lines, long lines, private and unknown messages do no harm", "extras", async (live) => {
  const end = await live.turn("go");
  assert.equal(end.result, "finished");
  assert.equal(live.all("commands")[0]?.commands[0]?.description.length, 560_000);
  const problems = live.parsed.filter((one) => one.kind === "problem");
  assert.ok(problems.length >= 3, JSON.stringify(problems));
  const unknown = live.parsed.flatMap((one) => one.kind === "unknown" ? [one.name] : []);
  for (
    const name of ["_auth/status_update", "qwen/notify/session", "from_the_future", "craft/drainMidTurnQueue"]
  ) {
    assert.ok(unknown.some((one) => one.includes(name)), name);
  }
  const refused = (await sentTo(live)).filter((sent) => sent.error !== undefined);
  assert.deepEqual(refused.map((sent) => [sent.id, sent.error?.code]), [["q", -32601], [1, -32601], [
    2,
    -32601,
  ]]);
  assert.equal(
    (await sentTo(live)).filter((sent) => sent.method === undefined).length,
    3,
    "nothing else is answered",
  );
  assert.deepEqual(
    live.all("text_done").map((done) => done.text ?? ""),
    ["", ""],
    "two messages are two blocks",
  );
  assert.deepEqual(live.all("notification").map((one) => [one.level, one.message]), [
    ["warn", "model metadata not found"],
    ["warn", "Disk is almost full"],
  ]);
  assert.equal(live.all("context").length, 1, "the same numbers again are no news");
  assert.equal(live.all("title")[0]?.title, "A title");
  assert.deepEqual([live.all("compact_start").length, live.all("compact_done").length], [1, 1]);
});

play("modes and models the older way", "extras", async (live) => {
  await live.untilEvent("model_catalog");
  assert.deepEqual(live.all("options")[0]?.options[0]?.values.map((value) => value.id), ["auto", "yolo"]);
  live.send("list_models");
  await live.untilEvent("model_catalog", 2);
  live.send("set_option", { id: "mode", value: "yolo" });
  live.send("select_model", { provider: "", model: "m-2" });
  live.send("set_option", { id: "color", value: "red" });
  await live.untilEvent("error", 3);
  assert.deepEqual(
    (await sentTo(live)).slice(-2).map((sent) => [sent.method, sent.params]),
    [["session/set_mode", { sessionId: "s1", modeId: "yolo" }], [
      "session/set_model",
      { sessionId: "s1", modelId: "m-2" },
    ]],
  );
  assert.ok(live.all("error").some((error) => error.message === "Codex has no option color"));
});

play("options and models by config options", "options", async (live) => {
  await live.untilEvent("model_catalog");
  live.send("select_model", { provider: "acme", model: "m-2" });
  await live.until("the model", () => live.all("model_selected").at(-1)?.model === "acme/m-2");
  live.send("set_option", { id: "fast", value: true });
  await live.until("the option", () => live.all("options").at(-1)?.options[0]?.current === true);
  live.send("set_option", { id: "effort", value: "extreme" });
  await live.untilEvent("error");
  assert.match(live.all("error")[0]?.message ?? "", /no such effort/);
  assert.deepEqual(
    (await sentTo(live)).slice(-3).map((sent) => sent.params),
    [
      { sessionId: "s1", configId: "model", value: "acme/m-2" },
      { sessionId: "s1", configId: "fast", type: "boolean", value: true },
      { sessionId: "s1", configId: "effort", value: "extreme" },
    ],
  );
});

play("forms are questions, answered in the types they name", "form", async (live) => {
  live.send("run", { input: "go" });
  await live.untilEvent("question");
  assert.deepEqual(live.all("question")[0]?.questions.map(({ id, multi }) => [id, multi]), [
    ["branch", false],
    ["count", false],
    ["sure", false],
    ["which", true],
    ["name", false],
  ]);
  live.send("answer", {
    batch_id: "live-form-0",
    answers: [
      { id: "branch", selected: ["dev"], text: null },
      { id: "count", selected: [], text: "3" },
      { id: "sure", selected: ["true"], text: null },
      { id: "which", selected: ["a", "c"], text: null },
      { id: "name", selected: [], text: "" },
      { id: "stray", selected: ["x"], text: null },
    ],
  });
  await live.untilEvent("question", 3);
  assert.deepEqual((await sentTo(live)).at(-1)?.result, {
    action: "accept",
    content: { branch: "dev", count: 3, sure: true, which: ["a", "c"] },
  });
  live.send("dismiss_question", { batch_id: "live-form-2" });
  await live.untilEvent("turn_end");
  assert.deepEqual((await sentTo(live)).find((sent) => sent.id === 2 && "result" in sent)?.result, {
    action: "decline",
  });
  const closed = new Map(live.all("question_closed").map((one) => [one.batch_id, one.reason]));
  assert.deepEqual([...closed], [
    ["live-form-0", "answered"],
    ["live-form-1", "answered"],
    ["live-form-2", "dismissed"],
    ["live-permission-3", "cancelled"],
  ]);
});
