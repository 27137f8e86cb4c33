// User and assistant records of Claude Code. One message of the model is split over several records with the same
// id, a block or more in each; a user record may hold results, words of the person and texts for the model at once.

import { takeResult } from "./claude_results.ts";
import {
  type ClaudeState,
  closeTurn,
  finishCompacting,
  parentOf,
  stepOf,
  takePrompt,
  takeSteer,
  userId,
} from "./claude_state.ts";
import { closedInStream } from "./claude_stream.ts";
import { readUserText, type UserPiece } from "./claude_text.ts";
import { claudeCard, claudeSummary } from "./claude_tools.ts";
import { type Fields, fieldsList, fieldsOf, firstText, listOf, numberOf, rowOf, textOf } from "./fields.ts";
import { contentText, isTextPart } from "./recorded_content.ts";
import { askQuestion } from "./recorded_questions.ts";
import { ignore } from "./recorded_ignored.ts";
import { tell, tellText, tellThought } from "./telling.ts";
import { describeCall, tellCall, tellResult, toldId } from "./telling_calls.ts";
import { tellCompaction } from "./telling_compact.ts";
import { ensureTurn, expectEnd, tellUsage, type Tokens, type TurnEnd } from "./telling_turn.ts";

/** Where a block stands. */
export interface Place {
  readonly parent: string | null;
  readonly record: Fields;
  readonly messageId: string;
  readonly index: number;
}

type TakeBlock = (state: ClaudeState, block: Fields, place: Place) => void;

/** Blocks of the model's messages. A kind not here is named as text. */
const BLOCKS: Readonly<Record<string, TakeBlock>> = {
  text: (state, block, { parent, messageId }) => {
    const text = textOf(block.text) ?? "";
    if (parent === null) expectEnd(state.telling, { result: "finished" });
    const open = closedInStream(state, { parent, messageId, kind: "text" });
    if (open === null) return tellText(state.telling, text, parent);
    tell(state.telling, "text_done", { text, parent_id: parent });
  },
  thinking: (state, block, { parent, messageId, record }) => {
    const text = textOf(block.thinking) ?? "";
    const elapsedMs = numberOf(record.thinkingDurationMs);
    const open = closedInStream(state, { parent, messageId, kind: "thinking" });
    if (open === null) return tellThought(state.telling, text, { parent, elapsedMs });
    tell(state.telling, "reasoning_done", { id: open.id, text, elapsed_ms: elapsedMs, parent_id: parent });
  },
  redacted_thinking: (state) => ignore(state.telling, "reasoning kept secret by the model"),
  tool_use: takeCall,
  server_tool_use: takeCall,
  mcp_tool_use: takeCall,
  web_search_tool_result: takeServerResult,
  web_fetch_tool_result: takeServerResult,
  code_execution_tool_result: takeServerResult,
  bash_code_execution_tool_result: takeServerResult,
  text_editor_code_execution_tool_result: takeServerResult,
  mcp_tool_result: takeServerResult,
  tool_result: takeServerResult,
  fallback: (state, block) => {
    const from = firstText(fieldsOf(block.from).model) ?? "the model";
    const to = firstText(fieldsOf(block.to).model) ?? "another";
    tell(state.telling, "notification", {
      level: "warn",
      source: state.telling.agent,
      message: `Fell back from ${from} to ${to}`,
    });
  },
};

/** An assistant record. */
export function takeAssistant(state: ClaudeState, record: Fields): void {
  const { telling } = state;
  const message = fieldsOf(record.message);
  const blocks = blocksOf(
    message.content ?? (typeof record.message === "string" ? record.message : undefined),
  );
  const parent = toldId(telling, parentOf(state, record));
  const messageId = firstText(message.id, record.requestId, record.uuid) ?? `line ${telling.line}`;
  finishCompacting(state, "");
  if (record.isApiErrorMessage === true) {
    return takeApiError(state, contentText(message.content) ?? "", parent);
  }
  if (parent === null) stepOf(state, messageId, firstText(message.model));
  if (blocks.length === 0) ignore(telling, "message without content");
  blocks.forEach((block, index) => {
    const take = rowOf(BLOCKS, block.type);
    if (take !== null) return take(state, block, { parent, record, messageId, index });
    tellText(telling, contentText([block]) ?? "", parent);
  });
  if (parent !== null) return;
  takeStop(state, message);
  takeUsage(state, messageId, fieldsOf(message.usage));
}

