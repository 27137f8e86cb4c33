// README's first five minutes as they stand there: its block of steps is read, typed into a shell in a
// pseudo-terminal line by line, and what README promises of each is waited for.

import assert from "node:assert/strict";
import { KEYS } from "./journeys/journey.ts";
import { readLog, until, withWorld, type World } from "./journeys/world.ts";
import { createEmulator } from "./emulator.ts";
import { MAIN, ROOT } from "./program_session.ts";
import { openPtySession, type PtySession } from "./pty_session.ts";

/** A line of the block: a command for the shell, keys, or a message. */
type ReadmeStep =
  | { readonly kind: "shell"; readonly text: string }
  | { readonly kind: "keys"; readonly text: string; readonly keys: readonly string[] }
  | { readonly kind: "message"; readonly text: string };

/** What a person sees after each step, by the step's words. A step README has and this does not know fails. */
const SEEN: Readonly<Record<string, readonly string[]>> = {
  "$ trifold": ["built-in demo"],
  "ask": ["Question 1/2 (2 unanswered) · Target"],
  "Down Enter": ["Question 2/2 (1 unanswered) · Checks"],
  "Space Enter": ["target: develop", "checks: lint", "= finished"],
  "Ctrl-C Ctrl-C": ["LEFT"],
  "$ trifold attach": ["checks: lint", "= finished"],
  "run ls": ["Permission · Bash"],
  "Enter": ["✓ $ ls", "Done: ls: exit 0"],
  "$ trifold pods": ["POD", "demo", "DIRECTORY"],
  "$ trifold stop POD": ["has ended; trifold resume"],
};
const PROMPT = "ready> ";
const PATIENCE_MS = 30_000;

Deno.test("README's first five minutes, typed as they stand there", async () => {
  const steps = readSteps();
  assert.deepEqual([...new Set(steps.map(wordsOf))], Object.keys(SEEN));
  await withWorld({ "notes.txt": "first line\n" }, async (world) => {
    const shell = openShell(world);
    const screen = () => shell.emulator.picture().join("\n");
    const sees = (text: string) =>
      shell.until(JSON.stringify(text), () => screen().includes(text), PATIENCE_MS);
    try {
      await sees(PROMPT);
      for (const step of steps) {
        await play(step, { shell, world, sees });
        for (const text of SEEN[wordsOf(step)] ?? []) {
          if (text === "LEFT") await checkLeft(shell);
          else await sees(text);
        }
      }
      await sees(PROMPT);
      const log = readLog(world.logText());
      assert.deepEqual(log.filter(({ event }) => event === "turn_end").map(({ data }) => data.result), [
        "finished",
        "finished",
      ]);
      await until("the pod's end", () => world.pods()[0]?.pid === null);
    } finally {
      // A window that is closed: whatever runs in it ends.
      shell.close();
    }
  });
});

async function play(
  step: ReadmeStep,
  { shell, world, sees }: {
    readonly shell: PtySession;
    readonly world: World;
    readonly sees: (text: string) => Promise<void>;
  },
): Promise<void> {
  if (step.kind === "shell") {
    await sees(PROMPT);
    const text = step.text.replace(/\bPOD\b/, world.pods()[0]?.id.slice(0, 3) ?? "none");
    return shell.type(`clear; ${text}\r`);
  }
  if (step.kind === "message") return shell.type(`${step.text}\r`);
  // A panel takes no key before it has been on the screen for half a second.
  if (step.keys[0] !== "Ctrl-C") await new Promise((resolve) => setTimeout(resolve, 520));
  for (const [at, key] of step.keys.entries()) {
    if (key === "Ctrl-C" && at > 0) await sees("Ctrl-C again leaves");
    shell.type(KEYS[key.replace(/^Ctrl-C$/, "C-c")] ?? "");
  }
}

/** The shell has the terminal again, and it is as a new one. */
async function checkLeft({ emulator, until }: PtySession): Promise<void> {
  await until("the shell", () => !emulator.modes().alternateScreen, PATIENCE_MS);
  await until("its prompt", () => emulator.picture().join("\n").includes(PROMPT), PATIENCE_MS);
  const untouched = createEmulator({ width: emulator.width, height: emulator.height });
  assert.deepEqual(emulator.modes(), untouched.modes());
  untouched.dispose();
}

/** A shell as people have it, in which `trifold` is this program. */
function openShell(world: World): PtySession {
  const { home } = world;
  const run = `${Deno.execPath()} run -A --no-check --config ${ROOT}deno.json ${MAIN}`;
  Deno.writeTextFileSync(
    `${home}/rc`,
    `PS1='${PROMPT}'\nbind 'set enable-bracketed-paste off' 2>/dev/null\ntrifold() { ${run} "$@"; }\n`,
  );
  return openPtySession({
    command: ["bash", "--noprofile", "--rcfile", `${home}/rc`, "-i"],
    width: 100,
    height: 40,
    directory: world.work,
    environment: {
      HOME: home,
      TMPDIR: `${home}/tmp`,
      XDG_CONFIG_HOME: `${home}/config`,
      XDG_STATE_HOME: `${home}/state`,
      XDG_CACHE_HOME: `${home}/cache`,
      XDG_RUNTIME_DIR: `${home}/run`,
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
    },
  });
}

/** The lines of the block of steps below README's "The first five minutes". */
function readSteps(): ReadmeStep[] {
  const readme = Deno.readTextFileSync(`${ROOT}README.md`);
  const [, section = ""] = readme.split("## The first five minutes\n");
  const [, block = ""] = /\n```\n([^]*?)\n```\n/.exec(section.split("\n## ")[0] ?? "") ?? [];
  return block.split("\n").map((line) => {
    const text = (line.split(/ {2,}/)[0] ?? "").trim();
    if (text.startsWith("$ ")) return { kind: "shell", text: text.slice(2) };
    const keys = text.split(" ");
    return keys.every((key) => key === "Ctrl-C" || key in KEYS)
      ? { kind: "keys", text, keys }
      : { kind: "message", text };
  });
}

function wordsOf(step: ReadmeStep): string {
  return step.kind === "shell" ? `$ ${step.text}` : step.text;
}
