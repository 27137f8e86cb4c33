// Every case of testdata against its golden. The quick gate feeds all at once; TRIFOLD_WAYS=all feeds every way.

import assert from "node:assert/strict";
import { caseFaults, loadCases, orphanGoldens } from "./golden/files.ts";
import { WAYS } from "./golden/sections.ts";

const cases = await loadCases();
const ways = Deno.env.get("TRIFOLD_WAYS") === "all" ? WAYS : WAYS.slice(0, 1);

for (const golden of cases) {
  for (const way of ways) {
    const reason = golden.not[way];
    if (reason !== undefined) continue;
    Deno.test(`golden ${golden.name}, fed ${way}: ${golden.proves}`, () => {
      const faults = caseFaults(golden, way);
      assert.equal(faults.length, 0, `\n${faults.slice(0, 60).join("\n")}`);
    });
  }
}

Deno.test("no golden without a case", () => {
  assert.deepEqual(orphanGoldens(cases), []);
});
