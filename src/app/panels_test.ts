// Panels: who has the keys, what can answer and when, and what is never answered by accident. Each rule a test.

import assert from "node:assert/strict";
import { draftText } from "../input/draft.ts";
import { parseEvent } from "../transcript/event.ts";
import type { Method } from "../transcript/method.ts";
import { give, press, screenRows, statusRow, taken, tell, type TestClient, testClient } from "./testing.ts";

const CHOICE = {
  batch_id: "q1",
  questions: [{
    id: "a",
    header: "Target",
    text: "Which branch?",
    multi: false,
    allow_text: true,
    options: [{ id: "main", label: "main", description: "release line" }, {
      id: "dev",
      label: "dev",
      description: "integration",
    }],
  }],
};

const PERMISSION = {
  batch_id: "p1",
  kind: "permission",
  tool_call_id: "c1",
  questions: [{
    id: "p",
    header: "Bash",
    text: "rm -r build",
    options: [
      { id: "1", label: "Allow once", effect: "allow_once" },
      { id: "2", label: "Always", effect: "allow_always" },
      { id: "3", label: "Deny", effect: "deny" },
    ],
  }],
};

const MULTI = {
  batch_id: "m1",
  questions: [{ ...CHOICE.questions[0], id: "m", multi: true, allow_text: false }],
};

/** A client with a batch that has been on the screen for a second. */
function asked(batch: Record<string, unknown>, options: Parameters<typeof testClient>[0] = {}): TestClient {
  const client = testClient(options);
  tell(client, "status", { status: "running" });
  tell(client, "question", batch);
  press(client, "<Wait 1000>");
  taken(client);
  return client;
}

function answers(client: TestClient): unknown[] {
  return client.effects.splice(0).map((effect) =>
    effect.kind === "send" ? summary(effect.method) : effect.kind
  );
}

function summary(method: Method): unknown {
  if (method.method === "answer") {
    return method.params.answers.map((answer) => [answer.id, ...answer.selected, answer.text]);
  }
  return method.method;
}

Deno.test("a question: Up and Down move around, Enter answers", () => {
  const client = asked(CHOICE);
  assert.ok(screenRows(client).some((row) => row.includes("Question · Target")));
  press(client, "<Down><Down><Up><Enter>");
  assert.deepEqual(answers(client), [[["a", "dev", null]]]);
  assert.ok(!screenRows(client).some((row) => row.includes("Target") && row.startsWith("──")));
});

Deno.test("a digit moves the mark, only Enter answers", () => {
  const client = asked(CHOICE);
  press(client, "2");
  assert.deepEqual(answers(client), []);
  press(client, "<Enter>");
  assert.deepEqual(answers(client), [[["a", "dev", null]]]);
});

Deno.test("several: Space checks, Enter with nothing checked says so", () => {
  const client = asked(MULTI);
  press(client, "<Enter>");
  assert.deepEqual(answers(client), []);
  assert.ok(screenRows(client).some((row) => row.includes("Check an option first")));
  press(client, "<Space><Down><Space><Enter>");
  assert.deepEqual(answers(client), [[["m", "main", "dev", null]]]);
});

for (const key of ["<Tab>", "c"]) {
  Deno.test(`own words: ${key} opens them, Esc goes back, Enter sends`, () => {
    const client = asked(CHOICE);
    press(client, `${key}release-2<Esc>`);
    assert.ok(screenRows(client).some((row) => row.includes("1. main")));
    press(client, `${key}release<Space>3cde<Enter>`);
    assert.deepEqual(answers(client), [[["a", "release 3cde"]]]);
  });
}

Deno.test("no options: free text at once; an empty one is no answer", () => {
  const client = asked({
    batch_id: "f",
    questions: [{ id: "f", header: "Name", text: "What name?", options: [] }],
  });
  press(client, "<Enter>");
  assert.deepEqual(answers(client), []);
  press(client, "c1<Enter>");
  assert.deepEqual(answers(client), [[["f", "c1"]]]);
});

