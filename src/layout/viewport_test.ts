// Scrolling, following and what is held, over transcripts made of events; work is counted, never timed.

import assert from "node:assert/strict";
import { lineText } from "../text/line.ts";
import { createMarkdown, loadMarkdown, markdownLines, updateMarkdown } from "../text/markdown.ts";
import type { FoldMode, Transcript } from "../transcript/block.ts";
import { parseEvent } from "../transcript/event.ts";
import { applyParsed, createTranscript, takeChanges } from "../transcript/reduce.ts";
import { changeSettings, createLayout, type Layout, syncLayout } from "./layout.ts";
import { gutterWidth, type LayoutSettings } from "./look.ts";
import {
  createViewport,
  follow,
  isFollowing,
  newBelow,
  rowTotals,
  scrollRows,
  scrollToStart,
  scrollToTurn,
  type Viewport,
  visibleRows,
} from "./viewport.ts";

await loadMarkdown();

const SETTINGS: LayoutSettings = {
  width: 80,
  fold: "normal",
  showReasoning: true,
  previewHead: 2,
  previewTail: 2,
  overrides: new Map(),
  clearedThrough: null,
};

interface Screen {
  readonly transcript: Transcript;
  readonly layout: Layout;
  readonly viewport: Viewport;
  height: number;
}

function createScreen(height = 20): Screen {
  return {
    transcript: createTranscript(),
    layout: createLayout(SETTINGS),
    viewport: createViewport(),
    height,
  };
}

function tell(screen: Screen, event: string, data: Record<string, unknown>): void {
  applyParsed(screen.transcript, parseEvent({ event, data }));
  syncLayout(screen.layout, screen.transcript, takeChanges(screen.transcript));
}

/** The rows in view as text, blank rows as "". */
function seen(screen: Screen): string[] {
  return visibleRows(screen.layout, screen.viewport, screen.height).map((row) =>
    row.line === null ? "" : lineText(row.line)
  );
}

function set(screen: Screen, change: Partial<LayoutSettings>): void {
  changeSettings(screen.layout, { ...screen.layout.settings, ...change });
}

/** Blocks laid out by what `deed` does, drawing included. */
function work(screen: Screen, deed: () => void): number {
  const before = screen.layout.work.blocks;
  deed();
  seen(screen);
  return screen.layout.work.blocks - before;
}

/** One turn a number, each with an answer of one row. */
function tellTurns(screen: Screen, first: number, last: number): void {
  for (let turn = first; turn <= last; turn++) {
    tell(screen, "user_message", { message_id: `u${turn}`, text: `question ${turn}` });
    tell(screen, "turn_start", { turn });
    tell(screen, "text_done", { text: `ANSWER-${String(turn).padStart(3, "0")}` });
    tell(screen, "turn_end", { turn, result: "finished" });
  }
}

Deno.test("following shows the newest row, whatever arrives", () => {
  const screen = createScreen(6);
  tellTurns(screen, 1, 50);
  assert.ok(seen(screen).at(-1)?.includes("finished"));
  tell(screen, "user_message", { text: "one more" });
  assert.equal(seen(screen).at(-1), "one more");
  assert.ok(isFollowing(screen.viewport));
});

Deno.test("edge 89: what fits does not scroll, and an empty history shows nothing", () => {
  const screen = createScreen(40);
  assert.deepEqual(seen(screen), []);
  scrollRows(screen.layout, screen.viewport, screen.height, -3);
  tellTurns(screen, 1, 2);
  scrollRows(screen.layout, screen.viewport, screen.height, -3);
  scrollToStart(screen.layout, screen.viewport, screen.height);
  scrollToTurn(screen.layout, screen.viewport, screen.height, -1);
  assert.ok(isFollowing(screen.viewport));
});

