// Whatever order recorded events come in, nothing throws, and a turn's end leaves no call open (edge 31).

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Block, Transcript } from "./block.ts";
import type { Event } from "./event.ts";
import { applyEvent, createTranscript, takeChanges } from "./reduce.ts";
import { historyOf, historyPagesOf } from "./snapshot.ts";
import { isFinal } from "./tool_call.ts";
import { eventOf, plainTranscript, streamEvents, STREAMS, transcriptOf } from "./transcript_test_helper.ts";

const streams = STREAMS.map((name) => streamEvents(name));
const withoutSeq = (event: Event): Event => {
  const { seq: _seq, ...rest } = event;
  return rest as Event;
};

/** A recorded stream with events lost, doubled, moved and cut off; numbers taken off in half of the runs. */
const damaged: fc.Arbitrary<Event[]> = fc.tuple(
  fc.constantFrom(...streams),
  fc.boolean(),
  fc.infiniteStream(fc.nat(99)),
).map(([stream, keepsSeq, dice]) => {
  const next = () => dice.next().value ?? 0;
  const out: Event[] = [];
  for (const event of stream) {
    const roll = next();
    if (roll < 10) continue;
    const copies = roll < 20 ? 2 : 1;
    for (let count = 0; count < copies; count++) {
      const at = next() < 25 ? Math.max(0, out.length - next() % 12) : out.length;
      out.splice(at, 0, keepsSeq ? event : withoutSeq(event));
    }
  }
  return out.slice(0, next() < 30 ? next() : out.length);
});

Deno.test("invariant 1, edge 31: any order, loss and repetition: no throw, no open call after a turn's end", () => {
  fc.assert(
    fc.property(damaged, (events) => {
      const transcript = createTranscript();
      for (const event of events) {
        const isDropped = event.seq !== undefined && transcript.lastSeq !== null &&
          event.seq <= transcript.lastSeq;
        applyEvent(transcript, event);
        if (event.event !== "turn_end" || event.data.result === "paused" || isDropped) continue;
        for (const call of callsOf(transcript.blocks)) {
          assert.ok(isFinal(call.stage), `${call.id} is ${call.stage}`);
        }
      }
      checkShape(transcript);
    }),
    { numRuns: 400 },
  );
});

Deno.test("edge 31: any permutation of a short stream", () => {
  const short = streams.flatMap((stream) => stream.slice(2, 40).map(withoutSeq));
  fc.assert(
    fc.property(fc.shuffledSubarray(short, { minLength: 1, maxLength: 120 }), (events) => {
      const transcript = transcriptOf(events);
      checkShape(transcript);
      applyEvent(transcript, eventOf({ event: "turn_end", data: { result: "finished" } }));
      for (const call of callsOf(transcript.blocks)) assert.ok(isFinal(call.stage));
    }),
    { numRuns: 400 },
  );
});

Deno.test("a history of any transcript, however odd its events, gives it again", () => {
  fc.assert(
    fc.property(damaged, fc.integer({ min: 200, max: 4000 }), (events, pageBytes) => {
      const live = transcriptOf(events.map(withoutSeq));
      const copy = plainBlocksOf(restored(live, [["history", historyOf(live)]]));
      assert.deepEqual(copy.blocks, plainBlocksOf(live).blocks);
      checkShape(pagedCopy(live, pageBytes));
    }),
    { numRuns: 300 },
  );
});

Deno.test("any recorded stream up to any event, in pages of any size, is the same once all have come", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...streams),
      fc.nat(),
      fc.integer({ min: 100, max: 4000 }),
      (stream, cut, pageBytes) => {
        const live = transcriptOf(stream.slice(0, 2 + cut % (stream.length - 1)));
        const paged = pagedCopy(live, pageBytes);
        assert.deepEqual(plainBlocksOf(paged), plainBlocksOf(live));
        checkShape(paged);
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("changes name every top-level block that changed, and only those", () => {
  fc.assert(
    fc.property(damaged, (events) => {
      const transcript = createTranscript();
      let known = new Map<Block, number>();
      for (const event of events) {
        applyEvent(transcript, event);
        const { rebuilt, prepended, touched } = takeChanges(transcript);
        if (!rebuilt) {
          const before = [...known.keys()];
          assert.deepEqual(
            transcript.blocks.slice(prepended, prepended + before.length),
            before,
            "blocks stay in place",
          );
          for (const [block, version] of known) assert.equal(block.version !== version, touched.has(block));
        }
        known = new Map(transcript.blocks.map((block) => [block, block.version]));
      }
    }),
    { numRuns: 100 },
  );
});

type Sent = readonly [event: "history" | "history_page", data: unknown];

function restored(live: Transcript, sent: readonly Sent[]): Transcript {
  const transcript = createTranscript();
  transcript.agent = live.agent;
  for (const [event, data] of sent) {
    applyEvent(transcript, eventOf(JSON.parse(JSON.stringify({ event, data }))));
  }
  return transcript;
}

function pagedCopy(live: Transcript, pageBytes: number): Transcript {
  const { history, pages } = historyPagesOf(live, { pageBytes, itemBytes: 1 << 20 });
  return restored(live, [["history", history], ...pages.map((page) => ["history_page", page] as const)]);
}

function plainBlocksOf(transcript: Transcript): { blocks: unknown[]; turns: unknown[] } {
  const { blocks, turns } = plainTranscript(transcript) as { blocks: unknown[]; turns: unknown[] };
  return { blocks, turns };
}

function callsOf(blocks: readonly Block[]) {
  const calls = blocks.flatMap((block) => block.kind === "tool_call" ? block.calls : []);
  // Grows while it is walked.
  for (const call of calls) {
    for (const child of call.children) if (child.kind === "tool_call") calls.push(...child.calls);
  }
  return calls;
}

/** What must hold at any time. */
function checkShape(transcript: Transcript): void {
  const ids = transcript.blocks.map((block) => block.id);
  assert.deepEqual(ids, [...ids].sort((a, b) => a - b), "ids rise along the list");
  assert.equal(new Set(ids).size, ids.length, "ids are unique");
  for (const block of transcript.blocks) {
    assert.equal(block.parent, null);
    if (block.kind === "tool_call") assert.ok(block.calls.length > 0, "no block without a call");
  }
  for (const call of callsOf(transcript.blocks)) {
    for (const child of call.children) assert.equal(child.parent, call);
  }
}
