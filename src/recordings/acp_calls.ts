// Tool calls as events: start, arguments once they are fixed, output as it comes, one result. Late updates go to
// the old call, whatever turn is open (the reducer joins on the id).

import { type AcpCard, createCard, hasInput, isOver, patchCard } from "./acp_card.ts";
import { planItems, todosOf } from "./acp_plan.ts";
import { exitOf, nextOutput, takeTerminal } from "./acp_shell.ts";
import { type AcpState, countUnknown, emit, ignore } from "./acp_state.ts";
import { presentationOf, summaryOf } from "./acp_summary.ts";
import { closeBlock } from "./acp_text.ts";
import { type ToolLook, toolLook } from "./acp_tools.ts";
import { fieldAt, type Fields, firstText, isFields, textOf } from "./fields.ts";

/** How an update of a call came. */
interface UpdateWay {
  /** "announce": tool_call. "update": tool_call_update. "ask": the call inside a permission request. */
  readonly way: "announce" | "update" | "ask";
  readonly parent: string | null;
}

/** Summary of a call the person refused. */
const REJECTED = "Rejected by you";

/** Takes tool_call, tool_call_update, or the call of a permission request. An unknown id makes a call. */
export function takeCall(state: AcpState, update: Fields, { way, parent }: UpdateWay): AcpCard | null {
  const id = firstText(update.toolCallId);
  if (id === null) {
    countUnknown(state, "tool call without an id");
    return null;
  }
  const before = state.events.length;
  const card = cardFor(state, id, { way, parent: firstText(nestedIn(update)) ?? parent });
  const wasOver = card.finished;
  patchCard(card, update, way === "ask");
  const piece = takeTerminal(card, update);

  if (!card.started) startCall(state, card, update);
  if (way === "ask" || !isFields(update.rawInput) || card.status !== "pending") state.growing.delete(card);
  if (state.growing.has(card)) growArguments(state, card);
  else if (!card.finished && isDescribed(card, update)) tellCall(state, card);
  if (piece !== "") emit(state, "tool_output", { id, stream: "stdout", text: piece, parent_id: card.parent });
  tellOutput(state, card);

  if (isOver(card) && !card.finished) {
    if (state.replaying && way === "announce" && piece === "") state.held.add(card);
    else finishCall(state, card);
  }
  if (state.events.length === before) {
    ignore(state, wasOver ? "update of a finished call" : "call update without news");
  }
  return card;
}

/** Before anything else is told: arguments that grew are fixed, replayed calls get their result. */
export function settleCalls(state: AcpState, exceptId: string | null): void {
  for (const card of state.growing) {
    if (card.id === exceptId || !hasInput(card)) continue;
    state.growing.delete(card);
    tellCall(state, card);
  }
  for (const card of state.held) if (card.id !== exceptId) finishCall(state, card);
}

/**
 * The turn is over. Calls the person refused and the agent never closed get their result here; the others are
 * closed by turn_end itself.
 */
export function endCalls(state: AcpState): void {
  settleCalls(state, null);
  state.growing.clear();
  for (const card of state.cards.values()) {
    if (!card.denied || card.finished || !card.started) continue;
    card.finished = true;
    emit(state, "tool_result", {
      id: card.id,
      summary: "Rejected by you",
      is_error: true,
      parent_id: card.parent,
    });
  }
}

/** True when a call that began outside any turn is still open. */
export function hasStrayCall(state: AcpState): boolean {
  return [...state.cards.values()].some((card) => card.isStray && card.started && !card.finished);
}

/** Gives the call its name, arguments and card, where they are new. */
function tellCall(state: AcpState, card: AcpCard): ToolLook {
  const look = toolLook(card);
  const done = {
    id: card.id,
    name: look.name,
    arguments: JSON.stringify(look.args),
    presentation: look.own === null ? presentationOf(card, false) : null,
    parent_id: card.parent,
  };
  const call = JSON.stringify([look.name, done.arguments]);
  const shown = JSON.stringify(done.presentation);
  // A result brings its own card: with it only a new name or new arguments are worth telling.
  if (call === card.toldCall && (isOver(card) || shown === card.toldCard)) return look;
  const isNewCall = call !== card.toldCall;
  card.toldCall = call;
  card.toldCard = shown;
  emit(state, "tool_call_done", done);
  const todos = isNewCall ? todosOf(look.args) : null;
  if (todos !== null) emit(state, "plan", { items: planItems(todos) });
  return look;
}

