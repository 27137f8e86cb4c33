// The bytes of a recording, read in pieces and never written: a file, a pipe, or standard input. What is wrong with
// it is a value with a text for people. Lines and values are json_lines.ts. Zstandard is unpacked on the way, and
// OpenCode's older store, a folder, is read as the export it would give.

import {
  chooseSession,
  STORE_FOLDERS,
  storeDocument,
  type StoreFile,
  type StoreFiles,
} from "./opencode_store.ts";
import type { SessionDocument } from "./session_document.ts";
import { isZstd, lastUnpacked, loadZstd } from "./zstd.ts";

/** The next piece of a recording. "end" may be asked again: a file that grew gives more then. */
export type SourceRead =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "end" }
  | { readonly kind: "problem"; readonly what: string };

/** An open recording. */
export interface Source {
  readonly kind: "source";
  /** For people: the path, or "standard input". */
  readonly name: string;
  /** Bytes in all when it was opened; null for a pipe, and where they are packed. */
  readonly byteLength: number | null;
  /** Of what is packed: its bytes as they are on the disk, and the share of them that was read. */
  readonly packed?: { readonly byteLength: number; share(): number };
  /** Reads on. The bytes are the caller's to keep. They may be put into `room`, or be given as they are. */
  next(room?: Uint8Array): Promise<SourceRead>;
  /** The last bytes of what it holds now, at most `length`; null where it can only be read in order. */
  readonly tail: ((length: number) => Uint8Array | null) | null;
  /** Of a recording that is kept in many files: its one session. Null for others, and where it is told in order. */
  readonly document: SessionDocument | null;
  close(): void;
}

/** A recording, or why there is none. */
export type OpenedSource = Source | { readonly kind: "problem"; readonly what: string };

export interface SourceOptions {
  /** Bytes asked for at once. */
  readonly chunkLength?: number;
}

/** Big enough for few reads, small enough to show progress and to leave memory alone. */
const CHUNK_LENGTH = 1 << 18;

/** Opens `path`; "-" is standard input. The first bytes are read, so that an empty or binary file is found here. */
export async function openSource(path: string, options: SourceOptions = {}): Promise<OpenedSource> {
  if (path === "") return problem(path, "the path is empty; give the path of a recorded session");
  const name = path === "-" ? "standard input" : path;
  let file: Deno.FsFile | typeof Deno.stdin = Deno.stdin;
  let byteLength: number | null = null;
  if (path !== "-") {
    try {
      const info = await Deno.stat(path);
      if (info.isDirectory) {
        if (await isStore(path)) return openFolderSource(path);
        return problem(name, "it is a directory; give a file inside it");
      }
      const store = await storeOfSession(path);
      if (store !== null) return openFolderSource(store.root, store);
      file = await Deno.open(path, { read: true });
      byteLength = info.isFile ? info.size : null;
    } catch (error) {
      return problem(name, failureText(error));
    }
  }
  const source = createSource(name, {
    file,
    byteLength,
    chunkLength: options.chunkLength ?? CHUNK_LENGTH,
    tail: byteLength === null ? null : (length) => tailOf(path, length),
  });
  const first = await source.peek();
  const fault = first.kind === "problem"
    ? first
    : first.kind === "end"
    ? problem(name, "it is empty; give a recorded session")
    : formFault(name, first.bytes);
  if (fault === null) return first.kind === "bytes" && isZstd(first.bytes) ? await unpacked(source) : source;
  source.close();
  return fault;
}

/** Packed bytes that are unpacked at once: they become several times as many. */
const PACKED_LENGTH = 1 << 12;

