// Outside text for one line of the screen: safe, and no more of it than a line could ever show, so that a name of
// many megabytes costs a frame no more than a short one. And sentences cut so that what matters in them is seen.

import { cellWidth, cutToWidth } from "../text/graphemes.ts";
import { safeText } from "../text/outside_text.ts";

/** UTF-16 units looked at: more than the widest screen has cells. */
export const ONE_LINE_UNITS = 2000;

/** The text's beginning made safe; an ellipsis says that there is more. */
export function oneLine(text: string, options: { readonly strict?: boolean } = {}): string {
  if (text.length <= ONE_LINE_UNITS) return safeText(text, options);
  return `${safeText(text.slice(0, ONE_LINE_UNITS).replace(/[\ud800-\udbff]$/, ""), options)}…`;
}

/** A path in a sentence, with what may stand in front of it in the same word; its last part. */
const PATH = /^((?:--?[\w-]+=)?["'(]*)(?:~|\.{1,2}|[A-Za-z]:)?[\\/].*[\\/]([^\\/]+)$/;
/** What an ended program said is told behind why it ended. */
const SAID_LAST = "; its last line on stderr: ";

/** A sentence no wider than `width`: paths shrink to their names, then its end goes, by whole words; "" when none fits. */
export function shortSentence(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  const short = withShortPaths(text);
  return cellWidth(short) <= width ? short : cutToWords(short, width);
}

/** The same for why something ended, which stands at its end: there the middle goes, what a program said before that. */
export function shortReason(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  const short = withShortPaths(text);
  if (cellWidth(short) <= width) return short;
  const [reason = ""] = short.split(SAID_LAST, 1);
  if (cellWidth(reason) > width) return withoutMiddle(reason, width);
  const more = cutToWords(short, width);
  return more.startsWith(reason) ? more : reason;
}

function withShortPaths(text: string): string {
  return text.split(" ").map((word) => word.replace(PATH, "$1…/$2")).join(" ");
}

/** The first words of a third of the width at most, and as many of the last ones as there is room for. */
function withoutMiddle(text: string, width: number): string {
  const words = text.split(" ");
  let head = "";
  for (const word of words) {
    if (cellWidth(head) + cellWidth(word) + 1 > width / 3) break;
    head += `${word} `;
  }
  let tail = "";
  for (const word of words.reverse()) {
    if (cellWidth(head) + cellWidth(tail) + cellWidth(word) + 2 > width) break;
    tail = ` ${word}${tail}`;
  }
  return tail === "" ? cutToWords(text, width) : `${head}…${tail}`;
}

/** Whole words only, and an ellipsis behind them. */
function cutToWords(text: string, width: number): string {
  const cut = cutToWidth(text, width - 2);
  const space = cut.lastIndexOf(" ");
  return space <= 0 ? "" : `${cut.slice(0, space).replace(/[;,]$/, "")} …`;
}
