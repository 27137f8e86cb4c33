// The text of a message while it streams: in flat pieces, so that a delta costs what it says and a reader of the end
// never joins the whole. Short texts stay plain strings; so does every text that is done.

/** A text becomes pieces when it grows past this, and a piece ends with the delta that passes it (UTF-16 units). */
export const PIECE_LENGTH = 4096;

/** A text that grows: its pieces in order. All but the last are as they will stay. */
export interface StreamText {
  readonly pieces: string[];
  /** UTF-16 units in all. */
  length: number;
  /** Newlines in front of the last sign that is not blank. */
  innerNewlines: number;
  /** Newlines behind it. */
  lastNewlines: number;
}

/** A block whose text may grow. */
interface Growing {
  text: string;
}

const streams = new WeakMap<Growing, StreamText>();

/** The pieces of a block's text that has grown long and is not done; null for any other. */
export function streamOf(block: Growing): StreamText | null {
  return streams.get(block) ?? null;
}

/** Appends to a block's text. Reading `block.text` of a long one joins it anew: what draws follows its pieces. */
export function growText(block: Growing, text: string): void {
  const stream = streams.get(block);
  if (stream !== undefined) return append(stream, text);
  if (block.text.length + text.length <= PIECE_LENGTH) {
    block.text += text;
    return;
  }
  const begun: StreamText = { pieces: [""], length: 0, innerNewlines: 0, lastNewlines: 0 };
  append(begun, block.text);
  append(begun, text);
  streams.set(block, begun);
  Object.defineProperty(block, "text", {
    get: () => begun.pieces.join(""),
    set: (value: string) => setText(block, value),
    enumerable: true,
    configurable: true,
  });
}

/** The text will not grow any more: it is one string again. */
export function endText(block: Growing): void {
  const stream = streams.get(block);
  if (stream !== undefined) setText(block, stream.pieces.join(""));
}

function setText(block: Growing, value: string): void {
  streams.delete(block);
  Object.defineProperty(block, "text", { value, writable: true, enumerable: true, configurable: true });
}

function append(stream: StreamText, text: string): void {
  stream.length += text.length;
  countNewlines(stream, text);
  const grown = stream.pieces.at(-1) + text;
  stream.pieces[stream.pieces.length - 1] = grown;
  if (grown.length < PIECE_LENGTH) return;
  // Looking at it makes it flat: else a string appended to is kept as the tree of all it was made of.
  grown.charCodeAt(0);
  stream.pieces.push("");
}

function countNewlines(stream: StreamText, text: string): void {
  const said = text.trimEnd().length;
  if (said > 0) {
    // What stood at the end stands inside now.
    stream.innerNewlines += stream.lastNewlines + newlines(text, 0, said);
    stream.lastNewlines = 0;
  }
  stream.lastNewlines += newlines(text, said, text.length);
}

function newlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
