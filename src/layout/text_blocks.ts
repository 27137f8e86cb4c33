// The look of every block that is not a tool call: a table from kind to a function that gives its parts.
// Budgets are screen rows and include the "+N rows" row (fold modes of the documentation).

import type { Part } from "../tools/renderer.ts";
import { cellWidth } from "../text/graphemes.ts";
import { joinLines, type Line, line, lineOf, lineWidth, shortenLine, shortenText } from "../text/line.ts";
import { flowRows } from "../text/flow_text.ts";
import {
  createMarkdown,
  type MarkdownGroup,
  markdownGroups,
  markdownLines,
  updateMarkdown,
} from "../text/markdown.ts";
import { safeBlockText, safeText } from "../text/outside_text.ts";
import type { Role } from "../text/role.ts";
import { isBlankText, startOf } from "../text/text_source.ts";
import { wrapLine, wrapText } from "../text/wrap.ts";
import type { Block, BlockKind, FoldMode, QuestionBlock, TurnStatsBlock } from "../transcript/block.ts";
import { longText } from "../transcript/long_text.ts";
import { streamOf, type StreamText } from "../transcript/stream_text.ts";
import { formatDuration, formatTokens, plural } from "./format.ts";
import { keptChunks, keptFlow, keptMarkdown, type KeptText } from "./streamed_text.ts";

/** What these functions may know beside the block. */
export interface TextContext {
  readonly fold: FoldMode;
  /** Cells without the gutter, at least 1. */
  readonly width: number;
  readonly running: boolean;
  readonly whole: boolean;
  readonly showReasoning: boolean;
  /** Kept with the block's cached lines, so that a delta costs what it says. */
  readonly kept: () => KeptText;
}

type TextBlock = Exclude<Block, { kind: "tool_call" }>;
type TextKind = Exclude<BlockKind, "tool_call">;
type Draw<Kind extends TextKind> = (
  block: Extract<Block, { kind: Kind }>,
  context: TextContext,
) => readonly Part[];

/** Text longer than this (UTF-16 units) is measured in chunks where it is seen, not wrapped at once. */
const LONG_TEXT = 1 << 16;

const DRAW: { readonly [Kind in TextKind]: Draw<Kind> } = {
  greeting: drawGreeting,
  turn_header: drawTurnHeader,
  user_message: drawUserMessage,
  assistant_text: drawAssistantText,
  reasoning: drawReasoning,
  notification: drawNotification,
  question: drawQuestion,
  compact: drawCompact,
  marker: drawMarker,
  turn_stats: drawTurnStats,
};

/** Parts of a block that is no tool call; an empty list shows nothing. */
export function drawTextBlock(block: TextBlock, context: TextContext): readonly Part[] {
  return (DRAW[block.kind] as (block: TextBlock, context: TextContext) => readonly Part[])(block, context);
}

function drawGreeting(block: Extract<Block, { kind: "greeting" }>, context: TextContext): readonly Part[] {
  const { greeting } = block;
  const name = safeText(greeting.pod_name ?? block.agent);
  const pair = [greeting.provider, greeting.model].filter((part) => part !== null && part !== "").join("/");
  const head = lineOf([name, "greeting.name"], [pair === "" ? "" : "  " + safeText(pair), "model"]);
  if (context.fold === "overview") return oneRow(head, context);
  const isWhole = context.fold === "detail";
  const facts: readonly (readonly [label: string, value: string])[] = [
    ["agent", block.agent === greeting.pod_name ? "" : block.agent],
    ["directory", greeting.cwd ?? ""],
    ["scope", greeting.scope_summary ?? ""],
    // Long, and known to whoever asks: only where everything is shown.
    ["tools", isWhole ? (greeting.tools ?? []).join(", ") : ""],
  ];
  const lines: Line[] = facts.filter(([, value]) => value !== "").map(([label, value]) =>
    lineOf([label.padEnd(11), "greeting.label"], [safeText(value), "greeting.text"])
  );
  lines.push(line("F1 shows the keys, /help the commands", "greeting.label"));
  for (const note of (greeting.notes ?? []).flatMap((text) => text.trim().split("\n"))) {
    lines.push(line(safeText(note), "greeting.text"));
  }
  const indent = context.width >= 24 ? 11 : 0;
  if (isWhole) return [head, ...lines].flatMap((one) => wrapLine(one, context.width, { indent }));
  return foldTo([head, ...lines].map((one) => shortenLine(one, context.width)), 6, context);
}

