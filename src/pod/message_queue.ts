// The messages that wait for the running turn's end, and the ids of those that were taken: no message runs twice.
// Pure; what is sent when is the host's.

import type { QueueItem } from "../transcript/event.ts";

export class MessageQueue {
  #items: readonly QueueItem[];
  readonly #seen: Set<string>;

  constructor(items: readonly QueueItem[], seen: Iterable<string>) {
    this.#items = [...items];
    this.#seen = new Set(seen);
  }

  get items(): readonly QueueItem[] {
    return this.#items;
  }

  /** Takes note of a message; false when it was there before. */
  note(messageId: string): boolean {
    if (this.#seen.has(messageId)) return false;
    this.#seen.add(messageId);
    return true;
  }

  /** It was refused: sending it again is another try. */
  forget(messageId: string): void {
    this.#seen.delete(messageId);
  }

  add(item: QueueItem, place: "front" | "end" = "end"): void {
    if (this.#items.some((one) => one.message_id === item.message_id)) return;
    this.#items = place === "front" ? [item, ...this.#items] : [...this.#items, item];
  }

  /** Takes a message out; false when it does not wait here. */
  remove(messageId: string): boolean {
    const left = this.#items.filter((one) => one.message_id !== messageId);
    const isFound = left.length < this.#items.length;
    this.#items = left;
    return isFound;
  }
}
