// Codex's tools: what a call shows as, and what its output says of how it ended. Commands come as word lists, as one
// string, or as a script inside a shell; patches as a tool of their own, as a command, or as recorded changes.

import { toolKind } from "../transcript/tool_names.ts";
import { fieldAt, type Fields, fieldsOf, firstText, isFields, listOf, numberOf, textOf } from "./fields.ts";
import { summaryLine } from "./recorded_content.ts";
import type { CallCard } from "./telling_calls.ts";

/** A call as it is told. */
export interface CodexLook {
  readonly name: string;
  readonly args: unknown;
  readonly card: CallCard | null;
}

/** What a call shows as. `given` is its arguments: an object, JSON text, or the raw text of a custom tool. */
export function codexLook(name: string, given: unknown): CodexLook {
  const args = argumentsOf(name, given);
  const patch = toolKind(name) === "shell" ? patchInCommand(args) : null;
  if (patch !== null) return { name: "apply_patch", args: { input: patch }, card: null };
  return {
    name,
    args: toolKind(name) === "shell" ? withScript(args) : args,
    card: cardOf(name, fieldsOf(args)),
  };
}

/** Arguments of a command with its words as the one line a person would type. */
function withScript(args: unknown): unknown {
  const command = fieldAt(args, "command");
  if (!isFields(args) || !Array.isArray(command)) return args;
  const words = command.filter((word) => typeof word === "string");
  const [shell = "", flag = "", script] = words;
  const isScript = words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag);
  const quoted = words.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
  );
  return { ...args, command: isScript ? script ?? "" : quoted.join(" ") };
}

function argumentsOf(name: string, given: unknown): unknown {
  if (given === null || given === undefined) return {};
  if (typeof given !== "string") return given;
  const text = given.trimStart();
  if (text.startsWith("{")) {
    try {
      return JSON.parse(given);
    } catch {
      return given;
    }
  }
  if (text === "") return {};
  return toolKind(name) === "shell" ? { command: given } : { input: given };
}

