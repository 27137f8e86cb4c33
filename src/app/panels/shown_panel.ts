// Which panel is on the screen, who has the keys, and its rows: what the person opened stands before what is asked.

import { isEmptyDraft } from "../../input/draft.ts";
import type { Line } from "../../text/line.ts";
import type { State } from "../state.ts";
import { type FindPanel, findRows } from "./find_panel.ts";
import { type Panel, panelRows, visiblePanelRows } from "./panel.ts";
import { pickerHeight, type PickerPanel, pickerRows } from "./picker_panel.ts";
import {
  hiddenQuestionRow,
  type PanelKeys,
  questionHeight,
  type QuestionPanel,
  questionRows,
} from "./question_panel.ts";

/** Any panel. */
export type AnyPanel = Panel | PickerPanel | QuestionPanel | FindPanel;

/** A panel that takes keys. */
export type KeyPanel = Exclude<AnyPanel, Panel>;

/** How long a panel must have been on the screen, and nothing typed, before it takes keys by itself, in ms. */
export const PANEL_PAUSE_MS = 500;

/** The panel on the screen; null when there is none. */
export function shownPanel(state: State): AnyPanel | null {
  return state.panel ?? state.question;
}

/** The search on the screen. */
export function shownFind(state: State): FindPanel | null {
  return state.panel?.kind === "find" ? state.panel : null;
}

/** The panel that has the keys. The draft keeps them while it has text or was just typed in, and before a panel was long enough on the screen. */
export function panelWithKeys(state: State): KeyPanel | null {
  const panel = shownPanel(state);
  if (panel === null || panel.kind === "text" || state.focus === "history") return null;
  if (panel.shownMs === null) return state.panelFocus === "left" ? null : panel;
  if (state.nowMs - panel.shownMs < PANEL_PAUSE_MS) return null;
  if (state.panelFocus !== "auto") return state.panelFocus === "entered" ? panel : null;
  return isTyping(state) ? null : panel;
}

function isTyping(state: State): boolean {
  return !isEmptyDraft(state.composer.draft) || state.nowMs - state.lastTypedMs < PANEL_PAUSE_MS;
}

/** Rows the shown panel would like to have. */
export function shownPanelHeight(state: State, width: number): number {
  const panel = shownPanel(state);
  if (panel === null) return 0;
  return ownHeight(panel, width) + (hiddenQuestion(state) === null ? 0 : 1);
}

/** The question that the shown panel stands before. */
function hiddenQuestion(state: State): QuestionPanel | null {
  return state.panel === null ? null : state.question;
}

function ownHeight(panel: AnyPanel, width: number): number {
  if (panel.kind === "text") return panelRows(panel, width).length + 1;
  if (panel.kind === "find") return 1;
  return panel.kind === "picker" ? pickerHeight(panel) : questionHeight(panel, width);
}

/** The shown panel's rows in its room, and where its caret stands when it takes text. */
export function shownPanelRows(
  state: State,
  size: { readonly width: number; readonly height: number },
): {
  readonly rows: readonly Line[];
  readonly caret: { readonly row: number; readonly column: number } | null;
} {
  const hidden = hiddenQuestion(state);
  // A panel of one row is the person's.
  if (hidden === null || size.height < 2) return ownRows(state, size);
  const { rows, caret } = ownRows(state, { ...size, height: size.height - 1 });
  return {
    rows: [hiddenQuestionRow(hidden, size.width), ...rows],
    caret: caret === null ? null : { ...caret, row: caret.row + 1 },
  };
}

function ownRows(
  state: State,
  size: { readonly width: number; readonly height: number },
): ReturnType<typeof shownPanelRows> {
  const panel = shownPanel(state);
  if (panel === null) return { rows: [], caret: null };
  if (panel.kind === "text") return { rows: visiblePanelRows(panel, size.width, size.height), caret: null };
  const hasKeys = panelWithKeys(state) === panel;
  const { rows, caret } = panel.kind === "find"
    ? findRows(panel, size.width)
    : panel.kind === "picker"
    ? pickerRows(panel, size)
    : questionRows(panel, size, hasKeys ? "panel" : keysElsewhere(state));
  return { rows, caret: hasKeys ? caret : null };
}

function keysElsewhere(state: State): PanelKeys {
  if (state.focus === "history") return "history";
  if (state.panelFocus === "left") return "left";
  // It has not been on the screen for long enough yet: said is what holds in a moment.
  return isTyping(state) ? "message" : "panel";
}
