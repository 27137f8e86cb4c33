// The files of one recording as one stream of bytes: the session's own, then those of its nested agents, kept in
// files of their own beside it. With `follow` the stream goes on as they are written. Nothing is ever written.

import { agentOfPath, subagentFolder } from "../../recordings/claude_files.ts";
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
  // Bytes in order and a known length: a plain file.
  const isFile = source.tail !== null;
  const nested = isFile ? createNested(path, options.follow) : null;
  const news = isFile && options.follow ? createWatch(path, options.pollMs ?? POLL_MS) : null;
  let open: Source = source;
  let isLineStart = true;
  const restart = async (): Promise<boolean> => {
    const again = await openSource(path);
    if (again.kind === "problem") return false;
    open.close();
    open = again;
    isLineStart = true;
    nested?.restart();
    return true;
  };
  return {
    ...source,
    next: async () => {
      const read = await open.next();
      if (read.kind === "bytes") isLineStart = read.bytes.at(-1) === NEWLINE;
      if (read.kind !== "end" || nested === null) return read;
      // Half a line that is still being written must not be continued by another file.
      if (options.follow && !isLineStart) return read;
      const bytes = nested.next();
      if (bytes === null) return read;
      if (isLineStart) return { kind: "bytes", bytes };
      isLineStart = true;
      return { kind: "bytes", bytes: joined(new Uint8Array([NEWLINE]), bytes) };
    },
    news: news === null ? null : () => news.next({ restart, hasMore: () => nested?.hasMore() ?? false }),
    close: () => {
      open.close();
      nested?.close();
    },
  };
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Files that belong to a session, read behind it. */
interface Nested {
  /** Whole lines, of one file at a time; null when there are no more now. */
  next(): Uint8Array | null;
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
  const open = () => {
    for (const beside of pathsBeside(path, follow)) {
      if (files.has(beside)) continue;
      try {
        const file = Deno.openSync(beside, { read: true });
        files.set(beside, { file, position: 0, rest: new Uint8Array(0) });
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
    next: () => {
      open();
      for (const nested of files.values()) {
        const bytes = nextLines(nested, follow);
        if (bytes !== null) return bytes;
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

const PIECE_LENGTH = 1 << 18;

/** The lines that a file has now. What is no whole line waits while the file may grow. */
function nextLines(nested: NestedFile, follow: boolean): Uint8Array | null {
  for (;;) {
    const buffer = new Uint8Array(PIECE_LENGTH);
    const count = nested.file.readSync(buffer);
    if (count === null || count === 0) {
      if (follow || nested.rest.length === 0) return null;
      const last = joined(nested.rest, new Uint8Array([NEWLINE]));
      nested.rest = new Uint8Array(0);
      return last;
    }
    nested.position += count;
    const bytes = joined(nested.rest, buffer.subarray(0, count));
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    nested.rest = bytes.slice(end);
    if (end > 0) return bytes.subarray(0, end);
  }
}

/** Files of nested agents, oldest first. */
function pathsBeside(path: string, follow: boolean): readonly string[] {
  const agents = subagentFolder(path);
  const folder = path.replace(/[^\\/]*$/, "") || ".";
  const found = [
    ...agents === null ? [] : filesIn(agents, (name) => agentOfPath(name) !== null),
    // Those of DeepSeek Harness do not say in each record whose they are: they come behind the whole session.
    ...follow || !/(?:^|[\\/])session\.jsonl$/.test(path)
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

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
