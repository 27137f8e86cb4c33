// A tool call: its stages, the steps allowed between them, and what the conversation showed of it.

import type { Block } from "./block.ts";
import type { Presentation } from "./event.ts";
import type { LongText } from "./long_text.ts";

/** pending: announced. streaming: arguments arrive. executing: arguments fixed. The others are final, though a late result repairs incomplete. */
export type ToolStage = "pending" | "streaming" | "executing" | "done" | "error" | "incomplete";

/** The steps a call may take; anything else is counted as an anomaly. */
export const TOOL_STEPS: Readonly<Record<ToolStage, readonly ToolStage[]>> = {
  pending: ["streaming", "executing", "done", "error", "incomplete"],
  streaming: ["executing", "done", "error", "incomplete"],
  executing: ["done", "error", "incomplete"],
  incomplete: ["done", "error"],
  done: [],
  error: [],
};

/** One place an edit touched, as far as the file cache knew it: up to three lines of context on either side are part of both. */
export interface EditRegion {
  /** Line number (from 1) of the first line in both texts; null when the file was not known. */
  readonly oldStart: number | null;
  readonly newStart: number | null;
  /** The lines joined by LF. A missing final newline of the file is said by the flags. */
  readonly oldText: string;
  readonly newText: string;
  readonly oldLacksFinalNewline: boolean;
  readonly newLacksFinalNewline: boolean;
}

/** What an Edit, Write or patch did to one file, fixed when the result came. */
export interface FileChange {
  readonly path: string;
  readonly regions: readonly EditRegion[];
  /** Why the regions are only old and new text: "context unknown", "not found", "not unique"; null when located. */
  readonly note: string | null;
  /** Patches only: the file was added or deleted; absent for a change. */
  readonly action?: "add" | "delete";
  /** Patches only: the file's new path. */
  readonly movedTo?: string;
}

/** One call of a tool. Joined on `id`; the reducer is its only writer. */
export interface ToolCall {
  readonly id: string;
  name: string;
  stage: ToolStage;
  /** The raw arguments as they stream, then as fixed. Partial JSON is never parsed. */
  args: LongText;
  /** True once tool_call_done gave the arguments. */
  argsFixed: boolean;
  /** The fixed arguments when they are a JSON object; null otherwise. */
  input: Readonly<Record<string, unknown>> | null;
  /** From the result, verbatim; "" when there is none yet or it is empty. */
  summary: string;
  /** tool_output pieces, then the result's output; null when nothing came ("absent" and "" differ). */
  output: LongText | null;
  presentation: Presentation | null;
  /** Write only: fixed with the result. */
  writeLabel: "created" | "overwrote" | "wrote" | null;
  /** Edits, in order: a preview while executing, the record once the result came. */
  changes: readonly FileChange[] | null;
  /** The result came after the turn had closed the call. */
  late: boolean;
  /** A second, different result came and was ignored. */
  secondResultIgnored: boolean;
  /** Why an incomplete call has no result: the turn's result, for example "cancelled". */
  incompleteReason: string | null;
  /** Blocks of a nested agent. */
  children: Block[];
}

/** True when no more is expected of the call. */
export function isFinal(stage: ToolStage): boolean {
  return stage === "done" || stage === "error" || stage === "incomplete";
}

/** True when the call shows as running. */
export function isRunning(stage: ToolStage): boolean {
  return !isFinal(stage);
}
