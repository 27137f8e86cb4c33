// Where the known agents keep their sessions on this machine: one table, and the walk that finds the files. Nothing
// is read but names, sizes and times; what a session holds is session_details.ts. Nothing is ever written.

import { agentOfPath } from "../../recordings/nested_files.ts";
import {
  geminiDirectory,
  type Here,
  isDashedName,
  isGeminiName,
  isOpencodeName,
  type ProjectName,
} from "./session_here.ts";

/** A session on this machine, as its file's name and times tell. */
export interface FoundSession {
  /** For people. */
  readonly agent: string;
  /** As `--format` takes it. */
  readonly format: string;
  /** What `trifold open` takes. */
  readonly path: string;
  readonly modifiedMs: number;
  /** Bytes; null where a session is many files. */
  readonly byteLength: number | null;
  /** The directory by what lies beside the session, for agents that do not write it into it; "" where nothing says so. */
  readonly directoryBeside: (() => string) | null;
}

/** What was found. */
export interface FoundSessions {
  /** Newest first. */
  readonly sessions: readonly FoundSession[];
  /** What could not be looked into, one text each. */
  readonly skipped: readonly string[];
  /** What a person should know of sessions that are no files. */
  readonly hints: readonly string[];
}

/** The world a search needs to know. */
export interface SearchOptions {
  readonly environment: (name: string) => string | undefined;
  /** Folder of Trifold's own pods; null where there is none. */
  readonly pods: string | null;
  /** Folders whose names say that they are about another directory are left out. */
  readonly here?: Here | null;
  /** Given what there is so far, newest first, while the search goes on. */
  readonly look?: (sessions: readonly FoundSession[]) => Promise<void>;
}

/** One agent's way of keeping sessions. */
export interface Keeper {
  readonly agent: string;
  readonly format: string;
  /** Folders that may hold them: `variable` names the first instead, and is then the only one. */
  readonly roots: readonly Root[];
  /** Names below a root, folder by folder; the last is the file's. */
  readonly names: readonly RegExp[];
  /** Of several files in one folder only the one with the greatest number is the session. */
  readonly versionOf?: (name: string) => number;
  /** Files that look like sessions and are parts of others. */
  readonly isPart?: (path: string) => boolean;
  /** True where the file only names a session that is kept in many. */
  readonly isIndex?: boolean;
  /** Which of the names tells the directory, and how it does. */
  readonly project?: { readonly depth: number; readonly mayBe: ProjectName };
  /** The directory that sessions in a folder are about, where the files beside say so. */
  readonly directoryOf?: (folder: string) => string;
  /** A file beside that holds further sessions, which cannot be read, and what can be done. */
  readonly database?: { readonly path: string; readonly hint: string };
}

/** A folder by an environment variable with what follows it, or below the home folder. */
export interface Root {
  readonly variable: string | null;
  readonly behind: string;
  readonly home: string;
}

const ANY = /^[^.]/;

/** The known agents. Folders as documented by each, checked against the versions of 2026. */
export const KEEPERS: readonly Keeper[] = [
  {
    agent: "Claude Code",
    format: "claude",
    roots: [
      { variable: "CLAUDE_CONFIG_DIR", behind: "/projects", home: ".claude/projects" },
      { variable: null, behind: "", home: ".config/claude/projects" },
    ],
    names: [ANY, /\.jsonl$/],
    isPart: (path) => agentOfPath(path) !== null,
    project: { depth: 0, mayBe: isDashedName },
  },
  {
    agent: "Codex",
    format: "codex",
    roots: [{ variable: "CODEX_HOME", behind: "/sessions", home: ".codex/sessions" }],
    names: [/^\d{4}$/, /^\d\d$/, /^\d\d$/, /^rollout-.*\.jsonl$/],
  },
  {
    agent: "Codex",
    format: "codex",
    roots: [{ variable: "CODEX_HOME", behind: "/archived_sessions", home: ".codex/archived_sessions" }],
    names: [/^rollout-.*\.jsonl$/],
  },
  {
    agent: "pi",
    format: "pi",
    roots: [{ variable: "PI_CODING_AGENT_DIR", behind: "/sessions", home: ".pi/agent/sessions" }],
    names: [ANY, /\.jsonl$/],
    project: { depth: 0, mayBe: isDashedName },
  },
  {
    agent: "Gemini CLI",
    format: "gemini",
    roots: [{ variable: "GEMINI_CLI_HOME", behind: "/.gemini/tmp", home: ".gemini/tmp" }],
    names: [ANY, /^chats$/, /^session-.*\.jsonl?$/],
    directoryOf: (folder) => geminiDirectory(folder.replace(/[\\/]chats$/, "")),
    project: { depth: 0, mayBe: isGeminiName },
  },
  {
    agent: "Qwen Code",
    format: "qwen",
    roots: [{ variable: "QWEN_RUNTIME_DIR", behind: "/projects", home: ".qwen/projects" }],
    names: [ANY, /^chats$/, /\.jsonl$/],
    project: { depth: 0, mayBe: isDashedName },
  },
  {
    agent: "OpenCode",
    format: "opencode",
    roots: [{
      variable: "XDG_DATA_HOME",
      behind: "/opencode/storage",
      home: ".local/share/opencode/storage",
    }],
    names: [/^session$/, ANY, /^ses_.*\.json$/],
    isIndex: true,
    project: { depth: 1, mayBe: isOpencodeName },
    database: {
      path: "../opencode.db",
      hint: "opencode session list names them, opencode export ID > FILE writes one for trifold open",
    },
  },
  {
    agent: "DeepSeek Harness",
    format: "dsh",
    roots: [{ variable: "DSH_HOME", behind: "/sessions", home: ".dsh/sessions" }],
    names: [ANY, ANY, /^session(?:\.v\d+)?\.jsonl(?:\.zstd?)?$/],
    versionOf: (name) => Number(/\.v(\d+)\./.exec(name)?.[1] ?? 0),
  },
];