/** Usage of a model request, repeated on each of its records. Our input tokens include the cached ones. */
export function takeUsage(state: ClaudeState, messageId: string, usage: Fields): void {
  const { telling, requests } = state;
  const input = numberOf(usage.input_tokens);
  const output = numberOf(usage.output_tokens);
  if (input === null && output === null) return;
  const read = numberOf(usage.cache_read_input_tokens);
  const write = numberOf(usage.cache_creation_input_tokens);
  const tokens: Tokens = {
    input: (input ?? 0) + (read ?? 0) + (write ?? 0),
    output,
    cacheRead: read,
    cacheWrite: write,
    reasoning: numberOf(fieldsOf(usage.output_tokens_details).thinking_tokens),
  };
  const step = requests.steps.get(messageId);
  if (step === undefined || telling.turn === null) return;
  const told = `${tokens.input}/${output}/${read}/${write}`;
  if (requests.usage.get(step) === told) return;
  requests.usage.set(step, told);
  state.lastUsage = { turn: telling.turn.number, step, tokens };
  tellUsage(telling, tokens, { turn: telling.turn.number, step });
}

/** How the model's stop ends a turn; a tool call or nothing says that it goes on. */
const STOPS: Readonly<Record<string, TurnEnd>> = {
  end_turn: { result: "finished" },
  stop_sequence: { result: "finished" },
  max_tokens: { result: "limit_reached", reason: "max_tokens" },
  model_context_window_exceeded: { result: "limit_reached", reason: "context window" },
  refusal: { result: "rejected", reason: "refusal" },
};

function takeStop(state: ClaudeState, message: Fields): void {
  const end = rowOf(STOPS, message.stop_reason);
  if (end !== null) expectEnd(state.telling, end);
}

/** A tool call of the model; one that was streamed gets its arguments. */
function takeCall(state: ClaudeState, block: Fields, { parent, messageId, index }: Place): void {
  const { telling } = state;
  const given = firstText(block.id);
  const id = given ?? `${messageId}#${telling.line}.${index}`;
  const name = firstText(block.name) ?? "tool";
  const input = fieldsOf(block.input);
  const args = block.input === undefined || block.input === null ? {} : block.input;
  if (given === null) state.idless.push({ id, parent });
  if (parent === null) expectEnd(telling, { result: "interrupted" });
  const known = telling.calls.get(id);
  if (known !== undefined && !known.isOver && known.args === null) {
    closedInStream(state, { parent, messageId, kind: "tool_use", id });
    known.name = name;
    describeCall(telling, known, { args, card: claudeCard(name, input) });
  } else tellCall(telling, { id, name, args, parent, card: claudeCard(name, input) });
  const told = toldId(telling, id) ?? id;
  if (name === "Task" || name === "Agent") {
    state.agentCalls.push({ id: told, prompt: textOf(input.prompt) ?? "", isOver: false });
  }
  if (name === "AskUserQuestion" && parent === null) askUser(state, told, input);
}

function askUser(state: ClaudeState, callId: string, input: Fields): void {
  const questions = fieldsList(input.questions).map((question, index) => ({
    id: String(index + 1),
    header: textOf(question.header) ?? "",
    text: textOf(question.question) ?? "",
    multi: question.multiSelect === true,
    allow_text: true,
    options: fieldsList(question.options).map((option) => ({
      id: textOf(option.label) ?? "",
      label: textOf(option.label) ?? "",
      description: textOf(option.description),
    })),
  }));
  if (questions.length === 0) return;
  askQuestion(state.telling, state.questions, { batch_id: callId, tool_call_id: callId, questions });
}

/** Results of tools that ran at the provider come in the model's own message. */
function takeServerResult(state: ClaudeState, block: Fields, { parent }: Place): void {
  const { telling } = state;
  const id = firstText(block.tool_use_id) ?? `result-${telling.line}`;
  const content = fieldsOf(block.content);
  const error = firstText(content.error_code);
  const output = error ??
    contentText(listOf(block.content).length > 0 ? block.content : content.content ?? block.content);
  tellResult(telling, id, { output, isError: error !== null || block.is_error === true });
  if (parent === null) expectEnd(telling, { result: "interrupted" });
}

/** What the provider said instead of an answer. */
function takeApiError(state: ClaudeState, text: string, parent: string | null): void {
  const { telling } = state;
  if (parent !== null) {
    return tell(telling, "notification", {
      level: "error",
      source: telling.agent,
      message: text,
      parent_id: parent,
    });
  }
  ensureTurn(telling);
  const message = text === "" ? "API error" : text;
  expectEnd(telling, { result: "error", reason: "provider_error", message });
  tell(telling, "error", { code: "provider_error", message });
}

/** A user record. */
export function takeUser(state: ClaudeState, record: Fields): void {
  const { telling } = state;
  const content = typeof record.message === "string" ? record.message : fieldsOf(record.message).content;
  const parent = toldId(telling, parentOf(state, record));
  const blocks = blocksOf(content);
  const results = blocks.filter((block) => block.type === "tool_result");
  const structured = results.length === 1 ? record.toolUseResult ?? record.tool_use_result : undefined;
  for (const block of results) takeResult(state, block, { structured, parent, record });
  const rest = blocks.filter((block) => block.type !== "tool_result");
  if (rest.length === 0) {
    if (results.length === 0) ignore(telling, "user message without content");
    return;
  }
  if (record.isCompactSummary === true) return takeSummary(state, contentText(rest) ?? "");
  const pieces = piecesOf(rest);
  if (record.isMeta === true && !pieces.some((piece) => piece.kind === "interrupted")) {
    return ignore(telling, "context for the model");
  }
  const isHuman = isFromPerson(record);
  for (const piece of pieces) takePiece(state, piece, { parent, isSteer: results.length > 0, isHuman });
  if (pieces.length === 0) ignore(telling, "user message without content");
}

