// The demo agent's greeting: what it is, what to type, and how to get a real agent. Pure.

import type { Greeting } from "../../transcript/event.ts";
import { agentCommand, type KnownAgent } from "../known_agents.ts";
import type { DemoModel } from "./models.ts";

/** The greeting as `history` carries it. */
export function greetingOf(
  world: { readonly cwd: string; readonly installed: readonly KnownAgent[] },
  model: DemoModel,
  contextTokens: number,
): Greeting {
  return {
    pod_name: "demo",
    cwd: world.cwd,
    provider: model.provider,
    model: model.model,
    scope_summary: "reads here, changes only a scratch copy",
    tools: ["Read", "Write", "Edit", "Grep", "Glob", "Bash"],
    context_window: model.contextWindow,
    context_tokens: contextTokens,
    notes: [
      "Type tour or help. The built-in demo: no model, no key, no network.",
      installedNote(world.installed),
    ],
  };
}

function installedNote(installed: readonly KnownAgent[]): string {
  const how = "A real agent: trifold run -- CMD";
  if (installed.length === 0) {
    return `${how}; none of those known is on PATH (trifold agents)`;
  }
  const list = installed.map((agent) => `${agent.label}: ${agentCommand(agent)}`).join("; ");
  return `${how}. Found on PATH: ${list}`;
}
