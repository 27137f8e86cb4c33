// Events that have been told once as the one history event that gives the same transcript: when a session goes back
// to an earlier place, what it left must go from the screen.

import { type Event, parseEvent } from "../transcript/event.ts";
import type { RecordingStep } from "./translator.ts";

interface OpenCall {
  readonly id: string;
  name: string;
  args: string;
  isFixed: boolean;
  readonly parent: string | null;
}

/**
 * The steps' events as items of the history among them; its calls that have no result yet stay open. What is no
 * event has been counted before. Without a history in `steps`, they are given as they are.
 */
export function openItems(steps: readonly RecordingStep[], line: number): readonly RecordingStep[] {
  const events = steps.flatMap((step) =>
    step.kind === "event" && step.parsed.kind === "event" ? [step.parsed.event] : []
  );
  const history = events.find((event) => event.event === "history");
  if (history === undefined) return steps;
  const items: unknown[] = [];
  const open = new Map<string, OpenCall>();
  let turn: { readonly number: number | null } | null = null;
  for (const event of events) {
    if (event.event === "hello") continue;
    if (event.event === "history") {
      for (const one of event.data.items ?? []) items.push(one);
      continue;
    }
    if (event.event === "turn_start") turn = { number: event.data.turn };
    if (event.event === "turn_end") {
      turn = null;
      open.clear();
    }
    followCall(open, event);
    items.push({ type: "event", event: event.event, data: event.data });
  }
  const parsed = parseEvent({
    event: "history",
    data: {
      ...history.data,
      status: turn === null ? "idle" : "running",
      items,
      in_flight: [...open.values()].map((call) => ({
        kind: "tool_call",
        id: call.id,
        name: call.name,
        args: call.args,
        state: call.isFixed ? "executing" : "streaming",
        parent_id: call.parent,
      })),
    },
  });
  return [
    parsed.kind === "problem"
      ? { kind: "problem", what: parsed.what, line }
      : { kind: "event", parsed, line },
  ];
}

function followCall(open: Map<string, OpenCall>, event: Event): void {
  switch (event.event) {
    case "tool_call_start":
      open.set(event.data.id, {
        id: event.data.id,
        name: event.data.name,
        args: "",
        isFixed: false,
        parent: event.data.parent_id,
      });
      return;
    case "tool_call_done": {
      const call = open.get(event.data.id);
      if (call === undefined) return;
      call.name = event.data.name;
      call.args = event.data.arguments;
      call.isFixed = true;
      return;
    }
    case "tool_result":
      open.delete(event.data.id);
  }
}
