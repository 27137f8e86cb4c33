// A whole session told inside a call: that of a nested agent which was recorded for itself. What a person reads of it
// goes into the call; its turns, usage and title are not those of the session around it.

import { type Event, parseEvent } from "../transcript/event.ts";
import type { RecordingStep } from "./translator.ts";

/** Events that make blocks, and so can stand inside a call. */
const NESTED: ReadonlySet<Event["event"]> = new Set([
  "user_message",
  "text_delta",
  "text_done",
  "reasoning_start",
  "reasoning_delta",
  "reasoning_done",
  "tool_call_start",
  "tool_call_args_delta",
  "tool_call_done",
  "tool_output",
  "tool_result",
  "question",
  "notification",
]);
/** Ids that must not be taken for those of the session around. */
const ID_FIELDS = ["id", "batch_id", "tool_call_id", "message_id"] as const;

/** Turns the steps of a session into those of a nested agent; one for each such session. */
export function createNesting(
  parentId: string,
): (steps: readonly RecordingStep[]) => readonly RecordingStep[] {
  const open = new Set<string>();
  const named = (id: unknown) => typeof id === "string" && id !== "" ? `${parentId}/${id}` : id;
  const nest = (event: string, data: Record<string, unknown>, line: number): RecordingStep => {
    const own: Record<string, unknown> = { ...data };
    for (const field of ID_FIELDS) if (field in own) own[field] = named(own[field]);
    own.parent_id = typeof data.parent_id === "string" ? named(data.parent_id) : parentId;
    return { kind: "event", parsed: parseEvent({ event, data: own }), line };
  };
  return (steps) =>
    steps.flatMap((step): readonly RecordingStep[] => {
      if (step.kind !== "event" || step.parsed.kind !== "event") return [step];
      const { event } = step.parsed;
      const { line } = step;
      if (event.event === "tool_call_start") open.add(event.data.id);
      if (event.event === "tool_result") open.delete(event.data.id);
      if (NESTED.has(event.event)) return [nest(event.event, event.data, line)];
      if (event.event === "question_closed") {
        const data = { ...event.data, batch_id: named(event.data.batch_id) };
        return [{ kind: "event", parsed: parseEvent({ event: "question_closed", data }), line }];
      }
      if (event.event !== "turn_end") return [{ kind: "ignored", what: "state of a nested agent", line }];
      // Only a turn of the session around closes calls: what this one left open ends here.
      const left = [...open].map((id) =>
        nest("tool_result", { id, summary: "no result", is_error: true }, line)
      );
      open.clear();
      const { result, message } = event.data;
      if (result === "finished") {
        return left.length > 0 ? left : [{ kind: "ignored", what: "state of a nested agent", line }];
      }
      const level = result === "error" ? "error" : "warn";
      const text = `Nested agent: ${result}${message === null ? "" : `: ${message}`}`;
      return [...left, nest("notification", { level, message: text }, line)];
    });
}
