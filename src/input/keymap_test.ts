import assert from "node:assert/strict";
import fc from "fast-check";
import { type ActionName, ACTIONS, DEFAULT_KEYS, PLACES } from "./actions.ts";
import { parseKeys } from "./key.ts";
import { displayKeys, keyTable } from "./key_table.ts";
import { createKeymap, DEFAULT_KEYMAP, keysOf, lookup } from "./keymap.ts";
import { nearestName } from "./nearest_name.ts";

const ALL = Object.keys(ACTIONS) as ActionName[];

/** What a sequence of keys asks for in a place, chords put together. */
function pressed(text: string, place: "composer" | "history" | "panel", keymap = DEFAULT_KEYMAP) {
  const actions: string[] = [];
  let pending: ReturnType<typeof parseKeys> = [];
  for (const key of parseKeys(text)) {
    const found = lookup(keymap, place, key, pending);
    pending = found.kind === "prefix" ? found.pending : [];
    if (found.kind === "action") actions.push(found.action);
    if (found.kind === "none") actions.push("-");
  }
  return actions.join(" ");
}

Deno.test("the default keys have no fault of their own", () => {
  assert.deepEqual(createKeymap().problems, []);
});

Deno.test("every action has a key and a label that no other has", () => {
  for (const action of ALL) {
    assert.ok(
      PLACES.some((place) => keysOf(DEFAULT_KEYMAP, place, action).length > 0),
      `${action} has no key`,
    );
  }
  const labels = ALL.map((action) => ACTIONS[action].label);
  assert.equal(new Set(labels).size, labels.length);
});

Deno.test("every Alt key has a twin without Alt", () => {
  for (const place of PLACES) {
    for (const [action, keys] of Object.entries(DEFAULT_KEYS[place])) {
      if (!keys.some((key) => key.includes("A-"))) continue;
      const all = PLACES.flatMap((where) => DEFAULT_KEYS[where][action as ActionName] ?? []);
      assert.ok(all.some((key) => !key.includes("A-")), `${action} can only be reached with Alt`);
    }
  }
});

Deno.test("no key that terminals cannot tell from another is bound", () => {
  const all = PLACES.flatMap((place) => Object.values(DEFAULT_KEYS[place]).flat());
  for (const key of ["<C-[>", "<C-i>", "<C-m>", "<C-h>", "<C-Up>", "<C-Down>"]) {
    assert.ok(!all.includes(key), key);
  }
});

Deno.test("keys mean what the place makes of them", () => {
  assert.equal(pressed("<PgUp><C-o><Tab>j", "composer"), "page_up fold_next switch_place -");
  assert.equal(
    pressed("jkgG[]1i?<Space>", "history"),
    "select_next select_previous to_start to_end previous_turn next_turn fold_overview to_composer help fold_block",
  );
  assert.equal(
    pressed("<PgUp>4<Tab><F6><C-c>", "panel"),
    "panel_page_up panel_mark panel_free_text panel_leave leave",
  );
});

Deno.test("chords: two keys are one action, a broken chord types its second key", () => {
  assert.equal(pressed("<C-x><C-e>", "composer"), "toggle_placeholder");
  assert.equal(pressed("<C-x><C-_>", "composer"), "redo");
  assert.equal(pressed("<C-x><C-q>", "history"), "unqueue");
  assert.equal(pressed("<C-x><C-w>", "composer"), "delete_word_left");
  assert.equal(pressed("<C-x>a", "composer"), "-");
  assert.equal(pressed("<C-x><Esc>", "composer"), "-");
});

Deno.test("keys that old terminals send as the same byte mean the same", () => {
  assert.equal(pressed("<C-/><C-7><C-_>", "composer"), "undo undo undo");
  assert.equal(pressed("<C-x><C-/>", "composer"), "redo");
  assert.equal(pressed("<S-Backspace><C-Backspace>", "composer"), "delete_left delete_word_left");
});

