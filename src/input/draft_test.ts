import assert from "node:assert/strict";
import fc from "fast-check";
import { loadClusterWidths } from "../text/graphemes.ts";
import { createComposer, takeMessage } from "./composer.ts";
import { createStage, play, type Stage, take, textOf } from "./testing.ts";
import {
  createDraft,
  type Draft,
  draftParts,
  draftText,
  insertPartsInFront,
  insertPaste,
  setDraftParts,
  typeText,
} from "./draft.ts";
import { applyDraftAction, DRAFT_ACTIONS, type DraftActionName } from "./draft_actions.ts";
import { stopAfter, stopBefore } from "./draft_motion.ts";
import { draftRows } from "./draft_rows.ts";
import { MARK } from "./draft_text.ts";
import { createDecoder, decode } from "./key_decoder.ts";

await loadClusterWidths();

function stage(options: { pasteThreshold?: number; width?: number } = {}): Stage {
  return createStage(createComposer(options), options.width ?? 80);
}

function typed(script: string, options: { pasteThreshold?: number; width?: number } = {}): Stage {
  const on = stage(options);
  play(on, script);
  return on;
}

/** What a person sees of the draft: labels in place of pastes. */
function shownText(draft: Draft): string {
  return draft.lines.map((line) => {
    let rank = 0;
    return line.text.replaceAll(MARK, () => line.pastes[rank++]?.label ?? "?");
  }).join("\n");
}

const B = Array.from({ length: 40 }, (_, index) => `line ${String(index + 1).padStart(2, "0")}`).join("\n");
const START = `ab<Paste ${JSON.stringify(B)}>cd`;

Deno.test("U01 a paste typed into text is one step of undo", () => {
  const P = "alpha\nβeta 日本\n🙂omega";
  const on = stage();
  take(on, decode(createDecoder({ escapeMs: 25 }), new TextEncoder().encode(`x\x1b[200~${P}\x1b[201~y`), 0));
  assert.equal(textOf(on), `x${P}y`);
  assert.deepEqual(on.sent, []);
  assert.deepEqual(on.ignored, []);
  const steps: string[] = [];
  while (applyDraftAction(on.composer.draft, "undo", 80)) steps.push(textOf(on));
  assert.deepEqual(steps, [`x${P}`, "x", ""]);
});

Deno.test("U02 every newline style in a paste", () => {
  const on = typed('<Paste "one\\r\\ntwo\\rthree\\nfour\\r\\n\\r\\nsix">');
  assert.deepEqual(on.sent, []);
  assert.equal(shownText(on.composer.draft), "[Clipboard #1 | 23 chars, 6 lines]");
  play(on, "<Enter>");
  assert.deepEqual(on.sent, ["one\ntwo\nthree\nfour\n\nsix"]);
});

for (const width of [80, 24]) {
  Deno.test(`U03 a placeholder is one unit, ${width} columns`, async (t) => {
    const after = (script: string) => typed(START + script, { width });
    await t.step(
      "1 Backspace behind it",
      () => assert.equal(textOf(after("<Left><Left><Backspace>")), "abcd"),
    );
    await t.step(
      "2 Delete before it",
      () => assert.equal(textOf(after("<Left><Left><Left><Delete>")), "abcd"),
    );
    await t.step("3 delete word left", () => assert.equal(textOf(after("<Left><Left><C-w>")), "abcd"));
    await t.step("4 two caret stops around it", () => {
      assert.equal(textOf(after("<Left><Left><Left>Z")), `abZ${B}cd`);
      assert.equal(textOf(after("<Left><Left>Z")), `ab${B}Zcd`);
      assert.equal(textOf(after("<Left><Left><Left><Left>Z")), `aZb${B}cd`);
    });
    await t.step("5 undo brings it back", () => {
      const on = after("<Left><Left><Backspace><C-_><Enter>");
      assert.deepEqual(on.sent, [`ab${B}cd`]);
    });
    await t.step("7 no key puts the caret inside it", () => {
      const on = after("");
      const keys = ["<Up>", "<Down>", "<Home>", "<End>", "<Left>", "<Right>"];
      let seed = 7;
      for (let step = 0; step < 300; step++) {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        play(on, keys[seed % keys.length]!);
        const { rows, caret } = draftRows(on.composer.draft, width, 10);
        const cells = rows[caret.row]?.spans.flatMap((span) =>
          [...span.text].map((sign) => ({ sign, role: span.role }))
        ) ?? [];
        const cell = cells[caret.column];
        if (cell?.role === "composer.placeholder") {
          assert.equal(cell.sign, "[", `after step ${step}`);
        }
      }
      assert.equal(textOf(on), `ab${B}cd`);
    });
  });
}

