import assert from "node:assert/strict";
import { isLongPart } from "./renderer.ts";
import { callOf, partsOf, pictureOf } from "./testing.ts";

const OUTPUT = Array.from({ length: 10 }, (_, index) => `out ${index + 1}`).join("\n") + "\n";

Deno.test("H12 normal: three rows of indented arguments, three of output, and how many are hidden", () => {
  const call = callOf({ name: "probe", args: { p: "a.txt", n: 1 }, summary: "b done", output: OUTPUT });
  assert.deepEqual(pictureOf(call, "normal"), [
    "probe a.txt  +8 rows",
    "{",
    '  "p": "a.txt",',
    '  "n": 1',
    "  out 1",
    "  out 2",
    "  out 3",
  ]);
  assert.deepEqual(pictureOf(call, "overview"), ["b done"]);
});

Deno.test("H13 detail: all arguments, all output, the summary", () => {
  const call = callOf({ name: "probe", args: { p: "a.txt" }, summary: "b done", output: OUTPUT });
  assert.deepEqual(pictureOf(call, "detail"), [
    "probe a.txt",
    "{",
    '  "p": "a.txt"',
    "}",
    ...OUTPUT.trimEnd().split("\n").map((text) => `  ${text}`),
    "  b done",
  ]);
});

Deno.test("G02 G03 G04 G09 a call before its result: name, raw arguments as they grow, then arguments indented", () => {
  assert.deepEqual(pictureOf(callOf({ name: "probe", stage: "pending" }), "normal"), ["probe"]);
  const streaming = callOf({ name: "probe", stage: "streaming", args: '{"p":"a' });
  assert.deepEqual(pictureOf(streaming, "normal"), ["probe", '{"p":"a']);
  assert.deepEqual(pictureOf(streaming, "overview"), ['probe {"p":"a']);
  assert.deepEqual(pictureOf(streaming, "overview", 11), ['probe …":"a']);
  const complete = callOf({ name: "probe", stage: "streaming", args: '{"p":"a.txt"}' });
  assert.deepEqual(
    pictureOf(complete, "normal"),
    ["probe", '{"p":"a.txt"}'],
    "complete JSON is raw too while it streams",
  );
  const executing = callOf({ name: "probe", stage: "executing", args: { p: "a.txt" } });
  assert.deepEqual(pictureOf(executing, "normal"), ["probe a.txt", "{", '  "p": "a.txt"', "}"]);
  assert.deepEqual(pictureOf(executing, "overview"), ["probe a.txt"]);
});

Deno.test("U12 error, second result, late result and missing result are all named", () => {
  const failed = callOf({
    name: "probe",
    stage: "error",
    args: { p: "a.txt" },
    summary: "a failed",
    output: "A-ERR",
  });
  assert.deepEqual(pictureOf(failed, "normal"), ["probe a.txt  error", "  a failed", "  A-ERR"]);
  assert.deepEqual(pictureOf(failed, "overview"), ["a failed"]);

  const twice = callOf({
    name: "probe",
    args: { p: "b.txt" },
    output: "B-OUT",
    more: { secondResultIgnored: true },
  });
  assert.equal(pictureOf(twice, "normal")[0], "probe b.txt  (second result ignored)");

  const late = callOf({
    name: "probe",
    args: '{"p":"c',
    summary: "late",
    output: "C-OUT",
    more: { late: true },
  });
  assert.deepEqual(pictureOf(late, "normal"), ["probe  (late)", '{"p":"c', "  C-OUT"]);

  const missing = callOf({ name: "probe", stage: "incomplete", args: '{"p":"c' });
  assert.deepEqual(pictureOf(missing, "normal"), ["probe", "  no result (turn cancelled)"]);
  assert.deepEqual(pictureOf(missing, "detail"), ["probe", '{"p":"c', "  no result (turn cancelled)"]);
  assert.deepEqual(pictureOf(missing, "overview"), ["probe: no result (turn cancelled)"]);

  const orphan = callOf({ name: "?", summary: "?", output: "Z-OUT" });
  assert.deepEqual(pictureOf(orphan, "normal"), ["?", "  Z-OUT"]);
});

Deno.test("edge 71 an error says so in words, once", () => {
  const failed = (summary: string) =>
    pictureOf(
      callOf({ name: "probe", stage: "error", args: { p: "x" }, summary, output: "why" }),
      "overview",
    )[0];
  assert.equal(failed("3 files"), "error: 3 files");
  assert.equal(failed("Permission denied"), "Permission denied");
  assert.equal(failed(""), "probe x  error");
});

