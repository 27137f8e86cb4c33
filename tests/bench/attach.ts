// Attaching to a pod that holds a long session: from the start of the program to the session's tail on the screen.

import { createPod, filesOf, podDirectory } from "../../src/pod/directory.ts";
import { placesOf } from "../../src/pod/places.ts";
import { canConnect } from "../../src/pod/socket.ts";
import { environmentOf, type Executable, removeFolder, SOURCES } from "./program.ts";
import { endProgram, median, openPlainTerminal } from "./terminal.ts";

/** Seen once the status row is there: the first frame, whole. */
const SHOWN = "normal";
/** Leaves; the pod goes on. */
const LEAVE = "\x03\x03";
const POD_START_MS = 20_000;

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
  const { id, socket } = createPod(places, { agent: { kind: "demo" }, cwd: Deno.cwd(), idleEndMinutes: 5 });
  const directory = podDirectory(places, id);
  await Deno.writeTextFile(filesOf(directory).log, log);
  const run = (...words: string[]) => {
    const [file, ...args] = command;
    const silent = { stdin: "null", stdout: "null", stderr: "null" } as const;
    return new Deno.Command(file, { args: [...args, ...words], env: environment, ...silent });
  };
  const attach = async () => {
    const startMs = performance.now();
    const terminal = openPlainTerminal({
      command: [...command, "attach", id],
      columns: 120,
      rows: 40,
      environment,
    });
    const shownMs = await terminal.shows(SHOWN) - startMs;
    await endProgram(terminal, LEAVE);
    return shownMs;
  };
  // As a client starts it; a bundle alone does not know how.
  const pod = run("__pod", directory).spawn();
  try {
    for (const untilMs = performance.now() + POD_START_MS; !await canConnect(socket);) {
      if (performance.now() > untilMs) {
        throw new Error(`Cannot reach pod ${id}: nothing answers at ${socket}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // Once for the caches.
    await attach();
    const times: number[] = [];
    for (let at = 0; at < starts; at++) times.push(await attach());
    return median(times);
  } finally {
    await run("stop", id).output();
    await pod.status;
    await removeFolder(home);
  }
}
