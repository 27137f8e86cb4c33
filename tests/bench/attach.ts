// Attaching to a pod that holds a long session: from the start of the program to the session's tail on the screen.

import { createPod, filesOf, podDirectory } from "../../src/pod/directory.ts";
import { placesOf } from "../../src/pod/places.ts";
import { environmentOf, type Executable, removeFolder, SOURCES } from "./program.ts";
import { endProgram, median, openPlainTerminal } from "./terminal.ts";

/** Seen once the status row is there: the first frame, whole. */
const SHOWN = "normal";
/** Leaves; the pod goes on. */
const LEAVE = "\x03\x03";

/** Starts a pod on that log, attaches to it `starts` times, stops it; ms wall, median. */
export async function measureAttach(
  log: string,
  options: { readonly starts: number; readonly executable: Executable | null },
): Promise<number> {
  const { starts, executable } = options;
  const home = await Deno.makeTempDir({ prefix: "trifold_bench_" });
  const environment = environmentOf(home, executable);
  const command = executable?.command ?? SOURCES;
  const places = placesOf(`${home}/state/trifold`, (name) => environment[name]);
  const { id } = createPod(places, { agent: { kind: "demo" }, cwd: Deno.cwd(), idleEndMinutes: 5 });
  await Deno.writeTextFile(filesOf(podDirectory(places, id)).log, log);
  const show = async (word: "resume" | "attach") => {
    const startMs = performance.now();
    const terminal = openPlainTerminal({
      command: [...command, word, id],
      columns: 120,
      rows: 40,
      environment,
    });
    const shownMs = await terminal.shows(SHOWN) - startMs;
    await endProgram(terminal, LEAVE);
    return shownMs;
  };
  try {
    await show("resume");
    const times: number[] = [];
    for (let at = 0; at < starts; at++) times.push(await show("attach"));
    return median(times);
  } finally {
    const [file, ...args] = command;
    await new Deno.Command(file, { args: [...args, "stop", id], env: environment }).output();
    await removeFolder(home);
  }
}
