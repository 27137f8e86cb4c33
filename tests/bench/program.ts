// The real program in a pseudo-terminal of 120x40, measured from outside: start, echo, memory, idleness.

import { openPtySession, type PtySession } from "../pty_session.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;

/** What one start showed. */
export interface ProgramFigures {
  readonly startMs: number;
  readonly memoryMb: number;
  readonly idlePercent: number;
  readonly idleBytes: number;
  readonly echoMs: number;
}

/** Starts the program with `args`, waits until the screen shows `text`; `isWhole`: also looks at echo, memory and idleness. */
export async function measureProgram(
  args: readonly string[],
  text: string,
  isWhole: boolean,
  /** Run instead of the sources, with a cache that stays, where a portable one is unpacked already. */
  executable: { readonly path: string; readonly cache: string } | null = null,
): Promise<ProgramFigures> {
  const home = await Deno.makeTempDir({ prefix: "trifold_bench_" });
  const startMs = performance.now();
  const session = openPtySession({
    command: executable === null
      ? [Deno.execPath(), "run", "-A", "--no-check", MAIN, ...args]
      : [executable.path, ...args],
    width: 120,
    height: 40,
    environment: {
      XDG_CONFIG_HOME: `${home}/config`,
      XDG_STATE_HOME: `${home}/state`,
      XDG_CACHE_HOME: executable?.cache ?? `${home}/cache`,
      XDG_RUNTIME_DIR: `${home}/run`,
      // Where the libraries are already.
      DENO_DIR: Deno.env.get("DENO_DIR") ??
        `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/deno`,
    },
  });
  const shows = (wanted: string) => session.output().includes(wanted);
  await session.until(text, () => shows(text), 20_000);
  const figures: ProgramFigures = {
    startMs: performance.now() - startMs,
    ...(isWhole ? await lookAround(session) : { memoryMb: 0, idlePercent: 0, idleBytes: 0, echoMs: 0 }),
  };
  // Clears the draft; then shuts a pod down, or leaves a recording.
  session.type("\x03\x04");
  await Promise.race([session.ended, new Promise((resolve) => setTimeout(resolve, 1500))]);
  try {
    Deno.kill(session.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
  await Deno.remove(home, { recursive: true });
  return figures;
}

async function lookAround(session: PtySession): Promise<Omit<ProgramFigures, "startMs">> {
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const memoryMb = statusMb(session.pid, "VmRSS");
  const cpu = cpuSeconds(session.pid);
  const bytes = session.output().length;
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const idlePercent = ((cpuSeconds(session.pid) - cpu) / 3) * 100;
  const idleBytes = session.output().length - bytes;
  const echoes: number[] = [];
  for (let at = 0; at < 40; at++) {
    const length = session.output().length;
    const sentMs = performance.now();
    session.type("x");
    while (session.output().length === length) await new Promise((resolve) => setTimeout(resolve, 0));
    echoes.push(performance.now() - sentMs);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { memoryMb, idlePercent, idleBytes, echoMs: median(echoes) };
}

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function statusMb(pid: number, field: string): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}

/** User and system time of a process, to a hundredth of a second. */
function cpuSeconds(pid: number): number {
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/^.*\) /, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
