// Every bound of the table "Bounds" in ARCHITECTURE.md: each row is tested here, under the row's own name, and the
// numbers are those of the code. What is not bounded there grows only with what a session really said.

import assert from "node:assert/strict";
import { createFeed, loadLibraries } from "../src/app/files.ts";
import { LONGEST_QUESTION } from "../src/app/panels/question_panel.ts";
import { parseKeyScript } from "../src/input/key_script.ts";
import { createLineReader, feed } from "../src/recordings/json_lines.ts";
import { createFrame, paintLine } from "../src/screen/frame.ts";
import { clearFrame } from "../src/screen/frame.ts";
import { line, lineText } from "../src/text/line.ts";
import { LONGEST_LINE } from "../src/text/long_line.ts";
import { createMarkdown, markdownGroups, markdownLines, updateMarkdown } from "../src/text/markdown.ts";
import { MOST_COLUMNS } from "../src/text/markdown_stream.ts";
import { GROUP_LENGTH, LONGEST_GROUP, MOST_DRAWN } from "../src/text/markdown_groups.ts";
import { safeText } from "../src/text/outside_text.ts";
import { ONE_LINE_UNITS, oneLine } from "../src/app/one_line.ts";
import { LONGEST_NAME, MOST_NAMES, OTHER_NAMES } from "../src/transcript/counts.ts";
import { createFileCache, fileOfText, storeFile } from "../src/transcript/file_cache.ts";
import { appendLongText, CHUNK_LENGTH, LONGEST_CHUNK, longText } from "../src/transcript/long_text.ts";
import { PROBLEMS_AT_MOST } from "../src/transcript/problem_notice.ts";
import { MOST_OPEN_QUESTIONS } from "../src/transcript/reduce_notice.ts";
import { type Bound, INPUT_BOUNDS } from "./bounds_input.ts";
import { createPlayer, feedBytes, give, type Player, press as pressSteps, show } from "./golden/player.ts";

await loadLibraries();

const encoder = new TextEncoder();
const MEBIBYTE = 1 << 20;
const ARCHITECTURE = await Deno.readTextFile(new URL("../ARCHITECTURE.md", import.meta.url));

