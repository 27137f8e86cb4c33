// Sessions of Claude Code: small cases written for this test, in the shapes of real files.

import assert from "node:assert/strict";
import fc from "fast-check";
import { toolInput } from "../transcript/tool_names.ts";
import { createClaudeTranslator, isClaudeRecord } from "./claude.ts";
import { createSubagentCalls } from "./claude_files.ts";
import { agentOfPath, subagentFolder } from "./nested_files.ts";
import { CLAUDE_IGNORED, CLAUDE_RECORDS } from "./claude_records.ts";
import { readUserText, withoutReminders } from "./claude_text.ts";
import { detectFormat } from "./detect.ts";
import { createLineReader, end as endLines, feed } from "./json_lines.ts";
import {
  callsOf,
  caseRecords,
  checkAccounted,
  outputOf,
  play,
  type Played,
  reasonsOf,
  summaryOf,
} from "./recorded_test_helper.ts";

const CASES = [
  "claude-session",
  "claude-branches",
  "claude-agents",
  "claude-questions",
  "claude-stream-json",
];

function playCase(name: string, options = {}): Played {
  const played = play(name, createClaudeTranslator(options), caseRecords(name));
  checkAccounted(name, played);
  return played;
}

function callOf(played: Played, id: string) {
  const call = callsOf(played.transcript.blocks).find((one) => one.id === id);
  assert.ok(call !== undefined, id);
  return call;
}

Deno.test("claude: every case is found to be one of Claude Code, record by record", () => {
  for (const name of CASES) {
    const records = caseRecords(name);
    const found = detectFormat(records);
    assert.ok(found.kind === "format" && found.format.name === "claude", name);
    for (const record of records) {
      const { type } = record as { type: string };
      if (type !== "brand-new-kind" && !type.startsWith("control_")) assert.ok(isClaudeRecord(record), type);
    }
  }
});

Deno.test("claude: a session with parallel calls, an edit, failures, a queued message, an interruption, commands, a compaction", () => {
  const played = playCase("claude-session");
  assert.deepEqual(summaryOf(played.transcript), [
    "greeting Claude Code 2.1.30 /repo",
    "turn 1",
    "run: [image image/png, 5 bytes]\nWhat is wrong here? <b>bold</b>",
    "thought: Look at both files.",
    "text: I will read them.",
    "Read done: Read 2 lines of a.ts",
    "Read error: File does not exist.",
    "Edit done: Edited a.ts (+1 -1)",
    "Bash error: exit 3: cat missing; exit 3",
    "steer: also fix b.ts",
    "Write error: Rejected by you: not that file",
    "end cancelled",
    "turn 2",
    "run: /model opus",
    "info: Set model to opus",
    "end finished",
    "turn 3",
    "run: !git status --short",
    "Bash done: git status --short",
    "end finished",
    "turn 4",
    "run: Go on",
    "warn: Retry 1/10 in 4s: Overloaded",
    "text: Going on.",
    "warn: lint failed",
    "end finished",
    "compact done 150000",
    "marker",
    "run: This session is being continued from a previous conversation that ran out of context. a.ts is fixed.",
    "turn 5",
    "run: What is left?",
    "error: API Error: 500 internal error",
    "end error",
  ]);
  assert.equal(played.transcript.title, "Fix a.ts", "a made title stands above an older summary");
  assert.equal(outputOf(callOf(played, "t4")), "Exit code 3\ncat: missing: No such file or directory");
  const [change] = callOf(played, "t3").changes ?? [];
  assert.deepEqual([change?.note, change?.regions[0]?.oldStart, change?.regions[0]?.newText], [
    null,
    1,
    "one\nthree",
  ]);
  const reasons = reasonsOf(played);
  assert.equal(reasons.get("unknown brand-new-kind"), 1);
  assert.equal(reasons.get("system reminder"), 1);
});

Deno.test("claude: usage is counted once for each message of the model", () => {
  const { transcript } = playCase("claude-session");
  // Five messages of 20 + 10 + 1000 tokens in, 40 out; m1 is spread over four records.
  assert.deepEqual([transcript.usage.inputTokens, transcript.usage.outputTokens], [5150, 200]);
  assert.deepEqual([transcript.usage.cacheReadTokens, transcript.usage.cacheWriteTokens], [5000, 50]);
  assert.equal(transcript.turns[0]?.usage.size, 4);
});

