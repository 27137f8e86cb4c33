// Which of our tools an ACP call is, and its arguments under the names our renderers know. Agents differ in names,
// titles and arguments; a call that is none of ours keeps its name and describes itself by a card.

import { type AcpCard, hasInput, inputOf, lineOf, pathOf } from "./acp_card.ts";
import type { FileDiff } from "./acp_content.ts";
import { parsePatch, replacementOf } from "./acp_patch.ts";
import { fieldAt, type Fields, fieldsList, firstText, listOf, rowOf, textOf } from "./fields.ts";

/** The tools our renderers draw. */
export type OwnTool = "Read" | "Write" | "Edit" | "Bash" | "Glob" | "Grep";

/** What a call shows as. */
export interface ToolLook {
  /** One of ours, or null: the call then carries a card of its own. */
  readonly own: OwnTool | null;
  readonly name: string;
  readonly args: Fields;
}

/** Names of tools by agents, lower case, without blanks, "_" and "-". */
const NAMES: ReadonlyMap<string, OwnTool> = new Map(
  Object.entries(
    {
      Read: ["read", "readfile", "view", "cat", "openfile"],
      Write: ["write", "writefile", "createfile"],
      Edit: ["edit", "multiedit", "replace", "strreplace", "strreplaceeditor", "editfile", "searchreplace"],
      Bash: [
        "bash",
        "shell",
        "runshellcommand",
        "terminal",
        "exec",
        "execcommand",
        "runcommand",
        "localshell",
      ],
      Glob: ["glob", "findfiles", "find"],
      Grep: ["grep", "grepsearch", "searchfilecontent", "ripgrep", "rg"],
    } satisfies Record<OwnTool, readonly string[]>,
  ).flatMap(([own, names]) => names.map((name) => [name, own as OwnTool] as const)),
);

/** For each of ours: the arguments of the call, or null when it is not such a call after all. */
const ARGUMENTS: Readonly<Record<OwnTool, (card: AcpCard) => Fields | null>> = {
  Read: readArguments,
  Write: writeArguments,
  Edit: editArguments,
  Bash: shellArguments,
  Glob: (card) => searchArguments(card),
  Grep: (card) => searchArguments(card),
};

/** Which of ours each ACP kind is, tried when the name does not say. */
const KINDS: Readonly<Record<string, readonly OwnTool[]>> = {
  read: ["Read"],
  edit: ["Edit"],
  execute: ["Bash"],
  search: ["Grep"],
};

/** Decides what a call shows as. The answer may change while the agent still tells more of the call. */
export function toolLook(card: AcpCard): ToolLook {
  for (const own of candidates(card)) {
    const args = ARGUMENTS[own](card);
    if (args === null) continue;
    return { own: isNewFile(card, own) ? "Write" : own, name: isNewFile(card, own) ? "Write" : own, args };
  }
  const name = namesOf(card)[0] ?? firstText(card.title) ?? card.kind;
  return { own: null, name, args: inputOf(card) };
}

/** Names the tool may have, the best first. */
function namesOf(card: AcpCard): readonly string[] {
  const names = [card.toolName, textOf(fieldAt(card.rawOutput, "toolName"))];
  // Gemini's ids begin with the tool's name; pi and others give it as the title.
  const prefix = /^([a-z][a-z0-9_]*?)(?:__|-\d)/i.exec(card.id)?.[1];
  if (prefix !== undefined && !/^(?:call|toolu|tool)$/i.test(prefix)) names.push(prefix);
  if (/^[a-z][a-z0-9_-]*$/i.test(card.title)) names.push(card.title);
  return names.filter((name) => name !== null);
}

function candidates(card: AcpCard): readonly OwnTool[] {
  const named = namesOf(card).map((name) => NAMES.get(name.toLowerCase().replace(/[\s_-]/g, ""))).find((
    own,
  ) => own);
  const byKind = rowOf(KINDS, card.kind) ?? [];
  if (named === undefined) return byKind;
  // Codex runs everything through one tool and says by the kind what the command does.
  if (named === "Bash" && card.kind !== "execute") return byKind;
  return [named];
}

function readArguments(card: AcpCard): Fields | null {
  const path = pathOf(card);
  const input = inputOf(card);
  if (path === null) return isUnnamed(card) ? null : input;
  const line = lineOf(card);
  const start = line === null || hasInput(card) ? {} : { offset: line };
  return {
    file_path: path,
    ...start,
    ...without(input, ["path", "filePath", "absolute_path", "filepath", "file_path"]),
  };
}

function writeArguments(card: AcpCard): Fields | null {
  const path = pathOf(card);
  const input = inputOf(card);
  const content = firstText(input.content) ?? textOf(input.content) ?? newText(card.diffs);
  if (path === null && content === null) return isUnnamed(card) ? null : input;
  return {
    ...(path === null ? {} : { file_path: path }),
    ...without(input, ["path", "filePath", "filepath", "file_path", "content"]),
    ...(content === null ? {} : { content }),
  };
}

