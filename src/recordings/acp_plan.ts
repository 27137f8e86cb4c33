// Plans: ACP's own (plan, plan_update, plan_removed) and the inputs of todo tools, which is where agents really
// keep them.

import { type AcpState, emit, ignore } from "./acp_state.ts";
import { type Fields, fieldsList, fieldsOf, firstText, rowOf, textOf } from "./fields.ts";

/** A row of the plan as an event takes it. */
export interface PlanRow {
  readonly id: string;
  readonly text: string;
  readonly status: "pending" | "in_progress" | "completed";
}

/** Arguments that may hold a list of todos. */
const TODO_NAMES = ["todos", "plan", "items", "tasks"] as const;
/** Fields of a todo that may hold its text. */
const TEXT_NAMES = ["content", "text", "step", "description", "title", "task", "subject"] as const;

const STATUSES: Readonly<Record<string, PlanRow["status"]>> = {
  pending: "pending",
  todo: "pending",
  blocked: "pending",
  in_progress: "in_progress",
  "in-progress": "in_progress",
  inProgress: "in_progress",
  active: "in_progress",
  completed: "completed",
  complete: "completed",
  done: "completed",
  cancelled: "completed",
  canceled: "completed",
};

/** The todos in a tool's arguments: a list of objects that each have a status and a text. Null when there is none. */
export function todosOf(args: Fields): readonly Fields[] | null {
  for (const name of TODO_NAMES) {
    const list = args[name];
    if (!Array.isArray(list)) continue;
    const todos = fieldsList(list);
    if (
      todos.length === list.length &&
      todos.every((todo) => textOf(todo.status) !== null && rowText(todo) !== null)
    ) {
      return todos;
    }
  }
  return null;
}

const MARKS: Readonly<Record<PlanRow["status"], string>> = {
  completed: "[x]",
  in_progress: "[>]",
  pending: "[ ]",
};

/** The card of a call whose arguments are todos: the list as it was at that moment. */
export function todoCard(todos: readonly Fields[]): {
  readonly title: string;
  readonly kind: string;
  readonly body: unknown[];
} {
  const rows = planItems(todos);
  const done = rows.filter(({ status }) => status === "completed").length;
  return {
    title: `Todos: ${done} of ${rows.length} done`,
    kind: "think",
    body: [{ type: "text", text: rows.map(({ status, text }) => `${MARKS[status]} ${text}`).join("\n") }],
  };
}

/** Entries as rows of our plan; an unknown status is pending, what was cancelled says so. */
export function planItems(entries: readonly Fields[]): PlanRow[] {
  return entries.map((entry, index) => {
    const status = textOf(entry.status) ?? "pending";
    const text = rowText(entry) ?? "";
    return {
      id: firstText(entry.id) ?? String(index + 1),
      text: /^cancell?ed$/.test(status) ? `${text} (cancelled)` : text,
      status: rowOf(STATUSES, status) ?? "pending",
    };
  });
}

/** ACP `plan`: the whole plan. */
export function takePlan(state: AcpState, update: Fields): void {
  emit(state, "plan", { items: planItems(fieldsList(update.entries)) });
}

/** ACP `plan_update` and `plan_removed` (unstable): plans by id, shown one after the other. */
export function takePlanUpdate(state: AcpState, update: Fields): void {
  const plan = fieldsOf(update.plan);
  const id = firstText(plan.planId, update.planId) ?? "";
  if (update.sessionUpdate === "plan_removed") {
    if (!state.plans.delete(id)) return ignore(state, "removal of an unknown plan");
  } else {
    state.plans.set(id, planEntries(plan));
  }
  const items = planItems([...state.plans.values()].flat());
  emit(state, "plan", { items: items.map((item, index) => ({ ...item, id: String(index + 1) })) });
}

/** A plan's entries; one kept as Markdown or in a file is one row. */
function planEntries(plan: Fields): readonly Fields[] {
  if (plan.type === "markdown") return markdownEntries(textOf(plan.content) ?? "");
  if (plan.type === "file") return [{ content: firstText(plan.uri) ?? "", status: "pending" }];
  return fieldsList(plan.entries);
}

/** The list rows of a Markdown plan. */
function markdownEntries(text: string): readonly Fields[] {
  const rows = [...text.matchAll(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[([ xX])\]\s+)?(.+)$/gm)];
  return rows.map(([, mark, row]) => ({
    content: row,
    status: mark === undefined || mark === " " ? "pending" : "completed",
  }));
}

function rowText(entry: Fields): string | null {
  return firstText(...TEXT_NAMES.map((name) => entry[name]));
}
