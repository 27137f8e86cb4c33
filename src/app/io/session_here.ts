// What the names of agents' folders tell of the directory that the sessions in them are about, so that the sessions of
// one directory are found without opening those of others. A name that does not tell is never held against a session.

/** A directory by all the names it has. */
export interface Here {
  /** Real path and, where the shell names it otherwise, that name. */
  readonly paths: readonly string[];
  /** Without the signs that agents replace. */
  readonly dashed: ReadonlySet<string>;
  /** SHA-256 of the paths, in hexadecimal. */
  readonly hashes: ReadonlySet<string>;
}

/** False where a folder of that name holds sessions of other directories only. */
export type ProjectName = (
  place: { readonly folder: string; readonly name: string; readonly here: Here },
) => boolean;

/** A directory as it is looked for; `named` is how the shell calls it, if it does. */
export async function hereOf(directory: string, named: string | null): Promise<Here> {
  const real = realPath(directory);
  const isSame = named !== null && named !== real && realPath(named) === real;
  const paths = isSame ? [real, named] : [real];
  const hashes = await Promise.all(paths.map(sha256));
  for (const [at, hash] of hashes.entries()) hashedDirectories.set(hash, paths[at] ?? real);
  return { paths, dashed: new Set(paths.map(dashedName)), hashes: new Set(hashes) };
}

/** A longer name may have been cut by the agent. */
const LONG_NAME = 180;

/** Claude Code, Qwen Code and pi: the path with dashes for what is no letter or digit. */
export const isDashedName: ProjectName = ({ name, here }) => {
  const isPath = name.startsWith("-") || /^[A-Za-z]--/.test(name);
  return !isPath || name.length > LONG_NAME || here.dashed.has(dashedName(name));
};

/** Gemini CLI: a hash of the path, or a short name that a file beside it explains. */
export const isGeminiName: ProjectName = ({ folder, name, here }) => {
  if (/^[0-9a-f]{64}$/.test(name)) return here.hashes.has(name);
  const directory = geminiDirectory(`${folder}/${name}`);
  return directory === "" || isHere(directory, here);
};

/** OpenCode: a project's id; a file of that name says where it is. */
export const isOpencodeName: ProjectName = ({ folder, name, here }) => {
  const project = readJson(folder.replace(/session$/, `project/${name}.json`));
  const { worktree } = (project ?? {}) as { readonly worktree?: unknown };
  if (typeof worktree !== "string" || worktree === "" || worktree === "/") return true;
  const root = realPath(worktree);
  return here.paths.some((path) => path === root || path.startsWith(`${root}/`));
};

/** True when a directory is the one looked for. */
export function isHere(directory: string, here: Here): boolean {
  return here.paths.includes(directory) || here.paths.includes(realPath(directory));
}

const realPaths = new Map<string, string>();

/** Where a path leads; itself without what it ends with where it leads nowhere. Each is asked for once. */
function realPath(path: string): string {
  let real = realPaths.get(path);
  if (real === undefined) {
    try {
      real = Deno.realPathSync(path);
    } catch {
      real = path.replace(/(?<=.)[\\/]+$/, "");
    }
    realPaths.set(path, real);
  }
  return real;
}

/** Directories that have been looked for, by their hash: what else a hash stands for cannot be told. */
const hashedDirectories = new Map<string, string>();
const geminiDirectories = new Map<string, string>();

/** The directory that a folder below Gemini CLI's `tmp` is about; "" where nothing says so. */
export function geminiDirectory(folder: string): string {
  let directory = geminiDirectories.get(folder);
  if (directory === undefined) {
    const name = folder.replace(/^.*[\\/]/, "");
    directory = readText(`${folder}/.project_root`).trim() || hashedDirectories.get(name) ||
      registeredDirectory(folder);
    geminiDirectories.set(folder, directory);
  }
  return directory;
}

/** `projects.json` beside `tmp` names the folder of each directory. */
function registeredDirectory(folder: string): string {
  const match = /^(.*)[\\/]tmp[\\/]([^\\/]+)$/.exec(folder);
  const { projects } = (readJson(`${match?.[1] ?? ""}/projects.json`) ?? {}) as {
    readonly projects?: unknown;
  };
  if (match === null || typeof projects !== "object" || projects === null) return "";
  return Object.entries(projects).find(([, name]) => name === match[2])?.[0] ?? "";
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path));
  } catch {
    return null;
  }
}

/** One form for the ways to write a path as a name. */
function dashedName(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "-").replace(/^-+|-+$/g, "");
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
