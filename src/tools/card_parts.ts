// The parts of a card's body, each as what it says: text, Markdown, diffs, terminals, images, places.

import type { Line } from "../text/line.ts";
import {
  createMarkdown,
  markdownGeneration,
  markdownLines,
  type MarkdownText,
  updateMarkdown,
} from "../text/markdown.ts";
import { unreachable } from "../transcript/block.ts";
import type { BodyPart } from "../transcript/event.ts";
import type { FileChange, ToolCall } from "../transcript/tool_call.ts";
import { keptText } from "./arguments.ts";
import { bodyIndent, bodyRows, indentRows, longPart } from "./body.ts";
import { changeList, withoutFinalNewline } from "./change_rows.ts";
import { diffParts } from "./diff_view.ts";
import { exitSpan, partStatus } from "./exit_status.ts";
import type { Part } from "./renderer.ts";

/** The body part of that type. */
export type PartOf<Type extends BodyPart["type"]> = Extract<BodyPart, { type: Type }>;

/** What the tool put into its card; empty when it said only a title. */
export function bodyOf(call: ToolCall): readonly BodyPart[] {
  return call.presentation?.body ?? [];
}

/** Everything the card's body says, at `width`. */
export function cardParts(call: ToolCall, width: number): readonly Part[] {
  return bodyOf(call).flatMap((part) => partRows(call, part, width));
}

export function partRows(call: ToolCall, part: BodyPart, width: number): readonly Part[] {
  switch (part.type) {
    case "text":
      return part.text === ""
        ? []
        : [longPart(keptText(part, "text", () => part.text), "tool.output", width)];
    case "markdown":
      return part.text.trim() === "" ? [] : markdownRows(part, width);
    case "diff":
      return diffRows(part, width);
    case "terminal":
      return terminalRows(call, part, width);
    case "image":
      return bodyRows(imageText(part), "tool.note", width);
    case "locations":
      return part.locations.flatMap((location) => bodyRows(locationText(location), "tool.path", width));
    default:
      return unreachable(part);
  }
}

const keptMarkdown = new WeakMap<BodyPart, { readonly text: MarkdownText; readonly generation: number }>();

function markdownRows(part: PartOf<"markdown">, width: number): readonly Line[] {
  const generation = markdownGeneration();
  let kept = keptMarkdown.get(part);
  if (kept === undefined || kept.generation !== generation) {
    kept = { text: createMarkdown(), generation };
    updateMarkdown(kept.text, part.text, true);
    keptMarkdown.set(part, kept);
  }
  return indentRows(markdownLines(kept.text, width - bodyIndent(width)), width);
}

const keptPartChanges = new WeakMap<BodyPart, readonly FileChange[]>();

function diffRows(part: PartOf<"diff">, width: number): readonly Part[] {
  let changes = keptPartChanges.get(part);
  if (changes === undefined) keptPartChanges.set(part, changes = [changeOf(part)]);
  return [
    ...bodyRows(part.path, "diff.path", width),
    ...diffParts(changeList(changes), width),
  ];
}

function terminalRows(call: ToolCall, part: PartOf<"terminal">, width: number): readonly Part[] {
  const status = partStatus(part);
  const exit = status === null ? null : exitSpan(status);
  const only = bodyOf(call).filter((one) => one.type === "terminal").length === 1;
  const output = part.output !== null
    ? keptText(part, "output", () => part.output ?? "")
    : only
    ? call.output
    : null;
  return [
    ...(part.command === null ? [] : bodyRows(`$ ${part.command}`, "tool.command", width)),
    ...(part.cwd === null ? [] : bodyRows(`in ${part.cwd}`, "tool.note", width)),
    ...(output === null || output.length === 0 ? [] : [longPart(output, "tool.output", width)]),
    ...(exit === null ? [] : bodyRows(exit.text, exit.role, width)),
  ];
}

function imageText(part: PartOf<"image">): string {
  const size = part.byte_length === null ? "" : `, ${part.byte_length} bytes`;
  return `[image${part.media_type === "" ? "" : ` ${part.media_type}`}${size}]`;
}

/** "path:line". */
export function locationText(location: { readonly path: string; readonly line: number | null }): string {
  return location.line === null ? location.path : `${location.path}:${location.line}`;
}

/** A card's diff as a file change: whole texts where the tool gave whole texts. */
export function changeOf(part: PartOf<"diff">): FileChange {
  const region = {
    oldStart: null,
    newStart: null,
    oldText: withoutFinalNewline(part.old ?? ""),
    newText: withoutFinalNewline(part.new),
    oldLacksFinalNewline: false,
    newLacksFinalNewline: false,
  };
  return { path: part.path, regions: [region], note: part.old === null ? "new file" : null };
}
