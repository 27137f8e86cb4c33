// history.state: what a transcript knows beside its blocks. Each field is doubted on its own, each entry of a list
// too: a broken one costs only itself.

import type { OpenQuestion } from "./block.ts";
import { type Event, type EventName, parseEvent } from "./event.ts";
import { closeQuestion, openQuestion } from "./reduce_notice.ts";
import { applyData } from "./reduce.ts";
import { tokens } from "./reduce_turn.ts";
import { countAnomaly, NO_USAGE, type Session } from "./work.ts";

type Fields = Readonly<Record<string, unknown>>;

const RESTORERS: Readonly<Record<string, (session: Session, value: unknown) => boolean>> = {
  title: (session, value) => {
    if (typeof value !== "string") return false;
    session.title = value;
    return true;
  },
  plan: (session, value) => restoreList(session, "plan", "items", value),
  queue: (session, value) => restoreList(session, "queue", "items", value),
  options: (session, value) => restoreList(session, "options", "options", value),
  commands: (session, value) => restoreList(session, "commands", "commands", value),
  models: (session, value) => restoreList(session, "model_catalog", "models", value),
  questions: restoreQuestions,
  model: (session, value) => {
    if (value === null) {
      session.model = null;
      return true;
    }
    return applyAs(session, "model_selected", value);
  },
  context: (session, value) => {
    if (value === null) {
      session.context = null;
      return true;
    }
    return applyAs(session, "context", value);
  },
  usage: (session, value) => {
    if (!isObject(value)) return false;
    session.usage = {
      inputTokens: numberIn(value, "input_tokens"),
      outputTokens: numberIn(value, "output_tokens"),
      cacheReadTokens: numberIn(value, "cache_read_input_tokens"),
      cacheWriteTokens: numberIn(value, "cache_write_input_tokens"),
      reasoningTokens: numberIn(value, "reasoning_tokens"),
      costUsd: numberIn(value, "cost_usd"),
    };
    session.work.totalsKnown = true;
    return true;
  },
  counts: (session, value) => {
    if (!isObject(value)) return false;
    const { counts } = session;
    counts.events = numberIn(value, "events") ?? counts.events;
    counts.turns = numberIn(value, "turns") ?? counts.turns;
    counts.steps = numberIn(value, "steps") ?? counts.steps;
    counts.toolCalls = numberIn(value, "tool_calls") ?? counts.toolCalls;
    session.work.countsKnown = true;
    return true;
  },
  retry: (session, value) => {
    if (!isObject(value)) return value === null;
    const waitMs = numberIn(value, "wait_ms");
    if (waitMs === null) return false;
    session.retry = {
      attempt: numberIn(value, "attempt"),
      maxAttempts: numberIn(value, "max_attempts"),
      waitMs,
      startedMs: numberIn(value, "started_ms"),
    };
    return true;
  },
  created_ms: (session, value) => {
    if (tokens(typeof value === "number" ? value : null) === null) return value === null;
    session.createdMs = value as number;
    return true;
  },
  last_active_ms: (session, value) => {
    if (tokens(typeof value === "number" ? value : null) === null) return value === null;
    session.lastActiveMs = value as number;
    return true;
  },
  draft: (session, value) => {
    session.draft = value;
    return true;
  },
};

/** Takes over what `state` says; what it does not say stays. */
export function restoreState(session: Session, state: Fields): void {
  for (const [field, restore] of Object.entries(RESTORERS)) {
    if (!Object.hasOwn(state, field) || state[field] === undefined) continue;
    if (!restore(session, state[field])) countAnomaly(session, `history.state.${field}`);
  }
}

/** Forgets all that is not a block: another session begins. */
export function forgetState(session: Session): void {
  session.title = "";
  session.plan = [];
  session.queue = [];
  session.commands = [];
  session.options = [];
  session.models = [];
  session.model = null;
  session.context = null;
  session.createdMs = null;
  session.lastActiveMs = null;
  session.draft = null;
  session.usage = NO_USAGE;
}

/** The list as its event would bring it, without the entries that are broken. */
function restoreList(session: Session, event: EventName, field: string, value: unknown): boolean {
  const list = isObject(value) && Array.isArray(value[field]) ? value[field] : value;
  if (!Array.isArray(list)) return false;
  const good = list.filter((entry) => parseEvent({ event, data: { [field]: [entry] } }).kind === "event");
  applyAs(session, event, { [field]: good });
  return good.length === list.length;
}

/** Open questions. One that no item has asked gets its row here. */
function restoreQuestions(session: Session, value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const listed = new Set<string>();
  let isGood = true;
  for (const entry of value) {
    const parsed = parseEvent({ event: "question", data: entry });
    if (parsed.kind !== "event") {
      isGood = false;
      continue;
    }
    const data = (parsed.event as Event & { event: "question" }).data;
    listed.add(data.batch_id);
    if (session.questions.some((open) => open.batchId === data.batch_id)) continue;
    // An older page will bring its row.
    if (session.moreBefore !== null) session.questions = [...session.questions, openQuestion(data)];
    else applyData(session, parsed.event);
  }
  for (const open of session.questions) {
    if (isGood && !listed.has(open.batchId)) closeQuestion(session, open.batchId, "dismissed", []);
  }
  // Items of the newest page have asked theirs first; who waits longest is asked first.
  const places = new Map([...listed].map((batchId, place) => [batchId, place]));
  const placeOf = (open: OpenQuestion) => places.get(open.batchId) ?? places.size;
  session.questions = [...session.questions].sort((first, second) => placeOf(first) - placeOf(second));
  session.work.questionsKnown = true;
  return isGood;
}

function applyAs(session: Session, event: EventName, data: unknown): boolean {
  const parsed = parseEvent({ event, data });
  if (parsed.kind !== "event") return false;
  applyData(session, parsed.event);
  return true;
}

function numberIn(value: Fields, field: string): number | null {
  const given = value[field];
  return typeof given === "number" ? tokens(given) : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
