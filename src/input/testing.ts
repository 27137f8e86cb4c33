// For tests: plays key scripts and bytes on a composer as the app would, and says what was sent.

import {
  type Composer,
  composerAction,
  type ComposerResult,
  pasteIntoComposer,
  takeMessage,
  typeKey,
} from "./composer.ts";
import { draftText, isBlankDraft } from "./draft.ts";
import { expandFragment } from "./draft_text.ts";
import type { Key } from "./key.ts";
import type { TerminalInput } from "./key_decoder.ts";
import { DEFAULT_KEYMAP, lookup } from "./keymap.ts";
import { parseKeyScript } from "./key_script.ts";

/** A composer with what happens around it. */
export interface Stage {
  readonly composer: Composer;
  readonly width: number;
  pending: readonly Key[];
  /** Texts sent, in order. */
  readonly sent: string[];
  /** Actions that were not the composer's. */
  readonly ignored: string[];
}

/** A stage without anything typed. */
export function createStage(composer: Composer, width = 80): Stage {
  return { composer, width, pending: [], sent: [], ignored: [] };
}

/** Plays a script, for example `ab<Left><Paste "x">`. */
export function play(stage: Stage, script: string): void {
  const parsed = parseKeyScript(script);
  if (parsed.kind === "problem") throw new TypeError(parsed.what);
  for (const step of parsed.steps) {
    if (step.kind === "key") press(stage, step.key);
    if (step.kind === "paste") pasteIntoComposer(stage.composer, step.text);
  }
}

/** Takes what a terminal sent. */
export function take(stage: Stage, inputs: readonly TerminalInput[]): void {
  for (const input of inputs) {
    if (input.kind === "key") press(stage, input.key);
    if (input.kind === "paste") pasteIntoComposer(stage.composer, input.text);
  }
}

/** What would be sent now. */
export function textOf(stage: Stage): string {
  return draftText(stage.composer.draft);
}

function press(stage: Stage, key: Key) {
  const found = lookup(DEFAULT_KEYMAP, "composer", key, stage.pending);
  stage.pending = found.kind === "prefix" ? found.pending : [];
  if (found.kind === "none") typeKey(stage.composer, key);
  if (found.kind !== "action") return;
  const result: ComposerResult = composerAction(stage.composer, found.action, stage.width);
  if (result === "ignored") stage.ignored.push(found.action);
  if (result !== "submit" || isBlankDraft(stage.composer.draft)) return;
  stage.sent.push(expandFragment(takeMessage(stage.composer)));
}
