// Where the caret may stand in a line, and where words begin and end.
// Backspace and the arrows take whole graphemes in every script, Thai and the Indic ones too: one press removes a
// consonant together with the vowel and tone marks on it. Words of scripts without blanks are the dictionary's.

import { graphemeEnd } from "../text/graphemes.ts";
import { MARK } from "./draft_text.ts";

/** The next caret stop to the left of `column`, which is a stop and not 0. */
export function stopBefore(text: string, column: number): number {
  if (text.charAt(column - 1) === MARK) return column - 1;
  let at = certainStop(text, column - 1);
  for (;;) {
    const end = stopAfter(text, at);
    if (end >= column) return at;
    at = end;
  }
}

/** The next caret stop to the right of `column`, which is a stop and not the line's length. */
export function stopAfter(text: string, column: number): number {
  if (text.charAt(column) === MARK) return column + 1;
  const end = graphemeEnd(text, column);
  // For Unicode the mark is a sign that others may join; here it never is part of one.
  for (let at = column + 1; at < end; at++) if (text.charAt(at) === MARK) return at;
  return end;
}

/** The caret stop at or behind `column`: text put together may have joined the signs around it. */
export function stopAtOrAfter(text: string, column: number): number {
  if (column <= 0 || column >= text.length) return Math.max(0, Math.min(column, text.length));
  let at = certainStop(text, column);
  while (at < column) at = stopAfter(text, at);
  return at;
}

/** Where the word to the left of `column` begins: blanks are passed, then one run of a kind. 0 at the line's start. */
export function wordStart(text: string, column: number): number {
  let at = column;
  while (at > 0 && kindBefore(text, at) === "blank") at = stopBefore(text, at);
  if (at === 0) return 0;
  const kind = kindBefore(text, at);
  if (kind === "paste") return at - 1;
  if (kind === "dictionary") return dictionaryStop(text, at, -1);
  while (at > 0 && kindBefore(text, at) === kind) at = stopBefore(text, at);
  return at;
}

/** Where the word to the right of `column` ends: blanks are passed, then one run of a kind. */
export function wordEnd(text: string, column: number): number {
  let at = column;
  while (at < text.length && kindAt(text, at) === "blank") at = stopAfter(text, at);
  if (at >= text.length) return text.length;
  const kind = kindAt(text, at);
  if (kind === "paste") return at + 1;
  if (kind === "dictionary") return dictionaryStop(text, at, 1);
  while (at < text.length && kindAt(text, at) === kind) at = stopAfter(text, at);
  return at;
}

type SignKind = "blank" | "letter" | "dictionary" | "sign" | "paste";

/** How far from the caret words of a dictionary are looked for, in UTF-16 units. */
const DICTIONARY_REACH = 256;

// In functions and not beside the other constants: Unicode's classes would take half a millisecond of every start.
function isDictionary(point: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\uff70\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
    .test(point);
}

function isLetter(point: string): boolean {
  return /[\p{L}\p{N}\p{M}_]/u.test(point);
}

const BLANK = /\s/u;

function kindAt(text: string, at: number): SignKind {
  const sign = text.charAt(at);
  if (sign === MARK) return "paste";
  const point = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (BLANK.test(point)) return "blank";
  if (isDictionary(point)) return "dictionary";
  return isLetter(point) ? "letter" : "sign";
}

function kindBefore(text: string, at: number): SignKind {
  return kindAt(text, stopBefore(text, at));
}

let segmenter: Intl.Segmenter | null = null;

/** The nearest word boundary on one side of `from`, inside the run of such letters that `from` stands in. */
function dictionaryStop(text: string, from: number, side: -1 | 1): number {
  let start = from;
  while (start > 0 && from - start < DICTIONARY_REACH && kindBefore(text, start) === "dictionary") {
    start = stopBefore(text, start);
  }
  let end = from;
  while (end < text.length && end - from < DICTIONARY_REACH && kindAt(text, end) === "dictionary") {
    end = stopAfter(text, end);
  }
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  let before = start;
  for (const { index } of segmenter.segment(text.slice(start, end))) {
    const at = stopAtOrAfter(text, start + index);
    if (at < from) before = at;
    if (at > from && side > 0) return at;
  }
  return side < 0 ? before : end;
}

/** How far back a certain stop is looked for; only lines of nothing but emoji or marks have none that near. */
const CERTAIN_REACH = 2048;

/** A stop at or before `column` that is one whatever stands before it, so that no line is cut up from its start. */
function certainStop(text: string, column: number): number {
  const limit = column - CERTAIN_REACH;
  let at = column;
  while (at > 0 && at > limit && !isCertainStop(text, at)) at--;
  return at > 0 && isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;
}

function isCertainStop(text: string, at: number): boolean {
  return isIn(NEVER_JOINS_BACK, text.charCodeAt(at)) && !isIn(MAY_TAKE_NEXT, text.charCodeAt(at - 1));
}

type Ranges = readonly (readonly [first: number, last: number])[];

/** Signs that join no sign before them but those of the second table: ASCII, Latin, Cyrillic, Thai letters, kana, Han, Hangul, a paste. */
const NEVER_JOINS_BACK: Ranges = [
  [0x20, 0x7e],
  [0xa1, 0x2ff],
  [0x400, 0x481],
  [0x48a, 0x52f],
  [0xe01, 0xe2e],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xffff, 0xffff],
];

/** Signs that a next one may join: jamo, prepended marks, and any half of a pair. */
const MAY_TAKE_NEXT: Ranges = [
  [0x600, 0x605],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x890, 0x891],
  [0x8e2, 0x8e2],
  [0xd4e, 0xd4e],
  [0x1100, 0x11ff],
  [0xa960, 0xa97f],
  [0xd7b0, 0xdfff],
];

function isIn(ranges: Ranges, unit: number): boolean {
  for (const [first, last] of ranges) if (unit <= last) return unit >= first;
  return false;
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
