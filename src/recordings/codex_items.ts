// What happened in a turn of Codex, item by item: answers, thoughts, commands, patches and other tools, whichever
// record tells of them (response_item, item_completed, exec --json items, the older *_end events).

import { planItems } from "./acp_plan.ts";
import { readableError } from "./acp_text.ts";
import {
  changesSummary,
  codexLook,
  readChanges,
  readExecOutput,
  scriptOf,
  searchText,
} from "./codex_tools.ts";
import { type CodexState, ensureRequest, isTwin, note, takeUserMessage, type View } from "./codex_state.ts";
import {
  fieldAt,
  type Fields,
  fieldsList,
  fieldsOf,
  firstText,
  isFields,
  listOf,
  numberOf,
  rowOf,
  textOf,
} from "./fields.ts";
import { contentText, isTextPart, joinedTexts, summaryLine } from "./recorded_content.ts";
import { ignore } from "./recorded_ignored.ts";
import { tell, tellText, tellThought } from "./telling.ts";
import { describeCall, growOutput, tellCall, tellResult, toldId } from "./telling_calls.ts";
import { expectEnd } from "./telling_turn.ts";

/** How far an item is. */
export type ItemStage = "started" | "updated" | "completed";

/** A piece of the answer. */
export function takeAnswer(state: CodexState, text: string, view: View): void {
  if (text.trim() === "") return ignore(state.telling, "blank text");
  if (isTwin(state, "answer", view, text)) return ignore(state.telling, "answer in the other view");
  ensureRequest(state);
  expectEnd(state.telling, { result: "finished" });
  tellText(state.telling, text);
}

/** A thought; what the provider encrypts is not there to be shown. */
export function takeThought(state: CodexState, text: string, view: View): void {
  if (text.trim() === "") return ignore(state.telling, "reasoning kept secret by the model");
  if (isTwin(state, "thought", view, text)) return ignore(state.telling, "reasoning in the other view");
  ensureRequest(state);
  expectEnd(state.telling, { result: "interrupted" });
  tellThought(state.telling, text);
}

/** A call the model made. */
export function takeCall(state: CodexState, id: string, name: string, given: unknown): void {
  ensureRequest(state);
  expectEnd(state.telling, { result: "interrupted" });
  tellCall(state.telling, { id, ...codexLook(name, given) });
}

/** A call's output in the model's view. */
export function takeCallOutput(state: CodexState, id: string, given: unknown): void {
  const { telling } = state;
  const output = fieldsOf(given);
  const text = outputText(output.content ?? output.body ?? given);
  const call = telling.calls.get(id);
  state.needsStep = true;
  if (call?.isOver === true) return ignore(telling, "output in the model's view");
  const failed = output.success === false;
  if (call === undefined || call.kind === "shell" || call.name === "write_stdin" || call.kind === "patch") {
    const exec = readExecOutput(text);
    if (exec.running !== null && call !== undefined) {
      state.running.set(id, exec.running);
      growOutput(telling, call, call.streamed + exec.output);
      return;
    }
    if (exec.aborted) state.aborted.add(id);
    return tellResult(telling, id, {
      output: exec.aborted ? null : exec.output,
      isError: failed || exec.aborted || (exec.exitCode ?? 0) !== 0,
      exitCode: exec.exitCode,
      summary: exec.aborted ? "aborted by user" : null,
    });
  }
  tellResult(telling, id, { output: text, isError: failed });
}

/** How a command ended: exec_command_end, or an item CommandExecution. */
export function takeExecEnd(state: CodexState, id: string, end: Fields): void {
  const { telling } = state;
  const output = firstText(end.aggregated_output) ??
    [textOf(end.stdout), textOf(end.stderr)].filter((part) => part !== null && part !== "").join("\n");
  const call = telling.calls.get(id);
  if (call?.isOver === true) {
    if (!state.aborted.delete(id) || output === "") return ignore(telling, "output told already");
    return tell(telling, "tool_output", { id: toldId(telling, id) ?? id, stream: "stdout", text: output });
  }
  if (call === undefined) startCommand(state, id, end);
  const exitCode = numberOf(end.exit_code);
  const status = textOf(end.status) ?? "";
  state.needsStep = true;
  state.running.delete(id);
  tellResult(telling, id, {
    output,
    isError: (exitCode ?? 0) !== 0 || status === "failed" || status === "declined",
    exitCode: exitCode !== null && exitCode >= 0 ? exitCode : null,
    summary: status === "declined" ? "Rejected by you" : exitCode !== null && exitCode < 0 ? "stopped" : null,
  });
}