Deno.test("U06 edge 73: Backspace removes what the eye sees", () => {
  const cases = [
    ["hello 😀", "hello "],
    ["x👨‍👩‍👧‍👦", "x"],
    ["🇯🇵🇰🇷", "🇯🇵"],
    ["ae\u{301}", "a"],
    ["あか\u{3099}", "あ"],
    ["n1\u{FE0F}\u{20E3}", "n"],
    ["q👍🏽", "q"],
    ["한글", "한"],
    // The documented policy: the whole cluster, vowel and tone mark with their consonant.
    ["กที่", "ก"],
    ["ｶﾞ", ""],
    ["q👍🏿", "q"],
  ] as const;
  for (const [left, expected] of cases) {
    for (const on of [stage(), stage({ pasteThreshold: 1000 })]) {
      if (on.composer.draft.pasteThreshold === 0) { for (const point of left) play(on, point); }
      else insertPaste(on.composer.draft, left);
      const before = draftRows(on.composer.draft, 80, 8).caret;
      play(on, "<Left><Right>");
      assert.deepEqual(draftRows(on.composer.draft, 80, 8).caret, before, left);
      play(on, "<Backspace>");
      assert.equal(textOf(on), expected, left);
      assert.equal(textOf(on).isWellFormed(), true);
    }
  }
});

Deno.test("edge 75: keys step over a placeholder and delete it whole", () => {
  const on = typed('<Paste "a b c"><Home>x<End>y<Home><Right><Right><C-w>');
  assert.equal(textOf(on), "xy");
  assert.equal(textOf(typed('one <Paste "two"><C-Left><C-Left>X')), "Xone two");
  assert.equal(textOf(typed('one<Paste "two">three<Home><C-Right><C-Right>X')), "onetwoXthree");
  assert.equal(textOf(typed('one<Paste "two">three<Home><C-Delete><C-Delete>')), "three");
});

Deno.test("edge 76: two pastes side by side, inside a word, at the start", () => {
  const on = typed('wo<Paste "P"><Paste "Q">rd<Home><Paste "R">');
  assert.equal(
    shownText(on.composer.draft),
    "[Clipboard #3 | 1 chars, 1 lines]wo[Clipboard #1 | 1 chars, 1 lines][Clipboard #2 | 1 chars, 1 lines]rd",
  );
  assert.equal(textOf(on), "RwoPQrd");
  play(on, "<End><Left><Left><Backspace>");
  assert.equal(textOf(on), "RwoPrd");
});

Deno.test("edge 77: what is pasted is kept, but for controls", () => {
  const shown = (text: string) => shownText(typed(`<Paste ${JSON.stringify(text)}>`).composer.draft);
  assert.equal(shown(""), "");
  assert.equal(shown("\n"), "[Clipboard #1 | 1 chars, 1 lines]");
  assert.equal(shown("🙂"), "[Clipboard #1 | 1 chars, 1 lines]");
  assert.equal(shown("a\nb\n"), "[Clipboard #1 | 4 chars, 2 lines]");
  assert.equal(shown("\n\n"), "[Clipboard #1 | 2 chars, 2 lines]");
  assert.equal(shown("\x1b\x00"), "");
  const text = "a\x1b[201~\x00b\tc\ud800d  \n";
  assert.equal(textOf(typed(`<Paste ${JSON.stringify(text)}>`)), "a[201~b\tc\ufffdd  \n");
});

