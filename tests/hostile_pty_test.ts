// Agents that mean no good, in a real pseudo-terminal: keys are answered, and the terminal is given back.

import assert from "node:assert/strict";
import {
  endPods,
  endsWith,
  homeEnvironment,
  MAIN,
  removeFolder,
  ROOT,
  sees,
  startProgram,
} from "./program_session.ts";
import { openPtySession } from "./pty_session.ts";
import { foreignOutput } from "./escape/output_grammar.ts";

const line = (event: string, data: unknown) => JSON.stringify({ event, data });
const OPENING = [
  line("hello", { protocol: "pod-jsonl", version: 1, agent: "hostile", capabilities: ["history"] }),
  line("history", { session_id: "s", status: "idle", items: [] }),
].map((text) => `echo '${text}';`).join(" ");
const DELTA = line("text_delta", { text: "word 日本 \x1b[2J\x1b]0;owned\x07 " });

const AGENTS: Readonly<Record<string, readonly [script: string, shown: string]>> = {
  "floods with text": [`${OPENING} yes '${DELTA.replaceAll("\\", "\\\\")}'`, "word"],
  "writes half a line for ever": [`${OPENING} printf '{"event":"'; cat /dev/zero | tr '\\0' a`, "normal"],
  "writes garbage for ever": [`${OPENING} yes garbage`, "cannot be read"],
};

for (const [name, [script, shown]] of Object.entries(AGENTS)) {
  Deno.test(`an agent that ${name}: keys are answered, and leaving gives the terminal back`, async () => {
    const program = await startProgram(["run", "--", "sh", "-c", script.replaceAll("'", `'"'"'`)]);
    try {
      await sees(program, shown);
      for (let count = 1; count <= 3; count++) {
        program.session.type("k");
        await sees(program, `> ${"k".repeat(count)}`);
      }
      program.session.type("\x03");
      await program.session.until("an empty draft", () => !program.screen().includes("> kkk"));
      // What cleared the draft is the first of the two already.
      await sees(program, "Ctrl-C again");
      await endsWith(program, 0, () => program.session.type("\x03"));
      const output = program.session.output();
      const ours = output.slice(output.indexOf("\x1b["), output.lastIndexOf("\x1b[23;2t"));
      assert.deepEqual(foreignOutput(ours, { session: true }).slice(0, 3), []);
    } finally {
      // Its flood would go on behind the other tests.
      endPods(program.home);
    }
  });
}

Deno.test("Ctrl-C once more than needed, while the last words are on their way to a busy pod, changes nothing", async () => {
  const [script] = AGENTS["writes half a line for ever"] ?? [""];
  const home = await Deno.makeTempDir({ prefix: "trifold_pty_" });
  const session = openPtySession({
    command: [
      Deno.execPath(),
      "run",
      "-A",
      "--no-check",
      "--config",
      `${ROOT}deno.json`,
      MAIN,
      "run",
      "--",
      "sh",
      "-c",
      script,
    ],
    width: 80,
    height: 24,
    directory: home,
    environment: homeEnvironment(home),
  });
  await session.until("the agent", () => session.emulator.picture().join("\n").includes("normal"));
  session.type("a draft\x03");
  await session.until("the hint", () => session.emulator.picture().join("\n").includes("Ctrl-C again"));
  session.type("\x03");
  let hasEnded = false;
  const end = session.ended.then((how) => {
    hasEnded = true;
    return how;
  });
  while (!hasEnded) {
    session.type("\x03");
    await new Promise((resolve) => setTimeout(resolve));
  }
  assert.deepEqual(await end, { exitCode: 0, signal: 0 });
  endPods(home);
  await removeFolder(home);
});
