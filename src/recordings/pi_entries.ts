// Entries of a pi session file as events, and the messages they share with `--mode json`. One row a kind.

import { blocksText } from "./acp_content.ts";
import { readableError } from "./acp_text.ts";
import { fieldAt, type Fields, fieldsList, fieldsOf, firstText, numberOf, rowOf, textOf } from "./fields.ts";
import type { PiState } from "./pi_state.ts";
import { cutLine, exitInText } from "./result_summary.ts";
import {
  ignore,
  ignoreUnknown,
  notify,
  tell,
  tellContextText,
  tellText,
  tellThought,
  tellTitle,
} from "./telling.ts";
import { tellCompaction, tellSummary } from "./telling_compact.ts";
import { type FoundResult, tellCall, tellResult } from "./telling_calls.ts";
import {
  beginStep,
  beginTurn,
  endStep,
  endTurn,
  ensureTurn,
  expectEnd,
  tellRetry,
  tellSteer,
  tellUsage,
  type TurnEnd,
} from "./telling_turn.ts";

type Take = (state: PiState, record: Fields) => void;

/** Kinds of records that are known and not shown, with the reason. */
export const PI_IGNORED: Readonly<Record<string, string>> = {
  custom: "data an extension keeps for itself",
  label: "bookmark of an entry",
  leaf: "mark of the active entry",
  agent_start: "start of a run, told by its message",
  turn_start: "start of a request, told by its message",
  agent_settled: "end of a run, told by agent_end",
  queue_update: "queue of messages, each told when it is sent",
  extension_ui_request: "request to the extension's own screen",
};

/** What each kind of entry tells. */
export const PI_ENTRIES: Readonly<Record<string, Take>> = {
  session: takeSession,
  message: (state, record) => takeMessage(state, fieldsOf(record.message), textOf(record.id)),
  model_change: (state, record) => {
    const provider = textOf(record.provider);
    const model = textOf(record.modelId);
    if (!state.telling.greeted) {
      state.telling.greeting.provider = provider;
      state.telling.greeting.model = model;
      return ignore(state.telling, "model before the first message, told in the greeting");
    }
    tell(state.telling, "model_selected", { provider, model, source: "request" });
    notify(state.telling, "info", `Model: ${[provider, model].filter((part) => part !== null).join("/")}`);
  },
  thinking_level_change: (state, record) => {
    const level = textOf(record.thinkingLevel) ?? "";
    if (!state.telling.greeted) {
      const { notes } = state.telling.greeting;
      notes.splice(0, notes.length, `Thinking level: ${level}`);
      return ignore(state.telling, "thinking level before the first message, told in the greeting");
    }
    notify(state.telling, "info", `Thinking level: ${level}`);
  },
  compaction: (state, record) => {
    tellCompaction(state.telling, {
      reason: record.fromHook === true ? "asked by an extension" : null,
      summary: textOf(record.summary) ?? "",
      keepsMessages: textOf(record.firstKeptEntryId) !== null,
      tokensBefore: numberOf(record.tokensBefore),
    });
  },
  branch_summary: (state, record) => {
    const summary = textOf(record.summary) ?? "";
    if (summary === "") return ignore(state.telling, "empty summary of a branch");
    notify(state.telling, "info", `Summary of the branch left behind:\n${summary}`);
  },
  context_edit: takeContextEdit,
  session_info: (state, record) => tellTitle(state.telling, textOf(record.name)),
  custom_message: (state, record) => takeCustom(state, record),
};

function takeSession(state: PiState, record: Fields): void {
  const { greeting } = state.telling;
  greeting.sessionId = textOf(record.id);
  greeting.cwd = textOf(record.cwd);
  greeting.provider = textOf(record.provider);
  greeting.model = textOf(record.modelId);
  const level = textOf(record.thinkingLevel);
  if (level !== null) greeting.notes.push(`Thinking level: ${level}`);
  if (textOf(record.parentSession) !== null) greeting.notes.push("Continues another session");
  ignore(state.telling, "session header, told in the greeting");
}

type TakeMessage = (state: PiState, message: Fields, entryId: string | null) => void;

/** Messages by role. */
const ROLES: Readonly<Record<string, TakeMessage>> = {
  user: takeUser,
  assistant: takeAssistant,
  toolResult: (state, message) => takeToolResult(state, message),
  system: (state) => ignore(state.telling, "system prompt"),
  bashExecution: takeBash,
  custom: (state, message) => takeCustom(state, message),
  hookMessage: (state, message) => takeCustom(state, message),
  branchSummary: (state, message) =>
    notify(state.telling, "info", `Summary of the branch left behind:\n${textOf(message.summary) ?? ""}`),
  compactionSummary: (state, message) => tellSummary(state.telling, textOf(message.summary) ?? ""),
};

/** A whole message, from an entry or at the end of a live one. */
export function takeMessage(state: PiState, message: Fields, entryId: string | null): void {
  const role = textOf(message.role) ?? "";
  const take = rowOf(ROLES, role);
  if (take === null) return ignoreUnknown(state.telling, `message of ${role}`);
  take(state, message, entryId);
}

/** A message while the agent still works goes into its turn: every call has its result and an answer is owed. */
function takeUser(state: PiState, message: Fields, entryId: string | null): void {
  const { telling } = state;
  const text = contentText(message.content);
  const { turn } = telling;
  state.failed = null;
  const isSteer = turn !== null && turn.end.result === "interrupted" && turn.requests > 0 &&
    telling.open.size === 0;
  if (isSteer) tellSteer(telling, { text, messageId: entryId });
  else beginTurn(telling, { text, messageId: entryId });
}

