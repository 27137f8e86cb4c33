// The sessions an agent remembers by itself: listed without one being made, and gone on with in a pod of their own.

import assert from "node:assert/strict";
import { startAcpAgent } from "../../src/agents/acp.ts";
import { listKeptSessions } from "../../src/agents/acp_sessions.ts";
import { sessionRows } from "../../src/app/io/agent_sessions.ts";
import { endsWith, removeFolder, ROOT, sees, startProgram } from "../program_session.ts";
import { listenTo, replayCommand, scriptPath } from "./live_agent.ts";

const SDK_AGENT = decodeURIComponent(new URL("./sdk_agent.ts", import.meta.url).pathname);
const SDK_ARGS = ["run", "--no-lock", "--config", `${ROOT}deno.json`, "-A", SDK_AGENT];

Deno.test("kept sessions: page by page, those without an id left out, and no session is made", async () => {
  assert.deepEqual(await listKeptSessions(replayCommand(scriptPath("list"))), {
    sessions: [
      { id: "s1", cwd: "/repo", title: "One", updatedAt: "2026-11-30T10:00:00Z" },
      { id: "s2", cwd: "/repo", title: null, updatedAt: null },
    ],
  });
});

Deno.test("kept sessions: why there is no list is said", async () => {
  const problem = async (options: Parameters<typeof listKeptSessions>[0]) => {
    const kept = await listKeptSessions(options);
    return "problem" in kept ? kept.problem : JSON.stringify(kept);
  };
  const say = (text: string) => ({ command: "sh", args: ["-c", text], cwd: "/" });
  assert.equal(
    await problem(replayCommand(scriptPath("forgotten"))),
    "Forgetful does not tell which sessions it remembers",
  );
  assert.match(await problem(say("exit 3")), /ended with exit code 3/);
  assert.match(await problem({ ...say("cat >/dev/null"), answerWithinMs: 100 }), /no answer in 0\.1 s/);
  assert.match(
    await problem(say(`read -r l; echo '{"id":0,"error":{"code":1,"message":"not today"}}'; cat`)),
    /^Cannot ask sh .* for its sessions: not today$/,
  );
  assert.match(await problem({ command: "/nonexistent/agent", args: [], cwd: "/" }), /no program/);
});

Deno.test("kept sessions: newest first, those without a time behind them as the agent has them", () => {
  const nowMs = Date.parse("2026-11-30T12:00:00Z");
  const session = (id: string, title: string | null, updatedAt: string | null) => ({
    id,
    cwd: "/",
    title,
    updatedAt,
  });
  assert.deepEqual(
    sessionRows([
      session("a", "\x1b[2Jtricky", null),
      session("b", null, "2026-11-28T10:00:00Z"),
      session("long-id", "t".repeat(70), "2026-11-30T11:00:00Z"),
      session("d", "last", "no time"),
    ], nowMs),
    [
      "SESSION  AGE  TITLE",
      `long-id  1 h  ${"t".repeat(59)}…`,
      "b        2 d  untitled",
      "a        -    \\x1b[2Jtricky",
      "d        -    last",
    ],
  );
});

Deno.test("acp live: a session that was asked for is that one or none", async () => {
  const resume = { sessionId: "s1", replay: "show" } as const;
  const start = (command: Parameters<typeof listKeptSessions>[0]) =>
    listenTo((listener) => startAcpAgent({ ...command, resume }, listener));
  const forgotten = await start(replayCommand(scriptPath("forgotten"))).ended;
  assert.deepEqual([forgotten.kind, forgotten.what], [
    "no_session",
    "Cannot resume session s1 with Forgetful: Session not found",
  ]);
  const about = '{"id":0,"result":{"protocolVersion":1,"agentInfo":{"name":"p","title":"Plain"}}}';
  const plain = { command: "sh", args: ["-c", `read -r line; echo '${about}'; cat`], cwd: "/" };
  const unable = await start(plain).ended;
  assert.deepEqual([unable.kind, unable.what], [
    "no_session",
    "Cannot resume session s1 with Plain: it cannot resume sessions",
  ]);
});

Deno.test("acp program: trifold resume --agent lists the agent's own sessions, and a pod goes on with one", async () => {
  const home = Deno.realPathSync(await Deno.makeTempDir({ prefix: "trifold_kept_" }));
  try {
    const sdk = { command: Deno.execPath(), args: [...SDK_ARGS, "--remembers"] };
    await Deno.writeTextFile(`${home}/settings.json`, JSON.stringify({ agents: { sdk } }));
    const settings = ["--agent", "sdk", "--config", `${home}/settings.json`];
    const list = await startProgram(["resume", ...settings], { home });
    await endsWith(list, 0, () => {});
    const rows = list.session.output().replaceAll("\r", "").split("\n");
    assert.ok(rows.includes("old-2    3 h  One") && rows.includes("old-1    -    One"), rows.join("\n"));
    assert.ok(rows.includes("trifold resume --agent sdk SESSION goes on with one"));

    const program = await startProgram(["resume", ...settings, "old-1"], { home });
    await sees(program, "told of old in old-1");
    assert.match(program.screen(), /SDK agent[^]*ask of old in old-1/);
    program.session.type("wait\r");
    await sees(program, "waiting");
    await endsWith(program, 0, async () => {
      program.session.type("\x1b");
      await sees(program, "cancelled");
      program.session.type("\x04");
    });
    // It is a pod like any other from now on: its log is what is shown.
    const again = await startProgram(["resume"], { home });
    await sees(again, "told of old in old-1");
    await sees(again, "cancelled");
    assert.equal(again.screen().split("told of old").length, 2, "nothing is told twice");
    await endsWith(again, 0, () => again.session.type("\x04"));

    const unknown = await startProgram(["resume", ...settings, "nope"], { home });
    const said = await endsWith(unknown, 1, () => {});
    assert.match(said, /^Cannot resume session nope with SDK agent: .*nope$/m);
    assert.equal([...Deno.readDirSync(`${home}/state/trifold/pods`)].length, 1, "no pod is left of it");

    const demo = await startProgram(["resume", "--agent", "demo"], { home });
    assert.match(await endsWith(demo, 1, () => {}), /Cannot resume a session of demo: it remembers none/);
  } finally {
    await removeFolder(home);
  }
});
