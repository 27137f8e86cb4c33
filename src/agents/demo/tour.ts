// The tour: one of every kind of block, as model steps. Pure; it runs through the same tools as any request.

import type { ModelStep, ToolUse } from "./steps.ts";
import type { PlanItem } from "../../transcript/event.ts";
import { planAt } from "./plan.ts";

const NOTES = "trifold-tour.md";
const PLAN = ["Look around", "Change a file", "Run something", "Show a card"];

const DRAFT = [
  "# Notes of the tour",
  "",
  "1. Read what is there.",
  "2. Search it.",
  "3. Change one line, no more.",
  "4. Run the checks.",
  "",
  "Written by the demo agent.",
  "",
].join("\n");

const GREETING = [
  "Welcome. This turn shows **one of everything**; `Ctrl-O` switches between three ways to fold it.",
  "",
  "| text | cells | what it is |",
  "|---|---:|---|",
  "| `plain` | 5 | one cell a letter |",
  "| 漢字かな | 8 | two cells a sign |",
  "| 한국어 | 6 | Hangul |",
  "| 👩‍🔬 🇯🇵 👍🏽 | 8 | emoji of several code points |",
  "",
  "> A quote, a list and code:",
  "",
  "- first with *emphasis*",
  "- then ~~struck~~ and `code`",
  "  1. nested, with a [link](https://example.com/docs)",
  "",
  "```ts",
  'const width = cellWidth("宽 column"); // 9',
  "```",
].join("\n");

const CHECKS =
  "for part in wrap width theme frame; do echo \"checking $part\"; sleep 0.15; done; echo '4 parts checked'";
const FAILING = "echo '2 tests, 1 failed: width 2 expected, 1 found' >&2; exit 1";

/** The tour's steps; `files` are up to three text files to read, best first. */
export function tourSteps(files: readonly string[]): ModelStep[] {
  const reads = files.slice(0, 3).map((path): ToolUse => ({
    tool: "Read",
    input: { file_path: path, limit: 40 },
  }));
  return [
    {
      reasoning:
        "They want to see what I can show.\n\nFirst a look around, then a change in a scratch copy, then a command that works and one that does not. 一つずつ順番に。",
      text: GREETING,
      calls: [],
    },
    {
      text: reads.length === 0
        ? "Nothing to read here, so I only list files."
        : "Now the tools. What only looks goes side by side.",
      plan: planItems(0),
      calls: [...reads, { tool: "Glob", input: { pattern: "*" } }, {
        tool: "Grep",
        input: { pattern: "TODO|FIXME" },
      }],
    },
    {
      text: "A file of my own, in a scratch copy of this directory: yours stay as they are.",
      plan: planItems(1),
      calls: [{ tool: "Write", input: { file_path: NOTES, content: DRAFT } }],
    },
    { calls: [{ tool: "Read", input: { file_path: NOTES } }] },
    {
      calls: [{
        tool: "Edit",
        input: {
          file_path: NOTES,
          old_string: "3. Change one line, no more.\n",
          new_string: "3. Change one line, and add another.\n   それだけ。 ✅\n",
        },
      }],
    },
    {
      reasoning: "Now the checks. The second one is meant to fail.",
      text: "Output comes while a command runs; an error keeps its place.",
      plan: planItems(2),
      calls: [{ tool: "Bash", input: { command: CHECKS } }],
    },
    { calls: [{ tool: "Bash", input: { command: FAILING } }] },
    {
      note: { level: "warn", message: "One check failed, as the tour wants it to" },
      text: "A tool may also bring a card of its own:",
      plan: planItems(3),
      calls: [releaseCard()],
    },
    {
      plan: planItems(4),
      text: [
        "That was all. Below this stand the turn's numbers: result, requests, tokens, time.",
        "",
        "Try `read`, `edit` or `run` yourself (`help` lists them), or start a real agent: `trifold run -- CMD`.",
      ].join("\n"),
      calls: [],
    },
  ];
}

function releaseCard(): ToolUse {
  return {
    tool: "preview_release",
    input: { channel: "staging", dry_run: true },
    card: {
      before: {
        title: "Preview a release to staging",
        kind: "execute",
        body: [{ type: "markdown", text: "Nothing is sent: **dry run**." }],
      },
      after: {
        title: "Preview a release to staging",
        kind: "execute",
        body: [
          { type: "markdown", text: "**1 file** would change, _0_ would go." },
          { type: "diff", path: "VERSION", old: "0.1.0\n", new: "0.2.0\n" },
          {
            type: "terminal",
            command: "release --dry-run",
            cwd: null,
            output: "would publish 0.2.0\n",
            exit_code: 0,
            signal: null,
          },
          { type: "locations", locations: [{ path: "VERSION", line: 1 }] },
        ],
      },
      summary: "0.2.0 would go to staging",
    },
  };
}

function planItems(at: number): PlanItem[] {
  return planAt(PLAN, at);
}
