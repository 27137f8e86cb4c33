// Long text as it grows: the same chunks however it came, and its end read without joining the rest.

import assert from "node:assert/strict";
import {
  appendLongText,
  CHUNK_LENGTH,
  lastChunk,
  LONGEST_CHUNK,
  type LongText,
  longText,
  longTextString,
  textEnd,
  textStart,
} from "./long_text.ts";

const UNITS = [
  "word ",
  "line\n",
  "😀",
  "x".repeat(40_000) + "\n",
  "a\n".repeat(9) + "y".repeat(LONGEST_CHUNK + 5),
  "z".repeat(CHUNK_LENGTH - 1) + "\n",
];

Deno.test("the chunks do not depend on how the text came: cut behind a newline, or where a line is too long", () => {
  for (const unit of UNITS) {
    const text = unit.repeat(Math.ceil(2_200_000 / unit.length));
    const expected = chunksOf(text);
    for (const pace of [CHUNK_LENGTH - 1, CHUNK_LENGTH, 70_001, LONGEST_CHUNK, text.length]) {
      assert.deepEqual(grown(text, pace).chunks, expected, `${unit.slice(0, 9)} by ${pace}`);
    }
  }
  const few = UNITS.map((unit) => unit.slice(-70)).join("").repeat(200);
  assert.deepEqual(grown(few, 1).chunks, chunksOf(few));
});

Deno.test("start, end and last chunk of a text that grows are those of the whole", () => {
  for (const unit of UNITS) {
    const text = unit.repeat(Math.ceil(90_000 / unit.length)) + "the end";
    for (const pace of [7, 5000, text.length]) {
      const long = grown(text, pace);
      assert.equal(longTextString(long), text);
      for (const length of [1, 7, 300, 5000, 2 * text.length]) {
        assert.equal(textEnd(long, length), text.slice(-length));
        if (length <= CHUNK_LENGTH) assert.equal(textStart(long, length), text.slice(0, length));
      }
      const chunk = long.chunks.at(-1)!;
      const parts = lastChunk(long);
      assert.equal(parts.length, chunk.length);
      for (const from of [0, 1, 4095, 4096, 9000, chunk.length - 1]) {
        assert.equal(parts.slice(from), chunk.slice(from));
        assert.equal(parts.slice(from, from + 100), chunk.slice(from, from + 100));
      }
    }
  }
});

function grown(text: string, pace: number): LongText {
  const long = longText();
  for (let at = 0; at < text.length; at += pace) appendLongText(long, text.slice(at, at + pace));
  assert.equal(long.length, text.length);
  return long;
}

/** The rule, for a text that is there at once. */
function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  let from = 0;
  while (text.length - from > CHUNK_LENGTH) {
    const newline = text.indexOf("\n", from + CHUNK_LENGTH - 1);
    const limit = from + LONGEST_CHUNK;
    let end = newline !== -1 && newline < limit ? newline + 1 : limit;
    if (end === limit && text.length <= limit && newline === -1) break;
    if (end === limit && /[\ud800-\udbff]/.test(text[end - 1]!)) end--;
    chunks.push(text.slice(from, end));
    from = end;
  }
  if (from < text.length) chunks.push(text.slice(from));
  return chunks;
}
