import assert from "node:assert/strict";
import fc from "fast-check";
import { createLineReader, end, feed, type Record } from "./json_lines.ts";

const encoder = new TextEncoder();

/** All records of the text, fed in pieces of `step` bytes. */
function check(text: string | Uint8Array, expected: readonly unknown[], step?: number): void {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  for (const size of step === undefined ? [1, 2, 7, 64, bytes.length] : [step]) {
    assert.deepEqual(read(bytes, size).map(short), expected, `in pieces of ${size} bytes`);
  }
}

function read(bytes: Uint8Array, size: number, lineBytes?: number): Record[] {
  const reader = createLineReader(lineBytes === undefined ? {} : { lineBytes });
  const records: Record[] = [];
  // One buffer used again and again, as a reader may do.
  const buffer = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    buffer.set(piece);
    records.push(...feed(reader, buffer.subarray(0, piece.length)));
  }
  return [...records, ...end(reader)];
}

function short(record: Record): unknown {
  if (record.kind === "value") return [record.line, record.value];
  return [record.line, record.kept ? "repaired" : "skipped", record.what];
}

Deno.test("one value a line, however the bytes are cut", () => {
  check('{"a":1}\n{"b":"日本語 😀"}\n', [[1, { a: 1 }], [2, { b: "日本語 😀" }]]);
});

Deno.test("edge 30: CRLF, blank lines, BOM, last line without newline", () => {
  check('\ufeff{"a":1}\r\n\r\n  \n\n{"b":2}', [[1, { a: 1 }], [5, { b: 2 }]]);
  check("", []);
  check("\n\n", []);
});

Deno.test("edge 30: half a line at the end is told", () => {
  check('{"a":1}\n{"b":"x', [[1, { a: 1 }], [2, "skipped", 'the JSON value is cut off: "{\\"b\\":\\"x"']]);
  check('{"a":1}\n{"b":', [[1, { a: 1 }], [2, "skipped", 'the JSON value is cut off: "{\\"b\\":"']]);
});

Deno.test("edge 30: what is no JSON is skipped and told", () => {
  check('hello\n{"a":1}\n', [[1, "skipped", 'not JSON: "hello"'], [2, { a: 1 }]]);
  check('{"a":1}}\n', [[1, { a: 1 }], [1, "skipped", 'not JSON: "}"']]);
});

Deno.test("NUL bytes: a line of them is skipped, around a record they are taken off", () => {
  check(`{"a":1}\n${"\0".repeat(64)}\n{"b":2}\n`, [[1, { a: 1 }], [2, "skipped", "64 NUL bytes"], [3, {
    b: 2,
  }]]);
  check(`\0\0{"a":1}\n`, [[1, { a: 1 }], [1, "repaired", "2 NUL bytes"]]);
});

Deno.test("two records on one line", () => {
  check('{"a":"}{"}{"b":[2]} {"c":3}\n', [[1, { a: "}{" }], [1, { b: [2] }], [1, { c: 3 }]]);
  check('{"a":1}{"b":\n', [[1, { a: 1 }], [1, "skipped", 'the JSON value is cut off: "{\\"b\\":"']]);
});

Deno.test("edge 30: invalid UTF-8 is shown as U+FFFD and told", () => {
  const bytes = encoder.encode('{"a":"xxy"}\n{"b":2}\n');
  bytes[6] = 0xff;
  check(bytes, [[1, { a: "\ufffdxy" }], [1, "repaired", "invalid UTF-8, shown as U+FFFD"], [2, { b: 2 }]]);
});

Deno.test("a raw newline inside a string: the lines are one record", () => {
  check('{"a":"one\ntwo"}\n{"b":2}\n', [[1, { a: "one\ntwo" }], [
    1,
    "repaired",
    "raw newline inside a string",
  ], [3, { b: 2 }]]);
  check('{"a":"one\n\nthree"}\n', [[1, { a: "one\n\nthree" }], [
    1,
    "repaired",
    "raw newline inside a string",
  ]]);
});

Deno.test("a line cut inside a string does not swallow the good ones behind it", () => {
  check('{"a":"cut he\n\n{"b":2}\n', [[1, "skipped", 'the JSON value is cut off: "{\\"a\\":\\"cut he"'], [3, {
    b: 2,
  }]]);
  check('{"a":"cut\nnoise\n\0\0\n{"b":1}{"c":2}\n', [
    [1, "skipped", 'the JSON value is cut off: "{\\"a\\":\\"cut"'],
    [2, "skipped", 'not JSON: "noise"'],
    [3, "skipped", "2 NUL bytes"],
    [4, { b: 1 }],
    [4, { c: 2 }],
  ]);
});

Deno.test("edge 30: a line longer than a line may be is skipped, told, and not held", () => {
  const bytes = encoder.encode(`{"a":1}\n{"long":"${"x".repeat(5000)}"}\n{"b":2}\n`);
  for (const size of [1, 100, 999, bytes.length]) {
    assert.deepEqual(read(bytes, size, 1000).map(short), [
      [1, { a: 1 }],
      [2, "skipped", "the line has 5011 bytes, more than 1000"],
      [3, { b: 2 }],
    ]);
  }
  const reader = createLineReader();
  const piece = new Uint8Array(1 << 20).fill(120);
  for (let count = 0; count < 40; count++) feed(reader, piece);
  assert.equal(reader.rest.length, 0, "40 MiB without a newline: nothing is held");
  feed(reader, encoder.encode("\n"));
  assert.deepEqual(feed(reader, encoder.encode('{"a":1}\n')).map(short), [[2, { a: 1 }]]);
});

Deno.test("property: any bytes in any pieces give the same, and never a throw", () => {
  const piece = fc.oneof(
    fc.json(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("\n", "\r\n", "\0", '{"a":"', '"}', "{", "\ufeff", '{"b":1}'),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 1, max: 40 }), (pieces, size) => {
      const bytes = encoder.encode(pieces.join(""));
      assert.deepEqual(read(bytes, size), read(bytes, Math.max(1, bytes.length)));
    }),
    { numRuns: 500 },
  );
});

Deno.test("a byte order mark at the beginning of any line is none of its text, however the bytes are cut", () => {
  const bytes = encoder.encode('\n\ufeff0\n{"a":1}\n\ufeff{"b":"\ufeff"}');
  for (const size of [1, 2, 3, bytes.length]) {
    assert.deepEqual(read(bytes, size).map((record) => record.kind === "value" ? record.value : record), [
      0,
      { a: 1 },
      { b: "\ufeff" },
    ]);
  }
});
