// Message, thought and user chunks (ACP session/update): which piece continues a block, which begins one, and what
// only looks like an answer: banners, warnings, retries and provider errors that agents send as ordinary text.

import { blockText, isTextBlock } from "./acp_content.ts";
import { type AcpState, elapsedMs, emit, ignore, type OpenBlock } from "./acp_state.ts";
import { fieldAt, type Fields, fieldsOf, firstText, textOf } from "./fields.ts";

/** Ways of single agents, found by a part of agentInfo.name. */
interface Dialect {
  readonly name: string;
  /** A whole chunk without messageId that matches is a notification, not an answer. */
  readonly notices: readonly { readonly pattern: RegExp; readonly level: "warn" | "error" }[];
}

const DIALECTS: readonly Dialect[] = [
  {
    name: "codex-acp",
    notices: [
      { pattern: /^Warning: /, level: "warn" },
      {
        pattern:
          /^\s*\{"(?:error|type":\s*"error)"|^(?:Error|unexpected status|stream error|stream disconnected|exceeded retry limit|http error)\b/i,
        level: "error",
      },
    ],
  },
];

/** In front of every piece of a thought that goes on (Gemini). */
const EMPTY_HEADING = /^\*{4}\n/;
const RETRYING = /^Retrying \(attempt (\d+)\/(\d+)(?:, waiting (\d+(?:\.\d+)?)\s*s)?\)(?:\.\.\.|…)?\s*$/;
/** Marks a replay has in place of tool calls (Gemini), right behind a sentence. */
const CALL_MARKS = /([^\]\n])(\[Function Call: )/g;
const RETRY_OVER = /^Retry (?:finished|cancelled|aborted|failed)\b.*$/;

/** A piece of the agent's answer. */
export function takeMessageChunk(state: AcpState, update: Fields, parent: string | null): void {
  const told = blockText(update.content);
  const text = state.replaying ? told.replace(CALL_MARKS, "$1\n\n$2") : told;
  const messageId = textOf(update.messageId);
  if (text === "") return ignore(state, "empty chunk");
  if (takeInterjection(state, update, { text, messageId, parent })) return;
  if (state.turn !== null) {
    state.turn.retries = 0;
    state.turn.errorText = null;
  }
  const open = openBlock(state, "text", messageId, parent);
  const own = !isTextBlock(update.content);
  const piece = own && open.length > 0 ? `\n${text}\n` : text;
  open.length += piece.length;
  emit(state, "text_delta", { text: piece, parent_id: parent });
}

/** A piece of the agent's thoughts. Blank beginnings are left out: Codex starts each thought with two newlines. */
export function takeThoughtChunk(state: AcpState, update: Fields, parent: string | null): void {
  const messageId = textOf(update.messageId);
  const current = state.blocks.get(parent ?? "");
  const continues = current?.kind === "reasoning" && current.messageId === messageId;
  const told = blockText(update.content).replace(EMPTY_HEADING, "");
  const text = continues ? told : told.replace(/^\s*\n/, "");
  if (text === "") return ignore(state, "empty chunk");
  if (state.turn !== null) state.turn.retries = 0;
  const open = openBlock(state, "reasoning", messageId, parent);
  open.length += text.length;
  emit(state, "reasoning_delta", { id: open.reasoningId, text, parent_id: parent });
}

/** Closes the open text or reasoning of one agent, if any. */
export function closeBlock(state: AcpState, parent: string | null): void {
  const open = state.blocks.get(parent ?? "");
  if (open === undefined) return;
  state.blocks.delete(parent ?? "");
  if (open.kind === "text") {
    emit(state, "text_done", { parent_id: parent });
  } else {
    const elapsed = elapsedMs(state, open.sinceMs);
    emit(state, "reasoning_done", {
      id: open.reasoningId,
      elapsed_ms: state.replaying ? null : elapsed,
      parent_id: parent,
    });
  }
}

/** Closes every open block. */
export function closeBlocks(state: AcpState): void {
  for (const key of [...state.blocks.keys()]) closeBlock(state, key === "" ? null : key);
}

function openBlock(
  state: AcpState,
  kind: OpenBlock["kind"],
  messageId: string | null,
  parent: string | null,
): OpenBlock {
  const current = state.blocks.get(parent ?? "");
  if (current?.kind === kind && current.messageId === messageId) return current;
  closeBlock(state, parent);
  const reasoningId = kind === "reasoning" ? `${state.options.idPrefix}thought-${++state.reasonings}` : "";
  const open: OpenBlock = { kind, messageId, reasoningId, sinceMs: state.nowMs, length: 0 };
  state.blocks.set(parent ?? "", open);
  if (kind === "reasoning") emit(state, "reasoning_start", { id: reasoningId, parent_id: parent });
  return open;
}

/** True when the chunk was something other than an answer and has been dealt with. */
function takeInterjection(
  state: AcpState,
  update: Fields,
  chunk: { text: string; messageId: string | null; parent: string | null },
): boolean {
  const { text, messageId, parent } = chunk;
  if (state.banner !== null && text === state.banner) {
    state.banner = null;
    ignore(state, "start banner, shown in the greeting");
    return true;
  }
  const retry = RETRYING.exec(text);
  if (retry !== null) {
    closeBlock(state, parent);
    if (state.turn !== null) state.turn.retries++;
    emit(state, "retry", {
      attempt: Number(retry[1]),
      max_attempts: Number(retry[2]),
      wait_ms: retry[3] === undefined ? null : Number(retry[3]) * 1000,
    });
    return true;
  }
  if (RETRY_OVER.test(text.trim()) && (state.turn?.retries ?? 0) > 0) {
    ignore(state, "end of retries");
    return true;
  }
  const told = fieldAt(update, "_meta", "claudeCode", "kind") === "informational"
    ? levelOf(fieldAt(update, "_meta", "claudeCode", "level"))
    : messageId === null
    ? dialectLevel(state, text)
    : null;
  if (told === null) return false;
  closeBlock(state, parent);
  if (told === "error" && state.turn !== null) state.turn.errorText = text.trim();
  emit(state, "notification", {
    level: told,
    source: state.agent.title,
    message: readableError(text.trim()).replace(/^\*\*Warning:\*\*\s*|^Warning:\s*/, ""),
    parent_id: parent,
  });
  return true;
}

function dialectLevel(state: AcpState, text: string): "warn" | "error" | null {
  const dialect = DIALECTS.find((one) => state.agent.name.includes(one.name));
  return dialect?.notices.find((notice) => notice.pattern.test(text))?.level ?? null;
}

function levelOf(value: unknown): "info" | "warn" | "error" {
  return value === "error" ? "error" : value === "warning" || value === "warn" ? "warn" : "info";
}

/** An error's text for people: what a JSON text says in its message, code and status; other text as it is. */
export function readableError(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    const value = fieldsOf(JSON.parse(text));
    const error = Object.keys(fieldsOf(value.error)).length > 0 ? fieldsOf(value.error) : value;
    const message = firstText(error.message, value.message, value.detail, value.error);
    if (message === null) return text;
    const facts = [error.code, error.status].filter((fact) =>
      typeof fact === "string" || typeof fact === "number"
    );
    return facts.length === 0 ? message : `${message} (${facts.join(" ")})`;
  } catch {
    return text;
  }
}
