// What is seen of the small recordings in testdata, one line a block, and what can only be seen in single calls.

import assert from "node:assert/strict";
import type { Transcript } from "../transcript/block.ts";
import { longTextString } from "../transcript/long_text.ts";
import type { ToolCall } from "../transcript/tool_call.ts";
import { createDshTranslator } from "./dsh.ts";
import { createGeminiTranslator } from "./gemini.ts";
import { createOpencodeTranslator } from "./opencode.ts";
import { createPiTranslator } from "./pi.ts";
import { createQwenTranslator } from "./qwen.ts";
import { blocksOf, callsOf, playValues, story, TESTDATA, valuesOf } from "./session_test_helper.ts";
import { openFolderSource, readSource } from "./source.ts";
import type { Translator } from "./translator.ts";

/** Text of a case: its file, or the folder read as one. */
async function textOf(folder: string, file: string): Promise<string> {
  const path = new URL(`${folder}/${file}`, TESTDATA).pathname;
  if (file !== "") return Deno.readTextFileSync(path);
  const source = await openFolderSource(path);
  assert.ok(source.kind === "source");
  let text = "";
  for await (const read of readSource(source)) {
    if (read.kind === "bytes") text += new TextDecoder().decode(read.bytes);
  }
  return text;
}

async function played(folder: string, file: string, translator: Translator): Promise<Transcript> {
  return playValues(folder, valuesOf(await textOf(folder, file)), translator).transcript;
}

function callOf(transcript: Transcript, id: string): ToolCall {
  const call = callsOf(transcript.blocks).find((one) => one.id === id);
  assert.ok(call !== undefined, id);
  return call;
}

function outputOf(call: ToolCall): string | null {
  return call.output === null ? null : longTextString(call.output);
}

Deno.test("recorded pi-session: what is seen of it", async () => {
  assert.deepEqual(story(await played("pi-session", "events.jsonl", createPiTranslator())), [
    "* pi mock-1 /repo",
    "> #main Please fix add() in src/calc.ts, then write notes. 请用中文写笔记。",
    "~ The user wants a fix. Let me look at the files first, in parallel.",
    "I will look at the project first.",
    "Read done: Read 3 lines of README.md",
    "Read done: Read 7 lines of src/calc.ts",
    "Bash done: exit 0: grep -rn TODO .",
    "~ add() subtracts. Fix it.",
    "Found it: `add` subtracts.",
    "Edit done: Edited src/calc.ts",
    "Write done: Wrote NOTES.md (5 lines)",
    "Now run something noisy.",
    "Bash done: exit 0: ls -la; printf '\\033[1;31mred\\033[0m \\033[42mgreen bg\\033[0m\\n'; for i in $(seq 1 120); do echo \"line $i 行 $i\"; done",
    "Bash error: exit 3: cat /nonexistent-file; exit 3",
    "Done. Here is what changed:⏎⏎| file | change |⏎|---|---|⏎| `src/calc.t…",
    "= finished",
    "> #reject Overwrite README.md.",
    "I will overwrite README.md.",
    "Write done: Wrote README.md (1 line)",
    "You rejected it, so I stop here.",
    "= finished",
    "> #slow Write a very long answer.",
    "~ Long thinking Long thinking Long thinking Long thinking Long thinking …",
    "= cancelled",
    "> #sleepy Run the slow command.",
    "Running a slow command.",
    "Bash error: Command aborted",
    "= cancelled",
    "> #error trigger a provider error",
    "warn: Retry 1: mock overloaded (400)",
    "warn: Retry 2: mock overloaded (400)",
    "warn: Retry 3: mock overloaded (400)",
    "= error: mock overloaded (400)",
  ]);
});

