// Text that grows and may be huge (tool output, streamed arguments): kept in chunks, so that appending and
// drawing the end of 50 MB cost what the end costs. Chunks are cut behind a newline; only a line longer than
// LONGEST_CHUNK is cut inside.

/** A chunk is closed at the first newline after this many UTF-16 units. */
export const CHUNK_LENGTH = 1 << 15;
/** A single line is cut after this many UTF-16 units. */
export const LONGEST_CHUNK = 1 << 20;

/** Growing text. All chunks but the last never change. */
export interface LongText {
  readonly chunks: string[];
  /** UTF-16 units in all. */
  length: number;
  /** Newline characters in all. */
  newlines: number;
}

/** Long text holding `text`. */
export function longText(text = ""): LongText {
  const long: LongText = { chunks: [], length: 0, newlines: 0 };
  if (text !== "") appendLongText(long, text);
  return long;
}

/** Appends `text` in place. The chunks do not depend on how the text was cut into pieces. */
export function appendLongText(long: LongText, text: string): void {
  if (text === "") return;
  long.length += text.length;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) long.newlines++;
  const last = long.chunks.pop() ?? "";
  let rest = isClosed(last) ? text : last + text;
  if (rest === text && last !== "") long.chunks.push(last);
  while (rest.length > CHUNK_LENGTH) {
    const end = chunkEnd(rest);
    if (end === -1) break;
    long.chunks.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  if (rest !== "") long.chunks.push(rest);
}

/** All of it as one string: only for text known to be small, or to leave the program. */
export function longTextString(long: LongText): string {
  return long.chunks.length === 1 ? long.chunks[0] ?? "" : long.chunks.join("");
}

/** Lines of text; a final newline adds none, empty text has none. */
export function lineCount(long: LongText): number {
  if (long.length === 0) return 0;
  return long.newlines + (long.chunks.at(-1)?.endsWith("\n") ? 0 : 1);
}

function isClosed(chunk: string): boolean {
  return chunk.length > CHUNK_LENGTH && chunkEnd(chunk) === chunk.length;
}

/** Where the first chunk of `text` ends, or -1 when it may still grow. */
function chunkEnd(text: string): number {
  const newline = text.indexOf("\n", CHUNK_LENGTH - 1);
  if (newline !== -1 && newline < LONGEST_CHUNK) return newline + 1;
  if (text.length <= LONGEST_CHUNK) return -1;
  const high = text.charCodeAt(LONGEST_CHUNK - 1);
  return high >= 0xd800 && high <= 0xdbff ? LONGEST_CHUNK - 1 : LONGEST_CHUNK;
}