function drawTurnHeader(
  block: Extract<Block, { kind: "turn_header" }>,
  context: TextContext,
): readonly Part[] {
  const number = block.number === null ? "" : String(block.number);
  const model = block.changedModel === null ? "" : (number === "" ? "" : "  ") + safeText(block.changedModel);
  return [shortenLine(lineOf([number, "turn.mark"], [model, "model"]), context.width)];
}

function drawUserMessage(
  block: Extract<Block, { kind: "user_message" }>,
  context: TextContext,
): readonly Part[] {
  const role: Role = !block.confirmed
    ? "user.pending"
    : block.messageKind === "steer"
    ? "user.steer"
    : "user.text";
  if (context.fold === "overview") return [firstLine(block.text, role, context, " lines")];
  return plainText(block.text, role, context, context.fold === "detail" ? Infinity : 6);
}

function drawAssistantText(
  block: Extract<Block, { kind: "assistant_text" }>,
  context: TextContext,
): readonly Part[] {
  const text = streamOf(block) ?? block.text;
  if (isBlankText(text)) return [];
  if (context.fold === "overview") return [firstLine(text, "default", context, "")];
  const markdown = keptMarkdown(context.kept());
  updateMarkdown(markdown, text, block.done);
  if (isWhole(context)) return markdownLines(markdown, context.width);
  return foldGroups(markdownGroups(markdown, context.width), 6, context);
}

/** The rows of an answer that is shown whole, in groups; null for one that is not. */
export function answerGroups(
  block: Extract<Block, { kind: "assistant_text" }>,
  context: TextContext,
): readonly MarkdownGroup[] | null {
  const text = streamOf(block) ?? block.text;
  if (!isWhole(context) || isBlankText(text)) return null;
  const markdown = keptMarkdown(context.kept());
  updateMarkdown(markdown, text, block.done);
  return markdownGroups(markdown, context.width);
}

function isWhole(context: TextContext): boolean {
  return context.fold === "detail" || context.fold === "normal" && context.whole;
}

function drawReasoning(block: Extract<Block, { kind: "reasoning" }>, context: TextContext): readonly Part[] {
  if (!context.showReasoning || (block.done && block.text.trim() === "")) return [];
  const stream = streamOf(block);
  const took = spent(block.elapsedMs);
  const head = line(block.done ? took === "" ? "Thought" : `Thought ${took}` : "Thinking", "reasoning.head");
  if (context.fold === "overview") return oneRow(head, context);
  if (stream !== null) return drawStreamedReasoning(head, stream, context);
  const text = block.text.trim();
  if (text === "") return oneRow(head, context);
  if (context.fold === "detail") {
    return [shortenLine(head, context.width), ...plainText(text, "reasoning.text", context, Infinity)];
  }
  // Two rows are too few for blank ones.
  const lines = wrapText(safeBlockText(text), "reasoning.text", context.width).filter((row) =>
    row.spans.length > 0
  );
  return [headWithCount(head, lines.length - 2, context.width), ...lines.slice(0, 2)];
}

/** The same rows for reasoning that has grown long and goes on. */
function drawStreamedReasoning(head: Line, stream: StreamText, context: TextContext): readonly Part[] {
  const kept = context.kept();
  const isWhole = context.fold === "detail";
  if (isBlankText(stream)) return oneRow(head, context);
  const role: Role = "reasoning.text";
  if (isWhole && stream.length > LONG_TEXT) {
    return [
      shortenLine(head, context.width),
      { kind: "long", text: keptChunks(kept, stream), role, indent: 0 },
    ];
  }
  const flow = keptFlow(kept);
  const { rows, said } = flowRows(flow, stream, { role, width: context.width, most: isWhole ? null : 2 });
  return [isWhole ? shortenLine(head, context.width) : headWithCount(head, said - 2, context.width), ...rows];
}

function drawNotification(
  block: Extract<Block, { kind: "notification" }>,
  context: TextContext,
): readonly Part[] {
  const role: Role = `note.${block.level}`;
  const source = block.source === null || block.source === "" ? "" : `${block.source}: `;
  const text = source + block.message;
  if (context.fold === "overview") return [firstLine(text, role, context, " lines")];
  return plainText(text, role, context, context.fold === "detail" ? Infinity : 3);
}

