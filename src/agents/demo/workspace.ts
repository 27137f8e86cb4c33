// The directory the demo agent works in: read where one stands, changed only in a scratch copy that is made at the
// first change. Nothing outside it is touched, symbolic links followed. What the tools do is tools.ts.

import { insidePath } from "./paths.ts";

/** Without git no more than this is copied. With git every tracked file is, up to a size no demo needs. */
const MAX_FILES = 2_000;
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_TRACKED_FILES = 50_000;
const MAX_TRACKED_BYTES = 500 * 1024 * 1024;
/** Never walked into: too large, and nobody's own text. */
const SKIPPED = new Set([".git", "node_modules", ".hg", ".svn", ".cache"]);

export interface Workspace {
  /** Where the person stands: real path, never written to. */
  readonly home: string;
  /** Where scratch copies go; undefined = the system's folder for such things. */
  readonly scratchParent: string | undefined;
  scratch: Scratch | null;
}

/** What became of the first wish to change something. */
export type Scratch =
  | { readonly kind: "ready"; readonly root: string; readonly files: number; readonly skippedLinks: number }
  | { readonly kind: "refused"; readonly why: string };

/** A place inside the workspace, or why there is none. */
export type Place =
  | { readonly kind: "place"; readonly absolute: string; readonly path: string }
  | { readonly kind: "refused"; readonly why: string };

/** The workspace at `cwd`; throws when that is no directory. */
export function openWorkspace(cwd: string, scratchParent: string | undefined): Workspace {
  return { home: Deno.realPathSync(cwd), scratchParent, scratch: null };
}

/** Where tools work now: the scratch copy once there is one. */
export function workspaceRoot(workspace: Workspace): string {
  return workspace.scratch?.kind === "ready" ? workspace.scratch.root : workspace.home;
}

/** The scratch copy, made at the first call; later calls give the same. */
export async function scratchOf(workspace: Workspace): Promise<Scratch> {
  return workspace.scratch ??= await makeScratch(workspace);
}

/** `path` as a place in the workspace. Links are followed before it is decided whether that is inside. */
export async function placeOf(workspace: Workspace, path: string): Promise<Place> {
  const root = workspaceRoot(workspace);
  const inside = insidePath(path, workspace.home) ?? insidePath(path, root);
  if (inside === null) return outside(path, workspace);
  const absolute = inside === "" ? root : `${root}/${inside}`;
  const real = await realPathOfExisting(absolute);
  if (real !== root && !real.startsWith(`${root}/`)) return outside(path, workspace);
  return { kind: "place", absolute, path: inside === "" ? "." : inside };
}

/** Files of the workspace as paths from its root, sorted; at most `limit`. Links are left out. */
export async function workspaceFiles(workspace: Workspace, limit = 20_000): Promise<string[]> {
  // What git ignores is nobody's own text; a scratch copy holds nothing of that kind.
  const known = workspace.scratch?.kind === "ready"
    ? null
    : await gitFiles(workspace.home, ["--cached", "--others", "--exclude-standard"]);
  const files = known ?? await walk(workspaceRoot(workspace), limit);
  return files.slice(0, limit).sort();
}

/** Up to three text files worth showing first: what introduces a project, then the rest by name. */
export async function showableFiles(workspace: Workspace): Promise<string[]> {
  const files = await workspaceFiles(workspace);
  const known = /^(readme(\.\w+)?|deno\.jsonc?|package\.json|cargo\.toml|pyproject\.toml|go\.mod|makefile)$/i;
  const text = /\.(md|ts|js|mjs|py|rs|go|c|h|java|rb|sh|toml|json|txt|yaml|yml|css|html)$/i;
  const ranked = [...files.filter((file) => known.test(file)), ...files.filter((file) => text.test(file))];
  return [...new Set(ranked)].slice(0, 3);
}

function outside(path: string, workspace: Workspace): Place {
  return {
    kind: "refused",
    why: `${path} is outside ${workspace.home}; the demo agent keeps to files below it`,
  };
}

