// Files beside a session that hold its nested agents, by their names: of Claude Code, Codex and DeepSeek Harness. Small,
// for it is loaded with every recording; what such files tell is claude_files.ts, codex_children.ts, dsh_children.ts.

const ID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
const ROLLOUT = new RegExp(`(?:^|[\\\\/])rollout-[^\\\\/]*?(${ID})\\.jsonl$`);
/** Names of fields that hold the thread of an agent; in a call's output they stand within a string. */
const NAMED = new RegExp(`"(?:new_thread_id|agent_id|agent_thread_id)\\\\*"\\s*:\\s*\\\\*"(${ID})`, "g");

/** Where the sub-agents of a session are kept; null when the path names no session file. */
export function subagentFolder(sessionPath: string): string | null {
  const path = /^(.*?)\.jsonl$/i.exec(sessionPath)?.[1];
  if (path === undefined || agentOfPath(sessionPath) !== null) return null;
  return `${path}/subagents`;
}

/** The agent whose records a file of that folder holds; null when it holds none (its `.meta.json`, other files). */
export function agentOfPath(path: string): string | null {
  return /(?:^|[\\/])agent-([^\\/]+)\.jsonl$/i.exec(path)?.[1] ?? null;
}

/** The thread whose rollout a file is; null for any other file. */
export function threadOfPath(path: string): string | null {
  return ROLLOUT.exec(path)?.[1]?.toLowerCase() ?? null;
}

/** Threads of agents that a piece of a rollout names. */
export function agentThreads(text: string): readonly string[] {
  return [...text.matchAll(NAMED)].map((match) => (match[1] ?? "").toLowerCase());
}

/** True for the log of a nested agent beside the log of its session. */
export function isChildLog(path: string): boolean {
  return /(?:^|[\\/])session\.\d+\.jsonl(?:\.zstd)?$/i.test(path);
}
