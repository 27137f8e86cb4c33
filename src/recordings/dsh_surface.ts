// Compaction in DeepSeek Harness: its log keeps everything and says which events the model still sees (the surface).
// What leaves the surface stays readable here.

import { blocksText } from "./acp_content.ts";
import type { DshEvent, DshState } from "./dsh_state.ts";
import { messageOf } from "./dsh_turns.ts";
import { fieldAt, fieldsOf, firstText, isFields, numberOf } from "./fields.ts";
import { ignore, notify, tell } from "./telling.ts";
import { finishCompaction } from "./telling_compact.ts";

type Take = (state: DshState, event: DshEvent) => void;

const start: Take = (state, { data }) => {
  state.compaction = { summary: "", tokens: null, isOver: false };
  tell(state.telling, "compact_start", { reason: firstText(data.reason, fieldAt(data.trigger, "kind")) });
};
const summary: Take = (state, { data }) => {
  if (state.compaction !== null) {
    state.compaction.summary = blocksText(data.summary);
    state.compaction.tokens = numberOf(data.shadowedTokenCount);
  }
  ignore(state.telling, "summary, told with its message");
};
const end: Take = (state, { data }) => {
  const { compaction } = state;
  state.compaction = null;
  if (compaction === null || compaction.isOver) {
    return ignore(state.telling, "end of a compaction told before");
  }
  const error = firstText(
    fieldAt(data.error, "message"),
    data.error,
    fieldAt(data.reason, "message"),
    data.reason,
  );
  tell(state.telling, "compact_failed", { error: error ?? "nothing was replaced" });
};

export const DSH_COMPACTIONS: Readonly<Record<string, Take>> = {
  "compaction/start": start,
  "compaction/summary": summary,
  "compaction/end": end,
  "compact/start": start,
  "compact/summary": summary,
  "compact/end": end,
};

/** Keeps the surface as the log does. True where the event takes the place of others. */
export function foldSurface(state: DshState, event: DshEvent): boolean {
  const { surfaceOp, seq } = event;
  if (surfaceOp === "append") {
    state.surface.push(seq);
    return false;
  }
  if (!isFields(surfaceOp) || surfaceOp.op !== "replace") return false;
  const from = state.surface.indexOf(numberOf(surfaceOp.start) ?? -1);
  const to = state.surface.indexOf(numberOf(surfaceOp.end) ?? -1);
  if (from === -1 || to < from) state.surface.push(seq);
  else state.surface.splice(from, to - from + 1, seq);
  return true;
}

/** A message that stands for older ones: the end of a compaction. True when it was one and has been told. */
export function takeReplacement(state: DshState, event: DshEvent): boolean {
  if (!isFields(event.surfaceOp)) return false;
  const { telling, compaction } = state;
  const text = compaction?.summary || blocksText(messageOf(event.data).content);
  if (firstText(fieldAt(messageOf(event.data).source, "plugin")) === null && compaction === null) {
    notify(telling, "info", `A message above was replaced in the model's context:\n${text}`);
    return true;
  }
  if (compaction === null) tell(telling, "compact_start", {});
  else compaction.isOver = true;
  finishCompaction(telling, {
    summary: text,
    keepsMessages: state.surface.length > 1,
    tokensBefore: compaction?.tokens ?? null,
  });
  return true;
}

/** True for an operation on the surface that is not understood. */
export function isOddSurface(event: DshEvent): boolean {
  const op = event.surfaceOp;
  return op !== undefined && op !== "append" && fieldsOf(op).op !== "replace";
}