Deno.test("U11: reading while it streams never moves the top row", () => {
  const screen = createScreen(20);
  tell(screen, "user_message", { text: "count" });
  for (let at = 1; at <= 200; at++) {
    tell(screen, "text_done", { text: `ANCHOR-${String(at).padStart(3, "0")}` });
  }
  while (!seen(screen)[0]?.startsWith("ANCHOR-042")) {
    scrollRows(screen.layout, screen.viewport, screen.height, -1);
    assert.ok(!isFollowing(screen.viewport));
  }
  const top = () => seen(screen)[0];
  for (let at = 0; at < 300; at++) {
    tell(screen, "text_delta", { text: `line ${at}\n\n` });
    assert.equal(top(), "ANCHOR-042");
  }
  tell(screen, "tool_call_start", { id: "t", name: "probe" });
  tell(screen, "tool_result", { id: "t", summary: "done", output: "x\n".repeat(50) });
  tell(screen, "turn_end", { result: "finished" });
  tellTurns(screen, 2, 3);
  tell(screen, "notification", { level: "warn", message: "look" });
  assert.equal(top(), "ANCHOR-042");
  assert.ok(newBelow(screen.layout, screen.viewport) > 0);
  set(screen, { width: 60 });
  assert.equal(top(), "ANCHOR-042");
  for (const fold of ["overview", "detail", "normal"] as FoldMode[]) set(screen, { fold });
  set(screen, { width: 80 });
  assert.equal(top(), "ANCHOR-042");
  follow(screen.layout, screen.viewport);
  assert.ok(seen(screen).at(-1)?.includes("look"));
});

Deno.test("edge 88: a turn jump goes to the own header first, then to the one before; past the last one it follows", () => {
  const screen = createScreen(5);
  tellTurns(screen, 1, 9);
  const jump = (direction: -1 | 1) => {
    scrollToTurn(screen.layout, screen.viewport, screen.height, direction);
    return seen(screen)[0];
  };
  assert.equal(jump(-1), "9");
  assert.equal(jump(-1), "8");
  scrollRows(screen.layout, screen.viewport, screen.height, 2);
  assert.equal(jump(-1), "8");
  assert.equal(jump(1), "9");
  jump(1);
  assert.ok(isFollowing(screen.viewport));
});

Deno.test("scrolling down to the last row follows again; totals are exact", () => {
  const screen = createScreen(10);
  tellTurns(screen, 1, 20);
  scrollToStart(screen.layout, screen.viewport, screen.height);
  const { top, total } = rowTotals(screen.layout, screen.viewport, screen.height);
  assert.equal(top, 0);
  for (let row = 0; row < total - 10; row++) {
    assert.ok(!isFollowing(screen.viewport));
    assert.equal(rowTotals(screen.layout, screen.viewport, screen.height).top, row);
    scrollRows(screen.layout, screen.viewport, screen.height, 1);
  }
  assert.ok(isFollowing(screen.viewport));
});

Deno.test("a running tool read by someone who scrolled keeps its look when it ends", () => {
  const screen = createScreen(30);
  tellTurns(screen, 1, 30);
  tell(screen, "user_message", { text: "run it" });
  tell(screen, "tool_call_done", { id: "t", name: "Bash", arguments: '{"command":"make"}' });
  tell(screen, "tool_output", {
    id: "t",
    text: Array.from({ length: 12 }, (_, at) => `out ${at}\n`).join(""),
  });
  scrollRows(screen.layout, screen.viewport, screen.height, -2);
  const before = seen(screen);
  assert.ok(before.some((row) => row.includes("out 3")));
  tell(screen, "tool_result", { id: "t", summary: "done", output: null });
  assert.deepEqual(seen(screen).slice(0, 10), before.slice(0, 10));
  assert.ok(seen(screen).some((row) => row.includes("out 3")), "the body stays while it is read");
  follow(screen.layout, screen.viewport);
  assert.ok(!seen(screen).some((row) => row.includes("out 3")), "folded when followed again");
});

