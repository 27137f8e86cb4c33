// Recordings in the real program: picked from the list of this machine's sessions, followed while they are written,
// read from standard input, and unpacked.

import assert from "node:assert/strict";
import { zstdCompressSync } from "node:zlib";
import { endsWith, type Program, removeFolder, ROOT, sees, startProgram } from "./program_session.ts";

const testdata = (path: string) => `${ROOT}testdata/${path}`;

async function hashOf(path: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A home folder in which several agents keep sessions; gone afterwards. */
async function withHome(run: (home: string) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "trifold_sessions_" });
  const copy = async (from: string, to: string, ageMs: number) => {
    const path = `${home}/${to}`;
    await Deno.mkdir(path.replace(/[^/]*$/, ""), { recursive: true });
    await Deno.copyFile(testdata(from), path);
    const time = new Date(Date.now() - ageMs);
    await Deno.utime(path, time, time);
  };
  try {
    await copy("pi-session/events.jsonl", ".pi/agent/sessions/--repo--/one.jsonl", 60_000);
    await copy("claude-session/events.jsonl", ".claude/projects/-repo/s1.jsonl", 3_600_000);
    await copy("codex-rollout/events.jsonl", ".codex/sessions/2026/01/02/rollout-1.jsonl", 7_200_000);
    await Deno.writeTextFile(`${home}/.claude/projects/-repo/agent-x.jsonl`, "{}\n");
    await Deno.writeTextFile(`${home}/.claude/projects/-repo/broken.jsonl`, "nothing\n");
    await run(home);
  } finally {
    await removeFolder(home);
  }
}

Deno.test("sessions: on a terminal one is picked, and read in the same client", async () => {
  await withHome(async (home) => {
    const file = `${home}/.claude/projects/-repo/s1.jsonl`;
    const before = await hashOf(file);
    const program = await startProgram(["sessions"], { home });
    await sees(program, "Codex");
    await sees(program, "3 of 3");
    const rows = program.screen().split("\n");
    const rowOf = (text: string) => rows.findIndex((row) => row.includes(text));
    assert.ok(
      rowOf("  pi ") < rowOf("Claude Code") && rowOf("Claude Code") < rowOf("Codex"),
      rows.join("\n"),
    );
    program.session.type("claude");
    await sees(program, "1 of 3");
    program.session.type("\r");
    await sees(program, "Going on.");
    assert.equal(program.session.output().split("\x1b[?1049h").length, 2, "the screen is taken once");
    assert.ok(!program.session.output().includes("\x1b[?1049l"));
    program.session.type("\x0f\x0f");
    await sees(program, "overview");
    const errors = await endsWith(program, 0, () => program.session.type("/quit\r"));
    assert.match(errors, /^Skipped 1 that cannot be read: \S+broken\.jsonl/);
    assert.equal(await hashOf(file), before);
  });
});

Deno.test("sessions: Esc goes back from a session to the list as it was left, and another is read", async () => {
  await withHome(async (home) => {
    const program = await startProgram(["sessions"], { home });
    const { session } = program;
    await sees(program, "3 of 3");
    session.type("claude\r");
    await sees(program, "Going on.");
    await sees(program, "Esc to the list");
    session.type("\x06going");
    await sees(program, "1 of 1");
    session.type("\x1b");
    await session.until("the search closed", () => !program.screen().includes("1 of 1"));
    session.type("\x1b");
    await sees(program, "1 of 3");
    assert.ok(!program.screen().includes("Going on."), program.screen());
    session.type("\x15pi");
    await session.until("the other", () => /> .* pi /.test(program.screen()));
    session.type("\r");
    await sees(program, "Esc to the list");
    assert.ok(!program.screen().includes("Going on."), program.screen());
    session.type("\x1b");
    await sees(program, "1 of 3");
    await endsWith(program, 0, () => session.type("\x1b"));
  });
});

