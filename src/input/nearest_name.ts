// The name that a person may have meant: for messages about one that nobody knows.

/** The known name nearest to `name` by edits, for messages; null when none is near. */
export function nearestName(
  name: string,
  known: readonly string[],
  most = Math.max(2, Math.floor(name.length / 2)),
): string | null {
  let best: string | null = null;
  let bestDistance = most + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance in code units. */
function editDistance(first: string, second: string): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let i = 1; i <= first.length; i++) {
    const next = [i];
    for (let j = 1; j <= second.length; j++) {
      const same = first.charAt(i - 1) === second.charAt(j - 1) ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[second.length] ?? 0;
}
