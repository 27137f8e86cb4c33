// JSON-RPC 2.0 messages of the Agent Client Protocol, version 1: what a message is, and which way it went when the
// recording does not say. Meaning is given to them in acp_session.ts, acp_turn.ts, acp_updates.ts.

import { type Fields, isFields, textOf } from "./fields.ts";

/** Which way a message went. */
export type AcpDirection = "to_agent" | "from_agent";

/** A request's id; null is allowed by JSON-RPC for errors whose request could not be read. */
export type RpcId = string | number | null;

/** One message, taken apart. */
export type RpcMessage =
  | { readonly kind: "request"; readonly id: RpcId; readonly method: string; readonly params: Fields }
  | { readonly kind: "notification"; readonly method: string; readonly params: Fields }
  | { readonly kind: "result"; readonly id: RpcId; readonly result: unknown }
  | { readonly kind: "error"; readonly id: RpcId; readonly error: Fields }
  | { readonly kind: "problem"; readonly what: string };

/** Requests and notifications a client sends. */
export const CLIENT_METHODS: ReadonlySet<string> = new Set([
  "initialize",
  "authenticate",
  "logout",
  "auth/status",
  "providers/list",
  "providers/set",
  "providers/disable",
  "session/new",
  "session/load",
  "session/resume",
  "session/fork",
  "session/list",
  "session/delete",
  "session/close",
  "session/archive",
  "session/unarchive",
  "session/status",
  "session/set_title",
  "session/set_mode",
  "session/set_model",
  "session/set_config_option",
  "session/prompt",
  "session/cancel",
  // Of Claude's and Codex's adapters: a message into the running turn.
  "_session/steering",
]);

/** Requests and notifications an agent sends. */
export const AGENT_METHODS: ReadonlySet<string> = new Set([
  "session/update",
  "session/request_permission",
  "elicitation/create",
  "elicitation/complete",
  "fs/read_text_file",
  "fs/write_text_file",
  "terminal/create",
  "terminal/output",
  "terminal/wait_for_exit",
  "terminal/kill",
  "terminal/release",
  "auth/status_update",
]);

/** Takes a JSON value apart. Never throws. */
export function parseMessage(value: unknown): RpcMessage {
  if (!isFields(value)) return { kind: "problem", what: "Cannot parse ACP message: value is not an object" };
  const id = typeof value.id === "string" || typeof value.id === "number" ? value.id : null;
  const method = textOf(value.method);
  if (method !== null) {
    const params = isFields(value.params) ? value.params : {};
    return "id" in value ? { kind: "request", id, method, params } : { kind: "notification", method, params };
  }
  if (isFields(value.error)) return { kind: "error", id, error: value.error };
  if ("result" in value) return { kind: "result", id, result: value.result };
  return { kind: "problem", what: "Cannot parse ACP message: no method, result or error" };
}

/** True for a value that is a JSON-RPC message or a batch of them. */
export function isRpcMessage(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isOneMessage) : isOneMessage(value);
}

function isOneMessage(value: unknown): boolean {
  if (!isFields(value) || value.jsonrpc !== "2.0") return false;
  return parseMessage(value).kind !== "problem";
}

/** Fields that only the answer to an agent's own request has. */
const CLIENT_ANSWERS = ["outcome", "action", "content", "terminalId", "exitStatus", "output", "exitCode"];
/** Fields that only an agent's answer has. */
const AGENT_ANSWERS = [
  "protocolVersion",
  "sessionId",
  "stopReason",
  "sessions",
  "modes",
  "models",
  "configOptions",
];

/**
 * Which way a message without a recorded direction went. `openTo(id)` and `openFrom(id)` say whether a request of
 * that id waits for its answer: sent to the agent, sent by it. Both count from 0, so ids alone do not decide.
 */
export function guessDirection(
  message: RpcMessage,
  open: { openTo(id: RpcId): boolean; openFrom(id: RpcId): boolean },
): AcpDirection {
  switch (message.kind) {
    case "request":
    case "notification":
      return CLIENT_METHODS.has(message.method) ? "to_agent" : "from_agent";
    case "problem":
      return "from_agent";
    case "error":
    case "result": {
      const byAgent = open.openTo(message.id);
      if (byAgent !== open.openFrom(message.id)) return byAgent ? "from_agent" : "to_agent";
      const result = message.kind === "result" && isFields(message.result) ? message.result : {};
      const has = (names: readonly string[]) => names.some((name) => Object.hasOwn(result, name));
      return has(CLIENT_ANSWERS) && !has(AGENT_ANSWERS) ? "to_agent" : "from_agent";
    }
  }
}
