// One turn of the demo agent, told as a model would tell it: streamed reasoning, text and arguments, calls run side
// by side, usage after each step. What it does is steps.ts, how it stops control.ts.

import type { EventName } from "../../transcript/event.ts";
import type { DemoModel } from "./models.ts";
import type { TurnControl } from "./control.ts";
import { answerText, type QuestionDesk } from "./questions.ts";
import { PACE, type Sleep, tokenCount, tokens } from "./pace.ts";
import type { ModelStep, Outcome, ToolUse } from "./steps.ts";
import { runTool, type ToolResult } from "./tools.ts";
import { scratchOf, type Workspace } from "./workspace.ts";

/** What a turn needs of the agent around it. */
export interface TurnWorld {
  readonly emit: (event: EventName, data: Readonly<Record<string, unknown>>) => void;
  readonly sleep: Sleep;
  readonly nowMs: () => number;
  readonly control: TurnControl;
  readonly workspace: Workspace;
  /** Where questions are asked; null: nothing is, what changes files goes on. */
  readonly desk: QuestionDesk | null;
  readonly turn: number;
  /** The model now selected; read once a step. */
  readonly model: () => DemoModel;
  /** The next id for a call or a thought, unique in the session. */
  readonly nextId: (prefix: string) => string;
  /** Tokens the conversation holds; the turn adds to it. */
  readonly context: { tokens: number; cached: number };
  /** Called when a pause begins and ends. */
  readonly onPause: () => void;
  readonly onResume: () => void;
}

/** Plays one step; returns how its calls ended. Throws TurnCancelled. */
export async function playStep(world: TurnWorld, step: ModelStep, number: number): Promise<Outcome[]> {
  const { emit } = world;
  const model = world.model();
  const inputTokens = world.context.tokens;
  emit("step_start", { turn: world.turn, step: number, provider: model.provider, model: model.model });
  await beat(world, PACE.firstToken);
  const reasoning = model.thinks ? step.reasoning ?? "" : "";
  await streamReasoning(world, reasoning);
  if (step.plan !== undefined) emit("plan", { items: step.plan });
  if (step.note !== undefined) {
    emit("notification", { ...step.note, source: "demo", timestamp_ms: world.nowMs() });
  }
  if (step.text !== undefined) await streamText(world, step.text);
  if (step.ask !== undefined) await askBatch(world, step.ask);
  const calls = step.calls.map((use) => ({ use, id: world.nextId("call"), args: JSON.stringify(use.input) }));
  await prepareScratch(world, calls);
  await streamCalls(world, calls);

  const reasoningTokens = tokenCount(reasoning);
  const outputTokens = reasoningTokens + tokenCount(step.text ?? "") +
    tokenCount(calls.map((call) => call.args).join());
  reportUsage(world, number, { inputTokens, outputTokens, reasoningTokens, window: model.contextWindow });
  emit("step_end", {
    turn: world.turn,
    step: number,
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
  });
  return await runCalls(world, calls);
}

const CHANGES: ReadonlySet<string> = new Set(["Write", "Edit", "Bash"]);

interface PlannedCall {
  readonly use: ToolUse;
  readonly id: string;
  readonly args: string;
}

async function streamReasoning(world: TurnWorld, text: string): Promise<void> {
  let id = "";
  let sent = "";
  let startedMs = 0;
  function finish(): void {
    if (sent !== "") world.emit("reasoning_done", { id, text: sent, elapsed_ms: world.nowMs() - startedMs });
    sent = "";
  }
  for (const token of tokens(text)) {
    if (sent === "") {
      id = world.nextId("thought");
      startedMs = world.nowMs();
      world.emit("reasoning_start", { id });
    }
    world.emit("reasoning_delta", { id, text: token });
    sent += token;
    await beat(world, PACE.thought, finish);
  }
  finish();
}

async function streamText(world: TurnWorld, text: string): Promise<void> {
  let sent = "";
  function finish(): void {
    if (sent !== "") world.emit("text_done", { text: sent });
    sent = "";
  }
  for (const token of tokens(text)) {
    world.emit("text_delta", { text: token });
    sent += token;
    await beat(world, PACE.token, finish);
  }
  finish();
}

/** All calls of a step at once, their arguments in turns, as models with parallel calls send them. */
async function streamCalls(world: TurnWorld, calls: readonly PlannedCall[]): Promise<void> {
  for (const { id, use } of calls) world.emit("tool_call_start", { id, name: use.tool });
  const pieces = calls.map((call) => ({ id: call.id, rest: tokens(call.args) }));
  while (pieces.some(({ rest }) => rest.length > 0)) {
    for (const { id, rest } of pieces) {
      const json = rest.splice(0, 3).join("");
      if (json !== "") world.emit("tool_call_args_delta", { id, json });
    }
    // Half a call cannot be gone on with: a pause waits for its end.
    await beat(world, PACE.argument, undefined, "cancel only");
  }
  for (const { id, use, args } of calls) {
    const presentation = use.card === undefined ? {} : { presentation: use.card.before };
    world.emit("tool_call_done", { id, name: use.tool, arguments: args, ...presentation });
  }
}

