// The program as a few JavaScript modules in dist/app/: only what is used is in them, and what the first frame does
// without stays in modules of its own. compile.ts and portable.ts make executables of them.

/** The project's folder, with a "/" at its end. */
export const ROOT = decodeURIComponent(new URL("../", import.meta.url).pathname);
/** What is built stands here. */
export const DIST = `${ROOT}dist/`;
/** The bundle's main module. */
export const MAIN = `${DIST}app/main.mjs`;

/** Stands in src/app/io/version.ts until a build puts the commit there. */
const COMMIT_MARK = "commit-of-this-build";

/** Bundles the program into dist/app/; returns the files' names. */
export async function makeBundle(): Promise<readonly string[]> {
  const directory = `${DIST}app`;
  const made = `${DIST}app.new`;
  await Deno.mkdir(DIST, { recursive: true });
  await removeAll(made);
  await run(Deno.execPath(), [
    "bundle",
    "-q",
    "--platform",
    "deno",
    "--code-splitting",
    "--outdir",
    made,
    `${ROOT}build/main.ts`,
  ]);
  await finish(made, await commitName());
  await removeAll(directory);
  await Deno.rename(made, directory);
  return [...Deno.readDirSync(directory)].map((entry) => entry.name).sort();
}

/**
 * Renames all modules to .mjs, for Deno reads a plain .js file twice: it looks for CommonJS first. Then puts the
 * commit in. Throws where the bundle is not as expected.
 */
async function finish(directory: string, commit: string): Promise<void> {
  const names = [...Deno.readDirSync(directory)].map((entry) => entry.name);
  let marks = 0;
  for (const name of names) {
    const source = await Deno.readTextFile(`${directory}/${name}`);
    let text = source.replace(
      /(["'])\.\/([\w.-]+)\.js\1/g,
      (all, quote: string, module: string) =>
        names.includes(`${module}.js`) ? `${quote}./${module}.mjs${quote}` : all,
    );
    marks += text.split(COMMIT_MARK).length - 1;
    text = text.replaceAll(COMMIT_MARK, commit);
    // A module without any import or export would be taken for CommonJS all the same.
    if (!/^\s*(import|export)\b/m.test(text)) text += "\nexport {};\n";
    await Deno.writeTextFile(`${directory}/${name.replace(/\.js$/, ".mjs")}`, text);
    if (name.endsWith(".js")) await Deno.remove(`${directory}/${name}`);
  }
  if (marks !== 1) {
    throw new Error(`Cannot put the commit into the bundle: its mark stands there ${marks} times`);
  }
}

/** The commit of the sources, with "+" behind it where they differ from it; "unknown" outside a checkout. */
export async function commitName(): Promise<string> {
  try {
    const commit = (await run("git", ["-C", ROOT, "rev-parse", "--short=12", "HEAD"])).trim();
    const changes = await run("git", [
      "-C",
      ROOT,
      "status",
      "--porcelain",
      "--",
      "src",
      "main.ts",
      "deno.json",
    ]);
    return changes.trim() === "" ? commit : `${commit}+`;
  } catch {
    return "unknown";
  }
}

/** Runs a program to its end; its output. Throws with what it said where it failed. */
export async function run(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { success, code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    env: { ...env, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  if (success) return decoder.decode(stdout);
  throw new Error(`${command} ${args[0] ?? ""} ended with ${code}: ${decoder.decode(stderr).trim()}`);
}

async function removeAll(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
