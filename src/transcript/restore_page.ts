// Joins an older history page, built apart, to the front of the transcript. A page may end inside a turn: what was
// cut there (turns, results without calls, read groups, questions) is put together again.

import type { Block, CompactBlock, Turn } from "./block.ts";
import { overwrite, removeBlock, touch } from "./blocks.ts";
import { clearFiles } from "./file_cache.ts";
import { previewFiles, runFiles } from "./file_effects.ts";
import { longTextString } from "./long_text.ts";
import { isReadGroup, moveCalls } from "./read_group.ts";
import { closeQuestion } from "./reduce_notice.ts";
import { closeCall, mergePresentation } from "./reduce_tool.ts";
import { completeStats, replaceUsage } from "./reduce_turn.ts";
import { nestedBlocks } from "./restore.ts";
import { UNNAMED } from "./routes.ts";
import { isFinal } from "./tool_call.ts";
import { type Call, type JournalEntry, NO_USAGE, type Session } from "./work.ts";

/** Where the page and the newer part meet. */
interface Seam {
  /** Blocks of the newer part that belong to the turn the page leaves open. */
  readonly blocks: ReadonlySet<Block>;
  /** Calls whose result came when the turn was over. */
  readonly lateResults: ReadonlySet<Call>;
  /** That turn goes on to this day. */
  readonly isOpen: boolean;
  /** How it ended, where a stats row says so. */
  readonly result: string | null;
  /** The page's open turn; null where the page has no header for it either. */
  readonly turn: Turn | null;
}

/** Puts the page in front and mends the seam. */
export function joinPage(session: Session, page: Session): void {
  const { work } = session;
  // Blocks made for the page keep versions that no block of the session has had.
  work.version = page.work.version;
  numberPage(session, page);
  joinHeader(session, page);
  const seam = findSeam(session, page);
  joinTurn(session, page, seam);
  joinCalls(session, page, seam);
  const begun = page.work.compact;
  joinNotices(session, page);
  joinCompaction(session, page, begun);
  joinTotals(session, page, seam);
  joinModels(session, page, seam);
  dimPage(session, page, begun);
  for (const call of [...page.work.openCalls]) {
    if (seam.isOpen) work.openCalls.add(call);
    else closeCall(page, call, seam.result);
  }
  prepend(session.blocks, page.blocks);
  prepend(session.turns, page.turns);
  joinReadGroups(session, [...page.blocks, ...seam.blocks]);
  placeStrayUsage(session);
  joinEnd(session, page, seam);
  countReplaced(session, page);
  work.journal = page.work.journal.concat(work.journal);
  work.version = Math.max(work.version, page.work.version);
  session.changes.prepended += page.blocks.length;
}

/** Goes through all calls in the order they happened, so that files and before-images are those of the whole. */
export function rebuildFiles(session: Session): void {
  clearFiles(session.files);
  const fixed = new Set<Call>();
  const resulted = new Set<Call>();
  const waiting = new Set<Call>();
  const run = new Set<Call>();
  for (const entry of session.work.journal) {
    if (entry.kind === "stats") {
      for (const call of waiting) rerun(session, call, () => previewFiles(session, call));
      waiting.clear();
      continue;
    }
    if (entry.kind !== "done" && entry.kind !== "result") continue;
    const { call } = entry;
    (entry.kind === "done" ? fixed : resulted).add(call);
    if (fixed.has(call) && resulted.has(call)) {
      waiting.delete(call);
      if (run.has(call)) continue;
      run.add(call);
      rerun(session, call, () => void runFiles(session, call));
    } else if (entry.kind === "done") {
      waiting.add(call);
    }
  }
  for (const call of session.work.openCalls) {
    if (call.argsFixed) rerun(session, call, () => previewFiles(session, call));
  }
}

function rerun(session: Session, call: Call, run: () => void): void {
  const before = JSON.stringify([call.changes, call.writeLabel]);
  run();
  if (JSON.stringify([call.changes, call.writeLabel]) !== before) touch(session, call.block);
}

/** A header cut from the message below it: the message has opened a header of its own, which takes the number over. */
function joinHeader(session: Session, page: Session): void {
  const turn = page.work.openTurn;
  const header = session.blocks[0];
  if (turn === null || page.blocks.at(-1) !== turn.header) return;
  if (header?.kind !== "turn_header" || header.turn === null) return;
  // Its turn_start may have come before the page.
  const number = header.number ?? turn.number;
  if (turn.number !== null && number !== turn.number) return;
  header.number = header.turn.number = number;
  header.turn.startedMs ??= turn.startedMs;
  if (session.work.openTurn === header.turn) session.work.turnStarted ||= page.work.turnStarted;
  touch(session, header);
  page.blocks.pop();
  page.turns.pop();
  page.counts.turns--;
  page.work.openTurn = null;
  page.work.journal = page.work.journal.filter((entry) => entry.kind !== "turn" || entry.turn !== turn);
}

