// Sessions of Codex: the rollout files it keeps (~/.codex/sessions) and `codex exec --json`. What a record is, is
// decided by itself, since versions differ within one file.

import { createCodexChildren } from "./codex_children.ts";
import { CODEX_IGNORED } from "./codex_ignored.ts";
import { CODEX_RECORDS, codexRecord } from "./codex_records.ts";
import { closeTurn, type CodexState, createCodexState, greetCodex } from "./codex_state.ts";
import { fieldsOf, isFields, rowOf, textOf } from "./fields.ts";
import { markedFile } from "./file_marks.ts";
import type { RecordingFormat } from "./format.ts";
import { ignore, ignoreUnknown } from "./recorded_ignored.ts";
import { takeSteps, tell, tellFrom, timeOf } from "./telling.ts";
import type { Translator } from "./translator.ts";

/** The format, for detect.ts. */
export const FORMAT: RecordingFormat = {
  name: "codex",
  label: "Codex: rollouts and exec --json",
  isRecord: isCodexRecord,
  create: createCodexTranslator,
};

/**
 * Records are told as they come. A rollout is a line, not a tree: forks and agents are files of their own. Those of the
 * agents it started may follow in the same stream, each behind a mark with its file's name.
 */
export function createCodexTranslator(): Translator {
  const main = createRollout();
  const children = createCodexChildren(createRollout);
  let child: Translator | null = null;
  return {
    push: (value, line) => {
      const file = markedFile(value);
      if (file !== undefined) {
        child = file === null ? null : children.of(file);
        return [];
      }
      if (child !== null) return child.push(value, line);
      children.see(fieldsOf(fieldsOf(value).payload));
      return main.push(value, line);
    },
    end: () => [...children.end(), ...main.end()],
  };
}

function createRollout(): Translator {
  const state = createCodexState();
  const { telling } = state;
  return {
    push: (value, line) => {
      tellFrom(telling, line, timeOf(fieldsOf(value).timestamp));
      takeRecord(state, value);
      if (telling.steps.length === 0) ignore(telling, "record without news");
      return takeSteps(telling);
    },
    end: () => {
      tellFrom(telling, 0, null);
      greetCodex(state);
      const hadTurn = closeTurn(state, null);
      if (!hadTurn && telling.open.size > 0) tell(telling, "turn_end", { result: "interrupted" });
      return takeSteps(telling);
    },
  };
}

function takeRecord(state: CodexState, value: unknown): void {
  const { telling } = state;
  if (!isFields(value)) return ignore(telling, `unknown ${Array.isArray(value) ? "list" : typeof value}`);
  const { kind, payload } = codexRecord(value);
  const reason = rowOf(CODEX_IGNORED, kind);
  if (reason !== null) return ignore(telling, reason);
  const take = rowOf(CODEX_RECORDS, kind);
  if (take === null) return ignoreUnknown(telling, kind);
  if (!SILENT.has(kind)) greetCodex(state);
  take(state, payload);
}

/** Kinds that say nothing yet, so that the greeting may wait for more. */
const SILENT: ReadonlySet<string> = new Set([
  "session_meta",
  "turn_context",
  "world_state",
  "thread.started",
  "turn.started",
  "event_msg/thread_settings_applied",
  "event_msg/thread_name_updated",
  "event_msg/task_started",
  "event_msg/turn_started",
]);

const ENVELOPES: ReadonlySet<string> = new Set([
  "session_meta",
  "turn_context",
  "world_state",
  "response_item",
  "event_msg",
  "compacted",
  "world_state",
  "token_usage_record",
  "inter_agent_communication_metadata",
]);
const EXEC = /^(?:thread\.started|turn\.(?:started|completed|failed)|item\.(?:started|updated|completed))$/;

/** True when a value can only be a record of Codex. */
export function isCodexRecord(value: unknown): boolean {
  if (!isFields(value)) return false;
  const type = textOf(value.type) ?? "";
  return ENVELOPES.has(type) && isFields(value.payload) || EXEC.test(type);
}
