// For tests of the search: sessions to look through, and what is found in them.

import assert from "node:assert/strict";
import { foundInDetail } from "../layout/find.ts";
import { firstIndex } from "../layout/layout.ts";
import { visibleRows } from "../layout/viewport.ts";
import { lineText } from "../text/line.ts";
import { shownFind } from "./panels/shown_panel.ts";
import { foundParts } from "./find_parts.ts";
import { give, tell, type TestClient } from "./testing.ts";
import { transcriptHeight } from "./update.ts";

/** What is said in a turn. */
export interface ToldTurn {
  readonly asked: string;
  /** What a call printed; null: nothing is called. */
  readonly output: string | null;
  readonly answer: string;
  readonly name?: string;
  readonly command?: string;
}

let toldCount = 0;

/** A call with its result; gives its id. */
export function tellCall(client: TestClient, output: string, name = "Bash", command = "run"): string {
  const id = `c${++toldCount}`;
  tell(client, "tool_call_start", { id, name });
  tell(client, "tool_call_done", { id, name, arguments: JSON.stringify({ command }) });
  tell(client, "tool_result", { id, name, output });
  return id;
}

/** A whole turn. */
export function tellTurn(client: TestClient, { asked, output, answer, name, command }: ToldTurn): void {
  const turn = ++toldCount;
  tell(client, "user_message", { kind: "run", text: asked, message_id: `m${turn}`, parent_id: null });
  tell(client, "turn_start", { turn });
  if (output !== null) tellCall(client, output, name, command);
  tell(client, "text_delta", { text: answer });
  tell(client, "text_done", {});
  tell(client, "turn_end", { turn, result: "finished" });
}

/** Ticks until all was looked through; returns how many were needed. */
export function lookToEnd(client: TestClient): number {
  let ticks = 0;
  for (; client.state.isLooking; ticks++) {
    assert.ok(ticks < 1000, "it never ends");
    give(client, { kind: "tick" });
  }
  return ticks;
}

/** How many places there really are. */
export function placesThere(client: TestClient): number {
  const { layout } = client.state;
  const wanted = shownFind(client.state)?.wanted;
  if (!wanted) return 0;
  let sum = 0;
  for (let at = firstIndex(layout); at < layout.blocks.length; at++) {
    sum += foundInDetail(layout, at, wanted).length;
  }
  return sum;
}

/** How many the search has counted. */
export function placesCounted(client: TestClient): number {
  return shownFind(client.state)?.found.reduce((sum, { count }) => sum + count, 0) ?? 0;
}

/** The row in view in which the place that the view went to is marked, as text; null when it is not in view. */
export function currentRow(client: TestClient): string | null {
  const { state } = client;
  const rows = visibleRows(state.layout, state.viewport, transcriptHeight(state));
  for (const [row, parts] of foundParts(state, rows)) {
    if (parts.some(({ role }) => role === "find.current")) return lineText(row.line!).trim();
  }
  return null;
}
