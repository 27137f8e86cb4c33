// The other way round: a transcript as the history that gives it again, blocks, files and state alike, whole or in
// pages. The pod sends it to a client that attaches. Reading it is restore.ts.

import type { Transcript, Usage } from "./block.ts";
import { itemsOf, type Wire } from "./snapshot_items.ts";
import { cutPages, type PagePart } from "./snapshot_pages.ts";
import { type Session, sessionOf } from "./work.ts";

/** The `data` of a history event. */
export interface HistoryData extends Wire {
  readonly items: readonly Wire[];
  readonly in_flight: readonly Wire[];
  readonly more_before: number | null;
}
/** The `data` of a history_page event. */
export interface HistoryPageData extends Wire {
  readonly items: readonly Wire[];
  readonly more_before: number | null;
}

export interface PageOptions {
  /** Bytes of the newest page, where it is to be smaller than the others. */
  readonly newestBytes?: number;
  readonly pageBytes?: number;
  readonly itemBytes?: number;
}

/** Bytes of a page's items at most. */
const PAGE_BYTES = 8 << 20;

/** The whole transcript as one history. Its items give equal blocks when they are applied again. */
export function historyOf(transcript: Transcript): HistoryData {
  const session = sessionOf(transcript);
  const { items, inFlight } = itemsOf(session);
  return headOf(session, items, inFlight, null);
}

/**
 * The same in pages: the history holds the newest items, the pages the older ones, newest first. Pages are cut at
 * turns; a turn larger than a page is cut between its items, an item larger than a page keeps its head and tail.
 */
export function historyPagesOf(
  transcript: Transcript,
  options: PageOptions = {},
): { readonly history: HistoryData; readonly pages: readonly HistoryPageData[] } {
  const { history, pages } = historyByPages(transcript, options);
  return { history, pages: [...pages] };
}

/** The same with pages that are made one by one, as the transcript is now: the newest is there when it returns. */
export function historyByPages(
  transcript: Transcript,
  options: PageOptions = {},
): { readonly history: HistoryData; readonly pages: Iterable<HistoryPageData> } {
  const session = sessionOf(transcript);
  const pageBytes = options.pageBytes ?? PAGE_BYTES;
  const { items, inFlight, whole } = itemsOf(session);
  const { newestBytes = pageBytes, itemBytes = pageBytes } = options;
  const parts = cutPages(items, { newestBytes, pageBytes, itemBytes, whole });
  const newest = parts.next().value ?? { from: 0, items: [] };
  const history = headOf(session, newest.items, inFlight, newest.from === 0 ? null : newest.from);
  return { history, pages: olderPages(parts) };
}

function* olderPages(parts: Iterable<PagePart>): Generator<HistoryPageData, void, void> {
  for (const part of parts) yield { items: part.items, more_before: part.from === 0 ? null : part.from };
}

/** What the transcript knows beside its blocks, as history.state. */
export function stateOf(transcript: Transcript): Wire {
  const { counts, context } = transcript;
  return {
    title: transcript.title,
    plan: transcript.plan,
    questions: transcript.questions.map((open) => ({
      batch_id: open.batchId,
      kind: open.permission ? "permission" : null,
      tool_call_id: open.toolCallId,
      questions: open.questions,
    })),
    options: transcript.options,
    commands: transcript.commands,
    models: transcript.models,
    model: transcript.model,
    context: context === null ? null : {
      used_tokens: context.usedTokens,
      window_tokens: context.windowTokens,
      estimated: context.estimated,
    },
    queue: transcript.queue,
    usage: wireUsage(transcript.usage),
    retry: transcript.retry === null ? null : {
      attempt: transcript.retry.attempt,
      max_attempts: transcript.retry.maxAttempts,
      wait_ms: transcript.retry.waitMs,
      started_ms: transcript.retry.startedMs,
    },
    counts: { events: counts.events, turns: counts.turns, steps: counts.steps, tool_calls: counts.toolCalls },
    created_ms: transcript.createdMs,
    last_active_ms: transcript.lastActiveMs,
    draft: transcript.draft,
  };
}

function headOf(
  session: Session,
  items: readonly Wire[],
  inFlight: readonly Wire[],
  moreBefore: number | null,
): HistoryData {
  const { status } = session;
  return {
    session_id: session.sessionId,
    through_seq: session.lastSeq,
    status: status === "starting" || status === "disconnected" ? "idle" : status,
    greeting: session.greeting,
    state: stateOf(session),
    items,
    in_flight: inFlight,
    turn_open: session.work.openTurn !== null,
    more_before: moreBefore,
  };
}

function wireUsage(usage: Usage): Wire {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_write_input_tokens: usage.cacheWriteTokens,
    reasoning_tokens: usage.reasoningTokens,
    cost_usd: usage.costUsd,
  };
}