Deno.test("edge 77: a paste of 1 MiB is one insert and costs its size, not more", () => {
  const text = "0123456789abcde\n".repeat(65536);
  const on = stage();
  insertPaste(on.composer.draft, text);
  assert.equal(on.composer.draft.lines.length, 1);
  assert.equal(on.composer.draft.lines[0]?.text.length, 1);
  assert.equal(textOf(on), text);
  // Expanded it is 65,537 lines, and folded again.
  play(on, "<C-x><C-e>");
  assert.equal(on.composer.draft.lines.length, 65537);
  assert.equal(textOf(on), text);
  assert.equal(draftRows(on.composer.draft, 80, 8).above, 65537 - 8);
  play(on, "<C-x><C-e>");
  assert.equal(on.composer.draft.lines.length, 1);
});

Deno.test("paste_threshold: shorter pastes are text", () => {
  const on = typed('<Paste "four"><Paste "five5">', { pasteThreshold: 5 });
  assert.equal(shownText(on.composer.draft), "four[Clipboard #1 | 5 chars, 1 lines]");
});

Deno.test("a label typed by hand is text, and pasted labels are not expanded twice", () => {
  const label = "[Clipboard #1 | 1 chars, 1 lines]";
  const on = typed(`${label}<Paste ${JSON.stringify(label)}><Backspace>`);
  assert.equal(textOf(on), label);
  assert.equal(textOf(typed(`<Paste "x">${label}`)), `x${label}`);
  assert.equal(textOf(typed(`<Paste ${JSON.stringify(label)}>`)), label);
  // The sign that stands for a paste inside the draft cannot come from outside.
  assert.equal(textOf(typed(`${MARK}a`)), "\ufffda");
  assert.equal(textOf(typed(`<Paste ${JSON.stringify(`${MARK}a`)}><C-x><C-e>`)), "\ufffda");
});

Deno.test("numbers of pastes are never used twice", () => {
  const on = typed('<Paste "a"><C-_><Paste "b"><Enter><Paste "c"><Backspace><Paste "d">');
  assert.equal(shownText(on.composer.draft), "[Clipboard #4 | 1 chars, 1 lines]");
});

Deno.test("Ctrl-X Ctrl-E expands the placeholder before the caret and folds it again", () => {
  const on = typed('see <Paste "two\\nlines"> now<C-x><C-e>');
  assert.equal(shownText(on.composer.draft), "see two\nlines now");
  assert.deepEqual(on.composer.draft.caret, { line: 1, column: 5 });
  play(on, "<C-x><C-e>");
  assert.equal(shownText(on.composer.draft), "see [Clipboard #1 | 9 chars, 2 lines] now");
  play(on, "<C-_>");
  assert.equal(shownText(on.composer.draft), "see two\nlines now");
  // Changed text is not the paste any more.
  play(on, "!<C-x><C-e>");
  assert.equal(shownText(on.composer.draft), "see two\nlines! now");
});

Deno.test("undo: words are steps, moves part runs, redo goes forward", () => {
  const on = typed("one two<Backspace><Backspace>x<Left>y<S-Enter>z");
  const steps = [textOf(on)];
  while (applyDraftAction(on.composer.draft, "undo", 80)) steps.push(textOf(on));
  assert.deepEqual(steps, ["one ty\nzx", "one ty\nx", "one tyx", "one tx", "one t", "one two", "one ", ""]);
  while (applyDraftAction(on.composer.draft, "redo", 80)) steps.push(textOf(on));
  assert.equal(steps.at(-1), "one ty\nzx");
});

Deno.test("selection: Shift selects, typing and deletion replace it, a move ends it", () => {
  assert.equal(textOf(typed("abc<S-Left><S-Left>X")), "aX");
  assert.equal(textOf(typed("abc<S-Home><Backspace>")), "");
  assert.equal(textOf(typed('abc<S-Home><Paste "p">')), "p");
  assert.equal(textOf(typed("abc<S-Left><Left>X")), "abXc");
  assert.equal(textOf(typed("abc<S-Left><S-Left><Right>X")), "abcX");
  assert.equal(textOf(typed("ab<C-j>cd<S-Left><S-Left><S-Left><C-w>")), "ab");
  assert.equal(textOf(typed("abc<S-Left><C-_>")), "");
  const on = typed("ab cd<S-Left><S-Left>");
  assert.deepEqual(draftRows(on.composer.draft, 80, 8).rows[0]?.spans, [
    { text: "ab ", role: "composer.text" },
    { text: "cd", role: "composer.selection" },
  ]);
});

