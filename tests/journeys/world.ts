// A machine for one journey: a home with its pods, a directory to work in, and terminals that come and go.
// What is done there is player.ts, or a test of its own.

import { endsWith, type Program, removeFolder, ROOT, sees, startProgram } from "../program_session.ts";

/** One line of a pod's log. */
export interface LogLine {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly seq?: number;
  readonly ts?: number;
}

export interface World {
  readonly home: string;
  /** The directory the person stands in. */
  readonly work: string;
  /** A terminal with the program in it. */
  open(args: readonly string[], size?: readonly [width: number, height: number]): Promise<Program>;
  /** The pods there are, as their meta.json says. */
  pods(): { readonly id: string; readonly pid: number | null; readonly status: string }[];
  /** The newest pod's log so far. */
  logText(): string;
  /** What the newest pod keeps as the draft. */
  draftText(): string;
  /** Where the demo agent works once it has changed something; null before. */
  scratch(): string | null;
}

/** The words that start tests/journeys/agent.ts. */
export function agentCommand(...flags: readonly string[]): string[] {
  return denoCommand("tests/journeys/agent.ts", ...flags);
}

/** The words that start a program of this project. */
export function denoCommand(program: string, ...args: readonly string[]): string[] {
  return [
    Deno.execPath(),
    "run",
    "-A",
    "--no-check",
    "--config",
    `${ROOT}deno.json`,
    ROOT + program,
    ...args,
  ];
}

/** A world of its own; its pods and agents end with it. */
export async function withWorld<Result>(
  files: Readonly<Record<string, string>>,
  test: (world: World) => Promise<Result>,
): Promise<Result> {
  const home = Deno.realPathSync(await Deno.makeTempDir({ prefix: "trifold_journey_" }));
  const world = makeWorld(home);
  Deno.mkdirSync(world.work);
  Deno.mkdirSync(`${home}/tmp`);
  for (const [path, text] of Object.entries(files)) Deno.writeTextFileSync(`${world.work}/${path}`, text);
  try {
    return await test(world);
  } finally {
    for (const pid of [...world.pods().map((pod) => pod.pid), readPid(`${home}/agent_pid`)]) {
      kill(pid, "SIGKILL");
    }
    await removeFolder(home);
  }
}

function makeWorld(home: string): World {
  const pods = `${home}/state/trifold/pods`;
  let opened = 0;
  const newest = () => `${pods}/${world.pods()[0]?.id ?? "none"}`;
  const world: World = {
    home,
    work: `${home}/work`,
    open: (args, [width, height] = [80, 24]) =>
      startProgram(args, {
        home,
        directory: `${home}/work`,
        width,
        height,
        terminal: String(++opened),
        environment: { TMPDIR: `${home}/tmp` },
      }),
    pods: () =>
      namesIn(pods).flatMap((name) => {
        const text = textOf(`${pods}/${name}/meta.json`);
        return text === "" ? [] : [JSON.parse(text)];
      }),
    logText: () => textOf(`${newest()}/log.jsonl`),
    draftText: () => textOf(`${newest()}/draft.json`),
    scratch() {
      const [name] = namesIn(`${home}/tmp`).filter((one) => one.startsWith("trifold-demo-"));
      return name === undefined ? null : `${home}/tmp/${name}`;
    },
  };
  return world;
}

/** The lines of a log; throws at one that is no JSON. A last line that is still being written is left out. */
export function readLog(text: string): LogLine[] {
  return text.slice(0, text.lastIndexOf("\n") + 1).split("\n").filter((line) => line !== "").map((line) =>
    JSON.parse(line)
  );
}

/** Ctrl-C twice, as one who leaves: the terminal is as before, the exit code 0. Returns what stood on stderr. */
export async function leave(program: Program): Promise<string> {
  return await endsWith(program, 0, async () => {
    program.session.type("\x03");
    await sees(program, "Ctrl-C again leaves");
    program.session.type("\x03");
  }, { podsGoOn: true });
}

/** A pid out of a file; null when there is none yet. */
export function readPid(path: string): number | null {
  const pid = Number(textOf(path));
  return pid > 1 ? pid : null;
}

/** Only processes whose pid stands in this test's own folder. False when there is none. */
export function kill(pid: number | null | undefined, signal: Deno.Signal): boolean {
  if (pid == null || pid <= 1) return false;
  try {
    Deno.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Waits for something that no screen shows. */
export async function until(what: string, isTrue: () => boolean, withinMs = 20_000): Promise<void> {
  const endMs = Date.now() + withinMs;
  while (!isTrue()) {
    if (Date.now() > endMs) throw new Error(`Waited for ${what} for ${withinMs} ms`);
    await delay(20);
  }
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** "" where there is no such file. */
export function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

function namesIn(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].map(({ name }) => name);
  } catch {
    return [];
  }
}
