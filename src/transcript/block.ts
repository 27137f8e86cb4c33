// The transcript's shape: blocks in turns, and the state beside them. Written by reduce.ts and restore.ts only;
// everything that draws takes it readonly.

import type {
  AgentCommand,
  AgentOption,
  AgentStatus,
  Answer,
  AuthMethod,
  Greeting,
  ModelEntry,
  PlanItem,
  Question,
  QueueItem,
  TurnResult,
} from "./event.ts";
import type { FileCache } from "./file_cache.ts";
import type { ToolCall } from "./tool_call.ts";

/** Stays with a block for the life of a transcript and rises along the list; history pages give smaller (negative) ids. */
export type BlockId = number;

interface BlockBase {
  readonly id: BlockId;
  /** Grows with every change of the block or of one nested in it; cached lines are keyed by it. */
  version: number;
  /** The turn the block stands in; null before the first. */
  turn: Turn | null;
  /** The call whose nested agent made the block; null for the transcript's own. */
  readonly parent: ToolCall | null;
  /** True once a compaction took it out of the model's view: drawn dimmed. */
  replaced: boolean;
}

export interface GreetingBlock extends BlockBase {
  readonly kind: "greeting";
  greeting: Greeting;
  agent: string;
}
export interface TurnHeaderBlock extends BlockBase {
  readonly kind: "turn_header";
  /** The number the agent gave; null until turn_start says it. */
  number: number | null;
  /** The model of the turn's first step, when it differs from the turn before; null otherwise. */
  changedModel: string | null;
}
export interface UserMessageBlock extends BlockBase {
  readonly kind: "user_message";
  readonly messageId: string | null;
  text: string;
  messageKind: "run" | "steer";
  /** False for this client's own submit until the event confirms it: drawn dimmed. */
  confirmed: boolean;
}
export interface AssistantTextBlock extends BlockBase {
  readonly kind: "assistant_text";
  text: string;
  /** False while deltas may still come. */
  done: boolean;
}
export interface ReasoningBlock extends BlockBase {
  readonly kind: "reasoning";
  readonly reasoningId: string;
  text: string;
  done: boolean;
  elapsedMs: number | null;
}
/** One call; only consecutive Reads of a turn share a block (`calls` in start order). */
export interface ToolBlock extends BlockBase {
  readonly kind: "tool_call";
  readonly calls: ToolCall[];
}
export interface NotificationBlock extends BlockBase {
  readonly kind: "notification";
  readonly level: "info" | "warn" | "error";
  readonly source: string | null;
  message: string;
}
export interface QuestionBlock extends BlockBase {
  readonly kind: "question";
  readonly batchId: string;
  readonly permission: boolean;
  readonly toolCallId: string | null;
  readonly questions: readonly Question[];
  /** null while open. */
  closed: {
    readonly reason: "answered" | "dismissed" | "cancelled" | "shutdown";
    readonly answers: readonly Answer[];
  } | null;
}
export interface CompactBlock extends BlockBase {
  readonly kind: "compact";
  stage: "running" | "done" | "failed" | "incomplete";
  reason: string | null;
  tokensBefore: number | null;
  tokensAfter: number | null;
  newSessionId: string | null;
  error: string | null;
}
/** Stands between what a compaction replaced (above) and the model's view (below). */
export interface MarkerBlock extends BlockBase {
  readonly kind: "marker";
  /** Blocks above it that the model no longer sees. */
  replacedBlocks: number;
}
export interface TurnStatsBlock extends BlockBase {
  readonly kind: "turn_stats";
  readonly result: TurnResult;
  readonly reason: string | null;
  readonly message: string | null;
  readonly requests: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly elapsedMs: number | null;
}

/** The smallest unit of the transcript. */
export type Block =
  | GreetingBlock
  | TurnHeaderBlock
  | UserMessageBlock
  | AssistantTextBlock
  | ReasoningBlock
  | ToolBlock
  | NotificationBlock
  | QuestionBlock
  | CompactBlock
  | MarkerBlock
  | TurnStatsBlock;
export type BlockKind = Block["kind"];