Deno.test("cutting: Ctrl-W U K cut, in a row together, Ctrl-Y puts back with pastes", () => {
  assert.equal(textOf(typed("one two three<C-w><C-w><C-y>")), "one two three");
  assert.equal(
    textOf(typed("one<C-j>two<Home><C-u><C-k><C-y><C-y>")),
    "one\ntwo\ntwo",
  );
  assert.equal(textOf(typed("one two<Home><C-Delete><End><C-y>")), " twoone");
  const on = typed('a<Paste "P">b<C-u><C-y><C-y>');
  assert.equal(textOf(on), "aPbaPb");
});

Deno.test("words: Latin, numbers, signs, Japanese, Chinese, Korean, Thai", () => {
  const stopsLeft = (text: string) => {
    const on = stage();
    typeText(on.composer.draft, text);
    const stops: string[] = [];
    while (applyDraftAction(on.composer.draft, "caret_word_left", 80)) {
      stops.unshift(text.slice(on.composer.draft.caret.column));
    }
    return stops.map((rest, index) =>
      index + 1 < stops.length ? rest.slice(0, rest.length - stops[index + 1]!.length) : rest
    );
  };
  assert.deepEqual(stopsLeft("let foo_bar = a1(b);"), ["let ", "foo_bar ", "= ", "a1", "(", "b", ");"]);
  assert.deepEqual(stopsLeft("한글도 섞어서"), ["한글도 ", "섞어서"]);
  assert.deepEqual(stopsLeft("私は学生です。"), ["私", "は", "学生", "です", "。"]);
  assert.deepEqual(stopsLeft("中文排版"), ["中文", "排版"]);
  assert.deepEqual(stopsLeft("ภาษาไทยง่ายมาก"), ["ภาษา", "ไทย", "ง่าย", "มาก"]);
  assert.deepEqual(stopsLeft("東京タワーへ行く"), ["東京タワー", "へ", "行く"]);
  const on = stage();
  typeText(on.composer.draft, "ภาษาไทย");
  play(on, "<C-w>");
  assert.equal(textOf(on), "ภาษา");
});

Deno.test("parts: a draft is kept and comes back with its pastes under new numbers", () => {
  const on = typed('ab<Paste "P\\nQ">c<C-j>d');
  const parts = draftParts(on.composer.draft);
  assert.deepEqual(parts, [{ type: "text", text: "ab" }, { type: "paste", text: "P\nQ" }, {
    type: "text",
    text: "c\nd",
  }]);
  setDraftParts(on.composer.draft, parts);
  assert.equal(shownText(on.composer.draft), "ab[Clipboard #2 | 3 chars, 2 lines]c\nd");
  insertPartsInFront(on.composer.draft, [{ type: "text", text: "queued" }]);
  assert.equal(shownText(on.composer.draft), "queued\nab[Clipboard #2 | 3 chars, 2 lines]c\nd");
  assert.deepEqual(on.composer.draft.caret, { line: 2, column: 1 });
});

Deno.test("edge 80: a placeholder alone is sent, white space alone is not", () => {
  const on = typed('<Paste "P"><Enter>  <C-j> <Enter>');
  assert.deepEqual(on.sent, ["P"]);
  assert.equal(textOf(on), "  \n ");
  assert.equal(takeMessage(on.composer).length, 2);
});

Deno.test("edge 82: keys and pastes arrive in order however many come at once", () => {
  const on = stage();
  const decoder = createDecoder({ escapeMs: 25 });
  const bytes = new TextEncoder().encode(
    "0123456789".repeat(50) + "\x1b[200~P\x1b[201~" + "ab\x7f".repeat(50),
  );
  take(on, decode(decoder, bytes, 0));
  assert.equal(textOf(on), "0123456789".repeat(50) + "P" + "a".repeat(50));
});

