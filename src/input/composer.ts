// The composer: the draft with its history of prompts, the search in it, and completion, driven by keys and actions.
// What sending, leaving or a command means is said elsewhere: an action that is not the composer's is given back.

import type { ActionName } from "./actions.ts";
import {
  applyCompletion,
  type Completion,
  type CompletionRequest,
  createCompletion,
  dismissCompletion,
  isChoiceTyped,
  isCompletionOpen,
  moveCompletion,
  updateCompletion,
} from "./completion.ts";
import {
  createDraft,
  type Draft,
  draftFragment,
  insertPaste,
  isEmptyDraft,
  selectionOf,
  setCaret,
  setDraft,
  takeDraft,
  typeText,
} from "./draft.ts";
import { applyDraftAction, isDraftAction } from "./draft_actions.ts";
import { type DraftRows, draftRows } from "./draft_rows.ts";
import { type DraftPart, EMPTY_FRAGMENT, type Fragment } from "./draft_text.ts";
import type { Key } from "./key.ts";
import {
  addPrompt,
  addStoredPrompts,
  createPromptHistory,
  foundPrompt,
  type PromptHistory,
  type PromptSearch,
  recallPrompt,
  searchFor,
  searchOlder,
  startSearch,
  takeFound,
} from "./prompt_history.ts";

/** Where a person types. One lives as long as the client. */
export interface Composer {
  readonly draft: Draft;
  readonly history: PromptHistory;
  /** The search backwards through the history; null when none is on. */
  search: PromptSearch | null;
  readonly completion: Completion;
}

/**
 * What became of an action: "done" (maybe nothing was to do), "submit" when what is in the draft is to be sent, or
 * "ignored" when it is somebody else's here, such as Esc with nothing open.
 */
export type ComposerResult = "done" | "submit" | "ignored";

/** A composer with the prompts stored before, oldest first. */
export function createComposer(
  options: { readonly pasteThreshold?: number; readonly prompts?: readonly (readonly DraftPart[])[] } = {},
): Composer {
  return {
    draft: createDraft(options),
    history: createPromptHistory(options.prompts),
    search: null,
    completion: createCompletion(),
  };
}

/** Takes the prompts of earlier clients, oldest first, whenever they have been read; a search that is on goes on. */
export function loadPrompts(composer: Composer, stored: readonly (readonly DraftPart[])[]): void {
  const { search, history } = composer;
  const grown = addStoredPrompts(history, stored);
  if (search === null || grown === 0) return;
  composer.search = search.found === null
    ? searchFor(history, search.query)
    : { ...search, found: search.found + grown, failed: false };
}

/** Types what the key types; false when it types nothing. */
export function typeKey(composer: Composer, key: Key): boolean {
  if (key.text === undefined) return false;
  if (composer.search !== null) {
    composer.search = searchFor(composer.history, composer.search.query + key.text);
  } else typeText(composer.draft, key.text);
  return true;
}

/** Takes a paste: into the query of a search, else into the draft. */
export function pasteIntoComposer(composer: Composer, text: string): void {
  if (composer.search === null) insertPaste(composer.draft, text);
  else composer.search = searchFor(composer.history, composer.search.query + text.replace(/\s+/gu, " "));
}

/** Does an action. `width` is the composer's in cells, for moves by row. */
export function composerAction(composer: Composer, action: ActionName, width: number): ComposerResult {
  return (composer.search !== null ? searchAction(composer, action) : null) ??
    (isCompletionOpen(composer.completion) ? completionAction(composer, action) : null) ??
    draftAction(composer, action, width);
}

/**
 * To be called when keys and actions of a read are done: the completion that is now wanted, null when none or the
 * same as before.
 */
export function wantedCompletion(composer: Composer): CompletionRequest | null {
  if (composer.search !== null) {
    dismissCompletion(composer.completion);
    return null;
  }
  return updateCompletion(composer.completion, composer.draft);
}

/** Takes what is in the draft because it is sent: the draft is empty then, the history has it. */
export function takeMessage(composer: Composer): Fragment {
  const fragment = takeDraft(composer.draft);
  addPrompt(composer.history, fragment);
  return fragment;
}

/** Empties the draft; undo and older prompts bring it back. False when it was empty. */
export function clearComposer(composer: Composer): boolean {
  composer.search = null;
  if (isEmptyDraft(composer.draft)) return false;
  addPrompt(composer.history, draftFragment(composer.draft));
  setDraft(composer.draft, EMPTY_FRAGMENT);
  return true;
}

/** The rows to show: of the draft, or of what a search has found. */
export function composerRows(composer: Composer, width: number, height: number): DraftRows {
  const { search, history, draft } = composer;
  const found = search === null ? null : foundPrompt(history, search, draft);
  if (found === null) return draftRows(draft, width, height);
  const shown = createDraft();
  setDraft(shown, found);
  return draftRows(shown, width, height);
}

/** In a search the text keys go to its query. Any other action takes what was found and is done to that. */
function searchAction(composer: Composer, action: ActionName): ComposerResult | null {
  const { history, draft } = composer;
  const search = composer.search ?? startSearch();
  switch (action) {
    case "search_prompts":
    case "older_prompt":
    case "caret_up":
      composer.search = searchOlder(history, search);
      return "done";
    case "delete_left":
      composer.search = searchFor(history, [...search.query].slice(0, -1).join(""));
      return "done";
    case "escape":
    case "leave":
      composer.search = null;
      return action === "escape" ? "done" : "ignored";
  }
  takeFound(history, search, draft);
  composer.search = null;
  return action === "submit" ? "done" : null;
}

function completionAction(composer: Composer, action: ActionName): ComposerResult | null {
  const { completion, draft } = composer;
  switch (action) {
    case "caret_up":
    case "older_prompt":
      moveCompletion(completion, -1);
      return "done";
    case "caret_down":
    case "newer_prompt":
      moveCompletion(completion, 1);
      return "done";
    case "escape":
      dismissCompletion(completion);
      return "done";
    case "submit":
      if (isChoiceTyped(completion)) {
        dismissCompletion(completion);
        return null;
      }
      applyCompletion(completion, draft);
      return "done";
    case "switch_place":
      applyCompletion(completion, draft);
      return "done";
    default:
      return null;
  }
}

function draftAction(composer: Composer, action: ActionName, width: number): ComposerResult {
  const { draft, history } = composer;
  switch (action) {
    case "submit":
      return "submit";
    case "older_prompt":
      recallPrompt(history, draft, -1);
      return "done";
    case "newer_prompt":
      recallPrompt(history, draft, 1);
      return "done";
    case "search_prompts":
      composer.search = startSearch();
      return "done";
    case "escape":
      if (selectionOf(draft) === null) return "ignored";
      setCaret(draft, draft.caret);
      return "done";
    case "delete_or_shutdown":
      if (isEmptyDraft(draft)) return "ignored";
      applyDraftAction(draft, "delete_right", width);
      return "done";
  }
  if (!isDraftAction(action)) return "ignored";
  const done = applyDraftAction(draft, action, width);
  // From the first and the last row the arrows reach the history.
  if (!done && action === "caret_up") recallPrompt(history, draft, -1);
  if (!done && action === "caret_down") recallPrompt(history, draft, 1);
  return "done";
}
