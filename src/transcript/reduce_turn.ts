// Turns and steps: their headers, their usage, their ends, and the rows that explain an end.

import type { Turn, TurnStatsBlock, Usage } from "./block.ts";
import { appendBlock, overwrite, scopeOf, touch } from "./blocks.ts";
import type { EventData } from "./event.ts";
import { confirmOwnMessage } from "./own_message.ts";
import { parentCall, parentKey } from "./routes.ts";
import { closeStreams } from "./reduce_text.ts";
import { closeCalls } from "./reduce_tool.ts";
import { countAnomaly, type FirstEnd, type Headless, NO_USAGE, type Session, type TurnEnd } from "./work.ts";

export function reduceUserMessage(session: Session, data: EventData<"user_message">): void {
  addUserMessage(session, { ...data, given: data.kind, copy: false });
}

/** A message of the person; `given` is the kind where the source said one. */
export function addUserMessage(
  session: Session,
  data: EventData<"user_message"> & { readonly given: "run" | "steer" | null; readonly copy: boolean },
): void {
  const { work } = session;
  const id = data.message_id === "" ? null : data.message_id;
  const parent = parentKey(data.parent_id);
  if (
    parent === null && work.mode === "live" &&
    confirmOwnMessage(session, { id, text: data.text, kind: data.kind })
  ) return;
  const isCopy = data.copy ||
    work.behindMarker && (data.given === null && id === null || id !== null && work.messages.has(id));
  if (id !== null && work.messages.has(id) && !isCopy) return countAnomaly(session, "user_message repeated");
  // A surface that comes in the middle of a turn leaves that turn open.
  const inTurn = work.mode === "surface" && work.openTurn !== null;
  if (parent === null && data.kind === "run" && !isCopy && !inTurn) openForMessage(session);
  const scope = scopeOf(session, parentCall(session, parent));
  const block = appendBlock(session, scope, (base) => ({
    ...base,
    kind: "user_message",
    messageId: id,
    text: data.text,
    messageKind: data.kind,
    confirmed: true,
  }));
  if (id !== null) work.messages.set(id, block);
  const copy = isCopy || inTurn && data.kind === "run";
  work.journal.push({ kind: "user", block, given: data.given, copy, parentId: parent });
}

/** Opens the turn a run message begins, unless turn_start has just done it. */
export function openForMessage(session: Session): void {
  const { work } = session;
  if (work.openTurn !== null && session.blocks.at(-1) === work.openTurn.header) return;
  leaveTurn(session);
  openTurn(session, null);
  journalTurn(session);
}

export function reduceTurnStart(session: Session, data: EventData<"turn_start">): void {
  const { work } = session;
  const open = work.openTurn;
  if (open !== null && work.mode === "surface") return;
  if (open !== null && !work.turnStarted) {
    numberTurn(session, open, data.turn);
  } else if (open === null || data.turn === null || open.number !== data.turn) {
    leaveTurn(session);
    openTurn(session, data.turn);
  }
  if (work.openTurn === null) return;
  work.turnStarted = true;
  work.behindMarker = false;
  work.openTurn.startedMs ??= work.eventMs;
  journalTurn(session);
  if (work.mode === "live") session.status = "running";
}

export function reduceStepStart(session: Session, data: EventData<"step_start">): void {
  const { work } = session;
  // Who works is logged in.
  session.authMethods = [];
  closeStreams(session, "own");
  if (work.mode === "live") session.status = "running";
  if (work.openTurn === null && work.mode === "live" && !work.isHeadless) {
    openTurn(session, data.turn);
    work.turnStarted = true;
    journalTurn(session);
  }
  const turn = work.openTurn;
  if (turn !== null && turn.number === null && data.turn !== null) numberTurn(session, turn, data.turn);
  const counted = turn ?? work.headless;
  const before = counted.steps;
  counted.steps = isCount(data.step) ? Math.max(before, data.step) : before + 1;
  if (counted.steps > before) session.counts.steps++;
  const pair = modelPair(data);
  if (pair !== null) {
    const first = counted.model === null;
    if (turn !== null && first && pair !== work.lastModel) {
      turn.header.changedModel = data.model ?? data.provider;
      touch(session, turn.header);
    }
    counted.model = pair;
    work.firstModel ??= { pair, name: data.model ?? data.provider };
    work.lastModel = pair;
    if (data.model !== null) session.model = { provider: data.provider, model: data.model };
  }
  work.journal.push({ kind: "event", event: { event: "step_start", data } });
}

