// Actions of a panel that has the keys: marking, checking, answering, free text, filters.

import type { ActionName, ACTIONS } from "../input/actions.ts";
import { type Composer, composerAction, typeKey } from "../input/composer.ts";
import { isEmptyDraft } from "../input/draft.ts";
import type { Key } from "../input/key.ts";
import { lookup } from "../input/keymap.ts";
import type { Answer } from "../transcript/event.ts";
import type { Effect } from "./effect.ts";
import { closeFind, moveFind, refreshFind } from "./find.ts";
import type { ActionHandler } from "./keys.ts";
import { scrollRows } from "../layout/viewport.ts";
import { isSessionList, movePick, pickedItem } from "./panels/picker_panel.ts";
import {
  answerQuestion,
  askedQuestion,
  denyingAnswer,
  markNumber,
  moveMark,
  openFreeText,
  type QuestionPanel,
  toggleCheck,
} from "./panels/question_panel.ts";
import { type KeyPanel, panelWithKeys, shownPanel } from "./panels/shown_panel.ts";
import { takePick } from "./picks.ts";
import { restartPause, syncQuestions } from "./questions.ts";
import { regionsOf } from "./regions.ts";
import { showHint, type State } from "./state.ts";

type PanelAction = {
  [Name in ActionName]: typeof ACTIONS[Name]["group"] extends "panel" ? Name : never;
}[ActionName];

const NOTHING: readonly Effect[] = [];

/** The actions of the group "panel". */
export const PANEL_ACTIONS: Readonly<Record<PanelAction, ActionHandler>> = {
  panel_up: (state) => move(state, -1),
  panel_down: (state) => move(state, 1),
  panel_page_up: (state) => scrollPanelPage(state, -1),
  panel_page_down: (state) => scrollPanelPage(state, 1),
  panel_mark: (state, key) => withQuestion(state, (panel) => markNumber(panel, Number(key.text ?? key.name))),
  panel_check: (state) => withQuestion(state, toggleCheck),
  panel_answer: answer,
  panel_free_text: (state, key) => {
    const panel = panelWithKeys(state);
    if (panel?.kind === "question" && openFreeText(panel)) return NOTHING;
    // Where there is no free text Tab leaves the panel, and a letter is a letter.
    if (key.name === "Tab") state.panelFocus = "left";
    else if (typeKey(state.composer, key)) noteTyped(state);
    return NOTHING;
  },
  panel_leave: (state) => {
    state.panelFocus = "left";
  },
};

/** Something was typed into the draft: what follows goes there too, also from within a panel that was entered. */
export function noteTyped(state: State): void {
  state.lastTypedMs = state.nowMs;
  if (state.panelFocus === "entered") state.panelFocus = "auto";
}

/** A key while a panel takes text (free text, a filter): null when it is none of the panel's. */
export function typeIntoPanel(
  state: State,
  panel: KeyPanel,
  key: Key,
): readonly Effect[] | null {
  const composer = textOf(panel);
  if (composer === null) return null;
  if (key.text !== undefined && !key.ctrl && !key.alt && typeKey(composer, key)) return edited(state);
  const own = lookup(state.keymap, "panel", key);
  if (own.kind === "action" && (own.action.startsWith("panel_") || own.action === "escape")) return null;
  const edit = lookup(state.keymap, "composer", key);
  if (edit.kind !== "action" || edit.action === "submit" || edit.action === "leave") return null;
  // It deletes to the right; that an empty field shuts the agent down is the message's.
  if (edit.action === "delete_or_shutdown" && !isSessionList(panel) && isEmptyDraft(composer.draft)) {
    return NOTHING;
  }
  // One row has no other line: where Enter cannot be told from pasted text (several in one read) it comes so too.
  if (edit.action === "newline" && panel.kind === "find") return answer(state);
  if (edit.action === "newline" && panel.kind === "picker") {
    return typeKey(composer, { ...key, name: "Space", text: " " }) ? NOTHING : null;
  }
  const result = composerAction(composer, edit.action, Math.max(1, state.columns - 2));
  return result === "ignored" ? null : edited(state);
}

/** What is typed into a search is looked for at once. */
function edited(state: State): readonly Effect[] {
  refreshFind(state);
  return NOTHING;
}

