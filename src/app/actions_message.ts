// Actions of the composer that leave it: sending, the queue, the editor. What happens inside the draft is
// input/composer.ts's.

import type { ActionName } from "../input/actions.ts";
import { clearComposer, composerAction, pasteIntoComposer, takeMessage } from "../input/composer.ts";
import {
  draftParts,
  draftText,
  insertPartsInFront,
  isBlankDraft,
  isEmptyDraft,
  setDraftParts,
} from "../input/draft.ts";
import { send } from "./actions_agent.ts";
import type { Effect } from "./effect.ts";
import type { ActionHandler } from "./keys.ts";
import { sendMessage } from "./own_messages.ts";
import { composerGutter } from "./regions.ts";
import { runSlash } from "./slash.ts";
import { showHint, type State } from "./state.ts";

const NOTHING: readonly Effect[] = [];

/** Actions that submit, queue or hand the draft to a program. */
export const MESSAGE_ACTIONS: Readonly<Record<"submit" | "unqueue" | "open_editor", ActionHandler>> = {
  submit,
  unqueue: takeBackQueued,
  open_editor: (state) => [{ kind: "edit", text: draftText(state.composer.draft) }],
};

/** Lets the composer do an action of its own; what it does not know is "ignored", what is to be sent "submit". */
export function editDraft(state: State, action: ActionName): "done" | "submit" | "ignored" {
  return composerAction(state.composer, action, Math.max(1, state.columns - composerGutter(state.columns)));
}

/** A paste goes into the draft wherever the keys are. */
export function pasteIntoDraft(state: State, text: string, cut: boolean): readonly Effect[] {
  state.focus = "composer";
  pasteIntoComposer(state.composer, text);
  if (cut) showHint(state, "The paste was longer than 16 MiB; its end is not in the draft", "warn");
  return NOTHING;
}

/** What an editor made of the draft. The same text leaves the draft as it is, placeholders and all. */
export function takeEdited(state: State, text: string): void {
  const { draft } = state.composer;
  const before = draftText(draft);
  // Editors end a file with a newline that nobody typed.
  const edited = text.endsWith("\n") && !before.endsWith("\n") ? text.slice(0, -1) : text;
  if (edited !== before) setDraftParts(draft, [{ type: "text", text: edited }]);
}

/** Empties the draft; undo and older messages bring it back. */
export function clearDraft(state: State): void {
  clearComposer(state.composer);
}

function submit(state: State): readonly Effect[] {
  const { transcript, composer } = state;
  if (transcript.status === "disconnected" && !state.options.recording) return [{ kind: "reconnect" }];
  if (isBlankDraft(composer.draft)) {
    const resumes = transcript.status === "paused" && isEmptyDraft(composer.draft) &&
      !state.options.recording;
    return resumes ? [send({ method: "resume", params: {} })] : NOTHING;
  }
  let text = draftText(composer.draft);
  if (text.startsWith("/")) {
    const outcome = runSlash(state, text);
    if (outcome.kind === "unknown") {
      showHint(
        state,
        `There is no command ${text.split(/\s/, 1)[0] ?? ""}; /help lists them, // sends a literal /`,
        "warn",
      );
      return NOTHING;
    }
    if (outcome.kind === "done") return [...takeAndRemember(state), ...outcome.effects];
    text = outcome.text;
  }
  if (state.options.recording) {
    showHint(state, "This is a recording: only commands such as /help can be given", "warn");
    return NOTHING;
  }
  if (transcript.status === "starting") {
    showHint(state, "The agent is not there yet; the message stays in the draft", "warn");
    return NOTHING;
  }
  return [...takeAndRemember(state), ...sendMessage(state, text)];
}

/** Empties the draft because it is sent. What begins with a blank is kept by this client only: so secrets are typed. */
function takeAndRemember(state: State): readonly Effect[] {
  const parts = draftParts(state.composer.draft);
  takeMessage(state.composer);
  const isOurs = state.options.recording || /^\s/u.test(parts[0]?.text ?? " ");
  return isOurs ? NOTHING : [{ kind: "remember", parts }];
}

function takeBackQueued(state: State): readonly Effect[] {
  const newest = state.transcript.queue.at(-1);
  if (newest === undefined) {
    showHint(state, "No message is queued");
    return NOTHING;
  }
  insertPartsInFront(state.composer.draft, [{ type: "text", text: newest.text }]);
  state.sent.delete(newest.message_id);
  return [send({ method: "unqueue", params: { message_id: newest.message_id } })];
}
