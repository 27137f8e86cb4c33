// One step of the key decoder for each of its states: takes bytes, puts out input, says where to go on reading.

import { consoleInput, controlKey, csiInput, rxvtShiftInput, ss3Input, stringInput } from "./csi_input.ts";
import {
  type Decoder,
  type DecoderState,
  endPaste,
  enter,
  enterPaste,
  keyInput,
  toGround,
} from "./decoder_state.ts";
import { characterKey, isCharacter, namedKey } from "./key.ts";
import { readPaste } from "./paste_reader.ts";
import type { TerminalInput } from "./terminal_input.ts";
import { readUtf8 } from "./utf8_reader.ts";

/** Takes the byte at `at` and maybe more; returns the index to go on from, which is `at` when the byte is to be seen again. */
type Step = (decoder: Decoder, bytes: Uint8Array, at: number, out: TerminalInput[]) => number;

const ESC = 0x1b;
const BEL = 0x07;
const CR = 0x0d;
const LF = 0x0a;
const TAB = 0x09;
const CTRL_C = 0x03;

/** More than any answer asked for; what is longer is swallowed without being kept. */
const MAX_BODY = 8192;

/** Characters behind ESC that begin a string, and what kind of string. */
const STRINGS: Readonly<Record<string, "dcs" | "osc" | "apc" | "other">> = {
  P: "dcs",
  "]": "osc",
  _: "apc",
  "^": "other",
  X: "other",
};

/** The step of each state. */
export const STEPS: Readonly<Record<DecoderState, Step>> = {
  ground: stepGround,
  escape: stepEscape,
  two_escapes: stepEscape,
  csi: stepCsi,
  ss3: stepSs3,
  console: stepConsole,
  swallow: stepSwallow,
  string: stepString,
  string_escape: stepStringEscape,
  paste: stepPaste,
};

/** Puts out what was held of a sequence that turned out to be typed: Alt and its character, or the character. */
export function giveOutIntroducer(decoder: Decoder, out: TerminalInput[]): void {
  if (decoder.alt) out.push(keyInput(namedKey("Esc")));
  out.push(keyInput(characterKey(decoder.introducer, { alt: !decoder.resumed })));
}

function stepGround(decoder: Decoder, bytes: Uint8Array, at: number, out: TerminalInput[]): number {
  const byte = bytes[at] ?? 0;
  if (decoder.utf8.missing > 0 || byte >= 0x80) return stepUtf8(decoder, byte, at, out);
  if (byte === ESC) {
    enter(decoder, "escape");
    return at + 1;
  }
  if (byte === CR && !decoder.hasBracketedPaste) return stepReturn(bytes, at, out);
  out.push(
    keyInput(
      byte < 0x20 || byte === 0x7f ? controlKey(byte, false) : characterKey(String.fromCharCode(byte)),
    ),
  );
  return at + 1;
}

/**
 * CR where the terminal may not know bracketed paste: with more text behind it in the same read it is a line end of
 * something pasted, at the end of the read it is Enter. CR LF is one.
 */
function stepReturn(bytes: Uint8Array, at: number, out: TerminalInput[]): number {
  const next = bytes[at + 1] === LF ? at + 2 : at + 1;
  const byte = bytes[next] ?? 0;
  const isText = next < bytes.length &&
    (byte >= 0x20 && byte !== 0x7f || byte === CR || byte === LF || byte === TAB);
  out.push(keyInput(isText ? characterKey("j", { ctrl: true }) : namedKey("Enter")));
  return next;
}

function stepUtf8(decoder: Decoder, byte: number, at: number, out: TerminalInput[]): number {
  const wasPending = decoder.utf8.missing > 0;
  const read = readUtf8(decoder.utf8, byte);
  if (read === "more") return at + 1;
  const alt = decoder.utf8Alt;
  decoder.utf8Alt = false;
  if (read === "refused") return wasPending ? at : at + 1;
  // The 8-bit forms of ESC [ and its like; nobody types them.
  if (read < 0xa0) {
    beginSequence(decoder, String.fromCharCode(read - 0x40), out);
    return at + 1;
  }
  const character = String.fromCodePoint(read);
  if (isCharacter(character)) out.push(keyInput(characterKey(character, { alt })));
  return at + 1;
}

/** Begins what `ESC character` begins; false when that is no sequence. */
function beginSequence(decoder: Decoder, character: string, out: TerminalInput[]): boolean {
  if (character === "[" || character === "O") {
    enter(decoder, character === "[" ? "csi" : "ss3");
    decoder.introducer = character;
    return true;
  }
  if (STRINGS[character] === undefined) return false;
  // No string is a key, so the first of two ESC was one.
  if (decoder.alt) out.push(keyInput(namedKey("Esc")));
  decoder.alt = false;
  enter(decoder, "string");
  decoder.introducer = character;
  return true;
}

function stepEscape(decoder: Decoder, bytes: Uint8Array, at: number, out: TerminalInput[]): number {
  const byte = bytes[at] ?? 0;
  if (byte === ESC) {
    if (decoder.state === "two_escapes") out.push(keyInput(namedKey("Esc")));
    decoder.state = "two_escapes";
    return at + 1;
  }
  const character = String.fromCharCode(byte);
  decoder.alt = decoder.state === "two_escapes";
  if (beginSequence(decoder, character, out)) return at + 1;
  if (decoder.alt) out.push(keyInput(namedKey("Esc")));
  toGround(decoder);
  if (byte >= 0x80) {
    decoder.utf8Alt = true;
    return at;
  }
  const isControl = byte < 0x20 || byte === 0x7f;
  out.push(keyInput(isControl ? controlKey(byte, true) : characterKey(character, { alt: true })));
  return at + 1;
}