/** Everything a person can do to a draft. */
const deed = fc.oneof(
  fc.constantFrom(...Object.keys(DRAFT_ACTIONS) as DraftActionName[]).map((action) => ({ action })),
  fc.constantFrom(
    "a",
    "b c",
    "日",
    "か",
    "\u{3099}",
    "\u{301}",
    "👨",
    "\u{200d}",
    "👧",
    "🇯",
    "🇵",
    "\u{1F3FF}",
    "\n",
    "\t",
    "ที่",
    "\u{202e}",
    "x\ny",
  ).map((text) => ({ text })),
  fc.constantFrom("P", "p\nq", "\u{301}", "日本\n").map((paste) => ({ paste })),
);

function perform(
  draft: Draft,
  deeds: readonly ({ action: DraftActionName } | { text: string } | { paste: string })[],
  visit = () => {},
) {
  for (const deed of deeds) {
    if ("action" in deed) applyDraftAction(draft, deed.action, 10);
    else if ("text" in deed) typeText(draft, deed.text);
    else insertPaste(draft, deed.paste);
    visit();
  }
}

Deno.test("whatever is done, the caret stands on a stop, text is valid, marks and pastes agree", () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 40 }), (deeds) => {
      const draft = createDraft();
      perform(draft, deeds, () => {
        for (const position of [draft.caret, draft.anchor ?? draft.caret]) {
          const line = draft.lines[position.line];
          assert.ok(line !== undefined);
          let stop = 0;
          while (stop < position.column) stop = stopAfter(line.text, stop);
          assert.equal(stop, position.column);
        }
        for (const line of draft.lines) assert.equal(line.text.split(MARK).length - 1, line.pastes.length);
        assert.equal(draftText(draft).isWellFormed(), true);
        assert.ok(!draftText(draft).includes(MARK));
      });
    }),
    { numRuns: 400 },
  );
});

Deno.test("undo back to nothing, redo to the same, whatever was done", () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 30 }), (deeds) => {
      const draft = createDraft();
      perform(draft, deeds);
      // What was undone by a deed itself can be done again first.
      while (applyDraftAction(draft, "redo", 10));
      const newest = shownText(draft);
      while (applyDraftAction(draft, "undo", 10));
      assert.equal(shownText(draft), "");
      while (applyDraftAction(draft, "redo", 10));
      assert.equal(shownText(draft), newest);
    }),
    { numRuns: 300 },
  );
});

Deno.test("caret stops are the same from the right and from the left, in every script", () => {
  const sign = fc.constantFrom(
    "a",
    " ",
    "é",
    "e\u{301}",
    "ж",
    "日",
    "か\u{3099}",
    "한",
    "ᄒ",
    "ᅡ",
    "ᆫ",
    "ที่",
    "ำ",
    "ก",
    "क्ष",
    "\u{600}",
    "\u{d4e}",
    "🇯",
    "🇵",
    "👨\u{200d}",
    "👧🏽",
    "\u{200d}",
    "\u{fe0f}",
    "\u{301}",
    "\u{202e}",
    MARK,
    "\t",
    "\u{110bd}",
  );
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 25 }), (signs) => {
      const text = signs.join("");
      const forward: number[] = [];
      for (let at = 0; at < text.length; at = stopAfter(text, at)) forward.push(at);
      const back: number[] = [];
      for (let at = text.length; at > 0;) back.unshift(at = stopBefore(text, at));
      assert.deepEqual(back, forward);
    }),
    { numRuns: 1500 },
  );
});

Deno.test("a cut after typing begins anew", () => {
  assert.equal(textOf(typed("one two<C-w>x<C-w><C-y>")), "one x");
});

Deno.test("Left then Right stands at the same place, everywhere", () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 20 }), (deeds) => {
      const draft = createDraft();
      perform(draft, deeds);
      applyDraftAction(draft, "caret_left", 10);
      const here = draft.caret;
      if (applyDraftAction(draft, "caret_right", 10)) {
        applyDraftAction(draft, "caret_left", 10);
        assert.deepEqual(draft.caret, here);
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("parts there and back are the same text", () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 25 }), (deeds) => {
      const draft = createDraft();
      perform(draft, deeds);
      const copy = createDraft();
      setDraftParts(copy, draftParts(draft));
      assert.equal(draftText(copy), draftText(draft));
      assert.deepEqual(draftParts(copy), draftParts(draft));
    }),
    { numRuns: 200 },
  );
});
