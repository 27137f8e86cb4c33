// Where real agents leave the specification, one test each, in the shapes they were measured in. Shell output and
// exits (quirks 1 and 7) are acp_shell_test.ts.

import assert from "node:assert/strict";
import { only, play, running, said, text } from "./acp_play_test.ts";

/** An update that carries a terminal's piece in `_meta`. */
function piece(key: string, data: string): object {
  return { _meta: { [key]: { terminal_id: "t", data } } };
}

Deno.test("acp quirk 2 (provider errors): as a JSON-RPC error, also one whose message is JSON", () => {
  const errors: [object, string][] = [
    [
      { code: -32603, message: "Internal error", data: { details: "400 overloaded" } },
      "Internal error: 400 overloaded",
    ],
    [
      { code: 400, message: '{"error":{"code":400,"message":"bad request","status":"INVALID_ARGUMENT"}}' },
      "bad request (400 INVALID_ARGUMENT)",
    ],
    [
      { code: -32603, message: "Internal error: API Error: 400", data: { errorKind: "unknown" } },
      "Internal error: API Error: 400",
    ],
  ];
  for (const [error, message] of errors) {
    const one = running();
    const told = one.error(2, error);
    assert.deepEqual(told.map((event) => event.event), ["error", "step_end", "turn_end", "status"]);
    assert.deepEqual([told[0]?.code, told[0]?.message, told[0]?.message_id], [
      "provider_error",
      message,
      "prompt-2",
    ]);
    assert.deepEqual([told[2]?.result, told[2]?.reason, told[2]?.message], [
      "error",
      "provider_error",
      message,
    ]);
  }
});

Deno.test("acp quirk 2 (provider errors): Codex says it as ordinary text and ends the turn well", () => {
  const one = running({ name: "@agentclientprotocol/codex-acp", title: "Codex", version: "2.6.0" });
  one.update("agent_message_chunk", {
    content: text('{"error":{"message":"mock bad request","code":"400"}}'),
  });
  assert.deepEqual(one.all("notification").map(({ level, message }) => [level, message]), [[
    "error",
    "mock bad request (400)",
  ]]);
  const told = one.result(2, { stopReason: "end_turn" });
  assert.deepEqual(only(told, "turn_end").map((end) => [end.result, end.message]), [[
    "error",
    "mock bad request (400)",
  ]]);
  // The same words in an answer, which has a message id, stay an answer.
  one.ask("session/prompt", { prompt: [text("say it")] }, 3);
  assert.equal(
    one.update("agent_message_chunk", { content: text("Error: is what it says"), messageId: "m" })[0]?.event,
    "text_delta",
  );
});

Deno.test("acp quirk 2 (provider errors): pi retries and then ends without a word", () => {
  const one = running({ name: "pi-acp", title: "pi", version: "0.0.34" });
  one.update("agent_message_chunk", { content: text("Retrying (attempt 1/3, waiting 2s)...") });
  one.update("agent_message_chunk", { content: text("Retrying (attempt 2/3, waiting 4s)...") });
  one.update("agent_message_chunk", { content: text("Retry finished, resuming.") });
  assert.deepEqual(
    one.all("retry").map(({ attempt, max_attempts, wait_ms }) => [attempt, max_attempts, wait_ms]),
    [[1, 3, 2000], [2, 3, 4000]],
  );
  assert.equal(one.all("text_delta").length, 0);
  const told = one.result(2, { stopReason: "end_turn" });
  assert.deepEqual(only(told, "notification").map(({ level }) => level), ["warn"]);
  // An answer after the retries needs no warning.
  one.ask("session/prompt", { prompt: [text("again")] }, 3);
  one.update("agent_message_chunk", { content: text("Retrying (attempt 1/3, waiting 2s)...") });
  one.update("agent_message_chunk", { content: text("Here I am.") });
  assert.deepEqual(only(one.result(3, { stopReason: "end_turn" }), "notification"), []);
});

Deno.test("acp quirk 3 (after cancel): late updates fill the old card, never the new turn", () => {
  const one = running();
  one.update("tool_call", {
    toolCallId: "t",
    title: "sleep 20",
    kind: "execute",
    status: "in_progress",
    rawInput: { command: "sleep 20" },
  });
  one.ask("session/cancel");
  one.result(2, { stopReason: "cancelled" });
  one.ask("session/prompt", { prompt: [text("next")] }, 3);
  one.update("agent_message_chunk", { content: text("Now ") });
  const late = one.update("tool_call_update", {
    toolCallId: "t",
    status: "in_progress",
    ...piece("terminal_output_delta", "tick\n"),
  });
  assert.deepEqual(late, [{ event: "tool_output", id: "t", stream: "stdout", text: "tick\n" }]);
  assert.deepEqual(one.update("agent_message_chunk", { content: text("then") }), [{
    event: "text_delta",
    text: "then",
  }], "the new text goes on");
  assert.equal(
    only(one.update("tool_call_update", { toolCallId: "t", status: "failed" }), "tool_result")[0]?.id,
    "t",
  );
  // The same id announced anew in a later turn is another call.
  assert.equal(
    one.update("tool_call", {
      toolCallId: "t",
      title: "ls",
      kind: "execute",
      status: "pending",
      rawInput: { command: "ls" },
    }).at(-1)?.event,
    "tool_call_done",
  );
});

