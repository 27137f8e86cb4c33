// From keys to action names, chords such as <C-x><C-e> included, and what a config file may change about it.
// The actions and their default keys are actions.ts; help's table is key_table.ts.

import { type ActionName, ACTIONS, DEFAULT_KEYS, isActionName, type Place, PLACES } from "./actions.ts";
import { nearestName } from "./nearest_name.ts";
import { formatKey, formatKeys, type Key, readKey } from "./key.ts";

/** Which keys ask for which action, by place. Made by `createKeymap`. */
export interface Keymap {
  /** Key sequences in their text form, by place. */
  readonly bindings: Readonly<Record<Place, ReadonlyMap<string, ActionName>>>;
  /** Beginnings of chords, by place. */
  readonly prefixes: Readonly<Record<Place, ReadonlySet<string>>>;
}

/** What a key means: an action, the beginning of a chord (give `pending` back with the next key), or nothing. */
export type Lookup =
  | { readonly kind: "action"; readonly action: ActionName }
  | { readonly kind: "prefix"; readonly pending: readonly Key[] }
  | { readonly kind: "none" };

/** A keymap and what was wrong with the wishes it was made from; what was wrong is left at its default. */
export interface CreatedKeymap {
  readonly keymap: Keymap;
  readonly problems: readonly string[];
}

/** Keys that mean the same as another one unless they are bound themselves: terminals without a keyboard protocol send one byte for both. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  "<C-/>": "<C-_>",
  "<C-7>": "<C-_>",
  "<C-Backspace>": "<C-w>",
  "<S-Backspace>": "<Backspace>",
  "<S-Delete>": "<Delete>",
  "<S-Esc>": "<Esc>",
};

/** Keys that no action may have, and why. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  "<C-[>": "terminals send it as Esc",
  "<C-i>": "terminals send it as Tab",
  "<C-m>": "terminals send it as Enter",
  "<C-h>": "terminals send it as Backspace",
  "<C-Up>": "desktops take it",
  "<C-Down>": "desktops take it",
};

/** A sequence that is surely no chord. */
const ONE_KEY = /^(?:.|<[^<>]+>)$/su;

/** The keys as they are without a config file. */
export const DEFAULT_KEYMAP: Keymap = createKeymap().keymap;

/**
 * The keymap with the wishes of a config file: action name to key sequences, which replace the action's own. A key
 * taken from another action is lost to that one; an empty list leaves the action without keys.
 */
export function createKeymap(overrides: Readonly<Record<string, readonly string[]>> = {}): CreatedKeymap {
  const problems: string[] = [];
  const wishes = readWishes(overrides, problems);
  const bindings = emptyBindings();
  const defaults = defaultBindings().filter(({ action }) => !wishes.has(action));
  for (const [action, keys] of wishes) {
    for (const sequence of keys) {
      const why = bindWish(bindings, { action, sequence }, defaults);
      if (why !== null) problems.push(`Cannot bind ${action}: ${why}`);
    }
  }
  const kept = boundActions(bindings);
  for (const { action, place, sequence } of defaultBindings()) {
    const isWished = kept.has(action) || wishes.get(action)?.length === 0;
    if (isWished || bindings[place].has(sequence)) continue;
    const taker = bindings.anywhere.get(sequence);
    if (taker !== undefined && kept.has(taker)) continue;
    // The default of an action whose wishes came to nothing may be in the way of another wish.
    if (wishes.has(action) && meetsChord(bindings, place, sequence)) continue;
    bindings[place].set(sequence, action);
  }
  const bound = boundActions(bindings);
  for (const action of new Set(defaultBindings().map((binding) => binding.action))) {
    if (bound.has(action) || wishes.get(action)?.length === 0) continue;
    problems.push(`Cannot bind keys: ${action} is left without one; give it another`);
  }
  return { keymap: { bindings, prefixes: findPrefixes(bindings) }, problems };
}

/**
 * What `key` means in `place`, after the `pending` keys of a chord. What is bound in the place goes before what is
 * bound anywhere. A chord that goes on with a key of no chord is dropped and that key taken by itself; Esc only drops it.
 */
export function lookup(keymap: Keymap, place: Place, key: Key, pending: readonly Key[] = []): Lookup {
  const keys = [...pending, key];
  const found = find(keymap, place, formatKeys(pending), key);
  if (found !== null) {
    return found === "prefix" ? { kind: "prefix", pending: keys } : { kind: "action", action: found };
  }
  if (pending.length === 0 || key.name === "Esc") return { kind: "none" };
  return lookup(keymap, place, key);
}

/** The key sequences of an action in a place, in text form. */
export function keysOf(keymap: Keymap, place: Place, action: ActionName): readonly string[] {
  const keys: string[] = [];
  for (const [sequence, bound] of keymap.bindings[place]) if (bound === action) keys.push(sequence);
  return keys;
}

function find(keymap: Keymap, place: Place, before: string, key: Key): ActionName | "prefix" | null {
  const pressed = formatKey(key);
  for (const text of [pressed, STANDS_FOR[pressed]]) {
    if (text === undefined) continue;
    for (const where of place === "anywhere" ? ["anywhere"] as const : [place, "anywhere"] as const) {
      const action = keymap.bindings[where].get(before + text);
      if (action !== undefined) return action;
      if (keymap.prefixes[where].has(before + text)) return "prefix";
    }
  }
  return null;
}

