// Finished control sequences to input: legacy keys, kitty keyboard protocol, modifyOtherKeys, SGR mouse, focus and
// the terminal's answers. Cutting bytes into sequences is key_decoder.ts's work.

import { characterKey, isCharacter, type Key, type Modifiers, namedKey } from "./key.ts";
import type { AnswerName, MouseInput, TerminalInput } from "./terminal_input.ts";

const NOTHING: readonly TerminalInput[] = [];

/** Keys of `CSI 1 ; modifiers X` and SS3 X (xterm, kitty). */
const BY_FINAL: Readonly<Record<string, string>> = {
  A: "Up",
  B: "Down",
  C: "Right",
  D: "Left",
  E: "Begin",
  F: "End",
  H: "Home",
  P: "F1",
  Q: "F2",
  R: "F3",
  S: "F4",
};

/** Keys of `CSI number ; modifiers ~`. */
const BY_NUMBER: Readonly<Record<number, string>> = {
  1: "Home",
  2: "Insert",
  3: "Delete",
  4: "End",
  5: "PgUp",
  6: "PgDn",
  7: "Home",
  8: "End",
  11: "F1",
  12: "F2",
  13: "F3",
  14: "F4",
  15: "F5",
  17: "F6",
  18: "F7",
  19: "F8",
  20: "F9",
  21: "F10",
  23: "F11",
  24: "F12",
  25: "F13",
  26: "F14",
  28: "F15",
  29: "Menu",
  31: "F17",
  32: "F18",
  33: "F19",
  34: "F20",
  57427: "Begin",
};

/** Keys of the application keypad, SS3 X. */
const KEYPAD: Readonly<Record<string, string>> = {
  M: "Enter",
  I: "Tab",
  " ": " ",
  X: "=",
  j: "*",
  k: "+",
  l: ",",
  m: "-",
  n: ".",
  o: "/",
  ...Object.fromEntries([..."pqrstuvwxy"].map((final, digit) => [final, String(digit)])),
};

/** Code points of the kitty protocol that are keys; those from 57344 on that are missing (modifiers, media) are none of ours. */
const KITTY_KEYS: Readonly<Record<number, string>> = {
  9: "Tab",
  13: "Enter",
  27: "Esc",
  127: "Backspace",
  57344: "Esc",
  57345: "Enter",
  57346: "Tab",
  57347: "Backspace",
  57348: "Insert",
  57349: "Delete",
  57350: "Left",
  57351: "Right",
  57352: "Up",
  57353: "Down",
  57354: "PgUp",
  57355: "PgDn",
  57356: "Home",
  57357: "End",
  57363: "Menu",
  ...Object.fromEntries(Array.from({ length: 35 }, (_, index) => [57364 + index, `F${index + 1}`])),
  ...Object.fromEntries([..."0123456789./*-+"].map((sign, index) => [57399 + index, sign])),
  57414: "Enter",
  57415: "=",
  57416: ",",
  57417: "Left",
  57418: "Right",
  57419: "Up",
  57420: "Down",
  57421: "PgUp",
  57422: "PgDn",
  57423: "Home",
  57424: "End",
  57425: "Insert",
  57426: "Delete",
  57427: "Begin",
};

/** Ctrl with these is the same byte as a key on terminals without a keyboard protocol; it is that key everywhere. */
const CTRL_TWINS: Readonly<Record<string, string>> = { i: "Tab", m: "Enter", h: "Backspace", "[": "Esc" };

/** The input of `CSI body final`; several where a key types several code points, none where it is nobody's. */
export function csiInput(body: string, final: string): readonly TerminalInput[] {
  if (/^[?<=>]/u.test(body)) return privateInput(body.charAt(0), body.slice(1), final);
  if (final === "u") return kittyInput(body);
  if (final === "~") return tildeInput(body);
  if (final === "I" && body === "") return [{ kind: "focus", focused: true }];
  if (final === "O" && body === "") return [{ kind: "focus", focused: false }];
  if (final === "Z") {
    return keyInput(namedKey("Tab", { ...modifiersOf(body.split(";")[1]), shift: true }), body.split(";")[1]);
  }
  if (final === "R" && body !== "") return answer("cursor", body);
  if (final === "n") return answer("status", body);
  if (final === "t") return answer("window", body);
  if (body.endsWith("$") && final === "y") return answer("decrpm", body.slice(0, -1));
  if ("^@".includes(final) && /^\d+$/u.test(body)) {
    return numberedKey(Number(body), { ctrl: true, shift: final === "@" }); // rxvt
  }
  if ("abcd".includes(final) && body === "") return keyInput(rxvtArrow(final, { shift: true }));
  const name = BY_FINAL[final];
  if (name === undefined || !/^[\d;:]*$/u.test(body)) return NOTHING;
  return keyInput(namedKey(name, modifiersOf(body.split(";")[1])), body.split(";")[1]);
}

