// A diff's rows wrapped and placed: line number, sign, text. "-" and "+" say without colour what the roles say with it.

import type { Line, Span } from "../text/line.ts";
import { shortenText } from "../text/line.ts";
import type { Role } from "../text/role.ts";
import { measureText } from "../text/text_rows.ts";
import { longText } from "../transcript/long_text.ts";
import type { ChangeList, ChangeRow } from "./change_rows.ts";
import { shortenStart } from "./header.ts";
import { COUNT_LIMIT, type Preview } from "./preview.ts";
import type { LongPart, Part } from "./renderer.ts";

const ROLES: Readonly<Record<ChangeRow["kind"], Role>> = {
  path: "diff.path",
  note: "tool.note",
  gap: "diff.hunk",
  context: "diff.context",
  removed: "diff.removed",
  added: "diff.added",
};
const SIGNS: Readonly<Record<"context" | "removed" | "added", string>> = {
  context: " ",
  removed: "-",
  added: "+",
};

/** Context lines kept in a preview, tried from the most. */
const CONTEXTS = [3, 2, 1, 0] as const;
/** From so many rows or units on a diff is long text: laid out only where it is seen. */
const MANY_ROWS = 2000;
const LONG_ROW = 1 << 14;

/** Below this width signs have no column of their own. */
const NARROW = 4;

/** One change row at a width: how many screen rows, and each of them. */
interface Placed {
  readonly count: number;
  rowAt(row: number): Line;
}

/** All of the diff. */
export function diffParts(list: ChangeList, width: number): readonly Part[] {
  if (list.rows.length > MANY_ROWS || list.length > COUNT_LIMIT) return longDiff(list);
  return list.rows.flatMap((row): readonly Part[] => {
    if (row.text.length > LONG_ROW) return [longRows([row], list.numberWidth)];
    return placedLines(placeRow(row, list.numberWidth, width));
  });
}

/** At most `count` rows of the diff: less context first, then the beginning of what changed. */
export function diffPreview(list: ChangeList, count: number, width: number): Preview {
  const place = (row: ChangeRow) => placeRow(row, list.numberWidth, width);
  const rows = chooseRows(list, count, place);
  if (list.length > COUNT_LIMIT) {
    const shown = new Set(rows.map((row) => row.row)).size;
    return {
      rows: rows.map((row) => row.line),
      hidden: { count: Math.max(1, list.rows.length - shown), unit: "line" },
    };
  }
  const total = list.rows.reduce((sum, row) => sum + place(row).count, 0);
  return { rows: rows.map((row) => row.line), hidden: { count: total - rows.length, unit: "row" } };
}

interface Chosen {
  readonly row: ChangeRow;
  readonly line: Line;
}

function chooseRows(list: ChangeList, count: number, place: (row: ChangeRow) => Placed): readonly Chosen[] {
  for (const context of CONTEXTS) {
    const chosen = takeRows(list.rows, { count: count + 1, context }, place);
    if (chosen.length <= count) return chosen;
  }
  return balanced(list.rows, count, place);
}

/** The first rows whose context is near enough to a change; stops once there are `count`. */
function takeRows(
  rows: readonly ChangeRow[],
  limit: { readonly count: number; readonly context: number },
  place: (row: ChangeRow) => Placed,
): Chosen[] {
  const chosen: Chosen[] = [];
  for (const row of rows) {
    if (chosen.length >= limit.count) break;
    if (row.kind === "context" && row.distance > limit.context) continue;
    const placed = place(row);
    for (let at = 0; at < placed.count && chosen.length < limit.count; at++) {
      chosen.push({ row, line: placed.rowAt(at) });
    }
  }
  return chosen;
}

