// The table of what a client must do with each ACP message (ACP version 1), row by row.

import assert from "node:assert/strict";
import { only, play, running, said, text } from "./acp_play_test.ts";

Deno.test("acp: initialize and session/new give hello, an empty history with the greeting, options and models", () => {
  const one = play();
  assert.deepEqual(one.ask("initialize", { protocolVersion: 1 }, 0), [{
    event: "starting",
    step: "initialize",
  }]);
  const agentInfo = { name: "a", title: "Agent A", version: "2.0" };
  assert.deepEqual(one.result(0, { protocolVersion: 1, agentInfo }), [
    {
      event: "hello",
      protocol: "pod-jsonl",
      version: 1,
      agent: "Agent A 2.0",
      capabilities: ["questions", "models"],
    },
  ]);
  assert.deepEqual(one.ask("session/new", { cwd: "/repo" }, 1), [{
    event: "starting",
    step: "session",
    detail: "/repo",
  }]);
  const told = one.result(1, {
    sessionId: "s1",
    modes: {
      currentModeId: "ask",
      availableModes: [{ id: "ask", name: "Ask" }, { id: "auto", name: "Auto" }],
    },
    models: {
      currentModelId: "m1",
      availableModels: [{ modelId: "m1", name: "M 1", _meta: { contextLimit: 1000 } }],
    },
  });
  assert.deepEqual(told.map((event) => event.event), [
    "history",
    "options",
    "model_catalog",
    "model_selected",
  ]);
  const history = one.all("history")[0];
  assert.equal(history?.session_id, "s1");
  assert.deepEqual(history?.items, []);
  assert.equal(history?.greeting?.pod_name, "Agent A");
  assert.equal(history?.greeting?.cwd, "/repo");
  assert.equal(history?.greeting?.model, "m1");
  assert.equal(history?.greeting?.context_window, 1000);
  assert.deepEqual(one.all("options")[0]?.options, [
    {
      id: "mode",
      label: "Mode",
      current: "ask",
      values: [{ id: "ask", label: "Ask" }, { id: "auto", label: "Auto" }],
    },
  ]);
  assert.equal(one.all("model_catalog")[0]?.models[0]?.label, "M 1");
  assert.equal(one.all("model_selected")[0]?.source, "client");
});

Deno.test("acp: configOptions win over modes and models; groups are flattened; booleans have no values", () => {
  const one = play();
  one.ask("session/new", { cwd: "/" }, 1);
  one.result(1, {
    sessionId: "s1",
    modes: { currentModeId: "x", availableModes: [{ id: "x", name: "X" }] },
    models: { currentModelId: "old", availableModels: [{ modelId: "old", name: "Old" }] },
    configOptions: [
      {
        id: "mode",
        name: "Mode",
        category: "mode",
        type: "select",
        currentValue: "x",
        options: [{ value: "x", name: "X" }],
      },
      { id: "fast", name: "Fast", type: "boolean", currentValue: true },
      {
        id: "model",
        name: "Model",
        category: "model",
        type: "select",
        currentValue: "new",
        options: [{ group: "g", name: "Vendor", options: [{ value: "new", name: "New" }] }],
      },
    ],
  });
  assert.deepEqual(one.all("options")[0]?.options.map(({ id, current }) => [id, current]), [["mode", "x"], [
    "fast",
    true,
  ]]);
  assert.deepEqual(one.all("model_catalog")[0]?.models.map(({ model, label }) => [model, label]), [[
    "new",
    "Vendor: New",
  ]]);
  assert.equal(one.all("model_selected")[0]?.model, "new");
  // A set_mode that went well is the news, whether or not an update follows (Qwen sends none).
  one.ask("session/set_mode", { sessionId: "s1", modeId: "y" }, 2);
  one.result(2, {});
  assert.equal(one.all("options").at(-1)?.options[0]?.current, "y");
  one.update("current_mode_update", { currentModeId: "x" });
  assert.equal(one.all("options").at(-1)?.options[0]?.current, "x");
});

