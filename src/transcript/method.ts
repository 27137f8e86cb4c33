// Pod JSONL 1, client to agent: every method as one closed union with its schema. Events are in event.ts.

import * as v from "valibot";

const messageId = v.optional(v.string());
const draftPart = v.object({ type: v.picklist(["text", "paste"]), text: v.string() });
const answer = v.object({
  id: v.string(),
  selected: v.optional(v.array(v.string()), []),
  text: v.nullish(v.string(), null),
});

/** One schema a method name. `input` is always the flat, expanded text. */
export const METHOD_SCHEMAS = {
  run: v.object({ input: v.string(), message_id: messageId }),
  steer: v.object({ input: v.string(), message_id: messageId }),
  resume: v.object({}),
  pause: v.object({}),
  cancel: v.object({}),
  shutdown: v.object({}),
  get_history: v.object({}),
  compact: v.object({}),
  list_models: v.object({}),
  select_model: v.object({ provider: v.nullish(v.string(), null), model: v.string() }),
  set_option: v.object({ id: v.string(), value: v.union([v.string(), v.boolean()]) }),
  answer: v.object({ batch_id: v.string(), answers: v.array(answer) }),
  unqueue: v.object({ message_id: v.string() }),
  authenticate: v.object({ method_id: v.string() }),
  keep_draft: v.object({ parts: v.array(draftPart) }),
  dismiss_question: v.object({ batch_id: v.string() }),
} as const;

export type MethodName = keyof typeof METHOD_SCHEMAS;
export type MethodParams<Name extends MethodName> = v.InferOutput<typeof METHOD_SCHEMAS[Name]>;
/** A method as the client sends it. */
export type Method = {
  [Name in MethodName]: {
    readonly method: Name;
    readonly params: MethodParams<Name>;
    readonly id?: string | number;
  };
}[MethodName];
export type DraftPart = v.InferOutput<typeof draftPart>;

/** What became of one JSON value that should be a method. */
export type ParsedMethod =
  | { readonly kind: "method"; readonly method: Method }
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "problem"; readonly what: string };

/** Doubts one JSON value. Never throws. */
export function parseMethod(value: unknown): ParsedMethod {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "problem", what: "Cannot parse method: value is not an object" };
  }
  const { method: name, params, id } = value as Record<string, unknown>;
  if (typeof name !== "string") return { kind: "problem", what: 'Cannot parse method: no "method" name' };
  if (!Object.hasOwn(METHOD_SCHEMAS, name)) return { kind: "unknown", name };
  const schema = METHOD_SCHEMAS[name as MethodName] as v.GenericSchema<unknown, unknown>;
  const result = v.safeParse(schema, params ?? {});
  if (!result.success) {
    const issue = result.issues[0];
    const path = issue === undefined ? "" : v.getDotPath(issue) ?? "";
    return {
      kind: "problem",
      what: `Cannot parse ${name}: ${path === "" ? "params" : path} must be ${
        issue?.expected ?? "another type"
      }`,
    };
  }
  const known = typeof id === "string" || typeof id === "number" ? { id } : {};
  return { kind: "method", method: { method: name, params: result.output, ...known } as Method };
}

/** The method as one line of pod JSONL, newline included. */
export function methodLine(method: Method): string {
  return JSON.stringify(method) + "\n";
}
