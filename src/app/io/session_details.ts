// What a session is about, from the beginning and the end of its file: its title, first words and directory, told by
// the format's own translator. The middle is not read.

import { filesOf, readMeta } from "../../pod/directory.ts";
import { storeFacts } from "../../recordings/opencode_store.ts";
import { lastOfSession } from "../../recordings/json_tail.ts";
import { openSource } from "../../recordings/source.ts";
import { isZstd } from "../../recordings/zstd.ts";
import type { Event } from "../../transcript/event.ts";
import type { Input } from "../effect.ts";
import { createFeed } from "../files.ts";
import type { Feed } from "./feed.ts";
import { type Here, isHere } from "./session_here.ts";
import { type FoundSession, POD_FORMAT, reasonOf } from "./session_places.ts";

/** What a list shows of a session beside its file; outside text. Empty where nothing is told. */
export interface SessionDetails {
  readonly title: string;
  /** The first thing the person said. */
  readonly firstWords: string;
  readonly directory: string;
}

/** A session's details, or why they cannot be read. */
export type ReadDetails = SessionDetails | { readonly problem: string };

/** Of a session about another directory than the one looked for nothing more is read. */
export const ELSEWHERE = "elsewhere";

/** Bytes read at first; four times as many each time nothing was told. */
const HEAD_LENGTH = 1 << 13;
/** A beginning that tells nothing in so many bytes is given up. */
const HEAD_LIMIT = 1 << 21;
/** Titles are often written late: bytes of the end that are looked at. */
const TAIL_LENGTH = 1 << 13;
/** Signs kept of the first words. */
const WORDS_LENGTH = 200;

/** Reads a session's details. With `here` those of other directories are told by as little as possible. */
export async function readDetails(
  session: FoundSession,
  here: Here | null = null,
): Promise<ReadDetails | typeof ELSEWHERE> {
  try {
    const details = await detailsOf(session, here);
    if (details === ELSEWHERE || "problem" in details) return details;
    return here !== null && !isHere(details.directory, here) ? ELSEWHERE : details;
  } catch (error) {
    return { problem: error instanceof SyntaxError ? "it is no JSON" : reasonOf(error) };
  }
}

function detailsOf(
  session: FoundSession,
  here: Here | null,
): ReadDetails | typeof ELSEWHERE | Promise<ReadDetails> {
  if (session.format === POD_FORMAT) return podDetails(session.path);
  // Such a file names a session that lies in many.
  if (session.byteLength === null) return storeFacts(JSON.parse(Deno.readTextFileSync(session.path)));
  // Small reads are done at once: to wait for each costs many times what it takes.
  using file = Deno.openSync(session.path, { read: true });
  const head = readAt(file, 0, HEAD_LENGTH);
  if (isZstd(head)) return packedDetails(session);
  if (here !== null && saysElsewhere(head, here)) return ELSEWHERE;
  const told = new Told();
  const read = /\.json$/.test(session.path) ? lookAtDocument : lookAtHead;
  read(told, session, { file, head, byteLength: session.byteLength });
  return finished(told, session);
}

function finished(told: Told, session: FoundSession): ReadDetails {
  if (told.isEmpty()) return { problem: "it holds no record" };
  const details = told.details();
  return details.directory === "" ? { ...details, directory: session.directoryBeside?.() ?? "" } : details;
}

function podDetails(log: string): ReadDetails {
  const meta = readMeta(filesOf(log.replace(/\/log\.jsonl$/, "")));
  if ("problem" in meta) return { problem: meta.problem };
  return { title: meta.title, firstWords: "", directory: meta.cwd };
}

/** True when the first directory that the records name is another one. Within a string its quotes would be escaped. */
function saysElsewhere(head: Uint8Array, here: Here): boolean {
  const match = /"cwd":\s?("(?:[^"\\]|\\.)*")/.exec(decoder.decode(head));
  return match !== null && !isHere(JSON.parse(match[1] ?? '""'), here);
}

interface OpenFile {
  readonly file: Deno.FsFile;
  readonly head: Uint8Array;
  readonly byteLength: number;
}

/** Room for the small reads of one session, used again for the next: feeds keep nothing of what they are given. */
const ROOM = new Uint8Array(HEAD_LENGTH + TAIL_LENGTH);

