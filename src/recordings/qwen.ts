// Sessions of Qwen Code: JSON lines that form a tree by uuid and parentUuid, with Gemini's parts inside.

import { type BranchOptions, createBranchTranslator } from "./branches.ts";
import { fieldAt, type Fields, fieldsOf, isFields, rowOf, textOf } from "./fields.ts";
import type { RecordingFormat } from "./format.ts";
import { createQwenState, type QwenState, RECORDS } from "./qwen_records.ts";
import { takeSystem } from "./qwen_system.ts";
import { ignore, ignoreUnknown, takeSteps, tellFrom, timeOf } from "./telling.ts";
import { endSession } from "./telling_turn.ts";
import type { Translator } from "./translator.ts";

/** The format, for detect.ts. */
export const FORMAT: RecordingFormat = {
  name: "qwen",
  label: "Qwen Code: chats",
  isRecord: isQwenRecord,
  create: createQwenTranslator,
};

/** Sessions of Qwen Code, one branch of them. */
export function createQwenTranslator(options: BranchOptions = {}): Translator {
  return createBranchTranslator({
    agent: "Qwen Code",
    repeats: "same",
    create: createQwenLine,
    // What a nested agent writes has a chain of its own.
    idOf: (value) => fieldAt(value, "isSidechain") === true ? null : textOf(fieldAt(value, "uuid")),
    parentOf: (value) => {
      const parent = fieldAt(value, "parentUuid");
      return parent === null ? null : textOf(parent) ?? undefined;
    },
    isShown: (value) => rowOf(RECORDS, fieldAt(value, "type")) !== null,
  }, options);
}

/** True when a value can only be a record of Qwen Code: Claude's have `content` where these have `parts`. */
export function isQwenRecord(value: unknown): boolean {
  if (!isFields(value) || typeof value.uuid !== "string" || typeof value.sessionId !== "string") return false;
  if (value.type === "system") return typeof value.subtype === "string" && "systemPayload" in value;
  return rowOf(RECORDS, value.type) !== null && Array.isArray(fieldAt(value.message, "parts"));
}

function createQwenLine(): Translator {
  const state = createQwenState();
  const { telling } = state;
  return {
    push: (value, line) => {
      const record = fieldsOf(value);
      tellFrom(telling, line, timeOf(record.timestamp));
      noteSession(state, record);
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

function takeRecord(state: QwenState, record: Fields): void {
  if (record.type === "system") return takeSystem(state, record);
  const take = rowOf(RECORDS, record.type);
  if (take === null) return ignoreUnknown(state.telling, textOf(record.type) ?? "");
  take(state, record);
}

/** Every record says where it was written; the greeting says it once. */
function noteSession({ telling }: QwenState, record: Fields): void {
  if (telling.greeted) return;
  const { greeting } = telling;
  greeting.sessionId ??= textOf(record.sessionId);
  greeting.cwd ??= textOf(record.cwd);
  greeting.model ??= textOf(record.model);
  if (greeting.notes.length > 0) return;
  const version = textOf(record.version);
  const branch = textOf(record.gitBranch);
  if (version !== null) greeting.notes.push(`Version ${version}`);
  if (branch !== null) greeting.notes.push(`Git branch ${branch}`);
}
