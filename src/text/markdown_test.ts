import assert from "node:assert/strict";
import fc from "fast-check";
import { cellWidth, graphemes, loadClusterWidths } from "./graphemes.ts";
import { type Line, lineText, lineWidth } from "./line.ts";
import {
  createMarkdown,
  loadMarkdown,
  markdownGeneration,
  markdownLines,
  type MarkdownText,
  updateMarkdown,
} from "./markdown.ts";
import { lexedLength } from "./markdown_lexer.ts";

function whole(text: string): MarkdownText {
  const md = createMarkdown();
  updateMarkdown(md, text, true);
  return md;
}

function texts(lines: readonly Line[]): readonly string[] {
  return lines.map(lineText);
}

/** Rows of a message, each without the blanks at its end. */
function rows(text: string, width: number): readonly string[] {
  return texts(markdownLines(whole(text), width)).map((row) => row.trimEnd());
}

function check(text: string, expected: readonly string[], width = 40): void {
  assert.deepEqual(rows(text, width), expected);
}

/** The first rows with their roles. */
function checkRoles(text: string, expected: readonly string[], width = 60): void {
  const shown = markdownLines(whole(text), width).map((line) =>
    line.spans.map((span) => `${span.text}<${span.role}>`).join("")
  );
  assert.deepEqual(shown.slice(0, expected.length), expected);
}

Deno.test("before the parser is loaded a message is plain text, then the generation grows", async () => {
  await loadClusterWidths();
  const text = "Some *words* of it\n\n- item\n\n```ts\ncode\n```";
  const md = whole(text);
  assert.deepEqual(texts(markdownLines(md, 20)), ["Some *words* of it", "", "- item", "", "ts", "  code"]);
  const before = markdownGeneration();
  await loadMarkdown();
  assert.equal(markdownGeneration(), before + 1);
  assert.deepEqual(texts(markdownLines(md, 20)), ["Some words of it", "", "- item", "", "ts", "  code"]);
});

Deno.test("headings: two are underlined, the deeper ones keep their marks", () => {
  check("# One *a*\ntext", ["One a", "═════", "text"]);
  check("## Two\n\ntext", ["Two", "───", "", "text"]);
  check("### Three\n###### Six ##", ["### Three", "###### Six"]);
  check("Set\n===\n\nAlso\n---", ["Set", "═══", "", "Also", "────"]);
  check("#", ["#"]);
  checkRoles("# 漢字 **b**", ["漢字 b<md.heading>", "══════<md.heading>"]);
});

Deno.test("emphasis is a role; marks that mean something stay", () => {
  checkRoles("a *b* **c** ***d*** ~~e~~ `f`", [
    "a <default>b<md.emphasis> <default>c<md.strong> <default>d<md.strong_emphasis> <default>~~e~~<md.strike> " +
    "<default>`f`<md.code>",
  ]);
  check("`` a`b `` and `` ` ``", ["``a`b`` and `` ` ``"]);
  check("snake_case_name 2*3*4 \\*literal\\*", ["snake_case_name 234 *literal*"]);
});

Deno.test("links show label and target, once where they are the same", () => {
  checkRoles("[label](http://x.y)", ["label<md.link> (http://x.y)<md.link_target>"]);
  checkRoles("[http://x.y](http://x.y) <http://a.b> www.c.d m@n.op", [
    "http://x.y<md.link> <default>http://a.b<md.link> <default>www.c.d<md.link> <default>m@n.op<md.link>",
  ]);
  check('[l](u "t") ![alt](i.png) ![](j.png)', ['l (u "t") image: alt (i.png) image', "(j.png)"]);
  check("[l](a&amp;b)", ["l (a&b)"]);
  check("[l][r] and [r]\n\n[r]: http://z", ["l (http://z) and r (http://z)", "", "[r]: http://z"]);
});

Deno.test("fences have their label, an indent, and are wrapped by cells", () => {
  check("```ts title\nconst a = 1;\n\n  two words  x\n```\nafter", [
    ...["ts title", "  const a = 1;", "", "    two words  x", "after"],
  ]);
  check("```\nabcdefghij klm\n```", ["  abcdefgh", "  ij klm"], 10);
  check("    indented\n    code", ["  indented", "  code"]);
  check("```\n```", []);
  checkRoles("~~~py\n*x*", ["py<md.fence_mark>", "  <md.fence>*x*<md.fence>"]);
});

