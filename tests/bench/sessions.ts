// `trifold sessions` in a pseudo-terminal, in a home folder where every known agent keeps sessions.

import { makeSessionHome, type SessionHome } from "../session_home.ts";
import { environmentOf, type Executable, SOURCES } from "./program.ts";
import { endProgram, openPlainTerminal } from "./terminal.ts";

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
    environment: { ...environmentOf(home, executable), HOME: home, PWD: here },
  });
  const shownMs = await terminal.shows(isHere ? "words" : ".json") - startMs;
  await endProgram(terminal, "\x1b");
  return shownMs;
}
