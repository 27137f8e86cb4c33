// Sessions of Codex: records written for this test in the shapes of real rollouts, old and new.

import assert from "node:assert/strict";
import fc from "fast-check";
import { longTextString } from "../transcript/long_text.ts";
import { toolInput } from "../transcript/tool_names.ts";
import { createCodexTranslator, isCodexRecord } from "./codex.ts";
import { CODEX_IGNORED } from "./codex_ignored.ts";
import { CODEX_RECORDS } from "./codex_records.ts";
import { codexLook, readChanges, readExecOutput, scriptOf } from "./codex_tools.ts";
import { detectFormat } from "./detect.ts";
import {
  callsOf,
  caseRecords,
  checkAccounted,
  outputOf,
  play,
  type Played,
  summaryOf,
} from "./recorded_test_helper.ts";

const META = {
  type: "session_meta",
  payload: {
    id: "s1",
    cwd: "/repo",
    cli_version: "0.160.0",
    model_provider: "openai",
    git: { branch: "main" },
  },
};
const CONTEXT = {
  type: "turn_context",
  payload: { cwd: "/repo", model: "gpt-6", approval_policy: "never", sandbox_policy: { type: "read-only" } },
};

const item = (payload: Record<string, unknown>) => ({ type: "response_item", payload });
const event = (payload: Record<string, unknown>) => ({ type: "event_msg", payload });
const person = (message: string) => event({ type: "user_message", message, images: [] });
const answer = (text: string) =>
  item({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const call = (call_id: string, name: string, args: unknown) =>
  item({ type: "function_call", call_id, name, arguments: JSON.stringify(args) });
const output = (call_id: string, text: unknown) =>
  item({ type: "function_call_output", call_id, output: text });

function playAll(...records: unknown[]): Played {
  const played = play("codex", createCodexTranslator(), [META, CONTEXT, ...records]);
  checkAccounted("codex", played);
  return played;
}

function rows(...records: unknown[]): string[] {
  return summaryOf(playAll(...records).transcript).slice(1);
}

function only(played: Played) {
  const calls = callsOf(played.transcript.blocks);
  assert.equal(calls.length, 1);
  return calls[0]!;
}

Deno.test("codex: the recorded rollout and exec run are found and read", () => {
  for (const name of ["codex-rollout", "codex-exec"]) {
    const records = caseRecords(name);
    const found = detectFormat(records);
    assert.ok(found.kind === "format" && found.format.name === "codex", name);
    assert.ok(records.every(isCodexRecord));
    checkAccounted(name, play(name, createCodexTranslator(), records));
  }
});

Deno.test("codex: a rollout's turns: answers, failures, a rejection, two interruptions, a provider error", () => {
  const { transcript } = play("codex-rollout", createCodexTranslator(), caseRecords("codex-rollout"));
  const told = summaryOf(transcript).filter((row) => /^(?:turn|end|error|Bash error)/.test(row));
  assert.deepEqual(told, [
    "turn 1",
    "Bash error: exit 4: sed -i 's/a + b/a+b/' src/calc.ts",
    told[2] ?? "", // Holds the text of a whole note.
    "Bash error: exit 3: cat /nonexistent-file; exit 3",
    "end finished",
    "turn 2",
    "Bash error: exit 1: printf '%s' \"overwritten\\n\" > README.md",
    "end finished",
    "turn 3",
    "end cancelled",
    "turn 4",
    "Bash error: aborted by user",
    "end cancelled",
    "turn 5",
    "error: mock overloaded (bad)",
    "end error",
  ]);
  const aborted = callsOf(transcript.blocks).at(-1);
  assert.equal(
    aborted === undefined ? "" : outputOf(aborted),
    "tick 1\ntick 2\ntick 3\ntick 4\ntick 5\n",
    "late output fills the old card",
  );
  assert.deepEqual([
    transcript.usage.inputTokens,
    transcript.usage.outputTokens,
    transcript.usage.reasoningTokens,
  ], [15600, 720, 180]);
  assert.equal(transcript.context?.windowTokens, 258400);
});

Deno.test("codex: what both views tell is shown once, whichever comes first", () => {
  const both = [answer("one"), event({ type: "agent_message", message: "one" })];
  for (const pair of [both, [...both].reverse()]) {
    assert.deepEqual(rows(person("go"), ...pair), ["turn 1", "run: go", "text: one", "end finished"]);
  }
  assert.deepEqual(rows(person("go"), answer("ok"), answer("ok")), [
    "turn 1",
    "run: go",
    "text: ok",
    "text: ok",
    "end finished",
  ]);
  const thought = item({
    type: "reasoning",
    summary: [{ type: "summary_text", text: "hm" }],
    encrypted_content: "x",
  });
  assert.deepEqual(
    rows(person("go"), thought, event({ type: "agent_reasoning", text: "hm" }), answer("a")).slice(2, 4),
    ["thought: hm", "text: a"],
  );
});

Deno.test("codex: messages of the model's view are never shown where the screen's view has them, nor injected ones", () => {
  const model = (text: string) =>
    item({ type: "message", role: "user", content: [{ type: "input_text", text }] });
  assert.deepEqual(
    rows(
      model("<environment_context>\n<cwd>/repo</cwd>"),
      model("# AGENTS.md instructions for /repo\n"),
      model("go"),
      person("go"),
      answer("a"),
      person("more"),
      model("more"),
      answer("b"),
    ),
    ["turn 1", "run: go", "text: a", "end finished", "turn 2", "run: more", "text: b", "end finished"],
  );
  assert.deepEqual(rows(model("oldest files"), answer("a")), [
    "turn 1",
    "run: oldest files",
    "text: a",
    "end finished",
  ]);
});

Deno.test("codex: a message inside a task is a message into the turn", () => {
  const told = rows(
    event({ type: "task_started", turn_id: "t" }),
    person("go"),
    answer("a"),
    person("also this"),
    event({ type: "task_complete", turn_id: "t", last_agent_message: "a" }),
  );
  assert.deepEqual(told, ["turn 1", "run: go", "text: a", "steer: also this", "end finished"]);
});

Deno.test("codex: commands show their script, their output without its head, and their exit", () => {
  const old = only(playAll(
    person("go"),
    call("c", "shell", { command: ["bash", "-lc", "cat a | wc"], workdir: "/repo" }),
    output("c", JSON.stringify({ output: "1 2 3\n", metadata: { exit_code: 2, duration_seconds: 0.1 } })),
  ));
  assert.deepEqual(
    [toolInput(old).command, old.stage, old.summary, outputOf(old)],
    ["cat a | wc", "error", "exit 2: cat a | wc", "1 2 3\n"],
  );
  assert.deepEqual(codexLook("shell", { command: ["ls", "a b"] }).args, { command: "ls 'a b'" });
  const exec = only(playAll(
    person("go"),
    call("c", "exec_command", { cmd: "make" }),
    output(
      "c",
      "Chunk ID: ab12\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 3\nOutput:\nbuilt\n",
    ),
  ));
  assert.deepEqual([exec.stage, exec.summary, outputOf(exec)], ["done", "exit 0: make", "built\n"]);
});

Deno.test("codex: a command that goes on answers when it ends, or with its turn", () => {
  const running = output("c", "Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\nhalf\n");
  const start = [person("go"), call("c", "exec_command", { cmd: "make" }), running];
  const ended = only(playAll(
    ...start,
    event({
      type: "exec_command_end",
      call_id: "c",
      command: ["bash", "-lc", "make"],
      aggregated_output: "half\nall\n",
      exit_code: 0,
      status: "completed",
    }),
  ));
  assert.deepEqual([ended.stage, outputOf(ended)], ["done", "half\nall\n"]);
  const left = only(playAll(...start, answer("it runs")));
  assert.deepEqual([left.stage, left.summary, outputOf(left)], [
    "done",
    "still running (session 7)",
    "half\n",
  ]);
});

Deno.test("codex: patches show the recorded diff with its line numbers", () => {
  const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-two\n+three\n*** End Patch";
  const end = event({
    type: "patch_apply_end",
    call_id: "c",
    success: true,
    stdout: "Success. Updated the following files:\nM a.ts\n",
    changes: {
      "/repo/a.ts": {
        type: "update",
        unified_diff: "@@ -41,2 +41,2 @@\n one\n-two\n+three\n",
        move_path: null,
      },
    },
  });
  for (
    const made of [
      item({ type: "custom_tool_call", call_id: "c", name: "apply_patch", input: patch }),
      call("c", "shell", { command: ["apply_patch", patch] }),
      call("c", "shell", { command: ["bash", "-lc", `apply_patch <<'EOF'\n${patch}\nEOF`] }),
    ]
  ) {
    const done = only(playAll(person("go"), made, end));
    assert.deepEqual([done.name, done.stage, done.summary], [
      "apply_patch",
      "done",
      "Changed /repo/a.ts (+1 -1)",
    ]);
    const [change] = done.changes ?? [];
    assert.deepEqual([change?.path, change?.note, change?.regions[0]?.oldStart], ["/repo/a.ts", null, 41]);
  }
  const added = readChanges({
    "n.ts": { type: "add", content: "x\ny\n" },
    "o.ts": { type: "delete", content: "z\n" },
  });
  assert.deepEqual([added.added, added.removed, added.paths], [2, 1, ["n.ts", "o.ts"]]);
  assert.match(added.patch ?? "", /^--- \/dev\/null\n\+\+\+ b\/n\.ts\n@@ -0,0 \+1,2 @@\n\+x\n\+y\n/);
});

Deno.test("codex: plans, searches, MCP tools and tools without a call", () => {
  const played = playAll(
    person("go"),
    call("p", "update_plan", {
      plan: [{ step: "Read", status: "completed" }, { step: "Fix", status: "in_progress" }],
    }),
    output("p", "Plan updated"),
    item({
      type: "web_search_call",
      id: "w",
      status: "completed",
      action: { type: "search", query: "deno lint" },
    }),
    event({
      type: "mcp_tool_call_end",
      call_id: "m",
      invocation: { server: "docs", tool: "find", arguments: { q: "x" } },
      result: {
        Ok: {
          content: [{ type: "text", text: "found" }, {
            type: "image",
            data: "aGVsbG8=",
            mimeType: "image/png",
          }],
          isError: false,
        },
      },
    }),
    event({
      type: "mcp_tool_call_end",
      call_id: "n",
      invocation: { server: "docs", tool: "find", arguments: {} },
      result: { Err: "gone" },
    }),
  );
  const told = summaryOf(played.transcript).slice(3, -1);
  assert.deepEqual(told.map((row) => row.split(":")[0]), [
    "update_plan done",
    "web_search done",
    "docs__find done",
    "docs__find error",
  ]);
  assert.deepEqual(played.transcript.plan.map((row) => row.status), ["completed", "in_progress"]);
  const mcp = callsOf(played.transcript.blocks)[2];
  assert.equal(
    mcp?.output === null || mcp === undefined ? "" : longTextString(mcp.output),
    "found\n[image image/png, 5 bytes]",
  );
});

Deno.test("codex: a compaction is told once, with its summary and what was before above it", () => {
  const compacted = { type: "compacted", payload: { message: "a.ts is fixed", replacement_history: [] } };
  const told = rows(person("go"), answer("a"), compacted, event({ type: "context_compacted" }), answer("b"));
  assert.deepEqual(told, [
    "turn 1",
    "run: go",
    "text: a",
    "compact done ?",
    "marker",
    "run: a.ts is fixed",
    "text: b",
    "end finished",
  ]);
});

Deno.test("codex: usage is counted once where two records tell it, a changed model is told", () => {
  const usage = {
    input_tokens: 100,
    cached_input_tokens: 60,
    output_tokens: 7,
    reasoning_output_tokens: 2,
    total_tokens: 107,
  };
  const count = event({
    type: "token_count",
    info: { total_token_usage: usage, last_token_usage: usage, model_context_window: 1000 },
  });
  const record = { type: "token_usage_record", payload: { usage, thread_token_usage: usage } };
  const { transcript } = playAll(person("go"), answer("a"), record, count, count);
  assert.deepEqual([transcript.usage.inputTokens, transcript.usage.outputTokens], [100, 7]);
  const changed = playAll(person("go"), answer("a"), {
    type: "turn_context",
    payload: { cwd: "/repo", model: "gpt-7" },
  });
  assert.equal(changed.transcript.model?.model, "gpt-7");
});

Deno.test("codex: exec --json keeps its todo list as the plan and a failed turn as an error", () => {
  const todo = (completed: boolean) => ({ id: "i", type: "todo_list", items: [{ text: "Fix", completed }] });
  const played = play("exec", createCodexTranslator(), [
    { type: "thread.started", thread_id: "x" },
    { type: "turn.started" },
    { type: "item.started", item: todo(false) },
    { type: "item.updated", item: todo(true) },
    { type: "item.completed", item: todo(true) },
    {
      type: "item.completed",
      item: {
        id: "j",
        type: "file_change",
        changes: [{ path: "/repo/a", kind: "add" }],
        status: "completed",
      },
    },
    { type: "turn.failed", error: { message: "no quota" } },
  ]);
  checkAccounted("exec", played);
  assert.deepEqual(summaryOf(played.transcript).slice(1), [
    "turn 1",
    "update_plan done: Plan: 1 of 1 done",
    "apply_patch done: Changed /repo/a",
    "error: no quota",
    "end error",
  ]);
  assert.equal(played.transcript.plan[0]?.status, "completed");
});

Deno.test("codex: texts of commands are read as they are", () => {
  assert.equal(scriptOf("/bin/bash -lc 'cat a'"), "cat a");
  assert.equal(scriptOf(`bash -lc "echo \\"x\\" \\$y"`), 'echo "x" $y');
  assert.equal(scriptOf("/bin/bash -lc \"printf \"'$(seq 1)'"), "printf $(seq 1)");
  assert.equal(scriptOf("bash -lc 'a' 'b'"), "bash -lc 'a' 'b'");
  assert.equal(scriptOf("ls -la"), "ls -la");
  assert.deepEqual(readExecOutput("plain\n"), {
    output: "plain\n",
    exitCode: null,
    running: null,
    aborted: false,
  });
  assert.equal(readExecOutput("Exit code: 1\nWall time: 0.2 seconds\nOutput:\nx").exitCode, 1);
  assert.equal(readExecOutput("Wall time: 2.5 seconds\naborted by user").aborted, true);
  assert.deepEqual(codexLook("exec", "await x()").args, { command: "await x()" });
});

Deno.test("codex: known kinds are either shown or ignored with a reason, never both", () => {
  for (const [kind, reason] of Object.entries(CODEX_IGNORED)) {
    assert.ok(!Object.hasOwn(CODEX_RECORDS, kind), kind);
    assert.ok(reason.length > 2 && reason.length < 60, kind);
  }
});

Deno.test("codex: any value in any field is accounted for and never throws", () => {
  const records = [META, CONTEXT, ...caseRecords("codex-rollout"), ...caseRecords("codex-exec")];
  const anything = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("constructor", "__proto__", ""));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(records.length - 1), fc.nat(14), anything), { minLength: 1, maxLength: 12 }),
      (changes) => {
        const given = changes.map(([at, path, value]) => replaced(records[at], path, value));
        checkAccounted("any", play("any", createCodexTranslator(), given), false);
      },
    ),
    { numRuns: 400 },
  );
});

/** The record with its field number `at`, counted through all depths, replaced. */
function replaced(record: unknown, at: number, value: unknown): unknown {
  let left = at;
  const walk = (one: unknown): unknown => {
    if (left-- === 0) return value;
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, walk(inner)]));
  };
  return walk(record);
}
