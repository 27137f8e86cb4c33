// Every renderer in every stage, fold mode and width: lines that fit, one row in overview, budgets in normal.

import assert from "node:assert/strict";
import fc from "fast-check";
import { lineText, lineWidth } from "../text/line.ts";
import type { BodyPart } from "../transcript/event.ts";
import type { FoldMode } from "../transcript/block.ts";
import type { ToolCall, ToolStage } from "../transcript/tool_call.ts";
import { isLongPart } from "./renderer.ts";
import { callOf, type CallSketch, changeOf, contextOf, partsOf, rowsOf } from "./testing.ts";
import { rendererFor } from "./registry.ts";
import { loadClusterWidths } from "../text/graphemes.ts";
import { loadMarkdown } from "../text/markdown.ts";
import { loadLineDiff } from "../text/line_diff.ts";

await Promise.all([loadLineDiff(), loadMarkdown(), loadClusterWidths()]);

const STAGES: readonly ToolStage[] = ["pending", "streaming", "executing", "done", "error", "incomplete"];
const FOLDS: readonly FoldMode[] = ["detail", "normal", "overview"];
const WIDTHS = [...Array.from({ length: 40 }, (_, index) => index + 1), 53, 64, 80, 100, 119, 120];

/** Signs that break careless layouts: wide, clusters, controls, tabs, direction, joiners. */
const NASTY =
  "日本語\tx\u001b[31mred\u001b[0m \u202eabc 👨‍👩‍👧 e\u0301 🇩🇪 \x07\x9b2J progress 1\rprogress 2\n宽宽宽宽宽宽宽宽宽宽宽宽\n";
const LONG_OUTPUT =
  Array.from({ length: 60 }, (_, index) => `${index + 1}: ${"word ".repeat(index % 9)}`).join("\n") + "\n";

const OLD =
  "const a = 1;\nconst b = 2;\nconst c = 3;\n\tconst d = '宽';\nconst e = 5;\nconst f = 6;\nconst g = 7;";
const NEW = OLD.replace("'宽'", "'宽い' // " + "long ".repeat(30));

interface Kind {
  readonly sketch: Omit<CallSketch, "stage" | "name"> & { readonly name: string };
  /** Rows at most in normal once done. */
  readonly budget: number;
  /** What a result brings beside output and summary. */
  readonly result?: Partial<ToolCall>;
}

const body = (...parts: readonly BodyPart[]) => ({
  presentation: { title: "Card 宽 title", kind: "execute", body: parts },
});
const terminal = (output: string | null): BodyPart => ({
  type: "terminal",
  command: "deno test -A\necho 宽",
  cwd: "/repo",
  output,
  exit_code: 1,
  signal: null,
});

const KINDS: Readonly<Record<string, Kind>> = {
  read: {
    budget: 6,
    sketch: { name: "Read", args: { file_path: "/repo/src/宽/a.ts", offset: 10, limit: 20 } },
  },
  write: {
    budget: 6,
    sketch: { name: "Write", args: { file_path: "/repo/src/a.ts", content: LONG_OUTPUT + NASTY } },
    result: { writeLabel: "created" },
  },
  edit: {
    budget: 13,
    sketch: { name: "Edit", args: { file_path: "/repo/src/a.ts", old_string: OLD, new_string: NEW } },
    result: { changes: [changeOf("/repo/src/a.ts", OLD, NEW, 98)] },
  },
  "edit of many": {
    budget: 13,
    sketch: { name: "apply_patch", args: { input: "*** Begin Patch" } },
    result: {
      changes: ["a.ts", "宽.ts", "c.ts"].map((path) =>
        changeOf(path, LONG_OUTPUT, LONG_OUTPUT.toUpperCase())
      ),
    },
  },
  "edit unknown": { budget: 13, sketch: { name: "Edit", args: { nothing: "known" } } },
  glob: { budget: 6, sketch: { name: "Glob", args: { pattern: "**/*.ts", path: "src" } } },
  grep: { budget: 6, sketch: { name: "Grep", args: { pattern: "宽|a.*b", path: "src", "-n": true } } },
  shell: {
    budget: 6,
    sketch: {
      name: "Bash",
      args: { command: "cd x &&\ndeno test -A src/宽 \u200d", description: "Runs the tests", timeout: 5 },
    },
  },
  terminal: { budget: 6, sketch: { name: "run", args: { any: "thing" }, more: body(terminal(LONG_OUTPUT)) } },
  "terminal live": { budget: 6, sketch: { name: "run", args: {}, more: body(terminal(null)) } },
  diff: {
    budget: 13,
    sketch: { name: "patch", args: {}, more: body({ type: "diff", path: "/repo/a.ts", old: OLD, new: NEW }) },
  },
  "new file": {
    budget: 13,
    sketch: {
      name: "patch",
      args: {},
      more: body({ type: "diff", path: "/repo/a.ts", old: null, new: LONG_OUTPUT }),
    },
  },
  generic: {
    budget: 6,
    sketch: {
      name: "deploy",
      args: { where: "staging", nested: { a: [1, 2, 3] } },
      more: body(
        { type: "text", text: LONG_OUTPUT },
        { type: "markdown", text: "# Head\n\n- one **two**\n- 宽\n\n```\ncode\n```\n" },
        { type: "image", media_type: "image/png", byte_length: 1200 },
        { type: "locations", locations: [{ path: "/repo/a.ts", line: 3 }, { path: "b", line: null }] },
        { type: "diff", path: "x.ts", old: "a\n", new: "b\n" },
        terminal("out"),
      ),
    },
  },
  "title only": {
    budget: 6,
    sketch: {
      name: "think",
      args: {},
      more: { presentation: { title: "Thinks", kind: "think", body: null } },
    },
  },
  fallback: {
    budget: 7,
    sketch: { name: "mcp__x__y", args: { p: "a.txt", q: 宽(), list: [1, 2, 3, 4, 5] } },
  },
  "fallback raw": { budget: 7, sketch: { name: "", args: "not json {" } },
  "fallback of a long name": { budget: 7, sketch: { name: "n".repeat(300), args: "[1, 2]" } },
};

