import assert from "node:assert/strict";
import { agentCommand, installedAgents, KNOWN_AGENTS } from "./known_agents.ts";

Deno.test("known agents: names and commands are told apart", () => {
  for (const key of ["name", "command", "label", "package"] as const) {
    assert.equal(new Set(KNOWN_AGENTS.map((agent) => agent[key])).size, KNOWN_AGENTS.length, key);
  }
});

Deno.test({
  name: "known agents: only what can be run counts as installed",
  ignore: Deno.build.os === "windows",
  fn() {
    const folder = Deno.makeTempDirSync({ prefix: "trifold-test-" });
    try {
      Deno.writeTextFileSync(`${folder}/gemini`, "#!/bin/sh\n", { mode: 0o755 });
      Deno.writeTextFileSync(`${folder}/qwen`, "no program", { mode: 0o644 });
      Deno.mkdirSync(`${folder}/codex-acp`);
      const found = installedAgents(`/nowhere:${folder}::`);
      assert.deepEqual(found.map(agentCommand), ["gemini --acp"]);
      assert.deepEqual(installedAgents(""), []);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  },
});