/** The input of `SS3 body final`; null when the terminal has no such key, so that the bytes were typed. */
export function ss3Input(body: string, final: string): readonly TerminalInput[] | null {
  const modifiers = modifiersOf(body.split(";").at(-1));
  const name = BY_FINAL[final];
  if (name !== undefined) return keyInput(namedKey(name, modifiers));
  if ("abcd".includes(final) && body === "") return keyInput(rxvtArrow(final, { ctrl: true }));
  const keypad = KEYPAD[final];
  if (keypad === undefined) return null;
  return keyInput(keypad.length === 1 ? characterKey(keypad, modifiers) : namedKey(keypad, modifiers));
}

/** The input of `CSI [ final`: F1 to F5 of the Linux console. */
export function consoleInput(final: string): readonly TerminalInput[] {
  const index = "ABCDE".indexOf(final);
  return index < 0 ? NOTHING : keyInput(namedKey(`F${index + 1}`));
}

/** The key of rxvt's `CSI number $`, which is no sequence of the standard: Shift. */
export function rxvtShiftInput(body: string): readonly TerminalInput[] {
  return numberedKey(Number(body), { shift: true });
}

/** The input of a control string: the answers to queries. */
export function stringInput(kind: "dcs" | "osc" | "apc" | "other", body: string): readonly TerminalInput[] {
  if (kind !== "dcs") return answer(kind, body);
  if (body.startsWith(">|")) return answer("xtversion", body.slice(2));
  if (body.startsWith("!|")) return answer("da3", body.slice(2));
  if (/^[01]\$r/u.test(body)) return answer("decrqss", body);
  return answer("dcs", body);
}

/** The key of a control byte below 0x20 or 0x7f. */
export function controlKey(byte: number, alt: boolean): Key {
  switch (byte) {
    case 0x00:
      return namedKey("Space", { ctrl: true, alt });
    case 0x09:
      return namedKey("Tab", { alt });
    case 0x0d:
      return namedKey("Enter", { alt });
    case 0x1b:
      return namedKey("Esc", { alt });
    case 0x08:
    case 0x7f:
      return namedKey("Backspace", { alt });
  }
  // 0x01 is Ctrl-A, 0x1c is Ctrl-\ and so on: the character 64 places further on.
  return characterKey(String.fromCharCode(byte + 0x40).toLowerCase(), { ctrl: true, alt });
}

/** `CSI ? ... c` and its like: answers, and the mouse. */
function privateInput(mark: string, body: string, final: string): readonly TerminalInput[] {
  if (mark === "<" && (final === "M" || final === "m")) return mouseInput(body, final === "m");
  if (mark === "?" && final === "c") return answer("da1", body);
  if (mark === ">" && final === "c") return answer("da2", body);
  if (mark === "?" && final === "u") return answer("kitty", body);
  if (mark === "?" && final === "y" && body.endsWith("$")) return answer("decrpm", body.slice(0, -1));
  if (mark === "?" && final === "n") return answer("status", body);
  if (mark === "?" && final === "R") return answer("cursor", body);
  if (mark === ">" && final === "m") return answer("modify_other_keys", body);
  return answer("other", mark + body + final);
}

/** kitty keyboard protocol: `CSI code:shifted:base ; modifiers:event ; text u`. */
function kittyInput(body: string): readonly TerminalInput[] {
  const [codes = "", held, texts = ""] = body.split(";");
  const [code = 0, shiftedCode, baseCode] = codes.split(":").map((part) =>
    part === "" ? undefined : Number(part)
  );
  const modifiers = modifiersOf(held);
  if (isRelease(held) || isForeign(held)) return NOTHING;
  const text = texts === "" ? [] : texts.split(":").map((part) => characterOf(Number(part)));
  const known = KITTY_KEYS[code];
  if (known !== undefined && known.length > 1) return keyInput(namedKey(known, modifiers));
  const character = known ?? characterOf(code);
  const shifted = shiftedCode === undefined ? "" : characterOf(shiftedCode);
  if (text.length > 0 && text.every((part) => part !== "")) {
    if (typesText(text, character, shifted, modifiers)) return typed(text);
  }
  if (character === "" || code >= 57344 && code <= 63743 && known === undefined) return NOTHING;
  return keyInput(heldCharacter(character, modifiers, { shifted, base: characterOf(baseCode ?? 0), held }));
}

/** Whether a press that carries text types it: always without Ctrl and Alt; with Alt when the key alone would not give it (AltGr, Option). */
function typesText(
  text: readonly string[],
  character: string,
  shifted: string,
  modifiers: Modifiers,
): boolean {
  if (modifiers.alt !== true) return modifiers.ctrl !== true;
  const own = [character, shifted, character.toUpperCase(), character.toLowerCase()];
  return text.length > 1 || !own.includes(text[0] ?? "");
}

