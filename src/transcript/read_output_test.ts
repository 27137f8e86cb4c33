// What a Read showed of a file (edge cases 60-64).

import assert from "node:assert/strict";
import { parseReadOutput } from "./read_output.ts";
import { numbered } from "./transcript_test_helper.ts";

/** What a Read's output gives: "start: lines", with "partial". */
function slice(
  output: string,
  request: { offset?: number; limit?: number; summary?: string } = {},
): string | null {
  const parsed = parseReadOutput(output, { offset: null, limit: null, summary: "", ...request });
  if (parsed === null) return null;
  return `${parsed.start}: ${parsed.text.replaceAll("\n", "|")}${parsed.complete ? "" : " partial"}`;
}

Deno.test("edge 60: line numbers of any width, with a tab or an arrow, or none", () => {
  assert.equal(slice(numbered(["a", "", "c"])), "1: a||c");
  assert.equal(slice("     1→a\n     2→b"), "1: a|b");
  assert.equal(slice("999999\ta\n1000000\tb\n", { offset: 999999 }), "999999: a|b partial");
  assert.equal(slice("a\nb\n"), "1: a|b");
});

Deno.test("edge 61: a file whose lines look numbered keeps its numbers unless they begin at the offset", () => {
  assert.equal(slice("5\tfive\n6\tsix\n"), "1: 5\tfive|6\tsix");
  assert.equal(slice("1\tone\n3\tthree\n"), "1: 1\tone|3\tthree");
  assert.equal(slice("1\tone\nplain\n"), "1: 1\tone|plain");
  assert.equal(slice("5\tfive\n6\tsix\n", { offset: 5 }), "5: five|six partial");
});

Deno.test("edge 63: reminders and notices do not enter the file", () => {
  const lines = numbered(["a", "b", "c"]);
  assert.equal(slice(`${lines}\n<system-reminder>\nBe careful.\n</system-reminder>\n`), "1: a|b|c");
  assert.equal(
    slice(`${lines}\n(File has more lines. Use 'offset' to read beyond line 3)\n`),
    "1: a|b|c partial",
  );
  assert.equal(slice("a\nb\n\n[12 more lines in file. Use offset=3 to continue.]"), "1: a|b partial");
  assert.equal(slice(`${lines}\nSome words about the file.\n`), "1: a|b|c");
  assert.equal(
    slice(
      "IMPORTANT: The file content has been truncated.\nStatus: Showing lines 5-6 of 90 total lines.\n--- FILE CONTENT (truncated) ---\ne\nf\n",
    ),
    "5: e|f partial",
  );
});

Deno.test("edge 64: empty files, images, binary files", () => {
  assert.equal(slice(""), "1: ");
  assert.equal(slice("[image image/png, 12 bytes]"), null);
  assert.equal(slice("PNG\0\0"), null);
});

Deno.test("a read is complete only when it began at line 1 and was shorter than its limit", () => {
  assert.equal(slice("a\nb\n", { limit: 2 }), "1: a|b partial");
  assert.equal(slice("a\nb\n", { limit: 3 }), "1: a|b");
  assert.match(slice("a\n".repeat(2000)) ?? "", / partial$/);
  assert.equal(slice("a\nb\n", { summary: "Read 2 lines (truncated)" }), "1: a|b partial");
});
