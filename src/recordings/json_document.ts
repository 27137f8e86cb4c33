// Recordings that are one JSON document over many lines (a pretty-printed export): its values, however the bytes are
// cut. Also the choice between this and json_lines.ts, by how the file begins.

import { joinBytes } from "./bytes.ts";
import { isJson } from "./fields.ts";
import { damagedSession } from "./damaged_messages.ts";
import { indentedMessages } from "./indented_messages.ts";
import { createLineReader, end as endLines, feed as feedLines, type Record } from "./json_lines.ts";
import { documentIn, type MessageList } from "./json_session.ts";
import type { SessionDocument } from "./session_document.ts";

/** How a recording's bytes become values. */
export type ReaderKind = "lines" | "document";

/** What a document gives: a value, a problem, or a whole session whose messages are parsed when they are asked for. */
export type DocumentRecord =
  | Record
  | { readonly kind: "document"; readonly document: SessionDocument; readonly line: number };

/** A document being read. A list at the top gives its elements, one by one; anything else is a value itself. */
export interface DocumentReader {
  readonly valueBytes: number;
  readonly splits: boolean;
  readonly owns: boolean;
  /** Lines begun. */
  line: number;
  /** Brackets open outside of the value's own, and inside. */
  depth: number;
  /** Depth at which values stand: 1 inside a list at the top. */
  base: number;
  inString: boolean;
  isEscaped: boolean;
  /** The value being collected; null between values. */
  value: OpenValue | null;
  /** Something between the values that is none. */
  strayLine: number | null;
}

interface OpenValue {
  readonly line: number;
  readonly pieces: Uint8Array[];
  length: number;
  isSkipped: boolean;
  /** The beginning of the newest string among the value's own fields: a field's name, once its colon has come. */
  name: string;
  /** Where its list of messages stands, if it has one; "odd": not as a session has it, so it is read as one value. */
  list: MessageList | "odd" | null;
  /** It has, or had, a list of messages with an object in it. */
  isSession: boolean;
  /** It is no JSON: all that follows is kept, for what is sound of it to be found at the end. */
  isDamaged: boolean;
}

export interface DocumentReaderOptions {
  /** Bytes a value may have; a longer one is skipped. */
  readonly valueBytes?: number;
  /** Sessions are given as documents, and not parsed as a whole. */
  readonly splits?: boolean;
  /** The bytes are the reader's to keep: they are not copied. */
  readonly owns?: boolean;
}

/** Exports hold a whole session in one value. */
const VALUE_BYTES = 256 << 20;
/** How much of a file is looked at for its first two lines. */
const LOOKED_AT = 1 << 20;
/** The field that holds a session's messages. */
const MESSAGES = "messages";

const NEWLINE = 10;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

const decoder = new TextDecoder();

/**
 * How a file is read that begins with these bytes; null when more are needed to tell. Lines, unless the first line
 * opens an object or a list that the next line goes on with, or is a long one that opens a session.
 */
