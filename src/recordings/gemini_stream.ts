// `gemini -o stream-json` as events: what happens as it happens, without thoughts and with the display text of tools.

import { fieldAt, type Fields, fieldsOf, firstText, numberOf, textOf } from "./fields.ts";
import type { GeminiState } from "./gemini_state.ts";
import { responseResult } from "./gemini_parts.ts";
import { ignore, notify, tell, tellText } from "./telling.ts";
import { tellCall, tellResult } from "./telling_calls.ts";
import { beginStep, beginTurn, endTurn, ensureStep, tellUsage } from "./telling_turn.ts";

type Take = (state: GeminiState, record: Fields) => void;

/** What each type of record tells. */
export const STREAM: Readonly<Record<string, Take>> = {
  init: (state, record) => {
    state.telling.greeting.sessionId = textOf(record.session_id);
    state.telling.greeting.model = textOf(record.model);
    ignore(state.telling, "session header, told in the greeting");
  },
  message: (state, record) => {
    const text = textOf(record.content) ?? "";
    if (record.role === "user") {
      closeText(state);
      return beginTurn(state.telling, { text, messageId: null });
    }
    if (text === "") return ignore(state.telling, "empty piece");
    goOn(state);
    if (record.delta !== true) {
      closeText(state);
      return tellText(state.telling, text);
    }
    state.textOpen = true;
    tell(state.telling, "text_delta", { text });
  },
  tool_use: (state, record) => {
    closeText(state);
    goOn(state);
    tellCall(state.telling, {
      id: textOf(record.tool_id) ?? "",
      name: textOf(record.tool_name) ?? "tool",
      args: record.parameters,
    });
  },
  tool_result: (state, record) => {
    const { telling } = state;
    closeText(state);
    const id = textOf(record.tool_id) ?? "";
    const call = telling.calls.get(id);
    const output = firstText(record.output, fieldAt(record.error, "message"));
    const name = call?.name ?? "tool";
    const path = firstText(fieldsOf(call?.args).file_path);
    tellResult(telling, id, {
      ...responseResult({ name, path }, output ?? undefined, { status: textOf(record.status) }),
      // Only what is shown is told: an empty text says nothing of a file.
      output: output === null || output === "" ? null : output,
    });
    state.afterResult = true;
  },
  error: (state, record) => {
    closeText(state);
    const level = record.severity === "warning" ? "warn" : "error";
    notify(
      state.telling,
      level,
      firstText(record.message, fieldAt(record.error, "message")) ?? "unknown error",
    );
  },
  result: (state, record) => {
    const { telling } = state;
    closeText(state);
    const stats = fieldsOf(record.stats);
    tellUsage(telling, {
      input: numberOf(stats.input_tokens),
      output: numberOf(stats.output_tokens),
      cacheRead: numberOf(stats.cached),
    }, { isContext: false });
    const message = firstText(fieldAt(record.error, "message"), record.error);
    endTurn(
      telling,
      record.status === "success" ? { result: "finished" } : { result: "error", message: message ?? null },
    );
  },
};

/** What comes behind results belongs to the next request. */
function goOn(state: GeminiState): void {
  if (state.afterResult) beginStep(state.telling, { model: state.telling.greeting.model });
  else ensureStep(state.telling, state.telling.greeting.model);
  state.afterResult = false;
}

function closeText(state: GeminiState): void {
  if (!state.textOpen) return;
  state.textOpen = false;
  tell(state.telling, "text_done", {});
}
