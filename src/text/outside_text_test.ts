import assert from "node:assert/strict";
import fc from "fast-check";
import { cellWidth, clusterWidth, graphemes } from "./graphemes.ts";
import { lineText } from "./line.ts";
import { outsideLines, safeBlockText, safeText } from "./outside_text.ts";

/** What must never leave the door: controls, bidi controls, separators, lone surrogates, zero-width spaces. */
const FORBIDDEN =
  // deno-lint-ignore no-control-regex
  /[\0-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/u;

const texts = (text: string) => outsideLines(text, "tool.output").map(lineText);
const spans = (text: string) =>
  outsideLines(text, "tool.output").map((line) => line.spans.map((span) => [span.text, span.role]));

const HOSTILE = [
  ..."ab 漢é\x1b\x1b[;:?m0123KHJ]P\\\x07\b\b\r\r\n\t\t\x9b\x9c\x9d\x90\x98\x7f\0",
  ..."\u0301\u200d\ufe0f\u200b\u202e\u2066\u2028\ufeff\u00ad\u3164\u0903\u0d4e\u0600",
  ..."👨👩🏽🇯🇵🏴\u{e0067}\u{e0062}\u{e007f}\u{e0100}",
  "\x1b[31m",
  "\x1b[0m",
  "\x1b]0;t\x07",
  "\x1b[2J",
  "\ud800",
  "\udc00",
  "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
];
const hostileText = fc.oneof(
  fc.array(fc.constantFrom(...HOSTILE), { maxLength: 40 }).map((signs) => signs.join("")),
  fc.string({ unit: "binary", maxLength: 30 }),
);

Deno.test("no hostile text gets a control, an invisible or a turning sign through any door", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const outputs = [
        safeText(text),
        safeText(text, { strict: true }),
        ...safeBlockText(text).split("\n"),
        ...outsideLines(text, "tool.output").flatMap((line) => line.spans.map((span) => span.text)),
      ];
      for (const output of outputs) {
        assert.ok(!FORBIDDEN.test(output), JSON.stringify(output));
        for (const cluster of graphemes(output)) {
          assert.ok(clusterWidth(cluster) > 0, JSON.stringify(cluster));
          assert.ok(cluster.length <= 48, "a cluster may not hold endless marks");
        }
      }
      assert.ok(!/[\u200c\u200d\ufe00-\ufe0f\u{e0000}-\u{e0fff}]/u.test(outputs[1]!));
    }),
    { numRuns: 8_000 },
  );
});

