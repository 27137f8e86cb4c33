// Recordings that are one JSON document over many lines (a pretty-printed export): its values, however the bytes are
// cut. Also the choice between this and json_lines.ts, by how the file begins.

import { createLineReader, end as endLines, feed as feedLines, type Record } from "./json_lines.ts";

/** How a recording's bytes become values. */
export type ReaderKind = "lines" | "document";

/** A document being read. A list at the top gives its elements, one by one; anything else is a value itself. */
export interface DocumentReader {
  readonly valueBytes: number;
  /** Lines begun. */
  line: number;
  /** Brackets open outside of the value's own, and inside. */
  depth: number;
  /** Depth at which values stand: 1 inside a list at the top. */
  base: number;
  inString: boolean;
  isEscaped: boolean;
  /** The value being collected; null between values. */
  value: { readonly line: number; readonly pieces: Uint8Array[]; length: number; isSkipped: boolean } | null;
  /** Something between the values that is none. */
  strayLine: number | null;
}

export interface DocumentReaderOptions {
  /** Bytes a value may have; a longer one is skipped. */
  readonly valueBytes?: number;
}

/** Exports hold a whole session in one value. */
const VALUE_BYTES = 256 << 20;
/** How much of a file is looked at for its first two lines. */
const LOOKED_AT = 1 << 20;

const NEWLINE = 10;
const QUOTE = 34;
const BACKSLASH = 92;

const decoder = new TextDecoder();

/**
 * How a file is read that begins with these bytes; null when more are needed to tell. Lines, unless the first line
 * opens an object or a list that the next line goes on with.
 */
export function chooseReader(head: Uint8Array, isEnd: boolean): ReaderKind | null {
  const text = decoder.decode(head.subarray(0, LOOKED_AT)).replace(/^\ufeff?\s*/, "");
  if (text === "") return isEnd ? "lines" : null;
  if (text[0] !== "{" && text[0] !== "[") return "lines";
  const newline = text.indexOf("\n");
  if (newline === -1) return isEnd || head.length >= LOOKED_AT ? "lines" : null;
  const first = text.slice(0, newline).trimEnd();
  if (!/[{[,]$/.test(first) || isJson(first)) return "lines";
  const rest = text.slice(newline + 1).trimStart();
  const end = rest.indexOf("\n");
  if (end === -1 && !isEnd && head.length < LOOKED_AT) return null;
  const second = (end === -1 ? rest : rest.slice(0, end)).trimEnd();
  // A torn first line of JSON lines is followed by a whole record.
  return isJson(second) && second.startsWith("{") && first !== "[" ? "lines" : "document";
}

export function createDocumentReader(options: DocumentReaderOptions = {}): DocumentReader {
  return {
    valueBytes: options.valueBytes ?? VALUE_BYTES,
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
export function feedDocument(reader: DocumentReader, bytes: Uint8Array): Record[] {
  const records: Record[] = [];
  let start = reader.value === null ? -1 : 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === NEWLINE) reader.line++;
    if (reader.inString) {
      if (reader.isEscaped) reader.isEscaped = false;
      else if (byte === BACKSLASH) reader.isEscaped = true;
      else if (byte === QUOTE) reader.inString = false;
      continue;
    }
    if (byte === QUOTE) {
      reader.inString = true;
      if (reader.value === null) reader.strayLine ??= reader.line;
      continue;
    }
    if (byte === 0x7b || byte === 0x5b) {
      if (reader.value === null && byte === 0x5b && reader.depth === 0) {
        reader.base = reader.depth = 1;
        continue;
      }
      if (reader.value === null) {
        reader.value = { line: reader.line, pieces: [], length: 0, isSkipped: false };
        start = at;
      }
      reader.depth++;
    } else if (byte === 0x7d || byte === 0x5d) {
      reader.depth = Math.max(0, reader.depth - 1);
      if (reader.value === null) {
        reader.base = Math.min(reader.base, reader.depth);
      } else if (reader.depth === reader.base) {
        keep(reader, bytes.subarray(start, at + 1));
        start = -1;
        giveValue(reader, records);
      }
    } else if (
      reader.value === null && byte > 0x20 && byte !== 0x2c && byte !== 0xef && byte !== 0xbb && byte !== 0xbf
    ) {
      reader.strayLine ??= reader.line;
    }
  }
  if (reader.value !== null && start !== -1) keep(reader, bytes.subarray(start));
  return records;
}

/** What is left at the end: a value that was cut off. */
export function endDocument(reader: DocumentReader): Record[] {
  const records: Record[] = [];
  if (reader.value !== null) {
    records.push({ kind: "problem", line: reader.value.line, what: "the JSON value is cut off" });
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
export interface RecordReader {
  feed(bytes: Uint8Array): Record[];
  end(): Record[];
}

/** A reader for a recording whose form is not known. */
export function createRecordReader(): RecordReader {
  let inner: RecordReader | null = null;
  const pieces: Uint8Array[] = [];
  let length = 0;
  const choose = (isEnd: boolean): Record[] => {
    const head = joined(pieces, length);
    const kind = chooseReader(head, isEnd);
    if (kind === null && !isEnd) return [];
    pieces.length = 0;
    inner = kind === "document" ? documentReader() : lineReader();
    return inner.feed(head);
  };
  return {
    feed: (bytes) => {
      if (inner !== null) return inner.feed(bytes);
      pieces.push(bytes.slice());
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

function documentReader(): RecordReader {
  const reader = createDocumentReader();
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
  if (!value.isSkipped) value.pieces.push(bytes.slice());
}

function giveValue(reader: DocumentReader, records: Record[]): void {
  const { value } = reader;
  reader.value = null;
  if (value === null) return;
  const { line } = value;
  if (value.isSkipped) {
    const what = `the value has ${value.length} bytes, more than ${reader.valueBytes}`;
    records.push({ kind: "problem", line, what });
    return;
  }
  try {
    const text = decoder.decode(joined(value.pieces, value.length));
    records.push({ kind: "value", value: JSON.parse(text), line });
  } catch {
    records.push({ kind: "problem", line, what: "the JSON value is broken" });
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
