// Unstable parts of ACP: child sessions under their parent (subagent_update, session_message), and compactions.
// A child session stands as one call; what happens in it is nested there.

import { blocksText, blockText } from "./acp_content.ts";
import { type AcpState, emit, ignore } from "./acp_state.ts";
import { closeBlock } from "./acp_text.ts";
import { fieldAt, type Fields, firstText, textOf } from "./fields.ts";

/** subagent_update: announces a child session, or says how it is. */
export function takeSubagent(state: AcpState, update: Fields, parent: string | null): void {
  const session = firstText(update.sessionId);
  if (session === null) return ignore(state, "subagent without a session");
  const id = `${state.options.idPrefix}session-${session}`;
  if (!state.children.has(session)) {
    state.children.set(session, id);
    closeBlock(state, parent);
    const title = firstText(update.title, update.description) ?? session;
    const detail = firstText(update.description);
    emit(state, "tool_call_start", { id, name: "Agent", parent_id: parent });
    emit(state, "tool_call_done", {
      id,
      name: "Agent",
      arguments: JSON.stringify({ description: title }),
      presentation: {
        title,
        kind: "think",
        body: detail === null || detail === title ? [] : [{ type: "markdown", text: detail }],
      },
      parent_id: parent,
    });
    if (fieldAt(update, "state", "state") === undefined) return;
  }
  if (fieldAt(update, "state", "state") !== "idle") return ignore(state, "state of a subagent");
  closeBlock(state, id);
  emit(state, "tool_result", { id, summary: firstText(update.title) ?? "Agent finished", parent_id: parent });
}

/** session_message and its chunks: a message between sessions, shown where it was sent to. */
export function takeSessionMessage(state: AcpState, update: Fields, parent: string | null): void {
  const child = state.children.get(textOf(update.recipientSessionId) ?? "") ?? parent;
  const text = update.sessionUpdate === "session_message_chunk"
    ? blockText(update.content)
    : blocksText(update.content);
  if (text === "") return ignore(state, "session message without content");
  closeBlock(state, child);
  const messageId = textOf(update.messageId);
  if (child === null) {
    emit(state, "notification", { level: "info", source: "session message", message: text });
  } else emit(state, "user_message", { message_id: messageId, text, kind: "run", parent_id: child });
}

/** compaction_update: one entity an id, from its start to its end. */
export function takeCompaction(state: AcpState, update: Fields): void {
  const id = textOf(update.compactionId) ?? "";
  const known = state.compactions.get(id);
  const status = textOf(update.status) ?? "in_progress";
  const summary = Array.isArray(update.summary) ? blocksText(update.summary) : known?.summary ?? "";
  state.compactions.set(id, { summary, status });
  if (known === undefined) emit(state, "compact_start", { reason: null });
  if (status === known?.status || status === "in_progress") {
    if (known !== undefined) ignore(state, "compaction without news");
    return;
  }
  if (status === "completed") {
    emit(state, "compact_done", {});
    if (summary !== "") emit(state, "notification", { level: "info", source: "summary", message: summary });
  } else {
    emit(state, "compact_failed", { error: firstText(update.error) ?? status });
  }
}

/** compaction_summary_chunk: the summary, told whole when the compaction is done. */
export function takeCompactionSummary(state: AcpState, update: Fields): void {
  const id = textOf(update.compactionId) ?? "";
  const known = state.compactions.get(id);
  const text = blockText(update.content);
  if (known?.status === "completed") {
    return emit(state, "notification", { level: "info", source: "summary", message: text });
  }
  if (known === undefined) emit(state, "compact_start", { reason: null });
  state.compactions.set(id, {
    summary: (known?.summary ?? "") + text,
    status: known?.status ?? "in_progress",
  });
  if (known !== undefined) ignore(state, "merged into the compaction's summary");
}
