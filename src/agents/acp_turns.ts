// Prompts of a live ACP session: sent, steered into, cancelled; and the questions that open on the way.

import type { Fields } from "../recordings/fields.ts";
import { idKey } from "../recordings/acp_state.ts";
import type { RpcId } from "../recordings/acp_message.ts";
import type { Method, MethodParams } from "../transcript/method.ts";
import { answerFor, cancellationFor, isAsking, refusalFor } from "./acp_answers.ts";
import type { AgentRequest } from "./acp_connection.ts";
import {
  type AcpLive,
  agentTitle,
  canSteer,
  loginMethods,
  refuse,
  tellEvent,
  tellTranslated,
} from "./acp_live.ts";
import { findMentioned, promptBlocks } from "./acp_prompt.ts";

type MethodOf<Name extends Method["method"]> = Extract<Method, { method: Name }>;

/** Where the message's id travels, so that a recording of the traffic has it. */
const MESSAGE_ID = "trifold.message_id";
/** A second cancel after this long ends the turn without the agent. */
const CANCEL_PATIENCE_MS = 2000;

/** `run`: one prompt at a time; the first waits for the session. */
export function run(live: AcpLive, method: MethodOf<"run">): void {
  const { message_id: messageId } = method.params;
  if (messageId !== undefined && live.seen.has(messageId)) return;
  if (live.turn !== null || heldRun(live) !== undefined) {
    return refuse(live, method, "already_running", `${agentTitle(live)} is at work`);
  }
  if (live.phase === "open") runPrompt(live, method.params);
  else live.held.push(method);
}

function heldRun(live: AcpLive): MethodOf<"run"> | undefined {
  return live.held.find((method) => method.method === "run");
}

/** Sends a prompt. The turn is told by the translation, as the request goes out. */
export function runPrompt(live: AcpLive, { input, message_id: messageId }: MethodParams<"run">): void {
  const id = messageId ?? `${live.options.idPrefix ?? ""}message-${live.seen.size + 1}`;
  live.seen.add(id);
  const turn = { messageId: id, requestId: undefined, cancelMs: null };
  live.turn = turn;
  const prompt = blocksOf(live, input);
  live.written.set(id, input);
  live.connection.request("session/prompt", {
    sessionId: live.sessionId,
    prompt,
    _meta: { [MESSAGE_ID]: id },
  }).catch(() => {
    // How it failed has been told by the translation; one that never went out has no agent to be told of.
  }).finally(() => {
    live.written.delete(id);
    if (live.turn === turn) live.turn = null;
  });
}

/** `steer`: into the running turn, by those who can (`_session/steering`). */
export async function steer(live: AcpLive, method: MethodOf<"steer">): Promise<void> {
  const { input, message_id: messageId } = method.params;
  if (messageId !== undefined && live.seen.has(messageId)) return;
  if (!canSteer(live)) {
    return refuse(
      live,
      method,
      "invalid_request",
      `${agentTitle(live)} takes no message into a running turn`,
    );
  }
  if (live.turn === null) return refuse(live, method, "not_running", "No turn is running");
  const id = messageId ?? `${live.options.idPrefix ?? ""}message-${live.seen.size + 1}`;
  live.seen.add(id);
  live.written.set(id, input);
  try {
    const { outcome } = await live.connection.request("_session/steering", {
      sessionId: live.sessionId,
      prompt: blocksOf(live, input),
      _meta: { [MESSAGE_ID]: id, steering: { idleBehavior: "promptRequired" } },
    });
    // The turn ended meanwhile: what was written opens the next one.
    if (outcome === "promptRequired" && live.turn === null && live.phase === "open") {
      return runPrompt(live, { input, message_id: id });
    }
  } catch {
    refuse(live, method, "invalid_request", `${agentTitle(live)} did not take the message`);
  } finally {
    live.written.delete(id);
  }
}

/**
 * `cancel`: open questions are answered as cancelled, behind it: a refusal alone may let the model go on. Updates go on
 * until the prompt is answered.
 */
export function cancel(live: AcpLive, method: MethodOf<"cancel">): void {
  if (live.login !== null) return live.login.abort();
  const { turn } = live;
  if (turn === null) {
    const held = heldRun(live);
    // Its list may have been put away.
    if (held === undefined && live.phase === "login") {
      return tellEvent(live, "auth", { methods: loginMethods(live) });
    }
    if (held === undefined) return refuse(live, method, "not_running", "No turn is running");
    live.held.splice(live.held.indexOf(held), 1);
    return refuse(
      live,
      held,
      "not_running",
      "The message was not sent: cancelled before there was a session",
    );
  }
  if (turn.cancelMs !== null && Date.now() - turn.cancelMs >= CANCEL_PATIENCE_MS) return endTurnAlone(live);
  turn.cancelMs ??= Date.now();
  live.connection.notify("session/cancel", { sessionId: live.sessionId });
  answerAll(live);
}

/** The agent does not answer a cancel: the person need not wait for it. */
function endTurnAlone(live: AcpLive): void {
  const { turn } = live;
  if (turn?.requestId === undefined) return;
  live.turn = null;
  const answer = { jsonrpc: "2.0", id: turn.requestId, result: { stopReason: "cancelled" } };
  tellEvent(live, "notification", {
    level: "warn",
    source: agentTitle(live),
    message: `${agentTitle(live)} did not answer the cancel; what it still does may go on unseen`,
  });
  tellTranslated(live, live.translation.push("from_agent", answer, Date.now()).events);
}

/** A request of the agent came: one that asks the person is kept, so that it can be answered at once. */
export function noteRequest(live: AcpLive, id: RpcId, method: string, params: Fields): void {
  if (!isAsking(method)) return;
  live.asked.set(idKey(id), { method, params, answer: Promise.withResolvers(), isOpen: true });
}

/** The answer to a request of the agent, when it comes; null for what we do not offer. */
export function answerOf(live: AcpLive, { id, signal }: AgentRequest): Promise<Fields> | null {
  const key = idKey(id);
  const asked = live.asked.get(key);
  if (asked === undefined) return null;
  signal.addEventListener("abort", () => settle(asked, cancellationFor(asked)));
  return asked.answer.promise.finally(() => live.asked.delete(key));
}

/** `answer` and `dismiss_question`. */
export function answerQuestion(
  live: AcpLive,
  method: MethodOf<"answer"> | MethodOf<"dismiss_question">,
): void {
  const request = live.translation.requestOf(method.params.batch_id);
  const asked = request === null ? undefined : live.asked.get(idKey(request.id));
  if (asked === undefined || !asked.isOpen) {
    return refuse(live, method, "invalid_request", `No open question ${method.params.batch_id}`);
  }
  const answer = method.method === "answer" ? answerFor(asked, method.params.answers) : refusalFor(asked);
  if (answer === null) return refuse(live, method, "invalid_request", "The agent offers no such answer");
  settle(asked, answer);
}

/** Questions that are open no longer are answered as cancelled. */
export function answerAll(live: AcpLive): void {
  for (const asked of live.asked.values()) settle(asked, cancellationFor(asked));
}

function settle(
  asked: { readonly answer: PromiseWithResolvers<Fields>; isOpen: boolean },
  answer: Fields,
): void {
  if (!asked.isOpen) return;
  asked.isOpen = false;
  asked.answer.resolve(answer);
}

function blocksOf(live: AcpLive, text: string) {
  return promptBlocks(text, (path) => findMentioned(path, live.options.cwd));
}
