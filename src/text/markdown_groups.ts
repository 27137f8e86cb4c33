// The rows of a message in groups of parts. A group is drawn when it is asked for; the last one, which grows, goes on
// where it was. Of a long message the rows and the read parts of few groups are kept, the others are drawn again.

import { widthGeneration } from "./graphemes.ts";
import type { Line } from "./line.ts";
import type { LinkTable } from "./markdown_lexer.ts";
import { drawPart, forgetRead, type Part } from "./markdown_parts.ts";
import type { RowSink } from "./markdown_rows.ts";

/** A group ends with the part that passes this length (UTF-16 units of source), or with the long line in it. */
export const GROUP_LENGTH = 1 << 14;
/** A line that goes on behind this length of a group goes on in a row of its own. */
export const LONGEST_GROUP = 1 << 16;
/** So many groups of a message and width keep what was drawn of them: more than a screen shows. */
export const MOST_DRAWN = 4;
/** Lines are kept for this many widths: the present one and the one before a resize. */
const MOST_VIEWS = 2;

/** Some of a message's rows. */
export interface MarkdownGroup {
  readonly kind: "group";
  /** How many there are; draws them the first time. */
  rowCount(): number;
  /** The same array while they do not change. */
  lines(): readonly Line[];
}

/** Where a group begins: its first closed part, and the source in its closed parts so far. */
export interface GroupStart {
  readonly part: number;
  length: number;
}

/** The groups at one width. */
export interface View {
  readonly width: number;
  readonly widths: number;
  readonly groups: Group[];
  /** Those whose rows are kept, the one used last at the end. */
  readonly drawn: Group[];
  /** Someone wants all rows at once, so that none are let go. */
  keepsAll: boolean;
}

/** What of a message is drawn. */
interface Message {
  readonly closed: Part[];
  readonly open: readonly Part[];
  readonly groups: GroupStart[];
  readonly links: LinkTable | null;
  /** Another object whenever something has changed. */
  readonly settled: object | null;
}

interface Group extends MarkdownGroup {
  readonly index: number;
  drawn: Drawn | null;
  count: number | null;
}

/** Rows of a group: those of its closed parts, then those of the open ones drawn over what the sink held behind them. */
interface Drawn {
  readonly sink: RowSink;
  parts: number;
  closed: { readonly rows: number; readonly last: Line | undefined; readonly sink: Omit<RowSink, "rows"> };
  settled: object | null;
}

/** A group that will not change any more. */
const SETTLED = {};

/** Adds a part that is closed. */
export function addToGroups(message: Pick<Message, "closed" | "groups">, part: Part): void {
  const { closed, groups } = message;
  const last = groups.at(-1)!;
  closed.push(part);
  last.length += part.piece.text.length;
  const { extent } = part.piece;
  const goesOn = extent === "first" || extent === "middle";
  if (last.length < (goesOn ? LONGEST_GROUP : GROUP_LENGTH)) return;
  groups.push({ part: closed.length, length: 0 });
}

/** The message's groups at a width; those of the widths asked for lately are kept in `views`. */
export function viewOf(views: View[], message: Message, width: number): View {
  const widths = widthGeneration();
  const view = views.find((each) => each.width === width && each.widths === widths) ??
    { width, widths, groups: [], drawn: [], keepsAll: false };
  if (views[0] !== view) {
    const others = views.filter((each) => each !== view && each.widths === widths);
    views.splice(0, Infinity, view, ...others.slice(0, MOST_VIEWS - 1));
  }
  const { groups } = view;
  while (groups.length < message.groups.length) groups.push(createGroup(message, view, groups.length));
  return view;
}

/** The lines of all groups, `source` counted over all. */
export function linesOfAll(view: View): readonly Line[] {
  const { groups } = view;
  view.keepsAll = true;
  if (groups.length <= 1) return groups[0]?.lines() ?? [];
  const all: Line[] = [];
  for (const group of groups) {
    const base = all.length === 0 ? 0 : all.at(-1)!.source! + 1;
    for (const { spans, source = 0, offset = 0 } of group.lines()) {
      all.push({ spans, source: base + source, offset });
    }
  }
  return all;
}

function createGroup(message: Message, view: View, index: number): Group {
  const group: Group = {
    kind: "group",
    index,
    drawn: null,
    count: null,
    rowCount: () => isLast() || group.count === null ? group.lines().length : group.count,
    lines() {
      const drawn = group.drawn ??= createDrawn();
      const now = isLast() ? message.settled : SETTLED;
      if (drawn.settled !== now) draw(message, view, group, drawn);
      drawn.settled = now;
      keep(message, view, group);
      group.count = drawn.sink.rows.length;
      return drawn.sink.rows;
    },
  };
  const isLast = () => index === message.groups.length - 1;
  return group;
}

function createDrawn(): Drawn {
  return {
    sink: { rows: [], source: 0, open: null },
    parts: 0,
    closed: { rows: 0, last: undefined, sink: { source: 0, open: null } },
    settled: null,
  };
}

function draw(message: Message, view: View, { index }: Group, drawn: Drawn): void {
  const { closed, open, groups, links } = message;
  const { sink } = drawn;
  const isFirst = () => index === 0 && sink.rows.length === 0;
  // The first open part may have taken the last closed row's place.
  sink.rows.length = drawn.closed.rows;
  if (drawn.closed.last !== undefined) sink.rows[drawn.closed.rows - 1] = drawn.closed.last;
  Object.assign(sink, drawn.closed.sink);
  const from = groups[index]!.part;
  const end = groups[index + 1]?.part ?? closed.length;
  for (; from + drawn.parts < end; drawn.parts++) {
    drawPart(closed[from + drawn.parts]!, sink, { width: view.width, links, isFirst: isFirst() });
  }
  drawn.closed = {
    rows: sink.rows.length,
    last: sink.rows.at(-1),
    sink: { source: sink.source, open: sink.open },
  };
  if (index < groups.length - 1) return;
  for (const part of open) drawPart(part, sink, { width: view.width, links, isFirst: isFirst() });
}

/** Forgets the rows of the group used longest ago, and what was read for them. */
function keep(message: Message, { drawn, keepsAll }: View, group: Group): void {
  if (drawn.at(-1) === group) return;
  const before = drawn.indexOf(group);
  if (before !== -1) drawn.splice(before, 1);
  drawn.push(group);
  if (keepsAll || drawn.length <= MOST_DRAWN) return;
  const oldest = drawn.shift()!;
  oldest.drawn = null;
  const end = message.groups[oldest.index + 1]?.part ?? 0;
  for (let at = message.groups[oldest.index]!.part; at < end; at++) forgetRead(message.closed[at]!);
}
