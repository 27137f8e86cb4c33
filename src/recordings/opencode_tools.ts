// Tool parts of OpenCode with their states, and its errors. A task's nested agent is told inside its call.

import { toolKind } from "../transcript/tool_names.ts";
import {
  fieldAt,
  type Fields,
  fieldsList,
  fieldsOf,
  firstText,
  numberOf,
  rowOf,
  showValue,
  textOf,
} from "./fields.ts";
import { takeMessage } from "./opencode_messages.ts";
import { fileLabel } from "./opencode_parts.ts";
import type { OpencodeState } from "./opencode_state.ts";
import { cutLine, readListing } from "./result_summary.ts";
import { tellFrom } from "./telling.ts";
import { type FoundResult, tellCall, tellResult } from "./telling_calls.ts";
import { expectEnd, type TurnEnd } from "./telling_turn.ts";

/** Call states that are over, and whether they failed. */
const OVER: Readonly<Record<string, boolean>> = { completed: false, success: false, error: true };

/** A tool part: a call, and its result once it is over. */
export function* takeTool(state: OpencodeState, part: Fields, parent: string | null): Generator<void> {
  const { telling } = state;
  const now = fieldsOf(part.state);
  const id = firstText(part.callID, part.id) ?? "";
  const name = textOf(part.tool) ?? "tool";
  const { time } = now;
  tellFrom(telling, telling.line, numberOf(fieldAt(time, "start")));
  const call = tellCall(telling, { id, name, args: now.input ?? now.raw, parent });
  yield* takeChild(state, textOf(fieldAt(now.metadata, "sessionId")), call.id);
  const failed = rowOf(OVER, now.status);
  if (failed === null) return;
  tellFrom(telling, telling.line, numberOf(fieldAt(time, "end")));
  tellResult(telling, id, foundResult({ name, now, failed }));
  if (failed && parent === null && /\brejected\b|\bdenied\b/i.test(textOf(now.error) ?? "")) {
    expectEnd(telling, { result: "cancelled", reason: "rejected" });
  }
}

function foundResult(
  { name, now, failed }: { readonly name: string; readonly now: Fields; readonly failed: boolean },
): FoundResult {
  const metadata = fieldsOf(now.metadata);
  const input = fieldsOf(now.input);
  const kind = toolKind(name);
  const said = failed
    ? firstText(now.error) ?? showValue(now.error ?? "failed")
    : textOf(now.output) ?? showValue(now.output ?? "");
  const attached = fieldsList(now.attachments).map(fileLabel);
  const output = [kind === "read" && !failed ? readListing(said) : said, ...attached].join("\n");
  const exitCode = kind === "shell" ? numberOf(metadata.exit) : null;
  const patch = firstText(fieldAt(metadata.filediff, "patch"), metadata.diff);
  const path = firstText(input.filePath, fieldAt(metadata.filediff, "file"), input.file_path);
  const isAborted = /<shell_metadata>[\s\S]*\baborted\b/.test(said.slice(-400));
  const title = textOf(now.title) ?? "";
  return {
    output,
    isError: failed || (exitCode !== null && exitCode !== 0) || isAborted,
    exitCode,
    wrote: metadata.exists === true ? "Overwrote" : metadata.exists === false ? "Created" : null,
    name,
    summary: isAborted ? "aborted" : kind === "other" && !failed && title !== "" ? cutLine(title) : null,
    patch: patch === null || path === null ? null : { path, text: patch },
  };
}

/** The session of the nested agent that a call started. */
function* takeChild(state: OpencodeState, sessionId: string | null, callId: string): Generator<void> {
  const child = sessionId === null ? undefined : state.children.get(sessionId);
  if (sessionId === null || child === undefined) return;
  state.children.delete(sessionId);
  for (const message of fieldsList(child.messages)) yield* takeMessage(state, message, callId);
}

const ENDS: Readonly<Record<string, TurnEnd>> = {
  MessageAbortedError: { result: "cancelled" },
  MessageOutputLengthError: { result: "limit_reached", reason: "max_tokens" },
};

/** What an error says, and how it ends the turn. */
export function errorOf(error: Fields): { readonly message: string | null; readonly end: TurnEnd } {
  const name = textOf(error.name) ?? "";
  const told = firstText(fieldAt(error.data, "message"), error.message, name);
  if (told === null) return { message: null, end: { result: "error" } };
  const status = numberOf(fieldAt(error.data, "statusCode"));
  const message = status === null ? told : `${told} (${status})`;
  return { message, end: rowOf(ENDS, name) ?? { result: "error", reason: "provider_error", message } };
}