Deno.test("edge 79: a paste goes into open free text with line ends as blanks, else into the draft; it never answers", () => {
  const client = asked(CHOICE);
  const paste = (text: string) => give(client, { kind: "paste", text, cut: false, endedBy: "marker" });
  press(client, "<Tab>");
  paste("one\ntwo\n");
  press(client, "<Enter>");
  assert.deepEqual(answers(client), [[["a", "one two "]]]);
  const second = asked(CHOICE);
  give(second, { kind: "paste", text: "1\n", cut: false, endedBy: "marker" });
  assert.deepEqual(answers(second), []);
  assert.equal(draftText(second.state.composer.draft), "1\n");
});

Deno.test("Esc denies a permission by the first option that denies, and rejects a batch", () => {
  const permission = asked(PERMISSION);
  press(permission, "<Esc>");
  assert.deepEqual(answers(permission), [[["p", "3", null]]]);
  const batch = asked(CHOICE);
  press(batch, "<Esc>");
  assert.deepEqual(answers(batch), ["dismiss_question"]);
  const none = asked({
    ...PERMISSION,
    questions: [{ ...PERMISSION.questions[0], options: [{ id: "1", label: "Yes", effect: "allow_once" }] }],
  });
  press(none, "<Esc>");
  assert.deepEqual(answers(none), ["dismiss_question"]);
});

Deno.test("nothing typed before the panel was on the screen for 500 ms can answer it", () => {
  const client = testClient();
  tell(client, "status", { status: "running" });
  tell(client, "question", PERMISSION);
  // Nobody reads that fast, and it would be wrong in a moment.
  assert.ok(screenRows(client).some((row) => row.startsWith("Enter answers")));
  press(client, "<Enter>");
  press(client, "<Wait 499><Enter>");
  assert.deepEqual(answers(client), []);
  press(client, "<Wait 2><Enter>");
  assert.deepEqual(answers(client), [[["p", "1", null]]]);
});

Deno.test("the draft keeps the keys while it has text or was typed in within 500 ms", () => {
  const client = testClient();
  press(client, "half a thought".replaceAll(" ", "<Space>"));
  tell(client, "status", { status: "running" });
  tell(client, "question", PERMISSION);
  assert.ok(screenRows(client).some((row) => row.includes("the message keeps the keys")));
  press(client, "<Wait 2000>1c<Enter>");
  assert.deepEqual(taken(client).filter((effect) => effect.startsWith("steer")), ["steer half a thought1c"]);
  press(client, "<Wait 100>x<Backspace><Wait 499><Enter>");
  assert.deepEqual(answers(client), []);
  press(client, "<Wait 2><Enter>");
  assert.deepEqual(answers(client), [[["p", "1", null]]]);
});

Deno.test("Tab enters the panel from a draft with text, F6 leaves it; the draft is untouched", () => {
  const client = testClient();
  press(client, "text");
  tell(client, "status", { status: "running" });
  tell(client, "question", CHOICE);
  press(client, "<Wait 600><Tab>2<F6>3<Tab>");
  assert.equal(draftText(client.state.composer.draft), "text3");
  assert.deepEqual(answers(client), []);
});

Deno.test("a letter typed in a panel that was left and entered again begins a message, and all that follows is its", () => {
  for (const begin of ["n", '<Paste "n">']) {
    const client = asked(PERMISSION);
    press(
      client,
      `<Wait 600><F6><Wait 600><Tab><Wait 600><Tab><Wait 600>${begin}<Wait 900>o,<Wait 900><Space>1<Wait 900><Space>c<Enter>`,
    );
    assert.deepEqual(taken(client).filter((effect) => !effect.startsWith("remember")), ["steer no, 1 c"]);
  }
});

Deno.test("Ctrl-C is as everywhere: with a panel open it arms leaving and answers nothing", () => {
  const client = asked(PERMISSION);
  press(client, "<C-c>");
  assert.match(statusRow(client), /Ctrl-C again/);
  press(client, "<C-c>");
  assert.deepEqual(taken(client), ["quit 0"]);
});

