// Cards a tool describes itself: one terminal looks like the shell tools, diffs look like Edit, anything else is a
// title over its parts. No tool's name is asked for here.

import { cellWidth } from "../text/graphemes.ts";
import { type Line, lineOf, shortenText } from "../text/line.ts";
import { safeText } from "../text/outside_text.ts";
import type { BodyPart } from "../transcript/event.ts";
import { longTextString } from "../transcript/long_text.ts";
import type { FileChange, ToolCall } from "../transcript/tool_call.ts";
import { toolInput } from "../transcript/tool_names.ts";
import { keptText, otherArguments, prettyArguments } from "./arguments.ts";
import { bodyOf, cardParts, changeOf, locationText, type PartOf, partRows } from "./card_parts.ts";
import { changeList } from "./change_rows.ts";
import { diffParts, diffPreview } from "./diff_view.ts";
import { changeHead, DIFF_ROWS } from "./edit.ts";
import { exitStatus } from "./exit_status.ts";
import { cutName, nameText } from "./header.ts";
import { headAndTail, hiddenText, NONE_HIDDEN, type Preview } from "./preview.ts";
import type { Part, RenderContext, ToolRenderer } from "./renderer.ts";
import { bodyIndent, isBlank, outputPart } from "./body.ts";
import { renderCall, summaryPreview, type ToolLook } from "./stages.ts";
import { terminalLook, type TerminalView } from "./terminal_look.ts";

/** Draws calls by the card that came with them. */
export const renderPresentation: ToolRenderer = (calls, context) =>
  calls.flatMap((call) => renderCall(call, lookOf(call), context));

const terminalCard = terminalLook(
  terminalView,
  (call, { width }) => {
    const { command, cwd, description } = toolInput(call);
    return call.input === null
      ? []
      : otherArguments(call, width, { values: [command, cwd, description], names: ["command", "cmd"] });
  },
);

const diffCard: ToolLook = {
  head: (call) => {
    const title = titleOf(call);
    const head = changeHead(title ?? nameText(call.name), cardChanges(call));
    // Most titles of such cards hold the path already; one that is not there is worth its room.
    const path = head.argument?.text ?? "";
    return title !== null && path !== "" && title.includes(path) ? { ...head, argument: null } : head;
  },
  detail: (call, { width }) => [
    ...diffParts(changeList(cardChanges(call)), width),
    ...bodyOf(call).filter((part) => part.type !== "diff").flatMap((part) => partRows(call, part, width)),
    ...outputPart(call, width),
  ],
  normal: (call, { width }) => diffPreview(changeList(cardChanges(call)), DIFF_ROWS, width),
};

const genericCard: ToolLook = {
  head: (call) => {
    const { kind } = call.presentation ?? {};
    return {
      lead: { text: titleOf(call) ?? nameText(call.name), role: "tool.name" },
      argument: null,
      facts: kind === null || kind === undefined || kind === "" || kind === "other"
        ? []
        : [{ text: `(${safeText(kind, { strict: true })})`, role: "tool.label" }],
    };
  },
  detail: (call, { width }) => {
    const input = prettyArguments(call);
    return [
      ...(input.length === 0 ? [] : [{ kind: "long", text: input, role: "tool.args", indent: 0 } as const]),
      ...cardParts(call, width),
      ...extraOutput(call, width),
    ];
  },
  normal: (call, context) => {
    const parts = cardParts(call, context.width);
    const shown = parts.length > 0 ? parts : isBlank(call.output) ? [] : outputPart(call, context.width);
    return shown.length === 0 ? summaryPreview(call, context.width) : preview(shown, context);
  },
  output: (call, { width }) => isBlank(call.output) ? cardParts(call, width) : outputPart(call, width),
};

function lookOf(call: ToolCall): ToolLook {
  const shown = bodyOf(call).filter((part) => part.type !== "locations");
  if (shown.length === 1 && shown[0]!.type === "terminal") return terminalCard;
  if (shown.length > 0 && shown.every((part) => part.type === "diff")) return diffCard;
  return genericCard;
}

function titleOf(call: ToolCall): string | null {
  const title = safeText(cutName(call.presentation?.title ?? ""), { strict: true });
  return title.trim() === "" ? null : title;
}

function terminalView(call: ToolCall): TerminalView {
  const part = bodyOf(call).find((one): one is PartOf<"terminal"> => one.type === "terminal");
  const title = call.presentation?.title ?? null;
  const command = part?.command ?? call.presentation?.title ?? null;
  const notes: string[] = [];
  if (title !== null && title.trim() !== "" && title !== command) notes.push(title);
  if (part?.cwd) notes.push(`in ${part.cwd}`);
  for (const other of bodyOf(call)) {
    if (other.type !== "locations") continue;
    for (const location of other.locations) notes.push(locationText(location));
  }
  const own = part === undefined || part.output === null
    ? null
    : keptText(part, "output", () => part.output ?? "");
  return { command, notes, output: own ?? call.output, exit: exitStatus(call) };
}

const keptChanges = new WeakMap<readonly BodyPart[], readonly FileChange[]>();

/** The card's diffs as file changes: whole texts where the tool gave whole texts. */
function cardChanges(call: ToolCall): readonly FileChange[] {
  const body = bodyOf(call);
  let changes = keptChanges.get(body);
  if (changes === undefined) {
    changes = body.flatMap((part) => part.type === "diff" ? [changeOf(part)] : []);
    keptChanges.set(body, changes);
  }
  return changes;
}

/** The result's output where the body does not show the same text. */
function extraOutput(call: ToolCall, width: number): readonly Part[] {
  const { output } = call;
  if (output === null || isBlank(output)) return [];
  const parts = bodyOf(call);
  if (parts.some((part) => part.type === "terminal" && part.output === null)) return [];
  const same = parts.some((part) => {
    const text = part.type === "text" || part.type === "markdown"
      ? part.text
      : part.type === "terminal"
      ? part.output
      : null;
    return text !== null && Math.abs(text.length - output.length) < 64 &&
      text.trim() === longTextString(output).trim();
  });
  return same ? [] : outputPart(call, width);
}

/** Head, the row that says what is hidden, tail. */
function preview(parts: readonly Part[], context: RenderContext): Preview {
  const { width } = context;
  const { head, hidden, tail } = headAndTail(parts, {
    head: context.previewHead,
    tail: context.previewTail,
    width,
  });
  if (hidden.count === 0) return { rows: head, hidden: NONE_HIDDEN };
  return { rows: [...head, moreRow(hiddenText(hidden), width), ...tail], hidden: NONE_HIDDEN };
}

function moreRow(text: string, width: number): Line {
  const indent = bodyIndent(width);
  const whole = `… ${text}`;
  const shown = cellWidth(whole) <= width - indent ? whole : text.replace(/ .*/, "");
  return lineOf([" ".repeat(indent), "default"], [shortenText(shown, width - indent), "more"]);
}