Deno.test("claude: the live branch is shown, a row says that another begins; a missing parent goes on", () => {
  const live = ["text: two, better", "run: fourth", "text: four"];
  const { transcript } = playCase("claude-branches");
  const rows = summaryOf(transcript);
  for (const row of live) assert.ok(rows.includes(row), row);
  assert.ok(!rows.some((row) => /^(?:run|text): (?:second|two|third|three)$/.test(row)), rows.join("\n"));
  assert.ok(rows.includes("info: Another branch begins here: 2 messages not shown (branch u3)"));
  assert.deepEqual(transcript.turns.map((turn) => turn.number), [1, 2, 3]);

  const all = summaryOf(playCase("claude-branches", { branch: "all" }).transcript);
  for (const row of ["run: second", "text: two", "text: three", ...live]) assert.ok(all.includes(row), row);
  const old = summaryOf(playCase("claude-branches", { branch: "u3" }).transcript);
  assert.ok(old.includes("text: three") && !old.includes("text: two, better"), old.join("\n"));
});

Deno.test("claude: parallel calls and their results are no branches, and are told as they come", () => {
  const translator = createClaudeTranslator();
  const records = caseRecords("claude-session");
  const kinds = records.slice(0, 11).flatMap((record, index) =>
    translator.push(record, index + 1).flatMap((step) =>
      step.kind === "event" && step.parsed.kind === "event" ? [step.parsed.event.event] : []
    )
  );
  assert.equal(kinds.filter((kind) => kind === "history").length, 1);
  assert.equal(kinds.filter((kind) => kind === "tool_result").length, 2);
});

Deno.test("claude: agents stand inside their calls, by prompt, by progress, and alone", () => {
  const { transcript } = playCase("claude-agents");
  assert.deepEqual(summaryOf(transcript), [
    "greeting Claude Code 2.1.30 /repo",
    "turn 1",
    "run: ask two agents",
    "Task done: Find a: completed, 1 tool use",
    "  run: find a",
    "  Bash done: ls",
    "Task done: Find b: completed, 1 tool use, 1.2k tokens, 2.5s",
    "  run: find b",
    "  Grep done: 1 file for b",
    "  text: b is in b.ts",
    "Agent incomplete:",
    "  run: nobody called me",
    "  text: alone",
    "text: Both found.",
    "end finished",
  ]);
  assert.equal(
    transcript.usage.outputTokens,
    80,
    "nested agents count in their own call, not in the session's steps",
  );
});

Deno.test("claude: todos, tasks, questions with their answers, plans and pages", () => {
  const { transcript } = playCase("claude-questions");
  assert.deepEqual(summaryOf(transcript).slice(2), [
    "run: plan it",
    "TodoWrite done: Todos: 1 of 2 done",
    "AskUserQuestion done: Your questions have been answered.",
    "question Which branch?; Which tests? -> answered dev, unit, pty, and mine",
    "TaskCreate done: Task #1 created successfully: Write docs",
    "TaskUpdate done: Updated task #1 status",
    "ExitPlanMode done: User has approved your plan.",
    "WebFetch done: 200 OK, 12 kB: https://example.invalid/a",
    "AskUserQuestion incomplete:",
    "question Go? -> cancelled",
    "end interrupted",
  ]);
  assert.deepEqual(transcript.plan, [{ id: "1", text: "Write docs", status: "completed" }]);
  assert.deepEqual(transcript.questions, [], "no question stays open in a recording");
});

Deno.test("claude: streamed messages are shown once, with what was streamed where the whole never came", () => {
  const { transcript } = playCase("claude-stream-json");
  assert.deepEqual(summaryOf(transcript), [
    "greeting Claude Code 2.1.318 /repo",
    "turn 1",
    "thought: Let me see.",
    "text: I run it.",
    "Bash done: rm -r build",
    "question rm -r build -> answered allow",
    "text: Done, cut o",
    "end finished",
  ]);
  assert.deepEqual([transcript.usage.inputTokens, transcript.usage.outputTokens, transcript.usage.costUsd], [
    100,
    30,
    0.02,
  ]);
  assert.equal(transcript.context?.windowTokens, 200000);
  const call = callsOf(transcript.blocks)[0];
  assert.ok(call !== undefined && toolInput(call).command === "rm -r build");
});

Deno.test("claude: the same record again is told once; the same result again marks nothing new", () => {
  const records = caseRecords("claude-session");
  const doubled = records.flatMap((record) => [record, record]);
  const once = summaryOf(play("once", createClaudeTranslator({ branch: "all" }), records).transcript);
  const twice = play("twice", createClaudeTranslator({ branch: "all" }), doubled);
  const notRows = (row: string) => !/^(?:warn|compact|marker)/.test(row) && !row.startsWith("steer");
  assert.deepEqual(summaryOf(twice.transcript).filter(notRows), once.filter(notRows));
});