function startCommand(state: CodexState, id: string, item: Fields): void {
  const command = typeof item.command === "string" ? scriptOf(item.command) : item.command;
  const cwd = firstText(item.cwd)?.replace(/^file:\/\//, "");
  const workdir = cwd === undefined || cwd === state.telling.greeting.cwd ? {} : { workdir: cwd };
  takeCall(state, id, "shell", { command, ...workdir });
}

/** What a patch did: patch_apply_end, or an item FileChange. */
export function takePatchEnd(state: CodexState, id: string, end: Fields): void {
  const { telling } = state;
  const changes = readChanges(end.changes);
  let call = telling.calls.get(id);
  if (call?.isOver === true) return ignore(telling, "patch told already");
  const args = changes.patch === null ? { paths: changes.paths } : { input: changes.patch };
  if (call === undefined) {
    takeCall(state, id, "apply_patch", args);
    call = telling.calls.get(id);
  } else if (changes.patch !== null && call.kind === "patch") {
    // The recorded diff has the numbers that the model's own patch lacks.
    describeCall(telling, call, { args });
  }
  state.needsStep = true;
  const failed = end.success === false || end.status === "failed" || end.status === "declined";
  const said = [textOf(end.stdout), textOf(end.stderr)].filter((part) => part !== null && part !== "").join(
    "\n",
  );
  tellResult(telling, id, {
    output: said === "" ? null : said,
    isError: failed,
    summary: failed
      ? summaryLine(said) || "The patch failed"
      : changes.paths.length > 0
      ? changesSummary(changes)
      : null,
    card: changes.patch !== null || call?.kind === "patch" && changes.paths.length === 0 ? null : {
      title: changesSummary(changes),
      kind: "edit",
      body: [{ type: "locations", locations: changes.paths.map((path) => ({ path })) }],
    },
  });
}

/** Another tool's end, with all that is known of the call. */
export function takeToolEnd(
  state: CodexState,
  end: {
    id: string;
    name: string;
    args: unknown;
    output: string | null;
    isError: boolean;
    summary?: string | null;
  },
): void {
  const { telling } = state;
  const call = telling.calls.get(end.id);
  if (call?.isOver === true) return ignore(telling, "result told already");
  if (call === undefined) takeCall(state, end.id, end.name, end.args);
  state.needsStep = true;
  tellResult(telling, end.id, { output: end.output, isError: end.isError, summary: end.summary ?? null });
}

/** An MCP call's end: mcp_tool_call_end has Ok or Err, items have result or error. */
export function takeMcpEnd(state: CodexState, id: string, end: Fields): void {
  const invocation = isFields(end.invocation) ? end.invocation : end;
  const result = fieldsOf(fieldAt(end.result, "Ok") ?? end.result);
  const error = firstText(fieldAt(end.result, "Err"), end.error, fieldAt(end.error, "message"));
  takeToolEnd(state, {
    id,
    name: mcpName(invocation),
    args: invocation.arguments ?? {},
    output: error ?? contentText(result.content) ??
      (result.structuredContent === undefined ? null : JSON.stringify(result.structuredContent)),
    isError: error !== null || result.isError === true || end.status === "failed",
  });
}

function mcpName(invocation: Fields): string {
  const parts = [firstText(invocation.server, invocation.namespace), firstText(invocation.tool) ?? "tool"];
  return parts.filter((part) => part !== null).join("__");
}

/** A search on the web. */
export function takeSearch(state: CodexState, id: string, end: Fields): void {
  const action = { ...fieldsOf(end.action), ...(firstText(end.query) === null ? {} : { query: end.query }) };
  const results = fieldsList(end.results);
  const output = results.map((result) =>
    [firstText(result.title), firstText(result.url), firstText(result.snippet)].filter((part) =>
      part !== null
    )
      .join("\n  ")
  ).join("\n");
  const what = searchText(action) ?? "";
  takeToolEnd(state, {
    id,
    name: "web_search",
    args: action,
    output: output === "" ? null : output,
    isError: end.status === "failed",
    summary: results.length === 0
      ? what
      : `${results.length} result${results.length === 1 ? "" : "s"} for ${what}`,
  });
}

/** What each kind of item becomes, by its type in lower case without "_". */
const ITEMS: Readonly<
  Record<string, (state: CodexState, item: Fields, at: { id: string; stage: ItemStage }) => void>
> = {
  usermessage: (state, item, { stage }) => {
    if (stage !== "completed") return ignore(state.telling, "start of an item");
    const text = contentText(item.content) ?? "";
    takeUserMessage(state, text, plainText(item.content));
  },
  agentmessage: (state, item, { stage }) => {
    if (stage !== "completed") return ignore(state.telling, "start of an item");
    takeAnswer(state, textOf(item.text) ?? contentText(item.content) ?? "", "screen");
  },
  reasoning: (state, item, { stage }) => {
    if (stage !== "completed") return ignore(state.telling, "start of an item");
    takeThought(state, textOf(item.text) ?? thoughtText(item), "screen");
  },
  commandexecution: (state, item, { id, stage }) => {
    const call = state.telling.calls.get(id);
    if (stage === "completed") return takeExecEnd(state, id, item);
    if (call === undefined) return startCommand(state, id, item);
    const output = firstText(item.aggregated_output);
    if (output === null) return ignore(state.telling, "start of a call that is told");
    growOutput(state.telling, call, output);
  },
  filechange: (state, item, { id, stage }) => {
    if (stage === "completed") takePatchEnd(state, id, item);
    else ignore(state.telling, "start of an item");
  },
  mcptoolcall: (state, item, { id, stage }) => {
    if (stage === "completed") return takeMcpEnd(state, id, item);
    if (state.telling.calls.has(id)) return ignore(state.telling, "start of a call that is told");
    takeCall(state, id, mcpName(item), item.arguments ?? {});
  },
  dynamictoolcall: (state, item, { id, stage }) => {
    if (stage !== "completed") return ignore(state.telling, "start of an item");
    takeDynamicEnd(state, id, item);
  },
  websearch: (state, item, { id, stage }) => {
    if (stage === "completed") takeSearch(state, id, item);
    else ignore(state.telling, "start of an item");
  },
  extension: (state, item, { id, stage }) => {
    if (stage === "completed") takeSearch(state, id, item);
    else ignore(state.telling, "start of an item");
  },
  imageview: (state, item, { id }) => takeImage(state, id, item),
  imagegeneration: (state, item, { id, stage }) => {
    if (stage === "completed") takeMadeImage(state, id, item);
    else ignore(state.telling, "start of an item");
  },
  todolist: takeTodos,
  plan: (state, item, { stage }) => {
    if (stage === "completed") note(state, `Plan:\n${firstText(item.text) ?? ""}`);
    else ignore(state.telling, "start of an item");
  },
  error: (state, item) => note(state, readableError(firstText(item.message) ?? "error"), "warn"),
  collabtoolcall: takeCollab,
  collabagenttoolcall: takeCollab,
  subagentactivity: (state, item) =>
    note(state, `Agent ${firstText(item.agent_path) ?? ""}: ${firstText(item.kind) ?? ""}`),
  contextcompaction: (state) => ignore(state.telling, "compaction, told by its own record"),
  enteredreviewmode: (state, item) =>
    note(state, `Review begins: ${firstText(item.review, item.user_facing_hint) ?? ""}`),
  exitedreviewmode: (state, item) => note(state, `Review:\n${reviewText(item.review_output ?? item.review)}`),
  hookprompt: (state, item) => note(state, contentText(item.fragments) ?? contentText(item.content)),
  sleep: (state) => ignore(state.telling, "waiting"),
};

/** Takes an item of a turn. */
export function takeItem(state: CodexState, value: unknown, stage: ItemStage): void {
  const item = fieldsOf(value);
  const type = textOf(item.type) ?? "";
  const take = rowOf(ITEMS, type.toLowerCase().replaceAll("_", ""));
  if (take === null) return ignore(state.telling, `unknown item ${type.slice(0, 60)}`);
  take(state, item, { id: firstText(item.id) ?? `item-${++state.items}`, stage });
}

/** A tool of the client, not of Codex. */
export function takeDynamicEnd(state: CodexState, id: string, end: Fields): void {
  takeToolEnd(state, {
    id,
    name: [firstText(end.namespace), firstText(end.tool) ?? "tool"].filter((part) => part !== null).join(
      "__",
    ),
    args: end.arguments ?? {},
    output: firstText(end.error, fieldAt(end.error, "message")) ?? contentText(end.content_items),
    isError: end.success === false,
  });
}

/** An image the model looked at. */
export function takeImage(state: CodexState, id: string, item: Fields): void {
  const path = firstText(item.path) ?? "";
  takeToolEnd(state, {
    id,
    name: "view_image",
    args: { path },
    output: null,
    isError: false,
    summary: `Looked at ${path}`,
  });
}

/** An image the model made: named, never carried. */
export function takeMadeImage(state: CodexState, id: string, item: Fields): void {
  const label = contentText([{ type: "image", data: textOf(item.result) ?? "" }]) ?? "";
  const path = firstText(item.saved_path);
  takeToolEnd(state, {
    id,
    name: "image_generation",
    args: { prompt: firstText(item.revised_prompt) ?? "" },
    output: [label, path].filter((part) => part !== null).join(" "),
    isError: item.status === "failed",
    summary: path === null ? label : `Image saved as ${path}`,
  });
}

/** exec --json keeps the plan as an item that changes. */
function takeTodos(state: CodexState, item: Fields, { id, stage }: { id: string; stage: ItemStage }): void {
  const { telling } = state;
  const rows = fieldsList(item.items).map((row) => ({
    step: firstText(row.text, row.step) ?? "",
    status: textOf(row.status) ?? (row.completed === true ? "completed" : "pending"),
  }));
  const before = telling.calls.get(id);
  if (before === undefined || before.isOver && stage === "started") {
    takeCall(state, id, "update_plan", { plan: rows });
  } else tell(telling, "plan", { items: planItems(rows) });
  if (stage !== "completed" || telling.calls.get(id)?.isOver === true) return;
  const done = rows.filter((row) => row.status === "completed").length;
  tellResult(telling, id, { output: null, isError: false, summary: `Plan: ${done} of ${rows.length} done` });
}

/** Work given to another agent. */
function takeCollab(state: CodexState, item: Fields, { id, stage }: { id: string; stage: ItemStage }): void {
  if (stage !== "completed") return ignore(state.telling, "start of an item");
  takeToolEnd(state, {
    id,
    name: firstText(item.tool, item.name) ?? "agent",
    args: { prompt: firstText(item.prompt) ?? "" },
    output: firstText(item.message),
    isError: item.status === "failed",
  });
}

/** A review's findings as text. */
export function reviewText(value: unknown): string {
  if (typeof value === "string") return value;
  const review = fieldsOf(value);
  const findings = fieldsList(review.findings).map((finding) => {
    const place = fieldsOf(finding.code_location);
    const line = numberOf(fieldAt(place, "line_range", "start"));
    const where = firstText(place.absolute_file_path);
    const at = where === null ? "" : ` (${where}${line === null ? "" : `:${line}`})`;
    return `- ${firstText(finding.title) ?? ""}${at}\n  ${firstText(finding.body) ?? ""}`;
  });
  const verdict = [firstText(review.overall_correctness), firstText(review.overall_explanation)]
    .filter((part) => part !== null).join(": ");
  return [...findings, verdict].filter((part) => part !== "").join("\n") || "no findings";
}

/** A reasoning's summary, else its content where that is not encrypted. */
export function thoughtText(item: Fields): string {
  const summary = joinedTexts(listOf(item.summary ?? item.summary_text));
  return summary !== "" ? summary : joinedTexts(listOf(item.content ?? item.raw_content));
}

/** A message's words without its images. */
export function plainText(content: unknown): string {
  if (typeof content === "string") return content.trim();
  return listOf(content).filter(isTextPart).map((part) => contentText([part]) ?? "").join("").trim();
}

/** An output of any shape as text. */
function outputText(output: unknown): string {
  if (Array.isArray(output) && output.length > 1 && output.every(isTextPart)) return joinedTexts(output);
  return contentText(output) ?? "";
}
