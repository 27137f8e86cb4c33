// Messages written before, gone through with the draft kept, and searched backwards. Who stores them is said elsewhere.

import { type Draft, draftFragment, setDraft } from "./draft.ts";
import {
  type DraftPart,
  expandFragment,
  type Fragment,
  fragmentUnits,
  isEmptyFragment,
  partsFragment,
} from "./draft_text.ts";

/** A message written before: of this client, or parts stored by another one, whose pastes get numbers when recalled. */
type Prompt =
  & (
    | { readonly kind: "fragment"; readonly fragment: Fragment }
    | { readonly kind: "parts"; readonly parts: readonly DraftPart[] }
  )
  & { readonly units: number };

/** The messages, oldest first, and where among them the person is. */
export interface PromptHistory {
  readonly prompts: Prompt[];
  /** UTF-16 units of all of them. */
  units: number;
  /** The prompt shown; as many as there are prompts while the person's own draft is. */
  at: number;
  /** What was in the draft when it was left, by `at`: the own draft, and recalled prompts that were changed. */
  readonly kept: Map<number, Fragment>;
}

/** A search backwards. The draft stays as it is until a hit is taken. */
export interface PromptSearch {
  readonly query: string;
  /** The prompt found last; null before the first hit. */
  readonly found: number | null;
  /** Nothing older holds the query. */
  readonly failed: boolean;
}

/** Prompts kept. */
const MAX_PROMPTS = 1000;
/** UTF-16 units of them in all; the newest is kept whatever it takes. */
export const MAX_PROMPT_UNITS = 16 << 20;
/** Of a prompt this much is searched, in UTF-16 units. */
const SEARCHED = 20_000;

/** A history of stored prompts, oldest first. */
export function createPromptHistory(stored: readonly (readonly DraftPart[])[] = []): PromptHistory {
  const history: PromptHistory = { prompts: [], units: 0, at: 0, kept: new Map() };
  addStoredPrompts(history, stored);
  return history;
}

/**
 * Puts prompts stored by earlier clients, oldest first, in front of all there are: they come after the first frame.
 * Where the person stands stays the same prompt. Returns by how much every index grew, for a search that is on.
 */
export function addStoredPrompts(history: PromptHistory, stored: readonly (readonly DraftPart[])[]): number {
  const prompts: Prompt[] = [];
  for (let at = stored.length - 1; at >= 0; at--) {
    const parts = stored[at]!;
    const units = parts.reduce((sum, part) => sum + part.text.length, 0);
    const isRoom = prompts.length + history.prompts.length < MAX_PROMPTS;
    if (!isRoom || history.units + units > MAX_PROMPT_UNITS) break;
    prompts.push({ kind: "parts", parts, units });
    history.units += units;
  }
  const grown = prompts.length;
  if (grown === 0) return 0;
  history.prompts.unshift(...prompts.reverse());
  history.at += grown;
  const kept = [...history.kept];
  history.kept.clear();
  for (const [at, fragment] of kept) history.kept.set(at + grown, fragment);
  return grown;
}

/** Adds a message at the new end and goes there; false when it is blank or the same as the newest, so not added. */
export function addPrompt(history: PromptHistory, fragment: Fragment): boolean {
  const text = expandFragment(fragment);
  const newest = history.prompts.at(-1);
  const isNew = text.trim() !== "" && (newest === undefined || promptText(newest) !== text);
  if (isNew) {
    const units = fragmentUnits(fragment);
    history.prompts.push({ kind: "fragment", fragment, units });
    history.units += units;
  }
  const { prompts } = history;
  while (prompts.length > MAX_PROMPTS || history.units > MAX_PROMPT_UNITS && prompts.length > 1) {
    history.units -= prompts.shift()?.units ?? 0;
  }
  toOwnDraft(history);
  return isNew;
}

/** Forgets where the person was: what is in the draft now is the own draft. */
export function toOwnDraft(history: PromptHistory): void {
  history.at = history.prompts.length;
  history.kept.clear();
}

/** Puts an older (-1) or newer (1) prompt into the draft, or the own draft back; false at the ends. */
export function recallPrompt(history: PromptHistory, draft: Draft, by: -1 | 1): boolean {
  const next = history.at + by;
  if (next < 0 || next > history.prompts.length) return false;
  history.kept.set(history.at, draftFragment(draft));
  const fragment = history.kept.get(next) ?? promptFragment(history, next, draft);
  history.at = next;
  setDraft(draft, fragment);
  return true;
}

/** A search that has found nothing yet. */
export function startSearch(): PromptSearch {
  return { query: "", found: null, failed: false };
}

/** The search with another query: looks from the newest prompt on. An upper-case letter in it makes case count. */
export function searchFor(history: PromptHistory, query: string): PromptSearch {
  return searchFrom(history, query, history.prompts.length - 1);
}

/** The next older hit; the same one, failed, when there is none. */
export function searchOlder(history: PromptHistory, search: PromptSearch): PromptSearch {
  if (search.query === "") return search;
  const older = searchFrom(history, search.query, (search.found ?? history.prompts.length) - 1);
  return older.found === null ? { ...search, failed: true } : older;
}

/** The prompt a search has found; null when none. */
export function foundPrompt(history: PromptHistory, search: PromptSearch, draft: Draft): Fragment | null {
  return search.found === null ? null : promptFragment(history, search.found, draft);
}

/** Puts what was found into the draft, as one step of undo, and stands at that prompt. */
export function takeFound(history: PromptHistory, search: PromptSearch, draft: Draft): boolean {
  const fragment = foundPrompt(history, search, draft);
  if (fragment === null || search.found === null) return false;
  history.kept.set(history.at, draftFragment(draft));
  history.at = search.found;
  setDraft(draft, fragment);
  return true;
}

function searchFrom(history: PromptHistory, query: string, newest: number): PromptSearch {
  if (query === "") return startSearch();
  const isCaseSensitive = query !== query.toLowerCase();
  for (let at = newest; at >= 0; at--) {
    const text = promptText(history.prompts[at]!).slice(0, SEARCHED);
    if ((isCaseSensitive ? text : text.toLowerCase()).includes(query)) {
      return { query, found: at, failed: false };
    }
  }
  return { query, found: null, failed: true };
}

function promptText(prompt: Prompt): string {
  if (prompt.kind === "fragment") return expandFragment(prompt.fragment);
  return prompt.parts.map((part) => part.text).join("");
}

/** The prompt as a piece; stored pastes get their numbers now and keep them. */
function promptFragment(history: PromptHistory, at: number, draft: Draft): Fragment {
  const prompt = history.prompts[at];
  if (prompt === undefined) return partsFragment([], () => 0);
  if (prompt.kind === "fragment") return prompt.fragment;
  const fragment = partsFragment(prompt.parts, () => draft.nextPaste++);
  if (!isEmptyFragment(fragment)) history.prompts[at] = { kind: "fragment", fragment, units: prompt.units };
  return fragment;
}
