// Agents that mean no good, in a real pseudo-terminal: keys are answered, and the terminal is given back.

import assert from "node:assert/strict";
import { endsWith, type Program, sees, startProgram } from "./program_session.ts";
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
    await sees(program, shown);
    for (let count = 1; count <= 3; count++) {
      program.session.type("k");
      await sees(program, `> ${"k".repeat(count)}`);
    }
    program.session.type("\x03");
    await program.session.until("an empty draft", () => !program.screen().includes("> kkk"), 15_000);
    await endsWith(program, 0, () => leave(program));
    const output = program.session.output();
    const ours = output.slice(output.indexOf("\x1b["), output.lastIndexOf("\x1b[23;2t"));
    assert.deepEqual(foreignOutput(ours, { session: true }).slice(0, 3), []);
  });
}

async function leave(program: Program): Promise<void> {
  program.session.type("\x03");
  await sees(program, "Ctrl-C again");
  program.session.type("\x03");
}
