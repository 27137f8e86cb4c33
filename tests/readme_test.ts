// What README.md says about keys is what the program does.

import assert from "node:assert/strict";
import { SETTING_NAMES } from "../src/app/config.ts";
import { withKeys } from "./tools/keys_table.ts";
import { withSpeed } from "./tools/speed_table.ts";

Deno.test("README's key table is the program's own: deno task docs", () => {
  const readme = Deno.readTextFileSync(new URL("../README.md", import.meta.url));
  assert.equal(readme, withKeys(readme));
});

Deno.test("README's speed table is what was recorded last: deno task docs", () => {
  const readme = Deno.readTextFileSync(new URL("../README.md", import.meta.url));
  assert.equal(readme, withSpeed(readme));
});

Deno.test("README names every setting of the configuration file, and no other", () => {
  const readme = Deno.readTextFileSync(new URL("../README.md", import.meta.url));
  const section = readme.slice(readme.indexOf("## Settings"), readme.indexOf("## Goldens"));
  const rows = section.split("\n").filter((row) => row.startsWith("| `")).map((row) =>
    row.split("|")[1] ?? ""
  );
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name ?? ""));
  assert.deepEqual(named.sort(), [...SETTING_NAMES].sort());
});
