// A key press and its text form ("<C-o>", "<S-Enter>", "a"), both ways.
// Scripts with pastes and waits are in key_script.ts; what bytes a key is made of is key_decoder.ts's business.

/**
 * One key press. `name` is the character itself or a name of `KEY_NAMES`. `text` is what the key types and is there
 * exactly when it types something: one code point, with neither Ctrl nor Alt. Shift is false where the character
 * already says it ("A", "?"); with Ctrl or Alt a letter is named in lower case and Shift kept.
 */
export interface Key {
  readonly name: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly text?: string;
}

/** What may be held together with a key. */
export interface Modifiers {
  readonly ctrl?: boolean;
  readonly alt?: boolean;
  readonly shift?: boolean;
}

const FUNCTION_KEYS = Array.from({ length: 35 }, (_, index) => `F${index + 1}`);

/** The names of all keys that are no character, in the order of help. */
export const KEY_NAMES: readonly string[] = [
  "Enter",
  "Tab",
  "Backspace",
  "Esc",
  "Space",
  "Up",
  "Down",
  "Left",
  "Right",
  "Home",
  "End",
  "PgUp",
  "PgDn",
  "Insert",
  "Delete",
  "Begin",
  "Menu",
  ...FUNCTION_KEYS,
];

const BY_LOWER_NAME = new Map<string, string>([
  ...KEY_NAMES.map((name) => [name.toLowerCase(), name] as const),
  ["escape", "Esc"],
  ["return", "Enter"],
  ["cr", "Enter"],
  ["bs", "Backspace"],
  ["del", "Delete"],
  ["ins", "Insert"],
  ["pageup", "PgUp"],
  ["pagedown", "PgDn"],
]);

/** Characters that stand for something else in the text form, and their names. */
const CHARACTER_NAMES: Readonly<Record<string, string>> = { "<": "lt", ">": "gt" };
const CHARACTERS: Readonly<Record<string, string>> = { lt: "<", gt: ">" };

/** What Shift makes of a character on a US keyboard, for terminals that tell the key but not the character. */
const US_SHIFTED = new Map<string, string>(
  [..."`~1!2@3#4$5%6^7&8*9(0)-_=+[{]}\\|;:'\",<.>/?"].reduce<[string, string][]>(
    (pairs, sign, index, all) => {
      if (index % 2 === 0) pairs.push([sign, all[index + 1] ?? sign]);
      return pairs;
    },
    [],
  ),
);

/** A key that is no character, by its name of `KEY_NAMES`. */
export function namedKey(name: string, modifiers: Modifiers = {}): Key {
  const { ctrl = false, alt = false, shift = false } = modifiers;
  if (name === "Space" && !ctrl && !alt) return { name, ctrl, alt, shift: false, text: " " };
  return { name, ctrl, alt, shift };
}

/**
 * A key that is a character (one code point), in its one form: the shifted character instead of Shift where it is
 * known (`shifted`, else the US keyboard), a lower-case letter and Shift with Ctrl or Alt.
 */
export function characterKey(character: string, modifiers: Modifiers = {}, shifted?: string): Key {
  if (character === " ") return namedKey("Space", modifiers);
  const { ctrl = false, alt = false, shift = false } = modifiers;
  const lower = lowerLetter(character);
  if (!ctrl && !alt) {
    const text = shift ? shifted ?? shiftedCharacter(character) : character;
    return { name: text, ctrl, alt, shift: false, text };
  }
  if (lower !== null) return { name: lower, ctrl, alt, shift: shift || lower !== character };
  return { name: shift ? shifted ?? shiftedCharacter(character) : character, ctrl, alt, shift: false };
}

/** The text form: a character as itself, all else between angle brackets. */
export function formatKey(key: Key): string {
  const modifiers = (key.ctrl ? "C-" : "") + (key.alt ? "A-" : "") + (key.shift ? "S-" : "");
  const name = CHARACTER_NAMES[key.name] ?? key.name;
  return modifiers === "" && name === key.name && isCharacter(name) ? name : `<${modifiers}${name}>`;
}

/** One key from what stands between the brackets ("C-o", "S-Enter", "lt"); null when it is none. */
export function parseKeyName(text: string): Key | null {
  const match = /^((?:[CASM]-)*)(.+)$/su.exec(text);
  if (match === null) return null;
  const held = match[1] ?? "";
  const name = match[2] ?? "";
  const modifiers = {
    ctrl: held.includes("C"),
    alt: held.includes("A") || held.includes("M"),
    shift: held.includes("S"),
  };
  const character = CHARACTERS[name.toLowerCase()] ?? name;
  if (isCharacter(character)) return characterKey(character, modifiers);
  const known = BY_LOWER_NAME.get(name.toLowerCase());
  return known === undefined ? null : namedKey(known, modifiers);
}

/** Keys as text; `parseKeys` gives them back. */
export function formatKeys(keys: readonly Key[]): string {
  return keys.map(formatKey).join("");
}

/**
 * The keys of a literal such as `ab<Left><C-x><C-e>`: a character stands for itself, "<" is `<lt>`, a blank <Space>.
 *
 * @throws {TypeError} when it is none; text from outside goes through `parseKeyScript`
 */
export function parseKeys(text: string): readonly Key[] {
  const keys: Key[] = [];
  for (let at = 0; at < text.length;) {
    const read = readKey(text, at);
    if (typeof read === "string") throw new TypeError(read);
    keys.push(read.key);
    at = read.end;
  }
  return keys;
}

/** The key whose text form begins at `at`, and where it ends; a sentence when there is none. */
export function readKey(text: string, at: number): { readonly key: Key; readonly end: number } | string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (character !== "<") {
    if (isCharacter(character)) return { key: characterKey(character), end: at + character.length };
    const code = (character.codePointAt(0) ?? 0).toString(16).padStart(2, "0");
    return `Cannot parse keys: control character 0x${code}; write it as <Tab>, <Esc>, <Enter>`;
  }
  const close = text.indexOf(">", at + 2);
  if (close < 0) {
    return `Cannot parse keys: "<" without ">" at character ${at + 1}; write <lt> for the character itself`;
  }
  // "<C->>" is Ctrl and ">": there the second one closes.
  const end = text.charAt(close + 1) === ">" && /^<(?:[CASM]-)+$/u.test(text.slice(at, close))
    ? close + 2
    : close + 1;
  const name = text.slice(at + 1, end - 1);
  const key = parseKeyName(name);
  return key === null ? `Cannot parse keys: no key is named <${name}>` : { key, end };
}

/** Whether two presses are the same key. */
export function isSameKey(first: Key, second: Key): boolean {
  return first.name === second.name && first.ctrl === second.ctrl && first.alt === second.alt &&
    first.shift === second.shift;
}

/** Whether `text` is one code point that may stand for a key of its own: no control, no half of a surrogate pair. */
export function isCharacter(text: string): boolean {
  const code = text.codePointAt(0);
  if (code === undefined || text.length !== (code > 0xffff ? 2 : 1)) return false;
  return code >= 0x20 && (code < 0x7f || code > 0x9f) && (code < 0xd800 || code > 0xdfff);
}

function lowerLetter(character: string): string | null {
  const lower = character.toLowerCase();
  if (lower === character.toUpperCase() || !isCharacter(lower)) return null;
  return lower;
}

function shiftedCharacter(character: string): string {
  const upper = character.toUpperCase();
  if (upper !== character && isCharacter(upper)) return upper;
  return US_SHIFTED.get(character) ?? character;
}
