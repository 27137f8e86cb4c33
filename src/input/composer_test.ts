import assert from "node:assert/strict";
import fc from "fast-check";
import { lineText } from "../text/line.ts";
import { clearComposer, composerRows, createComposer, takeMessage, wantedCompletion } from "./composer.ts";
import { createStage, play, type Stage, take, textOf } from "./testing.ts";
import { type Candidate, isCompletionOpen, setCandidates } from "./completion.ts";
import { draftParts, insertInFront } from "./draft.ts";
import { createDecoder, decode } from "./key_decoder.ts";

function stage(prompts: readonly string[] = [], width = 80): Stage {
  const composer = createComposer({ prompts: prompts.map((text) => [{ type: "text", text }]) });
  return createStage(composer, width);
}

function shown(on: Stage): string {
  return composerRows(on.composer, on.width, 20).rows.map(lineText).join("\n");
}

/** Answers what completion wants from these candidates, by their beginning. */
function complete(on: Stage, texts: readonly string[]): readonly Candidate[] {
  const request = wantedCompletion(on.composer);
  if (request !== null) {
    const candidates = texts.filter((text) => text.startsWith(request.query)).map((text) => ({
      label: text,
      text,
    }));
    setCandidates(on.composer.completion, request, candidates);
  }
  return on.composer.completion.candidates;
}

Deno.test("edge 79: a paste never sends, wherever its line ends are", () => {
  const on = stage();
  take(on, decode(createDecoder({ escapeMs: 25 }), new TextEncoder().encode("\x1b[200~a\rb\r\x1b[201~"), 0));
  assert.deepEqual(on.sent, []);
  assert.equal(textOf(on), "a\nb\n");
});

Deno.test("edge 78: lines pasted without bracketed paste are one message", () => {
  const on = stage();
  take(on, decode(createDecoder({ escapeMs: 25 }), new TextEncoder().encode("one\rtwo\r\nthree\r"), 0));
  assert.deepEqual(on.sent, ["one\ntwo\nthree"]);
});

Deno.test("U03 step 6: a completion beside a placeholder leaves it alone", () => {
  const on = stage();
  const B = Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n");
  play(on, `ab<Paste ${JSON.stringify(B)}>cd @`);
  assert.deepEqual(wantedCompletion(on.composer), { kind: "file", command: "", query: "" });
  complete(on, []);
  play(on, "s");
  complete(on, ["src/a b.ts", "src/main.ts"]);
  play(on, "<Down><Tab><Enter>");
  assert.deepEqual(on.sent, [`ab${B}cd @src/main.ts `]);
});

Deno.test("completion: what is completed, by what stands before the caret", () => {
  const wanted = (script: string) => {
    const on = stage();
    play(on, script);
    const request = wantedCompletion(on.composer);
    return request === null ? "" : `${request.kind}:${request.command}:${request.query}`;
  };
  assert.equal(wanted("/"), "command::");
  assert.equal(wanted("/mod"), "command::mod");
  assert.equal(wanted("/model "), "argument:model:");
  assert.equal(wanted("/model a/b"), "argument:model:a/b");
  assert.equal(wanted("//"), "");
  assert.equal(wanted(" /x"), "");
  assert.equal(wanted("a<C-j>/x"), "");
  assert.equal(wanted("@"), "file::");
  assert.equal(wanted("see @src/ma"), "file::src/ma");
  assert.equal(wanted("see (@src"), "file::src");
  assert.equal(wanted("me@host"), "");
  assert.equal(wanted('see @"a b'), "file::a b");
  assert.equal(wanted('see @"a b" '), "");
  assert.equal(wanted('<Paste "P">@x'), "file::x");
  assert.equal(wanted("/add @x"), "argument:add:@x");
  assert.equal(wanted("/mod<Left>"), "command::mo");
});

Deno.test("completion: choices are put in whole, with quotes where a path has blanks", () => {
  const on = stage();
  play(on, "see @a");
  complete(on, ["a b.txt"]);
  play(on, "<Enter>");
  assert.equal(textOf(on), 'see @"a b.txt" ');
  assert.deepEqual(on.sent, []);
  play(on, "<C-_>");
  assert.equal(textOf(on), "see @a");
});

