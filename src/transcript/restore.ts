// Histories and surfaces: their items take the same path as live events, so both give the same blocks.
// Older pages are restore_page.ts, what is not a block restore_state.ts, one item item.ts.

import type { Block } from "./block.ts";
import { appendBlock, scopeOf, touch } from "./blocks.ts";
import type { EventData } from "./event.ts";
import { clearFiles } from "./file_cache.ts";
import { type HistoryItem, type InFlight, parseInFlight, parseItem } from "./item.ts";
import { longText } from "./long_text.ts";
import { drawOwnMessage } from "./own_message.ts";
import { countIn } from "./counts.ts";
import { addProblem, forgetItemProblems, redrawProblems } from "./problem_notice.ts";
import { applyData } from "./reduce.ts";
import { addNotice } from "./reduce_notice.ts";
import {
  addReasoning,
  addText,
  appendText,
  closeStreams,
  reduceReasoningDelta,
  reduceReasoningStart,
} from "./reduce_text.ts";
import {
  announce,
  closeCall,
  fixArgs,
  mergePresentation,
  reduceToolCallDone,
  reduceToolCallStart,
  reduceToolResult,
  step,
} from "./reduce_tool.ts";
import { addUserMessage, endTurn, journalTurn, leaveTurn, openTurn, reduceTurnStart } from "./reduce_turn.ts";
import { joinPage, rebuildFiles } from "./restore_page.ts";
import { forgetState, restoreState } from "./restore_state.ts";
import { createCall, idlessCall, noteOrphan, parentKey } from "./routes.ts";
import { restartSeq } from "./seq.ts";
import { isFinal } from "./tool_call.ts";
import { type Call, countAnomaly, createHeadless, createSession, NO_USAGE, type Session } from "./work.ts";

/** Events that are no items: they would replace what is being restored. */
const NEVER_ITEMS: ReadonlySet<string> = new Set(["hello", "history", "history_page"]);

/** A snapshot that replaces the transcript. */
export function reduceHistory(session: Session, data: EventData<"history">): void {
  const { work } = session;
  if (work.mode !== "live") return countAnomaly(session, "history inside a history");
  const own = work.pending.map(({ messageId, text, messageKind: kind }) => ({
    messageId: messageId ?? "",
    text,
    kind,
  }));
  const isSame = data.session_id === null || data.session_id === session.sessionId;
  reset(session);
  if (!isSame) forgetState(session);
  session.sessionId = data.session_id ?? session.sessionId;
  session.greeting = data.greeting ?? (isSame ? session.greeting : null);
  session.status = data.status;
  session.statusDetail = null;
  // A login that is still wanted is told again behind it.
  session.authMethods = [];
  session.moreBefore = data.more_before !== null && data.more_before > 0 ? data.more_before : null;
  if (session.moreBefore === null) appendGreeting(session);
  work.mode = "items";
  applyItems(session, data.items ?? []);
  // Where the history says it, its items are exact about what is open.
  const goesOn = data.turn_open ?? session.status !== "idle";
  if (data.turn_open === null && !goesOn) settleOpenTurn(session, goesOn);
  restoreInFlight(session, data.in_flight ?? []);
  if (data.turn_open === null && goesOn) settleOpenTurn(session, goesOn);
  work.isHeadless = session.moreBefore !== null && goesOn &&
    !session.blocks.some((block) => block.kind === "turn_header" || block.kind === "turn_stats");
  restoreState(session, data.state ?? {});
  work.mode = "live";
  restartSeq(session, data.through_seq);
  redrawProblems(session);
  const queued = new Set(session.queue.map((item) => item.message_id));
  for (const message of own) if (!queued.has(message.messageId)) drawOwnMessage(session, message);
  session.changes.rebuilt = true;
  session.changes.prepended = 0;
  session.changes.touched.clear();
}

