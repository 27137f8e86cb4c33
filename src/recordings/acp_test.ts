// Sessions, turns, texts and the rest of what a client must do with ACP messages, row by row.

import assert from "node:assert/strict";
import { only, play, running, text } from "./acp_play_test.ts";

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

Deno.test("acp: a thought that goes on brings no empty headings (Gemini)", () => {
  const one = running();
  const think = (piece: string) =>
    one.update("agent_thought_chunk", { content: text(piece) }).flatMap((told) =>
      told.event === "reasoning_delta" ? [told.text] : []
    );
  assert.deepEqual(think("**Looking**\nThe user wa"), ["**Looking**\nThe user wa"]);
  assert.deepEqual(think("****\nnts a fix"), ["nts a fix"]);
  assert.deepEqual(think("****\n"), []);
  assert.deepEqual(think("2****3"), ["2****3"]);
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
