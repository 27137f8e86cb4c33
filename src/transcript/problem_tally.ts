// What is known of all that could not be read: how much, which lines, why. However many problems come, each costs
// the same, and what is kept of them stays small.

import type { Problem } from "./work.ts";

/** Reasons shown below the summary. */
const REASONS_AT_MOST = 50;
/** UTF-16 units shown of a reason. */
const LONGEST_REASON = 300;
/** Line numbers, or runs of them, named in the summary. */
const RANGES_AT_MOST = 500;
/** What is known of all problems of one sort. */
interface Tally {
  lines: number;
  /** Problems without a line. */
  others: number;
  /** Runs of neighbouring lines, rising. */
  readonly ranges: { start: number; end: number }[];
  /** All of them but the last as text. */
  text: string;
}

/** What the notice says, so that one more problem need not look at all the others. */
export interface ProblemTally {
  readonly skipped: Tally;
  readonly repaired: Tally;
  readonly reasons: string[];
  count: number;
}

export function createTally(): ProblemTally {
  return { skipped: newTally(), repaired: newTally(), reasons: [], count: 0 };
}

/** "Skipped 3 lines: 4, 6, 11-12", then what was wrong with each. */
export function tallyText({ skipped, repaired, reasons, count }: ProblemTally): string {
  const isNone = skipped.lines + skipped.others === 0;
  const summary = [
    ...summaryOf("Skipped", skipped),
    ...summaryOf(isNone ? "Repaired" : "repaired", repaired),
  ];
  const hidden = count - reasons.length;
  return [summary.join("; "), ...reasons, ...(hidden === 0 ? [] : [`and ${hidden} more`])].join("\n");
}

/** Counts one more. */
export function addToTally(tally: ProblemTally, { line, what, kept }: Problem): void {
  tally.count++;
  const part = kept === true ? tally.repaired : tally.skipped;
  if (line === null) part.others++;
  else if (addLine(part, line)) part.lines++;
  if (tally.reasons.length >= REASONS_AT_MOST) return;
  const reason = what.length > LONGEST_REASON ? `${what.slice(0, LONGEST_REASON).toWellFormed()}…` : what;
  tally.reasons.push(line === null ? reason : `line ${line}: ${reason}`);
}

/** False when the line is named already. */
function addLine(tally: Tally, line: number): boolean {
  const { ranges } = tally;
  const last = ranges.at(-1);
  if (last === undefined || line > last.end + 1) {
    if (ranges.length >= RANGES_AT_MOST) return true;
    if (last !== undefined) tally.text += `${rangeText(last)}, `;
    ranges.push({ start: line, end: line });
    return true;
  }
  if (line === last.end + 1) {
    last.end = line;
    return true;
  }
  if (line >= last.start) return false;
  return addEarlierLine(tally, line);
}

/** Lines come rising but for a few that had to wait for those behind them. */
function addEarlierLine(tally: Tally, line: number): boolean {
  const { ranges } = tally;
  if (ranges.some(({ start, end }) => start <= line && line <= end)) return false;
  const lines = [...ranges, { start: line, end: line }].sort((a, b) => a.start - b.start);
  ranges.length = 0;
  for (const range of lines) {
    const last = ranges.at(-1);
    if (last !== undefined && range.start === last.end + 1) last.end = range.end;
    else ranges.push({ ...range });
  }
  tally.text = ranges.slice(0, -1).map((range) => `${rangeText(range)}, `).join("");
  return true;
}

function newTally(): Tally {
  return { lines: 0, others: 0, ranges: [], text: "" };
}

function summaryOf(verb: string, tally: Tally): string[] {
  const { lines, others, ranges, text } = tally;
  const last = ranges.at(-1);
  const parts: string[] = [];
  if (last !== undefined) {
    const named = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
    const more = named < lines ? ` and ${lines - named} more` : "";
    parts.push(`${verb} ${counted(lines, "line")}: ${text}${rangeText(last)}${more}`);
  }
  if (others > 0) parts.push(`${verb} ${counted(others, "message")}`);
  return parts;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function rangeText({ start, end }: { readonly start: number; readonly end: number }): string {
  return start === end ? `${start}` : `${start}-${end}`;
}