/** Older items, put in front. */
export function reduceHistoryPage(session: Session, data: EventData<"history_page">): void {
  const { work } = session;
  const moreBefore = data.more_before !== null && data.more_before > 0 ? data.more_before : null;
  if (work.mode !== "live" || session.moreBefore === null || (moreBefore ?? 0) >= session.moreBefore) {
    return countAnomaly(session, "history_page not expected");
  }
  const page = createSession();
  page.greeting = session.greeting;
  page.work.version = work.version;
  page.work.mode = "items";
  applyItems(page, data.items ?? []);
  closeStreams(page, "all");
  for (const problem of page.work.problems) addProblem(session, problem);
  joinPage(session, page);
  session.moreBefore = moreBefore;
  if (moreBefore !== null) return;
  prependGreeting(session);
  rebuildFiles(session);
}

/** The model's view changed: what is there so far goes above a marker, what the model now sees below it. */
export function reduceSurface(session: Session, data: EventData<"surface">): void {
  const { work } = session;
  if (data.op !== "replace") return countIn(session.counts.unknownEvents, `surface ${data.op}`);
  if (work.surfaceDepth > 0) return countAnomaly(session, "surface inside a surface");
  work.surfaceDepth++;
  const { mode } = work;
  const openBefore = new Set(work.openCalls);
  if (data.session_id !== null) session.sessionId = data.session_id;
  putMarker(session);
  work.mode = "surface";
  applyItems(session, data.items ?? []);
  closeStreams(session, "own");
  for (const call of [...work.openCalls]) if (!openBefore.has(call)) closeCopy(session, call);
  work.mode = mode;
  work.surfaceDepth--;
}

/** A call that the model's view keeps without a result will get none. */
function closeCopy(session: Session, call: Call): void {
  call.closedBySurface = true;
  closeCall(session, call, null);
}

/** Closes off what stands there so far, dimmed but reachable. */
export function putMarker(session: Session): void {
  const { work } = session;
  closeStreams(session, "own");
  let count = 0;
  for (const block of session.blocks) {
    if (block.kind === "greeting" || block === work.compact) continue;
    if (block.kind !== "marker") count++;
    if (!block.replaced) replaceBlock(session, block);
  }
  const marker = appendBlock(session, scopeOf(session, null), (base) => ({
    ...base,
    kind: "marker" as const,
    replacedBlocks: count,
  }));
  work.markerCompacts.set(marker, work.compact);
  work.journal.push({ kind: "marker" });
  work.behindMarker = true;
}

/** Marks a block, with all nested in it, as out of the model's view. */
export function replaceBlock(session: Session, block: Block): void {
  for (const nested of nestedBlocks(block)) nested.replaced = true;
  touch(session, block);
}

/** The card at the very top, once nothing older is to come. */
function prependGreeting(session: Session): void {
  const { greeting, agent, work } = session;
  if (greeting === null) return;
  const id = --work.lowestId;
  const version = ++work.version;
  session.blocks.unshift({
    id,
    version,
    turn: null,
    parent: null,
    replaced: false,
    kind: "greeting",
    greeting,
    agent,
  });
  session.changes.prepended++;
}

function appendGreeting(session: Session): void {
  const { greeting, agent } = session;
  if (greeting === null) return;
  appendBlock(
    session,
    scopeOf(session, null),
    (base) => ({ ...base, turn: null, kind: "greeting", greeting, agent }),
  );
}

/** A block and all blocks nested in it. */
export function nestedBlocks(block: Block): readonly Block[] {
  const all: Block[] = [block];
  // Grows while it is walked.
  for (const one of all) {
    if (one.kind !== "tool_call") continue;
    for (const call of one.calls) for (const child of call.children) all.push(child);
  }
  return all;
}

function applyItems(session: Session, items: readonly unknown[]): void {
  for (const value of items) applyItem(session, parseItem(value));
}

