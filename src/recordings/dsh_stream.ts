// Answers of DeepSeek Harness: chunks, packed runs of chunks, and the whole message that repeats them. What chunks
// told is not told again; what they left out comes from the message.

import { blocksText } from "./acp_content.ts";
import type { DshBlock, DshEvent, DshState } from "./dsh_state.ts";
import { callCard } from "./dsh_cards.ts";
import { messageOf, settleTurn } from "./dsh_turns.ts";
import { type Fields, fieldsList, fieldsOf, firstText, listOf, numberOf, rowOf, textOf } from "./fields.ts";
import { ignore, ignoreUnknown, nextThoughtId, tell, tellFrom, tellText, tellThought } from "./telling.ts";
import { describeCall, startCall, tellCall } from "./telling_calls.ts";
import { endStep, tellUsage } from "./telling_turn.ts";

type Take = (state: DshState, event: DshEvent) => void;

export const DSH_STREAM: Readonly<Record<string, Take>> = {
  "assistant/chunk": (state, { data }) => takeChunk(state, data, fieldsOf(data.chunk)),
  "assistant/message": takeMessage,
  "text-chunks": (state, { data }) =>
    takeRun(state, data, "texts", (text, index) => ({ type: "text-delta", index, text })),
  "reasoning-chunks": (state, { data }) =>
    takeRun(state, data, "texts", (text, index) => ({ type: "reasoning-delta", index, text })),
  "tool-call-chunks": (state, { data }) =>
    takeRun(state, data, "args", (text, index) => ({
      type: "tool-call-delta",
      index,
      id: data.id,
      name: data.name,
      argumentsDelta: text,
    })),
};

/** How many events a packed row stands for; 1 for any other. */
export function rowLength(type: string, data: Fields): number {
  if (type === "text-chunks" || type === "reasoning-chunks") return Math.max(1, listOf(data.texts).length);
  return type === "tool-call-chunks" ? Math.max(1, listOf(data.args).length) : 1;
}

/** A packed row: its pieces one by one, at their times where the row says when it began. */
function takeRun(
  state: DshState,
  data: Fields,
  pieces: "texts" | "args",
  chunkOf: (text: string, index: number) => Fields,
): void {
  const { telling } = state;
  const start = numberOf(data.time0);
  const delays = listOf(data.dt);
  const index = numberOf(data.index) ?? 0;
  let at = start;
  listOf(data[pieces]).forEach((piece, place) => {
    if (at !== null) {
      at += Math.max(0, numberOf(delays[place]) ?? 0);
      tellFrom(telling, telling.line, at);
    }
    takeChunk(state, data, chunkOf(textOf(piece) ?? "", index));
  });
}

type TakeChunk = (state: DshState, chunk: Fields, data: Fields) => void;

const CHUNKS: Readonly<Record<string, TakeChunk>> = {
  "block-start": (state) => ignore(state.telling, "start of a piece, told with its text"),
  "text-delta": (state, chunk) => growBlock(state, "text", chunk),
  "reasoning-delta": (state, chunk) => growBlock(state, "reasoning", chunk),
  "tool-call-delta": growCall,
  "block-end": (state, chunk) => endBlock(state, numberOf(chunk.index) ?? 0, fieldsOf(chunk.block)),
  usage: (state, chunk, data) => takeUsage(state, data, fieldsOf(chunk.usage)),
  finish: (state) => ignore(state.telling, "end of a message, told by its step"),
};

function takeChunk(state: DshState, data: Fields, chunk: Fields): void {
  settleTurn(state);
  const take = rowOf(CHUNKS, chunk.type);
  if (take === null) return ignoreUnknown(state.telling, `chunk ${textOf(chunk.type) ?? ""}`);
  const key = `${numberOf(data.turn) ?? 0}:${numberOf(data.step) ?? 0}`;
  if (state.streaming !== key) closeStream(state);
  state.streaming = key;
  take(state, chunk, data);
}

function growBlock(state: DshState, kind: "text" | "reasoning", chunk: Fields): void {
  const { telling } = state;
  const text = textOf(chunk.text) ?? "";
  if (text === "") return ignore(telling, "empty piece");
  const index = numberOf(chunk.index) ?? 0;
  let block = state.blocks.get(index);
  if (block === undefined || block.kind !== kind || block.isOver) {
    block = openBlock(state, index, { kind, id: kind === "reasoning" ? nextThoughtId(telling) : "" });
    if (kind === "reasoning") tell(telling, "reasoning_start", { id: block.id });
  }
  block.text += text;
  if (kind === "reasoning") return tell(telling, "reasoning_delta", { id: block.id, text });
  if (state.textIndex !== null && state.textIndex !== index) tell(telling, "text_done", {});
  state.textIndex = index;
  tell(telling, "text_delta", { text });
}

function growCall(state: DshState, chunk: Fields): void {
  const { telling } = state;
  const index = numberOf(chunk.index) ?? 0;
  const given = textOf(chunk.id);
  let block = state.blocks.get(index);
  if (
    block === undefined || block.kind !== "call" || (given !== null && given !== "" && block.id !== given)
  ) {
    if (given === null || given === "") return ignore(telling, "piece of an unknown call");
    block = openBlock(state, index, { kind: "call", id: given });
    startCall(telling, { id: given, name: textOf(chunk.name) ?? "tool" });
  }
  const json = textOf(chunk.argumentsDelta) ?? "";
  const call = telling.calls.get(block.id);
  if (json === "" || call === undefined) return ignore(telling, "empty piece");
  block.text += json;
  tell(telling, "tool_call_args_delta", { id: call.id, json });
}

