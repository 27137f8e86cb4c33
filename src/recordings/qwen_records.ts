// Messages of a Qwen Code session as events: the person's, the model's, and the results of tools.

import {
  fieldAt,
  type Fields,
  fieldsList,
  fieldsOf,
  firstText,
  numberOf,
  showValue,
  textOf,
} from "./fields.ts";
import {
  geminiTokens,
  isInjected,
  partsOf,
  partsText,
  partsThought,
  responseResult,
  responsesOf,
} from "./gemini_parts.ts";
import {
  createTelling,
  ignore,
  notify,
  tell,
  tellContextText,
  type Telling,
  tellText,
  tellThought,
} from "./telling.ts";
import { tellCall, tellResult, toldId } from "./telling_calls.ts";
import { beginStep, beginTurn, endStep, ensureTurn, expectEnd, tellUsage } from "./telling_turn.ts";

export interface QwenState {
  readonly telling: Telling;
  /** True once an answer came with its usage: one without was cut off. */
  countsUsage: boolean;
}

export function createQwenState(): QwenState {
  return { telling: createTelling("Qwen Code"), countsUsage: false };
}

type Take = (state: QwenState, record: Fields) => void;

/** What each type of record tells; "system" has subtypes of its own. */
export const RECORDS: Readonly<Record<string, Take>> = {
  user: takeUser,
  assistant: takeAnswer,
  tool_result: takeToolResult,
};

function takeUser(state: QwenState, record: Fields): void {
  const { telling } = state;
  const parts = partsOf(fieldAt(record.message, "parts"));
  for (const response of responsesOf(parts)) takeResponse(state, record, response);
  const text = partsText(parts);
  if (text.trim() === "") return ignore(telling, "empty message");
  const parent = parentOf(state, record);
  if (parent !== null) return tell(telling, "user_message", { text, kind: "run", parent_id: parent });
  if (isInjected(text)) return tellContextText(telling, text);
  beginTurn(telling, { text, messageId: textOf(record.uuid) });
}

function takeAnswer(state: QwenState, record: Fields): void {
  const { telling } = state;
  const parent = parentOf(state, record);
  const parts = partsOf(fieldAt(record.message, "parts"));
  if (parent === null) beginStep(telling, { model: textOf(record.model) });
  const thought = partsThought(parts);
  if (thought !== "") tellThought(telling, thought, { parent });
  let text: Fields[] = [];
  const flush = () => {
    if (text.length > 0) tellText(telling, partsText(text), parent);
    text = [];
  };
  let calls = 0;
  for (const part of parts) {
    const call = fieldsOf(part.functionCall);
    if (part.functionCall === undefined) {
      if (part.thought !== true) text.push(part);
      continue;
    }
    flush();
    calls++;
    const name = textOf(call.name) ?? "tool";
    tellCall(telling, {
      id: firstText(call.id) ?? `${textOf(record.uuid) ?? ""}-${calls}`,
      name,
      args: call.args,
      parent,
    });
  }
  flush();
  if (parent !== null) return;
  takeUsage(state, fieldsOf(record.usageMetadata), calls);
  endStep(telling, null);
}

function takeUsage(state: QwenState, usage: Fields, calls: number): void {
  const { telling } = state;
  const has = Object.keys(usage).length > 0;
  const wasCut = !has && state.countsUsage;
  if (has) {
    state.countsUsage = true;
    tellUsage(
      telling,
      geminiTokens({
        input: numberOf(usage.promptTokenCount),
        output: numberOf(usage.candidatesTokenCount),
        thoughts: numberOf(usage.thoughtsTokenCount),
        total: numberOf(usage.totalTokenCount),
        cached: numberOf(usage.cachedContentTokenCount),
      }),
    );
  }
  if (calls === 0) expectEnd(telling, { result: wasCut ? "cancelled" : "finished" });
}

function takeToolResult(state: QwenState, record: Fields): void {
  const responses = responsesOf(partsOf(fieldAt(record.message, "parts")));
  if (responses.length === 0) {
    const id = textOf(fieldAt(record.toolCallResult, "callId"));
    if (id === null) return ignore(state.telling, "empty result");
    return takeResponse(state, record, { id, response: fieldAt(record.toolCallResult, "error") });
  }
  for (const response of responses) takeResponse(state, record, response);
}

function takeResponse(state: QwenState, record: Fields, response: Fields): void {
  const { telling } = state;
  const about = fieldsOf(record.toolCallResult);
  const id = textOf(response.id) ?? textOf(about.callId) ?? "";
  const call = telling.calls.get(id);
  const name = call?.name ?? textOf(response.name) ?? "tool";
  const status = textOf(about.status);
  const display = about.resultDisplay;
  if (call === undefined) ensureTurn(telling);
  takeNested(state, id, fieldsOf(display));
  const path = firstText(fieldsOf(call?.args).file_path, fieldsOf(call?.args).path);
  const found = responseResult({ name, path }, response.response, { display, status });
  if (status === "cancelled") expectEnd(telling, { result: "cancelled" });
  const refused = status === "cancelled" && about.executionStatus === "not_started";
  tellResult(telling, id, refused ? { ...found, summary: "Rejected by you" } : found);
}

/** What a nested agent did, as far as its call's result tells it. */
function takeNested(state: QwenState, id: string, display: Fields): void {
  const { telling } = state;
  if (display.type !== "task_execution") return;
  const parent = toldId(telling, id);
  for (const call of fieldsList(display.toolCalls)) {
    const callId = textOf(call.callId) ?? "";
    if (telling.calls.has(callId)) continue;
    const name = textOf(call.name) ?? "tool";
    tellCall(telling, { id: callId, name, args: call.args, parent });
    const output = firstText(call.result, call.error, call.resultDisplay);
    tellResult(telling, callId, {
      output: output ?? (call.responseParts === undefined ? null : showValue(call.responseParts)),
      isError: call.status === "failed" || call.status === "error",
    });
  }
  const reason = textOf(display.terminateReason);
  if (reason !== null && display.status === "failed") notify(telling, "warn", reason, parent);
}

/** The call whose nested agent wrote the record: the newest that is still open. */
function parentOf(state: QwenState, record: Fields): string | null {
  if (record.isSidechain !== true) return null;
  let parent: string | null = null;
  for (const call of state.telling.open) if (call.kind === "other" && call.parent === null) parent = call.id;
  return parent;
}
