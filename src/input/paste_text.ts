// The one form of pasted and other outside text that goes into a draft or is sent.

/** How many bytes of a paste are kept. */
export const MAX_PASTE_BYTES = 16 * 1024 * 1024;

// deno-lint-ignore no-control-regex
const DROPPED = /[\x00-\x08\x0b-\x1f]/gu;
// deno-lint-ignore no-control-regex
const UNCLEAN = /[\x00-\x08\x0b-\x1f\ud800-\udfff]/u;

/**
 * `text` with LF line ends (CRLF and CR are one each), without ESC and C0 other than LF and TAB, and with U+FFFD for
 * halves of surrogate pairs, so that it is valid Unicode. Nothing is trimmed.
 */
export function cleanText(text: string): string {
  if (!UNCLEAN.test(text)) return text;
  return text.replace(/\r\n?/gu, "\n").replace(DROPPED, "").toWellFormed();
}
