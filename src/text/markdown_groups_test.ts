// A long message in groups: together the rows are those of one list, few are kept, and those that were let go are
// drawn again as they were.

import assert from "node:assert/strict";
import { loadClusterWidths } from "./graphemes.ts";
import { lineText } from "./line.ts";
import { createMarkdown, loadMarkdown, markdownGroups, markdownLines, updateMarkdown } from "./markdown.ts";
import { LONGEST_GROUP, MOST_DRAWN } from "./markdown_groups.ts";
import { lexedLength } from "./markdown_lexer.ts";
import { wrapLine } from "./wrap.ts";

await Promise.all([loadMarkdown(), loadClusterWidths()]);

const SECTION = [
  "## Heading\n\nSome *words* with `code` and a [link][here].\nNext line.\n\n",
  "- item one\n- item two\n  - nested **strong**\n\n| a | b |\n|---|---|\n| 1 | 日本語 |\n\n",
  "```ts\nconst a = 1;\n\nfunction f() {}\n```\n\n> quote of a\n> few lines\n\n",
].join("");
const LONG = SECTION.repeat(800);

Deno.test("the groups of a message together are its lines, whole and streamed, at every width", () => {
  for (const width of [20, 80]) {
    const whole = createMarkdown();
    updateMarkdown(whole, LONG, true);
    const expected = markdownLines(whole, width).map(lineText);
    assert.ok(markdownGroups(whole, width).length > 2 * MOST_DRAWN);
    const streamed = createMarkdown();
    for (let at = 5000; at < LONG.length; at += 5000) {
      updateMarkdown(streamed, LONG.slice(0, at), false);
      markdownGroups(streamed, width).at(-1)?.lines();
    }
    updateMarkdown(streamed, LONG, true);
    const groups = markdownGroups(streamed, width);
    assert.deepEqual(groups.flatMap((group) => group.lines().map(lineText)), expected);
    assert.equal(groups.reduce((sum, group) => sum + group.rowCount(), 0), expected.length);
  }
});

Deno.test("groups that are not looked at are let go, and drawn again the same", () => {
  const md = createMarkdown();
  updateMarkdown(md, LONG, true);
  const groups = markdownGroups(md, 60);
  const first = groups[0]!.lines();
  assert.equal(groups[0]!.lines(), first, "kept while it is looked at");
  const before = first.map(lineText);
  for (const group of groups.slice(1)) group.lines();
  const lexed = lexedLength().block;
  assert.equal(groups[0]!.rowCount(), before.length);
  assert.equal(lexedLength().block, lexed, "its height is known without drawing");
  assert.notEqual(groups[0]!.lines(), first, "let go");
  assert.ok(lexedLength().block > lexed);
  assert.deepEqual(groups[0]!.lines().map(lineText), before);
});

Deno.test("at another width only the groups that are asked for are drawn", () => {
  const md = createMarkdown();
  updateMarkdown(md, LONG, true);
  for (const group of markdownGroups(md, 60)) group.lines();
  const before = lexedLength().block;
  const groups = markdownGroups(md, 61);
  assert.ok(groups.at(-1)!.lines().length > 0);
  assert.ok(lexedLength().block - before <= LONG.length / 10);
});

Deno.test("a link defined at the end is known in groups that were let go", () => {
  const md = createMarkdown();
  updateMarkdown(md, LONG, false);
  for (const group of markdownGroups(md, 60)) group.lines();
  updateMarkdown(md, LONG + "[here]: https://example.com\n", true);
  assert.ok(markdownGroups(md, 60)[0]!.lines().some((row) => lineText(row).includes("https://example.com")));
});

Deno.test("a line longer than a group goes on in a row of its own, with nothing lost", () => {
  const text = "word ".repeat(LONGEST_GROUP / 2).trimEnd();
  const md = createMarkdown();
  updateMarkdown(md, text, true);
  const rows = markdownLines(md, 83).map(lineText);
  const whole = wrapLine({ spans: [{ text, role: "default" }] }, 83).map(lineText);
  const letters = (all: readonly string[]) => all.join("").replaceAll(" ", "");
  assert.ok(letters(rows) === letters(whole));
  assert.ok(rows.length - whole.length <= text.length / LONGEST_GROUP);
});
