// What README.md says about keys is what the program does.

import assert from "node:assert/strict";
import { withKeys } from "./tools/keys_table.ts";

Deno.test("README's key table is the program's own: deno task docs", () => {
  const readme = Deno.readTextFileSync(new URL("../README.md", import.meta.url));
  assert.equal(readme, withKeys(readme));
});
