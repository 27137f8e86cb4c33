// The journal of a transcript as history items and in_flight entries: what restore.ts reads back. Deltas are drawn
// together; where the order of a call's pieces matters, they stand as the events they were.

import type { AssistantTextBlock, ReasoningBlock, Turn } from "./block.ts";
import { longTextString } from "./long_text.ts";
import { UNNAMED } from "./routes.ts";
import { isFinal } from "./tool_call.ts";
import type { Call, JournalEntry, Session } from "./work.ts";

/** An object as it stands on the wire. */
export type Wire = Record<string, unknown>;

/** Indexes of items, the last included. */
export type Span = readonly [first: number, last: number];

/** How the journal tells of one call, as far as the form of its items depends on it. */
interface CallStory {
  /** Its start and arguments can stand as one tool_call item where it began. */
  isPlain: boolean;
  /** Nothing said more of it later that needs a place of its own. */
  mayMove: boolean;
  /** It was final before its arguments were fixed, as far as the journal has been read. */
  isOver: boolean;
}

/** `whole` are spans of items, first and last, that must stand in one page: what is still open, and calls told in pieces. */
export function itemsOf(session: Session): { items: Wire[]; inFlight: Wire[]; whole: Span[] } {
  const { journal } = session.work;
  const stories = storiesOf(journal);
  const tail = openTail(session, stories);
  const context = { session, stories, cut: cutBlocks(session), tail };
  const items: Wire[] = [];
  const piece = pieceNamer(context);
  // The first item and the last of each piece.
  const whole = new Map<string, [number, number]>();
  for (const entry of journal) {
    if (tail.has(entry)) continue;
    const made = entryItems(context, entry);
    const name = piece(entry);
    if (name !== null) {
      const first = whole.get(name)?.[0] ?? items.length;
      whole.set(name, [first, name === OPEN_PIECE ? Infinity : items.length + made.length - 1]);
    }
    for (const one of made) items.push(one);
  }
  const inFlight: Wire[] = [];
  const moved = new Set([...tail].flatMap((entry) => entry.kind === "start" ? [entry.call] : []));
  for (const call of session.work.openCalls) if (!moved.has(call)) inFlight.push(inFlightCall(call));
  for (const entry of tail) {
    if (entry.kind === "text") {
      inFlight.push(compact({ kind: "text", text: entry.block.text, parent_id: entry.parentId }));
    }
    if (entry.kind === "reasoning") {
      const { reasoningId: id, text } = entry.block;
      inFlight.push(compact({ kind: "reasoning", id, text, parent_id: entry.parentId }));
    }
    if (entry.kind === "start") inFlight.push(inFlightCall(entry.call));
  }
  for (const [key, open] of session.work.texts) {
    if (open.block === null && open.held !== "") {
      inFlight.push(compact({ kind: "text", text: open.held, parent_id: key }));
    }
  }
  return { items, inFlight, whole: [...whole.values()] };
}

/** What is still open goes on to the end. */
const OPEN_PIECE = "open";

/** Names the piece an entry belongs to that no page may cut; null for most. Calls are such where one item each cannot tell them apart. */
function pieceNamer({ stories, session, cut }: EmitContext): (entry: JournalEntry) => string | null {
  const turns = new Map(session.turns.map((turn, index) => [turn, index]));
  const nameOfCall = (call: Call) => `${call.turn === null ? "" : turns.get(call.turn)} ${call.id}`;
  const starts = new Map<string, number>();
  for (const call of stories.keys()) starts.set(nameOfCall(call), (starts.get(nameOfCall(call)) ?? 0) + 1);
  const newest = new Map<string, Call>();
  const mistakable = mistakableCalls(session.work.journal);
  return (entry) => {
    if (entry.kind === "text" || entry.kind === "reasoning") return isSettled(cut, entry) ? null : OPEN_PIECE;
    if (entry.kind === "start") newest.set(entry.call.id, entry.call);
    const call = "call" in entry
      ? entry.call
      : entry.kind === "event" && entry.event.event === "tool_result"
      ? newest.get(entry.event.data.id)
      : undefined;
    if (call === undefined) return null;
    const name = nameOfCall(call);
    const isAlone = call.id !== "" && starts.get(name) === 1 && stories.get(call)?.isPlain === true;
    return isAlone && !mistakable.has(call) ? null : name;
  };
}

/** Calls whose result came in a later turn, in front of another call of their id: alone it would be taken for that one's. */
function mistakableCalls(journal: readonly JournalEntry[]): Set<Call> {
  const mistakable = new Set<Call>();
  const late = new Map<string, Call>();
  let turn: Turn | null = null;
  for (const entry of journal) {
    if (entry.kind === "turn") {
      turn = entry.turn;
      late.clear();
    }
    if (entry.kind === "result" && entry.call.turn !== turn) late.set(entry.call.id, entry.call);
    const mistaken = entry.kind === "start" ? late.get(entry.call.id) : undefined;
    if (mistaken !== undefined) mistakable.add(mistaken);
  }
  return mistakable;
}

