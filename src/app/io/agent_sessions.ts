// `trifold resume --agent NAME [SESSION]`: the sessions an agent remembers by itself, whether or not a pod of ours ever
// ran them; and a new pod that goes on with one of them.

import { type KeptSession, listKeptSessions } from "../../agents/acp_sessions.ts";
import { formatAge } from "../../layout/format.ts";
import { cellWidth, cutToWidth } from "../../text/graphemes.ts";
import { safeText } from "../../text/outside_text.ts";
import type { Call } from "../commands.ts";
import { later } from "./later.ts";
import { isInteractive, NO_TERMINAL, refuse } from "./refuse.ts";
import { tableLines } from "./text_table.ts";

/** Cells of a session's title in the list. */
const TITLE_WIDTH = 60;

/** Lists the agent's sessions of this directory, or goes on with the one that was named. */
export async function resumeOfAgent(call: Call, name: string): Promise<number> {
  const named = (await later("agents")).agentNamed(name, call.flags.config.agents);
  if ("problem" in named) return refuse(named.problem, 2);
  if (named.agent.kind === "demo" || named.agent.protocol === "pod-jsonl") {
    return refuse(
      `Cannot resume a session of ${name}: it remembers none; trifold resume POD goes on with a pod's`,
    );
  }
  const [sessionId] = call.words;
  if (sessionId !== undefined) {
    if (!isInteractive()) return refuse(NO_TERMINAL);
    const { showNewPod } = await later("start_agent");
    return await showNewPod({ ...named, agentSessionId: sessionId, prompt: null }, call.flags);
  }
  const { command, args, env } = named.agent;
  const cwd = named.cwd ?? Deno.cwd();
  const kept = await listKeptSessions({ command, args, cwd, ...(env === undefined ? {} : { env }) });
  if ("problem" in kept) return refuse(safeText(kept.problem));
  if (kept.sessions.length === 0) {
    console.log(`${name} remembers no session of this directory`);
    return 0;
  }
  for (const row of sessionRows(kept.sessions, Date.now())) console.log(row);
  console.log(`\ntrifold resume --agent ${name} SESSION goes on with one`);
  return 0;
}

/** The list, newest first where the agent says when; sessions without a time keep their order behind them. */
export function sessionRows(sessions: readonly KeptSession[], nowMs: number): readonly string[] {
  const timed = sessions.map((session) => ({ session, ms: Date.parse(session.updatedAt ?? "") || 0 }));
  timed.sort((a, b) => b.ms - a.ms);
  return tableLines([
    ["SESSION", "AGE", "TITLE"],
    ...timed.map(({ session, ms }) => [
      safeText(session.id),
      ms === 0 ? "-" : formatAge(nowMs - ms),
      shorten(safeText(session.title ?? "untitled")),
    ]),
  ]);
}

function shorten(title: string): string {
  return cellWidth(title) <= TITLE_WIDTH ? title : `${cutToWidth(title, TITLE_WIDTH - 1)}…`;
}
