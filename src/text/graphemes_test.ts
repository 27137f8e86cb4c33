import assert from "node:assert/strict";
import fc from "fast-check";
import stringWidth from "string-width";
import {
  cellWidth,
  clusterWidth,
  cutToWidth,
  graphemeEnd,
  graphemes,
  isDoubtful,
  loadClusterWidths,
  setAmbiguousWidth,
  walkGraphemes,
} from "./graphemes.ts";

const segmenter = new Intl.Segmenter();
const reference = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);

/** Signs of every joining kind: simple, marks, ZWJ, jamo, flags, prepended marks, viramas, surrogates, controls. */
const HOSTILE = [
  ..."aZ 1#é漢字かゅー、한글ｶﾞ｡…✓✗⚠❤ก",
  ..."\u0301\u0300\u3099\ufe0e\ufe0f\u200d\u200c\u20e3\u0e33\u0e48\u0e34\u093f\u0903\u034f",
  ..."\u1100\u1161\u11a8\uac00\uac01\ud7b0\ud7cb\ua960",
  ..."\u0915\u094d\u0937\u0924\u0b95\u0bcd\u0c15\u0c4d\u0d4d\u17d2\u1780\u0d4e\u0600\u06dd\u110bd\u{11a3a}",
  ..."😀👨👩👧🏽🏻🇯🇵🇰🏴\u{e0067}\u{e007f}𠮷𝒳\u{1f9d1}\u{2640}",
  ..."\u200b\u200e\u202e\u2060\ufeff\u00ad\u2028\n\r\t\0\u061c\u180e\u3164",
  "\ud800",
  "\udc00",
];

const hostileText = fc.array(fc.constantFrom(...HOSTILE), { maxLength: 24 }).map((signs) => signs.join(""));
const anyText = fc.string({ unit: "binary", maxLength: 16 });
const mixedText = fc.oneof(
  hostileText,
  anyText,
  fc.tuple(hostileText, anyText).map(([one, two]) => one + two),
);

Deno.test("graphemes equal those of Intl.Segmenter on hostile text", () => {
  fc.assert(
    fc.property(mixedText, (text) => {
      assert.deepEqual(graphemes(text), reference(text));
    }),
    { numRuns: 20_000 },
  );
});

Deno.test("the width of a text is that of string-width, walked, cut or asked whole", async () => {
  await loadClusterWidths();
  fc.assert(
    fc.property(mixedText, fc.integer({ min: 1, max: 30 }), (text, width) => {
      const expected = stringWidth(text, { countAnsiEscapeCodes: true });
      assert.equal(cellWidth(text), expected);
      let walked = 0;
      let at = 0;
      walkGraphemes(text, (start, end, cells) => {
        assert.equal(start, at);
        assert.equal(clusterWidth(text.slice(start, end)), cells);
        assert.equal(graphemeEnd(text, start), end);
        walked += cells;
        at = end;
      });
      assert.equal(walked, expected);
      assert.equal(at, text.length);
      const cut = cutToWidth(text, width);
      assert.ok(text.startsWith(cut) && cellWidth(cut) <= width);
      if (cut !== text) {
        assert.ok(
          cellWidth(cut) + clusterWidth(text.slice(cut.length, graphemeEnd(text, cut.length))) > width,
        );
      }
    }),
    { numRuns: 5_000 },
  );
});

Deno.test("long runs without an easy boundary are cut as short ones are", () => {
  for (const sign of ["🇯🇵", "👨\u200d👩\u200d👧", "\u1100\u1161\u11a8", "\u0915\u094d", "a\u0301\u200d"]) {
    const text = sign.repeat(700);
    assert.deepEqual(graphemes(text), reference(text));
    assert.equal(graphemeEnd(text, 0), reference(text)[0]!.length);
    assert.equal(cutToWidth(text, 3), reference(text).slice(0, countWithin(reference(text), 3)).join(""));
  }
});

function countWithin(clusters: readonly string[], width: number): number {
  let left = width;
  const index = clusters.findIndex((cluster) => (left -= clusterWidth(cluster)) < 0);
  return index === -1 ? clusters.length : index;
}

Deno.test("a walk stops where the visitor wants, in simple text and inside a run", () => {
  for (const text of ["abcdef", "漢字漢字漢字", "🇯🇵🇰🇷🇯🇵🇰🇷", "🇯🇵".repeat(100)]) {
    let seen = 0;
    walkGraphemes(text, () => ++seen < 2 ? undefined : false);
    assert.equal(seen, 2);
  }
});

Deno.test("U06 the last grapheme is what the eye sees", () => {
  const cases: readonly (readonly [text: string, rest: string])[] = [
    ["hello 😀", "hello "],
    ["x👨‍👩‍👧‍👦", "x"],
    ["🇯🇵🇰🇷", "🇯🇵"],
    ["ae\u{301}", "a"],
    ["あか\u{3099}", "あ"],
    ["n1\u{FE0F}\u{20E3}", "n"],
    ["q👍🏽", "q"],
    ["한글", "한"],
    ["กที่", "ก"],
  ];
  for (const [text, rest] of cases) assert.equal(graphemes(text).slice(0, -1).join(""), rest);
});

Deno.test("edge 73 widths of clusters", async () => {
  await loadClusterWidths();
  const cases: readonly (readonly [text: string, cells: number])[] = [
    ["", 0],
    ["abc", 3],
    ["漢字", 4],
    ["한글", 4],
    ["\u1112\u1161\u11ab", 2],
    ["e\u0301", 1],
    ["か\u3099", 2],
    ["ｶﾞ", 2],
    ["👨‍👩‍👧‍👦", 2],
    ["🇯🇵🇰🇷", 4],
    ["1\ufe0f\u20e3", 2],
    ["⚠\ufe0f", 2],
    ["⚠", 1],
    ["👍🏽", 2],
    ["ที่", 1],
    ["ำ", 1],
    ["𠮷", 2],
    ["\u200b", 0],
  ];
  for (const [text, cells] of cases) assert.equal(cellWidth(text), cells, JSON.stringify(text));
});

Deno.test("ambiguous signs take the cells the setting says", async () => {
  await loadClusterWidths();
  try {
    for (const cells of [2, 1] as const) {
      setAmbiguousWidth(cells);
      assert.equal(cellWidth("①…α"), 3 * cells);
      assert.equal(isDoubtful("①"), cells === 2);
      const text = "aα①\u0301é漢…━";
      assert.equal(cellWidth(text), stringWidth(text, { ambiguousIsNarrow: cells === 1 }));
    }
  } finally {
    setAmbiguousWidth(1);
  }
});

Deno.test("doubtful clusters are those terminals disagree about", () => {
  const safe = [..."aé漢字かｱー、「한ＡЖאب✓✗…─█", "e\u0301", "и\u0306", "א\u0300", "𠮷"];
  const doubtful = [
    ..."😀⚠✔©☰䷀①\u3248".replace("①", ""),
    "👨\u200d👩",
    "🇯🇵",
    "🇯",
    "か\u3099",
    "1\ufe0f\u20e3",
    "⚠\ufe0f",
    "ที่",
    "\u1100",
    "\u0903",
    "ｶﾞ",
    "क्ष",
    "\u{1f93b}",
  ];
  for (const cluster of safe) assert.equal(isDoubtful(cluster), false, cluster);
  for (const cluster of doubtful) assert.equal(isDoubtful(cluster), true, cluster);
});