/** Senders of user records that are no person. Others are taken for one. */
const MACHINES: ReadonlySet<string> = new Set([
  "task-notification",
  "hook",
  "system",
  "cron",
  "scheduled",
  "monitor",
]);

/** True where the record's origin is a person, or not told. */
export function isFromPerson(record: Fields): boolean {
  const kind = firstText(fieldsOf(record.origin).kind);
  return kind === null || !MACHINES.has(kind);
}

/** One piece of a user text. */
export function takePiece(
  state: ClaudeState,
  piece: UserPiece,
  about: { readonly parent: string | null; readonly isSteer: boolean; readonly isHuman: boolean },
): void {
  const { telling } = state;
  const { parent } = about;
  switch (piece.kind) {
    case "ignored":
      return ignore(telling, piece.what);
    case "note":
      return takeNote(state, piece, parent);
    case "summary":
      return takeSummary(state, piece.text);
    case "interrupted":
      if (parent !== null || !closeTurn(state, { result: "cancelled" })) {
        ignore(telling, "interruption of nothing");
      }
      return;
    case "shell":
      return takeShell(state, piece.command);
    case "shell_output":
      return takeShellOutput(state, piece.output);
    case "prompt":
      if (parent !== null) {
        return tell(telling, "user_message", {
          message_id: userId(state),
          text: piece.text,
          kind: "run",
          parent_id: parent,
        });
      }
      if (!about.isHuman) {
        return tell(telling, "notification", { level: "info", source: "task", message: piece.text });
      }
      return about.isSteer ? takeSteer(state, piece.text) : takePrompt(state, piece.text);
  }
}

function takeNote(state: ClaudeState, piece: UserPiece & { kind: "note" }, parent: string | null): void {
  // What a command printed is all the answer it gives.
  if (piece.source === "command" && parent === null) expectEnd(state.telling, { result: "finished" });
  tell(state.telling, "notification", {
    level: piece.level,
    source: piece.source,
    message: piece.text,
    parent_id: parent,
  });
}

/** A command the person ran with "!" is a message and a call of its own. */
function takeShell(state: ClaudeState, command: string): void {
  const id = `shell-${userId(state)}`;
  takePrompt(state, `!${command}`);
  tellCall(state.telling, { id, name: "Bash", args: { command } });
  state.shellCall = id;
}

function takeShellOutput(state: ClaudeState, output: string): void {
  const { telling, shellCall } = state;
  expectEnd(telling, { result: "finished" });
  if (shellCall === null) {
    return output.trim() === ""
      ? ignore(telling, "command without output")
      : tell(telling, "notification", { level: "info", source: "shell", message: output });
  }
  state.shellCall = null;
  const input = fieldsOf(telling.calls.get(shellCall)?.args);
  const summary = claudeSummary("Bash", { input, structured: {}, output, cwd: null });
  tellResult(telling, shellCall, { output, isError: false, summary });
}

/** What the model was given in place of what came before. */
function takeSummary(state: ClaudeState, summary: string): void {
  if (finishCompacting(state, summary)) return;
  tellCompaction(state.telling, { summary, keepsMessages: false });
}

/** The pieces of all blocks; words and images that stand together are one message. */
function piecesOf(blocks: readonly Fields[]): readonly UserPiece[] {
  const pieces: UserPiece[] = [];
  let words: Fields[] = [];
  const flush = () => {
    const text = words.length === 0 ? "" : contentText(words) ?? "";
    words = [];
    if (text.trim() !== "") pieces.push({ kind: "prompt", text });
  };
  for (const block of blocks) {
    if (!isTextPart(block)) {
      words.push(block);
      continue;
    }
    for (const piece of readUserText(textOf(block.text) ?? "")) {
      if (piece.kind === "prompt") {
        if (words.length > 0 && isTextPart(words.at(-1))) words.push({ type: "text", text: "\n" });
        words.push({ type: "text", text: piece.text });
      } else {
        flush();
        pieces.push(piece);
      }
    }
  }
  flush();
  return pieces;
}

/** Content as blocks: a string is one text, and a bare string in a list too. */
export function blocksOf(content: unknown): readonly Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listOf(content).flatMap((block): Fields[] =>
    typeof block === "string" ? [{ type: "text", text: block }] : [fieldsOf(block)]
  );
}
