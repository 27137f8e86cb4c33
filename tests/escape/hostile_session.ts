// A session in which every text the wire can carry is the caller's: all events with all their fields, all history
// items, all methods, walked from the schemas. What cannot be walked (items, parts) is a table that types complete.

import { EVENT_SCHEMAS, type EventName } from "../../src/transcript/event.ts";
import type { HistoryItem, InFlight } from "../../src/transcript/item.ts";
import { METHOD_SCHEMAS } from "../../src/transcript/method.ts";
import { bodyParts, type FillOptions, fillSchema } from "./fill_schema.ts";

/** The text of a field, told by its path: "tool_result.summary", "history.items.tool_call.name". */
export type FieldText = (path: string) => string;

export interface HostileLine {
  readonly event: string;
  readonly line: string;
}

/** Fields that must be equal where events belong together, hostile as they are. */
const IDS = /(?:^|\.)(?:id|batch_id|message_id|tool_call_id|call_id)$/;

/** Every event, filled. `choice` turns through words, unions, and whether it belongs to another call. */
export function hostileEvents(text: FieldText, choice: number): HostileLine[] {
  return (Object.keys(EVENT_SCHEMAS) as EventName[]).map((event) => ({
    event,
    line: json({ event, data: eventData(event, text, choice) }),
  }));
}

/** Every method as a recording of a client holds it, and what the person did beside. */
export function hostileMethods(text: FieldText, choice: number): string[] {
  const methods = Object.entries(METHOD_SCHEMAS).map(([method, schema]) =>
    json({ dir: "out", method, params: fillSchema(schema, fillOptions(text, choice, method), method) })
  );
  return [
    ...methods,
    json({ dir: "paste", text: text("paste") }),
    json({ dir: "key", key: text("key") }),
    json({ dir: text("dir"), event: text("dir.event") }),
    json({ event: text("unknown event"), data: { [text("field")]: 1 } }),
    json({ event: "text_done", data: { text: "", [text("unknown field")]: text("unknown value") } }),
    json({ event: "status", data: { status: text("wrong status") } }),
    json({ method: text("unknown method"), params: {} }),
  ];
}

function eventData(event: EventName, text: FieldText, choice: number): unknown {
  return fillSchema(EVENT_SCHEMAS[event], fillOptions(text, choice, event), event);
}

function fillOptions(text: FieldText, choice: number, root: string): FillOptions {
  const options: FillOptions = {
    choice,
    text: (path) => {
      if (path.endsWith("parent_id")) return choice % 2 === 0 ? "" : text("id");
      return text(IDS.test(path.slice(root.length)) ? "id" : path);
    },
    // Older pages to come, and none: only then the beginning is shown.
    number: (path) => path.endsWith("more_before") && choice % 2 === 1 ? null : 7,
    unknown: (path) => {
      if (path.endsWith("presentation.body")) return bodyParts(options, path);
      if (path.endsWith("in_flight")) return Object.values(inFlight(text)).flat();
      if (path.endsWith("items")) return Object.values(items(text, choice)).flat();
      if (path === "history.state") return state(text, choice);
      if (path.endsWith("output") || path.endsWith("content")) return [{ type: "text", text: text(path) }];
      if (path.endsWith("arguments")) return undefined;
      throw new Error(`Cannot fill ${path}: it takes anything`);
    },
  };
  return options;
}

function state(text: FieldText, choice: number): unknown {
  const data = (event: EventName) => eventData(event, text, choice) as Record<string, unknown>;
  return {
    title: text("state.title"),
    plan: data("plan").items,
    questions: [],
    options: data("options").options,
    commands: data("commands").commands,
    models: data("model_catalog").models,
    model: data("model_selected"),
    context: data("context"),
    queue: data("queue").items,
    usage: data("usage"),
    counts: { events: 1, turns: 1, steps: 1, tool_calls: 1 },
    created_ms: 1,
    last_active_ms: 2,
    draft: [{ type: "text", text: text("state.draft") }, { type: "paste", text: text("state.draft paste") }],
  };
}

