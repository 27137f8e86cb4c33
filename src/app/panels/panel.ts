// A panel: what stands between transcript and status row while it is asked for. It never covers the draft, and one
// taller than its room scrolls. Help and /status are text panels.

import { cellWidth } from "../../text/graphemes.ts";
import { type Line, line, lineOf, shortenLine } from "../../text/line.ts";
import { wrapLine } from "../../text/wrap.ts";

/** Cells a value wants beside its label. */
const LEAST_VALUE = 20;

/** Rows to read. */
export interface Panel {
  readonly kind: "text";
  readonly name: "help" | "status" | "sessions";
  readonly title: string;
  /** Unwrapped; `label` cells in front of continuation rows stay blank. */
  readonly lines: readonly PanelLine[];
  /** Rows hidden above. */
  scroll: number;
}

export interface PanelLine {
  readonly line: Line;
  /** Blank cells in front of continuation rows. */
  readonly indent: number;
}

/** A row "label  value" of a panel. */
export function labelled(label: string, value: string, labelWidth: number): PanelLine {
  return {
    line: lineOf([label + " ".repeat(Math.max(1, labelWidth - cellWidth(label))), "panel.label"], [
      value,
      "panel.text",
    ]),
    indent: labelWidth,
  };
}

/** A heading inside a panel. */
export function heading(text: string): PanelLine {
  return { line: line(text, "panel.title"), indent: 0 };
}

/** The rows of a panel's lines at the width asked for last: a frame asks several times. */
const wrapped = new WeakMap<
  readonly PanelLine[],
  { readonly width: number; readonly rows: readonly Line[] }
>();

/** All rows of the panel at a width, title row included. */
export function panelRows(panel: Panel, width: number): readonly Line[] {
  const known = wrapped.get(panel.lines);
  if (known?.width === width) return known.rows;
  const rows = wrapPanel(panel, width);
  wrapped.set(panel.lines, { width, rows });
  return rows;
}

function wrapPanel(panel: Panel, width: number): readonly Line[] {
  const rows: Line[] = [];
  for (const one of panel.lines) {
    const [label, ...value] = one.line.spans;
    // Where the label leaves too little room the value stands below it.
    if (one.indent > 0 && width - one.indent < LEAST_VALUE && label !== undefined && value.length > 0) {
      rows.push(
        ...wrapLine({ spans: [{ ...label, text: label.text.trimEnd() }] }, width),
        ...wrapLine({ spans: [{ text: "  ", role: "default" }, ...value] }, width, {
          indent: Math.min(2, width - 1),
        }),
      );
    } else {
      const indent = Math.min(one.indent, Math.max(0, width - 8));
      for (const row of wrapLine(one.line, width, { indent })) rows.push(row);
    }
  }
  return rows;
}

/** What shows of a panel in `height` rows: its title and as many rows as there is room for. Clamps the scroll. */
export function visiblePanelRows(panel: Panel, width: number, height: number): readonly Line[] {
  const rows = panelRows(panel, width);
  const room = Math.max(0, height - 1);
  panel.scroll = Math.max(0, Math.min(panel.scroll, rows.length - room));
  const below = rows.length - room - panel.scroll;
  const more = panel.scroll > 0 || below > 0
    ? `  rows ${panel.scroll + 1}-${Math.min(rows.length, panel.scroll + room)} of ${rows.length}, PgUp PgDn`
    : "  Esc closes";
  const title = shortenLine(
    lineOf(["── ", "panel.border"], [panel.title, "panel.title"], [more, "panel.hint"]),
    width,
  );
  return [title, ...rows.slice(panel.scroll, panel.scroll + room)];
}
