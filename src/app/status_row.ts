// The status row: one row that always fits. Parts drop whole as the width shrinks, never in mid-word.

import { cellWidth } from "../text/graphemes.ts";
import type { Line, Span } from "../text/line.ts";
import { oneLine, shortReason, shortSentence } from "./one_line.ts";
import type { Role } from "../text/role.ts";
import { formatDuration, formatTokens, shortPath } from "../layout/format.ts";
import { isFollowing, newBelow } from "../layout/viewport.ts";
import type { Block, Usage } from "../transcript/block.ts";
import { panelWithKeys } from "./panels/shown_panel.ts";
import { isBusy, SPINNER_MS, type State } from "./state.ts";

interface Part {
  readonly text: string;
  readonly role: Role;
  /** The lowest goes first when the room ends. */
  readonly keep: number;
  readonly side: "left" | "right";
  /** What was just done or refused: cut to the room there is before it drops. */
  readonly isHint?: boolean;
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** Agent modes in which nobody is asked first: always said in the warning role. */
const UNGUARDED = /auto|bypass|yolo|full.?access|dangerous/i;

/** The row's line, exactly `state.columns` wide where anything stands at the right. */
export function statusLine(state: State): Line {
  const width = Math.max(0, state.columns);
  const parts = [...modeParts(state), ...leftParts(state), ...rightParts(state)].filter((part) =>
    part.text !== ""
  );
  const kept = fitParts(parts, width);
  const left = side(kept, "left");
  const right = side(kept, "right");
  const used = spansWidth(left) + spansWidth(right);
  const gap: Span[] = right.length === 0
    ? []
    : [{ text: " ".repeat(Math.max(0, width - used)), role: "default" }];
  return { spans: [...left, ...gap, ...right] };
}

/** Cache read share of all input tokens, in percent; null before any input. Input counts what was read from the cache. */
export function cacheRate(usage: Usage): number | null {
  const read = usage.cacheReadTokens ?? 0;
  // An agent that counts only what was not cached says less input than was read.
  const all = Math.max(usage.inputTokens ?? 0, read + (usage.cacheWriteTokens ?? 0));
  return all <= 0 || usage.cacheReadTokens === null ? null : Math.round((100 * read) / all);
}

/** Tokens in and out of the session as the row has them, "15k/560"; "" where none were counted, or not all are known. */
export function tokenFigures({ transcript, reading }: State): string {
  const { inputTokens, outputTokens } = transcript.usage;
  // Sums over a tail would be wrong.
  if (reading !== null || !inputTokens && !outputTokens) return "";
  return `${formatTokens(inputTokens ?? 0)}/${formatTokens(outputTokens ?? 0)}`;
}

/** What `tokenFigures` are. */
export const TOKENS_MEANING = "sent to the model and written by it in this session";

/** The row's figures in words, for help. */
export const STATUS_FIGURES: readonly (readonly [figure: string, meaning: string])[] = [
  ["15k/560", `tokens ${TOKENS_MEANING}`],
  ["cache 50%", "how much of what was sent the model had in its cache"],
  ["ctx 12%", "how much of the model's context is in use"],
];

/** Share of the context window in use, in percent, at most 100; null when either is unknown. */
export function contextShare(state: State): number | null {
  const context = state.transcript.context;
  if (
    context === null || context.usedTokens === null || context.windowTokens === null ||
    context.windowTokens <= 0
  ) return null;
  return Math.min(100, Math.max(0, Math.round((100 * context.usedTokens) / context.windowTokens)));
}

/** What the agent is doing, in a word or two. */
export function phase(state: State): string {
  const { transcript } = state;
  if (transcript.questions.length > 0) return "waiting for your answer";
  if (transcript.status === "compacting") return "compacting";
  const { retry } = state;
  if (retry !== null && retry.untilMs > state.nowMs) {
    return `${retry.text} in ${Math.ceil((retry.untilMs - state.nowMs) / 1000)}s`;
  }
  const { blocks } = transcript;
  const last = blocks.at(-1);
  if (last?.kind === "reasoning" && !last.done) return "thinking";
  if (last?.kind === "assistant_text" && !last.done) return "responding";
  const running = runningCall(blocks);
  return running === null ? "waiting" : `executing ${oneLine(running === "" ? "a tool" : running)}`;
}

/** Blocks that are looked through for a call that runs: what it asked, notices and steers may stand below it. */
const LOOKED_THROUGH = 40;

/** Name of the newest call of this turn that has no result yet. */
function runningCall(blocks: readonly Block[]): string | null {
  for (let at = blocks.length - 1; at >= 0 && at >= blocks.length - LOOKED_THROUGH; at--) {
    const block = blocks[at];
    if (block === undefined || block.kind === "turn_header") return null;
    const call = block.kind !== "tool_call"
      ? undefined
      : block.calls.find(({ stage }) =>
        stage === "executing" || stage === "streaming" || stage === "pending"
      );
    if (call !== undefined) return call.name;
  }
  return null;
}

function modeParts(state: State): Part[] {
  const mode = state.transcript.options.find((option) => option.id === "mode");
  if (mode === undefined || typeof mode.current !== "string") return [];
  const label = mode.values.find((value) => value.id === mode.current)?.label || mode.current;
  const role: Role = UNGUARDED.test(mode.current) || UNGUARDED.test(label) ? "status.warn" : "status.left";
  return [{ text: oneLine(label), role, keep: 100, side: "left" }];
}

function leftParts(state: State): Part[] {
  const { search } = state.composer;
  if (search !== null && state.focus === "composer") {
    return [
      left(`search: ${oneLine(search.query)}`, 96, "status.hint"),
      left(search.failed ? "(nothing older)" : "", 94, "status.warn"),
      left("Ctrl-S older, Esc back", 20, "status.hint"),
    ];
  }
  if (state.hint !== null) {
    return [{
      text: state.hint.text,
      role: state.hint.level === "warn" ? "status.warn" : "status.hint",
      keep: 95,
      side: "left",
      isHint: true,
    }];
  }
  // A recording is there at once, whatever was said in it.
  if (state.options.recording) return idleParts(state);
  const isAsked = panelWithKeys(state)?.kind === "question";
  if (state.transcript.status === "disconnected") {
    const wish = left("Enter reconnects", 60, "status.hint");
    return [left(withDetail(state, "disconnected", wish.text), 90, "status.warn"), wish];
  }
  if (state.transcript.status === "starting") {
    return [left(withDetail(state, "starting", ""), 90)];
  }
  if (state.transcript.status === "paused") {
    if (isAsked) return [left("paused, waiting for your answer", 90)];
    return [left("paused, Enter resumes", 90, "status.hint"), left("Esc cancels", 65, "status.hint")];
  }
  return isBusy(state) ? busyParts(state) : idleParts(state);
}

function busyParts(state: State): Part[] {
  const elapsed = state.busySinceMs === null ? "" : formatDuration(state.nowMs - state.busySinceMs);
  const spinner = SPINNER[Math.floor(state.nowMs / SPINNER_MS) % SPINNER.length] ?? "*";
  const queued = state.transcript.queue.length;
  return [
    left(spinner, 75, "status.spinner"),
    left(phase(state), 90),
    left(elapsed, 70),
    ...placeParts(state),
    // Esc is the panel's or the history's as long as that has the keys.
    left(
      panelWithKeys(state) === null && state.focus !== "history" ? "Esc interrupts" : "",
      65,
      "status.hint",
    ),
    left(queued === 0 ? "" : `${queued} queued`, 85),
  ];
}

function idleParts(state: State): Part[] {
  const { transcript } = state;
  const cwd = transcript.greeting?.cwd ?? "";
  const model = transcript.model?.model ?? transcript.greeting?.model ?? "";
  const rate = state.reading === null ? cacheRate(transcript.usage) : null;
  const share = contextShare(state);
  return [
    ...placeParts(state),
    ...recordingParts(state),
    left(cwd === "" ? "" : oneLine(shortPath(cwd, state.options.home)), 20),
    left(oneLine(model), 40),
    left(tokenFigures(state), 30),
    left(rate === null ? "" : `cache ${rate}%`, 25),
    left(share === null ? "" : `ctx ${share}%`, 50),
  ];
}

/** Says that keys go to the selected block: its mark in the gutter is easily overlooked. */
function placeParts(state: State): Part[] {
  if (state.focus !== "history") return [];
  return [left("history", 88, "status.hint"), left("Space folds, y copies, Esc back", 45, "status.hint")];
}

/** That nothing runs here, and how to leave: the last thing to drop but for the mode. */
function recordingParts(state: State): Part[] {
  if (!state.options.recording || state.focus === "history") return [];
  return [
    left("recording,", 35, "status.hint"),
    left(state.sessionList === null ? "" : "Esc to the list,", 54, "status.hint"),
    left("Ctrl-D leaves", 55, "status.hint"),
  ];
}

function rightParts(state: State): Part[] {
  const parts: Part[] = [];
  if (!state.loaded) {
    const share = state.reading === null ? "" : ` ${Math.floor(100 * state.reading.share)}%`;
    parts.push({ text: `reading${share}`, role: "status.hint", keep: 82, side: "right" });
  }
  if (!isFollowing(state.viewport)) {
    const below = newBelow(state.layout, state.viewport);
    parts.push({
      text: below === 0 ? "scrolled" : `scrolled, ${below} new below`,
      role: "status.hint",
      keep: 80,
      side: "right",
    });
  }
  parts.push({ text: state.fold, role: "status.fold", keep: 60, side: "right" });
  return parts;
}

function left(text: string, keep: number, role: Role = "status.left"): Part {
  return { text, role, keep, side: "left" };
}

function fitParts(parts: readonly Part[], width: number): readonly Part[] {
  const kept = [...parts];
  while (kept.length > 0 && partsWidth(kept) > width) {
    let least = 0;
    for (let at = 1; at < kept.length; at++) if ((kept[at]?.keep ?? 0) < (kept[least]?.keep ?? 0)) least = at;
    const part = kept[least];
    // A hint is said as far as there is room: nothing else would say it.
    if (kept.length === 1 && part?.isHint) return [{ ...part, text: shortSentence(part.text, width) }];
    kept.splice(least, 1);
  }
  return kept;
}

/** A state and why it is so, as far as there is room: it names commands and paths of any length. */
function withDetail(state: State, word: string, behind: string): string {
  const detail = oneLine(state.transcript.statusDetail ?? "");
  if (detail === "") return word;
  const others = partsWidth([...modeParts(state), left(word, 0), left(behind, 0), ...rightParts(state)]);
  const room = state.columns - others - 2;
  const cut = room < Math.min(LEAST_DETAIL, cellWidth(detail)) ? "" : shortReason(detail, room);
  return cut === "" ? word : `${word}: ${cut}`;
}

/** Less of it says nothing. */
const LEAST_DETAIL = 12;

function partsWidth(parts: readonly Part[]): number {
  const rights = parts.filter((part) => part.side === "right").length;
  let width = Math.max(0, parts.length - 1) + Math.max(0, rights - 1);
  if (parts.some((part) => part.side === "left") && parts.some((part) => part.side === "right")) width += 1;
  for (const part of parts) width += cellWidth(part.text);
  return width;
}

function side(parts: readonly Part[], which: Part["side"]): Span[] {
  const spans: Span[] = [];
  for (const part of parts) {
    if (part.side !== which) continue;
    if (spans.length > 0) spans.push({ text: which === "left" ? " " : "  ", role: "default" });
    spans.push({ text: part.text, role: part.role });
  }
  return spans;
}

function spansWidth(spans: readonly Span[]): number {
  return spans.reduce((width, span) => width + cellWidth(span.text), 0);
}
