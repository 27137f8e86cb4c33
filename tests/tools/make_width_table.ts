// Writes src/text/width_table.ts: what graphemes.ts must know of every single code point, asked of string-width
// (cells) and of Intl.Segmenter (how it joins). Run again after an update of either:
//   deno run -A tests/tools/make_width_table.ts

import stringWidth from "string-width";

const LAST = 0x10ffff;

const segmenter = new Intl.Segmenter();

/** Wide ranges that every terminal we know agrees on; other wide code points are doubtful. */
const AGREED_WIDE: readonly (readonly [number, number])[] = [
  [0x2e80, 0x2ffb],
  [0x3000, 0x302d],
  [0x3030, 0x303e],
  [0x3041, 0x31ba],
  [0x31c0, 0x31e3],
  [0x31f0, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];

/** Narrow ranges some terminals draw wide: circled numbers on black squares, and pictographs of the last years. */
const DOUBTED_NARROW: readonly (readonly [number, number])[] = [[0x3248, 0x324f], [0x1f93b, 0x1f946]];

const DOUBTED_NARROW_PROPERTY =
  /[\p{Extended_Pictographic}\p{M}\p{Cf}\p{Regional_Indicator}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;

/** Bits of a class; src/text/graphemes.ts reads them. */
export const NARROW = 1, WIDE = 2, AMBIGUOUS = 3, JOINS_BACK = 4, HARD = 8, DOUBTFUL = 16;

/** The class of one code point: cells, how it joins its neighbours, whether terminals disagree about it. */
export function classOf(codePoint: number): number {
  const sign = String.fromCodePoint(codePoint);
  const cells = stringWidth(sign, { countAnsiEscapeCodes: true });
  const otherCells = stringWidth(sign, { countAnsiEscapeCodes: true, ambiguousIsNarrow: false });
  const width = cells === 1 && otherCells === 2 ? AMBIGUOUS : cells;
  return width | joining(sign) | (isDoubted(codePoint, sign, cells) ? DOUBTFUL : 0);
}

/** 0 for a sign that never joins another such sign, JOINS_BACK for one that only joins what is before it, else HARD. */
function joining(sign: string): number {
  const isControl = !joins(sign + "\u0301");
  const opensOrPairs = joins(sign + "a") || joins(sign + sign + "a") || joins(sign + "\uac00") ||
    joins("\uac00" + sign);
  if (isControl) return HARD;
  if (joins("a" + sign)) {
    // Viramas join Indic consonants around them and ZWJ joins pictographs: both reach forward as well.
    return joins("\u0915" + sign + "\u0915", 3) || joins("\u{1f600}" + sign + "\u{1f600}", 3)
      ? HARD
      : JOINS_BACK;
  }
  return opensOrPairs ? HARD : 0;
}

/** True when the first `count` code points of `text` are one grapheme. */
function joins(text: string, count = 2): boolean {
  const first = segmenter.segment(text)[Symbol.iterator]().next().value?.segment ?? "";
  return [...first].length >= count;
}

function isDoubted(codePoint: number, sign: string, cells: number): boolean {
  const within = ([first, last]: readonly [number, number]) => codePoint >= first && codePoint <= last;
  if (cells === 2) return !AGREED_WIDE.some(within);
  return DOUBTED_NARROW_PROPERTY.test(sign) || DOUBTED_NARROW.some(within);
}

function tableText(): string {
  const runs: string[] = [];
  let from = 0;
  let current = classOf(0);
  for (let codePoint = 1; codePoint <= LAST + 1; codePoint++) {
    const next = codePoint > LAST ? -1 : classOf(codePoint);
    if (next === current) continue;
    runs.push(((codePoint - from) * 32 + current).toString(36));
    from = codePoint;
    current = next;
  }
  const lines: string[] = [];
  for (const run of runs) {
    const last = lines.at(-1);
    if (last === undefined || last.length + run.length > 99) lines.push(run);
    else lines[lines.length - 1] = `${last} ${run}`;
  }
  return `// Made by tests/tools/make_width_table.ts; never edited by hand. Runs of code points of one class, from U+0000 up:
// each is length * 32 + class in base 36. graphemes.ts says what the bits of a class mean.

/** The classes of all code points. */
export const WIDTH_RUNS =
${lines.map((text, index) => `  "${text}${index < lines.length - 1 ? " " : ""}"`).join(" +\n")};
`;
}

if (import.meta.main) {
  const target = new URL("../../src/text/width_table.ts", import.meta.url);
  await Deno.writeTextFile(target, tableText());
}
