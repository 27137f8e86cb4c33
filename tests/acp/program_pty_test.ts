// An ACP agent in the real program, in a real pseudo-terminal: its start told line by line, its permission asked, left
// while it waits, come back to, refused, shut down.

import assert from "node:assert/strict";
import { endsWith, removeFolder, ROOT, sees, startProgram } from "../program_session.ts";
import { replayCommand, scriptPath } from "./live_agent.ts";

Deno.test("acp program: run -- CMD with an ACP agent: asked, left, attached, refused, shut down (U12)", async () => {
  const home = Deno.realPathSync(await Deno.makeTempDir({ prefix: "trifold_acp_" }));
  try {
    const { command, args } = replayCommand(scriptPath("program"));
    const program = await startProgram(["run", "--", command, ...args], { home });
    await sees(program, "Played agent");
    await sees(program, "YOLO");
    program.session.type("clean up\r");
    await sees(program, "Do not allow it");
    assert.match(program.screen(), /rm -r build/);
    const said = await endsWith(program, 0, async () => {
      program.session.type("\x03");
      await sees(program, "Ctrl-C again leaves");
      program.session.type("\x03");
    }, { podsGoOn: true });
    assert.match(said, /initialize/, "its start was told before the screen was taken");
    assert.match(said, /keeps working: trifold attach/);

    const again = await startProgram(["attach"], { home });
    await sees(again, "Do not allow it");
    // Nothing typed before the panel has been there for 500 ms can answer it.
    await new Promise((resolve) => setTimeout(resolve, 700));
    again.session.type("\x1b");
    await sees(again, "Then I leave it.");
    assert.match(again.screen(), /I will remove the build\./);
    await endsWith(again, 0, () => again.session.type("\x04"));
  } finally {
    await removeFolder(home);
  }
});

Deno.test("acp program: a program that is no agent is said before the screen is taken (N03)", async () => {
  const program = await startProgram(["run", "--", "echo", "hello there"]);
  await program.session.ended;
  assert.ok(program.session.output().includes("exit 1"));
  assert.ok(!program.session.output().includes("\x1b[?1049h"), "the alternate screen was never entered");
  const errors = Deno.readTextFileSync(`${program.home}/errors`);
  assert.match(errors, /Cannot talk to echo hello there: expected an answer to ACP's initialize/);
  assert.match(errors, /got: hello there/);
  await removeFolder(program.home);
});

Deno.test("acp program: an agent that is there and makes no session: the terminal is given back, then one line, exit 1 (N22)", async () => {
  const answers = [
    `read -r line; echo '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentInfo":{"name":"x"}}}'`,
    // The screen is taken, and seen, before the answer comes.
    `read -r line; while [ ! -e "$HOME/seen-it" ]; do sleep 0.05; done`,
    `echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"disk full"}}'; cat`,
  ].join("; ");
  const home = Deno.realPathSync(await Deno.makeTempDir({ prefix: "trifold_acp_" }));
  try {
    await Deno.writeTextFile(`${home}/agent.sh`, answers);
    const program = await startProgram(["run", "--", "sh", `${home}/agent.sh`], { home });
    await sees(program, "starting: session");
    assert.ok(program.session.output().includes("\x1b[?1049h"), "the session is made in full screen");
    const said = await endsWith(program, 1, () => Deno.writeTextFile(`${home}/seen-it`, ""));
    const line = "Cannot start a session with x: disk full";
    assert.equal(said.split(line).length, 2, "it is said once");
    assert.equal(said.trimEnd().split("\n").at(-1), line);
    assert.deepEqual([...Deno.readDirSync(`${home}/state/trifold/pods`)], [], "nothing to come back to");
  } finally {
    await removeFolder(home);
  }
});

Deno.test("acp program: an agent that wants a login first: logged in, its greeting stands there, here and for who comes later", async () => {
  const home = Deno.realPathSync(await Deno.makeTempDir({ prefix: "trifold_acp_" }));
  try {
    const sdk = decodeURIComponent(new URL("./sdk_agent.ts", import.meta.url).pathname);
    const words = [
      Deno.execPath(),
      "run",
      "--no-lock",
      "--config",
      `${ROOT}deno.json`,
      "-A",
      sdk,
      "--locked",
    ];
    const program = await startProgram(["run", "--", ...words], { home });
    await sees(program, "The agent wants you to log in");
    // The list can be put away, and Esc brings it back.
    await new Promise((resolve) => setTimeout(resolve, 700));
    program.session.type("\x1b");
    await program.session.until("no list", () => !program.screen().includes("wants you to log in"));
    program.session.type("\x1b");
    await sees(program, "The agent wants you to log in");
    await new Promise((resolve) => setTimeout(resolve, 700));
    program.session.type("\r");
    await sees(program, "* SDK agent");
    await program.session.until("no list", () => !program.screen().includes("wants you to log in"));
    program.session.type("wait\r");
    await sees(program, "waiting");
    const later = await startProgram(["attach"], { home, terminal: "2" });
    await sees(later, "waiting");
    assert.match(later.screen(), /^\* SDK agent/);
    await endsWith(later, 0, () => later.session.type("/quit\r"), { podsGoOn: true });
    program.session.type("\x1b");
    await sees(program, "cancelled");
    await endsWith(program, 0, () => program.session.type("\x04"));
  } finally {
    await removeFolder(home);
  }
});
