// What every tool's block has in common: the one row of overview, arguments while they stream, the error and the
// missing result. A tool adds its header and its bodies (ToolLook) and nothing else.

import { cellWidth } from "../text/graphemes.ts";
import { type Line, line, lineOf, lineText, shortenLine, shortenText } from "../text/line.ts";
import { safeText } from "../text/outside_text.ts";
import { unreachable } from "../transcript/block.ts";
import { type LongText, longText, longTextString, textEnd } from "../transcript/long_text.ts";
import { isFinal, type ToolCall } from "../transcript/tool_call.ts";
import { bodyRows, isBlank, longPart, outputPart } from "./body.ts";
import { type Head, headLines, headRow, headSays, markSpans, nameText, shortenStart } from "./header.ts";
import { addHidden, EMPTY_PREVIEW, headRows, type Preview, tailRows } from "./preview.ts";
import { isLongPart, type Part, type RenderContext, type ToolRenderer } from "./renderer.ts";

/** How one tool looks, for calls whose arguments are fixed or that have a result. */
export interface ToolLook {
  /** Name, main argument and facts. */
  readonly head: (call: ToolCall, context: RenderContext) => Head;
  /** What stands under the header in detail: the arguments, then what the tool says. Summary and reason follow it. */
  readonly detail: (call: ToolCall, context: RenderContext) => readonly Part[];
  /** What stands under the header in normal once the call is done, in screen rows. */
  readonly normal: (call: ToolCall, context: RenderContext) => Preview;
  /** The header in detail where wrapping the head is not all of it; null leaves it to the head. */
  readonly fullHead?: (call: ToolCall, context: RenderContext) => readonly Part[] | null;
  /** What the tool said, where that is not the call's output: for errors, and for what a missing result hides. */
  readonly output?: (call: ToolCall, context: RenderContext) => readonly Part[];
  /** Which end of a failed call's output says why; "head" unless said. */
  readonly errorEnd?: "head" | "tail";
  /** True where the head's facts say all a failed call's summary says. */
  readonly factsSay?: (call: ToolCall) => boolean;
}

/** Rows of the error shown in normal. */
const ERROR_ROWS = 3;
/** A summary this long or longer is not searched for in the output. */
const SEARCHED = 4096;
/** Says by itself that something went wrong, in what agents write as summaries. */
const SAYS_FAILURE =
  /error|fail|denied|reject|refus|cancel|abort|exit|not |no such|can't|cannot|unable|invalid|missing|unknown|time[d -]*out|kill|signal|interrupt/i;

/** The renderer of a tool with that look. */
export function rendererOf(look: ToolLook): ToolRenderer {
  return (calls, context) => calls.flatMap((call) => renderCall(call, look, context));
}

/** One call in the view asked for. */
export function renderCall(call: ToolCall, look: ToolLook, context: RenderContext): readonly Part[] {
  switch (context.fold) {
    case "overview":
      return [overviewLine(call, look, context)];
    case "detail":
      return detailParts(call, look, context);
    case "normal":
      return normalLines(call, look, context);
    default:
      return unreachable(context.fold);
  }
}

/** The one row of overview: the summary verbatim, else what the call is. */
export function overviewLine(call: ToolCall, look: ToolLook, context: RenderContext): Line {
  const { width } = context;
  switch (call.stage) {
    case "pending":
      return line(shortenText(nameText(call.name), width), "tool.name");
    case "streaming":
      return streamingRow(call, width);
    case "incomplete":
      return shortenLine(
        lineOf([nameText(call.name), "tool.name"], [`: ${missingText(call)}`, "tool.note"]),
        width,
      );
    case "executing":
      return headRow({ ...lookHead(call, look, context), facts: [] }, [], { width });
    case "done":
    case "error":
      return finalRow(call, look, context);
    default:
      return unreachable(call.stage);
  }
}

/** The first line of the summary that is not blank, made safe; "" when there is none. */
export function summaryLine(call: ToolCall): string {
  const summary = call.summary.trimEnd();
  if (summary.trim() === "") return "";
  for (let start = 0; start < summary.length;) {
    const newline = summary.indexOf("\n", start);
    const end = newline === -1 ? summary.length : newline;
    const text = summary.slice(start, Math.min(end, start + SEARCHED)).replace(/\r$/, "");
    if (text.trim() !== "") return safeText(text);
    start = end + 1;
  }
  return "";
}

/** Why there is no result. */
export function missingText(call: ToolCall): string {
  return call.incompleteReason === null || call.incompleteReason === ""
    ? "no result"
    : `no result (turn ${safeText(call.incompleteReason)})`;
}

/** Arguments as they came, one growing string. */
export function rawArguments(call: ToolCall): readonly Part[] {
  return call.args.length === 0 ? [] : [{ kind: "long", text: call.args, role: "tool.args", indent: 0 }];
}

function finalRow(call: ToolCall, look: ToolLook, context: RenderContext): Line {
  const { width } = context;
  const summary = summaryLine(call);
  const failed = call.stage === "error";
  if (summary === "") {
    const head = lookHead(call, look, context);
    const facts = failed && !hasStatusFact(head) ? [...head.facts, ERROR_FACT] : head.facts;
    return headRow({ ...head, facts }, [], { width });
  }
  const said = !failed || SAYS_FAILURE.test(summary);
  return shortenLine(lineOf([said ? "" : "error: ", "status.failed"], [summary, "tool.summary"]), width);
}

const ERROR_FACT = { text: "error", role: "status.failed" } as const;

function hasStatusFact(head: Head): boolean {
  return head.facts.some((fact) => fact.role === "tool.exit" || fact.role === "status.failed");
}