function heldCharacter(
  character: string,
  modifiers: Modifiers,
  more: { shifted?: string; base?: string; held?: string | undefined },
): Key {
  const isChord = modifiers.ctrl === true || modifiers.alt === true;
  if (!isChord) {
    // Caps Lock turns the case of letters around, and of nothing else.
    const capsLock = (modifierBits(more.held) & 64) !== 0 &&
      character.toUpperCase() !== character.toLowerCase();
    if (!capsLock) return characterKey(character, modifiers, more.shifted || undefined);
    return characterKey(character, { shift: modifiers.shift !== true });
  }
  // On a keyboard of another script a chord is meant by the key's place, as a US keyboard names it.
  const isAscii = character.charCodeAt(0) < 0x80;
  const name = !isAscii && more.base !== undefined && more.base !== "" ? more.base : character;
  const twin = modifiers.ctrl === true && modifiers.shift !== true ? CTRL_TWINS[name] : undefined;
  if (twin !== undefined) return namedKey(twin, { alt: modifiers.alt === true });
  return characterKey(name, modifiers, isAscii ? more.shifted || undefined : undefined);
}

/** `CSI number ; modifiers ~`, and xterm's modifyOtherKeys `CSI 27 ; modifiers ; code ~`. */
function tildeInput(body: string): readonly TerminalInput[] {
  const [number = "", held, code] = body.split(";");
  if (number === "27" && code !== undefined) {
    if (isForeign(held)) return NOTHING;
    const modifiers = modifiersOf(held);
    const known = KITTY_KEYS[Number(code)];
    if (known !== undefined && known.length > 1) return keyInput(namedKey(known, modifiers));
    const character = characterOf(Number(code));
    return character === "" ? NOTHING : keyInput(heldCharacter(character, modifiers, {}));
  }
  return isRelease(held) || isForeign(held) ? NOTHING : numberedKey(Number(number), modifiersOf(held));
}

function numberedKey(number: number, modifiers: Modifiers): readonly TerminalInput[] {
  const name = BY_NUMBER[number];
  return name === undefined ? NOTHING : keyInput(namedKey(name, modifiers));
}

/** SGR mouse (1006): `CSI < button ; column ; row M` or m. Motion without a button and sideways wheels are left out. */
function mouseInput(body: string, released: boolean): readonly TerminalInput[] {
  const match = /^(\d{1,4});(\d{1,6});(\d{1,6})$/u.exec(body);
  if (match === null) return NOTHING;
  const bits = Number(match[1]);
  const column = Number(match[2]) - 1;
  const row = Number(match[3]) - 1;
  if (column < 0 || row < 0) return NOTHING;
  const low = bits & 3;
  const held = { shift: (bits & 4) !== 0, alt: (bits & 8) !== 0, ctrl: (bits & 16) !== 0 };
  const at = (action: MouseInput["action"], button: number): readonly TerminalInput[] => [
    { kind: "mouse", action, row, column, button, ...held },
  ];
  if ((bits & 64) !== 0) {
    if (released || low > 1 || (bits & 32) !== 0) return NOTHING;
    return at(low === 0 ? "wheel_up" : "wheel_down", low);
  }
  const button = (bits & 128) !== 0 ? 8 + low : low;
  if ((bits & 32) !== 0) return button === 3 ? NOTHING : at("drag", button);
  return at(released ? "release" : "press", button);
}

function keyInput(key: Key, held?: string): readonly TerminalInput[] {
  return isRelease(held) || isForeign(held) ? NOTHING : [{ kind: "key", key }];
}

function typed(text: readonly string[]): readonly TerminalInput[] {
  return text.map((character) => ({ kind: "key", key: characterKey(character) }));
}

function answer(name: AnswerName, params: string): readonly TerminalInput[] {
  return [{ kind: "answer", name, params }];
}

function rxvtArrow(final: string, modifiers: Modifiers): Key {
  return namedKey(BY_FINAL[final.toUpperCase()] ?? "Up", modifiers);
}

/** A character from its code point; "" when that is none. */
function characterOf(code: number): string {
  if (!Number.isInteger(code) || code < 0x20 || code > 0x10ffff) return "";
  const character = String.fromCodePoint(code);
  return isCharacter(character) ? character : "";
}

function modifierBits(held: string | undefined): number {
  const value = Number((held ?? "").split(":")[0]);
  return Number.isInteger(value) && value > 1 && value < 512 ? value - 1 : 0;
}

function modifiersOf(held: string | undefined): Required<Modifiers> {
  const bits = modifierBits(held);
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0, ctrl: (bits & 4) !== 0 };
}

/** Super, Hyper or Meta is held: a key of the desktop's, nothing typed. */
function isForeign(held: string | undefined): boolean {
  return (modifierBits(held) & (8 | 16 | 32)) !== 0;
}

function isRelease(held: string | undefined): boolean {
  return (held ?? "").split(":")[1] === "3";
}
