// Which Node would run an agent, and whether it is new enough: with an old one npm quietly installs older versions of
// an agent, and what it can do is less without a word about it.

import { findProgram, type KnownAgent } from "./known_agents.ts";

/** How long `node --version` may take. */
const NODE_WITHIN_MS = 3000;

/** What is wrong with the Node an agent would run on, for people; null when nothing is. */
export async function nodeAdvice(
  agent: KnownAgent,
  path = Deno.env.get("PATH") ?? "",
): Promise<string | null> {
  if (agent.node === null) return null;
  const program = findProgram(agent.command, path);
  if (program === null || !isNodeScript(program)) return null;
  const found = await nodeVersion(path);
  if (found === null) {
    return `${agent.label} needs Node ${agent.node} or newer, and no node was found on PATH`;
  }
  if (isAtLeast(found, agent.node)) return null;
  return `${agent.label} needs Node ${agent.node} or newer; this is ${found}. With an older one npm installs older versions of it, and some of what it can do is missing`;
}

/** The version of the PATH's node, "24.21.0"; null where there is none. */
export async function nodeVersion(path = Deno.env.get("PATH") ?? ""): Promise<string | null> {
  const node = findProgram("node", path);
  if (node === null) return null;
  try {
    const { stdout } = await new Deno.Command(node, {
      args: ["--version"],
      stdout: "piped",
      stderr: "null",
      signal: AbortSignal.timeout(NODE_WITHIN_MS),
    }).output();
    return /^v?(\d+\.\d+\.\d+)/.exec(new TextDecoder().decode(stdout))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** True when a version is that old or newer; numbers are compared part by part. */
export function isAtLeast(version: string, least: string): boolean {
  const parts = (text: string) => text.split(".").map(Number);
  const found = parts(version);
  for (const [index, part] of parts(least).entries()) {
    const own = found[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}

/** True for a script whose first line names node: a program of its own brings what it needs. */
function isNodeScript(path: string): boolean {
  try {
    using file = Deno.openSync(path);
    const bytes = new Uint8Array(128);
    const count = file.readSync(bytes) ?? 0;
    const [line = ""] = new TextDecoder().decode(bytes.subarray(0, count)).split("\n");
    return line.startsWith("#!") && /\bnode\b/.test(line);
  } catch {
    return false;
  }
}
