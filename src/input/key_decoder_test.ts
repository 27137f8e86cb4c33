import assert from "node:assert/strict";
import fc from "fast-check";
import { formatKey } from "./key.ts";
import {
  createDecoder,
  decode,
  type Decoder,
  expectAnswers,
  nextDeadline,
  type TerminalInput,
  tick,
} from "./key_decoder.ts";
import { MAX_PASTE_BYTES } from "./paste_text.ts";

const encoder = new TextEncoder();

/** One read: its bytes, and the silence before it in milliseconds. */
type Read = readonly [bytes: string | Uint8Array, silenceMs?: number];

/** A terminal that sends reads; timers ring as the app's would, and at the end time passes until nothing is open. */
function receive(
  reads: readonly Read[],
  options: { decoder?: Decoder; goesOn?: boolean } = {},
): TerminalInput[] {
  const decoder = options.decoder ?? createDecoder({ escapeMs: 25 });
  const out: TerminalInput[] = [];
  let nowMs = decoder.lastMs ?? 0;
  const passTo = (untilMs: number) => {
    for (let due = nextDeadline(decoder); due !== null && due <= untilMs; due = nextDeadline(decoder)) {
      out.push(...tick(decoder, due));
    }
  };
  for (const [bytes, silenceMs = 5] of reads) {
    nowMs += silenceMs;
    passTo(nowMs);
    out.push(...decode(decoder, typeof bytes === "string" ? encoder.encode(bytes) : bytes, nowMs));
  }
  if (options.goesOn !== true) passTo(Infinity);
  return out;
}

function show(input: TerminalInput): string {
  switch (input.kind) {
    case "key":
      return formatKey(input.key);
    case "paste":
      return `{paste ${JSON.stringify(input.text)}${input.cut ? " cut" : ""}${
        input.endedBy === "marker" ? "" : ` by ${input.endedBy}`
      }}`;
    case "mouse": {
      const held = (input.ctrl ? "C-" : "") + (input.alt ? "A-" : "") + (input.shift ? "S-" : "");
      return `{${held}${input.action} ${input.button} at ${input.row},${input.column}}`;
    }
    case "focus":
      return input.focused ? "{focus}" : "{blur}";
    case "answer":
      return `{${input.name} ${input.params}}`;
  }
}

function seen(reads: readonly Read[], options: { decoder?: Decoder; goesOn?: boolean } = {}): string {
  return receive(reads, options).map(show).join("");
}

function check(bytes: string, expected: string) {
  assert.equal(seen([[bytes]]), expected, JSON.stringify(bytes));
  const each = [...encoder.encode(bytes)].map((byte): Read => [Uint8Array.of(byte), 1]);
  assert.equal(seen(each), expected, `byte by byte ${JSON.stringify(bytes)}`);
}

Deno.test("legacy keys of every family", () => {
  check("aZ~ é日🙂", "aZ~<Space>é日🙂");
  check("\x00\x01\x1a\t\r\x7f\x08", "<C-Space><C-a><C-z><Tab><Enter><Backspace><Backspace>");
  check("\x1c\x1d\x1e\x1f", "<C-\\><C-]><C-^><C-_>");
  check("\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F", "<Up><Down><Right><Left><Home><End>");
  check("\x1bOA\x1bOH\x1bOP\x1bOS\x1bOM\x1bOp\x1bOk", "<Up><Home><F1><F4><Enter>0+");
  check("\x1b[1;5C\x1b[1;2D\x1b[1;3A\x1b[1;6F", "<C-Right><S-Left><A-Up><C-S-End>");
  check(
    "\x1b[1~\x1b[2~\x1b[3~\x1b[4~\x1b[5~\x1b[6~\x1b[7~\x1b[8~",
    "<Home><Insert><Delete><End><PgUp><PgDn><Home><End>",
  );
  check("\x1b[3;5~\x1b[5;2~\x1b[15~\x1b[24~\x1b[24;2~", "<C-Delete><S-PgUp><F5><F12><S-F12>");
  check("\x1b[Z\x1b[[A\x1b[[E\x1b[7$\x1b[8^\x1b[a\x1bOd", "<S-Tab><F1><F5><S-Home><C-End><S-Up><C-Left>");
});

