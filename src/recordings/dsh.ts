// Session logs of DeepSeek Harness, in all dialects known: which one is decided for each event, for logs mix them.
// Its headless stream wraps the same events.

import { DSH_IGNORED, DSH_NOTES } from "./dsh_notes.ts";
import { markedFile } from "./file_marks.ts";
import { createDshChildren, createNested } from "./dsh_children.ts";
import { DSH_APPROVALS } from "./dsh_questions.ts";
import { createDshState, type DshEvent, type DshState } from "./dsh_state.ts";
import { DSH_STREAM, rowLength } from "./dsh_stream.ts";
import { DSH_COMPACTIONS, foldSurface, isOddSurface } from "./dsh_surface.ts";
import { DSH_TOOLS } from "./dsh_tools.ts";
import { closeTurn, DSH_TURNS, settleTurn } from "./dsh_turns.ts";
import { type Fields, fieldsOf, isFields, numberOf, rowOf, textOf } from "./fields.ts";
import type { RecordingFormat } from "./format.ts";
import { ignore, ignoreKind, ignoreUnknown, takeSteps, tellFrom, timeOf } from "./telling.ts";
import { endSession } from "./telling_turn.ts";
import type { Translator } from "./translator.ts";

/** The format, for detect.ts. */
export const FORMAT: RecordingFormat = {
  name: "dsh",
  label: "DeepSeek Harness: session logs",
  isRecord: isDshRecord,
  create: () => createDshTranslator(),
};

/** What each kind of event tells. */
export const DSH_EVENTS: Readonly<Record<string, (state: DshState, event: DshEvent) => void>> = {
  ...DSH_TURNS,
  ...DSH_STREAM,
  ...DSH_TOOLS,
  ...DSH_APPROVALS,
  ...DSH_COMPACTIONS,
  ...DSH_NOTES,
};

/** Kinds that often only prepare what the next records tell. */
export const DSH_SILENT: Readonly<Record<string, string>> = {
  "turn/start": "start of a turn, told with its message",
  "step/start": "start of a step, told with its answer",
  "step/end": "end of a step, told by its message",
};

export interface DshOptions {
  /** The call whose nested agent's session it is: everything is told inside that call. */
  readonly parentId?: string;
}

/**
 * Sessions of DeepSeek Harness. Sessions of nested agents may follow in the same stream: each behind the one before,
 * with its header, or in turns, each time behind a mark with its file's name.
 */
export function createDshTranslator(options: DshOptions = {}): Translator {
  if (options.parentId !== undefined) return createNested(createSession(createDshState()), options.parentId);
  const state = createDshState();
  const main = createSession(state);
  const children = createDshChildren(state.telling.calls);
  let hasHeader = false;
  let nested: Translator | null = null;
  const marked = new Map<string, Translator>();
  /** The nested agent whose file is marked. */
  let current: Translator | null = null;
  return {
    push: (value, line) => {
      const file = markedFile(value);
      if (file !== undefined) {
        current = file === null ? null : marked.get(file) ?? children.begin(createSession(createDshState()));
        if (file !== null && current !== null) marked.set(file, current);
        return [];
      }
      if (current !== null) return current.push(value, line);
      const record = unwrapped(value);
      if (record.type === "session" && hasHeader && textOf(record.parentSession) !== null) {
        const before = nested?.end() ?? [];
        nested = children.begin(createSession(createDshState()));
        return [...before, ...nested.push(value, line)];
      }
      hasHeader ||= record.type === "session";
      return (nested ?? main).push(value, line);
    },
    end: () => [
      ...[...marked.values(), ...nested === null ? [] : [nested]].flatMap((one) => one.end()),
      ...main.end(),
    ],
  };
}

function createSession(state: DshState): Translator {
  const { telling } = state;
  return {
    push: (value, line) => {
      const record = unwrapped(value);
      const before = telling.steps.length;
      if (record.type === "session") takeHeader(state, record, line);
      else takeEvent(state, record, line);
      if (telling.steps.length === before) {
        ignoreKind(telling, rowOf(DSH_SILENT, record.type) ?? "message without news");
      }
      return takeSteps(telling);
    },
    end: () => {
      if (state.waitingTurn !== null) settleTurn(state);
      closeTurn(state, { result: "interrupted" });
      endSession(telling);
      return takeSteps(telling);
    },
  };
}

/** True when a value can only be a record of DeepSeek Harness. */
export function isDshRecord(value: unknown): boolean {
  if (!isFields(value)) return false;
  const record = unwrapped(value);
  const type = textOf(record.type) ?? "";
  if (type === "session") return "createdAt" in record && "version" in record;
  const isKnown = rowOf(DSH_EVENTS, type) !== null || rowOf(DSH_IGNORED, type) !== null;
  return isKnown && isFields(record.data);
}

function takeHeader(state: DshState, record: Fields, line: number): void {
  const { telling } = state;
  tellFrom(telling, line, timeOf(record.createdAt));
  const { greeting } = telling;
  greeting.sessionId = textOf(record.id);
  greeting.cwd = textOf(record.cwd);
  if (textOf(record.parentSession) !== null) greeting.notes.push("Session of a nested agent");
  ignore(telling, "session header, told in the greeting");
}

function takeEvent(state: DshState, record: Fields, line: number): void {
  const { telling } = state;
  const type = textOf(record.type) ?? "";
  const time = numberOf(record.time) ?? numberOf(record.time0);
  const data = { ...fieldsOf(record.data), ...(record.time0 === undefined ? {} : { time0: record.time0 }) };
  const seq = numberOf(record.seq) ?? numberOf(record.seq0) ?? state.nextSeq;
  state.nextSeq = seq + rowLength(type, data);
  const event: DshEvent = { type, seq, data, surfaceOp: record.surfaceOp };
  tellFrom(telling, line, time === null || time <= 0 ? null : time);
  foldSurface(state, event);
  if (isOddSurface(event)) ignoreUnknown(telling, "surfaceOp");
  const take = rowOf(DSH_EVENTS, type);
  if (take !== null) return take(state, event);
  const reason = rowOf(DSH_IGNORED, type);
  if (reason !== null) return ignoreKind(telling, reason);
  ignoreUnknown(telling, type);
}

/** The event itself: the headless stream and the SDK put an envelope around it. */
function unwrapped(value: unknown): Fields {
  const record = fieldsOf(value);
  if (record.type === "session_event" || record.type === "session.event") {
    return isFields(record.event) ? record.event : fieldsOf(record.data);
  }
  return record;
}
