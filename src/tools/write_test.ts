import assert from "node:assert/strict";
import type { ToolCall } from "../transcript/tool_call.ts";
import { isLongPart } from "./renderer.ts";
import { callOf, partsOf, pictureOf } from "./testing.ts";

function written(content: string, writeLabel: ToolCall["writeLabel"] = "created"): ToolCall {
  return callOf({
    name: "Write",
    args: { file_path: "/repo/a.ts", content },
    summary: "Created /repo/a.ts",
    more: { writeLabel },
  });
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

Deno.test("H04 Created, Overwrote and Wrote are told apart by label and role", () => {
  const label = (writeLabel: ToolCall["writeLabel"]) => {
    const [head] = partsOf([written("x\n", writeLabel)], "normal", 60);
    assert.ok(head !== undefined && !isLongPart(head));
    return head.spans[0];
  };
  assert.deepEqual(label("created"), { text: "Created", role: "tool.created" });
  assert.deepEqual(label("overwrote"), { text: "Overwrote", role: "tool.overwrote" });
  assert.deepEqual(label("wrote"), { text: "Wrote", role: "tool.label" });
  assert.deepEqual(label(null), { text: "Write", role: "tool.name" });
});

Deno.test("H05 normal shows the first five rows of what was written and counts the rest", () => {
  assert.deepEqual(pictureOf(written(lines(12)), "normal"), [
    "Created /repo/a.ts  (12 lines)  +7 rows",
    "  line 1",
    "  line 2",
    "  line 3",
    "  line 4",
    "  line 5",
  ]);
});

Deno.test("edge 54 empty, without final newline, one line, five and six", () => {
  const head = (content: string) => pictureOf(written(content), "normal")[0];
  assert.deepEqual(pictureOf(written(""), "normal"), ["Created /repo/a.ts  (empty)"]);
  assert.equal(head("one"), "Created /repo/a.ts  (1 line, no final newline)");
  assert.equal(head("one\n"), "Created /repo/a.ts  (1 line)");
  assert.equal(head(lines(5)), "Created /repo/a.ts  (5 lines)");
  assert.equal(head(lines(6)), "Created /repo/a.ts  (6 lines)  +1 row");
  assert.equal(head("\n"), "Created /repo/a.ts  (1 line)");
});

Deno.test("H06 detail shows the whole content, and what else came", () => {
  const call = { ...written(lines(7)), summary: "done" };
  assert.deepEqual(pictureOf(call, "detail"), [
    "Created /repo/a.ts  (7 lines)",
    ...lines(7).trimEnd().split("\n").map((text) => `  ${text}`),
    "  done",
  ]);
});

Deno.test("edge 36 a Write of 5 MiB: its content is one long part while it streams and when it is done", () => {
  const content = "const a = 1;\n".repeat(400_000);
  const raw = JSON.stringify({ file_path: "/repo/a.ts", content });
  const streaming = callOf({ name: "Write", stage: "streaming", args: raw });
  assert.equal(partsOf([streaming], "normal", 80).length, 2);
  assert.match(pictureOf(streaming, "overview", 40)[0] ?? "", /^Write ….*"\}$/);
  const done = written(content);
  assert.ok(partsOf([done], "detail", 80).length < 5);
  assert.match(pictureOf(done, "normal", 80)[0] ?? "", /\+399995 lines$/);
  const [, first] = partsOf([done], "detail", 80);
  const [, again] = partsOf([done], "detail", 40);
  assert.ok(first !== undefined && again !== undefined && isLongPart(first) && isLongPart(again));
  assert.equal(first.text, again.text, "the text is made once, so the layout keeps what it measured");
});

Deno.test("edge 32 arguments that are no JSON stay raw", () => {
  const call = callOf({ name: "Write", args: '{"file_path": "a' });
  assert.deepEqual(pictureOf(call, "normal"), ["Write", '  {"file_path": "a']);
  assert.deepEqual(pictureOf(call, "detail").slice(0, 2), ["Write", '  {"file_path": "a']);
});

Deno.test("edge 55 a failed or missing Write carries no label", () => {
  const args = { file_path: "/repo/a.ts", content: "x" };
  const failed = callOf({
    name: "Write",
    stage: "error",
    args,
    summary: "Permission denied",
    more: { writeLabel: "created" },
  });
  assert.deepEqual(pictureOf(failed, "normal"), [
    "Write /repo/a.ts  error  (1 line, no final newline)",
    "  Permission denied",
  ]);
});
