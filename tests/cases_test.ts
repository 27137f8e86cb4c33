// Cases from users' reports, through bytes and terminals that are not ours. Each test carries its case's name;
// composer, pty and permission parts of the same cases are tested where those live.

import assert from "node:assert/strict";
import { loadLibraries } from "../src/app/files.ts";
import { transcriptHeight } from "../src/app/update.ts";
import { isFollowing, visibleRows } from "../src/layout/viewport.ts";
import { cellWidth } from "../src/text/graphemes.ts";
import type { FoldMode } from "../src/transcript/block.ts";
import type { EmulatorCell } from "./emulator.ts";
import { type Player, show } from "./golden/player.ts";
import {
  blockRows,
  check,
  client,
  close,
  event,
  FOLDS,
  HELLO,
  picture,
  press,
  result,
  start,
  TABLE,
  tell,
  text,
  textRows,
  user,
} from "./cases_client.ts";
import { checkWithin } from "./slowness.ts";

await loadLibraries();

// ---- U05

const MIXED = "A漢字かな交じり文、「折り返し」の試験です。한글도 섞어서 mixed words 中文排版没有空格".repeat(
  3,
);

Deno.test("U05 mixed text in every width from 20 to 45: whole, no row too long, streamed equals whole", () => {
  for (let width = 20; width <= 45; width++) {
    const whole = client(width, 30, "detail");
    tell(whole, HELLO, event("text_done", { text: MIXED }));
    check(whole, `width ${width}`);
    const rows = textRows(whole, "assistant_text");
    checkBreaks(rows, width - 2);

    const streamed = client(width, 30, "detail");
    tell(streamed, HELLO);
    let count = 0;
    for (const point of MIXED) {
      tell(streamed, event("text_delta", { text: point }));
      if (count++ % 9 === 0) check(streamed, `width ${width}, ${count} code points`);
    }
    tell(streamed, event("text_done", { text: MIXED }));
    check(streamed, `width ${width}, streamed`);
    assert.deepEqual(picture(streamed), picture(whole));
    close(whole, streamed);
  }
});

/** The rows give the text back, one blank dropped at a soft break, and break where the scripts allow it. */
function checkBreaks(rows: readonly string[], width: number): void {
  const NO_START = /[、。」]/;
  const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}、。「」]/u;
  let at = 0;
  rows.forEach((row, index) => {
    if (index > 0 && MIXED[at] === " ") at++;
    assert.equal(MIXED.slice(at, at + row.length), row);
    at += row.length;
    const next = MIXED.charAt(at);
    if (next === "" || next === " " || !CJK.test(next) || !CJK.test(row.slice(-1))) return;
    const free = width - cellWidth(row);
    const isBound = next === "「" || NO_START.test(MIXED.charAt(at + 1)) || NO_START.test(next);
    assert.ok(free <= (isBound ? 5 : 1), `${free} free cells behind ${row}, before ${next}`);
    assert.ok(!NO_START.test(next), `a row begins with ${next}`);
    assert.ok(!row.endsWith("「"), `a row ends with 「`);
  });
  assert.equal(at, MIXED.length);
}

// ---- U07

Deno.test("U07 tabs in tool output stand at every eighth cell, and no tab is ever written", () => {
  const output = "ok\tpkg/a\t0.01s\nFAIL\tpkg/longer/name\t12.3s\n日本\tx\n日本語の\ty";
  for (const width of [60, 24]) {
    const player = client(width, 20, "detail");
    tell(player, HELLO, start("t1", "probe"), result("t1", "2 packages", output), text("after"));
    check(player, `width ${width}`);
    assert.ok(!player.written.includes("\t"));
    assert.equal(textRows(player, "assistant_text").join(""), "after");
    if (width === 60) {
      const rows = blockRows(player, "tool_call");
      const columnOf = (needle: string) => {
        const row = rows.find((candidate) => candidate.includes(needle)) ?? "";
        // Behind the gutter and the body's indent.
        return cellWidth(row.slice(0, row.indexOf(needle))) - 4;
      };
      assert.deepEqual(["pkg/a", "0.01s", "pkg/longer/name", "12.3s", "x", "y"].map(columnOf), [
        8,
        16,
        8,
        24,
        8,
        16,
      ]);
    }
    close(player);
  }
});

