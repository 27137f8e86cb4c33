// Lines a pod sends that are in no log, and a wait that can be called off.

import type { Transcript } from "../transcript/block.ts";
import type { Event } from "../transcript/event.ts";
import { cutLongStrings } from "../transcript/shorten.ts";
import { historyByPages, type HistoryPageData } from "../transcript/snapshot.ts";

const encoder = new TextEncoder();

/** Why it is over. */
export function fatal(message: string): Event {
  return { event: "error", data: { code: "internal", message, fatal: true, id: null, message_id: null } };
}

/** Far below the 8 MiB a page may have: a client reads a page between two keys. */
const PAGE_BYTES = 256 << 10;
/** The newest page is all a first frame needs, and what it waits for. */
const NEWEST_BYTES = 64 << 10;
const ITEM_BYTES = 8 << 20;
/** A line may have 32 MiB; what is in flight gets no more than this. */
const IN_FLIGHT_BYTES = 16 << 20;

/** A history as one client gets it: the newest page at once, each older one when it is asked for. */
export function historyLines(
  transcript: Transcript,
  given: { readonly pageBytes: number | undefined; readonly createdMs: number; readonly draft: unknown },
): { readonly first: Uint8Array; readonly pages: Generator<Uint8Array, void, void> } {
  const { pageBytes = PAGE_BYTES, createdMs, draft } = given;
  const newestBytes = Math.min(pageBytes, NEWEST_BYTES);
  const { history, pages } = historyByPages(transcript, { pageBytes, newestBytes, itemBytes: ITEM_BYTES });
  const state = { ...history.state as Record<string, unknown>, created_ms: createdMs, draft };
  const data = { ...history, state, in_flight: cutLongStrings(history.in_flight, IN_FLIGHT_BYTES) };
  return { first: jsonLine("history", data), pages: pageLines(pages) };
}

function* pageLines(pages: Iterable<HistoryPageData>): Generator<Uint8Array, void, void> {
  for (const page of pages) yield jsonLine("history_page", page);
}

/** An event of one client. */
function jsonLine(event: string, data: unknown): Uint8Array {
  return encoder.encode(JSON.stringify({ event, data }) + "\n");
}

/** The reason of a shutdown as clients are told it. */
export function shutdownText(reason: string | null): string {
  return reason === null || reason === "requested" ? "requested" : reason;
}

/** A wait; called off, it keeps no program alive. */
export function delay(ms: number): { readonly over: Promise<void>; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => timer = setTimeout(resolve, ms));
  return { over, cancel: () => clearTimeout(timer) };
}
