// Lines a pod sends that are in no log, and a wait that can be called off.

import type { Event } from "../transcript/event.ts";
import type { HistoryPageData } from "../transcript/snapshot.ts";

const encoder = new TextEncoder();

/** Why it is over. */
export function fatal(message: string): Event {
  return { event: "error", data: { code: "internal", message, fatal: true, id: null, message_id: null } };
}

/** The pages of a history as lines, each made when it is asked for. */
export function* pageLines(pages: Iterable<HistoryPageData>): Generator<Uint8Array, void, void> {
  for (const page of pages) yield jsonLine("history_page", page);
}

/** An event of one client. */
export function jsonLine(event: string, data: unknown): Uint8Array {
  return encoder.encode(JSON.stringify({ event, data }) + "\n");
}

/** A wait; called off, it keeps no program alive. */
export function delay(ms: number): { readonly over: Promise<void>; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => timer = setTimeout(resolve, ms));
  return { over, cancel: () => clearTimeout(timer) };
}
