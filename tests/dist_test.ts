// The executable in dist/ in a real pseudo-terminal, with directories of its own: the smoke test, every way out, the
// pod that it starts from within itself. `deno task test` builds what this runs; elsewhere it is left out.

import assert from "node:assert/strict";
import {
  endsWith,
  endsWithFault,
  kill,
  type Program,
  type ProgramOptions,
  removeFolder,
  ROOT,
  sees,
  startProgram,
} from "./program_session.ts";
import { checkWithin } from "./slowness.ts";
import { isFile } from "./paths.ts";

const DIST = new URL("../dist/", import.meta.url).pathname;
const EXECUTABLE = ["trifold", "trifold-portable"].map((name) => DIST + name).find(isFile) ?? null;
const isBuilt = Deno.env.has("TRIFOLD_DIST") && EXECUTABLE !== null;
const executable = EXECUTABLE ?? "";
/** One unpacking for all, as on a person's machine. */
const CACHE = isBuilt ? Deno.makeTempDirSync({ prefix: "trifold_dist_" }) : "";

if (!isBuilt) console.log("dist/ is not tested: deno task test builds it and does");
globalThis.addEventListener("unload", () => CACHE !== "" && Deno.removeSync(CACHE, { recursive: true }));

type Deed = (program: Program) => void | Promise<void>;

function start(args: readonly string[], options: ProgramOptions = {}): Promise<Program> {
  const environment = { XDG_CACHE_HOME: CACHE, ...options.environment };
  return startProgram(args, { ...options, executable, environment });
}

function distTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `dist: ${name}`, ignore: !isBuilt, fn, sanitizeOps: false, sanitizeResources: false });
}