/** Blocks in front of the first header belong to the turn the page leaves open, up to its stats. */
function findSeam(session: Session, page: Session): Seam {
  const blocks = new Set<Block>();
  const common = { blocks, turn: page.work.openTurn, lateResults: lateResults(session) };
  for (const block of session.blocks) {
    if (block.kind === "turn_header") return { ...common, isOpen: false, result: null };
    blocks.add(block);
    if (block.kind === "turn_stats") return { ...common, isOpen: false, result: block.result };
  }
  return { ...common, isOpen: session.work.isHeadless, result: null };
}

function lateResults(session: Session): Set<Call> {
  const late = new Set<Call>();
  let isOver = false;
  for (const entry of session.work.journal) {
    if (entry.kind === "turn" || entry.kind === "stats") isOver = true;
    if (isOver && entry.kind === "result") late.add(entry.call);
  }
  return late;
}

function joinTurn(session: Session, page: Session, seam: Seam): void {
  const { turn } = seam;
  if (seam.isOpen) { for (const message of page.work.shownErrors) session.work.shownErrors.add(message); }
  if (turn === null) return;
  for (const block of seam.blocks) {
    for (const nested of nestedBlocks(block)) {
      nested.turn = turn;
      if (nested.kind === "tool_call") { for (const call of nested.calls) (call as Call).turn = turn; }
    }
  }
  turn.open = seam.isOpen;
  if (!seam.isOpen) return;
  session.work.openTurn = turn;
  session.work.turnStarted = page.work.turnStarted || seam.blocks.size > 0;
  session.work.turnJournaled = page.work.turnJournaled;
  session.work.isHeadless = false;
}

/** Gives what came without its call's beginning (results, output, children) to the call the page brings. */
function joinCalls(session: Session, page: Session, seam: Seam): void {
  const { work } = session;
  for (const [id, call] of page.work.calls) {
    const later = work.orphans.get(id);
    // Whatever came without a beginning belongs to the newest call of its id, or to none.
    work.orphans.delete(id);
    if (later !== undefined && isRestOf(later, call, seam)) {
      if (work.calls.get(id) === later) work.calls.set(id, call);
      adopt(session, page, { later, call, seam });
    } else if (!work.calls.has(id)) {
      work.calls.set(id, call);
    }
  }
  for (const [id, call] of page.work.orphans) work.orphans.set(id, call);
}

/** True for a call that has nothing of its beginning and is the rest of `call`: an id that is used again means another. */
function isRestOf(later: Call, call: Call, seam: Seam): boolean {
  const isSameTurn = later.turn === seam.turn && call.turn === seam.turn;
  if (later.fromInFlight && !isFinal(call.stage)) return isSameTurn;
  if (later.started || later.argsFixed) return false;
  // A result repairs a call of an earlier turn; arguments do not.
  return later.resulted || later.args.length === 0 || isSameTurn;
}

function adopt(session: Session, page: Session, pair: { later: Call; call: Call; seam: Seam }): void {
  const { later, call, seam } = pair;
  const { work } = session;
  if (later.argsFixed && !call.argsFixed) {
    call.argsFixed = true;
    call.input = later.input;
    call.stage = later.stage;
  }
  if (later.args.length > 0 && !call.resulted) call.args = later.args;
  let second: JournalEntry | null = null;
  if (later.resulted && call.resulted) {
    second = secondResult(later);
    const same = later.summary === call.summary && later.stage === call.stage &&
      textOf(later) === textOf(call);
    if (!same) call.secondResultIgnored = true;
  } else if (later.resulted) {
    call.late = call.stage === "incomplete" || later.late || seam.lateResults.has(later);
    call.incompleteReason = null;
    call.resulted = true;
    call.stage = later.stage;
    call.summary = later.summary;
    page.work.openCalls.delete(call);
  } else if (isFinal(later.stage) && !isFinal(call.stage)) {
    call.stage = later.stage;
    call.incompleteReason = later.incompleteReason;
    page.work.openCalls.delete(call);
  } else if (later.stage === "streaming" && call.stage === "pending") {
    call.stage = "streaming";
  }
  if (later.presentation !== null) {
    call.presentation = mergePresentation(call.presentation, later.presentation as never);
  }
  call.secondResultIgnored ||= later.secondResultIgnored;
  if (later.output !== null && !call.outputGiven) {
    call.output = later.output;
    call.outputGiven = later.outputGiven;
  }
  if (call.name === UNNAMED) call.name = later.name;
  call.started ||= later.started;
  if (page.work.orphans.get(call.id) === call) call.fromInFlight = later.fromInFlight;
  for (const child of later.children) {
    overwrite(child, "parent", call);
    call.children.push(child);
  }
  if (!work.countsKnown || work.liveOrphans.has(later)) session.counts.toolCalls--;
  work.openCalls.delete(later);
  if (!isFinal(call.stage)) {
    page.work.openCalls.delete(call);
    work.openCalls.add(call);
  }
  work.journal = work.journal.flatMap((entry) => rewired(entry, { later, call, second }));
  removeCall(session, later);
  touch(page, call.block);
}

