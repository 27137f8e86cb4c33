// The Agent Client Protocol, version 1, as events: one machine for live traffic (agents/) and for recordings. It is
// told every message both ways, in order, and keeps what it must know. Leniency beats typing here: an absent field
// is kept, a list replaces, an unknown id creates, an unknown kind is counted.

import type { ParsedEvent } from "../transcript/event.ts";
import { settleCalls } from "./acp_calls.ts";
import {
  type AcpDirection,
  AGENT_METHODS,
  CLIENT_METHODS,
  guessDirection,
  parseMessage,
  type RpcId,
  type RpcMessage,
} from "./acp_message.ts";
import {
  cancelQuestions,
  takeElicitation,
  takeElicitationComplete,
  takePermission,
  takeQuestionAnswer,
} from "./acp_questions.ts";
import {
  beginSession,
  takeConfigOptions,
  takeInitialized,
  takeMode,
  takeModel,
  takeSessionResult,
  tellHistory,
} from "./acp_session.ts";
import {
  type AcpOptions,
  type AcpState,
  countUnknown,
  createAcpState,
  emit,
  idKey,
  ignore,
  type OpenRequest,
} from "./acp_state.ts";
import {
  endTurn,
  flushUserText,
  takeCancel,
  takePrompt,
  takePromptError,
  takePromptResult,
  tellError,
} from "./acp_turn.ts";
import { takeUpdate } from "./acp_updates.ts";
import { fieldAt, type Fields, fieldsOf, isFields, numberOf, showValue, textOf } from "./fields.ts";
import type { RecordingStep, Translator } from "./translator.ts";

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
      endTurn(state, { result: state.turn?.isReplay === false ? "interrupted" : "finished" });
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
      const named = DIRECTIONS[textOf(wrapped?.dir) ?? ""];
      const nowMs = wrapped === null ? null : numberOf(wrapped.t);
      return stepsOf(pushMessage(state, named ?? null, message, nowMs), line);
    },
    end: () => {
      settleBefore(state, null);
      endTurn(state, { result: state.turn?.isReplay === false ? "interrupted" : "finished" });
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

/** What waited for its next piece is told, unless this message is that piece. */
function settleBefore(state: AcpState, message: RpcMessage | null): void {
  const update = message !== null && "params" in message ? fieldsOf(message.params.update) : {};
  if (update.sessionUpdate !== "user_message_chunk") flushUserText(state);
  settleCalls(state, update.sessionUpdate === "tool_call_update" ? textOf(update.toolCallId) : null);
}

const FROM_CLIENT: Readonly<Record<string, (state: AcpState, request: OpenRequest) => void>> = {
  initialize: (state) => emit(state, "starting", { step: "initialize" }),
  "session/new": beginNew,
  "session/fork": beginNew,
  "session/resume": beginKnown,
  "session/load": (state, request) => {
    beginKnown(state, request);
    state.replaying = true;
    if (state.options.replay === "show") tellHistory(state);
  },
  "session/prompt": takePrompt,
};

function beginNew(state: AcpState, request: OpenRequest): void {
  beginSession(state, null, textOf(request.params.cwd));
  emit(state, "starting", { step: "session", detail: state.cwd });
}

function beginKnown(state: AcpState, request: OpenRequest): void {
  beginSession(state, textOf(request.params.sessionId), textOf(request.params.cwd));
  emit(state, "starting", { step: "session", detail: state.sessionId });
}

function takeFromClient(state: AcpState, message: RpcMessage): void {
  switch (message.kind) {
    case "request": {
      const request = { id: message.id, method: message.method, params: message.params };
      state.toAgent.set(idKey(message.id), request);
      const take = Object.hasOwn(FROM_CLIENT, message.method) ? FROM_CLIENT[message.method] : undefined;
      if (take !== undefined) return take(state, request);
      return CLIENT_METHODS.has(message.method)
        ? ignore(state, message.method)
        : countUnknown(state, message.method);
    }
    case "notification":
      if (message.method === "session/cancel") return takeCancel(state);
      return message.method === "$/cancel_request"
        ? ignore(state, message.method)
        : countUnknown(state, message.method);
    case "result":
    case "error": {
      const request = take(state.fromAgent, message.id);
      if (request === null) return ignore(state, "answer to an unknown request");
      const answer = message.kind === "result" ? fieldsOf(message.result) : null;
      if (!takeQuestionAnswer(state, request, answer)) ignore(state, `${request.method} answer`);
      return;
    }
    case "problem":
      state.events.push({ kind: "problem", what: message.what });
  }
}

const FROM_AGENT: Readonly<Record<string, (state: AcpState, request: OpenRequest) => void>> = {
  "session/request_permission": (state, request) =>
    takePermission(state, request, state.children.get(textOf(request.params.sessionId) ?? "") ?? null),
  "elicitation/create": takeElicitation,
};

function takeFromAgent(state: AcpState, message: RpcMessage): void {
  switch (message.kind) {
    case "request": {
      const request = { id: message.id, method: message.method, params: message.params };
      state.fromAgent.set(idKey(message.id), request);
      const take = Object.hasOwn(FROM_AGENT, message.method) ? FROM_AGENT[message.method] : undefined;
      if (take !== undefined) return take(state, request);
      return AGENT_METHODS.has(message.method)
        ? ignore(state, message.method)
        : countUnknown(state, message.method);
    }
    case "notification":
      return takeNotification(state, message.method, message.params);
    case "result":
    case "error": {
      const request = take(state.toAgent, message.id);
      if (request === null) return ignore(state, "answer to an unknown request");
      return message.kind === "result"
        ? takeResult(state, request, fieldsOf(message.result))
        : takeError(state, request, message.error);
    }
    case "problem":
      state.events.push({ kind: "problem", what: message.what });
  }
}

function takeNotification(state: AcpState, method: string, params: Fields): void {
  switch (method) {
    case "session/update":
      return takeUpdate(state, params);
    case "elicitation/complete":
      return takeElicitationComplete(state, params);
    case "$/cancel_request": {
      const id = params.requestId;
      const request = typeof id === "string" || typeof id === "number" ? take(state.fromAgent, id) : null;
      if (request === null) return ignore(state, method);
      const before = state.events.length;
      cancelQuestions(state, request);
      return state.events.length === before ? ignore(state, method) : undefined;
    }
    default:
      return AGENT_METHODS.has(method) ? ignore(state, method) : countUnknown(state, method);
  }
}

const RESULTS: Readonly<Record<string, (state: AcpState, request: OpenRequest, result: Fields) => void>> = {
  initialize: (state, _, result) => takeInitialized(state, result),
  "session/new": takeSessionResult,
  "session/fork": takeSessionResult,
  "session/resume": takeSessionResult,
  "session/load": (state, request, result) => {
    endTurn(state, { result: "finished" });
    takeSessionResult(state, request, result);
  },
  "session/prompt": takePromptResult,
  "session/set_mode": (state, request) => takeMode(state, textOf(request.params.modeId)),
  "session/set_model": (state, request) => {
    if (!takeModel(state, textOf(request.params.modelId), "client")) ignore(state, "answer without news");
  },
  "session/set_config_option": (state, _, result) => takeConfigOptions(state, result),
};

function takeResult(state: AcpState, request: OpenRequest, result: Fields): void {
  const take = Object.hasOwn(RESULTS, request.method) ? RESULTS[request.method] : undefined;
  if (take === undefined) return ignore(state, `${request.method} answer`);
  take(state, request, result);
}

/** Requests whose failure the person must see even though no turn ends by it. */
const MUST_WORK: ReadonlySet<string> = new Set([
  "initialize",
  "authenticate",
  "session/new",
  "session/load",
  "session/resume",
  "session/fork",
  "session/set_mode",
  "session/set_model",
  "session/set_config_option",
]);

function takeError(state: AcpState, request: OpenRequest, error: Fields): void {
  if (request.method === "session/prompt") return takePromptError(state, request, error);
  if (request.method === "session/load") endTurn(state, { result: "finished" });
  if (MUST_WORK.has(request.method)) tellError(state, error, null);
  else ignore(state, `${request.method} failed: ${showValue(fieldAt(error, "code"))}`);
}

/** Takes a request out of those that wait. */
function take(open: Map<string, OpenRequest>, id: RpcId): OpenRequest | null {
  const request = open.get(idKey(id));
  open.delete(idKey(id));
  return request ?? null;
}
