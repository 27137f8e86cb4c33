import assert from "node:assert/strict";
import fc from "fast-check";
import { cellWidth, graphemes, loadClusterWidths } from "../text/graphemes.ts";
import { lineText, lineWidth } from "../text/line.ts";
import { createDraft, type Draft, insertPaste, replaceRange, setCaret, typeText } from "./draft.ts";
import { applyDraftAction } from "./draft_actions.ts";
import { layoutOf } from "./draft_layout.ts";
import { stopAfter, stopAtOrAfter } from "./draft_motion.ts";
import { composerRoom, draftHeight, draftRows } from "./draft_rows.ts";
import { createPaste, draftLine, pasteFragment, textFragment } from "./draft_text.ts";
import { walkUnits } from "./draft_units.ts";

await loadClusterWidths();

function draftOf(text: string, pastes: readonly string[] = []): Draft {
  const draft = createDraft();
  for (const [index, piece] of text.split("{P}").entries()) {
    if (index > 0) insertPaste(draft, pastes[index - 1] ?? "paste");
    typeText(draft, piece);
  }
  return draft;
}

function rowsOf(draft: Draft, width: number, height = 1000): string[] {
  return draftRows(draft, width, height).rows.map(lineText);
}

const T = "A漢字かな交じり文、「折り返し」の試験です。한글도 섞어서 mixed words 中文排版没有空格".repeat(3);

Deno.test("U05 wide characters at the right edge of a draft", () => {
  for (let width = 20; width <= 45; width++) {
    const draft = draftOf(T);
    const { rows, caret } = draftRows(draft, width, 30);
    const texts = rows.map(lineText);
    let at = 0;
    for (const text of texts) {
      // One blank at a soft break may take no cell.
      if (at > 0 && T.charAt(at) === " " && !text.startsWith(" ")) at++;
      assert.ok(T.startsWith(text, at), `width ${width}: ${text}`);
      at += text.length;
    }
    assert.equal(at, T.length);
    for (const [index, text] of texts.entries()) {
      assert.ok(lineWidth(rows[index]!) <= width);
      // A sign that must not begin a row takes the one before it along.
      const next = texts[index + 1]?.slice(0, 2) ?? "";
      const last = text.at(-1) ?? "";
      if (!/[\p{Script=Han}\p{Script=Hiragana}]/u.test(last) || next === "") continue;
      const free = width - cellWidth(text);
      assert.ok(free <= (/[、。」]/u.test(next) ? 5 : 1), `width ${width}, row ${index}: ${free} free cells`);
    }
    const before = cellWidth(texts.at(-1) ?? "");
    assert.deepEqual(
      caret,
      before < width ? { row: texts.length - 1, column: before } : { row: texts.length, column: 0 },
    );
  }
});

Deno.test("edge 74: at the end of a full row the caret stands at the start of the next", () => {
  const draft = draftOf("abcdefgh");
  assert.deepEqual(draftRows(draft, 8, 5).caret, { row: 1, column: 0 });
  assert.deepEqual(rowsOf(draft, 8), ["abcdefgh", ""]);
  applyDraftAction(draft, "caret_left", 8);
  assert.deepEqual(draftRows(draft, 8, 5).caret, { row: 0, column: 7 });
  assert.deepEqual(rowsOf(draft, 8), ["abcdefgh"]);
  const wide = draftOf("日本語日");
  assert.deepEqual(draftRows(wide, 8, 5).caret, { row: 1, column: 0 });
  assert.deepEqual(rowsOf(wide, 7), ["日本語", "日"]);
});

Deno.test("words move whole, a blank behind a full row takes no cell, further ones do", () => {
  assert.deepEqual(rowsOf(draftOf("the quick brown fox"), 15), ["the quick brown", "fox"]);
  assert.deepEqual(rowsOf(draftOf("the quick brown   fox"), 15), ["the quick brown", "  fox"]);
  assert.deepEqual(rowsOf(draftOf("abcdefghijkl"), 5), ["abcde", "fghij", "kl"]);
  assert.deepEqual(rowsOf(draftOf("ab abcdefgh"), 5), ["ab ", "abcde", "fgh"]);
  const draft = draftOf("the quick brown ");
  assert.deepEqual(draftRows(draft, 15, 5).caret, { row: 1, column: 0 });
  typeText(draft, "f");
  assert.deepEqual(draftRows(draft, 15, 5).caret, { row: 1, column: 1 });
});