/** Rows of the table, by what is bounded. */
const BOUNDS: Readonly<Record<string, Bound>> = {
  "a line of the wire or a recording": {
    at: "32 MiB; a longer one is skipped and told of",
    proves() {
      const reader = createLineReader();
      assert.equal(reader.lineBytes, 32 * MEBIBYTE);
      const piece = new Uint8Array(MEBIBYTE).fill(0x61);
      for (let count = 0; count < 40; count++) {
        assert.deepEqual(feed(reader, piece), []);
        assert.ok(reader.rest.length <= 32 * MEBIBYTE);
      }
      const [problem, value] = feed(reader, encoder.encode('\n{"a":1}\n'));
      assert.equal(problem?.kind, "problem");
      assert.deepEqual(value, { kind: "value", value: { a: 1 }, line: 2 });
    },
  },
  "a line that comes byte by byte": {
    at: "twice its bytes",
    proves() {
      const reader = createLineReader();
      for (let count = 0; count < 200_000; count++) feed(reader, Uint8Array.of(0x61));
      assert.ok(reader.rest.length <= 400_000);
    },
  },
  "nested JSON": {
    at: "as deep as the runtime reads it; nothing here calls itself for it",
    proves() {
      const deep = "[".repeat(200_000) + "]".repeat(200_000);
      const player = playerOf();
      tell(
        player,
        `${deep}\n`,
        `{"event":"tool_call_done","data":{"id":"1","name":"x","arguments":{"a":${deep}}}}\n`,
        `{"event":"tool_result","data":{"id":"1","summary":"ok","output":${deep}}}\n`,
        `{"event":"history_page","data":{"items":${deep}}}\n`,
      );
      show(player, "deep");
      for (const format of ["acp", "claude", "codex", "pi", "gemini", "qwen", "opencode", "dsh"]) {
        const other = createFeed(format);
        other.push(encoder.encode(`${deep}\n`));
        other.end();
      }
    },
  },
  "a nested agent": {
    at: "drawn 8 deep, deeper ones counted",
    proves() {
      const player = playerOf();
      tell(player, start("t0", "Task"));
      for (let depth = 1; depth < 3000; depth++) tell(player, start(`t${depth}`, "Task", `t${depth - 1}`));
      show(player, "nested");
      const shown = player.state.layout.cache.get(player.state.transcript.blocks[0]?.id ?? 0)?.lineCount ?? 0;
      assert.ok(shown > 8 && shown < 40, `${shown} rows`);
    },
  },
  "tools in a turn": {
    at: "none; a frame's cost does not depend on them",
    proves() {
      const player = playerOf();
      tell(player, event("turn_start", { turn: 1 }));
      const costOf = (count: number, from: number) => {
        for (let at = 0; at < count; at++) tell(player, start(`t${from + at}`, "probe"));
        show(player, "added");
        const before = player.state.layout.work.blocks;
        for (let at = 0; at < 20; at++) {
          tell(player, event("tool_call_args_delta", { id: `t${from + count - 1}`, json: "x" }));
          show(player, "delta");
        }
        return player.state.layout.work.blocks - before;
      };
      const few = costOf(100, 0);
      assert.equal(costOf(20_000, 1000), few);
    },
  },
  "rows of one block": {
    at: "none; lists of any length are walked, never spread into a call",
    proves() {
      const player = playerOf();
      const old = "line\n".repeat(130_000);
      tell(
        player,
        done("w", "Write", { file_path: "/a", content: old }),
        result("w", "Created /a"),
        done("e", "Edit", { file_path: "/a", old_string: "line", new_string: "row", replace_all: true }),
        result("e", "Edited"),
        done("f", "Edit", { file_path: "/b", old_string: old, new_string: old.replaceAll("n", "m") }),
        result("f", "Edited"),
        event("question", {
          batch_id: "q",
          questions: [{ id: "a", header: "h", text: "x\n".repeat(130_000) }],
        }),
        event("question_closed", { batch_id: "q", reason: "answered" }),
      );
      for (const keys of ["<F2>", "<F2>", "<F2>", "<C-Home>", "<PageDown>", "<C-End>", "<PageUp>"]) {
        press(player, keys);
        show(player, keys);
        assert.ok(
          !rowsOf(player).some((row) => row.includes("Cannot draw")),
          `${keys}: ${rowsOf(player).join("\n")}`,
        );
      }
    },
  },
  "a chunk of long text": {
    at: "32 KiB up to the next newline, at most 1 MiB (UTF-16 units)",
    proves() {
      assert.equal(CHUNK_LENGTH, 32 * 1024);
      assert.equal(LONGEST_CHUNK, MEBIBYTE);
      const text = longText();
      for (let count = 0; count < 300; count++) appendLongText(text, "x".repeat(50_000));
      for (let count = 0; count < 3000; count++) appendLongText(text, "short line\n".repeat(100));
      assert.ok(text.chunks.every((chunk) => chunk.length <= LONGEST_CHUNK));
      assert.ok(text.chunks.slice(20).every((chunk) => chunk.length <= CHUNK_LENGTH + 20));
    },
  },
  "a line of an answer read as Markdown": {
    at: "4,096 UTF-16 units; a longer one is shown as it is, in a new row every 64 KiB",
    proves() {
      assert.equal(LONGEST_LINE, 4096);
      assert.equal(LONGEST_GROUP, 64 * 1024);
      const rows = (length: number) => {
        const markdown = createMarkdown();
        updateMarkdown(markdown, `- *item* ${"x".repeat(length)}`, true);
        return markdownLines(markdown, 4000).map(lineText).join("");
      };
      assert.match(rows(3000), /^- item x+$/);
      assert.match(rows(5000), /^- \*item\* ?x+$/);
    },
  },
  "columns of a table": {
    at: "200; a wider one is shown as it is",
    proves() {
      assert.equal(MOST_COLUMNS, 200);
      const rowsOfTable = (columns: number) => {
        const row = (cell: string) => `|${cell}`.repeat(columns) + "|";
        const source = [row("h"), row("-"), ...Array.from({ length: 30 }, () => row("c"))].join("\n");
        const markdown = createMarkdown();
        updateMarkdown(markdown, source, true);
        return { source, rows: markdownLines(markdown, 5000).map(lineText) };
      };
      assert.equal(rowsOfTable(200).rows[0]?.at(0), "┌");
      for (const columns of [201, 1500]) {
        const { source, rows } = rowsOfTable(columns);
        assert.equal(rows.join("\n"), source, "nothing lost, nothing added");
      }
    },
  },
  "what is kept drawn of one answer": {
    at: "4 groups of 16 KiB of source and the one in view; others are drawn again",
    proves() {
      assert.equal(MOST_DRAWN, 4);
      assert.equal(GROUP_LENGTH, 16 * 1024);
      const markdown = createMarkdown();
      updateMarkdown(markdown, "- *item*\n\nsome words\n\n".repeat(20_000), true);
      const groups = markdownGroups(markdown, 80);
      assert.ok(groups.length > 20);
      for (const group of groups) group.lines();
      assert.ok(markdown.views.every((view) => view.drawn.length <= MOST_DRAWN));
      assert.ok(markdown.closed.filter((part) => part.shapes !== null).length < markdown.closed.length / 4);
    },
  },
  "names, titles and labels in one row": {
    at: "2,000 UTF-16 units are looked at",
    proves() {
      assert.equal(ONE_LINE_UNITS, 2000);
      assert.ok(oneLine("x".repeat(10 * MEBIBYTE)).length <= ONE_LINE_UNITS + 1);
      assert.equal(oneLine("x".repeat(1999) + "😀"), "x".repeat(1999) + "…");
    },
  },
  "a sign": {
    at: "40 UTF-16 units, further marks shown as tokens",
    proves() {
      const shown = safeText("e" + "\u0301".repeat(100_000));
      assert.ok(shown.startsWith("e\u0301"));
      assert.ok(shown.includes("<U+0301>"));
      assert.ok(shown.indexOf("<") <= 41);
    },
  },
  "the text of a question": {
    at: "262,144 UTF-16 units and 16,384 lines; a row says how much more was asked",
    proves() {
      assert.equal(LONGEST_QUESTION, 1 << 18);
      for (const text of ["word ".repeat(60_000), "line\n".repeat(20_000)]) {
        for (const columns of [80, 9]) {
          const player = playerOf(columns);
          tell(
            player,
            event("question", { batch_id: "q", kind: "permission", questions: [{ id: "a", text }] }),
          );
          show(player, "asked");
          if (columns === 80) assert.ok(rowsOf(player).some((row) => /characters more are asked/.test(row)));
          const again = performance.now();
          for (let at = 0; at < 5; at++) show(player, "again");
          assert.ok(performance.now() - again < 2000, "its rows are kept");
        }
      }
    },
  },
  "open questions": {
    at: "1,000 batches; more are told of in one row",
    proves() {
      const player = playerOf();
      for (let at = 0; at < 5000; at++) {
        tell(player, event("question", { batch_id: `q${at}`, questions: [{ id: "a", text: "?" }] }));
      }
      assert.equal(player.state.transcript.questions.length, MOST_OPEN_QUESTIONS);
      assert.equal(MOST_OPEN_QUESTIONS, 1000);
      const notices = player.state.transcript.blocks.filter((block) => block.kind === "notification");
      assert.equal(notices.length, 1);
    },
  },
  "names counted for /status": {
    at: "200 a map, of 100 UTF-16 units",
    proves() {
      assert.deepEqual([MOST_NAMES, LONGEST_NAME], [200, 100]);
      const player = playerOf();
      for (let at = 0; at < 5000; at++) {
        tell(player, event(`unknown ${at}`, {}), event("status", { status: "idle", [`field ${at}`]: 1 }));
        give(player, { kind: "ignored", what: `kind ${at} ${"x".repeat(500)}` });
      }
      const { counts } = player.state.transcript;
      for (const map of [counts.unknownEvents, counts.unknownFields, player.state.ignored]) {
        assert.equal(map.size, MOST_NAMES + 1);
        assert.equal(map.get(OTHER_NAMES), 5000 - MOST_NAMES);
        for (const name of map.keys()) assert.ok(name.length <= LONGEST_NAME + 1);
      }
    },
  },
  "problems of a recording": {
    at: "2,000 kept, 50 shown, 500 runs of lines named; all counted, each at the same cost",
    proves() {
      assert.equal(PROBLEMS_AT_MOST, 2000);
      const player = playerOf();
      const lines = `${event("status", { status: "idle" })}garbage\n`.repeat(100);
      const costs: number[] = [];
      for (let at = 0; at < 300; at++) {
        const startMs = performance.now();
        tell(player, lines);
        costs.push(performance.now() - startMs);
      }
      const notice = player.state.transcript.blocks.find((block) => block.kind === "notification");
      assert.ok(notice?.kind === "notification");
      assert.match(notice.message, /^Skipped 30000 lines: 3, 5, 7, .* and 29500 more\n/);
      assert.ok(notice.message.length < 20_000);
      assert.ok(player.state.fileProblems.length <= 1000);
      const median = (some: number[]) => some.sort((a, b) => a - b)[some.length >> 1] ?? 0;
      const [early, late] = [median(costs.slice(20, 80)), median(costs.slice(-60))];
      assert.ok(late < 10 * early + 5, `${late} ms instead of ${early} ms`);
    },
  },
  "a file that is no recording": {
    at: "told after 10,000 lines without JSON",
    proves() {
      const other = createFeed(null);
      const piece = encoder.encode("no json at all\n".repeat(1000));
      let pieces = 0;
      while (other.fault() === null) {
        other.push(piece);
        assert.ok(++pieces <= 11);
      }
      assert.match(other.fault() ?? "", /Cannot tell the recording's format/);
      assert.deepEqual(other.push(piece), []);
      const numbers = createFeed(null);
      numbers.push(encoder.encode("1\n".repeat(2 * MEBIBYTE)));
      assert.notEqual(numbers.fault(), null);
    },
  },
  ...INPUT_BOUNDS,
  "file contents for diffs": {
    at: "64 MiB (UTF-16 units), least recently used goes first",
    proves() {
      const cache = createFileCache();
      assert.equal(cache.limit, 64 * MEBIBYTE);
      const text = "x".repeat(MEBIBYTE);
      for (let count = 0; count < 200; count++) storeFile(cache, `/f${count}`, fileOfText(text));
      assert.ok(cache.size <= cache.limit);
      assert.ok(cache.files.size >= 60 && cache.files.has("/f199") && !cache.files.has("/f0"));
    },
  },
  "cached rows": {
    at: "6,000 lines, or 256 blocks where those have more",
    proves() {
      const player = playerOf();
      for (let at = 0; at < 1500; at++) {
        tell(player, event("text_done", { text: `answer ${at}\n\n${"- item\n".repeat(30)}` }));
        show(player, "answer");
      }
      const { cache, cachedLines } = player.state.layout;
      assert.ok(
        cachedLines <= 6000 + 100 || cache.size <= 256,
        `${cachedLines} lines of ${cache.size} blocks`,
      );
    },
  },
  "clusters a frame knows": {
    at: "4,096 and those of one frame; then a new pool",
    proves() {
      const frame = createFrame(80, 24);
      for (let at = 0; at < 1000; at++) {
        clearFrame(frame);
        for (let row = 0; row < 24; row++) {
          const mark = String.fromCodePoint(0x300 + (at + row) % 80, 0x300 + at % 70);
          paintLine(
            frame,
            { row, column: 0, width: 80 },
            line(`a${mark}b${mark}${String.fromCodePoint(97 + at % 26)}${mark}`),
          );
        }
      }
      assert.ok(frame.clusters.texts.length <= 4096 + 80 * 24, `${frame.clusters.texts.length}`);
    },
  },
  "the window's title": {
    at: "100 cells of the session's title",
    proves() {
      const player = playerOf();
      tell(player, event("title", { title: "長い\x1b]0;owned\x07".repeat(100_000) }));
      show(player, "title");
      assert.ok(player.frame.title.endsWith(" - Trifold"));
      assert.ok(player.frame.title.length <= 110);
    },
  },
  "plan, queue, commands, models, options": {
    at: "none; a frame looks at those in view",
    proves() {
      const player = playerOf();
      const many = <Item>(make: (at: number) => Item) => Array.from({ length: 100_000 }, (_, at) => make(at));
      tell(
        player,
        event("plan", { items: many((at) => ({ id: `${at}`, text: `step ${at}` })) }),
        event("queue", { items: many((at) => ({ message_id: `${at}`, text: `next ${at}` })) }),
        event("commands", { commands: many((at) => ({ name: `c${at}`, description: "d" })) }),
        event("model_catalog", { models: many((at) => ({ provider: "p", model: `m${at}` })) }),
      );
      show(player, "lists");
      const startMs = performance.now();
      for (
        const keys of [
          "a",
          "<C-u>",
          "/c1",
          "<C-u>",
          "/help<Enter>",
          "<PageDown>",
          "<Esc>",
          "/model<Enter>",
          "7",
          "<Esc>",
        ]
      ) {
        press(player, keys);
        show(player, keys);
      }
      assert.ok(performance.now() - startMs < 5000, `${performance.now() - startMs} ms`);
    },
  },
};

for (const [what, { at, proves }] of Object.entries(BOUNDS)) {
  Deno.test(`bounds: ${what}: ${at}`, proves);
}

Deno.test("bounds: the table in ARCHITECTURE.md has these rows and no others", () => {
  const section = /\n## Bounds\n([\s\S]*?)\n## /.exec(ARCHITECTURE)?.[1] ?? "";
  const rows = section.split("\n").filter((row) => /^\| [^-]/.test(row)).slice(1).map((row) =>
    row.split("|").slice(1, 3).map((cell) => cell.trim())
  );
  assert.deepEqual(rows, Object.entries(BOUNDS).map(([what, { at }]) => [what, at]));
});

// ---- helpers

function playerOf(columns = 80): Player {
  const player = createPlayer({ width: columns, height: 24, fold: "detail" }, {
    recording: false,
    terminals: false,
  });
  tell(player, event("hello", { agent: "test" }));
  return player;
}

function tell(player: Player, ...lines: readonly string[]): void {
  for (const one of lines) feedBytes(player, encoder.encode(one), false);
}

function press(player: Player, script: string): void {
  const parsed = parseKeyScript(script);
  assert.ok(parsed.kind === "script");
  pressSteps(player, parsed.steps);
}

function rowsOf(player: Player): string[] {
  const { width, height, glyphs } = player.frame;
  return Array.from(
    { length: height },
    (_, row) =>
      [...glyphs.subarray(row * width, (row + 1) * width)].map((glyph) =>
        glyph < 0x80 ? String.fromCharCode(glyph) : "?"
      ).join(""),
  );
}

function event(name: string, data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ event: name, data }) + "\n";
}

function start(id: string, name: string, parentId: string | null = null): string {
  return event("tool_call_start", { id, name, parent_id: parentId });
}

function done(id: string, name: string, args: unknown): string {
  return event("tool_call_done", { id, name, arguments: JSON.stringify(args) });
}

function result(id: string, summary: string): string {
  return event("tool_result", { id, summary });
}