const HEREDOC =
  /^(?:cd\s+\S+\s*&&\s*)?apply_patch\s*<<-?\s*(['"]?)([A-Za-z_][A-Za-z0-9_]*)\1[^\n]*\n([\s\S]*?)\n\2\s*$/;

/** The patch that a command applies; null for any other command. */
function patchInCommand(args: unknown): string | null {
  const command = fieldAt(args, "command") ?? fieldAt(args, "cmd");
  const words = listOf(command).filter((word) => typeof word === "string");
  if (words[0] === "apply_patch" || words[0] === "applypatch") return words[1] ?? null;
  const script = typeof command === "string" ? command : words.length === 3 ? words[2] ?? "" : "";
  return HEREDOC.exec(script.trim())?.[3] ?? null;
}

function cardOf(name: string, args: Fields): CallCard | null {
  if (toolKind(name) !== "other") return null;
  switch (name) {
    case "view_image":
      return { title: titled("Image", firstText(args.path)), kind: "read", body: null };
    case "web_search":
      return { title: titled("Web search", searchText(args)), kind: "search", body: null };
    case "update_plan":
      return { title: "Plan", kind: "think", body: planBody(args) };
    case "spawn_agent":
      return {
        title: titled("Agent", firstText(args.task_name, args.agent_type, args.nickname)),
        kind: "think",
        body: firstText(args.message, args.prompt) === null
          ? null
          : [{ type: "markdown", text: firstText(args.message, args.prompt) ?? "" }],
      };
    default:
      return null;
  }
}

const MARKS: Readonly<Record<string, string>> = { completed: "[x]", in_progress: "[>]" };

function planBody(args: Fields): unknown[] {
  const rows = listOf(args.plan).map(fieldsOf).map((row) =>
    `${MARKS[textOf(row.status) ?? ""] ?? "[ ]"} ${firstText(row.step, row.text) ?? ""}`
  );
  const why = firstText(args.explanation);
  return [{ type: "text", text: [...(why === null ? [] : [why, ""]), ...rows].join("\n") }];
}

/** What a search was for. */
export function searchText(action: Fields): string | null {
  const queries = listOf(action.queries).filter((query) => typeof query === "string");
  return firstText(action.query, queries.join(", "), action.url, action.pattern);
}

/** What the output of a command says of itself, and the output without that. */
export interface ExecOutput {
  readonly output: string;
  readonly exitCode: number | null;
  /** The session of a command that still runs. */
  readonly running: string | null;
  readonly aborted: boolean;
}

/** Lines in front of an output, each with what it may hold. */
const HEADS: readonly RegExp[] = [
  /^Chunk ID: \S+$/,
  /^Wall time: [\d.]+ ?(?:seconds|s)$/,
  /^(?:Process exited with code|Exit code:) (-?\d+)$/,
  /^Process running with session ID (\S+)$/,
  /^Original token count: \d+$/,
  /^Total output lines: \d+$/,
];

/** Reads a command's output as the model saw it. */
export function readExecOutput(text: string): ExecOutput {
  if (text.startsWith("{")) {
    const json = parsed(text);
    const output = textOf(json.output);
    const exitCode = numberOf(fieldAt(json, "metadata", "exit_code"));
    if (output !== null) return { output, exitCode, running: null, aborted: false };
  }
  let at = 0;
  let exitCode: number | null = null;
  let running: string | null = null;
  let heads = 0;
  for (;;) {
    const newline = text.indexOf("\n", at);
    const line = text.slice(at, newline === -1 ? undefined : newline).trimEnd();
    const isOutput = line === "Output:";
    const head = HEADS.findIndex((pattern) => pattern.test(line));
    if (!isOutput && head === -1) break;
    heads++;
    if (head === 2) exitCode = Number(HEADS[2]?.exec(line)?.[1]);
    if (head === 3) running = HEADS[3]?.exec(line)?.[1] ?? null;
    at = newline === -1 ? text.length : newline + 1;
    if (isOutput || newline === -1) break;
  }
  const output = heads === 0 ? text : text.slice(at);
  return { output, exitCode, running, aborted: /^aborted by user\b/.test(output.trim()) };
}

/** Recorded changes of files: a map of paths, or a list that names only what was done. */
export interface RecordedChanges {
  readonly paths: readonly string[];
  /** A unified diff of all of them; null where the record does not hold the lines. */
  readonly patch: string | null;
  readonly added: number;
  readonly removed: number;
}

export function readChanges(value: unknown): RecordedChanges {
  const entries: readonly (readonly [string, Fields])[] = isFields(value)
    ? Object.entries(value).map(([path, change]) => [path, fieldsOf(change)] as const)
    : listOf(value).map((change) => [firstText(fieldAt(change, "path")) ?? "", fieldsOf(change)] as const);
  const patches = entries.map(([path, change]) => patchOf(path, change));
  const whole = patches.every((patch) => patch !== null) && patches.length > 0;
  const text = patches.filter((patch) => patch !== null).join("");
  return {
    paths: entries.map(([path]) => path).filter((path) => path !== ""),
    patch: whole ? text : null,
    added: count(text, "+"),
    removed: count(text, "-"),
  };
}

/** One file's part of a unified diff. */
function patchOf(path: string, change: Fields): string | null {
  const inner = Object.keys(change).length === 1 ? fieldsOf(Object.values(change)[0]) : {};
  const type = firstText(change.type, Object.keys(change).length === 1 ? Object.keys(change)[0] : undefined);
  const from = { ...change, ...inner };
  const diff = textOf(from.unified_diff) ?? textOf(from.diff);
  const content = textOf(from.content);
  if (diff !== null && /^@@ -\d/m.test(diff)) {
    const hunks = diff.slice(diff.search(/^@@ -\d/m));
    return `--- a/${path}\n+++ b/${firstText(from.move_path) ?? path}\n${hunks}${
      hunks.endsWith("\n") ? "" : "\n"
    }`;
  }
  if (content === null) return null;
  const lines = content === "" ? [] : content.replace(/\n$/, "").split("\n");
  const mark = type === "delete" ? "-" : "+";
  const body = lines.map((line) => `${mark}${line}\n`).join("");
  return type === "delete"
    ? `--- a/${path}\n+++ /dev/null\n@@ -1,${lines.length} +0,0 @@\n${body}`
    : `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${body}`;
}

function count(patch: string, mark: string): number {
  let found = 0;
  for (const line of patch.split("\n")) {
    if (line.startsWith(mark) && !line.startsWith(mark.repeat(3))) found++;
  }
  return found;
}

/** "Changed 2 files (+3 -1)". */
export function changesSummary(changes: RecordedChanges): string {
  const [only] = changes.paths;
  const what = changes.paths.length === 1 ? only : `${changes.paths.length} files`;
  const sums = changes.patch === null ? "" : ` (+${changes.added} -${changes.removed})`;
  return summaryLine(`Changed ${what}${sums}`);
}

/** A command line as the script it runs: `/bin/bash -lc 'cat a'` is `cat a`. */
export function scriptOf(command: string): string {
  const shell = /^(?:\S*\/)?(?:ba|z|da)?sh\s+-l?c\s+/.exec(command);
  if (shell === null) return command;
  return oneWord(command.slice(shell[0].length)) ?? command;
}

/** A quoted shell word; null when there is more than one. */
function oneWord(text: string): string | null {
  let word = "";
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (quote === "'") {
      if (sign === "'") quote = "";
      else word += sign;
    } else if (sign === "\\" && at + 1 < text.length) {
      const next = text[++at] ?? "";
      word += quote === '"' && !/["\\$`\n]/.test(next) ? `\\${next}` : next;
    } else if (quote === '"' && sign === '"') quote = "";
    else if (quote === "" && (sign === "'" || sign === '"')) quote = sign;
    else if (quote === "" && /\s/.test(sign)) return null;
    else word += sign;
  }
  return quote === "" ? word : null;
}

function titled(name: string, detail: string | null): string {
  return detail === null ? name : `${name}: ${summaryLine(detail)}`;
}

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}
