// session/request_permission and elicitation/create as questions, and their answers, recorded or live. Option ids
// differ in every agent, so what an option does is told by its kind, and its name is what is shown.

import { inputOf } from "./acp_card.ts";
import { takeCall } from "./acp_calls.ts";
import { contentText } from "./acp_content.ts";
import { type AcpQuestion, type AcpState, emit, ignore, type OpenRequest } from "./acp_state.ts";
import { toolLook } from "./acp_tools.ts";
import {
  fieldAt,
  type Fields,
  fieldsList,
  fieldsOf,
  firstText,
  listOf,
  rowOf,
  showValue,
  textOf,
} from "./fields.ts";

const EFFECTS: Readonly<Record<string, "allow_once" | "allow_always" | "deny" | "deny_always">> = {
  allow_once: "allow_once",
  allow_always: "allow_always",
  reject_once: "deny",
  reject_always: "deny_always",
};

/** Id of the one question of a permission. */
const PERMISSION = "permission";

/** session/request_permission: updates the call, then asks. */
export function takePermission(state: AcpState, request: OpenRequest, parent: string | null): void {
  const told = fieldsOf(request.params.toolCall);
  const card = takeCall(state, told, { way: "ask", parent });
  const look = card === null ? null : toolLook(card);
  const options = fieldsList(request.params.options).map((option) => ({
    id: textOf(option.optionId) ?? "",
    label: firstText(option.name, option.optionId) ?? "",
    effect: rowOf(EFFECTS, option.kind),
  }));
  const denying = new Set(options.filter(({ effect }) => effect?.startsWith("deny")).map(({ id }) => id));
  const question = ask(state, request, { callId: card?.id ?? null, denying });
  emit(state, "question", {
    batch_id: question.batchId,
    kind: "permission",
    tool_call_id: question.callId,
    questions: [{
      id: PERMISSION,
      header: look?.name ?? firstText(told.title) ?? "Permission",
      text: permissionText(told, look?.args ?? {}, card === null ? {} : inputOf(card)),
      options,
    }],
    parent_id: card?.parent ?? parent,
  });
}

/** elicitation/create: one question a property of the form, or an address to open. */
export function takeElicitation(state: AcpState, request: OpenRequest): void {
  const { params } = request;
  const schema = fieldsOf(params.requestedSchema);
  const properties = Object.entries(fieldsOf(schema.properties)).map(([id, property]) => ({
    id,
    property: fieldsOf(property),
  }));
  const question = ask(state, request, { callId: firstText(params.toolCallId), denying: new Set() });
  const message = textOf(params.message) ?? "";
  const url = firstText(params.url);
  const questions = url !== null || properties.length === 0
    ? [{
      id: "url",
      header: "Agent",
      text: [message, url].filter((part) => part !== null && part !== "").join("\n"),
      options: [],
    }]
    : properties.map(({ id, property }, index) => ({
      id,
      header: firstText(property.title, id) ?? id,
      text: [index === 0 ? message : "", textOf(property.description) ?? ""].filter((part) => part !== "")
        .join("\n"),
      multi: property.type === "array",
      allow_text: formOptions(property).length === 0,
      options: formOptions(property),
    }));
  emit(state, "question", { batch_id: question.batchId, tool_call_id: question.callId, questions });
}

/** The client's answer to a question; false when the request was none. */
export function takeQuestionAnswer(state: AcpState, request: OpenRequest, answer: Fields | null): boolean {
  const question = [...state.questions.values()].find((open) => open.request === request);
  if (question === undefined) {
    return request.method === "session/request_permission" || request.method === "elicitation/create";
  }
  const outcome = fieldsOf(answer?.outcome);
  if (outcome.outcome === "selected") {
    const selected = textOf(outcome.optionId) ?? "";
    if (question.denying.has(selected)) denyCall(state, question.callId);
    close(state, question, "answered", [{ id: PERMISSION, selected: [selected], text: null }]);
  } else if (answer?.action === "accept") {
    close(state, question, "answered", formAnswers(request, fieldsOf(answer.content)));
  } else {
    const isRefusal = answer?.action === "decline";
    close(state, question, isRefusal ? "dismissed" : "cancelled", []);
  }
  return true;
}

