// What a key costs in a large draft, what a paste costs, and what scanning 200,000 paths costs.
// A key in a draft of 2,000 lines includes its frame's rows: budget S9 leaves it well under a millisecond.

import { composerRows, createComposer, pasteIntoComposer, typeKey } from "./composer.ts";
import { createDraft, type Draft, insertPaste, setCaret, typeText } from "./draft.ts";
import { applyDraftAction } from "./draft_actions.ts";
import { draftRows } from "./draft_rows.ts";
import { createFuzzySearch, refineFuzzySearch, scanFuzzy } from "./fuzzy.ts";
import { parseKeys } from "./key.ts";
import { createDecoder, decode } from "./key_decoder.ts";

const LINE =
  "The quick brown fox 日本語の文章 jumps over the lazy dog, and again, until the row is full of words";

function largeDraft(lines: number): Draft {
  const draft = createDraft();
  typeText(draft, Array.from({ length: lines }, (_, index) => `${index} ${LINE}`).join("\n"));
  setCaret(draft, { line: lines >> 1, column: 20 });
  draftRows(draft, 80, 8);
  return draft;
}

const small = largeDraft(2);
const large = largeDraft(2000);
const key = parseKeys("x")[0]!;

for (const [name, draft] of [["2 lines", small], ["2,000 lines", large]] as const) {
  Deno.bench(`key typed and taken back, rows each time, ${name}`, { group: "key" }, () => {
    typeText(draft, "x");
    draftRows(draft, 80, 8);
    applyDraftAction(draft, "delete_left", 80);
    draftRows(draft, 80, 8);
  });
  Deno.bench(`row up and down, ${name}`, { group: "row" }, () => {
    applyDraftAction(draft, "caret_up", 80);
    draftRows(draft, 80, 8);
    applyDraftAction(draft, "caret_down", 80);
    draftRows(draft, 80, 8);
  });
}

let width = 60;
Deno.bench("2,000 lines at a new width", { group: "width" }, () => {
  width = width === 60 ? 61 : 60;
  draftRows(large, width, 8);
});

const megabyte = "0123456789abcdé\n".repeat(65536);
Deno.bench("1 MiB pasted, with its placeholder's row", { group: "paste" }, () => {
  const draft = createDraft();
  insertPaste(draft, megabyte);
  draftRows(draft, 80, 8);
});

const pasteBytes = new TextEncoder().encode(`\x1b[200~${megabyte}\x1b[201~`);
Deno.bench("1 MiB paste from reads of 17 KB to the composer", { group: "paste" }, () => {
  const composer = createComposer();
  const decoder = createDecoder({ escapeMs: 25 });
  for (let at = 0; at < pasteBytes.length; at += 17_000) {
    for (const input of decode(decoder, pasteBytes.subarray(at, at + 17_000), 0)) {
      if (input.kind === "paste") pasteIntoComposer(composer, input.text);
    }
  }
  composerRows(composer, 80, 8);
});

const composer = createComposer();
const decoder = createDecoder({ escapeMs: 25 });
const letter = new TextEncoder().encode("x");
Deno.bench("one byte to a key", { group: "decode" }, () => {
  decode(decoder, letter, 0);
});
Deno.bench("one key into an empty composer and out", { group: "decode" }, () => {
  typeKey(composer, key);
  applyDraftAction(composer.draft, "delete_left", 80);
});

const paths = Array.from(
  { length: 200_000 },
  (_, index) => `packages/module_${index % 997}/src/feature_${(index * 7919) % 5003}/component_${index}.ts`,
);
Deno.bench("200,000 paths, four letters", { group: "fuzzy" }, () => {
  scanFuzzy(createFuzzySearch(paths, "mfco"), paths.length);
});
const shorter = createFuzzySearch(paths, "comp99");
scanFuzzy(shorter, paths.length);
Deno.bench("200,000 paths, one letter more", { group: "fuzzy" }, () => {
  scanFuzzy(refineFuzzySearch(shorter, "comp991"), paths.length);
});