/** The first rows without context; where the first removal would fill them, half are kept for what replaced it. */
function balanced(
  rows: readonly ChangeRow[],
  count: number,
  place: (row: ChangeRow) => Placed,
): readonly Chosen[] {
  const bare = rows.filter((row) => row.kind !== "context");
  const take = (some: readonly ChangeRow[]) => takeRows(some, { count, context: 0 }, place);
  const removed = bare.findIndex((row) => row.kind === "removed");
  const added = bare.findIndex((row, at) => at > removed && row.kind !== "removed");
  if (removed === -1 || bare[added]?.kind !== "added") return take(bare);
  const end = bare.findIndex((row, at) => at > added && row.kind !== "added");
  const before = take(bare.slice(0, added));
  const behind = take(bare.slice(added, end === -1 ? undefined : end));
  const kept = Math.min(behind.length, Math.floor(count / 2));
  if (before.length <= count - kept) return take(bare);
  return [...before.slice(0, count - kept), ...behind.slice(0, kept)];
}

function placedLines(placed: Placed): readonly Line[] {
  return Array.from({ length: placed.count }, (_, row) => placed.rowAt(row));
}

function placeRow(row: ChangeRow, numberWidth: number, width: number): Placed {
  const role = ROLES[row.kind];
  if (row.kind === "path" || row.kind === "note" || row.kind === "gap") {
    const text = row.kind === "path" ? shortenStart(row.text, width) : shortenText(row.text, width);
    return { count: 1, rowAt: () => ({ spans: [{ text, role }] }) };
  }
  const sign = SIGNS[row.kind];
  // Too narrow for a column of signs: the sign is simply the text's first.
  if (width < NARROW) return measuredRows(sign + row.text, { role, indent: 0, width });
  const numbered = numberWidth > 0 && width >= numberWidth + 12;
  const prefix: Span[] = [{ text: sign, role }];
  if (numbered) prefix.unshift({ text: numberText(row, numberWidth), role: "diff.line_number" });
  const indent = numbered ? numberWidth + 2 : 1;
  if (row.text === "") return { count: 1, rowAt: () => ({ spans: prefix }) };
  const measured = measuredRows(row.text, { role, indent, width });
  return {
    count: measured.count,
    rowAt: (at) => at === 0 ? withPrefix(measured.rowAt(0), prefix, indent) : measured.rowAt(at),
  };
}

function measuredRows(text: string, size: { role: Role; indent: number; width: number }): Placed {
  const { rowCount, rowAt } = measureText(text, size.width, size);
  return { count: rowCount, rowAt };
}

/** The row with `prefix` in place of its first `indent` blanks. */
function withPrefix(line: Line, prefix: readonly Span[], indent: number): Line {
  const spans: Span[] = [];
  let left = indent;
  for (const span of line.spans) {
    const cut = Math.min(left, span.text.length);
    left -= cut;
    if (cut < span.text.length) spans.push({ text: span.text.slice(cut), role: span.role });
  }
  return { ...line, spans: [...prefix, ...spans] };
}

function numberText(row: ChangeRow, numberWidth: number): string {
  return (row.number === null ? "" : String(row.number)).padStart(numberWidth) + " ";
}

const keptLong = new WeakMap<ChangeList, readonly Part[]>();

/** Rows of one kind in a run as one long text each. */
function longDiff(list: ChangeList): readonly Part[] {
  let parts = keptLong.get(list);
  if (parts !== undefined) return parts;
  const made: Part[] = [];
  for (let start = 0; start < list.rows.length;) {
    let end = start + 1;
    while (end < list.rows.length && list.rows[end]!.kind === list.rows[start]!.kind) end++;
    made.push(longRows(list.rows.slice(start, end), list.numberWidth));
    start = end;
  }
  keptLong.set(list, parts = made);
  return parts;
}

function longRows(rows: readonly ChangeRow[], numberWidth: number): LongPart {
  const role = ROLES[rows[0]!.kind];
  const text = rows.map((row) => {
    if (row.kind === "path" || row.kind === "note" || row.kind === "gap") return row.text;
    return (numberWidth > 0 ? numberText(row, numberWidth) : "") + SIGNS[row.kind] + row.text;
  }).join("\n");
  return { kind: "long", text: longText(text), role, indent: 0 };
}
