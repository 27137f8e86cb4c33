// What the reducer remembers beside the transcript itself: open streams, routes of calls, the journal.
// Nothing that draws reads it; reduce*.ts, restore*.ts and snapshot.ts are its only users.

import type {
  AssistantTextBlock,
  Block,
  CompactBlock,
  MarkerBlock,
  NotificationBlock,
  QuestionBlock,
  ReasoningBlock,
  ToolBlock,
  Transcript,
  Turn,
  TurnStatsBlock,
  Usage,
  UserMessageBlock,
} from "./block.ts";
import { countIn } from "./counts.ts";
import { createFileCache } from "./file_cache.ts";
import type { Event, EventData, TurnResult } from "./event.ts";
import { createTally, type ProblemTally } from "./problem_tally.ts";
import type { ToolCall } from "./tool_call.ts";

/** A tool call with what only the reducer must know of it. */
export interface Call extends ToolCall {
  block: ToolBlock;
  turn: Turn | null;
  parentId: string | null;
  /** A start or done event named it; false for calls implied by a delta, an output, a result or a child. */
  started: boolean;
  resulted: boolean;
  /** The result carried an output of its own, which then stands for all pieces. */
  outputGiven: boolean;
  /** Made from history.in_flight: an older page may bring the place where it began. */
  fromInFlight: boolean;
  /** A surface showed it without a result: it is over. */
  closedBySurface: boolean;
  /** What it does to files has been done. */
  filesSettled: boolean;
}

/** Text of one agent that may still grow; `block` is null while all of it is blank. */
export interface OpenText {
  block: AssistantTextBlock | null;
  held: string;
}
/** The same for reasoning. */
export interface OpenReasoning {
  block: ReasoningBlock | null;
  held: string;
}

/** How a call came to be. */
export type CallOrigin = "start" | "done" | "args" | "output" | "result" | "child";

/**
 * What happened, in order, as far as blocks and files depend on the order. A history made from it gives the same
 * blocks again (snapshot.ts), and files are rebuilt from it when the oldest history page has come.
 */
export type JournalEntry =
  | { readonly kind: "event"; readonly event: Event }
  | { readonly kind: "turn"; readonly turn: Turn }
  | {
    readonly kind: "user";
    readonly block: UserMessageBlock;
    readonly given: "run" | "steer" | null;
    readonly copy: boolean;
    readonly parentId: string | null;
  }
  | { readonly kind: "text"; readonly block: AssistantTextBlock; readonly parentId: string | null }
  | { readonly kind: "reasoning"; readonly block: ReasoningBlock; readonly parentId: string | null }
  | { readonly kind: "start"; call: Call; readonly name: string; readonly origin: CallOrigin }
  | { readonly kind: "named"; call: Call; readonly name: string }
  | { readonly kind: "done"; call: Call }
  | { readonly kind: "result"; call: Call }
  | { readonly kind: "stats"; readonly block: TurnStatsBlock }
  | { readonly kind: "marker" };

/** Steps whose turn is not known: they stand before the first header, which an older history page may bring. */
export interface Headless {
  readonly usage: Map<number, Usage>;
  steps: number;
  /** provider/model of the newest of them. */
  model: string | null;
}

/** What a turn's stats row says; tokens are summed from its usage where absent. */
export interface TurnEnd {
  readonly result: TurnResult;
  readonly reason: string | null;
  readonly message: string | null;
  readonly requests: number | null;
  readonly elapsedMs: number | null;
  readonly inputTokens?: number | null | undefined;
  readonly outputTokens?: number | null | undefined;
}

/** The end of a turn of which an older page may bring the beginning: its stats row wants what only that knows. */
export interface FirstEnd {
  readonly block: TurnStatsBlock;
  readonly end: TurnEnd;
  /** null where its header has not come. */
  readonly turn: Turn | null;
  /** Time (ms) of the end, where it was seen as it happened. */
  readonly endedMs: number | null;
}

/** A line or message that could not be read, or only with a repair. */
export interface Problem {
  readonly line: number | null;
  readonly what: string;
  /** True when the record was kept all the same, repaired. */
  readonly kept?: boolean;
}

export interface Work {
  /** live: an event as it comes. items: from a history. surface: from a surface replacement. */
  mode: "live" | "items" | "surface";
  /** Time (ms) of the event being applied, where it says one. */
  eventMs: number | null;
  nextId: number;
  lowestId: number;
  version: number;

  throughSeq: number | null;
  readonly missingSeqs: Set<number>;
  gapTold: boolean;

  openTurn: Turn | null;
  /** The open turn has had its turn_start. */
  turnStarted: boolean;
  turnJournaled: boolean;
  /** Error messages already shown in a row since the open turn began. */
  readonly shownErrors: Set<string>;
  /** provider/model of the newest step of all. */
  lastModel: string | null;
  /** The very first step known, which may stand before the first header. */
  firstModel: { readonly pair: string; readonly name: string | null } | null;
  headless: Headless;
  /** How the turn ended that the first block stands in, once it has. */
  firstEnd: FirstEnd | null;
  /** Usage of turns that only an older page can bring, by turn number and step. */
  readonly strayUsage: Map<number, Map<number, Usage>>;
  /** All blocks so far belong to a turn that runs and whose header only an older page will bring. */
  isHeadless: boolean;
  /** Set by a marker until a turn begins or ends: plain user messages there open no turn. */
  behindMarker: boolean;

