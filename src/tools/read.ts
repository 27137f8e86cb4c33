// Read: consecutive ones share a block that lists their paths. What was read is never shown, only that it was.

import { widthGeneration } from "../text/graphemes.ts";
import { type Line, line, lineOf, shortenLine, shortenText, type Span } from "../text/line.ts";
import { safeText } from "../text/outside_text.ts";
import { unreachable } from "../transcript/block.ts";
import { longText } from "../transcript/long_text.ts";
import { isRunning, type ToolCall } from "../transcript/tool_call.ts";
import { toolInput } from "../transcript/tool_names.ts";
import { argumentOf, type Head, headLines, headRow, markSpans } from "./header.ts";
import type { Part, RenderContext, ToolRenderer } from "./renderer.ts";
import { type FileReads, filesOf } from "./read_files.ts";
import { bodyIndent, indentRows, isBlank, longPart, outputPart } from "./body.ts";
import { argumentsEnd, missingText, overviewLine, renderCall, summaryLine, type ToolLook } from "./stages.ts";

/** Paths listed in normal. */
const PATH_ROWS = 4;
/** Rows of the window while files are collected. */
const WINDOW_ROWS = 3;

/** Draws a group of Reads, also one of a single call. */
export const renderRead: ToolRenderer = (calls, context) => {
  const running = context.running || calls.some((call) => isRunning(call.stage));
  switch (context.fold) {
    case "overview":
      return [overviewRow(calls, context)];
    case "detail":
      return running ? windowRows(calls, context) : allRows(calls, context);
    case "normal":
      if (running) return windowRows(calls, context);
      return calls.length === 1 && calls[0]!.stage !== "done"
        ? renderCall(calls[0]!, singleLook, context)
        : listRows(calls, context);
    default:
      return unreachable(context.fold);
  }
};

/** A Read that failed or never came back, alone in its block: like any other tool's. */
const singleLook: ToolLook = {
  head: (call) => ({
    lead: { text: "Read", role: "tool.name" },
    argument: argumentOf(toolInput(call).path ?? "", "tool.path", "end"),
    facts: rangeFacts([call]),
  }),
  detail: (call, { width }) => call.stage === "error" ? outputPart(call, width) : [],
  normal: () => ({ rows: [], hidden: { count: 0, unit: "row" } }),
  output: (call, { width }) => call.stage === "error" ? outputPart(call, width) : [],
};

function overviewRow(calls: readonly ToolCall[], context: RenderContext): Line {
  const { width } = context;
  const [only] = calls;
  if (only !== undefined && calls.length === 1 && (only.stage !== "done" || summaryLine(only) !== "")) {
    return overviewLine(only, singleLook, context);
  }
  const newest = calls.findLast((call) => isRunning(call.stage));
  if (newest === undefined) return headRow(groupHead(calls), [], { width });
  const path = toolInput(newest).path;
  if (path !== null) {
    return headRow({ ...groupHead(calls), argument: argumentOf(path, "tool.path", "end") }, [], { width });
  }
  const head = groupHead(calls);
  const left = Math.max(0, width - head.lead.text.length - 1);
  if (left < 2 || newest.args.length === 0) return headRow(head, [], { width });
  return shortenLine(
    lineOf([head.lead.text, head.lead.role], [" ", "default"], [argumentsEnd(newest, left), "tool.args"]),
    width,
  );
}

/** "Read 3 files (4 reads)", and what became of those that brought nothing. */
function groupHead(calls: readonly ToolCall[]): Head {
  const files = filesOf(calls).length;
  const failed = calls.filter((call) => call.stage === "error").length;
  const missing = calls.filter((call) => call.stage === "incomplete").length;
  const facts: Span[] = [];
  if (failed > 0) facts.push({ text: `${failed} failed`, role: "status.failed" });
  if (missing > 0) facts.push({ text: `${missing} without result`, role: "status.incomplete" });
  if (calls.length !== files) facts.push({ text: `(${plural(calls.length, "read")})`, role: "tool.note" });
  const verb = calls.some((call) => isRunning(call.stage)) ? "Reading" : "Read";
  return { lead: { text: `${verb} ${plural(files, "file")}`, role: "tool.name" }, argument: null, facts };
}

/** Header and the newest reads, oldest of them first. */
function windowRows(calls: readonly ToolCall[], { width }: RenderContext): readonly Line[] {
  const shown = calls.slice(-WINDOW_ROWS);
  const head = groupHead(calls);
  const earlier = calls.length - shown.length;
  const facts = earlier === 0
    ? head.facts
    : [{ text: `+${earlier} earlier`, role: "more" as const }, ...head.facts];
  return [
    headRow({ ...head, facts }, markSpans(calls), { width }),
    ...shown.map((call) => fileRow({ path: toolInput(call).path, calls: [call] }, width)),
  ];
}

