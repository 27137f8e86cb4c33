// What Enter, Esc, Ctrl-C and Ctrl-D do in every state, and the keys of the two places, by key scripts.

import assert from "node:assert/strict";
import { draftText } from "../input/draft.ts";
import { press, screenRows, statusRow, taken, tell, testClient } from "./testing.ts";

const IDLE = testClient;

function running(capabilities?: readonly string[]) {
  const client = testClient(capabilities === undefined ? {} : { capabilities });
  tell(client, "user_message", { message_id: "u1", text: "go" });
  tell(client, "turn_start", { turn: 1 });
  tell(client, "status", { status: "running" });
  taken(client);
  return client;
}

function paused() {
  const client = running();
  tell(client, "turn_end", { turn: 1, result: "paused" });
  tell(client, "status", { status: "paused" });
  taken(client);
  return client;
}

function disconnected() {
  const client = running();
  client.effects.length = 0;
  client.state.transcript.status = "disconnected";
  return client;
}

const draft = (client: ReturnType<typeof testClient>) => draftText(client.state.composer.draft);

/** State by script: what is asked of the agent or the loop, and what is left in the draft. */
const TABLE: readonly (readonly [
  name: string,
  () => ReturnType<typeof testClient>,
  script: string,
  effects: readonly string[],
  draft: string,
])[] = [
  ["Enter, idle: runs", IDLE, "hello<Enter>", ["run hello"], ""],
  ["Enter, running: steers where the agent can", () => running(), "more<Enter>", ["steer more"], ""],
  ["Enter, running: the pod queues otherwise", () => running(["history"]), "more<Enter>", ["run more"], ""],
  ["edge 94: Enter, paused and empty: resumes", paused, "<Enter>", ["resume"], ""],
  ["edge 94: Enter, paused with text: runs", paused, "go<Space>on<Enter>", ["run go on"], ""],
  ["Enter, disconnected: reconnects, the draft stays", disconnected, "kept<Enter>", ["reconnect"], "kept"],
  ["Enter, empty: nothing", IDLE, "<Enter>", [], ""],
  ["edge 80: only blanks are not sent and stay", IDLE, "<Space><Space><Enter>", [], "  "],
  ["a line end does not send", IDLE, "a<S-Enter>b<A-Enter>c<C-j>d<Enter>", ["run a\nb\nc\nd"], ""],
  ["Esc, idle: nothing", IDLE, "text<Esc>", [], "text"],
  ["Esc, running: pauses where the agent can", () => running(), "<Esc>", ["pause"], ""],
  ["Esc, running: cancels otherwise", () => running(["history"]), "<Esc>", ["cancel"], ""],
  ["Esc, paused: cancels", paused, "<Esc>", ["cancel"], ""],
  ["Esc closes the panel first", () => running(), "<F1><Esc>", [], ""],
  ["Esc leaves the history first", () => running(), "<Tab><Esc>", [], ""],
  ["Ctrl-C never touches the agent", () => running(), "<C-c>", [], ""],
  ["Ctrl-C clears the draft, undo brings it back", IDLE, "text<C-c><C-_>", [], "text"],
  ["Ctrl-C clears the draft, Up brings it back", IDLE, "text<C-c><Up>", [], "text"],
  ["edge 91: Ctrl-C twice leaves", () => running(), "<C-c><C-c>", ["quit 0"], ""],
  ["edge 94: paused, Ctrl-C twice leaves without resuming", paused, "<C-c><C-c>", ["quit 0"], ""],
  ["edge 92: Ctrl-C, 3.1 s, Ctrl-C stays", IDLE, "<C-c><Wait 3100><C-c>", [], ""],
  ["Ctrl-D, text: deletes forward", IDLE, "ab<Left><C-d>", [], "a"],
  ["Ctrl-D, idle and empty: shuts down", IDLE, "<C-d>", ["shutdown"], ""],
  ["Ctrl-D, running: asks again", () => running(), "<C-d>", [], ""],
  ["Ctrl-D twice, running: shuts down", () => running(), "<C-d><C-d>", ["shutdown"], ""],
  ["Ctrl-D, 3.1 s, Ctrl-D: starts over", () => running(), "<C-d><Wait 3100><C-d>", [], ""],
  ["/quit leaves at once", () => running(), "/quit<Enter>", ["quit 0"], ""],
  ["an unknown command is kept and never sent", IDLE, "/nothing<Enter>", [], "/nothing"],
  ["// sends a literal /", IDLE, "//etc<Enter>", ["run /etc"], ""],
];

for (const [name, start, script, effects, left] of TABLE) {
  Deno.test(`keys: ${name}`, () => {
    const client = start();
    press(client, script);
    assert.deepEqual(taken(client).filter((effect) => !/^(find_files|remember)/.test(effect)), effects);
    assert.equal(draft(client), left);
  });
}

Deno.test("edge 93: Ctrl-D while running, the turn ends, Ctrl-D again: a fresh one, idle", () => {
  const client = running();
  press(client, "<C-d>");
  assert.match(statusRow(client), /Ctrl-D again/);
  tell(client, "turn_end", { turn: 1, result: "finished" });
  tell(client, "status", { status: "idle" });
  press(client, "<C-d>");
  assert.deepEqual(taken(client), ["shutdown"]);
});

Deno.test("edge 95: a message refused because a turn already runs is back in the draft", () => {
  const client = testClient();
  press(client, "first<Enter>");
  const [id] = [...client.state.sent.keys()];
  press(client, "typed since");
  tell(client, "error", { code: "already_running", message: "a turn runs", message_id: id });
  assert.equal(draft(client), "first\ntyped since");
  assert.ok(!screenRows(client).slice(0, -5).some((row) => row.includes("> first")));
});