/** A Zstandard file's own bytes. Its length is not known; a frame that is cut off at the end is still being written. */
async function unpacked(packed: Source): Promise<OpenedSource> {
  const createUnpacker = await loadZstd();
  const unpacker = createUnpacker();
  const waiting: Uint8Array[] = [];
  const { byteLength, tail } = packed;
  let rest: Uint8Array = new Uint8Array(0);
  let given = 0;
  return {
    ...packed,
    byteLength: null,
    tail: tail === null ? null : (length) => lastUnpacked(tail, createUnpacker, length),
    ...byteLength === null
      ? {}
      : { packed: { byteLength, share: () => Math.min(1, given / Math.max(1, byteLength)) } },
    next: async () => {
      for (;;) {
        const bytes = waiting.shift();
        if (bytes !== undefined) return { kind: "bytes", bytes };
        if (rest.length === 0) {
          const read = await packed.next();
          if (read.kind !== "bytes") return read;
          rest = read.bytes;
        }
        // A little at a time: the first lines are wanted at once, and keys between two pieces.
        const some = rest.subarray(0, PACKED_LENGTH);
        rest = rest.subarray(PACKED_LENGTH);
        given += some.length;
        try {
          for (const one of unpacker.push(some)) waiting.push(one);
        } catch (error) {
          return problem(packed.name, `its Zstandard data is damaged (${failureText(error)})`);
        }
      }
    },
  };
}

export interface FolderOptions {
  /** Id of the session; the newest without. */
  readonly session?: string | null;
}

/** Opens the older store of OpenCode (folders session, message, part): one session of it, read as it is asked for. */
export function openFolderSource(path: string, options: FolderOptions = {}): OpenedSource {
  const files = storeFiles(path);
  try {
    const wanted = options.session ?? null;
    const [sessionFolder] = STORE_FOLDERS;
    const choice = chooseSession(readStore(files, sessionFolder), wanted);
    if (choice === null) {
      const which = wanted === null ? "no session of OpenCode" : `no session ${JSON.stringify(wanted)}`;
      return problem(
        path,
        `there is ${which} in this folder; give the folder that holds session/ and message/`,
      );
    }
    return documentSource(path, storeDocument(choice, files));
  } catch (error) {
    return problem(path, failureText(error));
  }
}

/** The store whose session a path names (`<root>/session/<project>/<name>.json`), and its id; null for other files. */
async function storeOfSession(
  path: string,
): Promise<{ readonly root: string; readonly session: string } | null> {
  const match = /^(?:(.*)[\\/])?session[\\/][^\\/]+[\\/][^\\/]+\.json$/.exec(path);
  const root = match === null ? null : match[1] ?? ".";
  if (root === null || !await isStore(root)) return null;
  try {
    const info = JSON.parse(await Deno.readTextFile(path));
    return typeof info?.id === "string" ? { root, session: info.id } : null;
  } catch {
    return null;
  }
}

/** True for a folder that looks like the store. */
async function isStore(path: string): Promise<boolean> {
  const found = await Promise.allSettled(STORE_FOLDERS.map((folder) => Deno.stat(`${path}/${folder}`)));
  return found.every((one) => one.status === "fulfilled" && one.value.isDirectory);
}

/** A source whose session is asked for its messages; read in order it is one line of JSON. */
function documentSource(name: string, document: SessionDocument): Source {
  let left: SessionDocument | null = document;
  return {
    kind: "source",
    name,
    byteLength: null,
    tail: null,
    document,
    next: () => {
      if (left === null) return Promise.resolve({ kind: "end" });
      try {
        const text = `${JSON.stringify(left.whole())}\n`;
        left = null;
        return Promise.resolve({ kind: "bytes", bytes: new TextEncoder().encode(text) });
      } catch (error) {
        return Promise.resolve(problem(name, failureText(error)));
      }
    },
    close: () => {
      left = null;
    },
  };
}

/** The files of a store, read at once: they are small, and few are needed at a time. */
function storeFiles(root: string): StoreFiles {
  const list = (folder: string, depth: number): readonly string[] => {
    try {
      return [...Deno.readDirSync(`${root}/${folder}`)].flatMap((entry) => {
        const path = `${folder}/${entry.name}`;
        if (entry.isDirectory) return depth > 0 ? list(path, depth - 1) : [];
        return entry.isFile && entry.name.endsWith(".json") ? [path] : [];
      });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return [];
      throw error;
    }
  };
  return { list, read: (path) => JSON.parse(Deno.readTextFileSync(`${root}/${path}`)) };
}

