// Joins an older history page, built apart, to the front of the transcript. A page may end inside a turn: what was
// cut there (turns, results without calls, read groups, questions) is put together again.

import type { MarkerBlock, ToolBlock, Turn } from "./block.ts";
import { overwrite, removeBlock, touch } from "./blocks.ts";
import { clearFiles } from "./file_cache.ts";
import { previewFiles, runFiles } from "./file_effects.ts";
import { longTextString } from "./long_text.ts";
import { isReadGroup } from "./read_group.ts";
import { closeQuestion } from "./reduce_notice.ts";
import { closeCall, mergePresentation } from "./reduce_tool.ts";
import { replaceUsage } from "./reduce_turn.ts";
import { nestedBlocks } from "./restore.ts";
import { isFinal } from "./tool_call.ts";
import { type Call, type JournalEntry, NO_USAGE, type Session } from "./work.ts";

/** Puts the page in front and mends the seam. */
export function joinPage(session: Session, page: Session): void {
  // Blocks made for the page keep versions that no block of the session has had.
  session.work.version = page.work.version;
  numberPage(session, page);
  const turn = page.work.openTurn;
  const goesOn = joinTurn(session, page, turn);
  joinCalls(session, page, turn);
  joinReadGroups(session, page, turn);
  joinNotices(session, page);
  joinTotals(session, page, turn);
  joinModels(session, page, turn);
  dimPage(session, page);
  if (turn !== null && !goesOn) turn.open = false;
  if (goesOn) {
    for (const call of page.work.openCalls) session.work.openCalls.add(call);
  } else {
    for (const call of [...page.work.openCalls]) closeCall(page, call, endOf(session, turn));
  }
  prepend(session.blocks, page.blocks);
  prepend(session.turns, page.turns);
  session.work.journal = page.work.journal.concat(session.work.journal);
  session.work.version = Math.max(session.work.version, page.work.version);
  session.changes.prepended += page.blocks.length;
}

