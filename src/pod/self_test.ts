import assert from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { CACHED_ENGINE_FLAG, programForm, restoreEnvironment, selfCommand } from "./self.ts";

Deno.test("from sources the program is Deno with the main module", () => {
  assert.equal(programForm(), "sources");
  assert.deepEqual(selfCommand(), {
    command: Deno.execPath(),
    args: ["run", "-A", CACHED_ENGINE_FLAG, Deno.mainModule],
  });
});

Deno.test("a client from sources has the engine's flag too", () => {
  assert.ok(config.tasks.start.split(" ").includes(CACHED_ENGINE_FLAG));
});

Deno.test("what a launcher did to the environment is taken back, once", () => {
  const before = Deno.env.get("DENO_DIR");
  try {
    for (const [saved, expected] of [["/own", "/own"], ["", undefined]] as const) {
      Deno.env.set("TRIFOLD_DENO_DIR", saved);
      Deno.env.set("DENO_DIR", "/launcher");
      restoreEnvironment();
      assert.equal(Deno.env.get("DENO_DIR"), expected);
      assert.equal(Deno.env.get("TRIFOLD_DENO_DIR"), undefined);
    }
    Deno.env.set("DENO_DIR", "/own");
    restoreEnvironment();
    assert.equal(Deno.env.get("DENO_DIR"), "/own", "nothing was saved, nothing is changed");
  } finally {
    if (before === undefined) Deno.env.delete("DENO_DIR");
    else Deno.env.set("DENO_DIR", before);
  }
});
