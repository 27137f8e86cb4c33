// An exported OpenCode session as events: its messages in order, each with its parts.

import { fieldAt, type Fields, fieldsList, fieldsOf, firstText, numberOf, rowOf, textOf } from "./fields.ts";
import { fileLabel, OPENCODE_IGNORED, OPENCODE_PARTS, tellTokens } from "./opencode_parts.ts";
import type { OpencodeState } from "./opencode_state.ts";
import { errorOf } from "./opencode_tools.ts";
import {
  ignore,
  ignoreKind,
  ignoreUnknown,
  notify,
  tell,
  tellContextText,
  tellFrom,
  tellTitle,
} from "./telling.ts";
import { firstMessages, type SessionDocument } from "./session_document.ts";
import { finishCompaction } from "./telling_compact.ts";
import { beginTurn, endStep, ensureTurn, expectEnd, leaveTurn, type TurnEnd } from "./telling_turn.ts";

/** A whole session. Gives way after each part of a message: what was told may be taken then. */
export function* takeExport(state: OpencodeState, document: SessionDocument): Generator<void> {
  const { telling } = state;
  const value = document.head;
  const info = fieldsOf(value.info);
  const { greeting } = telling;
  greeting.sessionId = textOf(info.id);
  greeting.cwd = textOf(info.directory);
  const first = firstModel(document);
  greeting.model = textOf(fieldAt(info.model, "id")) ?? first?.model ?? null;
  greeting.provider = textOf(fieldAt(info.model, "providerID")) ?? first?.provider ?? null;
  const version = textOf(info.version);
  if (version !== null) greeting.notes.push(`Version ${version}`);
  if (textOf(info.parentID) !== null) greeting.notes.push("Session of a nested agent");
  tellFrom(telling, telling.line, numberOf(fieldAt(info.time, "created")));
  tellTitle(telling, textOf(info.title));
  for (const child of fieldsList(value.children)) {
    const id = textOf(fieldAt(child.info, "id"));
    if (id !== null) state.children.set(id, child);
  }
  const undoneFrom = textOf(fieldAt(info.revert, "messageID"));
  for (let index = 0; index < document.count; index++) {
    const message = document.messageAt(index);
    if (message.kind === "problem") {
      telling.steps.push(message);
      continue;
    }
    if (undoneFrom !== null && fieldAt(message.value.info, "id") === undoneFrom) {
      leaveTurn(telling);
      notify(telling, "info", "What follows was undone later");
    }
    for (const what of message.missing ?? []) telling.steps.push({ kind: "problem", what, line: 1 });
    yield* takeMessage(state, message.value, null);
    yield;
  }
  for (let left = state.children.size; left > 0; left--) {
    ignore(telling, "session of a nested agent without a call");
  }
}

/** What the first answer came from, in case the session itself does not say. */
function firstModel(document: SessionDocument): ReturnType<typeof modelOf> | null {
  for (const message of firstMessages(document)) {
    const found = modelOf(fieldsOf(message.info));
    if (found.model !== null) return found;
  }
  return null;
}

/** One message of a session; `parent` is the call whose nested agent's session it belongs to. */
export function* takeMessage(
  state: OpencodeState,
  message: Fields,
  parent: string | null,
): Generator<void> {
  const info = fieldsOf(message.info);
  const { telling } = state;
  tellFrom(telling, telling.line, numberOf(fieldAt(info.time, "created")));
  const parts = fieldsList(message.parts);
  if (info.role === "user") return takeUser(state, { info, parts, parent });
  if (info.role === "assistant") return yield* takeAnswer(state, { info, parts, parent });
  ignoreUnknown(telling, `message of ${textOf(info.role) ?? ""}`);
}

interface Told {
  readonly info: Fields;
  readonly parts: readonly Fields[];
  readonly parent: string | null;
}

