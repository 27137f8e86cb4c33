// Markdown source cut into pieces that can be read alone: a streamed message is read again only in its last piece,
// and plain prose and fences never need the parser. What is cut off depends on the source from its start to just
// behind the cut, never on how it arrived. The parser itself stands in markdown_lexer.ts.

import { FARTHEST_SEGMENT, LONGEST_LINE, segmentEnd } from "./long_line.ts";

/** Which part of a line too long to be read a piece is; "lines" for pieces of whole lines. */
export type Extent = "lines" | "first" | "middle" | "last";

/** A run of source lines with the same lines on the screen whether read alone or in its place. */
export interface Piece {
  /** plain: prose without a single mark. fence: the lines in a fence. literal: too deep to be read. */
  readonly kind: "plain" | "fence" | "blocks" | "literal";
  readonly text: string;
  /** True where the source has blank lines before it. */
  readonly gap: boolean;
  /** A fence's info string; null where none was given, and in the later pieces of a long fence. */
  readonly label: string | null;
  /** All but "lines" are of one line of more than LONGEST_LINE, plain or in a fence: its text is shown as it is. */
  readonly extent: Extent;
}

/** An open fence: what closes it, and the blanks its lines lose. */
interface Fence {
  readonly sign: string;
  readonly length: number;
  readonly strip: number;
}

/** Where cutting goes on: inside a fence, behind blank lines, inside a table, or inside a long line. */
export interface CutState {
  readonly fence: Fence | null;
  readonly line: boolean;
  readonly gap: boolean;
  /** Head and delimiter row of a table that was cut for its length: its next rows stand under them again. */
  readonly head: string | null;
}

/** The pieces a source begins with, the index behind them, and the state there. */
export interface Cut {
  readonly pieces: readonly Piece[];
  readonly end: number;
  readonly state: CutState;
}

/** The state at the start of a message. */
export const CUT_START: CutState = { fence: null, line: false, gap: false, head: null };

/** A plain piece or a fence's piece ends with the line that passes this length (UTF-16 units). */
export const LONGEST_PLAIN = 4096;
/** Any other piece is cut at the best line before it passes this length, so that reading one stays cheap. */
export const LONGEST_PIECE = 8192;
/** A table with more columns is shown as it is: each cell would be a line, in any place. */
export const MOST_COLUMNS = 200;
/** Quotes and lists nested deeper than this on one line, or list marks farther right, are not read at all. */
const DEEPEST = 16;
const FARTHEST = 64;

