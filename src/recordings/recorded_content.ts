// Message and result content of recorded sessions as text (Anthropic content blocks, OpenAI content items, MCP
// content), and short lines about it. What a terminal cannot show is named with its type and size.

import { type Fields, fieldsOf, firstText, isFields, numberOf, rowOf, showValue, textOf } from "./fields.ts";

type Labeller = (block: Fields) => string;

/** How blocks read that are no text. A kind not here that holds a text is that text, else its name in brackets. */
const LABELS: Readonly<Record<string, Labeller>> = {
  image: imageLabel,
  input_image: imageLabel,
  inputImage: imageLabel,
  image_url: imageLabel,
  localImage: (block) => `[image ${firstText(block.path) ?? ""}]`.replace(" ]", "]"),
  local_image: (block) => `[image ${firstText(block.path) ?? ""}]`.replace(" ]", "]"),
  audio: (block) => mediaLabel("audio", block),
  input_audio: (block) => mediaLabel("audio", block),
  document: documentLabel,
  input_file: documentLabel,
  tool_reference: (block) => `[tool ${firstText(block.tool_name, block.name) ?? ""}]`,
  search_result: (block) => [firstText(block.title), firstText(block.source)].filter(isText).join(" "),
  web_search_result: (block) => [firstText(block.title), firstText(block.url)].filter(isText).join("\n  "),
  resource: (block) => {
    const resource = fieldsOf(block.resource);
    const uri = firstText(resource.uri) ?? "";
    return [`[resource ${uri}]`, textOf(resource.text)].filter(isText).join("\n");
  },
  resource_link: (block) => `[link ${firstText(block.title, block.name, block.uri) ?? ""}]`,
  skill: (block) => `[skill ${firstText(block.name) ?? ""}]`,
  mention: (block) => `[${firstText(block.name, block.path) ?? "mention"}]`,
  encrypted_content: () => "[encrypted]",
};

/** Content as one text: texts run on, anything else stands on lines of its own. Null where there is none. */
export function contentText(content: unknown): string | null {
  if (content === undefined || content === null) return null;
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [content];
  if (parts.length === 0) return null;
  let text = "";
  let wasText = true;
  let isFirst = true;
  for (const part of parts) {
    const isPlain = isTextPart(part);
    const piece = partText(part);
    if (!isFirst && !(wasText && isPlain) && text !== "" && !text.endsWith("\n")) text += "\n";
    text += piece;
    wasText = isPlain;
    isFirst = false;
  }
  return text;
}

/** Separate texts, each a part of its own, set apart by a newline. */
export function joinedTexts(parts: readonly unknown[]): string {
  return parts.map(partText).filter((text) => text !== "").join("\n");
}

/** True for a part that is text and nothing else. */
export function isTextPart(part: unknown): boolean {
  return typeof part === "string" ||
    isFields(part) && typeof part.text === "string" && rowOf(LABELS, part.type) === null;
}

function partText(part: unknown): string {
  if (typeof part === "string") return part;
  if (!isFields(part)) return showValue(part);
  const label = rowOf(LABELS, part.type);
  if (label !== null) return label(part);
  if (typeof part.text === "string") return part.text;
  const type = textOf(part.type);
  return type === null ? showValue(part) : `[${type}]`;
}

function imageLabel(block: Fields): string {
  return mediaLabel("image", block);
}

/** "[image image/png, 12345 bytes]". */
function mediaLabel(kind: string, block: Fields): string {
  const source = fieldsOf(block.source);
  const url =
    firstText(block.image_url, block.imageUrl, fieldsOf(block.image_url).url, source.url, block.url) ?? "";
  const inline = /^data:([^;,]*)[^,]*,/.exec(url.slice(0, 200));
  const type = firstText(source.media_type, block.media_type, block.mimeType, block.mime_type, inline?.[1]);
  const data = firstText(source.data, block.data) ??
    (inline === null ? null : url.slice(inline[0].length));
  const bytes = base64Bytes(data);
  const place = data === null && url !== "" ? url : null;
  const size = bytes === null ? null : `${bytes} bytes`;
  const facts = [type, size, place].filter(isText);
  return facts.length === 0 ? `[${kind}]` : `[${kind} ${facts.join(", ")}]`;
}

function documentLabel(block: Fields): string {
  const source = fieldsOf(block.source);
  const text = source.type === "text" ? textOf(source.data) : null;
  const name = firstText(block.title, block.filename, block.name);
  const label = mediaLabel(name === null ? "document" : `document ${name}`, { source });
  return text === null ? label : `${label}\n${text}`;
}

/** Bytes that base64 text stands for, without decoding it. */
export function base64Bytes(data: string | null): number | null {
  if (data === null || data === "") return null;
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.floor(data.length * 3 / 4) - padding;
}

/** A one-line summary is cut behind this many characters. */
const LONGEST_SUMMARY = 300;

/** The first line that says something, shortened to one row. */
export function summaryLine(text: string): string {
  const start = text.search(/\S/);
  if (start === -1) return "";
  const end = text.indexOf("\n", start);
  const line = text.slice(start, end === -1 ? Math.min(text.length, start + 2 * LONGEST_SUMMARY) : end)
    .trim();
  return line.length <= LONGEST_SUMMARY
    ? line
    : line.slice(0, LONGEST_SUMMARY).replace(/[\ud800-\udbff]$/, "") + "…";
}

/** Lines of a text; a final newline adds none. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** "1 line", "2 lines". */
export function countText(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : unit.endsWith("h") ? "es" : "s"}`;
}

/** A path as seen from the working directory. */
export function nearPath(path: string, cwd: string | null): string {
  return cwd !== null && cwd !== "" && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

/** Bytes for people: "812 B", "12 kB", "3.4 MB". */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${Math.round(bytes / 1000)} kB`;
  return `${Math.round(bytes / 1e5) / 10} MB`;
}

/** Milliseconds for people: "0.4s", "12s", "3m 20s". */
export function durationText(ms: number): string {
  if (ms < 9950) return `${Math.round(ms / 100) / 10}s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}

/** A count as people write it: 1234 as "1.2k". */
export function tokensText(count: number): string {
  return count < 1000 ? String(count) : `${Math.round(count / 100) / 10}k`;
}

/** The number, or null where it is none or says nothing (not positive). */
export function positive(value: unknown): number | null {
  const number = numberOf(value);
  return number !== null && number > 0 ? number : null;
}

function isText(value: string | null | undefined): value is string {
  return value !== null && value !== undefined && value !== "";
}
