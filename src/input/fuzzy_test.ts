import assert from "node:assert/strict";
import fc from "fast-check";
import {
  createFuzzySearch,
  fuzzyBest,
  fuzzyPositions,
  fuzzyScore,
  refineFuzzySearch,
  scanFuzzy,
} from "./fuzzy.ts";

const PATHS = [
  "src/app/main.ts",
  "src/input/composer.ts",
  "src/input/composer_test.ts",
  "src/compositor/encode.ts",
  "docs/composer-manual.md",
  "README.md",
  "src/text/日本語.ts",
];

Deno.test("letters in order match, the best is what one means", () => {
  assert.equal(fuzzyBest(PATHS, "composer")[0], "src/input/composer.ts");
  assert.equal(fuzzyBest(PATHS, "cmptest")[0], "src/input/composer_test.ts");
  assert.equal(fuzzyBest(PATHS, "main")[0], "src/app/main.ts");
  assert.deepEqual(fuzzyBest(PATHS, "readme"), ["README.md"]);
  assert.deepEqual(fuzzyBest(PATHS, "日語"), ["src/text/日本語.ts"]);
  assert.deepEqual(fuzzyBest(PATHS, "xyzzy"), []);
});

Deno.test("several terms must all occur, upper case counts where it is typed", () => {
  assert.deepEqual(fuzzyBest(PATHS, "test input"), ["src/input/composer_test.ts"]);
  assert.deepEqual(fuzzyBest(PATHS, "READ"), ["README.md"]);
  assert.deepEqual(fuzzyBest(PATHS, "Readme"), []);
  assert.equal(fuzzyBest(PATHS, "").length, PATHS.length);
});

Deno.test("positions are where the letters stand", () => {
  assert.deepEqual(fuzzyPositions("src/input/composer.ts", "comp"), [10, 11, 12, 13]);
  assert.deepEqual(fuzzyPositions("src/app/main.ts", "sam"), [0, 4, 8]);
});

Deno.test("matches are exactly the subsequences, ignoring case", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "C", "/", "_", "é"), maxLength: 12 });
  fc.assert(
    fc.property(word, word.map((text) => text.toLowerCase()), (item, query) => {
      const wanted = [...query];
      for (const sign of item.toLowerCase()) if (sign === wanted[0]) wanted.shift();
      assert.equal(fuzzyScore(item, query) !== null, wanted.length === 0);
      if (wanted.length > 0) return;
      const found = fuzzyPositions(item, query).map((at) => item.charAt(at).toLowerCase()).join("");
      assert.equal(found, query);
    }),
    { numRuns: 1000 },
  );
});

Deno.test("any slices give what one look at all gives, and a refined search what a new one gives", () => {
  const items = Array.from({ length: 400 }, (_, index) => `dir${index % 7}/file_${(index * 37) % 101}.ts`);
  fc.assert(
    fc.property(
      fc.constantFrom("f1", "d3f", "ts", "fil9"),
      fc.array(fc.integer({ min: 1, max: 90 })),
      (query, slices) => {
        const whole = createFuzzySearch(items, query, 20);
        scanFuzzy(whole, items.length);
        const sliced = createFuzzySearch(items, query, 20);
        for (const slice of slices) scanFuzzy(sliced, slice);
        while (!scanFuzzy(sliced, 50));
        assert.deepEqual(sliced.best, whole.best);
        const shorter = createFuzzySearch(items, query.slice(0, -1), 20);
        scanFuzzy(shorter, items.length);
        const refined = refineFuzzySearch(shorter, query);
        assert.ok(refined.from !== null);
        scanFuzzy(refined, items.length);
        assert.deepEqual(refined.best, whole.best);
      },
    ),
    { numRuns: 60 },
  );
});
