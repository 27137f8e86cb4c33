// A message that grows: what a frame looks at follows what was added, not how long the message is. Work is counted:
// text joined from pieces, read as Markdown, wrapped, measured, and rows painted. Times and memory are in the bench.

import assert from "node:assert/strict";
import { loadLibraries } from "../src/app/files.ts";
import { lexedLength } from "../src/text/markdown_lexer.ts";
import { measuredLength } from "../src/text/text_rows.ts";
import { readLength } from "../src/text/text_source.ts";
import { wrappedLength } from "../src/text/wrap.ts";
import type { FoldMode } from "../src/transcript/block.ts";
import { benchClient } from "./bench/client.ts";
import { STREAMS } from "./bench/streams.ts";

await loadLibraries();

const SHORT = 1000;
const LONG = 30_000;
/** Deltas between two frames, at 5,000 a second. */
const DELTAS = 80;
const FRAMES = 60;

/** What differs in the other fold modes is how much is shown, which one of each kind tells. */
const ONE_OF_EACH = ["an answer, prose", "reasoning", "output", "arguments"];

for (const fold of ["detail", "normal", "overview"] as const) {
  for (const stream of STREAMS) {
    if (fold !== "detail" && !ONE_OF_EACH.includes(stream.name)) continue;
    Deno.test(`a frame of ${stream.name} of ${LONG} words in ${fold} costs what one of ${SHORT} does`, () => {
      const short = workOf(stream.name, fold, SHORT);
      const long = workOf(stream.name, fold, LONG);
      // What is counted of a frame is never less than the frame's own text.
      assert.ok(long.units <= 1.3 * Math.max(short.units, 1000), `${long.units} after ${short.units} units`);
      assert.ok(long.rows <= 1.3 * Math.max(short.rows, 40), `${long.rows} after ${short.rows} rows`);
    });
  }
}

/** Mean work of a frame of a message that has so many words. */
function workOf(
  name: string,
  fold: FoldMode,
  words: number,
): { readonly units: number; readonly rows: number } {
  const client = benchClient(120, 40, fold);
  const stream = STREAMS.find((one) => one.name === name)!;
  client.tell("user_message", { text: "go" });
  for (const [event, data] of stream.begin) client.tell(event, data);
  let at = 0;
  const grow = (count: number) => {
    for (const end = at + count; at < end; at++) client.tell(...stream.delta(at));
  };
  while (at < words) {
    grow(DELTAS);
    client.frame();
  }
  const before = unitsSoFar();
  let rows = 0;
  for (let frame = 0; frame < FRAMES; frame++) {
    grow(DELTAS);
    rows += placesIn(client.frame());
  }
  return { units: (unitsSoFar() - before) / FRAMES, rows: rows / FRAMES };
}

function unitsSoFar(): number {
  const { block, inline } = lexedLength();
  return block + inline + wrappedLength() + measuredLength() + readLength();
}

/** How often a frame's bytes place the cursor: what it paints anew. */
function placesIn(bytes: string): number {
  // deno-lint-ignore no-control-regex
  return bytes.match(/\x1b\[\d+(?:;\d+)?H/g)?.length ?? 0;
}
