// The agent's plan as rows: what is in progress is always among the rows shown.

import { type Line, line, lineOf, shortenLine } from "../text/line.ts";
import { oneLine } from "./one_line.ts";
import type { Role } from "../text/role.ts";
import type { PlanItem } from "../transcript/event.ts";

const MARKS: Readonly<Record<PlanItem["status"], { readonly mark: string; readonly role: Role }>> = {
  completed: { mark: "✓", role: "plan.done" },
  in_progress: { mark: "●", role: "plan.active" },
  pending: { mark: "○", role: "plan.pending" },
};

/** At most `height` rows; where the plan is longer, those around the first unfinished item, and the last row counts the others. */
export function planRows(plan: readonly PlanItem[], width: number, height: number): readonly Line[] {
  if (height <= 0) return [];
  if (plan.length <= height) return plan.map((item) => itemRow(item, width));
  const room = height - 1;
  const open = plan.findIndex((item) => item.status !== "completed");
  const start = Math.max(0, Math.min(open === -1 ? plan.length : open, plan.length - room));
  const done = plan.filter((item) => item.status === "completed").length;
  const rows = plan.slice(start, start + room).map((item) => itemRow(item, width));
  return [
    ...rows,
    shortenLine(line(`+${plan.length - room} more, ${done} of ${plan.length} done`, "more"), width),
  ];
}

function itemRow(item: PlanItem, width: number): Line {
  const { mark, role } = MARKS[item.status];
  return shortenLine(lineOf([mark, role], [` ${oneLine(item.text)}`, role]), width);
}
