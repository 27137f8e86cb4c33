// The files of one recording as one stream of bytes: the session's own, then those of its nested agents, kept in
// files of their own beside it. With `follow` the stream goes on as they are written. Nothing is ever written.

import { joinBytes } from "../../recordings/bytes.ts";
import { fileMark } from "../../recordings/file_marks.ts";
import {
  agentOfPath,
  agentThreads,
  isChildLog,
  subagentFolder,
  threadOfPath,
} from "../../recordings/nested_files.ts";
import type { LinePlace } from "./feed.ts";
import { later } from "./later.ts";
import { openSource, type Source } from "../../recordings/source.ts";

/** What became of a recording that is watched. */
export type FileNews =
  | { readonly kind: "more" }
  /** Another file has its name, or it was cut: it is read from its beginning. */
  | { readonly kind: "restart"; readonly what: string }
  | { readonly kind: "notice"; readonly what: string };

/** An open recording with all its files. */
export interface RecordingFiles extends Source {
  /** Waits behind the end for what is written then. Null where the end is the end. */
  readonly news: (() => Promise<FileNews>) | null;
  /** Where a line of the stream stands; null where its number says it. */
  readonly placeOf: (line: number) => LinePlace | null;
}

export interface FilesOptions {
  readonly follow: boolean;
  /** Time between two looks, in ms. */
  readonly pollMs?: number;
}

/** A recording, or why there is none. */
export type OpenedFiles = RecordingFiles | { readonly kind: "problem"; readonly what: string };

/** Short enough to look alive, long enough to cost nothing. */
const POLL_MS = 250;
/** Looks for a file that is gone before that is said. */
const GONE_LOOKS = 4;
const NEWLINE = 10;

/** Opens a recording; "-" is standard input, which ends when its writer does. */
export async function openFiles(path: string, options: FilesOptions): Promise<OpenedFiles> {
  const source = await openSource(path);
  if (source.kind === "problem") {
    if (!isFolder(path)) return source;
    const found = await (await later("open_folder")).sessionIn(path);
    return found.kind === "problem" ? found : await openFiles(found.path, options);
  }
  // What has an end is a file; other files stand beside plain ones only.
  const isFile = source.tail !== null;
  const nested = isFile && source.packed === undefined ? createNested(path, options.follow) : null;
  const news = isFile && options.follow ? createWatch(path, options.pollMs ?? POLL_MS) : null;
  let open: Source = source;
  let isLineStart = true;
  /** The nested file whose lines were given last, if those of the session's own would be taken for its. */
  let marked: string | null = null;
  let lines = createLines();
  const restart = async (): Promise<boolean> => {
    const again = await openSource(path);
    if (again.kind === "problem") return false;
    open.close();
    open = again;
    isLineStart = true;
    marked = null;
    lines = createLines();
    nested?.restart();
    return true;
  };
  const ownBytes = (bytes: Uint8Array): Uint8Array => {
    nested?.see(bytes);
    isLineStart = bytes.at(-1) === NEWLINE;
    // Where there are no other files a line is where its number says; of what is followed more may come.
    if (nested === null || !options.follow && !nested.hasFiles()) return bytes;
    if (marked === null) return lines.take(null, bytes);
    marked = null;
    return joinBytes([lines.mark(null), lines.take(null, bytes)]);
  };
  const nestedBytes = ({ path: from, bytes }: NestedLines): Uint8Array => {
    const name = from.replace(/^.*[\\/]/, "");
    const end = isLineStart ? NOTHING : lines.take(null, new Uint8Array([NEWLINE]));
    isLineStart = true;
    const needsMark = isMarked(from, options.follow) && marked !== from;
    if (needsMark) marked = from;
    const mark = needsMark ? lines.mark(name) : NOTHING;
    return joinBytes([end, mark, lines.take(name, bytes)]);
  };
  return {
    ...source,
    next: async (room) => {
      const read = await open.next(room);
      if (read.kind === "bytes") return { kind: "bytes", bytes: ownBytes(read.bytes) };
      if (read.kind !== "end" || nested === null) return read;
      // Half a line that is still being written must not be continued by another file.
      if (options.follow && !isLineStart) return read;
      const found = nested.next();
      return found === null ? read : { kind: "bytes", bytes: nestedBytes(found) };
    },
    news: news === null ? null : () => news.next({ restart, hasMore: () => nested?.hasMore() ?? false }),
    placeOf: (line) => lines.placeOf(line),
    close: () => {
      open.close();
      nested?.close();
    },
  };
}

const NOTHING = new Uint8Array(0);

