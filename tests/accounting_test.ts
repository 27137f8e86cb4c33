// Every recorded session below the folder that TRIFOLD_SAMPLES names, of every agent, goes through the whole program:
// it opens, every record of it is accounted for, its calls are over, and it is drawn in each fold mode at three sizes.
// And what is left out by kind is nothing that the formats' descriptions say is part of a session.

import assert from "node:assert/strict";
import { drawFrame } from "../src/app/draw.ts";
import { chooseFormat, loadLibraries } from "../src/app/files.ts";
import { createFeedOf, type FoundFormat } from "../src/app/io/feed.ts";
import { openFiles } from "../src/app/io/recording_files.ts";
import { createState, DEFAULT_SETTINGS, type State } from "../src/app/state.ts";
import { update } from "../src/app/update.ts";
import { setFold } from "../src/app/actions_view.ts";
import { segmentLine, segmentRows } from "../src/layout/block_lines.ts";
import { rowsOf } from "../src/layout/layout.ts";
import { lineWidth } from "../src/text/line.ts";
import { CLAUDE_IGNORED, CLAUDE_RECORDS } from "../src/recordings/claude_records.ts";
import { CODEX_IGNORED } from "../src/recordings/codex_ignored.ts";
import { CODEX_RECORDS } from "../src/recordings/codex_records.ts";
import { detectFormat, FORMATS } from "../src/recordings/detect.ts";
import { DSH_EVENTS, DSH_SILENT } from "../src/recordings/dsh.ts";
import { DSH_IGNORED } from "../src/recordings/dsh_notes.ts";
import { GEMINI_IGNORED, MESSAGES } from "../src/recordings/gemini_chat.ts";
import { STREAM } from "../src/recordings/gemini_stream.ts";
import { createRecordReader } from "../src/recordings/json_document.ts";
import { likelyFormat } from "../src/recordings/likely_format.ts";
import { OPENCODE_IGNORED, OPENCODE_PARTS } from "../src/recordings/opencode_parts.ts";
import { PI_ENTRIES, PI_IGNORED } from "../src/recordings/pi_entries.ts";
import { PI_LIVE } from "../src/recordings/pi_live.ts";
import { RECORDS as QWEN_RECORDS } from "../src/recordings/qwen_records.ts";
import { QWEN_IGNORED, SUBTYPES } from "../src/recordings/qwen_system.ts";
import { createFrame } from "../src/screen/frame.ts";
import type { Block, FoldMode } from "../src/transcript/block.ts";
import { isFinal, type ToolCall } from "../src/transcript/tool_call.ts";

/** What a format leaves out by kind, what it tells, and the kinds that its description maps to an event. */
interface Accounts {
  readonly ignored: Readonly<Record<string, string>>;
  readonly told: readonly Readonly<Record<string, unknown>>[];
  readonly mapped: readonly string[];
}