function takeUser(state: OpencodeState, { info, parts, parent }: Told): void {
  const { telling } = state;
  const texts: string[] = [];
  const injected: string[] = [];
  for (const part of parts) {
    if (part.type === "text") {
      if (part.ignored === true) ignore(telling, "text kept from the model");
      else (part.synthetic === true ? injected : texts).push(textOf(part.text) ?? "");
    } else if (part.type === "file") texts.push(fileLabel(part));
    else if (part.type === "agent") texts.push(`@${textOf(part.name) ?? "agent"}`);
    else if (part.type === "subtask") texts.push(firstText(part.prompt, part.description) ?? "[subtask]");
    else if (part.type === "compaction") askCompaction(state, part);
    else {
      const reason = rowOf(OPENCODE_IGNORED, part.type);
      if (reason === null) ignoreUnknown(telling, `part ${textOf(part.type) ?? ""}`);
      else ignoreKind(telling, reason);
    }
  }
  // The oldest store keeps a short message in its summary alone.
  if (parts.length === 0) {
    texts.push(firstText(fieldAt(info.summary, "body"), fieldAt(info.summary, "title")) ?? "");
  }
  const text = texts.filter((one) => one !== "").join("\n");
  if (text !== "") {
    if (parent === null) beginTurn(telling, { text, messageId: textOf(info.id) });
    else tell(telling, "user_message", { text, kind: "run", parent_id: parent });
  } else if (injected.length === 0 && state.compaction === null) ignore(telling, "empty message");
  for (const one of injected) if (one.trim() !== "") tellContextText(telling, one, parent);
}

/** A compaction begins with a message of its own; its summary is the answer to it. */
function askCompaction(state: OpencodeState, part: Fields): void {
  leaveTurn(state.telling);
  state.compaction = { keepsMessages: textOf(part.tail_start_id) !== null };
  tell(state.telling, "compact_start", { reason: part.auto === true ? "threshold" : null });
}

function* takeAnswer(state: OpencodeState, { info, parts, parent }: Told): Generator<void> {
  const { telling, compaction } = state;
  if (compaction !== null && parent === null) {
    state.compaction = null;
    const summary = parts.filter((part) => part.type === "text").map((part) => textOf(part.text) ?? "").join(
      "\n",
    );
    if (info.summary === true || summary !== "") {
      return finishCompaction(telling, { summary, keepsMessages: compaction.keepsMessages });
    }
    return tell(telling, "compact_failed", { error: errorOf(fieldsOf(info.error)).message });
  }
  const { provider, model } = modelOf(info);
  state.provider = provider;
  state.model = model;
  state.hasUsage = false;
  if (parent === null) ensureTurn(telling);
  for (const part of parts) {
    yield* takePart(state, part, parent);
    yield;
  }
  if (parent !== null) return takeNestedError(state, info, parent);
  if (!state.hasUsage) tellTokens(state, info);
  const done = numberOf(fieldAt(info.time, "completed"));
  tellFrom(telling, telling.line, done);
  endStep(telling, textOf(info.finish));
  const end = endOf(info, done !== null || parts.some((part) => part.type === "text"));
  if (end !== null) expectEnd(telling, end);
}

function* takePart(state: OpencodeState, part: Fields, parent: string | null): Generator<void> {
  const take = rowOf(OPENCODE_PARTS, part.type);
  if (take !== null) return yield* take(state, part, parent) ?? [];
  const reason = rowOf(OPENCODE_IGNORED, part.type);
  if (reason !== null) return ignoreKind(state.telling, reason);
  ignoreUnknown(state.telling, `part ${textOf(part.type) ?? ""}`);
}

function takeNestedError(state: OpencodeState, info: Fields, parent: string): void {
  const { message } = errorOf(fieldsOf(info.error));
  if (message !== null) notify(state.telling, "error", message, parent);
}

const FINISHES: Readonly<Record<string, TurnEnd>> = {
  stop: { result: "finished" },
  "end-turn": { result: "finished" },
  length: { result: "limit_reached", reason: "max_tokens" },
  "content-filter": { result: "rejected", reason: "content filter" },
  "tool-calls": { result: "interrupted" },
};

/** How the turn ends if this was its last answer; null leaves it as its calls said. */
function endOf(info: Fields, isWhole: boolean): TurnEnd | null {
  const error = errorOf(fieldsOf(info.error));
  if (error.message !== null) return error.end;
  const finish = textOf(info.finish);
  if (finish === null) return isWhole ? { result: "finished" } : null;
  if (finish === "tool-calls") return null;
  return rowOf(FINISHES, finish) ?? { result: "finished", reason: finish };
}

function modelOf(info: Fields): { readonly provider: string | null; readonly model: string | null } {
  return {
    provider: firstText(info.providerID, fieldAt(info.model, "providerID")),
    model: firstText(info.modelID, fieldAt(info.model, "modelID")),
  };
}
