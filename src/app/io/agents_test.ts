import assert from "node:assert/strict";
import type { AgentConfig } from "../settings.ts";
import { agentNamed } from "./agents.ts";

const CONFIGURED: Record<string, AgentConfig> = {
  mine: { command: "my-agent", args: ["--acp"], env: { KEY: "1" }, cwd: "/x", protocol: "acp" },
  gemini: { command: "my-gemini", args: [], env: {}, cwd: null, protocol: null },
};

Deno.test("agents: a name is one of the settings, or a known one, or near to one", () => {
  assert.deepEqual(agentNamed("mine", CONFIGURED), {
    agent: { kind: "command", command: "my-agent", args: ["--acp"], env: { KEY: "1" }, protocol: "acp" },
    cwd: "/x",
  });
  assert.deepEqual(agentNamed("gemini", CONFIGURED), {
    agent: { kind: "command", command: "my-gemini", args: [], env: {} },
    cwd: null,
  }, "the settings come first, and what they leave open is found out");
  assert.deepEqual(agentNamed("demo", CONFIGURED), { agent: { kind: "demo" }, cwd: null });
  assert.deepEqual(agentNamed("gemni", CONFIGURED), {
    problem: 'Cannot start agent "gemni": it is not known; did you mean gemini?',
  });
  assert.deepEqual(agentNamed("zzzzzzzz", {}), {
    problem: 'Cannot start agent "zzzzzzzz": it is not known; trifold agents lists those that are',
  });
});

Deno.test({
  name: "agents: a known one must be there, with all it needs, and the message says where it comes from",
  ignore: Deno.build.os === "windows",
  fn() {
    const folder = Deno.makeTempDirSync({ prefix: "trifold-test-" });
    const path = Deno.env.get("PATH") ?? "";
    try {
      Deno.env.set("PATH", folder);
      assert.deepEqual(agentNamed("pi", {}), {
        problem:
          'Cannot start pi: no program "pi-acp" was found on PATH; npm install -g pi-acp brings pi-acp',
      });
      Deno.writeTextFileSync(`${folder}/pi-acp`, "#!/bin/sh\n", { mode: 0o755 });
      assert.match(JSON.stringify(agentNamed("pi", {})), /no program \\"pi\\" was found/);
      Deno.writeTextFileSync(`${folder}/pi`, "#!/bin/sh\n", { mode: 0o755 });
      assert.deepEqual(agentNamed("pi", {}), {
        agent: { kind: "command", command: "pi-acp", args: [], protocol: "acp" },
        cwd: null,
      });
    } finally {
      Deno.env.set("PATH", path);
      Deno.removeSync(folder, { recursive: true });
    }
  },
});
