// From a key to an action, by who has the keys: a panel, the history or the composer. The actions stand in tables.

import type { ActionName, Place } from "../input/actions.ts";
import { typeKey } from "../input/composer.ts";
import { type DraftActionName, isDraftAction } from "../input/draft_actions.ts";
import type { Key } from "../input/key.ts";
import { lookup } from "../input/keymap.ts";
import { AGENT_ACTIONS, disarmLeaving } from "./actions_agent.ts";
import { editDraft, MESSAGE_ACTIONS } from "./actions_message.ts";
import { noteTyped, PANEL_ACTIONS, typeIntoPanel } from "./actions_panel.ts";
import { VIEW_ACTIONS } from "./actions_view.ts";
import { refreshCompletion } from "./completion.ts";
import type { Effect } from "./effect.ts";
import { panelWithKeys } from "./panels/shown_panel.ts";
import type { State } from "./state.ts";

/** What an action does. */
export type ActionHandler = (state: State, key: Key) => readonly Effect[] | void;

/** Actions that only the composer knows. */
type ComposerAction = DraftActionName | "older_prompt" | "newer_prompt" | "search_prompts";

/** Every other action has exactly one handler: the compiler checks the sum of the tables. */
const HANDLERS: Readonly<Record<Exclude<ActionName, ComposerAction>, ActionHandler>> = {
  ...VIEW_ACTIONS,
  ...MESSAGE_ACTIONS,
  ...AGENT_ACTIONS,
  ...PANEL_ACTIONS,
};

const NOTHING: readonly Effect[] = [];

/** Handles one key press. A key that is bound nowhere types its text into the draft, or does nothing. */
export function updateKey(state: State, key: Key): readonly Effect[] {
  const armedUntilMs = state.leaveUntilMs;
  const effects = handleKey(state, key);
  // Whoever does something else in between did not mean to leave.
  if (armedUntilMs > 0 && state.leaveUntilMs === armedUntilMs) disarmLeaving(state);
  return effects;
}

function handleKey(state: State, key: Key): readonly Effect[] {
  const panel = panelWithKeys(state);
  if (panel !== null && state.pendingKeys.length === 0) {
    const effects = typeIntoPanel(state, panel, key);
    if (effects !== null) return effects;
  }
  const place = panel !== null ? "panel" : state.focus;
  const found = lookup(state.keymap, place, key, state.pendingKeys);
  state.pendingKeys = found.kind === "prefix" ? found.pending : [];
  if (found.kind === "prefix") return NOTHING;
  if (found.kind === "action") return act(state, found.action, { key, place });
  if (place === "history" || !typeKey(state.composer, key)) return NOTHING;
  noteTyped(state);
  return refreshCompletion(state);
}

function act(
  state: State,
  action: ActionName,
  { key, place }: { readonly key: Key; readonly place: Place },
): readonly Effect[] {
  // A panel of text is closed before anything that is typed.
  const isClosing = action === "escape" && state.panel !== null;
  if (place === "composer" && !isClosing) {
    const before = state.composer.draft.version;
    const result = editDraft(state, action);
    if (state.composer.draft.version !== before) state.lastTypedMs = state.nowMs;
    if (result === "done") return refreshCompletion(state);
  }
  if (isComposerAction(action)) return NOTHING;
  const effects = HANDLERS[action](state, key) ?? NOTHING;
  const wanted = state.focus === "composer" ? refreshCompletion(state) : NOTHING;
  return wanted.length === 0 ? effects : [...effects, ...wanted];
}

function isComposerAction(action: ActionName): action is ComposerAction {
  return isDraftAction(action) || action === "older_prompt" || action === "newer_prompt" ||
    action === "search_prompts";
}