Deno.test("Alt: ESC before a key", () => {
  check("\x1bb\x1b\r\x1b\x7f\x1b\x01\x1bé", "<A-b><A-Enter><A-Backspace><C-A-a><A-é>");
  check("\x1b\x1b[A\x1b\x1bOC", "<A-Up><A-Right>");
  check("\x1b_", "<A-_>");
  check("\x1bP", "<A-S-p>");
  check("\x1bO", "<A-S-o>");
  check("\x1b[", "<A-[>");
  check("\x1b\x1b", "<Esc><Esc>");
  check("\x1b\x1bx", "<Esc><A-x>");
  check("\x1b\x1b[", "<Esc><A-[>");
});

Deno.test("kitty keyboard protocol: press, repeat, release, alternates, text", () => {
  check("\x1b[97u\x1b[97;1:1u\x1b[97;1:2u\x1b[97;1:3u", "aaa");
  check("\x1b[27u\x1b[13u\x1b[9u\x1b[127u\x1b[9;2u", "<Esc><Enter><Tab><Backspace><S-Tab>");
  check("\x1b[97;2u\x1b[97:65;2u\x1b[97;65u", "AAA");
  check("\x1b[111;5u\x1b[97;7u\x1b[97:65;6u\x1b[32;5u", "<C-o><C-A-a><C-S-a><C-Space>");
  check("\x1b[45:95;6u\x1b[45;6u\x1b[47;5u", "<C-_><C-_><C-/>");
  check("\x1b[105;5u\x1b[109;5u\x1b[104;5u\x1b[91;5u", "<Tab><Enter><Backspace><Esc>");
  check("\x1b[1089::99;5u", "<C-c>");
  check("\x1b[1;1:3A\x1b[1;1:2A\x1b[3;1:3~\x1b[1;5:1D", "<Up><C-Left>");
  check("\x1b[57399u\x1b[57414u\x1b[57419u\x1b[57376u", "0<Enter><Up><F13>");
  check("\x1b[57441;2u\x1b[57358u\x1b[57428u\x1b[97;9u", "");
  check("\x1b[0;;12354:12356u", "あい");
  // Caps Lock is the modifier 64: it turns the case of letters only, and Shift turns it back.
  check("\x1b[97;65;65u\x1b[97;65u\x1b[49;65u\x1b[97;66u", "AA1a");
});

Deno.test("AltGr and Option type what they give, Alt alone is a chord", () => {
  check("\x1b[113;3;64u", "@");
  check("\x1b[113;7;64u", "@");
  check("\x1b[97;3;229u", "å");
  check("\x1b[97;3;97u\x1b[97:65;4;65u", "<A-a><A-S-a>");
  check("€ł", "€ł");
});

Deno.test("modifyOtherKeys", () => {
  check("\x1b[27;2;13~\x1b[27;5;13~\x1b[27;3;13~", "<S-Enter><C-Enter><A-Enter>");
  check("\x1b[27;2;65~\x1b[27;2;32~\x1b[27;5;111~\x1b[27;6;95~", "A<Space><C-o><C-_>");
  check("\x1b[27;5;105~\x1b[27;5;127~", "<Tab><C-Backspace>");
});

Deno.test("SGR mouse and focus", () => {
  check("\x1b[<0;3;4M\x1b[<0;3;4m\x1b[<2;1;1M", "{press 0 at 3,2}{release 0 at 3,2}{press 2 at 0,0}");
  check("\x1b[<64;3;4M\x1b[<65;3;4M\x1b[<66;3;4M", "{wheel_up 0 at 3,2}{wheel_down 1 at 3,2}");
  check("\x1b[<32;3;4M\x1b[<35;3;4M\x1b[<28;3;4M", "{drag 0 at 3,2}{C-A-S-press 0 at 3,2}");
  check("\x1b[<0;0;0M\x1b[<0;3M\x1b[<;;M", "");
  check("\x1b[I\x1b[O", "{focus}{blur}");
});

