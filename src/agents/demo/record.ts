// What the demo agent remembers of its session: every event it sent, as history items and what is still in flight.
// Pure: get_history is built from it, so coming back shows the same screen.

import type { EventName } from "../../transcript/event.ts";

type Data = Readonly<Record<string, unknown>>;
type Item = Record<string, unknown>;

/** One item; `flight` is its unfinished form, null once it is whole. */
interface Entry {
  item: Item;
  flight: Item | null;
}

export interface SessionRecord {
  readonly entries: Entry[];
  /** The open entry of each tool call, and those of the open text and reasoning. */
  readonly open: Map<string, Entry>;
  /** What is not a block: the newest payload of each. */
  readonly state: Record<string, unknown>;
}

export function createRecord(): SessionRecord {
  return { entries: [], open: new Map(), state: {} };
}

/** Takes in one event the agent has sent. */
export function recordEvent(record: SessionRecord, event: EventName, data: Data): void {
  RECORDERS[event]?.(record, data);
}

/** The parts of a `history` event that the record knows. Output of a running command is part of its call. */
export function historyParts(record: SessionRecord): { items: Item[]; in_flight: Item[]; state: Data } {
  const items = record.entries.filter((entry) => entry.flight === null).map((entry) => entry.item);
  const inFlight = record.entries.flatMap((entry) => entry.flight === null ? [] : [entry.flight]);
  return {
    items: structuredClone(items),
    in_flight: structuredClone(inFlight),
    state: structuredClone(record.state),
  };
}

const RECORDERS: Partial<Record<EventName, (record: SessionRecord, data: Data) => void>> = {
  title: (record, data) => record.state.title = data.title,
  plan: (record, data) => record.state.plan = data.items,
  commands: (record, data) => record.state.commands = data.commands,
  model_catalog: (record, data) => record.state.models = data.models,
  model_selected: (record, data) => record.state.model = { provider: data.provider, model: data.model },
  context: (record, data) => record.state.context = data,
  queue: (record, data) => record.state.queue = data.items,

  user_message: (record, data) =>
    add(record, {
      type: "message",
      role: "user",
      message_id: data.message_id,
      kind: data.kind,
      content: [{ type: "text", text: data.text }],
    }),
  turn_start: (record, data) => add(record, { type: "turn", turn: data.turn }),
  step_start: asItStands("step_start"),
  usage: asItStands("usage"),
  notification: (record, data) => add(record, { type: "notification", ...data }),
  error: asItStands("error"),
  turn_end: (record, data) => {
    if (data.result !== "paused") closeAll(record);
    add(record, { type: "turn_stats", ...data });
  },

  question: (record, data) => {
    record.state.questions = [...openQuestions(record), data];
    add(record, { type: "event", event: "question", data });
  },
  question_closed: (record, data) => {
    record.state.questions = openQuestions(record).filter((open) => open.batch_id !== data.batch_id);
    add(record, { type: "event", event: "question_closed", data });
  },

  text_delta: (record, data) => {
    const entry = opened(record, "text", { kind: "text", text: "" });
    if (entry.flight !== null) entry.flight.text = String(entry.flight.text) + data.text;
  },
  text_done: (record, data) =>
    close(record, "text", {
      type: "message",
      role: "assistant",
      content: [{ type: "text", text: data.text }],
    }),
  reasoning_start: (record, data) =>
    void opened(record, "reasoning", { kind: "reasoning", id: data.id, text: "" }),
  reasoning_delta: (record, data) => {
    const flight = record.open.get("reasoning")?.flight;
    if (flight) flight.text = String(flight.text) + data.text;
  },
  reasoning_done: (record, data) =>
    close(record, "reasoning", { type: "reasoning", text: data.text, elapsed_ms: data.elapsed_ms }),

  tool_call_start: (record, data) =>
    void opened(record, `call ${data.id}`, {
      kind: "tool_call",
      id: data.id,
      name: data.name,
      args: "",
      state: "pending",
    }),
  tool_call_args_delta: (record, data) =>
    changeCall(record, data.id, (flight) => {
      flight.args = String(flight.args) + data.json;
      flight.state = "streaming";
    }),
  tool_call_done: (record, data) =>
    changeCall(record, data.id, (flight) => {
      flight.args = data.arguments;
      flight.state = "executing";
      if (data.presentation !== undefined) flight.presentation = data.presentation;
    }),
  tool_output: (record, data) =>
    changeCall(record, data.id, (flight) => {
      flight.output = (String(flight.output ?? "") + data.text).slice(-OUTPUT_IN_FLIGHT);
    }),
  tool_result: (record, data) => {
    const entry = record.open.get(`call ${data.id}`);
    if (entry?.flight == null) return;
    const call = callItem(entry.flight);
    close(record, `call ${data.id}`, call);
    const { id, output, ...rest } = data;
    add(record, {
      type: "tool_result",
      call_id: id,
      ...(output == null ? {} : { content: output }),
      ...rest,
    });
  },

  compact_start: asItStands("compact_start"),
  surface: asItStands("surface"),
  compact_done: asItStands("compact_done"),
  compact_failed: asItStands("compact_failed"),
};

/** Of a running command's output so much goes into a snapshot. */
const OUTPUT_IN_FLIGHT = 256 * 1024;

function openQuestions(record: SessionRecord): readonly Data[] {
  return (record.state.questions as readonly Data[] | undefined) ?? [];
}

function asItStands(event: EventName): (record: SessionRecord, data: Data) => void {
  return (record, data) => add(record, { type: "event", event, data });
}

function add(record: SessionRecord, item: Item): void {
  record.entries.push({ item, flight: null });
}

/** The open entry under that key, begun when there is none. */
function opened(record: SessionRecord, key: string, flight: Item): Entry {
  const known = record.open.get(key);
  if (known !== undefined) return known;
  const entry: Entry = { item: {}, flight };
  record.entries.push(entry);
  record.open.set(key, entry);
  return entry;
}

function close(record: SessionRecord, key: string, item: Item): void {
  const entry = record.open.get(key);
  if (entry === undefined) return add(record, item);
  entry.item = item;
  entry.flight = null;
  record.open.delete(key);
}

function changeCall(record: SessionRecord, id: unknown, change: (flight: Item) => void): void {
  const flight = record.open.get(`call ${id}`)?.flight;
  if (flight) change(flight);
}

/** A turn's end: calls without a result stay as calls without one, with the output they had. */
function closeAll(record: SessionRecord): void {
  for (const [key, { flight }] of [...record.open]) {
    if (flight?.kind !== "tool_call") continue;
    close(record, key, callItem(flight));
    if (flight.output === undefined) continue;
    const data = { id: flight.id, stream: "stdout", text: flight.output };
    add(record, { type: "event", event: "tool_output", data });
  }
}

function callItem(flight: Item): Item {
  return {
    type: "tool_call",
    call_id: flight.id,
    name: flight.name,
    arguments: flight.args,
    ...(flight.presentation === undefined ? {} : { presentation: flight.presentation }),
  };
}
