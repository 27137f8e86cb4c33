// Recordings whose records form a tree (pi, Qwen, Gemini's rewinds): the live branch is shown, and a row says where
// others begin. Records are told as they come; only when one goes back to an earlier place is the transcript built
// anew, as one history event, from the records that lead there. What a record means is the format's own translator.

import { openItems } from "./branch_history.ts";
import type { NotShown } from "./not_shown.ts";
import { createTelling, notify, takeSteps, tellFrom, type Telling } from "./telling.ts";
import type { RecordingStep, Translator, TranslatorFactory } from "./translator.ts";

/** Where a record moves the session to: the entry itself, or the one before it. */
export interface BranchMove {
  readonly to: string;
  readonly isBefore: boolean;
}

/** How the records of a format hang together. */
export interface BranchRules {
  readonly create: TranslatorFactory;
  /** The record's own id; null when it is no entry of the tree. */
  idOf(value: unknown): string | null;
  /** Id of the entry it follows; null for a beginning, undefined when it follows the record before. */
  parentOf(value: unknown): string | null | undefined;
  /** True when a person would miss it. */
  isShown(value: unknown): boolean;
  /** The place a record moves the session to, without being an entry. */
  moveOf?(value: unknown): BranchMove | null;
  /** What a record with a known id is: news of that entry, or the same again. */
  readonly repeats: "news" | "same";
  /** Who says that there are branches. */
  readonly agent: string;
}

/** Which branch to show. */
export interface BranchOptions {
  /** Id of any entry of it; the newest branch without. */
  readonly branch?: string | undefined;
}

/** An entry with the records told at it. */
interface Node {
  readonly id: string;
  readonly parent: Node | null;
  readonly depth: number;
  readonly records: { readonly value: unknown; readonly line: number }[];
  readonly children: Node[];
  readonly isShown: boolean;
}

interface Tree {
  readonly rules: BranchRules;
  readonly branch: string | null;
  readonly root: Node;
  readonly nodes: Map<string, Node>;
  /** Where the next record goes. */
  leaf: Node;
  /** The entry the inner translator has been told up to. */
  told: Node;
  inner: Translator;
  /** True when the wanted branch was found: from then on only what follows it is shown. */
  isFixed: boolean;
  /** Records of other branches behind the wanted one. */
  others: number;
  /** Entries pushed, and entries told again because of moves: the second stays in proportion to the first. */
  pushed: number;
  retold: number;
}

/** How many entries may be told again for each that is pushed, and how many are free. */
const RETELL_RATE = 4;
const RETELL_FREE = 2000;

/** A translator that shows one branch. */
export function createBranchTranslator(rules: BranchRules, options: BranchOptions = {}): Translator {
  const root: Node = { id: "", parent: null, depth: 0, records: [], children: [], isShown: false };
  const tree: Tree = {
    rules,
    branch: options.branch ?? null,
    root,
    nodes: new Map(),
    leaf: root,
    told: root,
    inner: rules.create(),
    isFixed: false,
    others: 0,
    pushed: 0,
    retold: 0,
  };
  return {
    push: (value, line) => pushRecord(tree, value, line),
    end: () => endTree(tree),
  };
}

function pushRecord(tree: Tree, value: unknown, line: number): readonly RecordingStep[] {
  const { rules } = tree;
  const move = rules.moveOf?.(value) ?? null;
  if (move !== null) return moveTo(tree, move, line);
  const id = rules.idOf(value);
  const known = id === null ? undefined : tree.nodes.get(id);
  if (known !== undefined && rules.repeats === "same") return [ignored("record repeated", line)];
  if (id === null || known !== undefined) {
    if (tree.isFixed && known !== undefined && !isOn(tree.leaf, known)) return [other(tree, line)];
    tree.leaf.records.push({ value, line });
    return tree.told === tree.leaf ? tree.inner.push(value, line) : [held(line)];
  }

  const parent = parentNode(tree, rules.parentOf(value));
  if (tree.isFixed && !isBehind(tree, parent)) return [other(tree, line)];
  const node: Node = {
    id,
    parent,
    depth: parent.depth + 1,
    records: [{ value, line }],
    children: [],
    isShown: rules.isShown(value),
  };
  tree.nodes.set(id, node);
  parent.children.push(node);
  tree.pushed++;
  if (id === tree.branch) tree.isFixed = true;
  tree.leaf = node;
  return goTo(tree, node, line);
}

/** A parent that is not in the file was cut off: the record then follows the one before. */
function parentNode(tree: Tree, parentId: string | null | undefined): Node {
  if (parentId === undefined) return tree.leaf;
  if (parentId === null) return tree.root;
  return tree.nodes.get(parentId) ?? tree.leaf;
}

/** Tells the inner translator everything up to `node`. */
function goTo(tree: Tree, node: Node, line: number): readonly RecordingStep[] {
  const dropped = droppedBetween(tree.told, node);
  if (!dropped.isShown) {
    // Nothing a person would miss is left behind: the transcript simply goes on.
    const missing = pathBetween(dropped.common, node);
    tree.told = node;
    return missing.flatMap(({ records }) => records.flatMap((one) => tree.inner.push(one.value, one.line)));
  }
  const path = pathBetween(tree.root, node);
  if (tree.retold + path.length > RETELL_RATE * tree.pushed + RETELL_FREE) return [held(line)];
  tree.retold += path.length;
  return retell(tree, node, line);
}

