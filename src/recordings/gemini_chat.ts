// Messages of Gemini CLI's chat files as events. A message may be written again with more in it; only what is new is
// told. A list that replaces the model's context takes nothing from what has been shown.

import {
  fieldAt,
  type Fields,
  fieldsList,
  fieldsOf,
  firstText,
  listOf,
  numberOf,
  rowOf,
  textOf,
} from "./fields.ts";
import {
  geminiTokens,
  isInjected,
  partsOf,
  partsText,
  partsThought,
  responseResult,
  responsesOf,
} from "./gemini_parts.ts";
import type { GeminiMessage, GeminiState } from "./gemini_state.ts";
import { firstMessages, type SessionDocument } from "./session_document.ts";
import {
  ignore,
  ignoreKind,
  ignoreUnknown,
  notify,
  tellContextText,
  tellFrom,
  tellText,
  tellThought,
  tellTitle,
  timeOf,
} from "./telling.ts";
import { tellCall, tellResult, toldId } from "./telling_calls.ts";
import { tellCompaction } from "./telling_compact.ts";
import { beginStep, beginTurn, ensureTurn, expectEnd, tellUsage } from "./telling_turn.ts";

type Take = (state: GeminiState, message: Fields) => void;

/** What each type of message tells. */
export const MESSAGES: Readonly<Record<string, Take>> = {
  user: takeUser,
  gemini: takeAnswer,
  model: takeAnswer,
  info: (state, message) => takeNotice(state, message, "info"),
  warning: (state, message) => takeNotice(state, message, "warn"),
  error: (state, message) => {
    takeNotice(state, message, "error");
    expectEnd(state.telling, { result: "error" });
  },
};

/** Types of messages, and names of a patch, that are known and not shown. */
export const GEMINI_IGNORED: Readonly<Record<string, string>> = {
  about: "version of the program",
  quit: "end of the program",
  stats: "statistics of the session",
  lastUpdated: "time of the last change",
  startTime: "time of the start",
  projectHash: "key of the project",
  sessionId: "id of the session",
  kind: "kind of the session",
  memoryScratchpad: "notes for the agent's memory",
};

/** The header of a file; an old file holds the whole session in it. Gives way after each message. */
export function* takeHeader(state: GeminiState, document: SessionDocument): Generator<void> {
  const { telling } = state;
  const record = document.head;
  if (!state.hasHeader) {
    state.hasHeader = true;
    telling.greeting.sessionId = textOf(record.sessionId);
    telling.greeting.cwd = textOf(listOf(record.directories)[0]) ?? telling.greeting.cwd;
    telling.greeting.model = firstText(fieldAt(record.meta, "model")) ?? firstModel(document);
    if (record.kind === "subagent") telling.greeting.notes.push("Session of a nested agent");
    tellFrom(telling, telling.line, timeOf(record.startTime));
    ignore(telling, "session header, told in the greeting");
  } else ignore(telling, "session header repeated");
  if (typeof record.summary === "string") tellTitle(telling, record.summary);
  for (let index = 0; index < document.count; index++) {
    const message = document.messageAt(index);
    if (message.kind === "problem") telling.steps.push(message);
    else takeMessage(state, message.value);
    yield;
  }
}

/** `$set`: what of the session's fields changed. */
export function takePatch(state: GeminiState, patch: Fields): void {
  const { telling } = state;
  for (const [name, value] of Object.entries(patch)) {
    if (name === "messages") takeContext(state, fieldsList(value));
    else if (name === "summary") tellTitle(telling, textOf(value));
    else if (name === "directories") {
      if (!telling.greeted) telling.greeting.cwd = textOf(listOf(value)[0]) ?? telling.greeting.cwd;
      ignore(telling, "working directories, told in the greeting");
    } else {
      const reason = rowOf(GEMINI_IGNORED, name);
      if (reason === null) ignoreUnknown(telling, `$set ${name}`);
      else ignoreKind(telling, reason);
    }
  }
}

