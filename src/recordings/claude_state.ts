// What a session of Claude Code has told so far, and the questions its record handlers ask of it: which agent wrote
// a record, which model request a message belongs to, whether a turn runs.

import { type Fields, fieldsOf, firstText, textOf } from "./fields.ts";
import { contentText } from "./recorded_content.ts";
import { dropQuestions, type OpenQuestions } from "./recorded_questions.ts";
import { ignore } from "./recorded_ignored.ts";
import { createTelling, greet, tell, type Telling, tellTitle } from "./telling.ts";
import { startCall, tellCall } from "./telling_calls.ts";
import { finishCompaction } from "./telling_compact.ts";
import {
  beginStep,
  beginTurn,
  endTurn,
  ensureTurn,
  leaveTurn,
  tellSteer,
  type Tokens,
  type TurnEnd,
} from "./telling_turn.ts";

/** How a session is to be read. */
export interface ClaudeLineOptions {
  /** The call that a sub-agent's own file belongs to: everything in it is nested there, without a greeting. */
  readonly parentId?: string | undefined;
}

/** A block of a streamed message. */
export interface StreamBlock {
  readonly kind: "text" | "thinking" | "tool_use" | "other";
  /** Of the reasoning or the call. */
  readonly id: string;
  closed: boolean;
}

/** Titles by how much a person had to do with them. */
export const TITLE_RANKS = { summary: 1, "ai-title": 2, "custom-title": 3 } as const;

/** The state of one session. Written by the claude*.ts files only. */
export interface ClaudeState {
  readonly telling: Telling;
  readonly options: ClaudeLineOptions;
  version: string | null;
  tools: readonly string[] | null;
  permissionMode: string | null;
  title: { readonly text: string; readonly rank: number } | null;
  /** Of the present record. */
  cwd: string | null;
  uuid: string;
  /** Message ids to steps of the turn with that number. */
  readonly requests: {
    turn: number;
    readonly steps: Map<string, number>;
    readonly usage: Map<number, string>;
  };
  lastUsage: { readonly turn: number; readonly step: number; readonly tokens: Tokens } | null;
  costTold: number;
  /** Streamed messages by the agent that sends them ("" is the session's own). */
  readonly streams: Map<string, { readonly messageId: string; readonly blocks: Map<number, StreamBlock> }>;
  /** Calls without an id, oldest first. */
  readonly idless: { readonly id: string; readonly parent: string | null }[];
  /** Where the records of nested agents belong: by record, by agent, and prompts that wait for their agent. */
  readonly nestedRecords: Map<string, string>;
  readonly nestedAgents: Map<string, string>;
  readonly agentCalls: { readonly id: string; readonly prompt: string; isOver: boolean }[];
  /** True for a sub-agent's own file that is opened by itself; null until that is known. */
  isAgentFile: boolean | null;
  readonly questions: OpenQuestions;
  /** Messages that wait to be sent, and those told when they were taken. */
  readonly queued: string[];
  readonly steered: string[];
  readonly tasks: Map<string, { text: string; status: "pending" | "in_progress" | "completed" }>;
  compacting:
    | { readonly tokensBefore: number | null; readonly tokensAfter: number | null; keeps: boolean }
    | null;
  /** The call of a command the person ran with "!". */
  shellCall: string | null;
  readonly userIds: Set<string>;
  /** Records seen, to know a repetition by. */
  readonly seen: Set<string>;
}

export function createClaudeState(options: ClaudeLineOptions): ClaudeState {
  const telling = createTelling("Claude Code");
  telling.greeted = options.parentId !== undefined;
  return {
    telling,
    options,
    version: null,
    tools: null,
    permissionMode: null,
    title: null,
    cwd: null,
    uuid: "",
    requests: { turn: 0, steps: new Map(), usage: new Map() },
    lastUsage: null,
    costTold: 0,
    streams: new Map(),
    idless: [],
    nestedRecords: new Map(),
    nestedAgents: new Map(),
    agentCalls: [],
    isAgentFile: options.parentId === undefined ? null : false,
    questions: new Map(),
    queued: [],
    steered: [],
    tasks: new Map(),
    compacting: null,
    shellCall: null,
    userIds: new Set(),
    seen: new Set(),
  };
}

/** Tells who recorded what and where, once. */
export function greetClaude(state: ClaudeState): void {
  const { telling, version, permissionMode } = state;
  if (telling.greeted) return;
  greet(telling, {
    agent: version === null ? telling.agent : `${telling.agent} ${version}`,
    tools: state.tools,
    scope: permissionMode === null ? null : `permission mode ${permissionMode}`,
  });
  if (state.title !== null) tellTitle(telling, state.title.text);
}

/** A title. One that a person gave is not replaced by a made one; one that comes first waits for the greeting. */
export function takeTitle(state: ClaudeState, text: string | null, rank: number): void {
  const { telling } = state;
  if (text === null || text.trim() === "") return ignore(telling, "empty title");
  if (rank < (state.title?.rank ?? 0)) return ignore(telling, "title behind a better one");
  state.title = { text, rank };
  if (telling.greeted) tellTitle(telling, text);
  else ignore(telling, "title, told with the greeting");
}