Deno.test("a config file moves keys, and takes them from others", () => {
  const { keymap, problems } = createKeymap({ redraw: ["<F5>", "<C-x>r"], fold_next: ["<C-l>", "z"] });
  assert.deepEqual(problems, []);
  assert.equal(pressed("<F5><C-l><C-o><C-x>r", "composer", keymap), "redraw fold_next - redraw");
  assert.equal(pressed("z", "history", keymap), "fold_next");
  assert.equal(pressed("z", "composer", keymap), "-");
});

Deno.test("an empty list takes an action's keys away", () => {
  const { keymap, problems } = createKeymap({ suspend: [] });
  assert.deepEqual(problems, []);
  assert.equal(pressed("<C-z>", "composer", keymap), "-");
});

Deno.test("wrong wishes are problems and leave the defaults", () => {
  const { keymap, problems } = createKeymap({
    fold_nxt: ["<C-b>"],
    yank: ["<C-m>"],
    undo: ["x"],
    caret_up: ["<Foo>"],
    help: ["<C-q>"],
    leave: ["<C-q>"],
  });
  assert.deepEqual(problems, [
    'Cannot bind keys: there is no action "fold_nxt"; did you mean "fold_next"?',
    "Cannot bind yank: <C-m> cannot be bound, terminals send it as Enter",
    'Cannot bind caret_up: "<Foo>" is no key; write for example "<C-o>", "<F2>", "<C-x><C-e>" or "j"',
    "Cannot bind undo: x types text where undo is used",
    "Cannot bind leave: <C-q> is bound to help too",
  ]);
  assert.equal(pressed("<C-y><C-_><Up><C-q><C-c>", "composer", keymap), "yank undo caret_up help leave");
});

Deno.test("an action that loses its last key, and a key that begins a chord, are problems", () => {
  assert.deepEqual(createKeymap({ redraw: ["<C-o>", "<F2>"] }).problems, [
    "Cannot bind keys: fold_next is left without one; give it another",
  ]);
  const { keymap, problems } = createKeymap({ newline: ["<C-x>"], redraw: ["<C-d><C-d>"] });
  assert.deepEqual(problems, [
    "Cannot bind newline: <C-x><C-q> of unqueue begins with <C-x>",
    "Cannot bind redraw: <C-d><C-d> begins with <C-d>, which is bound to delete_or_shutdown",
  ]);
  assert.equal(pressed("<C-j><C-x><C-q><C-l>", "composer", keymap), "newline unqueue redraw");
});

Deno.test("no config file makes the keymap throw, and what it says is a sentence", () => {
  const key = fc.oneof(
    fc.string(),
    fc.constantFrom("<C-x>", "<C-x><C-e>", "j", "<C-o>", "<Tab>", "<", "<C-h>", ""),
  );
  const action = fc.oneof(fc.string(), fc.constantFrom(...ALL));
  fc.assert(
    fc.property(fc.dictionary(action, fc.array(key, { maxLength: 3 }), { maxKeys: 6 }), (overrides) => {
      const { keymap, problems } = createKeymap(overrides);
      for (const problem of problems) assert.match(problem, /^Cannot bind /u);
      for (const place of PLACES) {
        for (const sequence of keymap.bindings[place].keys()) {
          assert.ok(!keymap.prefixes[place].has(sequence));
        }
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("the nearest name is near or none", () => {
  assert.equal(nearestName("pageup", ALL), "page_up");
  assert.equal(nearestName("zzzzzzzzzzzz", ALL), null);
});

Deno.test("the key table has every action once, its keys as people write them", () => {
  const rows = keyTable();
  assert.deepEqual(rows.map((row) => row.action).sort(), [...ALL].sort());
  const keys = new Map(rows.map((row) => [row.action, row.keys]));
  assert.equal(keys.get("fold_next"), "Ctrl-O, F2");
  assert.equal(keys.get("previous_turn"), "Alt-Up; in history [");
  assert.equal(keys.get("redo"), "Ctrl-X Ctrl-_, Alt-_");
  assert.equal(keys.get("panel_mark"), "in a panel 1-9");
  assert.equal(displayKeys("<S-Enter>"), "Shift-Enter");
  assert.equal(
    keyTable(createKeymap({ redraw: ["<F5>"] }).keymap).find((row) => row.action === "redraw")?.keys,
    "F5",
  );
});