function drawQuestion(block: QuestionBlock, context: TextContext): readonly Part[] {
  const outcome = questionOutcome(block);
  const first = block.questions[0];
  const title = first === undefined ? "question" : safeText(first.header === "" ? first.text : first.header);
  const head = lineOf([title, "question.text"], [`: ${outcome}`, "question.answer"]);
  if (context.fold === "overview") return oneRow(head, context);
  const lines: Line[] = [...wrapLine(head, context.width)];
  for (const question of block.questions) {
    const body = question.header === "" || question === first && question.header === "" ? "" : question.text;
    const rows = body === "" ? [] : wrapText(safeBlockText(body), "question.text", context.width);
    for (const row of rows) lines.push(row);
    if (context.fold !== "detail") continue;
    const chosen = block.closed?.answers.find((answer) => answer.id === question.id)?.selected ?? [];
    for (const option of question.options) {
      const text = `${chosen.includes(option.id) ? "[x]" : "[ ]"} ${safeText(option.label)}` +
        (option.description ? `  ${safeText(option.description)}` : "");
      lines.push(
        ...wrapLine(
          line(text, chosen.includes(option.id) ? "question.answer" : "question.text"),
          context.width,
        ),
      );
    }
  }
  return context.fold === "detail" ? lines : foldTo(lines, 6, context);
}

/** What was answered, in words. */
export function questionOutcome(block: QuestionBlock): string {
  if (block.closed === null) return "waiting for an answer";
  if (block.closed.reason !== "answered") return block.closed.reason;
  const parts = block.closed.answers.map((answer) => {
    const question = block.questions.find((candidate) => candidate.id === answer.id);
    const labels = answer.selected.map((id) =>
      question?.options.find((option) => option.id === id)?.label ?? id
    );
    if (answer.text !== null && answer.text !== "") labels.push(answer.text);
    return labels.map((label) => safeText(label)).join(", ");
  });
  return parts.filter((part) => part !== "").join("; ") || "answered";
}

/** What it saved is never cut off: narrow screens get fewer words. */
function drawCompact(block: Extract<Block, { kind: "compact" }>, context: TextContext): readonly Part[] {
  const whole = compactLine(block, "");
  if (context.fold === "detail" || lineWidth(whole) <= context.width) return oneRow(whole, context);
  return oneRow(compactLine(block, "short"), context);
}

function compactLine(block: Extract<Block, { kind: "compact" }>, form: "" | "short"): Line {
  const reason = block.reason === null || block.reason === "" ? "" : ` (${safeText(block.reason)})`;
  if (block.stage === "running") return line(`Compacting the conversation${reason}`, "compact.text");
  if (block.stage === "incomplete") return line(`Compaction did not end${reason}`, "compact.text");
  if (block.stage === "failed") {
    return line(`Compaction failed: ${safeText(block.error ?? "no reason given")}`, "note.error");
  }
  const { tokensBefore, tokensAfter } = block;
  const sizes = tokensBefore === null || tokensAfter === null
    ? ""
    : `: ${formatTokens(tokensBefore)} to ${formatTokens(tokensAfter)} tokens`;
  if (form === "short" && sizes !== "") return line(`Compacted${sizes}`, "compact.text");
  return line(`Compacted the conversation${reason}${sizes}`, "compact.text");
}

/** The count is never cut off: narrow screens get fewer words. */
function drawMarker(block: Extract<Block, { kind: "marker" }>, context: TextContext): readonly Part[] {
  const count = plural(block.replacedBlocks, "block");
  const texts = [
    `earlier conversation, no longer in the model's view, ${count}`,
    `earlier conversation, ${count}`,
    count,
  ];
  const fitting = texts.find((text) => cellWidth(text) <= context.width) ?? count;
  return oneRow(line(context.fold === "detail" ? texts[0] ?? count : fitting, "compact.text"), context);
}

const RESULT_WORDS: Readonly<Record<TurnStatsBlock["result"], string>> = {
  finished: "finished",
  paused: "paused",
  cancelled: "cancelled",
  limit_reached: "limit reached",
  error: "error",
  rejected: "rejected",
  interrupted: "interrupted",
  rolled_back: "rolled back",
};

function drawTurnStats(block: TurnStatsBlock, context: TextContext): readonly Part[] {
  const role: Role = block.result === "finished" || block.result === "paused" ? "turn.stats" : "turn.problem";
  const why = [block.reason, block.message].filter((part) => part !== null && part !== "").map((part) =>
    safeText(part ?? "")
  );
  const said = RESULT_WORDS[block.result] + (why.length === 0 ? "" : `: ${why.join(": ")}`);
  // Nothing is what most sources say where they do not know.
  const facts: string[] = [];
  if (block.requests) facts.push(plural(block.requests, "request"));
  if (block.inputTokens || block.outputTokens) {
    facts.push(`${tokens(block.inputTokens)}/${tokens(block.outputTokens)}`);
  }
  const took = spent(block.elapsedMs);
  if (took !== "") facts.push(took);
  const whole = (count: number) =>
    lineOf([said, role], [facts.slice(0, count).map((fact) => "  " + fact).join(""), "turn.stats"]);
  if (context.fold === "detail") return oneRow(whole(facts.length), context);
  let kept = facts.length;
  while (kept > 0 && lineWidth(whole(kept)) > context.width) kept--;
  return oneRow(whole(kept), context);
}