/** Takes one call out of its block, and the block with it when it was the only one. */
function removeCall(session: Session, call: Call): void {
  const { block } = call;
  if (block.calls.length === 1) return removeBlock(session, block);
  block.calls.splice(block.calls.indexOf(call), 1);
  touch(session, block);
}

/** What the journal says of `later` is true of `call`; a second result is one also there. */
function rewired(
  entry: JournalEntry,
  pair: { readonly later: Call; readonly call: Call; readonly second: JournalEntry | null },
): JournalEntry[] {
  const { later, call, second } = pair;
  if (!("call" in entry) || entry.call !== later) return [entry];
  if (entry.kind === "start") return [];
  return [entry.kind === "result" && second !== null ? second : { ...entry, call }];
}

function secondResult(call: Call): JournalEntry {
  const data = {
    id: call.id,
    summary: call.summary,
    output: textOf(call),
    is_error: call.stage === "error",
    presentation: null,
    parent_id: call.parentId,
  };
  return { kind: "event", event: { event: "tool_result", data } };
}

function textOf(call: Call): string | null {
  return call.output === null ? null : longTextString(call.output);
}

/** Groups that were cut in two, or held apart by a piece that is now in its place, are one again. */
function joinReadGroups(session: Session, blocks: readonly Block[]): void {
  mergeGroups(session, session.blocks);
  for (const block of blocks) {
    for (const nested of nestedBlocks(block)) {
      if (nested.kind === "tool_call") {
        for (const call of nested.calls) mergeGroups(session, call.children);
      }
    }
  }
}

/** The newer block stays, since it may be in view. Only the front of a list can have a cut. */
function mergeGroups(session: Session, list: Block[]): void {
  for (let at = 0; at + 1 < list.length; at++) {
    const above = list[at];
    const below = list[at + 1];
    if (!isReadGroup(above) || !isReadGroup(below)) continue;
    if (above.turn !== below.turn || above.replaced !== below.replaced) continue;
    const { calls } = below;
    const newer = [...calls];
    calls.length = 0;
    moveCalls(above, below);
    for (const one of newer) calls.push(one);
    list.splice(at, 1);
    at--;
    touch(session, below);
    session.changes.rebuilt = true;
  }
}

/** Questions and compactions that the page began and the newer part ended. */
function joinNotices(session: Session, page: Session): void {
  const { work } = session;
  for (const [batchId, block] of page.work.questionBlocks) {
    if (!work.questionBlocks.has(batchId)) work.questionBlocks.set(batchId, block);
    const closed = work.earlyClosed.get(batchId);
    if (closed !== undefined) closeQuestion(page, batchId, closed.reason, closed.answers ?? []);
  }
  for (const [batchId, closed] of page.work.earlyClosed) work.earlyClosed.set(batchId, closed);
  if (!work.questionsKnown) session.questions = [...page.questions, ...session.questions];
  for (const [id, block] of page.work.messages) if (!work.messages.has(id)) work.messages.set(id, block);
}

/** A compaction that the page begins: the newer part ends it, or it still runs. */
function joinCompaction(session: Session, page: Session, begun: CompactBlock | null): void {
  const { work } = session;
  const { startless } = work;
  if (begun === null) {
    work.startless = page.work.startless ?? startless;
    return;
  }
  work.startless = page.work.startless;
  if (startless !== null) {
    const { stage, tokensBefore, tokensAfter, newSessionId, error } = startless;
    Object.assign(begun, { stage, tokensBefore, tokensAfter, newSessionId, error });
    removeBlock(session, startless);
  } else if (session.status === "compacting") {
    work.compact ??= begun;
  } else {
    begun.stage = "incomplete";
  }
}

