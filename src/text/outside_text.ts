// The one door for text from outside: behind it nothing can emit an escape, hide or turn text around.
// Controls and invisible signs become visible tokens; tool output keeps its colours as roles, and what carriage
// returns and backspaces overwrote is gone, as on a terminal.

import { sequenceEnd, sgrParameters } from "./escape_sequence.ts";
import { cellWidth, walkGraphemes } from "./graphemes.ts";
import { EMPTY_LINE, type Line, type Span } from "./line.ts";
import type { Role } from "./role.ts";
import { applySgr, isPlainStyle, plainStyle, sgrRole, type SgrStyle } from "./sgr.ts";
import { eachPiece, isSimpleText } from "./tokens.ts";

/** Cells between tab stops, counted from the start of the text. */
const TAB_STOP = 8;

// deno-lint-ignore no-control-regex
const CONTROL = /[\0-\x1f\x7f-\x9f]/g;

/**
 * Text for one place in one line (a name, title, path or command): every control is a token, tabs and newlines too.
 * `strict`, for what a person must judge, also shows joiners and variation selectors.
 */
export function safeText(text: string, options: { readonly strict?: boolean } = {}): string {
  if (isSimpleText(text)) return text;
  let safe = "";
  eachPiece(text, options.strict ?? false, (piece) => {
    safe += piece;
  });
  return safe;
}

/**
 * Text of several lines without colours (user text, Markdown source): newlines stay, CRLF is one, tabs are blanks.
 * `column` is where the first line goes on, in cells.
 */
export function safeBlockText(text: string, column = 0): string {
  if (!text.includes("\n")) return safeTabbedLine(text, column);
  return text.replaceAll("\r\n", "\n").split("\n").map((line, at) =>
    safeTabbedLine(line, at === 0 ? column : 0)
  )
    .join("\n");
}

/**
 * A tool's output as unwrapped lines. Text is in `role` or, where SGR coloured it, in an `ansi.*` role; controls are
 * in role "token". A final newline adds no line; colours end with the text, or go on with the style that is given.
 */
export function outsideLines(text: string, role: Role, style = plainStyle()): Line[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => outsideLine(line.endsWith("\r") ? line.slice(0, -1) : line, role, style));
}

function safeTabbedLine(text: string, from: number): string {
  if (isSimpleText(text)) return text;
  let safe = "";
  let column = from;
  const add = (piece: string) => {
    safe += piece;
    column += cellWidth(piece);
  };
  for (const [index, part] of text.split("\t").entries()) {
    if (index > 0) add(" ".repeat(TAB_STOP - column % TAB_STOP));
    add(safeText(part));
  }
  return safe;
}

function outsideLine(text: string, role: Role, style: SgrStyle): Line {
  if (text === "") return EMPTY_LINE;
  if (isSimpleText(text)) return { spans: [{ text, role: sgrRole(style, role) }] };
  const target = text.includes("\r") || text.includes("\b") ? overwritingLine(role) : appendingLine(role);
  let from = 0;
  const put = (to: number) => {
    if (to > from) putText(target, text.slice(from, to), isPlainStyle(style) ? role : sgrRole(style, role));
  };
  CONTROL.lastIndex = 0;
  for (let match = CONTROL.exec(text); match !== null; match = CONTROL.exec(text)) {
    const at = match.index;
    put(at);
    from = at + 1;
    if (match[0] === "\t") target.tab();
    else if (match[0] === "\r") target.carriageReturn();
    else if (match[0] === "\b") target.backspace();
    else {
      from = sequenceEnd(text, at);
      putControl(target, text.slice(at, from), style);
    }
    CONTROL.lastIndex = from;
  }
  put(text.length);
  return { spans: target.spans() };
}

function putText(target: LineTarget, text: string, role: Role): void {
  eachPiece(text, false, (piece, isToken) => isToken ? target.token(piece) : target.text(piece, role));
}

function putControl(target: LineTarget, sequence: string, style: SgrStyle): void {
  const parameters = sgrParameters(sequence);
  if (parameters === null) target.token(safeText(sequence));
  else applySgr(style, parameters);
}

/** A line under construction. Tokens take no cell of it: they stand in front of what was written next. */
interface LineTarget {
  text(text: string, role: Role): void;
  token(text: string): void;
  tab(): void;
  carriageReturn(): void;
  backspace(): void;
  spans(): Span[];
}

/** A line to whose end all is written. */
function appendingLine(role: Role): LineTarget {
  const spans: Span[] = [];
  let column = 0;
  const text = (piece: string, pieceRole: Role) => {
    column += cellWidth(piece);
    addSpan(spans, piece, pieceRole);
  };
  return {
    text,
    token: (piece) => addSpan(spans, piece, "token"),
    tab: () => text(" ".repeat(TAB_STOP - column % TAB_STOP), role),
    carriageReturn: () => {},
    backspace: () => {},
    spans: () => spans,
  };
}

/** A line in which the writing position moves back, cell by cell, as on a terminal of endless width. */
function overwritingLine(role: Role): LineTarget {
  /** By column: what it shows, "" in the further columns of a wide sign. */
  const texts: string[] = [];
  const roles: Role[] = [];
  const tokens = new Map<number, string>();
  let pending = "";
  let column = 0;

  const blank = (at: number) => {
    texts[at] = " ";
    tokens.delete(at);
  };
  /** Takes cells out of what they show; the rest of a wide sign cut in two becomes blank. */
  const clear = (from: number, to: number) => {
    let first = from;
    while (first > 0 && texts[first] === "") first--;
    let last = to;
    while (texts[last] === "") last++;
    for (let at = first; at < last && at < texts.length; at++) blank(at);
  };
  const write = (cluster: string, width: number, clusterRole: Role) => {
    while (texts.length < column) {
      roles[texts.length] = role;
      texts.push(" ");
    }
    clear(column, column + width);
    for (let at = column; at < column + width; at++) {
      texts[at] = at === column ? cluster : "";
      roles[at] = clusterRole;
    }
    if (pending !== "") tokens.set(column, pending);
    pending = "";
    column += width;
  };

  return {
    text(piece, pieceRole) {
      walkGraphemes(piece, (start, end, width) => write(piece.slice(start, end), width, pieceRole));
    },
    token(piece) {
      pending += piece;
    },
    tab() {
      column += TAB_STOP - column % TAB_STOP;
    },
    carriageReturn() {
      column = 0;
    },
    backspace() {
      column = Math.max(0, column - 1);
    },
    spans() {
      const spans: Span[] = [];
      for (const [at, text] of texts.entries()) {
        const before = tokens.get(at);
        if (before !== undefined) addSpan(spans, before, "token");
        if (text !== "") addSpan(spans, text, roles[at]!);
      }
      if (pending !== "") addSpan(spans, pending, "token");
      return spans;
    },
  };
}

/** Adds text to the end of `spans`, to the last span where the role is the same. */
function addSpan(spans: Span[], text: string, role: Role): void {
  const last = spans.at(-1);
  if (last === undefined || last.role !== role) spans.push({ text, role });
  else spans[spans.length - 1] = { text: last.text + text, role };
}
