// The files below a directory that are not ignored: as git tells them where it is there, else by walking and reading
// .gitignore files. Paths are handed on as they are found, so that nobody waits for a large tree.

/** Takes paths relative to the directory, "/" between their parts. */
export type TakePaths = (paths: readonly string[]) => void;

/** How long work leaves room for keys: the time in ms, and a pause in which they are read. */
export interface Pace {
  now(): number;
  /** As short as may be, or of that many ms. */
  pause(lengthMs?: number): Promise<void>;
}

export const REAL_PACE: Pace = {
  now: () => performance.now(),
  pause: (lengthMs = 0) => new Promise((resolve) => setTimeout(resolve, lengthMs)),
};

/** Longest work before keys are looked at, in ms. */
export const SLICE_MS = 8;
/** Paths listed at most. */
const MAX_PATHS = 500_000;
/** Entries of a directory looked at before the clock is. */
const ENTRIES_AT_ONCE = 200;
/** Never of interest, and never named in a .gitignore. */
const HIDDEN = new Set([".git", ".hg", ".svn", ".jj"]);

/** Lists `directory`; resolves when all was found, or `stop` said so. What cannot be read is left out. */
export async function listFiles(directory: string, take: TakePaths, stop: AbortSignal): Promise<void> {
  const isDone = await isInWorkTree(directory) && await listWithGit(directory, take, stop);
  if (!isDone) await walkFiles(directory, take, { stop });
}

/** Whether git is worth asking: it takes its time to say no. */
async function isInWorkTree(directory: string): Promise<boolean> {
  if (Deno.env.has("GIT_DIR")) return true;
  let path = directory;
  for (;;) {
    try {
      // A directory, or a file in a linked work tree.
      await Deno.stat(`${path}/.git`);
      return true;
    } catch {
      const above = path.replace(/[\\/][^\\/]*$/, "");
      if (above === path) return false;
      path = above;
    }
  }
}

/** False when git is not there or the directory is in no work tree of it: nothing was handed on then. */
async function listWithGit(directory: string, take: TakePaths, stop: AbortSignal): Promise<boolean> {
  // Known files come from git's index at once, others only when it has walked the whole tree: so two runs, the
  // second after a pause, for a start takes a slice of its own.
  const run = (which: readonly string[]) => runGit(["-C", directory, "ls-files", "-z", ...which], take, stop);
  const known = run(["--cached", "--deduplicate"]);
  await REAL_PACE.pause();
  const [isKnown] = await Promise.all([known, run(["--others", "--exclude-standard"])]);
  return isKnown;
}

async function runGit(args: readonly string[], take: TakePaths, stop: AbortSignal): Promise<boolean> {
  try {
    const child = new Deno.Command("git", {
      args: [...args],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      env: { GIT_OPTIONAL_LOCKS: "0" },
      signal: stop,
    }).spawn();
    let rest = "";
    const decoder = new TextDecoder();
    let sliceEndMs = REAL_PACE.now() + SLICE_MS;
    for await (const bytes of child.stdout) {
      // What is there already is read without a pause, however much it is.
      if (REAL_PACE.now() >= sliceEndMs) {
        await REAL_PACE.pause();
        sliceEndMs = REAL_PACE.now() + SLICE_MS;
      }
      const paths = (rest + decoder.decode(bytes, { stream: true })).split("\0");
      rest = paths.pop() ?? "";
      take(paths.filter(isTypable));
    }
    return (await child.status).success;
  } catch {
    // No git here, or told to stop.
    return false;
  }
}

/** A directory to walk, with what the .gitignore files above it say. */
interface Folder {
  /** Relative, "" or ending with "/". */
  readonly path: string;
  readonly rules: readonly Rules[];
}

interface Rules {
  readonly base: string;
  test(path: string): { readonly ignored: boolean; readonly unignored: boolean };
}

/** Walks the tree, the files nearest to its root first, in slices of at most `SLICE_MS`. */
export async function walkFiles(
  directory: string,
  take: TakePaths,
  options: { readonly stop: AbortSignal; readonly pace?: Pace },
): Promise<void> {
  const pace = options.pace ?? REAL_PACE;
  const waiting: Folder[] = [{ path: "", rules: [] }];
  let found = 0;
  let sliceEndMs = pace.now() + SLICE_MS;
  for (let next = 0; next < waiting.length; next++) {
    const folder = waiting[next]!;
    const text = await readIgnoreFile(`${directory}/${folder.path}.gitignore`);
    const rules = text === null ? folder.rules : [...folder.rules, await readRules(folder.path, text)];
    let paths: string[] = [];
    let looked = 0;
    try {
      for await (const entry of Deno.readDir(`${directory}/${folder.path}`)) {
        const path = folder.path + entry.name;
        // Sockets, pipes and devices are nothing to read.
        if (entry.isDirectory) {
          if (!HIDDEN.has(entry.name) && !isIgnored(`${path}/`, rules)) {
            waiting.push({ path: `${path}/`, rules });
          }
        } else if ((entry.isFile || entry.isSymlink) && isTypable(path) && !isIgnored(path, rules)) {
          paths.push(path);
        }
        if (++looked % ENTRIES_AT_ONCE !== 0 || pace.now() < sliceEndMs) continue;
        take(paths);
        found += paths.length;
        paths = [];
        await pace.pause();
        if (options.stop.aborted) return;
        sliceEndMs = pace.now() + SLICE_MS;
      }
    } catch {
      // Not ours to read, or gone meanwhile.
    }
    take(paths);
    found += paths.length;
    if (options.stop.aborted || found >= MAX_PATHS) return;
    if (pace.now() < sliceEndMs) continue;
    await pace.pause();
    sliceEndMs = pace.now() + SLICE_MS;
  }
}

/** The library is loaded for the first .gitignore: that takes longer than the first results may. */
async function readRules(base: string, text: string): Promise<Rules> {
  const { default: createIgnore } = await import("ignore");
  const own = createIgnore({ ignorecase: false, allowRelativePaths: true }).add(text);
  return { base, test: (path) => own.test(path) };
}

/** The .gitignore nearest to the path that says anything about it decides. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (let at = rules.length - 1; at >= 0; at--) {
    const { base, test } = rules[at]!;
    const { ignored, unignored } = test(path.slice(base.length));
    if (unignored) return false;
    if (ignored) return true;
  }
  return false;
}

async function readIgnoreFile(path: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(path);
  } catch {
    return null;
  }
}

/** Whether a path can stand in a message behind "@": no control, no quote, valid text. */
function isTypable(path: string): boolean {
  // deno-lint-ignore no-control-regex
  return path !== "" && !/[\x00-\x1f\x7f"\ufffd\uffff]/.test(path);
}
