// Rows that tell what happened around the answer: notifications, retries, errors, compaction, questions.

import type { CompactBlock, NotificationBlock, OpenQuestion } from "./block.ts";
import { appendBlock, scopeOf, touch } from "./blocks.ts";
import type { Answer, EventData } from "./event.ts";
import { parentCall, parentKey } from "./routes.ts";
import { countAnomaly, type Session } from "./work.ts";

type Level = NotificationBlock["level"];

export function reduceNotification(session: Session, data: EventData<"notification">): void {
  addNotice(
    session,
    { level: data.level, source: data.source, message: data.message },
    parentKey(data.parent_id),
  );
  session.work.journal.push({ kind: "event", event: { event: "notification", data } });
}

/** "Retry 2/5 in 4s: overloaded". How long it still takes is told elsewhere. */
export function reduceRetry(session: Session, data: EventData<"retry">): void {
  const { attempt, max_attempts: maxAttempts, wait_ms: waitMs } = data;
  if (session.work.mode === "live") {
    session.retry = waitMs === null
      ? null
      : { attempt, maxAttempts, waitMs, startedMs: session.work.eventMs };
  }
  addNotice(session, { level: "warn", source: null, message: retryText(data) });
  session.work.journal.push({ kind: "event", event: { event: "retry", data } });
}

export function reduceError(session: Session, data: EventData<"error">): void {
  const { work } = session;
  const message = data.message === "" ? data.code : data.message;
  const last = session.blocks.at(-1);
  if (last?.kind === "turn_stats" && last.message === message) return;
  work.shownErrors.add(message);
  addNotice(session, { level: "error", source: data.code === "" ? null : data.code, message });
  work.journal.push({ kind: "event", event: { event: "error", data } });
}

export function addNotice(
  session: Session,
  notice: { readonly level: Level; readonly source: string | null; readonly message: string },
  key: string | null = null,
): NotificationBlock {
  const scope = scopeOf(session, parentCall(session, key));
  return appendBlock(session, scope, (base) => ({ ...base, kind: "notification", ...notice }));
}

export function reduceCompactStart(session: Session, data: EventData<"compact_start">): void {
  const { work } = session;
  if (work.mode === "live") session.status = "compacting";
  if (work.compact !== null) return countAnomaly(session, "compact_start repeated");
  work.compact = addCompact(session, { stage: "running", reason: data.reason });
  work.journal.push({ kind: "event", event: { event: "compact_start", data } });
}

export function reduceCompactDone(session: Session, data: EventData<"compact_done">): void {
  finishCompact(session, "compact_done without compact_start", {
    stage: "done",
    tokensBefore: data.tokens_before,
    tokensAfter: data.tokens_after,
    newSessionId: data.new_session_id,
  });
  session.work.journal.push({ kind: "event", event: { event: "compact_done", data } });
}

export function reduceCompactFailed(session: Session, data: EventData<"compact_failed">): void {
  finishCompact(session, "compact_failed without compact_start", { stage: "failed", error: data.error });
  session.work.journal.push({ kind: "event", event: { event: "compact_failed", data } });
}

/** A compaction that will never be finished: its agent is gone. */
export function leaveCompact(session: Session): void {
  const { work } = session;
  if (work.compact === null) return;
  work.compact.stage = "incomplete";
  touch(session, work.compact);
  work.compact = null;
}

function finishCompact(
  session: Session,
  anomaly: string,
  fields: Partial<CompactBlock> & { stage: CompactBlock["stage"] },
): void {
  const { work } = session;
  if (work.mode === "live" && session.status === "compacting") {
    session.status = work.openTurn !== null && work.turnStarted ? "running" : "idle";
  }
  if (work.compact === null) {
    countAnomaly(session, anomaly);
    const block = addCompact(session, fields);
    work.startless ??= block;
    return;
  }
  Object.assign(work.compact, fields);
  touch(session, work.compact);
  work.compact = null;
}

function addCompact(
  session: Session,
  fields: Partial<CompactBlock> & { stage: CompactBlock["stage"] },
): CompactBlock {
  return appendBlock<CompactBlock>(session, scopeOf(session, null), (base) => ({
    ...base,
    kind: "compact",
    reason: null,
    tokensBefore: null,
    tokensAfter: null,
    newSessionId: null,
    error: null,
    ...fields,
  }));
}

/** Batches that may wait for an answer at once; nobody could answer more. */
export const MOST_OPEN_QUESTIONS = 1000;
const TOO_MANY = "Too many open questions";

export function reduceQuestion(session: Session, data: EventData<"question">): void {
  if (session.questions.some((open) => open.batchId === data.batch_id)) {
    return countAnomaly(session, "question repeated");
  }
  if (session.questions.length >= MOST_OPEN_QUESTIONS) {
    if (session.counts.anomalies.get(TOO_MANY) === undefined) {
      const message = `${TOO_MANY}: later ones are not shown`;
      reduceNotification(session, {
        level: "error",
        source: null,
        message,
        timestamp_ms: null,
        parent_id: null,
      });
    }
    return countAnomaly(session, TOO_MANY);
  }
  const asked = openQuestion(data);
  session.questions = [...session.questions, asked];
  const scope = scopeOf(session, parentCall(session, parentKey(data.parent_id)));
  const block = appendBlock(
    session,
    scope,
    (base) => ({ ...base, kind: "question" as const, ...asked, closed: null }),
  );
  session.work.questionBlocks.set(data.batch_id, block);
  session.work.journal.push({ kind: "event", event: { event: "question", data } });
}

/** A batch as the transcript keeps it while it is open. */
export function openQuestion(data: EventData<"question">): OpenQuestion {
  return {
    batchId: data.batch_id,
    permission: data.kind === "permission",
    toolCallId: data.tool_call_id,
    questions: data.questions,
  };
}

export function reduceQuestionClosed(session: Session, data: EventData<"question_closed">): void {
  if (!closeQuestion(session, data.batch_id, data.reason, data.answers ?? [])) {
    if (session.work.mode === "items" || session.moreBefore !== null) {
      session.work.earlyClosed.set(data.batch_id, data);
    }
    return countAnomaly(session, "question_closed without a question");
  }
  session.work.journal.push({ kind: "event", event: { event: "question_closed", data } });
}

export function closeQuestion(
  session: Session,
  batchId: string,
  reason: EventData<"question_closed">["reason"],
  answers: readonly Answer[],
): boolean {
  session.questions = session.questions.filter((open) => open.batchId !== batchId);
  const block = session.work.questionBlocks.get(batchId);
  if (block === undefined || block.closed !== null) return false;
  block.closed = { reason, answers };
  touch(session, block);
  return true;
}

function retryText(data: EventData<"retry">): string {
  const of = data.max_attempts === null ? "" : `/${data.max_attempts}`;
  const attempt = data.attempt === null ? "" : ` ${data.attempt}${of}`;
  const wait = data.wait_ms === null ? "" : ` in ${Math.round(data.wait_ms / 100) / 10}s`;
  return `Retry${attempt}${wait}${data.error === null || data.error === "" ? "" : `: ${data.error}`}`;
}