/** From a header to its stats. */
export interface Turn {
  number: number | null;
  readonly header: TurnHeaderBlock;
  open: boolean;
  /** "provider/model" pair of its latest step. */
  model: string | null;
  /** Usage by step; a later one of the same step replaces the earlier. */
  readonly usage: Map<number, Usage>;
  /** Steps begun; the open one is the highest. */
  steps: number;
  /** Event time (ms) of its start where known. */
  startedMs: number | null;
}

/** Tokens of one step; null is unknown, not zero. */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cacheReadTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly costUsd: number | null;
}

/** An open batch of questions. */
export interface OpenQuestion {
  readonly batchId: string;
  readonly permission: boolean;
  readonly toolCallId: string | null;
  readonly questions: readonly Question[];
}

/** What a frame must know of what changed since it last asked (takeChanges): never more than changed. */
export interface Changes {
  /** Everything was rebuilt (history); the other fields then say nothing. */
  rebuilt: boolean;
  /** Top-level blocks put in front of the first since then. */
  prepended: number;
  /** Top-level blocks whose version grew. Appended blocks are seen by the list's length. */
  readonly touched: Set<Block>;
}

/** A session as the client knows it. */
export interface Transcript {
  agent: string;
  capabilities: readonly string[];
  sessionId: string | null;
  /** "starting" until hello; "disconnected" when the agent or pod is gone. */
  status: AgentStatus | "starting" | "disconnected";
  /** Why it is disconnected, or what start is waiting for; null otherwise. */
  statusDetail: string | null;
  title: string;
  greeting: Greeting | null;
  /** Top-level blocks, oldest first. Nested ones are in their call's `children`. */
  readonly blocks: Block[];
  readonly turns: Turn[];
  /** Older items the agent still holds (history.more_before); null when none. */
  moreBefore: number | null;
  plan: readonly PlanItem[];
  questions: OpenQuestion[];
  queue: readonly QueueItem[];
  commands: readonly AgentCommand[];
  options: readonly AgentOption[];
  models: readonly ModelEntry[];
  /** Ways to log in the agent offered; empty when it asks for none. */
  authMethods: readonly AuthMethod[];
  /** The selected or last used pair; null when unknown. */
  model: { readonly provider: string | null; readonly model: string } | null;
  context: {
    readonly usedTokens: number | null;
    readonly windowTokens: number | null;
    readonly estimated: boolean;
  } | null;
  /** Sums over all steps; what no step said stays null. */
  usage: Usage;
  /** What the agent waits for before it asks its model again; null once anything else came. */
  retry: RetryWait | null;
  createdMs: number | null;
  lastActiveMs: number | null;
  /** The draft kept with the pod, as history brought it. */
  draft: unknown;
  readonly files: FileCache;
  /** Highest seq applied; null before the first. */
  lastSeq: number | null;
  /** True when a gap in seq was seen and get_history should be asked for. */
  wantsHistory: boolean;
  readonly counts: Counts;
  readonly changes: Changes;
}

/** A wait between two tries of a request. */
export interface RetryWait {
  readonly attempt: number | null;
  readonly maxAttempts: number | null;
  readonly waitMs: number;
  /** Event time (ms) of its beginning; null where the event said none. */
  readonly startedMs: number | null;
}

/** Counted for /status; names to how often. */
export interface Counts {
  events: number;
  turns: number;
  steps: number;
  toolCalls: number;
  readonly unknownEvents: Map<string, number>;
  readonly unknownFields: Map<string, number>;
  /** Out-of-order, repeated or otherwise odd events that were tolerated, by what was odd. */
  readonly anomalies: Map<string, number>;
}

/** How much of a block is shown. */
export type FoldMode = "detail" | "normal" | "overview";

/** True while more of the block is expected: it then shows as in detail. */
export function isBlockRunning(block: Block): boolean {
  switch (block.kind) {
    case "assistant_text":
    case "reasoning":
      return !block.done;
    case "tool_call":
      return block.calls.some((call) =>
        call.stage === "pending" || call.stage === "streaming" || call.stage === "executing"
      );
    case "compact":
      return block.stage === "running";
    default:
      return false;
  }
}

/** Marks an impossible case; the compiler proves it is one. */
export function unreachable(value: never): never {
  throw new Error(`Cannot handle ${JSON.stringify(value)}: no case covers it`);
}
