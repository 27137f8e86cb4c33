// One row for everything that could not be read: it counts and names the lines, and grows in place.

import { touch } from "./blocks.ts";
import { addNotice } from "./reduce_notice.ts";
import type { Problem, Session } from "./work.ts";

/** Reasons shown below the summary. */
const REASONS_AT_MOST = 50;

export function addProblem(session: Session, problem: Problem): void {
  const { work } = session;
  if (work.mode !== "live") work.itemProblems.add(problem);
  work.problems.push(problem);
  if (work.problemNotice === null) {
    work.problemNotice = addNotice(session, {
      level: "warn",
      source: null,
      message: problemText(work.problems),
    });
    return;
  }
  work.problemNotice.message = problemText(work.problems);
  touch(session, work.problemNotice);
}

/** Shows the notice again in a transcript that was rebuilt. */
export function redrawProblems(session: Session): void {
  const { work } = session;
  if (work.problemNotice !== null || work.problems.length === 0) return;
  work.problemNotice = addNotice(session, {
    level: "warn",
    source: null,
    message: problemText(work.problems),
  });
}

/** "Skipped 3 lines: 4, 6, 11-12", then what was wrong with each. */
export function problemText(problems: readonly Problem[]): string {
  const skipped = problems.filter((problem) => problem.kept !== true);
  const repaired = problems.filter((problem) => problem.kept === true);
  const summary = [
    ...summaryOf("Skipped", skipped, "message"),
    ...summaryOf(skipped.length === 0 ? "Repaired" : "repaired", repaired, "message"),
  ].join("; ");
  const reasons = problems.slice(0, REASONS_AT_MOST).map(({ line, what }) =>
    line === null ? what : `line ${line}: ${what}`
  );
  const hidden = problems.length - reasons.length;
  return [summary, ...reasons, ...(hidden === 0 ? [] : [`and ${hidden} more`])].join("\n");
}

function summaryOf(verb: string, problems: readonly Problem[], unnumbered: string): string[] {
  const lines = [...new Set(problems.flatMap(({ line }) => line === null ? [] : [line]))];
  const others = problems.filter(({ line }) => line === null).length;
  const parts: string[] = [];
  if (lines.length > 0) parts.push(`${verb} ${count(lines.length, "line")}: ${ranges(lines)}`);
  if (others > 0) parts.push(`${verb} ${count(others, unnumbered)}`);
  return parts;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Rising numbers with neighbours drawn together: "4, 6, 11-13". */
function ranges(lines: readonly number[]): string {
  const sorted = [...lines].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length;) {
    let end = at;
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end++;
    parts.push(end === at ? `${sorted[at]}` : `${sorted[at]}-${sorted[end]}`);
    at = end + 1;
  }
  return parts.join(", ");
}
