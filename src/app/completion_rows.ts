// The list of an open completion as rows.

import { cellWidth, graphemes } from "../text/graphemes.ts";
import { type Line, line, lineOf, padLine, shortenLine } from "../text/line.ts";
import { oneLine } from "./one_line.ts";
import type { State } from "./state.ts";

/** Candidates shown at once. */
const SHOWN = 7;

/** The rows of the open list; the marked one is in view. */
export function completionRows(state: State, width: number, height: number): readonly Line[] {
  const { candidates, selected } = state.composer.completion;
  const isCut = candidates.length > Math.min(SHOWN, height);
  const room = Math.max(1, Math.min(SHOWN, height) - (isCut ? 1 : 0));
  const first = Math.max(0, Math.min(selected - Math.floor(room / 2), candidates.length - room));
  const shown = candidates.slice(first, first + room);
  const more = isCut && height > 1
    ? [padLine(line(`  +${candidates.length - shown.length} more`, "panel.hint"), width, "panel.text")]
    : [];
  // Where something stands behind the labels they leave room for it.
  const hasDetails = shown.some((candidate) => candidate.detail !== undefined);
  const labels = Math.max(
    0,
    Math.min(
      hasDetails ? Math.floor(width / 2) : width - 2,
      Math.max(0, ...shown.map((candidate) => cellWidth(oneLine(candidate.label)))),
    ),
  );
  const isFile = state.composer.completion.request?.kind === "file";
  const rows = shown.map((candidate, at) => {
    const isMarked = first + at === selected;
    const role = isMarked ? "panel.selected" : "panel.text";
    const text = oneLine(candidate.label);
    const label = padLine(
      shortenLine(lineOf([isFile ? cutStart(text, labels) : text, role]), labels),
      labels,
      role,
    );
    const detail = candidate.detail === undefined ? "" : `  ${oneLine(candidate.detail)}`;
    const row = {
      spans: [
        { text: isMarked ? "> " : "  ", role } as const,
        ...label.spans,
        { text: detail, role: isMarked ? role : "panel.hint" } as const,
      ],
    };
    return padLine(shortenLine(row, width), width, role);
  });
  return [...rows, ...more.map((row) => shortenLine(row, width))];
}

/** A path that is too long keeps its end, which tells files apart. */
function cutStart(text: string, width: number): string {
  let used = cellWidth(text);
  if (used <= width) return text;
  const signs = graphemes(text);
  let first = 0;
  while (first < signs.length && used > width - 1) used -= cellWidth(signs[first++] ?? "");
  return `…${signs.slice(first).join("")}`;
}
