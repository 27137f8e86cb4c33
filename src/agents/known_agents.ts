// Agents that can be started by a command known to us, and which of them this machine has. How they speak is acp.ts;
// which Node they need is node_version.ts.

/** One agent that speaks ACP over stdin and stdout. */
export interface KnownAgent {
  /** What `--agent NAME` takes. */
  readonly name: string;
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The npm package that brings the command; null where it comes another way. */
  readonly package: string | null;
  /** Other commands that must be there too. */
  readonly needs: readonly string[];
  /** The oldest Node its newest version runs on; null where it brings all it needs. */
  readonly node: string | null;
}

/** Where it was found. */
export interface InstalledAgent extends KnownAgent {
  readonly path: string;
}

type Row = Pick<KnownAgent, "name" | "label" | "command"> & Partial<KnownAgent>;

/** Of the public list of ACP agents those whose command is sure. */
const ROWS: readonly Row[] = [
  {
    name: "claude",
    label: "Claude Code",
    command: "claude-agent-acp",
    package: "@agentclientprotocol/claude-agent-acp",
    node: "22.0",
  },
  {
    name: "codex",
    label: "Codex",
    command: "codex-acp",
    package: "@agentclientprotocol/codex-acp",
  },
  {
    name: "gemini",
    label: "Gemini CLI",
    command: "gemini",
    args: ["--acp"],
    package: "@google/gemini-cli",
    node: "20.0",
  },
  { name: "opencode", label: "OpenCode", command: "opencode", args: ["acp"], package: "opencode-ai" },
  {
    name: "qwen",
    label: "Qwen Code",
    command: "qwen",
    args: ["--acp"],
    package: "@qwen-code/qwen-code",
    node: "22.0",
  },
  { name: "pi", label: "pi", command: "pi-acp", package: "pi-acp", needs: ["pi"], node: "22.19" },
  { name: "goose", label: "Goose", command: "goose", args: ["acp"] },
  { name: "kimi", label: "Kimi CLI", command: "kimi", args: ["acp"] },
  {
    name: "copilot",
    label: "GitHub Copilot CLI",
    command: "copilot",
    args: ["--acp"],
    package: "@github/copilot",
  },
  { name: "vibe", label: "Mistral Vibe", command: "vibe-acp" },
  {
    name: "auggie",
    label: "Auggie CLI",
    command: "auggie",
    args: ["--acp"],
    package: "@augmentcode/auggie",
    node: "20.0",
  },
  { name: "droid", label: "Factory Droid", command: "droid", args: ["exec", "--output-format", "acp"] },
  {
    name: "qoder",
    label: "Qoder CLI",
    command: "qodercli",
    args: ["--acp"],
    package: "@qoder-ai/qodercli",
    node: "20.0",
  },
];

export const KNOWN_AGENTS: readonly KnownAgent[] = ROWS.map((row) => ({
  args: [],
  package: null,
  needs: [],
  node: null,
  ...row,
}));

/** "gemini --acp" */
export function agentCommand(agent: KnownAgent): string {
  return [agent.command, ...agent.args].join(" ");
}

/** The known agent of that name. */
export function knownAgent(name: string): KnownAgent | null {
  return KNOWN_AGENTS.find((agent) => agent.name === name) ?? null;
}

/** The known agent that a command starts, by whatever path. */
export function agentOfCommand(command: string): KnownAgent | null {
  const file = command.split(/[\\/]/).at(-1)?.replace(/\.(exe|cmd)$/i, "") ?? "";
  return KNOWN_AGENTS.find((agent) => agent.command === file) ?? null;
}

/** The known agents whose commands are found in the PATH's folders. */
export function installedAgents(path = Deno.env.get("PATH") ?? ""): InstalledAgent[] {
  return KNOWN_AGENTS.flatMap((agent) => {
    const found = findProgram(agent.command, path);
    const hasAll = agent.needs.every((command) => findProgram(command, path) !== null);
    return found === null || !hasAll ? [] : [{ ...agent, path: found }];
  });
}

/** Where a command is found on the PATH; null when it is not. */
export function findProgram(command: string, path = Deno.env.get("PATH") ?? ""): string | null {
  const isWindows = Deno.build.os === "windows";
  if (/[\\/]/.test(command)) return isExecutable(command) ? command : null;
  const endings = isWindows ? [".exe", ".cmd", ""] : [""];
  for (const folder of path.split(isWindows ? ";" : ":")) {
    if (folder === "") continue;
    for (const ending of endings) {
      const file = `${folder}/${command}${ending}`;
      if (isExecutable(file)) return file;
    }
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && (mode === null || (mode & 0o111) !== 0);
  } catch {
    return false;
  }
}
