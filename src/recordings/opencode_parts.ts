// Parts of an OpenCode message as events; one row a type. Run lines carry the same parts.

import { blockText } from "./acp_content.ts";
import { fieldAt, type Fields, fieldsOf, firstText, listOf, numberOf, textOf } from "./fields.ts";
import type { OpencodeState } from "./opencode_state.ts";
import { errorOf, takeTool } from "./opencode_tools.ts";
import { ignore, notify, tellFrom, tellText, tellThought } from "./telling.ts";
import { tellCompaction } from "./telling_compact.ts";
import { beginStep, endStep, ensureStep, expectEnd, tellRetry, tellUsage } from "./telling_turn.ts";

/** Gives way between the parts of a nested agent's session. */
type Take = (state: OpencodeState, part: Fields, parent: string | null) => Iterable<void> | void;

/** Types of parts that are known and not shown, with the reason. */
export const OPENCODE_IGNORED: Readonly<Record<string, string>> = {
  snapshot: "snapshot of the files",
};

/** What each type of part tells. */
export const OPENCODE_PARTS: Readonly<Record<string, Take>> = {
  "step-start": (state, _part, parent) => {
    if (parent === null) beginStep(state.telling, { provider: state.provider, model: state.model });
  },
  "step-finish": (state, part, parent) => {
    if (parent !== null) return;
    ensureRequest(state);
    tellTokens(state, part);
    endStep(state.telling, textOf(part.reason));
    if (part.reason === "stop") expectEnd(state.telling, { result: "finished" });
  },
  text: (state, part, parent) => {
    if (parent === null) ensureRequest(state);
    takeTime(state, part);
    tellText(state.telling, textOf(part.text) ?? "", parent);
  },
  reasoning: (state, part, parent) => {
    if (parent === null) ensureRequest(state);
    const start = numberOf(fieldAt(part.time, "start"));
    const end = numberOf(fieldAt(part.time, "end"));
    takeTime(state, part);
    const elapsedMs = start === null || end === null || end < start ? null : end - start;
    tellThought(state.telling, textOf(part.text) ?? "", { elapsedMs, parent });
  },
  tool: (state, part, parent) => {
    if (parent === null) ensureRequest(state);
    return takeTool(state, part, parent);
  },
  patch: takeChanges,
  file: (state, part, parent) => tellText(state.telling, fileLabel(part), parent),
  agent: (state, part, parent) => tellText(state.telling, `@${textOf(part.name) ?? "agent"}`, parent),
  subtask: (state, part, parent) =>
    notify(state.telling, "info", `Subtask: ${firstText(part.description, part.prompt) ?? ""}`, parent),
  retry: (state, part, parent) => {
    const { message } = errorOf(fieldsOf(part.error));
    if (parent === null) tellRetry(state.telling, { attempt: numberOf(part.attempt), error: message });
    else notify(state.telling, "warn", `Retry: ${message ?? ""}`, parent);
  },
  compaction: (state, part, parent) => {
    if (parent !== null) return notify(state.telling, "info", "Context compacted", parent);
    tellCompaction(state.telling, {
      summary: "",
      keepsMessages: true,
      reason: part.auto === true ? "threshold" : null,
    });
  },
};

/** Files that a step changed, as far as no call says so: a command may have written them. */
function takeChanges(state: OpencodeState, part: Fields, parent: string | null): void {
  const { telling } = state;
  const told = new Set<string>();
  for (const call of telling.calls.values()) {
    const args = fieldsOf(call.args);
    const path = firstText(args.filePath, args.file_path, args.path);
    if (path !== null && call.kind !== "read") told.add(path);
  }
  const files = listOf(part.files).flatMap((file) => textOf(file) ?? []).filter((file) => !told.has(file));
  if (files.length === 0) return ignore(telling, "files a step changed, told by its calls");
  notify(telling, "info", `Files changed: ${files.join(", ")}`, parent);
}

/** Usage of a step, from a part or a whole message. */
export function tellTokens(state: OpencodeState, from: Fields): void {
  const tokens = fieldsOf(from.tokens);
  if (Object.keys(tokens).length === 0) return;
  const read = numberOf(fieldAt(tokens.cache, "read"));
  const write = numberOf(fieldAt(tokens.cache, "write"));
  const input = numberOf(tokens.input);
  const output = numberOf(tokens.output);
  const reasoning = numberOf(tokens.reasoning);
  state.hasUsage = true;
  tellUsage(state.telling, {
    input: input === null ? null : input + (read ?? 0) + (write ?? 0),
    output: output === null ? null : output + (reasoning ?? 0),
    cacheRead: read,
    cacheWrite: write,
    reasoning,
    costUsd: numberOf(from.cost) ?? numberOf(fieldAt(from.cost, "usd")),
  });
}

/** A file as one line: images by size, others by name. */
export function fileLabel(part: Fields): string {
  const mime = textOf(part.mime) ?? "";
  const url = textOf(part.url) ?? "";
  const name = firstText(part.filename, url.startsWith("data:") ? null : url);
  const data = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
  if (mime.startsWith("image/")) return blockText({ type: "image", mimeType: mime, data, uri: name });
  return `[file: ${[name, mime === "" ? null : mime].filter((one) => one !== null).join(", ") || "unnamed"}]`;
}

function ensureRequest(state: OpencodeState): void {
  const { turn } = state.telling;
  if (turn === null || !turn.stepOpen) {
    if (state.provider === null) return ensureStep(state.telling, state.model);
    beginStep(state.telling, { provider: state.provider, model: state.model });
  }
}

function takeTime({ telling }: OpencodeState, part: Fields): void {
  tellFrom(
    telling,
    telling.line,
    numberOf(fieldAt(part.time, "end")) ?? numberOf(fieldAt(part.time, "start")),
  );
}
