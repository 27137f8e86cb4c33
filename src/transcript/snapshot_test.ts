// A history made from a transcript gives an equal transcript: at every point of every stream, whole and in pages of
// every size, and whatever comes live afterwards.

import assert from "node:assert/strict";
import type { Transcript } from "./block.ts";
import { applyEvent, createTranscript } from "./reduce.ts";
import { type HistoryData, historyOf, type HistoryPageData, historyPagesOf } from "./snapshot.ts";
import { eventOf, plainTranscript, streamEvents, STREAMS, transcriptOf } from "./transcript_test_helper.ts";

for (const name of STREAMS) {
  Deno.test(`${name}: attaching at any event shows the same, and goes on the same`, () => {
    const events = streamEvents(name);
    const whole = plainTranscript(transcriptOf(events));
    const live = createTranscript();
    events.forEach((event, index) => {
      applyEvent(live, event);
      if (index < 1) return;
      const attached = attach(live, historyOf(live));
      assert.deepEqual(plainTranscript(attached), plainTranscript(live), `${name} attached at ${index}`);
      for (const later of events.slice(index + 1)) applyEvent(attached, later);
      assert.deepEqual(plainTranscript(attached), whole, `${name} attached at ${index}, at the end`);
    });
  });

  for (const pageBytes of [150, 700, 3000]) {
    Deno.test(`${name}: pages of ${pageBytes} bytes show the same when the oldest has come`, () => {
      const events = streamEvents(name);
      const live = createTranscript();
      events.forEach((event, index) => {
        applyEvent(live, event);
        if (index < 1 || index % 5 !== 0 && index !== events.length - 1) return;
        const { history, pages } = historyPagesOf(live, { pageBytes, itemBytes: 1 << 20 });
        const size = [history, ...pages].reduce((sum, page) => sum + page.items.length, 0);
        assert.equal(size, historyOf(live).items.length);
        const attached = attach(live, history, pages);
        assert.deepEqual(plainTranscript(attached), plainTranscript(live), `${name} attached at ${index}`);
      });
    });
  }
}

/** A client that got hello, the history and its pages. */
function attach(live: Transcript, history: HistoryData, pages: readonly HistoryPageData[] = []): Transcript {
  const attached = createTranscript();
  const { agent, capabilities } = live;
  applyEvent(attached, eventOf(wire("hello", { agent, capabilities })));
  applyEvent(attached, eventOf(wire("history", history)));
  for (const page of pages) applyEvent(attached, eventOf(wire("history_page", page)));
  return attached;
}

/** Through JSON, as on the wire. */
function wire(event: string, data: unknown): unknown {
  return JSON.parse(JSON.stringify({ event, data }));
}
