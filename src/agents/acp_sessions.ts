// The sessions an ACP agent remembers (session/list): the program is started, asked and ended again. No session is
// made or opened; that is acp_open.ts.

import { fieldAt, type Fields, fieldsList, firstText, textOf } from "../recordings/fields.ts";
import { EXPECTED_ACP } from "./acp.ts";
import { type AcpConnection, failureOf, isAcpAnswer, openAcpConnection } from "./acp_connection.ts";
import { initializeParams, versionProblem, within } from "./acp_open.ts";
import { type ChildAgentOptions, commandLine, type ProtocolHost, startChildAgent } from "./child_agent.ts";

/** A session the agent keeps. */
export interface KeptSession {
  readonly id: string;
  readonly cwd: string;
  readonly title: string | null;
  /** ISO 8601, as the agent gives it. */
  readonly updatedAt: string | null;
}

export type KeptSessions =
  | { readonly sessions: readonly KeptSession[] }
  /** For people; holds outside text. */
  | { readonly problem: string };

/** More pages of a list than this are not asked for. */
const SESSION_PAGES = 20;
const LIST_WITHIN_MS = 60_000;

/** The sessions the program remembers of `options.cwd`, in its own order. */
export async function listKeptSessions(options: ChildAgentOptions): Promise<KeptSessions> {
  const found = Promise.withResolvers<KeptSessions>();
  const { agent } = startChildAgent(options, {
    onEvents: () => {},
    onEnd: (end) => found.resolve({ problem: end.what }),
  }, (host) => {
    const connection = openAcpConnection({
      send: (message) => host.write(JSON.stringify(message) + "\n"),
      answer: () => null,
    });
    return {
      expected: EXPECTED_ACP,
      begin: () => void ask(options, connection, host).then(found.resolve),
      take: (record) => {
        if (record.kind === "value" && isAcpAnswer(record.value)) connection.take(record.value);
        else host.faulty();
      },
      send: () => {},
      finish: () => connection.close(),
    };
  });
  const kept = await found.promise;
  await agent.close();
  return kept;
}

async function ask(
  options: ChildAgentOptions,
  connection: AcpConnection,
  host: ProtocolHost,
): Promise<KeptSessions> {
  try {
    const about = await connection.request("initialize", initializeParams({}));
    host.answered();
    const problem = versionProblem(options, about);
    if (problem !== null) return { problem };
    const name = firstText(fieldAt(about, "agentInfo", "title"), fieldAt(about, "agentInfo", "name")) ??
      commandLine(options);
    if (!fieldAt(about, "agentCapabilities", "sessionCapabilities", "list")) {
      return { problem: `${name} does not tell which sessions it remembers` };
    }
    return { sessions: await within(allPages(connection, options.cwd), LIST_WITHIN_MS) };
  } catch (error) {
    return { problem: `Cannot ask ${commandLine(options)} for its sessions: ${failureOf(error).message}` };
  }
}

async function allPages(connection: AcpConnection, cwd: string): Promise<readonly KeptSession[]> {
  const sessions: KeptSession[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < SESSION_PAGES; page++) {
    const params: Fields = { cwd, ...(cursor === null ? {} : { cursor }) };
    const result: Fields = await connection.request("session/list", params);
    for (const session of fieldsList(result.sessions)) {
      const id = textOf(session.sessionId);
      if (id === null) continue;
      const title = firstText(session.title);
      sessions.push({ id, cwd: textOf(session.cwd) ?? "", title, updatedAt: firstText(session.updatedAt) });
    }
    cursor = firstText(result.nextCursor);
    if (cursor === null) break;
  }
  return sessions;
}
