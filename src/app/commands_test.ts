// The command line as far as it is answered with text: help, and what wrong usage is told. What commands do is theirs.

import assert from "node:assert/strict";
import { FORMATS } from "../recordings/detect.ts";
import { commandTables, runCommandLine } from "./commands.ts";
import { fitted, mistypedCommand } from "./io/usage.ts";

/** The exit code of a command line, and what it printed and complained of. */
async function ask(...args: string[]) {
  const { log, error } = console;
  const said: string[] = [];
  const complaints: string[] = [];
  console.log = (text: string) => said.push(text);
  console.error = (text: string) => complaints.push(text);
  try {
    const code = await runCommandLine(args);
    return { code, said: said.join("\n"), complaint: complaints.join("\n") };
  } finally {
    Object.assign(console, { log, error });
  }
}

Deno.test("help and help COMMAND say what --help and COMMAND --help say", async () => {
  const general = await ask("--help");
  assert.match(general.said, /^usage: trifold \[PROMPT\]/);
  for (const name of Object.keys(commandTables().commands)) {
    assert.match(general.said, new RegExp(`^ {2}${name} `, "m"));
    const own = await ask(name, "--help");
    assert.match(own.said, new RegExp(`^usage: trifold ${name}\\b`));
    assert.deepEqual(await ask("help", name), own);
    assert.deepEqual(await ask(name, "-h"), own);
    assert.equal(own.code, 0);
  }
  assert.deepEqual(await ask("help"), general);
  assert.deepEqual(await ask("-h"), general);
});

Deno.test("help is wrapped to the terminal, what goes on below what it explains", async () => {
  const texts = [await ask("--help"), await ask("open", "--help")].map(({ said }) => said);
  for (const text of texts) {
    for (const columns of [20, 40, 79, 80, 200]) {
      const rows = fitted(text, columns).split("\n");
      for (const row of rows) assert.ok(row.length <= columns, `${columns}: ${row}`);
      assert.equal(rows.join(" ").replace(/\s+/g, ""), text.trimEnd().replace(/\s+/g, ""));
    }
  }
  assert.deepEqual(fitted("  stop    one two three", 22), "  stop    one two\n          three");
  assert.equal(fitted(texts[0] ?? "", Infinity), texts[0]);
});

Deno.test("help for what is no command names the nearest one", async () => {
  for (
    const [word, complaint] of [
      ["opne", 'Cannot help with "opne": no such command; did you mean trifold help open?'],
      ["sesions", 'Cannot help with "sesions": no such command; did you mean trifold help sessions?'],
      [
        "constructor",
        'Cannot help with "constructor": no such command; trifold help lists them. A prompt: trifold -- help constructor',
      ],
    ] as const
  ) {
    assert.deepEqual(await ask("help", word), { code: 2, said: "", complaint });
  }
  const { complaint } = await ask("help", "\x1b[31mme");
  assert.ok(!complaint.includes("\x1b"), "what was typed may come from anywhere");
});

Deno.test("a prompt that begins with a command's name is told how it is written", async () => {
  for (const args of [["help", "me", "fix", "this"], ["open", "the", "door"]]) {
    const { code, complaint } = await ask(...args);
    assert.equal(code, 2);
    assert.match(complaint, /too many words; a prompt that begins with a command's name: trifold -- PROMPT/);
  }
});

Deno.test("a mistyped option names the nearest one, of any command, and who takes it", async () => {
  for (
    const [args, complaint] of [
      [["open", "--folow", "x"], "Cannot read --folow: no such option; did you mean --follow?"],
      [["open", "-follow", "x"], "Cannot read -follow: no such option; did you mean --follow?"],
      [["print", "--colums=9", "x"], "Cannot read --colums=9: no such option"],
      [["--folow", "x"], "Cannot read --folow: no such option; did you mean --follow? trifold open takes it"],
      [["--follow", "x"], "Cannot read --follow: trifold run has no such option; trifold open takes it"],
      [["pods", "--here"], "Cannot read --here: trifold pods has no such option; trifold sessions takes it"],
      [
        ["stop", "--json", "x"],
        "Cannot read --json: trifold stop has no such option; " +
        "trifold pods, trifold print, trifold agents and trifold sessions take it",
      ],
      [["pods", "--hepl"], "Cannot read --hepl: no such option; did you mean --help?"],
      [["--verson"], "Cannot read --verson: no such option; did you mean --version?"],
    ] as const
  ) {
    const answer = await ask(...args);
    assert.equal(answer.code, 2);
    assert.equal(answer.complaint.split("\n\nusage: trifold ")[0], complaint);
    assert.match(answer.complaint, /\n\nusage: trifold /);
  }
});

Deno.test("the version is asked for in front of and behind other words", async () => {
  const plain = await ask("--version");
  assert.match(plain.said, /^trifold \d/);
  assert.deepEqual(await ask("-V"), plain);
  assert.deepEqual(await ask("open", "--version"), plain);
  assert.deepEqual(await ask("--no-color", "--version"), plain);
});

Deno.test("one word that is nearly a command is no prompt; a word that only looks a little like one is", async () => {
  const told = (word: string) => mistypedCommand(word, commandTables());
  for (
    const [word, near] of [["pots", "pods"], ["sesions", "sessions"], ["atach", "attach"], [
      "agent",
      "agents",
    ]]
  ) {
    assert.equal(
      told(word ?? ""),
      `Cannot run "${word}": did you mean trifold ${near}? A prompt of one word: trifold -- ${word}`,
    );
  }
  for (const word of ["hello", "story", "tour", "plan", "constructor"]) assert.equal(told(word), null);
  assert.deepEqual(await ask("sesions"), { code: 2, said: "", complaint: told("sesions") });
});

Deno.test("the formats that --format names are those that are read", () => {
  assert.deepEqual(commandTables().flags.format?.values, FORMATS.map(({ name }) => name));
});
