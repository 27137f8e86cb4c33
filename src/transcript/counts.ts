// Counts of names that come from outside, for /status: whatever names an agent makes up, the map stays small.

/** Names counted one by one in a map; all later ones are counted together. */
export const MOST_NAMES = 200;
/** UTF-16 units kept of a name. */
export const LONGEST_NAME = 100;
/** What is counted together. */
export const OTHER_NAMES = "other names";

/** One more (or `by` more) of a name. */
export function countIn(counts: Map<string, number>, name: string, by = 1): void {
  const kept = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name;
  const known = counts.has(kept) || counts.size < MOST_NAMES ? kept : OTHER_NAMES;
  counts.set(known, (counts.get(known) ?? 0) + by);
}