Deno.test("batches queue, one at a time; the header counts what is unanswered", () => {
  const client = testClient();
  tell(client, "question", {
    batch_id: "b",
    questions: [CHOICE.questions[0], { ...CHOICE.questions[0], id: "b", header: "Second" }],
  });
  tell(client, "question", PERMISSION);
  press(client, "<Wait 600>");
  assert.ok(screenRows(client).some((row) => row.includes("Question 1/2 (2 unanswered)")));
  press(client, "<Enter>");
  assert.ok(screenRows(client).some((row) => row.includes("Question 2/2 (1 unanswered)")));
  press(client, "<Down><Enter>");
  assert.deepEqual(answers(client), [[["a", "main", null], ["b", "dev", null]]]);
  assert.ok(screenRows(client).some((row) => row.includes("Permission · Bash")));
});

Deno.test("a batch closed elsewhere goes away, and the next one waits its half second", () => {
  const client = asked(CHOICE);
  tell(client, "question", PERMISSION);
  tell(client, "question_closed", { batch_id: "q1", reason: "answered", answers: [] });
  press(client, "<Enter>");
  assert.deepEqual(answers(client), []);
  press(client, "<Wait 600><Enter>");
  assert.deepEqual(answers(client), [[["p", "1", null]]]);
});

Deno.test("a batch of the same name is asked again once the first is over, and after a connection that was lost", () => {
  const client = asked(PERMISSION);
  press(client, "<Enter>");
  tell(client, "question_closed", { batch_id: "p1", reason: "answered", answers: [] });
  tell(client, "question", PERMISSION);
  press(client, "<Wait 600><Enter>");
  assert.deepEqual(answers(client), [[["p", "1", null]], [["p", "1", null]]]);
  // The answer was sent, and the pod has never had it.
  give(client, { kind: "agent_end", what: "gone", asked: false });
  press(client, "<Enter>");
  tell(client, "hello", { protocol: "pod-jsonl", version: 1, agent: "a" });
  tell(client, "history", { session_id: "s", status: "running", state: { questions: [PERMISSION] } });
  press(client, "<Wait 600><Enter>");
  assert.deepEqual(answers(client), ["reconnect", [["p", "1", null]]]);
});

Deno.test("a batch closed and asked again under its name within one read is another one", () => {
  const other = { ...PERMISSION, questions: [{ ...PERMISSION.questions[0], text: "rm -r /" }] };
  const closedAndAsked = ([
    ["question_closed", { batch_id: "p1", reason: "cancelled", answers: [] }],
    ["question", other],
  ] as const).map(([event, data]) => parseEvent({ event, data }));
  const open = asked(PERMISSION);
  give(open, { kind: "events", parsed: closedAndAsked });
  press(open, "<Enter>");
  assert.deepEqual(answers(open), [], "what was on the screen is not what would be answered");
  assert.ok(screenRows(open).some((row) => row.includes("rm -r /")));
  press(open, "<Wait 600><Enter>");
  assert.deepEqual(answers(open), [[["p", "1", null]]]);
  // The same where the first was answered here.
  const answered = asked(PERMISSION);
  press(answered, "<Enter>");
  give(answered, { kind: "events", parsed: closedAndAsked });
  press(answered, "<Wait 600><Enter>");
  assert.deepEqual(answers(answered), [[["p", "1", null]], [["p", "1", null]]]);
});

Deno.test("a history with the same batch leaves its panel alone; one that asks otherwise under its name brings another", () => {
  const client = asked(PERMISSION);
  press(client, "3");
  const history = (batch: unknown) =>
    tell(client, "history", { session_id: "s", status: "running", state: { questions: [batch] } });
  history(PERMISSION);
  assert.equal(client.state.question?.cursor, 2);
  history({ ...PERMISSION, questions: [{ ...PERMISSION.questions[0], text: "rm -r /" }] });
  assert.equal(client.state.question?.cursor, 0);
  press(client, "<Enter>");
  assert.deepEqual(answers(client), []);
});

