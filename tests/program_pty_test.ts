// The real program in a real pseudo-terminal: started, typed into, resized, and left in every way there is. The
// terminal afterwards is as it was before (U14, as far as a client goes).

import assert from "node:assert/strict";
import { endsWith, kill, MAIN, type Program, ROOT, sees, startProgram } from "./program_session.ts";

Deno.test("A01 A02 A05 A06: the demo agent is started, runs a tool, is resized and left; the terminal is as it was", async () => {
  const program = await startProgram([]);
  await sees(program, "demo/careful-1");
  assert.ok(program.session.emulator.modes().alternateScreen);
  program.session.type("read notes.txt\r");
  await sees(program, "Read 1 file");
  await sees(program, "= finished");
  for (const [width, height] of [[40, 20], [120, 40], [10, 5], [80, 24]] as const) {
    program.session.resize(width, height);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  await sees(program, "= finished");
  const rows = program.session.emulator.picture();
  assert.equal(
    rows.filter((row) => row.includes("careful-1") && row.trimEnd().endsWith("normal")).length,
    1,
    "one status row",
  );
  assert.equal(program.session.emulator.scrollbackLength(), 0);
  const errors = await endsWith(program, 0, () => program.session.type("/quit\r"));
  assert.equal(errors, "");
});

const WAYS:
  readonly (readonly [name: string, code: number, deed: (program: Program) => void | Promise<void>])[] = [
    ["Ctrl-C twice", 0, async ({ session }) => {
      session.type("\x03");
      await session.until("the hint", () => session.emulator.picture().join("\n").includes("Ctrl-C again"));
      session.type("\x03");
    }],
    ["Ctrl-D on an empty draft", 0, ({ session }) => session.type("\x04")],
    ["SIGTERM", 143, (program) => kill(program, "SIGTERM")],
    ["SIGINT from outside", 130, (program) => kill(program, "SIGINT")],
    ["SIGHUP", 129, (program) => kill(program, "SIGHUP")],
    ["SIGTERM during a resize storm", 143, async (program) => {
      for (let at = 0; at < 30; at++) program.session.resize(60 + (at % 20), 20 + (at % 5));
      program.session.resize(80, 24);
      await kill(program, "SIGTERM");
    }],
  ];

for (const [name, code, deed] of WAYS) {
  Deno.test(`U14, invariant 9: ended by ${name}`, async () => {
    const program = await startProgram([]);
    await sees(program, "demo/careful-1");
    program.session.type("hello\r");
    await sees(program, "> hello");
    await sees(program, "= finished");
    await endsWith(program, code, () => deed(program));
  });
}

Deno.test("N02 edge 96: without a terminal a full-screen command says so, exits with 1 and writes no escape", async () => {
  for (const args of [[], ["run"], ["open", MAIN]]) {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", MAIN, ...args],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      env: { NO_COLOR: "1" },
    });
    const { code, stdout, stderr } = await child.output();
    assert.equal(code, 1);
    assert.equal(stdout.length, 0);
    const text = new TextDecoder().decode(stderr);
    assert.match(text, /must both be a terminal/);
    assert.ok(!text.includes("\x1b"));
  }
});

Deno.test("N03 edge 97: an agent that ends before hello is reported on the normal screen, exit 1", async () => {
  const program = await startProgram(["run", "--", "sh", "-c", "echo broken >&2; exit 3"]);
  const errors = await endsWith(program, 1, () => {});
  assert.match(errors, /exit code 3/);
  assert.match(errors, /broken/);
  assert.ok(!program.session.output().includes("\x1b[?1049h"), "the screen was never taken");
});

Deno.test("the example agent of the documentation answers", async () => {
  const program = await startProgram(["run", "--", Deno.execPath(), "run", `${ROOT}examples/echo_agent.mjs`]);
  await sees(program, "echo");
  program.session.type("日本 and back\r");
  await sees(program, "= finished");
  assert.equal(program.session.emulator.picture().filter((row) => row.includes("日本 and back")).length, 2);
  await endsWith(program, 0, () => program.session.type("/quit\r"));
});

Deno.test("U13: a damaged recording opens, is folded and left; the file is as it was", async () => {
  const file = await Deno.makeTempFile({ suffix: ".jsonl" });
  const line = (text: string) => JSON.stringify({ event: "text_done", data: { text } });
  const damaged = `${line("M1")}\n${line("M2").slice(0, 30)}\n${
    line("M3")
  }\n{"event":"text_done","data":{"te`;
  await Deno.writeTextFile(file, damaged);
  const program = await startProgram(["open", file]);
  await sees(program, "M3");
  await sees(program, "2, 4");
  program.session.type("\x0f\x0f");
  await sees(program, "overview");
  await endsWith(program, 0, () => program.session.type("/quit\r"));
  assert.equal(await Deno.readTextFile(file), damaged);
  await Deno.remove(file);
});

Deno.test("paths resolve where the caller stands: deno task changes directory", async () => {
  const home = await Deno.makeTempDir();
  await Deno.writeTextFile(`${home}/here.jsonl`, `{"event":"text_done","data":{"text":"found"}}\n`);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "-q", "--config", `${ROOT}deno.json`, "start", "print", "here.jsonl", "--text"],
    cwd: home,
    stdout: "piped",
    stderr: "piped",
    // A task inside a task would keep the outer one's caller.
    clearEnv: true,
    env: { ...withoutCaller(Deno.env.toObject()), NO_COLOR: "1" },
  });
  const { code, stdout, stderr } = await child.output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.match(new TextDecoder().decode(stdout), /found/);
  await Deno.remove(home, { recursive: true });
});

function withoutCaller({ INIT_CWD: _, ...environment }: Record<string, string>): Record<string, string> {
  return environment;
}
