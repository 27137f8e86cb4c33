// Cases from users' reports, through bytes and terminals that are not ours. Each test carries its case's name;
// composer, pty and permission parts of the same cases are tested where those live.

import assert from "node:assert/strict";
import { createFeed, loadLibraries } from "../src/app/files.ts";
import { transcriptHeight } from "../src/app/update.ts";
import { parseKeyScript } from "../src/input/key_script.ts";
import { blockMark } from "../src/layout/gutter.ts";
import { isFollowing, visibleRows } from "../src/layout/viewport.ts";
import { cellWidth } from "../src/text/graphemes.ts";
import type { FoldMode } from "../src/transcript/block.ts";
import type { EmulatorCell } from "./emulator.ts";
import {
  closePlayer,
  createPlayer,
  feedBytes,
  type Player,
  press as pressSteps,
  resize,
  show,
} from "./golden/player.ts";

await loadLibraries();

const FOLDS: readonly FoldMode[] = ["detail", "normal", "overview"];
const HELLO = event("hello", {
  protocol: "pod-jsonl",
  version: 1,
  agent: "test",
  capabilities: ["history", "pause", "steer"],
});

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

Deno.test("U09 very long lines: one row in overview, within the budget in normal, all reachable in detail", () => {
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
      assert.ok(performance.now() - startMs < 1000, "appears within a second");
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
      assert.ok((answered[answered.length >> 1] ?? 0) < 100, `keys took ${answered.join(", ")} ms`);
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

const TABLE = [
  "| 項目 | 版本 | 状態 |",
  "|---|---|---|",
  "| 前端フレーム | 4.2.0 | 已发布 |",
  "| CLI | 2.0.1 | 🟡 pending |",
  "| 最終行 | 9 | end |",
].join("\n");

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

// ---- U11

Deno.test("U11 reading while it streams: the top row stays, however the session goes on", () => {
  const names = Array.from({ length: 200 }, (_, at) => `ANCHOR-${String(at + 1).padStart(3, "0")}`);
  const sessions = {
    "one answer": [user("go"), text(names.join("\n\n"))],
    "200 answers": names.flatMap((name) => [user("next"), text(name)]),
    "200 messages": names.map((name) => user(name)),
  };
  for (const [kind, lines] of Object.entries(sessions)) {
    const player = client(80, 24, "normal");
    tell(player, HELLO, ...lines);
    check(player, kind);
    for (let presses = 0; presses < 2000 && !topRow(player).includes("ANCHOR-042"); presses++) {
      press(player, "<S-Up>");
    }
    check(player, "scrolled");
    const top = topRow(player);
    assert.ok(top.includes("ANCHOR-042"), `${kind}: cannot scroll to it`);
    const still = (where: string) => {
      check(player, where);
      assert.equal(topRow(player), top, `${kind}, ${where}`);
      assert.ok(statusRow(player).includes("below"), `${kind}, ${where}: nothing says there is more`);
    };
    for (let at = 0; at < 300; at++) {
      tell(player, event("text_delta", { text: `streamed line ${at}\n` }));
      still(`delta ${at}`);
    }
    for (
      const line of [
        start("t", "probe"),
        result("t", "ok", "out"),
        event("turn_end", { turn: 1, result: "finished" }),
        user("a new turn"),
        event("turn_start", { turn: 2 }),
      ]
    ) {
      tell(player, line);
      still(line);
    }
    press(player, "hello");
    still("typed");
    tell(player, event("notification", { level: "warn", source: "pod", message: "a notice" }));
    still("notice");
    resize(player, 60, 24);
    check(player, "60x24");
    assert.ok(topRow(player).includes("ANCHOR-042"), `${kind}: 60x24 shows ${topRow(player)}`);
    resize(player, 80, 24);
    still("80x24 again");
    press(player, "<F2>");
    check(player, "detail");
    press(player, "<F2><F2>");
    still("fold modes and back");
    press(player, "<C-End>");
    tell(player, event("text_delta", { text: "the very last" }));
    check(player, "end");
    assert.ok(isFollowing(player.state.viewport));
    assert.ok(picture(player).some((row) => row.includes("the very last")));
    for (let at = 0; at < 5; at++) {
      tell(
        player,
        event("text_delta", {
          text: Array.from({ length: 50 }, (_, row) => `\n\nrow ${at}.${row}`).join(""),
        }),
      );
      check(player, `50 rows, ${at}`);
      assert.ok(picture(player).some((row) => row.includes(`row ${at}.49`)), "following went on");
    }
    close(player);
  }
});

// ---- U12

const PARALLEL = [
  event("turn_start", { turn: 1 }),
  event("status", { status: "running" }),
  start("A", "probe"),
  start("B", "probe"),
  args("A", '{"p":"a'),
  args("B", '{"p":'),
  args("A", '.txt"}'),
  args("B", '"b.txt"}'),
  event("tool_call_done", { id: "B", name: "probe", arguments: '{"p":"b.txt"}' }),
  event("tool_call_done", { id: "A", name: "probe", arguments: '{"p":"a.txt"}' }),
  result("B", "b done", "B-OUT"),
  start("C", "probe"),
  args("C", '{"p":"c'),
  result("A", "a failed", "A-ERR", true),
  result("Z", "?", "Z-OUT"),
  event("turn_end", { turn: 1, result: "finished" }),
  event("status", { status: "idle" }),
  result("B", "again", "B-TWICE"),
  result("C", "late", "C-OUT"),
];

Deno.test("U12 parallel calls: one error, one missing, one unknown, one told twice", () => {
  const player = client(80, 48, "detail");
  tell(player, HELLO);
  const marks = () =>
    player.state.transcript.blocks.filter((block) => block.kind === "tool_call").map((block) =>
      blockMark(block).text
    ).join("");
  const expected: Record<number, string> = {
    3: "○○",
    4: "◐○",
    8: "◐●",
    9: "●●",
    10: "●✓",
    11: "●✓○",
    13: "✗✓◐",
    14: "✗✓◐✓",
    15: "✗✓?✓",
    17: "✗✓?✓",
    18: "✗✓✓✓",
  };
  PARALLEL.forEach((line, at) => {
    tell(player, line);
    check(player, `line ${at}`);
    if (expected[at] !== undefined) assert.equal(marks(), expected[at], `after line ${at}`);
    const shown = picture(player).join("\n");
    if (at === 5) assert.ok(shown.includes('{"p":"a') && shown.includes('{"p":'), "raw arguments show");
    if (at >= 10) assert.ok(shown.includes("B-OUT"), `B's first result is readable after line ${at}`);
    if (at >= 16) assert.ok(!/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(shown), "no spinner runs");
  });
  const shown = picture(player).join("\n");
  for (const said of ["a failed", "A-ERR", "Z-OUT", "C-OUT", "(late)", "(second result ignored)"]) {
    assert.ok(shown.includes(said), `${said} is not readable`);
  }
  assert.ok(!shown.includes("B-TWICE"));

  const recording = createPlayer({ fold: "detail", width: 80, height: 48 }, { recording: true });
  tell(recording, HELLO, ...PARALLEL);
  feedBytes(recording, new Uint8Array(0), true);
  check(recording, "recording");
  assert.deepEqual(picture(recording).slice(0, 40), picture(player).slice(0, 40));
  close(player, recording);
});

// ---- U13

Deno.test("U13 a damaged recording shows what is good in it and names the lines that are not", () => {
  const good = (name: string) => event("text_done", { text: name });
  const encoder = new TextEncoder();
  const parts: (string | Uint8Array)[] = [
    good("M1"),
    good("M2"),
    good("M3"),
    '{"event":"text_done","data":{"text":"cut in the midd\n',
    "\n",
    "\0".repeat(64) + "\n",
    good("M4").trimEnd() + good("M5"),
    '{"event":"never_heard_of","data":{"value":1}}\n',
    good("M6 " + "six ".repeat(75_000)),
    joined(
      encoder.encode('{"event":"text_done","data":{"text":"M7 '),
      Uint8Array.of(0xff),
      encoder.encode('"}}\n'),
    ),
    '{"event":"text_done","data":{"text":"M8 raw\nnewline"}}\n',
    good("M9").trimEnd(),
    '{"event":"text_do',
  ];
  const bytes = joined(...parts.map((part) => typeof part === "string" ? encoder.encode(part) : part));
  const screens = [bytes.length, 4096, 1].map((size) => {
    const player = createPlayer({ fold: "overview", width: 100, height: 40 }, { recording: true });
    for (let at = 0; at < bytes.length; at += size) feedBytes(player, bytes.subarray(at, at + size), false);
    feedBytes(player, new Uint8Array(0), true);
    check(player, `pieces of ${size}`);
    assert.equal(player.feed.fault(), null);
    const shown = picture(player);
    const order = shown.flatMap((row) => /^ {2}(M\d)/.exec(row)?.[1] ?? []);
    assert.deepEqual(order, ["M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9"]);
    const notice = shown.find((row) => /skipped/i.test(row)) ?? "";
    assert.match(notice, /\b3 lines\b/);
    for (const line of [4, 6]) assert.match(notice, new RegExp(`\\b${line}\\b`));
    assert.ok(!shown.some((row) => row.includes("never_heard_of")), "an unknown type is no error");
    close(player);
    return shown;
  });
  assert.deepEqual(screens[1], screens[0]);
  assert.deepEqual(screens[2], screens[0]);

  const empty = createFeed(null);
  assert.deepEqual(empty.end(), []);
  assert.match(empty.fault() ?? "", /\w+/);
});

// ---- U15

Deno.test("U15 shrinking to nothing and back: nothing wraps or scrolls, all comes back", () => {
  const lines = [
    HELLO,
    user("fix it"),
    event("turn_start", { turn: 1 }),
    event("status", { status: "running" }),
    start("w", "Write"),
    event("tool_call_done", {
      id: "w",
      name: "Write",
      arguments: JSON.stringify({ file_path: "/a", content: "一\n二\n" }),
    }),
    result("w", "Created /a", null),
    start("e", "Edit"),
    event("tool_call_done", {
      id: "e",
      name: "Edit",
      arguments: JSON.stringify({ file_path: "/a", old_string: "二", new_string: "two 宽" }),
    }),
    result("e", "Edited", null),
    text(TABLE),
    start("b", "Bash"),
    event("tool_call_done", {
      id: "b",
      name: "Bash",
      arguments: JSON.stringify({ command: "sleep 9 && echo 宽" }),
    }),
    event("tool_output", { id: "b", text: "working 日本語😀\n" }),
  ];
  const draft = "日本語😀abc";
  const sizes = [[40, 20], [20, 12], [10, 8], [7, 6], [5, 5], [3, 3], [2, 2], [1, 1], [1, 24], [80, 1], [
    80,
    2,
  ], [200, 2]] as const;
  const player = client(80, 24, "normal");
  tell(player, ...lines);
  press(player, draft);
  check(player, "start");
  let typed = "";
  for (const [at, [columns, rows]] of sizes.entries()) {
    resize(player, columns, rows);
    check(player, `${columns}x${rows}`);
    const key = String.fromCharCode(0x61 + at);
    press(player, key);
    typed += key;
    check(player, `${columns}x${rows}, typed`);
    for (const emulator of player.emulators) assert.equal(emulator.scrollbackLength(), 0);
  }
  resize(player, 0, 0);
  show(player, "0x0");
  resize(player, 80, 24);
  check(player, "80x24");

  const calm = client(80, 24, "normal");
  tell(calm, ...lines);
  press(calm, draft + typed);
  check(calm, "calm");
  assert.deepEqual(picture(player), picture(calm));
  assert.equal(picture(player).filter((row) => row.startsWith("> 日本語")).length, 1);
  assert.equal(picture(player).filter((row) => row.includes("Esc interrupts")).length, 1);
  close(player, calm);
});

// ---- helpers

function event(name: string, data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ event: name, data }) + "\n";
}

