// A list to pick one thing from, opened by the person: type to filter, Enter takes, Esc closes.

import { type Composer, composerRows, createComposer } from "../../input/composer.ts";
import { draftText } from "../../input/draft.ts";
import { cellWidth } from "../../text/graphemes.ts";
import { type Line, line, lineOf, padLine, shortenLine } from "../../text/line.ts";
import { oneLine } from "../one_line.ts";
import type { AnyPanel } from "./shown_panel.ts";

/** One thing to pick. */
export interface PickerItem {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly isCurrent: boolean;
}

/** What a picked item is for; the app's table of picks knows what to do with it. */
export type PickerPurpose =
  | { readonly kind: "model" }
  | { readonly kind: "option" }
  | { readonly kind: "option_value"; readonly option: string }
  | { readonly kind: "session" }
  | { readonly kind: "login" };

/** An open list. */
export interface PickerPanel {
  readonly kind: "picker";
  readonly name: "picker";
  title: string;
  readonly purpose: PickerPurpose;
  items: readonly PickerItem[];
  /** When it came by itself; null: the person opened it, and it has the keys at once. */
  readonly shownMs: number | null;
  /** What is typed to filter. */
  readonly filter: Composer;
  cursor: number;
}

/** True for the list of sessions, behind which there is nothing to see. */
export function isSessionList(panel: AnyPanel | null): panel is PickerPanel {
  return panel?.kind === "picker" && panel.purpose.kind === "session";
}

const ITEMS_SHOWN = 10;
const MEASURED_ITEMS = 200;

/** A list with the mark on what is current. */
export function createPicker(
  title: string,
  purpose: PickerPurpose,
  items: readonly PickerItem[],
  shownMs: number | null = null,
): PickerPanel {
  const current = items.findIndex((item) => item.isCurrent);
  return {
    kind: "picker",
    name: "picker",
    title,
    purpose,
    items,
    shownMs,
    filter: createComposer(),
    cursor: Math.max(0, current),
  };
}

/** Puts other items into an open list. The mark stays on its item. */
export function setPickerItems(panel: PickerPanel, title: string, items: readonly PickerItem[]): void {
  const marked = pickedItem(panel)?.id ?? null;
  panel.title = title;
  panel.items = items;
  // Who has not moved yet stays with what is first.
  const at = marked === null || panel.cursor === 0 ? 0 : pickable(panel).findIndex(({ id }) => id === marked);
  if (at >= 0) panel.cursor = at;
}

/** What a filter leaves of items, kept as long as both are the same: lists may be long. */
const filtered = new WeakMap<readonly PickerItem[], { filter: string; left: readonly PickerItem[] }>();

/** Items that hold every word of the filter, ignoring case. */
export function pickable(panel: PickerPanel): readonly PickerItem[] {
  const filter = draftText(panel.filter.draft).toLowerCase().trim();
  if (filter === "") return panel.items;
  const known = filtered.get(panel.items);
  if (known?.filter === filter) return known.left;
  const words = filter.split(/\s+/);
  const left = panel.items.filter((item) => {
    const text = `${item.label} ${item.detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  filtered.set(panel.items, { filter, left });
  return left;
}

/** The marked item; null when the filter leaves none. */
export function pickedItem(panel: PickerPanel): PickerItem | null {
  const items = pickable(panel);
  panel.cursor = Math.max(0, Math.min(panel.cursor, items.length - 1));
  return items[panel.cursor] ?? null;
}

/** Moves the mark, around at the ends. */
export function movePick(panel: PickerPanel, by: number): void {
  const count = pickable(panel).length;
  if (count > 0) panel.cursor = (panel.cursor + by + count) % count;
}

/** Rows it would like to have. */
export function pickerHeight(panel: PickerPanel): number {
  const most = panel.purpose.kind === "session" ? Infinity : ITEMS_SHOWN;
  return 3 + Math.min(most, Math.max(1, panel.items.length));
}

/** What is seen of it, and the filter's caret. */
export function pickerRows(
  panel: PickerPanel,
  size: { readonly width: number; readonly height: number },
): { readonly rows: readonly Line[]; readonly caret: { readonly row: number; readonly column: number } } {
  const { width, height } = size;
  const items = pickable(panel);
  pickedItem(panel);
  const filter = composerRows(panel.filter, Math.max(1, width - 5), 1);
  const title = shortenLine(
    lineOf(["── ", "panel.border"], [panel.title, "panel.title"], [
      `  ${items.length} of ${panel.items.length}`,
      "panel.hint",
    ]),
    width,
  );
  const typed = lineOf(
    ["find ", "panel.label"],
    ...(filter.rows[0]?.spans ?? []).map((span) => [span.text, span.role] as const),
  );
  const hint = height >= 5
    ? [shortenLine(line("type to filter, Enter takes, Esc closes", "panel.hint"), width)]
    : [];
  const room = Math.max(0, height - 2 - hint.length);
  const first = Math.max(0, Math.min(panel.cursor - Math.floor(room / 2), items.length - room));
  const labels = Math.min(Math.floor(width * 0.55), labelWidth(items));
  const rows = items.slice(first, first + room).map((item, at) =>
    itemRow(item, { isMarked: first + at === panel.cursor, labels, width })
  );
  if (items.length === 0 && room > 0) rows.push(shortenLine(line("  nothing matches", "panel.hint"), width));
  return {
    rows: [title, typed, ...rows, ...hint].slice(0, height),
    caret: { row: 1, column: Math.min(width - 1, 5 + filter.caret.column) },
  };
}

const labelWidths = new WeakMap<readonly PickerItem[], number>();

/** The widest label; of a long list the first ones say enough. */
function labelWidth(items: readonly PickerItem[]): number {
  const known = labelWidths.get(items);
  if (known !== undefined) return known;
  const width = Math.max(
    0,
    ...items.slice(0, MEASURED_ITEMS).map((item) => cellWidth(oneLine(item.label))),
  );
  labelWidths.set(items, width);
  return width;
}

function itemRow(
  item: PickerItem,
  look: { readonly isMarked: boolean; readonly labels: number; readonly width: number },
): Line {
  const role = look.isMarked ? "panel.selected" : "panel.text";
  const label = padLine(shortenLine(line(oneLine(item.label), role), look.labels), look.labels, role);
  const detail = [item.isCurrent ? "current" : "", oneLine(item.detail)].filter((part) => part !== "").join(
    "  ",
  );
  return shortenLine(
    lineOf(
      [look.isMarked ? "> " : "  ", role],
      ...label.spans.map((span) => [span.text, span.role] as const),
      [detail === "" ? "" : `  ${detail}`, look.isMarked ? role : "panel.hint"],
    ),
    look.width,
  );
}
