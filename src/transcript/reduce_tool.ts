// Tool calls: joined on their id, whatever order their events come in.
// Reads that stand together are read_group.ts, what a finished call does to files is file_effects.ts.

import { touch } from "./blocks.ts";
import { type EventData, parseBody, type Presentation } from "./event.ts";
import { previewFiles, settleFiles } from "./file_effects.ts";
import { appendLongText, longText, longTextString } from "./long_text.ts";
import { createCall, idlessCall, nameCall, UNNAMED } from "./routes.ts";
import { isFinal, TOOL_STEPS, type ToolStage } from "./tool_call.ts";
import { type Call, countAnomaly, type Session } from "./work.ts";

export function reduceToolCallStart(session: Session, data: EventData<"tool_call_start">): void {
  const existing = data.id === "" ? undefined : session.work.calls.get(data.id);
  if (existing === undefined || isSpent(session, existing)) {
    createCall(session, { id: data.id, name: data.name, parentId: data.parent_id, origin: "start" });
    return;
  }
  if (existing.started) countAnomaly(session, "tool_call_start repeated");
  announce(session, existing, data.name);
}

export function reduceToolCallArgsDelta(session: Session, data: EventData<"tool_call_args_delta">): void {
  const call = unfixedCall(session, data.id) ??
    createCall(session, { id: data.id, name: "", parentId: data.parent_id, origin: "args" });
  if (call.argsFixed) return countAnomaly(session, "tool_call_args_delta after tool_call_done");
  appendLongText(call.args, data.json);
  if (call.stage === "pending") step(session, call, "streaming");
  touch(session, call.block);
}

export function reduceToolCallDone(session: Session, data: EventData<"tool_call_done">): void {
  const existing = unfixedCall(session, data.id);
  const call = existing ??
    createCall(session, { id: data.id, name: data.name, parentId: data.parent_id, origin: "done" });
  if (call.argsFixed) {
    countAnomaly(session, "tool_call_done repeated");
    if (isFinal(call.stage)) return;
  }
  if (existing !== undefined) announce(session, call, data.name, "done");
  fixArgs(session, call, data.arguments);
  call.presentation = mergePresentation(call.presentation, data.presentation);
  touch(session, call.block);
}

export function reduceToolOutput(session: Session, data: EventData<"tool_output">): void {
  const call =
    (data.id === "" ? idlessCall(session, (one) => !one.resulted) : session.work.calls.get(data.id)) ??
      createCall(session, { id: data.id, name: "", parentId: data.parent_id, origin: "output" });
  if (call.outputGiven) return countAnomaly(session, "tool_output after tool_result");
  if (call.resulted) countAnomaly(session, "tool_output after tool_result");
  call.output ??= longText();
  appendLongText(call.output, data.text);
  if (data.text !== "") touch(session, call.block);
}

export function reduceToolResult(session: Session, data: EventData<"tool_result">): void {
  const existing = data.id === ""
    ? idlessCall(session, (one) => !one.resulted)
    : session.work.calls.get(data.id);
  if (existing?.resulted) return addSecondResult(session, existing, data);
  const call = existing ??
    createCall(session, { id: data.id, name: "", parentId: data.parent_id, origin: "result" });
  if (existing === undefined) countAnomaly(session, "tool_result without a call");
  call.late = call.stage === "incomplete";
  call.incompleteReason = null;
  call.resulted = true;
  call.summary = data.summary;
  if (data.output !== null) {
    call.output = longText(data.output);
    call.outputGiven = true;
  }
  call.presentation = mergePresentation(call.presentation, data.presentation);
  step(session, call, data.is_error === true ? "error" : "done");
  session.work.journal.push({ kind: "result", call });
  settleFiles(session, call);
  touch(session, call.block);
}

/** Closes every open call: what a turn's end does. */
export function closeCalls(session: Session, reason: string | null): void {
  for (const call of [...session.work.openCalls]) closeCall(session, call, reason);
}

export function closeCall(session: Session, call: Call, reason: string | null): void {
  step(session, call, "incomplete");
  call.incompleteReason = reason;
  touch(session, call.block);
}