function listRows(calls: readonly ToolCall[], { width }: RenderContext): readonly Line[] {
  const files = filesOf(calls);
  const shown = files.slice(0, PATH_ROWS);
  const rows = [
    headRow(groupHead(calls), markSpans(calls), { width }),
    ...shown.map((file) => fileRow(file, width)),
  ];
  if (files.length > shown.length) rows.push(moreRow(files.length - shown.length, width));
  return rows;
}

function allRows(calls: readonly ToolCall[], { width }: RenderContext): readonly Part[] {
  const parts: Part[] = [...headLines(groupHead(calls), markSpans(calls), width)];
  for (const file of filesOf(calls)) {
    for (const row of fileLines(file, width)) parts.push(row);
    for (const call of file.calls) {
      if (call.stage !== "error") continue;
      if (/\S\s*\n\s*\S/.test(call.summary)) {
        parts.push(longPart(longText(call.summary.trim()), "tool.error", width));
      }
      parts.push(...outputPart(call, width));
    }
  }
  return parts;
}

interface KeptLines {
  readonly lines: readonly Line[];
  readonly width: number;
  readonly widths: number;
  readonly reads: number;
}

const keptLines = new WeakMap<FileReads, KeptLines>();

/** A file in all the rows it takes; those of a file whose reads are done stay as they are. */
function fileLines(file: FileReads, width: number): readonly Line[] {
  const kept = keptLines.get(file);
  const [widths, reads] = [widthGeneration(), file.calls.length];
  if (kept?.width === width && kept.widths === widths && kept.reads === reads) return kept.lines;
  const lines = indentRows(headLines(fileHead(file, null), [], width - bodyIndent(width)), width);
  if (file.calls.every((call) => call.stage === "done")) keptLines.set(file, { lines, width, widths, reads });
  return lines;
}

/** One file in one row. */
function fileRow(file: FileReads, width: number): Line {
  const room = width - bodyIndent(width);
  return indentRows([headRow(fileHead(file, room), [], { width: room })], width)[0]!;
}

/** A file's mark, path, ranges and state; `room` cells are there for arguments that still stream, null for a final list. */
function fileHead(file: FileReads, room: number | null): Head {
  const { path, calls } = file;
  const failed = calls.find((call) => call.stage === "error");
  const missing = calls.find((call) => call.stage === "incomplete");
  const open = calls.find((call) => isRunning(call.stage));
  const mark: Span = failed !== undefined
    ? { text: "✗", role: "status.failed" }
    : missing !== undefined
    ? { text: "?", role: "status.incomplete" }
    : { text: "", role: "default" };
  const facts: Span[] = [...rangeFacts(calls)];
  if (failed !== undefined) {
    // Half of the row at most, so that the path stays readable and the reason is not dropped whole.
    const text = failureText(failed);
    facts.push({
      text: room === null ? text : shortenText(text, Math.floor(room / 2)),
      role: "status.failed",
    });
  }
  if (failed === undefined && missing !== undefined) {
    facts.push({ text: missingText(missing), role: "status.incomplete" });
  }
  if (open !== undefined && path !== null) facts.push({ text: "(reading)", role: "status.executing" });
  if (path !== null) return { lead: mark, argument: argumentOf(path, "tool.path", "end"), facts };
  const raw = room === null || calls[0]!.args.length > 0 ? argumentsEnd(calls[0]!, room ?? 200) : "";
  return {
    lead: mark,
    argument: {
      text: raw !== "" ? raw : open === undefined ? "(no path)" : "…",
      role: "tool.args",
      keep: "end",
    },
    facts,
  };
}

function failureText(call: ToolCall): string {
  const summary = summaryLine(call);
  const output = isBlank(call.output)
    ? ""
    : safeText((call.output?.chunks[0] ?? "").trimStart().slice(0, 400).split("\n")[0]!);
  const said = summary !== "" ? summary : output;
  return said === "" ? "failed" : `failed: ${said}`;
}

/** "(1-20, 40-)": which lines were asked for, "whole" beside ranges where all were; nothing for whole files. */
function rangeFacts(calls: readonly ToolCall[]): readonly Span[] {
  const ranges = calls.map((call) => rangeText(call) || "whole");
  if (ranges.every((range) => range === "whole")) {
    return calls.length > 1 ? [{ text: `(${plural(calls.length, "read")})`, role: "tool.note" }] : [];
  }
  return [{ text: `(${[...new Set(ranges)].join(", ")})`, role: "tool.note" }];
}

function rangeText(call: ToolCall): string {
  const { offset, limit } = toolInput(call);
  if (offset === null && limit === null) return "";
  const first = offset ?? 1;
  return limit === null ? `${first}-` : `${first}-${first + Math.max(limit, 1) - 1}`;
}

function moreRow(count: number, width: number): Line {
  const text = `+${count} more`;
  const shown = text.length <= width ? text : shortenText(`+${count}`, width);
  return indentRows([line(shown, "more")], width)[0]!;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
