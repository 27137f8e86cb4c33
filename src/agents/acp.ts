// An agent that is a child process and speaks the Agent Client Protocol, version 1. The process is child_agent.ts,
// JSON-RPC acp_connection.ts, meaning recordings/acp.ts; here methods find their requests and messages their way.

import { createAcpTranslation } from "../recordings/acp.ts";
import { parseMessage } from "../recordings/acp_message.ts";
import { fieldAt, type Fields, fieldsOf, isFields, textOf } from "../recordings/fields.ts";
import type { Record as LineRecord } from "../recordings/json_lines.ts";
import type { Method, MethodName } from "../transcript/method.ts";
import { createAcpSettings, type SettingRequest } from "./acp_settings.ts";
import { isAcpAnswer, openAcpConnection } from "./acp_connection.ts";
import { type AcpLive, type AcpOptions, agentTitle, refuse, tellEvent, tellTranslated } from "./acp_live.ts";
import { authenticate, noteLogin, openAgent, versionProblem } from "./acp_open.ts";
import { answerAll, answerOf, answerQuestion, cancel, noteRequest, run, steer } from "./acp_turns.ts";
import type { Agent, AgentListener } from "./agent.ts";
import { type LineProtocol, type ProtocolHost, startChildAgent } from "./child_agent.ts";

export type { AcpOptions };

/** An ACP agent: an Agent with a session id of its own. */
export interface AcpAgent extends Agent {
  sessionId(): string | null;
}

/** What the program should have said. */
export const EXPECTED_ACP =
  `an answer to ACP's initialize, like {"jsonrpc":"2.0","id":0,"result":{...}}, on stdout`;

/** Starts the program. Whatever goes wrong, also in starting it, comes as the listener's onEnd. */
export function startAcpAgent(options: AcpOptions, listener: AgentListener): AcpAgent {
  const { agent, protocol } = startChildAgent(options, listener, (host) => createAcpProtocol(options, host));
  return {
    send: (method) => agent.send(method),
    close: () => agent.close(),
    stderrTail: () => agent.stderrTail(),
    sessionId: () => protocol.sessionId(),
  };
}

/** ACP over a process's pipes. */
export interface AcpProtocol extends LineProtocol {
  sessionId(): string | null;
  /** The program turned out to speak something else. */
  abandon(): void;
}

/** How long an agent may take to close its session when it is shut down. */
const CLOSE_WITHIN_MS = 1000;

export function createAcpProtocol(given: AcpOptions, host: ProtocolHost): AcpProtocol {
  const options = { ...given, idPrefix: given.idPrefix ?? `${crypto.randomUUID().slice(0, 4)}-` };
  const live: AcpLive = {
    options,
    host,
    connection: openAcpConnection({
      send: (message) => sendMessage(live, message),
      answer: (request) => answerOf(live, request),
    }),
    translation: createAcpTranslation({
      idPrefix: options.idPrefix,
      replay: options.resume === undefined ? "show" : options.resume.replay,
    }),
    settings: createAcpSettings(),
    phase: "starting",
    about: {},
    sessionId: null,
    turn: null,
    held: [],
    seen: new Set(),
    written: new Map(),
    asked: new Map(),
    login: null,
    commands: [],
    catalog: null,
    model: null,
    muted: new Set(),
    collected: null,
    hasHistory: false,
    hadLogin: false,
    lastUpdateMs: 0,
  };
  return {
    expected: EXPECTED_ACP,
    begin: () => void openAgent(live, (method) => sendMethod(live, method)),
    take: (record) => takeRecord(live, record),
    send: (method) => sendMethod(live, method),
    finish: () => {
      live.phase = "over";
      live.host.tell(live.translation.end(Date.now()).events);
      live.connection.close();
    },
    sessionId: () => live.sessionId,
    abandon: () => {
      live.phase = "over";
      live.connection.close();
    },
  };
}

/** A message goes out: the translation sees it as the person wrote it, without the links in it. */
function sendMessage(live: AcpLive, message: Fields): void {
  if (live.phase === "over") return;
  const { method } = message;
  const params = fieldsOf(message.params);
  const id = textOf(fieldAt(params, "_meta", "trifold.message_id"));
  if (method === "session/prompt" && live.turn !== null && live.turn.messageId === id) {
    live.turn.requestId = message.id as number;
  }
  const written = id === null ? undefined : live.written.get(id);
  const shown = written === undefined
    ? message
    : { ...message, params: { ...params, prompt: [{ type: "text", text: written }] } };
  tellTranslated(live, live.translation.push("to_agent", shown, Date.now()).events);
  live.host.write(JSON.stringify(message) + "\n");
}

/** A line came in. */
function takeRecord(live: AcpLive, record: LineRecord): void {
  if (live.phase === "over") return;
  if (record.kind === "problem") {
    if (Object.keys(live.about).length === 0) live.host.faulty();
    return live.host.tell([{ kind: "problem", what: `Cannot read line ${record.line}: ${record.what}` }]);
  }
  // A number or a word on a line of its own is no message, whatever JSON says of it.
  const values = (Array.isArray(record.value) ? record.value : [record.value]) as readonly unknown[];
  for (const value of values) {
    if (Object.keys(live.about).length === 0 && !isAcpAnswer(value)) {
      live.host.faulty();
      live.host.tell([{
        kind: "problem",
        what: `Cannot read line ${record.line}: no message of the protocol`,
      }]);
    } else takeMessage(live, value);
  }
}