Deno.test("recorded pi-branches: what is seen of it", async () => {
  assert.deepEqual(story(await played("pi-branches", "events.jsonl", createPiTranslator())), [
    "* pi m-1 /repo",
    "> first question",
    "first answer",
    "= finished",
    "info: Another branch begins here: 2 messages not shown (branch e5)",
    "info: Summary of the branch left behind:⏎Tried to sleep.",
    "> the better question",
    "~ Read and look.",
    "looking",
    "Read done: Read 3 lines of a.ts",
    "Glob done: 2 lines for *.ts",
    ">> and mind the tests",
    "done, tests too",
    "= finished",
    "compact done",
    "info: Summary given to the model in place of older messages:⏎Files were read…",
    "Bash done: exit 0: git status",
  ]);
});

Deno.test("recorded gemini-chat: what is seen of it", async () => {
  assert.deepEqual(story(await played("gemini-chat", "events.jsonl", createGeminiTranslator())), [
    "* Gemini CLI /repo",
    "info: Context given to the model:⏎<session_context>⏎This is the context of t…",
    "> #main Please fix add() in src/calc.ts, then write notes. 请用中文写笔记。",
    "~ **Looking around**⏎The user wants a fix. Let me look at thefiles first…",
    "I will look at the project first.",
    "Read done: Read 3 lines of README.md",
    "Read done: Read 7 lines of src/calc.ts",
    "Grep done: Found 2 matches",
    "A plan before editing.",
    "write_todos error: params/todos/0 must NOT have additional properties",
    "~ **Looking around**⏎add() subtracts. Fix it.",
    "Found it: `add` subtracts.",
    "Edit done: Edited src/calc.ts",
    "Write error: Error checking existing file: NotFound: No such file or directory (os error 2): readfile '/repo/NOTES.md'",
    "Now run something noisy.",
    "Bash done: ",
    "Bash error: exit 3: cat /nonexistent-file; exit 3",
    "Done. Here is what changed:⏎⏎| file | change |⏎|---|---|⏎| `src/calc.t…",
    "= finished",
  ]);
});

Deno.test("recorded gemini-rewind: what is seen of it", async () => {
  assert.deepEqual(story(await played("gemini-rewind", "events.jsonl", createGeminiTranslator())), [
    "* Gemini CLI /repo",
    "> first question",
    "first answer",
    "info: Another branch begins here: 2 messages not shown (branch g2)",
    "= finished",
    "> right question",
    "Bash error: exit 1: false",
    "right answer",
    "compact done",
    "info: Summary given to the model in place of older messages:⏎<state_snapshot…",
    "= finished",
    "> go on",
    "info: Request cancelled.",
    "= cancelled",
    "> look at this",
    "error: quota exceeded",
    "= error",
  ]);
});

Deno.test("recorded qwen-chat: what is seen of it", async () => {
  assert.deepEqual(story(await played("qwen-chat", "events.jsonl", createQwenTranslator())), [
    "* Qwen Code /repo",
    "> fix the sum",
    "~ Look first.",
    "I look.",
    "Read done: Read 3 lines of sum.ts",
    "Edit done: Edited sum.ts",
    "Bash error: exit 1: deno test",
    "task done: looks right",
    "  Grep done: Found 1 match",
    "Fixed.",
    "info: Another branch begins here: 2 messages not shown (branch q11)",
    "= finished",
    "> now the notes",
    ">> in English",
    "Half an ans",
    "= cancelled",
    "> try again",
    "warn: Retry 1: 429 busy",
    "compact done",
    "--- 19 blocks replaced",
    "> Summary: the sum is fixed.",
    "info: /compress",
    "= error: 500 broken",
  ]);
});

