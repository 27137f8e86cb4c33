// Controls and invisible signs written as visible tokens: `\x1b` for C0, DEL and C1, `<U+202E>` for the rest.
// Decides what of a text is shown as itself; outside_text.ts decides what lines, tabs and colours come of it.

import { clusterWidth, walkGraphemes } from "./graphemes.ts";
import { classTable, NOT_SIMPLE, pointClass } from "./width_classes.ts";

/** Takes a piece of a text: shown as it is, or a token that stands for what must not be shown. */
export type PieceVisitor = (piece: string, isToken: boolean) => void;

/** Clusters are shown up to this many UTF-16 units; marks piled higher are tokens, so no cell holds a megabyte. */
const LONGEST_CLUSTER = 40;

/** The three flags made of tag characters that terminals know; every other tag character hides text. */
const TAG_FLAG = "\\u{1f3f4}\\u{e0067}\\u{e0062}" +
  "(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}";

/** Controls, bidi controls, line separators, lone surrogates, tags: tokens wherever they stand. */
const NEVER_SHOWN =
  "\\0-\\x1f\\x7f-\\x9f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb" +
  "\\ud800-\\udfff\\u{e0000}-\\u{e007f}";

const LOOSE = new RegExp(`${TAG_FLAG}|[${NEVER_SHOWN}]`, "gu");
/** Also joiners, variation selectors and every other sign that has no look of its own. */
const STRICT = new RegExp(`[${NEVER_SHOWN}\\p{Default_Ignorable_Code_Point}\\p{Cf}]`, "gu");

const ASCII_TEXT = /^[\x20-\x7e]*$/;

/** True for text whose every code point is a visible sign of its own: most text, known at one look per unit. */
export function isSimpleText(text: string): boolean {
  if (ASCII_TEXT.test(text)) return true;
  const classes = classTable();
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if ((unit & 0xf800) !== 0xd800) {
      if (!isSimpleClass(classes[unit]!)) return false;
      continue;
    }
    const point = text.codePointAt(at)!;
    if (!isSimpleClass(pointClass(point))) return false;
    at++;
  }
  return true;
}

/** Visits `text` in pieces, in order. `strict` makes tokens of joiners and variation selectors too. */
export function eachPiece(text: string, strict: boolean, visit: PieceVisitor): void {
  if (isSimpleText(text)) {
    if (text !== "") visit(text, false);
    return;
  }
  const hidden = strict ? STRICT : LOOSE;
  let from = 0;
  hidden.lastIndex = 0;
  for (let match = hidden.exec(text); match !== null; match = hidden.exec(text)) {
    const found = match[0];
    // A flag was found only so that its tags are not.
    if (found.length > 2) continue;
    if (match.index > from) eachVisible(text.slice(from, match.index), visit);
    visit(token(found.codePointAt(0)!), true);
    from = match.index + found.length;
  }
  if (from < text.length) eachVisible(from === 0 ? text : text.slice(from), visit);
}

/** The visible token of a code point. */
export function token(point: number): string {
  if (point < 0xa0) return `\\x${point.toString(16).padStart(2, "0")}`;
  return `<U+${point.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** Pieces of a text whose controls are gone: what is left to find are zero-width clusters and overlong ones. */
function eachVisible(text: string, visit: PieceVisitor): void {
  let from = 0;
  const flush = (to: number) => {
    if (to > from) visit(text.slice(from, to), false);
  };
  walkGraphemes(text, (start, end, width) => {
    if (width > 0 && end - start <= LONGEST_CLUSTER) return;
    const shownEnd = width > 0 ? shownPrefix(text, start) : start;
    flush(shownEnd);
    for (const sign of text.slice(shownEnd, end)) visit(token(sign.codePointAt(0)!), true);
    from = end;
  });
  flush(text.length);
}

/** Where the shown part of the overlong cluster at `start` ends. */
function shownPrefix(text: string, start: number): number {
  let end = start + LONGEST_CLUSTER;
  if ((text.charCodeAt(end) & 0xfc00) === 0xdc00) end--;
  return clusterWidth(text.slice(start, end)) > 0 ? end : start;
}

function isSimpleClass(classBits: number): boolean {
  return (classBits & NOT_SIMPLE) === 0 && (classBits & 3) !== 0;
}