/** Goes through all calls in the order they happened, so that files and before-images are those of the whole. */
export function rebuildFiles(session: Session): void {
  clearFiles(session.files);
  const fixed = new Set<Call>();
  const resulted = new Set<Call>();
  const waiting = new Set<Call>();
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

/** Blocks in front of the first header belong to the page's open turn, up to its end. True when it is still open. */
function joinTurn(session: Session, page: Session, turn: Turn | null): boolean {
  if (turn === null) return false;
  let isOpen = true;
  for (const block of session.blocks) {
    if (block.kind === "turn_header") return false;
    if (!isOpen || block.turn !== null) continue;
    for (const nested of nestedBlocks(block)) {
      nested.turn = turn;
      if (nested.kind === "tool_call") { for (const call of nested.calls) (call as Call).turn = turn; }
    }
    if (block.kind === "turn_stats") isOpen = false;
  }
  if (!isOpen || session.status === "idle") return false;
  session.work.openTurn = turn;
  session.work.turnStarted = page.work.turnStarted || session.blocks.length > 0;
  session.work.turnJournaled = page.work.turnJournaled;
  return true;
}

/** How the seam's turn ended, for the calls it left open. */
function endOf(session: Session, turn: Turn | null): string | null {
  for (const block of session.blocks) {
    if (block.kind === "turn_header") return null;
    if (block.kind === "turn_stats" && block.turn === turn) return block.result;
  }
  return null;
}

/** Gives results, outputs and children that came without their call to the call the page brings. */
function joinCalls(session: Session, page: Session, turn: Turn | null): void {
  for (const [id, call] of page.work.calls) {
    const orphan = session.work.calls.get(id);
    if (orphan === undefined) session.work.calls.set(id, call);
    else if (!orphan.started && !orphan.argsFixed) adopt(session, page, { orphan, call, turn });
  }
}

function adopt(session: Session, page: Session, pair: { orphan: Call; call: Call; turn: Turn | null }): void {
  const { orphan, call, turn } = pair;
  const { work } = session;
  if (orphan.resulted && call.resulted) {
    const same = orphan.summary === call.summary && orphan.stage === call.stage &&
      text(orphan) === text(call);
    if (!same) call.secondResultIgnored = true;
  } else if (orphan.resulted) {
    call.late = call.stage === "incomplete" || orphan.block.turn !== turn;
    call.incompleteReason = null;
    call.resulted = true;
    call.stage = orphan.stage;
    call.summary = orphan.summary;
    call.presentation = mergePresentation(call.presentation, orphan.presentation as never);
    page.work.openCalls.delete(call);
  }
  if (orphan.output !== null && !call.outputGiven) {
    call.output = orphan.output;
    call.outputGiven = orphan.outputGiven;
  }
  if (orphan.args.length > 0 && !call.argsFixed) call.args = orphan.args;
  for (const child of orphan.children) {
    overwrite(child, "parent", call);
    call.children.push(child);
  }
  if (!isFinal(orphan.stage) && !isFinal(call.stage)) {
    work.openCalls.add(call);
    page.work.openCalls.delete(call);
  }
  work.openCalls.delete(orphan);
  work.calls.set(call.id, call);
  work.journal = work.journal.flatMap((entry) => rewired(entry, orphan, call));
  removeBlock(session, orphan.block);
  touch(page, call.block);
}

function rewired(entry: JournalEntry, orphan: Call, call: Call): JournalEntry[] {
  if (!("call" in entry) || entry.call !== orphan) return [entry];
  return entry.kind === "start" ? [] : [{ ...entry, call }];
}

function text(call: Call): string | null {
  return call.output === null ? null : longTextString(call.output);
}

/** A group cut in two is one again; it keeps the newer block, which may be in view. */
function joinReadGroups(session: Session, page: Session, turn: Turn | null): void {
  const above = page.blocks.at(-1);
  const below = session.blocks[0];
  if (
    turn === null || !isReadGroup(above) || !isReadGroup(below) || below.turn !== turn || above.turn !== turn
  ) return;
  const newer: ToolBlock = below;
  for (const call of above.calls) {
    (call as Call).block = newer;
    for (const child of call.children) overwrite(child, "parent", call);
  }
  newer.calls.unshift(...above.calls);
  page.blocks.pop();
  touch(session, newer);
}

/** Questions and compactions that the page began and the newer part ended. */
function joinNotices(session: Session, page: Session): void {
  const { work } = session;
  for (const [batchId, block] of page.work.questionBlocks) {
    if (!work.questionBlocks.has(batchId)) work.questionBlocks.set(batchId, block);
    const closed = work.earlyClosed.get(batchId);
    if (closed !== undefined) closeQuestion(page, batchId, closed.reason, closed.answers ?? []);
  }
  if (!work.questionsKnown) session.questions = [...page.questions, ...session.questions];
  for (const [id, block] of page.work.messages) if (!work.messages.has(id)) work.messages.set(id, block);
  const begun = page.work.compact;
  if (begun === null) return;
  const { startless } = work;
  if (startless === null) {
    begun.stage = "incomplete";
    return;
  }
  const { stage, tokensBefore, tokensAfter, newSessionId, error } = startless;
  Object.assign(begun, { stage, tokensBefore, tokensAfter, newSessionId, error });
  removeBlock(session, startless);
  work.startless = null;
}

function joinTotals(session: Session, page: Session, turn: Turn | null): void {
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
  const holder = turn ?? page.turns.at(-1) ?? page.work.headless;
  for (const [step, usage] of work.headless.usage) holder.usage.set(step, usage);
  holder.steps = Math.max(holder.steps, work.headless.steps);
}

/** The first model of the newer part is a change only if it differs from the page's last. */
function joinModels(session: Session, page: Session, turn: Turn | null): void {
  const { work } = session;
  const before = page.work.lastModel;
  const { headless } = work;
  if (headless.model !== null) {
    if (turn !== null && turn.model === null && headless.model !== before) {
      turn.header.changedModel = headless.modelName;
    }
    if (turn !== null) turn.model = headless.model;
  } else {
    const first = session.turns.find((one) => one.model !== null);
    if (first !== undefined && first.model === before && first.header.changedModel !== null) {
      first.header.changedModel = null;
      touch(session, first.header);
    }
  }
  work.headless = page.work.headless;
  work.lastModel ??= before;
  session.model ??= page.model;
}

/** All of an older page is out of the model's view when the newer part holds a marker. */
function dimPage(session: Session, page: Session): void {
  const markers = session.blocks.filter((block): block is MarkerBlock => block.kind === "marker");
  if (markers.length === 0) return;
  const count = page.blocks.filter((block) => block.kind !== "marker").length;
  for (const marker of markers) {
    marker.replacedBlocks += count;
    touch(session, marker);
  }
  for (const block of page.blocks) for (const nested of nestedBlocks(block)) nested.replaced = true;
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