const ACCOUNTS: Readonly<Record<string, Accounts>> = {
  claude: {
    ignored: CLAUDE_IGNORED,
    told: [CLAUDE_RECORDS],
    mapped: [
      "user",
      "assistant",
      "summary",
      "ai-title",
      "custom-title",
      "stream_event",
      "result",
      "progress/bash_progress",
      "progress/agent_progress",
      "attachment/queued_command",
      "system/init",
      "system/status",
      "system/thinking_tokens",
      "system/compact_boundary",
      "system/api_error",
      "system/turn_duration",
    ],
  },
  codex: {
    ignored: CODEX_IGNORED,
    told: [CODEX_RECORDS],
    mapped: [
      "session_meta",
      "turn_context",
      "world_state",
      "compacted",
      "token_usage_record",
      "response_item/message",
      "response_item/agent_message",
      "response_item/reasoning",
      "response_item/function_call",
      "response_item/function_call_output",
      "response_item/custom_tool_call",
      "response_item/custom_tool_call_output",
      "response_item/web_search_call",
      "response_item/local_shell_call",
      "event_msg/thread_settings_applied",
      "event_msg/task_started",
      "event_msg/task_complete",
      "event_msg/turn_aborted",
      "event_msg/user_message",
      "event_msg/agent_message",
      "event_msg/item_completed",
      "event_msg/exec_command_end",
      "event_msg/patch_apply_end",
      "event_msg/mcp_tool_call_end",
      "event_msg/token_count",
      "event_msg/context_compacted",
      "event_msg/error",
      "event_msg/guardian_assessment",
      "event_msg/entered_review_mode",
      "event_msg/exited_review_mode",
      "event_msg/collab_agent_spawn_begin",
      "event_msg/collab_agent_spawn_end",
      "event_msg/collab_agent_interaction_begin",
      "event_msg/collab_agent_interaction_end",
      "event_msg/collab_waiting_begin",
      "event_msg/collab_waiting_end",
      "event_msg/collab_close_begin",
      "event_msg/collab_close_end",
      "thread.started",
      "turn.started",
      "turn.completed",
      "turn.failed",
      "item.started",
      "item.updated",
      "item.completed",
    ],
  },
  pi: {
    ignored: PI_IGNORED,
    told: [PI_ENTRIES, PI_LIVE],
    mapped: [
      "session",
      "message",
      "model_change",
      "thinking_level_change",
      "compaction",
      "context_edit",
      "message_start",
      "message_update",
      "message_end",
      "tool_execution_start",
      "tool_execution_update",
      "tool_execution_end",
      "turn_end",
      "agent_end",
    ],
  },
  gemini: {
    ignored: GEMINI_IGNORED,
    told: [MESSAGES, STREAM],
    mapped: ["user", "gemini", "info", "error", "init", "message", "tool_use", "tool_result", "result"],
  },
  qwen: {
    ignored: QWEN_IGNORED,
    told: [QWEN_RECORDS, SUBTYPES],
    mapped: ["user", "assistant", "tool_result", "chat_compression", "slash_command"],
  },
  opencode: {
    ignored: OPENCODE_IGNORED,
    told: [OPENCODE_PARTS],
    mapped: ["text", "reasoning", "tool", "file", "patch", "step-start", "step-finish", "compaction"],
  },
  dsh: {
    ignored: DSH_IGNORED,
    told: [DSH_EVENTS, DSH_SILENT],
    mapped: [
      "turn/start",
      "turn/end",
      "step/start",
      "step/end",
      "user/message",
      "context/message",
      "steering/message",
      "prompt/blocked",
      "assistant/chunk",
      "assistant/message",
      "text-chunks",
      "reasoning-chunks",
      "tool-call-chunks",
      "tool/call",
      "tool/result",
      "tool/code-dispatch",
      "approval/asked",
      "approval/decided",
      "todo/write",
      "session/title",
      "llm/retry",
      "request/header",
      "request/context",
      "compact/start",
      "compact/summary",
      "compact/end",
      "compaction/start",
      "compaction/summary",
      "compaction/end",
      "subagent/descriptor",
      "agent/inbox/spliced",
      "hook/result",
    ],
  },
};

for (const [format, { ignored, told, mapped }] of Object.entries(ACCOUNTS)) {
  Deno.test(`accounting ${format}: nothing is left out by kind that is part of a session`, () => {
    for (const kind of mapped) {
      assert.ok(!Object.hasOwn(ignored, kind), `${kind} is left out: ${ignored[kind]}`);
      assert.ok(told.some((table) => Object.hasOwn(table, kind)), `nothing tells ${kind}`);
    }
    for (const [kind, reason] of Object.entries(ignored)) {
      assert.ok(reason.trim() !== "", `${kind} needs a reason`);
    }
  });
}

const SAMPLES = Deno.env.get("TRIFOLD_SAMPLES") ?? "";
/** Not sessions: what a terminal showed, files that a session worked on, parts of a store that is opened as a folder. */
const NO_SESSION = /\/workspace\/|\/(?:message|part|session)\/[^/]+\/[^/]+\.json$|\/part\/[^/]+\.json$/;

/** Session files and folders below the samples folder. */
function sessionsBelow(root: string): string[] {
  const found: string[] = [];
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = [...Deno.readDirSync(folder)];
    if (entries.some(({ name }) => name === "message") && entries.some(({ name }) => name === "part")) {
      found.push(folder);
      for (const project of Deno.readDirSync(`${folder}/session`)) {
        const path = `${folder}/session/${project.name}`;
        for (const { name } of Deno.readDirSync(path)) found.push(`${path}/${name}`);
      }
      continue;
    }
    for (const { name, isDirectory } of entries) {
      const path = `${folder}/${name}`;
      if (isDirectory) waiting.push(path);
      else if (/\.(?:jsonl?|zstd?)$/.test(name) && !NO_SESSION.test(path)) found.push(path);
    }
  }
  return found.sort();
}

async function bytesOf(path: string): Promise<Uint8Array[]> {
  const files = await openFiles(path, { follow: false });
  assert.ok(files.kind === "source", files.kind === "problem" ? files.what : "");
  const pieces: Uint8Array[] = [];
  for (let read = await files.next(); read.kind !== "end"; read = await files.next()) {
    assert.ok(read.kind === "bytes", path);
    if (read.kind === "bytes") pieces.push(read.bytes);
  }
  files.close();
  return pieces;
}