Deno.test("X10 mouse reports are swallowed, whatever their bytes", () => {
  assert.equal(seen([[new Uint8Array([0x1b, 0x5b, 0x4d, 0x20, 0xff, 0x80, 0x61])]]), "a");
  check("\x1b[M !!a\x1b[M#qqb", "ab");
  check("\x1b[M \x1b[A", "<Up>");
});

Deno.test("answers of a terminal are told, never typed", () => {
  check("\x1b[?62;22cA", "{da1 62;22}A");
  check(
    "\x1b[>1;10;0c\x1b[?2004;1$y\x1b[4;2$y\x1b[?1u\x1b[>4;2m",
    "{da2 1;10;0}{decrpm 2004;1}{decrpm 4;2}{kitty 1}{modify_other_keys 4;2}",
  );
  check("\x1bP>|kitty(0.35.1)\x1b\\x", "{xtversion kitty(0.35.1)}x");
  check(
    "\x1b]11;rgb:1c1c/1c1c/1c1c\x07x\x1b]11;rgb:0/0/0\x1b\\y",
    "{osc 11;rgb:1c1c/1c1c/1c1c}x{osc 11;rgb:0/0/0}y",
  );
  check(
    "\x1bP1$r0m\x1b\\\x1b_Gi=1;OK\x1b\\\x1b[3;7R\x1b[0n\x1b[8;24;80t",
    "{decrqss 1$r0m}{apc Gi=1;OK}{cursor 3;7}{status 0}{window 8;24;80}",
  );
  check("\u009b?62c\u0090>|x\u001b\\\u009bA\u0085", "{da1 62}{xtversion x}<Up>");
});

Deno.test("edge 83: a lone ESC is Esc after escape_ms, with a byte before that it is Alt", () => {
  assert.equal(seen([["\x1b"], ["b", 24]]), "<A-b>");
  assert.equal(seen([["\x1b"], ["b", 25]]), "<Esc>b");
  assert.equal(seen([["\x1b"], ["\x1b", 100], ["\x1b", 100]]), "<Esc><Esc><Esc>");
  const decoder = createDecoder({ escapeMs: 150 });
  assert.deepEqual(decode(decoder, encoder.encode("\x1b"), 1000), []);
  assert.equal(nextDeadline(decoder), 1150);
  assert.deepEqual(tick(decoder, 1149), []);
  assert.equal(tick(decoder, 1150).map(show).join(""), "<Esc>");
  assert.equal(nextDeadline(decoder), null);
});

Deno.test("edge 83: UTF-8 split anywhere, IME text in pieces", () => {
  const text = "β日🙂か\u{3099}é";
  const bytes = encoder.encode(text);
  for (let cut = 0; cut <= bytes.length; cut++) {
    for (const silenceMs of [1, 3000]) {
      assert.equal(seen([[bytes.slice(0, cut)], [bytes.slice(cut), silenceMs]]), text);
    }
  }
});

Deno.test("bytes that are not UTF-8 type nothing, and take no byte of what is", () => {
  const cases: readonly (readonly [readonly number[], string])[] = [
    [[0xff, 0x61], "a"],
    [[0x80, 0xbf, 0x61], "a"],
    [[0xc3, 0x61], "a"],
    [[0xe3, 0x81, 0x61], "a"],
    [[0xc0, 0xaf, 0xe0, 0x80, 0xaf], ""],
    [[0xed, 0xa0, 0x80, 0x61], "a"],
    [[0xf4, 0x90, 0x80, 0x80, 0x61], "a"],
    [[0xe6, 0x97, 0xe6, 0x97, 0xa5], "日"],
    [[0xf0, 0x9f, 0x0d], "<Enter>"],
    [[0x1b, 0xff, 0x61], "a"],
  ];
  for (const [bytes, expected] of cases) {
    assert.equal(seen([[Uint8Array.from(bytes)]]), expected, bytes.join(" "));
  }
});

