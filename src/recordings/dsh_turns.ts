// Turns, steps and messages of DeepSeek Harness. Dialects differ in what comes first: the turn and the step may be
// announced before the message that opens them, so both wait for it.

import { blocksText } from "./acp_content.ts";
import type { DshEvent, DshState } from "./dsh_state.ts";
import { closeQuestions } from "./dsh_questions.ts";
import { closeStream } from "./dsh_stream.ts";
import { takeReplacement } from "./dsh_surface.ts";
import { fieldAt, type Fields, fieldsOf, firstText, rowOf, showValue, textOf } from "./fields.ts";
import { notify, tellContextText } from "./telling.ts";
import {
  beginStep,
  beginTurn,
  endStep,
  endTurn,
  ensureTurn,
  tellSteer,
  type TurnEnd,
} from "./telling_turn.ts";

type Take = (state: DshState, event: DshEvent) => void;

export const DSH_TURNS: Readonly<Record<string, Take>> = {
  "turn/start": (state, { data }) => {
    if (state.waitingTurn !== null || state.waitingStep !== null) settleTurn(state);
    closeTurn(state, { result: "interrupted" });
    state.waitingTurn = numberIn(data.turn) ?? state.telling.turns + 1;
  },
  "step/start": (state, { data }) => {
    state.waitingStep = numberIn(data.step) ?? (state.telling.turn?.step ?? 0) + 1;
  },
  "step/end": (state) => {
    settleTurn(state);
    closeStream(state);
    endStep(state.telling, null);
  },
  "turn/end": (state, { data }) => {
    settleTurn(state);
    ensureTurn(state.telling);
    closeTurn(state, endOf(fieldsOf(data.reason)));
  },
  "user/message": takeUser,
  "steering/message": (state, event) => {
    settleTurn(state);
    const message = messageOf(event.data);
    tellSteer(state.telling, { text: blocksText(message.content), messageId: textOf(message.id) });
  },
  "context/message": takeContext,
  "prompt/blocked": (state, { data }) => {
    const reason = firstText(data.reason) ?? "no reason given";
    notify(state.telling, "warn", `Prompt blocked: ${reason}\n${blocksText(data.content)}`.trimEnd());
  },
};

/** Begins the turn and the step that were announced, where no message came for them. */
export function settleTurn(state: DshState): void {
  const { telling } = state;
  if (state.waitingTurn !== null) openTurn(state, null);
  if (state.waitingStep === null) return;
  const step = state.waitingStep;
  state.waitingStep = null;
  closeStream(state);
  const turn = ensureTurn(telling);
  endStep(telling, null);
  turn.step = Math.max(turn.step, step - 1);
  beginStep(telling, { provider: state.provider, model: state.model });
}

/** The end of a turn, with all that is open in it. */
export function closeTurn(state: DshState, end: TurnEnd): void {
  closeStream(state);
  closeQuestions(state);
  endTurn(state.telling, end);
}

function openTurn(state: DshState, message: { text: string; messageId: string | null } | null): void {
  const { telling } = state;
  if (state.waitingTurn !== null) telling.turns = Math.max(0, state.waitingTurn - 1);
  state.waitingTurn = null;
  beginTurn(telling, message);
}

/** A message of the person, of a plugin, or the summary of a compaction. */
function takeUser(state: DshState, event: DshEvent): void {
  const { telling } = state;
  if (takeReplacement(state, event)) return;
  const message = messageOf(event.data);
  const kind = textOf(fieldAt(message.source, "kind")) ?? "user";
  if (kind !== "user") return takeContext(state, event);
  const told = { text: blocksText(message.content), messageId: textOf(message.id) };
  if (telling.turn === null || state.waitingTurn !== null) openTurn(state, told);
  else {
    closeStream(state);
    tellSteer(telling, told);
  }
}

/** What the harness itself gives to the model. */
function takeContext(state: DshState, event: DshEvent): void {
  if (takeReplacement(state, event)) return;
  const message = messageOf(event.data);
  const from = firstText(fieldAt(message.source, "plugin"), fieldAt(message.source, "kind"));
  const text = blocksText(message.content).trim();
  if (text === "") return notify(state.telling, "info", `Empty context of ${from ?? "the harness"}`);
  tellContextText(state.telling, from === null ? text : `(${from}) ${text}`);
}

/** The message of an event: later dialects wrap it. */
export function messageOf(data: Fields): Fields {
  const inner = data.message;
  return typeof inner === "object" && inner !== null ? fieldsOf(inner) : data;
}

const ENDS: Readonly<Record<string, TurnEnd["result"]>> = {
  completed: "finished",
  aborted: "cancelled",
  error: "error",
  disposed: "interrupted",
  interrupted: "interrupted",
  "max-tokens": "limit_reached",
  rejected: "rejected",
  blocked: "rejected",
};

/** Why each end that explains itself by its kind alone came. */
const REASONS: Readonly<Record<string, string>> = {
  disposed: "session disposed",
  interrupted: "the process ended during this turn",
  "max-tokens": "max_tokens",
};

function endOf(reason: Fields): TurnEnd {
  const kind = textOf(reason.kind) ?? "completed";
  const result = rowOf(ENDS, kind);
  if (result === null) return { result: "finished", reason: kind };
  if (result === "error") {
    const error = [reason.error, reason.failure, reason].map(fieldsOf).find((one) =>
      textOf(one.message) !== null
    );
    const code = firstText(error?.code);
    const message = firstText(error?.message) ?? "unknown error";
    return { result, reason: "provider_error", message: code === null ? message : `${message} (${code})` };
  }
  const inner = fieldAt(reason.reason, "kind") ?? reason.reason;
  const said = result === "cancelled" || inner === undefined ? null : showValue(inner);
  return { result, reason: said ?? rowOf(REASONS, kind) };
}

function numberIn(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}
