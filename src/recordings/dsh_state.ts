// What a translator of DeepSeek Harness's sessions keeps between records.

import { createTelling, type Telling } from "./telling.ts";

/** A block of the answer that has been told, in pieces or whole. */
export interface DshBlock {
  readonly kind: "text" | "reasoning" | "call";
  /** Id of the thought or of the call. */
  readonly id: string;
  text: string;
  isOver: boolean;
  readonly sinceMs: number | null;
}

/** An event of the log with its place, whatever dialect it came in. */
export interface DshEvent {
  readonly type: string;
  readonly seq: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly surfaceOp: unknown;
}

export interface DshState {
  readonly telling: Telling;
  nextSeq: number;
  provider: string | null;
  model: string | null;
  /** A turn and a step that were announced before the message they belong to. */
  waitingTurn: number | null;
  waitingStep: number | null;
  /** Blocks of the step that streams, by their index; "" when none does. */
  streaming: string;
  readonly blocks: Map<number, DshBlock>;
  textIndex: number | null;
  /** Usage as told, by turn and step: the message repeats that of its chunks. */
  readonly usage: Map<string, string>;
  /** Sequence numbers of what the model sees now. */
  surface: number[];
  compaction: { summary: string; tokens: number | null; isOver: boolean } | null;
  /** Messages that wait, by where they will go. */
  readonly inbox: Map<string, { message_id: string; text: string }[]>;
  /** Questions that have no answer yet. */
  readonly questions: Set<string>;
}

export function createDshState(): DshState {
  return {
    telling: createTelling("DeepSeek Harness"),
    nextSeq: 0,
    provider: null,
    model: null,
    waitingTurn: null,
    waitingStep: null,
    streaming: "",
    blocks: new Map(),
    textIndex: null,
    usage: new Map(),
    surface: [],
    compaction: null,
    inbox: new Map(),
    questions: new Set(),
  };
}