Deno.test("sessions: one that is picked the moment it is listed is read once", async () => {
  const TURNS = 1500;
  const home = await Deno.makeTempDir({ prefix: "trifold_sessions_" });
  try {
    // Long enough to be opened at its end.
    const record = (at: number, type: "user" | "assistant", content: unknown) =>
      JSON.stringify({
        type,
        sessionId: "s1",
        cwd: "/repo",
        uuid: `${type}-${at}`,
        parentUuid: type === "assistant" ? `user-${at}` : at === 0 ? null : `assistant-${at - 1}`,
        timestamp: new Date(Date.UTC(2026, 0, 2) + at * 1000).toISOString(),
        message: { role: type, id: `m${at}`, content },
      });
    const lines = Array.from({ length: TURNS }, (_, at) => [
      record(at, "user", `ask ${at}`),
      record(at, "assistant", [{ type: "text", text: `answer ${at} ${"words ".repeat(60)}` }]),
    ]).flat();
    await Deno.mkdir(`${home}/.claude/projects/-repo`, { recursive: true });
    await Deno.writeTextFile(`${home}/.claude/projects/-repo/s1.jsonl`, `${lines.join("\n")}\n`);
    const program = await startProgram(["sessions"], { home });
    await sees(program, "s1.jsonl");
    program.session.type("\r");
    await sees(program, `answer ${TURNS - 1}`);
    // Behind the tail: only what was read to its end knows how many turns there are.
    for (let tries = 0; !program.screen().includes("1,500 turns"); tries++) {
      assert.ok(tries < 100, program.screen());
      program.session.type("/status\r");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    assert.ok(!program.screen().includes("Cannot"), program.screen());
    await endsWith(program, 0, () => program.session.type("\x03\x03"));
  } finally {
    await removeFolder(home);
  }
});

Deno.test("sessions: Esc leaves the list", async () => {
  await withHome(async (home) => {
    const program = await startProgram(["sessions"], { home });
    await sees(program, "3 of 3");
    await endsWith(program, 0, () => program.session.type("\x1b"));
  });
});

const said = (text: string) => `${JSON.stringify({ event: "text_done", data: { text } })}\n`;

async function append(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, text, { append: true });
}

/** Keys are answered whatever is waited for. */
async function folds(program: Program): Promise<void> {
  program.session.type("\x0f");
  await sees(program, "detail");
}

Deno.test("open --follow: what is written is shown; a file that is cut or replaced begins anew", async () => {
  const home = await Deno.makeTempDir({ prefix: "trifold_follow_" });
  const path = `${home}/watched.jsonl`;
  await Deno.writeTextFile(path, said("first words"));
  const program = await startProgram(["open", path, "--follow"], { home });
  await sees(program, "first words");
  const later = said("later words");
  await append(path, later.slice(0, 20));
  await folds(program);
  await append(path, later.slice(20));
  await sees(program, "later words");

  await Deno.writeTextFile(path, said("anew"));
  await sees(program, "The file was cut and written anew");
  await sees(program, "anew");
  assert.ok(!program.screen().includes("first words"), program.screen());

  await Deno.writeTextFile(`${home}/next.jsonl`, said("of the next file"));
  await Deno.rename(`${home}/next.jsonl`, path);
  await sees(program, "The file was replaced");
  await sees(program, "of the next file");
  await append(path, said("and on"));
  await sees(program, "and on");

  await Deno.remove(path);
  await sees(program, "The file is gone");
  await endsWith(program, 0, () => program.session.type("/quit\r"));
  await removeFolder(home);
});

