// The older dialect of pod JSONL (protocol rule 8), where turn_start and turn_end bracket one request and a run is
// what is now a turn. Names and brackets are translated; everything else passes as it is.

import { parseEvent, TURN_RESULTS } from "../transcript/event.ts";
import { isFields, rowOf, textOf } from "./fields.ts";
import type { RecordingStep } from "./translator.ts";

/** The translation of one stream. */
export interface OlderDialect {
  push(value: Fields, line: number): readonly RecordingStep[];
  /** What is owed at the end: nothing, as an open run stays open. */
  end(): readonly RecordingStep[];
}

type Fields = Readonly<Record<string, unknown>>;
interface Told {
  readonly event: string;
  readonly data: Fields;
}

/** Where a stream stands. */
interface State {
  /** A run goes on: its first request has begun, its run_end has not come. */
  isRunning: boolean;
  /** The agent said it is idle although no run_end came. */
  saidIdle: boolean;
  turn: number;
  step: number;
}

/** Names that only changed. */
const RENAMED: Readonly<Record<string, string>> = {
  alert: "notification",
  thinking_start: "reasoning_start",
  thinking_delta: "reasoning_delta",
  thinking_done: "reasoning_done",
};

const RESULTS: ReadonlySet<string> = new Set(TURN_RESULTS);
/** Results under other names. */
const RESULT_ALIASES: Readonly<Record<string, string>> = {
  completed: "finished",
  complete: "finished",
  done: "finished",
  success: "finished",
  canceled: "cancelled",
  aborted: "cancelled",
  failed: "error",
  limit: "limit_reached",
};
const LEVEL_ALIASES: Readonly<Record<string, string>> = { warning: "warn", err: "error", notice: "info" };

/** More than names: what one old event becomes. */
const TRANSLATIONS: Readonly<Record<string, (state: State, data: Fields) => readonly Told[]>> = {
  turn_start: (state, data) => {
    const opens: Told[] = [];
    if (state.isRunning && state.saidIdle) opens.push(...endRun(state, {}));
    if (!state.isRunning) {
      state.isRunning = true;
      state.turn++;
      state.step = 0;
      opens.push({ event: "turn_start", data: { turn: state.turn } });
    }
    state.saidIdle = false;
    state.step++;
    return [...opens, { event: "step_start", data: { ...data, turn: state.turn, step: state.step } }];
  },
  turn_end: (state, data) => [{
    event: "step_end",
    data: {
      turn: state.turn,
      step: state.step,
      stop_reason: textOf(data.stop_reason) ?? textOf(data.result),
    },
  }],
  run_end: (state, data) => endRun(state, data),
  user_message: (state, data) => {
    const before = state.isRunning && state.saidIdle ? endRun(state, {}) : [];
    const kind = data.kind ?? (state.isRunning ? "steer" : "run");
    return [...before, { event: "user_message", data: { ...data, kind } }];
  },
  usage: (state, data) => [{ event: "usage", data: { ...data, turn: state.turn, step: state.step } }],
  status: (state, data) => {
    if (data.status === "idle") state.saidIdle = true;
    return [{ event: "status", data }];
  },
  snapshot: (state, data) => {
    state.isRunning = data.status === "running" || data.status === "paused";
    state.saidIdle = false;
    return [{ event: "history", data: { ...data, items: data.items ?? data.entries ?? [] } }];
  },
  segment_rotated: (_state, data) => [{
    event: "surface",
    data: { ...data, op: "replace", items: data.items ?? data.entries ?? [] },
  }],
  alert: (_state, data) => {
    const level = textOf(data.level)?.toLowerCase() ?? "info";
    return [{ event: "notification", data: { ...data, level: rowOf(LEVEL_ALIASES, level) ?? level } }];
  },
};

/** The translation of one stream, from its beginning. */
export function createOlderDialect(): OlderDialect {
  const state: State = { isRunning: false, saidIdle: false, turn: 0, step: 0 };
  return {
    push: (value, line) => {
      const name = textOf(value.event);
      if (name === null) return [{ kind: "event", parsed: parseEvent(value), line }];
      const data = isFields(value.data) ? value.data : {};
      const translate = rowOf(TRANSLATIONS, name);
      const told = translate === null
        ? [{ event: rowOf(RENAMED, name) ?? name, data: value.data }]
        : translate(state, data);
      // The number belongs to the event that was there; what is put in front of it has none.
      return told.map((one, index) => {
        const numbered = index === told.length - 1 ? { seq: value.seq, ts: value.ts } : { ts: value.ts };
        return { kind: "event", parsed: parseEvent({ ...one, ...numbered }), line };
      });
    },
    end: () => [],
  };
}

/** A run's end. A paused one goes on with the next request. */
function endRun(state: State, data: Fields): readonly Told[] {
  const named = textOf(data.result)?.toLowerCase() ?? "finished";
  const result = RESULTS.has(named)
    ? named
    : rowOf(RESULT_ALIASES, named) ?? (data.error == null ? "finished" : "error");
  const message = textOf(data.message) ?? textOf(data.error);
  const turn = state.turn;
  state.isRunning = result === "paused";
  state.saidIdle = false;
  return [{ event: "turn_end", data: { ...data, turn, result, message } }];
}