Deno.test("recorded opencode-export: what is seen of it", async () => {
  assert.deepEqual(story(await played("opencode-export", "export.json", createOpencodeTranslator())), [
    "* OpenCode mock-1 /repo",
    "> #main Please fix add() in src/calc.ts, then write notes. 请用中文写笔记。",
    "~ The user wants a fix. Let me look at the files first, in parallel.",
    "I will look at the project first.",
    "Read done: Read 3 lines of README.md",
    "Read done: Read 7 lines of src/calc.ts",
    "Grep error: ripgrep execution failed",
    "A plan before editing.",
    "todowrite done: 2 todos",
    "~ add() subtracts. Fix it.",
    "Found it: `add` subtracts.",
    "Edit done: Edited src/calc.ts",
    "Write done: Created NOTES.md (5 lines)",
    "Now run something noisy.",
    "Bash done: exit 0: ls -la; printf '\\033[1;31mred\\033[0m \\033[42mgreen bg\\033[0m\\n'; for i in $(seq 1 120); do echo \"line $i 行 $i\"; done",
    "Bash error: exit 3: cat /nonexistent-file; exit 3",
    "Done. Here is what changed:⏎⏎| file | change |⏎|---|---|⏎| `src/calc.t…",
    "= finished",
    "> #reject Overwrite README.md.",
    "I will overwrite README.md.",
    "Write error: The user rejected permission to use this specific tool call.",
    "= cancelled",
    "> #slow Write a very long answer.",
    "~ Long thinking Long thinking Long thinking Long thinking Long thinking …",
    "This is a long answer that will be cancelled. 长文",
    "= cancelled",
    "> #sleepy Run the slow command.",
    "Running a slow command.",
    "Bash error: aborted",
    "= cancelled",
    "> #error trigger a provider error",
    "= error: mock overloaded (400)",
  ]);
});

Deno.test("recorded opencode-store: what is seen of it", async () => {
  assert.deepEqual(story(await played("opencode-store", "", createOpencodeTranslator())), [
    "* OpenCode m-1 /repo",
    "> ask a helper⏎[image: image/png, 5 bytes, shot.png]",
    "info: Context given to the model:⏎<note>read by the agent only</note>",
    "~ A helper knows.",
    "task done: count files",
    "  > count",
    "  Glob done: 2 lines for *",
    "  two files",
    "list incomplete: ",
    "There are two files.",
    "= finished",
    "compact done",
    "--- 8 blocks replaced",
    "> Two files were counted.",
  ]);
});

Deno.test("recorded dsh-first: what is seen of it", async () => {
  assert.deepEqual(story(await played("dsh-first", "events.jsonl", createDshTranslator())), [
    "* DeepSeek Harness /repo",
    "> list and edit",
    "info: Context given to the model:⏎(clock) Today is a day.",
    "~ Think first.",
    "Bash error: exit 2: ls; exit 2",
    ">> be quick",
    "half",
    "warn: Retry 1/3 in 0.5s: overloaded (BUSY)",
    "I edit.",
    "run_code done: logged",
    "  Grep done: 1 line for x",
    "web_fetch incomplete: ",
    "tool error: from nowhere",
    "= finished",
    "> go on",
    "warn: Prompt blocked: no budget⏎go on",
    "= rejected",
    "compact done",
    "--- 17 blocks replaced",
    "> Summary: a file was edited.",
  ]);
});

Deno.test("recorded dsh-third: what is seen of it", async () => {
  assert.deepEqual(story(await played("dsh-third", "events.jsonl", createDshTranslator())), [
    "* DeepSeek Harness /repo",
    "> edit the file",
    "info: Context given to the model:⏎(system-prompt) Current policy: ask.",
    "~ Read then edit.",
    "Read done: Read 2 lines of config.txt",
    "Edit done: Edited config.txt",
    "Bash error: Error: rejected",
    'ask_user_question done: {"answers":[{"id":"color","selected":["Blue"],"custom":"and dark"}]}',
    "? denied",
    "warn: Hook PreToolUse: block: not here",
    "? Blue+and dark",
    ">> mind the tests",
    "compact done",
    "info: Summary given to the model in place of older messages:⏎The file was ed…",
    "partial",
    "= cancelled",
    "> once more",
    "Bash incomplete: ",
    "= error: gone (AUTH)",
  ]);
});

