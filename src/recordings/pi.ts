// Sessions of pi: the session file (entries that form a tree) and `pi --mode json` (what happens as it happens).
// Both carry the same messages; an entry is one record, a live message comes in pieces and then whole.

import { type BranchOptions, createBranchTranslator } from "./branches.ts";
import { fieldAt, type Fields, fieldsOf, rowOf, textOf } from "./fields.ts";
import type { RecordingFormat } from "./format.ts";
import { PI_ENTRIES, PI_IGNORED } from "./pi_entries.ts";
import { createPiState, type PiState } from "./pi_state.ts";
import { PI_LIVE } from "./pi_live.ts";
import { ignore, ignoreKind, ignoreUnknown, takeSteps, tellFrom, timeOf } from "./telling.ts";
import { endSession } from "./telling_turn.ts";
import type { Translator } from "./translator.ts";

/** The format, for detect.ts. */
export const FORMAT: RecordingFormat = {
  name: "pi",
  label: "pi: session files and --mode json",
  isRecord: isPiRecord,
  create: createPiTranslator,
};

export type PiOptions = BranchOptions;

/** Sessions of pi, one branch of them. */
export function createPiTranslator(options: PiOptions = {}): Translator {
  return createBranchTranslator({
    agent: "pi",
    repeats: "same",
    create: createPiLine,
    idOf: (value) => isEntry(value) ? textOf(fieldAt(value, "id")) : null,
    parentOf: (value) => {
      const parent = fieldAt(value, "parentId");
      return parent === null ? null : textOf(parent) ?? undefined;
    },
    isShown: (value) => fieldAt(value, "type") === "message" || fieldAt(value, "type") === "compaction",
    moveOf: (value) => {
      const target = fieldAt(value, "type") === "leaf" ? textOf(fieldAt(value, "targetId")) : null;
      return target === null ? null : { to: target, isBefore: false };
    },
  }, options);
}

/** True when a value can only be a record of pi. */
export function isPiRecord(value: unknown): boolean {
  const record = fieldsOf(value);
  const type = textOf(record.type) ?? "";
  if (type === "session") return !("createdAt" in record) && typeof record.timestamp === "string";
  if (type === "message") return textOf(fieldAt(record.message, "role")) !== null;
  if (rowOf(PI_LIVE, type) !== null) return true;
  return typeof record.timestamp === "string" && "parentId" in record && rowOf(PI_ENTRIES, type) !== null;
}

/** The records of one branch, in order. */
function createPiLine(): Translator {
  const state = createPiState();
  const { telling } = state;
  return {
    push: (value, line) => {
      const record = fieldsOf(value);
      tellFrom(telling, line, timeOf(record.timestamp) ?? timeOf(fieldAt(record.message, "timestamp")));
      const before = telling.steps.length;
      takeRecord(state, record);
      if (telling.steps.length === before) ignore(telling, "message without news");
      return takeSteps(telling);
    },
    end: () => {
      endSession(telling);
      return takeSteps(telling);
    },
  };
}

function takeRecord(state: PiState, record: Fields): void {
  const type = textOf(record.type) ?? "";
  const take = rowOf(PI_ENTRIES, type) ?? rowOf(PI_LIVE, type);
  if (take !== null) return take(state, record);
  const reason = rowOf(PI_IGNORED, type);
  if (reason !== null) return ignoreKind(state.telling, reason);
  ignoreUnknown(state.telling, type);
}

/** Live records have no place in a tree; an entry has both an id and a time. */
function isEntry(value: unknown): boolean {
  return fieldAt(value, "type") !== "session" && "parentId" in fieldsOf(value);
}
