// A draft's line as the units a person sees: graphemes, tabs, tokens for what cannot be seen, labels of pastes.
// Each unit is one caret stop; draft_layout.ts parts them into rows.

import { cellWidth, walkGraphemes } from "../text/graphemes.ts";
import { breaksBetween, isBlank, signKind } from "../text/line_breaks.ts";
import type { Role } from "../text/role.ts";
import { eachPiece, isSimpleText } from "../text/tokens.ts";
import { type DraftLine, MARK } from "./draft_text.ts";

/** What a unit is: a sign shown as itself, a tab, a token in its place, a paste's label. */
export type UnitKind = "sign" | "tab" | "token" | "label";

/**
 * Sees one unit: UTF-16 units from `start` to `end` of the line, its cells (0 for a tab, whose cells depend on where
 * it stands) and its kind. `false` stops the walk.
 */
export type UnitVisitor = (start: number, end: number, width: number, kind: UnitKind) => void | false;

/** Cells from one tab stop to the next. */
export const TAB_WIDTH = 8;

const TAB = 0x09;

/** Visits the units of a line between two caret stops. */
export function walkUnits(line: DraftLine, range: { start: number; end: number }, visit: UnitVisitor): void {
  const { text } = line;
  const { start, end } = range;
  if (line.pastes.length === 0) {
    walkPieces(text, range, visit);
    return;
  }
  let rank = 0;
  for (let at = text.indexOf(MARK); at >= 0 && at < start; at = text.indexOf(MARK, at + 1)) rank++;
  for (let at = start; at < end;) {
    const mark = text.indexOf(MARK, at);
    const stop = mark < 0 || mark > end ? end : mark;
    if (!walkPieces(text, { start: at, end: stop }, visit)) return;
    if (stop === mark && mark < end) {
      const label = line.pastes[rank++]?.label ?? "";
      if (visit(mark, mark + 1, label.length, "label") === false) return;
    }
    at = stop === mark ? mark + 1 : stop;
  }
}

/** What is shown of a unit, but for tabs and labels, and its role. */
export function unitText(cluster: string, kind: UnitKind): { readonly text: string; readonly role: Role } {
  if (kind !== "token") return { text: cluster, role: "composer.text" };
  let text = "";
  eachPiece(cluster, false, (piece) => {
    text += piece;
  });
  return { text, role: "token" };
}

/** What a unit means for breaks between rows. */
export function breakKind(text: string, start: number, kind: UnitKind): number {
  switch (kind) {
    case "sign":
      return signKind(text, start);
    case "tab":
      return BLANK_KIND;
    case "label":
      return LABEL_KIND;
    case "token":
      return TOKEN_KIND;
  }
}

export { breaksBetween, isBlank };

const BLANK_KIND = signKind(" ", 0);
const TOKEN_KIND = signKind("a", 0);
/** A label may be parted from what is around it as an ideograph may. */
const LABEL_KIND = signKind("一", 0);

/** A walk looks at this many UTF-16 units at a time, for it is often stopped early. */
const PIECE = 2048;

/** Visits the units of a range without marks; false when the visitor stopped. */
function walkPieces(text: string, range: { start: number; end: number }, visit: UnitVisitor): boolean {
  let length = PIECE;
  for (let at = range.start; at < range.end;) {
    const near = isLowSurrogate(text.charCodeAt(at + length)) ? at + length - 1 : at + length;
    const stop = Math.min(range.end, near);
    // The last unit of a piece may go on behind it: it is the next piece's first.
    let next = stop;
    const goesOn = walkSigns(text.slice(at, stop), at, (start, end, width, kind) => {
      if (end < stop || stop === range.end) return visit(start, end, width, kind);
      next = start;
    });
    if (!goesOn) return false;
    length = next > at ? PIECE : length * 2;
    at = next;
  }
  return true;
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}

/** Visits the units of a piece without marks; false when the visitor stopped. */
function walkSigns(text: string, offset: number, visit: UnitVisitor): boolean {
  let goesOn = true;
  const isSimple = isSimpleText(text);
  walkGraphemes(text, (start, end, width) => {
    const result = isSimple
      ? visit(offset + start, offset + end, width, "sign")
      : visitSign(text, { start, end, width }, offset, visit);
    if (result === false) goesOn = false;
    return result;
  });
  return goesOn;
}

function visitSign(
  text: string,
  sign: { start: number; end: number; width: number },
  offset: number,
  visit: UnitVisitor,
): void | false {
  const { start, end, width } = sign;
  const unit = text.charCodeAt(start);
  if (unit === TAB) return visit(offset + start, offset + end, 0, "tab");
  if (unit >= 0x20 && unit < 0x7f && end === start + 1) return visit(offset + start, offset + end, 1, "sign");
  let hasToken = false;
  let cells = 0;
  eachPiece(text.slice(start, end), false, (piece, isToken) => {
    hasToken ||= isToken;
    cells += isToken ? piece.length : cellWidth(piece);
  });
  return hasToken
    ? visit(offset + start, offset + end, cells, "token")
    : visit(offset + start, offset + end, width, "sign");
}