function applyItem(session: Session, item: HistoryItem): void {
  const { work } = session;
  const holdsTurn = work.mode === "surface" && work.openTurn !== null;
  switch (item.kind) {
    case "turn":
      return holdsTurn ? undefined : applyTurn(session, item);
    case "user":
      return addUserMessage(session, {
        message_id: item.messageId,
        text: item.text,
        kind: item.given ?? "run",
        given: item.given,
        copy: item.copy,
        parent_id: item.parentId,
      });
    case "assistant":
      return addText(session, parentKey(item.parentId), item.text);
    case "role":
      return addRoleMessage(session, item);
    case "reasoning":
      return addReasoning(session, item);
    case "tool_call":
      return applyToolCall(session, item);
    case "tool_result":
      return reduceToolResult(session, {
        id: item.id,
        summary: item.summary,
        output: item.output,
        is_error: item.isError,
        presentation: item.presentation,
        parent_id: item.parentId,
      });
    case "compact":
      if (item.done !== null && (work.compact === null || !item.replaces)) applyData(session, item.done);
      if (item.replaces) putMarker(session);
      return;
    case "turn_stats":
      if (!holdsTurn) endTurn(session, item);
      return;
    case "event":
      if (NEVER_ITEMS.has(item.event.event) || holdsTurn && item.event.event === "turn_end") {
        return countAnomaly(session, `${item.event.event} as an item`);
      }
      return applyData(session, item.event);
    case "unknown":
      return countIn(session.counts.unknownEvents, `item ${item.name}`);
    case "problem":
      return addProblem(session, { line: null, what: item.what });
  }
}

function applyTurn(session: Session, item: HistoryItem & { readonly kind: "turn" }): void {
  const { work } = session;
  if (item.opens) {
    leaveTurn(session);
    openTurn(session, item.turn);
    work.turnStarted = item.started;
    journalTurn(session);
  } else {
    reduceTurnStart(session, { turn: item.turn });
  }
  if (work.openTurn !== null) work.openTurn.startedMs ??= item.startedMs;
}

/** Other roles are no part of the talk, but nothing is dropped unseen. */
function addRoleMessage(session: Session, item: HistoryItem & { readonly kind: "role" }): void {
  const data = {
    level: "info" as const,
    source: item.role === "" ? null : item.role,
    message: item.text,
    timestamp_ms: null,
    parent_id: item.parentId,
  };
  addNotice(
    session,
    { level: data.level, source: data.source, message: data.message },
    parentKey(item.parentId),
  );
  session.work.journal.push({ kind: "event", event: { event: "notification", data } });
}

function applyToolCall(session: Session, item: HistoryItem & { readonly kind: "tool_call" }): void {
  const { id, name, parentId: parent_id, presentation } = item;
  if (id === "") return applyIdlessCall(session, item);
  reduceToolCallStart(session, { id, name, parent_id });
  if (item.args !== null) {
    reduceToolCallDone(session, { id, name, arguments: item.args, presentation, parent_id });
  }
  const call = session.work.calls.get(id);
  if (call === undefined) return;
  if (item.args === null) call.presentation = mergePresentation(call.presentation, presentation);
  if (item.closed && !isFinal(call.stage)) closeCopy(session, call);
}

/** Each is a call of its own, and everything it has must come with it. */
function applyIdlessCall(session: Session, item: HistoryItem & { readonly kind: "tool_call" }): void {
  const call = createCall(session, { id: "", name: item.name, parentId: item.parentId, origin: "start" });
  call.presentation = mergePresentation(null, item.presentation);
  if (item.output !== null) call.output = longText(item.output);
  if (item.args !== null) fixArgs(session, call, item.args);
  else if (item.partialArgs !== "") {
    call.args = longText(item.partialArgs);
    step(session, call, "streaming");
  }
  if (item.closed) closeCopy(session, call);
}

