// The format of what is opened is guessed, and one translator loaded for it: whatever stands in a file, and however it
// is damaged, the guess must lead to what all formats together say.

import assert from "node:assert/strict";
import fc from "fast-check";
import { chooseFormat } from "../src/app/files.ts";
import { createFeedOf, type Feed } from "../src/app/io/feed.ts";
import type { RecordingFiles } from "../src/app/io/recording_files.ts";
import { feedOf } from "../src/app/io/recording_pieces.ts";
import { isPodRecord } from "../src/recordings/pod_jsonl.ts";

const TESTDATA = new URL("../testdata/", import.meta.url);
const RUNS = 1000;

/** Lines of each recording in testdata, by case. */
const cases = [...Deno.readDirSync(TESTDATA)].flatMap(({ name }) => {
  try {
    const text = Deno.readTextFileSync(new URL(`${name}/events.jsonl`, TESTDATA));
    return [text.trim().split("\n").slice(0, 60)];
  } catch {
    return [];
  }
});

const record = fc.constantFrom(...cases).chain((lines) => fc.constantFrom(...lines));
const line = fc.oneof(
  { weight: 12, arbitrary: record },
  { weight: 1, arbitrary: fc.tuple(record, fc.nat(200)).map(([text, end]) => text.slice(0, end)) },
  { weight: 1, arbitrary: fc.tuple(record, record).map(([one, two]) => one + two) },
  { weight: 1, arbitrary: record.map((text) => `[${text}]`) },
  { weight: 1, arbitrary: record.map((text) => indented(text)) },
  { weight: 1, arbitrary: fc.constantFrom("5", "null", "[]", "{}", "", "garbage {", "\0\0\0", "\ufeff") },
);
const file = fc.tuple(
  fc.array(line, { minLength: 1, maxLength: 8 }),
  fc.constantFrom("\n", "\r\n", ",\n"),
  fc.constantFrom("", "\n"),
).map(([lines, between, end]) => new TextEncoder().encode(lines.join(between) + end));

Deno.test("guess: it leads to what all formats together say, whatever stands in the file", async () => {
  const flags = { follow: false, branch: false, fold: "normal", format: null } as const;
  const source = { placeOf: () => null } as unknown as RecordingFiles;
  await fc.assert(
    fc.asyncProperty(file, async (bytes) => {
      // A pod's own log says so on its first line, whatever comes behind it.
      fc.pre(!isPodRecord(firstValue(bytes)));
      const guessed = await feedOf(source, flags, { kind: "bytes", bytes });
      assert.deepEqual(said(guessed, bytes), said(createFeedOf(chooseFormat(null)), bytes));
    }),
    { numRuns: RUNS },
  );
});

/** What a feed makes of a file read at once. */
function said(feed: Feed, bytes: Uint8Array): unknown {
  const inputs = [...feed.push(bytes), ...feed.end()];
  return { fault: feed.fault(), inputs };
}

function firstValue(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes).split("\n")[0] ?? "");
  } catch {
    return null;
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
