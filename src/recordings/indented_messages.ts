// A list of objects as writers of JSON indent it, found by the beginnings of its lines alone: several times faster than
// by its brackets and strings, and also from its end, when the beginning has not been read. What is written in any
// other way is json_document.ts's to read.

import { isJson } from "./fields.ts";

const NEWLINE = 10;
const COMMA = 44;

const decoder = new TextDecoder();

/** Places in the bytes of a list. */
export interface IndentedMessages {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Behind the last message's line. */
  readonly end: number;
  readonly lines: number;
}

/**
 * The messages of a list that begins at `from` and is indented as writers do: each begins and ends with a bracket of
 * its own line, at the same depth as all others. No string holds a newline, so that nothing but the beginnings of lines
 * is looked at. Null where it is written in any other way, or ends behind these bytes.
 */
export function indentedMessages(bytes: Uint8Array, from: number): IndentedMessages | null {
  const found = findMessages(bytes, from);
  return found !== null && areWhole(bytes, found) ? found : null;
}

/**
 * The messages at the end of a list, all that are whole in these last bytes of it; `indent` is what stands in front of
 * each. Null where they are written in any other way.
 */
export function lastMessages(bytes: Uint8Array, indent: number): IndentedMessages | null {
  for (let newline = bytes.indexOf(NEWLINE); newline !== -1; newline = bytes.indexOf(NEWLINE, newline + 1)) {
    const start = newline + 1 + indent;
    if (bytes[start] !== 0x7b || !isBlankUpTo(bytes, newline + 1, start)) continue;
    const before = bytes[newline - 1] === 13 ? newline - 2 : newline - 1;
    if (bytes[before] === COMMA && bytes[before - 1] === 0x7d) return indentedMessages(bytes, newline);
  }
  return null;
}

/** Blanks in front of the first message of a list that begins at `from`; null where it does not have its own line. */
export function indentOf(bytes: Uint8Array, from: number): number | null {
  const newline = lineEndAt(bytes, from);
  let indent = 0;
  while (isBlank(bytes[newline + 1 + indent])) indent++;
  return newline !== -1 && bytes[newline + 1 + indent] === 0x7b ? indent : null;
}

function findMessages(bytes: Uint8Array, from: number): IndentedMessages | null {
  const starts: number[] = [];
  const ends: number[] = [];
  const indent = indentOf(bytes, from);
  if (indent === null) return null;
  let newline = lineEndAt(bytes, from);
  for (let lines = 1; newline !== -1; lines++) {
    const start = newline + 1 + indent;
    if (bytes[start] !== 0x7b || !isBlankUpTo(bytes, newline + 1, start)) return null;
    starts.push(start);
    newline = lineEndAt(bytes, start + 1);
    if (newline === -1) return null;
    for (
      ;
      bytes[newline + 1 + indent] !== 0x7d || !isBlankUpTo(bytes, newline + 1, newline + 1 + indent);
      lines++
    ) {
      newline = bytes.indexOf(NEWLINE, newline + 1);
      if (newline === -1) return null;
    }
    lines++;
    const end = newline + 2 + indent;
    ends.push(end);
    if (bytes[end] !== COMMA) return lineEndAt(bytes, end) === -1 ? null : { starts, ends, end, lines };
    newline = lineEndAt(bytes, end + 1);
  }
  return null;
}

/** True when the outermost messages are JSON: what was indented by hand may look otherwise than it is. */
function areWhole(bytes: Uint8Array, { starts, ends }: IndentedMessages): boolean {
  return [0, -1].every((at) => isJson(decoder.decode(bytes.subarray(starts.at(at), ends.at(at)))));
}

/** The newline that stands at `at`, with a return in front of it or without; -1 when none does. */
function lineEndAt(bytes: Uint8Array, at: number): number {
  const end = bytes[at] === 13 ? at + 1 : at;
  return bytes[end] === NEWLINE ? end : -1;
}

function isBlankUpTo(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && isBlank(bytes[at])) at++;
  return at === end;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9;
}
