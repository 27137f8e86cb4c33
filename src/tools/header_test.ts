import assert from "node:assert/strict";
import { lineText, lineWidth } from "../text/line.ts";
import { argumentOf, type Head, headLines, headRow, nameText, shortenStart } from "./header.ts";

const HEAD: Head = {
  lead: { text: "Edit", role: "tool.name" },
  argument: argumentOf("/repo/src/text/宽/wrap.ts", "tool.path", "end"),
  facts: [{ text: "(+3 -1)", role: "tool.note" }, { text: "more facts", role: "tool.note" }],
};
const MARKS = [{ text: "(late)", role: "tool.note" }] as const;

function row(width: number, count = 0): string {
  return lineText(headRow(HEAD, MARKS, { width, hidden: { count, unit: "row" } }));
}

Deno.test("a header gives up facts whole, then shortens the argument, then the name; what is hidden stays", () => {
  assert.equal(row(80, 12), "Edit /repo/src/text/宽/wrap.ts  (+3 -1)  more facts  (late)  +12 rows");
  assert.equal(row(60, 12), "Edit …text/宽/wrap.ts  (+3 -1)  more facts  (late)  +12 rows");
  assert.equal(row(46, 12), "Edit …xt/宽/wrap.ts  (+3 -1)  (late)  +12 rows");
  assert.equal(row(36, 12), "Edit …t/宽/wrap.ts  (late)  +12 rows");
  assert.equal(row(24, 12), "Edit …/wrap.ts  +12 rows");
  assert.equal(row(14, 12), "Edit  +12 rows");
  assert.equal(row(10, 12), "Edit  +12");
  assert.equal(row(6, 12), "…  +12");
  assert.equal(row(4, 12), "+12");
  assert.equal(row(1, 12), "…");
  assert.equal(row(28), "Edit …ext/宽/wrap.ts  (late)");
});

Deno.test("a header is one row of no more than its width, whatever the width", () => {
  for (let width = 1; width <= 120; width++) {
    for (const count of [0, 1, 99999]) {
      const head = headRow(HEAD, MARKS, { width, hidden: { count, unit: "line" } });
      assert.ok(lineWidth(head) <= width, `${width}: ${lineText(head)}`);
      for (const line of headLines(HEAD, MARKS, width)) assert.ok(lineWidth(line) <= width);
    }
  }
});

Deno.test("in detail a header wraps and loses nothing", () => {
  const lines = headLines(HEAD, MARKS, 24).map(lineText);
  assert.equal(lines.join("").replaceAll(" ", ""), "Edit/repo/src/text/宽/wrap.ts(+3-1)morefacts(late)");
});

Deno.test("names and arguments show every control and invisible sign", () => {
  assert.equal(nameText("a\u001b[31mb\u202e"), "a\\x1b[31mb<U+202E>");
  assert.equal(nameText(" "), "?");
  assert.equal(argumentOf("rm \u200d\n-r").text, "rm <U+200D>\\x0a-r");
  assert.ok(argumentOf("x".repeat(100_000)).text.length < 10_000);
});

Deno.test("shortening from the left keeps whole graphemes", () => {
  assert.equal(shortenStart("abc宽宽", 5), "…宽宽");
  assert.equal(shortenStart("abc宽宽", 4), "…宽");
  assert.equal(shortenStart("ab👨‍👩‍👧", 3), "…👨‍👩‍👧");
  assert.equal(shortenStart("abc", 3), "abc");
  assert.equal(shortenStart("abc", 0), "");
  assert.equal(shortenStart("x".repeat(1_000_000) + "end", 4), "…end");
});