Deno.test("recorded dsh-nested: sessions of nested agents that follow are told inside the calls that began them", async () => {
  const transcript = await played("dsh-nested", "events.jsonl", createDshTranslator());
  assert.deepEqual(story(transcript), [
    "* DeepSeek Harness /repo",
    "> ask two helpers",
    "subagent done: two",
    '  > Count the "files".',
    "  Bash error: no result",
    "  warn: Nested agent: cancelled",
    "workflow done: a.ts, b.ts",
    "  > Name the files.",
    "  ~ Look.",
    "  Glob done: 2 lines for *",
    "  a.ts, b.ts",
    "= finished",
  ]);
  assert.equal(callOf(transcript, "c2/c1").name, "Glob");
  assert.deepEqual([transcript.turns.length, transcript.usage.inputTokens], [1, 4]);
});

Deno.test("recorded dsh-nested: a nested agent's own log is told inside the call it is said to belong to", async () => {
  const values = valuesOf(await textOf("dsh-nested", "events.jsonl"));
  const starts = values.flatMap((value, index) =>
    (value as { type: string }).type === "session" ? [index] : []
  );
  const main = createDshTranslator();
  const nested = createDshTranslator({ parentId: "c1" });
  const { transcript } = playValues(
    "dsh-nested",
    [...values.slice(0, starts[1]), ...values.slice(starts[2])],
    {
      push: (value, line) => (line > starts[1]! ? nested : main).push(value, line),
      end: () => [...nested.end(), ...main.end()],
    },
  );
  assert.equal(callOf(transcript, "c1/n1").stage, "error");
  assert.equal(callOf(transcript, "c1").children[0]?.kind, "user_message");
});

Deno.test("recorded branches: any entry of a branch shows that branch, and what stands elsewhere is counted", async () => {
  const shown = story(await played("pi-branches", "events.jsonl", createPiTranslator({ branch: "e4" })));
  assert.ok(shown.includes("an answer nobody wants") && !shown.includes("> the better question"));
  assert.equal(shown.at(-1), "info: Another branch goes on behind this one: 12 records not shown");
  const rewound = story(
    await played("gemini-rewind", "events.jsonl", createGeminiTranslator({ branch: "g2" })),
  );
  assert.ok(rewound.includes("wrong answer") && !rewound.includes("right answer"));
  const unknown = story(
    await played("qwen-chat", "events.jsonl", createQwenTranslator({ branch: "nowhere" })),
  );
  assert.equal(unknown.at(-1), 'warn: Cannot find branch "nowhere": the newest one is shown');
});

Deno.test("recorded usage: cached tokens are part of the input, and each request counts once", async () => {
  const pi = await played("pi-branches", "events.jsonl", createPiTranslator());
  assert.deepEqual([pi.usage.inputTokens, pi.usage.outputTokens, pi.usage.cacheReadTokens], [99, 15, 60]);
  const gemini = await played("gemini-rewind", "events.jsonl", createGeminiTranslator());
  // Thoughts are no part of Gemini's answer count; the rewound request is not counted.
  assert.deepEqual([gemini.usage.inputTokens, gemini.usage.outputTokens], [300, 45]);
  const dsh = await played("dsh-first", "events.jsonl", createDshTranslator());
  assert.deepEqual([dsh.usage.inputTokens, dsh.usage.outputTokens, dsh.usage.cacheReadTokens], [60, 14, 20]);
  const opencode = await played("opencode-store", "", createOpencodeTranslator());
  assert.deepEqual([opencode.usage.inputTokens, opencode.usage.outputTokens, opencode.usage.costUsd], [
    16,
    6,
    0.01,
  ]);
});

Deno.test("recorded edits: the recorded patch gives context and line numbers, and the file cache follows", async () => {
  const pi = callOf(await played("pi-session", "events.jsonl", createPiTranslator()), "call_mx3b6d2p005");
  assert.equal(pi.changes?.[0]?.regions[0]?.oldStart, 1);
  const qwen = callOf(await played("qwen-chat", "events.jsonl", createQwenTranslator()), "c2");
  const [region] = qwen.changes?.[0]?.regions ?? [];
  assert.deepEqual([region?.oldStart, region?.oldText.split("\n").length, qwen.changes?.[0]?.note], [
    3,
    3,
    null,
  ]);
  const dsh = callOf(await played("dsh-third", "events.jsonl", createDshTranslator()), "c2");
  assert.equal(dsh.changes?.[0]?.regions[0]?.oldStart, 1);
  assert.match(dsh.changes?.[0]?.regions[0]?.newText ?? "", /RELEASE/);
});

