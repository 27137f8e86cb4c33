// Coming back to a session: the snapshot gives the transcript that live events gave. Compaction too.

import assert from "node:assert/strict";
import { names, type Session, withSession, yieldingSleep } from "../../../tests/demo_session.ts";
import type { Event } from "../../transcript/event.ts";
import { applyEvent, createTranscript } from "../../transcript/reduce.ts";

Deno.test("demo: compacting replaces the model's view and shrinks the context", () =>
  withSession({}, async ({ run, send, until, of, events }) => {
    await run("help");
    await run("read a.txt");
    const since = events.length;
    send("compact");
    await until((event) => event.event === "status" && event.data.status === "idle", since);
    assert.deepEqual(names(events.slice(since)), [
      "status",
      "compact_start",
      "surface",
      "compact_done",
      "context",
      "status",
    ]);
    const { tokens_before, tokens_after, new_session_id } = of("compact_done")[0]!;
    assert.ok(Number(tokens_after) < Number(tokens_before));
    assert.equal(new_session_id, "s1.2");
    assert.match(JSON.stringify(of("surface")[0]?.items), /\[summary\].*- help.*- read a\.txt/);
  }));

Deno.test("demo: there is nothing to compact in an empty session", () =>
  withSession({}, async ({ send, until }) => {
    send("compact");
    await until((event) => event.event === "compact_failed");
    await until((event) => event.event === "status" && event.data.status === "idle");
  }));

Deno.test("demo: history carries the blocks, the state and what is in flight", () =>
  withSession({ sleep: yieldingSleep }, async ({ run, send, until, of }) => {
    await run("read a.txt");
    send("keep_draft", { parts: [{ type: "text", text: "half" }] });
    send("run", { input: "run echo out; sleep 60" });
    await until((event) => event.event === "tool_output");
    send("get_history");
    const history = of("history").at(-1)!;
    const items = history.items as { type: string }[];
    assert.equal(history.status, "running");
    assert.deepEqual(items.map((item) => item.type).filter((type) => type !== "event"), [
      "message",
      "turn",
      "reasoning",
      "message",
      "tool_call",
      "tool_result",
      "message",
      "turn_stats",
      "message",
      "turn",
      "reasoning",
      "message",
      "notification",
    ]);
    const { kind, name, state, output } = history.in_flight?.[0] as Record<string, string>;
    assert.deepEqual([kind, name, state, output], ["tool_call", "Bash", "executing", "out\n"]);
    assert.equal(history.in_flight?.length, 1);
    assert.deepEqual(history.state?.title, "read a.txt");
    assert.deepEqual(history.state?.draft, [{ type: "text", text: "half" }]);
    assert.deepEqual(history.state?.model, { provider: "demo", model: "careful-1" });
    send("cancel");
    await until((event) => event.event === "turn_end" && event.data.turn === 2);
    send("get_history");
    const after = of("history").at(-1)!;
    assert.deepEqual(after.in_flight, []);
    assert.deepEqual(
      (after.items as { type: string }[]).map((item) => item.type).filter((type) => type !== "event").slice(
        -3,
      ),
      [
        "notification",
        "tool_call",
        "turn_stats",
      ],
    );
  }));

for (
  const [name, messages] of [
    ["a tour", ["tour"]],
    ["requests that fail and a plan", ["read nope; run exit 3", "plan: one, two"]],
    ["a compaction and more after it", ["read a.txt", "/compact", "help"]],
    ["a compaction at the end", ["read a.txt", "write b: x", "/compact"]],
  ] as const
) {
  Deno.test(`demo: history and live events give equal blocks: ${name}`, () =>
    withSession({}, async (session) => {
      for (const message of messages) {
        if (message === "/compact") await compact(session);
        else await session.run(message);
      }
      checkHistory(session);
    }));
}

Deno.test("demo: history and live events give equal blocks: cancelled in a command", () =>
  withSession({}, async (session) => {
    session.send("run", { input: "read a.txt; run echo x; sleep 60" });
    await session.until((event) => event.event === "tool_output");
    session.send("cancel");
    await session.until((event) => event.event === "status" && event.data.status === "idle");
    checkHistory(session);
  }));

for (const name of ["reasoning_delta", "text_delta", "tool_call_args_delta", "tool_output"] as const) {
  Deno.test(`demo: history in the middle of a stream gives equal blocks: ${name}`, () =>
    withSession({ sleep: yieldingSleep }, async (session) => {
      session.send("run", { input: "run echo out; sleep 60" });
      await session.until((event) => event.event === name);
      checkHistory(session);
      session.send("cancel");
    }));
}

async function compact({ send, until, events }: Session): Promise<void> {
  const since = events.length;
  send("compact");
  await until((event) => event.event === "status" && event.data.status === "idle", since);
}

/** The transcript of all events so far equals that of a fresh client that only got a history. */
function checkHistory({ send, events }: Session): void {
  const live = shapeOf(events);
  send("get_history");
  const [hello] = events;
  const restored = shapeOf([hello!, events.at(-1)!]);
  assert.deepEqual(restored, live);
}

/** What a screen is made of, without what differs by nature: identities, versions, counts of events, pieces of text. */
function shapeOf(events: readonly Event[]): unknown {
  const transcript = createTranscript();
  for (const event of events) applyEvent(transcript, event);
  const { blocks, title, status, plan, context, usage, model, models, commands, queue, sessionId } =
    transcript;
  const left = new Set(["id", "version", "turn", "parent", "block", "reasoningId", "fromInFlight"]);
  const plain = JSON.stringify(blocks, (key, value) => {
    if (left.has(key)) return undefined;
    return typeof value === "object" && value !== null && Array.isArray(value.chunks)
      ? value.chunks.join("")
      : value;
  });
  return {
    blocks: JSON.parse(plain),
    state: { title, status, plan, context, usage, model, models, commands, queue, sessionId },
  };
}
