// Cards of DeepSeek Harness's tools: its log does not store them, they follow from the name and the arguments.
// Tools we render ourselves (bash, read, write, edit, grep, glob) need none.

import { fieldAt, type Fields, fieldsOf, firstText, isFields, rowOf, textOf } from "./fields.ts";
import { cutLine } from "./result_summary.ts";
import type { CallCard } from "./telling_calls.ts";

type Present = (args: Fields) => CallCard;

/** One row a tool: what its card says. */
export const DSH_CARDS: Readonly<Record<string, Present>> = {
  todo_write: () => ({ title: "Update todo list", kind: "think" }),
  run_code: (args) => {
    const code = textOf(args.code) ?? "";
    return {
      title: firstText(args.description, cutLine(code)) ?? "Run code",
      kind: "execute",
      body: code === "" ? null : [{ type: "text", text: code }],
    };
  },
  workflow: (args) => ({
    title: `workflow: ${firstText(fieldAt(args.meta, "name"), args.name) ?? "unnamed"}`,
    kind: "execute",
  }),
  subagent: (args) => ({
    title: `subagent: ${firstText(args.description, args.prompt) ?? ""}`,
    kind: "think",
  }),
  skill: (args) => ({ title: `Load skill ${firstText(args.name, args.skill) ?? ""}`, kind: "read" }),
  task_output: (args) => ({
    title: `Read output from background task ${firstText(args.id, args.taskId, args.task_id) ?? ""}`,
    kind: "read",
  }),
  task_stop: (args) => ({
    title: `Stop background task ${firstText(args.id, args.taskId, args.task_id) ?? ""}`,
    kind: "execute",
  }),
  task_list: () => ({ title: "List background tasks", kind: "read" }),
  web_search: (args) => ({ title: `Search the web for ${firstText(args.query) ?? ""}`, kind: "search" }),
  web_fetch: (args) => ({ title: `Fetch ${firstText(args.url) ?? ""}`, kind: "fetch" }),
  cordis_mount: () => ({ title: "Mount plugin into live cordis runtime", kind: "execute" }),
  cordis_unmount: (args) => ({ title: `Unmount ${firstText(args.id) ?? ""}`, kind: "execute" }),
  cordis_inspect: (args) => ({
    title: `Inspect cordis runtime: ${firstText(args.what) ?? "all"}`,
    kind: "read",
  }),
  ask_user_question: (args) => {
    const [first] = Array.isArray(args.questions) ? args.questions : [];
    return {
      title: firstText(fieldAt(first, "header"), fieldAt(first, "question")) ?? "Question",
      kind: "other",
    };
  },
};

/** The card of a call; null for tools that are drawn by name, or that nobody here knows. */
export function callCard(name: string, args: unknown): CallCard | null {
  const present = rowOf(DSH_CARDS, name);
  if (present === null) return null;
  const fields = argumentFields(args);
  return fields === null ? null : present(fields);
}

/** Arguments as an object: the log has them as JSON text, which may be broken. */
export function argumentFields(args: unknown): Fields | null {
  if (isFields(args)) return args;
  if (typeof args !== "string") return fieldsOf(args);
  try {
    const value: unknown = JSON.parse(args);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}