/** How long something took; "" for less than is worth a word, which recordings without times say too. */
function spent(ms: number | null): string {
  return ms === null || ms < 1000 ? "" : formatDuration(ms);
}

function tokens(count: number | null): string {
  return count === null ? "?" : formatTokens(count);
}

/** One row; in detail all of it, wrapped. */
function oneRow(whole: Line, context: TextContext): readonly Line[] {
  return context.fold === "detail" ? wrapLine(whole, context.width) : [shortenLine(whole, context.width)];
}

/** The first line that says something, with the number of further lines behind it. */
function firstLine(text: string | StreamText, role: Role, context: TextContext, unit: string): Line {
  const head = startOf(text, LONG_TEXT);
  const trimmed = head.replace(/^\s+/, "");
  const first = /^```|^~~~/.test(trimmed) ? trimmed.replace(/^.*\n\s*/, "") : trimmed;
  const end = first.indexOf("\n");
  const shown = end === -1 ? first : first.slice(0, end);
  const more = typeof text === "string" ? countLines(text.trimEnd()) - 1 : text.innerNewlines;
  const count = more <= 0 ? "" : ` (+${more}${unit === "" ? "" : more === 1 ? " line" : unit})`;
  const room = context.width - cellWidth(count);
  if (room < 4) return line(shortenText(safeText(shown), context.width), role);
  const body = role === "default"
    ? markdownFirstRow(shown, room)
    : shortenLine(line(safeText(shown), role), room);
  return joinLines(body, line(count, "more"));
}

function markdownFirstRow(text: string, width: number): Line {
  const markdown = createMarkdown();
  updateMarkdown(markdown, text.length > 1000 ? text.slice(0, 1000) : text, true);
  const rows = markdownLines(markdown, 1000);
  const first = rows.find((row) => row.spans.length > 0) ?? line(safeText(text));
  return shortenLine(first, width);
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** Plain outside text, at most `budget` rows; very long text is left to be measured in chunks. */
function plainText(text: string, role: Role, context: TextContext, budget: number): readonly Part[] {
  if (text.length <= LONG_TEXT) {
    const lines = wrapText(safeBlockText(text), role, context.width);
    return budget === Infinity ? lines : foldTo(lines, budget, context);
  }
  if (budget === Infinity) return [{ kind: "long", text: longText(text), role, indent: 0 }];
  const head = wrapText(safeBlockText(text.slice(0, context.width * budget * 2)), role, context.width).slice(
    0,
    budget - 1,
  );
  const seen = head.at(-1)?.source ?? 0;
  return [...head, moreLine(Math.max(1, countLines(text) - 1 - seen), "line", context.width)];
}

/** At most `budget` lines: all of them, or budget - 1 and the hidden count. */
export function foldTo(
  lines: readonly Line[],
  budget: number,
  context: { readonly width: number },
): readonly Line[] {
  if (lines.length <= budget) return lines;
  return [...lines.slice(0, budget - 1), moreLine(lines.length - budget + 1, "row", context.width)];
}

/** The same for lines in groups. */
function foldGroups(groups: readonly MarkdownGroup[], budget: number, context: TextContext): readonly Line[] {
  const head: Line[] = [];
  let count = 0;
  for (const group of groups) {
    if (head.length < budget) {
      for (const one of group.lines().slice(0, budget - head.length)) head.push(one);
    }
    count += group.rowCount();
  }
  if (count <= budget) return head;
  return [...head.slice(0, budget - 1), moreLine(count - budget + 1, "row", context.width)];
}

function moreLine(count: number, unit: string, width: number): Line {
  return shortenLine(line(`+${plural(count, unit)}`, "more"), width);
}

function headWithCount(head: Line, hidden: number, width: number): Line {
  if (hidden <= 0) return shortenLine(head, width);
  const count = `  +${plural(hidden, "row")}`;
  return shortenLine(
    joinLines(shortenLine(head, Math.max(1, width - cellWidth(count))), line(count, "more")),
    width,
  );
}
