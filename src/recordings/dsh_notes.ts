// What else a DeepSeek Harness log tells: titles, models, plans, retries, hooks, waiting messages.

import { planItems } from "./acp_plan.ts";
import { blocksText } from "./acp_content.ts";
import type { DshEvent, DshState } from "./dsh_state.ts";
import { closeStream } from "./dsh_stream.ts";
import { messageOf, settleTurn } from "./dsh_turns.ts";
import { fieldAt, fieldsList, fieldsOf, firstText, numberOf, textOf } from "./fields.ts";
import { ignore, notify, tell, tellTitle } from "./telling.ts";
import { tellRetry } from "./telling_turn.ts";

type Take = (state: DshState, event: DshEvent) => void;

/** Kinds of records that are known and not shown, with the reason. */
export const DSH_IGNORED: Readonly<Record<string, string>> = {
  "session/title-llm-request": "request for a title, told by the title",
  "llm/retry-started": "start of a retry, told by its announcement",
  "hook/invoked": "start of a hook, told by its result",
  "approval/policy": "policy of approvals",
  "sandbox/mode": "mode of the sandbox",
  "permission/preset": "preset of permissions",
  "agent/status": "state of the agent, told by its turns",
  "agent/queued": "waiting message, told by the queue",
  "agent/disposed": "end of the agent, told by its turn",
};

export const DSH_NOTES: Readonly<Record<string, Take>> = {
  "request/header": (state, { data }) => {
    const config = fieldsOf(fieldAt(data.header, "config"));
    state.provider = firstText(config.provider) ?? state.provider;
    state.model = firstText(config.model) ?? state.model;
    ignore(state.telling, "request header, its model told by the step");
  },
  "request/context": (state, { data }) => {
    const window = numberOf(data.contextWindow);
    if (window !== null) state.telling.greeting.contextWindow = window;
    ignore(state.telling, "size of the context, told with its use");
  },
  "session/title": (state, { data }) => tellTitle(state.telling, textOf(data.title)),
  "todo/write": (state, { data }) => {
    tell(state.telling, "plan", { items: planItems(fieldsList(data.todos)) });
  },
  "llm/retry": (state, { data }) => {
    settleTurn(state);
    closeStream(state);
    const failure = fieldsOf(data.failure);
    const code = firstText(failure.code);
    const message = firstText(failure.message);
    tellRetry(state.telling, {
      attempt: numberOf(data.retry),
      max: numberOf(data.maxRetries),
      waitMs: numberOf(data.delayMs),
      error: message === null || code === null ? message ?? code : `${message} (${code})`,
    });
  },
  "hook/result": (state, { data }) => {
    const decision = textOf(data.decision) ?? "";
    if (decision === "" || decision === "allow" || decision === "pass" || decision === "continue") {
      return ignore(state.telling, "hook without a say");
    }
    const why = firstText(data.stderrSummary, data.reason);
    notify(
      state.telling,
      "warn",
      `Hook ${firstText(data.point) ?? ""}: ${decision}${why === null ? "" : `: ${why}`}`,
    );
  },
  "subagent/descriptor": (state, { data }) => {
    const label = firstText(data.label) ?? "";
    const note = `Nested agent: ${
      [label, firstText(data.mode)].filter((part) => part !== null && part !== "").join(", ")
    }`;
    if (state.telling.greeted) return notify(state.telling, "info", note);
    state.telling.greeting.notes.push(note);
    ignore(state.telling, "nested agent, told in the greeting");
  },
  "agent/error": (state, { data }) => {
    const message = firstText(fieldAt(data.error, "message"), data.message, data.error) ?? "unknown error";
    notify(state.telling, "error", message);
  },
  "agent/inbox/spliced": takeInbox,
};

/** Messages that wait for the next step or turn. */
function takeInbox(state: DshState, { data }: DshEvent): void {
  const target = textOf(data.target) ?? "";
  const waiting = state.inbox.get(target) ?? [];
  state.inbox.set(target, waiting);
  const inserted = fieldsList(data.inserted).map((one, index) => {
    const message = messageOf(one);
    return {
      message_id: textOf(message.id) ?? `waiting-${state.telling.line}-${index}`,
      text: blocksText(message.content),
    };
  });
  waiting.splice(numberOf(data.start) ?? waiting.length, numberOf(data.removedCount) ?? 0, ...inserted);
  // A message that goes on at once is no queue: only one that waits while a turn runs is shown.
  const items = [...state.inbox.values()].flat();
  if (
    state.telling.turn === null || (items.length === 0 && inserted.length === 0 && !state.telling.greeted)
  ) {
    return ignore(state.telling, "message that starts a turn, told by itself");
  }
  tell(state.telling, "queue", { items });
}
