// Looking for a text in the transcript: what is found, where the view goes, and what stays as it was.

import assert from "node:assert/strict";
import { draftText } from "../input/draft.ts";
import { isFollowing } from "../layout/viewport.ts";
import { createFrame } from "../screen/frame.ts";
import { snapshotText } from "../screen/snapshot.ts";
import { drawFrame } from "./draw.ts";
import { snapshotState } from "./files.ts";
import { shownFind } from "./panels/shown_panel.ts";
import { WORK_AT_ONCE } from "./find_blocks.ts";
import { currentRow, lookToEnd, placesThere, tellTurn } from "./find_test_helper.ts";
import { give, press, screenRows, tell, type TestClient, testClient } from "./testing.ts";
import { transcriptHeight } from "./update.ts";

const turn = (client: TestClient, asked: string, output: string, answer: string) =>
  tellTurn(client, { asked, output, answer, command: `run ${asked}` });

/** A session of so many turns; the word "needle" stands in the output of every tenth, far down. */
function longClient(turns: number, options: Parameters<typeof testClient>[0] = {}): TestClient {
  const client = testClient({ columns: 60, rows: 16, ...options });
  for (let at = 0; at < turns; at++) {
    const output = Array.from(
      { length: 40 },
      (_, line) => line === 25 && at % 10 === 0 ? `a Needle of ${at}` : `line ${line}`,
    );
    turn(client, `task ${at}`, output.join("\n"), `done with ${at}`);
  }
  return client;
}

function findRow(client: TestClient): string {
  return screenRows(client).at(-3) ?? "";
}

Deno.test("find: the newest place first, Enter goes up, Down goes down, round at the ends", () => {
  const client = longClient(30);
  press(client, "<C-f>NEEDLE");
  lookToEnd(client);
  assert.equal(currentRow(client), "a Needle of 20");
  assert.match(findRow(client), /^find NEEDLE +3 of 3/);
  const seen = ["<Enter>", "<Up>", "<Enter>", "<Down>", "<Down>"].map((key) => {
    press(client, key);
    return currentRow(client);
  });
  assert.deepEqual(seen, [
    "a Needle of 10",
    "a Needle of 0",
    "a Needle of 20",
    "a Needle of 0",
    "a Needle of 10",
  ]);
  assert.match(findRow(client), /2 of 3/);
});

Deno.test("find: what a fold hides is unfolded while the view is there, in every fold mode", () => {
  for (const mode of ["normal", "overview", "detail"]) {
    const client = longClient(12);
    press(client, `/fold ${mode}<Enter><C-f>needle of`);
    lookToEnd(client);
    assert.equal(currentRow(client), "a Needle of 10", mode);
    press(client, "<Enter>");
    assert.equal(currentRow(client), "a Needle of 0", mode);
    assert.equal(client.state.overrides.size, mode === "detail" ? 0 : 1, "the one before is folded again");
    press(client, "<Esc>");
    assert.equal(shownFind(client.state), null);
    assert.ok(screenRows(client).some((row) => row.includes("a Needle of 0")), "closing leaves the view");
    assert.equal(client.state.fold, mode);
  }
});

Deno.test("find: a long session is looked through some blocks at a time, and keys count meanwhile", () => {
  const client = longClient(200);
  const { length } = client.state.transcript.blocks;
  press(client, "<C-f>needle of 0");
  assert.ok(client.state.isLooking);
  assert.match(findRow(client), /looking/);
  give(client, { kind: "tick" });
  press(client, "<Esc>");
  assert.ok(!client.state.isLooking);
  press(client, "kept");
  assert.equal(draftText(client.state.composer.draft), "kept");
  press(client, "<C-f>needle of nothing");
  const ticks = lookToEnd(client);
  assert.ok(
    ticks >= length / WORK_AT_ONCE - 1 && ticks < length / WORK_AT_ONCE * 1.3,
    `${ticks} for ${length}`,
  );
  assert.match(findRow(client), /not found/);
  assert.equal(draftText(client.state.composer.draft), "kept");
});

