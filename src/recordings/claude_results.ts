// Results of Claude Code's tools: the text the model saw, and beside it the record's own reading (`toolUseResult`),
// which has patches, counts and answers.

import { claudePatch, claudeSummary } from "./claude_tools.ts";
import { type ClaudeState, settleAgent } from "./claude_state.ts";
import { tagText, withoutReminders } from "./claude_text.ts";
import { type Fields, fieldsList, fieldsOf, firstText, listOf, rowOf, textOf } from "./fields.ts";
import { contentText, isTextPart, joinedTexts, summaryLine } from "./recorded_content.ts";
import { closeQuestion, dropQuestions } from "./recorded_questions.ts";
import { ignore } from "./recorded_ignored.ts";
import { tell } from "./telling.ts";
import { type CallCard, startCall, tellResult, type ToldCall, toldId } from "./telling_calls.ts";
import { expectEnd } from "./telling_turn.ts";

/** Takes a tool_result block. `structured` is the record's reading of it, of any shape. */
export function takeResult(
  state: ClaudeState,
  block: Fields,
  about: { readonly structured: unknown; readonly parent: string | null; readonly record: Fields },
): void {
  const { telling } = state;
  const { parent } = about;
  const call = callOf(state, block, parent);
  if (call.isOver) return ignore(telling, "result told again");
  const structured = fieldsOf(about.structured);
  const input = fieldsOf(call.args);
  const isError = block.is_error === true;
  const output = outputOf(block, structured);
  answerQuestions(state, call, structured, isError);
  const card = resultCard(call, output, isError);
  const patch = isError ? null : claudePatch(structured);
  const path = firstText(structured.filePath, input.file_path);
  const summary = isError
    ? errorSummary(call, output, about.record)
    : claudeSummary(call.name, { input, structured, output, cwd: state.cwd ?? telling.greeting.cwd });
  tellResult(telling, recordId(state, block, call), {
    output: card === null ? output : null,
    isError,
    exitCode: isError && call.kind === "shell" ? exitCode(output) : null,
    summary,
    card,
    patch: patch === null || path === null ? null : { path, text: patch },
  });
  if (!isError) followTasks(state, call.name, input, structured);
  if (parent === null && telling.turn !== null) expectEnd(telling, { result: "interrupted" });
  dropQuestions(telling, state.questions, call.id);
  settleAgent(state, call.id, firstText(structured.agentId));
}

/** The call a result belongs to; made here when the records do not hold it. */
function callOf(state: ClaudeState, block: Fields, parent: string | null): ToldCall {
  const { telling, idless } = state;
  const id = firstText(block.tool_use_id) ?? idless.find((one) => one.parent === parent)?.id ??
    `result-${state.uuid === "" ? telling.line : state.uuid}`;
  return telling.calls.get(id) ?? startCall(telling, { id, name: "tool", parent: toldId(telling, parent) });
}

/** The id the records know the call by. */
function recordId(state: ClaudeState, block: Fields, call: ToldCall): string {
  const given = firstText(block.tool_use_id);
  if (given !== null) return given;
  const at = state.idless.findIndex((one) => one.id === call.id);
  if (at !== -1) state.idless.splice(at, 1);
  return call.id;
}

/** The text of a result: what the model saw, unless that was only a hint at where the rest is kept. */
function outputOf(block: Fields, structured: Fields): string {
  const content = listOf(block.content);
  const isNoteForModel = (part: unknown) =>
    isTextPart(part) && /^agentId: /.test(textOf(fieldsOf(part).text) ?? "");
  const kept = content.length > 1 ? content.filter((part) => !isNoteForModel(part)) : content;
  const allText = kept.length > 1 && kept.every(isTextPart);
  const seen = Array.isArray(block.content)
    ? allText ? joinedTexts(kept) : contentText(kept) ?? ""
    : contentText(block.content) ?? "";
  const inner = seen.startsWith("<tool_use_error>") ? tagText(seen, "tool_use_error") ?? seen : seen;
  if (!inner.startsWith("<persisted-output>")) return withoutReminders(inner);
  const whole = [textOf(structured.stdout), textOf(structured.stderr)].filter((text) =>
    text !== null && text !== ""
  );
  return whole.length > 0 ? whole.join("\n") : (tagText(inner, "persisted-output") ?? inner).trim();
}

