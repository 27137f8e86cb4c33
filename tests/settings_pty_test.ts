// Settings of the configuration file and --log as the real program takes them, in a real pseudo-terminal.

import assert from "node:assert/strict";
import { endsWith, MAIN, type Program, removeFolder, ROOT, sees, startProgram } from "./program_session.ts";

const ECHO = ["--", Deno.execPath(), "run", `${ROOT}examples/echo_agent.mjs`];

/** The program in front of the echo agent, with a configuration file where a person's own would be. */
async function startWith(
  settings: Readonly<Record<string, unknown>>,
  flags: readonly string[] = [],
): Promise<Program> {
  const home = await Deno.makeTempDir({ prefix: "trifold_settings_" });
  await Deno.mkdir(`${home}/config/trifold`, { recursive: true });
  await Deno.writeTextFile(`${home}/config/trifold/config.json`, JSON.stringify(settings));
  const program = await startProgram(["run", ...flags, ...ECHO], { home });
  await sees(program, "echo");
  return program;
}

async function shutsDown(program: Program): Promise<void> {
  await endsWith(program, 0, () => program.session.type("\x15\x04"));
  await removeFolder(program.home);
}

const lastRow = (program: Program) => program.session.emulator.picture().at(-1)?.trimEnd() ?? "";

Deno.test("the configuration file sets fold mode, keys, pastes, mouse and colour", async () => {
  const program = await startWith({
    fold: "overview",
    keys: { fold_next: ["<F7>"] },
    paste_threshold: 100,
    mouse: false,
    color: false,
    scroll_regions: "off",
  });
  const { session } = program;
  await sees(program, "overview");
  assert.equal(session.emulator.modes().mouse, "none");
  session.type("\x1b[18~");
  await session.until("the next fold mode", () => program.screen().includes("normal"));
  session.type("\x1b[200~short\x1b[201~");
  await session.until("the paste as text", () => lastRow(program) === "> short");
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(session.output(), /\x1b\[[0-9;]*3[1-7][0-9;]*m/);
  await shutsDown(program);
});

Deno.test("a flag goes before the configuration file", async () => {
  const program = await startWith({ fold: "overview" }, ["--fold", "detail"]);
  await sees(program, "detail");
  await shutsDown(program);
});

Deno.test("ambiguous signs take as many cells as the file says", async () => {
  for (const ambiguous_width of [1, 2]) {
    const program = await startWith({ ambiguous_width });
    program.session.type("①②③");
    await program.session.until(
      "the caret behind the signs",
      () => program.session.emulator.cursor().column === 2 + 3 * ambiguous_width,
    );
    await shutsDown(program);
  }
});

Deno.test("what is copied goes to the terminal's clipboard, and to nothing else", async () => {
  const program = await startWith({});
  const { session } = program;
  session.type("take 漢字 along\r");
  await sees(program, "= finished");
  session.type("/copy\r");
  await sees(program, "sent to the terminal's clipboard");
  // deno-lint-ignore no-control-regex
  const [, data = ""] = /\x1b\]52;c;([A-Za-z0-9+/=]*)\x07/.exec(session.output()) ?? [];
  assert.match(new TextDecoder().decode(Uint8Array.fromBase64(data)), /take 漢字 along/);
  assert.ok(program.screen().includes("take 漢字 along"));
  assert.deepEqual(session.emulator.requests.splice(0), ["osc 52"]);
  await shutsDown(program);
});

Deno.test("a person who looks elsewhere is told that the turn has ended, in the terminal's way and only once", async () => {
  const program = await startWith({ notify: "osc777" });
  const { session } = program;
  session.type("hello\r");
  await sees(program, "= finished");
  assert.ok(!session.output().includes("\x1b]777"), "not while the person looks");
  session.type("\x1b[O");
  session.type("again\r");
  await session.until("the notification", () => session.output().includes("\x1b]777;notify;"));
  await session.until("two turns", () => program.screen().split("= finished").length === 3);
  assert.equal(session.output().split("\x1b]777;notify;Trifold;The turn has ended\x07").length, 2);
  await shutsDown(program);
});

Deno.test("--log tells what happened without what was written", async () => {
  const folder = await Deno.makeTempDir();
  const program = await startWith({}, ["--log", `${folder}/log`]);
  program.session.type("very secret\r");
  await sees(program, "= finished");
  program.session.resize(70, 20);
  await sees(program, "= finished");
  await shutsDown(program);
  const log = await Deno.readTextFile(`${folder}/log`);
  for (
    const told of [
      / start trifold .*, 80x24$/m,
      / sent run$/m,
      / event turn_end$/m,
      / size 70x20$/m,
      / end 0$/m,
    ]
  ) {
    assert.match(log, told);
  }
  assert.ok(!log.includes("secret"));
  assert.equal((await Deno.stat(`${folder}/log`)).mode! & 0o777, 0o600);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a faulty configuration, or a file that cannot be written, is said before anything starts", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/c.json`, '{"foldd":"overview","mouse":1}');
  const run = async (...args: readonly string[]) => {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", MAIN, ...args],
      stdin: "null",
      env: { NO_COLOR: "1", XDG_CONFIG_HOME: folder },
    });
    const { code, stdout, stderr } = await child.output();
    return { code, out: stdout.length, text: new TextDecoder().decode(stderr).trim() };
  };
  assert.deepEqual(await run("run", "--config", `${folder}/c.json`), {
    code: 2,
    out: 0,
    text: `Cannot read config "${folder}/c.json": there is no setting "foldd"; did you mean "fold"?\n` +
      `Cannot read config "${folder}/c.json": mouse must be true or false, not 1`,
  });
  const absent = await run("keys", "--config", `${folder}/none.json`);
  assert.equal(absent.code, 2);
  assert.match(absent.text, /there is no such file$/);
  await Deno.remove(folder, { recursive: true });
  const program = await startProgram(["run", "--record", "/nowhere/at/all", ...ECHO]);
  const errors = await endsWith(program, 1, async () => {
    await program.session.until("its end", () => program.session.output().includes("exit 1\r\n"));
    assert.throws(
      () => Deno.statSync(`${program.home}/state/trifold`),
      Deno.errors.NotFound,
      "no pod was made",
    );
  });
  assert.match(errors, /Cannot write to "\/nowhere\/at\/all"/);
  assert.ok(!program.session.output().includes("\x1b[?1049h"));
});
