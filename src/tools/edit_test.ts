import assert from "node:assert/strict";
import { lineText } from "../text/line.ts";
import type { FileChange, ToolCall } from "../transcript/tool_call.ts";
import { isLongPart } from "./renderer.ts";
import { callOf, type CallSketch, changeOf, partsOf, pictureOf } from "./testing.ts";
import { loadLineDiff } from "../text/line_diff.ts";

await loadLineDiff();

function edited(changes: readonly FileChange[], more: Partial<CallSketch> = {}): ToolCall {
  const args = { file_path: changes[0]?.path ?? "", old_string: "o", new_string: "n" };
  return callOf({ name: "Edit", args, ...more, more: { changes } });
}

const BEFORE = "a1\na2\na3\n";
const AFTER = "b1\nb2\nb3";
const CHANGE = changeOf("src/a.ts", `${BEFORE}old one\nold two\n${AFTER}`, `${BEFORE}new one\n${AFTER}`, 98);

Deno.test("H08 a unified diff with three context lines on either side and line numbers", () => {
  const picture = [
    "Edit src/a.ts  (+1 -2)",
    " 98  a1",
    " 99  a2",
    "100  a3",
    "101 -old one",
    "102 -old two",
    "101 +new one",
    "102  b1",
    "103  b2",
    "104  b3",
  ];
  assert.deepEqual(pictureOf(edited([CHANGE]), "normal"), picture);
  assert.deepEqual(
    pictureOf(edited([CHANGE], { stage: "executing" }), "normal"),
    picture,
    "the preview while executing",
  );
  assert.deepEqual(pictureOf(edited([CHANGE], { summary: "Edited" }), "detail"), [...picture, "  Edited"]);
  assert.deepEqual(pictureOf(edited([CHANGE]), "overview"), ["Edit src/a.ts  (+1 -2)"]);
});

Deno.test("H09 removed and added rows have roles of their own", () => {
  const roles = partsOf([edited([CHANGE])], "normal", 60).slice(1).map((part) =>
    isLongPart(part) ? [] : part.spans.map((span) => span.role)
  );
  assert.deepEqual(roles[2], ["diff.line_number", "diff.context", "diff.context"]);
  assert.deepEqual(roles[3], ["diff.line_number", "diff.removed", "diff.removed"]);
  assert.deepEqual(roles[5], ["diff.line_number", "diff.added", "diff.added"]);
});

Deno.test("edge 39 40 42 what was not located has a note, signs and no numbers", () => {
  for (const note of ["context unknown", "not found", "not unique"]) {
    const change = { ...changeOf("a", "old", "new"), note };
    assert.deepEqual(pictureOf(edited([change]), "normal"), ["Edit a  (+1 -1)", `(${note})`, "-old", "+new"]);
  }
});

Deno.test("edge 43 normal keeps twelve rows: less context first, then half of what went and half of what came", () => {
  const places = [10, 40, 70].map((start) =>
    changeOf("a", `${BEFORE}x\n${AFTER}`, `${BEFORE}y\n${AFTER}`, start).regions[0]!
  );
  const change: FileChange = { path: "a", regions: places, note: null };
  // 3 hunks of 8 rows and 2 gaps are 26; one context row each way makes 14, none makes 8.
  assert.deepEqual(pictureOf(edited([change]), "normal"), [
    "Edit a  (+3 -3)  +18 rows",
    "13 -x",
    "13 +y",
    "⋯",
    "43 -x",
    "43 +y",
    "⋯",
    "73 -x",
    "73 +y",
  ]);
  assert.equal(pictureOf(edited([change]), "detail").length, 1 + 26 + 1);

  const many = Array.from({ length: 30 }, (_, index) => `l${index + 1}`).join("\n");
  const rows = pictureOf(edited([changeOf("a", many, many.toUpperCase(), 1)]), "normal");
  assert.equal(rows[0], "Edit a  (+30 -30)  +48 rows");
  assert.deepEqual(rows.slice(1).map((row) => row.slice(3)), [
    ...[1, 2, 3, 4, 5, 6].map((at) => `-l${at}`),
    ...[1, 2, 3, 4, 5, 6].map((at) => `+L${at}`),
  ]);
});

Deno.test("edge 44 a missing final newline is a row of its own", () => {
  const region = {
    ...changeOf("a", "x\ny", "x\nz", 1).regions[0]!,
    oldLacksFinalNewline: true,
    newLacksFinalNewline: true,
  };
  const rows = pictureOf(edited([{ path: "a", regions: [region], note: null }]), "normal");
  assert.ok(rows.some((row) => row.includes("No newline at end of file")), rows.join("\n"));
});

Deno.test("edge 45 pure insertion, pure deletion, creation", () => {
  const rows = (oldText: string, newText: string) =>
    pictureOf(edited([changeOf("a", oldText, newText, 1)]), "normal").slice(1);
  assert.deepEqual(rows("x\ny", "x\nnew\ny"), ["1  x", "2 +new", "3  y"]);
  assert.deepEqual(rows("x\ny\nz", "x\nz"), ["1  x", "2 -y", "2  z"]);
  assert.deepEqual(rows("", "one\ntwo"), ["1 +one", "2 +two"]);
  assert.deepEqual(rows("one\ntwo", ""), ["1 -one", "2 -two"]);
});

