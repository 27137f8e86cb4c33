// One line that says what a finished call of a recorded session did, and readings of tool output shared by the
// formats: exits told in the text, listings with line numbers.

import { type ToolKind, toolKind } from "../transcript/tool_names.ts";
import { type Fields, fieldsOf, firstText, textOf } from "./fields.ts";

/** A summary is cut behind this many characters: it is one row. */
const LONGEST = 300;

interface SummedCall {
  readonly kind: ToolKind;
  readonly name: string;
  readonly args: unknown;
}
interface SummedResult {
  readonly output: string | null;
  readonly isError: boolean;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  /** Whether a written file was there before, where the record says. */
  readonly wrote?: "Created" | "Overwrote" | null;
}

type Summary = (about: {
  readonly args: Fields;
  readonly path: string | null;
  readonly output: string;
  readonly result: SummedResult;
}) => string | null;

const SUMMARIES: Readonly<Partial<Record<ToolKind, Summary>>> = {
  read: ({ path, output }) => {
    const lines = output === "" ? 0 : listedLines(output);
    if (lines === 0) return path === null ? null : `Read ${path}`;
    return `Read ${countText(lines, "line")}${path === null ? "" : ` of ${path}`}`;
  },
  write: ({ args, path, output, result }) => {
    const content = firstText(args.content, args.contents, args.file_text) ?? textOf(args.content);
    if (path === null || content === null) return null;
    return `${result.wrote ?? writeLabel(output)} ${path} (${countText(lineCount(content), "line")})`;
  },
  edit: ({ path }) => path === null ? null : `Edited ${path}`,
  multi_edit: ({ path }) => path === null ? null : `Edited ${path}`,
  // The exit first: a renderer reads it there, and the command may hold the same words.
  shell: ({ args, result }) => exitSummary(args, result),
  glob: searchSummary,
  grep: searchSummary,
};

/** The summary of a finished call; "" when its own looks say it better. */
export function resultSummary(call: SummedCall, result: SummedResult, cwd: string | null): string {
  const args = fieldsOf(call.args);
  const output = result.output ?? "";
  if (result.isError && call.kind !== "shell") {
    return cutLine(firstLine(output) || `${call.name} failed`);
  }
  const path = nearPath(firstText(args.file_path, args.filePath, args.path, args.absolute_path), cwd);
  const own = SUMMARIES[call.kind]?.({ args, path, output, result });
  const said = own ?? firstLine(output);
  return cutLine(said === "" && result.isError ? `${call.name} failed` : said);
}

/** A path as seen from the working directory. */
export function nearPath(path: string | null, cwd: string | null): string | null {
  if (path === null || cwd === null || cwd === "") return path;
  const home = cwd.endsWith("/") ? cwd : `${cwd}/`;
  return path.startsWith(home) ? path.slice(home.length) : path;
}

/** The first line with something in it, without blanks around it. */
export function firstLine(text: string): string {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end).trim();
    if (line !== "") return line;
    start = end + 1;
  }
  return "";
}

/** Lines of a text; a final newline adds none. */
export function lineCount(text: string): number {
  if (text === "") return 0;
  let count = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

export function countText(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** `text` as one line of a row's length. */
export function cutLine(text: string): string {
  const line = firstLine(text);
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, "")}…`;
}

const WRAPPER =
  /^\s*(?:<path>[^\n]*<\/path>\n)?(?:<type>[^\n]*<\/type>\n)?<(content|file)>\n([\s\S]*?)\n?<\/\1>\s*$/;
const LISTED = /^(?:(\d+): |0*(\d+)\| ?)(.*)$/;

/**
 * A file as OpenCode and DeepSeek Harness show it (`<content>`, "12: text") with line numbers our file cache knows;
 * other text as it is. Notices behind the lines stay.
 */
export function readListing(output: string): string {
  const wrapped = WRAPPER.exec(output);
  if (wrapped === null) return output;
  const lines = (wrapped[2] ?? "").split("\n");
  let behind = false;
  const numbered = lines.map((text) => {
    const row = behind ? null : LISTED.exec(text);
    if (row === null) behind = true;
    return row === null ? text : `${(row[1] ?? row[2] ?? "").padStart(6)}\t${row[3]}`;
  });
  return `${numbered.join("\n")}\n`;
}

/** How a command ended where its last line says so, in the ways of the agents read here. */
export function exitInText(text: string): { readonly code: number | null; readonly signal: string | null } {
  const end = text.slice(-600).trimEnd();
  const code = /(?:^|\n)(?:\[exit code: (-?\d+)\]|Command exited with code (-?\d+)|Exit Code: (-?\d+))/gi;
  let found: RegExpExecArray | null = null;
  for (let match = code.exec(end); match !== null; match = code.exec(end)) found = match;
  const signal = /(?:^|\n)\[killed by signal: ?([A-Za-z0-9]+)\]\s*$/.exec(end);
  return {
    code: found === null ? null : Number(found[1] ?? found[2] ?? found[3]),
    signal: signal?.[1] ?? null,
  };
}

/** True for a tool whose result is a command's. */
export function isShell(name: string): boolean {
  return toolKind(name) === "shell";
}

function exitSummary(args: Fields, result: SummedResult): string {
  const command = firstLine(firstText(args.command, args.cmd, args.script) ?? "");
  const told = result.signal != null
    ? `killed by signal ${result.signal}`
    : result.exitCode == null
    ? ""
    : `exit ${result.exitCode}`;
  if (told !== "") return command === "" ? told : `${told}: ${command}`;
  return result.isError ? lastLine(result.output ?? "") : "";
}

/** The last line with something in it: where a command that failed says why. */
function lastLine(text: string): string {
  const end = text.slice(-2000).trimEnd();
  return end.slice(end.lastIndexOf("\n") + 1).trim();
}

function searchSummary(
  { args, output }: { readonly args: Fields; readonly output: string },
): string {
  const pattern = firstText(args.pattern, args.query, args.regex) ?? "";
  const first = firstLine(output);
  if (/^(?:Found|No)\b/.test(first)) return first;
  const lines = lineCount(output);
  return lines === 0 ? `Searched for ${pattern}` : `${countText(lines, "line")} for ${pattern}`;
}

/** Lines of a file that a Read showed, without the notices around them. */
function listedLines(output: string): number {
  if (!/^ *\d+\t/.test(output)) return lineCount(output);
  let count = 0;
  for (const line of output.split("\n")) {
    if (!/^ *\d+\t/.test(line)) break;
    count++;
  }
  return count;
}

function writeLabel(said: string): string {
  if (/\bcreated\b|\bnew file\b/i.test(said)) return "Created";
  if (/\boverw(?:rote|ritten)\b|\bupdated\b/i.test(said)) return "Overwrote";
  return "Wrote";
}