Deno.test("acp: modes that repeat an option are not told twice", () => {
  const one = play();
  one.ask("session/new", { cwd: "/" }, 1);
  const levels = ["off", "high"];
  one.result(1, {
    sessionId: "s1",
    modes: { currentModeId: "off", availableModes: levels.map((id) => ({ id, name: `Thinking: ${id}` })) },
    configOptions: [{
      id: "thought_level",
      name: "Thinking",
      type: "select",
      currentValue: "off",
      options: levels.map((value) => ({ value, name: value })),
    }],
  });
  assert.deepEqual(one.all("options")[0]?.options.map((option) => option.id), ["thought_level"]);
});

Deno.test("acp: a prompt is a message, a turn and a step; its answer ends them once", () => {
  const one = running();
  assert.deepEqual(
    only(
      one.events.map((parsed) => parsed.kind === "event" ? { event: parsed.event.event } : { event: "" }),
      "user_message",
      "turn_start",
      "step_start",
    ).length,
    3,
  );
  assert.deepEqual(one.all("user_message")[0], {
    message_id: "prompt-2",
    text: "go",
    kind: "run",
    parent_id: null,
  });
  one.update("agent_message_chunk", { content: text("done") });
  one.wait(500);
  const told = one.result(2, {
    stopReason: "end_turn",
    usage: { inputTokens: 10, outputTokens: 2, totalTokens: 17, cachedReadTokens: 5 },
  });
  assert.deepEqual(told, [
    { event: "usage", turn: 1, step: 1, input_tokens: 15, output_tokens: 2, cache_read_input_tokens: 5 },
    { event: "text_done" },
    { event: "step_end", turn: 1, step: 1 },
    { event: "turn_end", turn: 1, result: "finished", elapsed_ms: 500 },
    { event: "status", status: "idle" },
  ]);
});

Deno.test("acp: the message id of a live prompt is the client's own", () => {
  const one = running();
  one.result(2, { stopReason: "end_turn" });
  one.ask("session/prompt", { prompt: [text("again")], _meta: { "trifold.message_id": "u7" } }, 3);
  assert.equal(one.all("user_message").at(-1)?.message_id, "u7");
});

Deno.test("acp: every stop reason ends the turn with its own result", () => {
  const results: [string, string, string | null][] = [
    ["end_turn", "finished", null],
    ["max_tokens", "limit_reached", "max_tokens"],
    ["max_turn_requests", "limit_reached", "max_turn_requests"],
    ["refusal", "rejected", "refusal"],
    ["cancelled", "cancelled", null],
    ["_vendor_reason", "finished", "_vendor_reason"],
  ];
  for (const [stopReason, result, reason] of results) {
    const one = running();
    one.result(2, { stopReason });
    const end = one.all("turn_end");
    assert.equal(end.length, 1);
    assert.deepEqual([end[0]?.result, end[0]?.reason], [result, reason], stopReason);
  }
});

Deno.test("acp: text is one block until the message id changes or another kind comes between", () => {
  const one = running();
  one.update("agent_message_chunk", { content: text("a"), messageId: "m1" });
  assert.deepEqual(one.update("agent_message_chunk", { content: text("b"), messageId: "m1" }), [{
    event: "text_delta",
    text: "b",
  }]);
  assert.deepEqual(one.update("usage_update", { used: 1, size: 10 }).map((told) => told.event), ["context"]);
  assert.deepEqual(one.update("agent_message_chunk", { content: text("c"), messageId: "m2" }), [
    { event: "text_done" },
    { event: "text_delta", text: "c" },
  ]);
  assert.deepEqual(one.update("agent_thought_chunk", { content: text("hm"), messageId: "m2" }), [
    { event: "text_done" },
    { event: "reasoning_start", id: "thought-1" },
    { event: "reasoning_delta", id: "thought-1", text: "hm" },
  ]);
  one.wait(40);
  assert.deepEqual(
    one.update("tool_call", { toolCallId: "t", title: "x", kind: "other", status: "pending" })[0],
    {
      event: "reasoning_done",
      id: "thought-1",
      elapsed_ms: 40,
    },
  );
});

