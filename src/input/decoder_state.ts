// What the key decoder remembers between reads, and the small changes of it that its parts share.

import type { Key } from "./key.ts";
import { createPasteReader, type PasteReader, pasteText } from "./paste_reader.ts";
import type { TerminalInput } from "./terminal_input.ts";
import { createUtf8Reader, type Utf8Reader } from "./utf8_reader.ts";

/** Where in a sequence the decoder stands. */
export type DecoderState =
  | "ground"
  | "escape" // ESC
  | "two_escapes" // ESC ESC: Esc twice, or Alt and a sequence
  | "csi" // ESC [ body
  | "ss3" // ESC O body
  | "console" // ESC [ [ of the Linux console
  | "swallow" // bytes of an X10 mouse report
  | "string" // ESC P, ], _, ^ or X, up to ST
  | "string_escape" // an ESC in a string: the first byte of ST, if "\" follows
  | "paste";

/** The decoder's memory. Made by `createDecoder`; only the decoder writes to it. */
export interface Decoder {
  readonly escapeMs: number;
  state: DecoderState;
  /** When the last byte came; null before the first. */
  lastMs: number | null;
  /** The sequence began with two ESC: Alt is held, if it turns out to be a key. */
  alt: boolean;
  /** The ESC in front has been given out as the Esc key already; what was held behind it may still turn out typed. */
  resumed: boolean;
  /** What has come of a control sequence or string, a byte a character. */
  body: string;
  /** The character behind the ESC of a sequence or string. */
  introducer: string;
  /** Bytes still to be swallowed. */
  swallow: number;
  readonly utf8: Utf8Reader;
  /** The character being read came behind an ESC. */
  utf8Alt: boolean;
  paste: PasteReader;
  /** An ESC came alone into a silent paste: it ends it unless the end marker goes on. */
  pasteEscape: boolean;
  /** A paste ended without its marker, so what comes next may be its rest. */
  mayResumePaste: boolean;
  /** Bracketed paste was seen or the terminal said it knows it: then CR is Enter wherever it stands in a read. */
  hasBracketedPaste: boolean;
  /** Until when answers to queries are awaited; null when none is. */
  answersUntilMs: number | null;
  /** What was behind an ESC when it was given up for its age: what follows at once in one read still belongs to it. */
  givenUp: { readonly prefix: string; readonly ms: number } | null;
}

/** A decoder that has read nothing. `escapeMs`: how long an ESC may stand alone before it is the Esc key. */
export function createDecoder(options: { readonly escapeMs: number }): Decoder {
  return {
    escapeMs: options.escapeMs,
    state: "ground",
    lastMs: null,
    alt: false,
    resumed: false,
    body: "",
    introducer: "",
    swallow: 0,
    utf8: createUtf8Reader(),
    utf8Alt: false,
    paste: createPasteReader(),
    pasteEscape: false,
    mayResumePaste: false,
    hasBracketedPaste: false,
    answersUntilMs: null,
    givenUp: null,
  };
}

/** Leaves whatever sequence had begun; nothing of it is typed. */
export function toGround(decoder: Decoder): void {
  decoder.state = "ground";
  decoder.alt = false;
  decoder.resumed = false;
  decoder.body = "";
  decoder.swallow = 0;
}

/** Begins a sequence in `state`. */
export function enter(decoder: Decoder, state: DecoderState): void {
  decoder.state = state;
  decoder.body = "";
}

/** Begins to read a paste. */
export function enterPaste(decoder: Decoder): void {
  toGround(decoder);
  decoder.state = "paste";
  decoder.paste = createPasteReader();
  decoder.pasteEscape = false;
  decoder.mayResumePaste = false;
}

/** Ends the paste being read and puts it out unless it is empty. */
export function endPaste(
  decoder: Decoder,
  endedBy: "marker" | "silence" | "key",
  out: TerminalInput[],
): void {
  const { paste } = decoder;
  const text = pasteText(paste);
  toGround(decoder);
  decoder.paste = createPasteReader();
  decoder.pasteEscape = false;
  decoder.mayResumePaste = endedBy !== "marker";
  if (text !== "") out.push({ kind: "paste", text, cut: paste.cut, endedBy });
}

/** A key as input. */
export function keyInput(key: Key): TerminalInput {
  return { kind: "key", key };
}
