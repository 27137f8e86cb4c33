// Recordings whose records form a tree (pi, Qwen, Gemini's rewinds): the live branch is shown, and a row says where
// others begin. Records are told as they come; only when one goes back to an earlier place is the transcript built
// anew, as one history event, from the records that lead there. What a record means is the format's own translator.

import { createAllBranches } from "./branches_all.ts";
import { openItems } from "./branch_history.ts";
import type { NotShown } from "./not_shown.ts";
import { countText } from "./result_summary.ts";
import type { SessionDocument } from "./session_document.ts";
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
  /** Id of any entry of it, or "all"; the newest branch without. */
  readonly branch?: string | undefined;
}

type NodeRecord =
  | { readonly value: unknown; readonly line: number }
  | { readonly document: SessionDocument; readonly line: number };

/** An entry with the records told at it. */
interface Node {
  readonly id: string;
  readonly parent: Node | null;
  readonly depth: number;
  readonly records: NodeRecord[];
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
  /** Entries of other branches behind the wanted one, and records there. */
  readonly left: Set<string>;
  others: number;
  /** True when a move led away from the wanted branch: what follows it without naming a parent is not of it. */
  isAway: boolean;
  /** Entries pushed, and entries told again because of moves: the second stays in proportion to the first. */
  pushed: number;
  retold: number;
}

/** How many entries may be told again for each that is pushed, and how many are free. */
const RETELL_RATE = 4;
const RETELL_FREE = 2000;

/** A translator that shows one branch. */
export function createBranchTranslator(rules: BranchRules, options: BranchOptions = {}): Translator {
  if (options.branch === "all") return createAllBranches(rules);
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
    left: new Set(),
    others: 0,
    isAway: false,
    pushed: 0,
    retold: 0,
  };
  return {
    push: (value, line) => pushRecord(tree, value, line),
    pushDocument: (document, line) => pushDocument(tree, document, line),
    end: () => endTree(tree),
  };
}

/** A whole session in one value is no entry: it belongs to the place where the file stands. */
function* pushDocument(
  tree: Tree,
  document: SessionDocument,
  line: number,
): Generator<readonly RecordingStep[]> {
  const { leaf, inner } = tree;
  if (inner.pushDocument === undefined || tree.isFixed || tree.told !== leaf) {
    return yield pushRecord(tree, document.whole(), line);
  }
  leaf.records.push({ document, line });
  yield* inner.pushDocument(document, line);
}

/** The steps of one record of an entry, told again. */
function toldAgain(tree: Tree, record: NodeRecord): readonly RecordingStep[] {
  if (!("document" in record)) return tree.inner.push(record.value, record.line);
  return [...tree.inner.pushDocument?.(record.document, record.line) ?? []].flat();
}

function pushRecord(tree: Tree, value: unknown, line: number): readonly RecordingStep[] {
  const { rules } = tree;
  const move = rules.moveOf?.(value) ?? null;
  if (move !== null) return moveTo(tree, move, line);
  const id = rules.idOf(value);
  const known = id === null ? undefined : tree.nodes.get(id);
  if (known !== undefined && rules.repeats === "same") return [ignored("record repeated", line)];
  const parentId = rules.parentOf(value);
  if (id === null || known !== undefined) {
    const isElsewhere = known === undefined ? tree.isAway : !isOn(tree.leaf, known);
    if (tree.isFixed && isElsewhere) return [other(tree, line)];
    tree.leaf.records.push({ value, line });
    return tree.told === tree.leaf ? tree.inner.push(value, line) : [held(line)];
  }

  const parent = parentNode(tree, parentId);
  if (tree.isFixed) {
    const isLeft = typeof parentId === "string"
      ? tree.left.has(parentId)
      : parentId === undefined && tree.isAway;
    if (isLeft || !isBehind(tree, parent)) {
      tree.left.add(id);
      tree.isAway = true;
      return [other(tree, line)];
    }
  }
  const node: Node = {
    id,
    parent,
    depth: parent.depth + 1,
    records: [{ value, line }],
    children: [],
    isShown: rules.isShown(value),
  };
  tree.nodes.set(id, node);
  tree.isAway = false;
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
    return missing.flatMap(({ records }) => records.flatMap((one) => toldAgain(tree, one)));
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
    const told = one.records.flatMap((record) => toldAgain(tree, record));
    // The end of the turn before is told with the message behind it: the notes stand between.
    const start = told.findIndex((step) => !isEnd(step));
    const place = start === -1 ? told.length : start;
    for (const step of [...told.slice(0, place), ...notes, ...told.slice(place)]) steps.push(step);
  };
  const notesAt = (place: Node, next: Node | null) =>
    branchNotes(tree, place.children.filter((child) => child !== next), line);
  push(tree.root, []);
  let before = tree.root;
  for (const one of pathBetween(tree.root, node)) {
    push(one, notesAt(before, one));
    before = one;
  }
  for (const one of notesAt(node, null)) steps.push(one);
  tree.told = node;
  return openItems(steps, line);
}

