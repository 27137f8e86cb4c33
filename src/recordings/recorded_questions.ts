// Questions and permissions of a recorded session: asked once, closed with what was answered, or with the call or
// turn that waited for them.

import type { InferInput } from "valibot";
import type { EVENT_SCHEMAS } from "../transcript/event.ts";
import { ignore } from "./recorded_ignored.ts";
import { tell, type Telling } from "./telling.ts";

/** Batches that wait, each with the call it belongs to. */
export type OpenQuestions = Map<string, string | null>;

type Asked = InferInput<typeof EVENT_SCHEMAS["question"]>;
type Closed = InferInput<typeof EVENT_SCHEMAS["question_closed"]>;

/** Asks; a batch that waits already is not asked again. */
export function askQuestion(
  telling: Telling,
  open: OpenQuestions,
  asked: Asked & { readonly batch_id: string },
): void {
  if (open.has(asked.batch_id)) return ignore(telling, "question asked again");
  open.set(asked.batch_id, asked.tool_call_id ?? null);
  tell(telling, "question", asked);
}

/** Closes a batch; false when none of that id waits. */
export function closeQuestion(
  telling: Telling,
  open: OpenQuestions,
  closed: Closed & { readonly batch_id: string },
): boolean {
  if (!open.delete(closed.batch_id)) return false;
  tell(telling, "question_closed", closed);
  return true;
}

/** Closes what waits for a call that is over, or everything when the turn is (`callId` null). */
export function dropQuestions(telling: Telling, open: OpenQuestions, callId: string | null): void {
  for (const [batchId, waiting] of [...open]) {
    if (callId !== null && waiting !== callId) continue;
    closeQuestion(telling, open, { batch_id: batchId, reason: "cancelled" });
  }
}
