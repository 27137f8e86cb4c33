// Events about the session itself: who the agent is, its state, its lists. None of them makes a row.

import { touch } from "./blocks.ts";
import type { EventData } from "./event.ts";
import { takeBack } from "./own_message.ts";
import { closeQuestion, leaveCompact } from "./reduce_notice.ts";
import { endTurn, tokens } from "./reduce_turn.ts";
import { closeCalls } from "./reduce_tool.ts";
import { closeStreams } from "./reduce_text.ts";
import { countAnomaly, type Session } from "./work.ts";

export function reduceHello(session: Session, data: EventData<"hello">): void {
  session.agent = data.agent;
  session.capabilities = data.capabilities ?? [];
  if (session.status === "starting" || session.status === "disconnected") session.status = "idle";
  session.statusDetail = null;
  const card = session.blocks[0];
  if (card?.kind !== "greeting" || card.agent === data.agent) return;
  card.agent = data.agent;
  touch(session, card);
}

export function reduceStatus(session: Session, data: EventData<"status">): void {
  session.status = data.status;
  session.statusDetail = null;
}

export function reduceStarting(session: Session, data: EventData<"starting">): void {
  session.status = "starting";
  session.statusDetail = [data.step, data.detail ?? ""].filter((part) => part !== "").join(": ");
}

export function reduceAuth(session: Session, data: EventData<"auth">): void {
  session.authMethods = data.methods;
}

export function reduceTitle(session: Session, data: EventData<"title">): void {
  session.title = data.title;
}

export function reducePlan(session: Session, data: EventData<"plan">): void {
  session.plan = data.items;
}

export function reduceCommands(session: Session, data: EventData<"commands">): void {
  session.commands = data.commands;
}

export function reduceOptions(session: Session, data: EventData<"options">): void {
  session.options = data.options;
}

export function reduceModelCatalog(session: Session, data: EventData<"model_catalog">): void {
  session.models = data.models;
}

export function reduceModelSelected(session: Session, data: EventData<"model_selected">): void {
  if (data.model !== null) session.model = { provider: data.provider, model: data.model };
}

export function reduceContext(session: Session, data: EventData<"context">): void {
  session.context = {
    usedTokens: tokens(data.used_tokens),
    windowTokens: tokens(data.window_tokens),
    estimated: data.estimated === true,
  };
}

/** The queue draws its messages itself, so a submit that waits in it leaves the transcript. */
export function reduceQueue(session: Session, data: EventData<"queue">): void {
  session.queue = data.items;
  for (const item of data.items) takeBack(session, item.message_id);
}

/** The agent is gone: nothing that runs will be finished. */
export function reduceShutdown(session: Session, data: EventData<"shutdown">): void {
  const { work } = session;
  leaveCompact(session);
  if (work.openTurn !== null && work.turnStarted) {
    endTurn(session, {
      result: "interrupted",
      reason: data.reason,
      message: null,
      requests: null,
      elapsedMs: null,
    });
  }
  closeCalls(session, "shut down");
  closeStreams(session, "all");
  for (const open of [...session.questions]) closeQuestion(session, open.batchId, "shutdown", []);
  if (work.mode !== "live") return countAnomaly(session, "shutdown as an item");
  session.status = "disconnected";
  session.statusDetail = "shut down";
}
