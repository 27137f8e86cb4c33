// Pod JSONL 1, agent to client: every event as one closed union, with the schema that doubts it once, here.
// A payload is never rejected for a name or field we do not know: those are counted. Methods are in method.ts,
// history items in item.ts.

import * as v from "valibot";
import { contentText } from "./content.ts";

const text = v.optional(v.string(), "");
const maybeText = v.nullish(v.string(), null);
const count = v.nullish(v.number(), null);
const parent = { parent_id: maybeText };

/** The parts a tool's own card is made of. */
export const bodyPartSchema = v.variant("type", [
  v.object({ type: v.literal("text"), text }),
  v.object({ type: v.literal("markdown"), text }),
  v.object({ type: v.literal("diff"), path: text, old: maybeText, new: text }),
  v.object({
    type: v.literal("terminal"),
    command: maybeText,
    cwd: maybeText,
    output: maybeText,
    exit_code: count,
    signal: maybeText,
  }),
  v.object({ type: v.literal("image"), media_type: text, byte_length: count }),
  v.object({
    type: v.literal("locations"),
    locations: v.optional(v.array(v.object({ path: text, line: count })), []),
  }),
]);
export type BodyPart = v.InferOutput<typeof bodyPartSchema>;

/** Some agents give the arguments as an object, or an output as parts: both are text in here. */
const argumentObject = v.pipe(
  v.record(v.string(), v.unknown()),
  v.transform((value) => JSON.stringify(value)),
);
const contentParts = v.pipe(v.array(v.unknown()), v.transform((parts) => contentText(parts)));

const presentationSchema = v.object({
  title: maybeText,
  kind: maybeText,
  body: v.nullish(v.array(v.unknown()), null),
});

const planItem = v.object({
  id: text,
  text,
  status: v.optional(v.picklist(["pending", "in_progress", "completed"]), "pending"),
});
const questionOption = v.object({
  id: text,
  label: text,
  description: maybeText,
  effect: v.nullish(v.picklist(["allow_once", "allow_always", "deny", "deny_always"]), null),
});
const question = v.object({
  id: text,
  header: text,
  text,
  multi: v.optional(v.boolean(), false),
  allow_text: v.optional(v.boolean(), false),
  options: v.optional(v.array(questionOption), []),
});
const answer = v.object({ id: text, selected: v.nullish(v.array(v.string()), []), text: maybeText });
const queueItem = v.object({ message_id: text, text });
const modelEntry = v.object({
  provider: text,
  model: v.string(),
  label: maybeText,
  context_window: count,
  reasoning: v.nullish(v.boolean(), null),
});
const command = v.object({ name: v.string(), description: text, hint: maybeText });
const option = v.object({
  id: v.string(),
  label: text,
  current: v.nullish(v.union([v.string(), v.boolean()]), null),
  values: v.optional(v.array(v.object({ id: v.string(), label: text })), []),
});
const authMethod = v.object({
  id: text,
  label: text,
  /** agent, terminal, or a type for the person to read. */
  type: maybeText,
  description: maybeText,
  /** The program that logs in when it is given the terminal; exit code 0 is success. */
  terminal: v.nullish(
    v.object({
      command: v.string(),
      args: v.optional(v.array(v.string()), []),
      cwd: maybeText,
      env: v.optional(v.record(v.string(), v.string()), {}),
    }),
    null,
  ),
});
const status = v.picklist(["idle", "running", "paused", "compacting"]);
const greeting = v.object({
  pod_name: maybeText,
  cwd: maybeText,
  provider: maybeText,
  model: maybeText,
  scope_summary: maybeText,
  tools: v.nullish(v.array(v.string()), null),
  context_window: count,
  context_tokens: count,
  notes: v.nullish(v.array(v.string()), null),
});
const usageFields = {
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_write_input_tokens: count,
  reasoning_tokens: count,
  cost_usd: count,
};
const model = { provider: maybeText, model: maybeText };
const unknowns = v.nullish(v.array(v.unknown()), []);

/** Results a turn can end with. Only "paused" leaves its tool calls open. */
export const TURN_RESULTS = [
  "finished",
  "paused",
  "cancelled",
  "limit_reached",
  "error",
  "rejected",
  "interrupted",
  "rolled_back",
] as const;

