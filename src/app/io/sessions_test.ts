// The sessions that agents keep on a machine: found in their folders, told by their records, listed newest first.

import assert from "node:assert/strict";
import { hereOf } from "./session_here.ts";
import { listDetails, sayWhatIsMissing } from "./session_list.ts";
import { findSessions, KEEPERS, rootsOf } from "./session_places.ts";

const TESTDATA = new URL("../../../testdata/", import.meta.url).pathname;

/** A home folder with a session of each agent, the first named the newest. */
async function withHome(run: (home: string) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "trifold_home_" });
  const files = [
    ["pi-session/events.jsonl", ".pi/agent/sessions/--repo--/a.jsonl"],
    ["claude-session/events.jsonl", ".claude/projects/-repo/s1.jsonl"],
    ["claude-agents/events.jsonl", ".claude/projects/-repo/agent-1.jsonl"],
    ["claude-agents/events.jsonl", ".claude/projects/-repo/s1/subagents/agent-2.jsonl"],
    ["codex-rollout/events.jsonl", ".codex/sessions/2026/01/02/rollout-1.jsonl"],
    ["gemini-chat/events.jsonl", ".gemini/tmp/abc/chats/session-1.jsonl"],
    ["qwen-chat/events.jsonl", ".qwen/projects/x/chats/q.jsonl"],
    ["dsh-first/events.jsonl", ".dsh/sessions/p/s/session.jsonl"],
    ["dsh-third/events.jsonl", ".dsh/sessions/p/s/session.v2.jsonl"],
  ] as const;
  try {
    let ageMs = 0;
    for (const [from, to] of files) {
      const path = `${home}/${to}`;
      await Deno.mkdir(path.replace(/[^/]*$/, ""), { recursive: true });
      await Deno.copyFile(TESTDATA + from, path);
      const time = new Date(Date.now() - (ageMs += 60_000));
      await Deno.utime(path, time, time);
    }
    await run(home);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

function search(home: string, environment: Readonly<Record<string, string>> = {}) {
  return findSessions({ environment: (name) => name === "HOME" ? home : environment[name], pods: null });
}

Deno.test("sessions: each agent's own, newest first, without the parts of others", async () => {
  await withHome(async (home) => {
    const { sessions, skipped } = await search(home);
    assert.deepEqual(sessions.map((one) => [one.agent, one.path.slice(home.length + 1)]), [
      ["pi", ".pi/agent/sessions/--repo--/a.jsonl"],
      ["Claude Code", ".claude/projects/-repo/s1.jsonl"],
      ["Codex", ".codex/sessions/2026/01/02/rollout-1.jsonl"],
      ["Gemini CLI", ".gemini/tmp/abc/chats/session-1.jsonl"],
      ["Qwen Code", ".qwen/projects/x/chats/q.jsonl"],
      ["DeepSeek Harness", ".dsh/sessions/p/s/session.v2.jsonl"],
    ]);
    assert.deepEqual(skipped, []);
  });
});

Deno.test("sessions: title, first words and directory are told by the records", async () => {
  await withHome(async (home) => {
    const { sessions } = await search(home);
    const skipped: string[] = [];
    const rows = await Array.fromAsync(listDetails(sessions, { here: null, skipped }));
    const told = new Map(rows.map(({ session, details }) => [session.agent, details]));
    assert.deepEqual(told.get("Claude Code"), {
      title: "Fix a.ts",
      firstWords: "[image image/png, 5 bytes] What is wrong here? <b>bold</b>",
      directory: "/repo",
    });
    assert.equal(told.get("Qwen Code")?.title, "The sum");
    assert.match(told.get("Codex")?.firstWords ?? "", /^#main Please fix add\(\)/);
    assert.equal(told.get("Gemini CLI")?.directory, "/repo");
    assert.equal(told.get("DeepSeek Harness")?.firstWords, "edit the file");
    assert.deepEqual(skipped, []);
    const here = listDetails(sessions, { here: await hereOf("/elsewhere", null), skipped });
    assert.deepEqual(await Array.fromAsync(here), []);
    const repo = listDetails(sessions, { here: await hereOf("/repo/", null), skipped });
    assert.equal((await Array.fromAsync(repo)).length, sessions.length);
  });
});

Deno.test("sessions: a directory that stands beside the session is its own", async () => {
  await withHome(async (home) => {
    await Deno.writeTextFile(`${home}/.gemini/tmp/abc/.project_root`, "/elsewhere\n");
    const old = { sessionId: "s", projectHash: "h", startTime: "2026-01-01T00:00:00Z", messages: [] };
    const message = { id: "m", timestamp: "2026-01-01T00:00:01Z", type: "user", content: "old words" };
    await Deno.writeTextFile(
      `${home}/.gemini/tmp/abc/chats/session-0.json`,
      JSON.stringify({ ...old, messages: [message] }, null, 2),
    );
    const { sessions } = await search(home);
    const list = listDetails(sessions, { here: await hereOf("/elsewhere", null), skipped: [] });
    const rows = await Array.fromAsync(list);
    assert.deepEqual(rows.map(({ details }) => details.firstWords), ["old words"]);
  });
});

Deno.test("sessions: of a large document its beginning and its end are read, and nothing between", async () => {
  await withHome(async (home) => {
    const message = (at: number) => ({
      id: `m${at}`,
      timestamp: "2026-01-01T00:00:01Z",
      type: at % 2 === 0 ? "user" : "gemini",
      content: `words ${at} ${"more ".repeat(600)}`,
    });
    const old = { sessionId: "s", projectHash: "h", startTime: "2026-01-01T00:00:00Z" };
    const messages = Array.from({ length: 1200 }, (_, at) => message(at));
    const path = `${home}/.gemini/tmp/abc/chats/session-0.json`;
    await Deno.writeTextFile(path, JSON.stringify({ ...old, messages, summary: "The sum" }, null, 2));
    const { sessions } = await search(home);
    const rows = await Array.fromAsync(listDetails(sessions, { here: null, skipped: [] }));
    const row = rows.find(({ session }) => session.path === path);
    assert.equal(row?.details.title, "The sum");
    assert.match(row?.details.firstWords ?? "", /^words 0 more/);
  });
});

Deno.test("sessions: what cannot be read is said, the rest is listed", async () => {
  await withHome(async (home) => {
    await Deno.writeTextFile(`${home}/.claude/projects/-repo/words.jsonl`, "no records here\n");
    await Deno.writeTextFile(`${home}/.claude/projects/-repo/empty.jsonl`, "");
    const { sessions } = await search(home);
    const skipped: string[] = [];
    const rows = await Array.fromAsync(listDetails(sessions, { here: null, skipped }));
    assert.equal(rows.length, 6);
    assert.equal(skipped.length, 1);
    assert.match(skipped[0] ?? "", /words\.jsonl \(it holds no record\)$/);
  });
});

Deno.test("sessions: what was left out is said without the controls of its name", async () => {
  const { error } = console;
  const said: string[] = [];
  try {
    console.error = (text) => said.push(text);
    await sayWhatIsMissing(["/a/\x1b]0;x\x07\n\u202e.jsonl (it holds no record)"], ["in /b\x9b2J"]);
  } finally {
    console.error = error;
  }
  assert.deepEqual(said, [
    "Skipped 1 that cannot be read: /a/\\x1b]0;x\\x07\\x0a<U+202E>.jsonl (it holds no record)",
    "in /b\\x9b2J",
  ]);
});

Deno.test("sessions: OpenCode's folder gives a row a session, its database a hint", async () => {
  const home = await Deno.makeTempDir({ prefix: "trifold_home_" });
  const data = `${home}/data/opencode`;
  await Deno.mkdir(`${data}/storage/session/p`, { recursive: true });
  await Deno.writeTextFile(
    `${data}/storage/session/p/ses_1.json`,
    JSON.stringify({ id: "ses_1", title: "Old one", directory: "/repo", time: { updated: 5 } }),
  );
  await Deno.writeTextFile(`${data}/opencode.db`, "SQLite format 3");
  const { sessions, hints } = await search(home, { XDG_DATA_HOME: `${home}/data` });
  const rows = await Array.fromAsync(listDetails(sessions, { here: null, skipped: [] }));
  assert.deepEqual(rows.map(({ details }) => details.title), ["Old one"]);
  assert.equal(hints.length, 1);
  assert.match(hints[0] ?? "", /opencode\.db: .*opencode export ID > FILE/);
  await Deno.remove(home, { recursive: true });
});

Deno.test("sessions: an agent's variable names its folder instead of the one below the home", () => {
  const claude = KEEPERS.find((keeper) => keeper.format === "claude");
  assert.ok(claude !== undefined);
  const home = { HOME: "/h/", CLAUDE_CONFIG_DIR: "" };
  const environment = (set: Readonly<Record<string, string>>) => (name: string) => set[name];
  assert.deepEqual(rootsOf(claude, environment(home)), ["/h/.claude/projects", "/h/.config/claude/projects"]);
  assert.deepEqual(rootsOf(claude, environment({ ...home, CLAUDE_CONFIG_DIR: "/c/" })), ["/c/projects"]);
  assert.deepEqual(rootsOf(claude, environment({})), []);
});