Deno.test("answers cut anywhere and late are not typed", () => {
  const answers = [
    "\x1b[?62;22c",
    "\x1bP>|XTerm(385)\x1b\\",
    "\x1b]11;rgb:0000/0000/0000\x1b\\",
    "\x1b[?2004;1$y",
    "\x1b[?1u",
    "\x1b]11;rgb:0/0/0\x07",
    "\x1b_Gi=31;OK\x1b\\",
  ];
  for (const answer of answers) {
    for (let cut = 1; cut < answer.length; cut++) {
      for (const silenceMs of [5, 100, 400, 1900]) {
        const typed = seen([[answer.slice(0, cut)], [answer.slice(cut), silenceMs]]).replace(
          /\{[^}]*\}/gu,
          "",
        );
        // Whose ESC came alone for longer than ESC may wait is Esc; with one more sign, Alt and that sign. Nothing is text.
        assert.match(
          typed,
          /^(?:<Esc>|<A-S-p>|<A-\]>|<A-\[>|<A-_>)?$/u,
          `${JSON.stringify(answer)} cut at ${cut}, ${silenceMs} ms`,
        );
      }
    }
  }
});

Deno.test("while answers are awaited they may come byte by byte and slowly; keys still work", () => {
  for (
    const answer of ["\x1b[?62;22c", "\x1bP>|XTerm(385)\x1b\\\x1b[?62c", "\x1b]11;rgb:0/0/0\x1b\\\x1b[?62c"]
  ) {
    const decoder = createDecoder({ escapeMs: 25 });
    expectAnswers(decoder, 0);
    const reads = [...answer].map((byte): Read => [byte, 200]);
    const typed = seen(reads, { decoder }).replace(/\{[^}]*\}/gu, "");
    assert.match(typed, /^(?:<Esc>)*$/u);
    assert.equal(decoder.answersUntilMs, null);
  }
  const decoder = createDecoder({ escapeMs: 25 });
  expectAnswers(decoder, 0);
  assert.equal(
    seen([["a"], ["\x1b", 50], ["b", 50], ["\r"], ["\x1b[A"], ["[", 50]], { decoder }),
    "a<Esc>b<Enter><Up>[",
  );
});

Deno.test("keys between and behind unfinished answers get through", () => {
  assert.equal(seen([["\x1b]11;rgb"], ["\x1b[A", 300]]), "<Up>");
  assert.equal(seen([["\x1b]11;rgb"], ["\x03", 300], ["a"]]), "<C-c>a");
  assert.equal(seen([["\x1b[?62;"], ["\r", 300], ["a"]]), "<Enter>a");
  assert.equal(seen([["\x1bP>|x"], ["a", 6000], ["b"]]), "ab");
  assert.equal(seen([["\x1b[?62"], ["a", 6000], ["b"]]), "ab");
});

Deno.test("what a person types is typed though answers are awaited that never come", () => {
  const seenAwaiting = (reads: readonly Read[]) => {
    const decoder = createDecoder({ escapeMs: 25 });
    expectAnswers(decoder, 0);
    return seen(reads, { decoder });
  };
  assert.equal(seenAwaiting([["\x1b"], ["P", 90], ["l", 90], ["s", 90]]), "<Esc>Pls");
  assert.equal(seenAwaiting([["\x1b"], ["[", 90], ["x", 90]]), "<Esc>[x");
  assert.equal(seenAwaiting([["\x1b_"], ["a", 90], ["\x1b[A", 90]]), "<A-_>a<Up>");
  assert.equal(seenAwaiting([["\x1b["], ["x", 90]]), "<A-[>x");
});

