// Text that is read while it grows: one string, or pieces to which some are added. Readers ask for what is new since
// they last asked, so that a text of a megabyte costs what was added to it.

/** Text in pieces that only ever grows; all but the last piece stay as they are. */
export interface TextPieces {
  readonly pieces: readonly string[];
  /** UTF-16 units in all. */
  readonly length: number;
}

export type TextSource = string | TextPieces;

/** How far a text has been read. */
export interface Reading {
  source: TextSource;
  /** UTF-16 units that are read. */
  length: number;
  /** The piece that reading goes on in, and the unit of it. */
  piece: number;
  unit: number;
}

let readUnits = 0;

/** UTF-16 units joined from pieces or compared since the program began: what tests measure speed by. */
export function readLength(): number {
  return readUnits;
}

/** Nothing is read yet. */
export function createReading(): Reading {
  return { source: "", length: 0, piece: 0, unit: 0 };
}

/** True when all of `source` has been read. Costs nothing while the text is the same object. */
export function isRead(reading: Reading, source: TextSource): boolean {
  return reading.length === source.length && goesOn(reading, source);
}

/** What `source` has behind what is read; null when it does not go on from that. */
export function readOn(reading: Reading, source: TextSource): string | null {
  if (!goesOn(reading, source)) return null;
  if (typeof source === "string") {
    const fresh = source.slice(reading.length);
    Object.assign(reading, { source, length: source.length, piece: 0, unit: source.length });
    return fresh;
  }
  if (reading.source !== source) Object.assign(reading, { source, ...placeOf(source, reading.length) });
  readUnits += source.length - reading.length;
  let fresh = "";
  for (let at = reading.piece; at < source.pieces.length; at++) {
    const piece = source.pieces[at]!;
    fresh += at === reading.piece ? piece.slice(reading.unit) : piece;
  }
  reading.length = source.length;
  reading.piece = source.pieces.length - 1;
  reading.unit = source.pieces.at(-1)?.length ?? 0;
  return fresh;
}

/** All of it as one string. */
export function wholeText(source: TextSource): string {
  return typeof source === "string" ? source : source.pieces.join("");
}

/** Its first `length` UTF-16 units, or all. */
export function startOf(source: TextSource, length: number): string {
  if (typeof source === "string") return source.slice(0, length);
  let start = "";
  for (let at = 0; at < source.pieces.length && start.length < length; at++) start += source.pieces[at]!;
  return start.slice(0, length);
}

/** True when there is nothing but white space in it. */
export function isBlankText(source: TextSource): boolean {
  return typeof source === "string" ? !/\S/.test(source) : source.pieces.every((piece) => !/\S/.test(piece));
}

/** True when `source` begins with what is read. */
function goesOn({ source: before, length }: Reading, source: TextSource): boolean {
  if (before === source) return true;
  if (source.length < length) return false;
  readUnits += length;
  const piecesBefore = piecesOf(before);
  const pieces = piecesOf(source);
  let [one, oneUnit, other, otherUnit] = [0, 0, 0, 0];
  for (let left = length; left > 0;) {
    const first = piecesBefore[one]!;
    const second = pieces[other]!;
    const count = Math.min(left, first.length - oneUnit, second.length - otherUnit);
    // Comparing slices is many times faster than startsWith.
    if (first.slice(oneUnit, oneUnit + count) !== second.slice(otherUnit, otherUnit + count)) return false;
    left -= count;
    oneUnit += count;
    otherUnit += count;
    if (oneUnit === first.length) [one, oneUnit] = [one + 1, 0];
    if (otherUnit === second.length) [other, otherUnit] = [other + 1, 0];
  }
  return true;
}

function piecesOf(source: TextSource): readonly string[] {
  return typeof source === "string" ? [source] : source.pieces;
}

function placeOf(source: TextPieces, length: number): { readonly piece: number; readonly unit: number } {
  let left = length;
  let piece = 0;
  while (piece < source.pieces.length - 1 && left > source.pieces[piece]!.length) {
    left -= source.pieces[piece]!.length;
    piece++;
  }
  return { piece, unit: left };
}