/** The agent of our own pods' logs; what they hold is told by meta.json. */
export const POD_FORMAT = "pod-jsonl";

/** Longest work before others get a turn, in ms. */
const SLICE_MS = 8;
/** Least time between two looks at what there is so far, in ms. */
const LOOK_MS = 40;

interface Search {
  readonly options: SearchOptions;
  readonly found: FoundSession[];
  readonly skipped: string[];
  readonly hints: string[];
  sliceEndMs: number;
  lookMs: number;
}

/** Looks for the sessions of all known agents. */
export async function findSessions(options: SearchOptions): Promise<FoundSessions> {
  const nowMs = performance.now();
  const search: Search = {
    options,
    found: [],
    skipped: [],
    hints: [],
    sliceEndMs: nowMs + SLICE_MS,
    lookMs: nowMs + LOOK_MS,
  };
  for (const keeper of KEEPERS) {
    for (const root of rootsOf(keeper, options.environment)) await searchRoot(search, keeper, root);
  }
  if (options.pods !== null) {
    const pods: Keeper = {
      agent: "Trifold",
      format: POD_FORMAT,
      roots: [],
      names: [ANY, /^log\.jsonl$/],
    };
    await searchFolder(search, pods, options.pods, 0);
  }
  return { sessions: newestFirst(search.found), skipped: search.skipped, hints: search.hints };
}

function newestFirst(sessions: readonly FoundSession[]): FoundSession[] {
  return [...sessions].sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1));
}

/** The folders that a keeper's sessions may be in. */
export function rootsOf(keeper: Keeper, environment: SearchOptions["environment"]): readonly string[] {
  const home = environment("HOME") ?? environment("USERPROFILE") ?? "";
  const named = keeper.roots.flatMap((root) => {
    const folder = root.variable === null ? undefined : environment(root.variable);
    return folder === undefined || folder === "" ? [] : [folder.replace(/[\\/]+$/, "") + root.behind];
  });
  if (named.length > 0 || home === "") return named;
  return keeper.roots.map((root) => `${home.replace(/[\\/]+$/, "")}/${root.home}`);
}

async function searchRoot(search: Search, keeper: Keeper, root: string): Promise<void> {
  await searchFolder(search, keeper, root, 0);
  const { database } = keeper;
  if (database === undefined) return;
  const path = `${root}/${database.path}`.replace(/[^/]+\/\.\.\//g, "");
  if (statOf(path)?.isFile === true) {
    search.hints.push(`${keeper.agent} keeps further sessions in ${path}: ${database.hint}`);
  }
}

async function searchFolder(search: Search, keeper: Keeper, folder: string, depth: number): Promise<void> {
  const pattern = keeper.names[depth];
  if (pattern === undefined) return;
  const isLast = depth === keeper.names.length - 1;
  const names: string[] = [];
  try {
    for (const entry of Deno.readDirSync(folder)) {
      if (pattern.test(entry.name) && (isLast ? !entry.isDirectory : !entry.isFile)) names.push(entry.name);
    }
  } catch (error) {
    const isAbsent = error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
    if (!isAbsent) search.skipped.push(`${folder} (${reasonOf(error)})`);
    return;
  }
  if (performance.now() > search.sliceEndMs) await giveWay(search);
  if (isLast) return takeFiles(search, keeper, folder, names);
  const here = search.options.here ?? null;
  const { project } = keeper;
  for (const name of names) {
    if (here !== null && project?.depth === depth && !project.mayBe({ folder, name, here })) continue;
    await searchFolder(search, keeper, `${folder}/${name}`, depth + 1);
  }
}

async function giveWay(search: Search): Promise<void> {
  const { look } = search.options;
  if (look !== undefined && performance.now() > search.lookMs && search.found.length > 0) {
    await look(newestFirst(search.found));
    search.lookMs = performance.now() + LOOK_MS;
  } else await new Promise((resolve) => setTimeout(resolve));
  search.sliceEndMs = performance.now() + SLICE_MS;
}

function takeFiles(search: Search, keeper: Keeper, folder: string, names: readonly string[]): void {
  const found: FoundSession[] = [];
  const { directoryOf } = keeper;
  for (const name of newestVersion(keeper, names)) {
    const path = `${folder}/${name}`;
    if (keeper.isPart?.(path) === true) continue;
    const info = statOf(path);
    if (info === null || !info.isFile) continue;
    if (info.size === 0) continue;
    found.push({
      agent: keeper.agent,
      format: keeper.format,
      path,
      modifiedMs: info.mtime?.getTime() ?? 0,
      byteLength: keeper.isIndex === true ? null : info.size,
      directoryBeside: directoryOf === undefined ? null : () => directoryOf(folder),
    });
  }
  search.found.push(...found);
}

/** Where a session was written anew in a later form, only that. */
function newestVersion(keeper: Keeper, names: readonly string[]): readonly string[] {
  const { versionOf } = keeper;
  if (versionOf === undefined || names.length < 2) return names;
  const best = [...names].sort((a, b) => versionOf(b) - versionOf(a) || (a < b ? 1 : -1))[0];
  return best === undefined ? [] : [best];
}

function statOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch {
    return null;
  }
}

/** Why something cannot be looked into, in few words. */
export function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) {
    return "not allowed";
  }
  if (error instanceof Deno.errors.NotFound) return "gone";
  return error instanceof Error ? error.message : String(error);
}