Deno.test("completion: arrows go round, Esc closes it for this word only, a typed command is sent", () => {
  const on = stage();
  play(on, "/");
  complete(on, ["model", "help", "quit"]);
  play(on, "<Up>");
  assert.equal(on.composer.completion.selected, 2);
  play(on, "<Down><Down>");
  assert.equal(on.composer.completion.selected, 1);
  play(on, "<Esc>");
  assert.equal(isCompletionOpen(on.composer.completion), false);
  assert.deepEqual(on.ignored, []);
  play(on, "q");
  assert.deepEqual(complete(on, ["quit"]), []);
  play(on, "<Backspace><Backspace>");
  wantedCompletion(on.composer);
  play(on, "/quit");
  complete(on, ["quit"]);
  play(on, "<Enter>");
  assert.deepEqual(on.sent, ["/quit"]);
});

Deno.test("completion: late candidates for something else are ignored", () => {
  const on = stage();
  play(on, "@a");
  const request = wantedCompletion(on.composer)!;
  play(on, "b");
  wantedCompletion(on.composer);
  setCandidates(on.composer.completion, request, [{ label: "a", text: "a" }]);
  assert.equal(isCompletionOpen(on.composer.completion), false);
});

Deno.test("completion: a search has none", () => {
  const on = stage(["@x"]);
  play(on, "@");
  complete(on, ["a"]);
  play(on, "<C-s>@");
  assert.equal(wantedCompletion(on.composer), null);
  assert.equal(isCompletionOpen(on.composer.completion), false);
});

Deno.test("history: Up and Down go by row first, then through prompts, the draft kept", () => {
  const on = stage(["first", "second\nof two"]);
  play(on, "my<C-j>draft<Up>");
  assert.equal(textOf(on), "my\ndraft");
  play(on, "<Up>");
  assert.equal(textOf(on), "second\nof two");
  play(on, "<Up>X<Up><Up>");
  assert.equal(textOf(on), "first");
  play(on, "<Down>");
  assert.equal(textOf(on), "secondX\nof two");
  play(on, "<Down>");
  assert.equal(textOf(on), "my\ndraft");
  play(on, "<Down><Down>");
  assert.equal(textOf(on), "my\ndraft");
});

Deno.test("history: Ctrl-P and Ctrl-N at once, at the ends nothing happens", () => {
  const on = stage(["one", "two"]);
  play(on, "x<C-p><C-p><C-p>");
  assert.equal(textOf(on), "one");
  play(on, "<C-n><C-n><C-n>");
  assert.equal(textOf(on), "x");
});

Deno.test("history: what was sent comes back with its placeholders, blanks and repeats are not kept", () => {
  const on = stage();
  play(on, 'a<Paste "P">b<Enter>a<Paste "P">b<Enter>  <Enter><C-u>');
  play(on, "<C-p>");
  assert.equal(shown(on), "a[Clipboard #1 | 1 chars, 1 lines]b");
  play(on, "<C-p>");
  assert.equal(on.composer.history.prompts.length, 1);
  play(on, "<Enter>");
  assert.deepEqual(on.sent, ["aPb", "aPb", "aPb"]);
});

Deno.test("history: stored pastes get numbers when they are recalled, and keep them", () => {
  const composer = createComposer({ prompts: [[{ type: "text", text: "a" }, { type: "paste", text: "P" }]] });
  const on = createStage(composer);
  play(on, '<Paste "Q"><C-p>');
  assert.equal(shown(on), "a[Clipboard #2 | 1 chars, 1 lines]");
  play(on, "<C-n><C-p>");
  assert.equal(shown(on), "a[Clipboard #2 | 1 chars, 1 lines]");
  assert.deepEqual(draftParts(composer.draft), [{ type: "text", text: "a" }, { type: "paste", text: "P" }]);
});

Deno.test("Ctrl-C clears; undo brings the draft back, and so does Up", () => {
  for (const back of ["<C-_>", "<Up>"]) {
    const on = stage(["old"]);
    play(on, 'my <Paste "P"> draft');
    assert.equal(clearComposer(on.composer), true);
    assert.equal(textOf(on), "");
    assert.equal(clearComposer(on.composer), false);
    play(on, back);
    assert.equal(shown(on), "my [Clipboard #1 | 1 chars, 1 lines] draft");
  }
});

