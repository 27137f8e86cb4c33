// What a person does, by the input's kind. What keys mean is keys.ts and the action tables.

import { pasteIntoDraft, takeEdited } from "./actions_message.ts";
import { noteTyped, pasteIntoPanel, scrollPanel } from "./actions_panel.ts";
import { scroll } from "./actions_view.ts";
import { refreshCompletion } from "./completion.ts";
import type { Effect } from "./effect.ts";
import { lookOnAndGo, moveFindTo, noteChanges, syncFind } from "./find.ts";
import { updateKey } from "./keys.ts";
import { regionsOf } from "./regions.ts";
import { sessionsPanel } from "./sessions_panel.ts";
import { showHint } from "./state.ts";
import { type PersonPart, sync } from "./update_events.ts";

const NOTHING: readonly Effect[] = [];
/** Rows of one wheel step. */
const WHEEL_ROWS = 3;

/** For `takePersonPart`. */
export const PERSON_PART: PersonPart = {
  handlers: {
    key: (state, input) => {
      const effects = updateKey(state, input.key);
      sync(state);
      return effects;
    },
    paste: (state, input) => {
      if (pasteIntoPanel(state, input.text)) return NOTHING;
      noteTyped(state);
      return [...pasteIntoDraft(state, input.text, input.cut), ...refreshCompletion(state)];
    },
    mouse: (state, input) => {
      const rows = input.action === "wheel_up" ? -WHEEL_ROWS : input.action === "wheel_down" ? WHEEL_ROWS : 0;
      const { panel } = regionsOf(state);
      if (input.row >= panel.row && input.row < panel.row + panel.height) scrollPanel(state, rows);
      else scroll(state, rows);
      return NOTHING;
    },
    edited: (state, input) => {
      if (input.text !== null) takeEdited(state, input.text);
      else showHint(state, input.what ?? "The editor failed; the draft is as it was", "warn");
      return NOTHING;
    },
    sessions: (state, input) => {
      state.panel = sessionsPanel(input.rows);
      state.panelFocus = "auto";
      return NOTHING;
    },
  },
  find: { lookOnAndGo, moveFindTo, noteChanges, syncFind },
};