Deno.test("invariant 8: at 100,000 blocks a frame lays out only what is in view or changed", () => {
  const screen = createScreen(40);
  const parsed = parseEvent({ event: "text_done", data: { text: "one row of an answer" } });
  tell(screen, "user_message", { text: "go" });
  for (let at = 0; at < 100_000; at++) applyParsed(screen.transcript, parsed);
  syncLayout(screen.layout, screen.transcript, takeChanges(screen.transcript));
  const inView = 40;
  assert.ok(work(screen, () => {}) <= inView, "first frame");
  assert.equal(work(screen, () => {}), 0, "nothing changed");
  assert.ok(work(screen, () => set(screen, { width: 61 })) <= inView, "resize");
  assert.ok(work(screen, () => set(screen, { fold: "overview" })) <= inView + 1, "mode switch");
  assert.ok(work(screen, () => set(screen, { fold: "normal" })) <= inView + 1, "mode switch back");
  assert.ok(work(screen, () => scrollRows(screen.layout, screen.viewport, 40, -1)) <= 2, "a scrolled line");
  assert.ok(work(screen, () => scrollRows(screen.layout, screen.viewport, 40, -39)) <= 42, "a scrolled page");
  assert.ok(work(screen, () => scrollToStart(screen.layout, screen.viewport, 40)) <= 2 * inView + 2, "start");
  follow(screen.layout, screen.viewport);
  seen(screen);
  tell(screen, "text_delta", { text: "a" });
  seen(screen);
  assert.ok(work(screen, () => tell(screen, "text_delta", { text: " token" })) <= 1, "a streamed token");
});

Deno.test("a turn's end says nothing of what was nothing or is not known", () => {
  const end = (data: Record<string, unknown>, usage: Record<string, unknown> | null = null) => {
    const screen = createScreen();
    tell(screen, "turn_start", { turn: 1 });
    if (usage !== null) tell(screen, "usage", { turn: 1, step: 1, ...usage });
    tell(screen, "turn_end", { turn: 1, result: "finished", ...data });
    return seen(screen).filter((row) => row !== "").at(-1)?.trim();
  };
  assert.equal(end({ requests: 0, elapsed_ms: 0 }), "finished");
  assert.equal(end({ requests: 0, elapsed_ms: 999 }, { input_tokens: 0, output_tokens: 0 }), "finished");
  assert.equal(end({ requests: 2, elapsed_ms: 1000 }), "finished  2 requests  1s");
  assert.equal(end({}, { input_tokens: 0, output_tokens: 7 }), "finished  0/7");
  assert.equal(end({}, { output_tokens: 7 }), "finished  ?/7");
});

Deno.test("reasoning says how long it took where that is worth a word", () => {
  const head = (elapsed_ms: number | null) => {
    const screen = createScreen();
    tell(screen, "reasoning_start", { id: "r" });
    tell(screen, "reasoning_done", { id: "r", text: "hm", ...(elapsed_ms === null ? {} : { elapsed_ms }) });
    return seen(screen).filter((row) => row !== "")[0]?.trim();
  };
  assert.deepEqual([head(null), head(0), head(999), head(12_000)], [
    "Thought",
    "Thought",
    "Thought",
    "Thought 12s",
  ]);
});

Deno.test("a long answer's rows are its Markdown's, scrolled through, at the top and inside a call", () => {
  const text = "Some *words* of it\n\n- item one\n- item two\n\n```ts\nconst a = 1;\n```\n\n".repeat(1500);
  const rowsOf = (width: number) => {
    const markdown = createMarkdown();
    updateMarkdown(markdown, text, true);
    return markdownLines(markdown, width).map(lineText);
  };
  for (const parent of [null, "t"]) {
    const screen = createScreen(40);
    set(screen, { fold: "detail" });
    tell(screen, "user_message", { text: "go" });
    if (parent !== null) tell(screen, "tool_call_done", { id: "t", name: "Task", arguments: "{}" });
    tell(screen, "text_done", { text, parent_id: parent });
    const inner = 80 - gutterWidth(80) - (parent === null ? 0 : 4);
    const expected = rowsOf(inner).filter((row) => row !== "");
    const { total } = rowTotals(screen.layout, screen.viewport, screen.height);
    const read: string[] = [];
    scrollToStart(screen.layout, screen.viewport, screen.height);
    for (let at = 0; at < total; at += 40) {
      // The last page is drawn up, so that rows of the one before are seen twice.
      read.push(...seen(screen).slice(Math.max(0, at + 40 - total)));
      scrollRows(screen.layout, screen.viewport, screen.height, 40);
    }
    const answer = read.map((row) => parent === null ? row : row.slice(4)).filter((row) => row !== "");
    const first = answer.indexOf("Some words of it");
    assert.deepEqual(answer.slice(first, first + expected.length), expected);
  }
});
