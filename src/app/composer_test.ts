// The composer as the whole screen shows it: completion, search, hidden rows, the caret's cell, the editor, and what
// is kept for later. What happens inside the draft is tested beside it.

import assert from "node:assert/strict";
import { composerRows } from "../input/composer.ts";
import { draftText } from "../input/draft.ts";
import { createFrame, type Cursor } from "../screen/frame.ts";
import { cellWidth } from "../text/graphemes.ts";
import { drawFrame } from "./draw.ts";
import { give, press, screenRows, statusRow, taken, tell, type TestClient, testClient } from "./testing.ts";

const BIG = Array.from({ length: 40 }, (_, at) => `line ${String(at + 1).padStart(2, "0")}`).join("\n");

const draft = (client: TestClient) => draftText(client.state.composer.draft);
const sent = (client: TestClient) => taken(client).filter((effect) => /^(run|steer) /.test(effect));

function cursorOf(client: TestClient): Cursor | null {
  const frame = createFrame(client.state.columns, client.state.rows);
  drawFrame(client.state, frame);
  return frame.cursor;
}

function files(client: TestClient, query: string, paths: readonly string[]): void {
  give(client, {
    kind: "files",
    request: { kind: "file", command: "", query },
    candidates: paths.map((path) => ({ label: path, text: path })),
  });
}

for (const columns of [80, 24]) {
  for (const pick of ["<Tab>", "<Enter>", "<Down><Up><Tab>"]) {
    Deno.test(`U03 step 6: a file picked with ${pick} at ${columns} columns keeps the placeholder`, () => {
      const client = testClient({ columns });
      press(client, `ab<Paste ${JSON.stringify(BIG)}>cd<Space>@`);
      files(client, "", ["src/a b.ts", "README.md"]);
      press(client, `${pick}<Enter>`);
      assert.deepEqual(sent(client), [`run ab${BIG}cd @"src/a b.ts" `]);
    });
  }
}

Deno.test("the list of files stands over the rows above the status row, marked, and goes with Esc", () => {
  const client = testClient({ columns: 40, rows: 12 });
  tell(client, "notification", { message: "old news" });
  press(client, "see<Space>@s");
  assert.ok(taken(client).includes("find_files"));
  const before = screenRows(client);
  files(client, "s", ["src/日本.ts", "src/x\u202e.ts", "s"]);
  press(client, "<Down>");
  const open = screenRows(client);
  assert.deepEqual(open.slice(-5), [
    "  src/日本.ts",
    "> src/x<U+202E>.ts",
    "  s",
    before.at(-2),
    "> see @s",
  ]);
  press(client, "<Esc>");
  assert.deepEqual(screenRows(client), before);
  assert.deepEqual(taken(client), [], "Esc went to the list");
  files(client, "s", ["late"]);
  assert.deepEqual(screenRows(client), before, "closed it stays");
});

Deno.test("a path longer than the screen keeps its end", () => {
  const client = testClient({ columns: 20, rows: 8 });
  press(client, "@");
  files(client, "", ["a/long/way/to/日本/file.ts", "short.ts"]);
  assert.deepEqual(screenRows(client).slice(-4, -2), ["> …y/to/日本/file.ts", "  short.ts"]);
});

Deno.test("better files for the same text leave the mark where it was moved; files for other text are dropped", () => {
  const client = testClient({ rows: 12 });
  press(client, "@m");
  files(client, "m", ["main.ts", "mod.ts"]);
  press(client, "<Down>");
  files(client, "m", ["m.ts", "main.ts", "mod.ts"]);
  assert.deepEqual(screenRows(client).slice(-5, -2), ["  m.ts", "  main.ts", "> mod.ts"]);
  files(client, "mo", ["other"]);
  assert.ok(!screenRows(client).some((row) => row.includes("other")));
  press(client, "<Tab>");
  assert.equal(draft(client), "@mod.ts ");
});