Deno.test("lists: nested, with their numbers, with boxes", () => {
  check("- a\n- b\n  - c\n    more\n\n    para\n- [x] d\n- [ ] e", [
    ...["- a", "- b", "  - c", "    more", "", "    para", "- [x] d", "- [ ] e"],
  ]);
  check("9. nine\n9. ten\n   - in", [" 9. nine", "10. ten", "    - in"]);
  check("3) a\n4) b", ["3) a", "4) b"]);
  check("0. a\n2. b\n2. c\n10. d", [" 0. a", " 2. b", " 3. c", "10. d"]);
  check("- a\n\n- b", ["- a", "", "- b"]);
  check("1. a\n\n   ```sh\n   x\n   ```\n2. b", ["1. a", "", "   sh", "     x", "2. b"]);
  check("- aaa bbb ccc", ["- aaa bbb", "  ccc"], 9);
  check("- aa bb", ["- aa", "  bb"], 4);
  check("- aa bb", ["-", "aa", "bb"], 3);
  check("-\n- a", ["-", "- a"]);
});

Deno.test("quotes have their mark on every row, rules the whole width", () => {
  check(
    "> one two three\n> ```\n> c\n> ```\n>\n> > in",
    ["│ one two", "│ three", "│   c", "│", "│ │ in"],
    12,
  );
  checkRoles("> a **b**", ["│ <md.quote_mark>a <md.quote>b<md.strong>"]);
  check("a\n\n---\n\nb", ["a", "", "──────────", "", "b"], 10);
});

Deno.test("HTML is text, entities are decoded, controls are tokens", () => {
  checkRoles("a <b>c</b>", ["a <default><b><md.html>c<default></b><md.html>"]);
  check("<div>\n  <p>x</p>\n</div>\n\ny", ["<div>", "  <p>x</p>", "</div>", "", "y"]);
  check("R&amp;D &lt;x&gt; &copy; &#8212; &#x4e00; &nope; &amp;lt;", ["R&D <x> © — 一 &nope; &lt;"]);
  check("a \x1b[2J b &#27;[31m c &#x202e; d\u202e", ["a \\x1b[2J b \\x1b[31m c <U+202E> d<U+202E>"], 60);
  check("`&amp;`", ["`&amp;`"]);
});

Deno.test("line breaks of the source stay; blank lines are one blank row", () => {
  check("one\ntwo  \nthree\\\nfour\n\n\n\nfive", ["one", "two", "three", "four", "", "five"]);
  check("a\r\n\r\nb\rc", ["a", "", "b", "c"]);
  check("", []);
  check("\n\n \n", []);
  check("\n\na\n\n", ["a"]);
});

Deno.test("tabs in a line's head are Markdown's, later ones the terminal's", () => {
  check("- a\n\t- b", ["- a", "  - b"]);
  check("-\ta", ["- a"]);
  check("a\tb", ["a       b"]);
  check("```\n\tx\n```", ["      x"]);
});

const MIXED = fc.array(
  fc.constantFrom(
    ...[
      "# h\n",
      "text words ",
      "\n",
      "\n\n",
      "- item\n",
      "  - nested\n",
      "1. one\n",
      "> quote\n",
      ">> deeper\n",
      "漢字「かな」、",
    ],
    ...[
      "👩‍💻🇯🇵",
      "e\u0301",
      "*em*",
      "**s**",
      "`code`",
      "~~x~~",
      "[l](http://target)",
      "```\n",
      "| a | 宽 |\n|--|:-:|\n| 1 | 👍🏽 x |\n",
    ],
    ...[
      "\t",
      "\x1b[1m",
      "\u202e",
      "&#9;",
      "<div>\n",
      "---\n",
      "![i](j)",
      "    code\n",
      "- [x] t\n",
      "\u200d",
      "\ud800",
      "averyveryverylongword",
    ],
  ),
  { maxLength: 25 },
).map((parts) => parts.join(""));

Deno.test("no row is wider than its width, none has a control, and the same text gives the same rows", () => {
  fc.assert(
    fc.property(MIXED, fc.integer({ min: 1, max: 120 }), (text, width) => {
      const lines = markdownLines(whole(text), width);
      for (const line of lines) {
        assert(lineWidth(line) <= width, `${lineWidth(line)} cells: ${JSON.stringify(lineText(line))}`);
        assert.doesNotMatch(lineText(line), /[\p{Cc}\p{Cs}\u202e]/u);
      }
      assert.deepEqual(markdownLines(whole(text), width), lines);
    }),
    { numRuns: 3000 },
  );
});