/** Records of Claude Code say whose they are. Logs of DeepSeek Harness do where each stands behind the one before. */
function isMarked(path: string, follow: boolean): boolean {
  return threadOfPath(path) !== null || follow && isChildLog(path);
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Whole lines of one file. */
interface NestedLines {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Files that belong to a session, read behind it. */
interface Nested {
  /** Looks at bytes of the session's own file, which may name others. */
  see(bytes: Uint8Array): void;
  /** True when there is any. */
  hasFiles(): boolean;
  /** Null when there are no more lines now. */
  next(): NestedLines | null;
  hasMore(): boolean;
  restart(): void;
  close(): void;
}

interface NestedFile {
  readonly file: Deno.FsFile;
  position: number;
  rest: Uint8Array;
}

function createNested(path: string, follow: boolean): Nested {
  const files = new Map<string, NestedFile>();
  const named = threadOfPath(path) === null ? null : createNamed(path);
  let isLookedFor = false;
  const open = () => {
    isLookedFor = true;
    for (const beside of [...pathsBeside(path), ...named?.paths() ?? []]) {
      if (files.has(beside)) continue;
      try {
        const file = Deno.openSync(beside, { read: true });
        files.set(beside, { file, position: 0, rest: NOTHING });
      } catch {
        // It belongs to the session, and is no reason not to show the session.
      }
    }
  };
  const close = () => {
    for (const { file } of files.values()) file.close();
    files.clear();
  };
  return {
    see: (bytes) => named?.see(bytes),
    hasFiles: () => {
      // Of a rollout the others are known when it has been read.
      if (!isLookedFor) open();
      return files.size > 0 || named !== null;
    },
    next: () => {
      open();
      for (const [beside, nested] of files) {
        const bytes = nextLines(nested, follow);
        if (bytes !== null) return { path: beside, bytes };
      }
      return null;
    },
    hasMore: () => {
      open();
      return [...files.values()].some(({ file, position }) => file.statSync().size > position);
    },
    restart: close,
    close,
  };
}

/** Rollouts of agents that a session of Codex names, found when they are there. */
interface Named {
  see(bytes: Uint8Array): void;
  paths(): readonly string[];
}

/** The beginning of a name that a piece of bytes cuts is in the one before. */
const NAME_LENGTH = 200;
/** Folders of days after the session's own that are looked into. */
const MOST_DAYS = 31;

function createNamed(path: string): Named {
  const own = threadOfPath(path);
  const threads = new Set<string>();
  const found = new Map<string, string>();
  const decoder = new TextDecoder("latin1");
  let rest = "";
  return {
    see: (bytes) => {
      const text = rest + decoder.decode(bytes);
      rest = text.slice(-NAME_LENGTH);
      for (const thread of agentThreads(text)) if (thread !== own) threads.add(thread);
    },
    paths: () => {
      const missing = [...threads].filter((thread) => !found.has(thread));
      if (missing.length > 0) {
        for (const folder of dayFolders(path)) {
          for (
            const { path: beside } of filesIn(folder, (name) => missing.includes(threadOfPath(name) ?? ""))
          ) {
            found.set(threadOfPath(beside) ?? "", beside);
          }
        }
      }
      return [...threads].flatMap((thread) => found.get(thread) ?? []);
    },
  };
}

/** The folder of a rollout, and those of later days where it lies in one of `YYYY/MM/DD`. */
function dayFolders(path: string): readonly string[] {
  const folder = path.replace(/[\\/]?[^\\/]*$/, "") || ".";
  const match = /^(.*)[\\/](\d{4})[\\/](\d\d)[\\/](\d\d)$/.exec(folder);
  if (match === null) return [folder];
  const [, root, year, month, day] = match;
  const first = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const later = Array.from({ length: MOST_DAYS }, (_, at) => {
    const date = new Date(first + (at + 1) * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "/");
    return `${root}/${date}`;
  });
  return [folder, ...later];
}

/** Which lines of the stream are from which file. */
interface Lines {
  /** Counts the lines of bytes that are given. */
  take(name: string | null, bytes: Uint8Array): Uint8Array;
  /** Counts a line of ours, which stands in no file. */
  mark(name: string | null): Uint8Array;
  placeOf(line: number): LinePlace | null;
}

function createLines(): Lines {
  /** Rising by `start`, the number of the stream's line that is line `own` of its file. */
  const runs: { readonly start: number; readonly file: string | null; readonly own: number }[] = [];
  const counts = new Map<string | null, number>();
  let total = 0;
  let isBroken = false;
  return {
    take: (file, bytes) => {
      const before = counts.get(file) ?? 0;
      if (runs.at(-1)?.file !== file || isBroken) runs.push({ start: total + 1, file, own: before + 1 });
      isBroken = false;
      let count = 0;
      for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
      counts.set(file, before + count);
      total += count;
      return bytes;
    },
    mark: (name) => {
      total++;
      isBroken = true;
      return new TextEncoder().encode(fileMark(name));
    },
    placeOf: (line) => {
      const run = runs.findLast(({ start }) => start <= line);
      if (run === undefined || runs.length === 1) return null;
      return { file: run.file, line: run.own + line - run.start };
    },
  };
}

const PIECE_LENGTH = 1 << 18;

/** The lines that a file has now. What is no whole line waits while the file may grow. */
function nextLines(nested: NestedFile, follow: boolean): Uint8Array | null {
  for (;;) {
    const buffer = new Uint8Array(PIECE_LENGTH);
    const count = nested.file.readSync(buffer);
    if (count === null || count === 0) {
      if (follow || nested.rest.length === 0) return null;
      const last = joinBytes([nested.rest, new Uint8Array([NEWLINE])]);
      nested.rest = new Uint8Array(0);
      return last;
    }
    nested.position += count;
    const bytes = joinBytes([nested.rest, buffer.subarray(0, count)]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    nested.rest = bytes.slice(end);
    if (end > 0) return bytes.subarray(0, end);
  }
}

/** Files of nested agents, oldest first. */
function pathsBeside(path: string): readonly string[] {
  const agents = subagentFolder(path);
  const folder = path.replace(/[^\\/]*$/, "") || ".";
  const found = [
    ...agents === null ? [] : filesIn(agents, (name) => agentOfPath(name) !== null),
    ...!/(?:^|[\\/])session\.jsonl$/.test(path)
      ? []
      : filesIn(folder, (name) => /^session\.\d+\.jsonl$/.test(name)),
  ];
  return found.sort((a, b) => a.bornMs - b.bornMs || (a.path < b.path ? -1 : 1)).map((one) => one.path);
}

function filesIn(
  folder: string,
  isWanted: (name: string) => boolean,
): { readonly path: string; readonly bornMs: number }[] {
  try {
    return [...Deno.readDirSync(folder)].filter((entry) => !entry.isDirectory && isWanted(entry.name)).map(
      (entry) => {
        const path = `${folder.replace(/[\\/]$/, "")}/${entry.name}`;
        return { path, bornMs: Deno.statSync(path).birthtime?.getTime() ?? 0 };
      },
    );
  } catch {
    return [];
  }
}

interface Watch {
  next(deeds: { restart(): Promise<boolean>; hasMore(): boolean }): Promise<FileNews>;
}

/** Looks at a file again and again: by polling, which works on every file system. */
function createWatch(path: string, pollMs: number): Watch {
  let known = identityOf(path);
  let marks = known === null ? "" : marksOf(path, known.length);
  let isEmptied = false;
  let goneLooks = 0;
  return {
    next: async ({ restart, hasMore }) => {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, pollMs));
        const now = identityOf(path);
        if (now === null) {
          if (++goneLooks === GONE_LOOKS) return { kind: "notice", what: "The file is gone" };
          continue;
        }
        const wasGone = goneLooks >= GONE_LOOKS;
        goneLooks = 0;
        const isOther = known !== null && (now.inode !== known.inode || now.device !== known.device);
        const isShorter = known !== null && now.length < known.length;
        const isLonger = known !== null && now.length > known.length;
        // Written over in place it may be longer at once: what was read is then not what stands there.
        const isRewritten = isEmptied || isLonger && marks !== marksOf(path, known?.length ?? 0);
        if (isOther || isShorter || isRewritten || wasGone) {
          // An empty file is one that is about to be written.
          isEmptied = now.length === 0;
          if (isEmptied || !await restart()) continue;
          known = now;
          marks = marksOf(path, now.length);
          return {
            kind: "restart",
            what: isOther || wasGone
              ? "The file was replaced: this is the new one"
              : "The file was cut and written anew: this is what it holds now",
          };
        }
        const hasGrown = known === null || isLonger;
        if (hasGrown) marks = marksOf(path, now.length);
        known = now;
        if (hasGrown || hasMore()) return { kind: "more" };
      }
    },
  };
}

/** Bytes looked at on either side of what was read. */
const MARK_BYTES = 256;

/** The beginning and the end of a file's first `length` bytes; "" when it cannot be read. */
function marksOf(path: string, length: number): string {
  try {
    using file = Deno.openSync(path, { read: true });
    const marks = [0, Math.max(0, length - MARK_BYTES)].map((start) => {
      file.seekSync(start, Deno.SeekMode.Start);
      const bytes = new Uint8Array(Math.min(MARK_BYTES, length));
      return bytes.subarray(0, file.readSync(bytes) ?? 0).join();
    });
    return marks.join(";");
  } catch {
    return "";
  }
}

interface Identity {
  readonly inode: number | null;
  readonly device: number;
  readonly length: number;
}

function identityOf(path: string): Identity | null {
  try {
    const { ino, dev, size } = Deno.statSync(path);
    return { inode: ino, device: dev, length: size };
  } catch {
    return null;
  }
}