/** One schema an event name. Lists of foreign things (items, bodies) are parsed one by one, so that a bad one costs only itself. */
export const EVENT_SCHEMAS = {
  hello: v.object({
    protocol: text,
    version: v.optional(v.number(), 1),
    agent: text,
    capabilities: v.nullish(v.array(v.string()), []),
  }),
  history: v.object({
    session_id: maybeText,
    through_seq: count,
    status: v.optional(status, "idle"),
    greeting: v.nullish(greeting, null),
    state: v.nullish(v.record(v.string(), v.unknown()), null),
    items: unknowns,
    in_flight: unknowns,
    more_before: count,
    /** Whether the newest turn is still open; where absent, the status tells. */
    turn_open: v.nullish(v.boolean(), null),
  }),
  history_page: v.object({ items: unknowns, more_before: count }),
  status: v.object({ status }),
  title: v.object({ title: text }),
  user_message: v.object({
    message_id: maybeText,
    text,
    kind: v.optional(v.picklist(["run", "steer"]), "run"),
    ...parent,
  }),
  turn_start: v.object({ turn: count }),
  step_start: v.object({ turn: count, step: count, ...model }),
  reasoning_start: v.object({ id: text, ...parent }),
  reasoning_delta: v.object({ id: text, text, ...parent }),
  reasoning_done: v.object({ id: text, text: maybeText, elapsed_ms: count, ...parent }),
  text_delta: v.object({ text, ...parent }),
  text_done: v.object({ text: maybeText, ...parent }),
  tool_call_start: v.object({ id: text, name: text, ...parent }),
  tool_call_args_delta: v.object({ id: text, json: text, ...parent }),
  tool_call_done: v.object({
    id: text,
    name: text,
    arguments: v.optional(v.union([v.string(), argumentObject]), ""),
    presentation: v.nullish(presentationSchema, null),
    ...parent,
  }),
  tool_output: v.object({ id: text, stream: v.optional(v.string(), "stdout"), text, ...parent }),
  tool_result: v.object({
    id: text,
    summary: text,
    output: v.nullish(v.union([v.string(), contentParts]), null),
    is_error: v.nullish(v.boolean(), false),
    presentation: v.nullish(presentationSchema, null),
    ...parent,
  }),
  usage: v.object({ turn: count, step: count, ...usageFields }),
  step_end: v.object({ turn: count, step: count, stop_reason: maybeText }),
  context: v.object({ used_tokens: count, window_tokens: count, estimated: v.nullish(v.boolean(), false) }),
  plan: v.object({ items: v.optional(v.array(planItem), []) }),
  commands: v.object({ commands: v.optional(v.array(command), []) }),
  options: v.object({ options: v.optional(v.array(option), []) }),
  model_catalog: v.object({ models: v.optional(v.array(modelEntry), []) }),
  model_selected: v.object({ ...model, source: v.optional(v.picklist(["client", "request"]), "client") }),
  question: v.object({
    batch_id: text,
    kind: maybeText,
    tool_call_id: maybeText,
    questions: v.optional(v.array(question), []),
    ...parent,
  }),
  question_closed: v.object({
    batch_id: text,
    reason: v.optional(v.picklist(["answered", "dismissed", "cancelled", "shutdown"]), "answered"),
    answers: v.nullish(v.array(answer), []),
  }),
  notification: v.object({
    level: v.optional(v.picklist(["info", "warn", "error"]), "info"),
    source: maybeText,
    message: text,
    timestamp_ms: count,
    ...parent,
  }),
  retry: v.object({ attempt: count, max_attempts: count, wait_ms: count, error: maybeText }),
  compact_start: v.object({ reason: maybeText }),
  compact_done: v.object({ new_session_id: maybeText, tokens_before: count, tokens_after: count }),
  compact_failed: v.object({ error: maybeText }),
  surface: v.object({
    op: v.optional(v.string(), "replace"),
    session_id: maybeText,
    through_seq: count,
    items: unknowns,
  }),
  queue: v.object({ items: v.optional(v.array(queueItem), []) }),
  starting: v.object({ step: text, detail: maybeText }),
  auth: v.object({ methods: v.optional(v.array(authMethod), []) }),
  turn_end: v.object({
    turn: count,
    result: v.optional(v.picklist(TURN_RESULTS), "finished"),
    reason: maybeText,
    message: maybeText,
    requests: count,
    elapsed_ms: count,
  }),
  error: v.object({
    code: text,
    message: text,
    fatal: v.nullish(v.boolean(), false),
    id: v.nullish(v.union([v.string(), v.number()]), null),
    message_id: maybeText,
  }),
  shutdown: v.object({ reason: maybeText }),
} as const;

