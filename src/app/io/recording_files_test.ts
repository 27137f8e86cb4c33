// Recordings in several files: whose lines are whose, and where a damaged one really stands.

import assert from "node:assert/strict";
import type { ParsedEvent } from "../../transcript/event.ts";
import type { Input } from "../effect.ts";
import { createFeed } from "../files.ts";
import type { Feed } from "./feed.ts";
import { openFiles, type RecordingFiles } from "./recording_files.ts";

const lines = (...records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** A folder to keep files in, gone afterwards. */
async function withFolder(
  run: (folder: string, keep: (name: string, text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "trifold_files_" });
  try {
    await run(folder, async (name, text) => {
      await Deno.mkdir(`${folder}/${name}`.replace(/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${name}`, text, { append: true });
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function opened(path: string, follow: boolean): Promise<RecordingFiles> {
  const files = await openFiles(path, { follow, pollMs: 5 });
  assert.ok(files.kind === "source", path);
  return files;
}

/** What there is now. */
async function readOn(files: RecordingFiles, feed: Feed): Promise<Input[]> {
  const inputs: Input[] = [];
  for (;;) {
    const read = await files.next();
    if (read.kind !== "bytes") return inputs;
    inputs.push(...feed.push(read.bytes));
  }
}

/** Texts of answers with the call they stand in. */
function textsIn(inputs: readonly Input[]): readonly (readonly [string, string | null])[] {
  const events = inputs.flatMap((input): readonly ParsedEvent[] =>
    input.kind === "events" ? input.parsed : []
  );
  return events.flatMap((parsed) => {
    if (parsed.kind !== "event" || parsed.event.event !== "text_delta") return [];
    return [[parsed.event.data.text, parsed.event.data.parent_id] as const];
  });
}

const PARENT = "01a22ca8-908d-73a3-9ca4-70a622bca9d4";
const FIRST = "11a22ca8-908d-73a3-9ca4-70a622bca9d4";
const SECOND = "21a22ca8-908d-73a3-9ca4-70a622bca9d4";
const codex = (type: string, payload: object) => ({ timestamp: "2026-01-31T00:00:00Z", type, payload });
const says = (message: string) => codex("event_msg", { type: "agent_message", message });
const rollout = (id: string, ...records: readonly object[]) =>
  lines(
    codex("session_meta", { id, timestamp: "2026-01-31T00:00:00Z", cwd: "/repo" }),
    codex("event_msg", { type: "user_message", message: "do it" }),
    ...records,
  );

Deno.test("recording files: agents of Codex are told inside the calls that started them", async () => {
  await withFolder(async (folder, keep) => {
    const spawn = (call: string, ...how: readonly object[]) => [
      codex("response_item", {
        type: "function_call",
        name: "spawn_agent",
        call_id: call,
        arguments: JSON.stringify({ message: `task of ${call}` }),
      }),
      ...how,
    ];
    const path = `${folder}/2026/01/31/rollout-2026-01-31T00-00-00-${PARENT}.jsonl`;
    await keep(
      `2026/01/31/rollout-2026-01-31T00-00-00-${PARENT}.jsonl`,
      rollout(
        PARENT,
        ...spawn(
          "call-1",
          codex("event_msg", {
            type: "collab_agent_spawn_end",
            call_id: "call-1",
            sender_thread_id: PARENT,
            new_thread_id: FIRST,
          }),
        ),
        ...spawn(
          "call-2",
          codex("response_item", {
            type: "function_call_output",
            call_id: "call-2",
            output: JSON.stringify({ agent_id: SECOND, nickname: "Bee" }),
          }),
        ),
        says("main words"),
      ),
    );
    await keep(
      `2026/01/31/rollout-2026-01-31T00-01-00-${FIRST}.jsonl`,
      rollout(FIRST, says("first agent's words")),
    );
    await keep(
      `2026/02/01/rollout-2026-02-01T00-01-00-${SECOND}.jsonl`,
      rollout(SECOND, says("second's words")),
    );
    const stranger = "31a22ca8-908d-73a3-9ca4-70a622bca9d4";
    await keep(
      `2026/01/31/rollout-2026-01-31T00-01-00-${stranger}.jsonl`,
      rollout(stranger, says("another's")),
    );
    for (const follow of [false, true]) {
      const files = await opened(path, follow);
      const feed = createFeed("codex", { placeOf: files.placeOf });
      const inputs = [...await readOn(files, feed), ...feed.end()];
      assert.deepEqual(textsIn(inputs), [
        ["main words", null],
        ["first agent's words", "call-1"],
        ["second's words", "call-2"],
      ]);
      assert.deepEqual(inputs.filter((input) => input.kind === "file_problem"), []);
      files.close();
    }
  });
});

Deno.test("recording files: logs of DeepSeek Harness's nested agents are followed, whichever is written", async () => {
  await withFolder(async (folder, keep) => {
    let seq = 0;
    const event = (type: string, data: object) => ({ type, seq: seq++, time: 1790000000000 + seq, data });
    const header = (id: string, parent?: string) => ({
      type: "session",
      version: 0,
      id,
      createdAt: 1790000000000,
      cwd: "/repo",
      ...parent === undefined ? {} : { parentSession: parent },
    });
    const asks = (text: string) =>
      event("user/message", { content: [{ type: "text", text }], source: { kind: "user" } });
    const answers = (text: string) =>
      event("assistant/message", { turn: 1, step: 1, message: { content: [{ type: "text", text }] } });
    const calls = (id: string, prompt: string) =>
      event("tool/call", { turn: 1, step: 1, id, callId: id, name: "subagent", arguments: { prompt } });
    await keep(
      "session.jsonl",
      lines(header("s"), asks("go"), calls("c1", "look one"), calls("c2", "look two")),
    );
    const files = await opened(`${folder}/session.jsonl`, true);
    const feed = createFeed("dsh", { placeOf: files.placeOf });
    const told: (readonly [string, string | null])[] = [];
    const take = async () => told.push(...textsIn(await readOn(files, feed)));
    const grows = async (name: string, ...records: readonly object[]) => {
      await keep(name, lines(...records));
      assert.equal((await files.news?.())?.kind, "more");
      await take();
    };
    await take();
    await grows("session.1.jsonl", header("n1", "s"), asks("look one"), answers("one begins"));
    await grows("session.2.jsonl", header("n2", "s"), asks("look two"), answers("two begins"));
    await grows("session.1.jsonl", answers("one ends"));
    await grows("session.jsonl", answers("main goes on"));
    await grows("session.2.jsonl", answers("two ends"));
    assert.deepEqual(told, [
      ["one begins", "c1"],
      ["two begins", "c2"],
      ["one ends", "c1"],
      ["main goes on", null],
      ["two ends", "c2"],
    ]);
    // The marks between are lines of no file.
    await Deno.writeTextFile(`${folder}/session.2.jsonl`, "broken\n", { append: true });
    await files.news?.();
    const broken = await readOn(files, feed);
    await Deno.writeTextFile(`${folder}/session.jsonl`, "broken too\n", { append: true });
    await files.news?.();
    broken.push(...await readOn(files, feed));
    const problems = broken.flatMap((input) => input.kind === "file_problem" ? [input.problem] : []);
    assert.deepEqual(problems.map(({ line, what }) => [line, what.replace(/: .*$/, "")]), [
      [null, "session.2.jsonl, line 5"],
      [6, problems[1]?.what.replace(/: .*$/, "")],
    ]);
    files.close();
  });
});

Deno.test("recording files: damage names the file it is in and its line there", async () => {
  await withFolder(async (folder, keep) => {
    const record = (uuid: string, fields: object) => ({
      uuid,
      sessionId: "s1",
      cwd: "/repo",
      timestamp: "2026-01-02T03:04:05Z",
      ...fields,
    });
    const user = (uuid: string, fields: object = {}) =>
      lines(record(uuid, { type: "user", message: { role: "user", content: "words" }, ...fields }));
    const agent = { isSidechain: true, agentId: "x1" };
    // Without a newline at its end.
    await keep("s1.jsonl", `${user("u1")}damaged\n${user("u2").trimEnd()}`);
    await keep("s1/subagents/agent-x1.jsonl", `${user("n1", agent)}${user("n2", agent)}damaged too\n`);
    const files = await opened(`${folder}/s1.jsonl`, false);
    const feed = createFeed("claude", { placeOf: files.placeOf });
    const inputs = [...await readOn(files, feed), ...feed.end()];
    const problems = inputs.flatMap((input) => input.kind === "file_problem" ? [input.problem] : []);
    assert.equal(problems.length, 2);
    assert.equal(problems[0]?.line, 2);
    assert.equal(problems[1]?.line, null);
    assert.match(problems[1]?.what ?? "", /^agent-x1\.jsonl, line 3: /);
    files.close();
  });
});
