import assert from "node:assert/strict";
import fc from "fast-check";
import { createWanted, findInRows, LONGEST_WANTED, markParts } from "./find_text.ts";
import { graphemes } from "./graphemes.ts";
import { lineOf, lineText } from "./line.ts";

/** What is found, as the text of its parts. */
function found(text: string, ...lines: string[]): string[][] {
  // A row that goes on with the one above begins with "~".
  const rows = lines.map((line) => line.replace(/^~/, ""));
  const wanted = createWanted(text);
  assert.ok(wanted !== null);
  return findInRows(wanted, rows.map((one, at) => ({ text: one, goesOn: lines[at] !== one }))).map((parts) =>
    parts.map(({ row, start, end }) => rows[row]!.slice(start, end))
  );
}

Deno.test("find: in one row, whatever the case, and signs that mean something to expressions", () => {
  assert.deepEqual(found("Error", "no error, ERROR", "", "an Error"), [["error"], ["ERROR"], ["Error"]]);
  assert.deepEqual(found("a.b(*)", "axb(*) a.b(*)"), [["a.b(*)"]]);
  assert.deepEqual(found("漢字", "この漢字は"), [["漢字"]]);
  assert.deepEqual(found("zz", "a", "b"), []);
});

Deno.test("find: a blank is any run of blanks, also the end of a row; a word goes on in the next row", () => {
  assert.deepEqual(found("two words", "two   words", "two", "words"), [["two   words"], ["two", "words"]]);
  assert.deepEqual(found("wrapped", "    wra", "~    pped"), [["wra", "pped"]]);
  assert.deepEqual(found("漢字かな", "漢", "~字", "~かな"), [["漢", "字", "かな"]]);
  assert.deepEqual(found("two words", "│ two", "~│ words", "two │ words"), [["two", "words"]]);
  assert.deepEqual(found("wrapped", "│ wra", "~│ pped"), [["wra", "pped"]]);
  // Blanks inside a row separate words, and so does the end of a line.
  assert.deepEqual(found("ab", "alpha a", "b beta"), []);
  assert.deepEqual(found("hidear", "hi dear"), []);
});

Deno.test("find: blanks alone are nothing, and what is wanted has an end", () => {
  for (const text of ["", "  ", "\n"]) assert.equal(createWanted(text), null);
  assert.equal(createWanted("x".repeat(5000))?.text.length, LONGEST_WANTED);
  assert.equal(createWanted("\ud800")?.text, "\ufffd");
  assert.equal(
    createWanted(`${"a".repeat(LONGEST_WANTED - 1)}👍b`)?.text,
    `${"a".repeat(LONGEST_WANTED - 1)}👍`,
  );
  assert.equal(createWanted(`${" ".repeat(LONGEST_WANTED)}tail`)?.text, "tail");
});

Deno.test("find: what is in a row is found where it is, and marking changes no text", () => {
  const sign = fc.constantFrom(..."ab. (é漢👩‍👧\u0301");
  const text = fc.array(sign, { maxLength: 12 }).map((signs) => signs.join(""));
  fc.assert(
    fc.property(text, text, text, (before, word, behind) => {
      const wanted = createWanted(word);
      const row = before + word + behind;
      if (wanted === null) return;
      const parts = findInRows(wanted, [{ text: row, goesOn: false }]).flat();
      assert.ok(parts.length > 0);
      for (const part of parts) assert.ok(wanted.unwrapped.test(row.slice(part.start, part.end)));
      const line = lineOf([before, "default"], [word, "md.code"], [behind, "default"]);
      const marked = markParts(line, parts.map((part) => ({ ...part, role: "find.hit" as const })));
      assert.equal(lineText(marked), row);
      const cut = marked.spans.flatMap((span) => graphemes(span.text));
      assert.deepEqual(cut, line.spans.flatMap((span) => graphemes(span.text)));
      // What begins inside a sign cannot be marked without it.
      if (graphemes(row).includes(graphemes(word.trim())[0]!)) {
        assert.ok(marked.spans.some((span) => span.role === "find.hit"));
      }
    }),
    { numRuns: 2000 },
  );
});
