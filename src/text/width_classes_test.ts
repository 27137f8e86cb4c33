import assert from "node:assert/strict";
import stringWidth from "string-width";
import {
  changeAmbiguousWidth,
  HARD,
  JOINS_BACK,
  NOT_SIMPLE,
  pointClass,
  WIDTH_BITS,
} from "./width_classes.ts";

const PLANE = 0x10000;
const LAST_PLANE = 16;
/** Planes that hold signs of many kinds are compared sign by sign, the others in blocks: none of theirs join. */
const MIXED_PLANES = new Set([0, 1, 14]);
const BLOCK = 64;

/** Where the cells of code points differ from string-width's. */
function differing(ambiguousIsNarrow: boolean): string[] {
  const found: string[] = [];
  for (let plane = 0; plane <= LAST_PLANE; plane++) {
    const step = MIXED_PLANES.has(plane) ? 1 : BLOCK;
    for (let first = plane * PLANE; first < (plane + 1) * PLANE; first += step) {
      let text = "";
      let cells = 0;
      for (let point = first; point < first + step; point++) {
        text += String.fromCodePoint(point);
        cells += pointClass(point) & WIDTH_BITS;
      }
      if (cells !== stringWidth(text, { ambiguousIsNarrow, countAnsiEscapeCodes: true })) {
        found.push(first.toString(16));
      }
    }
  }
  return found;
}

Deno.test("every code point of Unicode has string-width's cells", () => {
  assert.deepEqual(differing(true), []);
});

Deno.test("every code point of Unicode has string-width's cells where ambiguous signs are wide", () => {
  try {
    changeAmbiguousWidth(2);
    assert.deepEqual(differing(false), []);
  } finally {
    changeAmbiguousWidth(1);
  }
});

Deno.test("every code point joins its neighbours as its class says", () => {
  const segmenter = new Intl.Segmenter();
  const isOne = (text: string) => segmenter.segment(text).containing(0)!.segment === text;
  const wrong: string[] = [];
  // The planes above hold no signs but ideographs, tags, selectors and private use; their ends are enough.
  const points = [
    ...Array(0x20000).keys(),
    0x20000,
    0x2fffd,
    0x30000,
    0x3fffd,
    0xe0001,
    0xe0020,
    0xe0100,
    0xe01ef,
    0xf0000,
  ];
  for (const point of points) {
    const sign = String.fromCodePoint(point);
    const bits = pointClass(point);
    const joinsBack = isOne("a" + sign);
    if ((bits & JOINS_BACK) !== 0 ? !joinsBack : (bits & HARD) === 0 && joinsBack) {
      wrong.push(point.toString(16));
    }
    // Two simple ones never join, whatever the other is; jamo and syllables join in each way they can.
    const joinsOther = isOne(sign + "a") || isOne(sign + sign) || isOne("\uac00" + sign) ||
      isOne(sign + "\uac00");
    if ((bits & NOT_SIMPLE) === 0 && joinsOther) wrong.push(point.toString(16));
  }
  assert.deepEqual(wrong, []);
});
