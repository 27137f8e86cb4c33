// History items: what history, history_page and surface are made of, each doubted on its own. Applying them is restore.ts.

import { contentText } from "./content.ts";
import { type Event, parseEvent, TURN_RESULTS, type TurnResult } from "./event.ts";

/** A presentation as it comes; its body is parsed when it is merged. */
export interface RawPresentation {
  readonly title: string | null;
  readonly kind: string | null;
  readonly body: unknown[] | null;
}

/** One item by meaning. */
export type HistoryItem =
  | {
    readonly kind: "turn";
    readonly turn: number | null;
    readonly startedMs: number | null;
    /** It opens a turn in any case, instead of numbering the one that a message has opened. */
    readonly opens: boolean;
    /** Its turn_start has come. */
    readonly started: boolean;
  }
  | {
    readonly kind: "user";
    readonly messageId: string | null;
    readonly text: string;
    readonly given: "run" | "steer" | null;
    /** A message that the model's view repeats behind a marker: it begins no turn. */
    readonly copy: boolean;
    readonly parentId: string | null;
  }
  | { readonly kind: "assistant"; readonly text: string; readonly parentId: string | null }
  | { readonly kind: "role"; readonly role: string; readonly text: string; readonly parentId: string | null }
  | {
    readonly kind: "reasoning";
    readonly id: string;
    readonly text: string;
    readonly elapsedMs: number | null;
    readonly parentId: string | null;
  }
  | {
    readonly kind: "tool_call";
    readonly id: string;
    readonly name: string;
    /** null: not fixed. */
    readonly args: string | null;
    /** No result will come. */
    readonly closed: boolean;
    /** Of calls without an id, which no event could name: arguments not fixed, and output without a result. */
    readonly partialArgs: string;
    readonly output: string | null;
    readonly presentation: RawPresentation | null;
    readonly parentId: string | null;
  }
  | {
    readonly kind: "tool_result";
    readonly id: string;
    readonly summary: string;
    readonly output: string | null;
    readonly isError: boolean;
    readonly presentation: RawPresentation | null;
    readonly parentId: string | null;
  }
  | { readonly kind: "compact"; readonly replaces: boolean; readonly done: Event | null }
  | {
    readonly kind: "turn_stats";
    readonly result: TurnResult;
    readonly reason: string | null;
    readonly message: string | null;
    readonly requests: number | null;
    /** undefined: not said, to be summed. */
    readonly inputTokens: number | null | undefined;
    readonly outputTokens: number | null | undefined;
    readonly elapsedMs: number | null;
  }
  | { readonly kind: "event"; readonly event: Event }
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "problem"; readonly what: string };

/** One unfinished block of history.in_flight. */
export type InFlight =
  | { readonly kind: "text"; readonly text: string; readonly parentId: string | null }
  | {
    readonly kind: "reasoning";
    readonly id: string;
    readonly text: string;
    readonly parentId: string | null;
  }
  | {
    readonly kind: "tool_call";
    readonly id: string;
    readonly name: string;
    readonly args: string;
    readonly state: "pending" | "streaming" | "executing";
    readonly output: string | null;
    readonly presentation: RawPresentation | null;
    readonly parentId: string | null;
  }
  | { readonly kind: "unknown"; readonly name: string };

type Fields = Readonly<Record<string, unknown>>;

