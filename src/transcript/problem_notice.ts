// One row for everything that could not be read: it counts and names the lines, and grows in place.

import { touch } from "./blocks.ts";
import { addToTally, createTally, tallyText } from "./problem_tally.ts";
import { addNotice } from "./reduce_notice.ts";
import type { Problem, Session } from "./work.ts";

/** Problems kept, to be told again without those of a history. */
export const PROBLEMS_AT_MOST = 2000;

export function addProblem(session: Session, problem: Problem): void {
  const { work } = session;
  if (work.problems.length < PROBLEMS_AT_MOST) {
    if (work.mode !== "live") work.itemProblems.add(problem);
    work.problems.push(problem);
  }
  addToTally(work.problemTally, problem);
  const message = tallyText(work.problemTally);
  if (work.problemNotice === null) {
    work.problemNotice = addNotice(session, { level: "warn", source: null, message });
    return;
  }
  work.problemNotice.message = message;
  touch(session, work.problemNotice);
}

/** Forgets the problems of a history: a new one tells them again. */
export function forgetItemProblems(session: Session): void {
  const { work } = session;
  work.problemNotice = null;
  if (work.itemProblems.size === 0) return;
  work.problems = work.problems.filter((problem) => !work.itemProblems.has(problem));
  work.itemProblems.clear();
  work.problemTally = createTally();
  for (const problem of work.problems) addToTally(work.problemTally, problem);
}

/** Shows the notice again in a transcript that was rebuilt. */
export function redrawProblems(session: Session): void {
  const { work } = session;
  if (work.problemNotice !== null || work.problemTally.count === 0) return;
  work.problemNotice = addNotice(session, {
    level: "warn",
    source: null,
    message: tallyText(work.problemTally),
  });
}