Deno.test("a line's source does not depend on the width, and places rise", () => {
  fc.assert(
    fc.property(
      MIXED,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 41, max: 120 }),
      (text, narrow, wide) => {
        const md = whole(text);
        const sources = [narrow, wide].map((width) => {
          let last: Line = { spans: [], source: 0, offset: 0 };
          for (const line of markdownLines(md, width)) {
            const rises = line.source! > last.source! ||
              line.source === last.source && line.offset! >= last.offset!;
            assert(rises, `${line.source}:${line.offset} behind ${last.source}:${last.offset}`);
            last = line;
          }
          return last.source;
        });
        assert.equal(sources[0], sources[1]);
      },
    ),
    { numRuns: 1000 },
  );
});

Deno.test("lines are kept for two widths while nothing changes", () => {
  const md = whole("a *b*\n\n- c");
  const first = markdownLines(md, 40);
  const second = markdownLines(md, 20);
  assert.equal(markdownLines(md, 40), first);
  assert.equal(markdownLines(md, 20), second);
  updateMarkdown(md, "a *b*\n\n- c", true);
  assert.equal(markdownLines(md, 20), second);
  markdownLines(md, 30);
  assert.notEqual(markdownLines(md, 40), first);
  assert.deepEqual(markdownLines(md, 40), first);
});

Deno.test("a text that does not go on from the one before is read anew", () => {
  const md = createMarkdown();
  updateMarkdown(md, "one\n\ntwo\n\nthree", false);
  markdownLines(md, 40);
  updateMarkdown(md, "one\n\nTWO\n\nthree and *four*", false);
  assert.deepEqual(texts(markdownLines(md, 40)), ["one", "", "TWO", "", "three and four"]);
  updateMarkdown(md, "x", true);
  assert.deepEqual(texts(markdownLines(md, 40)), ["x"]);
});

Deno.test("a paragraph does not flash as a heading when a list begins below it", () => {
  const md = createMarkdown();
  const text = "Intro:\n- item";
  for (let at = 1; at <= text.length; at++) {
    updateMarkdown(md, text.slice(0, at), false);
    assert(!texts(markdownLines(md, 40)).includes("──────"), text.slice(0, at));
  }
  updateMarkdown(md, "Intro:\n-", true);
  assert.deepEqual(texts(markdownLines(md, 40)), ["Intro:", "──────"]);
});

Deno.test("a long paragraph that grows in one line is never broken in its middle", () => {
  const md = createMarkdown();
  let text = "A **strong** beginning ";
  for (let word = 100; text.length < 3500; word++) {
    text += `word${word} `;
    updateMarkdown(md, text, false);
    const rows = texts(markdownLines(md, 60));
    assert.ok(rows.slice(0, -1).every((row) => row.length > 50), text.slice(-20));
  }
});

Deno.test("marks that join a sign stay with it across Markdown's own marks", () => {
  checkRoles("**a**\u0301b", ["a\u0301<md.strong>b<default>"]);
  checkRoles("**\u0301b**", ["<U+0301>b<md.strong>"]);
});

const T = "A漢字かな交じり文、「折り返し」の試験です。한글도 섞어서 mixed words 中文排版没有空格".repeat(3);
const CHINESE_OR_JAPANESE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。「」]/u;

Deno.test("U05 wide characters at the right edge, whole and one code point a delta", () => {
  for (let width = 20; width <= 45; width++) {
    const streamed = createMarkdown();
    let sent = "";
    for (const point of T) {
      sent += point;
      updateMarkdown(streamed, sent, false);
      for (const line of markdownLines(streamed, width)) assert(lineWidth(line) <= width);
    }
    updateMarkdown(streamed, sent, true);
    const lines = markdownLines(streamed, width);
    assert.deepEqual(lines, markdownLines(whole(T), width));
    let at = 0;
    for (const [row, text] of texts(lines).entries()) {
      if (row > 0 && T.charAt(at) === " ") at++;
      assert(T.startsWith(text, at), `row ${row} of ${width} cells: ${text}`);
      at += text.length;
      checkRightEdge(text, T.slice(at), width);
    }
    assert.equal(at, T.length);
  }
});

/** A row that ends inside Chinese or Japanese has 1 free cell at most, 5 where a sign must not begin or end a row. */
function checkRightEdge(text: string, rest: string, width: number): void {
  const last = graphemes(text).at(-1) ?? "";
  if (!CHINESE_OR_JAPANESE.test(rest) || !CHINESE_OR_JAPANESE.test(last)) return;
  const free = width - cellWidth(text);
  const next = graphemes(rest);
  const bound = [next[0], next[1], last].some((sign) => /^[、。」「]$/.test(sign ?? ""));
  assert(free <= (bound ? 5 : 1), `${free} free cells in ${width}: ${text}`);
}

