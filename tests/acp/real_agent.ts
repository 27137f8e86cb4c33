// A real agent from the npm registry for tests: Gemini CLI (Apache-2.0) with the Node it likes, installed once into a
// cache outside the project. Where that cannot be done tests are skipped and say so; with TRIFOLD_REAL_AGENT=1, as
// in .ci/run, they fail.

export const REAL_AGENT = { name: "Gemini CLI", version: "0.61.0" } as const;

const PACKAGES = [`@google/gemini-cli@${REAL_AGENT.version}`, "node@24.21.0"];
const INSTALL_WITHIN_MS = 150_000;
/** A failure is not tried again so soon: somebody without a network runs tests too. */
const FAILED_FOR_MS = 10 * 60_000;

/** Where the programs are; null where there are none, which has been said. */
export interface InstalledPackages {
  /** A folder for the PATH, with `gemini` and its `node`. */
  readonly bin: string;
}

/** The agent, installed now if it was not. */
export async function installRealAgent(): Promise<InstalledPackages | null> {
  const isWanted = Deno.env.get("TRIFOLD_REAL_AGENT") === "1";
  const cache = Deno.env.get("TRIFOLD_AGENT_CACHE") ?? `${temporaryFolder()}/trifold-agents`;
  const folder = `${cache}/gemini-cli-${REAL_AGENT.version}`;
  const installed = { bin: `${folder}/node_modules/.bin` };
  if (exists(`${installed.bin}/gemini`)) return installed;
  const failedAt = `${folder}.failed`;
  if (!isWanted && Date.now() - (modifiedMs(failedAt) ?? 0) < FAILED_FOR_MS) {
    return notInstalled("it failed before");
  }
  const problem = await install(cache, folder);
  if (problem === null) return installed;
  if (isWanted) throw new Error(`Cannot install ${PACKAGES.join(" and ")}: ${problem}`);
  try {
    Deno.writeTextFileSync(failedAt, problem);
  } catch {
    // Then it is tried again.
  }
  return notInstalled(problem);
}

/** Installs beside the place and moves it there whole; gives what went wrong. */
async function install(cache: string, folder: string): Promise<string | null> {
  try {
    Deno.mkdirSync(cache, { recursive: true });
    const made = Deno.makeTempDirSync({ dir: cache, prefix: "making-" });
    try {
      Deno.writeTextFileSync(`${made}/package.json`, '{"private":true}');
      const { success, stderr } = await new Deno.Command("npm", {
        args: [
          "install",
          "--no-audit",
          "--no-fund",
          "--fetch-retries=1",
          "--fetch-timeout=30000",
          ...PACKAGES,
        ],
        cwd: made,
        env: { npm_config_update_notifier: "false" },
        stdin: "null",
        stdout: "null",
        stderr: "piped",
        signal: AbortSignal.timeout(INSTALL_WITHIN_MS),
      }).output();
      if (!success) return new TextDecoder().decode(stderr).trim().split("\n").slice(-3).join("; ");
      if (!exists(folder)) Deno.renameSync(made, folder);
      return null;
    } finally {
      await Deno.remove(made, { recursive: true }).catch(() => {});
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function notInstalled(why: string): null {
  console.error(`Skipping tests with ${REAL_AGENT.name}: it cannot be installed (${why})`);
  return null;
}

function temporaryFolder(): string {
  return (Deno.env.get("TMPDIR") ?? "/tmp").replace(/\/+$/, "");
}

function exists(path: string): boolean {
  return modifiedMs(path) !== null;
}

function modifiedMs(path: string): number | null {
  try {
    return Deno.statSync(path).mtime?.getTime() ?? 0;
  } catch {
    return null;
  }
}
