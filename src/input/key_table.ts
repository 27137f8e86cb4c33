// The key table for people: F1, README and `trifold keys` are made from these rows.
// The actions and keys come from the keymap; nothing here is written by hand a second time.

import { ACTION_GROUPS, type ActionGroup, type ActionName, ACTIONS, type Place, PLACES } from "./actions.ts";
import { type Key, readKey } from "./key.ts";
import { DEFAULT_KEYMAP, type Keymap, keysOf } from "./keymap.ts";

/** One action with its keys. `keys` is for people ("Ctrl-O F2; in history 1"), empty when it has none. */
export interface KeyRow {
  readonly group: ActionGroup;
  readonly action: ActionName;
  readonly label: string;
  readonly keys: string;
}

/** One row an action, in the order of help, by group. */
export function keyTable(keymap: Keymap = DEFAULT_KEYMAP): readonly KeyRow[] {
  const rows: KeyRow[] = [];
  for (const group of ACTION_GROUPS) {
    for (const action of Object.keys(ACTIONS) as ActionName[]) {
      if (ACTIONS[action].group !== group) continue;
      rows.push({ group, action, label: ACTIONS[action].label, keys: keysText(keymap, action) });
    }
  }
  return rows;
}

/** A key sequence as people write it: "<C-x><C-e>" is "Ctrl-X Ctrl-E". */
export function displayKeys(sequence: string): string {
  const keys: string[] = [];
  for (let at = 0; at < sequence.length;) {
    const read = readKey(sequence, at);
    if (typeof read === "string") return sequence;
    keys.push(displayKey(read.key));
    at = read.end;
  }
  return keys.join(" ");
}

const PLACE_TEXT: Readonly<Record<Place, string>> = {
  anywhere: "",
  composer: "",
  history: "in history ",
  panel: "in a panel ",
};

function keysText(keymap: Keymap, action: ActionName): string {
  const parts: string[] = [];
  for (const place of PLACES) {
    const keys = keysOf(keymap, place, action).map(displayKeys);
    if (keys.length > 0) parts.push(PLACE_TEXT[place] + shortenRun(keys).join(", "));
  }
  return parts.join("; ");
}

/** "1, 2, ... 9" as "1-9". */
function shortenRun(keys: readonly string[]): readonly string[] {
  const isRun = keys.length > 2 &&
    keys.every((key, index) => /^\d$/u.test(key) && Number(key) === Number(keys[0]) + index);
  return isRun ? [`${keys[0]}-${keys.at(-1)}`] : keys;
}

function displayKey(key: Key): string {
  if (!key.ctrl && !key.alt && !key.shift) {
    return key.text === undefined || key.text === " " ? key.name : key.text;
  }
  const name = /^\p{Ll}$/u.test(key.name) ? key.name.toUpperCase() : key.name;
  return (key.ctrl ? "Ctrl-" : "") + (key.alt ? "Alt-" : "") + (key.shift ? "Shift-" : "") + name;
}