Deno.test("claude: known kinds are either shown or ignored with a reason, never both", () => {
  for (const [kind, reason] of Object.entries(CLAUDE_IGNORED)) {
    assert.ok(!Object.hasOwn(CLAUDE_RECORDS, kind), kind);
    assert.ok(reason.length > 2 && reason.length < 60, kind);
  }
});

Deno.test("claude: user texts are read for what they are", () => {
  const kinds = (text: string) => readUserText(text).map((piece) => piece.kind).join();
  assert.equal(kinds("  "), "");
  assert.equal(kinds("a < b and <T> stay"), "prompt");
  assert.equal(kinds("[Request interrupted by user for tool use]"), "interrupted");
  assert.equal(kinds("<system-reminder>x</system-reminder>"), "ignored");
  assert.equal(kinds("<ide_opened_file>a</ide_opened_file>\nhello"), "ignored,prompt");
  assert.equal(kinds("<local-command-stdout></local-command-stdout>"), "ignored");
  assert.equal(kinds("<bash-stdout>x</bash-stdout><bash-stderr>y</bash-stderr>"), "shell_output");
  assert.equal(kinds("<task-notification><summary>done</summary></task-notification>"), "note");
  assert.deepEqual(
    readUserText("<command-message>x:y</command-message>\n<command-name>/x:y</command-name>"),
    [
      { kind: "prompt", text: "/x:y" },
    ],
  );
  assert.equal(withoutReminders("out\n\n<system-reminder>a</system-reminder>\n"), "out");
  assert.equal(withoutReminders("<system-reminder>a"), "<system-reminder>a");
});

Deno.test("claude: the files of sub-agents belong to their session, and translate into their call", () => {
  assert.equal(subagentFolder("/p/s1.jsonl"), "/p/s1/subagents");
  assert.equal(subagentFolder("/p/s1/subagents/agent-a1.jsonl"), null);
  assert.equal(subagentFolder("/p/s1.txt"), null);
  assert.equal(agentOfPath("/p/s1/subagents/agent-a1.jsonl"), "a1");
  assert.equal(agentOfPath("/p/s1/subagents/agent-a1.meta.json"), null);

  const session = caseRecords("claude-agents");
  const calls = createSubagentCalls();
  for (const record of session) calls.see(record);
  const first = {
    type: "user",
    isSidechain: true,
    agentId: "new",
    uuid: "n1",
    message: { role: "user", content: "find a" },
  };
  assert.equal(calls.callOf("ag2", first), "t2", "the result says which");
  assert.equal(calls.callOf("new", first), "t1", "else the prompt does");
  assert.equal(calls.callOf("new", {}), null);

  const played = play("nested", createClaudeTranslator({ parentId: "t1" }), [
    first,
    {
      type: "assistant",
      isSidechain: true,
      agentId: "new",
      uuid: "n2",
      message: { id: "n", content: [{ type: "text", text: "hi" }] },
    },
  ]);
  assert.deepEqual(summaryOf(played.transcript), ["? pending:", "  run: find a", "  text: hi"]);
});

Deno.test("claude: however the bytes are cut, the steps are the same", () => {
  for (const name of CASES) {
    const bytes = new TextEncoder().encode(
      caseRecords(name).map((record) => JSON.stringify(record)).join("\n"),
    );
    const stepsOf = (sizes: readonly number[]) => {
      const reader = createLineReader();
      const translator = createClaudeTranslator();
      const steps: unknown[] = [];
      const take = (lines: ReturnType<typeof feed>) => {
        for (const line of lines) {
          if (line.kind === "value") steps.push(...translator.push(line.value, line.line));
        }
      };
      let at = 0;
      for (let index = 0; at < bytes.length; index++) {
        const size = sizes[index % sizes.length] ?? bytes.length;
        take(feed(reader, bytes.subarray(at, at + size)));
        at += size;
      }
      take(endLines(reader));
      return JSON.stringify([...steps, ...translator.end()]);
    };
    const whole = stepsOf([bytes.length]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 8 }), (sizes) => {
        assert.equal(stepsOf(sizes), whole);
      }),
      { numRuns: 10 },
    );
  }
});

Deno.test("claude: any value in any field is accounted for and never throws", () => {
  const records = CASES.flatMap(caseRecords);
  const anything = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("constructor", "__proto__", ""));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(records.length - 1), fc.nat(20), anything), { minLength: 1, maxLength: 12 }),
      (changes) => {
        const given = changes.map(([at, path, value]) => replaced(records[at], path, value));
        checkAccounted("any", play("any", createClaudeTranslator(), given), false);
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