/** Each record gives an event, or says why it gives none. Returns its format. */
function checkRecords(name: string, pieces: readonly Uint8Array[]): FoundFormat {
  const reader = createRecordReader();
  const records = [...pieces.flatMap((bytes) => reader.feed(bytes)), ...reader.end()];
  const values = records.flatMap((record) => record.kind === "value" ? [record] : []);
  assert.deepEqual(records.filter((record) => record.kind === "problem"), [], `${name} is damaged`);
  const found = detectFormat(values.map(({ value }) => value));
  assert.ok(found.kind === "format", `${name}: ${found.kind === "problem" ? found.what : ""}`);
  const family = name.split("/")[0] ?? "";
  assert.equal(found.format.name, family, name);
  // What is opened is guessed first, so that one translator is loaded.
  const guess = values.map(({ value }) => likelyFormat(value)).find((likely) => likely !== null);
  assert.equal(guess, family, name);
  const translator = found.format.create();
  for (const { value, line } of values) {
    const steps = translator.push(value, line);
    assert.ok(steps.length > 0, `${name}:${line} gave nothing`);
    for (const step of steps) checkStep(`${name}:${line}`, step);
  }
  for (const step of translator.end()) checkStep(`${name}: end`, step);
  return found.format;
}

function checkStep(place: string, step: ReturnType<ReturnType<FoundFormat["create"]>["push"]>[number]): void {
  switch (step.kind) {
    case "event":
      assert.notEqual(step.parsed.kind, "problem", `${place}: ${JSON.stringify(step.parsed)}`);
      return;
    case "ignored":
      assert.ok(step.what.trim() !== "" && step.what.length < 120, `${place}: ignored without a reason`);
      return;
    case "problem":
      assert.fail(`${place}: ${step.what}`);
  }
}

const FOLDS: readonly FoldMode[] = ["detail", "normal", "overview"];
const SIZES = [[40, 20], [80, 24], [120, 40]] as const;

/** Every block has rows in each fold mode at each size, none of them a renderer's fault or too wide. */
function checkFolds(name: string, state: State): void {
  const frame = createFrame(1, 1);
  for (const fold of FOLDS) {
    setFold(state, fold);
    for (const [columns, rows] of SIZES) {
      const place = `${name}, ${fold} ${columns}x${rows}`;
      update(state, { kind: "resize", columns, rows }, 0);
      drawFrame(state, frame);
      const { blocks } = state.transcript;
      assert.ok(blocks.length > 0, `${place}: nothing is shown`);
      blocks.forEach((block, index) => {
        const lines = rowsOf(state.layout, index).segments.flatMap((segment) =>
          Array.from({ length: segmentRows(segment) }, (_, row) => segmentLine(segment, row))
        );
        // Empty text, and what the next block tells, have no rows.
        if (MUST_SHOW.has(block.kind)) {
          assert.ok(lines.length > 0, `${place}: no row of ${block.kind} ${index}`);
        }
        if (fold === "overview") assert.ok(lines.length <= 1, `${place}: ${block.kind} ${index}`);
        for (const line of lines) {
          assert.ok(lineWidth(line) <= columns, `${place}: ${block.kind} ${index} is too wide`);
          assert.ok(!line.spans[0]?.text.startsWith("Cannot draw"), `${place}: ${line.spans[0]?.text}`);
        }
      });
    }
  }
}

const MUST_SHOW: ReadonlySet<Block["kind"]> = new Set([
  "user_message",
  "tool_call",
  "notification",
  "question",
]);

function callsOf(blocks: readonly Block[]): ToolCall[] {
  return blocks.flatMap((block) =>
    block.kind === "tool_call" ? block.calls.flatMap((call) => [call, ...callsOf(call.children)]) : []
  );
}

if (SAMPLES === "") {
  Deno.test({
    name: "accounting: every recorded session (TRIFOLD_SAMPLES is not set: skipped)",
    ignore: true,
    fn: () => {},
  });
} else {
  await loadLibraries();
  for (const path of sessionsBelow(SAMPLES)) {
    const name = path.slice(SAMPLES.length).replace(/^\/+/, "");
    Deno.test(`accounting: ${name}`, async () => {
      const pieces = await bytesOf(path);
      const format = checkRecords(name, pieces);
      const state = createState({
        columns: 80,
        rows: 24,
        recording: true,
        home: null,
        clientId: "c",
        fold: "normal",
        settings: DEFAULT_SETTINGS,
      });
      const feed = createFeedOf(chooseFormat(null));
      for (const inputs of [...pieces.map((bytes) => feed.push(bytes)), feed.end()]) {
        for (const input of inputs) update(state, input, 0);
      }
      assert.equal(feed.fault(), null);
      assert.equal(feed.format(), format, name);
      assert.ok(state.loaded);
      assert.deepEqual(state.fileProblems, [], name);
      for (const call of callsOf(state.transcript.blocks)) {
        assert.ok(isFinal(call.stage), `${name}: ${call.name} ${call.id} is ${call.stage}`);
      }
      checkFolds(name, state);
    });
  }
  Deno.test("accounting: there is a session of each format", () => {
    const families = new Set(sessionsBelow(SAMPLES).map((path) => path.slice(SAMPLES.length).split("/")[1]));
    for (const { name } of FORMATS) if (name !== "pod-jsonl") assert.ok(families.has(name), name);
  });
}
