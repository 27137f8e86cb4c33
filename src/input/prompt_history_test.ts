// Prompts that come after the first key: nothing the person sees moves.

import assert from "node:assert/strict";
import { createComposer, loadPrompts } from "./composer.ts";
import type { DraftPart } from "./draft_text.ts";
import { createStage, play, textOf } from "./testing.ts";

const stored = (...texts: readonly string[]): (readonly DraftPart[])[] =>
  texts.map((text) => [{ type: "text", text }]);

Deno.test("stored prompts come while one's own is shown: Up goes on from there", () => {
  const stage = createStage(createComposer());
  play(stage, "mine<Enter>draft<C-p>");
  assert.equal(textOf(stage), "mine");
  loadPrompts(stage.composer, stored("first", "second"));
  assert.equal(textOf(stage), "mine");
  play(stage, "<C-p>");
  assert.equal(textOf(stage), "second");
  play(stage, "<C-n><C-n>");
  assert.equal(textOf(stage), "draft");
});

Deno.test("stored prompts come during a search: a hit stays, a failed search finds them", () => {
  const stage = createStage(createComposer());
  play(stage, "own deed<Enter><C-s>deed");
  loadPrompts(stage.composer, stored("old deed", "other"));
  assert.equal(stage.composer.search?.failed, false);
  play(stage, "<C-s>");
  play(stage, "<Right>");
  assert.equal(textOf(stage), "old deed");
  const late = createStage(createComposer());
  play(late, "<C-s>deed");
  loadPrompts(late.composer, stored("old deed"));
  play(late, "<Right>");
  assert.equal(textOf(late), "old deed");
});

Deno.test("a recalled stored paste is a placeholder with this client's next number, in full when sent", () => {
  const stage = createStage(createComposer());
  loadPrompts(stage.composer, [[{ type: "text", text: "see " }, { type: "paste", text: "a\nb" }]]);
  play(stage, '<Paste "x"><C-u><Up>');
  assert.equal(textOf(stage), "see a\nb");
  assert.match(stage.composer.draft.lines[0]?.pastes[0]?.label ?? "", /^\[Clipboard #2 \|/);
  play(stage, "<Backspace>");
  assert.equal(textOf(stage), "see ");
});

Deno.test("at most 1,000 prompts are kept, the newest", () => {
  const stage = createStage(createComposer());
  play(stage, "own<Enter>");
  loadPrompts(stage.composer, stored(...Array.from({ length: 1500 }, (_, at) => `p${at}`)));
  assert.equal(stage.composer.history.prompts.length, 1000);
  play(stage, "<C-p><C-p>");
  assert.equal(textOf(stage), "p1499");
});
