import assert from "node:assert/strict";
import { callOf, pictureOf } from "./testing.ts";

const OUTPUT = Array.from({ length: 8 }, (_, index) => `src/f${index + 1}.ts`).join("\n") + "\n";

Deno.test("H10 Glob shows the first rows of the output as they are", () => {
  const call = callOf({ name: "Glob", args: { pattern: "**/*.ts" }, summary: "8 files", output: OUTPUT });
  assert.deepEqual(pictureOf(call, "normal"), [
    "Glob **/*.ts  +3 rows",
    "  src/f1.ts",
    "  src/f2.ts",
    "  src/f3.ts",
    "  src/f4.ts",
    "  src/f5.ts",
  ]);
  assert.deepEqual(pictureOf(call, "overview"), ["8 files"]);
  assert.equal(pictureOf(call, "detail").length, 1 + 8 + 1);
});

Deno.test("H11 Grep shows pattern, place and the first rows as they are", () => {
  const args = { pattern: "a.*b", path: "src", "-n": true };
  const call = callOf({
    name: "Grep",
    args,
    summary: "2 matches",
    output: "src/a.ts:1:  axb\nsrc/b.ts:7:\tab",
  });
  assert.deepEqual(pictureOf(call, "normal"), [
    "Grep a.*b  in src",
    "  src/a.ts:1:  axb",
    "  src/b.ts:7:     ab",
  ]);
  assert.deepEqual(pictureOf(call, "detail")[1], "  -n: true");
  const executing = callOf({ name: "Grep", stage: "executing", args });
  assert.deepEqual(pictureOf(executing, "overview"), ["Grep a.*b"]);
});

Deno.test("edge 69 a search without output shows its summary", () => {
  const nothing = (output: string | null) =>
    pictureOf(callOf({ name: "Grep", args: { pattern: "x" }, summary: "no matches", output }), "normal");
  assert.deepEqual(nothing(""), ["Grep x", "  no matches"]);
  assert.deepEqual(nothing(null), ["Grep x", "  no matches"]);
});
