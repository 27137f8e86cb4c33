// Bytes from the terminal to keys, pastes, mouse, focus and answers. All state is kept between reads, so that they may
// be cut anywhere. This file decides what time decides; what bytes mean is decoder_steps.ts and csi_input.ts.

import { isRest, mayGoOn } from "./decoder_resume.ts";
import {
  createDecoder,
  type Decoder,
  endPaste,
  enter,
  enterPaste,
  keyInput,
  toGround,
} from "./decoder_state.ts";
import { finishString, giveOutIntroducer, STEPS } from "./decoder_steps.ts";
import { namedKey } from "./key.ts";
import { indexOfMarker, readPaste } from "./paste_reader.ts";
import type { TerminalInput } from "./terminal_input.ts";

export { createDecoder, type Decoder, type TerminalInput };

const ESC = 0x1b;
/** Silence after which a paste without end marker is over. */
const PASTE_SILENCE_MS = 1000;
/** Silence after which ESC or Ctrl-C alone ends such a paste. */
const PASTE_KEY_MS = 200;
/** Silence after which an unfinished `ESC [` was Alt-[, and a string's last ESC its end. */
const UNFINISHED_MS = 1000;
/** How long a rest may come after what it belongs to was given up. */
const REST_MS = 2000;
/** Silence after which a single sign is a person's and not the rest of an answer. */
const STALE_MS = 5000;
/** How long answers to a query are awaited. */
const ANSWER_MS = 5000;
/** A read this long is no typing: after a paste that lost its end marker it is more of that paste. */
const TYPED_READ = 32;

/**
 * Says that queries, with DA1 behind them as a fence, have just been sent. Until DA1 is answered, for 5 s at most,
 * the pieces of an answer are waited for however far apart they come.
 */
export function expectAnswers(decoder: Decoder, nowMs: number): void {
  decoder.answersUntilMs = nowMs + ANSWER_MS;
}

/** What the bytes of one read mean. `nowMs` is when they were read, on any clock that does not go back. */
export function decode(decoder: Decoder, bytes: Uint8Array, nowMs: number): TerminalInput[] {
  const out = tick(decoder, nowMs);
  if (bytes.length === 0) return out;
  const silenceMs = decoder.lastMs === null ? Infinity : nowMs - decoder.lastMs;
  decoder.lastMs = nowMs;
  if (decoder.state === "paste") {
    if (silenceMs >= PASTE_KEY_MS && endsByKey(decoder, bytes, out)) return out;
  } else {
    if (silenceMs > STALE_MS && isOneSign(bytes)) toGround(decoder);
    if (silenceMs >= decoder.escapeMs) giveOutTyped(decoder, bytes, out);
    if (decoder.state === "ground") resume(decoder, bytes, nowMs);
  }
  for (let at = 0; at < bytes.length;) at = STEPS[decoder.state](decoder, bytes, at, out);
  return out;
}

/** What has become certain by the passing of time alone. */
export function tick(decoder: Decoder, nowMs: number): TerminalInput[] {
  const out: TerminalInput[] = [];
  const deadline = nextDeadline(decoder);
  if (deadline === null || nowMs < deadline) return out;
  const { state, introducer, paste } = decoder;
  switch (state) {
    case "escape":
      giveUp(decoder, "", nowMs);
      out.push(keyInput(namedKey("Esc")));
      break;
    case "two_escapes":
      giveUp(decoder, "", nowMs);
      out.push(keyInput(namedKey("Esc")), keyInput(namedKey("Esc")));
      break;
    case "csi":
    case "ss3":
    case "string":
      if (decoder.body === "") {
        giveOutIntroducer(decoder, out);
        giveUp(decoder, introducer, nowMs);
      }
      break;
    case "string_escape":
      finishString(decoder, out);
      giveUp(decoder, "\\", nowMs);
      break;
    case "paste": {
      // What has come of the end marker is no text, whenever the rest comes.
      const marker = "[201".slice(0, Math.max(0, paste.matched - 1));
      const hasMarker = paste.matched > 0;
      paste.matched = 0;
      endPaste(decoder, decoder.pasteEscape ? "key" : "silence", out);
      if (hasMarker) giveUp(decoder, marker, nowMs);
      break;
    }
    case "ground":
    case "console":
    case "swallow":
      break;
  }
  return out;
}

