// The search in random sessions, with whatever a person may do meanwhile: what it counts is what there is, every place
// is visited once and marked in view.

import assert from "node:assert/strict";
import { loadLibraries } from "../src/app/files.ts";
import { shownFind } from "../src/app/find.ts";
import { foundParts } from "../src/app/find_parts.ts";
import { give, press, screenRows, tell, type TestClient, testClient } from "../src/app/testing.ts";
import { transcriptHeight } from "../src/app/update.ts";
import { foundInDetail } from "../src/layout/find.ts";
import { firstIndex } from "../src/layout/layout.ts";
import { visibleRows } from "../src/layout/viewport.ts";
import { randomOf } from "./bench/generate.ts";

await loadLibraries();

const SEEDS = 120;
const MOST_VISITED = 40;
const WORDS = [
  ..."foo bar foobar ab a 漢字 é e\u0301x 👩‍💻 **bold** `code` FOO baz-foo_bar https://foo.bar/foo".split(" "),
  "x\ty",
  "> q",
  "- item",
  "|a|b|",
  "1234567890".repeat(3),
  "\x1b[31mred\x1b[0m",
];
const WANTED = [
  "foo",
  "a",
  "bar foo",
  "foobar",
  "漢",
  "e",
  "bold",
  "code",
  "x y",
  "red",
  "1234567890123",
  "b",
  "👩",
];
const NAMES = ["Bash", "Read", "Grep", "Edit", "Other"];

Deno.test("find: in any session it counts what is there, visits each place once, and shows it", () => {
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = randomOf(seed);
    const below = (most: number) => Math.floor(random() * most);
    const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;
    const text = (count: number) =>
      Array.from({ length: count }, () => pick(WORDS) + pick([" ", " ", "\n", "  ", "\n\n"])).join("");
    const client = testClient({ columns: 8 + below(90), rows: 8 + below(30) });
    const addTurn = () =>
      turn(client, `${seed}`, {
        asked: text(5),
        output: text(below(120)),
        answer: text(60),
        name: pick(NAMES),
      });
    for (let turns = 1 + below(8); turns > 0; turns--) addTurn();
    press(client, `/fold ${pick(["normal", "detail", "overview"])}<Enter>`);
    if (random() < 0.3) press(client, "<PgUp><PgUp>");
    press(client, `<C-f><C-u>`);
    give(client, { kind: "paste", text: pick(WANTED), cut: false, endedBy: "marker" });
    lookToEnd(client);
    visitAll(client, `seed ${seed}`);

    const deeds: Readonly<Record<string, () => void>> = {
      resize: () => give(client, { kind: "resize", columns: 1 + below(90), rows: 1 + below(30) }),
      fold: () => press(client, "<C-o>"),
      reasoning: () => press(client, "<C-r>"),
      turn: addTurn,
      stream: () => tell(client, "text_delta", { text: text(5) }),
      done: () => tell(client, "text_done", {}),
      wheel: () =>
        give(client, {
          kind: "mouse",
          action: pick(["wheel_up", "wheel_down"]),
          row: 0,
          column: 0,
          button: 0,
          ctrl: false,
          alt: false,
          shift: false,
        }),
      again: () => press(client, "<Esc><C-f>"),
      space: () => press(client, "<Tab><Tab> <Tab><C-f>"),
    };
    for (let step = 0; step < 6; step++) {
      const name = pick(Object.keys(deeds));
      deeds[name]!();
      lookToEnd(client);
      press(client, pick(["<Enter>", "<Down>"]));
      lookToEnd(client);
      const context = `seed ${seed}, step ${step}: ${name}`;
      assert.equal(counted(client), all(client), context);
      const { columns, rows } = client.state;
      const isMarked = current(client) !== null || shownFind(client.state)?.current === null;
      assert.ok(isMarked || rows < 8 || columns < 10, context);
    }
  }
});

/** Goes round once. */
function visitAll(client: TestClient, context: string): void {
  const count = all(client);
  assert.equal(counted(client), count, context);
  const visited = new Set<string>();
  for (let at = 0; at < Math.min(count, MOST_VISITED); at++) {
    const place = shownFind(client.state)?.current;
    assert.ok(place !== null && place !== undefined, `${context}: place ${at} of ${count}`);
    assert.notEqual(current(client), null, `${context}: place ${at} is in view`);
    visited.add(`${place.block.id} ${place.at}`);
    press(client, at % 7 === 3 ? "<Enter><Down><Enter>" : "<Enter>");
    screenRows(client);
    lookToEnd(client);
  }
  assert.equal(visited.size, Math.min(count, MOST_VISITED), context);
}

function turn(
  client: TestClient,
  id: string,
  said: { readonly asked: string; readonly output: string; readonly answer: string; readonly name: string },
): void {
  const { length } = client.state.transcript.blocks;
  const call = `${id}-${length}`;
  tell(client, "user_message", { kind: "run", text: said.asked, message_id: call, parent_id: null });
  tell(client, "turn_start", { turn: length });
  tell(client, "tool_call_start", { id: call, name: said.name });
  tell(client, "tool_call_done", { id: call, name: said.name, arguments: '{"command":"run"}' });
  tell(client, "tool_result", { id: call, name: said.name, output: said.output });
  tell(client, "text_delta", { text: said.answer });
  tell(client, "text_done", {});
  tell(client, "turn_end", { turn: length, result: "finished" });
}

function lookToEnd(client: TestClient): void {
  for (let ticks = 0; client.state.isLooking; ticks++) {
    assert.ok(ticks < 1000, "it never ends");
    give(client, { kind: "tick" });
  }
}

function counted(client: TestClient): number {
  return shownFind(client.state)?.found.reduce((sum, { count }) => sum + count, 0) ?? 0;
}

function all(client: TestClient): number {
  const { layout } = client.state;
  const wanted = shownFind(client.state)?.wanted;
  if (!wanted) return 0;
  let sum = 0;
  for (let at = firstIndex(layout); at < layout.blocks.length; at++) {
    sum += foundInDetail(layout, at, wanted).length;
  }
  return sum;
}

/** The part of a row that is marked as the current place. */
function current(client: TestClient): unknown {
  const { state } = client;
  const rows = visibleRows(state.layout, state.viewport, transcriptHeight(state));
  for (const parts of foundParts(state, rows).values()) {
    const part = parts.find(({ role }) => role === "find.current");
    if (part !== undefined) return part;
  }
  return null;
}