Deno.test("safe text stays as it is, the second time too", () => {
  const clean = "Ünïcode é 漢字 한글 👨‍👩‍👧 ⚠️ 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} नमस्ते ที่";
  assert.equal(safeText(clean), clean);
  assert.equal(safeBlockText(`${clean}\n${clean}`), `${clean}\n${clean}`);
  assert.deepEqual(spans(clean), [[[clean, "tool.output"]]]);
  fc.assert(
    fc.property(hostileText, (text) => {
      const safe = safeText(text);
      assert.equal(safeText(safe), safe);
      assert.equal(texts(safe).join("\n"), safe);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("edge 68 each kind of control has its token", () => {
  const cases: readonly (readonly [text: string, shown: string])[] = [
    ["a\0b", "a\\x00b"],
    ["\x1b[2J", "\\x1b[2J"],
    ["\x7f\x80\x9f", "\\x7f\\x80\\x9f"],
    ["a\tb\nc\r", "a\\x09b\\x0ac\\x0d"],
    ["safe\u202etxt.exe", "safe<U+202E>txt.exe"],
    ["\u2066a\u2069", "<U+2066>a<U+2069>"],
    ["a\u200bb", "a<U+200B>b"],
    ["\ufeffa", "<U+FEFF>a"],
    ["a\u2028b", "a<U+2028>b"],
    ["a\u{e0041}b", "a<U+E0041>b"],
    ["\u0301a", "<U+0301>a"],
    ["\ud83d", "<U+D83D>"],
    ["a\u00adb", "a<U+00AD>b"],
    ["\u3164", "<U+3164>"],
    ["🏴\u{e0078}\u{e007f}", "🏴<U+E0078><U+E007F>"],
  ];
  for (const [text, shown] of cases) assert.equal(safeText(text), shown);
});

Deno.test("what a person must judge shows joiners and selectors too", () => {
  const strict = (text: string) => safeText(text, { strict: true });
  assert.equal(strict("rm\u200d -rf"), "rm<U+200D> -rf");
  assert.equal(strict("👨\u200d👩"), "👨<U+200D>👩");
  assert.equal(strict("⚠\ufe0f"), "⚠<U+FE0F>");
  assert.equal(strict("a\u{e0100}"), "a<U+E0100>");
  assert.equal(strict("a\u034fb"), "a<U+034F>b");
  assert.equal(strict("é e\u0301 漢字"), "é e\u0301 漢字");
  assert.equal(safeText("a\u200db"), "a\u200db");
});

Deno.test("marks piled on one sign are shown up to a limit", () => {
  const shown = safeText("a" + "\u0301".repeat(1000));
  assert.equal(graphemes(shown)[0]!.length, 40);
  assert.equal(shown.slice(40), "<U+0301>".repeat(961));
});

Deno.test("U07 tabs reach the next multiple of eight cells", () => {
  const lines = texts("ok\tpkg/a\t0.01s\nFAIL\tpkg/longer/name\t12.3s\n日本\tx\n日本語の\ty");
  const column = (line: number, part: string) => cellWidth(lines[line]!.slice(0, lines[line]!.indexOf(part)));
  assert.equal(column(0, "pkg/a"), 8);
  assert.equal(column(0, "0.01s"), 16);
  assert.equal(column(1, "pkg/longer/name"), 8);
  assert.equal(column(1, "12.3s"), 24);
  assert.equal(column(2, "x"), 8);
  assert.equal(column(3, "y"), 16);
  assert.deepEqual(safeBlockText("ok\tpkg/a\r\n\tx").split("\n"), ["ok      pkg/a", "        x"]);
});

Deno.test("U08 hostile escapes become text, colour ends where it should", () => {
  const output = "\x1b[31mred\x1b[0m plain\n" +
    "\x1b[2J\x1b[H\x1b[10;10HX\x1b[?1049l\x1b[?25h\x1b[?1000h\x1b]0;pwn\x07\x1b]52;c;QUJD\x07\x1b[6n" +
    "\x1b]8;;http://x.invalid\x07L\x1b]8;;\x07\u{9b}2J\x07tail";
  const lines = spans(output);
  assert.deepEqual(lines[0], [["red", "ansi.red"], [" plain", "tool.output"]]);
  assert.deepEqual(
    lines[1]!.filter(([, role]) => role !== "token").map(([text]) => text),
    ["X", "L", "tail"],
  );
  assert.equal(
    lines[1]!.filter(([, role]) => role === "token").map(([text]) => text).join("|"),
    "\\x1b[2J\\x1b[H\\x1b[10;10H|" +
      "\\x1b[?1049l\\x1b[?25h\\x1b[?1000h\\x1b]0;pwn\\x07\\x1b]52;c;QUJD\\x07\\x1b[6n\\x1b]8;;http://x.invalid\\x07|" +
      "\\x1b]8;;\\x07\\x9b2J\\x07",
  );
});

Deno.test("sequences that are cut off or cancelled are tokens as far as they go", () => {
  const cases: readonly (readonly [text: string, token: string, rest: string])[] = [
    ["\x1b[12", "\\x1b[", "12"],
    ["\x1b]0;title", "\\x1b]", "0;title"],
    ["\x1b]0;a\x1b\\b", "\\x1b]0;a\\x1b\\", "b"],
    ["\x1bPq#0\x9cb", "\\x1bPq#0\\x9c", "b"],
    ["\x1b(Bb", "\\x1b(B", "b"],
    ["\x1b7b", "\\x1b7", "b"],
    ["\x1b", "\\x1b", ""],
    ["\x1b漢", "\\x1b", "漢"],
    ["\x9d0;x\x07b", "\\x9d0;x\\x07", "b"],
    ["\x1b[>4;2mb", "\\x1b[>4;2m", "b"],
    ["\x1b]0;a\x1b[2Jb", "\\x1b]0;a\\x1b[2J", "b"],
    ["\x1b]0;\u202e\u200b\x07b", "\\x1b]0;<U+202E><U+200B>\\x07", "b"],
  ];
  for (const [text, token, rest] of cases) {
    assert.deepEqual(spans(text)[0], [[token, "token"], ...(rest === "" ? [] : [[rest, "tool.output"]])]);
  }
});

Deno.test("endless introducers cost no more than their length", () => {
  for (const unit of ["\x1b]", "\x9d", "\x1b[", "\x1b[1;", "\x1bP\x1b", "\x9b", "\x1b(", "\x90a"]) {
    const shown = texts(unit.repeat(50_000))[0]!;
    assert.ok(!FORBIDDEN.test(shown));
  }
});

Deno.test("edge 68 carriage returns and backspaces leave what a terminal would show", () => {
  const cases: readonly (readonly [text: string, shown: readonly string[]])[] = [
    ["10%\r20%\r100%\n", ["100%"]],
    ["abcdef\rXY", ["XYcdef"]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\r\r\nb", ["a", "b"]],
    ["a\r", ["a"]],
    ["N\bNA\bA_\bx", ["NAx"]],
    ["abc\b\b\b\b\bX", ["Xbc"]],
    ["漢字\rX", ["X 字"]],
    ["漢字\b\b\bX", [" X字"]],
    ["ab\r漢", ["漢"]],
    ["abc\r漢", ["漢c"]],
    ["a漢\r漢", ["漢 "]],
    ["abc\r\tX", ["abc     X"]],
    ["12345678ab\r\tX", ["12345678Xb"]],
    ["é\u0301x\bY", ["é\u0301Y"]],
    ["\b\bx", ["x"]],
  ];
  for (const [text, shown] of cases) assert.deepEqual(texts(text), shown, JSON.stringify(text));
});

Deno.test("tokens take no cell: what overwrites a cell takes the tokens in front of it too", () => {
  assert.deepEqual(texts("\x1b[2K\rdone"), ["\\x1b[2Kdone"]);
  assert.deepEqual(texts("\r\x1b[K10%\r\x1b[K20%\r\x1b[K99%"), ["\\x1b[K99%"]);
  assert.deepEqual(spans("\rab\x07c"), [[["ab", "tool.output"], ["\\x07", "token"], ["c", "tool.output"]]]);
});

Deno.test("SGR becomes the nearest role", () => {
  const cases: readonly (readonly [parameters: string, role: string])[] = [
    ["", "tool.output"],
    ["0", "tool.output"],
    ["1", "ansi.bold"],
    ["2", "ansi.dim"],
    ["3", "ansi.italic"],
    ["4", "ansi.underline"],
    ["4:3", "ansi.underline"],
    ["4;4:0", "tool.output"],
    ["7", "ansi.reverse"],
    ["9", "ansi.strike"],
    ["1;22", "tool.output"],
    ["1;31", "ansi.red"],
    ["31;39", "tool.output"],
    ["97", "ansi.bright_white"],
    ["90", "ansi.bright_black"],
    ["41", "ansi.on_red"],
    ["37;41", "ansi.on_red"],
    ["104", "ansi.on_blue"],
    ["37;40", "ansi.white"],
    ["7;32", "ansi.on_green"],
    ["7;42", "ansi.green"],
    ["38;5;1", "ansi.red"],
    ["38;5;9", "ansi.bright_red"],
    ["38;5;196", "ansi.bright_red"],
    ["38;5;22", "ansi.black"],
    ["38;5;34", "ansi.green"],
    ["38;5;244", "ansi.bright_black"],
    ["38;5;255", "ansi.white"],
    ["38;5;231", "ansi.bright_white"],
    ["38;5;999", "tool.output"],
    ["38;2;250;10;10", "ansi.bright_red"],
    ["38:2::250:10:10", "ansi.bright_red"],
    ["38:2:0:0:240", "ansi.blue"],
    ["38:5:2", "ansi.green"],
    ["48;5;2", "ansi.on_green"],
    ["58;5;1;32", "ansi.green"],
    ["38;5", "tool.output"],
    ["38", "tool.output"],
    ["38;2;1", "ansi.black"],
    ["1;;32", "ansi.green"],
    ["99999999999999999999", "tool.output"],
  ];
  for (const [parameters, role] of cases) {
    assert.deepEqual(spans(`\x1b[${parameters}mx`), [[["x", role]]], parameters);
    assert.deepEqual(spans(`\x9b${parameters}mx`), [[["x", role]]], parameters);
  }
});

Deno.test("colour goes on over lines and ends with the text", () => {
  assert.deepEqual(spans("\x1b[31ma\nb\x1b[mc\n"), [
    [["a", "ansi.red"]],
    [["b", "ansi.red"], ["c", "tool.output"]],
  ]);
  assert.deepEqual(spans("c"), [[["c", "tool.output"]]]);
});

Deno.test("edge 69 absent, empty and blank output", () => {
  assert.deepEqual(texts(""), []);
  assert.deepEqual(texts("\n"), [""]);
  assert.deepEqual(texts("\n\n"), ["", ""]);
  assert.deepEqual(texts("a\n\nb"), ["a", "", "b"]);
  assert.equal(safeText(""), "");
  assert.equal(safeBlockText("\n"), "\n");
});
