// The names and argument aliases by which agents call the tools that have a renderer of their own.
// Data only: what is drawn is decided in tools/, what is cached in file_effects.ts.

import { longTextString } from "./long_text.ts";
import type { ToolCall } from "./tool_call.ts";

/** Tools we know by meaning; "other" is drawn by the presentation or the fallback. */
export type ToolKind =
  | "read"
  | "write"
  | "edit"
  | "multi_edit"
  | "patch"
  | "glob"
  | "grep"
  | "shell"
  | "other";

/** Names as they are compared: lower case, without "_", "-", "." and blanks. */
const NAMES: Readonly<Record<Exclude<ToolKind, "other">, readonly string[]>> = {
  read: [
    "read",
    "readfile",
    "readtextfile",
    "view",
    "viewfile",
    "fsread",
    "fileread",
    "openfile",
    "readtool",
  ],
  write: [
    "write",
    "writefile",
    "writetextfile",
    "createfile",
    "filewrite",
    "fswrite",
    "savefile",
    "writetool",
  ],
  edit: [
    "edit",
    "editfile",
    "fileedit",
    "strreplace",
    "replace",
    "replaceinfile",
    "searchreplace",
    "edittool",
    "fsedit",
  ],
  multi_edit: ["multiedit", "multieditfile", "multistrreplace", "multireplace"],
  patch: ["applypatch", "patch", "applydiff", "patchfile"],
  glob: ["glob", "globfiles", "findfiles", "find", "fileglob", "globtool", "globfilesearch"],
  grep: [
    "grep",
    "greptool",
    "ripgrep",
    "rg",
    "searchfilecontent",
    "grepsearch",
    "searchtext",
    "searchfiles",
    "grepfiles",
  ],
  shell: [
    "bash",
    "shell",
    "exec",
    "execcommand",
    "runshellcommand",
    "runcommand",
    "runterminalcommand",
    "runterminalcmd",
    "executecommand",
    "localshell",
    "shellcommand",
    "terminal",
    "bashtool",
    "powershell",
    "pwsh",
    "sh",
    "zsh",
  ],
};

const kinds = new Map<string, ToolKind>(
  (Object.keys(NAMES) as Exclude<ToolKind, "other">[]).flatMap((kind) =>
    NAMES[kind].map((name) => [name, kind])
  ),
);
const known = new Map<string, ToolKind>();

/** What a tool of that name is, ignoring case and separators. Names of servers ("mcp__x__read") are "other". */
export function toolKind(name: string): ToolKind {
  const found = known.get(name);
  if (found !== undefined) return found;
  const kind = name.length > 40 ? "other" : kinds.get(name.toLowerCase().replace(/[_\-. ]/g, "")) ?? "other";
  if (known.size < 1000) known.set(name, kind);
  return kind;
}