export function reduceStepEnd(session: Session): void {
  closeStreams(session, "own");
}

export function reduceUsage(session: Session, data: EventData<"usage">): void {
  const { work } = session;
  const holder = holderOf(session, data.turn);
  const step = isCount(data.step) ? data.step : "steps" in holder ? holder.steps : 0;
  const usage: Usage = {
    inputTokens: tokens(data.input_tokens),
    outputTokens: tokens(data.output_tokens),
    cacheReadTokens: tokens(data.cache_read_input_tokens),
    cacheWriteTokens: tokens(data.cache_write_input_tokens),
    reasoningTokens: tokens(data.reasoning_tokens),
    costUsd: tokens(data.cost_usd),
  };
  const before = holder.usage.get(step) ?? NO_USAGE;
  holder.usage.set(step, usage);
  session.usage = replaceUsage(session.usage, before, usage);
  // Only usage of another than the newest turn must say whose it is.
  const isNewest = holder === (work.openTurn ?? session.turns.at(-1) ?? work.headless);
  const turn = isNewest ? null : "number" in holder ? holder.number : data.turn;
  work.journal.push({ kind: "event", event: { event: "usage", data: { ...data, turn, step } } });
}

export function reduceTurnEnd(session: Session, data: EventData<"turn_end">): void {
  const { work } = session;
  if (work.mode === "live") session.status = data.result === "paused" ? "paused" : "idle";
  if (data.result === "paused") return closeStreams(session, "all");
  const isOpen = work.openTurn !== null || work.isHeadless || work.openCalls.size > 0 ||
    work.texts.size > 0 ||
    work.reasonings.size > 0;
  if (!isOpen) return countAnomaly(session, "turn_end without a turn");
  if (work.openTurn?.number === null && data.turn !== null) numberTurn(session, work.openTurn, data.turn);
  endTurn(session, {
    result: data.result,
    reason: data.reason,
    message: data.message,
    requests: data.requests,
    elapsedMs: data.elapsed_ms,
  });
}

/** Closes what is open and appends the stats row. */
export function endTurn(session: Session, end: TurnEnd): void {
  const { work } = session;
  const turn = work.openTurn;
  closeAll(session, end.result);
  const sums = sumUsage((turn ?? work.headless).usage.values());
  const elapsed = work.mode === "live" && turn?.startedMs != null && work.eventMs !== null
    ? work.eventMs - turn.startedMs
    : null;
  const isShown = end.message !== null && work.shownErrors.has(end.message);
  const block = appendBlock<TurnStatsBlock>(session, scopeOf(session, null), (base) => ({
    ...base,
    turn,
    kind: "turn_stats",
    result: end.result,
    reason: end.reason,
    message: isShown ? null : end.message,
    requests: end.requests ?? (turn === null || turn.steps === 0 ? null : turn.steps),
    inputTokens: end.inputTokens === undefined ? sums.inputTokens : end.inputTokens,
    outputTokens: end.outputTokens === undefined ? sums.outputTokens : end.outputTokens,
    elapsedMs: end.elapsedMs ?? (elapsed !== null && elapsed >= 0 ? elapsed : null),
  }));
  work.journal.push({ kind: "stats", block });
  if (turn === null ? session.turns.length === 0 : session.blocks[0] === turn.header) {
    work.firstEnd ??= { block, end, turn, endedMs: work.mode === "live" ? work.eventMs : null };
  }
  closeTurn(session);
}

/** Fills in what only its turn knows: an older page has brought the header of a turn that ended before. */
export function completeStats(session: Session, turn: Turn, ended: FirstEnd): void {
  const { block, end, endedMs } = ended;
  const sums = sumUsage(turn.usage.values());
  overwrite(block, "requests", end.requests ?? (turn.steps === 0 ? null : turn.steps));
  if (end.inputTokens === undefined) overwrite(block, "inputTokens", sums.inputTokens);
  if (end.outputTokens === undefined) overwrite(block, "outputTokens", sums.outputTokens);
  const elapsed = turn.startedMs !== null && endedMs !== null ? endedMs - turn.startedMs : null;
  overwrite(block, "elapsedMs", end.elapsedMs ?? (elapsed !== null && elapsed >= 0 ? elapsed : null));
  touch(session, block);
}

