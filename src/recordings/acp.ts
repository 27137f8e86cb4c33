// The Agent Client Protocol, version 1, as events: one machine for live traffic (agents/) and for recordings. It is
// told every message both ways, in order, and keeps what it must know. Leniency beats typing here: an absent field
// is kept, a list replaces, an unknown id creates, an unknown kind is counted.

import type { ParsedEvent } from "../transcript/event.ts";
import { settleBefore, takeFromAgent, takeFromClient } from "./acp_dispatch.ts";
import { type AcpDirection, guessDirection, isRpcMessage, parseMessage, type RpcId } from "./acp_message.ts";
import { type AcpOptions, type AcpState, createAcpState, idKey, type OpenRequest } from "./acp_state.ts";
import { endSession, endTurn } from "./acp_turn.ts";
import { isFields, numberOf, rowOf } from "./fields.ts";
import type { RecordingFormat } from "./format.ts";
import type { RecordingStep, Translator } from "./translator.ts";

/** The format, for detect.ts. */
export const FORMAT: RecordingFormat = {
  name: "acp",
  label: "Agent Client Protocol traffic",
  isRecord: isAcpRecord,
  create: createAcpTranslator,
};

export type { AcpDirection, AcpOptions, OpenRequest, RpcId };

/** What one message gave. */
export interface AcpResult {
  /** In order; unknown kinds and methods are among them, to be counted. */
  readonly events: readonly ParsedEvent[];
  /** Why parts of it are not shown, as short constants for counting. */
  readonly ignored: readonly string[];
}

/** One connection to an agent, told message by message. */
export interface AcpTranslation {
  /** Takes one JSON-RPC message (or batch); `nowMs` is the time it went, null when unknown. Never throws. */
  push(direction: AcpDirection, message: unknown, nowMs: number | null): AcpResult;
  /** The replay seems to be over (Gemini goes on after the answer to session/load): closes what it left open. */
  settle(nowMs: number | null): AcpResult;
  /** The connection ended: closes what is open. */
  end(nowMs: number | null): AcpResult;
  /** The request an open question came from, to be answered; null when it is closed. */
  requestOf(batchId: string): OpenRequest | null;
  /** The session's id once known. */
  sessionId(): string | null;
}

/** A machine for one connection. */
export function createAcpTranslation(options: AcpOptions = {}): AcpTranslation {
  const state = createAcpState(options);
  return {
    push: (direction, message, nowMs) => pushMessage(state, direction, message, nowMs),
    settle: (nowMs) => {
      state.nowMs = nowMs;
      settleBefore(state, null);
      if (state.turn === null || state.turn.isReplay) endTurn(state, { result: "finished" });
      return taken(state);
    },
    end: (nowMs) => {
      state.nowMs = nowMs;
      settleBefore(state, null);
      endSession(state);
      return taken(state);
    },
    requestOf: (batchId) => state.questions.get(batchId)?.request ?? null,
    sessionId: () => state.sessionId,
  };
}

/** Ways a recorder names the directions. */
const DIRECTIONS: Readonly<Record<string, AcpDirection>> = {
  c2a: "to_agent",
  a2c: "from_agent",
  out: "to_agent",
  in: "from_agent",
};

/** Recorded traffic: lines `{"t": ms, "dir": "c2a" | "a2c", "msg": message}`, or the bare messages. */
export function createAcpTranslator(): Translator {
  const state = createAcpState();
  return {
    push: (value, line) => {
      const wrapped = isFields(value) && isFields(value.msg) ? value : null;
      const message = wrapped === null ? value : wrapped.msg;
      const named = rowOf(DIRECTIONS, wrapped?.dir);
      const nowMs = wrapped === null ? null : numberOf(wrapped.t);
      return stepsOf(pushMessage(state, named, message, nowMs), line);
    },
    end: () => {
      settleBefore(state, null);
      endSession(state);
      return stepsOf(taken(state), 0);
    },
  };
}

function stepsOf(result: AcpResult, line: number): readonly RecordingStep[] {
  return [
    ...result.events.map((parsed): RecordingStep =>
      parsed.kind === "problem"
        ? { kind: "problem", what: parsed.what, line }
        : { kind: "event", parsed, line }
    ),
    ...result.ignored.map((what): RecordingStep => ({ kind: "ignored", what, line })),
  ];
}

/** Takes one message; a null direction is guessed. */
function pushMessage(
  state: AcpState,
  direction: AcpDirection | null,
  value: unknown,
  nowMs: number | null,
): AcpResult {
  state.nowMs = nowMs;
  for (const one of Array.isArray(value) ? value : [value]) {
    const message = parseMessage(one);
    const way = direction ?? guessDirection(message, {
      openTo: (id) => state.toAgent.has(idKey(id)),
      openFrom: (id) => state.fromAgent.has(idKey(id)),
    });
    settleBefore(state, message);
    if (way === "to_agent") takeFromClient(state, message);
    else takeFromAgent(state, message);
  }
  return taken(state);
}

function taken(state: AcpState): AcpResult {
  return { events: state.events.splice(0), ignored: state.ignored.splice(0) };
}

function isAcpRecord(value: unknown): boolean {
  return isRpcMessage(isFields(value) && "msg" in value ? value.msg : value);
}
