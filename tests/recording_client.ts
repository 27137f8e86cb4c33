// A client without a terminal that a recording is shown in, for tests of what becomes of it.

import assert from "node:assert/strict";
import { drawFrame } from "../src/app/draw.ts";
import type { Input } from "../src/app/effect.ts";
import { createState, DEFAULT_SETTINGS, type State } from "../src/app/state.ts";
import { transcriptHeight, update } from "../src/app/update.ts";
import { parseKeyScript } from "../src/input/key_script.ts";
import { visibleRows } from "../src/layout/viewport.ts";
import { createFrame } from "../src/screen/frame.ts";
import { framePicture } from "../src/screen/snapshot.ts";
import { lineText } from "../src/text/line.ts";
import type { FoldMode } from "../src/transcript/block.ts";
import { historyOf } from "../src/transcript/snapshot.ts";

/** All that can be told apart of a client. */
export function stateText(state: State): object {
  const { transcript } = state;
  return {
    screen: picture(state),
    history: historyOf(transcript),
    title: transcript.title,
    counts: transcript.counts,
    fileProblems: state.fileProblems,
    ignored: [...state.ignored],
    loaded: state.loaded,
    reading: state.reading,
    focus: state.focus,
  };
}

/** A client of that size without a terminal, for a recording. */
export function createClient(fold: FoldMode, columns = 80, rows = 24): State {
  const settings = DEFAULT_SETTINGS;
  return createState({ columns, rows, recording: true, home: null, clientId: "t", fold, settings });
}

/** Gives inputs, all at the client's beginning. */
export function give(state: State, inputs: readonly Input[]): void {
  for (const input of inputs) update(state, input, 0);
}

/** Presses a script of keys. */
export function press(state: State, script: string): void {
  const parsed = parseKeyScript(script);
  assert.ok(parsed.kind === "script");
  for (const step of parsed.steps) if (step.kind === "key") update(state, { kind: "key", key: step.key }, 0);
}

/** The screen as text. */
export function picture(state: State): string {
  const frame = createFrame(state.columns, state.rows);
  drawFrame(state, frame);
  return framePicture(frame).rows.join("\n");
}

/** The rows of the transcript that are in view. */
export function rowTexts(state: State): readonly string[] {
  return visibleRows(state.layout, state.viewport, transcriptHeight(state)).map((row) =>
    row.line === null ? "" : lineText(row.line)
  );
}
