// Accounting for what a recorded session holds and nobody is shown, with reasons of the formats that have many:
// their tables are data (CLAUDE_IGNORED, CODEX_IGNORED), a reason is a short constant, for counting.

import type { Telling } from "./telling.ts";

/** Accounts for something that is known and not shown. */
export function ignore(telling: Telling, what: string): void {
  telling.steps.push({ kind: "ignored", what, line: telling.line });
}

/** Accounts for a kind of record nobody here knows. */
export function ignoreUnknown(telling: Telling, kind: string): void {
  ignore(telling, `unknown ${kind === "" ? "record" : kind.slice(0, 80)}`);
}
