// The draft in an external editor, in a real pseudo-terminal: the terminal is handed over and taken back, and what
// fails costs nothing that was typed. The editors are small shell scripts.

import assert from "node:assert/strict";
import { endsWith, kill, type Program, ROOT, sees, startProgram } from "./program_session.ts";

const ECHO = ["run", "--", Deno.execPath(), "run", `${ROOT}examples/echo_agent.mjs`];

/** The program with `script` as its editor; the editor may use $LEFT, a folder for what it saw. */
async function startWith(
  script: string,
): Promise<Program & { readonly folder: string; left(name: string): string }> {
  const folder = await Deno.makeTempDir({ prefix: "trifold_editor_" });
  const editor = `${folder}/my editor`;
  await Deno.writeTextFile(editor, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const program = await startProgram(ECHO, {
    // With an argument and a blank in the path, as people have them.
    environment: { EDITOR: `'${editor}' --wait`, VISUAL: "", LEFT: folder, TMPDIR: folder },
  });
  await sees(program, "echo");
  return { ...program, folder, left: (name: string) => `${folder}/${name}` };
}

/** No draft file is left in the folder the program makes them in. */
function checkNoneLeft(program: { readonly folder: string }): void {
  const names = [...Deno.readDirSync(program.folder)].map((entry) => entry.name);
  assert.deepEqual(names.filter((name) => name.endsWith(".md")), []);
}

Deno.test("Ctrl-G: the editor gets the expanded draft in a private file, the terminal is its own meanwhile", async () => {
  const program = await startWith(
    `cp "$2" "$LEFT/seen"; ls -l "$2" | cut -c1-10 >"$LEFT/mode"; stty -a >"$LEFT/stty"
     echo "inside the editor"; read -r line; printf '%s' "$line 日本" >>"$2"`,
  );
  const { session } = program;
  session.type("before \x1b[200~one\ntwo\x1b[201~ behind");
  await sees(program, "[Clipboard #1");
  session.type("\x07");
  await session.until(
    "the editor on the normal screen",
    () =>
      !session.emulator.modes().alternateScreen &&
      session.emulator.normalScreen().some((row) => row.includes("inside the editor")),
  );
  const modes = session.emulator.modes();
  assert.equal(modes.bracketedPaste, false);
  assert.equal(modes.mouse, "none");
  assert.deepEqual(modes.keyboardStack, []);
  assert.ok(session.emulator.cursor().visible);
  session.type("typed\r");
  await sees(program, "one");
  await sees(program, "two behindtyped 日本");
  assert.ok(session.emulator.modes().alternateScreen);
  assert.ok(session.emulator.modes().bracketedPaste);
  assert.equal(await Deno.readTextFile(program.left("seen")), "before one\ntwo behind");
  assert.equal((await Deno.readTextFile(program.left("mode"))).trim(), "-rw-------");
  assert.match(await Deno.readTextFile(program.left("stty")), /(?<!-)icanon/);
  checkNoneLeft(program);
  session.type("\r");
  await sees(program, "= finished");
  await endsWith(program, 0, () => session.type("/quit\r"));
  await Deno.remove(program.folder, { recursive: true });
});

Deno.test("Ctrl-G: an editor that changes nothing leaves the placeholder; a resize meanwhile is drawn afterwards", async () => {
  const program = await startWith(`echo open >"$LEFT/open"; read -r line; echo`);
  const { session } = program;
  session.type("\x1b[200~one\ntwo\x1b[201~");
  await sees(program, "[Clipboard #1");
  session.type("\x07");
  await session.until("the editor", () => isThere(program.left("open")));
  session.resize(50, 12);
  await new Promise((resolve) => setTimeout(resolve, 50));
  session.type("\r");
  await session.until("the composer in the last row", () => {
    const rows = session.emulator.picture();
    return session.emulator.modes().alternateScreen && rows.length === 12 &&
      (rows[11] ?? "").startsWith("> [Clipboard #1 | 7 chars, 2 lines]") &&
      session.emulator.cursor().row === 11;
  });
  assert.equal(session.emulator.picture()[10]?.trimEnd().length, 50, "the status row has the new width");
  checkNoneLeft(program);
  await endsWith(program, 0, () => session.type("\x15/quit\r"));
  await Deno.remove(program.folder, { recursive: true });
});

const FAILURES: readonly (readonly [name: string, script: string, hint: string])[] = [
  ["ends with a code", `printf 'other text' >"$2"; exit 3`, "ended with 3"],
  ["writes what is no text", `printf '\\377\\376' >"$2"`, "not UTF-8"],
  ["takes the file away", `rm "$2"`, "cannot be read"],
];

for (const [name, script, hint] of FAILURES) {
  Deno.test(`Ctrl-G: an editor that ${name} leaves the draft and says so`, async () => {
    const program = await startWith(script);
    const { session } = program;
    session.resize(160, 24);
    session.type("my draft\x07");
    await sees(program, hint);
    await sees(program, "> my draft");
    checkNoneLeft(program);
    session.type("\r");
    await sees(program, "= finished");
    await endsWith(program, 0, () => session.type("/quit\r"));
    await Deno.remove(program.folder, { recursive: true });
  });
}

Deno.test("Ctrl-G: without an editor, or with one that is not there, a hint says so", async () => {
  const none = await startProgram(ECHO, { environment: { EDITOR: "", VISUAL: "" } });
  await sees(none, "echo");
  none.session.type("my draft\x07");
  await sees(none, "No editor is set");
  await sees(none, "> my draft");
  await endsWith(none, 0, () => none.session.type("\x15/quit\r"));
  const missing = await startProgram(ECHO, { environment: { EDITOR: "no-such-editor", VISUAL: "" } });
  await sees(missing, "echo");
  missing.session.resize(160, 24);
  missing.session.type("my draft\x07");
  await sees(missing, 'there is no program "no-such-editor"');
  await sees(missing, "> my draft");
  await endsWith(missing, 0, () => missing.session.type("\x15/quit\r"));
});

Deno.test("Ctrl-G: SIGTERM while the editor is open ends it and the program, the file is gone", async () => {
  const program = await startWith(`echo $$ >"$LEFT/pid"; exec sleep 60`);
  const { session } = program;
  session.type("my draft\x07");
  await session.until("the editor", () => isThere(program.left("pid")));
  const editor = Number(await Deno.readTextFile(program.left("pid")));
  await endsWith(program, 143, () => kill(program, "SIGTERM"));
  await session.until("the editor's end", () => isGone(editor));
  checkNoneLeft(program);
  await Deno.remove(program.folder, { recursive: true });
});

/** Ended, though its parent may not have asked for its end yet. */
function isGone(pid: number): boolean {
  if (Deno.build.os === "linux") {
    try {
      return /\) Z /.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
    } catch {
      return true;
    }
  }
  const { stdout } = new Deno.Command("ps", { args: ["-o", "stat=", "-p", String(pid)] }).outputSync();
  return /^(Z|$)/.test(new TextDecoder().decode(stdout).trim());
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).size > 0;
  } catch {
    return false;
  }
}
