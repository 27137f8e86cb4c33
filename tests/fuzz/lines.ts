// The JSON-lines reader: good lines come out whatever stands between them, and however the bytes are cut.

import assert from "node:assert/strict";
import fc from "fast-check";
import { createLineReader, end, feed, type Record } from "../../src/recordings/json_lines.ts";
import { anyJson, type Fuzzer, hostileText, plainKey, splitBytes } from "./fuzzer.ts";

type Piece =
  | { readonly kind: "good"; readonly value: unknown }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "bytes"; readonly bytes: readonly number[] };

interface Lines {
  readonly pieces: readonly Piece[];
  readonly cuts: readonly number[];
  readonly lineBytes: number;
}

const json = anyJson(["event", "data", "text", "{", "}", '"', "\\", "[", "]"]);
const goodObject = fc.array(fc.tuple(hostileText({ maxLength: 3 }).map(plainKey), json), { maxLength: 3 })
  .map((pairs) => Object.fromEntries(pairs));

const piece: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 4, arbitrary: goodObject.map((value): Piece => ({ kind: "good", value })) },
  {
    weight: 3,
    arbitrary: goodObject.chain((value) => brokenText(JSON.stringify(value))).map((text): Piece => ({
      kind: "text",
      text,
    })),
  },
  {
    weight: 2,
    arbitrary: hostileText({ maxLength: 8 }).map((text): Piece => ({
      kind: "text",
      text: text.replaceAll("\n", " "),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.nat({ max: 255 }), { maxLength: 12 }).map((bytes): Piece => ({
      kind: "bytes",
      bytes: bytes.filter((byte) => byte !== 10),
    })),
  },
);

/** A line cut, doubled, torn by a raw newline, or with NUL around it. */
function brokenText(text: string): fc.Arbitrary<string> {
  return fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 400 })).map(([way, at]) => {
    const cut = at % (text.length + 1);
    return [
      text.slice(0, cut),
      text + text,
      `${text.slice(0, cut)}\n${text.slice(cut)}`,
      `\0\0${text}\0`,
      `\ufeff${text} `,
    ][way] as string;
  });
}

export const LINES: Fuzzer<Lines> = {
  name: "lines",
  label: "JSON-lines reader: good lines always come, any cut gives the same, numbers are right",
  gateRuns: 200,
  values: fc.record({
    pieces: fc.array(piece, { maxLength: 12 }),
    cuts: fc.array(fc.nat({ max: 40 }), { maxLength: 40 }),
    lineBytes: fc.constantFrom(1 << 20, 60, 200),
  }),
  check({ pieces, cuts, lineBytes }) {
    const parts = pieces.map(bytesOf);
    const bytes = Uint8Array.from(parts.flatMap((part) => [...part, 10]));
    const whole = read([bytes], lineBytes);
    assert.deepEqual(read(splitBytes(bytes, cuts), lineBytes), whole);
    const lines = 1 + bytes.filter((byte) => byte === 10).length;
    for (const record of whole) assert.ok(record.line >= 1 && record.line <= lines);
    const values = whole.flatMap((record) => record.kind === "value" ? [JSON.stringify(record.value)] : []);
    let at = 0;
    pieces.forEach((one, index) => {
      if (one.kind !== "good" || (parts[index]?.length ?? 0) > lineBytes) return;
      const wanted = JSON.stringify(one.value);
      at = values.indexOf(wanted, at) + 1;
      assert.notEqual(at, 0, `a good line is lost: ${wanted}`);
    });
  },
};

function read(pieces: readonly Uint8Array[], lineBytes: number): Record[] {
  const reader = createLineReader({ lineBytes });
  const records: Record[] = [];
  for (const part of pieces) for (const record of feed(reader, part)) records.push(record);
  for (const record of end(reader)) records.push(record);
  return records;
}

function bytesOf(one: Piece): number[] {
  if (one.kind === "bytes") return [...one.bytes];
  return [...new TextEncoder().encode(one.kind === "good" ? JSON.stringify(one.value) : one.text)];
}
