// A recorded client played again shows the same screen, whatever it was told; broken lines are problems, not throws.

import assert from "node:assert/strict";
import fc from "fast-check";
import { characterKey, KEY_NAMES, namedKey } from "../../input/key.ts";
import { createFrame } from "../../screen/frame.ts";
import { snapshotText } from "../../screen/snapshot.ts";
import { parseEvent } from "../../transcript/event.ts";
import { drawFrame } from "../draw.ts";
import type { Input } from "../effect.ts";
import { createFeed, snapshotState } from "../files.ts";
import { createState, DEFAULT_SETTINGS, type State, type StateOptions } from "../state.ts";
import { update } from "../update.ts";
import { clientLine, inputLines, openReplay, type TimedInput } from "./client_recording.ts";

const OPTIONS: StateOptions = {
  columns: 80,
  rows: 24,
  recording: false,
  home: "/home/me",
  clientId: "c1",
  podId: "ab12",
  fold: "normal",
  settings: { ...DEFAULT_SETTINGS, keys: { redraw: ["<F5>"] }, pasteThreshold: 3 },
};

function play(state: State, inputs: readonly TimedInput[]): void {
  for (const { input, nowMs } of inputs) {
    update(state, { kind: "tick" }, nowMs);
    update(state, input, nowMs);
  }
}

function screenOf(state: State): string {
  const frame = createFrame(state.columns, state.rows);
  drawFrame(state, frame);
  return snapshotText(frame, snapshotState(state));
}

/** What a recording's bytes give, read in pieces of that length. */
function replayed(
  text: string,
  pieceLength = 1000,
): { readonly state: State; readonly inputs: readonly TimedInput[] } {
  const bytes = new TextEncoder().encode(text);
  const replay = openReplay(bytes);
  assert.ok(replay !== null && replay !== "more");
  const inputs: TimedInput[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) {
    inputs.push(...replay.push(bytes.subarray(at, at + pieceLength)));
  }
  inputs.push(...replay.end());
  const state = createState(replay.options);
  play(state, inputs);
  return { state, inputs };
}

const event = (name: string, data: unknown): Input => ({
  kind: "events",
  parsed: [parseEvent({ event: name, data })],
});
const typed = (text: string): Input[] => [...text].map((sign) => ({ kind: "key", key: characterKey(sign) }));
const key = (name: string): Input => ({ kind: "key", key: namedKey(name) });
const paste = (text: string): Input => ({ kind: "paste", text, cut: false, endedBy: "marker" });

/** A session with something of every kind. */
const SESSION: readonly Input[] = [
  event("hello", { agent: "x", capabilities: ["history", "pause", "steer"], color: "red" }),
  event("history", {
    session_id: "s",
    status: "idle",
    greeting: { pod_name: "x", cwd: "/home/me/p" },
    items: [],
  }),
  { kind: "resize", columns: 60, rows: 20 },
  ...typed("日本 "),
  paste("one\ntwo\u001b[31m\n"),
  key("Enter"),
  event("user_message", { message_id: "c1-1", text: "日本 one\ntwo[31m\n", kind: "run" }),
  event("turn_start", { turn: 1 }),
  event("text_delta", { text: "An *answer*\n\n- with\n- rows\n" }),
  event("unheard_of", {}),
  event("usage", { input_tokens: "many" }),
  { kind: "mouse", action: "wheel_up", row: 3, column: 3, button: 0, ctrl: false, alt: false, shift: false },
  { kind: "focus", focused: false },
  event("turn_end", { turn: 1, result: "finished" }),
  { kind: "notice", level: "warn", message: "something" },
  ...typed("see @fi"),
  {
    kind: "files",
    request: { kind: "file", command: "", query: "fi" },
    candidates: [{ label: "file.ts", text: "file.ts" }, { label: "find.ts", text: "find.ts", detail: "d" }],
  },
  key("Down"),
  { kind: "edited", text: "from the editor", what: null },
  { kind: "edited", text: null, what: "The editor failed" },
  { kind: "file_problem", problem: { line: 3, what: "damaged" } },
  { kind: "ignored", what: "x" },
  { kind: "agent_end", what: "gone", asked: false },
  { kind: "key", key: namedKey("F1") },
];

