// Collects the bytes of one bracketed paste up to its end marker, wherever reads cut it.
// When a paste that has no end marker is over is decided by key_decoder.ts.

import { cleanText, MAX_PASTE_BYTES } from "./paste_text.ts";

/** A paste being read. */
export interface PasteReader {
  readonly chunks: Uint8Array[];
  byteLength: number;
  /** More came than is kept. */
  cut: boolean;
  /** How many bytes of the end marker have been seen. */
  matched: number;
}

/** ESC [ 2 0 1 ~ */
const END_MARKER = new Uint8Array([0x1b, 0x5b, 0x32, 0x30, 0x31, 0x7e]);

/** A paste of which nothing has been read. */
export function createPasteReader(): PasteReader {
  return { chunks: [], byteLength: 0, cut: false, matched: 0 };
}

/** Reads on from `start`; returns the index behind the end marker, or -1 when the paste goes on after these bytes. */
export function readPaste(paste: PasteReader, bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length) {
    if (paste.matched > 0) {
      if (bytes[at] === END_MARKER[paste.matched]) {
        at++;
        if (++paste.matched === END_MARKER.length) return at;
        continue;
      }
      keepMatched(paste);
    }
    // Only the marker's first byte is ESC, so a match that failed can begin again nowhere inside itself.
    const escape = bytes.indexOf(0x1b, at);
    const end = escape < 0 ? bytes.length : escape;
    keep(paste, bytes, { start: at, end });
    at = end;
    if (escape >= 0) {
      paste.matched = 1;
      at++;
    }
  }
  return -1;
}

/** Where a whole marker stands in the bytes of a read; -1 when none does. */
export function indexOfMarker(bytes: Uint8Array, which: "start" | "end"): number {
  for (let at = bytes.indexOf(0x1b); at >= 0; at = bytes.indexOf(0x1b, at + 1)) {
    const isMarker = END_MARKER.every((byte, index) =>
      bytes[at + index] === (index === 4 && which === "start" ? 0x30 : byte)
    );
    if (isMarker) return at;
  }
  return -1;
}

/** The text of what has been read, in the one form of outside text; invalid UTF-8 is U+FFFD. */
export function pasteText(paste: PasteReader): string {
  if (paste.matched < END_MARKER.length) keepMatched(paste);
  const bytes = new Uint8Array(paste.byteLength);
  let at = 0;
  for (const chunk of paste.chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  const whole = paste.cut ? bytes.subarray(0, characterStart(bytes)) : bytes;
  return cleanText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole));
}

function keepMatched(paste: PasteReader) {
  const matched = paste.matched;
  paste.matched = 0;
  keep(paste, END_MARKER, { start: 0, end: matched });
}

function keep(paste: PasteReader, bytes: Uint8Array, range: { start: number; end: number }) {
  const end = Math.min(range.end, range.start + MAX_PASTE_BYTES - paste.byteLength);
  if (end < range.end) paste.cut = true;
  if (end <= range.start) return;
  // A copy, for the buffer belongs to the reader of the terminal.
  paste.chunks.push(bytes.slice(range.start, end));
  paste.byteLength += end - range.start;
}

/** Where the last character begins if it is not whole, else the length. */
function characterStart(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start >= 0 && bytes.length - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  const first = bytes[start] ?? 0;
  const needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return bytes.length - start < needed ? start : bytes.length;
}
