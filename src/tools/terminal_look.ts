// A command and what it printed: the look of the shell tools and of cards that are one terminal.

import { type Line, lineOf, type Span } from "../text/line.ts";
import { safeText } from "../text/outside_text.ts";
import { wrapText } from "../text/wrap.ts";
import { type LongText, longText } from "../transcript/long_text.ts";
import type { ToolCall } from "../transcript/tool_call.ts";
import { keptText } from "./arguments.ts";
import { exitSpan, type ExitStatus } from "./exit_status.ts";
import { argumentOf, type Head, headSays, nameText } from "./header.ts";
import { EMPTY_PREVIEW, tailRows } from "./preview.ts";
import type { Part, RenderContext } from "./renderer.ts";
import { bodyRows, isBlank, longPart } from "./body.ts";
import { summaryPreview, type ToolLook } from "./stages.ts";

/** What a terminal shows of a call. */
export interface TerminalView {
  /** Null when nobody said. */
  readonly command: string | null;
  /** Working directory, description and what else the call says of itself; shown in detail. */
  readonly notes: readonly string[];
  readonly output: LongText | null;
  readonly exit: ExitStatus | null;
}

/** Rows of the output in normal, counted from its end. */
const ROWS = 5;
/** A longer command is long text: laid out only where it is seen. */
const LONGEST_WRAPPED = 1 << 14;

/** The look of calls that `viewOf` can show as a terminal; `other` gives the parts of the arguments it leaves out. */
export function terminalLook(
  viewOf: (call: ToolCall) => TerminalView,
  other: (call: ToolCall, context: RenderContext) => readonly Part[],
): ToolLook {
  const view = keepLast(viewOf);
  return {
    head: (call) => terminalHead(call, view(call)),
    fullHead: (call, { width }) => {
      const { command } = view(call);
      return command === null ? null : commandParts(call, command, width);
    },
    detail: (call, context) => {
      const { notes, output, exit } = view(call);
      return [
        ...notes.flatMap((note) => bodyRows(note, "tool.note", context.width)),
        ...other(call, context),
        ...outputParts(call, output, context.width),
        ...(exit === null ? [] : exitRows(exit, context.width)),
      ];
    },
    normal: (call, { width }) => {
      const shown = view(call);
      if (!isBlank(shown.output)) return tailRows(outputParts(call, shown.output, width), ROWS, width);
      const says = headSays(terminalHead(call, shown), safeText(call.summary));
      return says ? EMPTY_PREVIEW : summaryPreview(call, width);
    },
    output: (call, { width }) => outputParts(call, view(call).output, width),
    errorEnd: "tail",
    factsSay: (call) => view(call).exit !== null,
  };
}

/** The same view while the same call stands as it stood: a drawing asks for it several times. */
function keepLast(viewOf: (call: ToolCall) => TerminalView): (call: ToolCall) => TerminalView {
  let last: readonly unknown[] = [];
  let view: TerminalView | null = null;
  return (call) => {
    const { stage, args, input, output, summary, presentation, argsFixed } = call;
    const facts = [call, stage, args.length, input, output?.length, summary, presentation, argsFixed];
    if (view !== null && facts.every((fact, at) => fact === last[at])) return view;
    last = facts;
    return view = viewOf(call);
  };
}

function terminalHead(call: ToolCall, { command, exit }: TerminalView): Head {
  const facts: Span[] = exit === null ? [] : [exitSpan(exit)];
  if (command === null) {
    return { lead: { text: nameText(call.name), role: "tool.name" }, argument: null, facts };
  }
  const { first, more } = firstLine(command);
  if (more > 0) facts.push({ text: `(+${more} line${more === 1 ? "" : "s"})`, role: "more" });
  return { lead: { text: "$", role: "tool.name" }, argument: argumentOf(first, "tool.command"), facts };
}

function outputParts(call: ToolCall, output: LongText | null, width: number): readonly Part[] {
  if (output === null || output.length === 0) return [];
  return [longPart(output, call.stage === "error" ? "tool.error" : "tool.output", width)];
}

function exitRows(exit: ExitStatus, width: number): readonly Line[] {
  const { text, role } = exitSpan(exit);
  return bodyRows(text, role, width);
}

/** The first line that is not blank, and how many more there are. */
function firstLine(command: string): { readonly first: string; readonly more: number } {
  const trimmed = command.trim();
  const end = trimmed.indexOf("\n");
  if (end === -1) return { first: trimmed, more: 0 };
  let more = 0;
  for (let at = end; at !== -1; at = trimmed.indexOf("\n", at + 1)) more++;
  return { first: trimmed.slice(0, end).trimEnd(), more };
}

/** The whole command, every control shown; "$ " stands in front of its first row only. */
function commandParts(call: ToolCall, command: string, width: number): readonly Part[] {
  const safe = () => command.split("\n").map((text) => safeText(text, { strict: true })).join("\n");
  if (command.length > LONGEST_WRAPPED) {
    const text = call.input === null ? longText(safe()) : keptText(call.input, "safe command", safe);
    return [lineOf(["$", "tool.name"]), longPart(text, "tool.command", width)];
  }
  const indent = width >= 3 ? 2 : 0;
  const rows = wrapText(safe(), "tool.command", width - indent);
  if (indent === 0) return rows;
  return rows.map((row, index) => ({
    ...row,
    spans: [
      index === 0 ? { text: "$ ", role: "tool.name" as const } : { text: "  ", role: "default" as const },
      ...row.spans,
    ],
  }));
}