function openBlock(state: DshState, index: number, of: { kind: DshBlock["kind"]; id: string }): DshBlock {
  const block: DshBlock = { ...of, text: "", isOver: false, sinceMs: state.telling.timeMs };
  state.blocks.set(index, block);
  return block;
}

/** A block is whole. One whose pieces are not in the log is told now. */
function endBlock(state: DshState, index: number, whole: Fields): void {
  const { telling } = state;
  const block = state.blocks.get(index);
  if (block === undefined) return takeBlock(state, index, whole);
  if (block.isOver) return ignore(telling, "end of a piece told before");
  if (block.kind === "call") return fixCall(state, block, whole);
  block.isOver = true;
  if (block.kind === "text") {
    if (state.textIndex === index) {
      state.textIndex = null;
      tell(telling, "text_done", {});
    } else ignore(telling, "end of a piece told before");
    return;
  }
  const { timeMs } = telling;
  tell(telling, "reasoning_done", {
    id: block.id,
    elapsed_ms: block.sinceMs === null || timeMs === null ? null : Math.max(0, timeMs - block.sinceMs),
  });
}

function fixCall(state: DshState, block: DshBlock, whole: Fields): void {
  const { telling } = state;
  const call = telling.calls.get(block.id);
  block.isOver = true;
  if (call === undefined || call.isOver || call.args !== null) return ignore(telling, "call told again");
  const args = textOf(whole.arguments) ?? whole.arguments ?? block.text;
  describeCall(telling, call, { args, card: callCard(call.name, args) });
}

/** A block of a whole message. */
function takeBlock(state: DshState, index: number, block: Fields): void {
  const { telling } = state;
  switch (block.type) {
    case "reasoning":
      openBlock(state, index, { kind: "reasoning", id: "" }).text = textOf(block.text) ?? "";
      tellThought(telling, textOf(block.text) ?? "");
      break;
    case "tool-call": {
      const id = textOf(block.id) ?? "";
      const name = textOf(block.name) ?? "tool";
      const args = textOf(block.arguments) ?? block.arguments;
      openBlock(state, index, { kind: "call", id });
      tellCall(telling, { id, name, args, card: callCard(name, args) });
      break;
    }
    default: {
      const text = block.type === "text" ? textOf(block.text) ?? "" : blocksText([block]);
      openBlock(state, index, { kind: "text", id: "" }).text = text;
      tellText(telling, text);
    }
  }
  const told = state.blocks.get(index);
  if (told !== undefined) told.isOver = true;
}

/** The whole message: only what no chunk told, then its usage. */
function takeMessage(state: DshState, { data }: DshEvent): void {
  settleTurn(state);
  const { telling } = state;
  const key = `${numberOf(data.turn) ?? 0}:${numberOf(data.step) ?? 0}`;
  if (state.streaming !== key) closeStream(state);
  const message = messageOf(data);
  const from = Object.keys(fieldsOf(data.provenance)).length > 0
    ? fieldsOf(data.provenance)
    : fieldsOf(message.source);
  state.provider = firstText(from.provider) ?? state.provider;
  state.model = firstText(from.model) ?? state.model;
  const before = telling.steps.length;
  fieldsList(message.content).forEach((block, index) => completeBlock(state, index, block));
  closeStream(state);
  takeUsage(state, data, fieldsOf(data.usage));
  if (telling.steps.length === before) ignore(telling, "message told by its chunks");
  endStep(telling, data.interrupted === true ? "interrupted" : null);
}

/** Chunks number their blocks as the message lists them; one of another kind or text is told anew. */
function completeBlock(state: DshState, index: number, block: Fields): void {
  const told = state.blocks.get(index);
  const kind = block.type === "tool-call" ? "call" : block.type === "reasoning" ? "reasoning" : "text";
  if (told === undefined || told.kind !== kind) return takeBlock(state, index, block);
  if (kind === "call") {
    if (!told.isOver) fixCall(state, told, block);
    return;
  }
  const whole = textOf(block.text) ?? "";
  if (told.text === whole || whole === "") return;
  if (!whole.startsWith(told.text)) {
    closeStream(state);
    return takeBlock(state, index, block);
  }
  const rest = whole.slice(told.text.length);
  if (told.isOver) return kind === "text" ? tellText(state.telling, rest) : tellThought(state.telling, rest);
  growBlock(state, kind, { index, text: rest });
}

/** Closes what streams: the step is over, or its request is tried again. */
export function closeStream(state: DshState): void {
  const { telling } = state;
  if (state.textIndex !== null) tell(telling, "text_done", {});
  state.textIndex = null;
  for (const block of state.blocks.values()) {
    if (block.kind === "reasoning" && !block.isOver) tell(telling, "reasoning_done", { id: block.id });
  }
  state.blocks.clear();
  state.streaming = "";
}

/** Disjoint counts: what was read from the cache is no input of theirs. */
function takeUsage(state: DshState, data: Fields, usage: Fields): void {
  const { telling } = state;
  if (Object.keys(usage).length === 0) return;
  const turn = numberOf(data.turn) ?? telling.turn?.number ?? 1;
  const step = numberOf(data.step) ?? telling.turn?.step ?? 1;
  const text = JSON.stringify(usage);
  if (state.usage.get(`${turn}:${step}`) === text) return ignore(telling, "usage told before");
  state.usage.set(`${turn}:${step}`, text);
  const read = numberOf(usage.cacheReadTokens);
  const write = numberOf(usage.cacheWriteTokens);
  const input = numberOf(usage.inputTokens);
  tellUsage(telling, {
    input: input === null ? null : input + (read ?? 0) + (write ?? 0),
    output: numberOf(usage.outputTokens),
    cacheRead: read,
    cacheWrite: write,
    reasoning: numberOf(usage.reasoningTokens),
  }, { turn, step });
}
