// Sessions of OpenCode: what `opencode export` writes (one JSON value, also made of the older store by
// opencode_store.ts), and the lines of `opencode run --format json`.

import { type Fields, fieldsList, fieldsOf, isFields, rowOf, textOf } from "./fields.ts";
import { takeExport } from "./opencode_messages.ts";
import { OPENCODE_PARTS } from "./opencode_parts.ts";
import { createOpencodeState, type OpencodeState } from "./opencode_state.ts";
import { errorOf } from "./opencode_tools.ts";
import { ignore, ignoreUnknown, takeSteps, tellFrom, timeOf } from "./telling.ts";
import { endSession, ensureTurn, leaveTurn, tellFailure } from "./telling_turn.ts";
import type { Translator } from "./translator.ts";

/** Sessions of OpenCode. */
export function createOpencodeTranslator(): Translator {
  const state = createOpencodeState();
  const { telling } = state;
  return {
    push: (value, line) => {
      const record = fieldsOf(value);
      tellFrom(telling, line, timeOf(record.timestamp));
      const before = telling.steps.length;
      if (isExport(record)) takeExport(state, record);
      else takeRunRecord(state, record);
      if (telling.steps.length === before) ignore(telling, "message without news");
      return takeSteps(telling);
    },
    end: () => {
      endSession(telling);
      return takeSteps(telling);
    },
  };
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
    fieldsList(messages).every((message) => isFields(message.info) && Array.isArray(message.parts));
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
  take(state, part, null);
  // The prompt of a run is not written: its end is all that tells one run from the next.
  if (kind === "step-finish" && part.reason !== "tool-calls") leaveTurn(telling);
}
