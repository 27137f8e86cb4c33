import assert from "node:assert/strict";
import fc from "fast-check";
import { parsePatch, replacementOf } from "./acp_patch.ts";

Deno.test("patch: the change with three lines around it, more where that is not unique", () => {
  assert.deepEqual(replacementOf({ path: "", old: "a\nb\nc\n", new: "a\nB\nc\n" }), {
    old_string: "a\nb\nc\n",
    new_string: "a\nB\nc\n",
  });
  const old = "x\n".repeat(30);
  const changed = "x\n".repeat(15) + "y\n" + "x\n".repeat(14);
  assert.deepEqual(replacementOf({ path: "", old, new: changed }), { old_string: old, new_string: changed });
});

Deno.test("patch: insertions, deletions, and files without a final newline", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `l${index}\n`);
  const inserted = replacementOf({
    path: "",
    old: lines.join(""),
    new: [...lines.slice(0, 10), "new\n", ...lines.slice(10)].join(""),
  });
  assert.deepEqual([inserted.old_string, inserted.new_string], [
    "l7\nl8\nl9\nl10\nl11\nl12\n",
    "l7\nl8\nl9\nnew\nl10\nl11\nl12\n",
  ]);
  assert.deepEqual(replacementOf({ path: "", old: "a", new: "a\n" }), { old_string: "a", new_string: "a\n" });
  assert.deepEqual(replacementOf({ path: "", old: null, new: "a" }), { old_string: "", new_string: "a" });
});

Deno.test("patch: replacing the one place that old_string names gives the new file, always", () => {
  const line = fc.constantFrom("a", "b", "", "c");
  const file = fc.array(line, { maxLength: 14 }).chain((lines) =>
    fc.constantFrom(lines.join("\n"), lines.join("\n") + "\n")
  );
  fc.assert(
    fc.property(file, file, (old, text) => {
      const { old_string, new_string } = replacementOf({ path: "", old, new: text });
      const at = old.indexOf(old_string);
      assert.equal(old.slice(0, at) + new_string + old.slice(at + old_string.length), text);
      if (old_string !== "" && old_string !== old) assert.equal(at, old.lastIndexOf(old_string));
    }),
    { numRuns: 500, seed: 7 },
  );
});

Deno.test("patch: a unified diff of two files, with a removed line that looks like a header", () => {
  const patch = [
    "Index: a.ts",
    "===",
    "--- a/a.ts\t2026",
    "+++ b/a.ts\t2026",
    "@@ -1,3 +1,3 @@",
    " one",
    "--- two",
    "+two",
    " three",
    "@@ -9 +9,2 @@",
    " nine",
    "+ten",
    "--- /repo/b.ts",
    "+++ /repo/b.ts",
    "@@ -1 +1 @@",
    "-x",
    "+y",
    "\\ No newline at end of file",
    "",
  ].join("\n");
  assert.deepEqual(parsePatch(patch), [
    {
      path: "a.ts",
      edits: [{ old_string: "one\n-- two\nthree", new_string: "one\ntwo\nthree" }, {
        old_string: "nine",
        new_string: "nine\nten",
      }],
    },
    { path: "/repo/b.ts", edits: [{ old_string: "x", new_string: "y" }] },
  ]);
  assert.deepEqual(parsePatch("no patch"), []);
});
