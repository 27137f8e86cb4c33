// Text that grows and may be huge (tool output, streamed arguments): kept in chunks, so that appending and
// drawing the end of 50 MB cost what the end costs. Chunks are cut behind a newline; only a line longer than
// LONGEST_CHUNK is cut inside.

/** A chunk is closed at the first newline after this many UTF-16 units. */
export const CHUNK_LENGTH = 1 << 15;
/** A single line is cut after this many UTF-16 units. */
export const LONGEST_CHUNK = 1 << 20;
/** The pieces of a chunk that grows are at least this long, but for the last. */
const PIECE_LENGTH = 1 << 12;

/** Growing text. All chunks but the last never change. */
export interface LongText {
  readonly chunks: string[];
  /** UTF-16 units in all. */
  length: number;
  /** Newline characters in all. */
  newlines: number;
  /** The last chunk once it has grown; null before, and where it may not grow any more. */
  open: OpenChunk | null;
}

/** A chunk in flat pieces: of its text alone all that was ever appended would be kept as a tree. */
interface OpenChunk {
  readonly pieces: string[];
  /** All pieces but the last, joined. */
  front: string;
}

/** A text that is read in parts. */
export interface TextParts {
  readonly length: number;
  slice(from: number, to?: number): string;
}

/** Long text holding `text`. */
export function longText(text = ""): LongText {
  const long: LongText = { chunks: [], length: 0, newlines: 0, open: null };
  if (text !== "") appendLongText(long, text);
  return long;
}

/** Appends `text` in place. The chunks do not depend on how the text was cut into pieces. */
export function appendLongText(long: LongText, text: string): void {
  if (text === "") return;
  long.length += text.length;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) long.newlines++;
  // Only what is added is looked through: an open chunk has no newline that could end it.
  let last = isClosed(long) ? "" : long.chunks.pop() ?? "";
  let from = 0;
  for (let end = chunkEnd(last, text, from); end !== -1; end = chunkEnd(last, text, from)) {
    const chunk = end < from ? last.slice(0, end - from) : last + text.slice(from, end);
    last = end < from ? last.slice(end - from) : "";
    from = Math.max(from, end);
    // Looking at it makes it flat: else it is kept as the tree of all it was made of.
    chunk.charCodeAt(0);
    long.chunks.push(chunk);
    long.open = null;
  }
  const added = from === 0 ? text : text.slice(from);
  if (last !== "" && added !== "") {
    long.open ??= { pieces: [last], front: "" };
    long.chunks.push(growOpen(long.open, added));
  } else if (last + added !== "") long.chunks.push(last + added);
}

/** The last chunk, to be read in parts: costs those parts, where they stand near its end. */
export function lastChunk(long: LongText): TextParts {
  const { open } = long;
  const chunk = long.chunks.at(-1) ?? "";
  if (open === null) return chunk;
  const { length } = chunk;
  const { pieces } = open;
  return {
    length,
    slice(from, to = length) {
      let slice = "";
      let end = open.front.length + pieces.at(-1)!.length;
      for (let at = pieces.length - 1; at >= 0 && end > from; at--) {
        const piece = pieces[at]!;
        const start = end - piece.length;
        if (start < to) slice = piece.slice(Math.max(0, from - start), to - start) + slice;
        end = start;
      }
      return slice;
    },
  };
}

/** Its first UTF-16 units. */
export function textStart(long: LongText, length: number): string {
  return long.chunks.length > 1 ? long.chunks[0]!.slice(0, length) : lastChunk(long).slice(0, length);
}

/** Its last `length` UTF-16 units, or all. */
export function textEnd(long: LongText, length: number): string {
  const last = lastChunk(long);
  let end = last.slice(Math.max(0, last.length - length));
  for (let at = long.chunks.length - 2; at >= 0 && end.length < length; at--) {
    end = long.chunks[at]!.slice(-(length - end.length)) + end;
  }
  return end;
}

/** All of it as one string: only for text known to be small, or to leave the program. */
export function longTextString(long: LongText): string {
  return long.chunks.length === 1 ? long.chunks[0] ?? "" : long.chunks.join("");
}

/** Lines of text; a final newline adds none, empty text has none. */
export function lineCount(long: LongText): number {
  if (long.length === 0) return 0;
  return long.newlines + (textEnd(long, 1) === "\n" ? 0 : 1);
}

/** A chunk ends with the newline that closes it. */
function isClosed(long: LongText): boolean {
  if (long.open !== null) return false;
  const last = long.chunks.at(-1) ?? "";
  return last.length >= CHUNK_LENGTH && last.endsWith("\n");
}

/** Returns the whole chunk. */
function growOpen(open: OpenChunk, text: string): string {
  const { pieces } = open;
  const last = pieces.at(-1)! + text;
  pieces[pieces.length - 1] = last;
  const chunk = open.front + last;
  if (last.length >= PIECE_LENGTH) {
    last.charCodeAt(0);
    open.front = chunk;
    pieces.push("");
  }
  return chunk;
}

/**
 * Where in `text` the chunk ends that is `open` and goes on with `text` from `from`; before `from` where `open` is cut
 * itself, -1 when it may still grow.
 */
function chunkEnd(open: string, text: string, from: number): number {
  const newline = text.indexOf("\n", from + Math.max(0, CHUNK_LENGTH - 1 - open.length));
  const limit = from + LONGEST_CHUNK - open.length;
  if (newline !== -1 && newline < limit) return newline + 1;
  if (text.length <= limit) return -1;
  const high = limit > from ? text.charCodeAt(limit - 1) : open.charCodeAt(LONGEST_CHUNK - 1);
  return high >= 0xd800 && high <= 0xdbff ? limit - 1 : limit;
}
