// A pod shown: this client joined to it, its agent waited for, then the screen. All that a first frame needs is loaded
// with this, in one go: each further import() on the way costs a start two milliseconds and more.

import { discardUnbegun, type PodMeta } from "../../pod/directory.ts";
import type { LaunchedPod } from "../../pod/launch.ts";
import type { Places } from "../../pod/places.ts";
import type { Connection } from "../../pod/socket.ts";
import type { Flags } from "../commands.ts";
import { showClient } from "../run.ts";
import { awaitAgent, type StartAgent } from "./await_agent.ts";
import { attachOrResume, attachToLaunched } from "./pod_link.ts";
import { refuse } from "./refuse.ts";

/** Attaches to a pod, waits until its agent is there, and shows it until the client ends. */
export async function showPod(
  pod: {
    readonly places: Places;
    readonly meta: PodMeta;
    /** Null: it runs, or is to be started again. */
    readonly launched: LaunchedPod | null;
    /** A connection to it that is on its way already. */
    readonly connecting: Promise<Connection> | null;
    readonly prompt: string | null;
  },
  flags: Flags,
): Promise<number> {
  const { places, meta, launched, connecting, prompt } = pod;
  const again: StartAgent = (listener) => attachOrResume(places, meta.id, listener);
  const awaited = await awaitAgent({
    first: launched === null
      ? (listener) => attachOrResume(places, meta.id, listener, connecting)
      : (listener) => attachToLaunched(launched, listener),
    again,
    // The built-in agent is there at once: nothing needs to be said of it.
    onStep: (line) => meta.agent.kind === "demo" || console.error(line),
  });
  if (awaited.kind === "ended") {
    discardUnbegun(places, meta.id);
    return refuse(awaited.what);
  }
  return await showClient({ kind: "agent", start: awaited.start, prompt, podId: meta.id }, flags);
}
