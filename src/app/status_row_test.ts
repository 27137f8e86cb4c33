// The status row: what it says the agent does. What drops when there is little room is the goldens' matter.

import assert from "node:assert/strict";
import { parseEvent } from "../transcript/event.ts";
import { keepsWorking } from "./state.ts";
import { give, press, screenRows, statusRow, tell, testClient } from "./testing.ts";

/** A client whose agent runs a command. */
function executing() {
  const client = testClient();
  tell(client, "turn_start", { turn: 1 });
  tell(client, "status", { status: "running" });
  tell(client, "tool_call_done", { id: "c", name: "Bash", arguments: '{"command":"make"}' });
  return client;
}

const PERMISSION = {
  batch_id: "p1",
  kind: "permission",
  tool_call_id: "c",
  questions: [{ id: "p", text: "make", options: [{ id: "1", label: "Allow once", effect: "allow_once" }] }],
};

Deno.test("a call that runs is named, also where its permission, a notice or a steer stands below it", () => {
  const client = executing();
  assert.match(statusRow(client), /executing Bash/);
  tell(client, "question", PERMISSION);
  assert.match(statusRow(client), /waiting for your answer/);
  tell(client, "question_closed", {
    batch_id: "p1",
    reason: "answered",
    answers: [{ id: "p", selected: ["1"] }],
  });
  assert.match(statusRow(client), /executing Bash/);
  tell(client, "notification", { message: "a notice" });
  tell(client, "user_message", { text: "faster", kind: "steer" });
  assert.match(statusRow(client), /executing Bash/);
  tell(client, "text_delta", { text: "Meanwhile" });
  assert.match(statusRow(client), /responding/);
  tell(client, "text_done", { text: "Meanwhile" });
  tell(client, "tool_result", { id: "c", summary: "done" });
  assert.match(statusRow(client), /waiting [0-9]/);
});

Deno.test("what an earlier turn left unfinished is not what this one does", () => {
  const client = executing();
  tell(client, "turn_start", { turn: 2 });
  assert.match(statusRow(client), /waiting [0-9]/);
});

Deno.test("a pod that is gone does not keep working, whatever it asked last", () => {
  const client = executing();
  tell(client, "question", PERMISSION);
  assert.equal(keepsWorking(client.state), true);
  client.state.transcript.status = "disconnected";
  assert.equal(keepsWorking(client.state), false);
});

Deno.test("disconnected is said at any width, why as far as there is room", () => {
  const client = executing();
  const what =
    "/usr/lib/node_modules/agent run --with=many --flags=and /a/long/path.ts ended with signal SIGTERM";
  client.state.transcript.status = "disconnected";
  for (
    const [columns, detail, expected] of [
      [200, what, /^disconnected: .* ended with signal SIGTERM Enter reconnects +normal$/],
      [80, what, /^disconnected: …\/agent run … ended with signal SIGTERM Enter reconnects +normal$/],
      [60, what, /^disconnected: … with signal SIGTERM Enter reconnects +normal$/],
      [80, "x".repeat(300), /^disconnected Enter reconnects +normal$/],
      [40, what, /^disconnected Enter reconnects +normal$/],
      [14, what, /^disconnected$/],
    ] as const
  ) {
    client.state.transcript.statusDetail = detail;
    give(client, { kind: "resize", columns, rows: 24 });
    assert.match(statusRow(client), expected);
  }
});

Deno.test("the reason is seen behind a path of any length, in a state and in a hint", () => {
  const path = `/home/someone/${"a/long/way/".repeat(12)}agent.mjs`;
  const client = executing();
  client.state.transcript.status = "disconnected";
  for (
    const [detail, expected] of [
      [`node ${path} ended with exit code 3`, "node …/agent.mjs ended with exit code 3"],
      [
        `node ${path} ended with exit code 3; its last line on stderr: ${"word ".repeat(40)}`,
        "node …/agent.mjs ended with exit code 3",
      ],
      [
        `node ${path} --with=many --flags=of-its-own --and-more ended with exit code 3; ` +
        `its last line on stderr: ${"word ".repeat(40)}`,
        "node … --and-more ended with exit code 3",
      ],
      [`Cannot start ${path}: no program was found`, "Cannot start … no program was found"],
    ] as const
  ) {
    client.state.transcript.statusDetail = detail;
    give(client, { kind: "resize", columns: 80, rows: 24 });
    assert.equal(statusRow(client).split("  ")[0], `disconnected: ${expected} Enter reconnects`);
  }
  const picking = testClient({ recording: true });
  const problem = `Cannot open recording "${path}": there is no such file; check the path`;
  give(picking, { kind: "session_opens", problem });
  assert.equal(
    statusRow(picking),
    'Cannot open recording "…/agent.mjs": there is no such file; check the path',
  );
});

