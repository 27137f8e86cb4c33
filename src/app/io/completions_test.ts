import assert from "node:assert/strict";
import { hasShell, OFFERED, withProgram } from "../../../tests/completion_home.ts";
import { commandTables } from "../commands.ts";
import { completionScript } from "./completions.ts";

const { commands, flags } = commandTables();

function scriptOf(shell: string): string {
  const script = completionScript(shell, commandTables());
  assert.ok(script !== null);
  return script;
}

/** What `script`, run by `shell`, prints; without errors. */
async function ask(
  shell: string,
  script: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const command = new Deno.Command(shell, { args: ["-c", script], stdin: "null", env });
  const { stdout, stderr } = await command.output();
  assert.equal(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("completions: every command and option is in every script; other shells are unknown", () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const script = scriptOf(shell);
    for (const name of [...Object.keys(commands), ...Object.keys(flags)]) {
      assert.match(script, new RegExp(`\\b${name}\\b`), `${name} for ${shell}`);
    }
  }
  assert.equal(completionScript("tcsh", commandTables()), null);
  assert.equal(completionScript("constructor", commandTables()), null);
});

Deno.test("completions: bash and fish complete fold modes, formats, agents and commands", async () => {
  await withProgram(async (environment) => {
    for (const [words, offered] of OFFERED) {
      if (await hasShell("bash")) {
        const list = words.map((word) => `'${word}'`).join(" ");
        const place = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}`;
        const script = `${scriptOf("bash")}\n${place}; _trifold; printf '%s\\n' "\${COMPREPLY[@]}"`;
        assert.deepEqual(
          (await ask("bash", script, environment)).split("\n").sort(),
          offered,
          words.join(" "),
        );
      }
      if (await hasShell("fish")) {
        const script = `${scriptOf("fish")}\ncomplete -C'${words.join(" ")}'`;
        const seen = (await ask("fish", script, environment)).split("\n").map((line) => line.split("\t")[0]);
        assert.deepEqual(seen.sort(), offered, words.join(" "));
      }
    }
  });
});

Deno.test("completions: bash completes commands, options and their values, and leaves files to the shell", async () => {
  if (!await hasShell("bash")) return console.log("bash is not there: left out");
  const complete = (...words: string[]) => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const place = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}`;
    return ask("bash", `${scriptOf("bash")}\n${place}; _trifold; echo "\${COMPREPLY[*]}"`);
  };
  assert.equal(await complete("trifold", "op"), "open");
  assert.ok((await complete("trifold", "")).split(" ").includes("--version"));
  assert.equal(await complete("trifold", "print", "--si"), "--size");
  assert.equal(await complete("trifold", "open", "--fold", "o"), "overview");
  assert.equal(await complete("trifold", "completions", ""), "bash zsh fish");
  assert.equal(await complete("trifold", "open", "so"), "", "files are the shell's");
  assert.equal(await complete("trifold", "run", "--", "l"), "", "another program's command line");
});

Deno.test("completions: zsh and fish take their scripts", async () => {
  for (const shell of ["zsh", "fish"]) {
    if (!await hasShell(shell)) {
      console.log(`${shell} is not there: left out`);
      continue;
    }
    const file = await Deno.makeTempFile();
    await Deno.writeTextFile(file, scriptOf(shell));
    const { success, stderr } = await new Deno.Command(shell, { args: ["-n", file] }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    if (shell === "fish") {
      const seen = await ask(
        "fish",
        `source ${file}; complete -C"trifold open --fold o"; complete -C"trifold sto"`,
      );
      assert.match(seen, /^overview\b.*\nstop\b/);
    }
    await Deno.remove(file);
  }
});

Deno.test("completions: a pod to come back to or to stop is one that runs; any can be resumed", async () => {
  if (!await hasShell("bash")) return console.log("bash is not there: left out");
  const home = await Deno.makeTempDir({ prefix: "trifold_completions_" });
  try {
    const pods = [["aa11", true], ["bb22", false], ["cc33", true]].map(([id, running]) => ({
      id,
      title: '"running": true',
      running,
      cwd: "/",
    }));
    const told = JSON.stringify(pods, null, 2);
    await Deno.writeTextFile(`${home}/trifold`, `#!/bin/sh\ncat <<'END'\n${told}\nEND\n`, { mode: 0o755 });
    const environment = { PATH: `${home}:${Deno.env.get("PATH") ?? ""}` };
    for (
      const [name, offered] of [["attach", "aa11 cc33"], ["stop", "aa11 cc33"], ["resume", "aa11 bb22 cc33"]]
    ) {
      const place = `COMP_WORDS=(trifold ${name} ''); COMP_CWORD=2`;
      const script = `${scriptOf("bash")}\n${place}; _trifold; echo "\${COMPREPLY[@]}"`;
      assert.equal(await ask("bash", script, environment), offered, name);
    }
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