/** Bytes of a file. Those of small reads are good until the next session is read. */
function readAt(file: Deno.FsFile, start: number, length: number): Uint8Array {
  const bytes = length === HEAD_LENGTH && start === 0
    ? ROOM.subarray(0, HEAD_LENGTH)
    : length === TAIL_LENGTH
    ? ROOM.subarray(HEAD_LENGTH)
    : new Uint8Array(length);
  file.seekSync(start, Deno.SeekMode.Start);
  let filled = 0;
  while (filled < length) {
    const count = file.readSync(bytes.subarray(filled));
    if (count === null || count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** JSON lines: as many as tell enough, and the newest title. */
function lookAtHead(told: Told, session: FoundSession, { file, head, byteLength }: OpenFile): void {
  const feed = createFeed(session.format, { branch: "all" });
  let isWhole = lookAtLines(told, feed, head);
  let length = head.length;
  while (!told.isEnough() && length < Math.min(HEAD_LIMIT, byteLength)) {
    const bytes = readAt(file, length, Math.min(3 * length, HEAD_LIMIT - length));
    if (bytes.length === 0) break;
    length += bytes.length;
    isWhole = lookAtLines(told, feed, bytes);
  }
  if (!told.isEnough() && length >= byteLength) told.look(feed.end());
  if (isWhole && length >= byteLength) return;
  lookAtTail(told, session, readAt(file, Math.max(0, byteLength - TAIL_LENGTH), TAIL_LENGTH));
}

/** One JSON document: what is whole of its beginning, and the fields that stand behind its messages. */
function lookAtDocument(told: Told, session: FoundSession, { file, head, byteLength }: OpenFile): void {
  for (let bytes = head;; bytes = readAt(file, 0, 4 * bytes.length)) {
    const feed = createFeed(session.format, { branch: "all" });
    told.look(feed.push(bytes));
    told.look(feed.end());
    if (bytes.length >= byteLength) return;
    if (told.isEnough() || 4 * bytes.length > HEAD_LIMIT || !told.isEmpty()) break;
  }
  const last = lastOfSession(head, readAt(file, Math.max(0, byteLength - TAIL_LENGTH), TAIL_LENGTH));
  if (last === null) return;
  const feed = createFeed(session.format, { branch: "all" });
  told.lookForTitle([...feed.tellAll([{ kind: "document", document: last, line: 1 }])].flat());
}

/** Of what is packed only the beginning can be read. */
async function packedDetails(session: FoundSession): Promise<ReadDetails> {
  const source = await openSource(session.path, { chunkLength: HEAD_LENGTH });
  if (source.kind === "problem") return { problem: source.what };
  const told = new Told();
  const feed = createFeed(session.format, { branch: "all" });
  try {
    for (let length = 0; !told.isEnough() && length < HEAD_LIMIT;) {
      const read = await source.next();
      if (read.kind === "problem") return { problem: read.what };
      if (read.kind === "end") {
        told.look(feed.end());
        break;
      }
      length += read.bytes.length;
      lookAtLines(told, feed, read.bytes);
    }
  } finally {
    source.close();
  }
  return finished(told, session);
}

/** Line by line, for most of a piece is not needed. True when all of it was. */
function lookAtLines(told: Told, feed: Feed, bytes: Uint8Array): boolean {
  let start = 0;
  while (start < bytes.length && !told.isEnough()) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    told.look(feed.push(bytes.subarray(start, end)));
    start = end;
  }
  return start === bytes.length;
}

/** The newest title. */
function lookAtTail(told: Told, session: FoundSession, bytes: Uint8Array): void {
  const start = bytes.indexOf(NEWLINE) + 1;
  if (start === 0) return;
  const feed = createFeed(session.format, { branch: "all" });
  told.lookForTitle([...feed.push(bytes.subarray(start)), ...feed.end()]);
}

const NEWLINE = 10;
const decoder = new TextDecoder();

/** What the events say so far. */
class Told {
  #title = "";
  #firstWords = "";
  #directory = "";
  #hasRecord = false;

  isEnough(): boolean {
    return this.#firstWords !== "" && this.#directory !== "";
  }

  /** True where nothing was a record. */
  isEmpty(): boolean {
    return !this.#hasRecord;
  }

  look(inputs: readonly Input[]): void {
    this.#hasRecord ||= inputs.some((input) => input.kind === "ignored");
    for (const event of eventsOf(inputs)) {
      // The greeting is told of any file.
      this.#hasRecord ||= event.event !== "hello" && event.event !== "history";
      if (event.event === "title") this.#title = event.data.title;
      if (event.event === "history") {
        this.#directory ||= event.data.greeting?.cwd ?? "";
        this.#lookAtItems(event.data.items ?? []);
      }
      if (event.event === "user_message" && event.data.parent_id === null) this.#say(event.data.text);
    }
  }

  lookForTitle(inputs: readonly Input[]): void {
    for (const event of eventsOf(inputs)) {
      if (event.event === "title" && event.data.title !== "") this.#title = event.data.title;
    }
  }

  details(): SessionDetails {
    return { title: oneLine(this.#title), firstWords: this.#firstWords, directory: this.#directory };
  }

  #lookAtItems(items: readonly unknown[]): void {
    for (const item of items) {
      const { text, type } = (item ?? {}) as { readonly text?: unknown; readonly type?: unknown };
      if (type === "user_message" && typeof text === "string") this.#say(text);
    }
  }

  #say(text: string): void {
    this.#firstWords ||= oneLine(text);
  }
}

function eventsOf(inputs: readonly Input[]): Event[] {
  return inputs.flatMap((input) =>
    input.kind === "events"
      ? input.parsed.flatMap((parsed) => parsed.kind === "event" ? [parsed.event] : [])
      : []
  );
}

/** The beginning of a text as one line. */
function oneLine(text: string): string {
  return text.slice(0, 4 * WORDS_LENGTH).trim().replace(/\s+/g, " ").slice(0, WORDS_LENGTH);
}