/** The call whose agent wrote the record; null for the session's own. */
export function parentOf(state: ClaudeState, record: Fields): string | null {
  const given = firstText(record.parent_tool_use_id);
  if (given !== null) return given;
  if (state.options.parentId !== undefined) return state.options.parentId;
  state.isAgentFile ??= record.isSidechain === true && firstText(record.agentId) !== null;
  if (record.isSidechain !== true || state.isAgentFile) return null;
  const agent = firstText(record.agentId) ?? "";
  const call = state.nestedAgents.get(agent) ?? state.nestedRecords.get(textOf(record.parentUuid) ?? "") ??
    callOfAgent(state, record);
  if (agent !== "") state.nestedAgents.set(agent, call);
  const uuid = firstText(record.uuid);
  if (uuid !== null) state.nestedRecords.set(uuid, call);
  return call;
}

/** A call has its result. The records of its agent may follow all the same: they may lie in a file of their own. */
export function settleAgent(state: ClaudeState, callId: string, agent: string | null): void {
  const call = state.agentCalls.find(({ id }) => id === callId);
  if (call === undefined) return;
  call.isOver = true;
  if (agent !== null && !state.nestedAgents.has(agent)) state.nestedAgents.set(agent, callId);
}

/** The call that began an agent: the one with its prompt, else the newest of those that wait, else one made here. */
function callOfAgent(state: ClaudeState, record: Fields): string {
  const prompt = contentText(fieldsOf(record.message).content) ?? "";
  const { agentCalls, telling } = state;
  const hasPrompt = (call: typeof agentCalls[number]) =>
    call.prompt !== "" && call.prompt.trim() === prompt.trim();
  const found = agentCalls.find((call) => hasPrompt(call) && !call.isOver) ?? agentCalls.find(hasPrompt) ??
    agentCalls.findLast((call) => !call.isOver);
  const at = found === undefined ? -1 : agentCalls.indexOf(found);
  const [call] = at === -1 ? [] : agentCalls.splice(at, 1);
  if (call !== undefined) return call.id;
  const id = `agent-${firstText(record.agentId, record.uuid) ?? telling.line}`;
  ensureTurn(telling);
  startCall(telling, { id, name: "Agent" });
  tellCall(telling, {
    id,
    name: "Agent",
    args: { prompt },
    card: { title: "Agent", kind: "think", body: null },
  });
  return id;
}

/** The step of the model request with that key; a new key begins the next. */
export function stepOf(state: ClaudeState, key: string, model: string | null): number {
  const { telling, requests } = state;
  const turn = ensureTurn(telling);
  if (requests.turn !== turn.number) {
    requests.turn = turn.number;
    requests.steps.clear();
    requests.usage.clear();
  }
  const known = requests.steps.get(key);
  if (known !== undefined) return known;
  beginStep(telling, { model: model === "<synthetic>" ? null : model });
  requests.steps.set(key, turn.step);
  return turn.step;
}

/** A message of the person: begins a turn. */
export function takePrompt(state: ClaudeState, text: string): void {
  finishCompacting(state, "");
  dropQuestions(state.telling, state.questions, null);
  beginTurn(state.telling, { text, messageId: userId(state) });
}

/** A message into the running turn; begins one where none runs. */
export function takeSteer(state: ClaudeState, text: string): void {
  if (state.telling.turn === null) return takePrompt(state, text);
  finishCompacting(state, "");
  tellSteer(state.telling, { text, messageId: userId(state) });
}

/** The record's own id, marked where it was used before. */
export function userId(state: ClaudeState): string {
  const { uuid, userIds, telling } = state;
  const id = uuid === "" || userIds.has(uuid) ? `${uuid}#${telling.line}` : uuid;
  userIds.add(id);
  return id;
}

/** Ends the open turn, if any: as said, or as its last answer left it. */
export function closeTurn(state: ClaudeState, end: TurnEnd | null): boolean {
  const { telling } = state;
  if (telling.turn === null) return false;
  dropQuestions(telling, state.questions, null);
  if (end === null) leaveTurn(telling);
  else endTurn(telling, end);
  return true;
}

/** A compaction whose summary came, or will not come. */
export function finishCompacting(state: ClaudeState, summary: string): boolean {
  const { compacting, telling } = state;
  if (compacting === null) return false;
  state.compacting = null;
  finishCompaction(telling, {
    summary,
    keepsMessages: compacting.keeps,
    tokensBefore: compacting.tokensBefore,
    tokensAfter: compacting.tokensAfter,
  });
  return true;
}

/** The file is over. */
export function endClaude(state: ClaudeState): void {
  const { telling } = state;
  if (state.options.parentId !== undefined) return;
  greetClaude(state);
  finishCompacting(state, "");
  const hadTurn = closeTurn(state, null);
  if (!hadTurn && telling.open.size > 0) tell(telling, "turn_end", { result: "interrupted" });
  dropQuestions(telling, state.questions, null);
}
