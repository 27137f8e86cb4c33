// The real program in a pseudo-terminal of 120x40, measured from outside: start, echo, memory, idleness.

import { CACHED_ENGINE_FLAGS } from "../../build/permissions.ts";
import {
  endProgram,
  median,
  memoryMb,
  openPlainTerminal,
  pause,
  percentile,
  type PlainTerminal,
  threadsMs,
} from "./terminal.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;

/** What one start showed. */
export interface ProgramFigures {
  readonly startMs: number;
  readonly memoryMb: number;
  readonly idlePercent: number;
  readonly idleBytes: number;
  readonly echoMs: number;
  /** Of a hundred keys the slowest but one. */
  readonly slowEchoMs: number;
}

/** What is run instead of the sources, with a cache that stays, where a portable one is unpacked already. */
export interface Executable {
  readonly command: readonly [string, ...string[]];
  readonly cache: string;
}

/** The program as its sources are run. */
export const SOURCES = [Deno.execPath(), "run", "-A", "--no-check", ...CACHED_ENGINE_FLAGS, MAIN] as const;

/** Starts the program with `args`, waits until the screen shows `text`; `isWhole`: also looks at echo, memory and idleness. */
export async function measureProgram(
  args: readonly string[],
  text: string,
  isWhole: boolean,
  executable: Executable | null = null,
): Promise<ProgramFigures> {
  const home = await Deno.makeTempDir({ prefix: "trifold_bench_" });
  const startMs = performance.now();
  const terminal = openPlainTerminal({
    command: [...executable?.command ?? SOURCES, ...args],
    columns: 120,
    rows: 40,
    environment: environmentOf(home, executable),
  });
  const figures: ProgramFigures = {
    startMs: await terminal.shows(text) - startMs,
    ...(isWhole
      ? await lookAround(terminal)
      : { memoryMb: 0, idlePercent: 0, idleBytes: 0, echoMs: 0, slowEchoMs: 0 }),
  };
  // Clears the draft; then shuts a pod down, or leaves a recording.
  await endProgram(terminal, "\x03\x04");
  await removeFolder(home);
  return figures;
}

/** What a program that lives in `home` is told of the world. */
export function environmentOf(home: string, executable: Executable | null): Readonly<Record<string, string>> {
  return {
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_STATE_HOME: `${home}/state`,
    XDG_CACHE_HOME: executable?.cache ?? `${home}/cache`,
    XDG_RUNTIME_DIR: `${home}/run`,
    // Where the libraries are already.
    DENO_DIR: Deno.env.get("DENO_DIR") ??
      `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/deno`,
  };
}

/** A pod that ends may still be writing there. */
export async function removeFolder(path: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch {
      await pause(100);
    }
  }
}

const IDLE_MS = 3000;
const KEYS = 200;

async function lookAround(terminal: PlainTerminal): Promise<Omit<ProgramFigures, "startMs">> {
  await pause(2500);
  const memory = memoryMb(terminal.pid);
  const [ranMs, bytes] = [threadsMs(terminal.pid), terminal.length()];
  await pause(IDLE_MS);
  const idlePercent = ((threadsMs(terminal.pid) - ranMs) / IDLE_MS) * 100;
  const idleBytes = terminal.length() - bytes;
  const echoes: number[] = [];
  for (let at = 0; at < KEYS; at++) {
    const sentMs = performance.now();
    terminal.type("x");
    echoes.push(await terminal.more() - sentMs);
    await pause(15);
  }
  return {
    memoryMb: memory,
    idlePercent,
    idleBytes,
    echoMs: median(echoes),
    slowEchoMs: percentile(echoes, 99),
  };
}
