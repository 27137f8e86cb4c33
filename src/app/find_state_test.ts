// The open search and the rest of the state: what changes while it is open never leaves it telling or showing what is
// not there.

import assert from "node:assert/strict";
import { isFollowing } from "../layout/viewport.ts";
import { shownFind } from "./panels/shown_panel.ts";
import { currentRow, lookToEnd, placesCounted, placesThere, tellCall, tellTurn } from "./find_test_helper.ts";
import { give, press, screenRows, taken, tell, type TestClient, testClient } from "./testing.ts";

const turn = (client: TestClient, asked: string, output: string, answer: string) =>
  tellTurn(client, { asked, output: output === "" ? null : output, answer });

const lines = (count: number, needles: readonly number[] = []) =>
  Array.from({ length: count }, (_, at) => needles.includes(at) ? `the needle ${at}` : `row ${at}`).join(
    "\n",
  );

function look(client: TestClient, keys: string): void {
  press(client, keys);
  lookToEnd(client);
}

/** What the search says, and the marked place in view. */
function seen(client: TestClient): { readonly said: string; readonly place: string | null } {
  const said = screenRows(client).find((row) => row.startsWith("find "))?.replace(/^find .*?  +/, "") ?? "";
  return { said: said.replace(/ +Enter.*/, ""), place: currentRow(client) };
}

Deno.test("find: a place above a block that folds again is in view", () => {
  for (const mode of ["normal", "overview"]) {
    const client = testClient({ columns: 70, rows: 24 });
    turn(client, "find the needle", lines(60, [40]), "done");
    look(client, `/fold ${mode}<Enter><C-f>needle`);
    assert.deepEqual(seen(client), { said: "2 of 2", place: "the needle 40" });
    look(client, "<Enter>");
    assert.deepEqual(seen(client), { said: "1 of 2", place: "find the needle" });
  }
});

Deno.test("find: a place in a session that fits the view stays in view while the agent goes on", () => {
  const client = testClient({ columns: 70, rows: 16 });
  turn(client, "the needle", "", "done");
  look(client, "<C-f>needle");
  tell(client, "turn_start", { turn: 900 });
  for (let at = 0; at < 30; at++) tell(client, "text_delta", { text: `- word ${at}\n` });
  assert.deepEqual(seen(client), { said: "1 of 1", place: "the needle" });
});

Deno.test("find: the whole of a recording takes the tail's place, and the place stays the same", () => {
  const client = testClient({ columns: 60, rows: 16, recording: true });
  const tail = ["needle b", "needle c"];
  for (const text of tail) turn(client, text, lines(20, [10]), "done");
  look(client, "<C-f>needle<Enter>");
  const before = seen(client);
  assert.equal(before.said, "3 of 4");
  give(client, { kind: "whole_begins" });
  for (const text of ["needle 0", "needle a", ...tail]) turn(client, text, lines(20, [10]), "done");
  give(client, { kind: "recording_end" });
  lookToEnd(client);
  assert.deepEqual(seen(client), { said: "7 of 8", place: before.place });
  look(client, "<Enter><Enter>");
  assert.equal(seen(client).said, "5 of 8");
  look(client, "<C-u>nowhere");
  assert.ok(isFollowing(client.state.viewport));
});

Deno.test("find: a history that comes anew, and a recording that begins anew, are looked through anew", () => {
  const client = testClient({ columns: 60, rows: 16 });
  for (const text of ["needle a", "needle b", "c"]) turn(client, text, lines(10), "done");
  look(client, "<C-f>needle");
  assert.equal(seen(client).said, "2 of 2");
  const content = [{ type: "text", text: "one needle" }];
  const items = [{ type: "message", role: "user", message_id: "u1", kind: "run", content }];
  for (const some of [[], items]) {
    tell(client, "history", { session_id: "s", status: "idle", items: some });
    lookToEnd(client);
    look(client, "<Enter>");
    assert.equal(placesThere(client), some.length);
    assert.equal(seen(client).said, some.length === 0 ? "not found" : "1 of 1");
  }
  const recording = testClient({ columns: 60, rows: 16, recording: true });
  turn(recording, "needle", lines(40), "done");
  look(recording, "<C-Home><C-f>needle");
  give(recording, { kind: "recording_restarts" });
  turn(recording, "another", lines(40), "done");
  lookToEnd(recording);
  assert.equal(seen(recording).said, "not found");
  assert.ok(screenRows(recording).some((row) => row.includes("finished")), screenRows(recording).join("\n"));
});

