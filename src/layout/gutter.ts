// The mark in front of a block's first row: what it is and how it stands, readable without colour.

import type { Block, QuestionBlock } from "../transcript/block.ts";
import { unreachable } from "../transcript/block.ts";
import type { ToolCall, ToolStage } from "../transcript/tool_call.ts";
import type { Role } from "../text/role.ts";

/** One narrow sign and its role. */
export interface Mark {
  readonly text: string;
  readonly role: Role;
}

/** A glyph for every stage of a tool call. */
export const STAGE_MARKS: Readonly<Record<ToolStage, Mark>> = {
  pending: { text: "○", role: "status.pending" },
  streaming: { text: "◐", role: "status.streaming" },
  executing: { text: "●", role: "status.executing" },
  done: { text: "✓", role: "status.done" },
  error: { text: "✗", role: "status.failed" },
  incomplete: { text: "?", role: "status.incomplete" },
};

/** What would run, while its agent is paused. */
const HELD_MARK: Mark = { text: "‖", role: "status.pending" };

/** A mark as it is drawn while the agent is paused: nothing then looks as if it ran. */
export function heldMark(mark: Mark): Mark {
  const { pending, streaming, executing } = STAGE_MARKS;
  return mark === pending || mark === streaming || mark === executing ? HELD_MARK : mark;
}

const NOTE_MARKS: Readonly<Record<"info" | "warn" | "error", Mark>> = {
  info: { text: "i", role: "note.info" },
  warn: { text: "!", role: "note.warn" },
  error: { text: "✗", role: "note.error" },
};

/** The mark of a block. */
export function blockMark(block: Block): Mark {
  switch (block.kind) {
    case "greeting":
      return { text: "*", role: "greeting.name" };
    case "turn_header":
      return { text: "#", role: "turn.mark" };
    case "user_message":
      return { text: ">", role: block.confirmed ? "user.mark" : "user.pending" };
    case "assistant_text":
      return { text: " ", role: "default" };
    case "reasoning":
      return { text: "·", role: "reasoning.mark" };
    case "tool_call":
      return STAGE_MARKS[groupStage(block.calls)];
    case "notification":
      return NOTE_MARKS[block.level];
    case "question":
      return questionMark(block);
    case "compact":
    case "marker":
      return { text: "~", role: "compact.mark" };
    case "turn_stats":
      return { text: "=", role: block.result === "finished" ? "turn.stats" : "turn.problem" };
    default:
      return unreachable(block);
  }
}

/** Open it asks; answered it is done, denied or turned away it is not. */
function questionMark(block: QuestionBlock): Mark {
  if (block.closed === null) return { text: "?", role: "question.mark" };
  const chosen = new Set(block.closed.answers.flatMap((answer) => answer.selected));
  const isDenied = block.questions.some((question) =>
    question.options.some((option) => chosen.has(option.id) && option.effect?.startsWith("deny"))
  );
  return block.closed.reason === "answered" && !isDenied ? STAGE_MARKS.done : STAGE_MARKS.error;
}

/** The stage a group of calls stands for: what still runs first, then what failed, then done. */
export function groupStage(calls: readonly ToolCall[]): ToolStage {
  for (const stage of ["executing", "streaming", "pending", "error", "incomplete"] as const) {
    if (calls.some((call) => call.stage === stage)) return stage;
  }
  return "done";
}