/** The readable wishes: action to key sequences in their one text form. */
function readWishes(overrides: Readonly<Record<string, readonly string[]>>, problems: string[]) {
  const wishes = new Map<ActionName, readonly string[]>();
  for (const [action, keys] of Object.entries(overrides)) {
    if (!isActionName(action)) {
      const nearest = nearestName(action, Object.keys(ACTIONS));
      const hint = nearest === null ? "`trifold keys` lists them" : `did you mean "${nearest}"?`;
      problems.push(`Cannot bind keys: there is no action "${action}"; ${hint}`);
      continue;
    }
    const readable: string[] = [];
    for (const key of keys) {
      const sequence = readSequence(key);
      if (typeof sequence === "string") problems.push(`Cannot bind ${action}: ${sequence}`);
      else readable.push(formatKeys(sequence));
    }
    // A wish of which nothing could be read leaves the default.
    if (readable.length > 0 || keys.length === 0) wishes.set(action, readable);
  }
  return wishes;
}

function readSequence(text: string): readonly Key[] | string {
  const keys: Key[] = [];
  for (let at = 0; at < text.length;) {
    const read = readKey(text, at);
    if (typeof read === "string") {
      return `"${text}" is no key; write for example "<C-o>", "<F2>", "<C-x><C-e>" or "j"`;
    }
    const why = FORBIDDEN[formatKey(read.key)];
    if (why !== undefined) return `${formatKey(read.key)} cannot be bound, ${why}`;
    keys.push(read.key);
    at = read.end;
  }
  if (keys.length === 0) return "a key must not be empty";
  return keys;
}

interface Binding {
  readonly action: ActionName;
  readonly place: Place;
  readonly sequence: string;
}

function defaultBindings(): Binding[] {
  return PLACES.flatMap((place) =>
    (Object.entries(DEFAULT_KEYS[place]) as [ActionName, readonly string[]][]).flatMap(([action, keys]) =>
      keys.map((sequence) => ({ action, place, sequence }))
    )
  );
}

/** Binds one wished key; says why it cannot be. `defaults` are those of the actions nobody has a wish for. */
function bindWish(
  bindings: Record<Place, Map<string, ActionName>>,
  wish: { readonly action: ActionName; readonly sequence: string },
  defaults: readonly Binding[],
): string | null {
  const { action, sequence } = wish;
  const places = placesFor(action, sequence);
  if (places.length === 0) return `${sequence} types text where ${action} is used`;
  const isNear = (place: Place) =>
    place === "anywhere" || places.includes(place) || places.includes("anywhere");
  const wished = PLACES.flatMap((place) =>
    [...bindings[place]].map(([bound, owner]): Binding => ({ action: owner, place, sequence: bound }))
  );
  for (const other of wished) {
    if (!isNear(other.place) || other.action === action || other.sequence !== sequence) continue;
    return `${sequence} is bound to ${other.action} too`;
  }
  for (const other of [...wished, ...defaults]) {
    if (!isNear(other.place)) continue;
    if (isChordStart(sequence, other.sequence)) {
      return `${other.sequence} of ${other.action} begins with ${sequence}`;
    }
    if (isChordStart(other.sequence, sequence)) {
      return `${sequence} begins with ${other.sequence}, which is bound to ${other.action}`;
    }
  }
  for (const place of places) bindings[place].set(sequence, action);
  return null;
}

/** Whether a chord bound where `place` matters begins with the keys, or they with it. */
function meetsChord(
  bindings: Readonly<Record<Place, ReadonlyMap<string, ActionName>>>,
  place: Place,
  sequence: string,
): boolean {
  const near = place === "anywhere" ? PLACES : [place, "anywhere"] as const;
  return near.some((where) =>
    [...bindings[where].keys()].some((other) =>
      isChordStart(sequence, other) || isChordStart(other, sequence)
    )
  );
}

/** Whether the keys of `first` begin those of `second`, which has more. */
function isChordStart(first: string, second: string): boolean {
  if (first.length >= second.length || !second.startsWith(first)) return false;
  const shorter = readSequence(first);
  const longer = readSequence(second);
  if (typeof shorter === "string" || typeof longer === "string") return false;
  return formatKeys(longer.slice(0, shorter.length)) === first;
}

/** Where a wished key of an action works: a key that types text only where nothing is typed. */
function placesFor(action: ActionName, sequence: string): readonly Place[] {
  const home = PLACES.filter((place) => DEFAULT_KEYS[place][action] !== undefined);
  const first = readKey(sequence, 0);
  const typesText = typeof first !== "string" && first.key.text !== undefined;
  if (!typesText) return home.includes("anywhere") ? ["anywhere"] : home;
  const silent = home.filter((place) => place === "history" || place === "panel");
  return silent.length === 0 && home.includes("anywhere") ? ["history"] : silent;
}

function findPrefixes(bindings: Readonly<Record<Place, ReadonlyMap<string, ActionName>>>) {
  const prefixes = emptyPrefixes();
  for (const place of PLACES) {
    for (const sequence of bindings[place].keys()) {
      if (ONE_KEY.test(sequence)) continue;
      const keys = readSequence(sequence);
      if (typeof keys === "string") continue;
      for (let count = 1; count < keys.length; count++) prefixes[place].add(formatKeys(keys.slice(0, count)));
    }
  }
  return prefixes;
}

function emptyBindings(): Record<Place, Map<string, ActionName>> {
  return { anywhere: new Map(), composer: new Map(), history: new Map(), panel: new Map() };
}

function emptyPrefixes(): Record<Place, Set<string>> {
  return { anywhere: new Set(), composer: new Set(), history: new Set(), panel: new Set() };
}

function boundActions(bindings: Readonly<Record<Place, ReadonlyMap<string, ActionName>>>): Set<ActionName> {
  return new Set(PLACES.flatMap((place) => [...bindings[place].values()]));
}
