// Sessions of Claude Code: the files it keeps (~/.claude/projects) and `--output-format stream-json`, with and
// without partial messages. What a record is decided by itself, since versions differ within one file.

import { createClaudeBranches } from "./claude_branches.ts";
import { CLAUDE_IGNORED, CLAUDE_RECORDS, claudeKind } from "./claude_records.ts";
import {
  type ClaudeLineOptions,
  type ClaudeState,
  createClaudeState,
  endClaude,
  greetClaude,
} from "./claude_state.ts";
import { type Fields, fieldsOf, firstText, isFields, listOf, rowOf, showValue, textOf } from "./fields.ts";
import type { RecordingFormat } from "./format.ts";
import { ignore, ignoreUnknown } from "./recorded_ignored.ts";
import { takeSteps, tellFrom, timeOf } from "./telling.ts";
import type { Translator } from "./translator.ts";

/** The format, for detect.ts. */
export const FORMAT: RecordingFormat = {
  name: "claude",
  label: "Claude Code: session files and stream-json",
  isRecord: isClaudeRecord,
  create: ({ branch } = {}) => createClaudeTranslator({ branch }),
};

export interface ClaudeOptions extends ClaudeLineOptions {
  /**
   * Which branch to show where the person went back: "live" (the newest, also without), "all" (everything in the
   * order of the file), or the uuid of a prompt of the one wanted.
   */
  readonly branch?: string | undefined;
}

/**
 * Records are told as they come. A prompt that goes back to an earlier turn has the live branch told anew as one
 * history event, with a row where other branches begin (branches.ts); linear files are never told twice.
 */
export function createClaudeTranslator(options: ClaudeOptions = {}): Translator {
  const { branch = "live", parentId } = options;
  if (parentId !== undefined) return createClaudeLine({ parentId });
  return createClaudeBranches(() => createClaudeLine({}), branch === "live" ? {} : { branch });
}

/** True when a value can only be a record of Claude Code. */
export function isClaudeRecord(value: unknown): boolean {
  if (!isFields(value) || "systemPayload" in value || "payload" in value) return false;
  const type = textOf(value.type) ?? "";
  if (type === "user" || type === "assistant") return isMessage(value);
  const kind = claudeKind(value);
  const isKnown = rowOf(CLAUDE_RECORDS, kind) !== null || rowOf(CLAUDE_IGNORED, kind) !== null;
  const hasPlace = ["sessionId", "session_id", "leafUuid", "messageId", "parentUuid"].some((name) =>
    firstText(value[name]) !== null
  );
  return isKnown && hasPlace;
}

/** The records in the order of the file. */
function createClaudeLine(options: ClaudeLineOptions): Translator {
  const state = createClaudeState(options);
  const { telling } = state;
  return {
    push: (value, line) => {
      const record = fieldsOf(value);
      tellFrom(telling, line, timeOf(record.timestamp));
      takeRecord(state, value, record);
      if (telling.steps.length === 0) ignore(telling, "record without news");
      return takeSteps(telling);
    },
    end: () => {
      tellFrom(telling, 0, null);
      endClaude(state);
      return takeSteps(telling);
    },
  };
}

function takeRecord(state: ClaudeState, value: unknown, record: Fields): void {
  const { telling } = state;
  if (!isFields(value)) return ignore(telling, `unknown ${Array.isArray(value) ? "list" : typeof value}`);
  if (isRepeated(state, record)) return ignore(telling, "record repeated");
  readPlace(state, record);
  const kind = claudeKind(record);
  const reason = rowOf(CLAUDE_IGNORED, kind);
  if (reason !== null) return ignore(telling, reason);
  const take = rowOf(CLAUDE_RECORDS, kind);
  if (take === null) return ignoreUnknown(telling, kind);
  if (!isSilent(kind)) greetClaude(state);
  take(state, record);
}

/** Kinds that say nothing yet, so that the greeting may wait for more. */
function isSilent(kind: string): boolean {
  return kind === "system/init" || kind === "queue-operation" || kind === "summary" ||
    kind.endsWith("-title");
}

/** Where the session runs; the first record that says it fills the greeting. */
function readPlace(state: ClaudeState, record: Fields): void {
  const { greeting } = state.telling;
  state.uuid = firstText(record.uuid) ?? "";
  state.cwd = firstText(record.cwd) ?? state.cwd;
  state.version ??= firstText(record.version);
  if (state.telling.greeted) return;
  greeting.sessionId ??= firstText(record.sessionId, record.session_id);
  greeting.cwd ??= state.cwd;
  const branch = firstText(record.gitBranch);
  if (branch !== null && greeting.notes.length === 0) greeting.notes.push(`git branch ${branch}`);
}

/** True for the same record again (files that were joined, sessions that were resumed). Ids alone do not say it. */
function isRepeated(state: ClaudeState, record: Fields): boolean {
  const uuid = firstText(record.uuid);
  if (uuid === null || record.type === "stream_event") return false;
  const print = `${claudeKind(record)} ${showValue(record.timestamp)} ${
    contentPrint(fieldsOf(record.message).content)
  }`;
  const mark = `${uuid} ${print}`;
  if (state.seen.has(mark)) return true;
  state.seen.add(mark);
  return false;
}

/** Kinds and sizes of content, without reading it. */
function contentPrint(content: unknown): string {
  if (typeof content === "string") return String(content.length);
  return listOf(content).map((block) => {
    const fields = fieldsOf(block);
    const text = [fields.text, fields.thinking, fields.content].find((part) => typeof part === "string");
    const id = firstText(fields.id, fields.tool_use_id) ?? "";
    return `${textOf(fields.type) ?? typeof block}:${id}:${
      textOf(text)?.length ?? textOf(block)?.length ?? 0
    }`;
  }).join();
}

function isMessage(value: Fields): boolean {
  const message = fieldsOf(value.message);
  if ("parts" in message) return false;
  const hasPlace = ["sessionId", "session_id", "uuid", "parent_tool_use_id"].some((name) => name in value);
  return hasPlace && (typeof message.content === "string" || Array.isArray(message.content));
}
