// ACP content blocks (ACP ContentBlock, ToolCallContent) as text and as parts of a tool's card. Images and audio
// are named, never carried: the screen shows what they are.

import { fieldAt, type Fields, fieldsList, fieldsOf, firstText, numberOf, rowOf, textOf } from "./fields.ts";

/** One part of a tool's card, as the presentation of an event takes it. */
export type CardPart =
  | { readonly type: "text" | "markdown"; readonly text: string }
  | { readonly type: "diff"; readonly path: string; readonly old: string | null; readonly new: string }
  | { readonly type: "image"; readonly media_type: string; readonly byte_length: number | null };

/** A change of one file as the agent shows it. `old` null is a new file. */
export interface FileDiff {
  readonly path: string;
  readonly old: string | null;
  readonly new: string;
}

type Labeller = (block: Fields) => string;

/** How each kind of block reads as text; a kind not here is named in brackets. */
const BLOCK_TEXT: Readonly<Record<string, Labeller>> = {
  text: (block) => textOf(block.text) ?? "",
  image: (block) => mediaLabel("image", block),
  audio: (block) => mediaLabel("audio", block),
  resource_link: (block) => {
    const name = firstText(block.title, block.name, block.uri) ?? "unnamed";
    const uri = textOf(block.uri) ?? "";
    return uri === "" || uri === name ? `[link: ${name}]` : `[link: ${name}, ${uri}]`;
  },
  resource: (block) => {
    const resource = fieldsOf(block.resource);
    const uri = firstText(resource.uri) ?? "unnamed";
    const text = textOf(resource.text);
    if (text !== null) return `[resource: ${uri}]\n${text}${text.endsWith("\n") ? "" : "\n"}`;
    const bytes = base64Length(textOf(resource.blob));
    return `[resource: ${
      [uri, firstText(resource.mimeType), bytes].filter((part) => part !== null).join(", ")
    }]`;
  },
};

/** A content block as text. Never empty for a block that is not text. */
export function blockText(value: unknown): string {
  const block = fieldsOf(value);
  const type = textOf(block.type) ?? "unknown";
  const label = rowOf(BLOCK_TEXT, type);
  return label === null ? `[${type}]` : label(block);
}

/** True for a block that is plain text. */
export function isTextBlock(value: unknown): boolean {
  return fieldAt(value, "type") === "text";
}

/** Several blocks as one text: texts run on, anything else stands on lines of its own. */
export function blocksText(blocks: unknown): string {
  let text = "";
  let wasText = true;
  for (const block of fieldsList(blocks)) {
    const isText = isTextBlock(block);
    if (text !== "" && !(isText && wasText) && !text.endsWith("\n")) text += "\n";
    text += blockText(block);
    wasText = isText;
  }
  return text;
}

/** The text of a tool call's `content` items, fences around a whole item taken off. Null when there is none. */
export function contentText(content: readonly Fields[]): string | null {
  const texts = content
    .filter((item) => item.type === "content" && fieldAt(item, "content", "type") !== "image")
    .map((item) => unfence(blockText(item.content)));
  return texts.length === 0 ? null : texts.join(texts.some((text) => text.includes("\n")) ? "\n" : " ");
}

/** The `diff` items of a tool call's content. */
export function contentDiffs(content: readonly Fields[]): readonly FileDiff[] {
  return content.filter((item) => item.type === "diff").map((item) => ({
    path: textOf(item.path) ?? "",
    old: textOf(item.oldText),
    new: textOf(item.newText) ?? "",
  }));
}

/** A tool call's content as parts of a card: text as Markdown or plain, diffs, images by size. Terminals are not parts. */
export function contentParts(content: readonly Fields[]): readonly CardPart[] {
  return content.flatMap((item): CardPart[] => {
    if (item.type === "diff") return contentDiffs([item]).map((diff) => ({ type: "diff", ...diff }));
    if (item.type !== "content") {
      return item.type === "terminal" ? [] : [{ type: "text", text: `[${item.type}]` }];
    }
    const block = fieldsOf(item.content);
    if (block.type === "image") {
      const byteLength = base64Bytes(textOf(block.data));
      return [{ type: "image", media_type: textOf(block.mimeType) ?? "image", byte_length: byteLength }];
    }
    const text = blockText(block);
    const plain = unfence(text);
    return text === ""
      ? []
      : [{ type: plain === text && isTextBlock(block) ? "markdown" : "text", text: plain }];
  });
}

/** `text` without the fence that goes all around it (Claude's adapter fences every output); else as it is. */
export function unfence(text: string): string {
  const open = /^(`{3,})[^\n`]*\n/.exec(text);
  if (open === null) return text;
  const fence = open[1] ?? "";
  const body = text.slice(open[0].length);
  const close = body === fence
    ? 0
    : body.trimEnd().endsWith(`\n${fence}`)
    ? body.trimEnd().length - fence.length - 1
    : -1;
  if (close === -1 || body.slice(0, close).split("\n").includes(fence)) return text;
  return body.slice(0, close);
}

function mediaLabel(kind: string, block: Fields): string {
  const parts = [firstText(block.mimeType), base64Length(textOf(block.data)), firstText(block.uri)];
  return `[${kind}: ${parts.filter((part) => part !== null).join(", ") || "empty"}]`;
}

function base64Length(data: string | null): string | null {
  const bytes = base64Bytes(data);
  return bytes === null ? null : `${bytes} bytes`;
}

/** Bytes that base64 text stands for, without decoding it. */
function base64Bytes(data: string | null): number | null {
  if (data === null || data === "") return null;
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return numberOf(Math.floor(data.length * 3 / 4) - padding);
}
