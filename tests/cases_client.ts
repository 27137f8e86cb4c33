// What the tests of users' cases share: a client on an emulator that is told events and keys, and what it shows.

import assert from "node:assert/strict";
import { transcriptHeight } from "../src/app/update.ts";
import { parseKeyScript } from "../src/input/key_script.ts";
import { visibleRows } from "../src/layout/viewport.ts";
import type { FoldMode } from "../src/transcript/block.ts";
import {
  closePlayer,
  createPlayer,
  feedBytes,
  type Player,
  press as pressSteps,
  show,
} from "./golden/player.ts";

export const FOLDS: readonly FoldMode[] = ["detail", "normal", "overview"];
export const HELLO = event("hello", {
  protocol: "pod-jsonl",
  version: 1,
  agent: "test",
  capabilities: ["history", "pause", "steer"],
});

/** A table with wide signs. */
export const TABLE = [
  "| 項目 | 版本 | 状態 |",
  "|---|---|---|",
  "| 前端フレーム | 4.2.0 | 已发布 |",
  "| CLI | 2.0.1 | 🟡 pending |",
  "| 最終行 | 9 | end |",
].join("\n");

export function event(name: string, data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ event: name, data }) + "\n";
}

export function text(said: string): string {
  return event("text_done", { text: said });
}

let messages = 0;
export function user(said: string): string {
  return event("user_message", { message_id: `u${messages++}`, text: said, kind: "run" });
}

export function start(id: string, name: string): string {
  return event("tool_call_start", { id, name });
}

export function args(id: string, json: string): string {
  return event("tool_call_args_delta", { id, json });
}

export function result(id: string, summary: string, output: string | null, isError = false): string {
  return event("tool_result", { id, summary, output, is_error: isError });
}

export function client(width: number, height: number, fold: FoldMode): Player {
  return createPlayer({ width, height, fold }, { recording: false });
}

export function close(...players: readonly Player[]): void {
  players.forEach(closePlayer);
}

export function tell(player: Player, ...lines: readonly string[]): void {
  feedBytes(player, new TextEncoder().encode(lines.join("")), false);
}

export function press(player: Player, script: string): void {
  const parsed = parseKeyScript(script);
  assert.ok(parsed.kind === "script");
  pressSteps(player, parsed.steps);
}

/** Draws a frame; every cell of every terminal must be right. */
export function check(player: Player, where: string): void {
  assert.deepEqual(show(player, where).slice(0, 5), []);
}

export function picture(player: Player): string[] {
  return player.emulators[0]?.picture() ?? [];
}

export function rowText(player: Player, row: number): string {
  return (picture(player)[row] ?? "").trimEnd();
}

export function topRow(player: Player): string {
  const { state } = player;
  const line = visibleRows(state.layout, state.viewport, transcriptHeight(state))[0]?.line;
  return line?.spans.map((span) => span.text).join("") ?? "";
}

export function statusRow(player: Player): string {
  return picture(player).at(-2) ?? "";
}

/** Rows of the blocks of a kind as the first terminal shows them, gutter included. */
export function blockRows(player: Player, kind: string): string[] {
  const { state } = player;
  return visibleRows(state.layout, state.viewport, transcriptHeight(state)).flatMap((row, at) =>
    row.block.kind === kind && row.line !== null ? [rowText(player, at)] : []
  );
}

/** The same without the gutter. */
export function textRows(player: Player, kind: string): string[] {
  return blockRows(player, kind).map((row) => row.slice(2));
}