Deno.test("edge 75: a placeholder moves whole to the next row and wraps when it is wider than one", () => {
  assert.deepEqual(rowsOf(draftOf("abcdef{P}gh"), 34), ["abcdef", "[Clipboard #1 | 5 chars, 1 lines]", "gh"]);
  assert.deepEqual(rowsOf(draftOf("ab{P}cd"), 12), ["ab", "[Clipboard #", "1 | 5 chars,", " 1 lines]cd"]);
  const draft = draftOf("ab{P}cd");
  const places: string[] = [];
  do {
    const { row, column } = draftRows(draft, 12, 9).caret;
    places.unshift(`${row},${column}`);
  } while (applyDraftAction(draft, "caret_left", 12));
  assert.deepEqual(places, ["0,0", "0,1", "1,0", "3,9", "3,10", "3,11"]);
  assert.deepEqual(draftRows(draft, 12, 9).rows[3]?.spans.map((span) => span.role), [
    "composer.placeholder",
    "composer.text",
  ]);
});

Deno.test("edge 75: Up and Down step over the rows in the middle of a label and keep their column", () => {
  const draft = draftOf("abcdefghij{P}\nxyz");
  setCaret(draft, { line: 0, column: 8 });
  const places: string[] = [];
  const note = () => places.push(Object.values(draftRows(draft, 12, 9).caret).join(","));
  note();
  while (applyDraftAction(draft, "caret_down", 12)) note();
  while (applyDraftAction(draft, "caret_up", 12)) note();
  // From the 8th column to the label's only stop in its first row, behind its end, the line's end, and back.
  assert.deepEqual(places, ["0,8", "1,0", "3,9", "4,3", "3,9", "1,0", "0,8"]);
});

Deno.test("edge 81: the caret's row is always in view, and the counts add up", () => {
  const draft = draftOf(Array.from({ length: 50 }, (_, index) => `row ${index}`).join("\n"));
  for (const line of [49, 0, 25, 3, 48]) {
    setCaret(draft, { line, column: 2 });
    for (const height of [1, 2, 3, 8, 10, 60]) {
      const { rows, caret, above, below } = draftRows(draft, 20, height);
      assert.equal(rows.length, Math.min(50, height));
      assert.equal(above + rows.length + below, 50);
      assert.equal(lineText(rows[caret.row]!), `row ${line}`);
      assert.equal(lineText(rows[0]!), `row ${above}`);
    }
  }
  assert.equal(draftHeight(draft, 20), 50);
});

Deno.test("composer height: a third of the screen, from 1 to 10", () => {
  const heights = [1, 5, 6, 9, 24, 30, 80].map(composerRoom);
  assert.deepEqual(heights, [1, 1, 2, 3, 8, 10, 10]);
});

Deno.test("tabs go to stops of 8, what cannot be seen is a token", () => {
  assert.deepEqual(rowsOf(draftOf("a\tb\t\tc"), 40), ["a       b               c"]);
  assert.deepEqual(rowsOf(draftOf("日\tx"), 40), ["日      x"]);
  assert.deepEqual(rowsOf(draftOf("abcdefg\thi"), 8), ["abcdefg ", "hi"]);
  const draft = draftOf("a\u{202e}b\u{200b}c\u{301}\u{7f}\u{85}\u{feff}");
  const { rows, caret } = draftRows(draft, 80, 5);
  assert.equal(lineText(rows[0]!), "a<U+202E>b<U+200B>c\u{301}\\x7f\\x85<U+FEFF>");
  assert.equal(caret.column, lineWidth(rows[0]!));
  assert.ok(rows[0]?.spans.some((span) => span.role === "token" && span.text === "<U+202E>"));
  // A mark with nothing to stand on, and one behind a placeholder.
  assert.deepEqual(rowsOf(draftOf("\u{301}a"), 40), ["<U+0301>a"]);
  assert.deepEqual(rowsOf(draftOf("{P}\u{301}"), 60), ["[Clipboard #1 | 5 chars, 1 lines]<U+0301>"]);
});

