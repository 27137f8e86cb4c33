// Answers and reasoning as they stream. One text is open for each agent (parent_id) at a time, one reasoning for
// each agent and id; blank text and empty reasoning make no block until they are more than that.

import type { AssistantTextBlock, ReasoningBlock } from "./block.ts";
import { appendBlock, scopeOf, touch } from "./blocks.ts";
import type { EventData } from "./event.ts";
import { parentCall, parentKey } from "./routes.ts";
import { endText, growText } from "./stream_text.ts";
import { countAnomaly, type OpenReasoning, type Session } from "./work.ts";

export function reduceTextDelta(session: Session, data: EventData<"text_delta">): void {
  appendText(session, parentKey(data.parent_id), data.text);
}

/** Text that arrives in pieces. */
export function appendText(session: Session, key: string | null, text: string): void {
  const { texts } = session.work;
  let open = texts.get(key);
  if (open === undefined) texts.set(key, open = { block: null, held: "" });
  if (open.block !== null) {
    growText(open.block, text);
    if (text !== "") touch(session, open.block);
    return;
  }
  open.held += text;
  if (isBlank(text)) return;
  open.block = textBlock(session, key, open.held, false);
  open.held = "";
}

export function reduceTextDone(session: Session, data: EventData<"text_done">): void {
  const { texts, cutTexts } = session.work;
  const key = parentKey(data.parent_id);
  const open = texts.get(key);
  const cut = cutTexts.get(key);
  texts.delete(key);
  cutTexts.delete(key);
  // A tool start closed what came before; the final text repeats it.
  const final = data.text !== null && cut !== undefined && data.text.startsWith(cut.text)
    ? data.text.slice(cut.text.length)
    : data.text;
  if (open === undefined || open.block === null) {
    if (final !== null && !isBlank(final)) textBlock(session, key, final, true);
    return;
  }
  // A blank final text says nothing against what was already read.
  if (final !== null && !isBlank(final)) open.block.text = final;
  endText(open.block);
  open.block.done = true;
  touch(session, open.block);
}

/** A whole text, closed from the start. */
export function addText(session: Session, key: string | null, text: string): void {
  closeText(session, key);
  session.work.cutTexts.delete(key);
  if (!isBlank(text)) textBlock(session, key, text, true);
}

/** Ends the open text of one agent, if any; `cut` when a tool start does it and the final text is still to come. */
export function closeText(session: Session, key: string | null, cut = false): void {
  const { texts, cutTexts } = session.work;
  const open = texts.get(key);
  if (open === undefined) return;
  texts.delete(key);
  if (open.block !== null) endText(open.block);
  const text = open.block?.text ?? open.held;
  if (cut) {
    const before = cutTexts.get(key) ?? { text: "", blocks: [] };
    if (open.block !== null) before.blocks.push(open.block);
    cutTexts.set(key, { text: before.text + text, blocks: before.blocks });
  }
  if (open.block === null) return;
  open.block.done = true;
  touch(session, open.block);
}

export function reduceReasoningStart(session: Session, data: EventData<"reasoning_start">): void {
  openReasoning(session, reasoningKey(data));
}

export function reduceReasoningDelta(session: Session, data: EventData<"reasoning_delta">): void {
  const open = openReasoning(session, reasoningKey(data));
  if (open.block !== null) {
    growText(open.block, data.text);
    if (data.text !== "") touch(session, open.block);
    return;
  }
  open.held += data.text;
  if (isBlank(data.text)) return;
  open.block = reasoningBlock(session, data.parent_id, data.id, open.held);
  open.held = "";
}

export function reduceReasoningDone(session: Session, data: EventData<"reasoning_done">): void {
  const { reasonings } = session.work;
  const key = reasoningKey(data);
  const open = reasonings.get(key);
  reasonings.delete(key);
  let block = open?.block ?? null;
  if (block === null) {
    if (data.text === null || isBlank(data.text)) return;
    if (open === undefined && repeatsLast(session, data)) {
      return countAnomaly(session, "reasoning_done repeated");
    }
    block = reasoningBlock(session, data.parent_id, data.id, data.text);
  } else if (data.text !== null && !isBlank(data.text)) {
    block.text = data.text;
  }
  endText(block);
  block.done = true;
  block.elapsedMs = data.elapsed_ms;
  touch(session, block);
}

/** A whole reasoning, closed from the start. */
export function addReasoning(
  session: Session,
  data: {
    readonly id: string;
    readonly text: string;
    readonly elapsedMs: number | null;
    readonly parentId: string | null;
  },
): void {
  if (isBlank(data.text)) return;
  const block = reasoningBlock(session, data.parentId, data.id, data.text);
  block.done = true;
  block.elapsedMs = data.elapsedMs;
}

/** Ends every open text and reasoning of one agent (`key` null: the transcript's own), or of all. */
export function closeStreams(session: Session, which: "own" | "all"): void {
  const { texts, cutTexts, reasonings } = session.work;
  for (const key of [...texts.keys()]) {
    if (which === "all" || key === null) closeText(session, key);
  }
  if (which === "all") cutTexts.clear();
  else cutTexts.delete(null);
  for (const [key, { block }] of [...reasonings]) {
    if (which === "own" && !key.startsWith(OWN)) continue;
    reasonings.delete(key);
    if (block === null) continue;
    endText(block);
    block.done = true;
    touch(session, block);
  }
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}

const OWN = "\0";

function reasoningKey(data: { readonly id: string; readonly parent_id: string | null }): string {
  const key = parentKey(data.parent_id);
  return key === null ? OWN + data.id : `${key}\0${data.id}`;
}

function openReasoning(session: Session, key: string): OpenReasoning {
  const { reasonings } = session.work;
  let open = reasonings.get(key);
  if (open === undefined) reasonings.set(key, open = { block: null, held: "" });
  return open;
}

/** A second "done" with the same words adds nothing. */
function repeatsLast(session: Session, data: EventData<"reasoning_done">): boolean {
  const parent = parentKey(data.parent_id);
  const call = parent === null ? null : session.work.calls.get(parent) ?? null;
  if (parent !== null && call === null) return false;
  const last = scopeOf(session, call).list.at(-1);
  return last?.kind === "reasoning" && last.done && last.reasoningId === data.id && last.text === data.text;
}

function textBlock(session: Session, key: string | null, text: string, done: boolean): AssistantTextBlock {
  const scope = scopeOf(session, parentCall(session, key));
  const block = appendBlock(session, scope, (base) => ({ ...base, kind: "assistant_text", text, done }));
  session.work.journal.push({ kind: "text", block, parentId: key });
  return block;
}

function reasoningBlock(session: Session, parentId: string | null, id: string, text: string): ReasoningBlock {
  const key = parentKey(parentId);
  const scope = scopeOf(session, parentCall(session, key));
  const block = appendBlock(session, scope, (base) => ({
    ...base,
    kind: "reasoning",
    reasoningId: id,
    text,
    done: false,
    elapsedMs: null,
  }));
  session.work.journal.push({ kind: "reasoning", block, parentId: key });
  return block;
}