/** One message, new or written again. */
export function takeMessage(state: GeminiState, message: Fields): void {
  tellFrom(state.telling, state.telling.line, timeOf(message.timestamp));
  const take = rowOf(MESSAGES, message.type);
  if (take !== null) return take(state, message);
  const reason = rowOf(GEMINI_IGNORED, message.type);
  if (reason === null) ignoreUnknown(state.telling, `message ${textOf(message.type) ?? ""}`);
  else ignoreKind(state.telling, reason);
}

/** The model's context was replaced: at the start, by a compression, or because a cancelled turn was taken back. */
function takeContext(state: GeminiState, messages: readonly Fields[]): void {
  const { telling } = state;
  const ids = new Set(messages.map((message) => textOf(message.id) ?? ""));
  const dropped = state.told.filter((id) => !ids.has(id)).length;
  const kept = state.told.length - dropped;
  const snapshot = messages.find((message) =>
    !state.users.has(textOf(message.id) ?? "") && /<state_snapshot>/.test(messageText(message))
  );
  if (dropped > 0 && snapshot !== undefined) {
    state.users.add(textOf(snapshot.id) ?? "");
    tellCompaction(telling, { summary: messageText(snapshot), keepsMessages: kept > 0 });
  } else if (dropped > 0) {
    notify(telling, "info", `${dropped} of the messages above were taken out of the model's context`);
  } else ignore(telling, "context of the model, as told");
  state.told.length = 0;
  for (const message of messages) {
    const id = textOf(message.id) ?? "";
    if (state.users.has(id) || state.messages.has(id)) state.told.push(id);
    takeMessage(state, message);
  }
}

function takeUser(state: GeminiState, message: Fields): void {
  const { telling } = state;
  const parts = partsOf(message.content ?? message.parts);
  const id = textOf(message.id);
  const responses = responsesOf(parts);
  for (const response of responses) takeResponse(state, response);
  const text = partsText(parts);
  if (text.trim() === "") return responses.length === 0 ? ignore(telling, "empty message") : undefined;
  if (id !== null && state.users.has(id)) return ignore(telling, "message told again");
  if (id !== null) {
    state.users.add(id);
    state.told.push(id);
  }
  if (isInjected(text)) {
    if (!telling.greeted) telling.greeting.cwd ??= workspaceOf(text);
    return tellContextText(telling, text);
  }
  const shown = partsText(partsOf(message.displayContent));
  beginTurn(telling, { text: shown.trim() === "" ? text : shown, messageId: id });
}

/** What a tool answered, as sent to the model. Its call mostly has told it. */
function takeResponse(state: GeminiState, response: Fields): void {
  const { telling } = state;
  const id = textOf(response.id) ?? "";
  const call = telling.calls.get(id);
  if (call?.isOver === true) return ignore(telling, "result told by its call");
  ensureTurn(telling);
  const name = call?.name ?? textOf(response.name) ?? "tool";
  tellResult(telling, id, responseResult({ name, path: pathIn(call?.args) }, response.response, {}));
}

function takeAnswer(state: GeminiState, message: Fields): void {
  const { telling } = state;
  const id = textOf(message.id) ?? `line-${telling.line}`;
  const parts = partsOf(message.content ?? message.parts);
  const content = partsText(parts);
  const thoughts = fieldsList(message.thoughts);
  const calls = fieldsList(message.toolCalls);
  let known = state.messages.get(id);
  if (known === undefined) {
    // Calls are often written as a message of their own, behind the one whose request they came from.
    const isRest = content === "" && thoughts.length === 0 && message.tokens === undefined &&
      telling.turn !== null && telling.turn.step > 0;
    if (!isRest) beginStep(telling, { provider: null, model: textOf(message.model) });
    const turn = ensureTurn(telling);
    known = { content: "", thoughts: 0, step: { turn: turn.number, step: turn.step }, usage: "" };
    state.messages.set(id, known);
    state.told.push(id);
  }
  tellThoughts(state, known, thoughts, partsThought(parts));
  if (content !== known.content) {
    const isMore = content.startsWith(known.content);
    tellText(telling, isMore ? content.slice(known.content.length) : content);
    known.content = content;
    expectEnd(telling, { result: "finished" });
  }
  for (const call of calls) takeCall(state, call);
  takeTokens(state, known, fieldsOf(message.tokens));
}

