// What one ACP connection has told so far, and how its messages become events: every event is built through the
// schemas of event.ts, so that a mistake here shows as a problem and not on the screen.

import type { InferInput } from "valibot";
import { type EVENT_SCHEMAS, type EventName, type ParsedEvent, parseEvent } from "../transcript/event.ts";
import type { AcpCard } from "./acp_card.ts";
import type { RpcId } from "./acp_message.ts";
import type { Fields } from "./fields.ts";

/** How a connection is to be read. */
export interface AcpOptions {
  /** Put in front of the ids made here (questions, reasoning), so that a restarted agent does not repeat them. */
  readonly idPrefix?: string;
  /** What to do with a conversation the agent replays: "drop" where the host's own log already has it. */
  readonly replay?: "show" | "drop";
}

/** A request that waits for its answer. */
export interface OpenRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: Fields;
}

/** A text or reasoning block that may still grow. One per nested agent ("" is the session's own). */
export interface OpenBlock {
  readonly kind: "text" | "reasoning";
  readonly messageId: string | null;
  readonly reasoningId: string;
  readonly sinceMs: number | null;
  /** What came so far, as far as it decides how the next piece is read. */
  length: number;
}

/** The prompt being answered, or one turn of a replay. */
export interface AcpTurn {
  readonly number: number;
  readonly startMs: number | null;
  readonly isReplay: boolean;
  /** Ids of the prompts that wait; the turn ends with the last. */
  readonly prompts: Set<RpcId>;
  readonly text: string;
  step: number;
  stepOpen: boolean;
  /** Steps whose usage the agent told one by one; the prompt's own sum then says nothing new. */
  countedSteps: number;
  cancelAsked: boolean;
  /** "Retrying" texts since the last sign of an answer. */
  retries: number;
  /** A provider's error that came as ordinary text. */
  errorText: string | null;
}

/** A question put to the person. */
export interface AcpQuestion {
  readonly batchId: string;
  readonly request: OpenRequest;
  readonly callId: string | null;
  /** Option ids that refuse. */
  readonly denying: ReadonlySet<string>;
}

/** Usage of one step as last told, so that a late cost keeps the tokens. */
export interface StepUsage {
  readonly turn: number;
  readonly step: number;
  readonly tokens: Readonly<Record<string, number | null>>;
}

/** The whole state of one connection. Written by the acp_*.ts files only. */
export interface AcpState {
  readonly options: Required<AcpOptions>;
  readonly events: ParsedEvent[];
  readonly ignored: string[];
  nowMs: number | null;
  /** `name` decides which of its ways an agent has (DIALECTS). */
  agent: { name: string; title: string; version: string };
  authMethods: readonly Fields[];
  sessionId: string | null;
  cwd: string | null;
  /** Start banner an agent repeats as its first text. */
  banner: string | null;
  /** True from session/load on until the first prompt. */
  replaying: boolean;
  readonly toAgent: Map<string, OpenRequest>;
  readonly fromAgent: Map<string, OpenRequest>;
  turn: AcpTurn | null;
  turns: number;
  readonly blocks: Map<string, OpenBlock>;
  reasonings: number;
  /** A replayed user message whose pieces may still come. */
  userText: { text: string; messageId: string | null } | null;
  readonly cards: Map<string, AcpCard>;
  /** Announced calls whose arguments still grow, in order. */
  readonly growing: Set<AcpCard>;
  /** Replayed calls that came finished and may be completed by one more update. */
  readonly held: Set<AcpCard>;
  readonly questions: Map<string, AcpQuestion>;
  configOptions: readonly Fields[];
  modes: { readonly available: readonly Fields[]; current: string | null } | null;
  models: readonly Fields[];
  model: string | null;
  /** The value of the model option, which may name no model ("default"). */
  chosenModel: string | null;
  /** Child sessions to the id of the card that stands for each. */
  readonly children: Map<string, string>;
  readonly compactions: Map<string, { summary: string; status: string }>;
  readonly plans: Map<string, readonly Fields[]>;
  /** Context, options and commands as last told, so that only news are. */
  contextTold: string;
  commandsTold: string;
  optionsTold: string;
  costTold: number | null;
  costAtTurn: number | null;
  usage: StepUsage | null;
}

/** A connection nothing has been said on. */
export function createAcpState(options: AcpOptions = {}): AcpState {
  return {
    options: { idPrefix: options.idPrefix ?? "", replay: options.replay ?? "show" },
    events: [],
    ignored: [],
    nowMs: null,
    agent: { name: "", title: "ACP agent", version: "" },
    authMethods: [],
    sessionId: null,
    cwd: null,
    banner: null,
    replaying: false,
    toAgent: new Map(),
    fromAgent: new Map(),
    turn: null,
    turns: 0,
    blocks: new Map(),
    reasonings: 0,
    userText: null,
    cards: new Map(),
    growing: new Set(),
    held: new Set(),
    questions: new Map(),
    configOptions: [],
    modes: null,
    models: [],
    model: null,
    chosenModel: null,
    children: new Map(),
    compactions: new Map(),
    plans: new Map(),
    contextTold: "",
    commandsTold: "",
    optionsTold: "",
    costTold: null,
    costAtTurn: null,
    usage: null,
  };
}

/** Gives one event, with the time of the message it comes from. */
export function emit<Name extends EventName>(
  state: AcpState,
  event: Name,
  data: InferInput<typeof EVENT_SCHEMAS[Name]>,
): void {
  state.events.push(parseEvent({ event, data, ...(state.nowMs === null ? {} : { ts: state.nowMs }) }));
}

/** Accounts for something that is known and not shown. `what` is a short constant, for counting. */
export function ignore(state: AcpState, what: string): void {
  state.ignored.push(what);
}

/** Counts a name nobody here knows. */
export function countUnknown(state: AcpState, name: string): void {
  state.events.push({ kind: "unknown", name: `acp ${name}` });
}

/** The key a JSON-RPC id is kept by: 1 and "1" are different ids. */
export function idKey(id: RpcId): string {
  return JSON.stringify(id);
}

/** Milliseconds since `sinceMs`, or null when either end is unknown. */
export function elapsedMs(state: AcpState, sinceMs: number | null): number | null {
  return state.nowMs === null || sinceMs === null ? null : Math.max(0, state.nowMs - sinceMs);
}