Deno.test("acp: content that is not text is labelled text", () => {
  const one = running();
  const blocks: [object, string][] = [
    [{ type: "image", mimeType: "image/png", data: "AAAA" }, "[image: image/png, 3 bytes]"],
    [{ type: "audio", mimeType: "audio/wav", data: "AAA=" }, "[audio: audio/wav, 2 bytes]"],
    [{ type: "resource_link", name: "a.ts", uri: "file:///a.ts" }, "[link: a.ts, file:///a.ts]"],
    [{ type: "resource", resource: { uri: "file:///b", text: "x" } }, "[resource: file:///b]\nx\n"],
    [{ type: "resource", resource: { uri: "file:///c", blob: "AAAA" } }, "[resource: file:///c, 3 bytes]"],
    [{ type: "hologram" }, "[hologram]"],
  ];
  for (const [content, shown] of blocks) {
    const told = only(one.update("agent_message_chunk", { content }), "text_delta");
    assert.equal(String(told[0]?.text).trim(), shown.trim());
  }
});

Deno.test("acp: tool_call_update keeps what is absent and replaces lists; an unknown id creates a call", () => {
  const one = running();
  one.update("tool_call", {
    toolCallId: "t1",
    title: "Fetch it",
    kind: "fetch",
    status: "in_progress",
    rawInput: { url: "https://example.com" },
    content: said("first"),
  });
  one.update("tool_call_update", { toolCallId: "t1", content: said("second") });
  const told = one.update("tool_call_update", { toolCallId: "t1", status: "completed" });
  assert.equal(only(told, "tool_result")[0]?.output, "second", "the list was replaced, not appended to");
  assert.deepEqual(one.all("tool_call_done")[0]?.presentation?.title, "Fetch it");
  const created = one.update("tool_call_update", {
    toolCallId: "t2",
    status: "failed",
    kind: "other",
    content: said("no such tool"),
  });
  assert.deepEqual(created.map((event) => event.event), ["tool_call_start", "tool_call_done", "tool_result"]);
  assert.equal(created[2]?.is_error, true);
  assert.equal(created[2]?.summary, "no such tool");
});

Deno.test("acp: foreign tools come under our names with our arguments", () => {
  const cases: [object, string, Record<string, unknown>][] = [
    [{ title: "read", kind: "read", rawInput: { path: "/a", offset: 5 } }, "Read", {
      file_path: "/a",
      offset: 5,
    }],
    [{ title: "README.md", kind: "read", locations: [{ path: "/repo/README.md", line: 12 }] }, "Read", {
      file_path: "/repo/README.md",
      offset: 12,
    }],
    [{ name: "run_shell_command", title: "Shell", kind: "execute", rawInput: { command: "ls" } }, "Bash", {
      command: "ls",
    }],
    [{ title: "make -j2 && ls", kind: "execute" }, "Bash", { command: "make -j2 && ls" }],
    [
      {
        name: "exec_command",
        title: "t",
        kind: "execute",
        rawInput: { command: ["bash", "-lc", "ls | wc"] },
      },
      "Bash",
      { command: "ls | wc" },
    ],
    [{ name: "exec_command", title: "Search for 'a b' in src", kind: "search" }, "Grep", {
      pattern: "a b",
      path: "src",
    }],
    [{ name: "grep_search", title: "'TODO'", kind: "search" }, "Grep", { pattern: "TODO" }],
    [{ title: "glob", kind: "search", rawInput: { pattern: "*.ts" } }, "Glob", { pattern: "*.ts" }],
    [
      { title: "edit", kind: "edit", rawInput: { path: "/a", edits: [{ oldText: "x", newText: "y" }] } },
      "Edit",
      { file_path: "/a", old_string: "x", new_string: "y" },
    ],
    [
      {
        title: "edit",
        kind: "edit",
        rawInput: { filePath: "/a", oldString: "x", newString: "y", replaceAll: true },
      },
      "Edit",
      { file_path: "/a", replaceAll: true, old_string: "x", new_string: "y" },
    ],
    [{ title: "write", kind: "edit", rawInput: { path: "/a", content: "" } }, "Write", {
      file_path: "/a",
      content: "",
    }],
    [
      {
        title: "New file",
        kind: "edit",
        content: [{ type: "diff", path: "/n", oldText: null, newText: "x\n" }],
      },
      "Write",
      { file_path: "/n", content: "x\n" },
    ],
  ];
  for (const [call, name, args] of cases) {
    const one = running();
    one.update("tool_call", { toolCallId: "call_1", status: "in_progress", ...call });
    const done = one.all("tool_call_done").at(-1);
    assert.deepEqual([done?.name, JSON.parse(done?.arguments ?? "")], [name, args], JSON.stringify(call));
    assert.equal(done?.presentation, null, "ours need no card");
  }
});