const TABLE = "| 項目 | 版本 | 状態 |\n|---|---|---|\n| 前端フレーム | 4.2.0 | 已发布 |\n" +
  "| CLI | 2.0.1 | 🟡 pending |\n| 最終行 | 9 | end |\n";
const CELLS = [
  "項目",
  "版本",
  "状態",
  "前端フレーム",
  "4.2.0",
  "已发布",
  "CLI",
  "2.0.1",
  "🟡 pending",
  "最終行",
  "end",
];

Deno.test("U10 a CJK table at 80: separators stand in one column, streamed as whole", () => {
  const lines = checkStreamed(TABLE + "\nText after it.", 80);
  const separators = texts(lines).filter((row) => row.includes("│")).map((row) => {
    const columns: number[] = [];
    let column = 0;
    for (const sign of graphemes(row)) {
      if (sign === "│") columns.push(column);
      column += cellWidth(sign);
    }
    return columns.join();
  });
  assert.equal(separators.length, 4);
  assert.equal(new Set(separators).size, 1);
  for (const cell of CELLS) assert(texts(lines).some((row) => row.includes(cell)), cell);
  assert.equal(texts(lines).at(-1), "Text after it.");
});

Deno.test("U10 a CJK table at 24: nothing is wider, every cell is readable in full", () => {
  const lines = checkStreamed(TABLE + "\nText after it.", 24);
  for (const line of lines) assert(lineWidth(line) <= 24);
  for (const cell of CELLS) assert(texts(lines).some((row) => row.includes(cell)), cell);
  assert.equal(texts(lines).at(-1), "Text after it.");
});

/** Streams one character a delta; the height never shrinks by more than the rows of the table. */
function checkStreamed(text: string, width: number): readonly Line[] {
  const expected = markdownLines(whole(text), width);
  const md = createMarkdown();
  let sent = "";
  let height = 0;
  for (const sign of text) {
    sent += sign;
    updateMarkdown(md, sent, false);
    const now = markdownLines(md, width).length;
    // The text below the table is two of the rows.
    assert(now >= height - (expected.length - 2), `${height} rows shrank to ${now}`);
    height = now;
  }
  assert.equal(sent, text);
  updateMarkdown(md, sent, true);
  assert.deepEqual(markdownLines(md, width), expected);
  return expected;
}

/** What the parser is given while a text is streamed in pieces of 32 and drawn each time. */
function streamedWork(text: string): number {
  const before = lexedLength();
  const md = createMarkdown();
  for (let at = 32; at < text.length + 32; at += 32) {
    updateMarkdown(md, text.slice(0, at), at >= text.length);
    markdownLines(md, 80);
  }
  const after = lexedLength();
  return after.block + after.inline - before.block - before.inline;
}

Deno.test("streaming a message costs what its length says, whatever it is made of", () => {
  const parts: readonly string[] = [
    "A paragraph of *several* words and `code`, as messages are made of.\n\n",
    "- an item with `code` in it\n",
    "| a | b |\n",
    "a *very* long line without any end ",
    "> quote\n",
    "<!-- \n\n",
  ];
  for (const part of parts) {
    const short = part.repeat(25_000 / part.length | 0);
    const long = part.repeat(50_000 / part.length | 0);
    const [less, more] = [streamedWork(short), streamedWork(long)];
    assert(more <= 2.3 * less + 20_000, `${less} for half, ${more} for all of ${JSON.stringify(part)}`);
    assert(more <= 100 * long.length, `${more / long.length} times the length of ${JSON.stringify(part)}`);
  }
});

Deno.test("prose is never given to the parser", () => {
  const before = lexedLength();
  markdownLines(whole("Plain words, one after the other.\n日本語の文章。\n\n".repeat(2000)), 80);
  assert.deepEqual(lexedLength(), before);
});

Deno.test("hostile text stays unread where reading it would be slow", () => {
  const before = lexedLength();
  const hostile = [
    "a_".repeat(20_000),
    "a_".repeat(2_000),
    "*a ".repeat(1_300),
    "[".repeat(4_000),
    Array.from({ length: 300 }, (_, depth) => " ".repeat(depth * 2) + "- x").join("\n"),
    "> ".repeat(1_000) + "x",
  ];
  for (const text of hostile) {
    const shown = rows(text, 80).join("").replaceAll(" ", "");
    assert.equal(shown, text.replaceAll(/[ \n]/g, ""));
  }
  assert.equal(lexedLength().inline, before.inline);
});