Deno.test("--record: a played recording shows the screen of the client, at every moment", () => {
  const live = createState(OPTIONS);
  let text = clientLine(OPTIONS, 1);
  SESSION.forEach((input, at) => {
    const nowMs = 40 + at * 333.25;
    text += inputLines(input, nowMs);
    play(live, [{ input, nowMs }]);
    assert.equal(screenOf(replayed(text, 7 + at).state), screenOf(live), `after ${JSON.stringify(input)}`);
  });
  const { state } = replayed(text);
  assert.deepEqual([...state.transcript.counts.unknownFields], [...live.transcript.counts.unknownFields]);
  assert.deepEqual([...state.ignored], [...live.ignored]);
  assert.equal(state.composer.draft.nextPaste, live.composer.draft.nextPaste);
});

Deno.test("--record: every key comes back as it was", () => {
  const modifiers = fc.record({ ctrl: fc.boolean(), alt: fc.boolean(), shift: fc.boolean() });
  const keys = fc.oneof(
    fc.tuple(fc.constantFrom(...KEY_NAMES), modifiers).map(([name, held]) => namedKey(name, held)),
    fc.tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 1 }), modifiers)
      .filter(([sign]) => !/[\p{Cc}\p{Cs}]/u.test(sign))
      .map(([sign, held]) => characterKey(sign, held)),
  );
  fc.assert(
    fc.property(keys, (pressed) => {
      const input: Input = { kind: "key", key: pressed };
      const [, played] = replayed(clientLine(OPTIONS, 1) + inputLines(input, 1)).inputs;
      assert.deepEqual(played?.input, input);
    }),
    { numRuns: 500 },
  );
});

Deno.test("--record: a line of any content is a problem at most", () => {
  const value = fc.oneof(
    fc.json({ maxDepth: 2 }),
    fc.constantFrom("key", "paste", "size", "input", "in", "out", "problem", "more").chain((dir) =>
      fc.jsonValue({ maxDepth: 2 }).map((input) =>
        JSON.stringify({
          dir,
          key: input,
          text: input,
          columns: input,
          rows: 3,
          input,
          at: input,
          event: "title",
        })
      )
    ),
    fc.constantFrom("mouse", "files", "edited", "tick", "key").map((kind) =>
      JSON.stringify({ dir: "input", input: { kind } })
    ),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), (lines) => {
      const { state } = replayed(clientLine(OPTIONS, 1) + lines.join("\n"));
      screenOf(state);
    }),
    { numRuns: 200 },
  );
});

Deno.test("another recording is no client's, a first line may be cut anywhere", () => {
  const bytes = new TextEncoder().encode(clientLine(OPTIONS, 2));
  for (let end = 0; end < bytes.length - 1; end++) assert.equal(openReplay(bytes.subarray(0, end)), "more");
  const replay = openReplay(bytes);
  assert.ok(replay !== null && replay !== "more");
  assert.equal(replay.ambiguousWidth, 2);
  assert.deepEqual(replay.options, OPTIONS);
  for (const line of ['{"event":"hello","data":{}}', "{", '{"dir":"size","columns":80,"rows":24}', "[]"]) {
    assert.equal(openReplay(new TextEncoder().encode(`${line}\n`)), null, line);
  }
});

Deno.test("a client's recording of an earlier version, which names no pod, is played too", () => {
  const { podId: _, ...options } = OPTIONS;
  const line = JSON.parse(clientLine(OPTIONS, 1));
  delete line.client.pod;
  const replay = openReplay(new TextEncoder().encode(JSON.stringify(line) + "\n"));
  assert.ok(replay !== null && replay !== "more");
  assert.deepEqual(replay.options, { ...options, podId: null });
});

Deno.test("opened instead of printed, a client's recording shows what the agent said; keys in it press nothing", () => {
  const text = clientLine(OPTIONS, 1) + SESSION.map((input, at) => inputLines(input, at)).join("");
  const feed = createFeed(null);
  const inputs = [...feed.push(new TextEncoder().encode(text)), ...feed.end()];
  assert.equal(feed.fault(), null);
  const kinds = new Set(inputs.map((input) => input.kind));
  for (const pressed of ["key", "paste", "resize", "mouse"] as const) assert.ok(!kinds.has(pressed), pressed);
  const state = createState({ ...OPTIONS, recording: true });
  inputs.forEach((input) => update(state, input, 0));
  const kindsShown = state.transcript.blocks.map((block) => block.kind);
  for (const kind of ["user_message", "assistant_text"]) {
    assert.ok(kindsShown.some((shown) => shown === kind), kind);
  }
});
