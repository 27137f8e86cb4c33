// The terminal comes back: every way out of a full-screen program, in a real pseudo-terminal.

import assert from "node:assert/strict";
import { openPtySession, type PtySession } from "./pty_session.ts";
import { checkWithin } from "./slowness.ts";

const PROGRAM = new URL("./terminal_program.ts", import.meta.url).pathname;
const MARKERS = ["marker one", "marker two", "marker three"];

interface Started {
  readonly session: PtySession;
  /** Process id of the program itself; the session's is the shell's. */
  readonly pid: () => number;
  readonly modes: ReturnType<PtySession["emulator"]["modes"]>;
}

/** A shell prints markers and tty settings, runs the program, then prints its exit code and the settings again. */
async function start(
  options: { lendTo?: string; answers?: boolean; jobControl?: boolean } = {},
): Promise<Started> {
  const pidFile = await Deno.makeTempFile({ prefix: "terminal_pty_" });
  const script = [
    "printf '\\033]2;outside\\007'",
    ...MARKERS.map((marker) => `echo '${marker}'`),
    ...(options.jobControl === true ? ["set -m"] : []),
    'echo "before $(stty -g)"',
    `"$DENO" run -A --no-check "$PROGRAM" "$PID_FILE" "$LEND_TO"`,
    // What an interactive shell does: it goes on when the job stops, and continues it when told to.
    ...(options.jobControl === true ? ['echo "stopped $?, $(stty -g)"', "read line", "fg > /dev/null"] : []),
    'echo "exit $?"',
    'echo "after $(stty -g)"',
  ].join("\n");
  const session = openPtySession({
    command: ["sh", "-c", script],
    width: 200,
    height: 24,
    environment: {
      DENO: Deno.execPath(),
      PROGRAM,
      PID_FILE: pidFile,
      LEND_TO: options.lendTo ?? "true",
      NO_COLOR: "1",
    },
    answers: options.answers ?? true,
  });
  const modes = session.emulator.modes();
  const [row, text] = options.answers === false ? [0, "ready"] as const : [1, "synchronized"] as const;
  const isDrawn = () => session.emulator.picture()[row]?.startsWith(text) ?? false;
  await session.until("the first frame", isDrawn, 20000);
  return { session, modes, pid: () => Number(Deno.readTextFileSync(pidFile)) };
}

/** Everything is as it was before, and the program ended with that code, within a second. */
async function checkRestored(
  started: Started,
  exitCode: number,
  endedBy: () => void | Promise<void>,
): Promise<string[]> {
  const { session, modes } = started;
  const { emulator } = session;
  await endedBy();
  const startMs = Date.now();
  await session.until("the program's end", () => session.output().includes(`exit ${exitCode}\r\n`));
  await checkWithin(1500, Date.now() - startMs);
  await session.ended;
  const screen = emulator.normalScreen().filter((row) => row !== "");
  assert.deepEqual(screen.slice(0, 3), MARKERS);
  const before = screen.find((row) => row.startsWith("before "));
  const after = screen.find((row) => row.startsWith("after "));
  assert.equal(after?.slice("after ".length), before?.slice("before ".length));
  assert.deepEqual(emulator.modes(), modes);
  assert.equal(emulator.title(), "outside");
  assert.equal(emulator.scrollbackLength(), 0);
  assert.deepEqual(emulator.requests, []);
  return screen.slice(4, -1).filter((row) => !row.startsWith("exit "));
}

function press(started: Started, key: string): () => void {
  return () => started.session.type(key);
}

function kill(started: Started, signal: Deno.Signal): () => void {
  return () => Deno.kill(started.pid(), signal);
}

Deno.test("U14 the screen is taken: alternate screen, modes, title, nothing in the scrollback", async () => {
  const started = await start();
  const { session } = started;
  assert.deepEqual(session.emulator.modes(), {
    ...started.modes,
    alternateScreen: true,
    mouse: "drag",
    sgrMouse: true,
    focus: true,
    bracketedPaste: true,
    autowrap: false,
    cursorStyle: 6,
    keyboardStack: [1],
    modifyOtherKeys: 1,
  });
  assert.equal(session.emulator.title(), "inside");
  assert.ok(session.output().includes("\x1b[?2026h"));
  assert.deepEqual(await checkRestored(started, 0, press(started, "q")), []);
});

