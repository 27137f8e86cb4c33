// session/load: what an agent replays, before its answer or behind it, shown or left out.

import assert from "node:assert/strict";
import { play, text } from "./acp_play_test.ts";

Deno.test("acp replay: before the answer of session/load, calls final at once, completed by one more update", () => {
  const one = play();
  one.ask("session/load", { sessionId: "s1", cwd: "/repo" }, 1);
  assert.equal(one.all("history").length, 1);
  one.update("user_message_chunk", { content: text("first"), messageId: "u1" });
  one.update("user_message_chunk", {
    content: { type: "resource_link", name: "a.ts", uri: "a.ts" },
    messageId: "u1",
  });
  one.update("agent_message_chunk", { content: text("ok") });
  one.update("tool_call", {
    toolCallId: "t",
    title: "bash",
    kind: "execute",
    status: "completed",
    content: [{ type: "terminal", terminalId: "t" }],
  });
  assert.equal(one.all("tool_result").length, 0, "held for the update that completes it");
  one.update("tool_call_update", {
    toolCallId: "t",
    status: "failed",
    _meta: { terminal_output: { data: "no\n" }, terminal_exit: { exit_code: 1 } },
  });
  one.update("tool_call", {
    toolCallId: "u",
    title: "read",
    kind: "read",
    status: "completed",
    rawOutput: "text",
  });
  one.update("user_message_chunk", { content: text("second") });
  one.update("user_message_chunk", { content: text("third") });
  one.update("user_message_chunk", { content: text("[Request interrupted by user]") });
  one.result(1, {});
  assert.deepEqual(one.all("user_message").map((message) => message.text), [
    "first\n[link: a.ts]",
    "second",
    "third",
  ]);
  assert.deepEqual(one.all("turn_end").map((end) => end.result), ["finished", "finished", "cancelled"]);
  assert.deepEqual(one.all("tool_result").map((result) => [result.id, result.is_error]), [["t", true], [
    "u",
    false,
  ]]);
  assert.equal(one.all("history").length, 1, "the answer brings no second one");
  assert.ok(
    one.all("turn_end").every((end) => end.elapsed_ms === null),
    "times of a replay are not the turn's",
  );
});

Deno.test("acp replay: Gemini goes on after the answer, with injected context and marks in place of calls", () => {
  const one = play();
  one.ask("session/load", { sessionId: "s1", cwd: "/repo" }, 1);
  one.update("user_message_chunk", {
    content: text("<session_context>\nThis is the Gemini CLI.\n</session_context>"),
  });
  one.result(1, { modes: { currentModeId: "default", availableModes: [] } });
  one.update("user_message_chunk", { content: text("fix it") });
  one.update("agent_message_chunk", {
    content: text("Looking.[Function Call: read_file][Function Call: glob]"),
  });
  one.update("user_message_chunk", {
    content: text("[Function Response: read_file][Function Response: glob]"),
  });
  one.update("agent_message_chunk", { content: text("Done.") });
  assert.deepEqual(one.all("user_message").map((message) => message.text), ["fix it"]);
  assert.match(one.all("notification")[0]?.message ?? "", /^Context given to the model:\n<session_context>/);
  assert.deepEqual(one.all("text_delta").map((delta) => delta.text), [
    "Looking.\n\n[Function Call: read_file][Function Call: glob]",
    "Done.",
  ]);
  assert.equal(one.all("text_done").length, 1);
  assert.equal(one.all("turn_end").length, 0);
  const settled = one.translation.settle(5000);
  assert.deepEqual(
    settled.events.map((parsed) => parsed.kind === "event" ? parsed.event.event : parsed.kind),
    ["text_done", "step_end", "turn_end"],
  );
});

Deno.test("acp replay: left out where the host's own log has it, options and commands excepted", () => {
  const one = play({ replay: "drop" });
  one.ask("session/load", { sessionId: "s1", cwd: "/repo" }, 1);
  one.update("user_message_chunk", { content: text("old") });
  one.update("agent_message_chunk", { content: text("old") });
  one.update("tool_call", { toolCallId: "t", title: "read", kind: "read", status: "completed" });
  one.result(1, { modes: { currentModeId: "a", availableModes: [{ id: "a", name: "A" }] } });
  one.update("agent_message_chunk", { content: text("straggler") });
  one.update("available_commands_update", { availableCommands: [{ name: "x", description: "" }] });
  assert.deepEqual(one.events.map((parsed) => parsed.kind === "event" ? parsed.event.event : parsed.kind), [
    "starting",
    "options",
    "commands",
  ]);
  one.ask("session/prompt", { prompt: [text("new")] }, 2);
  assert.equal(one.update("agent_message_chunk", { content: text("live") })[0]?.event, "text_delta");
});
