// A session in the bytes of one JSON value, once it is known where its messages stand (json_document.ts): each is parsed
// when it is asked for, and the bytes are held as they came, without being put together.

import { fieldsOf } from "./fields.ts";
import type { DocumentMessage, SessionDocument } from "./session_document.ts";

/** Where a value's list of messages stands in its bytes. */
export interface MessageList {
  /** Behind the opening bracket, and at the closing one; 0 until it has come. */
  readonly start: number;
  end: number;
  readonly starts: number[];
  readonly ends: number[];
  commas: number;
}

/** A value's bytes, and what is known of them. */
export interface SessionBytes {
  readonly pieces: readonly Uint8Array[];
  readonly length: number;
  readonly list: MessageList;
  /** Line on which the value begins. */
  readonly line: number;
}

const NEWLINE = 10;

const decoder = new TextDecoder();

/** The session in a value's bytes. Throws where the fields around its messages are no JSON. */
export function documentIn({ pieces, length, list, line }: SessionBytes): SessionDocument {
  const text = textReader(pieces);
  const { ends } = list;
  const starts = list.starts.slice(0, ends.length);
  const behind = text(list.end, length);
  return {
    head: fieldsOf(JSON.parse(text(0, list.start) + behind)),
    count: ends.length,
    lengthBefore: (index) => starts[index] ?? ends.at(-1) ?? 0,
    messageAt: (index) => {
      const start = starts[index] ?? 0;
      return messageIn(text(start, ends[index] ?? start), () => line + newlinesBefore(pieces, start));
    },
    whole: () => JSON.parse(text(0, ends.at(-1) ?? list.start) + behind),
  };
}

/** A message by its text; the line is asked for where it is broken. */
export function messageIn(text: string, line: () => number): DocumentMessage {
  try {
    return { kind: "value", value: fieldsOf(JSON.parse(text)) };
  } catch {
    return { kind: "problem", what: "the JSON of a message is broken", line: line() };
  }
}

/** Text by places in bytes that lie in pieces. */
function textReader(pieces: readonly Uint8Array[]): (start: number, end: number) => string {
  const starts: number[] = [];
  let length = 0;
  for (const piece of pieces) {
    starts.push(length);
    length += piece.length;
  }
  const pieceAt = (place: number): number => {
    let low = 0;
    for (let high = pieces.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return (start, end) => {
    let text = "";
    // A sign that is cut between two pieces is put together again.
    const joining = new TextDecoder();
    for (let at = pieceAt(start); at < pieces.length && (starts[at] ?? 0) < end; at++) {
      const from = starts[at] ?? 0;
      const piece = pieces[at]?.subarray(Math.max(0, start - from), end - from);
      if (end <= from + (pieces[at]?.length ?? 0) && start >= from) return decoder.decode(piece);
      text += joining.decode(piece, { stream: true });
    }
    return text + joining.decode();
  };
}

function newlinesBefore(pieces: readonly Uint8Array[], end: number): number {
  let count = 0;
  let from = 0;
  for (const piece of pieces) {
    const bytes = piece.subarray(0, Math.max(0, end - from));
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
    from += piece.length;
  }
  return count;
}
