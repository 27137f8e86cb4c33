// The end of a long recording as inputs, for a first frame that costs the same however long it is. What the beginning
// would have told is not known here, so that nothing is said that may be wrong: no greeting, no counted turn numbers,
// nothing in front of the first message. The whole replaces it (reading.ts).

import type { FoldMode } from "../transcript/block.ts";
import type { Event, ParsedEvent } from "../transcript/event.ts";
import type { Input } from "./effect.ts";
import type { Feed } from "./feed.ts";

/** Bytes of the end that are read first, and each time when they do not hold enough: the last try is the last one. */
export const TAIL_LENGTHS: readonly number[] = [1 << 16, 1 << 18, 1 << 20, 1 << 22];
/** A recording up to this length is read whole before it is shown. */
export const SHORT_RECORDING = 1 << 17;

const NEWLINE = 10;

export interface TailOptions {
  /** True where turns bear the numbers that the recording says, and not those counted from its beginning. */
  readonly hasTurnNumbers: boolean;
}

/** Inputs that show the recording's last bytes; `feed` knows the format. Empty when no turn begins in them. */
export function tailInputs(bytes: Uint8Array, feed: Feed, options: TailOptions): readonly Input[] {
  const lineStart = bytes.indexOf(NEWLINE) + 1;
  if (lineStart === 0) return [];
  const parsed: ParsedEvent[] = [];
  for (const input of [...feed.push(bytes.subarray(lineStart)), ...feed.end()]) {
    if (input.kind === "events") parsed.push(...input.parsed);
  }
  const start = parsed.findIndex(beginsTurn);
  if (start === -1) return [];
  const shown = parsed.slice(start).flatMap((one) => withoutBeginning(one, options));
  return [{ kind: "events", parsed: shown }];
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

/** True when a tail is likely to fill a screen of that many rows. */
export function fillsScreen(inputs: readonly Input[], rows: number, fold: FoldMode): boolean {
  let blocks = 0;
  for (const input of inputs) {
    if (input.kind !== "events") continue;
    for (const parsed of input.parsed) {
      if (parsed.kind === "event" && BLOCK_EVENTS.has(parsed.event.event)) blocks++;
    }
  }
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
