// `trifold attach` and `trifold resume`: a pod that exists, shown. The other commands about pods are pods.ts.

import { choosePod, listPods, type PodEntry, podWithId } from "../../pod/directory.ts";
import { launchPod } from "../../pod/launch.ts";
import type { Places } from "../../pod/places.ts";
import { connectTo } from "../../pod/socket.ts";
import type { Call } from "../commands.ts";
import { later } from "./later.ts";
import { NO_PLACE, podPlaces } from "./pod_places.ts";
import { isInteractive, NO_TERMINAL, refuse } from "./refuse.ts";

/** `trifold attach [POD]`. */
export async function attachCommand(call: Call): Promise<number> {
  return await showChosen(call, true);
}

/** `trifold resume [POD]`: a pod that runs is attached to. With an agent's name its own sessions are meant. */
export async function resumeCommand(call: Call): Promise<number> {
  const { agent } = call.flags;
  if (agent !== null) return await (await later("agent_sessions")).resumeOfAgent(call, agent);
  return await showChosen(call, false);
}

async function showChosen(call: Call, running: boolean): Promise<number> {
  if (!isInteractive()) return refuse(NO_TERMINAL);
  const places = podPlaces();
  if (places === null) return refuse(NO_PLACE);
  // Asked for at once: what is loaded while pods are looked for need not be waited for.
  const loading = later("show_pod");
  const found = await choosePodOf(places, call.words[0], running);
  if ("problem" in found) return refuse(found.problem);
  const { meta, isRunning } = found;
  if (running && !isRunning) {
    return refuse(
      `Cannot attach to pod ${meta.id}: it does not run; trifold resume ${meta.id} starts it again`,
    );
  }
  const launched = isRunning ? null : launchPod(places, meta);
  // The pod gets its history ready while what shows it is loaded here.
  const connecting = isRunning ? connectTo(meta.socket) : null;
  connecting?.catch(() => {});
  const { showPod } = await loading;
  return await showPod({ places, meta, launched, connecting, prompt: null }, call.flags);
}

/** The pod that a word of the command line means. */
export async function choosePodOf(
  places: Places,
  word: string | undefined,
  running: boolean,
): Promise<PodEntry | { readonly problem: string }> {
  // Looking at all takes 0.1 ms a pod, and people keep hundreds.
  const exact = word === undefined ? null : await podWithId(places, word);
  return exact ?? choosePod(await listPods(places), word, { cwd: Deno.cwd(), running });
}