/** True for a step that ends what was before it. */
export function isEnd(step: RecordingStep): boolean {
  if (step.kind !== "event" || step.parsed.kind !== "event") return false;
  return step.parsed.event.event === "turn_end" || step.parsed.event.event === "step_end";
}

/** Branches at one place that get a row each; more share one. */
const ROWS_AT_ONE_PLACE = 3;

/** Rows about branches that are not shown. One of which a person would miss nothing is not told. */
function branchNotes(tree: Tree, firsts: readonly Node[], line: number): readonly RecordingStep[] {
  const missed = firsts.map((first) => missedIn(tree, first)).filter(({ count }) => count > 0);
  const telling = silentTelling(tree.rules.agent, line);
  const sum = missed.reduce((total, { count }) => total + count, 0);
  const newest = missed.at(-1)?.newest.id;
  if (missed.length > ROWS_AT_ONE_PLACE) {
    const what = `${missed.length} other branches begin here: ${countText(sum, "message")} not shown`;
    notify(telling, "info", `${what} (the newest is branch ${newest})`);
    return takeSteps(telling);
  }
  for (const { count, newest } of missed) {
    const what = `Another branch begins here: ${countText(count, "message")} not shown`;
    notify(telling, "info", `${what} (branch ${newest.id})`);
  }
  return takeSteps(telling);
}

/** How much a person would miss of a branch, and its newest entry. What is walked counts as told again. */
function missedIn(tree: Tree, first: Node): { readonly count: number; readonly newest: Node } {
  let count = 0;
  let newest = first;
  const waiting = [first];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    tree.retold++;
    if (node.isShown) count++;
    newest = node;
    for (const child of node.children.toReversed()) waiting.push(child);
  }
  return { count, newest };
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
  if (target === undefined && tree.left.has(move.to)) {
    tree.isAway = true;
    return [other(tree, line)];
  }
  if (target === undefined) return [ignored("move to an unknown message", line)];
  const node = move.isBefore ? target.parent ?? tree.root : target;
  tree.isAway = tree.isFixed && !isBehind(tree, node);
  if (tree.isAway) return [other(tree, line)];
  tree.leaf = node;
  const steps = goTo(tree, node, line);
  return steps.length > 0 ? steps : [ignored("move to where the session is", line)];
}

function endTree(tree: Tree): readonly RecordingStep[] {
  const steps: RecordingStep[] = [];
  const retold = tree.told === tree.leaf ? [] : retell(tree, tree.leaf, 0);
  for (const one of retold) steps.push(one);
  for (const one of tree.inner.end()) steps.push(one);
  const telling = silentTelling(tree.rules.agent, 0);
  if (tree.branch !== null && !tree.isFixed) {
    notify(telling, "warn", `Cannot find branch ${JSON.stringify(tree.branch)}: the newest one is shown`);
  } else if (tree.others > 0) {
    notify(
      telling,
      "info",
      `Another branch goes on behind this one: ${countText(tree.others, "record")} not shown`,
    );
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