Deno.test("acp: an edit shown only as a diff becomes the replacement around the change", () => {
  const one = running();
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const oldText = lines.join("\n") + "\n";
  const newText = oldText.replace("line 20\n", "line twenty\n");
  one.update("tool_call", {
    toolCallId: "replace-1",
    title: "a.txt",
    kind: "edit",
    status: "in_progress",
    content: [{ type: "diff", path: "/a.txt", oldText, newText }],
  });
  const args = JSON.parse(one.all("tool_call_done")[0]?.arguments ?? "{}");
  assert.equal(args.old_string, "line 17\nline 18\nline 19\nline 20\nline 21\nline 22\nline 23\n");
  assert.equal(args.new_string, args.old_string.replace("line 20", "line twenty"));
});

Deno.test("acp: a change of several files is a card of diffs", () => {
  const one = running();
  const content = ["/a", "/b"].map((path) => ({ type: "diff", path, oldText: "x", newText: "y" }));
  one.update("tool_call", {
    toolCallId: "t",
    title: "Edit a, b",
    kind: "edit",
    status: "completed",
    content,
  });
  assert.deepEqual(one.all("tool_result")[0]?.presentation, {
    title: "Edit a, b",
    kind: "edit",
    body: [{ type: "diff", path: "/a", old: "x", new: "y" }, {
      type: "diff",
      path: "/b",
      old: "x",
      new: "y",
    }],
  });
});

Deno.test("acp: N10 a tool of no renderer describes itself at its call and at its result", () => {
  const one = running();
  one.update("tool_call", {
    toolCallId: "t",
    name: "deploy",
    title: "Deploy staging",
    kind: "execute",
    status: "in_progress",
    rawInput: { target: "staging" },
  });
  assert.deepEqual(one.all("tool_call_done")[0]?.presentation, {
    title: "Deploy staging",
    kind: "execute",
    body: [{ type: "text", text: "target: staging" }],
  });
  one.update("tool_call_update", {
    toolCallId: "t",
    status: "completed",
    content: [...said("**live**"), {
      type: "content",
      content: { type: "image", mimeType: "image/png", data: "AAAA" },
    }],
  });
  assert.deepEqual(one.all("tool_result")[0]?.presentation?.body, [
    { type: "markdown", text: "**live**" },
    { type: "image", media_type: "image/png", byte_length: 3 },
  ]);
  assert.equal(one.all("tool_result")[0]?.summary, "Deploy staging");
});

Deno.test("acp: plans replace the whole; plans by id stand together", () => {
  const one = running();
  one.update("plan", {
    entries: [{ content: "Read", priority: "high", status: "completed" }, {
      content: "Fix",
      status: "in_progress",
    }],
  });
  assert.deepEqual(one.all("plan")[0]?.items, [
    { id: "1", text: "Read", status: "completed" },
    { id: "2", text: "Fix", status: "in_progress" },
  ]);
  one.update("plan_update", {
    plan: { type: "items", planId: "p1", entries: [{ content: "A", status: "pending" }] },
  });
  one.update("plan_update", { plan: { type: "markdown", planId: "p2", content: "# B\n- [x] done\n- open" } });
  assert.deepEqual(one.all("plan").at(-1)?.items.map((item) => `${item.text}:${item.status}`), [
    "A:pending",
    "done:completed",
    "open:pending",
  ]);
  one.update("plan_removed", { planId: "p1" });
  assert.equal(one.all("plan").at(-1)?.items.length, 2);
});