Deno.test("find: the place above the view comes first; below it only when there is no other", () => {
  const client = longClient(30);
  press(client, "<C-Home><C-f>task 29");
  lookToEnd(client);
  assert.match(currentRow(client) ?? "", /task 29/);
  press(client, "<C-u>needle");
  lookToEnd(client);
  assert.equal(currentRow(client), "a Needle of 0", "from where the search was opened");
});

Deno.test("find: every place once, as many as there are in all rows", () => {
  const client = longClient(23);
  for (const text of ["line 1", "done", "e", "task 1"]) {
    press(client, `<C-f><C-u>${text}`);
    lookToEnd(client);
    const all = placesThere(client);
    const places = new Set<string>();
    for (let at = 0; at < all; at++) {
      const place = shownFind(client.state)?.current;
      assert.ok(place !== null && place !== undefined);
      places.add(`${place.block.id} ${place.at}`);
      assert.notEqual(currentRow(client), null, `${text}: ${at} is in view`);
      press(client, "<Up>");
    }
    assert.equal(places.size, all, text);
    press(client, "<Esc>");
  }
});

Deno.test("find: what comes while it is open is found too, and the view stays where the reader is", () => {
  const client = longClient(12);
  press(client, "<C-f>needle");
  lookToEnd(client);
  assert.equal(currentRow(client), "a Needle of 10");
  turn(client, "one more needle", "nothing", "and done");
  assert.equal(currentRow(client), "a Needle of 10");
  assert.ok(!isFollowing(client.state.viewport));
  press(client, "<Down>");
  lookToEnd(client);
  assert.match(currentRow(client) ?? "", /one more needle/);
  tell(client, "turn_start", { turn: 99 });
  tell(client, "text_delta", { text: "a needle" });
  press(client, "<Down>");
  assert.equal(currentRow(client), "$ run one more needle");
  press(client, "<Down>");
  assert.equal(currentRow(client), "a needle");
  tell(client, "text_delta", { text: " and a second needle" });
  press(client, "<Down>");
  assert.equal(currentRow(client), "a needle and a second needle");
});

Deno.test("find: another size and another fold mode keep the place", () => {
  const client = longClient(12);
  press(client, "<C-f>needle");
  lookToEnd(client);
  for (const [columns, rows] of [[30, 12], [9, 8], [100, 40], [60, 16]] as const) {
    give(client, { kind: "resize", columns, rows });
    const place = shownFind(client.state)?.current;
    assert.equal(place?.at, 0, `${columns}x${rows}`);
    lookToEnd(client);
    assert.match(findRow(client), /2 of 2|^find needle|^find/, `${columns}x${rows}`);
  }
  assert.equal(currentRow(client), "a Needle of 10");
  press(client, "<C-o>");
  assert.equal(client.state.fold, "detail");
  press(client, "<Enter><Down>");
  assert.equal(currentRow(client), "a Needle of 10");
});

Deno.test("find: from the history with / n N, from a command, and again with what was looked for last", () => {
  const client = longClient(22);
  press(client, "/find needle<Enter>");
  lookToEnd(client);
  assert.equal(currentRow(client), "a Needle of 20");
  press(client, "<Esc><Tab>n");
  lookToEnd(client);
  assert.equal(client.state.focus, "history");
  assert.equal(currentRow(client), "a Needle of 20");
  press(client, "n");
  assert.equal(currentRow(client), "a Needle of 10");
  press(client, "N");
  assert.equal(currentRow(client), "a Needle of 20");
  press(client, "<Esc>/");
  assert.equal(client.state.focus, "composer");
  assert.match(findRow(client), /^find needle/);
  // What was there is selected: what is typed takes its place.
  press(client, "task 3");
  lookToEnd(client);
  assert.match(findRow(client), /^find task 3/);
});

