import assert from "node:assert/strict";
import { globPattern, insidePath, splitLines } from "./paths.ts";

Deno.test("paths: what leads out is no path", () => {
  const root = "/repo";
  for (
    const [path, expected] of [
      ["a.ts", "a.ts"],
      ["./a/../b.ts", "b.ts"],
      ["/repo/a.ts", "a.ts"],
      ["/repo", ""],
      [".", ""],
      ["..", null],
      ["a/../../b", null],
      ["/etc/passwd", null],
      ["/repository/a", null],
      ["C:\\x", null],
      ["a\0b", null],
    ] as const
  ) assert.equal(insidePath(path, root), expected, path);
});

Deno.test("paths: globs", () => {
  for (
    const [glob, yes, no] of [
      ["*.ts", ["a.ts", ".ts"], ["a/b.ts", "a.tsx"]],
      ["**/*.ts", ["a.ts", "x/y/a.ts"], ["a.md"]],
      ["src/**", ["src/a", "src/a/b"], ["a/src/b"]],
      ["a?.{ts,md}", ["ab.ts", "ab.md"], ["a.ts", "abc.ts", "ab.js"]],
      ["[ab].c", ["a.c", "b.c"], ["c.c"]],
      ["[!ab].c", ["c.c"], ["a.c"]],
      ["a+(b).c", ["a+(b).c"], ["aab.c"]],
      ["{a", ["a"], ["{a"]],
      ["a}", ["a}"], ["a"]],
    ] as const
  ) {
    for (const path of yes) assert.ok(globPattern(glob).test(path), `${glob} should match ${path}`);
    for (const path of no) assert.ok(!globPattern(glob).test(path), `${glob} should not match ${path}`);
  }
});

Deno.test("paths: a final newline makes no line", () => {
  assert.deepEqual(splitLines(""), []);
  assert.deepEqual(splitLines("\n"), [""]);
  assert.deepEqual(splitLines("a\nb"), ["a", "b"]);
  assert.deepEqual(splitLines("a\nb\n"), ["a", "b"]);
});
