// The prompts of a directory, kept between clients: one JSON line each in the state directory, readable by their
// owner only. Any number of clients may add at once: every change is made under a lock, an addition is one write, and
// the file is replaced, never rewritten. What a prompt is and how it is recalled is input/prompt_history.ts's.

import type { DraftPart } from "../../input/draft_text.ts";
import { ownDirectory } from "./directories.ts";

/** What was kept, oldest first, and what a person should know about it. */
export interface LoadedPrompts {
  readonly prompts: readonly (readonly DraftPart[])[];
  readonly notice: string | null;
}

/** The prompts of one directory. Neither call throws; what went wrong is a text for people. */
export interface PromptStore {
  load(): Promise<LoadedPrompts>;
  /** Adds one prompt at the end; null when it is kept, else why not. */
  add(parts: readonly DraftPart[]): Promise<string | null>;
  /** Resolves when everything asked for so far is done. */
  settled(): Promise<void>;
}

/** Prompts kept; the file may hold a few more until it is next replaced. */
const MAX_PROMPTS = 1000;
/** Bytes of prompts kept in all; the oldest go first. */
const MAX_BYTES = 16 << 20;
/** A longer line is not kept: it would push out all others. */
const MAX_LINE = 4 << 20;
/** The file is looked at for replacing when it is larger than this, or holds this many lines too many. */
const SLACK_BYTES = 4 << 20;
const SLACK_LINES = 200;

/** The store of `directory` below our state directory; null where there is none. */
export function openPromptStore(directory: string, state = ownDirectory("state")): PromptStore | null {
  if (state === null) return null;
  const folder = `${state}/history`;
  let last: Promise<unknown> = Promise.resolve();
  let name: Promise<string> | null = null;
  /** One after the other, in the order asked for. */
  const inTurn = <Result>(work: (path: string) => Promise<Result>): Promise<Result> => {
    const result = last.then(async () => await work(`${folder}/${await (name ??= hashName(directory))}`));
    last = result.catch(() => {});
    return result;
  };
  return {
    load: () =>
      inTurn((path) => loadPrompts(path, folder)).catch((error): LoadedPrompts => ({
        prompts: [],
        notice: `Cannot read earlier prompts: ${failureText(error)}`,
      })),
    add: (parts) =>
      inTurn((path) => addPrompt(path, { folder, directory, parts })).catch((error) =>
        `Cannot keep the prompt: ${failureText(error)}`
      ),
    settled: async () => {
      await last;
    },
  };
}

/** What one line of the file holds. */
type StoredLine =
  | { readonly kind: "prompt"; readonly parts: readonly DraftPart[] }
  /** Tells people which directory the file belongs to. */
  | { readonly kind: "head" }
  | { readonly kind: "damaged" };

async function loadPrompts(path: string, folder: string): Promise<LoadedPrompts> {
  const text = await readText(`${path}.jsonl`);
  if (text === null) return { prompts: [], notice: null };
  let lines = linesOf(text);
  let damaged = countDamaged(lines);
  if (damaged > 0 || lines.length > MAX_PROMPTS + SLACK_LINES || text.length > MAX_BYTES + SLACK_BYTES) {
    // Read again under the lock: a line may only look damaged because it is just being written.
    await locked(path, folder, async () => {
      lines = linesOf(await readText(`${path}.jsonl`) ?? "");
      damaged = countDamaged(lines);
      await replaceFile(path);
    });
  }
  const prompts: (readonly DraftPart[])[] = [];
  let before = "";
  for (const line of lines) {
    const stored = readLine(line);
    if (stored.kind !== "prompt") continue;
    const text = JSON.stringify(stored.parts);
    if (text !== before) prompts.push(stored.parts);
    before = text;
  }
  return {
    prompts: prompts.slice(-MAX_PROMPTS),
    notice: damaged === 0
      ? null
      : `${damaged} damaged ${
        damaged === 1 ? "line" : "lines"
      } of the earlier prompts moved to ${path}.damaged`,
  };
}

function countDamaged(lines: readonly string[]): number {
  return lines.filter((line) => readLine(line).kind === "damaged").length;
}

