// Cases from users' reports about reading on: while it streams, side by side, damaged, and at sizes of almost nothing.
// Each test carries its case's name.

import assert from "node:assert/strict";
import { joinBytes } from "../src/recordings/bytes.ts";
import { createFeed, loadLibraries } from "../src/app/files.ts";
import { blockMark } from "../src/layout/gutter.ts";
import { isFollowing } from "../src/layout/viewport.ts";
import { createPlayer, feedBytes, resize, show } from "./golden/player.ts";
import {
  args,
  check,
  client,
  close,
  event,
  HELLO,
  picture,
  press,
  result,
  start,
  statusRow,
  TABLE,
  tell,
  text,
  topRow,
  user,
} from "./cases_client.ts";

await loadLibraries();

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
    joinBytes([
      encoder.encode('{"event":"text_done","data":{"text":"M7 '),
      Uint8Array.of(0xff),
      encoder.encode('"}}\n'),
    ]),
    '{"event":"text_done","data":{"text":"M8 raw\nnewline"}}\n',
    good("M9").trimEnd(),
    '{"event":"text_do',
  ];
  const bytes = joinBytes(parts.map((part) => typeof part === "string" ? encoder.encode(part) : part));
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
