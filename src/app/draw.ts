// The state as a frame: which layer shows what. Same state and size, same frame.

import { composerRows } from "../input/composer.ts";
import { isCompletionOpen } from "../input/completion.ts";
import type { DraftRows } from "../input/draft_rows.ts";
import { heldMark } from "../layout/gutter.ts";
import { gutterWidth } from "../layout/look.ts";
import { type VisibleRow, visibleRows } from "../layout/viewport.ts";
import { compose, type Layer } from "../screen/compositor.ts";
import {
  type Cursor,
  DIM,
  type Frame,
  paintLine,
  type Region,
  resizeFrame,
  type RowFace,
} from "../screen/frame.ts";
import { cellWidth, cutToWidth } from "../text/graphemes.ts";
import { type Line, line, lineOf, shortenLine } from "../text/line.ts";
import { markParts } from "../text/find_text.ts";
import { completionRows } from "./completion_rows.ts";
import { foundParts } from "./find_parts.ts";
import { panelWithKeys, shownPanelRows } from "./panels/shown_panel.ts";
import { oneLine } from "./one_line.ts";
import { planRows } from "./plan.ts";
import { composerGutter, type Regions, regionsOf } from "./regions.ts";
import type { State } from "./state.ts";
import { statusLine } from "./status_row.ts";

/** Paints the whole screen into `frame`, which takes the state's size. */
export function drawFrame(state: State, frame: Frame): void {
  if (frame.width !== state.columns || frame.height !== state.rows) {
    resizeFrame(frame, state.columns, state.rows);
  }
  const regions = regionsOf(state);
  compose(frame, layersOf(state, regions));
  frame.title = windowTitle(state);
}

/** Terminals cut a title anyway; a session's keeps its beginning. */
const TITLE_CELLS = 100;

/** "session title - Trifold", controls shown as tokens. */
export function windowTitle(state: State): string {
  const title = cutToWidth(oneLine(state.transcript.title).trim(), TITLE_CELLS);
  return title === "" ? "Trifold" : `${title} - Trifold`;
}

function layersOf(state: State, regions: Regions): readonly Layer[] {
  return [
    transcriptLayer(state, regions.transcript),
    linesLayer(regions.queue, () => queueRows(state, regions.queue)),
    linesLayer(regions.plan, () => planRows(state.transcript.plan, regions.plan.width, regions.plan.height)),
    panelLayer(state, regions.panel),
    linesLayer(regions.status, () => [statusLine(state)]),
    composerLayer(state, regions.composer),
    ...completionLayers(state, regions),
  ];
}

function transcriptLayer(state: State, region: Region): Layer {
  const gutter = gutterWidth(region.width);
  const rows = visibleRows(state.layout, state.viewport, region.height);
  const isSelected = (visible: VisibleRow) =>
    state.focus === "history" && visible.block.id === state.selected && visible.line !== null;
  const isPaused = state.transcript.status === "paused";
  const markOf = ({ mark }: VisibleRow) => mark !== null && isPaused ? heldMark(mark) : mark;
  const selectedMark = line("▌", "selected.mark");
  const found = foundParts(state, rows);
  return {
    region,
    face: (row) => {
      const visible = rows[row - region.row];
      if (visible === undefined) return NO_FACE;
      const mark = markOf(visible);
      const parts = found.get(visible);
      const places = parts?.map(({ start, end, role }) => `${start}-${end} ${role}`).join();
      return [visible.line, mark?.text, mark?.role, visible.block.replaced, isSelected(visible), places];
    },
    paint: (frame, _region, wants = () => true) =>
      rows.forEach((visible, at) => {
        const row = region.row + at;
        if (!wants(row)) return;
        const attributes = visible.block.replaced ? DIM : 0;
        const mark = markOf(visible);
        if (gutter > 0 && mark !== null) {
          const sign = line(mark.text, mark.role);
          paintLine(frame, { row, column: region.column, width: 1 }, sign, attributes);
        }
        if (gutter > 0 && isSelected(visible)) {
          paintLine(frame, { row, column: region.column + 1, width: 1 }, selectedMark);
        }
        if (visible.line === null) return;
        const place = { row, column: region.column + gutter, width: region.width - gutter };
        const parts = found.get(visible);
        const shown = parts === undefined ? visible.line : markParts(visible.line, parts);
        paintLine(frame, place, shown, attributes);
      }),
  };
}