const BLANK = /^ *$/;
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const DELIMITER = /^ {0,3}[|:-][|: -]*$/;
const LIST_ITEM = /^ {0,3}(?:[*+-]|\d{1,9}[.)])(?: |$)/;
const INDENTED = /^ {4}/;
/** A line that cannot go on a list or indented code behind a blank line. */
const NEW_BLOCK = /^(?:[^\s*+\-\d]|[*+-][^ ]|\d{1,9}[^.)\d]|\d{10})/;
/** HTML that goes on over blank lines (CommonMark 4.6, kinds 1 to 5). */
const HTML_OVER_BLANKS = /^ {0,3}<(?:script|pre|style|textarea|[!?])/i;
const HTML = /^ {0,3}</;
const BRACKET = /^ {0,3}\[/;
/** A link definition whose title may go on over blank lines. */
const OPEN_DEFINITION = /\]:[^]*["'(]/;
const TOO_DEEP = new RegExp(
  `^(?: *(?:>|[*+-](?= )|\\d{1,9}[.)](?= ))){${DEEPEST}}|^ {${FARTHEST},}(?:[*+-]|\\d{1,9}[.)])(?: |$)`,
  "m",
);
/** What may mean something anywhere in a line: marks, escapes, entities, addresses that become links. */
const MARK = /[`*_~[<\\@\u2028\u2029]|&[#\w]+;|:\/\/|www\./i;
/** What may mean something where a line begins. */
const MARK_IN_FRONT = /^ *(?:[-=+#>|:]|\d{1,9}[.)])/;

/** Whether a line has anything that may be more than prose. */
function isMarked(line: string): boolean {
  return MARK.test(line) || MARK_IN_FRONT.test(line) || INDENTED.test(line);
}

/** Whether a text seems to need the parser; a guess, as nothing is cut into pieces for it. */
export function seemsMarked(text: string): boolean {
  return text.split("\n").some(isMarked);
}

/**
 * Cuts off all pieces whose end is certain; with `final` the whole rest, as if no text followed. Lines that may
 * still change the piece before them stay uncut, and so does all behind `most` UTF-16 units.
 */
export function cutPieces(source: string, from: CutState, final: boolean, most = source.length): Cut {
  const pieces: Piece[] = [];
  let state = from;
  let end = 0;
  while (end < source.length) {
    const taken = takePiece(source, end, state, final);
    if (taken === null || taken.end > most) break;
    if (taken.piece !== null) pieces.push(taken.piece);
    end = taken.end;
    state = taken.state;
  }
  return { pieces, end, state };
}

/** A piece (null when there were only blank lines or a fence's last line), and where and how to go on. */
interface Taken {
  readonly piece: Piece | null;
  readonly end: number;
  readonly state: CutState;
}

function takePiece(source: string, from: number, state: CutState, final: boolean): Taken | null {
  if (state.line) return takeSegment(source, from, { state, final, head: null });
  if (state.fence !== null) return takeFence(source, from, state.fence, final, null);
  let start = from;
  let gap = state.gap;
  for (;;) {
    const line = lineAt(source, start);
    if (!BLANK.test(line.text)) break;
    if (!line.complete && !final) return null;
    gap = true;
    start = line.next;
    if (start >= source.length) return { piece: null, end: start, state: { ...CUT_START, gap } };
  }
  const first = lineAt(source, start);
  if (isLong(first)) {
    return takeSegment(source, start, { state: CUT_START, final, head: { gap, label: null } });
  }
  const opening = FENCE.exec(first.text);
  if (opening === null) {
    const head = start === from && first.text.includes("|") ? state.head : null;
    return takeBlocks(source, start, { gap, head, final });
  }
  if (!first.complete && !final) return null;
  const [, indent = "", marks = "", info = ""] = opening;
  const sign = marks.charAt(0);
  // The parser takes a fence's own indent off its lines only where the fence is made of backticks.
  const fence: Fence = { sign, length: marks.length, strip: sign === "`" ? indent.length : 0 };
  return takeFence(source, first.next, fence, final, { gap, label: infoString(info) || null });
}

function isLong(line: SourceLine): boolean {
  return line.text.length > LONGEST_LINE;
}

/** Takes the next part of a long line; `head`: its first one, and what a piece has in front. */
function takeSegment(
  source: string,
  from: number,
  { state, final, head }: {
    readonly state: CutState;
    readonly final: boolean;
    readonly head: { readonly gap: boolean; readonly label: string | null } | null;
  },
): Taken | null {
  // No farther than a segment reaches: a line of megabytes is looked through once.
  const near = source.slice(from, from + FARTHEST_SEGMENT);
  const line = lineAt(near, 0);
  const strip = head === null ? 0 : state.fence?.strip ?? 0;
  const end = segmentEnd(line.text);
  const kind = state.fence === null ? "plain" : "fence";
  const piece = (text: string, extent: Extent): Piece => ({
    kind,
    text: strip === 0 ? text : stripBlanks(text, strip),
    gap: head?.gap ?? false,
    label: head?.label ?? null,
    extent,
  });
  if (end !== 0) {
    return {
      piece: piece(line.text.slice(0, end), head === null ? "middle" : "first"),
      end: from + end,
      state: { ...state, line: true },
    };
  }
  if (!line.complete && !final) return null;
  return {
    piece: piece(line.text, head === null ? "last" : "lines"),
    end: from + line.next,
    state: { ...state, line: false },
  };
}

/** The info string without the backslashes of escaped punctuation. */
function infoString(info: string): string {
  return info.trim().replace(/\\([\p{P}\p{S}])/gu, "$1");
}

function takeFence(
  source: string,
  from: number,
  fence: Fence,
  final: boolean,
  head: { readonly gap: boolean; readonly label: string | null } | null,
): Taken | null {
  const closing = new RegExp(`^ {0,3}${fence.sign}{${fence.length},} *$`);
  const lines: string[] = [];
  let at = from;
  const piece = (): Piece | null =>
    head === null && lines.length === 0 ? null : {
      kind: "fence",
      text: lines.map((line) => line + "\n").join(""),
      gap: head?.gap ?? false,
      label: head?.label ?? null,
      extent: "lines",
    };
  while (at < source.length) {
    const line = lineAt(source, at);
    if (isLong(line)) {
      const inside: CutState = { ...CUT_START, fence };
      return lines.length > 0
        ? { piece: piece(), end: at, state: inside }
        : takeSegment(source, at, { state: inside, final, head: head ?? NO_HEAD });
    }
    if (!line.complete && !final) return null;
    at = line.next;
    if (closing.test(line.text)) return { piece: piece(), end: at, state: CUT_START };
    lines.push(fence.strip === 0 ? line.text : stripBlanks(line.text, fence.strip));
    if (at - from > LONGEST_PLAIN && line.complete) {
      return { piece: piece(), end: at, state: { ...CUT_START, fence } };
    }
  }
  return final ? { piece: piece(), end: at, state: { ...CUT_START, fence } } : null;
}

/** Nothing stands in front. */
const NO_HEAD = { gap: false, label: null } as const;

function stripBlanks(line: string, most: number): string {
  let blanks = 0;
  while (blanks < most && line.charAt(blanks) === " ") blanks++;
  return line.slice(blanks);
}

/** What is known of the lines of a piece while its end is looked for. */
interface Look {
  plain: boolean;
  /** Has a line that may begin a list, or indented code: blank lines may stand inside. */
  holds: boolean;
  /** Something may go on over any line to come: only length ends the piece. */
  endless: boolean;
  /** Inside HTML up to a blank line. */
  html: boolean;
  /** Since the last blank line a line began with a bracket: maybe a link definition. */
  bracket: boolean;
  /** A fence that stands in a list item, or looks so: its indent and its last line. */
  inner: { readonly indent: string; readonly closing: RegExp } | null;
  /** Head and delimiter row of the table the line before belongs to, if any. */
  head: string | null;
  /** The line before, empty behind a blank one. */
  before: string;
}

interface BlocksOptions {
  readonly gap: boolean;
  readonly head: string | null;
  readonly final: boolean;
}

function takeBlocks(source: string, start: number, { gap, head, final }: BlocksOptions): Taken | null {
  const look = newLook(head);
  let at = start;
  /** End of the text before the blank lines just passed; -1 when the line before is not blank. */
  let blankFrom = -1;
  let best = -1;
  const take = (textEnd: number, end: number, behind: Partial<CutState> = {}): Taken => ({
    piece: blocksPiece((head ?? "") + source.slice(start, textEnd), look.plain, gap),
    end,
    state: { ...CUT_START, ...behind },
  });
  while (at < source.length) {
    const line = lineAt(source, at);
    if (BLANK.test(line.text)) {
      if (!line.complete && !final) return null;
      if (blankFrom === -1) blankFrom = Math.max(start, at - 1);
      at = line.next;
      continue;
    }
    // Never the first line: that is the caller's.
    if (isLong(line)) return blankFrom === -1 ? take(at - 1, at) : take(blankFrom, at, { gap: true });
    if (blankFrom !== -1) {
      const ends = endsBefore(line, look, source.slice(start, blankFrom), final);
      if (ends === null) return null;
      if (ends) return take(blankFrom, at, { gap: true });
      look.html = false;
      look.bracket = false;
      look.head = null;
      look.before = "";
    } else if (at > start && !look.endless && FENCE.test(line.text)) {
      if (!line.complete && !final) return null;
      const top = look.inner === null && !look.html && !look.bracket &&
        (!look.holds || !line.text.startsWith(" "));
      if (top) return take(at - 1, at);
    }
    if (at > start && !line.text.startsWith(" ") && (!look.endless || blankFrom !== -1)) best = at;
    if (!line.complete && !final) return null;
    lookAtLine(line.text, look);
    at = line.next;
    blankFrom = -1;
    if (look.plain && line.complete && at - start > LONGEST_PLAIN) return take(at - 1, at);
    if (at - start > LONGEST_PIECE && line.complete) {
      const end = best === -1 ? at : best;
      return take(end - 1, end, { head: look.head });
    }
  }
  if (!final) return null;
  // Line ends at the end are a block's own only where it is still open.
  if (look.endless || look.inner !== null) return take(source.length, source.length);
  if (blankFrom !== -1) return take(blankFrom, source.length, { gap: true });
  return take(source.endsWith("\n") ? source.length - 1 : source.length, source.length);
}

/** Whether a piece ends before a line that stands behind blank lines; null when more of the line is needed. */
function endsBefore(line: SourceLine, look: Look, before: string, final: boolean): boolean | null {
  if (look.bracket && OPEN_DEFINITION.test(before)) look.endless = true;
  if (look.inner !== null && !line.text.startsWith(" ")) look.endless = true;
  if (look.endless) return false;
  if (!look.holds) return true;
  if (NEW_BLOCK.test(line.text)) return true;
  if (line.complete || final || line.text.length > 10 || line.text.startsWith(" ")) return false;
  return null;
}

function newLook(head: string | null): Look {
  // A repeated head is not prose, whatever its rows look like.
  return {
    plain: head === null,
    holds: false,
    endless: false,
    html: false,
    bracket: false,
    inner: null,
    head,
    before: "",
  };
}

/** Notes what a line that is not blank means for those to come. */
function lookAtLine(text: string, look: Look): void {
  if (look.plain && isMarked(text)) look.plain = false;
  if (look.plain) {
    look.before = text;
    return;
  }
  if (!look.holds && (LIST_ITEM.test(text) || INDENTED.test(text))) look.holds = true;
  if (HTML.test(text)) look.html = true;
  if (HTML_OVER_BLANKS.test(text)) look.endless = true;
  if (BRACKET.test(text)) look.bracket = true;
  if (look.before.includes("|") && DELIMITER.test(text) && !isTooWide(text)) {
    look.head = `${look.before}\n${text}\n`;
  }
  look.before = text;
  lookForInnerFence(text, look);
}

/** Whether a table's delimiter row has more than MOST_COLUMNS. */
export function isTooWide(delimiter: string): boolean {
  return delimiter.split("|").filter((cell) => cell.trim() !== "").length > MOST_COLUMNS;
}

/**
 * A fence that may belong to a list item ends nothing while its lines are indented like its first: read as the
 * item's or not, it is closed behind its last line. In any other case only the parser can tell.
 */
function lookForInnerFence(text: string, look: Look): void {
  if (look.inner !== null) {
    if (!text.startsWith(look.inner.indent)) look.endless = true;
    if (look.endless || look.inner.closing.test(text)) look.inner = null;
    return;
  }
  const opening = FENCE.exec(text);
  if (opening === null) return;
  const [, indent = "", marks = ""] = opening;
  if (look.html || look.bracket || indent === "") look.endless = true;
  else look.inner = { indent, closing: new RegExp(`^ {0,3}${marks.charAt(0)}{${marks.length},} *$`) };
}

function blocksPiece(text: string, plain: boolean, gap: boolean): Piece {
  const kind = plain ? "plain" : TOO_DEEP.test(text) ? "literal" : "blocks";
  return { kind, text, gap, label: null, extent: "lines" };
}

/** One line of the source, without its newline; incomplete when the source ends first. */
interface SourceLine {
  readonly text: string;
  readonly next: number;
  readonly complete: boolean;
}

function lineAt(source: string, at: number): SourceLine {
  const newline = source.indexOf("\n", at);
  if (newline === -1) return { text: source.slice(at), next: source.length, complete: false };
  return { text: source.slice(at, newline), next: newline + 1, complete: true };
}
