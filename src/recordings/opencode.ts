// Sessions of OpenCode: what `opencode export` writes (one JSON value, also made of the older store by
// opencode_store.ts), and the lines of `opencode run --format json`.

import { type Fields, fieldsList, fieldsOf, isFields, rowOf, textOf } from "./fields.ts";
import type { RecordingFormat } from "./format.ts";
import { takeExport } from "./opencode_messages.ts";
import { OPENCODE_PARTS } from "./opencode_parts.ts";
import { createOpencodeState, type OpencodeState } from "./opencode_state.ts";
import { errorOf } from "./opencode_tools.ts";
import { ignore, ignoreUnknown, takeSteps, tellFrom, timeOf } from "./telling.ts";
import { endSession, ensureTurn, leaveTurn, tellFailure } from "./telling_turn.ts";
import { documentOf, MESSAGES_LOOKED_AT, type SessionDocument } from "./session_document.ts";
import type { RecordingStep, Translator } from "./translator.ts";

/** The format, for detect.ts. */
export const FORMAT: RecordingFormat = {
  name: "opencode",
  label: "OpenCode: exports, the older store and run --format json",
  isRecord: isOpencodeRecord,
  create: createOpencodeTranslator,
};

/** Sessions of OpenCode. */
export function createOpencodeTranslator(): Translator {
  const state = createOpencodeState();
  const { telling } = state;
  return {
    push: (value, line) => {
      const record = fieldsOf(value);
      if (isExport(record)) return [...tellExport(state, documentOf(record), line)].flat();
      tellFrom(telling, line, timeOf(record.timestamp));
      const before = telling.steps.length;
      takeRunRecord(state, record);
      if (telling.steps.length === before) ignore(telling, "message without news");
      return takeSteps(telling);
    },
    pushDocument: (document, line) => tellExport(state, document, line),
    end: () => {
      endSession(telling);
      return takeSteps(telling);
    },
  };
}

function* tellExport(
  state: OpencodeState,
  document: SessionDocument,
  line: number,
): Generator<readonly RecordingStep[]> {
  const { telling } = state;
  tellFrom(telling, line, timeOf(document.head.timestamp));
  let hasNews = false;
  for (const _ of takeExport(state, document)) {
    if (telling.steps.length === 0) continue;
    hasNews = true;
    yield takeSteps(telling);
  }
  if (telling.steps.length === 0 && !hasNews) ignore(telling, "message without news");
  yield takeSteps(telling);
}

/** True when a value can only be a record of OpenCode. */
export function isOpencodeRecord(value: unknown): boolean {
  if (!isFields(value)) return false;
  if (isExport(value)) return true;
  const isRun = rowOf(RUN_KINDS, value.type) !== null || value.type === "error";
  return isRun && typeof value.sessionID === "string";
}

function isExport(record: Fields): boolean {
  const messages = record.messages;
  return isFields(record.info) && typeof record.info.id === "string" && Array.isArray(messages) &&
    fieldsList(messages).slice(0, MESSAGES_LOOKED_AT).every((message) =>
      isFields(message.info) && Array.isArray(message.parts)
    );
}

/** Lines of a run, and the part each tells. */
const RUN_KINDS: Readonly<Record<string, string>> = {
  step_start: "step-start",
  step_finish: "step-finish",
  text: "text",
  reasoning: "reasoning",
  tool_use: "tool",
};

function takeRunRecord(state: OpencodeState, record: Fields): void {
  const { telling } = state;
  telling.greeting.sessionId ??= textOf(record.sessionID);
  if (record.type === "error") {
    ensureTurn(telling);
    return tellFailure(telling, errorOf(fieldsOf(record.error)).message ?? "unknown error");
  }
  const kind = rowOf(RUN_KINDS, record.type);
  const take = rowOf(OPENCODE_PARTS, kind);
  if (take === null) return ignoreUnknown(telling, textOf(record.type) ?? "");
  ensureTurn(telling);
  const part = fieldsOf(record.part);
  Array.from(take(state, part, null) ?? []);
  // The prompt of a run is not written: its end is all that tells one run from the next.
  if (kind === "step-finish" && part.reason !== "tool-calls") leaveTurn(telling);
}
