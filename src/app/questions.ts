// Which of the agent's questions is on the screen.

import type { OpenQuestion } from "../transcript/block.ts";
import { createQuestionPanel } from "./panels/question_panel.ts";
import type { State } from "./state.ts";

/** Shows the oldest open batch that was not answered here; called whenever the transcript changed. */
export function syncQuestions(state: State): void {
  // A batch that is over may come again under the same name, from an agent that counts anew.
  for (const id of state.answered) {
    if (!state.transcript.questions.some(({ batchId }) => batchId === id)) state.answered.delete(id);
  }
  const batch = state.transcript.questions.find((open) => !state.answered.has(open.batchId));
  if (batch === undefined) {
    if (state.question !== null) state.panelFocus = "auto";
    state.question = null;
  } else if (state.question === null || !isSameBatch(state.question.batch, batch)) {
    state.question = createQuestionPanel(batch, state.nowMs);
    state.panelFocus = "auto";
  } else if (state.question.batch !== batch) {
    state.question = { ...state.question, batch };
  }
}

/** Its half second begins anew, in which no key answers it: it is seen only now. */
export function restartPause(state: State): void {
  if (state.question !== null) state.question = { ...state.question, shownMs: state.nowMs };
}

/** A history brings the same batch anew; one that asks something else is another one, whatever its name. */
function isSameBatch(shown: OpenQuestion, batch: OpenQuestion): boolean {
  if (shown === batch) return true;
  return shown.batchId === batch.batchId && JSON.stringify(shown) === JSON.stringify(batch);
}
