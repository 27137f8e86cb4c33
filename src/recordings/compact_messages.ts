// The last objects of a list that is written without line breaks, found from the end of the bytes. Where a string is
// cannot be told from behind; that an object is whole is told by the parser. What is found is shown until all of it
// has been read in order.

import { isJson } from "./fields.ts";

/** Places in bytes of the end of a list. */
export interface CompactMessages {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** The list's closing bracket. */
  readonly end: number;
}

const COMMA = 44;
const COLON = 58;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Brackets that may end the list, and beginnings that may be a message's: so many are tried. */
const ENDS_TRIED = 16;
const STARTS_TRIED = 200;
/** Bytes looked at for how a message begins. */
const LONGEST_OPENING = 64;

const decoder = new TextDecoder();

/** How the first object in these bytes begins: with its bracket and its first field's name. All of a list begin alike. */
export function openingOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.min(bytes.indexOf(COLON), LONGEST_OPENING) + 1);
}

/** The messages that are whole at the end of a value whose first object is cut off; null where none is. */
export function lastCompactMessages(bytes: Uint8Array, opening: Uint8Array): CompactMessages | null {
  if (opening[0] !== OBJECT) return null;
  let end = bytes.lastIndexOf(LIST_END);
  for (let tried = 0; tried < ENDS_TRIED && end > 0; tried++) {
    if (isJson(`{"":[${decoder.decode(bytes.subarray(end))}`)) {
      const messages = messagesBefore(bytes, end, opening);
      if (messages !== null) return messages;
    }
    end = bytes.lastIndexOf(LIST_END, end - 1);
  }
  return null;
}

function messagesBefore(bytes: Uint8Array, end: number, opening: Uint8Array): CompactMessages | null {
  const starts: number[] = [];
  const ends: number[] = [];
  let messageEnd = blanksBefore(bytes, end);
  if (bytes[messageEnd - 1] !== OBJECT_END) return null;
  let comma = messageEnd;
  for (let tried = 0; tried < STARTS_TRIED;) {
    comma = bytes.lastIndexOf(COMMA, comma - 1);
    if (comma <= 0) break;
    const before = blanksBefore(bytes, comma);
    let start = comma + 1;
    while (isBlank(bytes[start])) start++;
    if (bytes[before - 1] !== OBJECT_END || !opening.every((byte, at) => bytes[start + at] === byte)) {
      continue;
    }
    tried++;
    if (!isJson(decoder.decode(bytes.subarray(start, messageEnd)))) continue;
    starts.unshift(start);
    ends.unshift(messageEnd);
    messageEnd = before;
  }
  return starts.length === 0 ? null : { starts, ends, end };
}

/** Where the blanks begin that stand in front of a place. */
function blanksBefore(bytes: Uint8Array, end: number): number {
  let at = end;
  while (at > 0 && isBlank(bytes[at - 1])) at--;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10 || byte === 13;
}