Deno.test("acp: commands, title, context and cost", () => {
  const one = running();
  one.update("available_commands_update", {
    availableCommands: [
      { name: "web", description: "Search", input: { hint: "query" }, _meta: { huge: 1 } },
      { name: "x", input: null },
    ],
  });
  assert.deepEqual(one.all("commands")[0]?.commands, [
    { name: "web", description: "Search", hint: "query" },
    { name: "x", description: "", hint: null },
  ]);
  one.update("session_info_update", { title: "Fix it", updatedAt: "2026-01-01" });
  assert.equal(one.all("title")[0]?.title, "Fix it");
  one.update("session_info_update", { _meta: { vendor: 1 } });
  assert.equal(one.ignored.at(-1), "session state of the agent");
  one.update("usage_update", { used: 10, size: 100, cost: { amount: 0.5, currency: "USD" } });
  one.update("usage_update", { used: 10, size: 100, cost: { amount: 0.5, currency: "USD" } });
  assert.equal(one.all("context").length, 1, "told once");
  one.result(2, { stopReason: "end_turn" });
  assert.equal(one.all("usage")[0]?.cost_usd, 0.5);
  one.ask("session/prompt", { prompt: [text("more")] }, 3);
  one.update("usage_update", { used: 20, size: 100, cost: { amount: 0.75, currency: "USD" } });
  one.result(3, { stopReason: "end_turn", usage: { inputTokens: 4, outputTokens: 1, totalTokens: 5 } });
  assert.deepEqual([one.all("usage").at(-1)?.cost_usd, one.all("usage").at(-1)?.input_tokens], [0.25, 4]);
  one.update("usage_update", { used: 21, size: 100, cost: { amount: 0.8, currency: "USD" } });
  assert.deepEqual(
    [one.all("usage").at(-1)?.cost_usd, one.all("usage").at(-1)?.input_tokens],
    [0.3, 4],
    "a late cost keeps the tokens",
  );
});

Deno.test("acp: notices, compactions and their summaries", () => {
  const one = running();
  assert.deepEqual(
    one.update("notice", { severity: "warning", title: "Slow", description: "Retrying soon" }),
    [
      { event: "notification", level: "warn", source: "Test", message: "Slow\nRetrying soon" },
    ],
  );
  assert.deepEqual(one.update("compaction_update", { compactionId: "c", status: "in_progress" }), [{
    event: "compact_start",
  }]);
  one.update("compaction_summary_chunk", { compactionId: "c", content: text("what ") });
  one.update("compaction_summary_chunk", { compactionId: "c", content: text("was") });
  assert.deepEqual(one.update("compaction_update", { compactionId: "c", status: "completed" }), [
    { event: "compact_done" },
    { event: "notification", level: "info", source: "summary", message: "what was" },
  ]);
  assert.deepEqual(
    one.update("compaction_update", { compactionId: "d", status: "failed", error: "too long" }).map((told) =>
      told.event
    ),
    ["compact_start", "compact_failed"],
  );
});

