// Recorded ACP traffic, whole: the small cases in testdata, and where TRIFOLD_SAMPLES names a folder the large ones
// in its acp/. Every record is accounted for, no text is lost, every call is closed when its turn is.

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Block, ToolBlock, Transcript } from "../transcript/block.ts";
import { longTextString } from "../transcript/long_text.ts";
import { applyParsed, createTranscript } from "../transcript/reduce.ts";
import { isFinal, type ToolCall } from "../transcript/tool_call.ts";
import { createAcpTranslator } from "./acp.ts";
import { fieldAt, type Fields, fieldsOf, textOf } from "./fields.ts";
import type { RecordingStep } from "./translator.ts";

const TESTDATA = new URL("../../testdata/", import.meta.url);
const CASES = ["acp-codex", "acp-gemini", "acp-gemini-load", "acp-gemini-plan", "acp-pi", "acp-pi-load"];

/** Why a record may show nothing. A reason that is not here is a reason nobody thought about. */
const REASONS: readonly RegExp[] = [
  /^(?:fs|terminal)\/[a-z_]+(?: answer)?$/,
  /^session\/(?:list|set_mode|cancel)(?: answer| failed: -?\d+)?$/,
  /^(?:call update without news|update of a finished call|usage without news|options without news|commands without news)$/,
  /^(?:session state of the agent|empty chunk|start banner, shown in the greeting|end of retries)$/,
  /^(?:merged into the replayed message|mark of a tool call left out by the replay)$/,
  /^craft\/drainMidTurnQueue answer$/,
];
/** Private messages of agents, which are counted. */
const PRIVATE = /^acp (?:_auth\/status_update|qwen\/notify\/|craft\/)/;
/** Texts of agents that are no answer and come as something else. */
const INTERJECTION = /^(?:Retrying \(attempt|Retry finished|Warning: |\*\*Warning:\*\*|pi v[\d.]+\n)/;

interface Played {
  readonly records: readonly Fields[];
  readonly steps: readonly (readonly RecordingStep[])[];
  readonly transcript: Transcript;
}

/** Feeds the records to a fresh translator and transcript. `check` sees the transcript behind each record. */
function playRecords(
  records: readonly Fields[],
  check: (transcript: Transcript, steps: readonly RecordingStep[]) => void,
): Played {
  const translator = createAcpTranslator();
  const transcript = createTranscript();
  const steps = records.map((record, index) => translator.push(record, index + 1));
  steps.push(translator.end());
  for (const some of steps) {
    for (const step of some) if (step.kind === "event") applyParsed(transcript, step.parsed);
    check(transcript, some);
  }
  return { records, steps, transcript };
}

function readRecords(url: URL | string): Fields[] {
  return Deno.readTextFileSync(url).split("\n").filter((line) => line !== "").map((line) =>
    fieldsOf(JSON.parse(line))
  );
}

/** All that holds of any recording. */
function checkRecording(name: string, records: readonly Fields[]): Transcript {
  const { steps, transcript } = playRecords(records, (now, some) => {
    if (
      some.some((step) =>
        step.kind === "event" && step.parsed.kind === "event" && step.parsed.event.event === "turn_end"
      )
    ) {
      // A message sent into the next turn may stand behind it already: only calls of ended turns count.
      for (const call of callsOf(now.blocks)) {
        assert.ok(isFinal(call.stage), `${name}: ${call.name} is ${call.stage} behind its turn`);
      }
    }
  });
  records.forEach((_, index) => checkAccounted(`${name}:${index + 1}`, steps[index] ?? []));
  checkTexts(name, records, transcript);
  return transcript;
}

function checkAccounted(place: string, steps: readonly RecordingStep[]): void {
  assert.ok(steps.length > 0, `${place} gave nothing`);
  for (const step of steps) {
    if (step.kind === "ignored") {
      assert.ok(REASONS.some((reason) => reason.test(step.what)), `${place}: ignored: ${step.what}`);
    } else if (step.kind !== "event") assert.fail(`${place}: ${JSON.stringify(step)}`);
    else if (step.parsed.kind === "unknown") assert.match(step.parsed.name, PRIVATE, place);
    else if (step.parsed.kind === "event") assert.deepEqual(step.parsed.unknownFields, [], place);
  }
}

/** Answers, thoughts, prompts and terminal output of the recording are those of the transcript. */
function checkTexts(name: string, records: readonly Fields[], transcript: Transcript): void {
  const updates = records.map((record) => fieldsOf(fieldAt(record, "msg", "params", "update")));
  const chunks = (kind: string) =>
    updates.filter((update) => update.sessionUpdate === kind).map((update) =>
      textOf(fieldAt(update, "content", "text")) ?? ""
    );
  const answers = chunks("agent_message_chunk").filter((text) => !INTERJECTION.test(text)).join("");
  assert.equal(
    blockTexts(transcript, "assistant_text").replaceAll("\n\n[Function Call", "[Function Call"),
    answers,
    `${name}: answers`,
  );
  const blankless = (text: string) => text.replace(/\s/g, "");
  assert.equal(
    blankless(blockTexts(transcript, "reasoning")),
    // An empty heading stands in front of every piece of a thought that goes on.
    blankless(chunks("agent_thought_chunk").map((piece) => piece.replace(/^\*{4}\n/, "")).join("")),
    `${name}: thoughts`,
  );

  const prompts = records.filter((record) => fieldAt(record, "msg", "method") === "session/prompt")
    .map((record) =>
      textOf(fieldAt(fieldAt(record, "msg", "params", "prompt") as never, "0", "text")) ?? promptText(record)
    );
  const told = transcript.blocks.flatMap((block) => block.kind === "user_message" ? [block.text] : []);
  if (prompts.length > 0) assert.deepEqual(told, prompts, `${name}: prompts`);

  const terminals = new Map<string, string>();
  for (const update of updates) {
    const id = textOf(update.toolCallId) ?? "";
    for (const key of ["terminal_output", "terminal_output_delta"]) {
      const data = textOf(fieldAt(update, "_meta", key, "data"));
      if (data !== null) terminals.set(id, (terminals.get(id) ?? "") + data);
    }
  }
  const calls = new Map(callsOf(transcript.blocks).map((call) => [call.id, call]));
  for (const [id, text] of terminals) {
    const output = calls.get(id)?.output ?? null;
    assert.equal(output === null ? null : longTextString(output), text, `${name}: output of ${id}`);
  }
  const announced = new Set(updates.map((update) => textOf(update.toolCallId)).filter((id) => id !== null));
  for (const id of announced) assert.ok(calls.has(id), `${name}: call ${id}`);
}

function promptText(record: Fields): string {
  const prompt = fieldAt(record, "msg", "params", "prompt");
  return Array.isArray(prompt) ? prompt.map((block) => textOf(fieldsOf(block).text) ?? "").join("") : "";
}

function blockTexts(transcript: Transcript, kind: "assistant_text" | "reasoning"): string {
  return transcript.blocks.flatMap((block) => block.kind === kind ? [block.text] : []).join("");
}

function callsOf(blocks: readonly Block[]): readonly ToolCall[] {
  const tools = blocks.filter((block): block is ToolBlock => block.kind === "tool_call");
  return tools.flatMap((block) => block.calls).flatMap((call) => [call, ...callsOf(call.children)]);
}

/** The transcript in one line a block, for comparing. */
function story(transcript: Transcript): string[] {
  return transcript.blocks.flatMap((block): string[] => {
    switch (block.kind) {
      case "user_message":
        return [`> ${block.text}`];
      case "tool_call":
        return block.calls.map((call) => `${call.name} ${call.stage}: ${call.summary}`);
      case "notification":
        return [`${block.level}: ${block.message.split("\n")[0]}`];
      case "question":
        return [`? ${block.closed?.answers.map((answer) => answer.selected?.join()).join() ?? "open"}`];
      case "turn_stats":
        return [`= ${block.result}${block.message === null ? "" : `: ${block.message}`}`];
      default:
        return [];
    }
  });
}

for (const name of CASES) {
  Deno.test(`acp recording ${name}: every record is accounted for, texts are whole, calls are closed`, () => {
    checkRecording(name, readRecords(new URL(`${name}/events.jsonl`, TESTDATA)));
  });
}

Deno.test("acp recording acp-gemini: what is seen of it", () => {
  assert.deepEqual(
    story(checkRecording("acp-gemini", readRecords(new URL("acp-gemini/events.jsonl", TESTDATA)))),
    STORY_GEMINI,
  );
});

Deno.test("acp recording acp-codex: what is seen of it", () => {
  assert.deepEqual(
    story(checkRecording("acp-codex", readRecords(new URL("acp-codex/events.jsonl", TESTDATA)))),
    STORY_CODEX,
  );
});

Deno.test("acp recording acp-pi and its replay: the same calls with the same ends", () => {
  const live = checkRecording("acp-pi", readRecords(new URL("acp-pi/events.jsonl", TESTDATA)));
  const replayed = checkRecording("acp-pi-load", readRecords(new URL("acp-pi-load/events.jsonl", TESTDATA)));
  const ends = (transcript: Transcript) =>
    callsOf(transcript.blocks).map((call) => `${call.id} ${call.name} ${call.stage}`);
  assert.deepEqual(ends(replayed), ends(live));
});

Deno.test("acp recording without wrappers: bare JSON-RPC lines give the same transcript", () => {
  for (const name of CASES) {
    const records = readRecords(new URL(`${name}/events.jsonl`, TESTDATA));
    const wrapped = checkRecording(name, records);
    const bare = playRecords(records.map((record) => fieldsOf(record.msg)), () => {}).transcript;
    assert.deepEqual(story(bare), story(wrapped), name);
  }
});

Deno.test("edge 31 acp recordings: lines lost, repeated or exchanged never throw, and a turn's end closes its calls", () => {
  const all = CASES.map((name) => readRecords(new URL(`${name}/events.jsonl`, TESTDATA)));
  fc.assert(
    fc.property(
      fc.nat(all.length - 1),
      fc.array(fc.tuple(fc.nat(120), fc.nat(120), fc.nat(2)), { maxLength: 30 }),
      (which, changes) => {
        const records = [...all[which] ?? []];
        for (const [from, to, how] of changes) {
          const record = records[from % records.length];
          if (record === undefined) continue;
          if (how === 0) records.splice(from % records.length, 1);
          else records.splice(to % records.length, how === 1 ? 0 : 1, record);
        }
        const { transcript } = playRecords(records, () => {});
        for (const call of callsOf(transcript.blocks)) {
          assert.ok(isFinal(call.stage), `${call.id} is ${call.stage}`);
        }
      },
    ),
    { numRuns: 100, seed: 20261130 },
  );
});

Deno.test("edge 29 acp: any value in any field of an update is told as events that pass, never a throw", () => {
  const word = fc.constantFrom(
    "",
    "constructor",
    "__proto__",
    "toString",
    "read",
    "edit",
    "completed",
    "in_progress",
    "text",
    "diff",
  );
  const leaf = fc.oneof(
    word,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.string({ maxLength: 5 }),
  );
  const deep = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(word, tie("any"), { maxKeys: 3 }),
    ),
  })).any;
  const names = [
    ...[
      "toolCallId",
      "title",
      "name",
      "kind",
      "status",
      "content",
      "locations",
      "rawInput",
      "rawOutput",
      "_meta",
      "messageId",
    ],
    ...[
      "entries",
      "plan",
      "planId",
      "availableCommands",
      "currentModeId",
      "configOptions",
      "used",
      "size",
      "cost",
      "severity",
    ],
    ...[
      "compactionId",
      "summary",
      "sessionId",
      "state",
      "toolCall",
      "options",
      "message",
      "requestedSchema",
      "stopReason",
      "usage",
    ],
  ];
  const kinds = [
    ...[
      "user_message_chunk",
      "agent_message_chunk",
      "agent_thought_chunk",
      "tool_call",
      "tool_call_update",
      "plan",
      "plan_update",
    ],
    ...[
      "plan_removed",
      "available_commands_update",
      "current_mode_update",
      "config_option_update",
      "session_info_update",
    ],
    ...[
      "usage_update",
      "notice",
      "compaction_update",
      "compaction_summary_chunk",
      "subagent_update",
      "session_message",
      "constructor",
    ],
  ];
  const methods = [
    "session/update",
    "session/request_permission",
    "elicitation/create",
    "elicitation/complete",
    "session/new",
    "session/load",
  ];
  const fields = fc.dictionary(fc.constantFrom(...names), deep, { maxKeys: 8 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...methods), fc.constantFrom(...kinds), fields, fc.nat(3)), {
        maxLength: 12,
      }),
      (calls) => {
        const records = calls.flatMap(([method, sessionUpdate, some, id]): Fields[] => {
          if (method === "session/update") {
            return [{ jsonrpc: "2.0", method, params: { update: { sessionUpdate, ...some } } }];
          }
          return [{ jsonrpc: "2.0", id, method, params: some }, { jsonrpc: "2.0", id, result: some }];
        });
        const { steps } = playRecords(records, () => {});
        for (const step of steps.flat()) assert.notEqual(step.kind, "problem", JSON.stringify(step));
      },
    ),
    { numRuns: 400, seed: 29 },
  );
});

