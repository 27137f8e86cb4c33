// The pod's process: reads what it is to run, starts the host, and sees to signals and faults. No terminal, and
// standard error is pod.log.

import { factoryOf, type StarterLoaders } from "./agents.ts";
import { filesOf, readMeta } from "./directory.ts";
import { type PodHost, startPod } from "./host.ts";

/** Runs the pod of a directory until it ends; gives the exit code. */
export async function runPod(directory: string, loaders: StarterLoaders): Promise<number> {
  const files = filesOf(directory);
  const meta = readMeta(files);
  if ("problem" in meta) return refuse(meta.problem);
  const ended = Promise.withResolvers<number>();
  let host: PodHost | null = null;
  hookFaults((what) => {
    if (host === null) Deno.exit(1);
    void host.end(what, 1);
  });
  try {
    host = await startPod({
      meta,
      files,
      startAgent: factoryOf(meta.agent, loaders),
      say,
      onEnd: ({ code, isStored }) => {
        // Nothing was said, nothing can be resumed, and whoever started it has been told why.
        if (!isStored) removeIfThere(directory);
        ended.resolve(code);
      },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  for (const [signal, code] of [["SIGTERM", 143], ["SIGINT", 130]] as const) {
    Deno.addSignalListener(signal, () => void host?.end(`ended by ${signal}`, code));
  }
  // It has no terminal that could hang up.
  Deno.addSignalListener("SIGHUP", () => {});
  return await ended.promise;
}

function removeIfThere(directory: string): void {
  try {
    Deno.removeSync(directory, { recursive: true });
  } catch {
    // Somebody was faster.
  }
}

/** A fault of our own is written down, and the clients are told before the process ends. */
function hookFaults(onFault: (what: string) => void): void {
  const take = (error: unknown) => {
    say(error instanceof Error ? error.stack ?? error.message : String(error));
    onFault(`the pod failed: ${error instanceof Error ? error.message : String(error)}`);
  };
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    take(event.error);
  });
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    take(event.reason);
  });
}

function refuse(what: string): number {
  console.error(what);
  return 1;
}

/** UTF-16 units that one process writes to pod.log; an agent must not fill the disk with what cannot be read. */
const MOST_SAID = 1 << 20;
let said = 0;

function say(text: string): void {
  if (said > MOST_SAID) return;
  said += text.length;
  const isLast = said > MOST_SAID;
  try {
    console.error(`${new Date().toISOString()} ${text}${isLast ? "\n(more is not written down)" : ""}`);
  } catch {
    // The disk is full: that must not end the pod, which keeps its lines until there is room again.
  }
}