function joinTotals(session: Session, page: Session, seam: Seam): void {
  const { work, counts } = session;
  if (!work.totalsKnown) session.usage = replaceUsage(session.usage, NO_USAGE, page.usage);
  if (!work.countsKnown) {
    counts.turns += page.counts.turns;
    counts.steps += page.counts.steps;
    counts.toolCalls += page.counts.toolCalls;
  }
  for (const name of ["unknownEvents", "unknownFields", "anomalies"] as const) {
    for (const [what, number] of page.counts[name]) {
      counts[name].set(what, (counts[name].get(what) ?? 0) + number);
    }
  }
  const holder = seam.turn ?? page.turns.at(-1) ?? page.work.headless;
  for (const [step, usage] of work.headless.usage) holder.usage.set(step, usage);
  holder.steps = Math.max(holder.steps, work.headless.steps);
  for (const [number, usage] of page.work.strayUsage) {
    const later = work.strayUsage.get(number) ?? [];
    work.strayUsage.set(number, new Map([...usage, ...later]));
  }
}

/** The stats row of a turn that ended before its beginning came. */
function joinEnd(session: Session, page: Session, seam: Seam): void {
  const { work } = session;
  const ended = work.firstEnd;
  work.firstEnd = page.work.firstEnd;
  if (ended === null) return;
  const isOfSeam = seam.blocks.has(ended.block);
  const { message } = ended.block;
  if (isOfSeam && message !== null && page.work.shownErrors.has(message)) {
    overwrite(ended.block, "message", null);
  }
  const turn = ended.turn ?? (isOfSeam ? seam.turn : null);
  if (turn !== null) completeStats(session, turn, ended);
  // A header that stands first may still turn out to be the second half of one.
  const mayGrow = turn === null ? page.turns.length === 0 : session.blocks[0] === turn.header;
  if (mayGrow) work.firstEnd ??= { ...ended, turn };
}

/** Usage that named a turn before its header had come. */
function placeStrayUsage(session: Session): void {
  const { strayUsage } = session.work;
  for (const [number, steps] of strayUsage) {
    const turn = session.turns.findLast((one) => one.number === number);
    if (turn === undefined) continue;
    for (const [step, usage] of steps) turn.usage.set(step, usage);
    strayUsage.delete(number);
  }
}

/** The first model of the newer part is a change only if it differs from the page's last. */
function joinModels(session: Session, page: Session, seam: Seam): void {
  const { work } = session;
  const before = page.work.lastModel;
  const { headless, firstModel } = work;
  if (headless.model !== null && seam.turn !== null) {
    const isFirst = seam.turn.model === null;
    if (isFirst && firstModel !== null && firstModel.pair !== before) {
      seam.turn.header.changedModel = firstModel.name;
    }
    seam.turn.model = headless.model;
  } else if (headless.model === null && firstModel !== null && firstModel.pair === before) {
    const first = session.turns.find((turn) => turn.model !== null);
    if (first !== undefined && first.header.changedModel !== null) {
      first.header.changedModel = null;
      touch(session, first.header);
    }
  }
  if (seam.turn === null) page.work.headless.model = headless.model ?? page.work.headless.model;
  work.headless = page.work.headless;
  work.lastModel ??= before;
  work.firstModel = page.work.firstModel ?? firstModel;
  session.model ??= page.model;
}

/** All of an older page is out of the model's view when the newer part holds a marker. */
function dimPage(session: Session, page: Session, begun: CompactBlock | null): void {
  const { markerCompacts } = session.work;
  const first = session.blocks.find((block) => block.kind === "marker");
  if (first === undefined) return;
  for (const block of page.blocks) for (const nested of nestedBlocks(block)) nested.replaced = true;
  // The compaction that made the first marker began in the page.
  if (begun === null || markerCompacts.get(first) !== null) return;
  markerCompacts.set(first, begun);
  begun.replaced = markerCompacts.size > 1;
}

/** Counts again what stands above each marker. */
function countReplaced(session: Session, page: Session): void {
  const markers = session.work.markerCompacts;
  for (const [marker, compact] of page.work.markerCompacts) markers.set(marker, compact);
  let above = 0;
  for (const block of session.blocks) {
    if (block.kind === "greeting") continue;
    if (block.kind !== "marker") {
      above++;
      continue;
    }
    const compact = markers.get(block) ?? null;
    const count = above - (compact !== null && compact.id < block.id ? 1 : 0);
    if (count === block.replacedBlocks) continue;
    block.replacedBlocks = count;
    touch(session, block);
  }
}

/** Gives the page's blocks the ids below all there are. */
function numberPage(session: Session, page: Session): void {
  const base = session.work.lowestId - page.work.nextId;
  for (const block of page.blocks.flatMap(nestedBlocks)) overwrite(block, "id", block.id + base);
  session.work.lowestId = base;
}

/** `list.unshift(...older)` without a limit on how many. */
function prepend<T>(list: T[], older: readonly T[]): void {
  const all = older.concat(list);
  list.length = 0;
  for (const one of all) list.push(one);
}
