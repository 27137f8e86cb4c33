// Agents that can be started by a command known to us, and which of them this machine has. How they speak is
// jsonl.ts and acp.ts.

/** One agent that speaks to clients over stdin and stdout. */
export interface KnownAgent {
  /** What `--agent NAME` takes. */
  readonly name: string;
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The npm package that brings the command. */
  readonly package: string;
}

export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    name: "claude",
    label: "Claude Code",
    command: "claude-agent-acp",
    args: [],
    package: "@agentclientprotocol/claude-agent-acp",
  },
  {
    name: "codex",
    label: "Codex",
    command: "codex-acp",
    args: [],
    package: "@agentclientprotocol/codex-acp",
  },
  { name: "gemini", label: "Gemini CLI", command: "gemini", args: ["--acp"], package: "@google/gemini-cli" },
  { name: "opencode", label: "OpenCode", command: "opencode", args: ["acp"], package: "opencode-ai" },
  { name: "qwen", label: "Qwen Code", command: "qwen", args: ["--acp"], package: "@qwen-code/qwen-code" },
  { name: "pi", label: "pi", command: "pi-acp", args: [], package: "pi-acp" },
];

/** "gemini --acp" */
export function agentCommand(agent: KnownAgent): string {
  return [agent.command, ...agent.args].join(" ");
}

/** The known agents whose command is found in one of the PATH's folders. */
export function installedAgents(path = Deno.env.get("PATH") ?? ""): KnownAgent[] {
  const isWindows = Deno.build.os === "windows";
  const folders = path.split(isWindows ? ";" : ":").filter((folder) => folder !== "");
  const endings = isWindows ? [".exe", ".cmd", ""] : [""];
  return KNOWN_AGENTS.filter((agent) =>
    folders.some((folder) => endings.some((ending) => isExecutable(`${folder}/${agent.command}${ending}`)))
  );
}

function isExecutable(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && (mode === null || (mode & 0o111) !== 0);
  } catch {
    return false;
  }
}
