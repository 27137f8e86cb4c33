// From a message to its answer: plans steps, plays them one by one, and takes in what is steered meanwhile.
// One step is turn.ts, what the steps are steps.ts.

import { type DemoRequest, parseRequests } from "./script.ts";
import { closingText, type ModelStep, type Outcome, planSteps } from "./steps.ts";
import { playStep, type TurnWorld } from "./turn.ts";
import { showableFiles } from "./workspace.ts";

export interface AnswerHooks {
  /** Messages steered in since the last call. */
  readonly takeSteers: () => readonly string[];
  /** Counts a step about to be played; gives its number in the turn. */
  readonly onStep: () => number;
}

/** Plays steps until nothing is left to do. Throws TurnCancelled. */
export async function answerMessage(world: TurnWorld, input: string, hooks: AnswerHooks): Promise<void> {
  let asked = parseRequests(input);
  let outcomes: Outcome[] = [];
  const steps = await stepsFor(world, asked);
  for (;;) {
    await world.control.safePoint(world.onPause, world.onResume);
    for (const steer of hooks.takeSteers()) {
      const more = parseRequests(steer);
      asked.push(...more);
      steps.push(...await stepsFor(world, more));
    }
    let step = steps.shift();
    if (step === undefined) {
      const text = closingText(asked, outcomes);
      if (text === null) return;
      step = { text, calls: [] };
      asked = [];
      outcomes = [];
    }
    outcomes.push(...await playStep(world, step, hooks.onStep()));
  }
}

async function stepsFor(world: TurnWorld, requests: readonly DemoRequest[]): Promise<ModelStep[]> {
  const isTour = requests.some((request) => request.kind === "tour");
  return planSteps(requests, { files: isTour ? await showableFiles(world.workspace) : [] });
}