Deno.test("find: what /clear, a hidden reasoning and a width change is counted again", () => {
  const client = testClient({ columns: 60, rows: 16 });
  turn(client, "needle", lines(10, [3]), "done");
  tell(client, "turn_start", { turn: 901 });
  tell(client, "reasoning_delta", { reasoning_id: "r", text: "a needle in thought" });
  tell(client, "reasoning_done", { reasoning_id: "r", text: "a needle in thought" });
  tell(client, "text_delta", {
    text: "> a needle in a haystack, hello world and hello world and once more hello world",
  });
  tell(client, "text_done", {});
  look(client, "<C-f>needle");
  assert.equal(placesThere(client), 4);
  for (const keys of ["<C-r>", "<C-r>"]) {
    look(client, keys);
    assert.match(seen(client).said, new RegExp(`of ${placesThere(client)}$|^${placesThere(client)} found$`));
  }
  look(client, "<C-u>hello world");
  for (const columns of [20, 26, 31, 47, 60]) {
    give(client, { kind: "resize", columns, rows: 30 });
    lookToEnd(client);
    assert.equal(placesThere(client), 3, `${columns}`);
    assert.equal(placesCounted(client), 3, `${columns}`);
  }
  press(client, "<Esc>/clear<Enter>");
  look(client, "<C-f><C-u>needle");
  assert.equal(seen(client).said, "not found");
  turn(client, "needle", "", "done");
  look(client, "<Enter>");
  assert.equal(seen(client).said, "1 of 1");
});

Deno.test("find: what a call's agent says later is found when the person moves on", () => {
  const client = testClient({ columns: 60, rows: 16 });
  const id = tellCall(client, "started");
  turn(client, "and now", "", "something else");
  look(client, "<C-f>needle");
  assert.equal(seen(client).said, "not found");
  tell(client, "text_delta", { text: "a nested needle", parent_id: id });
  tell(client, "text_done", { parent_id: id });
  look(client, "<Enter>");
  assert.equal(seen(client).said, `1 of ${placesThere(client)}`);
});

Deno.test("find: the first place is the newest at or above the view's end, also inside a long block", () => {
  const client = testClient({ columns: 60, rows: 16 });
  turn(client, "please", lines(400, [0, 50, 100, 350, 399]), "done");
  look(client, "/fold detail<Enter><C-f>row 60");
  look(client, "<Esc><C-f><C-u>needle");
  assert.equal(seen(client).place, "the needle 50");
  assert.equal(seen(client).said, "2 of 5");
});

Deno.test("find: marks are those of the places, also of texts that overlap themselves and wrap", () => {
  const client = testClient({ columns: 20, rows: 10 });
  turn(client, "please", "a".repeat(500), "done");
  look(client, "/fold detail<Enter><C-f>aaaaa");
  const count = placesThere(client);
  assert.equal(count, 100);
  for (let at = 0; at < count; at++) {
    assert.notEqual(seen(client).place, null, `${at}`);
    press(client, "<Up>");
  }
});

Deno.test("find: in a fold that hides it no other place is marked as the current one", () => {
  const client = testClient({ columns: 60, rows: 30 });
  turn(client, "please", lines(40, [20, 39]), "done");
  look(client, "<C-f>the needle<Enter>");
  assert.deepEqual(seen(client), { said: "1 of 2", place: "the needle 20" });
  press(client, "<C-o><C-o>");
  press(client, "<C-o>");
  assert.deepEqual(seen(client), { said: "1 of 2", place: null });
  look(client, "<Enter>");
  assert.equal(seen(client).place, "the needle 39");
});

Deno.test("find: what a fold says of what it hides is no place of its own", () => {
  const client = testClient({ columns: 60, rows: 20 });
  turn(client, "q", ["first line", ...lines(30).split("\n")].join("\n").replace("row 15", "(+ here"), "done");
  look(client, "/fold overview<Enter><C-f>(+");
  assert.equal(seen(client).place, "(+ here");
});

Deno.test("find: signs that are shown as tokens are found as they are shown", () => {
  const client = testClient({ columns: 60, rows: 20 });
  turn(client, "q", "abc\u202edef and \u200bghi", "done");
  for (const token of ["202E", "200B"]) {
    look(client, `<C-f><C-u>${token}`);
    assert.equal(seen(client).said, "1 of 1", token);
  }
});

Deno.test("find: folds of the person's own stay, those of the search go with it", () => {
  const client = testClient({ columns: 60, rows: 16 });
  for (let at = 0; at < 4; at++) turn(client, `q ${at}`, lines(40, [20]), "done");
  look(client, "<C-f>needle<Enter><Esc><C-End><C-f><Enter>");
  assert.equal(client.state.overrides.size, 1, "at most one is unfolded by searching");
  // Folded and unfolded by hand it is the person's.
  press(client, "<Esc><Tab><Space><Space>");
  assert.equal(client.state.overrides.get(client.state.selected ?? 0), "detail");
  const own = client.state.selected;
  look(client, "n");
  look(client, "n");
  assert.equal(client.state.overrides.get(own ?? 0), "detail");
  press(client, "<Esc><Esc><C-o><C-o>");
  look(client, "<C-f><Enter><Enter>");
  assert.ok([...client.state.overrides.values()].every((fold) => fold === "detail"));
});