function takeAssistant(state: PiState, message: Fields, entryId: string | null): void {
  const { telling } = state;
  beginStep(telling, { provider: textOf(message.provider), model: textOf(message.model) });
  for (const block of fieldsList(message.content)) takeBlock(state, block);
  closeAssistant(state, message, entryId);
}

/** Usage and end of an answer whose content has been told. */
export function closeAssistant(state: PiState, message: Fields, entryId: string | null): void {
  const { telling } = state;
  const usage = fieldsOf(message.usage);
  const read = numberOf(usage.cacheRead);
  const write = numberOf(usage.cacheWrite);
  const input = numberOf(usage.input);
  tellUsage(telling, {
    input: input === null ? null : input + (read ?? 0) + (write ?? 0),
    output: numberOf(usage.output),
    cacheRead: read,
    cacheWrite: write,
    reasoning: numberOf(usage.reasoning),
    costUsd: numberOf(fieldAt(usage.cost, "total")),
  });
  const stop = textOf(message.stopReason) ?? "";
  endStep(telling, stop === "" ? null : stop);
  state.failed = null;
  const error = errorText(textOf(message.errorMessage));
  if (stop === "error") {
    const shown = error ?? "the provider gave no reason";
    if (entryId !== null) state.failed = { entryId, error: shown, notice: false };
    return expectEnd(telling, { result: "error", reason: "provider_error", message: shown });
  }
  const end = rowOf(STOPS, stop);
  if (end !== null) endTurn(telling, end);
}

/** Stop reasons that end the turn. "toolUse" goes on; "error" may be tried again. */
const STOPS: Readonly<Record<string, TurnEnd>> = {
  stop: { result: "finished" },
  length: { result: "limit_reached", reason: "max_tokens" },
  aborted: { result: "cancelled" },
};

function takeBlock(state: PiState, block: Fields): void {
  const { telling } = state;
  switch (block.type) {
    case "thinking":
      return tellThought(telling, textOf(block.thinking) ?? "");
    case "text":
      return tellText(telling, textOf(block.text) ?? "");
    case "toolCall":
      tellCall(telling, {
        id: textOf(block.id) ?? "",
        name: textOf(block.name) ?? "tool",
        args: block.arguments,
      });
      return;
    default:
      return tellText(telling, blocksText([block]));
  }
}

/** A tool's result, from a message or at the end of a live call. */
export function takeToolResult(state: PiState, message: Fields): void {
  const { telling } = state;
  ensureTurn(telling);
  const id = textOf(message.toolCallId) ?? "";
  const call = telling.calls.get(id);
  tellResult(
    telling,
    id,
    foundResult(message, {
      name: textOf(message.toolName),
      args: fieldsOf(call?.args),
    }),
  );
}

/** pi fails a command that did not end with 0, and says the code in its text. */
export function foundResult(
  message: Fields,
  call: { readonly name: string | null; readonly args: Fields },
): FoundResult {
  const output = contentText(message.content);
  const isError = message.isError === true;
  const exit = exitInText(output);
  const isBash = call.name === "bash";
  const patch = textOf(fieldAt(message.details, "patch"));
  const path = firstText(call.args.path, call.args.file_path);
  return {
    output,
    isError,
    name: call.name,
    exitCode: isBash ? exit.code ?? (isError ? null : 0) : null,
    patch: patch === null || path === null ? null : { path, text: patch },
  };
}

/** The person's own command, told as a call that is over at once. */
function takeBash(state: PiState, message: Fields, entryId: string | null): void {
  const { telling } = state;
  const id = entryId ?? `command-${telling.line}`;
  const exitCode = numberOf(message.exitCode);
  const output = textOf(message.output) ?? "";
  tellCall(telling, { id, name: "bash", args: { command: textOf(message.command) ?? "" } });
  tellResult(telling, id, {
    output: message.truncated === true ? `${output}\n(output truncated)` : output,
    isError: message.cancelled === true || (exitCode !== null && exitCode !== 0),
    exitCode,
    summary: message.cancelled === true ? "cancelled" : null,
  });
}

/** A message of an extension: shown where the extension wants it seen. */
function takeCustom(state: PiState, message: Fields): void {
  const text = contentText(message.content);
  if (text.trim() === "") return ignore(state.telling, "empty message of an extension");
  if (message.display === false) return tellContextText(state.telling, text);
  notify(state.telling, "info", `${firstText(message.customType) ?? "extension"}: ${text}`);
}

/** An entry taken out of the context: a failed request that is tried again, or a message kept from the model. */
function takeContextEdit(state: PiState, record: Fields): void {
  const { telling, failed } = state;
  const target = textOf(record.targetId);
  if (failed !== null && failed.entryId === target) {
    state.failed = null;
    return tellRetry(telling, { error: failed.error });
  }
  const how = record.replacement === null || record.replacement === undefined
    ? "taken out of"
    : "replaced in";
  notify(telling, "info", `A message above was ${how} the model's context`);
}

/** Text and images of a content list; a plain string as it is. */
export function contentText(content: unknown): string {
  return typeof content === "string" ? content : blocksText(content);
}

/** "400: {json}" as people read it. */
export function errorText(text: string | null): string | null {
  if (text === null || text === "") return null;
  const [, status, json] = /^(\d{3}):? (\{[\s\S]*\})\s*$/.exec(text) ?? [];
  if (json === undefined) return cutLine(readableError(text)) === "" ? text : readableError(text);
  const said = readableError(json);
  return said === json ? text : `${said.replace(/ \(\w+\)$/, "")} (${status})`;
}
