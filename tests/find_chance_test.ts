// The search in random sessions, with whatever a person may do meanwhile: what it counts is what there is, every place
// is visited once and marked in view.

import assert from "node:assert/strict";
import { loadLibraries } from "../src/app/files.ts";
import { shownFind } from "../src/app/panels/shown_panel.ts";
import { currentRow, lookToEnd, placesCounted, placesThere, tellTurn } from "../src/app/find_test_helper.ts";
import { give, press, screenRows, tell, type TestClient, testClient } from "../src/app/testing.ts";
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
      tellTurn(client, {
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
      assert.equal(placesCounted(client), placesThere(client), context);
      const { columns, rows } = client.state;
      const isMarked = currentRow(client) !== null || shownFind(client.state)?.current === null;
      assert.ok(isMarked || rows < 8 || columns < 10, context);
    }
  }
});

/** Goes round once. */
function visitAll(client: TestClient, context: string): void {
  const count = placesThere(client);
  assert.equal(placesCounted(client), count, context);
  const visited = new Set<string>();
  for (let at = 0; at < Math.min(count, MOST_VISITED); at++) {
    const place = shownFind(client.state)?.current;
    assert.ok(place !== null && place !== undefined, `${context}: place ${at} of ${count}`);
    assert.notEqual(currentRow(client), null, `${context}: place ${at} is in view`);
    visited.add(`${place.block.id} ${place.at}`);
    press(client, at % 7 === 3 ? "<Enter><Down><Enter>" : "<Enter>");
    screenRows(client);
    lookToEnd(client);
  }
  assert.equal(visited.size, Math.min(count, MOST_VISITED), context);
}
