// Hostile text: every control, every kind of sequence a terminal acts on, and every sign that hides or turns text.

/** Sequences a terminal would act on, without their effect on anything but itself being harmless. */
const SEQUENCES: readonly string[] = [
  ...["2J", "H", "3J", "10;10H", "?1049l", "?1049h", "?47h", "?25l", "?1000h", "?1003h", "?1006h"],
  ...["?2004l", "?1004h", "6n", "5n", "c", ">c", "=c", "?6n", "?u", ">31u", "<u", "=5u", "!p", "5;10r"],
  ...[
    "?7h",
    "?5h",
    "4h",
    "20h",
    "31m",
    "48;5;196m",
    "38;2;1;2;3m",
    "1;2;3;4;5;6;7;8;9m",
    "18t",
    "21t",
    "8;1;1t",
  ],
  ...[
    "22;0t",
    "?2026h",
    "?2026$p",
    ">4;2m",
    "2 q",
    "S",
    "9T",
    "L",
    "M",
    "P",
    "100@",
    "100b",
    "i",
    "5i",
    "?69h",
  ],
].map((sequence) => `\x1b[${sequence}`);
const STRINGS: readonly string[] = [
  "\x1b]0;owned\x07",
  "\x1b]2;owned\x1b\\",
  "\x1b]52;c;T1dORUQ=\x07",
  "\x1b]8;;http://x.invalid\x07link\x1b]8;;\x07",
  "\x1b]4;1;?\x07",
  "\x1b]10;?\x1b\\",
  "\x1b]9;owned\x07",
  "\x1b]777;notify;owned;owned\x07",
  "\x1b]1337;File=inline=1:T1dORUQ=\x07",
  "\x1bP$qm\x1b\\",
  "\x1bP+q544e\x1b\\",
  "\x1bPq#0;2;0;0;0#0~~\x1b\\",
  "\x1b_Gi=1;T1dORUQ=\x1b\\",
  "\x1bXowned\x1b\\",
  "\x1b^owned\x1b\\",
  "\x1bc\x1b7\x1b8\x1b(0\x1b)B\x1b=\x1b>\x1bD\x1bM\x1bE\x1bH\x1bN\x1bO\x1b#8\x1bZ\x1b n",
  "\u009b2J\u009b6n\u009d0;owned\u009c\u0090q\u009c\u009fGx\u009c",
  "\x1b[200~pasted\x1b[201~",
  "\x1b[",
  "\x1b]",
  "\x1b",
];

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at));

/** Every hostile piece, newline left out: it is a line end everywhere text has lines. */
export const PIECES: readonly string[] = [
  ...range(0x00, 0x1f).filter((sign) => sign !== "\n"),
  ...range(0x7f, 0x9f),
  ...SEQUENCES,
  ...STRINGS,
  ...["\u061c", "\u200e", "\u200f", ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)],
  ...[
    "\u200b",
    "\u200c",
    "\u200d",
    "\u2060",
    "\u2061",
    "\ufeff",
    "\u00ad",
    "\u034f",
    "\u180e",
    "\u115f",
    "\u3164",
  ],
  ...[
    "\u2028",
    "\u2029",
    "\ufff9",
    "\ufffa",
    "\ufffb",
    "\ufe0f",
    "\u{1d173}",
    "\u{e0001}",
    ...range(0xe0020, 0xe007f),
  ],
  "\ud800",
  "\udc00",
  "a" + "\u0301".repeat(300),
  "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e0076}\u{e0069}\u{e006c}\u{e007f}",
];

/** All pieces, a letter behind each so that none joins the next. */
export const EVERYTHING = PIECES.map((piece) => `${piece}v`).join("");

/** Short payloads that hold every piece between them, so that text cut to a row still shows its end. */
export const SHORT_PAYLOADS: readonly string[] = chunks(PIECES, 12).map((some) => some.join("v"));

/** The C1 controls and other bytes that are no UTF-8, as they would stand in a line of JSON. */
export const RAW_BYTES: readonly number[] = [...Array.from({ length: 0x80 }, (_, at) => 0x80 + at)];

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from(
    { length: Math.ceil(items.length / size) },
    (_, at) => items.slice(at * size, at * size + size),
  );
}