/** The JSON files below a folder of the store. A file that is no JSON is left out. */
function readStore(files: StoreFiles, folder: string): StoreFile[] {
  return files.list(folder, 2).flatMap((path) => {
    try {
      return [{ path, value: files.read(path) }];
    } catch (error) {
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
}

/** All pieces up to the present end, for a caller that does not follow. A fault ends it, as its last value. */
export async function* readSource(
  source: Source,
): AsyncGenerator<SourceRead & { kind: "bytes" | "problem" }> {
  for (;;) {
    const read = await source.next();
    if (read.kind === "end") return;
    yield read;
    if (read.kind === "problem") return;
  }
}

interface Reading {
  readonly file: Deno.FsFile | typeof Deno.stdin;
  readonly byteLength: number | null;
  readonly chunkLength: number;
  readonly tail: Source["tail"];
}

/** The last bytes of a file; null when they cannot be had: reading in order will say what is wrong with it. */
function tailOf(path: string, length: number): Uint8Array | null {
  try {
    using file = Deno.openSync(path, { read: true });
    const { size } = file.statSync();
    file.seekSync(Math.max(0, size - length), Deno.SeekMode.Start);
    const bytes = new Uint8Array(Math.min(length, size));
    let filled = 0;
    while (filled < bytes.length) {
      const count = file.readSync(bytes.subarray(filled));
      if (count === null) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  } catch {
    return null;
  }
}

function createSource(
  name: string,
  { file, byteLength, chunkLength, tail }: Reading,
): Source & { peek(): Promise<SourceRead> } {
  let waiting: SourceRead | null = null;
  let isClosed = false;
  const read = async (room?: Uint8Array): Promise<SourceRead> => {
    if (isClosed) return { kind: "end" };
    const buffer = room !== undefined && room.length > 0 ? room : new Uint8Array(chunkLength);
    try {
      const count = await file.read(buffer);
      return count === null || count === 0
        ? { kind: "end" }
        : { kind: "bytes", bytes: buffer.subarray(0, count) };
    } catch (error) {
      return problem(name, failureText(error));
    }
  };
  return {
    kind: "source",
    name,
    byteLength,
    tail,
    document: null,
    peek: async () => waiting ??= await read(),
    next: async (room) => {
      const first = waiting;
      waiting = null;
      return first ?? await read(room);
    },
    close: () => {
      if (isClosed) return;
      isClosed = true;
      if (file !== Deno.stdin) file.close();
    },
  };
}

/** Beginnings of files that hold no text, and what to do with each. */
const FORMS: readonly { readonly bytes: readonly number[]; readonly what: string }[] = [
  { bytes: [0x1f, 0x8b], what: "it is packed with gzip; unpack it first" },
  { bytes: [0x50, 0x4b, 0x03, 0x04], what: "it is a zip archive; unpack it first" },
  { bytes: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], what: "it is a SQLite database; export the session first" },
  { bytes: [0xff, 0xfe], what: "it is UTF-16; save it as UTF-8" },
  { bytes: [0xfe, 0xff], what: "it is UTF-16; save it as UTF-8" },
];
/** How far a file is looked at for what no text holds. */
const LOOKED_AT = 512;

/** Why the file cannot be a recording, by its first bytes. Damage further on is the line reader's to tell. */
function formFault(
  name: string,
  bytes: Uint8Array,
): { readonly kind: "problem"; readonly what: string } | null {
  const form = FORMS.find((known) => known.bytes.every((byte, at) => bytes[at] === byte));
  if (form !== undefined) return problem(name, form.what);
  const start = bytes.subarray(0, LOOKED_AT);
  const mark = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 3 : 0;
  const first = start.subarray(mark).find((byte) => byte > 0x20);
  const isJson = first === 0x7b || first === 0x5b || isZstd(bytes);
  return !isJson && start.includes(0) ? problem(name, "it is binary; give a file of JSON lines") : null;
}

function failureText(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "there is no such file; check the path";
  if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) {
    return "reading it is not allowed; check its permissions";
  }
  if (error instanceof Deno.errors.IsADirectory) return "it is a directory; give a file inside it";
  return error instanceof Error ? error.message : String(error);
}

function problem(name: string, what: string): { readonly kind: "problem"; readonly what: string } {
  return { kind: "problem", what: `Cannot open recording ${JSON.stringify(name)}: ${what}` };
}