function startCall(state: AcpState, card: AcpCard, update: Fields): void {
  card.started = true;
  closeBlock(state, card.parent);
  if (state.turn !== null) state.turn.retries = 0;
  emit(state, "tool_call_start", { id: card.id, name: toolLook(card).name, parent_id: card.parent });
  // An empty object says that arguments are still to come (Claude, Qwen); no field at all that there are none.
  if (card.status === "pending" && isFields(update.rawInput) && !hasInput(card)) state.growing.add(card);
}

/** Arguments that grow by whole objects are told as text for as long as each continues the one before. */
function growArguments(state: AcpState, card: AcpCard): void {
  if (!hasInput(card)) return;
  const text = JSON.stringify(card.rawInput).slice(0, -1);
  if (!text.startsWith(card.toldArguments)) return;
  const json = text.slice(card.toldArguments.length);
  card.toldArguments = text;
  if (json !== "") emit(state, "tool_call_args_delta", { id: card.id, json, parent_id: card.parent });
}

/** True when enough is known for the call to be shown with its arguments. */
function isDescribed(card: AcpCard, update: Fields): boolean {
  return card.status !== "pending" || hasInput(card) || !("rawInput" in update) || update.rawInput === null;
}

function tellOutput(state: AcpState, card: AcpCard): void {
  if (card.finished || card.status !== "in_progress") return;
  const { piece } = nextOutput(card);
  if (piece === "") return;
  card.streamed += piece;
  emit(state, "tool_output", { id: card.id, stream: "stdout", text: piece, parent_id: card.parent });
}

function finishCall(state: AcpState, card: AcpCard): void {
  state.held.delete(card);
  card.finished = true;
  const look = tellCall(state, card);
  const { code } = exitOf(card);
  const isError = card.status === "failed" || (code !== null && code !== 0);
  const { piece, whole } = nextOutput(card);
  const asCard = look.own === null && card.streamed === "" && card.contentIsOutput && card.content.length > 0;
  if (!asCard && card.streamed !== "" && piece !== "") {
    emit(state, "tool_output", { id: card.id, stream: "stdout", text: piece, parent_id: card.parent });
  }
  const output = asCard || (card.streamed !== "" && whole === null) ? null : whole ?? piece;
  emit(state, "tool_result", {
    id: card.id,
    summary: card.denied && card.status === "failed"
      ? REJECTED
      : summaryOf(card, look, { isError, cwd: state.cwd }),
    output: output === "" && !isEmptyOutput(card) ? null : output,
    is_error: isError,
    presentation: look.own === null ? presentationOf(card, asCard) : null,
    parent_id: card.parent,
  });
  forgetDetails(card);
}

/** A finished call is kept for its id only: contents of a long session would not fit. */
function forgetDetails(card: AcpCard): void {
  card.content = [];
  card.diffs = [];
  card.locations = [];
  card.rawInput = undefined;
  card.rawOutput = undefined;
  card.streamed = "";
  card.terminalEnd = "";
  card.toldCall = "";
  card.toldCard = "";
  card.toldArguments = "";
}

/** True when the agent said that there was output and it is empty. */
function isEmptyOutput(card: AcpCard): boolean {
  return card.contentIsOutput && card.content.some((item) => fieldAt(item, "content", "text") === "");
}

/** The call of that id. One that ended in an earlier turn and is announced anew is another call. */
function cardFor(state: AcpState, id: string, { way, parent }: UpdateWay): AcpCard {
  const known = state.cards.get(id);
  if (known !== undefined && !(way === "announce" && known.finished && known.turn !== state.turns)) {
    return known;
  }
  const card = createCard(id, { turn: state.turns, isStray: state.turn === null, parent });
  state.cards.set(id, card);
  return card;
}

/** The call a nested agent's call belongs to (Claude's adapter). */
function nestedIn(update: Fields): string | null {
  return textOf(fieldAt(update, "_meta", "claudeCode", "parentToolUseId"));
}