function tellThoughts(
  state: GeminiState,
  known: GeminiMessage,
  thoughts: readonly Fields[],
  inline: string,
): void {
  const fresh = thoughts.slice(known.thoughts);
  known.thoughts = Math.max(known.thoughts, thoughts.length);
  let text = "";
  for (const thought of fresh) {
    const subject = textOf(thought.subject) ?? "";
    const description = textOf(thought.description) ?? "";
    // A thought without a subject goes on with the one before: it came in pieces.
    if (subject === "") text += description;
    else text += `${text === "" ? "" : "\n\n"}**${subject}**\n${description}`;
  }
  if (fresh.length > 0) tellThought(state.telling, text);
  if (inline !== "" && known.content === "") tellThought(state.telling, inline);
}

const OVER: ReadonlySet<string> = new Set(["success", "error", "cancelled"]);

function takeCall(state: GeminiState, call: Fields): void {
  const { telling } = state;
  const id = textOf(call.id) ?? "";
  const name = textOf(call.name) ?? "tool";
  const status = textOf(call.status) ?? "";
  const told = telling.calls.get(id);
  if (told === undefined || !told.isOver) tellCall(telling, { id, name, args: call.args });
  // An old call is written again with every new one of its message.
  if (told?.isOver === true || !OVER.has(status)) return;
  expectEnd(telling, { result: status === "cancelled" ? "cancelled" : "interrupted" });
  const display = call.resultDisplay;
  for (const activity of fieldsList(fieldAt(display, "recentActivity"))) {
    notify(
      telling,
      "info",
      `${textOf(activity.type) ?? ""}: ${textOf(activity.content) ?? ""}`,
      toldId(telling, id),
    );
  }
  const [response] = responsesOf(partsOf(call.result));
  const found = responseResult({ name, path: pathIn(call.args) }, response?.response, { display, status });
  tellResult(telling, id, found);
}

function takeTokens(state: GeminiState, known: GeminiMessage, tokens: Fields): void {
  const usage = JSON.stringify(tokens);
  if (usage === "{}" || usage === known.usage) return;
  known.usage = usage;
  tellUsage(
    state.telling,
    geminiTokens({
      input: numberOf(tokens.input),
      output: numberOf(tokens.output),
      thoughts: numberOf(tokens.thoughts),
      total: numberOf(tokens.total),
      cached: numberOf(tokens.cached),
    }),
    known.step,
  );
}

function takeNotice(state: GeminiState, message: Fields, level: "info" | "warn" | "error"): void {
  const id = textOf(message.id);
  if (id !== null && state.users.has(id)) return ignore(state.telling, "message told again");
  if (id !== null) state.users.add(id);
  const text = messageText(message);
  notify(state.telling, level, text);
  if (/^\s*(?:request|operation)? ?cancell?ed\b/i.test(text)) {
    expectEnd(state.telling, { result: "cancelled" });
  }
}

function messageText(message: Fields): string {
  return partsText(partsOf(message.content ?? message.parts));
}

function pathIn(args: unknown): string | null {
  const fields = fieldsOf(args);
  return firstText(fields.file_path, fields.absolute_path, fields.path);
}

/** The first working directory the injected context names. */
function workspaceOf(text: string): string | null {
  return /Workspace Directories:\*\*\n\s+- (\S[^\n]*)/.exec(text)?.[1] ??
    /current working directory(?: is)?:? (\/[^\n]+)/i.exec(text)?.[1] ?? null;
}

function firstModel(document: SessionDocument): string | null {
  for (const message of firstMessages(document)) {
    if (typeof message.model === "string" && message.model !== "") return message.model;
  }
  return null;
}