async function addPrompt(
  path: string,
  entry: { readonly folder: string; readonly directory: string; readonly parts: readonly DraftPart[] },
): Promise<string | null> {
  const line = JSON.stringify({ at: Date.now(), parts: entry.parts }) + "\n";
  if (line.length > MAX_LINE) return "The prompt is too long to be kept for later";
  await locked(path, entry.folder, async () => {
    const file = await Deno.open(`${path}.jsonl`, { create: true, read: true, append: true, mode: 0o600 });
    try {
      const { size, mode } = await file.stat();
      if (mode !== null && (mode & 0o077) !== 0) await Deno.chmod(`${path}.jsonl`, 0o600);
      const head = size === 0 ? JSON.stringify({ directory: entry.directory }) + "\n" : "";
      // A line that a crash cut off must not swallow the next one.
      const cut = size > 0 && !await endsWithNewline(file, size) ? "\n" : "";
      await writeAll(file, new TextEncoder().encode(cut + head + line));
      await file.syncData();
      if (size > MAX_BYTES + SLACK_BYTES) await replaceFile(path);
    } finally {
      file.close();
    }
  });
  return null;
}

/** Under the lock: puts damaged lines aside and drops the oldest prompts beyond what is kept. */
async function replaceFile(path: string): Promise<void> {
  const lines = linesOf(await readText(`${path}.jsonl`) ?? "");
  const damaged = lines.filter((line) => readLine(line).kind === "damaged");
  if (damaged.length > 0) {
    const aside = await Deno.open(`${path}.damaged`, { create: true, append: true, mode: 0o600 });
    try {
      await writeAll(aside, new TextEncoder().encode(damaged.join("\n") + "\n"));
      await aside.syncData();
    } finally {
      aside.close();
    }
  }
  const good = lines.filter((line) => readLine(line).kind === "prompt");
  let bytes = 0;
  let first = good.length;
  while (first > 0 && good.length - first < MAX_PROMPTS) {
    bytes += good[first - 1]!.length + 1;
    if (bytes > MAX_BYTES) break;
    first--;
  }
  const head = lines.filter((line) => readLine(line).kind === "head").slice(0, 1);
  const fresh = `${path}.new`;
  const file = await Deno.open(fresh, { create: true, write: true, truncate: true, mode: 0o600 });
  try {
    await writeAll(
      file,
      new TextEncoder().encode([...head, ...good.slice(first)].map((line) => line + "\n").join("")),
    );
    await file.syncData();
  } finally {
    file.close();
  }
  await Deno.rename(fresh, `${path}.jsonl`);
}

function readLine(line: string): StoredLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: "damaged" };
  }
  if (typeof value !== "object" || value === null) return { kind: "damaged" };
  const { directory, parts } = value as { directory?: unknown; parts?: unknown };
  if (typeof directory === "string") return { kind: "head" };
  if (!Array.isArray(parts) || parts.length === 0 || !parts.every(isPart)) return { kind: "damaged" };
  return { kind: "prompt", parts };
}

function isPart(value: unknown): value is DraftPart {
  if (typeof value !== "object" || value === null) return false;
  const { type, text } = value as { type?: unknown; text?: unknown };
  return (type === "text" || type === "paste") && typeof text === "string";
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

/** Holds the lock of one history while `work` lasts. The lock is a file of its own, for the history is replaced. */
async function locked(path: string, folder: string, work: () => Promise<void>): Promise<void> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  if (Deno.build.os !== "windows") await Deno.chmod(folder, 0o700);
  const lock = await Deno.open(`${path}.lock`, { create: true, write: true, mode: 0o600 });
  try {
    await lock.lock(true);
    await work();
  } finally {
    lock.close();
  }
}

async function endsWithNewline(file: Deno.FsFile, size: number): Promise<boolean> {
  const last = new Uint8Array(1);
  await file.seek(size - 1, Deno.SeekMode.Start);
  return await file.read(last) === 1 && last[0] === 0x0a;
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
}

async function readText(path: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** A file name for a directory: nothing of its path shows in the listing of a shared machine. */
async function hashName(directory: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(directory));
  return new Uint8Array(hash).subarray(0, 12).toHex();
}

function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
