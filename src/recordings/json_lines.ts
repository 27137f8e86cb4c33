// Bytes to JSON values, one a line, however the bytes are cut. Damage is a value with its line number: what can be
// read is read, what cannot is told, and nothing is held that is longer than a line may be.

/** One line's value, or what is wrong with a line. A `kept` problem was repaired: its value comes too. */
export type Record =
  | { readonly kind: "value"; readonly value: unknown; readonly line: number }
  | { readonly kind: "problem"; readonly line: number; readonly what: string; readonly kept?: boolean };

export interface LineReaderOptions {
  /** Bytes a line may have; a longer one is skipped. */
  readonly lineBytes?: number;
}

/** What is kept between two pieces of bytes. */
export interface LineReader {
  readonly lineBytes: number;
  /** Lines begun. */
  line: number;
  /** The line whose end has not come: its bytes, in room that grows. */
  rest: Uint8Array;
  restLength: number;
  /** The line is too long: its bytes are only counted. */
  isSkipping: boolean;
  /** Lines that end inside a string: a raw newline may be part of it, so the next line may go on with it. */
  torn: TornLine[];
}

interface TornLine {
  readonly text: string;
  readonly line: number;
}

const LINE_BYTES = 32 << 20;
/** A string that covers more lines than this, or more UTF-16 units, is not put together. */
const TORN_LINES = 200;
const TORN_LENGTH = 4 << 20;
const NEWLINE = 10;
const NOTHING = new Uint8Array(0);

// A byte order mark is taken off each line by hand: a decoder takes it off the beginning of whatever piece it is given.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

export function createLineReader(options: LineReaderOptions = {}): LineReader {
  return {
    lineBytes: options.lineBytes ?? LINE_BYTES,
    line: 0,
    rest: NOTHING,
    restLength: 0,
    isSkipping: false,
    torn: [],
  };
}

/** The records that these bytes complete. */
export function feed(reader: LineReader, bytes: Uint8Array): Record[] {
  const records: Record[] = [];
  const first = bytes.indexOf(NEWLINE);
  if (first === -1) {
    hold(reader, bytes);
    return records;
  }
  let start = 0;
  if (reader.restLength > 0 || reader.isSkipping) {
    takeRest(reader, bytes.subarray(0, first), records);
    start = first + 1;
  }
  const last = bytes.lastIndexOf(NEWLINE);
  if (last >= start) takeLines(reader, bytes.subarray(start, last), records);
  hold(reader, bytes.subarray(last + 1));
  return records;
}

/** The records left at the end: a last line without its newline, or half of one. */
export function end(reader: LineReader): Record[] {
  const records: Record[] = [];
  if (reader.restLength > 0 || reader.isSkipping) takeRest(reader, new Uint8Array(0), records);
  giveUpTorn(reader, records);
  return records;
}

/** Keeps the piece of a line whose end has not come, as long as the line may still be read. */
function hold(reader: LineReader, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  const start = reader.restLength;
  reader.restLength += bytes.length;
  if (reader.restLength > reader.lineBytes) {
    reader.isSkipping = true;
    reader.rest = NOTHING;
  }
  if (reader.isSkipping) return;
  // A copy, since the caller may use its buffer again; one piece of room, since a line may come byte by byte.
  if (reader.restLength > reader.rest.length) {
    const room = new Uint8Array(
      Math.min(reader.lineBytes, Math.max(reader.restLength, 2 * reader.rest.length)),
    );
    room.set(reader.rest.subarray(0, start));
    reader.rest = room;
  }
  reader.rest.set(bytes, start);
}

function takeRest(reader: LineReader, bytes: Uint8Array, records: Record[]): void {
  hold(reader, bytes);
  const { rest, restLength, isSkipping } = reader;
  reader.rest = NOTHING;
  reader.restLength = 0;
  reader.isSkipping = false;
  if (isSkipping) {
    giveUpTorn(reader, records);
    return tooLong(reader, restLength, records);
  }
  takeLine(reader, rest.subarray(0, restLength), records);
}

/** Whole lines, without the last newline. They are decoded in one go; only where that fails, one by one. */
function takeLines(reader: LineReader, bytes: Uint8Array, records: Record[]): void {
  if (bytes.length <= reader.lineBytes) {
    const text = decodeStrictly(bytes);
    if (text !== null) {
      let start = 0;
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", start)) {
        takeText(reader, text.slice(start, at), records);
        start = at + 1;
      }
      return takeText(reader, text.slice(start), records);
    }
  }
  let start = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, start)) {
    takeLine(reader, bytes.subarray(start, at), records);
    start = at + 1;
  }
  takeLine(reader, bytes.subarray(start), records);
}

function takeLine(reader: LineReader, bytes: Uint8Array, records: Record[]): void {
  if (bytes.length > reader.lineBytes) {
    giveUpTorn(reader, records);
    return tooLong(reader, bytes.length, records);
  }
  const text = decodeStrictly(bytes);
  if (text !== null) return takeText(reader, text, records);
  const line = reader.line + 1;
  takeText(reader, lenient.decode(bytes), records);
  records.push({ kind: "problem", line, what: "invalid UTF-8, shown as U+FFFD", kept: true });
}

function takeText(reader: LineReader, whole: string, records: Record[]): void {
  const text = whole.charCodeAt(0) === 0xfeff ? whole.slice(1) : whole;
  const line = ++reader.line;
  if (reader.torn.length > 0) return goOnTorn(reader, { text, line }, records);
  if (text.length < 3 && text.trim() === "") return;
  const value = parse(text);
  if (value !== FAILED) records.push({ kind: "value", value, line });
  else salvage(reader, { text, line }, records);
}