function items(text: FieldText, choice: number): Record<HistoryItem["kind"], unknown[]> {
  const of = (path: string) => text(`items.${path}`);
  const result = {
    call_id: of("call"),
    summary: of("tool_result.summary"),
    content: of("tool_result.content"),
  };
  return {
    turn: [{ type: "turn", turn: 3 }],
    user: [
      {
        type: "message",
        role: "user",
        message_id: of("message"),
        kind: "run",
        content: [{ type: "text", text: of("user") }],
      },
      { type: "message", role: "user", kind: "steer", content: of("steer") },
    ],
    assistant: [{ type: "message", role: "assistant", content: [{ type: "text", text: of("assistant") }] }],
    role: [{ type: "message", role: of("role"), content: of("role.content") }],
    reasoning: [{ type: "reasoning", id: of("reasoning.id"), text: of("reasoning"), elapsed_ms: 5 }],
    tool_call: [
      {
        type: "tool_call",
        call_id: of("call"),
        name: of("tool_call.name"),
        arguments: JSON.stringify({ [of("tool_call.key")]: of("tool_call.value") }),
      },
      ...NAMES.map((name, at) => ({
        type: "tool_call",
        call_id: `${name} ${at}`,
        name,
        arguments: JSON.stringify(argumentsOf(name, (path) => of(`${name}.${path}`))),
      })),
    ],
    tool_result: [
      { type: "tool_result", ...result, is_error: choice % 2 === 1 },
      ...NAMES.map((name, at) => ({
        type: "tool_result",
        call_id: `${name} ${at}`,
        summary: of(`${name}.summary`),
        content: of(`${name}.content`),
        is_error: choice % 3 === 2,
      })),
    ],
    compact: [{ type: "compact", new_session_id: of("compact.session") }],
    turn_stats: [{
      type: "turn_stats",
      result: "error",
      reason: of("stats.reason"),
      message: of("stats.message"),
    }],
    event: [{ type: "event", event: "retry", data: { attempt: 1, error: of("retry.error") } }],
    unknown: [{ type: of("type") }, { type: "event", event: of("item event"), data: {} }],
    problem: [of("no object"), { type: "event", event: "status", data: { status: of("status") } }],
  };
}

/** Tools with a renderer of their own and one without, with the arguments each of them shows. */
type Arguments = Readonly<Record<string, unknown>>;

const ARGUMENTS: Readonly<Record<string, (text: FieldText) => Arguments>> = {
  Read: (text) => ({ file_path: text("file_path") }),
  Write: (text) => ({ file_path: text("file_path"), content: text("content") }),
  Edit: (text) => ({
    file_path: text("file_path"),
    old_string: text("old_string"),
    new_string: text("new_string"),
  }),
  MultiEdit: (text) => ({
    file_path: text("file_path"),
    edits: [{ old_string: text("edits.old"), new_string: text("edits.new") }],
  }),
  apply_patch: (text) => ({
    patch: [
      "*** Begin Patch",
      `*** Update File: ${text("patch.path")}`,
      "@@",
      `-${text("patch.old")}`,
      `+${text("patch.new")}`,
      "*** End Patch",
    ].join("\n"),
  }),
  Glob: (text) => ({ pattern: text("pattern"), path: text("path") }),
  Grep: (text) => ({ pattern: text("pattern"), path: text("path") }),
  Bash: (text) => ({ command: text("command"), cwd: text("cwd") }),
  mystery: (text) => ({ [text("key")]: text("value") }),
};
const NAMES = Object.keys(ARGUMENTS);

function argumentsOf(name: string, text: FieldText): Arguments {
  return ARGUMENTS[name]?.(text) ?? {};
}

/** Calls of every tool with a renderer, through all stages, live. */
export function hostileTools(text: FieldText): HostileLine[] {
  const line = (event: EventName, data: unknown): HostileLine => ({ event, line: json({ event, data }) });
  return NAMES.flatMap((name) => {
    const of = (path: string) => text(`tool ${name}.${path}`);
    const args = JSON.stringify(argumentsOf(name, of));
    const id = of("id");
    return [
      line("tool_call_start", { id, name }),
      line("tool_call_args_delta", { id, json: args.slice(0, args.length >> 1) }),
      line("tool_call_done", { id, name, arguments: args }),
      line("tool_output", { id, text: of("output") }),
      line("tool_result", { id, summary: of("summary"), output: `${of("result")}\n${of("result 2")}` }),
      line("tool_result", { id, summary: of("second"), output: of("second output"), is_error: true }),
      line("tool_result", {
        id: of("orphan"),
        summary: of("orphan summary"),
        output: of("orphan output"),
        is_error: true,
      }),
    ];
  });
}

function inFlight(text: FieldText): Record<InFlight["kind"], unknown[]> {
  const of = (path: string) => text(`in_flight.${path}`);
  return {
    text: [{ kind: "text", text: of("text") }],
    reasoning: [{ kind: "reasoning", id: of("reasoning.id"), text: of("reasoning") }],
    tool_call: [{
      kind: "tool_call",
      id: of("call"),
      name: of("name"),
      args: of("args"),
      state: "streaming",
      output: of("output"),
    }],
    unknown: [{ kind: of("kind") }],
  };
}

function json(value: unknown): string {
  return JSON.stringify(value) + "\n";
}
