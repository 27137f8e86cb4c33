// The end of a long recording as inputs, for a first frame that costs the same however long it is. What the beginning
// would have told is not known here, so that nothing is said that may be wrong: no greeting, no counted turn numbers,
// nothing in front of the first message. The whole replaces it (reading.ts).

import type { FoldMode } from "../../transcript/block.ts";
import type { Event, ParsedEvent } from "../../transcript/event.ts";
import type { Input } from "../effect.ts";
import { documentFrom, type SessionDocument } from "../../recordings/session_document.ts";
import { createFeedOf, type FoundFormat } from "./feed.ts";

/** A recording up to this length is read whole before it is shown. */
export const SHORT_RECORDING = 1 << 17;
/** Bytes of the end that are read: each time more, when a screen needs more or no turn begins in them. */
export const TAIL_LENGTHS: readonly number[] = [1 << 16, 1 << 18, 1 << 20, 1 << 22];

const NEWLINE = 10;

export interface TailOptions {
  readonly format: FoundFormat;
  /** True where turns bear the numbers that the recording says, and not those counted from its beginning. */
  readonly hasTurnNumbers: boolean;
  /** Rows of the screen to fill, and how. */
  readonly rows: number;
  readonly fold: FoldMode;
}

/**
 * Inputs that show the recording's end; `readLast` gives at most that many of its last bytes. Null where its lines
 * cannot be understood without those before, and where it cannot be read.
 */
export function openTail(
  readLast: (length: number) => Uint8Array | null,
  options: TailOptions,
): readonly Input[] | null {
  let events: readonly ParsedEvent[] = [];
  for (const length of TAIL_LENGTHS) {
    const bytes = readLast(length);
    if (bytes === null) return null;
    events = tailEvents(bytes, options);
    if (fillsScreen(events, options) || bytes.length < length) break;
  }
  return events.length === 0 ? null : [{ kind: "events", parsed: events }];
}

/** The last messages of a session that are so many bytes or a little more, and whether that is all; null: not known. */
export type LastMessages = (
  length: number,
) => { readonly document: SessionDocument; readonly isAll: boolean } | null;

/** The last messages of one whose messages' places are known. */
export function lastOfDocument(document: SessionDocument): LastMessages {
  const end = document.lengthBefore(document.count);
  return (length) => {
    let start = Math.max(0, document.count - 1);
    while (start > 0 && end - document.lengthBefore(start) < length) start--;
    return { document: documentFrom(document, start), isAll: start === 0 };
  };
}

/** The same for a session in one value: of its messages only the last are looked at. */
export function openDocumentTail(last: LastMessages, options: TailOptions): readonly Input[] | null {
  let events: readonly ParsedEvent[] = [];
  for (const length of TAIL_LENGTHS) {
    const found = last(length);
    if (found === null) continue;
    const { document, isAll } = found;
    const feed = createFeedOf(() => ({ kind: "format", format: options.format }));
    events = shownEvents([...feed.tellAll([{ kind: "document", document, line: 1 }])].flat(), options);
    if (isAll || fillsScreen(events, options)) break;
  }
  return events.length === 0 ? null : [{ kind: "events", parsed: events }];
}

/** What the last bytes tell from the first turn on that begins in them. */
function tailEvents(bytes: Uint8Array, options: TailOptions): readonly ParsedEvent[] {
  const lineStart = bytes.indexOf(NEWLINE) + 1;
  if (lineStart === 0) return [];
  const feed = createFeedOf(() => ({ kind: "format", format: options.format }));
  return shownEvents([...feed.push(bytes.subarray(lineStart)), ...feed.end()], options);
}

/** The events of these inputs from the first turn on. */
function shownEvents(inputs: readonly Input[], options: TailOptions): readonly ParsedEvent[] {
  const parsed: ParsedEvent[] = [];
  for (const input of inputs) if (input.kind === "events") parsed.push(...input.parsed);
  const start = parsed.findIndex(beginsTurn);
  return start === -1 ? [] : parsed.slice(start).flatMap((one) => withoutBeginning(one, options));
}

/** Events that leave a block behind. */
const BLOCK_EVENTS: ReadonlySet<string> = new Set([
  "turn_start",
  "user_message",
  "text_done",
  "reasoning_done",
  "tool_result",
  "notification",
  "turn_end",
]);
/** Rows that a block has at least, one with another, with the blank row above it. */
const BLOCK_ROWS: Readonly<Record<FoldMode, number>> = { overview: 0.8, normal: 2.5, detail: 4 };

/** True when a tail is likely to fill the screen. */
function fillsScreen(events: readonly ParsedEvent[], { rows, fold }: TailOptions): boolean {
  let blocks = 0;
  for (const parsed of events) if (parsed.kind === "event" && BLOCK_EVENTS.has(parsed.event.event)) blocks++;
  return blocks * BLOCK_ROWS[fold] >= rows;
}

function beginsTurn(parsed: ParsedEvent): boolean {
  if (parsed.kind !== "event") return false;
  const { event } = parsed;
  if (event.event === "history") return (event.data.items ?? []).length > 0;
  if (event.event === "turn_start") return true;
  return event.event === "user_message" && event.data.kind === "run" && event.data.parent_id === null;
}

/** An event without what only the beginning knows. */
function withoutBeginning(parsed: ParsedEvent, options: TailOptions): readonly ParsedEvent[] {
  if (parsed.kind !== "event") return [];
  const { event } = parsed;
  const told = (changed: Event): ParsedEvent[] => [{ kind: "event", event: changed, unknownFields: [] }];
  switch (event.event) {
    case "hello":
      return [];
    case "history":
      if ((event.data.items ?? []).length === 0) return [];
      return told({
        ...event,
        data: { ...event.data, greeting: null, items: shownItems(event.data.items, options) },
      });
    case "turn_start":
    case "turn_end":
    case "step_start":
    case "usage":
      return told(
        options.hasTurnNumbers ? event : { ...event, data: { ...event.data, turn: null } } as Event,
      );
    default:
      return told(event);
  }
}

/** Items of a history that was made on the way, such as of a session that went back to an earlier place. */
function shownItems(items: readonly unknown[] | null, { hasTurnNumbers }: TailOptions): unknown[] {
  if (hasTurnNumbers) return [...items ?? []];
  return (items ?? []).map((item) => {
    const { event, data } = (item ?? {}) as { readonly event?: unknown; readonly data?: object };
    return event === "turn_start" || event === "turn_end" || event === "step_start" || event === "usage"
      ? { ...item as object, data: { ...data, turn: null } }
      : item;
  });
}