Deno.test("what a person types behind Esc is typed", () => {
  assert.equal(seen([["\x1b"], ["[", 500]]), "<Esc>[");
  assert.equal(seen([["\x1b"], ["[", 500], ["A", 90]]), "<Esc>[A");
  assert.equal(seen([["\x1b"], ["O", 100], ["P", 90]]), "<Esc>OP");
  assert.equal(seen([["\x1b"], ["]", 100], ["1", 90]]), "<Esc>]1");
  assert.equal(seen([["\x1b"], ["[INFO] x", 500]]), "<Esc>[INFO]<Space>x");
  assert.equal(seen([["\x1b"], ["[A", 2500]]), "<Esc>[A");
  assert.equal(seen([["\x1b"], ["[A", 100]]), "<Esc><Up>");
});

const P = "alpha\nβeta 日本\n🙂omega";
const S = `x\x1b[200~${P}\x1b[201~y`;
const PASTED = `x{paste ${JSON.stringify(P)}}y`;

Deno.test("U01 paste markers cut anywhere", () => {
  const bytes = encoder.encode(S);
  for (let cut = 0; cut <= bytes.length; cut++) {
    assert.equal(seen([[bytes.slice(0, cut)], [bytes.slice(cut), 5]]), PASTED, `cut at ${cut}`);
  }
  assert.equal(seen([...bytes].map((byte): Read => [Uint8Array.of(byte), 1])), PASTED);
  const marker = encoder.encode(`x\x1b[200~${P}`).length;
  for (let cut = marker + 1; cut < marker + 6; cut++) {
    assert.equal(seen([[bytes.slice(0, cut)], [bytes.slice(cut), 300]]), PASTED, `end marker cut at ${cut}`);
  }
});

Deno.test("U02 every newline style in a paste, with a read boundary between CR and LF", () => {
  const bytes = encoder.encode("\x1b[200~one\r\ntwo\rthree\nfour\r\n\r\nsix\x1b[201~");
  for (let cut = 0; cut <= bytes.length; cut++) {
    assert.equal(
      seen([[bytes.slice(0, cut)], [bytes.slice(cut)]]),
      '{paste "one\\ntwo\\nthree\\nfour\\n\\nsix"}',
    );
  }
});

Deno.test("U04 keys that mean new line", () => {
  for (const newline of ["\x1b[13;2u", "\x1b[27;2;13~", "\x1b\r", "\n", "\x1b[13;2:1u\x1b[13;2:3u"]) {
    assert.match(seen([["a"], [newline], ["b"], ["\r"]]), /^a(?:<S-Enter>|<A-Enter>|<C-j>)b<Enter>$/u);
  }
  assert.equal(seen([["a\x1b[13u"]]), "a<Enter>");
  assert.equal(seen([["\x1b[13;2:3u"]]), "");
});

Deno.test("edge 77: pastes of nothing, of little, of much, of what is no text", () => {
  check("a\x1b[200~\x1b[201~b", "ab");
  check("\x1b[200~\n\x1b[201~", '{paste "\\n"}');
  check("\x1b[200~z\x1b[201~", '{paste "z"}');
  check("\x1b[200~a\x00\x1b[31mb\x07\tc\x1b[201~", '{paste "a[31mb\\tc"}');
  check("\x1b[200~a\x1b[200~b\x1b[201~", '{paste "a[200~b"}');
  check("\x1b[200~a\x1b[201~b\x1b[201~", '{paste "a"}b');
  assert.equal(
    seen([[Uint8Array.from([...encoder.encode("\x1b[200~a"), 0xff, ...encoder.encode("b\x1b[201~")])]]),
    '{paste "a\ufffdb"}',
  );
  const big = "0123456789abcde\n".repeat(65536);
  const reads: Read[] = [["\x1b[200~"]];
  for (let at = 0; at < big.length; at += 17_000) reads.push([big.slice(at, at + 17_000), 0]);
  const [paste] = receive([...reads, ["\x1b[201~"]]);
  assert.equal(paste?.kind === "paste" && paste.text, big);
});

