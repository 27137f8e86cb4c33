// Opening a recording that is one JSON document, or a file a message: only its last messages are parsed and told before
// it is shown. Of one that is indented the rest is not even read by then; of any other the places of its messages are.

import {
  chooseReader,
  createDocumentReader,
  type DocumentRecord,
  endDocument,
  feedDocument,
} from "../../recordings/json_document.ts";
import { lastOfSession } from "../../recordings/json_tail.ts";
import { watchDocument } from "../../recordings/session_document.ts";
import type { Input } from "../effect.ts";
import { createFeedOf, type Feed, type Found, sampleOf } from "./feed.ts";
import type { RecordingFiles } from "./recording_files.ts";
import {
  branchOf,
  cannotOpen,
  chooserFor,
  follow,
  type OpenFlags,
  type OpenProblem,
  type Pieces,
} from "./recording_pieces.ts";
import type { Reader, RecordingSubject } from "./subject.ts";
import {
  type LastMessages,
  lastOfDocument,
  openDocumentTail,
  SHORT_RECORDING,
  TAIL_LENGTHS,
} from "./tail.ts";

/** A recording of which the first bytes have been read. */
interface OpenedFile {
  readonly source: RecordingFiles;
  readonly pieces: Pieces;
  readonly first: Uint8Array;
}

/** Opens a session in one value; null for any other recording, and for a short one. */
export async function openDocument(
  file: OpenedFile,
  flags: OpenFlags,
): Promise<RecordingSubject | OpenProblem | null> {
  const { source, first } = file;
  const { byteLength, tail, document } = source;
  if (document !== null) return await openRecords(file, [{ kind: "document", document, line: 1 }], flags);
  if (tail === null || byteLength === null || byteLength <= SHORT_RECORDING) return null;
  const kind = chooseReader(first, false);
  if (kind === "lines") return null;
  const subject = await openIndented(file, flags);
  if (subject !== null) return subject;
  const bytes = tail(byteLength);
  if (bytes === null || kind === null && chooseReader(bytes, true) === "lines") return null;
  const reader = createDocumentReader({ splits: true, owns: true });
  const records = [...feedDocument(reader, bytes), ...endDocument(reader)];
  return records.some(isSession) ? await openRecords(file, records, flags) : null;
}

/** The end of what is indented is read alone. */
async function openIndented(file: OpenedFile, flags: OpenFlags): Promise<RecordingSubject | null> {
  const last: LastMessages = (length) => {
    const bytes = file.source.tail?.(length) ?? null;
    const document = bytes === null ? null : lastOfSession(file.first, bytes);
    return document === null ? null : { document, isAll: false };
  };
  const shown = await showLast(last, flags);
  if (shown === null) return null;
  const read = readDocument({ ...file, flags, format: shown.format, records: null });
  return { kind: "recording", opening: "tail", first: shown.tail, read };
}

/** A session whose messages' places are known. */
async function openRecords(
  file: OpenedFile,
  records: readonly DocumentRecord[],
  flags: OpenFlags,
): Promise<RecordingSubject | OpenProblem> {
  const sessions = records.filter(isSession);
  const [session] = sessions;
  const length = session?.document.lengthBefore(session.document.count) ?? 0;
  const isLong = sessions.length === 1 && length > SHORT_RECORDING;
  const shown = session === undefined || !isLong
    ? null
    : await showLast(lastOfDocument(session.document), flags);
  const format = shown?.format ?? await formatOf(records, flags);
  if (format.kind === "problem") return cannotOpen(format.what);
  const read = readDocument({ ...file, flags, format, records });
  return {
    kind: "recording",
    opening: shown === null ? "beginning" : "tail",
    first: shown?.tail ?? [],
    read,
  };
}

/** What the first frame shows; null where the last messages are of no format, or cannot be told without the others. */
async function showLast(
  last: LastMessages,
  flags: OpenFlags,
): Promise<{ readonly format: KnownFormat; readonly tail: readonly Input[] } | null> {
  let some: ReturnType<LastMessages> = null;
  for (const length of TAIL_LENGTHS) if ((some = last(length)) !== null) break;
  if (some === null) return null;
  const format = await formatOf([{ kind: "document", document: some.document, line: 1 }], flags);
  if (format.kind === "problem") return null;
  const tail = openDocumentTail(last, {
    format: format.format,
    hasTurnNumbers: false,
    rows: Deno.consoleSize().rows,
    fold: flags.fold,
  });
  return tail === null ? null : { format, tail };
}

