// What a recorded session has told so far, and how a translator says it: shared by the formats that agents write
// themselves (pi, Gemini, Qwen, OpenCode, DeepSeek Harness). Every event passes the schemas of event.ts. Turns are
// telling_turn.ts, calls telling_calls.ts; what a record means is each format's own.

import type { InferInput } from "valibot";
import { type EVENT_SCHEMAS, type EventName, parseEvent } from "../transcript/event.ts";
import type { NotShown } from "./not_shown.ts";
import type { ToldCall } from "./telling_calls.ts";
import type { ToldTurn } from "./telling_turn.ts";
import type { RecordingStep } from "./translator.ts";

/** One session being told. Written by the telling*.ts files and by its translator. */
export interface Telling {
  /** Who wrote it, for people. */
  readonly agent: string;
  readonly steps: RecordingStep[];
  /** Where the record being told stood, and when it was written (ms); null when it does not say. */
  line: number;
  timeMs: number | null;
  /** What the greeting says; filled before the first event. */
  readonly greeting: {
    sessionId: string | null;
    cwd: string | null;
    provider: string | null;
    model: string | null;
    contextWindow: number | null;
    readonly notes: string[];
  };
  greeted: boolean;
  title: string | null;
  turn: ToldTurn | null;
  turns: number;
  /** The newest call of each id the records give. */
  readonly calls: Map<string, ToldCall>;
  readonly open: Set<ToldCall>;
  thoughts: number;
  /** Model the last request used. */
  model: string | null;
}

/** A session nothing has been told of. */
export function createTelling(agent: string): Telling {
  return {
    agent,
    steps: [],
    line: 0,
    timeMs: null,
    greeting: { sessionId: null, cwd: null, provider: null, model: null, contextWindow: null, notes: [] },
    greeted: false,
    title: null,
    turn: null,
    turns: 0,
    calls: new Map(),
    open: new Set(),
    thoughts: 0,
    model: null,
  };
}

/** Sets where the next events come from. A record without a time keeps the time of the one before. */
export function tellFrom(telling: Telling, line: number, timeMs: number | null): void {
  telling.line = line;
  telling.timeMs = timeMs ?? telling.timeMs;
}

/** The steps since it was asked last. */
export function takeSteps(telling: Telling): readonly RecordingStep[] {
  return telling.steps.splice(0);
}

/** Gives one event; the greeting goes before the first. */
export function tell<Name extends EventName>(
  telling: Telling,
  event: Name,
  data: InferInput<typeof EVENT_SCHEMAS[Name]>,
): void {
  greet(telling);
  pushEvent(telling, event, data);
}

/** What a greeting says beside the telling's own facts. */
export interface GreetingFacts {
  /** The agent's name in hello; the telling's own when left out. */
  readonly agent?: string;
  readonly tools?: readonly string[] | null;
  readonly scope?: string | null;
}

/** The beginning of the transcript: who, where, with what. Told once. */
export function greet(telling: Telling, facts: GreetingFacts = {}): void {
  if (telling.greeted) return;
  telling.greeted = true;
  const { sessionId, cwd, provider, model, contextWindow, notes } = telling.greeting;
  pushEvent(telling, "hello", { protocol: "pod-jsonl", version: 1, agent: facts.agent ?? telling.agent });
  pushEvent(telling, "history", {
    session_id: sessionId,
    status: "idle",
    greeting: {
      pod_name: telling.agent,
      cwd,
      provider,
      model,
      scope_summary: facts.scope ?? null,
      tools: facts.tools == null ? null : [...facts.tools],
      context_window: contextWindow,
      notes: notes.length === 0 ? null : [...notes],
    },
  });
}

/** Accounts for something that is known and not shown. */
export function ignore(telling: Telling, what: NotShown): void {
  ignoreKind(telling, what);
}

/** Accounts for a record of a kind that is not shown; `reason` is from the format's table. */
export function ignoreKind(telling: Telling, reason: string): void {
  telling.steps.push({ kind: "ignored", what: reason, line: telling.line });
}

/** Accounts for a kind of record nobody here knows. */
export function ignoreUnknown(telling: Telling, kind: string): void {
  ignoreKind(telling, `unknown ${kind === "" ? "record" : kind.slice(0, 80)}`);
}

/** A row that tells something about the session. */
export function notify(
  telling: Telling,
  level: "info" | "warn" | "error",
  message: string,
  parent: string | null = null,
): void {
  tell(telling, "notification", { level, source: telling.agent, message, parent_id: parent });
}

/** Text the agent gave to the model on the person's behalf: shown as a row, so that it folds. */
export function tellContextText(telling: Telling, text: string, parent: string | null = null): void {
  notify(telling, "info", `Context given to the model:\n${text.trim()}`, parent);
}

/** A whole piece of the answer. Blank text says nothing. */
export function tellText(telling: Telling, text: string, parent: string | null = null): void {
  if (text.trim() === "") return ignore(telling, "blank text");
  tell(telling, "text_delta", { text, parent_id: parent });
  tell(telling, "text_done", { parent_id: parent });
}

/** A whole thought. Blank ones are kept by models for themselves. */
export function tellThought(
  telling: Telling,
  text: string,
  about: { readonly elapsedMs?: number | null; readonly parent?: string | null } = {},
): void {
  if (text.trim() === "") return ignore(telling, "reasoning kept secret by the model");
  const id = nextThoughtId(telling);
  const parent_id = about.parent ?? null;
  tell(telling, "reasoning_start", { id, parent_id });
  tell(telling, "reasoning_delta", { id, text, parent_id });
  tell(telling, "reasoning_done", { id, elapsed_ms: about.elapsedMs ?? null, parent_id });
}

/** Ids of thoughts, which records do not give: their number in the session. */
export function nextThoughtId(telling: Telling): string {
  return `thought-${++telling.thoughts}`;
}

/** The session's title, once for each new one. */
export function tellTitle(telling: Telling, title: string | null): void {
  if (title === null || title.trim() === "") return ignore(telling, "empty title");
  if (title === telling.title) return ignore(telling, "title as before");
  telling.title = title;
  tell(telling, "title", { title });
}

/** Time of a record, from ISO text or a number of ms; null for anything else. */
export function timeOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) && value > 0 ? value : null;
  if (typeof value !== "string") return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
}

function pushEvent(telling: Telling, event: EventName, data: unknown): void {
  const { line, timeMs } = telling;
  const parsed = parseEvent({ event, data, ...(timeMs === null ? {} : { ts: timeMs }) });
  telling.steps.push(
    parsed.kind === "problem"
      ? { kind: "problem", what: parsed.what, line }
      : { kind: "event", parsed, line },
  );
}
