// What becomes of the messages of this client: they are sent, shown before the agent has confirmed them, and given back
// where they did not arrive.

import * as v from "valibot";
import { insertPartsInFront, isEmptyDraft, setDraftParts } from "../input/draft.ts";
import { follow } from "../layout/viewport.ts";
import { METHOD_SCHEMAS } from "../transcript/method.ts";
import { addOwnMessage, takeOwnMessage } from "../transcript/reduce.ts";
import type { Effect } from "./effect.ts";
import { isBusy, showHint, type State } from "./state.ts";

/** A draft as a pod keeps it. */
const keptDraft = METHOD_SCHEMAS.keep_draft.entries.parts;

/** Sends text as a message of this client. Returns nothing when there is no agent yet. */
export function sendMessage(state: State, text: string): readonly Effect[] {
  const { transcript } = state;
  const messageId = `${state.options.clientId}-${state.nextMessage++}`;
  const busy = isBusy(state);
  const steers = busy && transcript.capabilities.includes("steer");
  const params = { input: text, message_id: messageId };
  state.sent.set(messageId, text);
  // What a running agent cannot be steered with waits in the pod's queue, which tells of it itself.
  if (!busy || steers) addOwnMessage(transcript, { messageId, text, kind: steers ? "steer" : "run" });
  follow(state.layout, state.viewport);
  return [{ kind: "send", method: steers ? { method: "steer", params } : { method: "run", params } }];
}

/** A message the agent refused goes back in front of what is in the draft: nothing typed is lost. */
export function giveBackRefused(state: State, messageId: string | null): void {
  const text = messageId === null ? undefined : state.sent.get(messageId);
  if (messageId === null || text === undefined) return;
  state.sent.delete(messageId);
  takeOwnMessage(state.transcript, messageId);
  insertPartsInFront(state.composer.draft, [{ type: "text", text }]);
  showHint(state, "The agent did not take the message; it is back in the draft", "warn");
}

/**
 * The first history of a connection. What was sent over an earlier one and never arrived comes back; an empty draft
 * takes what was left with the pod.
 */
export function takeUpAgain(state: State): void {
  if (state.attached || state.options.recording) return;
  state.attached = true;
  // What is still open here was answered over a connection that is gone, and never heard.
  state.answered.clear();
  const { transcript, composer } = state;
  const taken = new Set(transcript.queue.map((item) => item.message_id));
  for (const block of transcript.blocks) {
    if (block.kind === "user_message" && block.confirmed && block.messageId !== null) {
      taken.add(block.messageId);
    }
  }
  for (const messageId of [...state.sent.keys()].reverse()) {
    if (taken.has(messageId)) state.sent.delete(messageId);
    else giveBackRefused(state, messageId);
  }
  const kept = v.safeParse(keptDraft, transcript.draft);
  if (kept.success && isEmptyDraft(composer.draft)) setDraftParts(composer.draft, kept.output);
}
