// `deno task bench --flood`: what a message of 5,000 deltas a second costs the real client and the real pod over a
// minute: memory as it goes, time of the processor, and how far the screen is behind. --flood=NAME picks a stream.

import { environmentOf, SOURCES } from "./program.ts";
import { FLOOD_OVER, FLOOD_STARTS_MS } from "./flood_agent.ts";
import { STREAMS } from "./streams.ts";
import { endProgram, memoryMb, openPlainTerminal, pause, threadsMs } from "./terminal.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const RATE = 5000;
const LOOKS = 6;

/** Prints a table; `wanted` is part of a stream's name, "" the first of each kind. */
export async function floodClient(wanted: string, seconds: number): Promise<void> {
  const names = STREAMS.map((stream) => stream.name).filter((name) =>
    wanted === "" ? ["an answer, prose", "reasoning", "output"].includes(name) : name.includes(wanted)
  );
  for (const name of names) await floodWith(name, seconds);
}

async function floodWith(name: string, seconds: number): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "trifold_flood_" });
  const run = [Deno.execPath(), "run", "-A", "--no-check", "--config", `${ROOT}deno.json`];
  const agent = [
    ...run,
    `${ROOT}tests/bench/flood_agent.ts`,
    name,
    String(seconds),
    String(RATE),
    `${home}/end`,
  ];
  const terminal = openPlainTerminal({
    command: [...SOURCES, "run", "--", ...agent],
    columns: 120,
    rows: 40,
    environment: environmentOf(home, null),
  });
  try {
    await terminal.shows("Trifold");
    await pause(FLOOD_STARTS_MS - 1000);
    const pod = podOf(home);
    const startMs = performance.now() + 1000;
    const over = terminal.shows(FLOOD_OVER, (seconds + 60) * 1000);
    console.log(`${name}: ${RATE} deltas a second for ${seconds} s; memory in MB, processor in %`);
    const look = (when: string, ranMs: readonly [number, number], lengthMs: number) =>
      console.log(
        `  ${when.padEnd(7)} client ${megabytes(terminal.pid)} ${
          share(terminal.pid, ranMs[0], lengthMs)
        }   pod ${megabytes(pod)} ${share(pod, ranMs[1], lengthMs)}`,
      );
    const ran = () => [threadsMs(terminal.pid), threadsMs(pod)] as const;
    look("before", ran(), 1);
    for (let at = 1; at <= LOOKS; at++) {
      const [before, fromMs] = [ran(), performance.now()];
      await pause(startMs + seconds * 1000 * at / LOOKS - performance.now());
      look(`${(seconds * at / LOOKS).toFixed(0)} s`, before, performance.now() - fromMs);
    }
    const seenMs = performance.timeOrigin + await over;
    const behindMs = seenMs - Number(await Deno.readTextFile(`${home}/end`));
    console.log(`  its end was on the screen ${behindMs.toFixed(0)} ms after it was told`);
    await pause(5000);
    look("after", ran(), 1);
  } finally {
    await endProgram(terminal, "\x03\x04");
    await pause(500);
    await Deno.remove(home, { recursive: true }).catch(() => {});
  }
}

/** The process of the pod that was started with that home. */
function podOf(home: string): number {
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const isOurs = Deno.readTextFileSync(`/proc/${name}/environ`).includes(home);
      if (isOurs && Deno.readTextFileSync(`/proc/${name}/cmdline`).includes("__pod")) return Number(name);
    } catch {
      // It has ended, or is another's.
    }
  }
  throw new Error("Cannot find the pod");
}

function megabytes(pid: number): string {
  return memoryMb(pid).toFixed(0).padStart(4);
}

function share(pid: number, beforeMs: number, lengthMs: number): string {
  return lengthMs <= 1 ? "    " : `${((threadsMs(pid) - beforeMs) / lengthMs * 100).toFixed(0).padStart(3)}%`;
}
