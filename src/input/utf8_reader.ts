// Code points out of UTF-8 that reads cut anywhere. What is not UTF-8 gives nothing, never a sign nobody typed.

/** A character being read. */
export interface Utf8Reader {
  /** Continuation bytes still missing; 0 between characters. */
  missing: number;
  value: number;
  /** What the next continuation byte must be at least and at most: keeps out overlong forms and surrogates. */
  lowest: number;
  highest: number;
}

/** A reader between two characters. */
export function createUtf8Reader(): Utf8Reader {
  return { missing: 0, value: 0, lowest: 0x80, highest: 0xbf };
}

/**
 * Takes one byte from 0x80 on, or any while a character is missing bytes. Returns the code point it completes, "more"
 * when the byte was taken and the character is not whole, "refused" when the byte is not part of a character: what was
 * begun is given up, and a byte that can stand for itself has to be looked at again.
 */
export function readUtf8(reader: Utf8Reader, byte: number): number | "more" | "refused" {
  if (reader.missing > 0) {
    if (byte < reader.lowest || byte > reader.highest) {
      reader.missing = 0;
      return "refused";
    }
    reader.value = reader.value << 6 | byte & 0x3f;
    [reader.lowest, reader.highest] = [0x80, 0xbf];
    return --reader.missing === 0 ? reader.value : "more";
  }
  if (byte >= 0xc2 && byte <= 0xdf) return begin(reader, 1, byte & 0x1f);
  if (byte >= 0xe0 && byte <= 0xef) {
    const result = begin(reader, 2, byte & 0x0f);
    if (byte === 0xe0) reader.lowest = 0xa0;
    if (byte === 0xed) reader.highest = 0x9f;
    return result;
  }
  if (byte >= 0xf0 && byte <= 0xf4) {
    const result = begin(reader, 3, byte & 0x07);
    if (byte === 0xf0) reader.lowest = 0x90;
    if (byte === 0xf4) reader.highest = 0x8f;
    return result;
  }
  return "refused";
}

function begin(reader: Utf8Reader, missing: number, value: number): "more" {
  reader.missing = missing;
  reader.value = value;
  [reader.lowest, reader.highest] = [0x80, 0xbf];
  return "more";
}