Deno.test("acp quirk 4 (reject): Gemini's refused call gets its result at the end of the turn, others keep their own", () => {
  const options = [{ optionId: "proceed_once", name: "Allow", kind: "allow_once" }, {
    optionId: "cancel",
    name: "Reject",
    kind: "reject_once",
  }];
  const one = running();
  one.agent("session/request_permission", {
    toolCall: {
      toolCallId: "write_file__1",
      title: "Writing to a",
      kind: "edit",
      status: "pending",
      content: [{ type: "diff", path: "/a", oldText: "x", newText: "y" }],
    },
    options,
  }, 1);
  one.answer(1, { outcome: { outcome: "selected", optionId: "cancel" } });
  one.update("agent_message_chunk", { content: text("You rejected it.") });
  const told = one.result(2, { stopReason: "end_turn" });
  assert.deepEqual(
    only(told, "tool_result", "turn_end").map((event) => [event.event, event.is_error, event.summary]),
    [
      ["tool_result", true, "Rejected by you"],
      ["turn_end", undefined, undefined],
    ],
  );
  const two = running();
  two.agent("session/request_permission", {
    toolCall: { toolCallId: "w", name: "write_file", title: "Write a", kind: "edit" },
    options,
  }, 1);
  two.answer(1, { outcome: { outcome: "selected", optionId: "cancel" } });
  two.update("tool_call_update", {
    toolCallId: "w",
    status: "failed",
    content: said('Tool "write_file" was canceled by the user.'),
  });
  assert.deepEqual(two.all("tool_result").map(({ summary, output }) => [summary, output]), [[
    "Rejected by you",
    'Tool "write_file" was canceled by the user.',
  ]]);
  assert.deepEqual(only(two.result(2, { stopReason: "cancelled" }), "tool_result"), []);
});

Deno.test("acp quirk 5 (order): permission before the call, one call asked for twice, arguments that grow, titles that change", () => {
  const one = running();
  const options = [{ optionId: "a", name: "Allow", kind: "allow_once" }];
  const told = one.agent("session/request_permission", {
    toolCall: { toolCallId: "g", title: "ls -la /", kind: "execute", status: "pending" },
    options,
  }, 1);
  assert.deepEqual(told.map((event) => event.event), ["tool_call_start", "tool_call_done", "question"]);
  // OpenCode: the path, then the command, one id.
  one.agent("session/request_permission", {
    toolCall: { toolCallId: "o", title: "/etc", kind: "execute", rawInput: { command: "ls /etc" } },
    options,
  }, 2);
  one.answer(2, { outcome: { outcome: "selected", optionId: "a" } });
  one.agent("session/request_permission", {
    toolCall: { toolCallId: "o", title: "ls /etc", kind: "execute", rawInput: { command: "ls /etc" } },
    options,
  }, 3);
  assert.deepEqual(one.all("question").map((question) => question.tool_call_id), ["g", "o", "o"]);
  assert.equal(one.all("tool_call_start").length, 2);
  // Claude: an empty object first, then more and more of it; fixed once something else is said.
  one.update("tool_call", {
    toolCallId: "c",
    name: "Write",
    title: "Preparing file…",
    kind: "edit",
    status: "pending",
    rawInput: {},
  });
  one.update("tool_call_update", { toolCallId: "c", title: "Write a", rawInput: { file_path: "/a" } });
  one.update("tool_call_update", {
    toolCallId: "c",
    title: "Write a",
    rawInput: { file_path: "/a", content: "x\n" },
  });
  assert.equal(
    one.all("tool_call_args_delta").map((delta) => delta.json).join(""),
    '{"file_path":"/a","content":"x\\n"',
  );
  const fixed = one.update("usage_update", { used: 1, size: 2 });
  assert.deepEqual(only(fixed, "tool_call_done").map((done) => [done.name, done.arguments]), [[
    "Write",
    '{"file_path":"/a","content":"x\\n"}',
  ]]);
});

Deno.test("acp quirk 6 (fs and terminal requests): counted, not drawn, the answers too", () => {
  const one = running();
  const before = one.events.length;
  one.agent("fs/read_text_file", { path: "/NOTES.md", sessionId: "s1" }, 4);
  one.ask("session/list", {}, 9);
  one.translation.push(
    "to_agent",
    { jsonrpc: "2.0", id: 4, error: { code: -32002, message: "not found" } },
    null,
  );
  one.agent("fs/write_text_file", { path: "/a", content: "x" }, 5);
  one.answer(5, {});
  for (const [index, method] of ["create", "output", "wait_for_exit", "kill", "release"].entries()) {
    one.agent(`terminal/${method}`, {}, 10 + index);
    one.answer(10 + index, {});
  }
  assert.equal(one.events.length, before);
  assert.ok(one.ignored.includes("fs/read_text_file") && one.ignored.includes("terminal/output answer"));
});

