// Tokens, cost and context in their several forms: usage_update, the usage of a prompt's answer, and what agents
// keep in `_meta`. Our input tokens include those read from and written to the cache.

import { takeModel } from "./acp_session.ts";
import { type AcpState, emit, ignore } from "./acp_state.ts";
import { closeBlocks } from "./acp_text.ts";
import { fieldAt, type Fields, fieldsList, fieldsOf, numberOf, textOf } from "./fields.ts";

/** Token counts under our names; null is unknown. */
export type Tokens = Readonly<Record<string, number | null>>;

/** usage_update: context used of its size, the session's cost so far. Told again only when it changed. */
export function takeUsageUpdate(state: AcpState, update: Fields): void {
  const before = state.events.length;
  takeModel(state, textOf(fieldAt(update, "_meta", "_claude/model")), "request");
  const size = numberOf(update.size);
  tellContext(state, numberOf(update.used), size === 0 ? null : size, false);
  const cost = fieldsOf(update.cost);
  const amount = numberOf(cost.amount);
  if (amount !== null && (cost.currency ?? "USD") === "USD" && amount !== state.costTold) {
    state.costTold = amount;
    state.costAtTurn ??= state.turn === null || state.turn.isReplay ? amount : 0;
    // A cost that comes behind the answer belongs to the turn just ended.
    if (state.turn === null && state.usage !== null) tellUsage(state, state.usage.tokens);
  }
  if (state.events.length === before) ignore(state, "usage without news");
}

/** Usage of one model request (Qwen, in the `_meta` of an empty chunk): ends a step. */
export function takeStepUsage(state: AcpState, update: Fields): boolean {
  const usage = fieldsOf(fieldAt(update, "_meta", "usage"));
  const { turn } = state;
  if (turn === null || turn.isReplay || numberOf(usage.inputTokens) === null) return false;
  turn.countedSteps++;
  closeBlocks(state);
  tellUsage(state, tokensOf(usage));
  const limit = state.models.find((model) => model.modelId === state.model);
  const used = numberOf(usage.totalTokens);
  if (used !== null) tellContext(state, used, numberOf(fieldAt(limit, "_meta", "contextLimit")), true);
  emit(state, "step_end", { turn: turn.number, step: turn.step });
  turn.stepOpen = false;
  return true;
}

/** Usage in a prompt's answer: the whole turn, told once where its steps did not tell theirs. */
export function takePromptUsage(state: AcpState, result: Fields): void {
  const used = fieldsList(fieldAt(result, "_meta", "quota", "model_usage"));
  if (used.length === 1) takeModel(state, textOf(used[0]?.model), "request");
  if (state.turn === null || state.turn.countedSteps > 0) return;
  const usage = fieldsOf(result.usage);
  const quota = fieldsOf(fieldAt(result, "_meta", "quota", "token_count"));
  const tokens = Object.keys(usage).length > 0 ? tokensOf(usage) : tokensOf({
    inputTokens: quota.input_tokens,
    outputTokens: quota.output_tokens,
  });
  const known = Object.values(tokens).some((count) => count !== null);
  if (known || (state.costTold ?? 0) > (state.costAtTurn ?? 0)) tellUsage(state, tokens);
}

/** Marks where the next turn's cost begins. */
export function beginCost(state: AcpState): void {
  state.costAtTurn = state.costTold ?? 0;
}

function tellUsage(state: AcpState, tokens: Tokens): void {
  const place = state.turn ?? state.usage;
  if (place === null) return;
  const turn = "number" in place ? place.number : place.turn;
  state.usage = { turn, step: place.step, tokens };
  const cost = state.costTold === null
    ? null
    : Math.max(0, Math.round((state.costTold - (state.costAtTurn ?? 0)) * 1e9) / 1e9);
  emit(state, "usage", { turn, step: place.step, ...tokens, cost_usd: cost });
}

function tellContext(state: AcpState, used: number | null, size: number | null, estimated: boolean): void {
  const told = `${used}/${size}`;
  if (used === null || told === state.contextTold) return;
  state.contextTold = told;
  emit(state, "context", { used_tokens: used, window_tokens: size, estimated });
}

/**
 * ACP Usage under our names. Whether inputTokens holds the cached ones is not said (Qwen: yes; Claude, Codex: no):
 * where the total is at least all of them together, it does not.
 */
function tokensOf(usage: Fields): Tokens {
  const input = numberOf(usage.inputTokens);
  const output = numberOf(usage.outputTokens);
  const read = numberOf(usage.cachedReadTokens);
  const write = numberOf(usage.cachedWriteTokens);
  const cached = (read ?? 0) + (write ?? 0);
  const total = numberOf(usage.totalTokens);
  const apart = total === null ? cached > (input ?? 0) : total >= (input ?? 0) + (output ?? 0) + cached;
  return {
    input_tokens: input === null ? null : input + (apart ? cached : 0),
    output_tokens: output,
    cache_read_input_tokens: read,
    cache_write_input_tokens: write,
    reasoning_tokens: numberOf(usage.thoughtTokens),
  };
}
