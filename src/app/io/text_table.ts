// A table of plain text for people: columns as wide as what stands in them.

import { cellWidth } from "../../text/graphemes.ts";

/** The rows as lines; a column reserves at most `mostWidth` cells. The cells must be safe for a terminal. */
export function tableLines(rows: readonly (readonly string[])[], mostWidth = Infinity): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.min(mostWidth, Math.max(...rows.map((row) => cellWidth(row[at] ?? ""))))
  );
  return rows.map((row) =>
    row.map((cell, at) => cell + " ".repeat(Math.max(0, (widths[at] ?? 0) - cellWidth(cell)))).join("  ")
      .trimEnd()
  );
}