Deno.test("edge 47 the CR of a CRLF line is no part of it, other controls are text", () => {
  const rows = pictureOf(edited([changeOf("a", "one\r\nx\u001b[31m", "one\r\ny\u202e", 1)]), "normal")
    .slice(1);
  assert.deepEqual(rows, ["1  one", "2 -x\\x1b[31m", "2 +y<U+202E>"]);
});

Deno.test("edge 48 tabs, wide signs and rows wider than the screen", () => {
  const call = edited([changeOf("a", "\tx", "\t日本語日本語日本語", 7)]);
  assert.deepEqual(pictureOf(call, "normal", 20), [
    "Edit a  (+1 -1)",
    "7 -        x",
    "7 +        日本語日",
    "   本語日本語",
  ]);
  for (let width = 1; width < 20; width++) {
    const text = partsOf([call], "detail", width).map((part) => isLongPart(part) ? "" : lineText(part)).join(
      "",
    );
    if (width >= 4) {
      assert.ok(text.replaceAll(/[ …\d]/g, "").includes("日本語日本語日本語"), `${width}: ${text}`);
    }
  }
});

Deno.test("edge 59 several files: one header, each path above its rows", () => {
  const call = callOf({
    name: "apply_patch",
    args: { input: "*** Begin Patch" },
    more: { changes: [changeOf("a.ts", "1", "2", 1), changeOf("b.ts", "3", "4", 20)] },
  });
  assert.deepEqual(pictureOf(call, "normal"), [
    "apply_patch 2 files  (+2 -2)",
    "a.ts",
    " 1 -1",
    " 1 +2",
    "b.ts",
    "20 -3",
    "20 +4",
  ]);
});

Deno.test("edge 58 without a recorded change the arguments show what was meant", () => {
  const args = { file_path: "a", old_string: "x", new_string: "y" };
  assert.deepEqual(pictureOf(callOf({ name: "Edit", args }), "normal"), ["Edit a  (+1 -1)", "-x", "+y"]);
  const multi = { path: "a", edits: [{ old_string: "x", new_string: "y" }, { oldText: "1", newText: "2" }] };
  assert.deepEqual(pictureOf(callOf({ name: "MultiEdit", args: multi }), "normal"), [
    "MultiEdit a  (+2 -2)",
    "-x",
    "+y",
    "⋯",
    "-1",
    "+2",
  ]);
  assert.deepEqual(pictureOf(callOf({ name: "Edit", args: { file_path: "a" }, output: "o" }), "normal"), [
    "Edit a",
    "{",
    '  "file_path": "a"',
    "}",
    "  o",
  ]);
});

Deno.test("a failed Edit is an error of four rows and claims no change", () => {
  const failed = edited([changeOf("a", "x", "y")], {
    stage: "error",
    summary: "old_string not found",
    output: "1\n2\n3\n4",
  });
  assert.deepEqual(pictureOf(failed, "normal"), [
    "Edit a  error  +2 rows",
    "  old_string not found",
    "  1",
    "  2",
  ]);
  const detail = pictureOf(failed, "detail");
  assert.deepEqual(detail.slice(0, 4), ["Edit a", "(context unknown)", "-x", "+y"]);
});

Deno.test("a diff of a hundred thousand lines is long text in detail and counted in lines", () => {
  const text = "line of a file that is long\n".repeat(100_000).trimEnd();
  const call = edited([changeOf("a", "", text, 1)]);
  assert.ok(partsOf([call], "detail", 80).length < 10);
  const rows = pictureOf(call, "normal", 80);
  assert.equal(rows.length, 13);
  assert.equal(rows[0], "Edit a  (+100000 -0)  +99988 lines");
});

Deno.test("a patch says which files it added, deleted or moved", () => {
  const patch = (changes: readonly FileChange[]) =>
    pictureOf(callOf({ name: "apply_patch", args: { input: "p" }, more: { changes } }), "normal");
  const added: FileChange = { ...changeOf("new.ts", "", "one", 1), action: "add" };
  const moved: FileChange = { ...changeOf("a.ts", "x", "y", 1), movedTo: "b.ts" };
  const deleted: FileChange = { path: "old.ts", regions: [], note: null, action: "delete" };
  assert.deepEqual(patch([added]), ["apply_patch new.ts  (added)  (+1 -0)", "1 +one"]);
  assert.deepEqual(patch([deleted]), ["apply_patch old.ts  (deleted)  (+0 -0)"]);
  assert.deepEqual(patch([moved, deleted]), [
    "apply_patch 2 files  (+1 -1)",
    "a.ts -> b.ts",
    "1 -x",
    "1 +y",
    "old.ts (deleted)",
  ]);
});

Deno.test("a change that leaves all lines the same says so", () => {
  assert.deepEqual(pictureOf(edited([changeOf("a", "x", "x", 1)]), "normal"), [
    "Edit a  (+0 -0)",
    "(no change)",
  ]);
  assert.deepEqual(pictureOf(edited([changeOf("a", "x\r\ny", "x\ny", 1)]), "normal"), [
    "Edit a  (+0 -0)",
    "(only line ends change)",
  ]);
});

Deno.test("blank lines at the end of a place are lines", () => {
  assert.deepEqual(pictureOf(edited([changeOf("a", "x\n", "y\n", 1)]), "normal").slice(1), [
    "1 -x",
    "1 +y",
    "2",
  ]);
});
