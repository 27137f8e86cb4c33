// What a translator of pi's sessions keeps between records.

import { createTelling, type Telling } from "./telling.ts";

/** A piece of a live message that may still grow. */
export interface PiPiece {
  readonly kind: "text" | "thinking" | "call";
  /** Id of the thought or of the call. */
  readonly id: string;
  length: number;
}

export interface PiState {
  readonly telling: Telling;
  /** Error of the last request, by the id of its message: a context_edit that takes it out means it was tried again. */
  failed: { readonly entryId: string; readonly error: string; readonly notice: boolean } | null;
  /** Live mode: pieces of the message that streams, by content index. */
  readonly pieces: Map<number, PiPiece>;
  isLive: boolean;
  /** Live mode: the message told in pieces; its whole text is not told again. */
  streamed: boolean;
}

export function createPiState(): PiState {
  return { telling: createTelling("pi"), failed: null, pieces: new Map(), isLive: false, streamed: false };
}