Deno.test("find: the place is the selected block, in the history and for what is copied", () => {
  const client = testClient({ columns: 60, rows: 16 });
  for (let at = 0; at < 4; at++) turn(client, `q ${at}`, lines(40, at === 1 ? [20] : []), "done");
  press(client, "<Tab>/");
  look(client, "needle<Enter><Esc>");
  assert.equal(client.state.focus, "history");
  taken(client);
  press(client, "y");
  assert.ok(client.effects.some((effect) => effect.kind === "copy" && effect.text.includes("the needle 20")));
  press(client, "i");
  assert.equal(client.state.focus, "composer");
  look(client, "<Tab>n");
  press(client, "iword");
  assert.equal(shownFind(client.state), null);
  assert.ok(screenRows(client).at(-1)?.includes("word"));
});

Deno.test("find: opened again it marks what was looked for last and leaves the view alone", () => {
  const client = testClient({ columns: 60, rows: 16 });
  for (let at = 0; at < 4; at++) turn(client, `q ${at}`, lines(40, at === 1 ? [20] : []), "done");
  look(client, "<C-f>needle<Esc><C-End>");
  const before = screenRows(client).slice(0, 5);
  look(client, "<C-f>");
  assert.equal(seen(client).said, "1 found");
  assert.deepEqual(screenRows(client).slice(0, 4), before.slice(1));
  press(client, "<Esc>");
  assert.ok(isFollowing(client.state.viewport));
});

Deno.test("find: help and the list of sessions are not lost to it, nor the message, nor the agent", () => {
  const client = testClient({ columns: 60, rows: 16 });
  turn(client, "needle", lines(40), "done");
  press(client, "a long message");
  look(client, "<C-f>done");
  press(client, "<C-u><C-d>");
  press(client, "<C-c>");
  assert.deepEqual(taken(client).filter((effect) => effect !== "find_files"), []);
  look(client, "done<F1><Esc>");
  assert.ok(isFollowing(client.state.viewport));
  assert.ok(screenRows(client).at(-1)?.includes("a long message"));
  const list = testClient({ recording: true });
  const items = [{ id: "/s.jsonl", label: "one session", detail: "", isCurrent: false }];
  give(list, { kind: "session_items", items, isEnd: false });
  press(list, "<C-f><F1>");
  give(list, {
    kind: "session_items",
    items: [...items, { ...items[0]!, id: "/t.jsonl", label: "another" }],
    isEnd: true,
  });
  assert.equal(list.state.panel?.name, "help");
  press(list, "<Esc>");
  assert.ok(screenRows(list).some((row) => row.includes("another")), screenRows(list).join("\n"));
});

Deno.test("find: resizes leave the view where it is, and the place is there again", () => {
  const client = testClient({ columns: 100, rows: 30 });
  for (let at = 0; at < 4; at++) turn(client, `q ${at}`, lines(40, at === 1 ? [20] : []), "done");
  look(client, "<C-f>needle");
  const before = screenRows(client);
  for (const [columns, rows] of [[100, 12], [40, 12], [17, 9], [1, 1], [100, 30]] as const) {
    give(client, { kind: "resize", columns, rows });
    lookToEnd(client);
  }
  assert.deepEqual(screenRows(client), before);
  assert.equal(seen(client).place, "the needle 20");
  give(client, { kind: "resize", columns: 40, rows: 8 });
  look(client, "<Enter>");
  assert.equal(seen(client).place, "the needle 20");
});

Deno.test("find: pasted blanks are one, however many", () => {
  const client = testClient();
  turn(client, "a b", "", "done");
  press(client, "<C-f>");
  give(client, { kind: "paste", text: `a${" ".repeat(300_000)}b`, cut: false, endedBy: "marker" });
  give(client, { kind: "paste", text: `\n\n ${" \n".repeat(100_000)}c\n`, cut: false, endedBy: "marker" });
  assert.equal(shownFind(client.state)?.wanted?.text, "a");
});

Deno.test("find: a block of any length is looked through, in several goes", () => {
  const client = testClient({ columns: 60, rows: 16 });
  turn(client, "one", "needle ".repeat(20_000), "done");
  turn(client, "two", lines(60_000, [40_000]), "done");
  turn(client, "three", "", "a **needle** here\n\n".repeat(4000));
  look(client, "<C-f>needle");
  assert.equal(seen(client).said, "24001 of 24001");
  assert.equal(placesThere(client), 24_001);
  tell(client, "tool_call_start", { id: "last", name: "Bash" });
  tell(client, "tool_call_done", { id: "last", name: "Bash", arguments: '{"command":"run"}' });
  for (let at = 0; at < 50; at++) tell(client, "tool_output", { id: "last", text: lines(1000, [500]) });
  look(client, "<Down>");
  assert.equal(placesThere(client), 24_051);
  assert.match(seen(client).said, /of 24051$/);
});
