// Applies one event to the transcript: the one writer, in place. A table joins the families; nothing here throws
// for any event in any order. Histories and surfaces are restore.ts.

import type { Changes, Transcript } from "./block.ts";
import type { Event, EventData, EventName, ParsedEvent } from "./event.ts";
import { drawOwnMessage, type OwnMessage, takeBack } from "./own_message.ts";
import { countIn } from "./counts.ts";
import { addProblem } from "./problem_notice.ts";
import {
  leaveCompact,
  reduceCompactDone,
  reduceCompactFailed,
  reduceCompactStart,
  reduceError,
  reduceNotification,
  reduceQuestion,
  reduceQuestionClosed,
  reduceRetry,
} from "./reduce_notice.ts";
import * as about from "./reduce_session.ts";
import {
  reduceReasoningDelta,
  reduceReasoningDone,
  reduceReasoningStart,
  reduceTextDelta,
  reduceTextDone,
} from "./reduce_text.ts";
import {
  reduceToolCallArgsDelta,
  reduceToolCallDone,
  reduceToolCallStart,
  reduceToolOutput,
  reduceToolResult,
} from "./reduce_tool.ts";
import {
  reduceStepEnd,
  reduceStepStart,
  reduceTurnEnd,
  reduceTurnStart,
  reduceUsage,
  reduceUserMessage,
} from "./reduce_turn.ts";
import { reduceHistory, reduceHistoryPage, reduceSurface } from "./restore.ts";
import { acceptSeq } from "./seq.ts";
import { createSession, type Problem, type Session, sessionOf } from "./work.ts";

type Handlers = { readonly [Name in EventName]: (session: Session, data: EventData<Name>) => void };

const HANDLERS: Handlers = {
  hello: about.reduceHello,
  history: reduceHistory,
  history_page: reduceHistoryPage,
  surface: reduceSurface,
  status: about.reduceStatus,
  starting: about.reduceStarting,
  auth: about.reduceAuth,
  shutdown: about.reduceShutdown,
  title: about.reduceTitle,
  plan: about.reducePlan,
  commands: about.reduceCommands,
  options: about.reduceOptions,
  model_catalog: about.reduceModelCatalog,
  model_selected: about.reduceModelSelected,
  context: about.reduceContext,
  queue: about.reduceQueue,
  user_message: reduceUserMessage,
  turn_start: reduceTurnStart,
  turn_end: reduceTurnEnd,
  step_start: reduceStepStart,
  step_end: reduceStepEnd,
  usage: reduceUsage,
  text_delta: reduceTextDelta,
  text_done: reduceTextDone,
  reasoning_start: reduceReasoningStart,
  reasoning_delta: reduceReasoningDelta,
  reasoning_done: reduceReasoningDone,
  tool_call_start: reduceToolCallStart,
  tool_call_args_delta: reduceToolCallArgsDelta,
  tool_call_done: reduceToolCallDone,
  tool_output: reduceToolOutput,
  tool_result: reduceToolResult,
  question: reduceQuestion,
  question_closed: reduceQuestionClosed,
  notification: reduceNotification,
  retry: reduceRetry,
  error: reduceError,
  compact_start: reduceCompactStart,
  compact_done: reduceCompactDone,
  compact_failed: reduceCompactFailed,
};

/** Sent to one client each, so no part of the session. */
const UNLOGGED: ReadonlySet<EventName> = new Set(["hello", "history", "history_page"]);

/** A transcript of nothing yet. */
export function createTranscript(): Transcript {
  return createSession();
}

/** Facts an agent may tell while it waits for its next try. */
const BESIDE_RETRY: ReadonlySet<EventName> = new Set([
  "status",
  "usage",
  "context",
  "plan",
  "queue",
  "title",
  "notification",
  "commands",
  "options",
  "history_page",
]);

/** Applies an event of the agent. Never throws; what is odd is counted or told in a row. */
export function applyEvent(transcript: Transcript, event: Event): void {
  const session = sessionOf(transcript);
  if (event.seq !== undefined && !acceptSeq(session, event.seq)) return;
  if (!UNLOGGED.has(event.event)) session.counts.events++;
  session.work.eventMs = event.ts ?? null;
  if (event.ts !== undefined && Number.isFinite(event.ts)) {
    session.createdMs ??= event.ts;
    session.lastActiveMs = Math.max(session.lastActiveMs ?? event.ts, event.ts);
  }
  if (!BESIDE_RETRY.has(event.event)) session.retry = null;
  applyData(session, event);
}

/** Applies an event as it is, wherever it came from. */
export function applyData(session: Session, event: Event): void {
  (HANDLERS[event.event] as (session: Session, data: unknown) => void)(session, event.data);
}

/** Applies what became of a JSON value that should be an event. */
export function applyParsed(transcript: Transcript, parsed: ParsedEvent): void {
  switch (parsed.kind) {
    case "event":
      for (const field of parsed.unknownFields) countIn(transcript.counts.unknownFields, field);
      return applyEvent(transcript, parsed.event);
    case "unknown":
      return countIn(transcript.counts.unknownEvents, parsed.name);
    case "problem":
      return noteProblem(transcript, { line: null, what: parsed.what });
  }
}

/** Tells of a line that could not be read. All of them share one row. */
export function noteProblem(transcript: Transcript, problem: Problem): void {
  addProblem(sessionOf(transcript), problem);
}

/** Draws this client's own submit, dimmed, until its user_message confirms it. */
export function addOwnMessage(transcript: Transcript, message: OwnMessage): void {
  drawOwnMessage(sessionOf(transcript), message);
}

/** Takes an unconfirmed submit out again (the agent refused it) and gives it back; null when there is none. */
export function takeOwnMessage(transcript: Transcript, messageId: string): OwnMessage | null {
  return takeBack(sessionOf(transcript), messageId);
}

/** The agent or pod is gone. What ran there may still run: only a compaction counts as left in the middle. */
export function markDisconnected(transcript: Transcript, reason: string): void {
  const session = sessionOf(transcript);
  leaveCompact(session);
  session.status = "disconnected";
  session.statusDetail = reason;
}

/** What changed since it was asked last; asking forgets it. */
export function takeChanges(transcript: Transcript): Changes {
  const { changes } = transcript;
  const taken = { rebuilt: changes.rebuilt, prepended: changes.prepended, touched: new Set(changes.touched) };
  changes.rebuilt = false;
  changes.prepended = 0;
  changes.touched.clear();
  return taken;
}