Deno.test("the places go round: message, panel, message, history, panel; the hint says who has the keys", () => {
  const client = asked(CHOICE);
  const hint = () => screenRows(client).at(-3) ?? "";
  press(client, "<F6>");
  assert.match(hint(), /to the history, again to this; the message keeps the keys/);
  press(client, "text<F6>");
  assert.equal(client.state.focus, "history");
  assert.match(hint(), /answers this; the history has the keys/);
  press(client, "<F6>2");
  assert.match(hint(), /^Enter answers/);
  press(client, "<Enter>");
  assert.deepEqual(answers(client), [[["a", "dev", null]]]);
  assert.equal(draftText(client.state.composer.draft), "text");
});

Deno.test("what is to be approved shows controls, bidi and invisible signs as tokens, with a warning", () => {
  const client = asked({
    ...PERMISSION,
    questions: [{ ...PERMISSION.questions[0], text: "echo \u202egnp.exe\u200d\x1b[2J" }],
  });
  const screen = screenRows(client).join("\n");
  assert.match(screen, /<U\+202E>gnp\.exe<U\+200D>\\x1b\[2J/);
  assert.match(screen, /control or invisible characters/);
  assert.ok(!screenRows(asked(PERMISSION)).join("\n").includes("invisible characters"));
});

Deno.test("a body taller than its room scrolls, the options stay in view", () => {
  const text = Array.from({ length: 40 }, (_, at) => `body ${at}`).join("\n");
  const client = asked({ ...PERMISSION, questions: [{ ...PERMISSION.questions[0], text }] });
  assert.ok(screenRows(client).some((row) => row.includes("body 0")));
  press(client, "<PgDn>");
  const rows = screenRows(client);
  assert.ok(!rows.some((row) => row.includes("body 0")));
  assert.ok(rows.some((row) => row.includes("1. Allow once")) && rows.some((row) => row.includes("3. Deny")));
});

Deno.test("a panel never covers the draft, at any size; nothing is answered by shrinking (U15)", () => {
  const client = asked(PERMISSION);
  press(client, "<Tab>日本語😀abc<Wait 600>");
  const before = screenRows(client);
  for (
    const [columns, rows] of [
      [40, 20],
      [20, 12],
      [10, 8],
      [7, 6],
      [5, 5],
      [3, 3],
      [2, 2],
      [1, 1],
      [1, 24],
      [80, 1],
      [0, 0],
      [80, 24],
    ] as const
  ) {
    give(client, { kind: "resize", columns, rows });
    screenRows(client);
  }
  assert.deepEqual(screenRows(client), before);
  assert.equal(draftText(client.state.composer.draft), "日本語😀abc");
  assert.deepEqual(answers(client).filter((effect) => effect !== "find_files"), []);
});

Deno.test("/model: type to filter, Enter takes; with an argument it selects directly", () => {
  const client = testClient();
  tell(client, "model_catalog", {
    models: [{ provider: "acme", model: "m-1" }, { provider: "acme", model: "m-2" }, {
      provider: "other",
      model: "m-2",
    }],
  });
  press(client, "/model<Enter>");
  press(client, "other<Enter>");
  press(client, "/model<Space>acme/unlisted<Enter>");
  press(client, "/model<Space>m-2<Enter>");
  const sent = client.effects.splice(0).flatMap((effect) =>
    effect.kind === "send" ? [effect.method.params] : []
  );
  assert.deepEqual(sent, [{ provider: "other", model: "m-2" }, { provider: "acme", model: "unlisted" }]);
  assert.match(statusRow(client), /several providers/);
});

Deno.test("/set: picks an option, then its value; with arguments it sets directly", () => {
  const client = testClient();
  tell(client, "options", {
    options: [{
      id: "mode",
      label: "Mode",
      current: "ask",
      values: [{ id: "ask", label: "Ask" }, { id: "code", label: "Code" }],
    }],
  });
  press(client, "/set<Enter><Enter><Down><Enter>");
  press(client, "/set<Space>mode<Space>ask<Enter>");
  const sent = client.effects.splice(0).flatMap((effect) =>
    effect.kind === "send" ? [effect.method.params] : []
  );
  assert.deepEqual(sent, [{ id: "mode", value: "code" }, { id: "mode", value: "ask" }]);
});

Deno.test("a picker closes with Esc and answers nothing", () => {
  const client = testClient();
  tell(client, "model_catalog", { models: [{ provider: "acme", model: "m-1" }] });
  press(client, "/model<Enter><Esc>");
  assert.equal(client.state.panel, null);
  assert.deepEqual(taken(client).filter((effect) => !effect.startsWith("remember")), []);
});

Deno.test("a login that the agent wants: its ways are listed; one by the agent is asked for, one in the terminal lends it", () => {
  const client = testClient();
  tell(client, "auth", {
    methods: [
      { id: "oauth", label: "Log in", type: "agent" },
      { id: "term", label: "Log in here", type: "terminal", terminal: { command: "agent", args: ["login"] } },
    ],
  });
  press(client, "<Enter>");
  assert.deepEqual(taken(client), [], "nothing typed as it came answers it");
  assert.ok(screenRows(client).some((row) => row.includes("wants you to log in")));
  press(client, "<Wait 600><Enter>");
  assert.deepEqual(taken(client), ["authenticate"]);
  tell(client, "auth", {
    methods: [{ id: "term", label: "Here", type: "terminal", terminal: { command: "agent", args: [] } }],
  });
  press(client, "<Wait 600><Enter>");
  assert.deepEqual(taken(client), ["login"]);
});

Deno.test("a question behind a panel that the person opened is seen, and comes when that is closed", () => {
  const client = testClient({ columns: 60, rows: 20 });
  tell(client, "status", { status: "running" });
  press(client, "/help<Enter>");
  assert.ok(screenRows(client).some((row) => row.trim() === "commands"), "/help begins with the commands");
  tell(client, "question", {
    batch_id: "q",
    kind: "permission",
    questions: [{
      id: "a",
      header: "Bash",
      text: "rm -r build\nrm -r dist",
      options: [{ id: "1", label: "Allow" }],
    }],
  });
  const rows = screenRows(client);
  const at = rows.findIndex((row) => row.startsWith("── Permission · Bash · rm -r build"));
  assert.ok(at >= 0 && rows[at]!.endsWith("Esc shows it"), rows.join("\n"));
  assert.match(rows[at + 1] ?? "", /Help/);
  press(client, "<Esc>");
  assert.ok(screenRows(client).some((row) => row.includes("> 1. Allow")));
  for (let columns = 1; columns <= 30; columns++) {
    press(client, "/help<Enter>");
    give(client, { kind: "resize", columns, rows: 6 });
    screenRows(client);
    press(client, "<Esc>");
  }
});

Deno.test("a question whose screen has just changed waits its half second again; own words are typed on", () => {
  const client = testClient();
  tell(client, "status", { status: "running" });
  tell(client, "question", PERMISSION);
  press(client, "<Wait 600>");
  give(client, { kind: "resize", columns: 70, rows: 20 });
  press(client, "<Enter>");
  assert.deepEqual(answers(client), []);
  press(client, "<Wait 501><Enter>");
  assert.equal(answers(client).length, 1);
  tell(client, "question", {
    batch_id: "own",
    questions: [{ id: "a", text: "Name?", options: [], allow_text: true }],
  });
  press(client, "<Wait 600>abc");
  give(client, { kind: "resize", columns: 80, rows: 24 });
  press(client, "d<Enter>");
  assert.deepEqual(answers(client), [[["a", "abcd"]]]);
});
