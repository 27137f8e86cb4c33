import assert from "node:assert/strict";
import { lineText } from "../text/line.ts";
import type { ToolStage } from "../transcript/tool_call.ts";
import { isLongPart } from "./renderer.ts";
import { callOf, contextOf, pictureOf } from "./testing.ts";
import { renderRead } from "./read.ts";

const read = (path: string, stage: ToolStage = "done", more: Readonly<Record<string, unknown>> = {}) =>
  callOf({ name: "Read", stage, args: { file_path: path, ...more }, output: "SECRET CONTENT" });

Deno.test("H02 normal and detail list paths, never contents", () => {
  const calls = [read("src/a.ts"), read("src/b.ts"), read("src/c.ts")];
  const picture = ["Read 3 files", "  src/a.ts", "  src/b.ts", "  src/c.ts"];
  assert.deepEqual(pictureOf(calls, "normal"), picture);
  assert.deepEqual(pictureOf(calls, "detail"), picture);
  assert.deepEqual(pictureOf(calls, "overview"), ["Read 3 files"]);
});

Deno.test("edge 65 groups of 1, 3, 4 and 50", () => {
  const group = (count: number) => Array.from({ length: count }, (_, index) => read(`f${index + 1}`));
  assert.deepEqual(pictureOf(group(1), "normal"), ["Read 1 file", "  f1"]);
  assert.deepEqual(pictureOf(group(4), "normal"), ["Read 4 files", "  f1", "  f2", "  f3", "  f4"]);
  assert.deepEqual(pictureOf(group(50), "normal"), [
    "Read 50 files",
    "  f1",
    "  f2",
    "  f3",
    "  f4",
    "  +46 more",
  ]);
  assert.equal(pictureOf(group(50), "detail").length, 51);
});

Deno.test("edge 66 the same path five times is one file", () => {
  const calls = Array.from({ length: 5 }, () => read("./src/a.ts"));
  assert.deepEqual(pictureOf(calls, "normal"), ["Read 1 file  (5 reads)", "  ./src/a.ts  (5 reads)"]);
});

Deno.test("edge 56 a path spelled two ways is one file; ranges stand behind it", () => {
  const calls = [
    read("/repo/a.ts", "done", { offset: 1, limit: 20 }),
    read("/repo/./a.ts", "done", { offset: 40 }),
    read("/repo/b.ts", "done", { limit: 5 }),
  ];
  assert.deepEqual(pictureOf(calls, "normal"), [
    "Read 2 files  (3 reads)",
    "  /repo/a.ts  (1-20, 40-)",
    "  /repo/b.ts  (1-5)",
  ]);
});

Deno.test("H03 while files are collected: three rows at most, execution order, the newest at the bottom", () => {
  const calls = [read("a"), read("b"), read("c", "executing")];
  assert.deepEqual(pictureOf(calls, "normal"), ["Reading 3 files", "  a", "  b", "  c  (reading)"]);
  const more = [...calls, callOf({ name: "Read", stage: "streaming", args: '{"file_pa' })];
  const picture = ["Reading 4 files  +1 earlier", "  b", "  c  (reading)", '  {"file_pa'];
  assert.deepEqual(pictureOf(more, "normal"), picture);
  assert.deepEqual(pictureOf(more, "detail"), picture, "the window is there in detail too");
  assert.deepEqual(pictureOf(more, "overview"), ['Reading 4 files {"file_pa']);
});

Deno.test("a finished group the reader holds keeps its window", () => {
  const calls = [read("a"), read("b"), read("c"), read("d")];
  const context = { ...contextOf(calls, "detail", 60), running: true };
  const rows = renderRead(calls, context).map((part) => isLongPart(part) ? "long" : lineText(part));
  assert.deepEqual(rows, ["Read 4 files  +1 earlier", "  b", "  c", "  d"]);
});

Deno.test("failed Reads stay listed with a mark and a reason", () => {
  const failed = callOf({
    name: "Read",
    stage: "error",
    args: { file_path: "b" },
    summary: "File not found",
  });
  const missing = callOf({ name: "Read", stage: "incomplete", args: { file_path: "c" } });
  assert.deepEqual(pictureOf([read("a"), failed, missing], "normal"), [
    "Read 3 files  1 failed  1 without result",
    "  a",
    "  ✗ b  failed: File not found",
    "  ? c  no result (turn cancelled)",
  ]);
  assert.deepEqual(pictureOf([read("a"), failed, missing], "normal", 20), [
    "Read 3 files",
    "a",
    "✗ b  failed: F…",
    "? c",
  ]);
});

Deno.test("edge 64 a single failed Read is an error of four rows, whole in detail", () => {
  const output = "1\n2\n3\n4\n5";
  const failed = callOf({
    name: "Read",
    stage: "error",
    args: { file_path: "b" },
    summary: "File not found",
    output,
  });
  assert.deepEqual(pictureOf(failed, "normal"), ["Read b  error  +3 rows", "  File not found", "  1", "  2"]);
  assert.deepEqual(pictureOf(failed, "detail").slice(-5), ["  1", "  2", "  3", "  4", "  5"]);
  assert.deepEqual(pictureOf(failed, "overview"), ["File not found"]);
});

Deno.test("edge 34 paths that are missing, empty, no string or hold controls", () => {
  const odd = (file_path: unknown) => pictureOf(callOf({ name: "Read", args: { file_path } }), "normal")[1];
  assert.equal(odd(undefined), "  {}");
  assert.equal(odd(""), '  {"file_path":""}');
  assert.equal(odd(7), '  {"file_path":7}');
  assert.equal(odd("a\nb\u001b"), "  a\\x0ab\\x1b");
  assert.equal(odd("relative/宽.ts"), "  relative/宽.ts");
});

Deno.test("a path keeps its end when it is shortened", () => {
  assert.deepEqual(pictureOf([read("/a/very/long/way/to/the/file.ts")], "normal", 16), [
    "Read 1 file",
    "…/to/the/file.ts",
  ]);
});
