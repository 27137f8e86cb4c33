// Tool calls, plans and child sessions of the Agent Client Protocol as what our renderers draw.

import assert from "node:assert/strict";
import { only, running, said, text } from "./acp_play_test.ts";

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
    body: [],
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
