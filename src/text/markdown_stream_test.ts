import assert from "node:assert/strict";
import fc from "fast-check";
import { loadClusterWidths } from "./graphemes.ts";
import type { Line } from "./line.ts";
import { createMarkdown, loadMarkdown, markdownLines, updateMarkdown } from "./markdown.ts";
import { blockShapes } from "./markdown_blocks.ts";
import { lexBlocks, lexInline } from "./markdown_lexer.ts";
import { drawShapes, type RowSink } from "./markdown_rows.ts";
import { markdownSource } from "./markdown_source.ts";
import { CUT_START, cutPieces, LONGEST_PIECE, LONGEST_PLAIN, type Piece } from "./markdown_stream.ts";

await loadMarkdown();
await loadClusterWidths();

/** Lines that begin, end, hold open or only look like a block, and prose of many kinds. */
const LINE = fc.constantFrom(
  ...[
    "",
    "",
    "",
    "",
    "plain words",
    "more plain, with (brackets) and 3.5 numbers",
    "日本語の文章。「はい」",
    'a $b% c^ d\'s "e"',
  ],
  ...[
    "  two blanks in front",
    "   three",
    "    four: code?",
    "        eight",
    "trailing  ",
    " trailing",
    "one. two",
  ],
  ...["# head", "#nohead", "## head *em*", "====", "---", "--", "- - -", "***", "___", "=", "-", "+", "*"],
  ...[
    "- item",
    "* item",
    "+ item",
    "-no item",
    "1. one",
    "2) two",
    "1.5 is a number",
    "10. ten",
    "1234567890. no",
  ],
  ...[
    "  - nested",
    "   continued",
    "      - deep",
    "- [x] task",
    "- [ ] ",
    "-   ",
    "1.",
    "- ```",
    "- > q",
    "> - q",
  ],
  ...[
    "```",
    "```ts",
    "````",
    "~~~",
    "~~~ a`b",
    "``` a`b",
    " ```",
    "  ```js",
    "   ~~~",
    "    ```",
    "  ````",
    "``",
  ],
  ...["> quote", ">", ">> two", "> ```", "> # h", "  > q", "lazy"],
  ...[
    "<div>",
    "</div>",
    "<!-- open",
    "close -->",
    "<!-- x -->",
    "<pre>",
    "</pre>",
    "<?php",
    "?>",
    "<b>in</b> line",
    "<x-y>",
  ],
  ...[
    "[a]: http://x.y",
    '[a]: <u> "open',
    'close"',
    "[b]:",
    "[a] and [b][a]",
    '[link](to "t")',
    "![i](j)",
    "[a",
    "b]: c",
  ],
  ...["| a | b |", "|---|---|", "a | b", "--|--", ":-:", "| 1 | 2 | 3 |", "| only"],
  ...[
    "*em* and **strong**",
    "under_score_d",
    "`code`",
    "a\\",
    "\\# no",
    "&amp; &#27; &x;",
    "www.x.com http://y.z a@b.co",
    "~~s~~",
  ],
  ...["\tcode", "-\ttab", "a\tb", "ESC \x1b[2J", "zwj 👩‍💻 flag 🇯🇵", "\u3000wide blank", "\u00a0"],
);
const SOURCE = fc.array(LINE, { maxLength: 14 }).map((lines) => lines.join("\n"));

function drawn(text: string, width: number): readonly Line[] {
  const md = createMarkdown();
  updateMarkdown(md, text, true);
  return markdownLines(md, width);
}

/** How often a property is tried; more to hunt for faults. */
const RUNS = Number(Deno.env.get("FAST_CHECK_RUNS") ?? 1500);

/** The lines as the parser alone gives them, all text read at once. */
function drawnByParser(text: string, width: number): readonly Line[] {
  const blocks = lexBlocks(markdownSource(text));
  assert(blocks !== null);
  const sink: RowSink = { rows: [], source: 0, open: null };
  drawShapes(blockShapes(blocks, (inline) => lexInline(inline, blocks.links)), width, sink);
  return sink.rows;
}

/** Lines in a form that shows what differs: text with its roles, and where it comes from. */
function shown(lines: readonly Line[]): readonly string[] {
  return lines.map((line) =>
    `${line.source}:${line.offset} ` + line.spans.map((span) => `${span.text}<${span.role}>`).join("")
  );
}