function takeMessage(live: AcpLive, value: unknown): void {
  const message = parseMessage(value);
  const { turn } = live;
  let endsTurn = false;
  switch (message.kind) {
    case "request":
      noteRequest(live, message.id, message.method, message.params);
      break;
    case "notification":
      live.lastUpdateMs = Date.now();
      live.settings.takeOptions(fieldsOf(message.params.update));
      break;
    case "result":
      if (isFields(message.result) && "protocolVersion" in message.result && live.phase === "starting") {
        const problem = versionProblem(live.options, message.result);
        if (problem !== null) return live.host.end("not_understood", problem);
        live.about = message.result;
      }
      live.settings.takeOptions(fieldsOf(message.result));
      /* falls through */
    case "error":
      if (message.kind === "error") noteLogin(live, message.error);
      endsTurn = turn !== null && message.id === turn.requestId;
      // Before the turn's end is told: the host may send the next prompt at once.
      if (endsTurn) live.turn = null;
  }
  const { events } = live.translation.push("from_agent", value, Date.now());
  // Before the session is told: the host may ask for its id at once.
  if (live.phase === "starting" && message.kind === "result") live.sessionId = live.translation.sessionId();
  tellTranslated(live, events);
  if (endsTurn) answerAll(live);
  live.connection.take(value);
}

type Handlers = {
  readonly [Name in MethodName]: (live: AcpLive, method: Extract<Method, { method: Name }>) => void;
};

const HANDLERS: Handlers = {
  run,
  steer: (live, method) => void steer(live, method),
  cancel,
  answer: answerQuestion,
  dismiss_question: answerQuestion,
  authenticate: (live, method) => void authenticate(live, method, (held) => sendMethod(live, held)),
  set_option: (live, method) => {
    const request = live.settings.optionRequest(method.params.id, method.params.value);
    const what = `${agentTitle(live)} has no option ${method.params.id}`;
    change(live, method, request, what);
  },
  select_model: (live, method) => {
    const request = live.settings.modelRequest(method.params.provider ?? null, method.params.model);
    const wanted = request?.params.value ?? request?.params.modelId;
    if (live.model !== null && wanted === live.model) {
      // A host that goes on with a session asks for the model it has.
      return tellEvent(live, "model_selected", { model: live.model, source: "client" });
    }
    change(live, method, request, `${agentTitle(live)} lets no model be chosen`);
  },
  list_models: (live, method) => {
    if (live.catalog === null) {
      return refuse(live, method, "invalid_request", `${agentTitle(live)} lists no models`);
    }
    live.host.tell([{ kind: "event", event: live.catalog, unknownFields: [] }]);
  },
  compact: (live, method) => {
    const command = ["compact", "compress"].find((name) => live.commands.includes(name));
    if (command === undefined) {
      return refuse(live, method, "invalid_request", `${agentTitle(live)} has no command that compacts`);
    }
    run(live, { method: "run", params: { input: `/${command}` } });
  },
  shutdown: (live) => void shutDown(live),
  pause: (live, method) => refuse(live, method, "invalid_request", `${agentTitle(live)} cannot pause`),
  resume: (live, method) => refuse(live, method, "not_paused", "Nothing is paused"),
  // Queue, history and drafts are the pod's.
  get_history: (live, method) => refuse(live, method, "invalid_request", "The agent keeps no history"),
  unqueue: (live, method) => refuse(live, method, "invalid_request", "The agent keeps no queue"),
  keep_draft: () => {},
};

/** Methods that only a session can carry out. Without a login there may never be one. */
const WAITS_FOR_SESSION: ReadonlySet<MethodName> = new Set([
  "set_option",
  "select_model",
  "list_models",
  "compact",
]);

function sendMethod(live: AcpLive, method: Method): void {
  if (live.phase === "over") return;
  if (live.phase !== "open" && WAITS_FOR_SESSION.has(method.method)) {
    if (live.phase === "starting") return void live.held.push(method);
    return refuse(live, method, "invalid_request", "There is no session yet");
  }
  const handle = HANDLERS[method.method] as (live: AcpLive, method: Method) => void;
  handle(live, method);
}

/** Sends a request that changes a setting; what became of it is told by the translation. */
function change(live: AcpLive, method: Method, request: SettingRequest | null, what: string): void {
  if (request === null) return refuse(live, method, "invalid_request", what);
  live.connection.request(request.method, { sessionId: live.sessionId, ...request.params }).catch(() => {});
}

/** `shutdown`: what runs is cancelled, the session closed where the agent knows how, the process ended. */
async function shutDown(live: AcpLive): Promise<void> {
  answerAll(live);
  const { sessionId } = live;
  if (live.turn !== null) live.connection.notify("session/cancel", { sessionId });
  if (sessionId !== null && fieldAt(live.about, "agentCapabilities", "sessionCapabilities", "close")) {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => late.resolve(), CLOSE_WITHIN_MS);
    const closed = live.connection.request("session/close", { sessionId }).then(() => {}, () => {});
    await Promise.race([closed, late.promise]);
    clearTimeout(timer);
  }
  if (live.phase === "over") return;
  tellEvent(live, "shutdown", { reason: "requested" });
  live.host.end("shut_down");
}