Deno.test("recorded plans, questions, titles and what waits", async () => {
  const dsh = await played("dsh-third", "events.jsonl", createDshTranslator());
  const [approval, question] = blocksOf(dsh.blocks, "question");
  assert.deepEqual(approval?.closed?.answers[0]?.selected, ["denied"]);
  assert.equal(approval?.toolCallId, "c3");
  assert.deepEqual(question?.closed?.answers, [{ id: "color", selected: ["Blue"], text: "and dark" }]);
  assert.deepEqual(dsh.context, { usedTokens: 6, windowTokens: 1000, estimated: true });
  assert.deepEqual(dsh.greeting?.notes, [
    "Session of a nested agent",
    "Nested agent: Edit the file, one-shot",
  ]);
  const first = await played("dsh-first", "events.jsonl", createDshTranslator());
  assert.deepEqual(first.plan?.map((item) => `${item.status} ${item.text}`), [
    "in_progress edit",
    "pending test",
  ]);
  assert.equal(first.title, "List and edit");
  const chat = await played("gemini-chat", "events.jsonl", createGeminiTranslator());
  assert.deepEqual(chat.plan?.map((item) => item.status), ["completed", "in_progress", "pending"]);
  assert.equal((await played("qwen-chat", "events.jsonl", createQwenTranslator())).title, "The sum");
});

Deno.test("recorded reads: listings come as numbered lines, so that later edits know the file", async () => {
  const opencode = await played("opencode-export", "export.json", createOpencodeTranslator());
  const read = callsOf(opencode.blocks).find((call) => call.name === "Read");
  assert.match(outputOf(read!) ?? "", /^ {5}1\t# Demo 项目\n {5}2\t\n {5}3\tA tiny demo/);
  assert.equal(opencode.files.files.get("/repo/README.md")?.complete, true);
});

Deno.test("recorded branches: many ways back cost in proportion to the records", () => {
  const records: unknown[] = [{
    type: "session",
    version: 3,
    id: "s",
    timestamp: "2026-01-01T00:00:00Z",
    cwd: "/",
  }];
  const message = (id: number, parentId: number | null, role: string) => ({
    type: "message",
    id: String(id),
    parentId: parentId === null ? null : String(parentId),
    timestamp: "2026-01-01T00:00:00Z",
    message: { role, content: [{ type: "text", text: `text ${id}` }], stopReason: "stop" },
  });
  const count = 6000;
  for (let id = 0; id < count; id++) {
    // Every other record goes back by one.
    records.push(
      message(
        id,
        id === 0 ? null : id % 2 === 0 ? Math.max(0, id - 2) : id - 1,
        id % 2 === 0 ? "user" : "assistant",
      ),
    );
  }
  const translator = createPiTranslator();
  let events = 0;
  for (const [index, record] of records.entries()) {
    for (const step of translator.push(record, index + 1)) {
      if (step.kind === "event" && step.parsed.kind === "event" && step.parsed.event.event === "history") {
        events += step.parsed.event.data.items?.length ?? 0;
      }
    }
  }
  translator.end();
  assert.ok(events < 40 * count, `${events} items told again for ${count} records`);
});

Deno.test("recorded branches: many beginnings share one row", () => {
  const user = (id: string, parentUuid: string | null) => ({
    uuid: id,
    parentUuid,
    sessionId: "s",
    type: "user",
    message: { role: "user", parts: [{ text: `message ${id}` }] },
  });
  const records = [user("a", null), ...Array.from({ length: 3000 }, (_, index) => user(`b${index}`, "a"))];
  const { transcript } = playValues("many", records, createQwenTranslator());
  assert.deepEqual(story(transcript).filter((row) => !row.startsWith("=")), [
    "* Qwen Code",
    "> message a",
    "info: 2999 other branches begin here: 2999 messages not shown (the newest is…",
    "> message b2999",
  ]);
});
