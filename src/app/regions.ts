// Who gets which rows of the screen. Tiny screens: the composer's first row has priority, then the status row,
// then the transcript.

import type { Region } from "../screen/frame.ts";
import { composerRoom, draftHeight } from "../input/draft_rows.ts";
import { shownPanelHeight } from "./panels/shown_panel.ts";
import { isBusy, type State } from "./state.ts";

export interface Regions {
  readonly transcript: Region;
  readonly queue: Region;
  readonly plan: Region;
  readonly panel: Region;
  readonly status: Region;
  readonly composer: Region;
}

/** Cells in front of the draft: its mark and a blank. */
export function composerGutter(columns: number): number {
  return columns >= 4 ? 2 : 0;
}

/** The screen's regions from top to bottom; those not shown have no rows. */
export function regionsOf(state: State): Regions {
  const columns = Math.max(0, state.columns);
  const rows = Math.max(0, state.rows);
  const wanted = draftHeight(state.composer.draft, Math.max(1, columns - composerGutter(columns)));
  const composer = Math.min(rows, Math.max(1, Math.min(wanted, composerRoom(rows))));
  const status = rows - composer >= 1 ? 1 : 0;
  let left = rows - composer - status;
  const panelWanted = shownPanelHeight(state, Math.max(1, columns));
  const panel = Math.min(panelWanted, Math.max(0, left - Math.min(3, Math.floor(left / 4))));
  left -= panel;
  const plan = Math.min(isPlanShown(state) ? state.transcript.plan.length : 0, 5, Math.floor(left / 3));
  left -= plan;
  const queue = Math.min(state.transcript.queue.length, 3, Math.floor(left / 3));
  left -= queue;
  let row = 0;
  const next = (height: number): Region => {
    const region = { row, column: 0, width: columns, height };
    row += height;
    return region;
  };
  return {
    transcript: next(left),
    queue: next(queue),
    plan: next(plan),
    panel: next(panel),
    status: next(status),
    composer: next(composer),
  };
}

/** A plan all of whose items are done has nothing more to say once the turn is over. */
function isPlanShown(state: State): boolean {
  if (!state.showPlan) return false;
  return isBusy(state) || state.transcript.plan.some((item) => item.status !== "completed");
}
