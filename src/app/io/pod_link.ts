// The way from this client to its pod: attaches to one that runs, starts one that does not, and does the same again
// when the person asks to reconnect.

import type { Agent, AgentListener } from "../../agents/agent.ts";
import { attachToPod } from "../../pod/client.ts";
import { filesOf, isPodRunning, podDirectory, type PodMeta, readMeta } from "../../pod/directory.ts";
import { connectToLaunched, isNotThereYet, type LaunchedPod, launchPod, START_MS } from "../../pod/launch.ts";
import type { Places } from "../../pod/places.ts";
import { type Connection, connectTo } from "../../pod/socket.ts";

/** How long a pod that lives is given to listen again where its socket was taken away. */
const LISTEN_AGAIN_MS = 6000;

/** Attaches through the process that was just started, which has `startMs` to listen and `answerMs` to say a first word. */
export function attachToLaunched(
  pod: LaunchedPod,
  listener: AgentListener,
  { startMs = START_MS, answerMs = START_MS } = {},
): Agent {
  return attachToPod({
    name: `pod ${pod.meta.id}`,
    connect: () => connectToLaunched(pod, startMs),
    answer: { withinMs: answerMs, onSilence: () => pod.end() },
  }, listener);
}

/**
 * Attaches to a pod, started again on its stored session where it does not run. `connecting`: a connection that is on
 * its way already; where nothing comes of it, it is as if nobody had tried.
 */
export function attachOrResume(
  places: Places,
  id: string,
  listener: AgentListener,
  connecting: Promise<Connection> | null = null,
): Agent {
  const connect = () => connectOrResume(places, id);
  return attachToPod({ name: `pod ${id}`, connect: () => connecting?.catch(connect) ?? connect() }, listener);
}

async function connectOrResume(places: Places, id: string): Promise<Connection> {
  const files = filesOf(podDirectory(places, id));
  const meta = readMeta(files);
  if ("problem" in meta) throw new Error(meta.problem);
  const running = await connectWhileItRuns(meta, () => isPodRunning(files, meta));
  return running ?? await connectToLaunched(launchPod(places, meta));
}

/** Null when no pod runs there. */
async function connectWhileItRuns(
  meta: PodMeta,
  isRunning: () => Promise<boolean>,
): Promise<Connection | null> {
  const untilMs = Date.now() + LISTEN_AGAIN_MS;
  for (;;) {
    try {
      return await connectTo(meta.socket);
    } catch (error) {
      if (!isNotThereYet(error)) throw error;
    }
    if (!await isRunning()) return null;
    if (Date.now() > untilMs) {
      throw new Error(`Cannot reach pod ${meta.id}: it runs, but nothing answers at ${meta.socket}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