/** Agents, pages and searches answer in Markdown: their card then shows it. */
function resultCard(call: ToldCall, output: string, isError: boolean): CallCard | null {
  const isMarkdown = /^(?:Task|Agent|WebFetch|WebSearch)$/.test(call.name);
  return isMarkdown && !isError && output !== "" ? { body: [{ type: "markdown", text: output }] } : null;
}

function exitCode(output: string): number | null {
  const code = /^(?:Error: )?Exit code (-?\d+)\b/.exec(output)?.[1];
  return code === undefined ? null : Number(code);
}

const REFUSED = /^The user doesn't want to (?:proceed with|take) this (?:tool use|action)/;

/** Why a call failed. Who refused it, where it was refused. Null leaves it to the shared summary. */
function errorSummary(call: ToldCall, output: string, record: Fields): string | null {
  const denial = firstText(record.toolDenialKind);
  if (REFUSED.test(output) || denial === "user-rejected") {
    const said = /the user said:\s*([\s\S]*)$/.exec(output)?.[1]?.trim() ?? "";
    return said === "" ? "Rejected by you" : summaryLine(`Rejected by you: ${said.replace(/\s+/g, " ")}`);
  }
  if (denial !== null) return summaryLine(`Blocked (${denial}): ${output}`);
  if (call.kind === "shell" && exitCode(output) === null) return summaryLine(output) || null;
  return null;
}

/** AskUserQuestion: the answers, by the text of each question. */
function answerQuestions(state: ClaudeState, call: ToldCall, structured: Fields, isError: boolean): void {
  if (!state.questions.has(call.id) || isError) return;
  const answers = fieldsOf(structured.answers);
  const questions = fieldsList(fieldsOf(call.args).questions);
  closeQuestion(state.telling, state.questions, {
    batch_id: call.id,
    reason: Object.keys(answers).length === 0 ? "dismissed" : "answered",
    answers: questions.flatMap((question, index) => {
      const text = textOf(question.question) ?? "";
      const answer = firstText(Object.hasOwn(answers, text) ? answers[text] : undefined);
      if (answer === null) return [];
      const labels = fieldsList(question.options).map((option) => textOf(option.label) ?? "");
      const parts = labels.includes(answer) ? [answer] : answer.split(", ");
      const selected = parts.filter((part) => labels.includes(part));
      const rest = parts.filter((part) => !labels.includes(part)).join(", ");
      return [{ id: String(index + 1), selected, text: rest === "" ? null : rest }];
    }),
  });
}

const TASK_STATES: Readonly<Record<string, "pending" | "in_progress" | "completed">> = {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
};

/** TaskCreate and TaskUpdate change the plan one row at a time. */
function followTasks(state: ClaudeState, name: string, input: Fields, structured: Fields): void {
  const { tasks, telling } = state;
  if (name === "TaskCreate") {
    const task = fieldsOf(structured.task);
    const id = firstText(task.id);
    const text = firstText(task.subject, input.subject);
    if (id === null || text === null) return;
    tasks.set(id, { text, status: "pending" });
  } else if (name === "TaskUpdate") {
    const id = firstText(input.taskId, structured.taskId) ?? "";
    const task = tasks.get(id);
    if (task === undefined) return;
    if (input.status === "deleted") tasks.delete(id);
    task.text = firstText(input.subject) ?? task.text;
    task.status = rowOf(TASK_STATES, input.status) ?? task.status;
  } else return;
  tell(telling, "plan", { items: [...tasks].map(([id, task]) => ({ id, ...task })) });
}