function storiesOf(journal: readonly JournalEntry[]): Map<Call, CallStory> {
  const stories = new Map<Call, CallStory>();
  const unfixed = new Set<CallStory>();
  for (const entry of journal) {
    if (entry.kind === "stats") {
      for (const story of unfixed) story.isOver = true;
      unfixed.clear();
    }
    if (!("call" in entry)) continue;
    const { call } = entry;
    if (entry.kind === "start") {
      const isPlain = (entry.origin === "start" || entry.origin === "done") && entry.name === nameOf(call);
      const story = { isPlain, mayMove: isPlain || !call.argsFixed, isOver: false };
      stories.set(call, story);
      unfixed.add(story);
      continue;
    }
    const story = stories.get(call);
    if (story === undefined) continue;
    if (entry.kind === "named") story.mayMove = false;
    else if (entry.kind === "result") story.isOver = true;
    else if (story.isOver) story.isPlain = false;
    else unfixed.delete(story);
  }
  return stories;
}

/** The open blocks that nothing else stands below: they need no place among the items. */
function openTail(session: Session, stories: ReadonlyMap<Call, CallStory>): Set<JournalEntry> {
  const { journal } = session.work;
  const tail: JournalEntry[] = [];
  const openBlocks = new Set<AssistantTextBlock | ReasoningBlock>();
  for (const map of [session.work.texts, session.work.reasonings]) {
    for (const open of map.values()) if (open.block !== null) openBlocks.add(open.block);
  }
  for (let index = journal.length - 1; index >= 0; index--) {
    const entry = journal[index];
    if (entry === undefined) break;
    if (entry.kind === "text" || entry.kind === "reasoning") {
      if (!openBlocks.has(entry.block)) break;
      tail.push(entry);
    } else if (entry.kind === "start") {
      if (isFinal(entry.call.stage) || stories.get(entry.call)?.mayMove !== true) break;
      tail.push(entry);
    } else if (!isSilent(entry)) {
      break;
    }
  }
  return new Set(tail.reverse());
}

/** True for an entry that makes no block, so that another block may move over it. */
function isSilent(entry: JournalEntry): boolean {
  return entry.kind === "done" || entry.kind === "named" || entry.kind === "result" ||
    entry.kind === "event" && (entry.event.event === "usage" || entry.event.event === "step_start");
}

/** Texts that a tool start closed while their text_done is still to come. */
function cutBlocks(session: Session): Set<AssistantTextBlock> {
  return new Set([...session.work.cutTexts.values()].flatMap((cut) => cut.blocks));
}

interface EmitContext {
  readonly session: Session;
  readonly stories: ReadonlyMap<Call, CallStory>;
  readonly cut: ReadonlySet<AssistantTextBlock>;
  readonly tail: ReadonlySet<JournalEntry>;
}

function entryItems(context: EmitContext, entry: JournalEntry): Wire[] {
  switch (entry.kind) {
    case "event":
      return entry.event.event === "notification"
        ? [compact({ type: "notification", ...entry.event.data })]
        : [{ type: "event", event: entry.event.event, data: compact({ ...entry.event.data }) }];
    case "turn":
      return [turnItem(context.session, entry.turn)];
    case "user":
      return [compact({
        type: "message",
        role: "user",
        message_id: entry.block.messageId,
        kind: entry.given,
        copy: entry.copy ? true : null,
        content: [{ type: "text", text: entry.block.text }],
        parent_id: entry.parentId,
      })];
    case "text":
      return [textItem(context, entry)];
    case "reasoning":
      return [reasoningItem(context, entry)];
    case "start":
      return startItems(context, entry);
    case "named":
      return entry.call.id === ""
        ? []
        : [eventItem("tool_call_start", { id: entry.call.id, name: entry.name })];
    case "done": {
      const comesWithStart = entry.call.id === "" || context.stories.get(entry.call)?.isPlain === true;
      return comesWithStart || isInTail(context, entry.call) ? [] : [doneItem(entry.call)];
    }
    case "result":
      return [resultItem(entry.call)];
    case "stats":
      return [{
        type: "turn_stats",
        result: entry.block.result,
        reason: entry.block.reason,
        message: entry.block.message,
        requests: entry.block.requests,
        input_tokens: entry.block.inputTokens,
        output_tokens: entry.block.outputTokens,
        elapsed_ms: entry.block.elapsedMs,
      }];
    case "marker":
      return [{ type: "compact", replaces: true }];
  }
}