Deno.test("edge 85: one column, wide signs are shown as a substitute, nothing is too wide", () => {
  assert.deepEqual(rowsOf(draftOf("a日b"), 1), ["a", "?", "b", ""]);
  assert.equal(draftRows(draftOf("日本"), 0, 0).rows.length, 1);
});

const drafts = fc.tuple(
  fc.array(
    fc.constantFrom(
      "a",
      "word",
      " ",
      "  ",
      "\t",
      "日",
      "本、",
      "「語",
      "한글",
      "👨‍👩‍👧",
      "e\u{301}",
      "\u{202e}",
      "\u{3000}",
      "\n",
      "{P}",
      "{P}",
      "🇯🇵",
      "ที่",
      "\u{200d}",
      "longlonglongword",
      "。",
      "0",
    ),
    { maxLength: 30 },
  ).map((pieces) => pieces.join("")),
  fc.integer({ min: 1, max: 60 }),
);

/** Every caret stop of a draft with the place it is shown at. */
function allPlaces(draft: Draft, width: number) {
  const places: { line: number; column: number; row: number; cell: number }[] = [];
  for (const [line, { text }] of draft.lines.entries()) {
    for (let column = 0;; column = stopAfter(text, column)) {
      setCaret(draft, { line, column });
      const { caret, above } = draftRows(draft, width, 3);
      places.push({ line, column, row: above + caret.row, cell: caret.column });
      if (column >= text.length) break;
    }
  }
  return places;
}

Deno.test("for every draft and width: no row too wide, every caret inside, places in order", () => {
  fc.assert(
    fc.property(drafts, ([text, width]) => {
      const draft = draftOf(text);
      const { rows, caret, above, below } = draftRows(draft, width, 10_000);
      assert.equal(above + below, 0);
      for (const row of rows) assert.ok(lineWidth(row) <= width);
      assert.ok(caret.column < width && caret.row < rows.length);
      let before = { row: -1, cell: 0 };
      for (const place of allPlaces(draft, width)) {
        const order = place.row - before.row || place.cell - before.cell;
        // Only beside a blank that takes no cell two stops may share one.
        assert.ok(order >= 0, JSON.stringify(place));
        assert.ok(place.cell < width);
        before = place;
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("rows hold the whole text, but for blanks at their ends", () => {
  const text = fc.array(
    fc.constantFrom(
      "a",
      "word",
      " ",
      "  ",
      "日",
      "本、",
      "「語",
      "한글",
      "👨‍👩‍👧",
      "e\u{301}",
      "🇯🇵",
      "ที่",
      "longlonglongword",
    ),
    { maxLength: 40 },
  ).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 60 }), (text, width) => {
      const draft = draftOf(text);
      setCaret(draft, { line: 0, column: 0 });
      const { starts } = layoutOf(draft.lines[0]!, width);
      for (const [index, row] of rowsOf(draft, width).entries()) {
        const own = text.slice(starts[index], starts[index + 1]);
        assert.ok(
          own === row ||
            own === `${row} ` && lineWidth({ spans: [{ text: row, role: "default" }] }) === width,
          row,
        );
      }
    }),
    { numRuns: 400 },
  );
});

Deno.test("a changed line wraps as the same line typed anew", () => {
  const piece = fc.constantFrom(
    "a",
    "word",
    " ",
    "  ",
    "\t",
    "日",
    "本、",
    "「語",
    "。",
    "👨‍👩‍👧",
    "\u{301}",
    "\u{200d}",
    "🇯",
    "{P}",
    "longlonglongword",
    "",
  );
  const edit = fc.record({ at: fc.nat(), remove: fc.nat(12), put: piece });
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 10, maxLength: 60 }),
      fc.array(fc.array(edit, { maxLength: 3 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 30 }),
      (pieces, edits, width) => {
        const draft = draftOf(pieces.join(""));
        draftRows(draft, width, 5);
        for (const few of edits) {
          for (const { at, remove, put } of few) {
            const { text } = draft.lines[0]!;
            const start = stopAtOrAfter(text, at % (text.length + 1));
            const end = stopAtOrAfter(text, Math.min(text.length, start + remove));
            const range = { start: { line: 0, column: start }, end: { line: 0, column: end } };
            const piece = put === "{P}" ? pasteFragment(createPaste(7, "P")) : textFragment(put);
            replaceRange(draft, range, piece);
          }
          const { text, pastes } = draft.lines[0]!;
          assert.deepEqual(layoutOf(draft.lines[0]!, width), layoutOf(draftLine(text, pastes), width));
        }
      },
    ),
    { numRuns: 600 },
  );
});

