// What Markdown costs, whole and streamed, beside the budgets of S2, S3 and S7.

import { loadClusterWidths } from "./graphemes.ts";
import { diffLines, loadLineDiff } from "./line_diff.ts";
import {
  createMarkdown,
  loadMarkdown,
  markdownLines,
  type MarkdownText,
  updateMarkdown,
} from "./markdown.ts";

await loadMarkdown();
await loadClusterWidths();
await loadLineDiff();

const PROSE =
  "We need to check what this function returns, since drawing it again makes the screen flicker.\n\n" +
  "我们需要检查这个函数的返回值，因为它在重新绘制时会导致屏幕闪烁。日本語のテキストも含めて幅を計算する。\n\n";
const MESSAGE =
  "## What changed\n\nThe *width* of `cellWidth` was **wrong** for [emoji](https://example.com/emoji).\n\n" +
  "- first item with `code`\n- second item\n  - nested, with **bold** words\n\n1. one\n2. two\n\n" +
  "```ts\nexport function cellWidth(text: string): number {\n  return text.length;\n}\n```\n\n" +
  "| column | width | note |\n|---|--:|---|\n| `a` | 1 | narrow |\n| 宽 | 2 | wide |\n\n" +
  "> A quote over\n> two lines.\n\nPlain words at the end of it, as most of a message is.\n\n";

function whole(text: string): MarkdownText {
  const md = createMarkdown();
  updateMarkdown(md, text, true);
  return md;
}

const prose = PROSE.repeat(700);
const mixed = MESSAGE.repeat(20);

Deno.bench(`prose, ${prose.length >> 10} KB whole, 120 cells`, () => void markdownLines(whole(prose), 120));
Deno.bench(
  `Markdown, ${mixed.length >> 10} KB whole, 120 cells`,
  () => void markdownLines(whole(mixed), 120),
);

const known = whole(mixed);
let width = 0;
Deno.bench(`Markdown, ${mixed.length >> 10} KB at a new width`, () => {
  width = width % 60 + 1;
  markdownLines(known, 60 + width);
});

const streamed = MESSAGE.repeat(5);
Deno.bench(`Markdown, ${streamed.length} signs streamed, 4 a delta, drawn each time`, () => {
  const md = createMarkdown();
  for (let at = 4; at < streamed.length; at += 4) {
    updateMarkdown(md, streamed.slice(0, at), false);
    markdownLines(md, 100);
  }
});

const list = "- an item of a list that does not end, with `code`\n".repeat(130);
Deno.bench(`one list, ${list.length} signs streamed, 4 a delta, drawn each time`, () => {
  const md = createMarkdown();
  for (let at = 4; at < list.length; at += 4) {
    updateMarkdown(md, list.slice(0, at), false);
    markdownLines(md, 100);
  }
});

const lines = Array.from({ length: 10_000 }, (_, at) => `line ${at}\n`);
const old = lines.join("");
const few = lines.map((line, at) => at % 100 === 0 ? `changed ${line}` : line).join("");
const all = lines.map((line) => `changed ${line}`).join("");
Deno.bench("diff of 10,000 lines, 1 in 100 changed", () => void diffLines(old, few));
Deno.bench("diff of 10,000 lines, all changed (given up)", () => void diffLines(old, all));
