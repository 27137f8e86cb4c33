// The bytes of a recording, read in pieces and never written: a file, a pipe, or standard input. What is wrong with
// it is a value with a text for people. Lines and values are json_lines.ts. Zstandard is unpacked on the way, and
// OpenCode's older store, a folder, is read as the export it would give.

import { assembleStore, chooseSession, STORE_FOLDERS, type StoreFile } from "./opencode_store.ts";
import { createZstdUnpacker, isZstd } from "./zstd.ts";

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
  /** Bytes in all when it was opened; null for a pipe. */
  readonly byteLength: number | null;
  /** Reads on. The bytes are the caller's to keep. */
  next(): Promise<SourceRead>;
  /** The last bytes of what it holds now, at most `length`; null where it can only be read in order. */
  readonly tail: ((length: number) => Uint8Array | null) | null;
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
        if (await isStore(path)) return await openFolderSource(path);
        return problem(name, "it is a directory; give a file inside it");
      }
      const store = await storeOfSession(path);
      if (store !== null) return await openFolderSource(store.root, store);
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

/** A Zstandard file's own bytes. Its length is not known; a frame that is cut off at the end is still being written. */
async function unpacked(packed: Source): Promise<OpenedSource> {
  const unpacker = await createZstdUnpacker();
  const waiting: Uint8Array[] = [];
  return {
    ...packed,
    byteLength: null,
    tail: null,
    next: async () => {
      for (;;) {
        const bytes = waiting.shift();
        if (bytes !== undefined) return { kind: "bytes", bytes };
        const read = await packed.next();
        if (read.kind !== "bytes") return read;
        try {
          waiting.push(...unpacker.push(read.bytes));
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

/** Opens the older store of OpenCode (folders session, message, part): one session of it, as one JSON line. */
export async function openFolderSource(path: string, options: FolderOptions = {}): Promise<OpenedSource> {
  const [sessionFolder, messageFolder, partFolder] = STORE_FOLDERS;
  try {
    const wanted = options.session ?? null;
    const choice = chooseSession(await readStore(path, sessionFolder), wanted);
    if (choice === null) {
      const which = wanted === null ? "no session of OpenCode" : `no session ${JSON.stringify(wanted)}`;
      return problem(
        path,
        `there is ${which} in this folder; give the folder that holds session/ and message/`,
      );
    }
    const files: StoreFile[] = [];
    for (const { id } of [choice.session, ...choice.children]) {
      if (isPlainName(id)) files.push(...await readStore(path, `${messageFolder}/${id}`));
    }
    // Parts lie in a folder for each message; the oldest store kept all of them in one.
    for (const { value } of [...files]) {
      const id = (value as { readonly id?: unknown } | null)?.id;
      if (isPlainName(id)) files.push(...await readStore(path, `${partFolder}/${id}`));
    }
    files.push(...await readStore(path, partFolder, 0));
    const bytes = new TextEncoder().encode(`${JSON.stringify(assembleStore(choice, files))}\n`);
    return wholeSource(path, bytes);
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

/** Ids come from files: one that is more than a name would lead out of the store. */
function isPlainName(id: unknown): id is string {
  return typeof id === "string" && id !== "" && !/[/\\]|^\.+$/.test(id);
}

/** A source whose bytes are all there. */
function wholeSource(name: string, bytes: Uint8Array): Source {
  let left: Uint8Array | null = bytes;
  return {
    kind: "source",
    name,
    byteLength: bytes.length,
    tail: null,
    next: () => {
      const read: SourceRead = left === null ? { kind: "end" } : { kind: "bytes", bytes: left };
      left = null;
      return Promise.resolve(read);
    },
    close: () => {
      left = null;
    },
  };
}

/** The JSON files below a folder of the store, none when it is not there. A file that is no JSON is left out. */
async function readStore(root: string, folder: string, depth = 2): Promise<StoreFile[]> {
  const files: StoreFile[] = [];
  let entries: Deno.DirEntry[];
  try {
    entries = await Array.fromAsync(Deno.readDir(`${root}/${folder}`));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return files;
    throw error;
  }
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory && depth > 0) files.push(...await readStore(root, path, depth - 1));
    if (!entry.isFile || !entry.name.endsWith(".json")) continue;
    try {
      files.push({ path, value: JSON.parse(await Deno.readTextFile(`${root}/${path}`)) });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return files;
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
  const read = async (): Promise<SourceRead> => {
    if (isClosed) return { kind: "end" };
    const buffer = new Uint8Array(chunkLength);
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
    peek: async () => waiting ??= await read(),
    next: async () => {
      const first = waiting;
      waiting = null;
      return first ?? await read();
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