Deno.test("open --follow: a running session of Claude Code, its nested agent in a file of its own", async () => {
  const home = await Deno.makeTempDir({ prefix: "trifold_follow_" });
  const path = `${home}/s1.jsonl`;
  const record = (uuid: string, fields: Record<string, unknown>) =>
    `${
      JSON.stringify({ uuid, sessionId: "s1", cwd: "/repo", timestamp: "2026-01-02T03:04:05Z", ...fields })
    }\n`;
  const user = { type: "user", message: { role: "user", content: "delegate this" } };
  const call = {
    type: "tool_use",
    id: "t1",
    name: "Task",
    input: { description: "look", prompt: "look around" },
  };
  await Deno.writeTextFile(
    path,
    record("u1", user) +
      record("a1", { type: "assistant", message: { id: "m1", role: "assistant", content: [call] } }),
  );
  const program = await startProgram(["open", path, "--follow", "--fold", "detail"], { home });
  await sees(program, "look");
  await Deno.mkdir(`${home}/s1/subagents`, { recursive: true });
  const nested = { isSidechain: true, agentId: "x1" };
  const agent = `${home}/s1/subagents/agent-x1.jsonl`;
  await Deno.writeTextFile(
    agent,
    record("n1", { ...nested, type: "user", message: { role: "user", content: "look around" } }),
  );
  await append(
    agent,
    record("n2", {
      ...nested,
      type: "assistant",
      message: { id: "m2", role: "assistant", content: [{ type: "text", text: "nested words" }] },
    }),
  );
  await sees(program, "nested words");
  const row = program.screen().split("\n").find((one) => one.includes("nested words")) ?? "";
  assert.match(row, /^\s{4,}nested words/, "inside its call");
  await append(
    path,
    record("u2", {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "it is done" }] },
    }),
  );
  await sees(program, "it is done");
  await endsWith(program, 0, () => program.session.type("/quit\r"));
  await removeFolder(home);
});

Deno.test("open -: a recording on standard input, keys from the terminal", async () => {
  const program = await startProgram(["open", "-"], { input: testdata("claude-session/events.jsonl") });
  await sees(program, "Going on.");
  program.session.type("\x0f\x0f");
  await sees(program, "overview");
  await endsWith(program, 0, () => program.session.type("/quit\r"));
});

Deno.test("open: of a long Zstandard log the tail is there at once, and what is written to it is followed", async () => {
  const home = await Deno.makeTempDir({ prefix: "trifold_zstd_" });
  const text = await Deno.readTextFile(testdata("dsh-third/events.jsonl"));
  const pack = (some: string) => new Uint8Array(zstdCompressSync(some));
  const path = `${home}/session.jsonl.zstd`;
  const turn = (word: string) =>
    [
      { type: "turn/start", data: { turn: 9, trigger: "user" } },
      { type: "user/message", data: { role: "user", content: [{ type: "text", text: word }], id: word } },
      { type: "turn/end", data: { turn: 9, reason: { kind: "completed" } } },
    ].map((record) => `${JSON.stringify(record)}\n`).join("");
  const frames = [pack(text)];
  // Text that is packed to little less: what is read before the first frame is a small part.
  for (let at = 0; at < 300; at++) frames.push(pack(turn(`${at} ${crypto.randomUUID().repeat(20)}`)));
  frames.push(pack(turn("the last word so far")));
  await Deno.writeFile(path, new Uint8Array(frames.flatMap((frame) => [...frame])));
  const program = await startProgram(["open", path, "--follow"], { home });
  await sees(program, "the last word so far");
  await Deno.writeFile(path, pack(turn("one more word")), { append: true });
  await sees(program, "one more word");
  const next = pack(turn("in two halves"));
  await Deno.writeFile(path, next.subarray(0, 20), { append: true });
  await folds(program);
  await Deno.writeFile(path, next.subarray(20), { append: true });
  await sees(program, "in two halves");
  await endsWith(program, 0, () => program.session.type("/quit\r"));
  await removeFolder(home);
});

Deno.test("open: a Zstandard log whose last frame is cut off", async () => {
  const home = await Deno.makeTempDir({ prefix: "trifold_zstd_" });
  const lines = (await Deno.readTextFile(testdata("dsh-third/events.jsonl"))).trimEnd().split("\n");
  const half = Math.floor(lines.length / 2);
  const frames = [lines.slice(0, half), lines.slice(half)].map((some) =>
    new Uint8Array(zstdCompressSync(`${some.join("\n")}\n`))
  );
  const cut = frames.map((frame, at) => at === 0 ? frame : frame.subarray(0, frame.length - 9));
  await Deno.writeFile(`${home}/session.jsonl.zstd`, new Uint8Array(cut.flatMap((frame) => [...frame])));
  const program = await startProgram(["open", `${home}/session.jsonl.zstd`], { home });
  await sees(program, "mode=RELEASE");
  await endsWith(program, 0, () => program.session.type("/quit\r"));
  await removeFolder(home);
});
