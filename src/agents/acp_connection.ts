// JSON-RPC with an ACP agent, on the official SDK's client: ids, answers joined to requests, -32601 for what we do not
// offer, cancelled requests. Of the SDK neither the framing nor the schemas are used: its ndJsonStream answers every
// line that is not JSON with an error (agents print banners and warnings to stdout) and closes the connection at a
// line past its limit, and its schemas refuse what agents in the wild send. Lines are read by json_lines.ts, and what
// messages mean is doubted field by field in recordings/acp*.ts, which see each message before the SDK does.

import type { AnyMessage } from "@agentclientprotocol/sdk";
import { errorMessage } from "../recordings/acp_turn.ts";
import { isRpcMessage, parseMessage, type RpcId, type RpcMessage } from "../recordings/acp_message.ts";
import { type Fields, firstText, numberOf } from "../recordings/fields.ts";

/** A request of the agent that wants an answer. */
export interface AgentRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: Fields;
  /** Aborted when the agent takes the request back. */
  readonly signal: AbortSignal;
}

export interface AcpConnectionOptions {
  /** Puts one message on the wire. */
  readonly send: (message: Fields) => void;
  /** The answer to a request of the agent; null where we offer no such method. */
  readonly answer: (request: AgentRequest) => Promise<Fields> | null;
}

/** The way an agent said no. */
export interface AcpFailure {
  readonly code: number | null;
  readonly message: string;
}

/** One connection. Nothing is sent before the SDK has been loaded; what is asked until then waits. */
export interface AcpConnection {
  /** Takes one JSON value the agent wrote. */
  take(value: unknown): void;
  /** Rejects with what `failureOf` reads. */
  request(method: string, params: Fields, cancel?: AbortSignal): Promise<Fields>;
  notify(method: string, params: Fields): void;
  close(): void;
}

/** Code of JSON-RPC for an answer that is no answer. */
const INTERNAL_ERROR = -32603;

/** Opens a connection; loads the SDK, which takes some 50 ms. */
export function openAcpConnection(options: AcpConnectionOptions): AcpConnection {
  const waiting = new Set<RpcId>();
  let incoming: ReadableStreamDefaultController<AnyMessage> | null = null;
  const readable = new ReadableStream<AnyMessage>({ start: (controller) => void (incoming = controller) });
  const writable = new WritableStream<AnyMessage>({
    write: (message) => {
      const fields = message as unknown as Fields;
      if ("method" in fields && "id" in fields) waiting.add(fields.id as RpcId);
      options.send(fields);
    },
  });
  const opened = connect({ readable, writable }, options);
  // Whoever asks something is told; a connection nobody uses must not end the program.
  opened.catch(() => {});

  function take(message: RpcMessage): void {
    const known = sdkMessage(message, waiting);
    if (known !== null) incoming?.enqueue(known);
  }
  return {
    take: (value) => {
      for (const one of Array.isArray(value) ? value : [value]) take(parseMessage(one));
    },
    request: async (method, params, cancel) => {
      const { agent } = await opened;
      const options = cancel === undefined ? {} : { cancellationSignal: cancel, stopWaitingOnCancel: true };
      const result = await agent.request<unknown, Fields>(method, params, options);
      return typeof result === "object" && result !== null ? result as Fields : {};
    },
    notify: (method, params) => {
      opened.then(({ agent }) => agent.notify(method, params)).catch(() => {});
    },
    close: () => {
      opened.then((connection) => connection.close()).catch(() => {});
    },
  };
}

async function connect(
  stream: { readable: ReadableStream<AnyMessage>; writable: WritableStream<AnyMessage> },
  { answer }: AcpConnectionOptions,
) {
  const { client, RequestError } = await import("@agentclientprotocol/sdk");
  return client({ name: "trifold" })
    .onRequest("*", (context) => {
      const params = typeof context.params === "object" && context.params !== null ? context.params : {};
      const { requestId: id = null, signal } = context;
      const method = context.method ?? "";
      const answered = answer({ id, method, params: params as Fields, signal });
      if (answered === null) throw RequestError.methodNotFound(method);
      return answered;
    })
    .onNotification("*", () => {})
    .connect(stream);
}

/**
 * The message as the SDK takes it, or null for one that it need not see: notifications (but for a request taken back),
 * answers to what was never asked (it would write to the console), and what is no message.
 */
function sdkMessage(message: RpcMessage, waiting: Set<RpcId>): AnyMessage | null {
  switch (message.kind) {
    case "request":
      return { jsonrpc: "2.0", id: message.id, method: message.method, params: message.params };
    case "notification":
      return message.method === "$/cancel_request"
        ? { jsonrpc: "2.0", method: message.method, params: message.params }
        : null;
    case "result":
      return waiting.delete(message.id)
        ? { jsonrpc: "2.0", id: message.id, result: message.result ?? null }
        : null;
    case "error": {
      if (!waiting.delete(message.id)) return null;
      const { code, data } = message.error;
      const error = {
        code: Number.isInteger(code) ? code as number : INTERNAL_ERROR,
        message: firstText(message.error.message) ?? "unknown error",
        ...(data === undefined ? {} : { data }),
      };
      return { jsonrpc: "2.0", id: message.id, error };
    }
    case "problem":
      return null;
  }
}

/** What a rejected request says. */
export function failureOf(error: unknown): AcpFailure {
  if (!(error instanceof Error)) return { code: null, message: String(error) };
  const code = "code" in error ? numberOf(error.code) : null;
  const data = "data" in error ? error.data : undefined;
  return { code, message: errorMessage({ message: error.message, data }) };
}

/** True for a value that can only be from an ACP agent; some leave "jsonrpc" out. */
export function isAcpAnswer(value: unknown): boolean {
  if (isRpcMessage(value)) return true;
  const message = parseMessage(value);
  return (message.kind === "result" || message.kind === "error") && message.id !== null;
}