Deno.test("a missing result counts the output that did come", () => {
  const missing = callOf({
    name: "probe",
    stage: "incomplete",
    args: { p: "x" },
    output: OUTPUT,
    more: { incompleteReason: null },
  });
  assert.deepEqual(pictureOf(missing, "normal"), ["probe x  +10 rows", "  no result"]);
  assert.equal(pictureOf(missing, "detail").length, 1 + 3 + 10 + 1);
});

Deno.test("edge 33 arguments that are empty, {} or no object", () => {
  const rows = (args: string | Readonly<Record<string, unknown>>) =>
    pictureOf(callOf({ name: "probe", args, output: "o" }), "normal");
  assert.deepEqual(rows(""), ["probe", "  o"]);
  assert.deepEqual(rows({}), ["probe", "  o"]);
  assert.deepEqual(rows("[1,2]"), ["probe  +1 row", "[", "  1,", "  2", "  o"]);
  assert.deepEqual(rows("12"), ["probe", "12", "  o"]);
  assert.deepEqual(rows("null"), ["probe", "null", "  o"]);
  assert.deepEqual(rows("{oops"), ["probe", "{oops", "  o"]);
});

Deno.test("edge 69 absent, empty and blank output are told apart in detail", () => {
  const last = (output: string | null) =>
    pictureOf(callOf({ name: "probe", args: {}, output }), "detail").slice(1);
  assert.deepEqual(last(null), ["  no output"]);
  assert.deepEqual(last(""), ["  empty output"]);
  assert.deepEqual(last("\n\n"), ["", ""]);
});

Deno.test("edge 70 a summary of several lines shows the first that is not blank in overview, all in detail", () => {
  const call = callOf({ name: "probe", args: {}, summary: "\n\nfirst\nsecond", output: "out" });
  assert.deepEqual(pictureOf(call, "overview"), ["first"]);
  assert.deepEqual(pictureOf(call, "detail").slice(-2), ["  first", "  second"]);
  const wide = callOf({ name: "probe", args: {}, summary: "宽".repeat(250) });
  assert.equal(pictureOf(wide, "overview", 20)[0], "宽".repeat(9) + "…");
});

Deno.test("U07 tabs count from the start of the output", () => {
  const output = "ok\tpkg/a\t0.01s\nFAIL\tpkg/longer/name\t12.3s\n日本\tx\n日本語の\ty";
  const rows = pictureOf(callOf({ name: "probe", args: {}, summary: "2 packages", output }), "detail").slice(
    1,
    5,
  );
  const columns = (row: string | undefined) => row?.slice(2);
  assert.equal(columns(rows[0]), "ok      pkg/a   0.01s");
  assert.equal(columns(rows[1]), "FAIL    pkg/longer/name 12.3s");
  assert.equal(columns(rows[2]), "日本    x");
  assert.equal(columns(rows[3]), "日本語の        y");
});

Deno.test("edge 68 controls in names, arguments, summaries and output are text", () => {
  const nasty = "a\u001b]52;c;QUJD\x07b\u202ec";
  const call = callOf({ name: nasty, args: { path: nasty }, summary: nasty, output: nasty });
  for (const fold of ["detail", "normal", "overview"] as const) {
    const text = pictureOf(call, fold, 120).join("\n");
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(text, /[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    assert.match(text, /a\\x1b\]52;c;QUJD\\x07b<U\+202E>c/);
  }
});

Deno.test("U09 one line of 10,000 signs, of 50 KB of JSON and of 1 MiB: within the budget, counted, whole in detail", () => {
  for (const width of [20, 80]) {
    for (
      const output of [
        "a".repeat(10_000),
        JSON.stringify(Array(10_000).fill(12)),
        "b".repeat((1 << 20) - 1) + "Z",
      ]
    ) {
      const call = callOf({ name: "probe", args: {}, output });
      const rows = pictureOf(call, "normal", width);
      assert.equal(rows.length, 4);
      const indent = width >= 24 ? 2 : 0;
      assert.match(rows[0]!, new RegExp(`\\+${Math.ceil(output.length / (width - indent)) - 3} rows$`));
      const parts = partsOf([call], "detail", width).filter(isLongPart);
      assert.equal(parts.length, 1);
      assert.ok(pictureOf(call, "detail", width).at(-1)?.endsWith(output.at(-1)!));
    }
  }
});
