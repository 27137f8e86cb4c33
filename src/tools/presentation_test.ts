import assert from "node:assert/strict";
import { loadMarkdown } from "../text/markdown.ts";
import type { BodyPart } from "../transcript/event.ts";
import { renderPresentation } from "./presentation.ts";
import { rendererFor } from "./registry.ts";
import { isLongPart } from "./renderer.ts";
import { callOf, type CallSketch, contextOf, pictureOf, rowsOf } from "./testing.ts";
import { lineText } from "../text/line.ts";
import { loadLineDiff } from "../text/line_diff.ts";

await Promise.all([loadLineDiff(), loadMarkdown()]);

const TEXT = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join("\n");

function card(
  body: readonly BodyPart[] | null,
  more: Partial<CallSketch> = {},
  title: string | null = "Deploy staging",
) {
  return callOf({
    name: "deploy",
    args: { to: "staging" },
    ...more,
    more: { presentation: { title, kind: "execute", body } },
  });
}

const terminal = (more: Partial<Extract<BodyPart, { type: "terminal" }>> = {}): BodyPart => ({
  type: "terminal",
  command: "make all",
  cwd: "/repo",
  output: TEXT,
  exit_code: 2,
  signal: null,
  ...more,
});

Deno.test("N10 a card the tool described comes before the renderer of its name", () => {
  assert.equal(rendererFor([card(null)]), renderPresentation);
  const read = callOf({
    name: "Read",
    more: { presentation: { title: "My read", kind: "read", body: null } },
  });
  assert.equal(rendererFor([read]), renderPresentation);
  const bare = callOf({ name: "Read", more: { presentation: { title: null, kind: "read", body: [] } } });
  assert.notEqual(rendererFor([bare]), renderPresentation, "a kind alone describes no card");
});

Deno.test("N11 a generic card keeps head and tail and says what is hidden", () => {
  assert.deepEqual(pictureOf(card([{ type: "text", text: TEXT }]), "normal"), [
    "Deploy staging  (execute)",
    "  line 1",
    "  line 2",
    "  … +6 rows",
    "  line 9",
    "  line 10",
  ]);
  const call = card([{ type: "text", text: TEXT }]);
  const rows = renderPresentation([call], {
    ...contextOf([call], "normal", 60),
    previewHead: 1,
    previewTail: 3,
  });
  assert.deepEqual(rowsOf(rows, 60).map(lineText).slice(1), [
    "  line 1",
    "  … +6 rows",
    "  line 8",
    "  line 9",
    "  line 10",
  ]);
});

Deno.test("a generic card in detail: arguments, body, output that the body does not show, summary", () => {
  const call = card([{ type: "text", text: "built" }], { output: "uploaded", summary: "deployed" });
  assert.deepEqual(pictureOf(call, "detail"), [
    "Deploy staging  (execute)",
    "{",
    '  "to": "staging"',
    "}",
    "  built",
    "  uploaded",
    "  deployed",
  ]);
  const same = card([{ type: "text", text: "built" }], { output: "built\n", summary: "deployed" });
  assert.equal(pictureOf(same, "detail").filter((row) => row.includes("built")).length, 1);
  assert.deepEqual(pictureOf(call, "overview"), ["deployed"]);
  assert.deepEqual(pictureOf(card(null), "overview"), ["Deploy staging  (execute)"]);
});

Deno.test("while it runs a generic card shows its raw input too", () => {
  const running = card([{ type: "text", text: "building" }], { stage: "executing" });
  assert.deepEqual(pictureOf(running, "normal"), [
    "Deploy staging  (execute)",
    "{",
    '  "to": "staging"',
    "}",
    "  building",
  ]);
  assert.deepEqual(pictureOf(running, "overview"), ["Deploy staging"]);
});

Deno.test("every kind of part is shown", () => {
  const call = card([
    { type: "markdown", text: "**bold** and `code`" },
    { type: "image", media_type: "image/png", byte_length: 12 },
    { type: "locations", locations: [{ path: "/repo/a.ts", line: 3 }, { path: "b.ts", line: null }] },
    { type: "diff", path: "c.ts", old: "x", new: "y" },
    terminal({ output: "out" }),
  ], { args: {} });
  assert.deepEqual(pictureOf(call, "detail"), [
    "Deploy staging  (execute)",
    "  bold and `code`",
    "  [image image/png, 12 bytes]",
    "  /repo/a.ts:3",
    "  b.ts",
    "  c.ts",
    "-x",
    "+y",
    "  $ make all",
    "  in /repo",
    "  out",
    "  exit 2",
    "  no output",
  ]);
});

Deno.test("a card that is one terminal looks like a shell call", () => {
  assert.deepEqual(pictureOf(card([terminal()]), "normal"), [
    "$ make all  exit 2  +5 rows",
    "  line 6",
    "  line 7",
    "  line 8",
    "  line 9",
    "  line 10",
  ]);
  const live = card([terminal({ output: null, exit_code: null })], { stage: "executing", output: "so far" });
  assert.deepEqual(pictureOf(live, "normal"), [
    "$ make all",
    "  Deploy staging",
    "  in /repo",
    "  to: staging",
    "  so far",
  ]);
  const killed = card([terminal({ exit_code: null, signal: "KILL", output: "" })]);
  assert.deepEqual(pictureOf(killed, "overview"), ["$ make all  signal KILL"]);
  const titled = card([terminal({ command: null, output: "" })], {}, "make check");
  assert.deepEqual(pictureOf(titled, "normal"), ["$ make check  exit 2"]);
});

Deno.test("a card of diffs looks like an Edit", () => {
  const diff = (path: string): BodyPart => ({ type: "diff", path, old: "a\nx\nb", new: "a\ny\nb" });
  assert.deepEqual(pictureOf(card([diff("c.ts")]), "normal"), [
    "Deploy staging c.ts  (+1 -1)",
    " a",
    "-x",
    "+y",
    " b",
  ]);
  assert.equal(pictureOf(card([diff("c.ts")], {}, "Edit c.ts"), "normal")[0], "Edit c.ts  (+1 -1)");
  assert.equal(pictureOf(card([diff("c.ts"), diff("d.ts")]), "normal")[0], "Deploy staging 2 files  (+2 -2)");
  const created = card([{ type: "diff", path: "c.ts", old: null, new: "one\n" }]);
  assert.deepEqual(pictureOf(created, "normal"), ["Deploy staging c.ts  (+1 -0)", "(new file)", "+one"]);
});

Deno.test("a failed card shows what it said, from its body where there is no output", () => {
  const failed = card([{ type: "text", text: "quota exceeded" }], { stage: "error", summary: "failed" });
  assert.deepEqual(pictureOf(failed, "normal"), [
    "Deploy staging  error  (execute)",
    "  failed",
    "  quota exceeded",
  ]);
});

Deno.test("edge 67 a body of 5 MiB is one long part in detail", () => {
  const call = card([{ type: "text", text: "body\n".repeat(1_000_000) }]);
  const parts = renderPresentation([call], contextOf([call], "detail", 80));
  assert.ok(parts.filter(isLongPart).length <= 3);
  assert.deepEqual(pictureOf(call, "normal").slice(1), [
    "  body",
    "  body",
    "  … +999996 lines",
    "  body",
    "  body",
  ]);
});
