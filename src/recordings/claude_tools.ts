// Claude Code's tools: the card of those that no renderer of ours draws, and the one line each result is summed up
// in. The tools we do render are known by name (transcript/tool_names.ts).

import { todosOf } from "./acp_plan.ts";
import { type Fields, fieldsList, fieldsOf, firstText, listOf, numberOf, rowOf, textOf } from "./fields.ts";
import {
  bytesText,
  countLines,
  countText,
  durationText,
  nearPath,
  positive,
  summaryLine,
  tokensText,
} from "./recorded_content.ts";
import type { CallCard } from "./telling_calls.ts";

type Card = (input: Fields) => CallCard;

const agentCard: Card = (input) => ({
  title: titled("Agent", firstText(input.description, input.subagent_type)),
  kind: "think",
  body: markdown(input.prompt),
});

/** Cards by tool name. A tool not here shows its arguments and output as they are. */
const CARDS: Readonly<Record<string, Card>> = {
  Task: agentCard,
  Agent: agentCard,
  TodoWrite: (input) => ({
    title: todoTitle(input),
    kind: "think",
    body: [{ type: "text", text: todoText(input) }],
  }),
  ExitPlanMode: (input) => ({ title: "Plan", kind: "think", body: markdown(input.plan) }),
  exit_plan_mode: (input) => ({ title: "Plan", kind: "think", body: markdown(input.plan) }),
  AskUserQuestion: (input) => ({
    title: titled("Question", firstText(...fieldsList(input.questions).map((one) => one.header))),
    kind: "other",
    body: [{
      type: "text",
      text: fieldsList(input.questions).map((one) => textOf(one.question) ?? "").join("\n"),
    }],
  }),
  WebFetch: (input) => ({
    title: titled("WebFetch", firstText(input.url)),
    kind: "fetch",
    body: plain(input.prompt),
  }),
  WebSearch: (input) => ({ title: titled("WebSearch", firstText(input.query)), kind: "search", body: null }),
  LS: (input) => ({ title: titled("LS", firstText(input.path)), kind: "search", body: null }),
  Skill: (input) => ({
    title: titled("Skill", firstText(input.skill, input.command)),
    kind: "other",
    body: null,
  }),
  NotebookEdit: (input) => ({
    title: titled("NotebookEdit", firstText(input.notebook_path)),
    kind: "edit",
    body: [
      input.edit_mode === "delete"
        ? { type: "text", text: `delete cell ${firstText(input.cell_id) ?? "?"}` }
        : {
          type: "diff",
          path: firstText(input.notebook_path) ?? "",
          old: null,
          new: textOf(input.new_source) ?? "",
        },
    ],
  }),
};

/** The card of a call; null where a renderer of ours draws it, or the arguments say all. */
export function claudeCard(name: string, input: Fields): CallCard | null {
  return rowOf(CARDS, name)?.(input) ?? null;
}

/** What a summary is made of. */
export interface SummedResult {
  readonly input: Fields;
  /** `toolUseResult`: the record's own reading of the result. */
  readonly structured: Fields;
  readonly output: string;
  readonly cwd: string | null;
}

type Summary = (result: SummedResult) => string | null;

const agentSummary: Summary = ({ input, structured }) => {
  const facts = [
    firstText(structured.status) ?? "done",
    uses(positive(structured.totalToolUseCount)),
    tokens(positive(structured.totalTokens)),
    duration(positive(structured.totalDurationMs)),
  ];
  const title = firstText(input.description, input.subagent_type) ?? "Agent";
  return `${title}: ${facts.filter((fact) => fact !== null).join(", ")}`;
};

