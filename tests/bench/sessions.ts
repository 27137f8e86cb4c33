// `trifold sessions` in a pseudo-terminal, in a home folder where every known agent keeps sessions.

import { ENGINE_FLAGS } from "../../build/permissions.ts";
import { makeSessionHome, type SessionHome } from "../session_home.ts";
import type { Executable } from "./program.ts";
import { endProgram, openPlainTerminal } from "./terminal.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;
const SOURCES = [Deno.execPath(), "run", "-A", "--no-check", ...ENGINE_FLAGS, MAIN] as const;

/** A home with so many sessions, below `folder`. */
export function sessionHome(folder: string, count: number): Promise<SessionHome> {
  return makeSessionHome(`${folder}/home`, count);
}

/** From the start to the first row, in ms; `isHere`: of those of one directory, which have been read then. */
export async function measureSessions(
  { home, here }: SessionHome,
  isHere: boolean,
  executable: Executable | null = null,
): Promise<number> {
  const startMs = performance.now();
  const terminal = openPlainTerminal({
    command: [...executable?.command ?? SOURCES, "sessions", ...isHere ? ["--here"] : []],
    columns: 120,
    rows: 40,
    directory: here,
    environment: {
      HOME: home,
      PWD: here,
      XDG_CONFIG_HOME: `${home}/config`,
      XDG_STATE_HOME: `${home}/state`,
      XDG_CACHE_HOME: executable?.cache ?? `${home}/cache`,
      DENO_DIR: Deno.env.get("DENO_DIR") ??
        `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/deno`,
    },
  });
  const shownMs = await terminal.shows(isHere ? "words" : ".json") - startMs;
  await endProgram(terminal, "\x1b");
  return shownMs;
}