  readonly texts: Map<string | null, OpenText>;
  /** What tool starts cut off since the last text_done, by parent: that text_done repeats it. */
  readonly cutTexts: Map<string | null, { text: string; blocks: AssistantTextBlock[] }>;
  readonly reasonings: Map<string, OpenReasoning>;
  /** The newest call of each id; empty ids are in `idless`. */
  readonly calls: Map<string, Call>;
  /** The first call of each id that began in the middle: an older page may bring its beginning. */
  readonly orphans: Map<string, Call>;
  /** Those among them that an event made as it came: no history has counted them. */
  readonly liveOrphans: Set<Call>;
  readonly idless: Call[];
  readonly openCalls: Set<Call>;
  /** The compaction that runs. */
  compact: CompactBlock | null;
  /** The compaction that each marker belongs to: it stands above, but is not counted. */
  readonly markerCompacts: Map<MarkerBlock, CompactBlock | null>;
  /** The first compaction that ended without having begun: an older page may bring its beginning. */
  startless: CompactBlock | null;
  /** Batches closed in items that never asked them: an older page may. */
  readonly earlyClosed: Map<string, EventData<"question_closed">>;

  /** The newest question block of each batch. */
  readonly questionBlocks: Map<string, QuestionBlock>;
  readonly messages: Map<string, UserMessageBlock>;
  /** This client's own submits that no event has confirmed. */
  readonly pending: UserMessageBlock[];

  journal: JournalEntry[];
  /** history.state said the totals: items then add nothing to them. */
  totalsKnown: boolean;
  countsKnown: boolean;
  questionsKnown: boolean;
  surfaceDepth: number;

  /** The first of them. */
  problems: Problem[];
  /** Those found in items: a new history finds them again. */
  readonly itemProblems: Set<Problem>;
  problemTally: ProblemTally;
  problemNotice: NotificationBlock | null;
}

/** A transcript with the reducer's notes. */
export interface Session extends Transcript {
  readonly work: Work;
}

/** The reducer's view of a transcript: each was made by createSession. */
export function sessionOf(transcript: Transcript): Session {
  return transcript as Session;
}

/** Usage of which nothing is known. */
export const NO_USAGE: Usage = {
  inputTokens: null,
  outputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  costUsd: null,
};

export function createSession(): Session {
  return {
    agent: "",
    capabilities: [],
    sessionId: null,
    status: "starting",
    statusDetail: null,
    title: "",
    greeting: null,
    blocks: [],
    turns: [],
    moreBefore: null,
    plan: [],
    questions: [],
    queue: [],
    commands: [],
    options: [],
    models: [],
    authMethods: [],
    model: null,
    context: null,
    usage: NO_USAGE,
    retry: null,
    createdMs: null,
    lastActiveMs: null,
    draft: null,
    files: createFileCache(),
    lastSeq: null,
    wantsHistory: false,
    counts: {
      events: 0,
      turns: 0,
      steps: 0,
      toolCalls: 0,
      unknownEvents: new Map(),
      unknownFields: new Map(),
      anomalies: new Map(),
    },
    changes: { rebuilt: false, prepended: 0, touched: new Set<Block>() },
    work: {
      mode: "live",
      eventMs: null,
      nextId: 0,
      lowestId: 0,
      version: 0,
      throughSeq: null,
      missingSeqs: new Set(),
      gapTold: false,
      openTurn: null,
      turnStarted: false,
      turnJournaled: false,
      shownErrors: new Set(),
      lastModel: null,
      firstModel: null,
      headless: createHeadless(),
      firstEnd: null,
      strayUsage: new Map(),
      isHeadless: false,
      behindMarker: false,
      texts: new Map(),
      cutTexts: new Map(),
      reasonings: new Map(),
      calls: new Map(),
      orphans: new Map(),
      liveOrphans: new Set(),
      idless: [],
      openCalls: new Set(),
      compact: null,
      markerCompacts: new Map(),
      startless: null,
      earlyClosed: new Map(),
      questionBlocks: new Map(),
      messages: new Map(),
      pending: [],
      journal: [],
      totalsKnown: false,
      countsKnown: false,
      questionsKnown: false,
      surfaceDepth: 0,
      problems: [],
      itemProblems: new Set(),
      problemTally: createTally(),
      problemNotice: null,
    },
  };
}

export function createHeadless(): Headless {
  return { usage: new Map(), steps: 0, model: null };
}

/** Counts something odd that was tolerated. */
export function countAnomaly(session: Session, what: string): void {
  countIn(session.counts.anomalies, what);
}