Deno.test("a paste is cut at 16 MiB, between characters, and says so", () => {
  const chunk = encoder.encode("日".repeat(1 << 20));
  const reads: Read[] = Array.from({ length: 7 }, () => [chunk, 0]);
  const out = receive([["\x1b[200~"], ...reads, ["\x1b[201~z"]]);
  const paste = out[0];
  assert.ok(paste?.kind === "paste" && paste.cut);
  assert.equal(paste.text.length, Math.floor(MAX_PASTE_BYTES / 3));
  assert.equal(/^日+$/u.test(paste.text), true);
  assert.equal(out.slice(1).map(show).join(""), "z");
});

Deno.test("edge 76: keys before and after a paste in one read stay keys, adjacent pastes are two", () => {
  check("ab\x1b[200~P\x1b[201~cd\r", 'ab{paste "P"}cd<Enter>');
  check("\x1b[200~P\x1b[201~\x1b[200~Q\x1b[201~", '{paste "P"}{paste "Q"}');
  check("\x1b\x1b[200~P\x1b[201~", '<Esc>{paste "P"}');
});

Deno.test("a paste whose end marker never comes ends by silence or by a key, its content kept", () => {
  assert.equal(seen([["\x1b[200~abc"]]), '{paste "abc" by silence}');
  assert.equal(seen([["\x1b[200~abc"], ["def", 999], ["x", 1001]]), '{paste "abcdef" by silence}x');
  assert.equal(seen([["\x1b[200~abc"], ["\x03", 250], ["x", 10]]), '{paste "abc" by key}x');
  assert.equal(seen([["\x1b[200~abc"], ["\x1b", 250], ["x", 100]]), '{paste "abc" by key}x');
  assert.equal(seen([["\x1b[200~abc"], ["\x1b[27u", 250], ["x", 100]]), '{paste "abc" by key}x');
  assert.equal(seen([["\x1b[200~abc"], ["\x1b[99;5u", 250], ["x", 100]]), '{paste "abc" by key}x');
  assert.equal(seen([["\x1b[200~abc"], ["\x03", 150], ["\x1b[201~", 10]]), '{paste "abc"}');
});

Deno.test("an end marker that comes late or in late pieces is not typed", () => {
  for (let cut = 0; cut < 6; cut++) {
    const [first, second] = ["\x1b[201~".slice(0, cut), "\x1b[201~".slice(cut)];
    for (const silenceMs of [250, 900, 1500, 2500]) {
      const reads: Read[] = [[`\x1b[200~abc${first}`], [`${second}z`, silenceMs]];
      assert.equal(
        seen(reads).replace(" by silence", ""),
        '{paste "abc"}z',
        `cut at ${cut}, ${silenceMs} ms`,
      );
    }
  }
  assert.equal(seen([["\x1b[200~abc"], ["\x1b", 250], ["[201~z", 10]]), '{paste "abc"}z');
  assert.equal(seen([["\x1b[200~abc"], ["\x1b", 250], ["[201~z", 100]]), '{paste "abc" by key}z');
});

Deno.test("the rest of a paste that stalled is pasted, not typed", () => {
  const rest = "rm -rf x\rrm -rf y\r".repeat(3);
  assert.equal(
    seen([["\x1b[200~abc"], [rest, 1500], ["more\r\x1b[201~z"]]),
    `{paste "abc" by silence}{paste ${JSON.stringify(rest.replaceAll("\r", "\n") + "more\n")}}z`,
  );
});

Deno.test("edge 78: without bracketed paste a CR inside a read is a new line, at its end Enter", () => {
  assert.equal(seen([["one\rtwo\r\nthree\r"]]), "one<C-j>two<C-j>three<Enter>");
  assert.equal(seen([["one\r\r\ntwo"]]), "one<C-j><C-j>two");
  assert.equal(seen([["one\r\n"]]), "one<Enter>");
  assert.equal(seen([["one\r\x1b[A"]]), "one<Enter><Up>");
  assert.equal(seen([["\x1b[200~p\x1b[201~"], ["one\rtwo\r"]]), '{paste "p"}one<Enter>two<Enter>');
  assert.equal(seen([["\x1b[?2004;2$y"], ["one\rtwo\r"]]), "{decrpm 2004;2}one<Enter>two<Enter>");
  assert.equal(seen([["\x1b[?2004;0$y"], ["one\rtwo\r"]]), "{decrpm 2004;0}one<C-j>two<Enter>");
});