async function runExecutable(args: readonly string[], env: Record<string, string> = {}) {
  const command = new Deno.Command(executable, {
    args: [...args],
    env: { XDG_CACHE_HOME: CACHE, NO_COLOR: "1", ...env },
    stdin: "null",
  });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

distTest("--version names version, commit, Deno, platform and form", async () => {
  const { code, stdout } = await runExecutable(["--version"]);
  assert.equal(code, 0);
  const { os, arch } = Deno.build;
  assert.match(
    stdout,
    new RegExp(`^trifold \\d+\\.\\d+\\.\\d+ \\(commit [0-9a-f]{12}\\+?, Deno [\\d.]+, ${os} ${arch}`),
  );
  assert.equal(stdout.includes("portable"), executable.endsWith("portable"));
});

distTest("A01 A05: the demo agent is started, runs a tool, is resized and left", async () => {
  const program = await start([]);
  await sees(program, "demo/careful-1");
  program.session.type("read notes.txt\r");
  await sees(program, "Read 1 file");
  await sees(program, "= finished");
  for (const [width, height] of [[40, 20], [10, 5], [80, 24]] as const) {
    program.session.resize(width, height);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  await sees(program, "= finished");
  const errors = await endsWith(program, 0, () => program.session.type("/quit\r"));
  assert.equal(errors, "");
});

const WAYS: readonly (readonly [name: string, code: number, deed: Deed])[] = [
  ["Ctrl-C twice", 0, async ({ session }) => {
    session.type("\x03");
    await session.until("the hint", () => session.emulator.picture().join("\n").includes("Ctrl-C again"));
    session.type("\x03");
  }],
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
  distTest(`U14: ended by ${name}`, async () => {
    const program = await start([]);
    await sees(program, "demo/careful-1");
    program.session.type("hello\r");
    await sees(program, "> hello");
    await endsWith(program, code, () => deed(program));
  });
}

for (const [kind, what] of [["uncaught", "a fault was"], ["draw", "a fault while drawing was"]] as const) {
  distTest(`U14: ended by a fault: ${kind}`, async () => {
    const program = await start([], { environment: { TRIFOLD_FAULT: kind }, errorsOnScreen: true });
    await sees(program, "demo/careful-1");
    await endsWithFault(program, `${what} asked for by TRIFOLD_FAULT`);
  });
}

distTest("U14: SIGTERM while an external editor is open", async () => {
  const program = await start([], {
    environment: { EDITOR: "sh -c 'echo inside; exec sleep 30'", VISUAL: "" },
  });
  await sees(program, "demo/careful-1");
  program.session.type("\x07");
  await program.session.until(
    "the editor",
    () => program.session.emulator.normalScreen().some((row) => row.includes("inside")),
  );
  await endsWith(program, 143, () => kill(program, "SIGTERM"));
});

distTest("edge 98: suspended by Ctrl-Z, continued by the shell", async () => {
  const program = await start([]);
  await sees(program, "demo/careful-1");
  program.session.type("\x1a");
  await program.session.until("the shell", () => program.session.output().includes("suspended\r\n"));
  assert.ok(!program.session.emulator.modes().bracketedPaste);
  await program.session.until(
    "the screen again",
    () => program.session.emulator.modes().alternateScreen && program.screen().includes("demo/careful-1"),
  );
  await endsWith(program, 0, () => program.session.type("/quit\r"));
});

distTest("edge 98: a stop that cannot be caught is repaired when it ends", async () => {
  const program = await start([]);
  await sees(program, "demo/careful-1");
  await kill(program, "SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, 100));
  program.session.emulator.write("\x1b[?1049l\x1b[?2004l\x1b[?25h");
  await kill(program, "SIGCONT");
  await program.session.until(
    "the modes",
    () => program.session.emulator.modes().alternateScreen && program.session.emulator.modes().bracketedPaste,
  );
  await sees(program, "demo/careful-1");
  await endsWith(program, 0, () => program.session.type("/quit\r"));
});

distTest("edge 95: a closed terminal ends the client within a second, the pod goes on", async () => {
  const home = await Deno.makeTempDir({ prefix: "trifold_dist_home_" });
  const program = await start([], { home });
  await sees(program, "demo/careful-1");
  const pid = program.pid();
  const startMs = Date.now();
  program.session.close();
  while (isRunning(pid)) {
    assert.ok(Date.now() - startMs < 20_000, "it ends");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await checkWithin(1000, Date.now() - startMs);
  const again = await start(["attach"], { home });
  await sees(again, "demo/careful-1");
  await endsWith(again, 0, () => again.session.type("/quit\r"));
  await removeFolder(home);
});

distTest("a reader that goes away ends print quietly", async () => {
  const child = new Deno.Command("sh", {
    args: [
      "-c",
      '"$0" print "$1" --fold detail | head -n 1',
      executable,
      `${ROOT}testdata/first-turn/events.jsonl`,
    ],
    env: { XDG_CACHE_HOME: CACHE },
    stdin: "null",
  });
  const { stdout, stderr } = await child.output();
  assert.match(new TextDecoder().decode(stdout), /^== end/);
  assert.equal(new TextDecoder().decode(stderr), "");
});

distTest("a full disk behind standard output is said in a line", async () => {
  for (const command of [["keys"], ["--help"], ["print", `${ROOT}testdata/first-turn/events.jsonl`]]) {
    const child = new Deno.Command("sh", {
      args: ["-c", '"$0" "$@" >/dev/full', executable, ...command],
      env: { XDG_CACHE_HOME: CACHE },
      stdin: "null",
    });
    const { code, stderr } = await child.output();
    assert.equal(code, 1);
    assert.equal(new TextDecoder().decode(stderr), "Cannot write everything: the disk is full\n");
  }
});

distTest("a recording on standard input is read, the keys come from the terminal", async () => {
  const program = await start(["open", "-"], { input: `${ROOT}testdata/first-turn/events.jsonl` });
  await sees(program, "counts cells");
  program.session.type("\x0f\x0f");
  await sees(program, "overview");
  await endsWith(program, 0, () => program.session.type("/quit\r"));
});

distTest(
  "journey: an edit is allowed and done in a scratch copy, the person's file stays as it is",
  async () => {
    const program = await start([]);
    await sees(program, "demo/careful-1");
    program.session.type("edit notes.txt: second => 2nd 日本\r");
    await allow(program);
    await sees(program, "= finished");
    await sees(program, "+2nd 日本");
    assert.equal(await Deno.readTextFile(`${program.home}/notes.txt`), "first line\nsecond line\n");
    await endsWith(program, 0, () => program.session.type("/quit\r"));
  },
);

distTest("journey: a program that speaks pod JSONL", async () => {
  const program = await start(["run", "--", Deno.execPath(), "run", `${ROOT}examples/echo_agent.mjs`]);
  await sees(program, "echo");
  program.session.type("日本 and back\r");
  await sees(program, "= finished");
  assert.equal(program.session.emulator.picture().filter((row) => row.includes("日本 and back")).length, 2);
  await endsWith(program, 0, () => program.session.type("/quit\r"));
});

distTest("journey: the pod is killed; Enter resumes its session with all that was said", async () => {
  const program = await start([]);
  await sees(program, "demo/careful-1");
  program.session.type("hello\r");
  await sees(program, "= finished");
  const pods = `${program.home}/state/trifold/pods`;
  const [pod] = [...Deno.readDirSync(pods)];
  Deno.kill(JSON.parse(Deno.readTextFileSync(`${pods}/${pod?.name}/meta.json`)).pid, "SIGKILL");
  await sees(program, "disconnected");
  program.session.type("read notes.txt\r");
  // That was for the session; the draft is kept.
  await sees(program, "does not remember");
  program.session.type("\r");
  await sees(program, "Read 1 file");
  program.session.type("\x1b[1;5H");
  await sees(program, "> hello");
  await endsWith(program, 0, () => program.session.type("/quit\r"));
});

distTest("journey: left while the agent waits for an answer, attached again: nothing is lost", async () => {
  const home = await Deno.makeTempDir({ prefix: "trifold_dist_home_" });
  const program = await start([], { home });
  await sees(program, "demo/careful-1");
  program.session.type("run echo was-\\here\r");
  await sees(program, "Permission");
  const left = await endsWith(program, 0, () => program.session.type("/quit\r"), { podsGoOn: true });
  assert.match(left, /trifold attach/);
  const again = await start(["attach"], { home });
  await allow(again);
  await sees(again, "= finished");
  await sees(again, "was-here");
  await endsWith(again, 0, () => again.session.type("\x04"));
  await removeFolder(home);
});

/** Answers a permission; what is typed in a panel's first half second answers nothing. */
async function allow(program: Program): Promise<void> {
  await sees(program, "Permission");
  await new Promise((resolve) => setTimeout(resolve, 600));
  program.session.type("\r");
}

function isRunning(pid: number): boolean {
  try {
    // A zombie has ended.
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}
