// Bounds of what a person types and pastes, and of what a terminal answers: rows of the table that bounds_test.ts proves.

import assert from "node:assert/strict";
import { LONGEST_LINE as LONGEST_COMPLETED } from "../src/input/completion.ts";
import { createComposer, wantedCompletion } from "../src/input/composer.ts";
import {
  createDraft,
  draftText,
  insertPaste,
  MAX_UNDO_UNITS,
  redo,
  setDraft,
  takeDraft,
  typeText,
  undo,
} from "../src/input/draft.ts";
import { createDecoder, decode } from "../src/input/key_decoder.ts";
import { MAX_PASTE_BYTES } from "../src/input/paste_text.ts";
import { addPrompt, createPromptHistory, MAX_PROMPT_UNITS } from "../src/input/prompt_history.ts";
import { textFragment } from "../src/input/draft_text.ts";

const encoder = new TextEncoder();
const MEBIBYTE = 1 << 20;

/** A row of the table: the bound in words, and what proves it. */
export interface Bound {
  readonly at: string;
  readonly proves: () => void;
}

export const INPUT_BOUNDS: Readonly<Record<string, Bound>> = {
  "a paste": {
    at: "16 MiB; the rest is dropped with a hint",
    proves() {
      assert.equal(MAX_PASTE_BYTES, 16 * MEBIBYTE);
      const decoder = createDecoder({ escapeMs: 25 });
      decode(decoder, encoder.encode("\x1b[200~"), 0);
      const piece = new Uint8Array(MEBIBYTE).fill(0x61);
      for (let count = 0; count < 20; count++) decode(decoder, piece, 0);
      const [paste] = decode(decoder, encoder.encode("\x1b[201~"), 0);
      assert.ok(paste?.kind === "paste" && paste.cut);
      assert.equal(paste.text.length, MAX_PASTE_BYTES);
    },
  },
  "a terminal's answer that never ends": {
    at: "nothing of it is kept past its bound, and keys work again after it",
    proves() {
      for (const opening of ["\x1b]", "\x1bP", "\x1b_", "\x1b[", "\x1b[<"]) {
        const decoder = createDecoder({ escapeMs: 25 });
        decode(decoder, encoder.encode(opening), 0);
        const piece = encoder.encode("1;".repeat(50_000));
        for (let count = 0; count < 40; count++) decode(decoder, piece, 0);
        const kept = Object.values(decoder).filter((value) => typeof value === "string").join("").length;
        assert.ok(kept < 200_000, `${JSON.stringify(opening)} keeps ${kept}`);
        const inputs = [
          ...decode(decoder, encoder.encode("\x1b\\"), 10),
          ...decode(decoder, encoder.encode("q"), 9000),
        ];
        assert.ok(
          inputs.some((input) => input.kind === "key" && input.key.text === "q"),
          JSON.stringify(opening),
        );
      }
    },
  },
  "steps of undo": {
    at: "1,000, and 32 Mi UTF-16 units but for the newest",
    proves() {
      const draft = createDraft();
      for (let count = 0; count < 3000; count++) {
        typeText(draft, "word");
        typeText(draft, "\n");
      }
      assert.equal(draft.undo.length, 1000);
      insertPaste(draft, "pasted");
      assert.equal(draft.undo.length, 1000);
      assert.equal(MAX_UNDO_UNITS, 32 * MEBIBYTE);
      const held = () => draft.undo.reduce((sum, step) => sum + step.units, 0);
      for (let count = 0; count < 40; count++) {
        insertPaste(draft, String(count).padStart(3 * MEBIBYTE));
        if (count % 5 === 0) assert.ok(undo(draft) && redo(draft));
        assert.equal(draft.undoUnits, held());
        assert.ok(held() <= MAX_UNDO_UNITS, `${held()} units after ${count + 1} pastes`);
      }
      assert.ok(draft.undo.length >= 10);
      takeDraft(draft);
      assert.equal(draft.undoUnits, 0);
      for (let count = 0; count < 9; count++) insertPaste(draft, "x".repeat(5 * MEBIBYTE));
      setDraft(draft, textFragment("all gone"));
      assert.equal(draft.undo.length, 1, "the newest step is kept whatever it takes");
      assert.ok(undo(draft) && draftText(draft).length === 45 * MEBIBYTE);
    },
  },
  "prompts": {
    at: "1,000, and 16 Mi UTF-16 units but for the newest",
    proves() {
      const history = createPromptHistory();
      for (let count = 0; count < 3000; count++) addPrompt(history, textFragment(`prompt ${count}`));
      assert.equal(history.prompts.length, 1000);
      assert.equal(MAX_PROMPT_UNITS, 16 * MEBIBYTE);
      const long = (count: number) => String(count).padStart(MEBIBYTE, "x");
      for (let count = 0; count < 40; count++) {
        addPrompt(history, textFragment(long(count)));
        assert.equal(history.units, history.prompts.reduce((sum, prompt) => sum + prompt.units, 0));
        assert.ok(history.units <= MAX_PROMPT_UNITS);
      }
      assert.equal(history.prompts.length, 16);
      addPrompt(history, textFragment("y".repeat(20 * MEBIBYTE)));
      assert.equal(history.prompts.length, 1, "the newest is kept whatever it takes");
      const stored = Array.from({ length: 40 }, (_, at) => [{ type: "text", text: long(at) } as const]);
      assert.equal(createPromptHistory(stored).prompts.length, 16);
    },
  },
  "a line in which names are completed": {
    at: "16,384 UTF-16 units, of which the last 1,000 are looked at",
    proves() {
      const wants = (before: number, typed: number) => {
        const composer = createComposer();
        typeText(composer.draft, `${"x".repeat(before)} @${"y".repeat(typed)}`);
        return wantedCompletion(composer) !== null;
      };
      assert.equal(LONGEST_COMPLETED, 16_384);
      assert.ok(wants(16_000, 100) && wants(0, 900));
      assert.ok(!wants(16_384, 3) && !wants(0, 1100));
    },
  },
};