/** Pieces of what terminals send: each means the same wherever reads cut it. */
const piece = fc.oneof(
  fc.constantFrom("a", "Z", " ", "é", "日", "🙂", "か\u{3099}", "👨‍👩‍👧", "ที่", "~", "[", "O", "<"),
  fc.constantFrom("\r", "\n", "\t", "\x7f", "\x01", "\x17", "\x0b", "\x19", "\x1f"),
  fc.constantFrom(
    "\x1b[A",
    "\x1b[D",
    "\x1bOC",
    "\x1b[1;2D",
    "\x1b[3~",
    "\x1b[H",
    "\x1b[13;2u",
    "\x1b[27;2;13~",
    "\x1bb",
    "\x1b\x1b[C",
  ),
  fc.constantFrom(
    "\x1b[?62;22c",
    "\x1bP>|XTerm(385)\x1b\\",
    "\x1b]11;rgb:0/0/0\x07",
    "\x1b[?1u",
    "\x1b[I",
    "\x1b[<0;3;4M",
    "\x1b[M !!",
  ),
  fc.string({ unit: fc.constantFrom("a", "\r", "\n", "日", "🙂", "\x1b", "[201", "\t", "0") }).map((text) =>
    `\x1b[200~${text}\x1b[201~`
  ),
);

/** A stream, with the terminal known to have bracketed paste: without, reads matter (burst rule). */
export const stream = fc.array(piece, { maxLength: 30 }).map((pieces) =>
  encoder.encode("\x1b[?2004;2$y" + pieces.join(""))
);

function cutAt(bytes: Uint8Array, cuts: readonly number[], silenceMs: number): Read[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((first, second) =>
    first - second
  );
  return [...places, bytes.length].map((
    end,
    index,
  ): Read => [bytes.slice(places[index - 1] ?? 0, end), silenceMs]);
}

Deno.test("any split of a stream means the same", () => {
  fc.assert(
    fc.property(
      stream,
      fc.array(fc.nat(), { maxLength: 12 }),
      fc.constantFrom(0, 1, 20),
      (bytes, cuts, silenceMs) => {
        assert.equal(seen(cutAt(bytes, cuts, silenceMs)), seen([[bytes]]));
      },
    ),
    { numRuns: 600 },
  );
});

Deno.test("no bytes make the decoder throw, stick or invent text", () => {
  const hostile = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.array(
      fc.constantFrom(
        0x1b,
        0x5b,
        0x32,
        0x30,
        0x31,
        0x7e,
        0x4f,
        0x50,
        0x5d,
        0x5c,
        0x3b,
        0x3f,
        0x4d,
        0x9b,
        0xe6,
        0x0d,
        0x41,
      ),
      { maxLength: 40 },
    )
      .map((bytes) => Uint8Array.from(bytes)),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(hostile, fc.constantFrom(0, 5, 30, 250, 1100, 6000)), { maxLength: 6 }),
      (reads) => {
        const decoder = createDecoder({ escapeMs: 25 });
        const sent = reads.map(([bytes]) => new TextDecoder().decode(bytes)).join("");
        for (const input of receive(reads, { decoder })) {
          if (input.kind === "key" && input.key.text !== undefined && input.key.text.charCodeAt(0) < 0x80) {
            assert.ok(sent.includes(input.key.text) || /^[\d=*+,./-]$/u.test(input.key.text));
          }
          if (input.kind === "paste") assert.equal(input.text.isWellFormed(), true);
        }
        assert.equal(nextDeadline(decoder), null);
        // Whatever was open, an hour later a person can type.
        assert.match(seen([["a", 3_600_000]], { decoder }), /a$/u);
      },
    ),
    { numRuns: 800 },
  );
});