function stepCsi(decoder: Decoder, bytes: Uint8Array, at: number, out: TerminalInput[]): number {
  const byte = bytes[at] ?? 0;
  const { body } = decoder;
  if (byte < 0x20 || byte >= 0x7f) {
    toGround(decoder);
    return at;
  }
  const character = String.fromCharCode(byte);
  if (character === "$" && /^\d{1,2}$/u.test(body)) {
    finish(decoder, rxvtShiftInput(body), out);
    return at + 1;
  }
  if (byte < 0x40) {
    if (body.length < MAX_BODY) decoder.body += character;
    return at + 1;
  }
  if (body === "" && character === "[") {
    enter(decoder, "console");
  } else if (body === "" && character === "M") {
    enter(decoder, "swallow");
    decoder.swallow = 3;
  } else if (body === "200" && character === "~") {
    if (decoder.alt) out.push(keyInput(namedKey("Esc")));
    enterPaste(decoder);
    decoder.hasBracketedPaste = true;
  } else {
    if (body === "201") decoder.mayResumePaste = false;
    finish(decoder, csiInput(body, character), out);
  }
  return at + 1;
}

function stepSs3(decoder: Decoder, bytes: Uint8Array, at: number, out: TerminalInput[]): number {
  const byte = bytes[at] ?? 0;
  const character = String.fromCharCode(byte);
  if (/[\d;]/u.test(character) && decoder.body.length < 8) {
    decoder.body += character;
    return at + 1;
  }
  const inputs = byte >= 0x20 && byte < 0x7f ? ss3Input(decoder.body, character) : null;
  if (inputs !== null) {
    finish(decoder, inputs, out);
    return at + 1;
  }
  if (decoder.body === "") giveOutIntroducer(decoder, out);
  toGround(decoder);
  return at;
}

function stepConsole(decoder: Decoder, bytes: Uint8Array, at: number, out: TerminalInput[]): number {
  const byte = bytes[at] ?? 0;
  if (byte < 0x20 || byte >= 0x7f) {
    toGround(decoder);
    return at;
  }
  finish(decoder, consoleInput(String.fromCharCode(byte)), out);
  return at + 1;
}

function stepSwallow(decoder: Decoder, bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  // A report holds no control but 0, which stands for a column too far right to be told.
  if (byte > 0 && byte < 0x20) {
    toGround(decoder);
    return at;
  }
  if (--decoder.swallow === 0) toGround(decoder);
  return at + 1;
}

function stepString(decoder: Decoder, bytes: Uint8Array, at: number, out: TerminalInput[]): number {
  const byte = bytes[at] ?? 0;
  if (byte === ESC) {
    decoder.state = "string_escape";
  } else if (byte === BEL && decoder.introducer === "]") {
    finishString(decoder, out);
  } else if (byte === CR || byte === CTRL_C || byte === 0x18 || byte === 0x1a) {
    // No answer holds these: a person wants out.
    toGround(decoder);
    return byte === CR || byte === CTRL_C ? at : at + 1;
  } else if (byte >= 0x20 && decoder.body.length < MAX_BODY) {
    decoder.body += String.fromCharCode(byte);
  }
  return at + 1;
}

function stepStringEscape(decoder: Decoder, bytes: Uint8Array, at: number, out: TerminalInput[]): number {
  if (bytes[at] === 0x5c) {
    finishString(decoder, out);
    return at + 1;
  }
  // A new sequence, and the string was never ended.
  toGround(decoder);
  decoder.state = "escape";
  return at;
}

function stepPaste(decoder: Decoder, bytes: Uint8Array, at: number, out: TerminalInput[]): number {
  decoder.pasteEscape = false;
  const end = readPaste(decoder.paste, bytes, at);
  if (end < 0) return bytes.length;
  endPaste(decoder, "marker", out);
  return end;
}

/** Ends the string being read and puts out what it says. */
export function finishString(decoder: Decoder, out: TerminalInput[]): void {
  const body = new TextDecoder().decode(Uint8Array.from(decoder.body, (sign) => sign.charCodeAt(0)));
  finish(decoder, stringInput(STRINGS[decoder.introducer] ?? "other", body), out);
}

/** Ends a sequence with its input; two ESC in front of it are Alt if it is a key, else the first was Esc. */
function finish(decoder: Decoder, inputs: readonly TerminalInput[], out: TerminalInput[]) {
  const { alt } = decoder;
  toGround(decoder);
  if (alt && !inputs.some((input) => input.kind === "key")) out.push(keyInput(namedKey("Esc")));
  for (const input of inputs) {
    if (input.kind === "key" && alt && input.key.text === undefined) {
      out.push(keyInput({ ...input.key, alt: true }));
      continue;
    }
    if (input.kind === "answer") noteAnswer(decoder, input.name, input.params);
    out.push(input);
  }
}

function noteAnswer(decoder: Decoder, name: string, params: string) {
  if (name === "da1") decoder.answersUntilMs = null;
  // 1 set, 2 reset, 3 always set: the terminal knows bracketed paste (DECRPM).
  if (name === "decrpm" && /^2004;[123]$/u.test(params)) decoder.hasBracketedPaste = true;
}
