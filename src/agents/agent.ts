// What every live agent is to its host, whatever it speaks: methods in, parsed events out, one end.
// A pod-JSONL child is jsonl.ts, the built-in demo agent demo/agent.ts.

import type { ParsedEvent } from "../transcript/event.ts";
import type { Method } from "../transcript/method.ts";

/** Where a live agent reports to. Calls never overlap, and none comes after onEnd or before start has returned. */
export interface AgentListener {
  /** Events in order, at least one; unknown names and broken payloads are among them, to be counted. */
  onEvents(parsed: readonly ParsedEvent[]): void;
  /** The agent is gone; called exactly once. */
  onEnd(end: AgentEnd): void;
}

/** One live agent with one session. */
export interface Agent {
  /** Asks something of the agent. After its end this does nothing. */
  send(method: Method): void;
  /** Ends the agent, by force where it must; resolves after onEnd. Closing twice is harmless. */
  close(): Promise<void>;
  /** The last lines the agent wrote to stderr, oldest first; outside text. */
  stderrTail(): readonly string[];
  /** The agent's own id of its session, to be resumed by; null before there is one. Left out by agents without. */
  sessionId?(): string | null;
}

/**
 * Why an agent is gone.
 * closed: close() was called. shut_down: it said so itself. not_started: the program could not be run.
 * not_understood: its output is not the protocol. silent: it never answered. no_session: it is there, and made no
 * session. exited: it ended by itself.
 */
export type AgentEndKind =
  | "closed"
  | "shut_down"
  | "not_started"
  | "not_understood"
  | "silent"
  | "no_session"
  | "exited";

export interface AgentEnd {
  readonly kind: AgentEndKind;
  /** For people: what happened and what was expected; holds outside text. */
  readonly what: string;
  /** False when it went before it was ready (hello, or the first event of the older dialect): there is no session to show. */
  readonly wasThere: boolean;
  readonly exitCode: number | null;
  /** Name of the signal that killed it. */
  readonly signal: string | null;
}
