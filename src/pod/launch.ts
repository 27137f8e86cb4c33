// Starting a pod as a process of its own: this program again, in its own session, so that it outlives the terminal.
// What it does there is main.ts of this folder.

import { filesOf, podDirectory, type PodMeta } from "./directory.ts";
import type { Places } from "./places.ts";
import { type SelfCommand, selfCommand } from "./self.ts";
import { type Connection, connectTo } from "./socket.ts";

/** A pod process that was started. */
export interface LaunchedPod {
  readonly meta: PodMeta;
  /** The exit code; a pod that is well does not end while it is waited for. */
  readonly ended: Promise<number>;
  /** What it has written to pod.log since it was started. */
  said(): string;
  /** Ends a pod that nobody could reach. */
  end(): void;
}

/** Starts the pod of a directory that has its meta.json. Standard error goes to pod.log, whoever writes it. */
export function launchPod(places: Places, meta: PodMeta, program: SelfCommand = selfCommand()): LaunchedPod {
  const { directory, errors } = filesOf(podDirectory(places, meta.id));
  const before = prepareErrors(errors);
  const command = [program.command, ...program.args, "__pod", directory];
  const child = spawnInOwnSession(command, errors);
  const ended = child.status.then((status) => status.code);
  child.unref();
  return {
    meta,
    ended,
    said: () => {
      try {
        return new TextDecoder().decode(Deno.readFileSync(errors).subarray(before)).trim();
      } catch {
        return "";
      }
    },
    end: () => {
      try {
        child.kill("SIGTERM");
      } catch {
        // It has ended by itself.
      }
    },
  };
}

/** How often a socket that is not there yet is tried, and for how long: a try takes 0.1 ms, and a person waits. */
const RETRY_MS = [1, 2, 4] as const;
export const START_MS = 20_000;

/** Connects as soon as the pod listens. Throws with the pod's own words when it ends before. */
export async function connectToLaunched(pod: LaunchedPod, startMs = START_MS): Promise<Connection> {
  const untilMs = Date.now() + startMs;
  let exitCode: number | null = null;
  void pod.ended.then((code) => exitCode = code);
  for (let attempt = 0;; attempt++) {
    try {
      return await connectTo(pod.meta.socket);
    } catch (error) {
      if (!isNotThereYet(error)) throw error;
    }
    if (exitCode !== null) {
      const said = pod.said().split("\n").slice(-10).join("\n");
      throw new Error(said === "" ? `Cannot start pod ${pod.meta.id}: it ended with ${exitCode}` : said);
    }
    if (Date.now() > untilMs) {
      // One that comes to it later would wait for a client that never comes.
      pod.end();
      throw new Error(`Cannot start pod ${pod.meta.id}: it does not answer`);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS[attempt] ?? RETRY_MS.at(-1)));
  }
}

/** True where the next try may succeed. */
export function isNotThereYet(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.ConnectionRefused;
}

/** Makes pod.log where it is missing; gives its length. */
function prepareErrors(path: string): number {
  const file = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
  const { size } = file.statSync();
  file.close();
  return size;
}

function spawnInOwnSession(command: readonly string[], errors: string): Deno.ChildProcess {
  const options = { stdin: "null", stdout: "null", stderr: "null", detached: true } as const;
  const [file = "", ...args] = command;
  try {
    // A shell can join standard error to a file, which Deno cannot; it is replaced by the program at once.
    return new Deno.Command("/bin/sh", {
      ...options,
      args: ["-c", 'log=$0; exec "$@" 2>>"$log"', errors, ...command],
    }).spawn();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return new Deno.Command(file, { ...options, args }).spawn();
  }
}
