// Fuzzy matching of what was typed against many candidates, paths above all, in slices as large as the caller likes.
// All terms of the query must occur, each as letters in order; better are letters together, at starts of words, and in
// the last part of a path.

/** A search through `items`. */
export interface FuzzySearch {
  readonly items: readonly string[];
  readonly terms: readonly Term[];
  /** Indices of items to look at; null: all of them. */
  readonly from: readonly number[] | null;
  /** How many of them have been looked at. */
  at: number;
  /** The best so far, best first. */
  readonly best: FuzzyMatch[];
  /** Indices of all that matched, for a search that goes on from this one. */
  readonly matched: number[];
  readonly limit: number;
}

/** An item that matched: a higher score is better. */
export interface FuzzyMatch {
  readonly index: number;
  readonly score: number;
}

interface Term {
  readonly text: string;
  /** Upper case in a term makes case count. */
  readonly isCaseSensitive: boolean;
}

/** A search that has looked at nothing; `limit` is how many of the best are kept. */
export function createFuzzySearch(items: readonly string[], query: string, limit = 50): FuzzySearch {
  return { items, terms: termsOf(query), from: null, at: 0, best: [], matched: [], limit };
}

/** A search for a longer query: looks only at what matched the shorter one, when that search is done. */
export function refineFuzzySearch(search: FuzzySearch, query: string): FuzzySearch {
  const { items, limit } = search;
  const terms = termsOf(query);
  const isLonger = search.terms.length === terms.length &&
    search.terms.every((term, index) => {
      const next = terms[index]!;
      return next.text.startsWith(term.text) && term.isCaseSensitive === next.isCaseSensitive;
    });
  const from = isLonger && isFuzzyDone(search) ? search.matched : null;
  return { items, terms, from, at: 0, best: [], matched: [], limit };
}

/** Looks at the next `count` items; true when all have been looked at. `best` is right for what has been seen. */
export function scanFuzzy(search: FuzzySearch, count: number): boolean {
  const { items, from, terms, matched } = search;
  const end = Math.min(from?.length ?? items.length, search.at + count);
  for (; search.at < end; search.at++) {
    const index = from === null ? search.at : from[search.at]!;
    const score = scoreTerms(items[index] ?? "", terms);
    if (score === null) continue;
    matched.push(index);
    keepBest(search, { index, score });
  }
  return isFuzzyDone(search);
}

/** Whether every item has been looked at. */
export function isFuzzyDone(search: FuzzySearch): boolean {
  return search.at >= (search.from?.length ?? search.items.length);
}

/** The best items for a query, all at once: for short lists. */
export function fuzzyBest(items: readonly string[], query: string, limit = 50): readonly string[] {
  const search = createFuzzySearch(items, query, limit);
  scanFuzzy(search, items.length);
  return search.best.map(({ index }) => items[index] ?? "");
}

/** The score of one item; null when it does not match. */
export function fuzzyScore(item: string, query: string): number | null {
  return scoreTerms(item, termsOf(query));
}

/** Where the letters of the query stand in an item, in UTF-16 units, for marking them. */
export function fuzzyPositions(item: string, query: string): readonly number[] {
  const all = new Set<number>();
  for (const term of termsOf(query)) {
    for (const position of matchPositions(item, term)) all.add(position);
  }
  return [...all].sort((first, second) => first - second);
}

const TOGETHER = 16;
const WORD_START = 12;
const LAST_PART = 8;
const GAP = 2;

function termsOf(query: string): readonly Term[] {
  return query.split(/\s+/u).filter((text) => text !== "").map((text) => ({
    text,
    isCaseSensitive: text !== text.toLowerCase(),
  }));
}

function scoreTerms(item: string, terms: readonly Term[]): number | null {
  let score = 0;
  for (const term of terms) {
    const own = scoreTerm(item, term);
    if (own === null) return null;
    score += own;
  }
  // Of equals the shorter one.
  return score * 1024 - Math.min(1023, item.length);
}

/** Called for every item: makes no objects. */
function scoreTerm(item: string, term: Term): number | null {
  const base = lastPart(item);
  const end = matchEnd(item, base, term);
  if (end < 0) return null;
  let score = 0;
  let right = -1;
  for (let left = term.text.length - 1, at = end - 1; left >= 0; at--) {
    if (!isSameUnit(item.charCodeAt(at), term.text.charCodeAt(left), term.isCaseSensitive)) continue;
    if (right >= 0) score += right === at + 1 ? TOGETHER : -Math.min(right - at - 1, 8) * GAP;
    if (isWordStart(item, at)) score += WORD_START;
    if (at >= base) score += LAST_PART;
    right = at;
    left--;
  }
  return score;
}

/** Where the letters stand, the same ones that `scoreTerm` counts; none when they do not all occur. */
function matchPositions(item: string, term: Term): readonly number[] {
  const positions: number[] = [];
  const end = matchEnd(item, lastPart(item), term);
  for (let left = term.text.length - 1, at = end - 1; end >= 0 && left >= 0; at--) {
    if (!isSameUnit(item.charCodeAt(at), term.text.charCodeAt(left), term.isCaseSensitive)) continue;
    positions.push(at);
    left--;
  }
  return positions;
}

/**
 * Where the term's letters have all been met, in the last part of a path if they are all there, else from the start;
 * -1 when they are not. From there back is the tightest way to that end.
 */
function matchEnd(item: string, base: number, term: Term): number {
  const { text, isCaseSensitive } = term;
  for (let at = base, found = 0;; at++) {
    if (found === text.length) return at;
    if (at >= item.length) break;
    if (isSameUnit(item.charCodeAt(at), text.charCodeAt(found), isCaseSensitive)) found++;
  }
  return base === 0 ? -1 : matchEnd(item, 0, term);
}

/** Where the last part of a path begins; a folder's own name counts as its last part. */
function lastPart(item: string): number {
  return item.lastIndexOf("/", item.length - 2) + 1;
}

function isSameUnit(unit: number, wanted: number, isCaseSensitive: boolean): boolean {
  if (unit === wanted) return true;
  if (isCaseSensitive) return false;
  if (unit < 0x80) return unit >= 0x41 && unit <= 0x5a && unit + 0x20 === wanted;
  return String.fromCharCode(unit).toLowerCase() === String.fromCharCode(wanted);
}

function isWordStart(item: string, at: number): boolean {
  if (at === 0) return true;
  const before = item.charCodeAt(at - 1);
  const own = item.charCodeAt(at);
  // "/", "\\", "_", "-", ".", " "
  if (
    before === 0x2f || before === 0x5c || before === 0x5f || before === 0x2d || before === 0x2e ||
    before === 0x20
  ) return true;
  return own >= 0x41 && own <= 0x5a && !(before >= 0x41 && before <= 0x5a);
}

/** Keeps the list sorted and short; equal scores keep the order of the items. */
function keepBest(search: FuzzySearch, match: FuzzyMatch) {
  const { best, limit } = search;
  if (best.length >= limit && match.score <= best.at(-1)!.score) return;
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (best[middle]!.score >= match.score) low = middle + 1;
    else high = middle;
  }
  best.splice(low, 0, match);
  if (best.length > limit) best.pop();
}
