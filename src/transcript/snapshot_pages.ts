// History items cut into pages: at turns where possible, never inside a piece that only makes sense whole.

import { cutLongStrings, jsonBytes } from "./shorten.ts";
import type { Span, Wire } from "./snapshot_items.ts";

export interface PagePart {
  /** Items before the part. */
  readonly from: number;
  readonly items: Wire[];
}

/** The items in parts of at most `pageBytes`, newest part first, which has a limit of its own. Made one by one. */
export function* cutPages(
  items: readonly Wire[],
  limits: {
    readonly newestBytes: number;
    readonly pageBytes: number;
    readonly itemBytes: number;
    readonly whole: readonly Span[];
  },
): Generator<PagePart, void, void> {
  const { itemBytes, whole } = limits;
  let pageBytes = limits.newestBytes;
  const mayCut = (at: number) => !whole.some(([first, last]) => first < at && at <= last);
  let part: Wire[] = [];
  let bytes = 0;
  let from = items.length;
  const takePart = (): PagePart[] => {
    const parts = part.length === 0 ? [] : [{ from, items: part.reverse() }];
    part = [];
    bytes = 0;
    if (parts.length > 0) pageBytes = limits.pageBytes;
    return parts;
  };
  for (const turn of turnsOf(items).reverse()) {
    const sized = turn.items.map((item) => sizedItem(item, itemBytes));
    const size = sized.reduce((sum, one) => sum + one.bytes, 0);
    if (bytes + size > pageBytes && mayCut(from)) yield* takePart();
    for (const one of sized.reverse()) {
      if (bytes + one.bytes > pageBytes && mayCut(from)) yield* takePart();
      part.push(one.item);
      bytes += one.bytes;
      from--;
    }
  }
  yield* takePart();
}

function sizedItem(item: Wire, itemBytes: number): { item: Wire; bytes: number } {
  const bytes = jsonBytes(item);
  if (bytes <= itemBytes) return { item, bytes };
  const short = cutLongStrings(item, itemBytes) as Wire;
  return { item: short, bytes: jsonBytes(short) };
}

/** The items by turn: a turn begins with its item, or with the run message that opens it. */
function turnsOf(items: readonly Wire[]): { items: Wire[] }[] {
  const turns: { items: Wire[] }[] = [];
  let previous: Wire | undefined;
  for (const item of items) {
    const opens = item.type === "turn" ||
      item.type === "message" && item.role === "user" && item.kind === "run" &&
        item.copy !== true && item.parent_id === undefined && previous?.type !== "turn";
    if (opens || turns.length === 0) turns.push({ items: [] });
    turns.at(-1)?.items.push(item);
    previous = item;
  }
  return turns;
}
