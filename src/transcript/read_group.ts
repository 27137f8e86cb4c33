// Consecutive Reads of one turn share a block. Any other block between them cuts; blank text, empty reasoning and
// usage make no block, so they do not.

import type { Block, ToolBlock } from "./block.ts";
import { removeBlock, touch } from "./blocks.ts";
import { toolKind } from "./tool_names.ts";
import type { Call, Session } from "./work.ts";

export function isReadGroup(block: Block | undefined): block is ToolBlock {
  return block?.kind === "tool_call" && block.calls[0] !== undefined &&
    toolKind(block.calls[0].name) === "read";
}

/** The group at the end of a list that the next Read belongs to; null when something cut it. */
export function lastReadGroup(session: Session, list: readonly Block[]): ToolBlock | null {
  const last = list.at(-1);
  return isReadGroup(last) && last.turn === session.work.openTurn && !last.replaced ? last : null;
}

/** Joins the block of a call that has just become a Read with the groups right above and below it. */
export function joinReadGroup(session: Session, call: Call): void {
  const { block } = call;
  const list = block.parent === null ? session.blocks : block.parent.children;
  const at = list.lastIndexOf(block);
  const above = list[at - 1];
  const below = list[at + 1];
  let group = block;
  if (isReadGroup(above) && mayJoin(above, block)) {
    moveCalls(block, above);
    removeBlock(session, block);
    group = above;
  }
  if (isReadGroup(below) && mayJoin(group, below)) {
    moveCalls(below, group);
    removeBlock(session, below);
  }
  if (group !== block || group.calls.length > 1) touch(session, group);
}

/** Puts all calls of `from` behind those of `into`. */
export function moveCalls(from: ToolBlock, into: ToolBlock): void {
  for (const call of from.calls) {
    (call as Call).block = into;
    into.calls.push(call);
  }
}

function mayJoin(above: Block, below: Block): boolean {
  return above.turn === below.turn && above.replaced === below.replaced;
}