/** Edits in the agent's own strings, else cut from the diffs or the patch it shows. Several files are not one Edit. */
function editArguments(card: AcpCard): Fields | null {
  const input = inputOf(card);
  const path = pathOf(card);
  if (new Set(card.diffs.map((diff) => diff.path)).size > 1) return null;
  if (isNewFile(card, "Edit")) return writeArguments(card);
  const file = path === null ? {} : { file_path: path };
  const rest = without(input, [...EDIT_NAMES, "path", "filePath", "filepath", "file_path"]);
  const edits = ownEdits(input);
  if (edits.length > 0) return { ...file, ...rest, ...editFields(edits) };
  if (card.diffs.length > 0) return { ...file, ...rest, ...editFields(card.diffs.map(replacementOf)) };
  const patch = firstText(fieldAt(card.rawOutput, "details", "patch"), fieldAt(card.rawOutput, "fileDiff"));
  const patched = patch === null ? [] : parsePatch(patch);
  if (patched.length === 1) {
    return { file_path: patched[0]?.path ?? "", ...file, ...rest, ...editFields(patched[0]?.edits ?? []) };
  }
  if (patched.length > 1 || (isUnnamed(card) && path === null)) return null;
  return { ...file, ...input };
}

const EDIT_NAMES = [
  "old_string",
  "new_string",
  "oldString",
  "newString",
  "old_str",
  "new_str",
  "oldText",
  "newText",
  "edits",
];

function ownEdits(input: Fields): readonly { old_string: string; new_string: string }[] {
  const listed = fieldsList(input.edits);
  return (listed.length > 0 ? listed : [input]).flatMap((edit) => {
    const old = textOf(edit.old_string ?? edit.oldString ?? edit.oldText ?? edit.old_str);
    const text = textOf(edit.new_string ?? edit.newString ?? edit.newText ?? edit.new_str);
    if (old === null && text === null) return [];
    const all = edit.replace_all ?? edit.replaceAll;
    return [{
      old_string: old ?? "",
      new_string: text ?? "",
      ...(listed.length > 0 && all === true ? { replace_all: true } : {}),
    }];
  });
}

function editFields(edits: readonly { old_string: string; new_string: string }[]): Fields {
  const only = edits.length === 1 ? edits[0] : undefined;
  return only === undefined ? { edits } : { ...only };
}

function shellArguments(card: AcpCard): Fields | null {
  const input = inputOf(card);
  const command = commandOf(input.command ?? input.cmd ?? input.script);
  if (command !== null) return { ...without(input, ["cmd", "script"]), command };
  // pi and Gemini give the command as the title only; a tool of another name has a title of its own.
  const isTitle = !hasInput(card) && !/^[\w-]*$/.test(card.title) &&
    (namesOf(card).length === 0 || !isUnnamed(card));
  if (isTitle && (card.kind === "execute" || card.hasTerminal)) {
    return { command: card.title, ...(card.cwd === null ? {} : { cwd: card.cwd }) };
  }
  return isUnnamed(card) ? null : input;
}

/** A command line, also from a list of words; the script itself where the words call a shell. */
function commandOf(value: unknown): string | null {
  if (typeof value === "string") return value === "" ? null : value;
  const words = listOf(value).filter((word) => typeof word === "string");
  if (words.length === 0) return null;
  const [shell = "", flag = "", script] = words;
  if (words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-\w*c$/.test(flag)) {
    return script ?? null;
  }
  return words.join(" ");
}

function searchArguments(card: AcpCard): Fields | null {
  const input = inputOf(card);
  if (firstText(input.pattern) !== null) return input;
  const titled = /^(?:Search for |Searching for |Grep:? |Glob:? |Find )?'(.+)'(?: in (.+))?$/.exec(
    card.title,
  );
  if (titled !== null) {
    return { ...input, pattern: titled[1] ?? "", ...(titled[2] === undefined ? {} : { path: titled[2] }) };
  }
  const query = firstText(input.query, input.regex);
  if (query !== null) return { ...without(input, ["query", "regex"]), pattern: query };
  return isUnnamed(card) ? null : input;
}

/** An edit that makes a file shows best as a Write. */
function isNewFile(card: AcpCard, own: OwnTool): boolean {
  const [diff] = card.diffs;
  if (own !== "Edit" || card.diffs.length !== 1 || diff === undefined) return false;
  return (diff.old === null || diff.old === "") && ownEdits(inputOf(card)).length === 0;
}

/** True when only the kind says what the call might be. */
function isUnnamed(card: AcpCard): boolean {
  return !namesOf(card).some((name) => NAMES.has(name.toLowerCase().replace(/[\s_-]/g, "")));
}

function newText(diffs: readonly FileDiff[]): string | null {
  return diffs[0]?.new ?? null;
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
