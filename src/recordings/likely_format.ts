// A guess at a recording's format by the fields of one record, for the price of no translator: where it is right, and
// it nearly always is, one of nine is loaded. That one is then asked about the records; detect.ts asks all nine.

import { fieldAt, type Fields, isFields, textOf } from "./fields.ts";
import type { RecordingFormat } from "./format.ts";

/** How many good records are enough to tell the format from. */
export const RECORDS_LOOKED_AT = 50;

/** Formats that can be guessed: all but our own, whose first line says so. */
export type LikelyFormat = "acp" | "claude" | "codex" | "dsh" | "gemini" | "opencode" | "pi" | "qwen";

/** What a record of each looks like; the first that fits is the guess. */
const LOOKS: readonly (readonly [LikelyFormat, (record: Fields, type: string) => boolean])[] = [
  ["acp", (record) => "jsonrpc" in record || "msg" in record],
  ["opencode", (record) => "sessionID" in record || isFields(record.info) && "messages" in record],
  ["codex", (record, type) => isFields(record.payload) || /^(?:thread|turn|item)\./.test(type)],
  ["dsh", isDsh],
  ["pi", isPi],
  ["qwen", (record) => "uuid" in record && ("systemPayload" in record || hasParts(record))],
  ["gemini", (record) => "$set" in record || "$rewindTo" in record || "projectHash" in record],
  ["gemini", (record) => "timestamp" in record && "session_id" in record && !("uuid" in record)],
  ["claude", (record, type) => type !== "" && ("sessionId" in record || "session_id" in record)],
  ["claude", (record) => "leafUuid" in record || "messageId" in record],
];

/** The format that a recording with this record in it likely has; null: all have to be asked. */
export function likelyFormat(value: unknown): LikelyFormat | null {
  const record = Array.isArray(value) ? value[0] : value;
  if (!isFields(record)) return null;
  const type = textOf(record.type) ?? "";
  return LOOKS.find(([, looks]) => looks(record, type))?.[0] ?? null;
}

/**
 * True where no other format can have more of these records, as none is a record of two formats. False: all have to
 * be asked.
 */
export function isSurely(format: RecordingFormat, values: readonly unknown[]): boolean {
  const seen = values.slice(0, RECORDS_LOOKED_AT);
  return 2 * seen.filter((value) => format.isRecord(value)).length > seen.length;
}

function isDsh(record: Fields, type: string): boolean {
  if (type === "session") return "createdAt" in record;
  return type.startsWith("session") || isFields(record.data) && !("uuid" in record);
}

function isPi(record: Fields, type: string): boolean {
  if ("uuid" in record || "sessionId" in record || "session_id" in record) return false;
  return type === "session" || "parentId" in record || /^(?:agent|turn|message|tool_execution)_/.test(type);
}

function hasParts(record: Fields): boolean {
  return Array.isArray(fieldAt(record, "message", "parts"));
}