/** A paste while a panel has the keys: into what takes text there, line ends as blanks; false when nothing does. */
export function pasteIntoPanel(state: State, text: string): boolean {
  const panel = panelWithKeys(state);
  const composer = panel === null ? null : textOf(panel);
  if (composer === null) return false;
  const [first = "", ...others] = text.split("\n");
  const last = others.pop();
  const inside = others.map((one) => one.trim()).filter((one) => one !== "");
  const line = last === undefined ? first : [first.trimEnd(), ...inside, last.trimStart()].join(" ");
  if (line !== "") typeKey(composer, { name: "paste", text: line, ctrl: false, alt: false, shift: false });
  edited(state);
  return true;
}

/** Esc with a panel that has the keys: out of free text, else away with it; a permission is denied, a batch rejected. */
export function escapePanel(state: State): readonly Effect[] {
  if (state.panel !== null) {
    // Behind the list of sessions there is nothing to see.
    const isSessions = isSessionList(state.panel);
    closeFind(state);
    state.panel = state.listBelow;
    state.listBelow = null;
    state.panelFocus = "auto";
    // What it stood before is seen only now.
    restartPause(state);
    return isSessions ? [{ kind: "quit", code: 0 }] : NOTHING;
  }
  const panel = panelWithKeys(state);
  if (panel === null || panel.kind !== "question") return NOTHING;
  if (panel.free !== null && (askedQuestion(panel)?.options.length ?? 0) > 0) {
    panel.free = null;
    return NOTHING;
  }
  const denied = panel.batch.permission ? denyingAnswer(panel) : null;
  return denied !== null ? close(state, panel, denied) : close(state, panel, null);
}

/** Scrolls an open panel of text, or a question's body, by rows. */
export function scrollPanel(state: State, rows: number): void {
  const panel = shownPanel(state);
  if (panel !== null && panel.kind !== "picker" && panel.kind !== "find") {
    panel.scroll = Math.max(0, panel.scroll + rows);
  }
}

/** Scrolls by what is seen of it. */
export function scrollPanelPage(state: State, direction: -1 | 1): void {
  const page = Math.max(1, regionsOf(state).panel.height - 2);
  const panel = shownPanel(state);
  if (panel?.kind === "find") {
    const { height } = regionsOf(state).transcript;
    scrollRows(state.layout, state.viewport, height, direction * Math.max(1, height - 1));
  } else if (panel?.kind === "picker") {
    movePick(panel, direction * Math.min(page, Math.max(1, panel.items.length - 1)));
  } else scrollPanel(state, direction * page);
}

function textOf(panel: KeyPanel): Composer | null {
  if (panel.kind === "find") return panel.field;
  return panel.kind === "picker" ? panel.filter : panel.free;
}

function move(state: State, by: -1 | 1): void {
  const panel = panelWithKeys(state);
  if (panel?.kind === "picker") movePick(panel, by);
  else if (panel?.kind === "find") moveFind(state, by < 0 ? "older" : "newer");
  else if (panel?.kind === "question") moveMark(panel, by);
}

function withQuestion(state: State, deed: (panel: QuestionPanel) => void): void {
  const panel = panelWithKeys(state);
  if (panel?.kind === "question") deed(panel);
}

function answer(state: State): readonly Effect[] {
  const panel = panelWithKeys(state);
  if (panel?.kind === "find") moveFind(state, "older");
  if (panel?.kind === "picker") {
    const item = pickedItem(panel);
    if (item === null) {
      showHint(state, "Nothing matches the filter", "warn");
      return NOTHING;
    }
    // A session that cannot be opened leaves the others to pick from.
    if (panel.purpose.kind !== "session") {
      state.panel = null;
      state.panelFocus = "auto";
    }
    return takePick(state, panel.purpose, item);
  }
  if (panel?.kind !== "question") return NOTHING;
  const answers = answerQuestion(panel);
  return answers === null ? NOTHING : close(state, panel, answers);
}

/** Sends the answers, or the rejection; the batch is then done here whatever the agent says later. */
function close(state: State, panel: QuestionPanel, answers: readonly Answer[] | null): readonly Effect[] {
  const batch_id = panel.batch.batchId;
  state.answered.add(batch_id);
  syncQuestions(state);
  if (answers === null) {
    return [{ kind: "send", method: { method: "dismiss_question", params: { batch_id } } }];
  }
  return [{ kind: "send", method: { method: "answer", params: { batch_id, answers: [...answers] } } }];
}