/** Closes questions nobody answered: all of them, or the one of a request the agent took back. */
export function cancelQuestions(state: AcpState, request?: OpenRequest): void {
  for (const question of [...state.questions.values()]) {
    if (request === undefined || question.request === request) close(state, question, "cancelled", []);
  }
}

/** elicitation/complete: what was to be done at the address has been done. */
export function takeElicitationComplete(state: AcpState, params: Fields): void {
  const id = textOf(params.elicitationId);
  const question = [...state.questions.values()].find((open) =>
    open.request.params.elicitationId === id && id !== null
  );
  if (question === undefined) return ignore(state, "completion of an unknown question");
  close(state, question, "answered", []);
}

function ask(
  state: AcpState,
  request: OpenRequest,
  about: { callId: string | null; denying: ReadonlySet<string> },
): AcpQuestion {
  const batchId = `${state.options.idPrefix}${
    request.method === "elicitation/create" ? "form" : "permission"
  }-${request.id}`;
  const question = { batchId, request, ...about };
  state.questions.set(batchId, question);
  return question;
}

function close(
  state: AcpState,
  question: AcpQuestion,
  reason: "answered" | "dismissed" | "cancelled",
  answers: { id: string; selected: string[]; text: string | null }[],
): void {
  state.questions.delete(question.batchId);
  emit(state, "question_closed", { batch_id: question.batchId, reason, answers });
}

function denyCall(state: AcpState, callId: string | null): void {
  const card = callId === null ? undefined : state.cards.get(callId);
  if (card !== undefined) card.denied = true;
}

/** What is asked for, whole: the command or the title with the file, then what the agent says of it. */
function permissionText(told: Fields, args: Fields, input: Fields): string {
  // The arguments in the request are what will run; the card's may have been quoted otherwise.
  const command = textOf(fieldAt(told, "rawInput", "command")) ?? textOf(args.command);
  const title = firstText(told.title) ?? "";
  const path = firstText(args.file_path, input.file_path, input.path);
  const lines = command !== null ? [command] : [title];
  if (command === null && path !== null && !title.includes(path)) lines.push(path);
  const said = contentText(fieldsList(told.content));
  if (said !== null && said !== "" && said !== lines[0]) lines.push(said);
  return lines.filter((line) => line !== "").join("\n");
}

/** Choices of a form's property: enum, oneOf, a list's items, or yes and no. */
function formOptions(property: Fields): { id: string; label: string; description: string | null }[] {
  if (property.type === "boolean") {
    return [{ id: "true", label: "Yes", description: null }, { id: "false", label: "No", description: null }];
  }
  const source = property.type === "array" ? fieldsOf(property.items) : property;
  const named = [...fieldsList(source.oneOf), ...fieldsList(source.anyOf)].map((choice) => ({
    id: showValue(choice.const),
    label: firstText(choice.title) ?? showValue(choice.const),
    description: firstText(choice.description),
  }));
  const names = listOf(source.enumNames);
  const plain = listOf(source.enum).map((choice, index) => ({
    id: showValue(choice),
    label: firstText(names[index]) ?? showValue(choice),
    description: null,
  }));
  return [...named, ...plain];
}

function formAnswers(
  request: OpenRequest,
  content: Fields,
): { id: string; selected: string[]; text: string | null }[] {
  const properties = fieldsOf(fieldAt(request.params, "requestedSchema", "properties"));
  return Object.entries(content).map(([id, value]) => {
    const values = (Array.isArray(value) ? value : [value]).map(showValue);
    const isChoice = Array.isArray(value) ||
      formOptions(fieldsOf(properties[id])).some((option) => option.id === values[0]);
    return isChoice ? { id, selected: values, text: null } : { id, selected: [], text: values[0] ?? "" };
  });
}
