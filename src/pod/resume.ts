// What a pod adds to a stored session before it goes on: what was cut off is closed, damage is told, and whether the
// agent remembers is said. Pure.

import type { Transcript } from "../transcript/block.ts";
import { type Event, parseEvent } from "../transcript/event.ts";
import { POD_SOURCE, type StoredSession } from "./record.ts";

/** The events that settle a session whose pod ended, or was killed, at any moment. */
export function settlingEvents(session: StoredSession, nowMs: number): Event[] {
  const { transcript, problems, isTorn } = session;
  const events: Event[] = [];
  const reason = "the pod ended";
  if (problems.length > 0) {
    const lines = problems.slice(0, 20).map(({ line, what }) => `line ${line}: ${what}`);
    const more = problems.length > 20 ? [`and ${problems.length - 20} more`] : [];
    const summary = isTorn
      ? "The log's last line was cut off while it was written; what it said is lost"
      : "Lines of the log cannot be read; what they said is lost";
    events.push(notice("warn", [summary, ...lines, ...more].join("\n"), nowMs));
  } else if (isTorn) {
    events.push(notice("warn", "The log's last line had no end; it could be read all the same", nowMs));
  }
  const { status, questions, turns } = transcript;
  if (status === "compacting") events.push({ event: "compact_failed", data: { error: reason } });
  const turn = turns.at(-1);
  if (turn?.open === true || status === "running" || status === "paused") {
    events.push({
      event: "turn_end",
      data: {
        turn: turn?.number ?? null,
        result: "interrupted",
        reason,
        message: null,
        requests: null,
        elapsed_ms: null,
      },
    });
  }
  for (const open of questions) {
    events.push({
      event: "question_closed",
      data: { batch_id: open.batchId, reason: "shutdown", answers: [] },
    });
  }
  if (status !== "idle") events.push({ event: "status", data: { status: "idle" } });
  return events;
}

/** What a freshly started agent says of itself, as events for a session that has its blocks already. */
export function agentStateEvents(state: Readonly<Record<string, unknown>>): Event[] {
  const payloads: [string, Record<string, unknown>][] = [
    ["commands", { commands: state.commands }],
    ["options", { options: state.options }],
    ["model_catalog", { models: state.models }],
  ];
  return payloads.flatMap(([event, data]) => {
    if (!Array.isArray(Object.values(data)[0])) return [];
    const parsed = parseEvent({ event, data });
    return parsed.kind === "event" ? [parsed.event] : [];
  });
}

/** The row about an agent that begins anew where the session does not. */
export function forgetfulNotice(nowMs: number): Event {
  return notice("warn", "The agent does not remember what stands above", nowMs);
}

/** A turn number behind those the session has. Agents without memory count from one again. */
export function shiftTurn(event: Event, by: number): Event {
  switch (event.event) {
    case "turn_start":
    case "turn_end":
    case "step_start":
    case "step_end":
    case "usage":
      if (by === 0 || event.data.turn === null) return event;
      return { ...event, data: { ...event.data, turn: event.data.turn + by } } as Event;
    default:
      return event;
  }
}

/** A row of the pod's own. */
export function notice(level: "info" | "warn" | "error", message: string, nowMs: number): Event {
  return {
    event: "notification",
    data: { level, source: POD_SOURCE, message, timestamp_ms: nowMs, parent_id: null },
  };
}

/** What a list of pods says a pod does. */
export function statusOf(transcript: Transcript): string {
  return transcript.questions.length > 0 ? "waiting" : transcript.status;
}