const PARSERS: Readonly<Record<string, (item: Fields) => HistoryItem>> = {
  turn: (item) => ({
    kind: "turn",
    turn: numberIn(item, "turn"),
    startedMs: numberIn(item, "started_ms"),
    opens: item.opens === true,
    started: item.started !== false,
  }),
  message: parseMessage,
  reasoning: (item) => ({
    kind: "reasoning",
    id: textIn(item, "id") ?? "",
    text: textIn(item, "text") ?? contentText(item.content) ?? "",
    elapsedMs: numberIn(item, "elapsed_ms"),
    parentId: textIn(item, "parent_id"),
  }),
  tool_call: (item) => ({
    kind: "tool_call",
    id: idIn(item),
    name: textIn(item, "name") ?? "",
    args: argsIn(item),
    closed: item.closed === true,
    partialArgs: textIn(item, "partial_args") ?? "",
    output: contentText(item.output),
    presentation: presentationIn(item),
    parentId: textIn(item, "parent_id"),
  }),
  tool_result: (item) => ({
    kind: "tool_result",
    id: idIn(item),
    summary: textIn(item, "summary") ?? "",
    output: contentText(item.content ?? item.output),
    isError: item.is_error === true,
    presentation: presentationIn(item),
    parentId: textIn(item, "parent_id"),
  }),
  notification: (item) => parseAsEvent("notification", item),
  compact: (item) => {
    const done = parseAsEvent("compact_done", item);
    const says = ["new_session_id", "tokens_before", "tokens_after"].some((field) => item[field] != null);
    const replaces = item.replaces === true;
    return {
      kind: "compact",
      replaces,
      done: done.kind === "event" && (says || !replaces) ? done.event : null,
    };
  },
  turn_stats: (item) => ({
    kind: "turn_stats",
    result: TURN_RESULTS.find((result) => result === item.result) ?? "finished",
    reason: textIn(item, "reason"),
    message: textIn(item, "message"),
    requests: numberIn(item, "requests"),
    inputTokens: "input_tokens" in item ? numberIn(item, "input_tokens") : undefined,
    outputTokens: "output_tokens" in item ? numberIn(item, "output_tokens") : undefined,
    elapsedMs: numberIn(item, "elapsed_ms"),
  }),
  event: (item) => parseAsEvent(item.event, item.data),
};

/** Doubts one item. Never throws; a type we do not know is "unknown", a broken one a "problem". */
export function parseItem(value: unknown): HistoryItem {
  if (!isObject(value)) return { kind: "problem", what: "Cannot parse history item: value is not an object" };
  const type = value.type;
  if (typeof type !== "string") return { kind: "problem", what: 'Cannot parse history item: no "type" name' };
  const parse = Object.hasOwn(PARSERS, type) ? PARSERS[type] : undefined;
  return parse === undefined ? { kind: "unknown", name: type } : parse(value);
}

/** Doubts one unfinished block. */
export function parseInFlight(value: unknown): InFlight {
  const item = isObject(value) ? value : {};
  const parentId = textIn(item, "parent_id");
  const text = textIn(item, "text") ?? "";
  switch (item.kind) {
    case "text":
      return { kind: "text", text, parentId };
    case "reasoning":
      return { kind: "reasoning", id: textIn(item, "id") ?? "", text, parentId };
    case "tool_call":
      return {
        kind: "tool_call",
        id: idIn(item),
        name: textIn(item, "name") ?? "",
        args: textIn(item, "args") ?? argsIn(item) ?? "",
        state: item.state === "pending" || item.state === "streaming" ? item.state : "executing",
        output: contentText(item.output),
        presentation: presentationIn(item),
        parentId,
      };
    default:
      return { kind: "unknown", name: typeof item.kind === "string" ? item.kind : "" };
  }
}

function parseMessage(item: Fields): HistoryItem {
  const text = contentText(item.content) ?? textIn(item, "text") ?? "";
  const parentId = textIn(item, "parent_id");
  const role = textIn(item, "role") ?? "";
  if (role === "assistant") return { kind: "assistant", text, parentId };
  if (role !== "user") return { kind: "role", role, text, parentId };
  return {
    kind: "user",
    messageId: textIn(item, "message_id"),
    text,
    given: item.kind === "run" || item.kind === "steer" ? item.kind : null,
    copy: item.copy === true,
    parentId,
  };
}

function parseAsEvent(name: unknown, data: unknown): HistoryItem {
  const parsed = parseEvent({ event: name, data });
  switch (parsed.kind) {
    case "event":
      return { kind: "event", event: parsed.event };
    case "unknown":
      return { kind: "unknown", name: parsed.name };
    case "problem":
      return { kind: "problem", what: parsed.what };
  }
}

function idIn(item: Fields): string {
  return textIn(item, "call_id") ?? textIn(item, "id") ?? "";
}

function argsIn(item: Fields): string | null {
  const args = item.arguments;
  if (typeof args === "string") return args;
  return args === undefined || args === null ? null : JSON.stringify(args);
}

function presentationIn(item: Fields): RawPresentation | null {
  const given = item.presentation;
  if (!isObject(given)) return null;
  return {
    title: textIn(given, "title"),
    kind: textIn(given, "kind"),
    body: Array.isArray(given.body) ? given.body : null,
  };
}

function textIn(item: Fields, field: string): string | null {
  const value = item[field];
  return typeof value === "string" ? value : null;
}

function numberIn(item: Fields, field: string): number | null {
  const value = item[field];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
