// The other way round: a transcript as the history that gives it again, blocks, files and state alike, whole or in
// pages. The pod sends it to a client that attaches. Reading it is restore.ts.

import type { AssistantTextBlock, ReasoningBlock, Transcript, Turn, Usage } from "./block.ts";
import { longTextString } from "./long_text.ts";
import { cutLongStrings, jsonBytes } from "./shorten.ts";
import { isFinal } from "./tool_call.ts";
import { UNNAMED } from "./routes.ts";
import { type Call, type JournalEntry, type Session, sessionOf } from "./work.ts";

/** An object as it stands on the wire. */
export type Wire = Record<string, unknown>;

/** The `data` of a history event. */
export interface HistoryData extends Wire {
  readonly items: readonly Wire[];
  readonly in_flight: readonly Wire[];
  readonly more_before: number | null;
}
/** The `data` of a history_page event. */
export interface HistoryPageData extends Wire {
  readonly items: readonly Wire[];
  readonly more_before: number | null;
}

/** Bytes of a page's items at most. */
const PAGE_BYTES = 8 << 20;

/** The whole transcript as one history. Its items give equal blocks when they are applied again. */
export function historyOf(transcript: Transcript): HistoryData {
  const session = sessionOf(transcript);
  const { items, inFlight } = itemsOf(session);
  return headOf(session, items, inFlight, null);
}

/**
 * The same in pages: the history holds the newest items, the pages the older ones, newest first. Pages are cut at
 * turns; a turn larger than a page is cut between its items, an item larger than a page keeps its head and tail.
 */
export function historyPagesOf(
  transcript: Transcript,
  options: { readonly pageBytes?: number; readonly itemBytes?: number } = {},
): { readonly history: HistoryData; readonly pages: readonly HistoryPageData[] } {
  const session = sessionOf(transcript);
  const pageBytes = options.pageBytes ?? PAGE_BYTES;
  const { items, inFlight, whole } = itemsOf(session);
  const parts = cutPages(items, { pageBytes, itemBytes: options.itemBytes ?? pageBytes, whole });
  const newest = parts.pop() ?? { from: 0, items: [] };
  const pages = parts.reverse().map((part) => ({
    items: part.items,
    more_before: part.from === 0 ? null : part.from,
  }));
  return { history: headOf(session, newest.items, inFlight, newest.from === 0 ? null : newest.from), pages };
}

/** What the transcript knows beside its blocks, as history.state. */
export function stateOf(transcript: Transcript): Wire {
  const { counts, context } = transcript;
  return {
    title: transcript.title,
    plan: transcript.plan,
    questions: transcript.questions.map((open) => ({
      batch_id: open.batchId,
      kind: open.permission ? "permission" : null,
      tool_call_id: open.toolCallId,
      questions: open.questions,
    })),
    options: transcript.options,
    commands: transcript.commands,
    models: transcript.models,
    model: transcript.model,
    context: context === null ? null : {
      used_tokens: context.usedTokens,
      window_tokens: context.windowTokens,
      estimated: context.estimated,
    },
    queue: transcript.queue,
    usage: wireUsage(transcript.usage),
    counts: { events: counts.events, turns: counts.turns, steps: counts.steps, tool_calls: counts.toolCalls },
    created_ms: transcript.createdMs,
    last_active_ms: transcript.lastActiveMs,
    draft: transcript.draft,
  };
}

function headOf(
  session: Session,
  items: readonly Wire[],
  inFlight: readonly Wire[],
  moreBefore: number | null,
): HistoryData {
  const { status } = session;
  return {
    session_id: session.sessionId,
    through_seq: session.lastSeq,
    status: status === "starting" || status === "disconnected" ? "idle" : status,
    greeting: session.greeting,
    state: stateOf(session),
    items,
    in_flight: inFlight,
    more_before: moreBefore,
  };
}

/** How the journal tells of one call, as far as the form of its items depends on it. */
interface CallStory {
  /** Its start and arguments can stand as one tool_call item where it began. */
  isPlain: boolean;
  /** Nothing said more of it later that needs a place of its own. */
  mayMove: boolean;
  hasResult: boolean;
}

/** `whole` are spans of items, first and last, that must stand in one page: what is still open, and calls told in pieces. */
function itemsOf(session: Session): { items: Wire[]; inFlight: Wire[]; whole: Span[] } {
  const { journal } = session.work;
  const stories = storiesOf(journal);
  const tail = openTail(session, stories);
  const context = { session, stories, cut: cutBlocks(session), tail };
  const items: Wire[] = [];
  const piece = pieceNamer(context);
  // The first item and the last of each piece.
  const whole = new Map<string, [number, number]>();
  journal.forEach((entry, index) => {
    if (tail.has(entry)) return;
    const made = entryItems(context, entry, journal[index + 1]);
    const name = piece(entry);
    if (name !== null) {
      const first = whole.get(name)?.[0] ?? items.length;
      whole.set(name, [first, name === OPEN_PIECE ? Infinity : items.length + made.length - 1]);
    }
    items.push(...made);
  });
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
    return isAlone ? null : name;
  };
}