Deno.test("a list of any length fits every screen and is never drawn over the draft", () => {
  for (let rows = 1; rows <= 12; rows++) {
    const client = testClient({ columns: 7, rows });
    press(client, "@");
    files(client, "", Array.from({ length: 50 }, (_, at) => `file-${at}`));
    for (let at = 0; at < 60; at++) {
      press(client, "<Down>");
      const shown = screenRows(client);
      assert.equal(shown.at(-1), "> @");
      if (rows > 2) {
        assert.equal(
          shown.filter((row) => row.endsWith(`-${(at + 1) % 50}`) && row.startsWith("> ")).length,
          1,
        );
      }
    }
  }
});

Deno.test("Ctrl-S: the status row names the query, the composer shows the hit; Enter takes it, Esc gives the draft back", () => {
  const client = testClient();
  press(client, "first deed<Enter>second deed<Enter>own draft".replaceAll(" ", "<Space>"));
  taken(client);
  press(client, "<C-s>deed");
  assert.match(statusRow(client), /^search: deed /);
  assert.equal(screenRows(client).at(-1), "> second deed");
  press(client, "<C-s>");
  assert.equal(screenRows(client).at(-1), "> first deed");
  press(client, "<C-s>");
  assert.match(statusRow(client), /^search: deed \(nothing older\)/);
  press(client, "<Esc>");
  assert.equal(screenRows(client).at(-1), "> own draft");
  assert.doesNotMatch(statusRow(client), /search/);
  press(client, "<C-s>fi<Enter>");
  assert.equal(draft(client), "first deed");
  assert.deepEqual(sent(client), []);
  press(client, "<Enter>");
  assert.deepEqual(sent(client), ["steer first deed"].map((text) => text.replace("steer", "run")));
});

Deno.test("F03: arrows tell of rows above and below the room, and the caret is always in view", () => {
  const client = testClient({ rows: 9 });
  const marks = () =>
    screenRows(client).slice(-3).map((row) => row.charAt(0) === "" ? " " : row.charAt(0)).join("");
  press(client, "1<C-j>2<C-j>3<C-j>4<C-j>5");
  assert.equal(marks(), "↑  ");
  press(client, "<Up><Up>");
  assert.equal(marks(), "↑ ↓");
  press(client, "<Up><Up>");
  assert.equal(marks(), "> ↓");
  for (const [rows, mark] of [[5, "↕"], [9, " "]] as const) {
    give(client, { kind: "resize", columns: 80, rows });
    press(client, "<Down><Down>");
    const view = composerRows(client.state.composer, 78, rows === 5 ? 1 : 3);
    const cursor = cursorOf(client);
    assert.equal(cursor?.row, rows - view.rows.length + view.caret.row);
    assert.ok(screenRows(client)[cursor?.row ?? 0]?.startsWith(mark), `${rows} rows`);
    press(client, "<Up><Up>");
  }
});

/** Text and what one Backspace leaves. */
const U06: readonly (readonly [string, string])[] = [
  ["hello 😀", "hello "],
  ["x👨‍👩‍👧‍👦", "x"],
  ["🇯🇵🇰🇷", "🇯🇵"],
  ["ae\u0301", "a"],
  ["あか\u3099", "あ"],
  ["n1\ufe0f\u20e3", "n"],
  ["q👍🏽", "q"],
  ["한글", "한"],
];

Deno.test("U06: one Backspace, what is sent, and the cursor's column is the width of the text before it", () => {
  for (const [text, left] of U06) {
    const client = testClient();
    press(client, text.replaceAll(" ", "<Space>"));
    assert.equal(cursorOf(client)?.column, 2 + cellWidth(text), text);
    press(client, "<Left><Right>");
    assert.equal(cursorOf(client)?.column, 2 + cellWidth(text), text);
    press(client, "<Backspace>");
    assert.equal(cursorOf(client)?.column, 2 + cellWidth(left), text);
    press(client, "<Enter>");
    assert.deepEqual(sent(client), [`run ${left}`]);
  }
});

