// How a pod starts an agent that is a program. Loaded by the pods that run one alone.

import { startAgent } from "../agents/start.ts";
import type { Starter } from "./agents.ts";

/** Starts the program; what it speaks is found out where the spec does not say. */
export const startCommand: Starter<"command"> = (
  { command, args, env, protocol = "detect" },
  { cwd, resumes, agentSessionId },
  listener,
) =>
  startAgent({
    command,
    args,
    cwd,
    protocol,
    terminalLogin: true,
    ...(env === undefined ? {} : { env }),
    // The log is what is shown; one without a past shows what the agent remembers.
    ...(agentSessionId === null
      ? {}
      : { resume: { sessionId: agentSessionId, replay: resumes ? "drop" : "show" } }),
  }, listener);