Deno.test("what the agent refused goes back in front, its pastes with it", () => {
  const on = stage();
  play(on, 'one <Paste "P"> two');
  const fragment = takeMessage(on.composer);
  play(on, "next");
  insertInFront(on.composer.draft, fragment);
  assert.equal(shown(on), "one [Clipboard #1 | 1 chars, 1 lines] two\nnext");
  play(on, "!<Enter>");
  assert.deepEqual(on.sent, ["one P two\nnext!"]);
});

Deno.test("search: backwards by what is typed, Ctrl-S goes on, Enter takes, Esc leaves the draft", () => {
  const on = stage(["fix the parser", "fix the lexer", "run tests"]);
  play(on, "draft<C-s>fix");
  assert.equal(shown(on), "fix the lexer");
  assert.equal(textOf(on), "draft");
  play(on, "<C-s>");
  assert.equal(shown(on), "fix the parser");
  play(on, "<C-s>");
  assert.equal(on.composer.search?.failed, true);
  assert.equal(shown(on), "fix the parser");
  play(on, "<Esc>");
  assert.equal(shown(on), "draft");
  play(on, "<C-s>LEX");
  assert.equal(on.composer.search?.failed, true);
  play(on, "<Backspace><Backspace><Backspace>lex<Enter>");
  assert.equal(textOf(on), "fix the lexer");
  assert.deepEqual(on.sent, []);
  play(on, "<C-_>");
  assert.equal(textOf(on), "draft");
  play(on, "<C-s>run<Left>X");
  assert.equal(textOf(on), "run testXs");
});

Deno.test("Esc and Ctrl-D that the composer has no use for are given back", () => {
  const on = stage();
  play(on, "<Esc><C-d><Tab><PgUp>");
  assert.deepEqual(on.ignored, ["escape", "delete_or_shutdown", "switch_place", "page_up"]);
  play(on, "ab<Left><C-d><S-Left><Esc>");
  assert.equal(textOf(on), "a");
  assert.equal(on.ignored.length, 4);
});

const piece = fc.oneof(
  fc.constantFrom("a", "Z", " ", "é", "日", "🙂", "か\u{3099}", "👨‍👩‍👧", "@x", "/"),
  fc.constantFrom(
    "\r",
    "\n",
    "\x7f",
    "\x01",
    "\x17",
    "\x0b",
    "\x19",
    "\x1f",
    "\x10",
    "\x0e",
    "\x13",
    "\x18\x05",
  ),
  fc.constantFrom(
    "\x1b[A",
    "\x1b[B",
    "\x1b[D",
    "\x1bOC",
    "\x1b[1;2D",
    "\x1b[3~",
    "\x1b[H",
    "\x1b[13;2u",
    "\x1bb",
    "\x1bd",
  ),
  fc.constantFrom("\x1b[?62;22c", "\x1bP>|XTerm(385)\x1b\\", "\x1b[I", "\x1b[<64;3;4M", "\x1b[M !!"),
  fc.string({ unit: fc.constantFrom("a", "\r", "\n", "日", "🙂", "\t", "[201~") }).map((text) =>
    `\x1b[200~${text}\x1b[201~`
  ),
);

Deno.test("any split of the input gives the same draft and the same sent text", () => {
  const encoder = new TextEncoder();
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(), { maxLength: 15 }), (pieces, cuts) => {
      const bytes = encoder.encode("\x1b[?2004;2$y" + pieces.join(""));
      const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1))), bytes.length].sort((a, b) =>
        a - b
      );
      const [whole, split] = [stage([], 20), stage([], 20)];
      take(whole, decode(createDecoder({ escapeMs: 25 }), bytes, 0));
      const decoder = createDecoder({ escapeMs: 25 });
      let nowMs = 0;
      for (const [index, end] of places.entries()) {
        take(split, decode(decoder, bytes.slice(places[index - 1] ?? 0, end), nowMs++));
      }
      assert.deepEqual(split.sent, whole.sent);
      assert.deepEqual(draftParts(split.composer.draft), draftParts(whole.composer.draft));
      assert.deepEqual(split.composer.draft.caret, whole.composer.draft.caret);
      assert.equal(textOf(whole).isWellFormed(), true);
    }),
    { numRuns: 500 },
  );
});
