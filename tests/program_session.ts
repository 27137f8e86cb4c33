// The real program in a real pseudo-terminal, started by a shell that shows afterwards what it left behind.

import assert from "node:assert/strict";
import { createEmulator } from "./emulator.ts";
import { openPtySession, type PtySession } from "./pty_session.ts";
import { exists } from "./paths.ts";

export const ROOT = new URL("../", import.meta.url).pathname;
export const MAIN = `${ROOT}main.ts`;
const FROM_SOURCES = '"$DENO" run -A --no-check --config "$CONFIG" "$MAIN"';
const MARKERS = ["marker one", "marker two", "marker three"];

export interface Program {
  readonly session: PtySession;
  readonly home: string;
  /** Behind the names of the files its shell writes. */
  readonly terminal: string;
  readonly keepsHome: boolean;
  /** Process id of the client. */
  pid(): number;
  screen(): string;
}

export interface ProgramOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** An executable to be run instead of the sources. */
  readonly executable?: string;
  /** A file that becomes standard input. */
  readonly input?: string;
  /** True: standard error is the terminal, as it is for people; else a file, which endsWith gives back. */
  readonly errorsOnScreen?: boolean;
  /** A folder of the caller's own, which stays; else a fresh one that goes with the program. */
  readonly home?: string;
  /** Where the program is started; else in the home. */
  readonly directory?: string;
  /** Tells several terminals of one home apart. */
  readonly terminal?: string;
  readonly width?: number;
  readonly height?: number;
}