/** Ends the open turn where nothing said how it ended: live it was interrupted, in old items it is merely over. */
export function leaveTurn(session: Session): void {
  const { work } = session;
  if (work.openTurn === null) return;
  if (work.mode === "live" && work.turnStarted) {
    endTurn(session, { result: "interrupted", reason: null, message: null, requests: null, elapsedMs: null });
    return;
  }
  closeAll(session, "interrupted");
  closeTurn(session);
}

/** Makes a turn with its header and leaves it open. */
export function openTurn(session: Session, number: number | null): Turn {
  const { work } = session;
  const header = appendBlock(session, scopeOf(session, null), (base) => ({
    ...base,
    kind: "turn_header" as const,
    number,
    changedModel: null,
  }));
  const turn: Turn = {
    number,
    header,
    open: true,
    model: null,
    usage: new Map(),
    steps: 0,
    startedMs: null,
  };
  header.turn = turn;
  session.turns.push(turn);
  session.counts.turns++;
  work.openTurn = turn;
  work.turnStarted = false;
  work.turnJournaled = false;
  work.behindMarker = false;
  work.isHeadless = false;
  work.shownErrors.clear();
  return turn;
}

/** Notes the turn's header in the journal, once. */
export function journalTurn(session: Session): void {
  const { work } = session;
  if (work.openTurn === null || work.turnJournaled) return;
  work.turnJournaled = true;
  work.journal.push({ kind: "turn", turn: work.openTurn });
}

/** `total` with one step's usage replaced by another. */
export function replaceUsage(total: Usage, before: Usage, after: Usage): Usage {
  const replace = (field: keyof Usage): number | null => {
    if (before[field] === null && after[field] === null) return total[field];
    return Math.max(0, (total[field] ?? 0) - (before[field] ?? 0) + (after[field] ?? 0));
  };
  return {
    inputTokens: replace("inputTokens"),
    outputTokens: replace("outputTokens"),
    cacheReadTokens: replace("cacheReadTokens"),
    cacheWriteTokens: replace("cacheWriteTokens"),
    reasoningTokens: replace("reasoningTokens"),
    costUsd: replace("costUsd"),
  };
}

/** The sum of several steps; what none of them said stays null. */
export function sumUsage(steps: Iterable<Usage>): Usage {
  let sum = NO_USAGE;
  for (const usage of steps) sum = replaceUsage(sum, NO_USAGE, usage);
  return sum;
}

/** A count as it may be believed: finite and not negative. */
export function tokens(value: number | null): number | null {
  return value !== null && Number.isFinite(value) && value >= 0 ? value : null;
}

/** "provider/model", or what is known of it; null when neither is. */
export function modelPair(
  data: { readonly provider: string | null; readonly model: string | null },
): string | null {
  const parts = [data.provider, data.model].filter((part) => part !== null && part !== "");
  return parts.length === 0 ? null : parts.join("/");
}

function closeAll(session: Session, reason: string): void {
  closeCalls(session, reason);
  closeStreams(session, "all");
}

function closeTurn(session: Session): void {
  const { work } = session;
  if (work.openTurn !== null) work.openTurn.open = false;
  work.openTurn = null;
  work.turnStarted = false;
  work.behindMarker = false;
  work.isHeadless = false;
}

function numberTurn(session: Session, turn: Turn, number: number | null): void {
  turn.number = number;
  turn.header.number = number;
  touch(session, turn.header);
}

/** Where usage is kept: the turn of that number, newest first; without a number the open or else the newest one. */
function holderOf(session: Session, number: number | null): Turn | Headless | Pick<Headless, "usage"> {
  const { work, turns } = session;
  const newest = work.openTurn ?? turns.at(-1) ?? work.headless;
  if (number === null || "number" in newest && newest.number === number) return newest;
  const found = turns.findLast((turn) => turn.number === number);
  if (found !== undefined) return found;
  if (work.mode === "live" && session.moreBefore === null) return newest;
  let usage = work.strayUsage.get(number);
  if (usage === undefined) work.strayUsage.set(number, usage = new Map());
  return { usage };
}

function isCount(step: number | null): step is number {
  return step !== null && Number.isSafeInteger(step) && step >= 0 && step < 1e6;
}
