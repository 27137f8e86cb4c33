import assert from "node:assert/strict";
import fc from "fast-check";
import { diffLines, type Hunk, lineDiffGeneration, loadLineDiff } from "./line_diff.ts";

Deno.test("before the library is loaded there is no diff, and the generation says when there is", async () => {
  const before = lineDiffGeneration();
  assert.equal(diffLines("a\n", "b\n"), null);
  await loadLineDiff();
  assert.equal(lineDiffGeneration(), before + 1);
  check("a\n", "b\n", ["@@ 1 1", "1 - a", "- 1 b"]);
});

/** Hunks as lines "old number, new number, text", a "-" for a side that has no such line. */
function shown(hunks: readonly Hunk[] | null): readonly string[] {
  assert(hunks !== null);
  return hunks.flatMap((hunk) => [
    `@@ ${hunk.oldStart} ${hunk.newStart}`,
    ...hunk.rows.map((row) =>
      row.kind === "note" ? `! ${row.text}` : `${row.oldLine ?? "-"} ${row.newLine ?? "-"} ${row.text}`
    ),
  ]);
}

function check(oldText: string, newText: string, expected: readonly string[], context = 3): void {
  assert.deepEqual(shown(diffLines(oldText, newText, { context })), expected);
}

function numbers(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, at) => `${from + at}\n`).join("");
}

Deno.test("edge 43 hunks whose contexts touch are one, others stay apart", () => {
  const far = numbers(1, 20).replace("\n5\n", "\nfive\n").replace("\n15\n", "\nfifteen\n");
  assert.equal(diffLines(numbers(1, 20), far)?.length, 2);
  const near = numbers(1, 20).replace("\n5\n", "\nfive\n").replace("\n11\n", "\neleven\n");
  const hunks = diffLines(numbers(1, 20), near);
  assert.equal(hunks?.length, 1);
  assert.equal(hunks?.[0]?.rows.length, 3 + 2 + 5 + 2 + 3);
});

Deno.test("edge 44 the first line, the last line, a whole file, no final newline", () => {
  check(numbers(1, 6), numbers(1, 6).replace("1\n", "one\n"), [
    "@@ 1 1",
    "1 - 1",
    "- 1 one",
    "2 2 2",
    "3 3 3",
    "4 4 4",
  ]);
  check(numbers(1, 6), numbers(1, 5) + "six\n", ["@@ 3 3", "3 3 3", "4 4 4", "5 5 5", "6 - 6", "- 6 six"]);
  check("a\nb\n", "c\nd\n", ["@@ 1 1", "1 - a", "2 - b", "- 1 c", "- 2 d"]);
  const note = "! \\ No newline at end of file";
  check("a\nb", "a\nc", ["@@ 1 1", "1 1 a", "2 - b", note, "- 2 c", note]);
  check("a\nb", "a\nb\n", ["@@ 1 1", "1 1 a", "2 - b", note, "- 2 b"]);
  check("a\nb\n", "a\nb", ["@@ 1 1", "1 1 a", "2 - b", "- 2 b", note]);
});

Deno.test("edge 45 pure insertion, pure deletion, a file made", () => {
  check("a\nb\n", "a\nx\ny\nb\n", ["@@ 1 1", "1 1 a", "- 2 x", "- 3 y", "2 4 b"]);
  check("a\nx\nb\n", "a\nb\n", ["@@ 1 1", "1 1 a", "2 - x", "3 2 b"]);
  check("", "a\nb\n", ["@@ 1 1", "- 1 a", "- 2 b"]);
  check("a\n", "", ["@@ 1 1", "1 - a"]);
  check("", "", []);
  check("same\n", "same\n", []);
});

Deno.test("edge 46 an edit in mid-line shows whole lines", () => {
  check("let a = 1;\nlet b = 2;\n", "let a = 1;\nlet bb = 2;\n", [
    "@@ 1 1",
    "1 1 let a = 1;",
    "2 - let b = 2;",
    "- 2 let bb = 2;",
  ]);
});

Deno.test("edge 47 line ends never show, and never differ", () => {
  check("a\r\nb\r\n", "a\nb\n", []);
  check("a\r\nb\nc\rd\n", "a\nb\r\nc\nX\n", ["@@ 1 1", "1 1 a", "2 2 b", "3 3 c", "4 - d", "- 4 X"]);
  check("a\r\r\n", "b\n", ["@@ 1 1", "1 - a", "- 1 b"]);
});

Deno.test("edge 48 tabs and wide signs stay in the rows", () => {
  check("\t日本\n", "\t日本語 👩‍💻\n", ["@@ 1 1", "1 - \t日本", "- 1 \t日本語 👩‍💻"]);
});

Deno.test("a line that looks like a note or a patch is text", () => {
  check("x\n", "\\ No newline at end of file\n-y\n", [
    "@@ 1 1",
    "1 - x",
    "- 1 \\ No newline at end of file",
    "- 2 -y",
  ]);
});

Deno.test("the context is as wide as asked for", () => {
  check(numbers(1, 9), numbers(1, 9).replace("5\n", "five\n"), ["@@ 5 5", "5 - 5", "- 5 five"], 0);
  check(numbers(1, 9), numbers(1, 9).replace("5\n", "five\n"), [
    "@@ 4 4",
    "4 4 4",
    "5 - 5",
    "- 5 five",
    "6 6 6",
  ], 1);
});

Deno.test("too many changes are no diff; many lines with few changes are one", () => {
  const old = numbers(1, 10_000);
  assert.equal(diffLines(old, old.replaceAll("\n", "x\n")), null);
  assert.equal(diffLines(old, old.replace("\n5000\n", "\nfive\n"))?.length, 1);
});

Deno.test("hunks make the new text of the old one", () => {
  const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "\\ x\n", "-\n", "+\n"), { maxLength: 30 })
    .chain((lines) => fc.constantFrom("", "end").map((end) => lines.join("") + end));
  fc.assert(
    fc.property(text, text, fc.nat(4), (oldText, newText, context) => {
      const hunks = diffLines(oldText, newText, { context });
      assert(hunks !== null);
      assert.equal(applied(oldText, hunks), newText);
    }),
    { numRuns: 1500 },
  );
});

/** The old text with the hunks' rows in place, each checked to say the right line number and sign. */
function applied(oldText: string, hunks: readonly Hunk[]): string {
  const lines = oldText.split("\n");
  const out: string[] = [];
  let at = 0;
  let endsOpen = false;
  for (const { rows } of hunks) {
    for (const [index, row] of rows.entries()) {
      if (row.kind === "note") {
        if (rows[index - 1]?.kind !== "removed") endsOpen = true;
        continue;
      }
      if (row.oldLine !== null) {
        while (at < row.oldLine - 1) out.push(lines[at++]!);
        assert.equal(lines[at++], row.text);
      }
      if (row.kind === "removed") continue;
      // Lines in front of a hunk without old rows.
      while (out.length < row.newLine! - 1) out.push(lines[at++]!);
      assert.equal(out.push(row.text), row.newLine);
      endsOpen = false;
    }
  }
  const rest = lines.slice(at);
  if (rest.length > 0 && !(rest.length === 1 && rest[0] === "")) return [...out, ...rest].join("\n");
  return out.length === 0 ? "" : out.join("\n") + (endsOpen ? "" : "\n");
}
