import assert from "node:assert/strict";
import {
  agentCommand,
  agentOfCommand,
  findProgram,
  installedAgents,
  KNOWN_AGENTS,
  knownAgent,
} from "./known_agents.ts";

Deno.test("known agents: names, labels, commands and packages are told apart", () => {
  for (const key of ["name", "command", "label", "package"] as const) {
    const values = KNOWN_AGENTS.map((agent) => agent[key]).filter((value) => value !== null);
    assert.equal(new Set(values).size, values.length, key);
  }
  for (const { node } of KNOWN_AGENTS) assert.match(node ?? "1.0", /^\d+\.\d+$/);
  assert.equal(knownAgent("gemini")?.label, "Gemini CLI");
  assert.equal(knownAgent("constructor"), null);
  assert.equal(agentOfCommand("/usr/local/bin/qwen")?.name, "qwen");
  assert.equal(agentOfCommand("sh"), null);
});

Deno.test({
  name: "known agents: only what can be run counts as installed, with all it needs",
  ignore: Deno.build.os === "windows",
  fn() {
    const folder = Deno.makeTempDirSync({ prefix: "trifold-test-" });
    const program = (name: string, mode = 0o755) =>
      Deno.writeTextFileSync(`${folder}/${name}`, "#!/bin/sh\n", { mode });
    try {
      program("gemini");
      program("qwen", 0o644);
      program("pi-acp");
      Deno.mkdirSync(`${folder}/codex-acp`);
      const path = `/nowhere:${folder}::`;
      assert.deepEqual(installedAgents(path).map(agentCommand), ["gemini --acp"]);
      assert.equal(installedAgents(path)[0]?.path, `${folder}/gemini`);
      program("pi");
      assert.deepEqual(installedAgents(path).map((agent) => agent.name), ["gemini", "pi"]);
      assert.deepEqual(installedAgents(""), []);
      assert.equal(findProgram(`${folder}/gemini`, ""), `${folder}/gemini`);
      assert.equal(findProgram(`${folder}/qwen`, ""), null);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  },
});