Deno.test("an own message is drawn at once, dimmed, and confirmed in place", () => {
  const client = testClient();
  press(client, "hello<Enter>");
  const before = screenRows(client).filter((row) => row.includes("hello"));
  const [id] = [...client.state.sent.keys()];
  tell(client, "user_message", { message_id: id, text: "hello", kind: "run" });
  assert.deepEqual(before, ["> hello"]);
  assert.deepEqual(screenRows(client).filter((row) => row.includes("hello")), before);
});

Deno.test("a shutdown this client asked for ends it; one asked for elsewhere leaves it readable", () => {
  const asked = testClient();
  press(asked, "<C-d>");
  tell(asked, "shutdown", { reason: "requested" });
  assert.deepEqual(taken(asked), ["shutdown", "quit 0"]);
  const elsewhere = running();
  press(elsewhere, "kept");
  tell(elsewhere, "shutdown", { reason: "requested" });
  assert.deepEqual(taken(elsewhere), []);
  assert.equal(draft(elsewhere), "kept");
  assert.match(statusRow(elsewhere), /disconnected/);
});

Deno.test("in a recording text is kept and not sent, commands work, Ctrl-D leaves", () => {
  const client = testClient({ recording: true });
  press(client, "hello<Enter>");
  assert.deepEqual(taken(client), []);
  assert.equal(draft(client), "hello");
  assert.match(statusRow(client), /recording/);
  press(client, "<C-u>/status<Enter>");
  assert.equal(client.state.panel?.name, "status");
  press(client, "<C-d>");
  assert.deepEqual(taken(client), ["quit 0"]);
});

Deno.test("fold modes go round, and the status row names them", () => {
  const client = testClient();
  for (const mode of ["detail", "overview", "normal"]) {
    press(client, "<C-o>");
    assert.match(statusRow(client), new RegExp(`${mode}$`));
  }
  press(client, "<F2>");
  assert.match(statusRow(client), /detail$/);
});

Deno.test("history: j and k move the selection, Space folds one block, a mode switch forgets it", () => {
  const client = testClient();
  tell(client, "user_message", { text: Array.from({ length: 9 }, (_, at) => `row ${at}`).join("\n") });
  press(client, "<Tab>");
  assert.equal(client.state.focus, "history");
  assert.ok(!screenRows(client).some((row) => row.includes("row 8")));
  press(client, "<Space>");
  assert.ok(screenRows(client).some((row) => row.includes("row 8")), "unfolded");
  press(client, "<Space>");
  assert.ok(!screenRows(client).some((row) => row.includes("row 8")), "folded again");
  press(client, "<Space><C-o><C-o><C-o>");
  assert.ok(!screenRows(client).some((row) => row.includes("row 8")), "forgotten");
  const selected = client.state.selected;
  press(client, "k");
  assert.notEqual(client.state.selected, selected);
  press(client, "j");
  assert.equal(client.state.selected, selected);
  press(client, "i");
  assert.equal(client.state.focus, "composer");
});

Deno.test("a sent message follows again", () => {
  const client = testClient({ rows: 8 });
  for (let at = 0; at < 30; at++) tell(client, "notification", { message: `note ${at}` });
  press(client, "<PgUp>");
  assert.match(statusRow(client), /scrolled/);
  press(client, "x<Enter>");
  assert.doesNotMatch(statusRow(client), /scrolled/);
});

Deno.test("/clear empties this view only", () => {
  const client = testClient();
  tell(client, "notification", { message: "old news" });
  press(client, "/clear<Enter>");
  assert.ok(!screenRows(client).some((row) => row.includes("old news")));
  tell(client, "notification", { message: "new news" });
  assert.ok(screenRows(client).some((row) => row.includes("new news")));
  press(client, "<C-Home>");
  assert.ok(!screenRows(client).some((row) => row.includes("old news")));
});

Deno.test("Ctrl-C, something typed, Ctrl-C: the draft is cleared twice, nobody leaves", () => {
  const client = testClient();
  press(client, "<C-c>");
  assert.match(statusRow(client), /Ctrl-C again/);
  press(client, "x");
  assert.doesNotMatch(statusRow(client), /Ctrl-C again/);
  press(client, "<C-c>");
  assert.ok(!taken(client).includes("quit 0"));
  assert.equal(draft(client), "");
});

Deno.test("a paused turn says what Enter and Esc do; with a panel that has the keys it says that it waits", () => {
  const client = paused();
  assert.match(statusRow(client), /paused, Enter resumes Esc cancels/);
  tell(client, "question", {
    batch_id: "q",
    questions: [{ id: "a", text: "Which?", options: [{ id: "x", label: "x" }] }],
  });
  press(client, "<Wait 600>");
  assert.match(statusRow(client), /paused, waiting for your answer/);
});

Deno.test("the cache's share counts what was read as part of the input", () => {
  const client = testClient();
  tell(client, "usage", {
    turn: 1,
    step: 1,
    input_tokens: 1000,
    output_tokens: 1,
    cache_read_input_tokens: 880,
    cache_write_input_tokens: 120,
  });
  assert.match(statusRow(client), /cache 88%/);
});

Deno.test("a finished plan goes when its turn is over", () => {
  const client = running();
  tell(client, "plan", { items: [{ id: "1", text: "only step", status: "completed" }] });
  assert.ok(screenRows(client).some((row) => row.includes("only step")));
  tell(client, "turn_end", { turn: 1, result: "finished" });
  tell(client, "status", { status: "idle" });
  assert.ok(!screenRows(client).some((row) => row.includes("only step")));
});
