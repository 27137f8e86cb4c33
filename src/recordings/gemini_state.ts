// What a translator of Gemini CLI's sessions keeps between records.

import { createTelling, type Telling } from "./telling.ts";

/** What has been told of one message: it is written again whenever it grows. */
export interface GeminiMessage {
  content: string;
  thoughts: number;
  /** Place of its usage, and the usage as told. */
  readonly step: { readonly turn: number; readonly step: number };
  usage: string;
}

export interface GeminiState {
  readonly telling: Telling;
  readonly messages: Map<string, GeminiMessage>;
  /** Ids of the messages of the person that have been told. */
  readonly users: Set<string>;
  /** Ids in the order told, for a list that replaces the model's context. */
  readonly told: string[];
  hasHeader: boolean;
  /** Stream: a text is open; the next piece of the answer belongs to a new request. */
  textOpen: boolean;
  afterResult: boolean;
}

export function createGeminiState(): GeminiState {
  return {
    telling: createTelling("Gemini CLI"),
    messages: new Map(),
    users: new Set(),
    told: [],
    hasHeader: false,
    textOpen: false,
    afterResult: false,
  };
}