/** Fixes the arguments; "" keeps what was streamed. */
export function fixArgs(session: Session, call: Call, args: string): void {
  if (args !== "" || call.args.length === 0) call.args = longText(args);
  const first = !call.argsFixed;
  call.argsFixed = true;
  call.input = parseInput(call);
  if (call.stage === "pending" || call.stage === "streaming") step(session, call, "executing");
  if (first) session.work.journal.push({ kind: "done", call });
  if (call.resulted) settleFiles(session, call);
  else previewFiles(session, call);
}

/** The result's present fields stand for the call's; a body stands for the whole body. */
export function mergePresentation(
  before: Presentation | null,
  given: EventData<"tool_result">["presentation"],
): Presentation | null {
  if (given === null) return before;
  return {
    title: given.title ?? before?.title ?? null,
    kind: given.kind ?? before?.kind ?? null,
    body: parseBody(given.body) ?? before?.body ?? null,
  };
}

/** Takes a step, where it is one; a call that becomes final is no longer open. */
export function step(session: Session, call: Call, stage: ToolStage): void {
  if (call.stage === stage) return;
  if (!TOOL_STEPS[call.stage].includes(stage)) {
    return countAnomaly(session, `tool call ${call.stage} -> ${stage}`);
  }
  call.stage = stage;
  if (!isFinal(stage)) return;
  session.work.openCalls.delete(call);
  const at = call.id === "" && stage !== "incomplete" ? session.work.idless.indexOf(call) : -1;
  if (at !== -1) session.work.idless.splice(at, 1);
}

/** The id is free again: its call is over, so a new start makes a new block. */
function isSpent(session: Session, call: Call): boolean {
  if (!isFinal(call.stage)) return false;
  // Only its result (or a child) has been seen: the start that belongs to it may still come, but not in another turn.
  return call.started || call.argsFixed || isOfOtherTurn(session, call) || isElders(session, call);
}

/** The call that arguments for `id` belong to; undefined when they begin a new one. */
function unfixedCall(session: Session, id: string): Call | undefined {
  if (id === "") return idlessCall(session, (call) => !call.argsFixed && !isFinal(call.stage));
  const call = session.work.calls.get(id);
  if (call === undefined) return undefined;
  const isOver = isFinal(call.stage) && (isOfOtherTurn(session, call) || isElders(session, call));
  return isOver ? undefined : call;
}

/** Its result has come alone while older pages are still to come: one of them has its beginning, and the id is free. */
function isElders(session: Session, call: Call): boolean {
  const awaitsPages = session.work.mode === "live" && session.moreBefore !== null;
  return awaitsPages && call.resulted && !call.started && !call.argsFixed;
}

/** Another turn than the call's is open by now. */
function isOfOtherTurn(session: Session, call: Call): boolean {
  const { openTurn } = session.work;
  return openTurn !== null && call.turn !== openTurn;
}

/** A start or done event gave the call its name. */
export function announce(session: Session, call: Call, name: string, by: "start" | "done" = "start"): void {
  const wasStarted = call.started;
  call.started = true;
  const before = call.name;
  nameCall(session, call, name);
  if (!wasStarted && name !== "" || call.name !== before) {
    if (by === "start") session.work.journal.push({ kind: "named", call, name });
    else if (call.argsFixed) session.work.journal.push({ kind: "done", call });
  }
}

function parseInput(call: Call): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(longTextString(call.args));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as Record<string, unknown>
      : null;
  } catch {
    return null;
  }
}

/** The first result stays; a different second one is marked on the block. */
function addSecondResult(session: Session, call: Call, data: EventData<"tool_result">): void {
  countAnomaly(session, "tool_result repeated");
  const same = call.summary === data.summary && (call.stage === "error") === (data.is_error === true) &&
    (data.output === null
      ? !call.outputGiven
      : call.output !== null && longTextString(call.output) === data.output);
  if (same || call.secondResultIgnored) return;
  call.secondResultIgnored = true;
  session.work.journal.push({ kind: "event", event: { event: "tool_result", data } });
  touch(session, call.block);
}

/** True for a call whose name no event has given. */
export function isUnnamed(call: Call): boolean {
  return call.name === UNNAMED;
}