function 宽(): string {
  return "宽".repeat(50);
}

const OUTPUTS: readonly (string | null)[] = [null, "", "\n\n\n", "one line", LONG_OUTPUT, NASTY];
const SUMMARIES = ["", "12 matches", "first\nsecond line", "  ", "s".repeat(500)] as const;

/** All calls of a kind worth drawing. */
function callsOf(kind: Kind): readonly ToolCall[] {
  const calls: ToolCall[] = [];
  for (const stage of STAGES) {
    const isFinal = stage === "done" || stage === "error" || stage === "incomplete";
    for (const [index, output] of (isFinal ? OUTPUTS : [null, LONG_OUTPUT]).entries()) {
      const summary = stage === "done" || stage === "error" ? SUMMARIES[index % SUMMARIES.length]! : "";
      const args = stage === "streaming"
        ? '{"file_path":"/repo/src/a.ts","content":"' + NASTY.repeat(3)
        : kind.sketch.args;
      const more = {
        ...(stage === "pending" || stage === "streaming" ? {} : kind.sketch.more),
        ...(isFinal ? kind.result : {}),
        late: index === 1 && isFinal,
        secondResultIgnored: index === 3 && isFinal,
      };
      calls.push(
        callOf({ ...kind.sketch, stage, output, summary, ...(args === undefined ? {} : { args }), more }),
      );
    }
  }
  return calls;
}

function check(calls: readonly ToolCall[], budget: number): void {
  for (const fold of FOLDS) {
    for (const width of WIDTHS) {
      const parts = partsOf(calls, fold, width);
      const where = `${
        calls.map((call) => `${call.name.slice(0, 20)} ${call.stage}`).join(", ")
      } ${fold} ${width}`;
      assert.ok(parts.length > 0, `${where}: no part`);
      const rows = rowsOf(parts, width);
      for (const row of rows) {
        assert.ok(
          lineWidth(row) <= width,
          `${where}: ${lineWidth(row)} cells in ${JSON.stringify(lineText(row))}`,
        );
        // deno-lint-ignore no-control-regex
        assert.doesNotMatch(lineText(row), /[\0-\x1f\x7f-\x9f\u202a-\u202e]/, where);
      }
      if (fold === "overview") assert.equal(rows.length, 1, `${where}: ${rows.length} rows`);
      const isFolded = fold === "normal" && !contextOf(calls, fold, width).running;
      if (isFolded) {
        const [call] = calls;
        const most = calls.length > 1
          ? budget
          : call!.stage === "error"
          ? 4
          : call!.stage === "incomplete"
          ? 2
          : budget;
        assert.ok(rows.length <= most, `${where}: ${rows.length} rows of ${most}`);
        assert.ok(!parts.some(isLongPart), `${where}: long text in a folded view`);
      }
      if (width % 8 === 0) assert.deepEqual(partsOf(calls, fold, width), parts, `${where}: drawn twice`);
    }
  }
}

