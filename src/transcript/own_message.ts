// The client's own submits: drawn at once, confirmed in place when their event comes, taken back when it will not.

import type { UserMessageBlock } from "./block.ts";
import { appendBlock, overwrite, removeBlock, scopeOf, touch } from "./blocks.ts";
import { journalTurn, openTurn } from "./reduce_turn.ts";
import type { Session } from "./work.ts";

/** A message as it was sent. */
export interface OwnMessage {
  readonly messageId: string;
  readonly text: string;
  readonly kind: "run" | "steer";
}

/** Draws a submit, unconfirmed. A run message opens its turn, unless another turn is still open. */
export function drawOwnMessage(session: Session, message: OwnMessage): void {
  const { work } = session;
  if (
    work.messages.has(message.messageId) ||
    work.pending.some((block) => block.messageId === message.messageId)
  ) return;
  if (message.kind === "run" && work.openTurn === null) openTurn(session, null);
  const block = appendBlock<UserMessageBlock>(session, scopeOf(session, null), (base) => ({
    ...base,
    kind: "user_message",
    messageId: message.messageId,
    text: message.text,
    messageKind: message.kind,
    confirmed: false,
  }));
  work.pending.push(block);
}

/** True when the event confirmed a submit where it stands. One that stands in the wrong turn is taken out instead. */
export function confirmOwnMessage(
  session: Session,
  event: { readonly id: string | null; readonly text: string; readonly kind: "run" | "steer" },
): boolean {
  const { work } = session;
  const block = work.pending.find((own) =>
    event.id !== null ? own.messageId === event.id : own.text === event.text
  );
  if (block === undefined) return false;
  const stands = event.kind === "steer"
    ? work.openTurn !== null && block.turn === work.openTurn
    : work.openTurn !== null && block.turn === work.openTurn && !work.turnStarted &&
      session.blocks.indexOf(block) === session.blocks.indexOf(work.openTurn.header) + 1;
  if (!stands) {
    dropOwn(session, block);
    return false;
  }
  work.pending.splice(work.pending.indexOf(block), 1);
  block.text = event.text;
  block.messageKind = event.kind;
  block.confirmed = true;
  if (event.id === null) overwrite(block, "messageId", null);
  else work.messages.set(event.id, block);
  journalTurn(session);
  work.journal.push({ kind: "user", block, given: event.kind, copy: false, parentId: null });
  touch(session, block);
  return true;
}

/** Takes an unconfirmed submit out again; null when there is none with that id. */
export function takeBack(session: Session, messageId: string): OwnMessage | null {
  const block = session.work.pending.find((own) => own.messageId === messageId);
  if (block === undefined) return null;
  dropOwn(session, block);
  return { messageId, text: block.text, kind: block.messageKind };
}

function dropOwn(session: Session, block: UserMessageBlock): void {
  const { work } = session;
  work.pending.splice(work.pending.indexOf(block), 1);
  removeBlock(session, block);
  const turn = block.turn;
  const isEmpty = turn !== null && turn === work.openTurn && !work.turnStarted && !work.turnJournaled &&
    session.blocks.at(-1) === turn.header;
  if (!isEmpty) return;
  removeBlock(session, turn.header);
  session.turns.pop();
  session.counts.turns--;
  work.openTurn = null;
}