Deno.test("K07: shutting down while a turn runs asks once more, for three seconds", () => {
  const client = testClient();
  tell(client, "turn_start", { turn: 1 });
  tell(client, "status", { status: "running" });
  press(client, "<C-d>");
  assert.match(statusRow(client), /Ctrl-D again/);
  press(client, "<Wait 3100><C-d><Wait 2900><C-d>");
  assert.deepEqual(taken(client), ["shutdown"]);
});

Deno.test("K08: paused, an empty Enter resumes, blanks do not", () => {
  const client = testClient();
  tell(client, "turn_start", { turn: 1 });
  tell(client, "status", { status: "paused" });
  press(client, "<Space><Enter>");
  assert.deepEqual(taken(client), []);
  press(client, "<Backspace><Enter>");
  assert.deepEqual(taken(client), ["resume"]);
});

Deno.test("edge 79: a paste with help open or in the history goes into the draft and answers nothing", () => {
  for (const way of ["<F1>", "<Tab>"]) {
    const client = testClient();
    tell(client, "notification", { message: "something to select" });
    press(client, `${way}<Paste "one\\ntwo">`);
    assert.equal(draft(client), "one\ntwo");
    assert.equal(client.state.focus, "composer");
    assert.deepEqual(taken(client), []);
  }
});

Deno.test("what is sent is remembered with its pastes; what begins with a blank, and recordings, are not", () => {
  const client = testClient();
  press(client, 'see<Space><Paste "a\\nb"><Enter><Space>secret<Enter>/status<Enter>');
  assert.deepEqual(
    client.effects.flatMap((effect) => effect.kind === "remember" ? [effect.parts] : []),
    [[{ type: "text", text: "see " }, { type: "paste", text: "a\nb" }], [{ type: "text", text: "/status" }]],
  );
  const recording = testClient({ recording: true });
  press(recording, "/status<Enter>");
  assert.deepEqual(taken(recording), []);
});

Deno.test("prompts of earlier clients are reached from the first row", () => {
  const client = testClient();
  press(client, "mine");
  give(client, {
    kind: "prompts",
    prompts: [[{ type: "text", text: "older" }], [{ type: "text", text: "newer" }]],
  });
  press(client, "<Up><Up>");
  assert.equal(draft(client), "older");
  press(client, "<Down><Down>");
  assert.equal(draft(client), "mine");
});

Deno.test("the editor's text replaces the draft in one step; the same text changes nothing", () => {
  const client = testClient();
  press(client, 'see<Space><Paste "a\\nb">');
  const shown = screenRows(client).at(-1);
  const edited = (text: string | null, what: string | null = null) =>
    give(client, { kind: "edited", text, what });
  edited("see a\nb\n");
  assert.equal(screenRows(client).at(-1), shown, "editors add the last newline");
  edited(null, "The editor failed");
  assert.equal(screenRows(client).at(-1), shown);
  assert.match(statusRow(client), /The editor failed/);
  edited("other\ntext\n");
  assert.equal(draft(client), "other\ntext");
  press(client, "<C-_>");
  assert.equal(screenRows(client).at(-1), shown);
});

Deno.test("who looks elsewhere is told of a turn's end and of a question, who looks is not", () => {
  const turn = (client: TestClient) => {
    tell(client, "turn_start", { turn: 1 });
    tell(client, "status", { status: "running" });
    tell(client, "question", {
      batch_id: "q",
      questions: [{ id: "a", text: "Which?", options: [{ id: "1", label: "one" }] }],
    });
    tell(client, "question_closed", { batch_id: "q", reason: "answered" });
    tell(client, "turn_end", { turn: 1, result: "finished" });
    tell(client, "status", { status: "idle" });
    return taken(client).filter((effect) => effect.startsWith("notify"));
  };
  const client = testClient();
  assert.deepEqual(turn(client), []);
  give(client, { kind: "focus", focused: false });
  assert.deepEqual(turn(client), ["notify The agent waits for your answer", "notify The turn has ended"]);
  const recording = testClient({ recording: true });
  give(recording, { kind: "focus", focused: false });
  assert.deepEqual(turn(recording), []);
});