type KnownFormat = Extract<Found, { kind: "format" }>;

async function formatOf(records: readonly DocumentRecord[], flags: OpenFlags): Promise<Found> {
  const values = records.flatMap((record) => {
    if (record.kind === "problem") return [];
    return [record.kind === "value" ? record.value : sampleOf(record.document)];
  });
  const choose = await chooserFor(values, flags.format);
  return choose(values, true) ?? { kind: "problem", what: "Cannot tell the recording's format" };
}

function isSession(record: DocumentRecord): record is Extract<DocumentRecord, { kind: "document" }> {
  return record.kind === "document";
}

interface UnreadDocument extends OpenedFile {
  readonly flags: OpenFlags;
  readonly format: KnownFormat;
  /** Null where the file is still to be read. */
  readonly records: readonly DocumentRecord[] | null;
}

/** Least share of a session that is worth a new figure in the status row. */
const LEAST_PROGRESS = 0.005;
/** Bytes read at once: found in a fraction of a slice. */
const ROOM_LENGTH = 1 << 18;
/** How much of the work it is to read the bytes and to find the messages in them. */
const READING_SHARE = 0.3;

/** Tells a session from its beginning; nothing of it is held afterwards, for a client may stay open for long. */
function readDocument(unread: UnreadDocument | null): Reader {
  return async (give) => {
    if (unread === null) return null;
    const { source, pieces, flags } = unread;
    const told = tellDocument(unread, give);
    unread = null;
    const feed = await told;
    if (typeof feed === "string") return feed;
    if (source.news === null) {
      source.close();
      return null;
    }
    for (let piece = await pieces.next(); piece.kind !== "end"; piece = await pieces.next()) {
      if (piece.kind === "problem") return piece.what;
    }
    return await follow({ source, pieces, feed, flags, give });
  };
}

/** Tells all of it; returns what it was told by, or why it cannot be read. */
async function tellDocument(unread: UnreadDocument, give: Parameters<Reader>[0]): Promise<Feed | string> {
  let given = 0;
  const giveProgress = async (share: number): Promise<void> => {
    if (share < given + LEAST_PROGRESS) return;
    given = share;
    await give([{ kind: "progress", share }]);
  };
  const { source } = unread;
  const readShare = unread.records === null ? READING_SHARE : 0;
  const bytes = new Uint8Array(unread.records === null ? source.byteLength ?? 0 : 0);
  const records = unread.records ??
    await readRecords(unread, bytes, (share) => giveProgress(share * readShare));
  if (typeof records === "string") return records;
  let share = 0;
  const feed = createFeedOf(() => unread.format, branchOf(unread.flags));
  for (const inputs of feed.tellAll(watchSessions(records, (told) => share = told))) {
    await give(inputs);
    await giveProgress(readShare + (1 - readShare) * share);
  }
  // Given back at once, and not when the engine next looks, for an idle client never makes it look.
  if (source.news === null) bytes.buffer.transfer(0);
  return feed;
}

/** All records of a file, or why it cannot be read. `bytes` is one room for it all, which is given back as one. */
async function readRecords(
  { pieces, first }: Pick<OpenedFile, "pieces" | "first">,
  bytes: Uint8Array,
  look: (share: number) => Promise<void>,
): Promise<readonly DocumentRecord[] | string> {
  const reader = createDocumentReader({ splits: true, owns: true });
  const records: DocumentRecord[] = [];
  let length = 0;
  const take = (piece: Uint8Array): void => {
    const isThere = piece.buffer === bytes.buffer;
    // A file that has grown meanwhile has more than its room.
    const hasRoom = !isThere && length + piece.length <= bytes.length;
    const kept = hasRoom ? bytes.subarray(length, length + piece.length) : piece;
    if (hasRoom) kept.set(piece);
    length += piece.length;
    for (const record of feedDocument(reader, kept)) records.push(record);
  };
  const next = () => pieces.next(bytes.subarray(length, length + ROOM_LENGTH));
  take(first);
  for (let piece = await next(); piece.kind !== "end"; piece = await next()) {
    if (piece.kind === "problem") return piece.what;
    take(piece.bytes);
    await look(pieces.share());
  }
  for (const record of endDocument(reader)) records.push(record);
  return records;
}

function watchSessions(
  records: readonly DocumentRecord[],
  look: (share: number) => void,
): readonly DocumentRecord[] {
  return records.map((record) =>
    isSession(record) ? { ...record, document: watchDocument(record.document, look) } : record
  );
}
