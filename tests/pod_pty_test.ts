// Leaving and coming back in a real pseudo-terminal: what a person sees of a pod that outlives the client.

import assert from "node:assert/strict";
import { endsWith, type Program, removeFolder, sees, startProgram } from "./program_session.ts";

/** A folder for several clients of one pod; the pod is ended afterwards. */
async function withHome(test: (home: string) => Promise<void>): Promise<void> {
  const home = Deno.realPathSync(await Deno.makeTempDir({ prefix: "trifold_pods_" }));
  try {
    await test(home);
  } finally {
    for (const meta of metasOf(home)) kill(meta.pid, "SIGKILL");
    await removeFolder(home);
  }
}

/** Ctrl-C twice, as one who leaves. */
async function leave(program: Program): Promise<string> {
  return await endsWith(program, 0, async () => {
    program.session.type("\x03");
    await sees(program, "Ctrl-C again leaves");
    program.session.type("\x03");
  }, { podsGoOn: true });
}

/** The screen without what tells the time: the status row, and durations. */
function stillScreen(program: Program): string[] {
  return program.screen().split("\n").map((row) => row.trimEnd()).filter((row) =>
    !/ctx|Esc interrupts|waiting/.test(row)
  );
}

Deno.test("left with Ctrl-C twice while a question is open: the pod goes on, attach shows the same screen (K06)", async () => {
  await withHome(async (home) => {
    const program = await startProgram([], { home });
    await sees(program, "built-in demo");
    program.session.type("plan read the notes, change them\r");
    await sees(program, "finished");
    program.session.type("ask\r");
    await sees(program, "Question 1/");
    await delay(300);
    const before = stillScreen(program);
    const errors = await leave(program);
    const [meta] = metasOf(home);
    assert.equal(errors, `pod ${meta?.id} keeps working: trifold attach ${meta?.id}\n`);
    const again = await startProgram(["attach"], { home });
    await sees(again, "Question 1/");
    await delay(300);
    assert.deepEqual(stillScreen(again), before);
    // It can be answered here as there.
    await delay(400);
    again.session.type("\r");
    await again.session.until(
      "another question or the end",
      () => !/Question 1\//.test(again.screen()),
      10_000,
    );
    await leave(again);
  });
});

