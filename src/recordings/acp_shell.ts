// Output of tool calls in the dialects of real agents: increments in `_meta` (pi, Codex, Claude on request), the
// whole text again in each update (OpenCode), the final text only (Gemini, Qwen, Claude). And what the exit was.

import { type AcpCard, isOver } from "./acp_card.ts";
import { contentText } from "./acp_content.ts";
import {
  fieldAt,
  type Fields,
  fieldsList,
  fieldsOf,
  firstText,
  numberOf,
  showValue,
  textOf,
} from "./fields.ts";

/** Keys of `_meta` that carry a terminal's next piece. */
const INCREMENTS = ["terminal_output", "terminal_output_delta"] as const;
/** How much of a terminal's end is kept to read an exit from. */
const END_LENGTH = 400;

/** Takes the terminal part of an update. Gives the next piece of output, "" when there is none. */
export function takeTerminal(card: AcpCard, update: Fields): string {
  const exit = fieldAt(update, "_meta", "terminal_exit");
  if (exit !== undefined) {
    card.exitCode = numberOf(fieldAt(exit, "exit_code")) ?? card.exitCode;
    card.signal = textOf(fieldAt(exit, "signal")) ?? card.signal;
  }
  let piece = "";
  for (const key of INCREMENTS) piece += textOf(fieldAt(update, "_meta", key, "data")) ?? "";
  if (piece === "") return "";
  card.hasTerminal = true;
  card.terminalEnd = (card.terminalEnd + piece).slice(-END_LENGTH);
  for (let at = piece.indexOf("\n"); at !== -1; at = piece.indexOf("\n", at + 1)) card.terminalNewlines++;
  return piece;
}

/**
 * What of the call's present output has not been given yet. `piece` continues what was given; `whole` is set when
 * it does not: the text was replaced, and only the result can say so.
 */
export function nextOutput(card: AcpCard): { readonly piece: string; readonly whole: string | null } {
  const text = card.hasTerminal ? null : outputText(card);
  if (text === null) return { piece: "", whole: null };
  if (!text.startsWith(card.streamed)) return { piece: "", whole: text };
  return { piece: text.slice(card.streamed.length), whole: null };
}

/** The text a call has put out, as far as it is not a terminal's. Null when the agent gave none. */
export function outputText(card: AcpCard): string | null {
  if (fieldAt(card.rawOutput, "type") === "shell_result") return textOf(fieldAt(card.rawOutput, "output"));
  const content = card.contentIsOutput ? contentText(card.content) : null;
  if (content !== null) return content;
  return isOver(card) ? rawText(card.rawOutput) : null;
}

/** What the content says beside the output, where an agent gives both. */
export function remarkText(card: AcpCard): string | null {
  if (fieldAt(card.rawOutput, "type") !== "shell_result" || !card.contentIsOutput) return null;
  const content = contentText(card.content);
  return content === null || content.startsWith("Command: ") ? null : content;
}

/** Exit code and signal, from wherever the agent keeps them. */
export function exitOf(card: AcpCard): { readonly code: number | null; readonly signal: string | null } {
  const raw = fieldsOf(card.rawOutput);
  // pi says 1 for any failure and the true code in its text.
  const told = /(?:^|\n)Command exited with code (\d+)\s*$/.exec(card.terminalEnd)?.[1];
  const code = told !== undefined
    ? Number(told)
    : card.exitCode ?? numberOf(raw.exit_code) ?? numberOf(raw.exitCode) ??
      numberOf(fieldAt(raw, "metadata", "exit"));
  const signal = card.signal ??
    (raw.signal === null || raw.signal === undefined ? null : showValue(raw.signal));
  return { code, signal };
}

/** Lines of output, from the terminal or the text. */
export function outputLines(card: AcpCard): number {
  if (card.hasTerminal) return card.terminalNewlines + (card.terminalEnd.endsWith("\n") ? 0 : 1);
  const text = outputText(card) ?? "";
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

function rawText(raw: unknown): string | null {
  if (typeof raw === "string") return raw === "" ? null : raw;
  const fields = fieldsOf(raw);
  const streams = [textOf(fields.stdout), textOf(fields.stderr)].filter((text) =>
    text !== null && text !== ""
  );
  if (streams.length > 0) return streams.join("\n");
  const text = firstText(
    fields.output,
    fields.aggregated_output,
    fields.formatted_output,
    fields.text,
    fields.error,
    fields.message,
  );
  if (text !== null) return text;
  const parts = fieldsList(fields.content).map((part) => textOf(part.text)).filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join("\n");
}