Deno.test("long lines are looked at in pieces, without a unit lost or cut", () => {
  for (const unit of ["👨‍👩‍👧", "🇯🇵", "e\u{301}", "ab", "日"]) {
    for (const lead of ["", "x", "xx", "xxx"]) {
      const text = lead + unit.repeat(3000);
      const units: string[] = [];
      walkUnits(draftLine(text), { start: 0, end: text.length }, (start, end) => {
        units.push(text.slice(start, end));
      });
      assert.deepEqual(units, [...graphemes(text)]);
    }
  }
  // One cluster longer than a piece.
  const zalgo = "a" + "\u{301}".repeat(9000) + "b";
  const ends: number[] = [];
  walkUnits(draftLine(zalgo), { start: 0, end: zalgo.length }, (_start, end) => {
    ends.push(end);
  });
  assert.deepEqual(ends, [9001, 9002]);
});

Deno.test("the caret's column is the width of what stands before it in its row", () => {
  fc.assert(
    fc.property(drafts, ([text, width]) => {
      const draft = draftOf(text);
      for (const { line, column } of allPlaces(draft, width)) {
        setCaret(draft, { line, column });
        const { rows, caret } = draftRows(draft, width, 10_000);
        let cells = 0;
        const starts = new Set([0]);
        for (const span of rows[caret.row]!.spans) {
          for (const sign of graphemes(span.text)) starts.add(cells += cellWidth(sign));
        }
        assert.ok(
          starts.has(caret.column),
          `column ${caret.column} of ${JSON.stringify(lineText(rows[caret.row]!))}`,
        );
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("ASCII wraps the same by arithmetic and by looking at every sign", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "bc", " ", "  ", "wordword"), { maxLength: 40 }),
      fc.integer({ min: 1, max: 20 }),
      (pieces, width) => {
        const text = pieces.join("");
        const plain = rowsOf(draftOf(text), width);
        // Behind a line end an accent makes another line slow; in front of it this one is.
        const slow = rowsOf(draftOf(text.replaceAll("a", "é")), width).map((row) => row.replaceAll("é", "a"));
        assert.deepEqual(slow, plain);
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("Up then Down comes back, over all rows, and never leaves the draft", () => {
  fc.assert(
    fc.property(drafts, fc.nat(), ([text, width], seed) => {
      const draft = draftOf(text);
      const places = allPlaces(draft, width);
      const start = places[seed % places.length]!;
      setCaret(draft, { line: start.line, column: start.column });
      const { above, caret } = draftRows(draft, width, 3);
      const row = above + caret.row;
      if (!applyDraftAction(draft, "caret_up", width)) return;
      const higher = draftRows(draft, width, 3);
      assert.ok(higher.above + higher.caret.row < row);
      assert.ok(higher.caret.column <= start.cell || higher.caret.column < width);
      applyDraftAction(draft, "caret_down", width);
      const back = draftRows(draft, width, 3);
      assert.ok(back.above + back.caret.row <= row);
    }),
    { numRuns: 300 },
  );
});

Deno.test("only lines that changed are laid out again", () => {
  const draft = draftOf(Array.from({ length: 2000 }, (_, index) => `line ${index} 日本語 text`).join("\n"));
  draftRows(draft, 40, 8);
  const before = draft.lines.map((line) => line.layout);
  setCaret(draft, { line: 1000, column: 3 });
  typeText(draft, "x");
  draftRows(draft, 40, 8);
  const changed = draft.lines.flatMap((line, index) => line.layout === before[index] ? [] : [index]);
  assert.deepEqual(changed, [1000]);
});