/** Says itself that it opens a turn, also where no turn_start has come to number it. */
function turnItem({ work }: Session, turn: Turn): Wire {
  const isStarted = turn !== work.openTurn || work.turnStarted;
  return {
    type: "turn",
    ...compact({ turn: turn.number, started_ms: turn.startedMs }),
    opens: true,
    started: isStarted,
  };
}

function textItem(context: EmitContext, entry: JournalEntry & { readonly kind: "text" }): Wire {
  const { block, parentId } = entry;
  if (!isSettled(context.cut, entry)) {
    return eventItem("text_delta", { text: block.text, parent_id: parentId });
  }
  return compact({
    type: "message",
    role: "assistant",
    content: [{ type: "text", text: block.text }],
    parent_id: parentId,
  });
}

/** True for a text or reasoning that nothing more can change. */
function isSettled(
  cut: ReadonlySet<AssistantTextBlock>,
  entry: JournalEntry & { readonly kind: "text" | "reasoning" },
): boolean {
  return entry.block.done && !(entry.kind === "text" && cut.has(entry.block));
}

function reasoningItem(context: EmitContext, entry: JournalEntry & { readonly kind: "reasoning" }): Wire {
  const { block, parentId } = entry;
  const fields = { id: block.reasoningId, text: block.text, parent_id: parentId };
  return isSettled(context.cut, entry)
    ? compact({ type: "reasoning", ...fields, elapsed_ms: block.elapsedMs })
    : eventItem("reasoning_delta", fields);
}

function startItems(context: EmitContext, entry: JournalEntry & { readonly kind: "start" }): Wire[] {
  const { call, name, origin } = entry;
  const story = context.stories.get(call);
  const parent_id = call.parentId;
  const output = call.resulted && !call.outputGiven || call.stage === "incomplete" ? outputItems(call) : [];
  if (call.id !== "" && story?.isPlain && call.argsFixed) {
    return [
      compact({
        type: "tool_call",
        call_id: call.id,
        name,
        arguments: longTextString(call.args),
        presentation: call.presentation,
        closed: call.closedBySurface ? true : null,
        parent_id,
      }),
      ...output,
    ];
  }
  const args = call.argsFixed ? "" : longTextString(call.args);
  if (call.id === "" && origin !== "result") return [idlessItem(call)];
  const items: Wire[] = [];
  if (origin === "start" || origin === "done") {
    items.push(eventItem("tool_call_start", { id: call.id, name, parent_id }));
  }
  if (origin === "args" || args !== "") {
    items.push(eventItem("tool_call_args_delta", { id: call.id, json: args, parent_id }));
  }
  if (origin === "output" && output.length === 0) {
    items.push(eventItem("tool_output", { id: call.id, text: "", parent_id }));
  }
  return [...items, ...output];
}

/** A call without an id: no event could add to it, so all it has comes with it. */
function idlessItem(call: Call): Wire {
  return compact({
    type: "tool_call",
    call_id: "",
    name: nameOf(call),
    arguments: call.argsFixed ? longTextString(call.args) : null,
    partial_args: call.argsFixed ? null : longTextString(call.args),
    output: call.outputGiven || call.output === null ? null : longTextString(call.output),
    presentation: call.presentation,
    parent_id: call.parentId,
  });
}

/** What tool_output gave, where no result stands for it. */
function outputItems(call: Call): Wire[] {
  if (call.output === null) return [];
  return [
    eventItem("tool_output", { id: call.id, text: longTextString(call.output), parent_id: call.parentId }),
  ];
}

function doneItem(call: Call): Wire {
  const { id } = call;
  const name = nameOf(call);
  return eventItem("tool_call_done", {
    id,
    name,
    arguments: longTextString(call.args),
    presentation: call.presentation,
  });
}

function resultItem(call: Call): Wire {
  return compact({
    type: "tool_result",
    call_id: call.id,
    summary: call.summary,
    content: call.outputGiven && call.output !== null ? longTextString(call.output) : null,
    is_error: call.stage === "error",
    presentation: call.presentation,
    parent_id: call.parentId,
  });
}

function inFlightCall(call: Call): Wire {
  return compact({
    kind: "tool_call",
    id: call.id,
    name: nameOf(call),
    args: longTextString(call.args),
    state: call.stage,
    output: call.output === null ? null : longTextString(call.output),
    presentation: call.presentation,
    parent_id: call.parentId,
  });
}

function isInTail(context: EmitContext, call: Call): boolean {
  for (const entry of context.tail) if (entry.kind === "start" && entry.call === call) return true;
  return false;
}

function nameOf(call: Call): string {
  return call.name === UNNAMED ? "" : call.name;
}

function eventItem(event: string, data: Wire): Wire {
  return { type: "event", event, data: compact(data) };
}

/** Without the fields that are null: absent says the same. */
function compact(fields: Wire): Wire {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}
