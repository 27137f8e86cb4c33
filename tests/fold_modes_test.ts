// Every recording of testdata in every fold mode: budgets of normal, one row a block in overview, no line too wide.

import assert from "node:assert/strict";
import { loadLibraries } from "../src/app/files.ts";
import { segmentLine, segmentRows } from "../src/layout/block_lines.ts";
import { lookOf, rowsOf } from "../src/layout/layout.ts";
import { gutterWidth } from "../src/layout/look.ts";
import { lineWidth } from "../src/text/line.ts";
import type { Block, FoldMode } from "../src/transcript/block.ts";
import { CASES } from "./golden/files.ts";
import { createPlayer, feedBytes, type Player, resize } from "./golden/player.ts";

await loadLibraries();

/** Every case that is one recording; traffic for the live agents' tests and folders of many files are not. */
const RECORDINGS = [...Deno.readDirSync(CASES)].map(({ name }) => name).filter(hasRecording).sort();

Deno.test("E05 edge 43 folded blocks keep to their kind's rows in normal", () => {
  each("normal", [12, 24, 40, 100], (player, where) => {
    const { layout } = player.state;
    layout.blocks.forEach((block, index) => {
      const look = lookOf(layout, block);
      if (look.running || (block.kind === "assistant_text" && look.whole)) return;
      const rows = rowCount(player, index);
      assert.ok(rows <= budget(block), `${where}: ${block.kind} ${block.id} has ${rows} rows`);
    });
  });
});

Deno.test("E06 edge 90 a block is one row in overview, or shows in no mode", () => {
  each("overview", [12, 40, 100], (player, where) => {
    player.state.layout.blocks.forEach((block, index) => {
      const isShown = block.kind !== "assistant_text" || block.text.trim() !== "";
      if (block.kind === "reasoning" && block.done && block.text.trim() === "") return;
      assert.equal(rowCount(player, index), isShown ? 1 : 0, `${where}: ${block.kind} ${block.id}`);
    });
  });
});

Deno.test("no line is wider than its room, for widths from 1 to 200", () => {
  for (const fold of ["detail", "normal", "overview"] as const) {
    each(fold, [80], (player, where) => {
      for (const width of [...Array.from({ length: 30 }, (_, at) => at + 1), 37, 64, 99, 131, 200]) {
        resize(player, width, 24);
        const room = width - gutterWidth(width);
        player.state.layout.blocks.forEach((block, index) => {
          for (const segment of rowsOf(player.state.layout, index).segments) {
            for (let row = 0; row < Math.min(200, segmentRows(segment)); row++) {
              const cells = lineWidth(segmentLine(segment, row));
              // A wide sign in one cell is substituted where it is painted.
              assert.ok(
                cells <= Math.max(room, 2),
                `${where}, ${width}: ${block.kind} ${block.id} row ${row}: ${cells}`,
              );
            }
          }
        });
      }
    });
  }
});

function budget(block: Block): number {
  switch (block.kind) {
    case "turn_header":
    case "compact":
    case "marker":
    case "turn_stats":
      return 1;
    case "reasoning":
    case "notification":
      return 3;
    case "tool_call": {
      const [call] = block.calls;
      if (block.calls.length > 1 || call === undefined) return 6;
      if (call.stage === "incomplete") return 2;
      if (call.stage === "error") return 4;
      // A card of diffs looks like Edit.
      const isDiff = call.presentation?.body?.some((part) => part.type === "diff") === true;
      return call.changes !== null || isDiff ? 13 : 7;
    }
    default:
      return 6;
  }
}

function each(
  fold: FoldMode,
  widths: readonly number[],
  look: (player: Player, where: string) => void,
): void {
  for (const name of RECORDINGS) {
    const bytes = Deno.readFileSync(`${CASES}/${name}/events.jsonl`);
    for (const width of widths) {
      const player = createPlayer({ fold, width, height: 24 }, { recording: true, terminals: false });
      feedBytes(player, bytes, true);
      look(player, `${name}, ${fold}, ${width}`);
    }
  }
}

function rowCount(player: Player, index: number): number {
  return rowsOf(player.state.layout, index).segments.reduce(
    (rows, segment) => rows + segmentRows(segment),
    0,
  );
}

function hasRecording(name: string): boolean {
  try {
    return Deno.statSync(`${CASES}/${name}/events.jsonl`).isFile;
  } catch {
    return false;
  }
}
