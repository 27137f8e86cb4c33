// Compactions of a recorded session. Where the model goes on with a summary alone, what stood before goes above a
// marker; where it keeps the newest messages too, everything stays and a row tells the summary.

import { notify, tell, type Telling } from "./telling.ts";

export interface Compaction {
  /** What the model was given instead; "" when the record does not say. */
  readonly summary: string;
  readonly keepsMessages: boolean;
  readonly tokensBefore?: number | null;
  readonly tokensAfter?: number | null;
  readonly reason?: string | null;
}

/** A compaction told by one record, when it is over. */
export function tellCompaction(telling: Telling, compaction: Compaction): void {
  tell(telling, "compact_start", { reason: compaction.reason ?? null });
  finishCompaction(telling, compaction);
}

/** The end of a compaction whose start was told. */
export function finishCompaction(telling: Telling, compaction: Compaction): void {
  const { summary, keepsMessages } = compaction;
  if (!keepsMessages) {
    const text = summary === "" ? "(the summary was not recorded)" : summary;
    tell(telling, "surface", {
      op: "replace",
      items: [{ type: "message", role: "user", content: [{ type: "text", text }] }],
    });
  }
  tell(telling, "compact_done", {
    tokens_before: compaction.tokensBefore ?? null,
    tokens_after: compaction.tokensAfter ?? null,
  });
  if (keepsMessages && summary !== "") tellSummary(telling, summary);
}

/** What the model was given instead of older messages. */
export function tellSummary(telling: Telling, summary: string): void {
  notify(telling, "info", `Summary given to the model in place of older messages:\n${summary}`);
}
