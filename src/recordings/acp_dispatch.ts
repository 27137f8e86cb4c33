// Which function takes which ACP message: requests and notifications of either side, and the answers, which are
// joined to their requests by id. session/update has a table of its own in acp_updates.ts.

import { settleCalls } from "./acp_calls.ts";
import { AGENT_METHODS, CLIENT_METHODS, type RpcId, type RpcMessage } from "./acp_message.ts";
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
  takeConfigValue,
  takeInitialized,
  takeMode,
  takeModel,
  takeSessionResult,
  tellHistory,
} from "./acp_session.ts";
import { type AcpState, countUnknown, emit, idKey, ignore, type OpenRequest } from "./acp_state.ts";
import {
  endSession,
  endTurn,
  flushUserText,
  takeCancel,
  takePrompt,
  takePromptError,
  takePromptResult,
  takeSteerResult,
  tellError,
} from "./acp_turn.ts";
import { takeUpdate } from "./acp_updates.ts";
import { fieldAt, type Fields, fieldsOf, rowOf, showValue, textOf } from "./fields.ts";

/** What waited for its next piece is told, unless this message is that piece. */
export function settleBefore(state: AcpState, message: RpcMessage | null): void {
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
  endSession(state);
  beginSession(state, null, textOf(request.params.cwd));
  emit(state, "starting", { step: "session", detail: state.cwd });
}

function beginKnown(state: AcpState, request: OpenRequest): void {
  endSession(state);
  beginSession(state, textOf(request.params.sessionId), textOf(request.params.cwd));
  emit(state, "starting", { step: "session", detail: state.sessionId });
}

/** Takes a message that went to the agent. */
export function takeFromClient(state: AcpState, message: RpcMessage): void {
  switch (message.kind) {
    case "request": {
      const request = { id: message.id, method: message.method, params: message.params };
      state.toAgent.set(idKey(message.id), request);
      const take = rowOf(FROM_CLIENT, message.method);
      if (take !== null) return take(state, request);
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

/** Takes a message that came from the agent. */
export function takeFromAgent(state: AcpState, message: RpcMessage): void {
  switch (message.kind) {
    case "request": {
      const request = { id: message.id, method: message.method, params: message.params };
      state.fromAgent.set(idKey(message.id), request);
      const take = rowOf(FROM_AGENT, message.method);
      if (take !== null) return take(state, request);
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
  "_session/steering": takeSteerResult,
  "session/set_mode": (state, request) => takeMode(state, textOf(request.params.modeId)),
  "session/set_model": (state, request) => {
    if (!takeModel(state, textOf(request.params.modelId), "client")) ignore(state, "answer without news");
  },
  "session/set_config_option": (state, request, result) =>
    Array.isArray(result.configOptions)
      ? takeConfigOptions(state, result)
      : takeConfigValue(state, request.params.configId, request.params.value),
};

function takeResult(state: AcpState, request: OpenRequest, result: Fields): void {
  const take = rowOf(RESULTS, request.method);
  if (take === null) return ignore(state, `${request.method} answer`);
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
