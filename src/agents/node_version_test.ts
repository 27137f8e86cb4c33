import assert from "node:assert/strict";
import { KNOWN_AGENTS, type KnownAgent } from "./known_agents.ts";
import { isAtLeast, nodeAdvice, nodeVersion } from "./node_version.ts";

Deno.test("node version: compared by number, part by part", () => {
  for (
    const [version, least, is] of [
      ["24.21.0", "22.19", true],
      ["22.19.0", "22.19", true],
      ["22.9.9", "22.19", false],
      ["9.0.0", "10.0", false],
      ["22.0.0", "22.0", true],
    ] as const
  ) assert.equal(isAtLeast(version, least), is, `${version} ${least}`);
});

Deno.test({
  name: "node version: an old Node is said, and only of agents that run on it",
  ignore: Deno.build.os === "windows",
  async fn() {
    const folder = Deno.makeTempDirSync({ prefix: "trifold-test-" });
    const script = (name: string, text: string) =>
      Deno.writeTextFileSync(`${folder}/${name}`, text, { mode: 0o755 });
    const qwen = KNOWN_AGENTS.find((agent) => agent.name === "qwen") as KnownAgent;
    const path = `${folder}:/bin`;
    try {
      assert.equal(await nodeAdvice(qwen, path), null, "not installed");
      script("qwen", "#!/usr/bin/env node\n");
      assert.match(await nodeAdvice(qwen, folder) ?? "", /needs Node 22\.0 or newer, and no node was found/);
      script("node", "#!/bin/sh\necho v20.20.2\n");
      assert.equal(await nodeVersion(path), "20.20.2");
      assert.match(
        await nodeAdvice(qwen, path) ?? "",
        /^Qwen Code needs Node 22\.0 or newer; this is 20\.20\.2\. With an older one npm installs older versions/,
      );
      script("qwen", "#!/bin/sh\n");
      assert.equal(await nodeAdvice(qwen, path), null, "a program of its own");
      script("qwen", "#!/usr/bin/env node\n");
      script("node", "#!/bin/sh\necho v24.0.0\n");
      assert.equal(await nodeAdvice(qwen, path), null);
      script("node", "#!/bin/sh\nexit 1\n");
      assert.match(await nodeAdvice(qwen, path) ?? "", /no node was found/);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  },
});