/** Runs the calls side by side; their results are told in the order of the calls. */
async function runCalls(world: TurnWorld, calls: readonly PlannedCall[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const works = calls.map((call) => startCall(world, call));
  for (const [index, call] of calls.entries()) {
    const result = await unlessWanted(world, works[index] as Promise<ToolResult>);
    await beat(world, PACE.result);
    const { summary, output, isError } = result;
    const presentation = call.use.card === undefined ? {} : { presentation: call.use.card.after };
    world.emit("tool_result", {
      id: call.id,
      summary,
      ...(output === null ? {} : { output }),
      is_error: isError,
      ...presentation,
    });
    world.context.tokens += tokenCount(summary) + tokenCount(output ?? "");
    outcomes.push({ tool: call.use.tool, isError, summary });
  }
  return outcomes;
}

/** Asks, and says what was answered. */
async function askBatch(world: TurnWorld, batch: Readonly<Record<string, unknown>>): Promise<void> {
  if (world.desk === null) return await streamText(world, "Nobody is here to answer, so I skip that.");
  const end = await unlessWanted(world, world.desk.ask(batch, world.control.cancelSignal));
  await beat(world, PACE.result);
  await streamText(world, answerText(end));
}

/** Runs a call, after it was allowed where it changes anything. */
async function startCall(world: TurnWorld, call: PlannedCall): Promise<ToolResult> {
  const { desk } = world;
  if (
    desk !== null && CHANGES.has(call.use.tool) &&
    !await desk.mayRun(call.use, call.id, world.control.cancelSignal)
  ) {
    return { summary: `Denied: ${call.use.tool} was not allowed`, output: null, isError: true };
  }
  return await runTool(call.use, world.workspace, {
    onOutput: (stream, text) => {
      // What a killed command still says belongs to no turn.
      if (!world.control.isCancelled) world.emit("tool_output", { id: call.id, stream, text });
    },
    onCommand: (command) => {
      world.control.hold(command);
      command.done.then(() => world.control.running.delete(command));
    },
  });
}

/** The work's result; a pause or cancel wished for meanwhile is done meanwhile. */
async function unlessWanted<Result>(world: TurnWorld, work: Promise<Result>): Promise<Result> {
  for (;;) {
    const result = await Promise.race([work, world.control.wanted().then(() => null)]);
    if (world.control.isWanted) await world.control.safePoint(world.onPause, world.onResume);
    if (result !== null) return result;
  }
}

/** The first change of a session makes the scratch copy, and says where it is. */
async function prepareScratch(world: TurnWorld, calls: readonly PlannedCall[]): Promise<void> {
  const { workspace } = world;
  if (workspace.scratch !== null || !calls.some(({ use }) => CHANGES.has(use.tool))) return;
  const scratch = await scratchOf(workspace);
  if (scratch.kind !== "ready") return;
  const links = scratch.skippedLinks === 0 ? "" : `, links left out: ${scratch.skippedLinks}`;
  world.emit("notification", {
    level: "info",
    source: "demo",
    message:
      `Working in a scratch copy from here on: ${scratch.root} (files: ${scratch.files}${links}). Yours stay as they are.`,
    timestamp_ms: world.nowMs(),
  });
}

function reportUsage(
  world: TurnWorld,
  step: number,
  used: { inputTokens: number; outputTokens: number; reasoningTokens: number; window: number },
): void {
  const cached = Math.min(world.context.cached, used.inputTokens);
  world.emit("usage", {
    turn: world.turn,
    step,
    input_tokens: used.inputTokens,
    output_tokens: used.outputTokens,
    cache_read_input_tokens: cached,
    cache_write_input_tokens: used.inputTokens - cached,
    reasoning_tokens: used.reasoningTokens,
  });
  world.context.tokens += used.outputTokens;
  world.context.cached = used.inputTokens;
  world.emit("context", { used_tokens: world.context.tokens, window_tokens: used.window, estimated: true });
}

/** A wait and a safe point. `closeOpen` ends a block that is being streamed before the turn holds or stops. */
async function beat(
  world: TurnWorld,
  ms: number,
  closeOpen?: () => void,
  mode: "pause too" | "cancel only" = "pause too",
): Promise<void> {
  const { control } = world;
  await world.sleep(ms * world.model().slowness, control.signal);
  if (!control.isWanted || (mode === "cancel only" && !control.isCancelled)) return;
  closeOpen?.();
  await control.safePoint(world.onPause, world.onResume);
}
