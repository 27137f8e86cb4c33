// How a command ended, as far as anyone said: the tool's own card, a line in the output, or the summary.

import { type LongText, textEnd, textStart } from "../transcript/long_text.ts";
import type { ToolCall } from "../transcript/tool_call.ts";
import type { Span } from "../text/line.ts";
import { safeText } from "../text/outside_text.ts";
import type { BodyPart } from "../transcript/event.ts";

/** A command's end: a code or a signal. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Whole lines by which tools say it, at the beginning or the end of the output. */
const STATUS_LINES: readonly RegExp[] = [
  /^\[?(?:error: )?exit (?:code|status)?:? ?(-?\d{1,10})\]?$/i,
  /^\[?(?:error: )?(?:process|command|shell)? ?exited with (?:code|status|exit code) (-?\d{1,10})\.?\]?$/i,
];
const SIGNAL_LINE = /^\[?(?:process |command )?killed by signal:? ?([a-z0-9]{1,16})\]?$/i;
const IN_SUMMARY = /\bexit(?:ed)?(?: with)?(?: code| status)?:? (-?\d{1,10})\b/i;
const SIGNAL_IN_SUMMARY = /\bkilled by signal:? ?([a-z0-9]{1,16})\b/i;
/** Lines some tools put behind the exit code. */
const BEHIND_STATUS = /^(?:signal|background pids|process group pgid|error):/i;
/** Lines some tools put around the exit code in front of the output. */
const BEFORE_OUTPUT = /^(?:chunk id|wall time|process exited|exit code|original token count|output):?/i;
/** How much of either end of the output is looked at. */
const SEARCHED = 600;

/** What is known of how the call's command ended; null when nobody said. */
export function exitStatus(call: ToolCall): ExitStatus | null {
  for (const part of call.presentation?.body ?? []) {
    if (part.type === "terminal" && (part.exit_code !== null || part.signal !== null)) {
      return partStatus(part);
    }
  }
  return outputStatus(call.output) ?? summaryStatus(call.summary);
}

/** The same from one terminal part; null when it says nothing. */
export function partStatus(part: Extract<BodyPart, { type: "terminal" }>): ExitStatus | null {
  if (part.signal !== null && part.signal !== "") return { code: null, signal: part.signal };
  return part.exit_code === null ? null : { code: part.exit_code, signal: null };
}

/** "exit 1" or "signal KILL", in the role of a failure unless the code is 0. */
export function exitSpan(status: ExitStatus): Span {
  if (status.signal !== null) return { text: `signal ${safeText(status.signal)}`, role: "status.failed" };
  return { text: `exit ${status.code}`, role: status.code === 0 ? "tool.exit" : "status.failed" };
}

function outputStatus(output: LongText | null): ExitStatus | null {
  if (output === null || output.length === 0) return null;
  const tail = textEnd(output, SEARCHED);
  const lines = tail.split("\n").map((text) => text.trim()).filter((text) => text !== "");
  while (lines.length > 1 && BEHIND_STATUS.test(lines.at(-1)!)) lines.pop();
  const ending = lineStatus(lines.at(-1) ?? "");
  if (ending !== null) return ending;

  const head = textStart(output, SEARCHED).split("\n").map((text) => text.trim());
  for (const [index, text] of head.entries()) {
    const status = lineStatus(text);
    if (status !== null) return status;
    if (index > 6 || !BEFORE_OUTPUT.test(text)) return null;
  }
  return null;
}

function lineStatus(text: string): ExitStatus | null {
  for (const pattern of STATUS_LINES) {
    const code = pattern.exec(text)?.[1];
    if (code !== undefined) return { code: Number(code), signal: null };
  }
  const signal = SIGNAL_LINE.exec(text)?.[1];
  return signal === undefined ? null : { code: null, signal };
}

function summaryStatus(summary: string): ExitStatus | null {
  const start = summary.slice(0, SEARCHED);
  const code = IN_SUMMARY.exec(start)?.[1];
  if (code !== undefined) return { code: Number(code), signal: null };
  const signal = SIGNAL_IN_SUMMARY.exec(start)?.[1];
  return signal === undefined ? null : { code: null, signal };
}
