// Putting blocks into the transcript, changing and removing them, so that versions and changes are always right.
// Which block an event makes is the business of the reduce_*.ts files.

import type { Block, BlockId, Turn } from "./block.ts";
import type { ToolCall } from "./tool_call.ts";
import type { Call, Session } from "./work.ts";

/** Where a block goes: the transcript's own list, or a call's children. */
export interface Scope {
  readonly list: Block[];
  readonly parent: Call | null;
}

interface Base {
  readonly id: BlockId;
  version: number;
  turn: Turn | null;
  readonly parent: ToolCall | null;
  replaced: boolean;
}

export function scopeOf(session: Session, parent: Call | null): Scope {
  return parent === null ? { list: session.blocks, parent: null } : { list: parent.children, parent };
}

/** Makes a block with the next id and appends it; the parents' versions grow. */
export function appendBlock<B extends Block>(session: Session, scope: Scope, make: (base: Base) => B): B {
  const { work } = session;
  const block = make({
    id: work.nextId++,
    version: ++work.version,
    turn: work.openTurn,
    parent: scope.parent,
    replaced: false,
  });
  scope.list.push(block);
  if (scope.parent !== null) touch(session, scope.parent.block);
  return block;
}

/** Notes a change of a block: its version and those of all around it grow, the outermost is put in `changes`. */
export function touch(session: Session, block: Block): void {
  let outer = block;
  outer.version = ++session.work.version;
  while (outer.parent !== null) {
    outer = (outer.parent as Call).block;
    outer.version = ++session.work.version;
  }
  session.changes.touched.add(outer);
}

/** Takes a block out. The list's indexes change, so a top-level one makes everything be laid out anew. */
export function removeBlock(session: Session, block: Block): void {
  const list = block.parent === null ? session.blocks : block.parent.children;
  const at = list.lastIndexOf(block);
  if (at === -1) return;
  list.splice(at, 1);
  session.changes.touched.delete(block);
  if (block.parent === null) session.changes.rebuilt = true;
  else touch(session, (block.parent as Call).block);
}

/** Writes a field that only the reducer may change. */
export function overwrite<T extends object, K extends keyof T>(target: T, key: K, value: T[K]): void {
  (target as { -readonly [P in keyof T]: T[P] })[key] = value;
}