Deno.test("acp quirk 8 (plans): todo-shaped inputs are the plan as well as a card", () => {
  const shapes: object[] = [
    {
      todos: [{ id: "7", content: "Read", status: "completed", priority: "high" }, {
        id: "8",
        content: "Fix",
        status: "in_progress",
      }],
    },
    { plan: [{ step: "Read", status: "completed" }, { step: "Fix", status: "in_progress" }] },
    { items: [{ title: "Read", status: "done" }, { title: "Fix", status: "in-progress" }] },
    { todos: [{ description: "Read", status: "completed" }, { description: "Fix", status: "in_progress" }] },
  ];
  for (const rawInput of shapes) {
    const one = running();
    one.update("tool_call", {
      toolCallId: "t",
      title: "2 todos",
      name: "todowrite",
      kind: "other",
      status: "in_progress",
      rawInput,
    });
    assert.deepEqual(one.all("plan")[0]?.items.map((item) => [item.text, item.status]), [[
      "Read",
      "completed",
    ], ["Fix", "in_progress"]]);
    assert.equal(one.all("tool_call_done")[0]?.presentation?.title, "2 todos");
    one.update("tool_call_update", { toolCallId: "t", status: "completed" });
    assert.equal(one.all("plan").length, 1, "told once");
  }
  const other = running();
  other.update("tool_call", {
    toolCallId: "t",
    title: "x",
    kind: "other",
    status: "in_progress",
    rawInput: { items: ["a", "b"] },
  });
  assert.equal(other.all("plan").length, 0);
});

Deno.test("acp quirk 9 (extras): private messages, warnings as text, start banners, a huge list of commands", () => {
  const one = running({ name: "@agentclientprotocol/codex-acp", title: "Codex", version: "2" });
  one.agent("_auth/status_update", { authStatus: { kind: "api_key" } });
  one.agent("craft/drainMidTurnQueue", {}, 8);
  one.translation.push("to_agent", {
    jsonrpc: "2.0",
    id: 8,
    error: { code: -32601, message: "Method not found" },
  }, null);
  one.update("agent_message_chunk", { content: text("Warning: Model metadata for `m` not found.\n\n") });
  one.update("agent_message_chunk", {
    content: text("**Warning:** Auto mode changes."),
    _meta: { claudeCode: { kind: "informational", level: "warning" } },
  });
  assert.deepEqual(one.all("notification").map(({ level, message }) => [level, message]), [
    ["warn", "Model metadata for `m` not found."],
    ["warn", "Auto mode changes."],
  ]);
  const availableCommands = Array.from(
    { length: 2000 },
    (_, index) => ({ name: `c${index}`, description: "x".repeat(200), _meta: { detail: "y".repeat(100) } }),
  );
  one.update("available_commands_update", {
    availableCommands,
    _meta: { availableSkillDetails: "z".repeat(100_000) },
  });
  assert.equal(one.all("commands")[0]?.commands.length, 2000);

  const pi = play();
  pi.ask("session/new", { cwd: "/" }, 1);
  pi.result(1, { sessionId: "s1", _meta: { piAcp: { startupInfo: "pi v1.6.0\n---\n" } } });
  assert.deepEqual(pi.all("history")[0]?.greeting?.notes, ["pi v1.6.0\n---"]);
  pi.ask("session/prompt", { prompt: [text("go")] }, 2);
  assert.deepEqual(pi.update("agent_message_chunk", { content: text("pi v1.6.0\n---\n") }), []);
});

Deno.test("acp quirk 9 (extras): Qwen's usage in the chunks' _meta ends a step each", () => {
  const one = running({ name: "qwen-code", title: "Qwen Code", version: "0" });
  const usage = (inputTokens: number) => ({
    content: text(""),
    _meta: {
      usage: { inputTokens, outputTokens: 80, totalTokens: inputTokens + 80, cachedReadTokens: 1000 },
    },
  });
  one.update("agent_message_chunk", { content: text("Looking.") });
  one.update("agent_message_chunk", usage(1200));
  one.update("tool_call_update", { toolCallId: "t", status: "completed", kind: "other", title: "x" });
  one.update("agent_message_chunk", { content: text("Found.") });
  one.update("agent_message_chunk", usage(1500));
  one.result(2, {
    stopReason: "end_turn",
    usage: { inputTokens: 2700, outputTokens: 160, totalTokens: 2860 },
  });
  assert.deepEqual(one.all("usage").map(({ step, input_tokens }) => [step, input_tokens]), [[1, 1200], [
    2,
    1500,
  ]]);
  assert.deepEqual(one.all("step_start").map(({ step }) => step), [1, 2]);
  assert.equal(one.all("turn_end")[0]?.requests, 2);
});