// ---- U08

const HOSTILE =
  "\x1b[31mred\x1b[0m plain\n\x1b[2J\x1b[H\x1b[10;10HX\x1b[?1049l\x1b[?25h\x1b[?1000h\x1b]0;pwn\x07" +
  "\x1b]52;c;QUJD\x07\x1b[6n\x1b]8;;http://x.invalid\x07L\x1b]8;;\x07\u009b2J\x07tail";
const HARMLESS = "red plain\nXLtail";

Deno.test("U08 hostile escapes change nothing outside their block", () => {
  for (const fold of FOLDS) {
    const control = hostileClient(fold, HARMLESS, "whole");
    for (const way of ["whole", "streamed"] as const) {
      const player = hostileClient(fold, HOSTILE, way);
      player.emulators.forEach((emulator, at) => {
        assert.deepEqual(emulator.requests, []);
        assert.deepEqual(emulator.answers, []);
        assert.deepEqual(emulator.modes(), control.emulators[at]?.modes());
        assert.equal(emulator.title(), control.emulators[at]?.title());
      });
      assert.deepEqual(outerCells(player), outerCells(control), `${fold}, ${way}`);
      if (fold === "overview") continue;
      const said = blockRows(player, "tool_call").join("");
      let from = 0;
      for (const piece of fold === "detail" ? ["red", "plain", "X", "L", "tail"] : ["red", "plain"]) {
        const found = said.indexOf(piece, from);
        assert.ok(found >= 0, `${piece} is not readable in ${said}`);
        from = found + piece.length;
      }
      close(player);
    }
    close(control);
  }
});

function hostileClient(fold: FoldMode, output: string, way: "whole" | "streamed"): Player {
  const player = client(80, 40, fold);
  tell(player, HELLO, user("look at this"), text("before"), start("h", "mystery"));
  show(player, "before");
  if (way === "streamed") {
    const bytes = new TextEncoder().encode(output);
    const decoder = new TextDecoder();
    for (let at = 0; at < bytes.length; at += 3) {
      const piece = decoder.decode(bytes.subarray(at, at + 3), { stream: true });
      tell(player, event("tool_output", { id: "h", text: piece }));
      check(player, `piece ${at}`);
      checkHarmless(player);
    }
  }
  tell(player, result("h", "done", output), text("after"));
  check(player, "end");
  checkHarmless(player);
  return player;
}

function checkHarmless(player: Player): void {
  for (
    const sequence of ["\x1b]52", "\x1b[6n", "\x07", "\x1b]8", "\x1b]0", "\u009b", "\x1b[2J", "\x1b[?1049l"]
  ) {
    assert.ok(!player.written.includes(sequence), JSON.stringify(sequence));
  }
}

/** The cells of every row that is not the tool block's, by what they belong to. */
function outerCells(player: Player): Record<string, EmulatorCell[]> {
  const [emulator] = player.emulators;
  assert.ok(emulator !== undefined);
  const cells: Record<string, EmulatorCell[]> = {};
  const { state } = player;
  const rows = visibleRows(state.layout, state.viewport, transcriptHeight(state));
  const count = new Map<number, number>();
  const take = (name: string, row: number) => {
    cells[name] = Array.from({ length: emulator.width }, (_, column) => emulator.cell(row, column));
  };
  rows.forEach((row, at) => {
    if (row.block.kind === "tool_call") return;
    const number = count.get(row.block.id) ?? 0;
    count.set(row.block.id, number + 1);
    take(`${row.block.kind} ${row.block.id} ${number}`, at);
  });
  for (let row = transcriptHeight(state); row < emulator.height; row++) take(`below ${row}`, row);
  return cells;
}

// ---- U09