/** When `tick` will have something to say if no byte comes before; null when never. */
export function nextDeadline(decoder: Decoder): number | null {
  const { lastMs, answersUntilMs, escapeMs } = decoder;
  if (lastMs === null) return null;
  switch (decoder.state) {
    case "escape":
    case "two_escapes":
      return lastMs + escapeMs;
    case "ss3":
      return decoder.body === "" ? lastMs + escapeMs : null;
    case "csi":
      return decoder.body === "" ? Math.max(lastMs + UNFINISHED_MS, answersUntilMs ?? 0) : null;
    case "string":
      return decoder.body === "" ? Math.max(lastMs + escapeMs, answersUntilMs ?? 0) : null;
    case "string_escape":
      return lastMs + UNFINISHED_MS;
    case "paste":
      return lastMs + (decoder.pasteEscape ? escapeMs : PASTE_SILENCE_MS);
    case "ground":
    case "console":
    case "swallow":
      return null;
  }
}

function giveUp(decoder: Decoder, prefix: string, nowMs: number) {
  toGround(decoder);
  decoder.givenUp = { prefix, ms: nowMs };
}

/** Gives out what was held as the beginning of a sequence when these late bytes cannot be its rest: it was typed. */
function giveOutTyped(decoder: Decoder, bytes: Uint8Array, out: TerminalInput[]) {
  const { state, body, introducer } = decoder;
  if (body !== "" || (state !== "csi" && state !== "string")) return;
  if (mayGoOn(introducer, latin1(bytes, 1))) return;
  giveOutIntroducer(decoder, out);
  toGround(decoder);
}

/** Goes back into what was given up or lost its end, when these bytes are the rest of it. */
function resume(decoder: Decoder, bytes: Uint8Array, nowMs: number) {
  const { givenUp } = decoder;
  decoder.givenUp = null;
  if (decoder.answersUntilMs !== null && nowMs > decoder.answersUntilMs) decoder.answersUntilMs = null;
  const awaited = decoder.answersUntilMs !== null;
  if (givenUp !== null && (awaited || nowMs - givenUp.ms <= REST_MS)) {
    const { prefix } = givenUp;
    if (isRest(prefix, latin1(bytes, 64), awaited)) {
      reenter(decoder, prefix);
      return;
    }
  }
  if (!decoder.mayResumePaste || !isMoreOfPaste(bytes)) return;
  // Half a character before it was the paste's as well: it must not take what is typed behind for its other half.
  decoder.utf8.missing = 0;
  enterPaste(decoder);
}

/** Stands where the decoder stood behind `ESC prefix`. */
function reenter(decoder: Decoder, prefix: string) {
  if (prefix === "\\") {
    enter(decoder, "swallow");
    decoder.swallow = 1;
  } else if (prefix.startsWith("[")) {
    enter(decoder, "csi");
    decoder.introducer = "[";
    decoder.body = prefix.slice(1);
  } else if (prefix === "") {
    enter(decoder, "escape");
  } else {
    enter(decoder, "string");
    decoder.introducer = prefix;
  }
  decoder.resumed = true;
}

/** Whether a read after a paste without end marker goes on with it: it holds the marker, or is too long to be typed. */
function isMoreOfPaste(bytes: Uint8Array): boolean {
  if (bytes.length === 1) return false;
  const end = indexOfMarker(bytes, "end");
  const start = indexOfMarker(bytes, "start");
  if (end >= 0) return start < 0 || end < start;
  return start < 0 && bytes.length > TYPED_READ && bytes[0] !== ESC;
}

/** A key alone in a read that ends a silent paste: ESC or 0x03, in the kitty protocol's form too. The key does nothing else. */
function endsByKey(decoder: Decoder, bytes: Uint8Array, out: TerminalInput[]): boolean {
  if (decoder.paste.matched > 0 && bytes[0] !== ESC) return false;
  if (bytes.length === 1 && bytes[0] === ESC) {
    // Perhaps the first byte of the end marker: the next ones or the next silence tell.
    readPaste(decoder.paste, bytes, 0);
    decoder.pasteEscape = true;
    return true;
  }
  const isKey = bytes.length === 1
    ? bytes[0] === 0x03
    // deno-lint-ignore no-control-regex
    : bytes.length < 24 && /^\x1b\[(?:27(?:;1?(?::1)?)?|99(?::\d*)*;5(?::1)?)u$/u.test(latin1(bytes, 24));
  if (isKey) endPaste(decoder, "key", out);
  return isKey;
}

/** Whether a read is one character or control, as a person's key is without a keyboard protocol. */
function isOneSign(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return bytes.length === length;
}

function latin1(bytes: Uint8Array, limit: number): string {
  let text = "";
  const end = Math.min(bytes.length, limit);
  for (let at = 0; at < end; at++) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}
