// What a translator of OpenCode's sessions keeps between messages.

import type { Fields } from "./fields.ts";
import { createTelling, type Telling } from "./telling.ts";

export interface OpencodeState {
  readonly telling: Telling;
  /** Sessions of nested agents by their id, until the call that made each is told. */
  readonly children: Map<string, Fields>;
  /** A compaction was asked for: its summary is the next answer. */
  compaction: { readonly keepsMessages: boolean } | null;
  /** Provider and model of the message being told. */
  provider: string | null;
  model: string | null;
  /** Usage was told by the parts of the message. */
  hasUsage: boolean;
}

export function createOpencodeState(): OpencodeState {
  return {
    telling: createTelling("OpenCode"),
    children: new Map(),
    compaction: null,
    provider: null,
    model: null,
    hasUsage: false,
  };
}