Deno.test("U09 very long lines: one row in overview, within the budget in normal, all reachable in detail", async () => {
  const outputs = [
    "a".repeat(9999) + "Z",
    JSON.stringify({ list: Array.from({ length: 5000 }, (_, at) => at), last: "Z" }),
    "a".repeat((1 << 20) - 1) + "Z",
  ];
  for (const width of [80, 20]) {
    for (const [at, output] of outputs.entries()) {
      const player = client(width, 24, "overview");
      tell(player, HELLO, start("t", "probe"));
      check(player, "before");
      const startMs = performance.now();
      tell(player, result("t", "one line", output));
      check(player, `output ${at}`);
      await checkWithin(1000, performance.now() - startMs);
      assert.equal(blockRows(player, "tool_call").length, 1);

      press(player, "<F2>");
      check(player, "normal");
      const normal = blockRows(player, "tool_call");
      assert.ok(normal.length <= 7, `${normal.length} rows`);
      assert.match(normal[0] ?? "", /\+\d+/);

      press(player, "<F2>");
      check(player, "detail");
      assert.ok(picture(player).some((row) => row.includes("Z")), "following shows the last character");
      const answered: number[] = [];
      for (const keys of ["<S-Up>", "<PageUp>", "<C-Home>", "<PageDown>", "<S-Down>", "x", "<C-End>"]) {
        const pressedMs = performance.now();
        press(player, keys);
        check(player, keys);
        answered.push(performance.now() - pressedMs);
      }
      answered.sort((a, b) => a - b);
      await checkWithin(100, answered[answered.length >> 1] ?? 0);
      assert.ok(picture(player).some((row) => row.includes("Z")), "the end key shows it again");
      if (at < 2) assert.equal(readByPages(player).includes(output.slice(0, 9000)), true);
      close(player);
    }
  }
});

/** The tool block's text below its header, gathered page by page from the start down; the last page may repeat rows. */
function readByPages(player: Player): string {
  const rows: string[] = [];
  press(player, "<C-Home>");
  for (let page = 0; page < 4000; page++) {
    show(player, `page ${page}`);
    rows.push(...blockRows(player, "tool_call"));
    if (isFollowing(player.state.viewport)) break;
    press(player, "<PageDown><S-Down>");
  }
  // Gutter and indent of the output; narrow screens have no indent.
  const indent = player.state.columns >= 26 ? 4 : 2;
  return rows.slice(1).map((row) => row.slice(indent)).join("");
}

// ---- U10

Deno.test("U10 a table with wide signs: columns straight, streamed equals whole, readable when narrow", () => {
  const source = `${TABLE}\n\nafter the table`;
  for (const [columns, rows] of [[80, 24], [24, 24]] as const) {
    const whole = client(columns, rows, "detail");
    tell(whole, HELLO, event("text_done", { text: source }));
    check(whole, "whole");
    const streamed = client(columns, rows, "detail");
    tell(streamed, HELLO);
    let most = 0;
    for (const point of source) {
      tell(streamed, event("text_delta", { text: point }));
      check(streamed, `${columns}: ${JSON.stringify(point)}`);
      const height = blockRows(streamed, "assistant_text").length;
      assert.ok(height >= most - 9, `shrank from ${most} to ${height} rows`);
      most = Math.max(most, height);
    }
    tell(streamed, event("text_done", { text: source }));
    check(streamed, "streamed");
    assert.deepEqual(picture(streamed), picture(whole));

    const shown = textRows(whole, "assistant_text");
    assert.equal(shown.at(-1), "after the table");
    const joined = shown.join("").replace(/\s/g, "");
    for (
      const cell of ["前端フレーム", "4.2.0", "已发布", "CLI", "2.0.1", "🟡pending", "最終行", "9", "end"]
    ) {
      assert.ok(joined.includes(cell), `${cell} is not readable in full at ${columns}`);
    }
    if (columns === 80) {
      const bars = shown.filter((row) => row.startsWith("│")).map((row) =>
        [...row.matchAll(/│/g)].map((bar) => cellWidth(row.slice(0, bar.index))).join()
      );
      assert.equal(bars.length, 4);
      assert.equal(new Set(bars).size, 1, bars.join(" / "));
    }
    close(whole, streamed);
  }
});
