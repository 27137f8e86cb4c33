// How a pod starts the built-in agent. Loaded by the pods that run it alone.

import { startDemoAgent } from "../agents/demo/agent.ts";
import { installedAgents } from "../agents/known_agents.ts";
import type { Starter } from "./agents.ts";

/** Starts the demo agent. */
export const startDemo: Starter<"demo"> = (_spec, { cwd, sessionId }, listener) =>
  startDemoAgent({ cwd, installed: installedAgents(), sessionId }, listener);
