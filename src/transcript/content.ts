// Message and result content as text: strings, lists of parts, or anything else an agent may put there.

/** All text parts joined; other parts as a label, "[image image/png, 12345 bytes]". */
export function contentText(content: unknown): string | null {
  if (content === undefined || content === null) return null;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return partText(content);
  const texts: string[] = [];
  let lastIsLabel = false;
  for (const part of content) {
    const isText = typeof part === "string" || isObject(part) && typeof part.text === "string";
    const text = partText(part);
    // A label stands on its own line.
    if (texts.length > 0 && (lastIsLabel || !isText) && !(texts.at(-1) ?? "").endsWith("\n")) {
      texts.push("\n");
    }
    texts.push(text);
    lastIsLabel = !isText;
  }
  return texts.join("");
}

/** How an image that a terminal cannot show is named. */
export function imageLabel(mediaType: string, byteLength: number | null): string {
  const type = mediaType === "" ? "" : ` ${mediaType}`;
  return byteLength === null ? `[image${type}]` : `[image${type}, ${byteLength} bytes]`;
}

function partText(part: unknown): string {
  if (typeof part === "string") return part;
  if (!isObject(part)) return JSON.stringify(part) ?? "";
  if (typeof part.text === "string") return part.text;
  if (part.type === "content" && isObject(part.content)) return partText(part.content);
  const type = typeof part.type === "string" ? part.type : "";
  if (type === "image" || type === "input_image" || type === "image_url") {
    return imageLabel(mediaTypeOf(part), byteLengthOf(part));
  }
  return type === "" ? JSON.stringify(part) : `[${type}]`;
}

function mediaTypeOf(part: Record<string, unknown>): string {
  const source = isObject(part.source) ? part.source : {};
  const given = [part.media_type, part.mimeType, part.mime_type, source.media_type].find((one) =>
    typeof one === "string"
  );
  return typeof given === "string" ? given : "";
}

function byteLengthOf(part: Record<string, unknown>): number | null {
  if (typeof part.byte_length === "number") return part.byte_length;
  const source = isObject(part.source) ? part.source : {};
  const data = [part.data, source.data].find((one) => typeof one === "string");
  if (typeof data !== "string") return null;
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.floor(data.length / 4) * 3 - padding;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
