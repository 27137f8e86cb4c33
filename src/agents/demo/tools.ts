// The demo agent's tools, really executed in its workspace: a call in, a result value out, no events.
// Commands stream and can be stopped: command.ts. Every fault is a result with isError, worded for a reader.

import { runCommand, type RunningCommand } from "./command.ts";
import { count, globPattern, splitLines } from "./paths.ts";
import type { ToolUse } from "./steps.ts";
import { placeOf, scratchOf, type Workspace, workspaceFiles, workspaceRoot } from "./workspace.ts";

/** What a call gave. `output` null: nothing to show but the summary. */
export interface ToolResult {
  readonly summary: string;
  readonly output: string | null;
  readonly isError: boolean;
}

/** What a running call may tell before its result. */
export interface ToolHooks {
  /** A piece of a command's output. */
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void;
  /** A command started that can be paused and killed. */
  readonly onCommand: (command: RunningCommand) => void;
}

type Input = Readonly<Record<string, unknown>>;
type Tool = (input: Input, workspace: Workspace, hooks: ToolHooks) => Promise<ToolResult>;

const READ_LIMIT = 2000;
const MAX_READ_BYTES = 10 * 1024 * 1024;
const MAX_SEARCHED_BYTES = 1024 * 1024;
const MAX_MATCHES = 200;
const MAX_LISTED = 500;
/** A longer line of a match is cut. */
const MATCH_LENGTH = 300;

const TOOLS: Readonly<Record<Exclude<ToolUse["tool"], "preview_release">, Tool>> = {
  Read: readFile,
  Write: writeFile,
  Edit: editFile,
  Grep: searchFiles,
  Glob: listFiles,
  Bash: bash,
};

/** Runs one call; never rejects. */
export async function runTool(use: ToolUse, workspace: Workspace, hooks: ToolHooks): Promise<ToolResult> {
  if (use.card !== undefined) return { summary: use.card.summary, output: null, isError: false };
  try {
    if (use.tool === "preview_release") return failed("Cannot preview a release: the call has no card");
    return await TOOLS[use.tool](use.input, workspace, hooks);
  } catch (error) {
    const path = String(use.input.file_path ?? use.input.pattern ?? use.input.command ?? "");
    return failed(`Cannot ${use.tool.toLowerCase()} ${path}: ${plainError(error)}`);
  }
}