/** The face of a row that nothing stands in. */
const NO_FACE: RowFace = [];

function queueRows(state: State, region: Region): readonly Line[] {
  const { queue } = state.transcript;
  const shown = queue.length > region.height ? region.height - 1 : region.height;
  const rows = queue.slice(0, shown).map((item) => queueRow(item.text, region.width));
  if (queue.length > shown) {
    rows.push(shortenLine(line(`+${queue.length - shown} queued`, "more"), region.width));
  }
  return rows;
}

/** A queued message's first line, and how many more it has. */
function queueRow(text: string, width: number): Line {
  const start = Math.max(0, text.search(/\S/));
  const end = text.indexOf("\n", start);
  const first = end === -1 ? text.slice(start) : text.slice(start, end);
  const others = end === -1 ? 0 : lineBreaks(text, end);
  const more = others === 0 ? "" : ` (+${others} line${others === 1 ? "" : "s"})`;
  const said = line(`queued ${oneLine(first)}`, "queue.text");
  const room = width - cellWidth(more);
  return room < 8
    ? shortenLine(said, width)
    : lineOf(...shortenLine(said, room).spans.map((span) => [span.text, span.role] as const), [more, "more"]);
}

/** Line ends from `start` on, but for those that only blanks follow. */
function lineBreaks(text: string, start: number): number {
  let end = text.length;
  while (end > start && /\s/.test(text[end - 1] ?? "")) end--;
  let count = 0;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function linesLayer(region: Region, rows: () => readonly Line[]): Layer {
  return {
    region,
    paint: (frame, at) =>
      rows().slice(0, at.height).forEach((one, row) =>
        paintLine(frame, { row: at.row + row, column: at.column, width: at.width }, one)
      ),
  };
}

function panelLayer(state: State, region: Region): Layer {
  const { rows, caret } = shownPanelRows(state, region);
  const cursor: Cursor | null = caret === null
    ? null
    : { row: region.row + caret.row, column: region.column + caret.column, shape: "bar" };
  return { ...linesLayer(region, () => rows), cursor: () => cursor };
}

function composerLayer(state: State, region: Region): Layer {
  const gutter = composerGutter(region.width);
  const view = composerRows(state.composer, Math.max(1, region.width - gutter), Math.max(1, region.height));
  const cursor: Cursor | null = state.focus === "composer" && panelWithKeys(state) === null
    ? { row: region.row + view.caret.row, column: gutter + view.caret.column, shape: "bar" }
    : null;
  return {
    region,
    paint: (frame, at) => {
      view.rows.slice(0, at.height).forEach((one, row) => {
        if (gutter > 0) {
          paintLine(frame, { row: at.row + row, column: 0, width: gutter }, composerMark(row, view));
        }
        paintLine(frame, { row: at.row + row, column: gutter, width: at.width - gutter }, one);
      });
    },
    cursor: () => cursor,
  };
}

/** The list of an open completion, over the rows above the status row. */
function completionLayers(state: State, regions: Regions): readonly Layer[] {
  if (!isCompletionOpen(state.composer.completion) || state.focus !== "composer") return [];
  const { status } = regions;
  const rows = completionRows(state, Math.min(status.width, 100), status.row);
  const region = { row: status.row - rows.length, column: 0, width: status.width, height: rows.length };
  return [linesLayer(region, () => rows)];
}

/** ">" on the first row; arrows say that the draft goes on above or below its room. */
function composerMark(row: number, view: DraftRows): Line {
  if (view.rows.length === 1 && view.above > 0 && view.below > 0) return line("↕", "composer.hint");
  if (row === 0 && view.above > 0) return line("↑", "composer.hint");
  if (row === view.rows.length - 1 && view.below > 0) return line("↓", "composer.hint");
  return row === 0 ? line(">", "composer.mark") : line(" ");
}
