// A message's text while it grows: read as one string it is always whole, and its pieces are what it was.

import assert from "node:assert/strict";
import { endText, growText, PIECE_LENGTH, streamOf } from "./stream_text.ts";
import { createTranscript } from "./reduce.ts";
import { feed } from "./transcript_test_helper.ts";

Deno.test("a text is whole at any time: short, in pieces, and done", () => {
  const block = { text: "" };
  let all = "";
  for (let at = 0; all.length < 5 * PIECE_LENGTH; at++) {
    const delta = at % 7 === 0 ? "\n" : `word ${at} `;
    growText(block, delta);
    all += delta;
    assert.equal(streamOf(block) !== null, all.length > PIECE_LENGTH);
    if (at % 50 !== 0) continue;
    assert.equal(block.text, all);
    assert.equal({ ...block }.text, all);
    assert.equal(streamOf(block)?.pieces.join("") ?? all, all);
    assert.equal(streamOf(block)?.length ?? all.length, all.length);
  }
  const stream = streamOf(block);
  assert.ok(stream !== null && stream.pieces.length <= 6);
  assert.equal(stream.innerNewlines, newlines(all.trimEnd()));
  growText(block, "\n \n");
  assert.equal(stream.innerNewlines + stream.lastNewlines, newlines(all) + 2);
  assert.equal(stream.innerNewlines, newlines(all.trimEnd()));
  growText(block, "x\n");
  assert.deepEqual([stream.innerNewlines, stream.lastNewlines], [newlines(all) + 2, 1]);
  endText(block);
  assert.equal(streamOf(block), null);
  assert.equal(block.text, all + "\n \nx\n");
  growText(block, "more");
  assert.equal(block.text, all + "\n \nx\nmore");
});

Deno.test("what is done is no stream any more, however it ended", () => {
  const words = "word ".repeat(PIECE_LENGTH);
  const ends: readonly (readonly [string, unknown])[] = [
    ["text_done", {}],
    ["text_done", { text: "another text" }],
    ["tool_call_start", { id: "t", name: "Bash" }],
    ["turn_end", { result: "finished" }],
    ["reasoning_done", { id: "r" }],
  ];
  for (const [name, data] of ends) {
    const delta = name === "reasoning_done" ? "reasoning_delta" : "text_delta";
    const transcript = feed(createTranscript(), ["turn_start", { turn: 1 }], [delta, {
      id: "r",
      text: words,
    }]);
    feed(transcript, [delta, { id: "r", text: "end" }]);
    const block = transcript.blocks.find((one) => one.kind === "assistant_text" || one.kind === "reasoning")!;
    assert.ok("text" in block && streamOf(block) !== null, name);
    feed(transcript, [name, data]);
    assert.equal(streamOf(block), null, name);
    assert.equal(
      block.text,
      name === "text_done" && "text" in (data as object) ? "another text" : words + "end",
    );
  }
});

function newlines(text: string): number {
  return text.split("\n").length - 1;
}
