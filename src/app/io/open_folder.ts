// A folder that is given instead of a file: the one session in it, whatever its format, or which there are to choose
// from. Only the beginnings of its files are read, and only files right in it are looked at.

import { agentOfPath, isChildLog } from "../../recordings/nested_files.ts";
import { openSource } from "../../recordings/source.ts";
import { createFeed } from "../files.ts";

/** The one session of a folder, or why there is not one. */
export type FolderSession =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "problem"; readonly what: string };

/** Bytes of each file that are looked at, and how many files. */
const HEAD_LENGTH = 1 << 16;
const MOST_FILES = 200;
/** Sessions named to choose from. */
const MOST_NAMED = 10;

/** The session in a folder. */
export async function sessionIn(folder: string): Promise<FolderSession> {
  const found = [];
  for (const { path } of newestFirst(folder).slice(0, MOST_FILES)) {
    if (await isSession(path)) found.push(path);
  }
  const [first, ...others] = found;
  if (first === undefined) {
    return cannotOpen(folder, "it is a directory without a session of a known format; give a file inside it");
  }
  if (others.length === 0) return { kind: "file", path: first };
  const more = found.length > MOST_NAMED ? `\n  and ${found.length - MOST_NAMED} more` : "";
  const list = found.slice(0, MOST_NAMED).map((path) => `\n  ${path}`).join("");
  return cannotOpen(
    folder,
    `it holds ${found.length} sessions; give one of them, newest first:${list}${more}`,
  );
}

function newestFirst(folder: string): readonly { readonly path: string; readonly modifiedMs: number }[] {
  const names = [...Deno.readDirSync(folder)].flatMap((entry) =>
    !entry.isDirectory && /^[^.].*\.jsonl?(?:\.zstd?)?$/i.test(entry.name) ? [entry.name] : []
  );
  // Logs written anew in a later form stand beside the older.
  const version = (name: string) => Number(/^session\.v(\d+)\./.exec(name)?.[1] ?? 0);
  const newest = Math.max(...names.map(version));
  return names.flatMap((name) => {
    const path = `${folder.replace(/(?<=.)[\\/]+$/, "")}/${name}`;
    const isOlder = /^session(?:\.v\d+)?\.jsonl/.test(name) && version(name) < newest;
    if (isOlder || agentOfPath(path) !== null || isChildLog(path)) return [];
    return [{ path, modifiedMs: modifiedMs(path) }];
  }).sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1));
}

function modifiedMs(path: string): number {
  try {
    return Deno.statSync(path).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}

/** True when what a file begins with is of a known format. */
async function isSession(path: string): Promise<boolean> {
  const source = await openSource(path, { chunkLength: HEAD_LENGTH });
  if (source.kind === "problem") return false;
  try {
    const read = await source.next();
    if (read.kind !== "bytes") return false;
    const feed = createFeed(null);
    feed.push(read.bytes.subarray(0, HEAD_LENGTH));
    feed.end();
    return feed.format() !== null;
  } finally {
    source.close();
  }
}

function cannotOpen(folder: string, what: string): FolderSession {
  return { kind: "problem", what: `Cannot open recording ${JSON.stringify(folder)}: ${what}` };
}