/** Summaries by tool name, null where the shared ones (result_summary.ts) say it as well. */
const SUMMARIES: Readonly<Record<string, Summary>> = {
  Task: agentSummary,
  Agent: agentSummary,
  Bash: ({ input, output, structured }) => {
    const command = summaryLine(textOf(input.command) ?? "");
    const background = firstText(structured.backgroundTaskId);
    if (background !== null) return `${command} (in the background, ${background})`;
    const said = firstText(structured.returnCodeInterpretation);
    const lines = countLines(output);
    return `${command}${said !== null ? ` (${said})` : lines > 1 ? ` (${countText(lines, "line")})` : ""}`;
  },
  Read: ({ input, structured, cwd }) => {
    const file = fieldsOf(structured.file);
    const path = nearPath(firstText(file.filePath, input.file_path) ?? "", cwd);
    const lines = positive(file.numLines);
    if (structured.type === "image") {
      return `Read image ${path} (${bytesText(positive(file.originalSize) ?? 0)})`;
    }
    if (structured.type === "notebook") {
      return `Read ${countText(listOf(file.cells).length, "cell")} of ${path}`;
    }
    if (structured.type === "file_unchanged") return `Read ${path} (unchanged)`;
    if (lines === null) return null;
    const total = positive(file.totalLines);
    const of = total !== null && total > lines ? ` of ${total}` : "";
    return `Read ${of === "" ? countText(lines, "line") : `${lines}${of} lines`} of ${path}`;
  },
  Write: ({ input, structured, cwd }) => {
    const kind = firstText(structured.type);
    const content = textOf(input.content);
    if (kind === null || content === null) return null;
    const lines = countLines(content);
    const path = nearPath(firstText(structured.filePath, input.file_path) ?? "", cwd);
    return `${kind === "create" ? "Created" : "Overwrote"} ${path} (${countText(lines, "line")})`;
  },
  Edit: editSummary,
  MultiEdit: editSummary,
  Glob: ({ input, structured }) => {
    const count = numberOf(structured.numFiles);
    if (count === null) return null;
    const more = structured.truncated === true ? "+" : "";
    return `${count}${more} file${count === 1 ? "" : "s"} for ${textOf(input.pattern) ?? ""}`;
  },
  Grep: ({ input, structured }) => {
    const pattern = textOf(input.pattern) ?? "";
    const lines = numberOf(structured.numLines);
    const files = numberOf(structured.numFiles);
    const matches = numberOf(structured.numMatches);
    if (structured.mode === "content" && lines !== null) return `${countText(lines, "line")} for ${pattern}`;
    if (structured.mode === "count" && matches !== null) {
      return `${countText(matches, "match")} for ${pattern}`;
    }
    return files === null ? null : `${countText(files, "file")} for ${pattern}`;
  },
  TodoWrite: ({ input }) => todoTitle(input),
  WebFetch: ({ input, structured }) => {
    const code = numberOf(structured.code);
    const facts = [
      code === null ? null : `${code} ${firstText(structured.codeText) ?? ""}`.trim(),
      positive(structured.bytes) === null ? null : bytesText(positive(structured.bytes) ?? 0),
    ].filter((fact) => fact !== null);
    const url = firstText(structured.url, input.url) ?? "";
    return facts.length === 0 ? null : `${facts.join(", ")}: ${url}`;
  },
  WebSearch: ({ input, structured }) => {
    const results = fieldsList(structured.results);
    if (results.length === 0) return null;
    const found = results.reduce((sum, result) => sum + listOf(result.content).length, 0);
    return `${countText(found, "result")} for ${firstText(structured.query, input.query) ?? ""}`;
  },
};

/** One line that says what a call did; null where the shared summary does. */
export function claudeSummary(name: string, result: SummedResult): string | null {
  const line = rowOf(SUMMARIES, name)?.(result) ?? null;
  return line === null || line.trim() === "" ? null : summaryLine(line);
}

/** A recorded patch (`structuredPatch`) as the hunks of a unified diff; null when there is none. */
export function claudePatch(structured: Fields): string | null {
  const hunks = fieldsList(structured.structuredPatch).flatMap((hunk) => {
    const [oldStart, oldLines, newStart, newLines] = [
      numberOf(hunk.oldStart),
      numberOf(hunk.oldLines),
      numberOf(hunk.newStart),
      numberOf(hunk.newLines),
    ];
    if (oldStart === null || newStart === null) return [];
    const lines = listOf(hunk.lines).filter((line) => typeof line === "string");
    return [`@@ -${oldStart},${oldLines ?? 0} +${newStart},${newLines ?? 0} @@`, ...lines];
  });
  return hunks.length === 0 ? null : `${hunks.join("\n")}\n`;
}

function editSummary({ input, structured, cwd }: SummedResult): string | null {
  const path = firstText(structured.filePath, input.file_path);
  if (path === null) return null;
  let added = 0;
  let removed = 0;
  for (const hunk of fieldsList(structured.structuredPatch)) {
    for (const line of listOf(hunk.lines)) {
      if (typeof line !== "string") continue;
      if (line.startsWith("+")) added++;
      else if (line.startsWith("-")) removed++;
    }
  }
  return `Edited ${nearPath(path, cwd)}${added + removed === 0 ? "" : ` (+${added} -${removed})`}`;
}

function titled(name: string, detail: string | null): string {
  return detail === null ? name : `${name}: ${summaryLine(detail)}`;
}

function markdown(value: unknown): unknown[] | null {
  const text = textOf(value);
  return text === null || text === "" ? null : [{ type: "markdown", text }];
}

function plain(value: unknown): unknown[] | null {
  const text = textOf(value);
  return text === null || text === "" ? null : [{ type: "text", text }];
}

const MARKS: Readonly<Record<string, string>> = { completed: "[x]", in_progress: "[>]", pending: "[ ]" };

function todoText(input: Fields): string {
  return listOf(input.todos).map((todo) => {
    const fields = fieldsOf(todo);
    const text = firstText(fields.content, fields.subject, fields.text, todo) ?? "";
    return `${rowOf(MARKS, fields.status) ?? "[ ]"} ${text}`;
  }).join("\n");
}

function todoTitle(input: Fields): string {
  const todos = todosOf(input) ?? fieldsList(input.todos);
  const done = todos.filter((todo) => todo.status === "completed").length;
  return `Todos: ${done} of ${todos.length} done`;
}

function uses(count: number | null): string | null {
  return count === null ? null : countText(count, "tool use");
}

function tokens(count: number | null): string | null {
  return count === null ? null : `${tokensText(count)} tokens`;
}

function duration(ms: number | null): string | null {
  return ms === null ? null : durationText(ms);
}
