// A live agent behind a real pod and a real client in a pseudo-terminal: how long an event takes to the terminal's
// bytes, whether 5,000 deltas a second are kept up with, what a key takes meanwhile, and what memory they cost.

import { environmentOf, removeFolder, SOURCES } from "./program.ts";
import { endProgram, median, memoryMb, openPlainTerminal, pause } from "./terminal.ts";

const AGENT = new URL("./live_agent.ts", import.meta.url).pathname;

export interface LiveFigures {
  /** From the agent's write to the bytes at the terminal, median, in ms wall; no frame cap is in the way. */
  readonly eventMs: number;
  /** The last word of a flood, from the agent's write to the terminal, median, in ms wall; up to a frame of 16 ms is the cap. */
  readonly floodLagMs: number;
  /** A key to the next bytes while the flood runs; these may be a token's, so it is a lower bound, median, in ms wall. */
  readonly floodKeyMs: number;
  /** What the client's memory grew by from the flood's second second to its end, in MB. */
  readonly floodMb: number;
}

const MARKS = 60;
const FLOODS = 7;

/** Runs it all once; the flood lasts that many seconds. */
export async function measureLive(seconds: number): Promise<LiveFigures> {
  const home = await Deno.makeTempDir({ prefix: "trifold_live_" });
  const agent = [Deno.execPath(), "run", "-A", "--no-check", "--no-config", "--no-lock", AGENT] as const;
  const terminal = openPlainTerminal({
    command: [...SOURCES, "run", "--", ...agent],
    columns: 120,
    rows: 40,
    environment: environmentOf(home, null),
  });
  try {
    await terminal.shows("normal");
    await pause(300);
    terminal.type(`slow ${MARKS}\r`);
    const took: number[] = [];
    for (let at = 1; at <= MARKS; at++) {
      // The first ones warm the engine up.
      const seenMs = performance.timeOrigin + await terminal.shows(`m${at}:`);
      if (at > 10) took.push(seenMs - saidAt(terminal.text(), at));
    }
    await pause(500);
    terminal.type(`flood ${seconds}\r`);
    await pause(2000);
    const before = memoryMb(terminal.pid);
    const keys: number[] = [];
    for (let at = 0; at < (seconds - 3) * 5; at++) {
      const typedMs = performance.now();
      terminal.type("k");
      keys.push(await terminal.more() - typedMs);
      await pause(190);
    }
    const lagOf = async (flood: number) => {
      const seenMs = performance.timeOrigin + await terminal.shows(`m${1000 + flood}:`, 60_000);
      return seenMs - saidAt(terminal.text(), 1000 + flood);
    };
    const lags = [await lagOf(1)];
    const floodMb = memoryMb(terminal.pid) - before;
    // Where in a frame's time the last word falls is chance.
    for (let flood = 2; flood <= FLOODS; flood++) {
      await pause(500);
      // Clears what was typed before.
      terminal.type("\x15flood 1\r");
      lags.push(await lagOf(flood));
    }
    return { eventMs: median(took), floodLagMs: median(lags), floodKeyMs: median(keys), floodMb };
  } finally {
    await endProgram(terminal, "\x03\x04");
    await removeFolder(home);
  }
}

/** When the agent said that mark. */
function saidAt(text: string, mark: number): number {
  const time = new RegExp(`m${mark}:(\\d+\\.\\d)`).exec(text)?.[1];
  if (time === undefined) throw new Error(`Cannot read the mark ${mark}: it came in pieces`);
  return Number(time);
}
