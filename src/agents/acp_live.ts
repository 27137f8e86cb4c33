// What one live ACP connection knows, and how its events reach the host: most as the translation tells them, a few
// completed with what only a live agent has.

import type { InferInput } from "valibot";
import type { AcpTranslation } from "../recordings/acp.ts";
import type { RpcId } from "../recordings/acp_message.ts";
import { fieldAt, type Fields, fieldsList, firstText } from "../recordings/fields.ts";
import {
  type Event,
  type EVENT_SCHEMAS,
  type EventData,
  type EventName,
  type ParsedEvent,
  parseEvent,
} from "../transcript/event.ts";
import type { Method } from "../transcript/method.ts";
import type { AskingRequest } from "./acp_answers.ts";
import type { AcpConnection } from "./acp_connection.ts";
import { type LoginMethod, loginMethod } from "./acp_login.ts";
import type { AcpSettings } from "./acp_settings.ts";
import type { ChildAgentOptions, ProtocolHost } from "./child_agent.ts";

export interface AcpOptions extends ChildAgentOptions {
  /** Put in front of the ids made for this start; ids of an earlier start of the same session must not come again. */
  readonly idPrefix?: string;
  /** A session the agent has kept. `replay` "drop": the host's own log has what the agent would replay. */
  readonly resume?: { readonly sessionId: string; readonly replay: "drop" | "show" };
  /** True where the terminal can be given to a login command (LoginMethod.terminal). */
  readonly terminalLogin?: boolean;
  /** How long session/new and its kin may take. */
  readonly sessionWithinMs?: number;
  /** What the person should know about how this agent is started; told once it is there. */
  readonly advice?: Promise<string | null>;
}

/** A question of the agent that waits for the person. */
export interface Asked extends AskingRequest {
  readonly answer: PromiseWithResolvers<Fields>;
  isOpen: boolean;
}

/** The prompt being answered. */
export interface LiveTurn {
  readonly messageId: string;
  /** Known once the request has gone out. */
  requestId: RpcId | undefined;
  /** When cancelling was asked for first. */
  cancelMs: number | null;
}

/** State of one connection; written by the acp*.ts files only. */
export interface AcpLive {
  readonly options: AcpOptions;
  readonly host: ProtocolHost;
  readonly connection: AcpConnection;
  readonly translation: AcpTranslation;
  readonly settings: AcpSettings;
  /** login: the agent wants one before it makes a session. */
  phase: "starting" | "login" | "open" | "over";
  /** The answer to initialize. */
  about: Fields;
  sessionId: string | null;
  turn: LiveTurn | null;
  /** What was asked for while there is no session yet: one message, and settings. */
  readonly held: Method[];
  /** Ids of messages that were run. */
  readonly seen: Set<string>;
  /** What the person wrote, by message id, where the prompt has links in it. */
  readonly written: Map<string, string>;
  readonly asked: Map<string, Asked>;
  /** A login that is under way. */
  login: AbortController | null;
  /** Names of the agent's own commands. */
  commands: readonly string[];
  catalog: Event | null;
  /** The model as last told. */
  model: string | null;
  /** Events not to be told while another way of resuming can still be tried. */
  muted: ReadonlySet<EventName>;
  /** What is replayed before it is known that there is such a session; null when nothing is. */
  collected: ParsedEvent[] | null;
  hasHistory: boolean;
  /** A login was wanted before there was a session: the host may have begun without its history. */
  hadLogin: boolean;
  lastUpdateMs: number;
}

/** Tells the host what the translation made of a message. */
export function tellTranslated(live: AcpLive, parsed: readonly ParsedEvent[]): void {
  const told: ParsedEvent[] = [];
  for (const each of parsed) {
    if (each.kind !== "event") told.push(each);
    else if (!live.muted.has(each.event.event)) told.push({ ...each, event: completed(live, each.event) });
  }
  if (live.collected === null) return live.host.tell(told);
  live.host.tell(told.filter(isOfStart));
  for (const one of told) if (!isOfStart(one)) live.collected.push(one);
}

/** What is told at once, though the session is still to come. */
function isOfStart(one: ParsedEvent): boolean {
  return one.kind === "event" && (one.event.event === "starting" || one.event.event === "auth");
}

/** Tells what was collected, or forgets it where there was no such session. */
export function endCollecting(live: AcpLive, isSession: boolean): void {
  const { collected } = live;
  live.collected = null;
  if (isSession) live.host.tell(collected ?? []);
  else if (collected !== null) live.hasHistory = false;
}

/** Tells the host something of our own. */
export function tellEvent<Name extends EventName>(
  live: AcpLive,
  event: Name,
  data: InferInput<typeof EVENT_SCHEMAS[Name]>,
): void {
  live.host.tell([parseEvent({ event, data, ts: Date.now() })]);
}

/** Says that a method cannot be carried out. */
export function refuse(
  live: AcpLive,
  method: Method,
  code: "already_running" | "not_running" | "not_paused" | "invalid_request",
  message: string,
): void {
  const messageId = "message_id" in method.params ? method.params.message_id ?? null : null;
  tellEvent(live, "error", { code, message, id: method.id ?? null, message_id: messageId });
}

/** How the agent calls itself, or its command. */
export function agentTitle(live: AcpLive): string {
  return firstText(fieldAt(live.about, "agentInfo", "title"), fieldAt(live.about, "agentInfo", "name")) ??
    live.options.command;
}

/** Ways to log in, as initialize listed them. */
export function loginMethods(live: AcpLive): LoginMethod[] {
  return fieldsList(live.about.authMethods).map((method) => loginMethod(method, live.options));
}

/** True when the agent takes messages into a running turn (`_meta.steering`, of Claude's and Codex's adapters). */
export function canSteer(live: AcpLive): boolean {
  return fieldAt(live.about, "_meta", "steering", "supported") === true;
}

type Completion = {
  readonly [Name in EventName]?: (live: AcpLive, data: EventData<Name>) => EventData<Name>;
};

const COMPLETIONS: Completion = {
  hello: (live, data) => {
    live.host.isThere();
    return { ...data, capabilities: ["questions", "models", ...(canSteer(live) ? ["steer"] : [])] };
  },
  history: (live, data) => {
    live.hasHistory = true;
    return data;
  },
  auth: (live) => ({ methods: loginMethods(live) }),
  commands: (live, data) => {
    live.commands = data.commands.map((command) => command.name);
    return data;
  },
};

function completed(live: AcpLive, event: Event): Event {
  if (event.event === "model_catalog") live.catalog = event;
  if (event.event === "model_selected") live.model = event.data.model;
  const complete = COMPLETIONS[event.event] as ((live: AcpLive, data: unknown) => unknown) | undefined;
  return complete === undefined ? event : { ...event, data: complete(live, event.data) } as Event;
}
