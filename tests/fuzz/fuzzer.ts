// What a fuzzer is, and the parts they share: hostile text, JSON with the words that real data uses.

import fc from "fast-check";
import { PIECES } from "../escape/payloads.ts";

/** One fuzzer. Its values are JSON, so that what falls can be kept in testdata/fuzz and read by a person. */
export interface Fuzzer<Value> {
  readonly name: string;
  readonly label: string;
  readonly values: fc.Arbitrary<Value>;
  /** Throws when the value breaks something. */
  readonly check: (value: Value) => void;
  /** Runs in the gate: enough to notice a fuzzer that rots. */
  readonly gateRuns: number;
}

/** Text of letters, signs of many scripts, line ends, and everything hostile. */
export function hostileText(options: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  const unit = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(..."abc xyz 019.,:;-_/\\|`*#>[](){}<&\"'~=+!@$%^?") },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        "\r",
        "\b",
        "  ",
        "    ",
        "```",
        "| ",
        "- ",
        "> ",
      ),
    },
    { weight: 3, arbitrary: fc.constantFrom(...WIDE) },
    { weight: 3, arbitrary: fc.constantFrom(...PIECES) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 3 }) },
  );
  return fc.array(unit, { maxLength: options.maxLength ?? 60 }).map((units) => units.join(""));
}

const WIDE = [
  ..."日本語。、「」한글中文ｱｶﾞ",
  ..."éñäß∀✓✗…│─█",
  "👨‍👩‍👧‍👦",
  "🇯🇵",
  "🇯",
  "👍🏽",
  "1️⃣",
  "e\u0301",
  "ที่",
  "क्षि",
  "ᄀᄀᄀ각",
  "☺️",
  "️",
  "‍",
  "𝒳",
  "مرحبا",
  "\ud83d",
  "\ude00",
];

/** A program's words now and then, else hostile text. */
export function wordOrText(words: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...(words.length === 0 ? [""] : words)) },
    { weight: 1, arbitrary: hostileText({ maxLength: 12 }) },
  );
}

/** Any JSON value; keys and strings are mostly those of `words`. */
export function anyJson(words: readonly string[]): fc.Arbitrary<unknown> {
  const word = wordOrText(words);
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, depthSize: "small", withCrossShrink: true },
      word,
      fc.constantFrom(null, true, false, 0, 1, -1, 1e308, -0, 0.5, 2 ** 53, 1790000000000),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.array(fc.tuple(word.map(plainKey), tie("value")), { maxLength: 6 }).map((pairs) =>
        Object.fromEntries(pairs)
      ),
    ),
  }));
  return value;
}

/**
 * V8 15.0 gives a key of one escaped sign the name of another such key it has seen in the same place (JSON.parse of
 * {"x":1,"\\n":2} after {"x":1,"\\\\":2}): such keys would be its fault, not ours.
 */
export function plainKey(key: string): string {
  return JSON.stringify(key).length === key.length + 2 ? key : `${key}k`;
}

/** Splits bytes at places that are numbers from 0 up, taken modulo what is left. */
export function splitBytes(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (const cut of cuts) {
    if (start >= bytes.length) break;
    const end = Math.min(bytes.length, start + 1 + cut);
    pieces.push(bytes.slice(start, end));
    start = end;
  }
  if (start < bytes.length) pieces.push(bytes.slice(start));
  return pieces;
}
