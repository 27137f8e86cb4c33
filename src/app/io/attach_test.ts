// Which pod a word means, and what is looked at to find out.

import assert from "node:assert/strict";
import { createPod, filesOf, podDirectory } from "../../pod/directory.ts";
import type { Places } from "../../pod/places.ts";
import { choosePodOf } from "./attach.ts";

const PODS = 30;

Deno.test("a whole id is looked for alone, however many pods there are; the beginning of one among all", async () => {
  const root = Deno.makeTempDirSync({ prefix: "trifold_attach_" });
  const places: Places = { pods: `${root}/pods`, sockets: `${root}/run`, shortSockets: `${root}/run` };
  const ids = Array.from({ length: PODS }, () => {
    const { id } = createPod(places, { agent: { kind: "demo" }, cwd: root, idleEndMinutes: 1 });
    Deno.writeTextFileSync(filesOf(podDirectory(places, id)).log, "{}\n");
    return id;
  });
  const wanted = ids[PODS >> 1] ?? "";
  try {
    const [whole, looks] = await countingReads(() => choosePodOf(places, wanted, false));
    assert.equal("problem" in whole ? whole.problem : whole.meta.id, wanted);
    assert.equal(looks, 1);

    const beginning = wanted.slice(0, -1);
    const isOnly = ids.filter((id) => id.startsWith(beginning)).length === 1;
    const [found, all] = await countingReads(() => choosePodOf(places, beginning, false));
    assert.equal("problem" in found, !isOnly);
    assert.equal(all, PODS + 1);

    const [none] = await countingReads(() => choosePodOf(places, "../pods", false));
    assert.match("problem" in none ? none.problem : "", /There is no pod/);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

/** What `run` gives, and how many files it read as text. */
async function countingReads<Result>(run: () => Promise<Result>): Promise<[Result, number]> {
  const { readTextFileSync } = Deno;
  let count = 0;
  Deno.readTextFileSync = (path) => (count++, readTextFileSync(path));
  try {
    return [await run(), count];
  } finally {
    Deno.readTextFileSync = readTextFileSync;
  }
}