Deno.test("find: where nothing is found the view is as before; closed at the end it follows again", () => {
  const client = longClient(12);
  const screen = () => screenRows(client).slice(0, transcriptHeight(client.state));
  const before = screen();
  press(client, "<C-f>n");
  lookToEnd(client);
  press(client, "eedless");
  lookToEnd(client);
  assert.match(findRow(client), /not found/);
  assert.deepEqual(screen(), before.slice(1));
  assert.ok(isFollowing(client.state.viewport));
  press(client, "<Esc><PgUp><PgUp>");
  const held = screen();
  press(client, "<C-f><C-u>needle");
  lookToEnd(client);
  assert.notDeepEqual(screen(), held);
  press(client, "<C-u>");
  assert.deepEqual(screen(), held.slice(0, -1), "nothing is asked for");
  press(client, "<Esc><C-End><C-f>done with 11");
  lookToEnd(client);
  assert.ok(!isFollowing(client.state.viewport));
  press(client, "<Esc>");
  assert.ok(isFollowing(client.state.viewport));
});

Deno.test("find: the field has one row; a line end in it is Enter, and a blank in a list's filter", () => {
  const client = longClient(30);
  press(client, "<C-f>needle<C-j>");
  lookToEnd(client);
  assert.equal(currentRow(client), "a Needle of 10");
  assert.match(findRow(client), /^find needle /);
  press(client, "<Esc>");
  tell(client, "model_catalog", {
    models: [{ provider: "p", model: "a b" }, { provider: "p", model: "ab" }],
  });
  press(client, "/model<Enter>a<C-j>b");
  assert.ok(screenRows(client).some((row) => row.startsWith("find a b")));
});

Deno.test("find: nothing was looked for, nothing is there, nothing but blanks", () => {
  const empty = testClient();
  press(empty, "<C-f>x");
  lookToEnd(empty);
  assert.ok(screenRows(empty).some((row) => row.includes("not found")));
  press(empty, "<Enter><Down><Esc>");
  const client = longClient(2);
  press(client, "<Tab>n");
  assert.equal(shownFind(client.state), null);
  press(client, "<C-f>   <Enter><Up>");
  assert.ok(!client.state.isLooking);
  assert.equal(currentRow(client), null);
});

Deno.test("find: a question that comes meanwhile waits, and is not answered by a key meant for the search", () => {
  const client = longClient(3);
  press(client, "<C-f>needle<Wait 1000>");
  tell(client, "status", { status: "running" });
  tell(client, "question", {
    batch_id: "q",
    questions: [{ id: "a", text: "Which?", options: [{ id: "1", label: "one" }, { id: "2", label: "two" }] }],
  });
  assert.ok(
    screenRows(client).some((row) => row.startsWith("── Question · Which?") && row.endsWith("Esc shows it")),
  );
  press(client, "<Wait 1000><Enter><Enter>");
  client.effects.length = 0;
  press(client, "<Esc><Enter>");
  assert.deepEqual(client.effects.filter((effect) => effect.kind === "send"), []);
  press(client, "<Wait 1000><Enter>");
  assert.equal(client.effects.filter((effect) => effect.kind === "send").length, 1);
});

Deno.test("find: what is found is marked on the screen, wide signs whole, at every size", () => {
  const client = testClient({ columns: 40, rows: 12 });
  turn(
    client,
    "say it",
    "漢字 かな 漢字",
    "the 漢字 and **漢字かな** again, wrapped somewhere in the middle",
  );
  press(client, "<C-f>漢字");
  for (let columns = 1; columns <= 60; columns++) {
    give(client, { kind: "resize", columns, rows: 12 });
    const frame = createFrame(columns, 12);
    drawFrame(client.state, frame);
    const text = snapshotText(frame, snapshotState(client.state));
    if (columns >= 30) assert.ok(text.includes("find.hit") && text.includes("find.current"), `${columns}`);
  }
});

Deno.test("find: a recording's whole takes its tail's place, and is looked through anew", () => {
  const client = longClient(3, { recording: true });
  press(client, "<C-f>needle");
  lookToEnd(client);
  give(client, { kind: "whole_begins" });
  turn(client, "needle of the whole", "x", "y");
  give(client, { kind: "recording_end" });
  assert.ok(client.state.isLooking);
  lookToEnd(client);
  press(client, "<Enter>");
  assert.match(currentRow(client) ?? "", /needle of the whole/);
});