const samples = Deno.env.get("TRIFOLD_SAMPLES");
Deno.test({
  name: `acp samples: every recording of TRIFOLD_SAMPLES${
    samples === undefined ? " (not set: skipped)" : ""
  }`,
  ignore: samples === undefined,
  fn: () => {
    let count = 0;
    for (const entry of Deno.readDirSync(`${samples}/acp`)) {
      if (!entry.name.endsWith(".jsonl")) continue;
      checkRecording(entry.name, readRecords(`${samples}/acp/${entry.name}`));
      count++;
    }
    assert.ok(count > 0, "no recording found");
  },
});

const STORY_GEMINI = [
  "> #main Please fix add() in src/calc.ts, then write notes. 请用中文写笔记。",
  "Read done: Read README.md",
  "Read done: Read src/calc.ts",
  "Grep done: Searched for TODO",
  "write_todos error: params/todos/0 must NOT have additional properties",
  "Edit done: Edited src/calc.ts",
  "? proceed_once",
  "Write error: Error checking existing file: NotFound: No such file or directory (os error 2): readfile '/repo/NOTES.md'",
  "Bash done: ",
  "? proceed_once",
  "Bash done: ",
  "? proceed_once",
  "= finished",
  "> #reject Overwrite README.md.",
  "Write error: Rejected by you",
  "? cancel",
  "= finished",
  "> #slow Write a very long answer.",
  "= cancelled",
  "> #sleepy Run the slow command.",
  "Bash done: ",
  "? proceed_once",
  "= cancelled",
  "> #error trigger a provider error",
  "error: mock bad request (400 INVALID_ARGUMENT)",
  "= error",
];

const STORY_CODEX = [
  "> #main Please fix add() in src/calc.ts, then write notes. 请用中文写笔记。",
  "warn: Model metadata for `mock-1` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.",
  "Read done: Read 3 lines of README.md",
  "Read done: Read 7 lines of src/calc.ts",
  "Grep done: 2 lines for TODO",
  "Bash done: exit 0: sed -i 's/a + b/a+b/' src/calc.ts",
  "? allow_once",
  `Bash done: exit 0: printf '%s' "# 笔记 Notes ✅\\n\\n- add() 修好了\\n- emoji: 👩‍👩‍👧 🇯🇵 é\\n- wide: 表格对齐\\n" > NOTES.md`,
  "? allow_once",
  `Bash done: exit 0: ls -la; printf '\\033[1;31mred\\033[0m \\033[42mgreen bg\\033[0m\\n'; for i in $(seq 1 120); do echo "line $i 行 $i"; done`,
  "? allow_once",
  "Bash error: exit 3: cat /nonexistent-file; exit 3",
  "= finished",
  "> #reject Overwrite README.md.",
  "warn: Model metadata for `mock-1` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.",
  "Bash error: Rejected by you",
  "? cancel",
  "= cancelled",
];