/** A shell prints markers and its tty settings, runs the program with `args`, then prints its exit code and the settings again. */
export async function startProgram(
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<Program> {
  const home = options.home ?? await Deno.makeTempDir({ prefix: "trifold_pty_" });
  const terminal = options.terminal ?? "";
  const seen = `${home}/seen${terminal}`;
  if (exists(seen)) await Deno.remove(seen);
  await Deno.writeTextFile(`${home}/notes.txt`, "first line\nsecond line\n");
  const script = [
    // A program that SIGINT ends before it has a handler would take its shell along: so only the rest of a line of a
    // script goes with it, and the code is the one that was there before.
    "trap : INT",
    "code=130",
    ...MARKERS.map((marker) => `echo '${marker}'`),
    'stty -g > "$BEFORE"',
    `${options.executable === undefined ? FROM_SOURCES : '"$EXECUTABLE"'} ${
      args.map((arg) => `'${arg}'`).join(" ")
    } ${options.input === undefined ? "" : '<"$INPUT"'} ${
      options.errorsOnScreen === true ? "" : '2>"$ERRORS"'
    } &`,
    'echo $! > "$PID_FILE"',
    "fg >/dev/null 2>&1; code=$?",
    // As a person at a shell: sees that it was suspended, and continues it.
    'if [ -n "$(jobs -s)" ]; then echo suspended; sleep 0.3; fg >/dev/null 2>&1; code=$?; fi',
    'echo "exit $code"',
    'stty -g > "$AFTER"',
    // What a busy machine has not read when the last process of a terminal ends is lost.
    'for n in {1..250}; do if [ -e "$SEEN" ]; then break; fi; sleep 0.02; done',
  ].join("\n");
  // A shell reads its script as it goes: one of its own for each, though several terminals share a home.
  const file = await Deno.makeTempFile({ dir: home, prefix: "session_", suffix: ".sh" });
  await Deno.writeTextFile(file, script + "\n");
  const session = openPtySession({
    command: ["bash", "-m", file],
    width: options.width ?? 80,
    height: options.height ?? 24,
    directory: options.directory ?? home,
    onOutput: noteEnd(seen),
    environment: {
      DENO: Deno.execPath(),
      CONFIG: `${ROOT}deno.json`,
      MAIN,
      PID_FILE: `${home}/pid${terminal}`,
      ERRORS: `${home}/errors${terminal}`,
      BEFORE: `${home}/before${terminal}`,
      AFTER: `${home}/after${terminal}`,
      SEEN: seen,
      ...homeEnvironment(home),
      EXECUTABLE: options.executable ?? "",
      INPUT: options.input ?? "",
      ...options.environment,
    },
  });
  return {
    session,
    home,
    terminal,
    keepsHome: options.home !== undefined,
    pid: () => Number(Deno.readTextFileSync(`${home}/pid${terminal}`)),
    screen: () => session.emulator.picture().join("\n"),
  };
}

/** What a program that lives in `home` is told of the world; the libraries are where they are already. */
export function homeEnvironment(home: string): Readonly<Record<string, string>> {
  return {
    HOME: home,
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_STATE_HOME: `${home}/state`,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_RUNTIME_DIR: `${home}/run`,
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
  };
}

/** Makes the file once the shell's last line has been read. */
function noteEnd(seen: string): (data: string) => void {
  let tail = "";
  return (data) => {
    tail = (tail + data).slice(-200);
    if (!/exit \d+\r\n/.test(tail)) return;
    try {
      Deno.writeTextFileSync(seen, "");
    } catch {
      // The test is over, and its folder gone.
    }
  };
}

export async function sees(program: Program, text: string, timeoutMs = 30_000): Promise<void> {
  await program.session.until(JSON.stringify(text), () => program.screen().includes(text), timeoutMs);
}

/** Ends the program by `deed`; the terminal is then as it was, and the exit code is `code`. Returns what stood on stderr. */
export async function endsWith(
  program: Program,
  code: number,
  deed: () => void | Promise<void>,
  options: { readonly podsGoOn?: boolean } = {},
): Promise<string> {
  const { session, home, terminal } = program;
  const { emulator } = session;
  await deed();
  await session.until(`exit ${code}`, () => session.output().includes(`exit ${code}\r\n`), 30_000);
  await session.ended;
  const rows = emulator.normalScreen().filter((row) => row !== "");
  assert.deepEqual(rows.slice(0, 3), MARKERS);
  const settings = (when: string) => Deno.readTextFileSync(`${home}/${when}${terminal}`);
  assert.notEqual(settings("before"), "");
  assert.equal(settings("after"), settings("before"), "tty settings");
  // Alternate screen, mouse, focus, paste, keyboard protocol, autowrap, scroll region, cursor: as of a new terminal.
  const untouched = createEmulator({ width: emulator.width, height: emulator.height });
  assert.deepEqual(emulator.modes(), untouched.modes());
  untouched.dispose();
  assert.equal(emulator.scrollbackLength(), 0);
  assert.deepEqual(emulator.requests, []);
  assert.ok(emulator.cursor().visible, "the cursor is visible");
  assert.ok(!rows.some((row) => row.includes("careful-1")), "nothing of ours is left");
  const said = `${home}/errors${terminal}`;
  const errors = exists(said) ? await Deno.readTextFile(said) : "";
  if (options.podsGoOn !== true) endPods(home);
  if (!program.keepsHome) await removeFolder(home);
  return errors;
}

/**
 * A fault of our own ends the program (U14): the terminal is as it was, and what went wrong is said behind that, once.
 * `program` was started with TRIFOLD_FAULT and its errors on the screen.
 */
export async function endsWithFault(program: Program, text: string): Promise<void> {
  const { session } = program;
  await endsWith(program, 1, async () => {
    await kill(program, "SIGUSR2");
    await new Promise((resolve) => setTimeout(resolve, 50));
    // What fails while drawing needs something to draw.
    if (text.includes("drawing")) session.type("x");
  });
  const output = session.output();
  // With the name of its kind: Deno also shows the line of source that threw.
  const said = `Error: ${text}`;
  assert.equal(output.split(said).length, 2, `${JSON.stringify(text)} is said once`);
  assert.ok(output.indexOf(said) > output.lastIndexOf("\x1b[?1049l"), "said after the screen was given back");
  assert.ok(session.emulator.normalScreen().join("").includes(said));
}

/** What is just ending may still write there. */
export async function removeFolder(path: string): Promise<void> {
  for (let tries = 0;; tries++) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (tries > 100 || error instanceof Deno.errors.NotFound) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Pods outlive their clients; those of a test end with it. */
export function endPods(home: string): void {
  const pods = `${home}/state/trifold/pods`;
  try {
    for (const entry of Deno.readDirSync(pods)) {
      const { pid } = JSON.parse(Deno.readTextFileSync(`${pods}/${entry.name}/meta.json`));
      if (typeof pid === "number") Deno.kill(pid, "SIGTERM");
    }
  } catch {
    // There are none, or they have ended.
  }
}

export async function kill(program: Program, signal: Deno.Signal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  Deno.kill(program.pid(), signal);
}
