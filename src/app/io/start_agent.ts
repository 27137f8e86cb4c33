// `trifold` and `trifold run`: a new pod with the agent that was asked for, and this client attached to it.

import type { AgentSpec } from "../../pod/agents.ts";
import { createPod } from "../../pod/directory.ts";
import { type LaunchedPod, launchPod } from "../../pod/launch.ts";
import type { Call, Flags } from "../commands.ts";
import type { NamedAgent } from "./agents.ts";
import { later } from "./later.ts";
import { isInteractive, NO_TERMINAL, refuse } from "./refuse.ts";
import { NO_PLACE, podPlaces } from "./pod_places.ts";

/** Minutes without work and clients after which a pod ends, where no setting says. */
const IDLE_END_MINUTES = { demo: 10, command: 720 } as const;

/** An agent to be started, where it is to run, and the session of its own it is to go on with. */
export interface NewPod {
  readonly agent: AgentSpec;
  readonly cwd: string | null;
  readonly agentSessionId?: string;
  readonly prompt: string | null;
}

/** `trifold` and `trifold run`. Returns when the client ended, with its exit code. */
export async function runAgent(call: Call): Promise<number> {
  if (!isInteractive()) return refuse(NO_TERMINAL);
  const named = await agentOf(call);
  if ("problem" in named) return refuse(named.problem, 2);
  const prompt = call.rest !== null || call.words.length === 0 ? null : call.words.join(" ");
  return await showNewPod({ ...named, prompt }, call.flags);
}

/** Makes a pod, starts it and shows it. */
export async function showNewPod(wanted: NewPod, flags: Flags): Promise<number> {
  const { agent, cwd, agentSessionId, prompt } = wanted;
  const places = podPlaces();
  if (places === null) return refuse(NO_PLACE);
  const { record, log } = flags;
  if (record !== null || log !== null) {
    // The pod would go on without anybody having seen it.
    const fault = (await later("witness")).whyUnwritable([record, log]);
    if (fault !== null) return refuse(fault);
  }
  let pod: LaunchedPod;
  try {
    const idleEndMinutes = flags.config.idleEndMinutes ?? IDLE_END_MINUTES[agent.kind];
    const meta = createPod(places, {
      agent,
      cwd: cwd ?? Deno.cwd(),
      idleEndMinutes,
      ...(agentSessionId === undefined ? {} : { agentSessionId }),
    });
    // Started first: it loads while this client does.
    pod = launchPod(places, meta);
  } catch (error) {
    return refuse(`Cannot start a pod: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { showPod } = await later("show_pod");
  return await showPod({ places, meta: pod.meta, launched: pod, connecting: null, prompt }, flags);
}

/** The agent a command line asks for, or what is wrong with it. */
async function agentOf(call: Call): Promise<NamedAgent> {
  const here = { cwd: null };
  if (call.rest !== null) {
    const [command, ...args] = call.rest;
    if (command === undefined) return { problem: "Cannot start an agent: no command stands behind --" };
    return { agent: { kind: "command", command, args }, ...here };
  }
  const { config } = call.flags;
  const name = call.flags.agent ?? config.defaultAgent ?? "demo";
  if (name === "demo" && !Object.hasOwn(config.agents, name)) return { agent: { kind: "demo" }, ...here };
  return (await later("agents")).agentNamed(name, config.agents);
}
