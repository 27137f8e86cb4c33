// Taking text along: the selected block, or the newest answer, into the clipboard of the terminal.

import { blockText } from "../layout/block_text.ts";
import { firstIndex, indexOfBlock } from "../layout/layout.ts";
import { withoutSequences } from "../text/escape_sequence.ts";
import type { Effect } from "./effect.ts";
import { showHint, type State } from "./state.ts";

/** What terminals take at once differs; more than this (bytes of UTF-8) few do. */
export const MOST_COPIED = 1 << 20;

const NOTHING: readonly Effect[] = [];

/** Copies the selected block. */
export function copySelected(state: State): readonly Effect[] {
  if (state.selected === null) return nothing(state, "There is nothing to copy yet");
  return copy(state, blockText(state.layout, indexOfBlock(state.layout, state.selected)));
}

/** Copies the newest answer. */
export function copyAnswer(state: State): readonly Effect[] {
  const { layout } = state;
  const index = layout.blocks.findLastIndex(({ kind }) => kind === "assistant_text");
  return index < firstIndex(layout)
    ? nothing(state, "There is no answer to copy yet")
    : copy(state, blockText(state.layout, index));
}

function copy(state: State, said: string): readonly Effect[] {
  const text = withoutSequences(said);
  const length = new TextEncoder().encode(text).length;
  if (text === "") return nothing(state, "This block has no text");
  if (length > MOST_COPIED) {
    return nothing(state, `Cannot copy ${Math.ceil(length / 1024)} KiB: terminals take 1 MiB at most`);
  }
  const lines = text.split("\n").length;
  showHint(state, `${lines === 1 ? "1 line" : `${lines} lines`} sent to the terminal's clipboard`);
  return [{ kind: "copy", text }];
}

function nothing(state: State, why: string): readonly Effect[] {
  showHint(state, why, "warn");
  return NOTHING;
}
