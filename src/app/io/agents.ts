// `trifold agents`, and which program `--agent NAME` means: those of the settings first, then the known ones.

import { findProgram, installedAgents, KNOWN_AGENTS } from "../../agents/known_agents.ts";
import { isAtLeast, nodeVersion } from "../../agents/node_version.ts";
import type { AgentSpec } from "../../pod/agents.ts";
import { safeText } from "../../text/outside_text.ts";
import { nearestName } from "../../input/nearest_name.ts";
import type { Call } from "../commands.ts";
import type { AgentConfig } from "../settings.ts";

/** One agent as `trifold agents --json` lists it. */
interface ListedAgent {
  readonly name: string;
  readonly label: string;
  /** known: in our table; configured: in the settings; built-in: the demo agent. */
  readonly source: "known" | "configured" | "built-in";
  readonly command: readonly string[];
  readonly protocol: string;
  /** Null: not found on PATH. */
  readonly path: string | null;
  readonly npm_package: string | null;
  /** The oldest Node it runs on; null where that says nothing of it. */
  readonly needs_node: string | null;
  readonly needs: readonly string[];
}

/** The program a name means, where it is to run; or what is wrong with the name. */
export type NamedAgent =
  | { readonly agent: AgentSpec; readonly cwd: string | null }
  | { readonly problem: string };

/** The agent of that name. */
export function agentNamed(name: string, configured: Readonly<Record<string, AgentConfig>>): NamedAgent {
  const own = Object.hasOwn(configured, name) ? configured[name] : undefined;
  if (own !== undefined) {
    const { command, args, env, cwd, protocol } = own;
    const agent = { kind: "command", command, args, env } as const;
    return { agent: protocol === null ? agent : { ...agent, protocol }, cwd };
  }
  if (name === "demo") return { agent: { kind: "demo" }, cwd: null };
  const known = KNOWN_AGENTS.find((one) => one.name === name);
  if (known === undefined) {
    const names = [...Object.keys(configured), "demo", ...KNOWN_AGENTS.map((one) => one.name)];
    const near = nearestName(name, names);
    const hint = near === null ? "trifold agents lists those that are" : `did you mean ${near}?`;
    return { problem: `Cannot start agent "${safeText(name)}": it is not known; ${hint}` };
  }
  const { command, args, label } = known;
  const missing = [command, ...known.needs].find((one) => findProgram(one) === null);
  if (missing !== undefined) {
    const from = known.package === null ? "" : `; npm install -g ${known.package} brings ${command}`;
    return { problem: `Cannot start ${label}: no program "${missing}" was found on PATH${from}` };
  }
  return { agent: { kind: "command", command, args, protocol: "acp" }, cwd: null };
}

/** `trifold agents`: 0. */
export async function agentsCommand(call: Call): Promise<number> {
  const agents = listAgents(call.flags.config.agents);
  if (call.flags.json) {
    console.log(JSON.stringify(agents, null, 2));
    return 0;
  }
  const node = await nodeVersion();
  const rows = agents.map((agent) => [
    agent.path !== null || agent.source === "built-in" ? "+" : " ",
    safeText(agent.name),
    safeText(agent.command.join(" ")),
    noteOf(agent, node),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  for (const row of rows) {
    console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd());
  }
  console.log("\n+ is installed; trifold run --agent NAME starts one, trifold run -- CMD any other program");
  return 0;
}

function listAgents(configured: Readonly<Record<string, AgentConfig>>): ListedAgent[] {
  const installed = new Map(installedAgents().map((agent) => [agent.name, agent.path]));
  const own = Object.entries(configured).map(([name, agent]): ListedAgent => ({
    name,
    label: name,
    source: "configured",
    command: [agent.command, ...agent.args],
    protocol: agent.protocol ?? "detect",
    path: findProgram(agent.command, agent.env.PATH),
    npm_package: null,
    needs_node: null,
    needs: [],
  }));
  const demo: ListedAgent = {
    name: "demo",
    label: "Demo agent",
    source: "built-in",
    command: [],
    protocol: "built-in",
    path: null,
    npm_package: null,
    needs_node: null,
    needs: [],
  };
  const known = KNOWN_AGENTS.map((agent): ListedAgent => ({
    name: agent.name,
    label: agent.label,
    source: "known",
    command: [agent.command, ...agent.args],
    protocol: "acp",
    path: installed.get(agent.name) ?? null,
    npm_package: agent.package,
    needs_node: agent.node,
    needs: agent.needs,
  }));
  return [...own, ...known.filter((agent) => !Object.hasOwn(configured, agent.name)), demo];
}

/** What a person should know of it: who it is, what it lacks here. */
function noteOf(agent: ListedAgent, node: string | null): string {
  const { source, label, needs_node: needed, needs, npm_package: npm } = agent;
  if (source === "built-in") return "built in: no model, no key, no network";
  if (source === "configured") {
    return agent.path === null ? "of your settings; not found" : "of your settings";
  }
  const notes = [label];
  if (agent.path === null && npm !== null) notes.push(`npm install -g ${npm}`);
  for (const command of needs) if (findProgram(command) === null) notes.push(`needs ${command} on PATH`);
  if (needed !== null && (node === null || !isAtLeast(node, needed))) {
    notes.push(`needs Node ${needed} or newer${node === null ? "" : `, this is ${node}`}`);
  }
  return notes.join("; ");
}
