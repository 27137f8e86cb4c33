// What a person answered, as the answer an ACP agent waits for: permissions by option, forms by the types their
// schema names. Option ids differ in every agent, so refusing goes by kind.

import { type Fields, fieldsList, fieldsOf, listOf, rowOf, showValue, textOf } from "../recordings/fields.ts";
import type { MethodParams } from "../transcript/method.ts";

/** A request of the agent that is put to the person. */
export interface AskingRequest {
  readonly method: string;
  readonly params: Fields;
}

type Answers = MethodParams<"answer">["answers"];

interface Asking {
  readonly answered: (params: Fields, answers: Answers) => Fields | null;
  readonly dismissed: (params: Fields) => Fields;
  readonly cancelled: Fields;
}

const CANCELLED = { outcome: { outcome: "cancelled" } };
/** Kinds of options that refuse, the mildest first. */
const REFUSING = ["reject_once", "reject_always"];

const ASKING: Readonly<Record<string, Asking>> = {
  "session/request_permission": {
    answered: (params, answers) => {
      const id = answers[0]?.selected[0];
      const offered = fieldsList(params.options).some((option) => option.optionId === id);
      return id === undefined || !offered ? null : selected(id);
    },
    dismissed: (params) => {
      const options = fieldsList(params.options);
      for (const kind of REFUSING) {
        const id = textOf(options.find((option) => option.kind === kind)?.optionId);
        if (id !== null) return selected(id);
      }
      return CANCELLED;
    },
    cancelled: CANCELLED,
  },
  "elicitation/create": {
    answered: (params, answers) => {
      const properties = fieldsOf(fieldsOf(params.requestedSchema).properties);
      const content: Record<string, unknown> = {};
      for (const answer of answers) {
        if (!Object.hasOwn(properties, answer.id)) continue;
        const value = propertyValue(fieldsOf(properties[answer.id]), answer);
        if (value !== null) content[answer.id] = value;
      }
      const isForm = Object.keys(properties).length > 0;
      return isForm ? { action: "accept", content } : { action: "accept" };
    },
    dismissed: () => ({ action: "decline" }),
    cancelled: { action: "cancel" },
  },
};

/** True for requests that wait for a person. */
export function isAsking(method: string): boolean {
  return rowOf(ASKING, method) !== null;
}

/** The answer for what was chosen; null when it is none the agent offered. */
export function answerFor({ method, params }: AskingRequest, answers: Answers): Fields | null {
  return rowOf(ASKING, method)?.answered(params, answers) ?? null;
}

/** The answer for a question put away: the mildest refusal on offer. */
export function refusalFor({ method, params }: AskingRequest): Fields {
  return rowOf(ASKING, method)?.dismissed(params) ?? CANCELLED;
}

/** The answer for a question that is open no longer. */
export function cancellationFor({ method }: AskingRequest): Fields {
  return rowOf(ASKING, method)?.cancelled ?? CANCELLED;
}

function selected(optionId: string): Fields {
  return { outcome: { outcome: "selected", optionId } };
}

/** What was chosen or typed, as the property's type; null for nothing. */
function propertyValue(property: Fields, answer: Answers[number]): unknown {
  const texts = [...answer.selected, ...(answer.text === null || answer.text === "" ? [] : [answer.text])];
  if (property.type === "array") {
    const values = choices(fieldsOf(property.items));
    return texts.map((text) => values.find((value) => showValue(value) === text) ?? text);
  }
  const text = texts[0];
  if (text === undefined) return null;
  const chosen = choices(property).find((value) => showValue(value) === text);
  if (chosen !== undefined) return chosen;
  if (property.type === "boolean") return text === "true";
  if (property.type === "number" || property.type === "integer") {
    // What is no number goes as it was typed: the agent knows best what to say to it.
    const value = Number(text);
    return Number.isFinite(value) ? value : text;
  }
  return text;
}

/** The values a property may have, where they are listed. */
function choices(property: Fields): readonly unknown[] {
  return [
    ...fieldsList(property.oneOf).map((choice) => choice.const),
    ...fieldsList(property.anyOf).map((choice) => choice.const),
    ...listOf(property.enum),
  ];
}
