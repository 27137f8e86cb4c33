// Where emoji of several code points end: flags, families, professions. Their rules are few and certain (UAX #29: GB11,
// GB12, GB13), and Intl.Segmenter, which knows all, takes 10 ms to build: most texts with emoji never need it.

import { pointLength } from "./width_classes.ts";

const ZERO_WIDTH_JOINER = 0x200d;

/** Length in UTF-16 units of a flag, two regional indicators. */
export const FLAG_LENGTH = 4;

let pictograph: RegExp | null = null;

/** True when a regional indicator begins at `at`: half a flag. */
export function isHalfFlag(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 0xd83c) return false;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdde6 && low <= 0xddff;
}

/** True when a zero width joiner stands at `at`. */
export function isJoiner(text: string, at: number): boolean {
  return text.charCodeAt(at) === ZERO_WIDTH_JOINER;
}

/** True when the code point at `at` is Extended_Pictographic. */
export function isPictograph(text: string, at: number): boolean {
  pictograph ??= /^\p{Extended_Pictographic}/u;
  return pictograph.test(text.slice(at, at + pointLength(text, at)));
}

/** True for what may stand between a pictograph and the joiner behind it: variation selectors, skin tones, tags. */
export function extendsPictograph(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit === 0xfe0f || unit === 0xfe0e) return true;
  const low = text.charCodeAt(at + 1);
  return unit === 0xd83c && low >= 0xdffb && low <= 0xdfff ||
    unit === 0xdb40 && low >= 0xdc20 && low <= 0xdc7f;
}