export type EventName = keyof typeof EVENT_SCHEMAS;
/** The checked payload of the event with that name. */
export type EventData<Name extends EventName> = v.InferOutput<typeof EVENT_SCHEMAS[Name]>;
/** An event as reduce takes it. `seq` and `ts` (ms) are there for logged events only. */
export type Event = {
  [Name in EventName]: {
    readonly event: Name;
    readonly data: EventData<Name>;
    readonly seq?: number;
    readonly ts?: number;
  };
}[EventName];

export type Greeting = v.InferOutput<typeof greeting>;
export type Presentation = { title: string | null; kind: string | null; body: readonly BodyPart[] | null };
export type PlanItem = v.InferOutput<typeof planItem>;
export type Question = v.InferOutput<typeof question>;
export type QuestionOption = v.InferOutput<typeof questionOption>;
export type Answer = v.InferOutput<typeof answer>;
export type QueueItem = v.InferOutput<typeof queueItem>;
export type ModelEntry = v.InferOutput<typeof modelEntry>;
export type AgentCommand = v.InferOutput<typeof command>;
export type AgentOption = v.InferOutput<typeof option>;
export type AuthMethod = v.InferOutput<typeof authMethod>;
export type AgentStatus = v.InferOutput<typeof status>;
export type TurnResult = typeof TURN_RESULTS[number];

/** What became of one JSON value that should be an event. `unknownFields` are "event.field" names, for counting. */
export type ParsedEvent =
  | { readonly kind: "event"; readonly event: Event; readonly unknownFields: readonly string[] }
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "problem"; readonly what: string };

/** Doubts one JSON value. Never throws; an unknown name is "unknown", a payload of the wrong shape a "problem". */
export function parseEvent(value: unknown): ParsedEvent {
  if (!isObject(value)) return { kind: "problem", what: "Cannot parse event: value is not an object" };
  const name = value.event;
  if (typeof name !== "string") return { kind: "problem", what: 'Cannot parse event: no "event" name' };
  if (!Object.hasOwn(EVENT_SCHEMAS, name)) return { kind: "unknown", name };
  const schema = EVENT_SCHEMAS[name as EventName];
  const data = value.data ?? {};
  const result = v.safeParse(schema as v.GenericSchema<unknown, unknown>, data);
  if (!result.success) {
    const issue = result.issues[0];
    const path = issue === undefined ? "" : v.getDotPath(issue) ?? "";
    const expected = issue?.expected ?? "another type";
    return {
      kind: "problem",
      what: `Cannot parse ${name}: ${path === "" ? "data" : path} must be ${expected}`,
    };
  }
  const unknownFields = isObject(data)
    ? Object.keys(data).filter((field) => !Object.hasOwn(schema.entries, field)).map((field) =>
      `${name}.${field}`
    )
    : [];
  const event = {
    event: name,
    data: result.output,
    ...(Number.isSafeInteger(value.seq) ? { seq: value.seq } : {}),
    ...(typeof value.ts === "number" ? { ts: value.ts } : {}),
  } as Event;
  return { kind: "event", event, unknownFields };
}

/** The good parts of a card's body; parts of unknown or broken shape become text that names them. */
export function parseBody(parts: readonly unknown[] | null): readonly BodyPart[] | null {
  if (parts === null) return null;
  return parts.map((part) => {
    const result = v.safeParse(bodyPartSchema, part);
    if (result.success) return result.output;
    const type = isObject(part) && typeof part.type === "string" ? part.type : "unknown";
    return { type: "text", text: `[${type}]` };
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