Deno.test("--no-color and --no-mouse are heard, by attach too", async () => {
  await withHome(async (home) => {
    for (const args of [["--no-color", "--no-mouse"], ["attach", "--no-color", "--no-mouse"]]) {
      const program = await startProgram(args, { home });
      await sees(program, "built-in demo");
      const modes = program.session.emulator.modes();
      await leave(program);
      // deno-lint-ignore no-control-regex
      assert.deepEqual(program.session.output().match(/\x1b\[[0-9;]*(3[0-7]|9[0-7]|[147])m/g), null);
      assert.equal(modes.mouse, "none");
    }
  });
});

Deno.test("left idle: nothing is said, and the pod waits", async () => {
  await withHome(async (home) => {
    const program = await startProgram([], { home });
    await sees(program, "built-in demo");
    const [meta] = metasOf(home);
    program.session.type("/status\r");
    await sees(program, `trifold attach ${meta?.id} comes back to it`);
    assert.equal(await leave(program), "");
    assert.ok(isAlive(meta?.pid));
    const again = await startProgram(["attach", String(meta?.id).slice(0, 2)], { home });
    await sees(again, "built-in demo");
    // Ctrl-D on an empty draft ends pod and client.
    assert.equal(await endsWith(again, 0, () => again.session.type("\x04"), { podsGoOn: true }), "");
    for (let tries = 0; isAlive(meta?.pid) && tries < 100; tries++) await delay(20);
    assert.equal(isAlive(meta?.pid), false);
    const none = await startProgram(["attach"], { home });
    await endsWithError(none, new RegExp(`trifold resume ${meta?.id} goes on with the newest one`));
  });
});

Deno.test("a client is killed: its draft, placeholder and all, comes back to the next", async () => {
  await withHome(async (home) => {
    const program = await startProgram([], { home });
    await sees(program, "built-in demo");
    program.session.type("half a thought \x1b[200~pasted\ntext\x1b[201~");
    await sees(program, "[Clipboard #1");
    await delay(1000);
    kill(program.pid(), "SIGKILL");
    await program.session.ended;
    const again = await startProgram(["attach"], { home });
    await sees(again, "half a thought [Clipboard #1 | 11 chars, 2 lines]");
    // Cleared here, it is gone for good.
    again.session.type("\x03");
    await delay(1000);
    // What cleared it was the first of two: until that is over, the next one leaves.
    await again.session.until("the hint gone", () => !again.screen().includes("Ctrl-C again"));
    await leave(again);
    const last = await startProgram(["attach"], { home });
    await sees(last, "built-in demo");
    await delay(200);
    assert.ok(!last.screen().includes("half a thought"));
    await leave(last);
  });
});

Deno.test("the pod is killed: disconnected, draft kept, Enter resumes with all that was in the log", async () => {
  await withHome(async (home) => {
    const program = await startProgram([], { home });
    await sees(program, "built-in demo");
    program.session.type("read notes.txt\r");
    await sees(program, "finished");
    const [meta] = metasOf(home);
    kill(meta?.pid, "SIGKILL");
    await sees(program, `pod ${meta?.id} is gone`);
    program.session.type("still typed");
    await sees(program, "still typed");
    program.session.type("\r");
    await sees(program, "does not remember");
    const screen = program.screen();
    assert.ok(screen.includes("> still typed") && screen.includes("read notes.txt"), screen);
    // A second Enter sends it.
    program.session.type("\r");
    await program.session.until(
      "the answer",
      () => (program.screen().match(/finished/g) ?? []).length === 2,
      10_000,
    );
    await leave(program);
  });
});

Deno.test("two terminals on one pod see each other's messages; shut down in one, the other says so", async () => {
  await withHome(async (home) => {
    const one = await startProgram([], { home });
    await sees(one, "built-in demo");
    const two = await startProgram(["attach"], { home });
    await sees(two, "built-in demo");
    one.session.type("read notes.txt\r");
    await sees(two, "read notes.txt");
    await sees(two, "finished");
    await sees(one, "finished");
    two.session.type("/resume\r");
    const [meta] = metasOf(home);
    await sees(two, `trifold attach ${meta?.id}`);
    two.session.type("\x1b");
    await two.session.until("the panel closed", () => !two.screen().includes("Sessions"));
    await endsWith(one, 0, () => one.session.type("\x04"), { podsGoOn: true });
    await sees(two, "disconnected: shut down");
    await leave(two);
  });
});

Deno.test("/resume with standard error on the terminal: what Deno wipes while it loads is drawn again", async () => {
  await withHome(async (home) => {
    const program = await startProgram([], { home, errorsOnScreen: true });
    await sees(program, "built-in demo");
    program.session.type("/resume\r");
    await sees(program, "trifold attach");
    const rows = program.screen().split("\n").map((row) => row.trimEnd());
    assert.equal(rows.at(-1), ">");
    program.session.type("\x1b");
    await program.session.until("the panel closed", () => !program.screen().includes("Sessions"));
    await leave(program);
  });
});

/** Ends by itself with 1, its screen never taken. */
async function endsWithError(program: Program, error: RegExp): Promise<void> {
  await program.session.ended;
  assert.ok(program.session.output().includes("exit 1"));
  assert.ok(!program.session.output().includes("\x1b[?1049h"));
  assert.match(Deno.readTextFileSync(`${program.home}/errors`), error);
}

function metasOf(home: string): { readonly id: string; readonly pid: number | null }[] {
  const pods = `${home}/state/trifold/pods`;
  try {
    return [...Deno.readDirSync(pods)].map(({ name }) =>
      JSON.parse(Deno.readTextFileSync(`${pods}/${name}/meta.json`))
    );
  } catch {
    return [];
  }
}

function isAlive(pid: number | null | undefined): boolean {
  return pid != null && kill(pid, "SIGCONT");
}

/** Only processes whose pid stands in this test's own folder. */
function kill(pid: number | null | undefined, signal: Deno.Signal): boolean {
  if (pid == null) return false;
  try {
    Deno.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