/** One replacement of an edit. */
export interface EditStep {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

/** Arguments by meaning, whatever the agent calls them; null where absent or of another type. */
export interface ToolInput {
  readonly path: string | null;
  readonly content: string | null;
  readonly oldText: string | null;
  readonly newText: string | null;
  readonly replaceAll: boolean;
  /** Replacements in order: those of a list, or the one given directly; empty when there is none. */
  readonly edits: readonly EditStep[];
  readonly patch: string | null;
  readonly pattern: string | null;
  readonly include: string | null;
  readonly command: string | null;
  readonly cwd: string | null;
  readonly description: string | null;
  /** First line wanted, from 1. */
  readonly offset: number | null;
  /** Lines wanted at most. */
  readonly limit: number | null;
}

const ALIASES = {
  path: [
    "file_path",
    "path",
    "filePath",
    "filepath",
    "file",
    "absolute_path",
    "absolutePath",
    "target_file",
    "targetFile",
    "file_name",
    "filename",
    "fileName",
    "notebook_path",
  ],
  content: ["content", "contents", "file_text", "fileText", "text", "file_content"],
  oldText: ["old_string", "oldString", "old_text", "oldText", "old_str", "oldStr", "old", "search"],
  newText: ["new_string", "newString", "new_text", "newText", "new_str", "newStr", "new", "replacement"],
  replaceAll: ["replace_all", "replaceAll", "all", "allow_multiple"],
  edits: ["edits", "replacements", "changes"],
  patch: ["patch", "input", "patchText", "patch_text", "diff", "patch_content"],
  pattern: ["pattern", "query", "regex", "glob", "glob_pattern", "globPattern", "search_term", "name"],
  include: ["include", "include_pattern", "includePattern", "glob", "file_pattern", "type"],
  command: ["command", "cmd", "script", "commandLine", "command_line", "code"],
  cwd: ["cwd", "workdir", "working_directory", "workingDirectory", "dir", "directory", "dir_path"],
  description: ["description", "justification", "explanation"],
  offset: ["offset", "start_line", "startLine", "line", "line_offset", "from"],
  limit: ["limit", "max_lines", "maxLines", "lines", "line_count"],
  endLine: ["end_line", "endLine", "to"],
} as const;

/** The arguments of a call by meaning. Nothing is known before they are fixed. */
export function toolInput(call: ToolCall): ToolInput {
  const input = call.input ?? {};
  const oldText = textOf(input, ALIASES.oldText);
  const newText = textOf(input, ALIASES.newText);
  const replaceAll = isReplaceAll(input);
  const offset = numberOf(input, ALIASES.offset);
  const start = offset === null ? null : Math.max(1, Math.trunc(offset));
  return {
    path: nonEmpty(textOf(input, ALIASES.path)),
    content: textOf(input, ALIASES.content),
    oldText,
    newText,
    replaceAll,
    edits: editsOf(input) ??
      (oldText === null && newText === null
        ? []
        : [{ oldText: oldText ?? "", newText: newText ?? "", replaceAll }]),
    patch: patchOf(call, input),
    pattern: textOf(input, ALIASES.pattern),
    include: textOf(input, ALIASES.include),
    command: commandOf(input),
    cwd: textOf(input, ALIASES.cwd),
    description: textOf(input, ALIASES.description),
    offset: start,
    limit: limitOf(input, start),
  };
}

type Input = Readonly<Record<string, unknown>>;

function textOf(input: Input, names: readonly string[]): string | null {
  for (const name of names) {
    const value = own(input, name);
    if (typeof value === "string") return value;
  }
  return null;
}

function numberOf(input: Input, names: readonly string[]): number | null {
  for (const name of names) {
    const value = own(input, name);
    if (typeof value === "number" && Number.isFinite(value)) return value;
  }
  return null;
}

function own(input: Input, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}

function nonEmpty(text: string | null): string | null {
  return text === "" ? null : text;
}

function isReplaceAll(input: Input): boolean {
  if (ALIASES.replaceAll.some((name) => own(input, name) === true)) return true;
  const expected = own(input, "expected_replacements");
  return typeof expected === "number" && expected > 1;
}

function limitOf(input: Input, start: number | null): number | null {
  const limit = numberOf(input, ALIASES.limit);
  if (limit !== null && limit >= 0) return Math.trunc(limit);
  const end = numberOf(input, ALIASES.endLine);
  return end !== null && end >= (start ?? 1) ? Math.trunc(end) - (start ?? 1) + 1 : null;
}

function editsOf(input: Input): readonly EditStep[] | null {
  for (const name of ALIASES.edits) {
    const list = own(input, name);
    if (!Array.isArray(list)) continue;
    return list.filter(isObject).map((edit) => ({
      oldText: textOf(edit, ALIASES.oldText) ?? "",
      newText: textOf(edit, ALIASES.newText) ?? "",
      replaceAll: isReplaceAll(edit),
    }));
  }
  return null;
}

/** A patch may also be the raw arguments, without any JSON around it. */
function patchOf(call: ToolCall, input: Input): string | null {
  const patch = textOf(input, ALIASES.patch);
  if (patch !== null || call.input !== null || !call.argsFixed) return patch;
  const raw = longTextString(call.args);
  return /^\s*(\*\*\* Begin Patch|--- |diff --git )/.test(raw) ? raw : null;
}

/** A command line; a list is joined, and the script of `sh -c` is taken out. */
function commandOf(input: Input): string | null {
  for (const name of ALIASES.command) {
    const value = own(input, name);
    if (typeof value === "string") return value;
    if (!Array.isArray(value)) continue;
    const words = value.filter((word) => typeof word === "string");
    const [shell, flag, script] = words;
    if (words.length === 3 && /(^|\/)(ba|z|da)?sh$/.test(shell ?? "") && /^-l?c$/.test(flag ?? "")) {
      return script ?? "";
    }
    return words.map((word) => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
      .join(" ");
  }
  return null;
}

function isObject(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
