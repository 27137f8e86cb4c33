// The plan the demo agent shows while it works. Pure.

import type { PlanItem } from "../../transcript/event.ts";

/** The plan while its item `at` is worked on; all done at the list's length. */
export function planAt(texts: readonly string[], at: number): PlanItem[] {
  return texts.map((text, index) => ({
    id: String(index + 1),
    text,
    status: index < at ? "completed" : index === at ? "in_progress" : "pending",
  }));
}
