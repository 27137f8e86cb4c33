// What a person wrote as the content of an ACP prompt: text, with the files it mentions as links in their places.
// What stands in the files is the agent's to read.

import type { ContentBlock } from "@agentclientprotocol/sdk";

/** A file as `@path` named it. */
export interface Mentioned {
  /** Absolute. */
  readonly path: string;
  /** Bytes; null for a directory. */
  readonly size: number | null;
}

/** `@path` or `@"path with blanks"` at the beginning of a word. */
const MENTION = /(^|[\s(])@(?:"([^"\n]+)"|([^\s"@]+))/gu;
/** Signs that end a sentence rather than a path. */
const TRAILING = /[.,;:!?)\]}'’»]+$/u;

/** The blocks of a prompt. `find` gives what a path names, null where it names nothing: then it stays text. */
export function promptBlocks(text: string, find: (path: string) => Mentioned | null): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let from = 0;
  for (const match of text.matchAll(MENTION)) {
    const [whole, before = "", quoted, bare = ""] = match;
    const candidates = quoted === undefined ? [bare, bare.replace(TRAILING, "")] : [quoted];
    for (const path of candidates) {
      // Half a surrogate pair names no file, and no address can hold it.
      const found = path === "" || !path.isWellFormed() ? null : find(path);
      if (found === null) continue;
      const start = match.index + before.length;
      addText(blocks, text.slice(from, start));
      blocks.push(linkTo(path, found));
      from = quoted === undefined ? start + 1 + path.length : match.index + whole.length;
      break;
    }
  }
  addText(blocks, text.slice(from));
  return blocks.length === 0 ? [{ type: "text", text }] : blocks;
}

/** Looks a mentioned path up on disk, from `cwd`. */
export function findMentioned(path: string, cwd: string): Mentioned | null {
  const absolute = /^([\\/]|[A-Za-z]:[\\/])/.test(path) ? path : `${cwd.replace(/[\\/]$/, "")}/${path}`;
  try {
    const { isFile, isDirectory, size } = Deno.statSync(absolute);
    return isFile || isDirectory ? { path: normalized(absolute), size: isFile ? size : null } : null;
  } catch {
    return null;
  }
}

/** Without "." and ".." in it. */
function normalized(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && (part !== "" || parts.length === 0)) parts.push(part);
  }
  return parts.length === 1 ? `${parts[0]}/` : parts.join("/");
}

function addText(blocks: ContentBlock[], text: string): void {
  if (text !== "") blocks.push({ type: "text", text });
}

function linkTo(path: string, { path: absolute, size }: Mentioned): ContentBlock {
  return {
    type: "resource_link",
    name: path,
    uri: fileUri(absolute),
    ...(size === null ? {} : { size }),
  };
}

/** RFC 8089; signs that end a path in an address are encoded. */
function fileUri(path: string): string {
  const encoded = path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
  return `file://${encoded.startsWith("/") ? "" : "/"}${encoded}`;
}