/** Name and the end of what has streamed so far. */
function streamingRow(call: ToolCall, width: number): Line {
  const name = shortenText(nameText(call.name), Math.max(1, Math.floor(width / 2)));
  const left = width - cellWidth(name) - 1;
  if (left < 2 || call.args.length === 0) return line(shortenText(nameText(call.name), width), "tool.name");
  return lineOf([name, "tool.name"], [" ", "default"], [argumentsEnd(call, left), "tool.args"]);
}

/** The end of the raw arguments in one row of `width` cells. */
export function argumentsEnd(call: ToolCall, width: number): string {
  const wanted = 8 * width + 64;
  const end = textEnd(call.args, wanted);
  const cut = end.length < call.args.length;
  const shown = safeText(cut ? end.replace(/^[\udc00-\udfff]/, "") : end);
  return shortenStart(cut ? "…" + shown : shown, width);
}

function lookHead(call: ToolCall, look: ToolLook, context: RenderContext): Head {
  if (call.argsFixed || isFinal(call.stage)) return look.head(call, context);
  return { lead: { text: nameText(call.name), role: "tool.name" }, argument: null, facts: [] };
}

function detailParts(call: ToolCall, look: ToolLook, context: RenderContext): readonly Part[] {
  const { width } = context;
  const marks = markSpans([call]);
  if (!call.argsFixed && !isFinal(call.stage)) {
    return [...headLines(lookHead(call, look, context), marks, width), ...rawArguments(call)];
  }
  const full = look.fullHead?.(call, context) ?? null;
  const parts: Part[] = full === null
    ? [...headLines(look.head(call, context), marks, width)]
    : [...full, ...marks.flatMap((mark) => bodyRows(mark.text, mark.role, width))];
  for (const one of look.detail(call, context)) parts.push(one);
  if (isFinal(call.stage)) {
    const says = headSays(look.head(call, context), safeText(call.summary));
    for (const one of closingRows(call, says ? null : parts.at(-1), width)) parts.push(one);
  }
  return parts;
}

/** Summary and missing result, at the end, where they also arrive. `last` is null where the header says the summary. */
function closingRows(call: ToolCall, last: Part | undefined | null, width: number): readonly Part[] {
  const parts: Part[] = [];
  if (call.stage === "incomplete") parts.push(...bodyRows(missingText(call), "tool.note", width));
  else if (call.output === null && call.summary.trim() === "") {
    parts.push(...bodyRows("no output", "tool.note", width));
  } else if (call.output !== null && call.output.length === 0) {
    parts.push(...bodyRows("empty output", "tool.note", width));
  }
  const isShown = last === null ||
    last !== undefined && !isLongPart(last) && lineText(last).trim() === call.summary.trim();
  if (call.summary.trim() !== "" && !isShown && !isRepeated(call.summary, call.output)) {
    parts.push(longPart(longText(call.summary.trimEnd()), "tool.summary", width));
  }
  return parts;
}

/** True when the output is the summary and nothing else. */
function isRepeated(summary: string, output: LongText | null): boolean {
  if (output === null || output.length > summary.length + 64) return false;
  return longTextString(output).trim() === summary.trim();
}

function normalLines(call: ToolCall, look: ToolLook, context: RenderContext): readonly Line[] {
  const { width } = context;
  const head = lookHead(call, look, context);
  const marks = markSpans([call]);
  if (call.stage === "incomplete") {
    const { hidden } = headRows(saidParts(call, look, context), 0, width);
    return [
      headRow(head, marks, { width, hidden }),
      ...bodyRows(missingText(call), "tool.note", width).slice(0, 1),
    ];
  }
  if (call.stage === "error") {
    const facts = hasStatusFact(head) ? head.facts : [ERROR_FACT, ...head.facts];
    const error = errorPreview(call, look, context);
    return [headRow({ ...head, facts }, marks, { width, hidden: error.hidden }), ...error.rows];
  }
  const body = call.stage === "done" ? look.normal(call, context) : EMPTY_PREVIEW;
  return [headRow(head, marks, { width, hidden: body.hidden }), ...body.rows];
}

function saidParts(call: ToolCall, look: ToolLook, context: RenderContext): readonly Part[] {
  return look.output?.(call, context) ?? outputPart(call, context.width);
}

/** Three rows of the error: the summary where nothing else says it, then what the tool said. */
function errorPreview(call: ToolCall, look: ToolLook, context: RenderContext): Preview {
  const { width } = context;
  const said = saidParts(call, look, context);
  const blank = said.every((part) => isLongPart(part) && isBlank(part.text));
  const repeated = isSaid(call.summary.trim(), said) || (look.factsSay?.(call) === true && !blank);
  const summary = repeated || call.summary.trim() === ""
    ? []
    : [longPart(longText(call.summary.trim()), "tool.error", width)];
  if (blank) return headRows(summary, ERROR_ROWS, width);
  if (look.errorEnd !== "tail") return headRows([...summary, ...said], ERROR_ROWS, width);
  const first = headRows(summary, 1, width);
  const last = tailRows(said, ERROR_ROWS - first.rows.length, width);
  return { rows: [...first.rows, ...last.rows], hidden: addHidden(first.hidden, last.hidden) };
}

/** True when the beginning or the end of what was said holds the summary. */
function isSaid(summary: string, parts: readonly Part[]): boolean {
  return parts.some((part) =>
    isLongPart(part) && ((part.text.chunks[0] ?? "").slice(0, SEARCHED).includes(summary) ||
      (part.text.chunks.at(-1) ?? "").slice(-SEARCHED).includes(summary))
  );
}

/** The summary as the only body row, for a result without output. */
export function summaryPreview(call: ToolCall, width: number): Preview {
  const summary = call.summary.trim();
  if (summary === "") return EMPTY_PREVIEW;
  return headRows([longPart(longText(summary), "tool.summary", width)], 1, width);
}
