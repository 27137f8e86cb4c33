// What a session is about, from the beginning and the end of its file: its title, first words and directory, told by
// the format's own translator. The middle is not read.

import { filesOf, readMeta } from "../../pod/directory.ts";
import { storeFacts } from "../../recordings/opencode_store.ts";
import { openSource } from "../../recordings/source.ts";
import type { Event } from "../../transcript/event.ts";
import type { Input } from "../effect.ts";
import { createFeed } from "../files.ts";
import type { Feed } from "./feed.ts";
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

/** Bytes read at first, and each time again while nothing was told. */
const HEAD_LENGTH = 1 << 14;
/** A beginning that tells nothing in so many bytes is given up. */
const HEAD_LIMIT = 1 << 21;
/** Titles are often written late: bytes of the end that are looked at. */
const TAIL_LENGTH = 1 << 13;
/** Signs kept of the first words. */
const WORDS_LENGTH = 200;

/** Reads a session's details. */
export async function readDetails(session: FoundSession): Promise<ReadDetails> {
  try {
    if (session.format === POD_FORMAT) return podDetails(session.path);
    // Such a file names a session that lies in many.
    if (session.byteLength === null) return storeFacts(JSON.parse(await Deno.readTextFile(session.path)));
    return await recordingDetails(session, session.byteLength);
  } catch (error) {
    return { problem: error instanceof SyntaxError ? "it is no JSON" : reasonOf(error) };
  }
}

function podDetails(log: string): ReadDetails {
  const meta = readMeta(filesOf(log.replace(/\/log\.jsonl$/, "")));
  if ("problem" in meta) return { problem: meta.problem };
  return { title: meta.title, firstWords: "", directory: meta.cwd };
}

async function recordingDetails(session: FoundSession, byteLength: number): Promise<ReadDetails> {
  const source = await openSource(session.path, { chunkLength: HEAD_LENGTH });
  if (source.kind === "problem") return { problem: source.what };
  const told = new Told();
  const feed = createFeed(session.format, { branch: "all" });
  let length = 0;
  let isEnd = false;
  let isWhole = true;
  try {
    while (!told.isEnough() && length < HEAD_LIMIT && !isEnd) {
      const read = await source.next();
      if (read.kind === "problem") return { problem: read.what };
      isEnd = read.kind === "end";
      if (read.kind === "end") told.look(feed.end());
      else {
        length += read.bytes.length;
        isWhole = lookAtLines(told, feed, read.bytes);
      }
    }
    const end = isEnd || isWhole && length >= byteLength ? null : source.tail?.(TAIL_LENGTH) ?? null;
    if (end !== null) lookAtTail(told, session, end);
  } finally {
    source.close();
  }
  if (told.isEmpty()) return { problem: "it holds no record" };
  const details = told.details();
  return details.directory === "" ? { ...details, directory: directoryBeside(session) } : details;
}

/** The directory that stands in a file of its own. */
function directoryBeside({ directoryFile }: FoundSession): string {
  try {
    return directoryFile === null ? "" : Deno.readTextFileSync(directoryFile).trim();
  } catch {
    return "";
  }
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

/** The newest title. A file of one document has no lines that could be read alone. */
function lookAtTail(told: Told, session: FoundSession, bytes: Uint8Array): void {
  const start = bytes.indexOf(NEWLINE) + 1;
  if (start === 0) return;
  const feed = createFeed(session.format, { branch: "all" });
  told.lookForTitle([...feed.push(bytes.subarray(start)), ...feed.end()]);
}

const NEWLINE = 10;

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
