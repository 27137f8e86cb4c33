// A home folder for tests of completions: `trifold` on its PATH is this program, and its settings name two agents, one
// of which would be a command if a shell took it for one. And what every shell has to offer there.

import assert from "node:assert/strict";

/** The program. */
const MAIN = decodeURIComponent(new URL("../main.ts", import.meta.url).pathname);

/** Beginnings of command lines, the last word to be completed, and what is offered for it, sorted. */
export const OFFERED: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [["trifold", "open", "--fold", ""], ["detail", "normal", "overview"]],
  [["trifold", "run", "--fold", "o"], ["overview"]],
  [["trifold", "print", "--format", "q"], ["qwen"]],
  [["trifold", "open", "--format", "po"], ["pod-jsonl"]],
  [["trifold", "run", "--agent", "gem"], ["gemini"]],
  [["trifold", "resume", "--agent", "mi"], ["mine"]],
  [["trifold", "run", "--agent", "d"], ["demo", "droid"]],
  [["trifold", "help", "res"], ["resume"]],
];

/** Runs with the folder and the environment of such a home, which is gone afterwards. */
export async function withProgram(
  run: (environment: Readonly<Record<string, string>>, home: string) => Promise<void>,
): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "trifold_completions_" });
  try {
    const agents = { mine: { command: "mine" }, [`$(touch ${home}/hurt)`]: { command: "no" } };
    await Deno.mkdir(`${home}/trifold`);
    await Deno.writeTextFile(`${home}/trifold/config.json`, JSON.stringify({ agents }));
    await Deno.mkdir(`${home}/bin`);
    await Deno.writeTextFile(
      `${home}/bin/trifold`,
      `#!/bin/sh\nexec '${Deno.execPath()}' run -A --no-check '${MAIN}' "$@"\n`,
      { mode: 0o755 },
    );
    await run({ PATH: `${home}/bin:${Deno.env.get("PATH") ?? ""}`, XDG_CONFIG_HOME: home }, home);
    await assert.rejects(Deno.stat(`${home}/hurt`), Deno.errors.NotFound, "a name is no command");
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** True when the shell is on this machine. */
export async function hasShell(shell: string): Promise<boolean> {
  try {
    return (await new Deno.Command(shell, { args: ["--version"], stdout: "null" }).output()).success;
  } catch {
    return false;
  }
}
