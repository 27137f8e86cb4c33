import assert from "node:assert/strict";
import stringWidth from "string-width";
import {
  cellWidth,
  clusterWidthsWanted,
  loadClusterWidths,
  setAmbiguousWidth,
  widthGeneration,
} from "./graphemes.ts";

// The tests of this file share the module's state and run in order: nothing is loaded when the first begins.

const ESTIMATED_RIGHT = [
  "e\u0301",
  "か\u3099",
  "👨\u200d👩\u200d👧",
  "🇯🇵",
  "⚠\ufe0f",
  "1\ufe0f\u20e3",
  "👍🏽",
  "ที่",
  "नि",
];
/** One cluster of two leading jamo and a vowel: 4 cells, where the sum says 5. */
const ESTIMATED_WRONG = "\u1100\u1100\u1161";

Deno.test("before string-width is there, common clusters have its width all the same", () => {
  assert.equal(cellWidth("abc 漢字 😀"), 11);
  assert.equal(clusterWidthsWanted(), false);
  for (const cluster of ESTIMATED_RIGHT) assert.equal(cellWidth(cluster), stringWidth(cluster), cluster);
  assert.equal(clusterWidthsWanted(), true);
});

Deno.test("loading corrects what was estimated wrong, and the generation says so once", async () => {
  const before = widthGeneration();
  assert.notEqual(cellWidth(ESTIMATED_WRONG), stringWidth(ESTIMATED_WRONG));
  await loadClusterWidths();
  assert.equal(widthGeneration(), before + 1);
  assert.equal(clusterWidthsWanted(), false);
  assert.equal(cellWidth(ESTIMATED_WRONG), stringWidth(ESTIMATED_WRONG));
  await loadClusterWidths();
  assert.equal(widthGeneration(), before + 1);
});

Deno.test("another width for ambiguous signs voids what was measured", () => {
  const before = widthGeneration();
  try {
    assert.equal(cellWidth("①\u0301"), 1);
    setAmbiguousWidth(2);
    assert.equal(widthGeneration(), before + 1);
    assert.equal(cellWidth("①\u0301"), 2);
    setAmbiguousWidth(2);
    assert.equal(widthGeneration(), before + 1);
  } finally {
    setAmbiguousWidth(1);
  }
});

Deno.test("far more clusters than are kept still have their width", () => {
  for (let index = 0; index < 40_000; index++) {
    const cluster = String.fromCharCode(0x4e00 + index % 20_000) + String.fromCharCode(0x300 + index % 64);
    assert.equal(cellWidth(cluster), 2);
  }
});
