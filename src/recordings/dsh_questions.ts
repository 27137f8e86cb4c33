// Questions and approvals of DeepSeek Harness with what was answered.

import type { DshEvent, DshState } from "./dsh_state.ts";
import { settleTurn } from "./dsh_turns.ts";
import { type Fields, fieldsList, fieldsOf, firstText, listOf, textOf } from "./fields.ts";
import { ignore, tell } from "./telling.ts";
import { toldId } from "./telling_calls.ts";

type Take = (state: DshState, event: DshEvent) => void;

/** Ways an approval can be decided, as the log names them. */
const OUTCOMES = [
  { id: "allowed-once", label: "Allow once", effect: "allow_once" },
  { id: "allowed-always", label: "Always allow", effect: "allow_always" },
  { id: "denied", label: "Deny", effect: "deny" },
] as const;

export const DSH_APPROVALS: Readonly<Record<string, Take>> = {
  "approval/asked": (state, { data }) => {
    settleTurn(state);
    const id = textOf(data.id) ?? "";
    const callId = toldId(state.telling, textOf(data.callId));
    if (state.questions.has(id)) return ignore(state.telling, "approval asked before");
    state.questions.add(id);
    tell(state.telling, "question", {
      batch_id: id,
      kind: "permission",
      tool_call_id: callId,
      questions: [{
        id: "approval",
        header: textOf(data.toolName) ?? "",
        text: firstText(data.reason) ?? "",
        options: OUTCOMES.map((outcome) => ({ ...outcome })),
      }],
    });
  },
  "approval/decided": (state, { data }) => {
    const id = textOf(data.id) ?? "";
    if (!state.questions.delete(id)) return ignore(state.telling, "decision of an unknown approval");
    const outcome = textOf(data.outcome) ?? "";
    const isAnswer = /^(?:allow|approv|den|reject)/.test(outcome);
    tell(state.telling, "question_closed", {
      batch_id: id,
      reason: isAnswer ? "answered" : "cancelled",
      answers: [{ id: "approval", selected: isAnswer ? [outcomeId(outcome)] : [], text: textOf(data.note) }],
    });
  },
};

/** The tool by which the model asks: the same questions, to be answered by its result. */
export function askQuestion(state: DshState, callId: string, args: Fields | null): void {
  const questions = fieldsList(args?.questions);
  const id = toldId(state.telling, callId) ?? callId;
  if (questions.length === 0 || state.questions.has(id)) return;
  state.questions.add(id);
  tell(state.telling, "question", {
    batch_id: id,
    tool_call_id: id,
    questions: questions.map((question, index) => ({
      id: textOf(question.id) ?? String(index + 1),
      header: textOf(question.header) ?? "",
      text: textOf(question.question) ?? "",
      multi: question.multi_select === true,
      allow_text: true,
      options: fieldsList(question.options).map((option) => ({
        id: textOf(option.label) ?? "",
        label: textOf(option.label) ?? "",
        description: textOf(option.description),
      })),
    })),
  });
}

/** The answers are the result's JSON; anything else means that there were none. */
export function answerQuestion(
  state: DshState,
  callId: string,
  given: { readonly output: string; readonly isError: boolean },
): void {
  const id = toldId(state.telling, callId) ?? callId;
  if (!state.questions.delete(id)) return;
  const answers = answersIn(given.output);
  tell(state.telling, "question_closed", {
    batch_id: id,
    reason: given.isError || answers.length === 0 ? "dismissed" : "answered",
    answers: answers.map((answer) => ({
      id: textOf(answer.id) ?? "",
      selected: listOf(answer.selected).filter((label) => typeof label === "string"),
      text: textOf(answer.custom),
    })),
  });
}

/** Questions nobody answered go with their turn. */
export function closeQuestions(state: DshState): void {
  for (const id of state.questions) {
    tell(state.telling, "question_closed", { batch_id: id, reason: "cancelled" });
  }
  state.questions.clear();
}

function answersIn(output: string): readonly Fields[] {
  try {
    return fieldsList(fieldsOf(JSON.parse(output)).answers);
  } catch {
    return [];
  }
}

function outcomeId(outcome: string): string {
  if (/^(?:allow|approv)/.test(outcome)) {
    return /always|session|permanent/.test(outcome) ? "allowed-always" : "allowed-once";
  }
  return "denied";
}