/** Builds the transcript anew along the path to `node`, with a row where other branches begin. */
function retell(tree: Tree, node: Node, line: number): readonly RecordingStep[] {
  const { rules } = tree;
  tree.inner = rules.create();
  const steps: RecordingStep[] = [];
  const push = (one: Node, notes: readonly RecordingStep[]) => {
    const told = one.records.flatMap((record) => tree.inner.push(record.value, record.line));
    // The end of the turn before is told with the message behind it: the notes stand between.
    const start = told.findIndex((step) => !isEnd(step));
    steps.push(...told.slice(0, Math.max(0, start)), ...notes, ...told.slice(Math.max(0, start)));
  };
  const notesAt = (place: Node, next: Node | null) =>
    place.children.filter((child) => child !== next).flatMap((child) => branchNote(rules.agent, child, line));
  push(tree.root, []);
  let before = tree.root;
  for (const one of pathBetween(tree.root, node)) {
    push(one, notesAt(before, one));
    before = one;
  }
  steps.push(...notesAt(node, null));
  tree.told = node;
  return openItems(steps, line);
}

function isEnd(step: RecordingStep): boolean {
  if (step.kind !== "event" || step.parsed.kind !== "event") return false;
  return step.parsed.event.event === "turn_end" || step.parsed.event.event === "step_end";
}

/** The row about a branch that is not shown; none when a person would miss nothing of it. */
function branchNote(agent: string, first: Node, line: number): readonly RecordingStep[] {
  let count = 0;
  let newest = first;
  const waiting = [first];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.isShown) count++;
    newest = node;
    waiting.push(...node.children);
  }
  if (count === 0) return [];
  const telling = silentTelling(agent, line);
  notify(
    telling,
    "info",
    `Another branch begins here: ${count} message${count === 1 ? "" : "s"} not shown (branch ${newest.id})`,
  );
  return takeSteps(telling);
}

/** A telling that only lends its way of making events: no greeting before them. */
function silentTelling(agent: string, line: number): Telling {
  const telling = createTelling(agent);
  telling.greeted = true;
  tellFrom(telling, line, null);
  return telling;
}

function moveTo(tree: Tree, move: BranchMove, line: number): readonly RecordingStep[] {
  const target = tree.nodes.get(move.to);
  if (target === undefined) return [ignored("move to an unknown message", line)];
  const node = move.isBefore ? target.parent ?? tree.root : target;
  if (tree.isFixed && !isBehind(tree, node)) return [other(tree, line)];
  tree.leaf = node;
  const steps = goTo(tree, node, line);
  return steps.length > 0 ? steps : [ignored("move to where the session is", line)];
}

function endTree(tree: Tree): readonly RecordingStep[] {
  const steps: RecordingStep[] = [];
  if (tree.told !== tree.leaf) steps.push(...retell(tree, tree.leaf, 0));
  steps.push(...tree.inner.end());
  const telling = silentTelling(tree.rules.agent, 0);
  if (tree.branch !== null && !tree.isFixed) {
    notify(telling, "warn", `Cannot find branch ${JSON.stringify(tree.branch)}: the newest one is shown`);
  } else if (tree.others > 0) {
    notify(telling, "info", `Other branches go on behind this one: ${tree.others} records are not shown`);
  }
  return [...steps, ...takeSteps(telling)];
}

/** What is left behind when the session goes from one entry to another, and the last entry both have. */
function droppedBetween(from: Node, to: Node): { readonly common: Node; readonly isShown: boolean } {
  let left = from;
  let right = to;
  let isShown = false;
  const climb = (node: Node): Node => node.parent ?? node;
  while (right.depth > left.depth) right = climb(right);
  while (left !== right) {
    if (left.depth >= right.depth) {
      isShown ||= left.isShown;
      left = climb(left);
    }
    while (right.depth > left.depth) right = climb(right);
  }
  return { common: left, isShown };
}

/** The entries behind `from` up to `to`, in order. */
function pathBetween(from: Node, to: Node): readonly Node[] {
  const path: Node[] = [];
  for (let node: Node | null = to; node !== null && node !== from; node = node.parent) path.push(node);
  return path.reverse();
}

/** True when `node` is the wanted entry or follows it. */
function isBehind(tree: Tree, node: Node): boolean {
  const wanted = tree.branch === null ? undefined : tree.nodes.get(tree.branch);
  return wanted === undefined || isOn(node, wanted);
}

/** True when `node` is on the path that leads to `leaf`. */
function isOn(leaf: Node, node: Node): boolean {
  let at = leaf;
  while (at.depth > node.depth && at.parent !== null) at = at.parent;
  return at === node;
}

function other(tree: Tree, line: number): RecordingStep {
  tree.others++;
  return ignored("record of another branch", line);
}

function held(line: number): RecordingStep {
  return ignored("held until the branch is settled", line);
}

function ignored(what: NotShown, line: number): RecordingStep {
  return { kind: "ignored", what, line };
}
