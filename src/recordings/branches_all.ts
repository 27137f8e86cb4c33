// All branches of a recording whose records form a tree, one behind the other as they were written, with a row where
// one goes back to an earlier place. One branch alone is branches.ts.

import { type BranchRules, isEnd } from "./branches.ts";
import type { NotShown } from "./not_shown.ts";
import { createTelling, notify, takeSteps, tellFrom } from "./telling.ts";
import type { RecordingStep, Translator } from "./translator.ts";

/** A translator that shows every record, in the order of the file. */
export function createAllBranches(rules: BranchRules): Translator {
  const inner = rules.create();
  /** The entry each entry follows, null for the beginning. */
  const parents = new Map<string, string | null>();
  let leaf: string | null = null;
  /** The entry written last. */
  let newest: string | null = null;
  /** Where the session has gone back to, until something is shown of that branch. */
  let jump: { readonly parent: string | null } | null = null;
  return {
    push: (value, line) => {
      const move = rules.moveOf?.(value) ?? null;
      if (move !== null) {
        const isKnown = parents.has(move.to);
        if (isKnown) leaf = move.isBefore ? parents.get(move.to) ?? null : move.to;
        return [ignored(isKnown ? "move to where the session is" : "move to an unknown message", line)];
      }
      const id = rules.idOf(value);
      if (id !== null && parents.has(id) && rules.repeats === "same") {
        return [ignored("record repeated", line)];
      }
      if (id === null || parents.has(id)) return inner.push(value, line);
      const named = rules.parentOf(value);
      // A parent that is not in the file was cut off: the record then follows the one before.
      const parent: string | null = named === undefined || named !== null && !parents.has(named)
        ? leaf
        : named;
      if (newest !== null && parent !== newest) jump = { parent };
      parents.set(id, parent);
      leaf = id;
      newest = id;
      const steps = inner.push(value, line);
      if (jump === null || !rules.isShown(value)) return steps;
      const rows = withRow(steps, { agent: rules.agent, line, parent: jump.parent });
      jump = null;
      return rows;
    },
    end: () => inner.end(),
  };
}

/** The row stands behind what still belongs to the turn before. */
function withRow(
  steps: readonly RecordingStep[],
  place: { readonly agent: string; readonly line: number; readonly parent: string | null },
): readonly RecordingStep[] {
  const telling = createTelling(place.agent);
  telling.greeted = true;
  tellFrom(telling, place.line, null);
  const where = place.parent === null ? "its beginning" : place.parent;
  notify(telling, "info", `The session goes back to ${where}: another branch`);
  const start = Math.max(0, steps.findIndex((step) => !isEnd(step)));
  return [...steps.slice(0, start), ...takeSteps(telling), ...steps.slice(start)];
}

function ignored(what: NotShown, line: number): RecordingStep {
  return { kind: "ignored", what, line };
}
