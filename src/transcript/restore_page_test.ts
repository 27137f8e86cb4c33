// Older pages that arrive while the session goes on: whatever comes between them, in the end nothing differs from
// having been there all the time. Ids of calls are used again, turns end before their header is there.

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Transcript } from "./block.ts";
import type { Event } from "./event.ts";
import { applyEvent, createTranscript } from "./reduce.ts";
import { historyPagesOf } from "./snapshot.ts";
import { eventOf, feed, outline, plainTranscript } from "./transcript_test_helper.ts";

type Short = readonly [name: string, data?: unknown];

/** What one beat of a session is made of. */
type Beat =
  | { readonly kind: "call"; readonly id: string; readonly pieces: number; readonly name: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "step" }
  | { readonly kind: "late" }
  | { readonly kind: "ask"; readonly id: string }
  | { readonly kind: "error" }
  | { readonly kind: "turn"; readonly saysItsEnd: boolean };

const id = fc.constantFrom("a", "b", "c");
const beat: fc.Arbitrary<Beat> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("call" as const),
      id,
      pieces: fc.integer({ min: 1, max: 5 }),
      name: fc.constantFrom("probe", "Read"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("text" as const), text: fc.constant("words") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("step" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("late" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("ask" as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("error" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("turn" as const), saysItsEnd: fc.boolean() }) },
);

/** A session as an agent may tell it (protocol.md, Ordering): calls of one id one behind the other, results late or never. */
function sessionOf(beats: readonly Beat[]): Event[] {
  const events: Event[] = [];
  let turn = 0;
  let step = 0;
  const open = new Set<string>();
  const unanswered = new Set<string>();
  const say = (event: string, data: unknown) =>
    events.push(eventOf({ event, data, ts: 1000 + 10 * events.length }));
  const begin = () => {
    turn++;
    step = 0;
    say("user_message", { message_id: `u${turn}`, text: `ask ${turn}`, kind: "run" });
    say("turn_start", { turn });
  };
  const asked = new Set<string>();
  const finish = (saysItsEnd: boolean) => {
    say("turn_end", {
      turn,
      result: "error",
      message: "went wrong",
      ...(saysItsEnd ? { requests: step, elapsed_ms: 5 } : {}),
    });
    open.clear();
  };
  begin();
  for (const one of beats) {
    switch (one.kind) {
      case "call": {
        if (open.has(one.id)) {
          open.delete(one.id);
          unanswered.delete(one.id);
          say("tool_result", { id: one.id, summary: `of turn ${turn}`, output: `${events.length}` });
          break;
        }
        unanswered.delete(one.id);
        open.add(one.id);
        const { id, name } = one;
        const args = JSON.stringify({ file_path: `/f${events.length}` });
        say("tool_call_start", { id, name });
        if (one.pieces > 1) say("tool_call_args_delta", { id, json: args.slice(0, 4) });
        if (one.pieces > 2) {
          say("tool_call_done", { id, name, arguments: args });
          unanswered.add(id);
        }
        if (one.pieces > 3) say("tool_output", { id, text: `piece ${events.length}` });
        if (one.pieces > 4) {
          open.delete(id);
          unanswered.delete(id);
          say("tool_result", { id, summary: `whole, of turn ${turn}`, output: null });
        }
        break;
      }
      case "late": {
        const late = [...unanswered].find((id) => !open.has(id));
        if (late === undefined) break;
        unanswered.delete(late);
        say("tool_result", { id: late, summary: `late, in turn ${turn}`, output: `${events.length}` });
        break;
      }
      case "ask":
        if (asked.delete(one.id)) say("question_closed", { batch_id: one.id, reason: "answered" });
        else {
          asked.add(one.id);
          say("question", { batch_id: one.id, questions: [{ id: "x", text: `in turn ${turn}?` }] });
        }
        break;
      case "error":
        say("error", { code: "provider_error", message: "went wrong" });
        break;
      case "text":
        say("text_done", { text: one.text });
        break;
      case "step":
        step++;
        say("step_start", { turn, step, provider: "acme", model: `m-${events.length % 2}` });
        say("usage", { turn, step, input_tokens: 10 * events.length, output_tokens: 1 });
        break;
      case "turn":
        finish(one.saysItsEnd);
        begin();
    }
  }
  finish(false);
  return events;
}

/** Attaches in the middle of a session; `waits` says how many events come before each older page. */
function attachAt(
  events: readonly Event[],
  cut: number,
  given: { pageBytes: number; waits: number[] },
): Transcript {
  const host = createTranscript();
  const upTo = 1 + cut % events.length;
  for (const event of events.slice(0, upTo)) applyEvent(host, event);
  const { history, pages } = historyPagesOf(host, { pageBytes: given.pageBytes, itemBytes: 1 << 20 });
  const client = createTranscript();
  const receive = (event: string, data: unknown) =>
    applyEvent(client, eventOf(JSON.parse(JSON.stringify({ event, data }))));
  receive("history", history);
  const rest = events.slice(upTo);
  pages.forEach((page, index) => {
    for (const event of rest.splice(0, given.waits[index % given.waits.length] ?? 0)) {
      applyEvent(client, event);
    }
    receive("history_page", page);
  });
  for (const event of rest) applyEvent(client, event);
  return client;
}

/** What must be the same: all but the greeting's and the counted oddities. */
function comparable(transcript: Transcript) {
  const { blocks, turns, usage, model, status, counts, questions } = plainTranscript(transcript) as Record<
    string,
    unknown
  >;
  return { outline: outline(transcript), blocks, turns, usage, model, status, counts, questions };
}

Deno.test("invariant 2: attached anywhere, events between the pages, ids used again: as if there all the time", () => {
  fc.assert(
    fc.property(
      fc.array(beat, { minLength: 3, maxLength: 30 }),
      fc.nat(),
      fc.integer({ min: 60, max: 1500 }),
      fc.array(fc.nat(6), { minLength: 1, maxLength: 5 }),
      (beats, cut, pageBytes, waits) => {
        const events = sessionOf(beats);
        const live = createTranscript();
        for (const event of events) applyEvent(live, event);
        const attached = attachAt(events, cut, { pageBytes, waits });
        assert.equal(attached.moreBefore, null);
        assert.deepEqual(comparable(attached), comparable(live));
      },
    ),
    { numRuns: 1000 },
  );
});

Deno.test("a call still running whose id an older turn has used stays a call of its own", () => {
  const attached = feed(
    createTranscript(),
    ["history", {
      items: [{ type: "turn_stats", result: "finished" }, { type: "turn", turn: 2 }],
      in_flight: [{ kind: "tool_call", id: "a", name: "probe", args: "{}", state: "executing" }],
      status: "running",
      more_before: 2,
    }],
    ["history_page", {
      items: [{ type: "turn", turn: 1 }, { type: "tool_call", call_id: "a", name: "probe", arguments: "{}" }],
      more_before: null,
    }],
    ["tool_result", { id: "a", summary: "", output: "of turn 2" }],
  );
  assert.deepEqual(outline(attached), [
    "# 1",
    "probe a incomplete {}",
    "= finished",
    "# 2",
    "probe a done {} [of turn 2]",
  ]);
});

Deno.test("an id used again while the page with its first call is still to come makes a new call", () => {
  const attached = feed(
    createTranscript(),
    ["history", { items: [], status: "running", more_before: 2 }],
    ["tool_result", { id: "a", summary: "", output: "one" }],
    ["tool_call_done", { id: "a", name: "probe", arguments: "{}" }],
    ["tool_result", { id: "a", summary: "", output: "two" }],
    ["history_page", {
      items: [{ type: "turn", turn: 1 }, { type: "tool_call", call_id: "a", name: "probe", arguments: "[]" }],
      more_before: null,
    }],
  );
  assert.deepEqual(outline(attached), ["# 1", "probe a done [] [one]", "probe a done {} [two]"]);
});

Deno.test("a turn that ends before the page with its header has come says its requests, tokens and time then", () => {
  const attached = feed(createTranscript(), ["history", { items: [], status: "running", more_before: 4 }]);
  const at = (ts: number, event: string, data: unknown) => applyEvent(attached, eventOf({ event, data, ts }));
  at(5000, "step_start", { turn: 1, step: 2 });
  at(5000, "usage", { turn: 1, step: 2, input_tokens: 20, output_tokens: 2 });
  at(9000, "turn_end", { turn: 1, result: "finished" });
  const usage = { turn: 1, step: 1, input_tokens: 10, output_tokens: 1 };
  feed(attached, ["history_page", {
    items: [
      { type: "turn", turn: 1, started_ms: 1000 },
      { type: "event", event: "step_start", data: { turn: 1, step: 1 } },
      { type: "event", event: "usage", data: usage },
    ],
    more_before: null,
  }]);
  const stats = attached.blocks.at(-1);
  assert.ok(stats?.kind === "turn_stats");
  const { requests, inputTokens, outputTokens, elapsedMs } = stats;
  assert.deepEqual([requests, inputTokens, outputTokens, elapsedMs], [2, 30, 3, 8000]);
});