function text(said: string): string {
  return event("text_done", { text: said });
}

let messages = 0;
function user(said: string): string {
  return event("user_message", { message_id: `u${messages++}`, text: said, kind: "run" });
}

function start(id: string, name: string): string {
  return event("tool_call_start", { id, name });
}

function args(id: string, json: string): string {
  return event("tool_call_args_delta", { id, json });
}

function result(id: string, summary: string, output: string | null, isError = false): string {
  return event("tool_result", { id, summary, output, is_error: isError });
}

function client(width: number, height: number, fold: FoldMode): Player {
  return createPlayer({ width, height, fold }, { recording: false });
}

function close(...players: readonly Player[]): void {
  players.forEach(closePlayer);
}

function tell(player: Player, ...lines: readonly string[]): void {
  feedBytes(player, new TextEncoder().encode(lines.join("")), false);
}

function press(player: Player, script: string): void {
  const parsed = parseKeyScript(script);
  assert.ok(parsed.kind === "script");
  pressSteps(player, parsed.steps);
}

/** Draws a frame; every cell of every terminal must be right. */
function check(player: Player, where: string): void {
  assert.deepEqual(show(player, where).slice(0, 5), []);
}

function picture(player: Player): string[] {
  return player.emulators[0]?.picture() ?? [];
}

function rowText(player: Player, row: number): string {
  return (picture(player)[row] ?? "").trimEnd();
}

function topRow(player: Player): string {
  const { state } = player;
  const line = visibleRows(state.layout, state.viewport, transcriptHeight(state))[0]?.line;
  return line?.spans.map((span) => span.text).join("") ?? "";
}

function statusRow(player: Player): string {
  return picture(player).at(-2) ?? "";
}

/** Rows of the blocks of a kind as the first terminal shows them, gutter included. */
function blockRows(player: Player, kind: string): string[] {
  const { state } = player;
  return visibleRows(state.layout, state.viewport, transcriptHeight(state)).flatMap((row, at) =>
    row.block.kind === kind && row.line !== null ? [rowText(player, at)] : []
  );
}

/** The same without the gutter. */
function textRows(player: Player, kind: string): string[] {
  return blockRows(player, kind).map((row) => row.slice(2));
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
