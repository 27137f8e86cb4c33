// Sessions in one JSON value, of every form of message that is told, for property tests; a long one, and a store of files.

import assert from "node:assert/strict";
import fc from "fast-check";
import { isFields } from "../src/recordings/fields.ts";
import type { SessionDocument } from "../src/recordings/session_document.ts";

const words = fc.string({
  unit: fc.constantFrom("a", "b ", "日本", "🙂", '"', "\\", "\n", "{", "]", "\u0007"),
});
const id = fc.integer({ min: 0, max: 40 }).map((number) => `id-${number}`);

/** Messages of an OpenCode export, of every role and with every kind of part that is told. */
const opencodeParts = fc.oneof(
  fc.record({ type: fc.constantFrom("text", "reasoning"), text: words }),
  fc.record({ type: fc.constant("text"), text: words, synthetic: fc.boolean(), ignored: fc.boolean() }),
  fc.record({
    type: fc.constant("tool"),
    callID: id,
    tool: fc.constantFrom("bash", "read", "edit", "task", "todowrite", "odd"),
    state: fc.record({
      status: fc.constantFrom("completed", "error", "running"),
      input: fc.constantFrom({}, { filePath: "/a.ts" }, { command: "ls" }, { todos: [{ content: "x" }] }),
      output: words,
      metadata: fc.constantFrom({}, { exit: 1 }, { sessionId: "child" }),
    }),
  }),
  fc.record({ type: fc.constant("patch"), files: fc.array(fc.constantFrom("/a.ts", "/b.ts")) }),
  fc.record({ type: fc.constantFrom("step-start", "snapshot", "retry", "compaction", "unheard-of") }),
  fc.record({
    type: fc.constant("step-finish"),
    reason: fc.constantFrom("stop", "tool-calls"),
    tokens: fc.record({ input: fc.nat(99), output: fc.nat(99) }),
  }),
);
const opencodeMessage = fc.record({
  info: fc.record({
    id,
    role: fc.constantFrom("user", "user", "assistant", "assistant", "assistant", "odd"),
    modelID: fc.constantFrom("m", undefined),
    time: fc.record({ created: fc.nat(9999) }),
    finish: fc.constantFrom("stop", "tool-calls", undefined),
    summary: fc.boolean(),
  }),
  parts: fc.array(opencodeParts, { maxLength: 5 }),
});
/** An OpenCode export, as a value. */
export const opencodeExport = fc.record({
  info: fc.record({
    id: fc.constant("s1"),
    title: words,
    directory: fc.constant("/repo"),
    revert: fc.constantFrom(undefined, { messageID: "id-3" }),
  }),
  messages: fc.array(opencodeMessage, { maxLength: 12 }),
  children: fc.constantFrom(undefined, [{
    info: { id: "child" },
    messages: [{ info: { id: "c1", role: "assistant" }, parts: [{ type: "text", text: "nested" }] }],
  }]),
});

/** Messages of an old chat of Gemini, some told again. */
const geminiMessage = fc.record({
  id,
  timestamp: fc.constant("2026-01-01T00:00:01Z"),
  type: fc.constantFrom("user", "user", "gemini", "gemini", "info", "error", "about", "odd"),
  content: words,
  model: fc.constantFrom("g", undefined),
  toolCalls: fc.array(
    fc.record({
      id,
      name: fc.constantFrom("run_shell_command", "read_file"),
      args: fc.constant({ command: "ls" }),
      status: fc.constantFrom("success", "error", "executing"),
    }),
    { maxLength: 2 },
  ),
});
/** An old chat of Gemini, as a value. */
export const geminiChat = fc.record({
  sessionId: fc.constant("s1"),
  projectHash: fc.constant("h"),
  messages: fc.array(geminiMessage, { maxLength: 12 }),
  // Written behind the messages, and told in front of them.
  directories: fc.constant(["/repo"]),
  kind: fc.constantFrom("main", "subagent"),
  summary: fc.constantFrom(undefined, "The sum"),
});

/** OpenCode's older store with one session of that many messages. */
export async function makeStore(root: string, count: number): Promise<void> {
  const keep = async (path: string, value: object) => {
    await Deno.mkdir(`${root}/${path}`.replace(/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${root}/${path}`, JSON.stringify(value));
  };
  await keep("session/p/ses_1.json", { id: "ses_1", directory: "/repo", time: { updated: 1 } });
  for (let at = 0; at < count; at++) {
    const id = `msg_${String(at).padStart(6, "0")}`;
    const role = at % 4 === 0 ? "user" : "assistant";
    await keep(`message/ses_1/${id}.json`, { id, sessionID: "ses_1", role, modelID: "m" });
    await keep(`part/${id}/prt_1.json`, { id: "p", messageID: id, type: "text", text: `words ${at}` });
  }
}

/** A long export whose every fourth message is a question. */
export function longExport(count: number): object {
  const messages = Array.from({ length: count }, (_, at) => {
    const text = at % 4 === 0
      ? `question ${at}: ${"why ".repeat(20)}`
      : `answer ${at}: ${"because ".repeat(600)}`;
    const role = at % 4 === 0 ? "user" : "assistant";
    return { info: { id: `m${at}`, role, modelID: "m" }, parts: [{ type: "text", text: `${text} end` }] };
  });
  return { info: { id: "s1", directory: "/repo" }, messages };
}

/** What the messages of a session are, problems left out. */
export function messagesOf(document: SessionDocument): unknown[] {
  return Array.from({ length: document.count }, (_, index) => {
    const message = document.messageAt(index);
    assert.ok(message.kind === "value" && isFields(message.value));
    return message.value;
  });
}