async function readFile(input: Input, workspace: Workspace): Promise<ToolResult> {
  const place = await placeOf(workspace, String(input.file_path));
  if (place.kind === "refused") return failed(`Cannot read: ${place.why}`);
  const text = await readText(place.absolute);
  if (text === null) return failed(`Cannot read ${place.path}: it is not text, or larger than 10 MB`);
  const all = splitLines(text);
  const first = Math.max(1, Number(input.offset ?? 1));
  const lines = all.slice(first - 1, first - 1 + Number(input.limit ?? READ_LIMIT));
  if (lines.length === 0 && all.length > 0) {
    return failed(`Cannot read ${place.path} from line ${first}: it has ${count(all.length, "line")}`);
  }
  const reachesEnd = first - 1 + lines.length === all.length;
  const numbered = lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}`).join("\n");
  return {
    summary: `Read ${lines.length} line(s) from ${place.path}`,
    output: numbered + (lines.length > 0 && (!reachesEnd || text.endsWith("\n")) ? "\n" : ""),
    isError: false,
  };
}

async function writeFile(input: Input, workspace: Workspace): Promise<ToolResult> {
  const refused = await refuseChange(workspace, "write");
  if (refused !== null) return refused;
  const place = await placeOf(workspace, String(input.file_path));
  if (place.kind === "refused") return failed(`Cannot write: ${place.why}`);
  const content = String(input.content);
  const isNew = !await exists(place.absolute);
  await Deno.mkdir(place.absolute.slice(0, place.absolute.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(place.absolute, content);
  const lines = count(splitLines(content).length, "line");
  return {
    summary: `${isNew ? "Created" : "Overwrote"} ${place.path} (${lines})`,
    output: null,
    isError: false,
  };
}

async function editFile(input: Input, workspace: Workspace): Promise<ToolResult> {
  const refused = await refuseChange(workspace, "edit");
  if (refused !== null) return refused;
  const place = await placeOf(workspace, String(input.file_path));
  if (place.kind === "refused") return failed(`Cannot edit: ${place.why}`);
  const text = await readText(place.absolute);
  if (text === null) return failed(`Cannot edit ${place.path}: it is not text, or larger than 10 MB`);
  const crlf = text.includes("\r\n");
  const [before, after] = [input.old_string, input.new_string].map((each) =>
    crlf ? String(each).replace(/\r?\n/g, "\r\n") : String(each)
  ) as [string, string];
  if (before === "") return failed(`Cannot edit ${place.path}: the old text is empty`);
  const places = text.split(before).length - 1;
  if (places === 0) return failed(`Cannot edit ${place.path}: the old text is not in it`);
  if (places > 1 && input.replace_all !== true) {
    return failed(
      `Cannot edit ${place.path}: the old text occurs ${places} times; give more of it, or edit all`,
    );
  }
  await Deno.writeTextFile(place.absolute, text.split(before).join(after));
  const many = places === 1 ? "" : ` (${places} places)`;
  return { summary: `Edited ${place.path}${many}`, output: null, isError: false };
}

async function searchFiles(input: Input, workspace: Workspace): Promise<ToolResult> {
  const source = String(input.pattern);
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, "u");
  } catch {
    return failed(
      `Cannot search for ${source}: it is not a regular expression; put \\ before signs meant as they are`,
    );
  }
  const found: string[] = [];
  const files = new Set<string>();
  const root = workspaceRoot(workspace);
  for (const file of await workspaceFiles(workspace)) {
    const text = await readText(`${root}/${file}`, MAX_SEARCHED_BYTES).catch(() => null);
    for (const [index, line] of splitLines(text ?? "").entries()) {
      if (!pattern.test(line)) continue;
      files.add(file);
      if (found.length < MAX_MATCHES) found.push(`${file}:${index + 1}:${line.slice(0, MATCH_LENGTH)}`);
      else break;
    }
    if (found.length >= MAX_MATCHES) break;
  }
  if (found.length === 0) return { summary: `No match for ${source}`, output: "", isError: false };
  const more = found.length >= MAX_MATCHES ? ", stopped there" : "";
  return {
    summary: `Found ${count(found.length, "match", "matches")} in ${count(files.size, "file")}${more}`,
    output: found.join("\n") + "\n",
    isError: false,
  };
}

async function listFiles(input: Input, workspace: Workspace): Promise<ToolResult> {
  const glob = String(input.pattern).replace(/^\.\//, "");
  const pattern = globPattern(glob);
  const all = (await workspaceFiles(workspace)).filter((file) => pattern.test(file));
  if (all.length === 0) return { summary: `No file matches ${glob}`, output: "", isError: false };
  const more = all.length > MAX_LISTED ? `, the first ${MAX_LISTED} listed` : "";
  return {
    summary: `Found ${count(all.length, "file")}${more}`,
    output: all.slice(0, MAX_LISTED).join("\n") + "\n",
    isError: false,
  };
}

async function bash(input: Input, workspace: Workspace, hooks: ToolHooks): Promise<ToolResult> {
  const refused = await refuseChange(workspace, "run");
  if (refused !== null) return refused;
  const command = String(input.command);
  const running = runCommand(command, workspaceRoot(workspace), hooks.onOutput);
  hooks.onCommand(running);
  const { exitCode, signal, output } = await running.done;
  const name = command.trim().split("\n")[0] ?? "";
  const how = signal === null ? `exit ${exitCode}` : `killed by signal ${signal}`;
  return { summary: `${name}: ${how}`, output, isError: signal !== null || exitCode !== 0 };
}

/** The result that says why nothing may be changed here; null where a scratch copy stands ready. */
async function refuseChange(workspace: Workspace, verb: string): Promise<ToolResult | null> {
  const scratch = await scratchOf(workspace);
  return scratch.kind === "ready" ? null : failed(`Cannot ${verb}: ${scratch.why}`);
}

/** The file's text; null when it is binary or larger than `maxBytes`. */
async function readText(path: string, maxBytes = MAX_READ_BYTES): Promise<string | null> {
  const info = await Deno.stat(path);
  if (info.isFile && info.size > maxBytes) return null;
  const bytes = await Deno.readFile(path);
  return bytes.subarray(0, 8192).includes(0) ? null : new TextDecoder().decode(bytes);
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function failed(summary: string): ToolResult {
  return { summary, output: summary, isError: true };
}

/** What a person needs of a system error: no code, no call, no path a second time. */
function plainError(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "there is no such file";
  if (error instanceof Deno.errors.IsADirectory) return "it is a directory";
  if (error instanceof Deno.errors.PermissionDenied) return "it may not be opened";
  return error instanceof Error ? error.message : String(error);
}