/** The real path, with what does not exist yet kept at its end. */
async function realPathOfExisting(path: string): Promise<string> {
  const missing: string[] = [];
  for (let at = path; at.includes("/"); at = at.slice(0, at.lastIndexOf("/")) || "/") {
    try {
      return [await Deno.realPath(at), ...missing].join("/");
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) return at;
      // A link that leads nowhere would be written through.
      if (await isLink(at)) return await Deno.readLink(at);
      missing.unshift(at.slice(at.lastIndexOf("/") + 1));
    }
    if (at === "/") break;
  }
  return path;
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await Deno.lstat(path)).isSymlink;
  } catch {
    return false;
  }
}

async function makeScratch(workspace: Workspace): Promise<Scratch> {
  const tracked = await gitFiles(workspace.home, ["--cached"]);
  const files = tracked ?? await walk(workspace.home, MAX_FILES + 1);
  const [maxFiles, maxBytes] = tracked === null
    ? [MAX_FILES, MAX_BYTES]
    : [MAX_TRACKED_FILES, MAX_TRACKED_BYTES];
  if (files.length > maxFiles) return tooMuch(`more than ${maxFiles} files`);
  const sizes = await sizesOf(workspace.home, files, maxBytes);
  if (sizes === null) return tooMuch(`more than ${maxBytes / 1024 / 1024} MB`);
  try {
    const base = await Deno.makeTempDir({
      prefix: "trifold-demo-",
      ...(workspace.scratchParent === undefined ? {} : { dir: workspace.scratchParent }),
    });
    const root = await Deno.realPath(base);
    let skippedLinks = 0;
    let copied = 0;
    for (const file of files) {
      const kind = sizes.get(file);
      if (kind === undefined) continue;
      if (kind === "link") skippedLinks++;
      else {
        await copyFile(`${workspace.home}/${file}`, `${root}/${file}`);
        copied++;
      }
    }
    return { kind: "ready", root, files: copied, skippedLinks };
  } catch (error) {
    return {
      kind: "refused",
      why: `the scratch copy failed: ${error instanceof Error ? error.message : error}`,
    };
  }
}

function tooMuch(what: string): Scratch {
  return { kind: "refused", why: `this directory has ${what}, too many for a scratch copy, so I only read` };
}

async function copyFile(from: string, to: string): Promise<void> {
  await Deno.mkdir(to.slice(0, to.lastIndexOf("/")), { recursive: true });
  await Deno.copyFile(from, to);
}

/** What each file is; files that are gone are left out. null when they are larger than `maxBytes` together. */
async function sizesOf(
  root: string,
  files: readonly string[],
  maxBytes: number,
): Promise<Map<string, number | "link"> | null> {
  const sizes = new Map<string, number | "link">();
  let bytes = 0;
  for (const file of files) {
    try {
      const info = await Deno.lstat(`${root}/${file}`);
      if (info.isSymlink) sizes.set(file, "link");
      else if (info.isFile) sizes.set(file, info.size);
      bytes += info.isFile ? info.size : 0;
    } catch {
      // Gone since it was listed.
    }
    if (bytes > maxBytes) return null;
  }
  return sizes;
}

/** Files below `root` that git lists so, without those deleted here; null where there is no git or nothing is listed. */
async function gitFiles(root: string, which: readonly string[]): Promise<string[] | null> {
  const [listed, deleted] = await Promise.all([listGit(root, which), listGit(root, ["--deleted"])]);
  const gone = new Set(deleted);
  const files = [...new Set(listed)].filter((file) => !gone.has(file));
  return files.length === 0 ? null : files;
}

async function listGit(root: string, which: readonly string[]): Promise<string[]> {
  try {
    const { success, stdout } = await new Deno.Command("git", {
      args: ["ls-files", "-z", ...which],
      cwd: root,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).output();
    return success ? new TextDecoder().decode(stdout).split("\0").filter((file) => file !== "") : [];
  } catch {
    // No git on this machine.
    return [];
  }
}

async function walk(root: string, limit: number): Promise<string[]> {
  const files: string[] = [];
  const folders = [""];
  for (let at = 0; at < folders.length && files.length < limit; at++) {
    const folder = folders[at] ?? "";
    try {
      for await (const entry of Deno.readDir(`${root}/${folder}`)) {
        if (entry.isDirectory && !SKIPPED.has(entry.name)) folders.push(`${folder}${entry.name}/`);
        else if (entry.isFile || entry.isSymlink) files.push(folder + entry.name);
        if (files.length >= limit) break;
      }
    } catch {
      // A folder that may not be read has no files for us.
    }
  }
  return files;
}
