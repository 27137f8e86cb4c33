// /status: what is known of the session, each missing fact labelled, nothing guessed.

import { oneLine } from "./one_line.ts";
import type { Counts, Transcript } from "../transcript/block.ts";
import { heading, labelled, type Panel, type PanelLine } from "./panels/panel.ts";
import type { State } from "./state.ts";
import { cacheRate, tokenFigures, TOKENS_MEANING } from "./status_row.ts";

/** Width of the labels. */
const LABEL = 16;

/** A snapshot of the session's facts. */
export function statusPanel(state: State): Panel {
  const { transcript } = state;
  const rows: [string, string][] = [
    ["session", transcript.sessionId ?? "unknown"],
    ...podRow(state.options.podId ?? null),
    ["title", transcript.title === "" ? "untitled" : transcript.title],
    ["directory", transcript.greeting?.cwd ?? "unknown"],
    ["agent", transcript.agent === "" ? "unknown" : transcript.agent],
    ["state", transcript.status + (transcript.statusDetail === null ? "" : `: ${transcript.statusDetail}`)],
    ["model", modelText(transcript)],
    ["reasoning", state.showReasoning ? "shown" : "hidden"],
    ["created", isoTime(transcript.createdMs)],
    ["last active", isoTime(transcript.lastActiveMs)],
    ["activity", activityText(transcript.counts)],
    ["tokens", tokensText(state)],
    [
      "cache",
      `${grouped(transcript.usage.cacheReadTokens)} read, ${
        grouped(transcript.usage.cacheWriteTokens)
      } written`,
    ],
    ["cache hit rate", rateText(state)],
    ["context", contextText(transcript)],
  ];
  const lines: PanelLine[] = rows.map(([label, value]) => labelled(label, oneLine(value), LABEL));
  lines.push(...countRows("unknown events", transcript.counts.unknownEvents));
  lines.push(...countRows("unknown fields", transcript.counts.unknownFields));
  lines.push(...countRows("tolerated", transcript.counts.anomalies));
  lines.push(...countRows("not shown", state.ignored));
  if (state.fileProblems.length > 0) lines.push(heading("damage"));
  for (const problem of state.fileProblems.slice(0, 500)) {
    lines.push(labelled(problem.line === null ? "" : `line ${problem.line}`, oneLine(problem.what), LABEL));
  }
  return { kind: "text", name: "status", title: "Status", lines, scroll: 0 };
}

/** None for what runs in no pod: a recording. */
function podRow(id: string | null): [string, string][] {
  return id === null ? [] : [["pod", `${id}; trifold attach ${id} comes back to it`]];
}

function modelText(transcript: Transcript): string {
  const model = transcript.model;
  return model === null ? "unset" : [model.provider, model.model].filter((part) => part !== null).join("/");
}

/** ISO UTC, or "unknown". */
function isoTime(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return "unknown";
  return isoUtc(ms);
}

/** Milliseconds since 1970 as "2026-11-30T09:05:00Z", by arithmetic: a formatter needs no clock. */
export function isoUtc(ms: number): string {
  const days = Math.floor(ms / 86_400_000);
  const seconds = Math.floor((ms - days * 86_400_000) / 1000);
  // Howard Hinnant, "chrono-compatible low-level date algorithms", civil_from_days.
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${two(Math.floor(seconds / 3600))}:${
    two(Math.floor(seconds / 60) % 60)
  }:${two(seconds % 60)}Z`;
}

function activityText(counts: Counts): string {
  const parts: readonly (readonly [number, string])[] = [
    [counts.events, "event"],
    [counts.turns, "turn"],
    [counts.steps, "step"],
    [counts.toolCalls, "tool call"],
  ];
  return parts.map(([count, noun]) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`).join(", ");
}

/** In words, since the status row has two bare figures. */
function tokensText(state: State): string {
  const { inputTokens, outputTokens } = state.transcript.usage;
  const figures = tokenFigures(state);
  return `${grouped(inputTokens)} in, ${grouped(outputTokens)} out: ${TOKENS_MEANING}` +
    (figures === "" ? "" : `; ${figures} on the status row`);
}

function rateText(state: State): string {
  const rate = cacheRate(state.transcript.usage);
  return rate === null ? "n/a" : `${rate}%`;
}

function contextText(transcript: Transcript): string {
  const context = transcript.context ?? greetedContext(transcript);
  if (context === null || context.usedTokens === null) return "unknown";
  const used = grouped(context.usedTokens) + (context.estimated ? " (estimated)" : "");
  if (context.windowTokens === null || context.windowTokens <= 0) return `${used}, capacity unknown`;
  return `${used} of ${grouped(context.windowTokens)} (${
    Math.min(100, Math.round((100 * context.usedTokens) / context.windowTokens))
  }%)`;
}

/** What the agent said of it when it was greeted, as long as it has said nothing newer. */
function greetedContext({ greeting }: Transcript): Transcript["context"] {
  if (greeting === null) return null;
  return { usedTokens: greeting.context_tokens, windowTokens: greeting.context_window, estimated: false };
}

function grouped(count: number | null): string {
  return count === null ? "unknown" : String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

function countRows(label: string, counts: ReadonlyMap<string, number>): PanelLine[] {
  if (counts.size === 0) return [];
  const text = [...counts].slice(0, 40).map(([name, count]) => `${oneLine(name)} ${count}`).join(", ");
  return [labelled(label, text + (counts.size > 40 ? `, +${counts.size - 40}` : ""), LABEL)];
}