Deno.test("U14 a throw, a rejection and an error while drawing restore first and are printed once", async () => {
  for (
    const [key, message] of [["e", "thrown by a timer"], ["r", "rejected"], ["d", "drawing failed"]] as const
  ) {
    const started = await start();
    const printed = await checkRestored(started, 1, press(started, key));
    assert.equal(printed.filter((row) => row.includes(`Error: ${message}`)).length, 1, printed.join("\n"));
  }
});

Deno.test("U14 Deno.exit from anywhere restores", async () => {
  const started = await start();
  assert.deepEqual(await checkRestored(started, 7, press(started, "x")), []);
});

Deno.test("U14 signals restore and give their codes", async () => {
  for (
    const [signal, code] of [["SIGTERM", 143], ["SIGHUP", 129], ["SIGINT", 130], ["SIGQUIT", 131]] as const
  ) {
    const started = await start();
    assert.deepEqual(await checkRestored(started, code, kill(started, signal)), []);
  }
});

Deno.test("U14 SIGTERM during a resize storm", async () => {
  const started = await start();
  const storm = async () => {
    for (let count = 0; count < 40; count++) {
      started.session.resize(100 + (count * 7) % 100, 10 + count % 14);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    started.session.resize(200, 24);
    kill(started, "SIGTERM")();
  };
  assert.deepEqual(await checkRestored(started, 143, storm), []);
});

Deno.test("a size is told once, and everything painted for it", async () => {
  const started = await start();
  const { session } = started;
  session.resize(120, 20);
  await session.until(
    "the new size",
    () => session.emulator.picture().some((row) => row.startsWith("size 120x20")),
  );
  session.resize(200, 24);
  await session.until(
    "the old size",
    () => session.emulator.picture().some((row) => row.startsWith("size 200x24")),
  );
  assert.equal(session.emulator.picture().filter((row) => row.startsWith("size ")).length, 2);
  assert.deepEqual(await checkRestored(started, 0, press(started, "q")), []);
});

async function checkSuspended(started: Started, suspend: () => void): Promise<void> {
  const { session, modes } = started;
  const { emulator } = session;
  suspend();
  await session.until("the shell", () => emulator.normalScreen().some((row) => row.startsWith("stopped ")));
  assert.equal(processState(started.pid()), "T");
  assert.deepEqual(emulator.modes(), modes);
  assert.deepEqual(emulator.normalScreen().slice(0, 3), MARKERS);
  const settings = (word: string) =>
    emulator.normalScreen().find((row) => row.startsWith(word))?.split(" ").at(-1);
  assert.equal(settings("stopped "), settings("before "));
  session.type("\r");
  await session.until("the repaint", () => emulator.picture().some((row) => row.startsWith("repaint")));
  assert.equal(emulator.modes().alternateScreen, true);
  session.type("k");
  await session.until("a key", () => emulator.picture().some((row) => row.startsWith("read k")));
  const printed = await checkRestored(started, 0, press(started, "q"));
  assert.equal(printed.length, 1, printed.join("\n"));
}

Deno.test("edge 98 suspend gives the terminal to the shell, fg takes it again", async () => {
  const started = await start({ jobControl: true });
  await checkSuspended(started, press(started, "z"));
});

Deno.test("edge 98 a stop from outside restores as well", async () => {
  const started = await start({ jobControl: true });
  await checkSuspended(started, kill(started, "SIGTSTP"));
});

Deno.test("edge 98 without job control nothing is suspended", async () => {
  const started = await start();
  const { session } = started;
  session.type("z");
  await session.until(
    "the answer",
    () => session.emulator.picture().some((row) => row.startsWith("no job control")),
  );
  assert.deepEqual(await checkRestored(started, 0, press(started, "q")), []);
});

Deno.test("edge 98 a stop that cannot be caught is repaired when it ends", async () => {
  const started = await start();
  const { session } = started;
  kill(started, "SIGSTOP")();
  await session.until("the stop", () => processState(started.pid()) === "T");
  session.emulator.write("\x1b[?1049l\x1b[?2004l\x1b[?25h");
  kill(started, "SIGCONT")();
  await session.until(
    "the repaint",
    () => session.emulator.picture().some((row) => row.startsWith("repaint")),
  );
  assert.equal(session.emulator.modes().bracketedPaste, true);
  assert.deepEqual(await checkRestored(started, 0, press(started, "q")), []);
});

Deno.test("U14 a program that ends at once waits for the answers to its queries", async () => {
  const started = await start({ answers: false });
  const { session } = started;
  session.type("q");
  await new Promise((resolve) => setTimeout(resolve, 30));
  for (const answer of session.emulator.answers) session.type(answer);
  // Typed into the shell, they would stand in its terminal's echo.
  assert.deepEqual(await checkRestored(started, 0, () => {}), []);
});

Deno.test("another program gets every key while it has the terminal, and the terminal back to itself", async () => {
  const started = await start({
    lendTo: 'echo "lent $(stty -a | grep -c -w icanon)"; read line; echo "got [$line]"',
  });
  const { session } = started;
  session.type("l");
  await session.until(
    "the other program",
    () => session.emulator.normalScreen().some((row) => row === "lent 1"),
  );
  session.type("first words\r");
  await session.until("the return", () => session.emulator.picture().some((row) => row.startsWith("back")));
  assert.ok(session.emulator.normalScreen().includes("got [first words]"));
  session.type("k");
  await session.until("a key", () => session.emulator.picture().some((row) => row.startsWith("read k")));
  const printed = await checkRestored(started, 0, press(started, "q"));
  assert.deepEqual(printed, ["lent 1", "first words", "got [first words]"]);
});

Deno.test("U14 SIGTERM while another program has the terminal ends both", async () => {
  const started = await start({
    lendTo: "stty raw -echo; printf '\\033[?1049h\\033[?1000hedit'; exec sleep 30",
  });
  const { session } = started;
  session.type("l");
  await session.until("the editor", () => session.emulator.picture().some((row) => row.startsWith("edit")));
  assert.deepEqual(await checkRestored(started, 143, kill(started, "SIGTERM")), []);
});

Deno.test("a terminal that answers nothing can be lent too", async () => {
  const started = await start({ answers: false, lendTo: "echo lent" });
  const { session } = started;
  session.type("l");
  await session.until("the return", () => session.emulator.picture().some((row) => row.startsWith("back")));
  assert.deepEqual(await checkRestored(started, 0, press(started, "q")), ["lent"]);
});

Deno.test("a terminal that is full keeps no key waiting and gets the newest frame when it is read again", async () => {
  const started = await start();
  const { session } = started;
  session.pause();
  session.type("f");
  await new Promise((resolve) => setTimeout(resolve, 100));
  session.type("k");
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(!session.output().includes("read k"));
  session.resume();
  await session.until(
    "the newest frame",
    () => session.emulator.picture().some((row) => row.startsWith("read k")),
  );
  assert.deepEqual(await checkRestored(started, 0, press(started, "q")), []);
});

Deno.test("U14 SIGTERM while the terminal takes nothing any more", async () => {
  const started = await start();
  const { session } = started;
  const pid = started.pid();
  session.pause();
  session.type("f");
  await new Promise((resolve) => setTimeout(resolve, 100));
  Deno.kill(pid, "SIGTERM");
  const startMs = Date.now();
  await session.until("the end", () => processState(pid) === null);
  await checkWithin(1000, Date.now() - startMs);
  session.resume();
  await session.until("the exit code", () => session.output().includes("exit 143\r\n"));
});

Deno.test("U14 SIGTERM while the terminal takes nothing for a moment", async () => {
  const started = await start();
  const { session } = started;
  const slow = async () => {
    session.pause();
    session.type("f");
    await new Promise((resolve) => setTimeout(resolve, 50));
    kill(started, "SIGTERM")();
    await new Promise((resolve) => setTimeout(resolve, 300));
    session.resume();
  };
  assert.deepEqual(await checkRestored(started, 143, slow), []);
});

Deno.test("a hang-up ends the program within a second", async () => {
  const started = await start();
  const pid = started.pid();
  const startMs = Date.now();
  started.session.close();
  await started.session.until("the end", () => processState(pid) === null);
  await checkWithin(1000, Date.now() - startMs);
});

Deno.test("edge 96 without a terminal there is a message and not one escape byte", async () => {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", PROGRAM, "/dev/null"],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    env: { NO_COLOR: "1" },
  });
  const { code, stdout, stderr } = await command.output();
  assert.equal(code, 1);
  assert.equal(new TextDecoder().decode(stdout), "");
  assert.equal(new TextDecoder().decode(stderr), "Cannot start: stdin and stdout must be a terminal\n");
});

/** The kernel's letter for the process ("T" stopped), null when there is none; Linux only. */
function processState(pid: number): string | null {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/stat`);
    const state = status.slice(status.lastIndexOf(")") + 2, status.lastIndexOf(")") + 3);
    return state === "Z" ? null : state;
  } catch {
    return null;
  }
}