function storiesOf(journal: readonly JournalEntry[]): Map<Call, CallStory> {
  const stories = new Map<Call, CallStory>();
  for (const entry of journal) {
    if (entry.kind === "start") {
      const { call, origin, name } = entry;
      const isPlain = (origin === "start" || origin === "done") && name === nameOf(call);
      stories.set(call, { isPlain, mayMove: isPlain || !call.argsFixed, hasResult: false });
    } else if (entry.kind === "named") {
      const story = stories.get(entry.call);
      if (story !== undefined) story.mayMove = false;
    } else if (entry.kind === "result") {
      const story = stories.get(entry.call);
      if (story !== undefined) story.hasResult = true;
    } else if (entry.kind === "done") {
      const story = stories.get(entry.call);
      if (story?.hasResult) story.isPlain = false;
    }
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

function entryItems(context: EmitContext, entry: JournalEntry, next: JournalEntry | undefined): Wire[] {
  switch (entry.kind) {
    case "event":
      return entry.event.event === "notification"
        ? [compact({ type: "notification", ...entry.event.data })]
        : [{ type: "event", event: entry.event.event, data: compact({ ...entry.event.data }) }];
    case "turn":
      return turnItems(context.session, entry.turn, next);
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
      return [eventItem("tool_call_start", { id: entry.call.id, name: entry.name })];
    case "done":
      return context.stories.get(entry.call)?.isPlain || isInTail(context, entry.call)
        ? []
        : [doneItem(entry.call)];
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

/** A turn whose number has not come is opened by its message alone. */
function turnItems(session: Session, turn: Turn, next: JournalEntry | undefined): Wire[] {
  const { work } = session;
  const isAnnounced = turn.number !== null || turn === work.openTurn && work.turnStarted;
  if (!isAnnounced && next?.kind === "user") return [];
  return [{
    type: "turn",
    turn: turn.number,
    ...(turn.startedMs === null ? {} : { started_ms: turn.startedMs }),
  }];
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
  if (story?.isPlain && call.argsFixed) {
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

function wireUsage(usage: Usage): Wire {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_write_input_tokens: usage.cacheWriteTokens,
    reasoning_tokens: usage.reasoningTokens,
    cost_usd: usage.costUsd,
  };
}

/** Indexes of items, the last included. */
type Span = readonly [first: number, last: number];

interface PagePart {
  /** Items before the part. */
  readonly from: number;
  readonly items: Wire[];
}

/** The items in parts of at most `pageBytes`, oldest first; filled from the newest end. */
function cutPages(
  items: readonly Wire[],
  limits: { readonly pageBytes: number; readonly itemBytes: number; readonly whole: readonly Span[] },
): PagePart[] {
  const { pageBytes, itemBytes, whole } = limits;
  const mayCut = (at: number) => !whole.some(([first, last]) => first < at && at <= last);
  const parts: PagePart[] = [];
  let part: Wire[] = [];
  let bytes = 0;
  let from = items.length;
  const close = () => {
    if (part.length > 0) parts.push({ from, items: part.reverse() });
    part = [];
    bytes = 0;
  };
  for (const turn of turnsOf(items).reverse()) {
    const sized = turn.items.map((item) => sizedItem(item, itemBytes));
    const size = sized.reduce((sum, one) => sum + one.bytes, 0);
    if (bytes + size > pageBytes && mayCut(from)) close();
    for (const one of sized.reverse()) {
      if (bytes + one.bytes > pageBytes && mayCut(from)) close();
      part.push(one.item);
      bytes += one.bytes;
      from--;
    }
  }
  close();
  return parts.reverse();
}

function sizedItem(item: Wire, itemBytes: number): { item: Wire; bytes: number } {
  const bytes = jsonBytes(item);
  if (bytes <= itemBytes) return { item, bytes };
  const short = cutLongStrings(item, itemBytes) as Wire;
  return { item: short, bytes: jsonBytes(short) };
}

/** The items by turn: a turn begins with its item, or with the run message that opens it. */
function turnsOf(items: readonly Wire[]): { items: Wire[] }[] {
  const turns: { items: Wire[] }[] = [];
  let previous: Wire | undefined;
  for (const item of items) {
    const opens = item.type === "turn" ||
      item.type === "message" && item.role === "user" && item.kind === "run" &&
        item.copy !== true && item.parent_id === undefined && previous?.type !== "turn";
    if (opens || turns.length === 0) turns.push({ items: [] });
    turns.at(-1)?.items.push(item);
    previous = item;
  }
  return turns;
}