Deno.test("tokens are counted on the row, unless there are none yet", () => {
  const client = testClient();
  const told = (usage: Readonly<Record<string, number>>) => {
    tell(client, "history", { session_id: "s", status: "idle", items: [], state: { usage } });
    return statusRow(client);
  };
  assert.doesNotMatch(told({ input_tokens: 0, output_tokens: 0 }), /\d/);
  assert.match(told({ input_tokens: 0, output_tokens: 7 }), /^0\/7 /);
  assert.match(told({ input_tokens: 1200 }), /^1\.2k\/0 /);
});

Deno.test("a retry counts down until it is due, or anything else comes", () => {
  const client = testClient();
  tell(client, "status", { status: "running" });
  const retry = { attempt: 2, max_attempts: 5, wait_ms: 8000, error: "overloaded" };
  tell(client, "retry", retry);
  assert.match(statusRow(client), /retry 2\/5 in 8s/);
  press(client, "<Wait 2500>");
  assert.match(statusRow(client), /retry 2\/5 in 6s/);
  tell(client, "usage", { input_tokens: 1 });
  assert.match(statusRow(client), /retry 2\/5 in 6s/);
  press(client, "<Wait 5500>");
  assert.doesNotMatch(statusRow(client), /retry/);
  tell(client, "retry", retry);
  tell(client, "text_delta", { text: "At last" });
  assert.match(statusRow(client), /responding/);
});

Deno.test("a client that attaches while a retry is waited for counts down what is left of it", () => {
  const client = testClient({ epochMs: 1_000_000 });
  client.nowMs = 5000;
  // It began 3 s ago.
  const retry = { attempt: 2, max_attempts: 5, wait_ms: 8000, started_ms: 1_002_000 };
  tell(client, "history", { session_id: "s", status: "running", state: { retry } });
  assert.match(statusRow(client), /retry 2\/5 in 5s/);
  press(client, "<Wait 2000>");
  assert.match(statusRow(client), /retry 2\/5 in 3s/);
  tell(client, "history", { session_id: "s", status: "running", state: { retry } });
  assert.match(statusRow(client), /retry 2\/5 in 3s/, "asking for the history again changes nothing");
  tell(client, "text_delta", { text: "At last" });
  assert.match(statusRow(client), /responding/);
  // One whose time is over, and one of a clock that is ahead.
  tell(client, "history", {
    session_id: "s",
    status: "running",
    state: { retry: { ...retry, wait_ms: 100 } },
  });
  assert.doesNotMatch(statusRow(client), /retry/);
  tell(client, "history", {
    session_id: "s",
    status: "running",
    state: { retry: { ...retry, started_ms: 9_000_000 } },
  });
  assert.match(statusRow(client), /retry 2\/5 in 8s/);
  tell(client, "history", { session_id: "s", status: "running", state: {} });
  assert.doesNotMatch(statusRow(client), /retry/);
});

Deno.test("nothing looks as if it ran while the agent is paused", () => {
  const client = testClient();
  tell(client, "turn_start", { turn: 1 });
  tell(client, "tool_call_done", { id: "a", name: "Bash", arguments: '{"command":"sleep 9"}' });
  const mark = () => screenRows(client).find((row) => row.includes("sleep 9"))?.slice(0, 1);
  assert.equal(mark(), "●");
  tell(client, "turn_end", { turn: 1, result: "paused" });
  assert.match(statusRow(client), /paused/);
  assert.equal(mark(), "‖");
  tell(client, "status", { status: "running" });
  assert.equal(mark(), "●");
  tell(client, "tool_result", { id: "a", summary: "slept" });
  tell(client, "turn_end", { turn: 1, result: "paused" });
  assert.equal(screenRows(client).find((row) => row.includes("sleep 9"))?.slice(0, 1), "✓");
});

Deno.test("compacting between two turns is timed from its own beginning", () => {
  const client = testClient({ epochMs: 0 });
  give(client, {
    kind: "events",
    parsed: [parseEvent({ event: "turn_start", data: { turn: 1 }, ts: 1000 })],
  });
  tell(client, "status", { status: "running" });
  tell(client, "turn_end", { turn: 1, result: "finished" });
  tell(client, "status", { status: "idle" });
  press(client, "<Wait 12000>");
  tell(client, "status", { status: "compacting" });
  assert.match(statusRow(client), /compacting(?! 1\d)/);
  press(client, "<Wait 3000>");
  assert.match(statusRow(client), /compacting 3s/);
});