Deno.test("acp: a child session stands as a call and what happens in it is nested there", () => {
  const one = running();
  one.update("subagent_update", { sessionId: "child", title: "Reviewer", state: { state: "running" } });
  const id = one.all("tool_call_start")[0]?.id;
  const told = one.agent("session/update", {
    sessionId: "child",
    update: { sessionUpdate: "agent_message_chunk", content: text("looks good") },
  });
  assert.deepEqual(told, [{ event: "text_delta", text: "looks good", parent_id: id }]);
  one.agent("session/update", {
    sessionId: "child",
    update: {
      sessionUpdate: "tool_call",
      toolCallId: "k",
      title: "read",
      kind: "read",
      status: "completed",
      rawInput: { path: "/a" },
    },
  });
  assert.equal(one.all("tool_result")[0]?.parent_id, id);
  one.update("session_message", {
    messageId: "m",
    recipientSessionId: "child",
    content: [text("and the tests?")],
  });
  assert.equal(one.all("user_message").at(-1)?.parent_id, id);
  one.update("subagent_update", { sessionId: "child", state: { state: "idle" } });
  assert.equal(one.all("tool_result").at(-1)?.id, id);
  one.agent("session/update", {
    sessionId: "stranger",
    update: { sessionUpdate: "agent_message_chunk", content: text("?") },
  });
  assert.equal(one.ignored.at(-1), "update of another session");
});

Deno.test("acp: permissions are questions by kind and name; answers close them; the end of the turn closes the rest", () => {
  const one = running();
  const options = [
    { optionId: "x1", name: "Always, in this project", kind: "allow_always" },
    { optionId: "x2", name: "Always, for me", kind: "allow_always" },
    { optionId: "x3", name: "Once", kind: "allow_once" },
    { optionId: "x4", name: "No", kind: "reject_once" },
    { optionId: "x5", name: "Never", kind: "reject_always" },
    { optionId: "x6", name: "Ask my mother", kind: "_vendor" },
  ];
  one.agent("session/request_permission", {
    sessionId: "s1",
    toolCall: {
      toolCallId: "t",
      kind: "execute",
      title: "rm -r build",
      rawInput: { command: "rm -r build" },
    },
    options,
  }, 0);
  const question = one.all("question")[0];
  assert.deepEqual([question?.kind, question?.tool_call_id], ["permission", "t"]);
  assert.equal(question?.questions[0]?.text, "rm -r build");
  assert.deepEqual(question?.questions[0]?.options.map((option) => option.effect), [
    "allow_always",
    "allow_always",
    "allow_once",
    "deny",
    "deny_always",
    null,
  ]);
  assert.equal(one.translation.requestOf(question?.batch_id ?? "")?.id, 0);
  one.answer(0, { outcome: { outcome: "selected", optionId: "x3" } });
  assert.deepEqual(one.all("question_closed")[0]?.answers, [{
    id: "permission",
    selected: ["x3"],
    text: null,
  }]);
  one.agent("session/request_permission", { toolCall: { toolCallId: "t", title: "again" }, options }, 1);
  one.agent("session/request_permission", { toolCall: { toolCallId: "u", title: "third" }, options }, 2);
  one.agent("$/cancel_request", { requestId: 1 });
  assert.deepEqual([one.all("question_closed").at(-1)?.batch_id, one.all("question_closed").at(-1)?.reason], [
    "permission-1",
    "cancelled",
  ]);
  one.ask("session/cancel");
  one.result(2, { stopReason: "cancelled" });
  assert.equal(one.all("question_closed").at(-1)?.batch_id, "permission-2");
  assert.equal(one.all("question_closed").length, 3);
});