Deno.test("pieces give the lines that the parser gives for the whole text", () => {
  fc.assert(
    fc.property(SOURCE, fc.integer({ min: 1, max: 40 }), (text, width) => {
      // The parser takes a wide blank for a fence's indent and drops it; we do not.
      fc.pre(!/^ {1,3}```[^]*^ *[\u3000\u00a0]/m.test(text));
      assert.deepEqual(shown(drawn(text, width)), shown(drawnByParser(text, width)));
    }),
    { numRuns: RUNS },
  );
});

Deno.test("a streamed message ends as the whole one, however it is cut", () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });
  const ends = fc.constantFrom("\n", "\r\n", "\r");
  fc.assert(
    fc.property(
      SOURCE,
      cuts,
      ends,
      fc.integer({ min: 1, max: 60 }),
      fc.boolean(),
      (source, lengths, end, width, draw) => {
        const text = source.replaceAll("\n", end);
        const md = createMarkdown();
        for (let at = 0, turn = 0; at < text.length; turn++) {
          at += lengths[turn % lengths.length]!;
          updateMarkdown(md, text.slice(0, at), false);
          if (draw || turn % 3 === 0) markdownLines(md, turn % 5 === 0 ? width + 1 : width);
        }
        updateMarkdown(md, text, true);
        assert.deepEqual(shown(markdownLines(md, width)), shown(drawn(text, width)));
      },
    ),
    { numRuns: RUNS / 5 },
  );
});

Deno.test("a message longer than a piece ends the same too, streamed or whole", () => {
  const block = fc.constantFrom(
    ...[
      "word ".repeat(300),
      "日本語の文。".repeat(200),
      "- item\n".repeat(700),
      "| a | b |\n|--|--|\n" + "| 1 | 2 |\n".repeat(900),
    ],
    ...[
      "```\n" + "code\n".repeat(1100) + "```",
      "<!-- " + "text\n\n".repeat(900),
      "> quote\n".repeat(600),
      "line\n".repeat(1200),
    ],
    ...[
      "para *em*\n\n".repeat(300),
      "[a]: http://x\n\n[a]\n\n",
      "1. one\n\n   ```\n   x\n   ```\n".repeat(80),
    ],
  );
  fc.assert(
    fc.property(
      fc.array(block, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 500, max: 9000 }),
      (blocks, step) => {
        const text = blocks.join("\n");
        const md = createMarkdown();
        for (let at = step; at < text.length; at += step) {
          updateMarkdown(md, text.slice(0, at), false);
          markdownLines(md, 80);
        }
        updateMarkdown(md, text, true);
        assert.deepEqual(shown(markdownLines(md, 80)), shown(drawn(text, 80)));
      },
    ),
    { numRuns: RUNS / 50 },
  );
});

Deno.test("what is cut off stays as it is whatever follows", () => {
  fc.assert(
    fc.property(SOURCE, fc.nat(400), (source, at) => {
      const start = markdownSource(source).slice(0, at);
      const before = cutPieces(start, CUT_START, false).pieces;
      const after = cutPieces(markdownSource(source), CUT_START, true).pieces;
      assert.deepEqual(after.slice(0, before.length), before);
    }),
    { numRuns: RUNS },
  );
});

Deno.test("no piece is longer than its bound, but for one line", () => {
  const long: readonly [string, number, Piece["kind"]][] = [
    ["prose line\n".repeat(5000), LONGEST_PLAIN, "plain"],
    ["```\n" + "code\n".repeat(9000), LONGEST_PLAIN, "fence"],
    ["- item\n".repeat(9000), LONGEST_PIECE, "blocks"],
    ["<!-- " + "never closed\n\n".repeat(5000), LONGEST_PIECE, "blocks"],
  ];
  for (const [text, most, kind] of long) {
    const { pieces } = cutPieces(text, CUT_START, true);
    assert(pieces.length > 3);
    assert.equal(pieces[0]?.kind, kind);
    for (const piece of pieces) {
      assert(piece.text.length <= most + 16, `${piece.text.length} units of ${kind}`);
    }
  }
});

Deno.test("prose, and fences, never reach the parser", () => {
  const prose =
    'Plain words, 3.5 of them (or more); it\'s "quoted".\nNext line.\n\n日本語の文章。「はい」 R&D\n\n';
  const kinds = cutPieces(prose + "```ts\n# *no* mark\n\n- at all\n```\n" + prose, CUT_START, true).pieces
    .map((p) => p.kind);
  assert.deepEqual(kinds, ["plain", "plain", "fence", "plain", "plain"]);
});

Deno.test("lists nested too deep are shown as they are", () => {
  const nested = Array.from({ length: 300 }, (_, depth) => " ".repeat(depth * 2) + "- x").join("\n");
  assert(cutPieces(nested, CUT_START, true).pieces.every((piece) => piece.kind === "literal"));
  assert.equal(cutPieces("> ".repeat(300) + "x", CUT_START, true).pieces[0]?.kind, "literal");
  assert.equal(cutPieces("> ".repeat(5) + "x", CUT_START, true).pieces[0]?.kind, "blocks");
});

Deno.test("a table longer than a piece goes on under its head", () => {
  const row = (n: number) => `| ${n} | ${"cell ".repeat(8)}| x |\n`;
  const text = "Intro:\n| n | text | z |\n|--:|---|---|\n" +
    Array.from({ length: 500 }, (_, n) => row(n)).join("");
  const { pieces } = cutPieces(text, CUT_START, true);
  assert(pieces.length > 2);
  for (const piece of pieces) assert(piece.text.includes("| n | text | z |\n|--:|---|---|\n"));
  const rows = drawn(text, 80).map((line) => line.spans.map((span) => span.text).join(""));
  for (let n = 0; n < 500; n++) {
    assert(rows.some((each) => each.startsWith(`│ ${String(n).padStart(3)} │ cell `)), `${n}`);
  }
});