/** What can be had of a line that is not one JSON value. */
function salvage(reader: LineReader, { text, line }: TornLine, records: Record[]): void {
  const plain = withoutPadding(text);
  if (plain === "") {
    if (text.includes("\0")) records.push({ kind: "problem", line, what: nulText(text) });
    return;
  }
  const { values, rest, endsInString } = takeValues(plain);
  for (const value of values) records.push({ kind: "value", value, line });
  if (rest === "") {
    if (text.includes("\0")) records.push({ kind: "problem", line, what: nulText(text), kept: true });
    return;
  }
  if (values.length === 0 && endsInString && plain[0] === "{") {
    reader.torn = [{ text: plain, line }];
    return;
  }
  records.push({ kind: "problem", line, what: faultOf(rest) });
}

/** A raw newline inside a string covers two lines or more: they are tried as one, unless the next is good by itself. */
function goOnTorn(reader: LineReader, next: TornLine, records: Record[]): void {
  const isGood = isRecordLine(next.text);
  if (!isGood) {
    const lines = [...reader.torn, next];
    const whole = lines.map(({ text }) => text).join("\\n");
    const value = parse(whole);
    if (value !== FAILED) {
      const line = lines[0]?.line ?? next.line;
      reader.torn = [];
      records.push({ kind: "value", value, line });
      records.push({ kind: "problem", line, what: "raw newline inside a string", kept: true });
      return;
    }
    if (lines.length <= TORN_LINES && whole.length <= TORN_LENGTH && scan(whole).endsInString) {
      reader.torn = lines;
      return;
    }
  }
  giveUpTorn(reader, records);
  reader.line = next.line - 1;
  takeText(reader, next.text, records);
}

/** The first torn line is lost; those behind it are taken on their own. */
function giveUpTorn(reader: LineReader, records: Record[]): void {
  while (reader.torn.length > 0) {
    const [first, ...others] = reader.torn;
    reader.torn = [];
    if (first !== undefined) records.push({ kind: "problem", line: first.line, what: faultOf(first.text) });
    const { line } = reader;
    for (const other of others) {
      reader.line = other.line - 1;
      takeText(reader, other.text, records);
    }
    reader.line = line;
  }
}

function tooLong(reader: LineReader, length: number, records: Record[]): void {
  const line = ++reader.line;
  records.push({
    kind: "problem",
    line,
    what: `the line has ${length} bytes, more than ${reader.lineBytes}`,
  });
}

const FAILED = Symbol("failed");

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return FAILED;
  }
}

/** True when a line holds one record or several, whole. */
function isRecordLine(text: string): boolean {
  const plain = withoutPadding(text);
  if (plain[0] !== "{") return false;
  if (parse(plain) !== FAILED) return true;
  const { values, rest } = takeValues(plain);
  return values.length > 0 && rest === "";
}

/** The values at the start of a text that are written one behind the other, and what is left. */
function takeValues(text: string): { values: unknown[]; rest: string; endsInString: boolean } {
  const values: unknown[] = [];
  for (let at = 0;;) {
    const { valueEnd, endsInString } = scan(text, at);
    const value = valueEnd === -1 ? FAILED : parse(text.slice(at, valueEnd));
    if (value === FAILED) return { values, rest: text.slice(at), endsInString };
    values.push(value);
    at = paddingEnd(text, valueEnd);
    if (at === text.length) return { values, rest: "", endsInString: false };
  }
}

/**
 * Where the object or list that begins at `from` ends (behind its bracket; -1: nowhere), and whether a string is open
 * at the end of the text.
 */
function scan(text: string, from = 0): { valueEnd: number; endsInString: boolean } {
  const marks = /["{}[\]]/g;
  const inString = /["\\]/g;
  marks.lastIndex = from;
  let depth = 0;
  for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
    const mark = match[0];
    if (mark === "{" || mark === "[") depth++;
    else if (mark !== '"') {
      depth--;
      if (depth <= 0) return { valueEnd: marks.lastIndex, endsInString: false };
    } else {
      const close = stringEnd(text, marks.lastIndex, inString);
      if (close === -1) return { valueEnd: -1, endsInString: true };
      marks.lastIndex = close;
    }
    if (depth === 0) return { valueEnd: -1, endsInString: false };
  }
  return { valueEnd: -1, endsInString: false };
}

/** Behind the quote that closes a string; -1 when it stays open. */
function stringEnd(text: string, from: number, inString: RegExp): number {
  inString.lastIndex = from;
  for (let match = inString.exec(text); match !== null; match = inString.exec(text)) {
    if (match[0] === '"') return inString.lastIndex;
    inString.lastIndex++;
  }
  return -1;
}

function faultOf(text: string): string {
  const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text;
  if (text[0] === "{" || text[0] === "[") {
    const { valueEnd } = scan(text);
    if (valueEnd === -1) return `the JSON value is cut off: ${JSON.stringify(shown)}`;
  }
  return `not JSON: ${JSON.stringify(shown)}`;
}

function nulText(text: string): string {
  let count = 0;
  for (let at = text.indexOf("\0"); at !== -1; at = text.indexOf("\0", at + 1)) count++;
  return `${count} NUL bytes`;
}

/** Without blanks, a byte order mark and NUL bytes around it. */
function withoutPadding(text: string): string {
  const start = paddingEnd(text, 0);
  let stop = text.length;
  while (stop > start && isPadding(text.charCodeAt(stop - 1))) stop--;
  return text.slice(start, stop);
}

function paddingEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isPadding(text.charCodeAt(at))) at++;
  return at;
}

function isPadding(unit: number): boolean {
  return unit === 0 || unit === 9 || unit === 13 || unit === 32 || unit === 0xfeff;
}

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}