Deno.test("acp: a form is asked property by property, an address as it is", () => {
  const one = running();
  one.agent("elicitation/create", {
    sessionId: "s1",
    mode: "form",
    message: "Where to?",
    requestedSchema: {
      type: "object",
      properties: {
        target: { type: "string", title: "Target", enum: ["staging", "live"] },
        force: { type: "boolean" },
        tags: { type: "array", items: { anyOf: [{ const: "a", title: "Tag A" }] } },
        note: { type: "string", description: "For the log" },
      },
    },
  }, 5);
  const asked = one.all("question")[0]?.questions ?? [];
  assert.deepEqual(
    asked.map(({ id, multi, allow_text, options }) => [
      id,
      multi,
      allow_text,
      options.map((option) => option.id),
    ]),
    [
      ["target", false, false, ["staging", "live"]],
      ["force", false, false, ["true", "false"]],
      ["tags", true, false, ["a"]],
      ["note", false, true, []],
    ],
  );
  one.answer(5, { action: "accept", content: { target: "live", force: true, tags: ["a"], note: "go" } });
  assert.deepEqual(one.all("question_closed")[0]?.answers, [
    { id: "target", selected: ["live"], text: null },
    { id: "force", selected: ["true"], text: null },
    { id: "tags", selected: ["a"], text: null },
    { id: "note", selected: [], text: "go" },
  ]);
  one.agent("elicitation/create", {
    mode: "url",
    elicitationId: "e1",
    url: "https://example.com/login",
    message: "Log in",
  }, 6);
  assert.equal(one.all("question").at(-1)?.questions[0]?.text, "Log in\nhttps://example.com/login");
  one.agent("elicitation/complete", { elicitationId: "e1" });
  assert.equal(one.all("question_closed").length, 2);
  one.agent("elicitation/create", {
    mode: "form",
    message: "?",
    requestedSchema: { properties: { a: { type: "string" } } },
  }, 7);
  one.answer(7, { action: "decline" });
  assert.equal(one.all("question_closed").at(-1)?.reason, "dismissed");
});

Deno.test("acp: a login that is missing names the ways to log in", () => {
  const one = play();
  one.ask("initialize", {}, 0);
  one.result(0, {
    authMethods: [{ id: "o", name: "OAuth" }, { id: "k", name: "Key", _meta: { type: "terminal" } }],
  });
  assert.equal(one.all("auth").length, 0, "having methods does not mean that one is needed");
  one.ask("session/new", { cwd: "/" }, 1);
  one.error(1, { code: -32000, message: "Authentication required" });
  assert.deepEqual(one.all("auth")[0]?.methods, [{ id: "o", label: "OAuth", type: "agent" }, {
    id: "k",
    label: "Key",
    type: "terminal",
  }]);
  assert.equal(one.all("error")[0]?.code, "auth_required");
});

Deno.test("acp: a prompt into a running turn is a steer; the turn ends with the last answer", () => {
  const one = running();
  one.ask("session/prompt", { prompt: [text("also the docs")] }, 3);
  assert.equal(one.all("user_message").at(-1)?.kind, "steer");
  one.result(2, { stopReason: "end_turn" });
  assert.equal(one.all("turn_end").length, 0);
  one.result(3, { stopReason: "end_turn" });
  assert.equal(one.all("turn_end").length, 1);
});

Deno.test("acp: unknown kinds, methods, answers and broken messages are counted, never fatal", () => {
  const one = running();
  assert.deepEqual(one.update("hologram_chunk", {}), [{
    event: "unknown",
    name: "acp session/update hologram_chunk",
  }]);
  assert.deepEqual(one.agent("vendor/secret", {}), [{ event: "unknown", name: "acp vendor/secret" }]);
  assert.deepEqual(one.agent("vendor/question", {}, 9), [{ event: "unknown", name: "acp vendor/question" }]);
  one.result(77, {});
  assert.equal(one.ignored.at(-1), "answer to an unknown request");
  for (const broken of [null, 1, "x", [], [1], {}, { jsonrpc: "2.0" }, { method: 5 }, { id: 1 }]) {
    const { events, ignored } = one.translation.push("from_agent", broken, null);
    assert.ok(
      events.every((parsed) => parsed.kind === "problem") && ignored.length === 0,
      JSON.stringify(broken),
    );
  }
  for (
    const params of [null, [], { update: 5 }, { update: { sessionUpdate: 7 } }, {
      update: { sessionUpdate: "tool_call" },
    }]
  ) {
    one.translation.push("from_agent", { jsonrpc: "2.0", method: "session/update", params }, null);
  }
});

Deno.test("acp: the connection ends in the middle of a turn: it was interrupted", () => {
  const one = running();
  one.update("agent_message_chunk", { content: text("half") });
  assert.deepEqual(only(one.end(), "text_done", "turn_end").map((told) => told.result ?? told.event), [
    "text_done",
    "interrupted",
  ]);
  assert.deepEqual(one.end(), []);
});
