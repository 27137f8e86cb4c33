// Tool calls of DeepSeek Harness and what they gave, sub-calls of its programs, and questions it asks by a tool.

import { toolKind } from "../transcript/tool_names.ts";
import { blocksText } from "./acp_content.ts";
import { argumentFields, callCard } from "./dsh_cards.ts";
import { answerQuestion, askQuestion } from "./dsh_questions.ts";
import type { DshEvent, DshState } from "./dsh_state.ts";
import { settleTurn } from "./dsh_turns.ts";
import {
  fieldAt,
  type Fields,
  fieldsList,
  fieldsOf,
  firstText,
  listOf,
  showValue,
  textOf,
} from "./fields.ts";
import { exitInText, readListing } from "./result_summary.ts";
import { ignore } from "./telling.ts";
import { type FoundResult, tellCall, tellResult, toldId } from "./telling_calls.ts";

type Take = (state: DshState, event: DshEvent) => void;

export const DSH_TOOLS: Readonly<Record<string, Take>> = {
  "tool/call": (state, { data }) => {
    settleTurn(state);
    const id = textOf(data.callId) ?? "";
    const name = textOf(data.name) ?? "tool";
    const args = textOf(data.arguments) ?? data.arguments;
    tellCall(state.telling, { id, name, args, card: callCard(name, args) });
    if (name === "ask_user_question") askQuestion(state, id, argumentFields(args));
  },
  "tool/result": takeResult,
  "tool/code-dispatch-start": (state, { data }) => takeDispatch(state, data),
  "tool/code-dispatch": (state, { data }) => {
    takeDispatch(state, data);
    const name = textOf(data.name) ?? "tool";
    const content = data.content === undefined ? textOf(data.resultSummary) : blocksText(data.content);
    tellResult(
      state.telling,
      textOf(data.subCallId) ?? "",
      foundResult({ name, args: fieldsOf(data.arguments) }, {
        output: content ?? "",
        isError: data.isError === true,
        meta: {},
      }),
    );
  },
};

function takeDispatch(state: DshState, data: Fields): void {
  settleTurn(state);
  const name = textOf(data.name) ?? "tool";
  const id = textOf(data.subCallId) ?? "";
  if (state.telling.calls.has(id)) return ignore(state.telling, "call told again");
  tellCall(state.telling, {
    id,
    name,
    args: data.arguments,
    parent: toldId(state.telling, textOf(data.parentCallId)),
    card: callCard(name, data.arguments),
  });
}

/** A result, in itself or wrapped in a message with one block. A replacement only shortens it for the model. */
function takeResult(state: DshState, event: DshEvent): void {
  const { data } = event;
  settleTurn(state);
  if (typeof event.surfaceOp === "object" && event.surfaceOp !== null) {
    return ignore(state.telling, "result shortened for the model, shown whole");
  }
  const block = fieldsList(fieldAt(data.message, "content"))[0];
  const result = block ?? data;
  const id = firstText(data.callId, block?.toolCallId, fieldAt(data.message, "source", "callId")) ?? "";
  const call = state.telling.calls.get(id);
  const name = call?.name ?? "tool";
  const given = {
    output: blocksText(result.content),
    isError: (result.isError ?? data.isError) === true,
    meta: fieldsOf(data.meta),
  };
  if (name === "ask_user_question") answerQuestion(state, id, given);
  tellResult(state.telling, id, foundResult({ name, args: argumentFields(call?.args) ?? {} }, given));
}

interface Given {
  readonly output: string;
  readonly isError: boolean;
  readonly meta: Fields;
}

function foundResult(call: { readonly name: string; readonly args: Fields }, given: Given): FoundResult {
  const { meta, isError } = given;
  const kind = toolKind(call.name);
  const output = kind === "read" ? readListing(given.output) : withLogs(given.output, listOf(meta.logs));
  const diffs = fieldsList(meta.diffs).map((diff) => ({
    path: textOf(diff.path) ?? "",
    old: textOf(diff.oldText),
    new: textOf(diff.newText) ?? "",
  }));
  const exit = kind === "shell" ? exitInText(given.output) : { code: null, signal: null };
  // A command in the foreground that says nothing of its end ended well.
  const isPlain = kind === "shell" && !isError && call.args.run_in_background !== true;
  const exitCode = exit.code ?? (isPlain && exit.signal === null ? 0 : null);
  return {
    output,
    isError: isError || exit.signal !== null || (exitCode !== null && exitCode !== 0),
    exitCode,
    signal: exit.signal,
    wrote: kind !== "write" || diffs.length === 0 ? null : diffs[0]?.old === null ? "Created" : "Overwrote",
    ...(diffs.length === 0 ? {} : { diffs }),
  };
}

/** What a program logged goes before what it returned. */
function withLogs(output: string, logs: readonly unknown[]): string {
  if (logs.length === 0) return output;
  const lines = logs.map((log) => firstText(fieldAt(log, "text"), fieldAt(log, "message")) ?? showValue(log));
  return `${lines.join("\n")}\n${output}`;
}
