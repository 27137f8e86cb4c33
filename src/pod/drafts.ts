// The drafts clients left with their pod. Each client has its own; the newest comes back to a client that attaches.
// Kept in a file too, so that a draft outlives the pod.

import type { DraftPart } from "../transcript/method.ts";

interface Kept {
  readonly parts: readonly DraftPart[];
  /** Counts up: the highest is the newest. */
  readonly order: number;
}

export class Drafts {
  readonly #kept = new Map<number, Kept>();
  #order = 0;

  /** `stored` is the draft of an earlier pod, which belongs to no client. */
  constructor(stored: readonly DraftPart[] = []) {
    if (stored.length > 0) this.#kept.set(0, { parts: stored, order: 0 });
  }

  /**
   * Takes a client's draft; an empty one takes it back. The same words left by a client that is gone have come back
   * with this one, and are kept no longer for themselves.
   */
  keep(client: number, parts: readonly DraftPart[], isConnected: (client: number) => boolean): void {
    const text = JSON.stringify(parts);
    for (const [other, kept] of this.#kept) {
      if (!isConnected(other) && JSON.stringify(kept.parts) === text) this.#kept.delete(other);
    }
    if (parts.length === 0) this.#kept.delete(client);
    else this.#kept.set(client, { parts, order: ++this.#order });
  }

  /** The newest one of a client other than `client`; null when there is none. */
  newest(client?: number): readonly DraftPart[] | null {
    let newest: Kept | null = null;
    for (const [owner, kept] of this.#kept) {
      if (owner !== client && (newest === null || kept.order > newest.order)) newest = kept;
    }
    return newest?.parts ?? null;
  }
}
