// Stopping, holding and steering a turn, and what is refused.

import assert from "node:assert/strict";
import { withoutDeltas, withSession, yieldingSleep } from "../../../tests/demo_session.ts";
import type { Event } from "../../transcript/event.ts";

const isResult = (event: Event) => event.event === "turn_end";

Deno.test("demo: cancel stops a command at once and closes the turn", () =>
  withSession({}, async ({ send, until, of, events }) => {
    const startMs = performance.now();
    send("run", { input: "run echo begun; sleep 60; echo never" });
    await until((event) => event.event === "tool_output");
    send("cancel");
    await until(isResult);
    assert.ok(performance.now() - startMs < 30_000);
    assert.equal(of("turn_end")[0]?.result, "cancelled");
    assert.deepEqual(of("tool_result"), []);
    await until((event) => event.event === "status" && event.data.status === "idle");
    assert.equal(events.at(-1)?.event, "status");
  }));

Deno.test("demo: cancel in the middle of a text keeps what was said", () =>
  withSession({ sleep: yieldingSleep }, async ({ send, until, of }) => {
    send("run", { input: "help" });
    await until((event) => event.event === "text_delta");
    send("cancel");
    await until(isResult);
    const said = of("text_delta").map((data) => data.text).join("");
    assert.equal(of("text_done")[0]?.text, said);
    assert.equal(of("turn_end")[0]?.result, "cancelled");
  }));

Deno.test("demo: a paused turn goes on as the same turn and loses no word", () =>
  withSession({ sleep: yieldingSleep }, async ({ send, until, of, events }) => {
    send("run", { input: "help" });
    await until((event) => event.event === "text_delta");
    send("pause");
    await until((event) => event.event === "status" && event.data.status === "paused");
    const length = events.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(events.length, length, "nothing happens while paused");
    send("resume");
    await until((event) => event.event === "turn_end" && event.data.result === "finished");
    assert.deepEqual(of("turn_end").map((data) => [data.turn, data.result]), [[1, "paused"], [
      1,
      "finished",
    ]]);
    assert.equal(of("turn_start").length, 1);
    assert.match(
      of("text_done").map((data) => data.text).join(""),
      /^I understand these requests[^]*work there\.$/,
    );
  }));

Deno.test("demo: a pause holds the command that runs", () =>
  withSession({}, async ({ send, until, of, events }) => {
    send("run", { input: "run for i in 1 2 3 4 5 6; do echo $i; sleep 0.05; done" });
    await until((event) => event.event === "tool_output");
    send("pause");
    await until((event) => event.event === "status" && event.data.status === "paused");
    await new Promise((resolve) => setTimeout(resolve, 30));
    const length = events.length;
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(events.length, length);
    send("resume");
    await until((event) => event.event === "turn_end" && event.data.result === "finished");
    assert.equal(of("tool_result")[0]?.output, "1\n2\n3\n4\n5\n6\n");
  }));

Deno.test("demo: a paused turn can be cancelled, command and all", () =>
  withSession({}, async ({ send, until, of }) => {
    send("run", { input: "run echo x; sleep 60" });
    await until((event) => event.event === "tool_output");
    send("pause");
    await until((event) => event.event === "status" && event.data.status === "paused");
    send("cancel");
    await until((event) => event.event === "status" && event.data.status === "idle");
    assert.deepEqual(of("turn_end").map((data) => data.result), ["paused", "cancelled"]);
  }));

Deno.test("demo: a new message gives a paused turn up", () =>
  withSession({ sleep: yieldingSleep }, async ({ send, until, of }) => {
    send("run", { input: "help", message_id: "u1" });
    await until((event) => event.event === "text_delta");
    send("pause");
    await until((event) => event.event === "status" && event.data.status === "paused");
    send("run", { input: "ask", message_id: "u2" });
    await until((event) => event.event === "turn_end" && event.data.turn === 2);
    assert.deepEqual(of("turn_end").map((data) => [data.turn, data.result]), [
      [1, "paused"],
      [1, "cancelled"],
      [2, "finished"],
    ]);
  }));

Deno.test("demo: steering adds to the running turn at the next step", () =>
  withSession({ sleep: yieldingSleep }, async ({ send, until, of, events }) => {
    send("run", { input: "read a.txt" });
    await until((event) => event.event === "tool_call_start");
    send("steer", { input: "glob *", message_id: "u2" });
    send("steer", { input: "glob *", message_id: "u2" });
    await until(isResult);
    assert.deepEqual(of("user_message").map((data) => [data.kind, data.text]), [["run", "read a.txt"], [
      "steer",
      "glob *",
    ]]);
    const order = withoutDeltas(events);
    assert.ok(order.indexOf("tool_result") < order.lastIndexOf("user_message"));
    assert.deepEqual(of("tool_call_start").map((call) => call.name), ["Read", "Glob"]);
  }));

Deno.test("demo: a steer no step took up is given back", () =>
  withSession({ sleep: yieldingSleep }, async ({ send, until, of }) => {
    send("run", { input: "help" });
    await until((event) => event.event === "text_delta");
    send("steer", { input: "tour", message_id: "u2" });
    send("cancel");
    await until((event) => event.event === "error");
    assert.deepEqual([of("error")[0]?.code, of("error")[0]?.message_id], ["not_running", "u2"]);
  }));

Deno.test("demo: what cannot be done is refused with the method's own ids", () =>
  withSession({}, ({ agent, send, of, until }) => {
    agent.send({ method: "pause", params: {}, id: 7 });
    send("resume");
    send("cancel");
    send("steer", { input: "x", message_id: "u1" });
    send("answer", { batch_id: "q", answers: [] });
    send("dismiss_question", { batch_id: "q" });
    send("unqueue", { message_id: "u" });
    send("set_option", { id: "mode", value: "x" });
    send("authenticate", { method_id: "x" });
    send("select_model", { provider: "other", model: "quick-1" });
    assert.deepEqual(of("error").map((error) => error.code), [
      "not_running",
      "not_paused",
      "not_running",
      "not_running",
      ...Array(6).fill("invalid_request"),
    ]);
    assert.equal(of("error")[0]?.id, 7);
    assert.equal(of("error")[3]?.message_id, "u1");
    send("run", { input: "ask", message_id: "u2" });
    send("run", { input: "ask", message_id: "u3" });
    assert.deepEqual([of("error").at(-1)?.code, of("error").at(-1)?.message_id], ["already_running", "u3"]);
    return until(isResult).then(() => undefined);
  }));

Deno.test("demo: a message already seen is not run again", () =>
  withSession({}, async ({ send, until, of }) => {
    send("run", { input: "ask", message_id: "u1" });
    await until((event) => event.event === "status" && event.data.status === "idle");
    send("run", { input: "ask", message_id: "u1" });
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(of("turn_start").length, 1);
  }));