for (const [name, kind] of Object.entries(KINDS)) {
  Deno.test(`${name} in every stage, fold mode and width`, () => {
    for (const call of callsOf(kind)) check([call], kind.budget);
  });
}

Deno.test("Read groups in every mix of stages, fold mode and width", () => {
  const all = STAGES.map((stage, index) =>
    callOf({
      name: "Read",
      stage,
      args: stage === "streaming" ? '{"file_path":"/repo/宽/' : { file_path: `/repo/src/宽/${index}.ts` },
      summary: stage === "error" ? "File not found" : "",
    })
  );
  const final = all.filter((call) =>
    call.stage === "done" || call.stage === "error" || call.stage === "incomplete"
  );
  check(all, 6);
  check(final, 6);
  check([...final, ...final, ...final, ...final], 6);
  check(
    Array.from({ length: 50 }, (_, index) => callOf({ name: "Read", args: { file_path: `f${index}` } })),
    6,
  );
});

Deno.test("E04 a running call looks in normal exactly as in detail", () => {
  for (const kind of Object.values(KINDS)) {
    for (const call of callsOf(kind)) {
      if (call.stage !== "pending" && call.stage !== "streaming" && call.stage !== "executing") continue;
      for (const width of [20, 80]) {
        assert.deepEqual(
          rowsOf(partsOf([call], "normal", width), width),
          rowsOf(partsOf([call], "detail", width), width),
        );
      }
    }
  }
});

Deno.test("E07 overview shows the first line of the summary verbatim, cut with an ellipsis", () => {
  for (const [name, kind] of Object.entries(KINDS)) {
    const call = callOf({
      ...kind.sketch,
      summary: "Found  3 宽 files\nand more",
      output: "x",
      more: { ...kind.sketch.more, ...kind.result },
    });
    const shown = (width: number) =>
      partsOf([call], "overview", width).map((part) => isLongPart(part) ? "" : lineText(part));
    assert.deepEqual(shown(40), ["Found  3 宽 files"], name);
    assert.deepEqual(shown(17), ["Found  3 宽 files"], name);
    assert.deepEqual(shown(16), ["Found  3 宽 fil…"], name);
    assert.deepEqual(shown(10), ["Found  3 …"], name);
  }
});

Deno.test("edge 37 names match ignoring case; unknown and empty names fall back", () => {
  const named = (name: string) => rendererFor([callOf({ name, args: {} })]);
  assert.equal(named("read"), named("Read"));
  assert.notEqual(named("read"), named("mcp__x__y"));
  assert.equal(named(""), named("mcp__x__y"));
  assert.equal(named("n".repeat(300)), named("mcp__x__y"));
});

Deno.test("any call at all is drawn within its bounds", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.constant(NASTY),
  );
  const value = fc.oneof(
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(text, { maxLength: 3 }),
    fc.boolean(),
  );
  const names = ["Read", "Write", "Edit", "MultiEdit", "apply_patch", "Glob", "Grep", "Bash", "other", ""];
  const keys = [
    "file_path",
    "content",
    "old_string",
    "new_string",
    "edits",
    "patch",
    "pattern",
    "path",
    "command",
    "offset",
    "limit",
  ];
  const call = fc.record({
    name: fc.constantFrom(...names),
    stage: fc.constantFrom(...STAGES),
    args: fc.oneof(text, fc.dictionary(fc.oneof(fc.constantFrom(...keys), text), value, { maxKeys: 6 })),
    summary: text,
    output: fc.option(text),
    more: fc.constantFrom<Partial<ToolCall>>(
      {},
      { late: true },
      body({ type: "text", text: NASTY }),
      body(terminal(NASTY)),
    ),
  });
  fc.assert(
    fc.property(call, fc.integer({ min: 1, max: 120 }), (sketch, width) => {
      const one = callOf(sketch);
      for (const fold of FOLDS) {
        const rows = rowsOf(partsOf([one], fold, width), width);
        assert.ok(rows.length > 0);
        for (const row of rows) {
          assert.ok(
            lineWidth(row) <= width,
            `${fold} ${width}: ${lineWidth(row)} cells in ${JSON.stringify(lineText(row))}`,
          );
          // deno-lint-ignore no-control-regex
          assert.doesNotMatch(lineText(row), /[\0-\x1f\x7f-\x9f\u202a-\u202e]/);
        }
        if (fold === "overview") assert.equal(rows.length, 1);
        if (fold === "normal" && !contextOf([one], fold, width).running) assert.ok(rows.length <= 13);
      }
    }),
    { numRuns: 400 },
  );
});