export function chooseReader(head: Uint8Array, isEnd: boolean): ReaderKind | null {
  const text = decoder.decode(head.subarray(0, LOOKED_AT)).replace(/^\ufeff?\s*/, "");
  if (text === "") return isEnd ? "lines" : null;
  if (text[0] !== "{" && text[0] !== "[") return "lines";
  const newline = text.indexOf("\n");
  if (newline === -1) {
    if (!isEnd && head.length < LOOKED_AT) return null;
    return opensSession(head) ? "document" : "lines";
  }
  const first = text.slice(0, newline).trimEnd();
  if (!/[{[,]$/.test(first) || isJson(first)) return "lines";
  const rest = text.slice(newline + 1).trimStart();
  const end = rest.indexOf("\n");
  if (end === -1 && !isEnd && head.length < LOOKED_AT) return null;
  const second = (end === -1 ? rest : rest.slice(0, end)).trimEnd();
  // A torn first line of JSON lines is followed by a whole record.
  return isJson(second) && second.startsWith("{") && first !== "[" ? "lines" : "document";
}

/** True for an object whose list of messages begins in these bytes. */
function opensSession(head: Uint8Array): boolean {
  const reader = createDocumentReader({ splits: true, owns: true });
  const [record] = feedDocument(reader, head.subarray(0, LOOKED_AT));
  if (record !== undefined) return record.kind === "document";
  const { value } = reader;
  return value !== null && (value.isSession || isOpen(value.list));
}

export function createDocumentReader(options: DocumentReaderOptions = {}): DocumentReader {
  return {
    valueBytes: options.valueBytes ?? VALUE_BYTES,
    splits: options.splits ?? false,
    owns: options.owns ?? false,
    line: 1,
    depth: 0,
    base: 0,
    inString: false,
    isEscaped: false,
    value: null,
    strayLine: null,
  };
}

/** The values that these bytes complete. */
export function feedDocument(reader: DocumentReader, bytes: Uint8Array): DocumentRecord[] {
  const records: DocumentRecord[] = [];
  if (reader.value?.isDamaged === true) {
    keep(reader, bytes);
    return records;
  }
  /** Where the value's own bytes begin among these, and where these begin in the value. */
  let start = reader.value === null ? -1 : 0;
  let origin = reader.value?.length ?? 0;
  for (let at = 0; at < bytes.length; at++) {
    if (reader.inString) {
      const end = stringEnd(reader, bytes, at);
      const { value } = reader;
      // The list's own name is as short as any that matters.
      if (value !== null && reader.depth === reader.base + 1 && value.name.length <= MESSAGES.length) {
        value.name += decoder.decode(bytes.subarray(at, Math.min(end, at + MESSAGES.length + 1)));
      }
      at = end;
      continue;
    }
    const byte = bytes[at]!;
    if (byte === NEWLINE) reader.line++;
    if (byte <= 0x20) continue;
    const { value } = reader;
    if (byte === QUOTE) {
      reader.inString = true;
      if (value === null) reader.strayLine ??= reader.line;
      else if (reader.depth === reader.base + 1) value.name = "";
      else if (reader.depth === reader.base + 2 && isOpen(value.list)) value.list = "odd";
      continue;
    }
    if (byte === 0x7b || byte === 0x5b) {
      if (value === null && byte === 0x5b && reader.depth === 0) {
        reader.base = reader.depth = 1;
        continue;
      }
      if (value === null) {
        reader.value = {
          line: reader.line,
          pieces: [],
          length: 0,
          isSkipped: false,
          name: "",
          list: reader.splits && byte === 0x7b ? null : "odd",
          isSession: false,
          isDamaged: false,
        };
        start = at;
        origin = -at;
      } else openInside(reader, value, byte, origin + at);
      reader.depth++;
      const list = reader.value?.list ?? null;
      if (byte !== 0x5b || !isOpen(list) || list.start !== origin + at + 1) continue;
      const messages = indentedMessages(bytes, at + 1);
      if (messages === null) continue;
      for (const one of messages.starts) list.starts.push(origin + one);
      for (const one of messages.ends) list.ends.push(origin + one);
      list.commas = messages.ends.length - 1;
      if (reader.value !== null) reader.value.isSession = true;
      reader.line += messages.lines;
      at = messages.end - 1;
    } else if (byte === 0x7d || byte === 0x5d) {
      reader.depth = Math.max(0, reader.depth - 1);
      if (value === null) {
        reader.base = Math.min(reader.base, reader.depth);
      } else if (reader.depth === reader.base) {
        keep(reader, bytes.subarray(start, at + 1));
        start = -1;
        giveValue(reader, records);
        if (reader.value !== null) {
          keep(reader, bytes.subarray(at + 1));
          return records;
        }
      } else closeInside(reader, value, origin + at);
    } else if (value === null) {
      if (byte !== COMMA && byte !== 0xef && byte !== 0xbb && byte !== 0xbf) reader.strayLine ??= reader.line;
    } else if (reader.depth === reader.base + 2) betweenMessages(value, byte);
  }
  if (reader.value !== null && start !== -1) keep(reader, bytes.subarray(start));
  return records;
}

/** Where the string that is open ends: at its closing quote, or behind these bytes. */
function stringEnd(reader: DocumentReader, bytes: Uint8Array, start: number): number {
  let from = start;
  if (reader.isEscaped) {
    reader.isEscaped = false;
    from++;
  }
  for (let at = from;;) {
    const quote = bytes.indexOf(QUOTE, at);
    const end = quote === -1 ? bytes.length : quote;
    // Backslashes in front of it, two of which are one that stands for itself.
    let first = end;
    while (first > from && bytes[first - 1] === BACKSLASH) first--;
    const isEscaped = (end - first) % 2 === 1;
    if (quote === -1) {
      reader.isEscaped = isEscaped;
      return end;
    }
    if (!isEscaped) {
      reader.inString = false;
      return end;
    }
    at = from = end + 1;
  }
}

/** A bracket opens inside the value. */
function openInside(reader: DocumentReader, value: OpenValue, byte: number, place: number): void {
  const { list } = value;
  if (reader.depth === reader.base + 1 && value.name === MESSAGES) {
    const isFirst = byte === 0x5b && list === null;
    value.list = isFirst ? { start: place + 1, end: 0, starts: [], ends: [], commas: 0 } : "odd";
    value.name = "";
  } else if (reader.depth === reader.base + 2 && isOpen(list)) {
    // What is no object is left to the parser to be looked at.
    if (byte !== 0x7b || list.commas !== list.starts.length) value.list = "odd";
    else {
      list.starts.push(place);
      value.isSession = true;
    }
  }
}

/** A bracket closes inside the value. */
function closeInside(reader: DocumentReader, value: OpenValue, place: number): void {
  const { list } = value;
  if (!isOpen(list)) return;
  if (reader.depth === reader.base + 2) list.ends.push(place + 1);
  else if (reader.depth === reader.base + 1) {
    list.end = place;
    if (list.commas !== Math.max(0, list.starts.length - 1)) value.list = "odd";
  }
}

function betweenMessages(value: OpenValue, byte: number): void {
  const { list } = value;
  if (!isOpen(list)) return;
  if (byte === COMMA && list.commas === list.starts.length - 1) list.commas++;
  else value.list = "odd";
}

function isOpen(list: OpenValue["list"]): list is MessageList {
  return list !== null && list !== "odd" && list.end === 0;
}

/** What is left at the end: a value that was cut off. */
export function endDocument(reader: DocumentReader): DocumentRecord[] {
  const records: DocumentRecord[] = [];
  if (reader.value !== null) {
    const { line, isDamaged, isSkipped } = reader.value;
    if (!isSkipped) giveDamagedSession(reader.value, records);
    records.push({ kind: "problem", line, what: `the JSON value is ${isDamaged ? "broken" : "cut off"}` });
    reader.value = null;
  }
  if (reader.strayLine !== null) {
    records.push({
      kind: "problem",
      line: reader.strayLine,
      what: "not JSON: text between values",
      kept: true,
    });
    reader.strayLine = null;
  }
  return records;
}

/** Reads either kind: it looks at the beginning and then goes on as lines or as a document. */
export interface RecordReader<Given = Record> {
  feed(bytes: Uint8Array): Given[];
  end(): Given[];
}

/** A reader for a recording whose form is not known. With `splits` a session comes as a document. */
export function createRecordReader(): RecordReader;
export function createRecordReader(
  options: DocumentReaderOptions & { readonly splits: true },
): RecordReader<DocumentRecord>;
export function createRecordReader(options: DocumentReaderOptions = {}): RecordReader<DocumentRecord> {
  let inner: RecordReader<DocumentRecord> | null = null;
  const pieces: Uint8Array[] = [];
  let length = 0;
  const choose = (isEnd: boolean): DocumentRecord[] => {
    const head = joinBytes(pieces);
    const kind = chooseReader(head, isEnd);
    if (kind === null && !isEnd) return [];
    pieces.length = 0;
    inner = kind === "document" ? documentReader(options) : lineReader();
    return inner.feed(head);
  };
  return {
    feed: (bytes) => {
      if (inner !== null) return inner.feed(bytes);
      pieces.push(options.owns === true ? bytes : bytes.slice());
      length += bytes.length;
      // Nothing is decided within a line.
      return bytes.includes(NEWLINE) || length >= LOOKED_AT ? choose(false) : [];
    },
    end: () => {
      const records = inner === null ? choose(true) : [];
      return [...records, ...inner?.end() ?? []];
    },
  };
}

function lineReader(): RecordReader {
  const reader = createLineReader();
  return { feed: (bytes) => feedLines(reader, bytes), end: () => endLines(reader) };
}

function documentReader(options: DocumentReaderOptions): RecordReader<DocumentRecord> {
  const reader = createDocumentReader(options);
  return { feed: (bytes) => feedDocument(reader, bytes), end: () => endDocument(reader) };
}

/** Keeps a part of the value, as long as the value may still be read. The caller may use its buffer again. */
function keep(reader: DocumentReader, bytes: Uint8Array): void {
  const { value } = reader;
  if (value === null) return;
  value.length += bytes.length;
  if (value.length > reader.valueBytes) {
    value.isSkipped = true;
    value.pieces.length = 0;
  }
  if (!value.isSkipped) value.pieces.push(reader.owns ? bytes : bytes.slice());
}

function giveValue(reader: DocumentReader, records: DocumentRecord[]): void {
  const { value } = reader;
  reader.value = null;
  if (value === null) return;
  const { line, list } = value;
  if (value.isSkipped) {
    const what = `the value has ${value.length} bytes, more than ${reader.valueBytes}`;
    records.push({ kind: "problem", line, what });
    return;
  }
  const { pieces, length } = value;
  try {
    const document = list === null || list === "odd" ? null : documentIn({ pieces, length, list, line });
    // Where a bracket too many ended it, its last message is broken.
    if (
      document !== null && document.count > 0 && document.messageAt(document.count - 1).kind === "problem"
    ) {
      throw new SyntaxError();
    }
    // A second field of that name would be the one that counts.
    if (document !== null && isEmptyList(document.head.messages)) {
      records.push({ kind: "document", document, line });
    } else {
      const text = decoder.decode(joinBytes(pieces));
      records.push({ kind: "value", value: JSON.parse(text), line });
    }
  } catch {
    if (value.isSession && reader.base === 0) {
      value.isDamaged = true;
      reader.value = value;
    } else records.push({ kind: "problem", line, what: "the JSON value is broken" });
  }
}

/** A session that was cut off or is damaged: what is sound of it. */
function giveDamagedSession({ line, pieces, isSession }: OpenValue, records: DocumentRecord[]): void {
  const document = isSession ? damagedSession(decoder.decode(joinBytes(pieces)), line) : null;
  if (document !== null) records.push({ kind: "document", document, line });
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
