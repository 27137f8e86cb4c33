// What --version says, and where the program's version and commit come from.

import config from "../../../deno.json" with { type: "json" };
import { programForm } from "../../pod/self.ts";

/** The version of deno.json. */
export const VERSION = config.version;

/** Build steps put the commit here: build/bundle.ts looks for exactly this text. */
const COMMIT: string = "commit-of-this-build";

/** "trifold 0.1.0 (commit 1a2b3c4d5e6f, Deno 2.9.6, linux x86_64)"; a portable executable says that it is one. */
export function versionText(): string {
  const commit = programForm() === "sources" ? sourceCommit() : COMMIT;
  const form = programForm() === "portable" ? ", portable" : "";
  const platform = `${Deno.build.os} ${Deno.build.arch}`;
  const where = commit === null ? "source" : `commit ${commit}`;
  return `trifold ${VERSION} (${where}, Deno ${Deno.version.deno}, ${platform}${form})`;
}

/** The commit that the sources stand at; null where git or the history is missing. */
function sourceCommit(): string | null {
  try {
    const cwd = decodeURIComponent(new URL("../../../", import.meta.url).pathname);
    // A checkout inside another repository has that one's commits, not ours.
    Deno.statSync(`${cwd}.git`);
    const { success, stdout } = new Deno.Command("git", {
      args: ["rev-parse", "--short=12", "HEAD"],
      cwd,
      stdin: "null",
      stderr: "null",
    }).outputSync();
    return success ? new TextDecoder().decode(stdout).trim() : null;
  } catch {
    return null;
  }
}
