// Sessions of Gemini CLI: its chat files, old (one JSON object) and new (JSON lines with patches and rewinds), and
// `gemini -o stream-json`.

import { type BranchOptions, createBranchTranslator } from "./branches.ts";
import { fieldAt, type Fields, fieldsOf, isFields, rowOf, textOf } from "./fields.ts";
import type { RecordingFormat } from "./format.ts";
import { GEMINI_IGNORED, MESSAGES, takeHeader, takeMessage, takePatch } from "./gemini_chat.ts";
import { createGeminiState, type GeminiState } from "./gemini_state.ts";
import { STREAM } from "./gemini_stream.ts";
import { ignore, ignoreUnknown, takeSteps, tellFrom, timeOf } from "./telling.ts";
import { endSession } from "./telling_turn.ts";
import { documentOf, type SessionDocument } from "./session_document.ts";
import type { RecordingStep, Translator } from "./translator.ts";

/** The format, for detect.ts. */
export const FORMAT: RecordingFormat = {
  name: "gemini",
  label: "Gemini CLI: chats, old and new, and -o stream-json",
  isRecord: isGeminiRecord,
  create: createGeminiTranslator,
};

/** Sessions of Gemini CLI; what was rewound is another branch. */
export function createGeminiTranslator(options: BranchOptions = {}): Translator {
  return createBranchTranslator({
    agent: "Gemini CLI",
    repeats: "news",
    create: createGeminiLine,
    idOf: (value) => isMessage(fieldsOf(value)) ? textOf(fieldAt(value, "id")) : null,
    parentOf: () => undefined,
    isShown: () => true,
    moveOf: (value) => {
      const target = textOf(fieldAt(value, "$rewindTo"));
      return target === null ? null : { to: target, isBefore: true };
    },
  }, options);
}

/** True when a value can only be a record of Gemini CLI. */
export function isGeminiRecord(value: unknown): boolean {
  if (!isFields(value)) return false;
  if ("$set" in value || "$rewindTo" in value || isHeader(value) || isMessage(value)) return true;
  if (rowOf(STREAM, value.type) === null || "uuid" in value || "message" in value) return false;
  return typeof value.timestamp === "string" &&
    ("session_id" in value || "role" in value || "tool_id" in value || "status" in value ||
      "severity" in value);
}

function createGeminiLine(): Translator {
  const state = createGeminiState();
  const { telling } = state;
  return {
    push: (value, line) => {
      const record = fieldsOf(value);
      if (!isFields(record.$set) && isHeader(record)) {
        return [...tellChat(state, documentOf(record), line)].flat();
      }
      tellFrom(telling, line, timeOf(record.timestamp));
      const before = telling.steps.length;
      takeRecord(state, record);
      if (telling.steps.length === before) ignore(telling, "message without news");
      return takeSteps(telling);
    },
    pushDocument: (document, line) => tellChat(state, document, line),
    end: () => {
      endSession(telling);
      return takeSteps(telling);
    },
  };
}

function* tellChat(
  state: GeminiState,
  document: SessionDocument,
  line: number,
): Generator<readonly RecordingStep[]> {
  const { telling } = state;
  tellFrom(telling, line, timeOf(document.head.timestamp));
  for (const _ of takeHeader(state, document)) if (telling.steps.length > 0) yield takeSteps(telling);
  yield takeSteps(telling);
}

function takeRecord(state: GeminiState, record: Fields): void {
  if (isFields(record.$set)) return takePatch(state, record.$set);
  if (isMessage(record)) return takeMessage(state, record);
  const take = rowOf(STREAM, record.type);
  if (take !== null) return take(state, record);
  ignoreUnknown(state.telling, textOf(record.type) ?? "");
}

function isHeader(record: Fields): boolean {
  return typeof record.sessionId === "string" && !("type" in record) &&
    ("projectHash" in record || "startTime" in record || Array.isArray(record.messages));
}

function isMessage(record: Fields): boolean {
  const isKnown = rowOf(MESSAGES, record.type) !== null || rowOf(GEMINI_IGNORED, record.type) !== null;
  return isKnown && typeof record.id === "string" && typeof record.timestamp === "string" &&
    ("content" in record || "parts" in record) && !("uuid" in record);
}
