// What the demo agent asks: the batch of "ask", and permission for what changes files.

import assert from "node:assert/strict";
import { type Session, withSession } from "../../../tests/demo_session.ts";

const isIdle = (event: { event: string; data: unknown }) =>
  event.event === "status" && (event.data as { status: string }).status === "idle";

/** The next question after so many events. */
async function nextQuestion(session: Session, since: number) {
  const event = await session.until((candidate) => candidate.event === "question", since);
  assert.equal(event.event, "question");
  return event.data as Extract<typeof event, { event: "question" }>["data"];
}

function answer(session: Session, batchId: string, id: string, selected: readonly string[]): void {
  session.send("answer", { batch_id: batchId, answers: [{ id, selected, text: null }] });
}

Deno.test("demo: ask asks a batch and says what was answered", () =>
  withSession({ asks: true }, async (session) => {
    session.send("run", { input: "ask" });
    const batch = await nextQuestion(session, 0);
    assert.equal(batch.questions.length, 2);
    session.send("answer", {
      batch_id: batch.batch_id,
      answers: [{ id: "target", selected: ["main"], text: null }, {
        id: "checks",
        selected: ["lint", "tests"],
        text: null,
      }],
    });
    await session.until(isIdle, session.events.length);
    assert.equal(session.of("question_closed")[0]?.reason, "answered");
    assert.match(session.of("text_done").at(-1)?.text ?? "", /target: main[^]*checks: lint, tests/);
  }));

Deno.test("demo: a turn that waits for an answer can be paused, and goes on with the answer", () =>
  withSession({ asks: true }, async ({ send, until, of }) => {
    const paused = () => of("status").filter(({ status }) => status === "paused").length;
    send("run", { input: "ask" });
    await until((event) => event.event === "question");
    send("pause");
    await until((event) => event.event === "status" && event.data.status === "paused");
    assert.equal(paused(), 1);
    send("resume");
    send("dismiss_question", { batch_id: of("question")[0]?.batch_id });
    await until((event) => event.event === "turn_end" && event.data.result === "finished");
  }));

Deno.test("demo: what changes files is asked for first; denied, it does not happen", () =>
  withSession({ asks: true }, async (session) => {
    session.send("run", { input: "write new.txt: hello" });
    const batch = await nextQuestion(session, 0);
    assert.equal(batch.kind, "permission");
    assert.equal(batch.tool_call_id, session.of("tool_call_start")[0]?.id);
    assert.deepEqual(session.of("tool_result"), []);
    answer(session, batch.batch_id, "permission", ["deny"]);
    await session.until(isIdle, session.events.length);
    const result = session.of("tool_result")[0];
    assert.equal(result?.is_error, true);
    assert.match(result?.summary ?? "", /Denied/);
  }));

Deno.test("demo: allowed for the session, it is not asked again for that tool", () =>
  withSession({ asks: true }, async (session) => {
    session.send("run", { input: "run echo one; run echo two" });
    const batch = await nextQuestion(session, 0);
    answer(session, batch.batch_id, "permission", ["always"]);
    await session.until(isIdle, session.events.length);
    assert.equal(session.of("question").length, 1);
    assert.deepEqual(session.of("tool_result").map((result) => result.is_error), [false, false]);
  }));

Deno.test("demo: reading asks nothing; a rejected batch is told; a cancel closes what is open", () =>
  withSession({ asks: true }, async (session) => {
    await session.run("read a.txt");
    assert.deepEqual(session.of("question"), []);
    session.send("run", { input: "ask" });
    const batch = await nextQuestion(session, 0);
    session.send("dismiss_question", { batch_id: batch.batch_id });
    await session.until(isIdle, session.events.length);
    assert.match(session.of("text_done").at(-1)?.text ?? "", /did not answer/);
    const since = session.events.length;
    session.send("run", { input: "run echo hello" });
    await nextQuestion(session, since);
    session.send("cancel");
    await session.until(isIdle, session.events.length);
    assert.equal(session.of("question_closed").at(-1)?.reason, "cancelled");
    assert.equal(session.of("turn_end").at(-1)?.result, "cancelled");
    session.send("answer", { batch_id: "ask-99", answers: [] });
    assert.equal(session.of("error").at(-1)?.code, "invalid_request");
  }));

Deno.test("demo: a client that comes back finds the open question", () =>
  withSession({ asks: true }, async (session) => {
    session.send("run", { input: "run echo hello" });
    const batch = await nextQuestion(session, 0);
    session.send("get_history");
    const state = session.of("history").at(-1)?.state as { questions: { batch_id: string }[] };
    assert.deepEqual(state.questions.map((open) => open.batch_id), [batch.batch_id]);
    session.send("cancel");
    await session.until(isIdle, session.events.length);
  }));
