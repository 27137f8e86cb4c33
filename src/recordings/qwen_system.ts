// Records of type "system" in a Qwen Code session, by subtype: what of them a person should see.

import { fieldAt, type Fields, fieldsList, fieldsOf, firstText, numberOf, rowOf, textOf } from "./fields.ts";
import { partsOf, partsText } from "./gemini_parts.ts";
import type { QwenState } from "./qwen_records.ts";
import { ignore, ignoreKind, ignoreUnknown, notify, tell, tellContextText, tellTitle } from "./telling.ts";
import { tellCompaction } from "./telling_compact.ts";
import { expectEnd, tellRetry, tellSteer } from "./telling_turn.ts";

/** Subtypes that are known and not shown, with the reason. */
export const QWEN_IGNORED: Readonly<Record<string, string>> = {
  file_history_snapshot: "backups of files",
  branch_checkpoint: "place to branch from",
  attribution_snapshot: "who wrote which lines",
  at_command: "files named in a message, read for the model",
  rewind: "rewind, told by the branch",
  agent_bootstrap: "start of a nested agent, told by its call",
  session_artifact_event: "files the session made, told by their calls",
  session_artifact_snapshot: "files the session made, told by their calls",
  goal_state: "state of the session's goal",
};

type Take = (state: QwenState, payload: Fields) => void;

/** What each subtype tells. */
export const SUBTYPES: Readonly<Record<string, Take>> = {
  ui_telemetry: takeTelemetry,
  chat_compression: (state, payload) => {
    const info = fieldsOf(payload.info);
    const history = fieldsList(payload.compressedHistory);
    tellCompaction(state.telling, {
      summary: partsText(partsOf(history[0]?.parts)),
      keepsMessages: history.length > 2,
      tokensBefore: numberOf(info.originalTokenCount),
      tokensAfter: numberOf(info.newTokenCount),
    });
  },
  slash_command: (state, payload) => {
    if (payload.phase !== "result") {
      return notify(state.telling, "info", textOf(payload.rawCommand) ?? "command");
    }
    const texts = fieldsList(payload.outputHistoryItems).map((item) => firstText(item.text)).filter((text) =>
      text !== null
    );
    if (texts.length === 0) return ignore(state.telling, "command without output");
    notify(state.telling, "info", texts.join("\n"));
  },
  mid_turn_user_message: (state, payload) => {
    const text = payloadText(payload);
    if (text === "") return ignore(state.telling, "empty message");
    tellSteer(state.telling, { text, messageId: null });
  },
  custom_title: (state, payload) => tellTitle(state.telling, firstText(payload.customTitle, payload.title)),
  notification: (state, payload) => notify(state.telling, "info", payloadText(payload) || "notification"),
  cron: (state, payload) => notify(state.telling, "info", `Timed prompt: ${payloadText(payload)}`),
  agent_launch_prompt: (state, payload) => tellContextText(state.telling, payloadText(payload)),
  parent_session: (state, payload) => {
    const id = firstText(payload.parentSessionId, payload.sessionId);
    notify(state.telling, "info", id === null ? "Continues another session" : `Continues session ${id}`);
  },
  session_model: (state, payload) => {
    const model = firstText(payload.model, payload.modelId);
    if (model === null) return ignore(state.telling, "model without a name");
    tell(state.telling, "model_selected", { model, source: "request" });
  },
};

/** A record of type "system". */
export function takeSystem(state: QwenState, record: Fields): void {
  const take = rowOf(SUBTYPES, record.subtype);
  if (take !== null) return take(state, fieldsOf(record.systemPayload));
  const reason = rowOf(QWEN_IGNORED, record.subtype);
  if (reason !== null) return ignoreKind(state.telling, reason);
  ignoreUnknown(state.telling, `system ${textOf(record.subtype) ?? ""}`);
}

/** Telemetry repeats what other records tell, but for requests that failed: nothing else tells of those. */
function takeTelemetry(state: QwenState, payload: Fields): void {
  const { telling } = state;
  const event = fieldsOf(payload.uiEvent);
  if (event["event.name"] !== "qwen-code.api_error") {
    return ignore(telling, "telemetry, told by other records");
  }
  const message = firstText(event.error_message, event.error) ?? "the provider gave no reason";
  const { turn } = telling;
  if (turn === null) return notify(telling, "error", message);
  if (turn.end.result === "error") tellRetry(telling, { error: turn.end.message ?? null });
  else ignore(telling, "failed request, told at the turn's end");
  expectEnd(telling, { result: "error", reason: "provider_error", message });
}

function payloadText(payload: Fields): string {
  return firstText(
    payload.message,
    payload.text,
    payload.content,
    payload.prompt,
    fieldAt(payload.message, "content"),
  ) ??
    partsText(partsOf(fieldAt(payload.message, "parts") ?? payload.parts));
}
