// Where a line may break between two signs: a small part of UAX #14, for what a transcript holds. Latin and Korean
// words break at blanks only; Chinese and Japanese break anywhere but where punctuation forbids it (kinsoku).

import { pointClass, WIDTH_BITS } from "./width_classes.ts";

/** A sign that may be parted from its neighbours: ideographs, kana, wide punctuation, pictographs. */
const IDEOGRAPHIC = 1;
/** Must not end a row. */
const OPENS = 2;
/** Must not begin a row. */
const CLOSES = 4;
const BLANK = 8;

const OPENING = "([{（［｛〈《「『【〔〖〘〚〝｟｢“‘«‹";
const CLOSING = ")]},.;:!?、。，．：；！？）］｝〉》」』】〕〗〙〛〞〟｠､｡｣・”’»›…‥%％";
const BLANKS = " \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u205f\u3000";

/** Hangul is wide but has words: jamo, compatibility jamo, syllables. */
const HANGUL: readonly (readonly [number, number])[] = [
  [0x1100, 0x11ff],
  [0x3130, 0x318f],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff],
];
/** Below this nothing wide is ideographic, though signs of ambiguous width may be set to two cells. */
const FIRST_IDEOGRAPHIC = 0x2e80;

const punctuation = new Map<number, number>([
  ...[...OPENING].map((sign) => [sign.codePointAt(0)!, OPENS] as const),
  ...[...CLOSING].map((sign) => [sign.codePointAt(0)!, CLOSES] as const),
  ...[...BLANKS].map((sign) => [sign.codePointAt(0)!, BLANK] as const),
]);

/** Kinds of code points up to U+FFFF once asked for, each with KNOWN set. */
const kinds = new Uint8Array(0x10000);
const KNOWN = 16;

/** What the grapheme that begins at `at` means for breaks; for `breaksBetween` and `isBlank`. */
export function signKind(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if ((unit & 0xf800) === 0xd800) return kindOf(text.codePointAt(at)!);
  const known = kinds[unit]!;
  return known !== 0 ? known & ~KNOWN : (kinds[unit] = kindOf(unit) | KNOWN) & ~KNOWN;
}

/** True where a row may end between two signs of these kinds, without a blank between them. */
export function breaksBetween(before: number, after: number): boolean {
  return ((before | after) & IDEOGRAPHIC) !== 0 && (before & OPENS) === 0 && (after & CLOSES) === 0;
}

/** True for a blank a row may break at, which is dropped there. */
export function isBlank(kind: number): boolean {
  return (kind & BLANK) !== 0;
}

function kindOf(point: number): number {
  return (punctuation.get(point) ?? 0) | (isIdeographic(point) ? IDEOGRAPHIC : 0);
}

function isIdeographic(point: number): boolean {
  if (point < FIRST_IDEOGRAPHIC) return false;
  if (point >= 0xff61 && point <= 0xff9f) return true;
  if ((pointClass(point) & WIDTH_BITS) !== 2) return false;
  return !HANGUL.some(([first, last]) => point >= first && point <= last);
}
