// A case as golden sections. Every way of feeding a case must give the same sections.

import { joinBytes } from "../../src/recordings/bytes.ts";
import { visibleRows } from "../../src/layout/viewport.ts";
import { createFrame, type Frame } from "../../src/screen/frame.ts";
import { snapshotText } from "../../src/screen/snapshot.ts";
import { snapshotState } from "../../src/app/files.ts";
import { transcriptHeight } from "../../src/app/update.ts";
import { historyOf } from "../../src/transcript/snapshot.ts";
import type { Checkpoint, GoldenCase, View } from "./case.ts";
import { closePlayer, createPlayer, feedBytes, type Player, press, resize, show } from "./player.ts";

/**
 * How a case is fed: all at once; an event at a time with a frame each; byte by byte; resized away and back; to
 * another client first, whose transcript then comes as one history.
 */
export const WAYS = ["whole", "events", "bytes", "resized", "history"] as const;
export type Way = typeof WAYS[number];

/** One printed view. `wrong` lists cells in which a terminal showed something else than the frame, at any step. */
export interface Section {
  readonly heading: string;
  readonly text: string;
  readonly wrong: readonly string[];
}

/** The sections of a case, in the order of the golden file: all of them, or those this way of feeding looks at. */
export function sectionsOf(golden: GoldenCase, way: Way): readonly Section[] {
  return golden.checkpoints.flatMap((checkpoint) =>
    viewsOf(checkpoint, way).map((view) => section(golden, checkpoint, view, way))
  );
}

/** A frame after every event is looked at in one size a fold mode: the sizes' own faults show in the other ways. */
function viewsOf(checkpoint: Checkpoint, way: Way): readonly View[] {
  if (way !== "events") return checkpoint.views;
  const { views } = checkpoint;
  return views.filter((view, at) => {
    const sameFold = views.filter((other) => other.fold === view.fold);
    return views.indexOf(sameFold[FOLD_SIZE[view.fold] % sameFold.length] ?? view) === at;
  });
}

/** Which of a fold mode's sizes is taken: another one for each. */
const FOLD_SIZE: Readonly<Record<View["fold"], number>> = { detail: 1, normal: 0, overview: 2 };

/** The golden file's text. Equal sections of a block case are one line. */
export function goldenText(golden: GoldenCase, sections: readonly Section[]): string {
  const seen = new Map<string, string>();
  const parts = [`# ${golden.name}: ${golden.proves}\n`];
  for (const { heading, text } of sections) {
    const before = golden.kind === "block" ? seen.get(text) : undefined;
    parts.push(`== ${heading} ==\n`, before === undefined ? text : `same as ${before}\n`);
    if (before === undefined) seen.set(text, heading);
  }
  return parts.join("");
}

function section(golden: GoldenCase, checkpoint: Checkpoint, view: View, way: Way): Section {
  const player = createPlayer(view, { recording: golden.recording });
  const wrong: string[] = [];
  const heading = `${checkpoint.name} | ${view.fold} | ${view.width}x${
    golden.kind === "block" ? "" : view.height
  }`.replace(/x$/, "");
  const lines = checkpoint.after === null ? golden.lines : golden.lines.slice(0, checkpoint.after);
  const isEnd = checkpoint.after === null;
  if (way === "history") feedBytes(player, historyOfLines(golden, lines, view, isEnd), isEnd);
  else feed(player, lines, way, isEnd, wrong);
  press(player, checkpoint.keys);
  wrong.push(...show(player, "end"));
  if (way === "resized") {
    for (
      const [width, height] of [[view.width + 23, view.height + 7], [17, 9], [
        view.width,
        view.height,
      ]] as const
    ) {
      resize(player, width, height);
      wrong.push(...show(player, `resized to ${width}x${height}`));
    }
  }
  const text = golden.kind === "block" ? blockText(player, golden.block) : screenText(player);
  closePlayer(player);
  return { heading, text, wrong };
}

function feed(player: Player, lines: readonly Uint8Array[], way: Way, end: boolean, wrong: string[]): void {
  if (way === "whole" || way === "resized") {
    feedBytes(player, joinBytes(lines), end);
    return;
  }
  lines.forEach((bytes, at) => {
    if (way === "bytes") { for (const byte of bytes) feedBytes(player, Uint8Array.of(byte), false); }
    else {
      feedBytes(player, bytes, false);
      wrong.push(...show(player, `line ${at + 1}`));
    }
  });
  feedBytes(player, new Uint8Array(0), end);
}

/** What a pod would send to a client that attaches after these lines. */
function historyOfLines(
  golden: GoldenCase,
  lines: readonly Uint8Array[],
  view: View,
  isEnd: boolean,
): Uint8Array {
  const pod = createPlayer(view, { recording: golden.recording, terminals: false });
  feedBytes(pod, joinBytes(lines), isEnd);
  const { transcript } = pod.state;
  const { agent, capabilities } = transcript;
  const events = [
    { event: "hello", data: { protocol: "pod-jsonl", version: 1, agent, capabilities } },
    { event: "history", data: historyOf(transcript) },
  ];
  return new TextEncoder().encode(events.map((event) => JSON.stringify(event) + "\n").join(""));
}

function screenText(player: Player): string {
  const emulator = player.emulators[0];
  const { frame } = player;
  const picture = emulator === undefined ? undefined : {
    rows: emulator.picture(),
    cursor: emulator.cursor().visible && frame.cursor !== null
      ? { row: emulator.cursor().row, column: emulator.cursor().column, shape: frame.cursor.shape }
      : null,
    title: emulator.title(),
  };
  return snapshotText(frame, snapshotState(player.state), picture);
}

/** Only the rows of the last block of that kind. */
function blockText(player: Player, kind: string): string {
  const { state, frame } = player;
  const rows = visibleRows(state.layout, state.viewport, transcriptHeight(state));
  const block = rows.findLast((row) => row.block.kind === kind)?.block;
  if (block === undefined) throw new Error(`Cannot print the case: no ${kind} block shows`);
  const shown = rows.map((row, at) => ({ row, at })).filter(({ row }) =>
    row.block === block && row.line !== null
  ).map(({ at }) => at);
  const first = shown[0] ?? 0;
  const height = shown.length;
  const part = cutRows(frame, first, height);
  const picture = player.emulators[0]?.picture().slice(first, first + height) ?? [];
  return snapshotText(
    part,
    { rowsStart: 0, rowsEnd: height, rowCount: height, isFollowing: true, focus: state.focus, panel: null },
    { rows: picture, cursor: null, title: "" },
  );
}

function cutRows(frame: Frame, first: number, height: number): Frame {
  const part = createFrame(frame.width, height);
  part.clusters = frame.clusters;
  part.glyphs.set(frame.glyphs.subarray(first * frame.width, (first + height) * frame.width));
  part.styles.set(frame.styles.subarray(first * frame.width, (first + height) * frame.width));
  return part;
}
