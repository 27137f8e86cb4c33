// How fast Claude Code's records become events, without parsing the JSON: at least 30 MB/s, whatever the length.
// Run with TRIFOLD_SAMPLES set; a session made here stands in where it is not.

import { createClaudeTranslator } from "./claude.ts";

const samples = Deno.env.get("TRIFOLD_SAMPLES");

function madeSession(turns: number): string {
  const lines: string[] = [];
  let parent: string | null = null;
  const add = (uuid: string, record: Record<string, unknown>) => {
    lines.push(
      JSON.stringify({
        uuid,
        parentUuid: parent,
        sessionId: "s",
        cwd: "/repo",
        isSidechain: false,
        ...record,
      }),
    );
    parent = uuid;
  };
  const output = "some output of a command that was run\n".repeat(60);
  for (let turn = 0; turn < turns; turn++) {
    add(`u${turn}`, { type: "user", message: { role: "user", content: `message ${turn}` } });
    const message = (content: unknown) => ({
      id: `m${turn}`,
      role: "assistant",
      model: "m",
      content: [content],
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    add(`a${turn}`, {
      type: "assistant",
      message: message({ type: "text", text: "I will run it. ".repeat(20) }),
    });
    add(`c${turn}`, {
      type: "assistant",
      message: message({ type: "tool_use", id: `t${turn}`, name: "Bash", input: { command: "make" } }),
    });
    add(`r${turn}`, {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: `t${turn}`, content: output }] },
    });
  }
  return lines.join("\n");
}

function translate(values: readonly unknown[]): number {
  const translator = createClaudeTranslator();
  let steps = 0;
  values.forEach((value, index) => steps += translator.push(value, index + 1).length);
  return steps + translator.end().length;
}

const texts: [name: string, text: string][] = [["made, 1500 turns", madeSession(1500)], [
  "made, 6000 turns",
  madeSession(6000),
]];
if (samples !== undefined) {
  texts.unshift(["large-compaction", Deno.readTextFileSync(`${samples}/claude/large-compaction-3.9m.jsonl`)]);
}
for (const [name, text] of texts) {
  const values = text.split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
  const megabytes = new TextEncoder().encode(text).length / 1e6;
  Deno.bench(`claude: ${name}, ${megabytes.toFixed(1)} MB`, () => {
    translate(values);
  });
}
