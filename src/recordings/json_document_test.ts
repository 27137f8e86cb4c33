import assert from "node:assert/strict";
import fc from "fast-check";
import {
  chooseReader,
  createDocumentReader,
  createRecordReader,
  type DocumentRecord,
  endDocument,
  feedDocument,
} from "./json_document.ts";
import type { Record } from "./json_lines.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function readAll(text: string, size = 1 << 20): Record[] {
  const reader = createRecordReader();
  const bytes = encode(text);
  const records: Record[] = [];
  for (let at = 0; at < bytes.length; at += size) records.push(...reader.feed(bytes.subarray(at, at + size)));
  return [...records, ...reader.end()];
}

const values = (records: readonly DocumentRecord[]) =>
  records.map((record) =>
    record.kind === "value" ? record.value : record.kind === "problem" ? record.what : record.document.whole()
  );

Deno.test("json document: a pretty-printed object is one value, with the line it begins on", () => {
  const value = { info: { id: "s1" }, messages: [{ text: 'brackets ]}{[ and "quotes" \\', more: [[]] }] };
  for (const text of [JSON.stringify(value, null, 2), `\ufeff\n${JSON.stringify(value, null, 1)}\n`]) {
    assert.deepEqual(values(readAll(text)), [value]);
  }
  assert.equal(readAll(`\n\n${JSON.stringify(value, null, 2)}`)[0]?.line, 3);
});

Deno.test("json document: a pretty-printed list gives its elements, a chain of documents each of them", () => {
  const rows = [{ id: 1 }, { id: 2, list: [1, [2]] }];
  assert.deepEqual(values(readAll(JSON.stringify(rows, null, 2))), rows);
  assert.deepEqual(values(readAll(rows.map((row) => JSON.stringify(row, null, 2)).join("\n"))), rows);
});

Deno.test("json document: JSON lines stay lines, torn ones too", () => {
  assert.deepEqual(values(readAll('{"a":1}\n{"a":2}\n')), [{ a: 1 }, { a: 2 }]);
  assert.equal(chooseReader(encode('{"a":[1,\n{"a":2}\n'), true), "lines");
  assert.equal(chooseReader(encode('{"a":"half of a li\n{"a":2}\n'), true), "lines");
  assert.equal(chooseReader(encode("[1,2]\n"), true), "lines");
  assert.equal(chooseReader(encode("words\n"), false), "lines");
});

Deno.test("json document: nothing is decided before the second line, but at the end", () => {
  assert.equal(chooseReader(encode("{"), false), null);
  assert.equal(chooseReader(encode("{\n"), false), null);
  assert.equal(chooseReader(encode('{\n  "a": 1\n'), false), "document");
  assert.equal(chooseReader(encode("{\n}"), true), "document");
  assert.equal(chooseReader(encode(""), true), "lines");
  assert.equal(chooseReader(encode('{"a": 1}'), true), "lines");
});

Deno.test("edge 31 json document: one that is cut off is told, and so is what is too large", () => {
  assert.deepEqual(values(readAll('{\n  "a": [1,\n')), ["the JSON value is cut off"]);
  const reader = createDocumentReader({ valueBytes: 20 });
  const records = [
    ...feedDocument(reader, encode(`[\n{"a": "${"x".repeat(50)}"},\n{"b": 1}\n]`)),
    ...endDocument(reader),
  ];
  assert.deepEqual(values(records), ["the value has 59 bytes, more than 20", { b: 1 }]);
});

Deno.test("json document: the same values however the bytes are cut", () => {
  const text = JSON.stringify({ a: ["宽", "\ud83d\ude00", '\\"', { "}": "]" }], b: { c: null } }, null, 2);
  const whole = readAll(text);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (size) => assert.deepEqual(readAll(text, size), whole)),
    { numRuns: 40, seed: 7 },
  );
});
