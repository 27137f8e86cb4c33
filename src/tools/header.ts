// The first row of a tool's block: name, main argument, facts, marks, and how much a fold hides. In normal it is
// one row whatever the width; in detail it wraps.

import { cellWidth, graphemes } from "../text/graphemes.ts";
import { type Line, lineOf, shortenLine, shortenText, type Span } from "../text/line.ts";
import { safeText } from "../text/outside_text.ts";
import type { Role } from "../text/role.ts";
import { wrapLine } from "../text/wrap.ts";
import type { ToolCall } from "../transcript/tool_call.ts";
import { type Hidden, hiddenText, NONE_HIDDEN } from "./preview.ts";

/** What a header is made of. All texts are safe already. */
export interface Head {
  /** The tool's name or label; shortened last. */
  readonly lead: Span;
  /** Shortened first; a path keeps its end, anything else its beginning. */
  readonly argument: Argument | null;
  /** Dropped whole as the width shrinks, the last first. */
  readonly facts: readonly Span[];
}

/** The one argument that tells calls of a tool apart. */
export interface Argument extends Span {
  readonly keep: "start" | "end";
}

/** Longer arguments are cut before they are measured; what shows them whole is not the header. */
const LONGEST_ARGUMENT = 8192;
/** The same for names and titles. */
const LONGEST_NAME = 2000;
/** Stands in front of facts and marks, so that they do not read as a part of the argument. */
const GAP = "  ";
/** An argument wants this much room before a fact is shown beside it. */
const LEAST_ARGUMENT = 12;

/** True where the header, "$" and colons aside, says all of the summary: "deno test: exit 0" under "$ deno test  exit 0". */
export function headSays(head: Head, summary: string): boolean {
  const plain = (text: string) => text.replace(/[$:\s]+/g, " ").trim();
  const said = plain(summary);
  if (said === "" || summary.length > LONGEST_ARGUMENT) return said === "";
  const argument = head.argument === null ? [] : [head.argument];
  // Once more behind the facts: "exit 0: deno test" says the same.
  const spans = [head.lead, ...argument, ...head.facts, ...argument];
  return plain(spans.map((span) => span.text).join(" ")).includes(said);
}

/** A tool's name as text; "?" where the agent gave none. */
export function nameText(name: string): string {
  const shown = safeText(cutName(name), { strict: true });
  return shown.trim() === "" ? "?" : shown;
}

/** What of a name or title is looked at: more than any row has room for. */
export function cutName(name: string): string {
  return name.length <= LONGEST_NAME
    ? name
    : `${name.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** An argument made safe. */
export function argumentOf(
  text: string,
  role: Role = "tool.argument",
  keep: "start" | "end" = "start",
): Argument {
  const cut = text.length <= LONGEST_ARGUMENT
    ? text
    : keep === "start"
    ? text.slice(0, LONGEST_ARGUMENT) + "…"
    : "…" + text.slice(-LONGEST_ARGUMENT);
  return { text: safeText(cut, { strict: true }), role, keep };
}

/** What the header of every tool says beside its own facts. */
export function markSpans(calls: readonly ToolCall[]): readonly Span[] {
  const marks: Span[] = [];
  if (calls.some((call) => call.late)) marks.push({ text: "(late)", role: "tool.note" });
  if (calls.some((call) => call.secondResultIgnored)) {
    marks.push({ text: "(second result ignored)", role: "tool.note" });
  }
  return marks;
}

/** The header as one row of at most `width` cells; what is hidden stands at its end. */
export function headRow(head: Head, marks: readonly Span[], size: { width: number; hidden?: Hidden }): Line {
  const { width, hidden = NONE_HIDDEN } = size;
  const lead = head.lead.text === "" ? 0 : cellWidth(head.lead.text) + 1;
  const argument = head.argument === null || head.argument.text === "" ? null : head.argument;
  const wanted = lead + (argument === null ? 0 : Math.min(cellWidth(argument.text), LEAST_ARGUMENT));
  const more = moreText(hidden, width - Math.min(lead, 8));
  let room = width - (more === "" ? 0 : cellWidth(more) + GAP.length);

  if (room < 1) return shortenLine(lineOf([more, "more"]), width);

  const facts = [...head.facts];
  const kept = [...marks];
  while (facts.length > 0 && wanted + spansWidth([...facts, ...kept]) > room) facts.pop();
  while (kept.length > 0 && wanted + spansWidth(kept) > room) kept.pop();
  const behind = [...facts, ...kept];
  room -= spansWidth(behind);

  const front: Span[] = [{ text: shortenText(head.lead.text, Math.max(1, room)), role: head.lead.role }];
  const left = room - lead;
  if (argument !== null && left >= 2) {
    front.push({ text: shortenArgument(argument, left), role: argument.role });
  }
  if (more !== "") behind.push({ text: more, role: "more" });
  return shortenLine(joined(front, behind), width);
}

/** The header whole, wrapped to `width` cells. */
export function headLines(head: Head, marks: readonly Span[], width: number): readonly Line[] {
  const { lead, argument, facts } = head;
  const front = argument === null ? [lead] : [lead, { text: argument.text, role: argument.role }];
  return wrapLine(joined(front, [...facts, ...marks]), width, { indent: width >= 24 ? 2 : 0 });
}

/** The end of `text` in at most `width` cells, behind an ellipsis where something was cut. */
export function shortenStart(text: string, width: number): string {
  if (width <= 0) return "";
  const near = text.length > 8 * width + 64 ? dropHalf(text.slice(-(8 * width + 64))) : text;
  if (near === text && cellWidth(text) <= width) return text;
  const mark = cellWidth("…") <= width ? "…" : ".";
  let left = width - cellWidth(mark);
  let end = "";
  const all = graphemes(near);
  for (let at = all.length - 1; at >= 0; at--) {
    const grapheme = all[at]!;
    left -= cellWidth(grapheme);
    if (left < 0) break;
    end = grapheme + end;
  }
  return mark + end;
}

function dropHalf(text: string): string {
  const code = text.charCodeAt(0);
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(1) : text;
}

function shortenArgument(argument: Argument, width: number): string {
  return argument.keep === "start" ? shortenText(argument.text, width) : shortenStart(argument.text, width);
}

/** Cells of the spans with a gap in front of each. */
function spansWidth(spans: readonly Span[]): number {
  return spans.reduce((width, span) => width + GAP.length + cellWidth(span.text), 0);
}

function moreText(hidden: Hidden, room: number): string {
  const whole = hiddenText(hidden);
  if (whole === "" || cellWidth(whole) < room) return whole;
  return `+${hidden.count}`;
}

/** Lead and argument with a blank between them, everything behind them with a gap. */
function joined(lead: readonly Span[], behind: readonly Span[]): Line {
  const parts: [string, Role][] = [];
  for (const span of lead) {
    if (span.text === "") continue;
    if (parts.length > 0) parts.push([" ", "default"]);
    parts.push([span.text, span.role]);
  }
  for (const span of behind) {
    if (span.text === "") continue;
    if (parts.length > 0) parts.push([GAP, "default"]);
    parts.push([span.text, span.role]);
  }
  return lineOf(...parts);
}