/** Unfinished blocks: those the items have begun go on, others are appended. Calls that are in neither are over. */
function restoreInFlight(session: Session, values: readonly unknown[]): void {
  const kept = new Set<Call>();
  for (const value of values) {
    const item = parseInFlight(value);
    switch (item.kind) {
      case "text":
        appendText(session, parentKey(item.parentId), item.text);
        break;
      case "reasoning":
        reduceReasoningStart(session, { id: item.id, parent_id: item.parentId });
        reduceReasoningDelta(session, { id: item.id, text: item.text, parent_id: item.parentId });
        break;
      case "tool_call":
        kept.add(restoreCall(session, item, kept));
        break;
      case "unknown":
        countIn(session.counts.unknownEvents, `in_flight ${item.name}`);
    }
  }
  for (const call of [...session.work.openCalls]) {
    if (!kept.has(call) && !hasKeptChild(call, kept)) closeCall(session, call, null);
  }
}

function restoreCall(
  session: Session,
  item: InFlight & { readonly kind: "tool_call" },
  kept: ReadonlySet<Call>,
): Call {
  const found = item.id === ""
    ? idlessCall(session, (call) => !isFinal(call.stage) && !kept.has(call))
    : session.work.calls.get(item.id);
  const call = found !== undefined && !isFinal(found.stage)
    ? found
    : createCall(session, { id: item.id, name: item.name, parentId: item.parentId, origin: "start" });
  if (!call.started || call !== found) markInFlight(session, call);
  if (call === found) announce(session, call, item.name);
  if (item.args !== "" && !call.argsFixed) call.args = longText(item.args);
  if (item.state === "streaming" && call.stage === "pending") call.stage = "streaming";
  if (item.output !== null) call.output = longText(item.output);
  if (item.presentation !== null) call.presentation = mergePresentation(call.presentation, item.presentation);
  if (item.state === "executing" && !call.argsFixed) fixArgs(session, call, item.args);
  touch(session, call.block);
  return call;
}

function markInFlight(session: Session, call: Call): void {
  call.fromInFlight = true;
  noteOrphan(session, call);
}

/** An unannounced parent stays open as long as something in it does. */
function hasKeptChild(call: Call, kept: ReadonlySet<Call>): boolean {
  for (let one of kept) {
    for (;;) {
      const { parent } = one.block;
      if (parent === null) break;
      if (parent === call) return true;
      one = parent as Call;
    }
  }
  return false;
}

/** Leaves the newest turn open or closes it; one that only has a message may still be answered. */
function settleOpenTurn(session: Session, goesOn: boolean): void {
  const { work } = session;
  const turn = work.openTurn;
  const last = session.blocks.at(-1);
  const waits = turn !== null && !work.turnStarted && (last === turn.header || last?.kind === "user_message");
  if (!goesOn) {
    closeStreams(session, "all");
    if (!waits) leaveTurn(session);
  } else if (turn !== null && !waits) {
    work.turnStarted = true;
  }
}

function reset(session: Session): void {
  const { work, counts } = session;
  session.blocks.length = 0;
  session.turns.length = 0;
  session.questions = [];
  session.usage = NO_USAGE;
  counts.events =
    counts.turns =
    counts.steps =
    counts.toolCalls =
      0;
  clearFiles(session.files);
  work.nextId = 0;
  work.lowestId = 0;
  work.openTurn = null;
  work.turnStarted = work.turnJournaled = work.behindMarker = false;
  work.shownErrors.clear();
  work.lastModel = work.firstModel = null;
  work.isHeadless = false;
  work.headless = createHeadless();
  work.firstEnd = null;
  for (
    const map of [work.texts, work.cutTexts, work.reasonings, work.calls, work.questionBlocks, work.messages]
  ) map.clear();
  work.earlyClosed.clear();
  work.markerCompacts.clear();
  work.orphans.clear();
  work.liveOrphans.clear();
  work.strayUsage.clear();
  work.openCalls.clear();
  work.idless.length = 0;
  work.pending.length = 0;
  work.compact = null;
  work.startless = null;
  work.journal = [];
  work.totalsKnown = work.countsKnown = work.questionsKnown = false;
  forgetItemProblems(session);
}
