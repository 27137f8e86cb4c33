// Gemini's content: a string or a list of parts, as text and as results of tools. Qwen Code writes the same parts.

import { blockText } from "./acp_content.ts";
import { type Fields, fieldsList, fieldsOf, firstText, showValue, textOf } from "./fields.ts";
import { cutLine, exitInText } from "./result_summary.ts";
import { toolKind } from "../transcript/tool_names.ts";
import type { FoundResult } from "./telling_calls.ts";

/** Parts of a message: `content` or `parts`, whichever holds them. */
export function partsOf(content: unknown): readonly Fields[] {
  if (typeof content === "string") return content === "" ? [] : [{ text: content }];
  if (Array.isArray(content)) {
    return content.map((part) => typeof part === "string" ? { text: part } : fieldsOf(part));
  }
  const fields = fieldsOf(content);
  return Object.keys(fields).length === 0 ? [] : [fields];
}

/** The parts' text without thoughts, calls and results; images and files as labels on lines of their own. */
export function partsText(parts: readonly Fields[]): string {
  let text = "";
  for (const part of parts) {
    if (part.thought === true || part.functionCall !== undefined || part.functionResponse !== undefined) {
      continue;
    }
    const piece = textOf(part.text);
    if (piece !== null) text += piece;
    else text += `${text === "" || text.endsWith("\n") ? "" : "\n"}${partLabel(part)}\n`;
  }
  return text;
}

/** The parts' thoughts. */
export function partsThought(parts: readonly Fields[]): string {
  return parts.filter((part) => part.thought === true).map((part) => textOf(part.text) ?? "").join("");
}

function partLabel(part: Fields): string {
  const inline = fieldsOf(part.inlineData);
  if (Object.keys(inline).length > 0) {
    const type = textOf(inline.mimeType) ?? "";
    return blockText({
      type: type.startsWith("audio/") ? "audio" : "image",
      mimeType: type,
      data: inline.data,
    });
  }
  const file = fieldsOf(part.fileData);
  if (Object.keys(file).length > 0) {
    return `[file: ${firstText(file.fileUri, file.displayName) ?? "unnamed"}]`;
  }
  const code = textOf(fieldsOf(part.executableCode).code);
  if (code !== null) return code;
  const output = textOf(fieldsOf(part.codeExecutionResult).output);
  if (output !== null) return output;
  return `[${Object.keys(part)[0] ?? "empty"}]`;
}

/** Messages that an agent puts into the history for the model, by how they begin. */
export function isInjected(text: string): boolean {
  return /^\s*<(?:session_context|environment_context|user_instructions|system-reminder|system_reminder|hook_context|state_snapshot)\b/
    .test(text);
}

/** What one function response says, with how it is shown where that is known. */
export function responseResult(
  call: { readonly name: string; readonly path: string | null },
  response: unknown,
  about: { readonly display?: unknown; readonly status?: string | null },
): FoundResult {
  const fields = fieldsOf(response);
  const display = about.display;
  const shown = displayText(display);
  const said = textOf(response) ?? firstText(fields.output, fields.error, fields.content, fields.result) ??
    (Object.keys(fields).length === 0 ? null : textOf(fields.output) ?? showValue(response));
  const failed = about.status === "error" || about.status === "cancelled" ||
    (about.status == null && textOf(fields.error) !== null);
  const isShell = toolKind(call.name) === "shell";
  const exit = isShell ? shellExit(said ?? "", display) : { code: null, signal: null };
  const output = isShell ? shellOutput(said, shown) : said ?? shown;
  const patch = textOf(fieldsOf(display).fileDiff);
  const path = firstText(fieldsOf(display).filePath, call.path, fieldsOf(display).fileName);
  const isNews = !isShell && shown !== null && shown !== "" && shown.length <= 80 && !shown.includes("\n") &&
    toolKind(call.name) !== "read";
  return {
    output,
    isError: failed || (exit.code !== null && exit.code !== 0) || exit.signal !== null,
    exitCode: exit.code,
    signal: exit.signal,
    name: call.name,
    summary: isNews && !failed ? cutLine(shown) : null,
    patch: patch === null || path === null ? null : { path, text: patch },
  };
}

/** Text of a `resultDisplay`: a string, a terminal's lines, or an object that describes itself. */
function displayText(display: unknown): string | null {
  if (typeof display === "string") return display;
  if (Array.isArray(display)) {
    return display.map((line) =>
      Array.isArray(line) ? line.map((token) => textOf(fieldsOf(token).text) ?? "").join("") : showValue(line)
    ).join("\n");
  }
  const fields = fieldsOf(display);
  if (fields.type === "shell_result") return textOf(fields.output);
  return firstText(fields.summary, fields.text);
}

function shellExit(said: string, display: unknown): { code: number | null; signal: string | null } {
  const fields = fieldsOf(display);
  if (fields.type === "shell_result") {
    const signal = fields.signal === null || fields.signal === undefined ? null : showValue(fields.signal);
    return { code: typeof fields.exitCode === "number" && signal === null ? fields.exitCode : null, signal };
  }
  const exit = exitInText(
    said.replace(/\n?(?:Signal|Background PIDs|Process Group PGID|Error): [^\n]*/g, ""),
  );
  // Newer reports leave the code out where it is 0.
  const isReport = REPORT.test(said) && !/\nExit Code: /.test(said);
  return isReport && exit.code === null && exit.signal === null ? { code: 0, signal: null } : exit;
}

const REPORT = /^(?:<untrusted_context>\n)?(?:Command: [\s\S]*?\nDirectory: [^\n]*\n)?Output: ([\s\S]*)$/;
const REPORT_END =
  /(?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*)+(?:\n<\/untrusted_context>)?\s*$/;

/** A command's output without the report that is made of it for the model. */
function shellOutput(said: string | null, shown: string | null): string | null {
  const report = REPORT.exec(said ?? "");
  if (report === null) return shown !== null && shown !== "" ? shown : said;
  const body = (report[1] ?? "").replace(REPORT_END, "").replace(/\n<\/untrusted_context>\s*$/, "");
  return body === "(empty)" ? "" : body;
}

/** Usage of one request in Gemini's counts: cached tokens are part of the prompt; thoughts may be part of the answer. */
export function geminiTokens(
  counts: {
    input: number | null;
    output: number | null;
    thoughts: number | null;
    total: number | null;
    cached: number | null;
  },
): { input: number | null; output: number | null; cacheRead: number | null; reasoning: number | null } {
  const { input, output, thoughts, total, cached } = counts;
  const apart = total !== null && (thoughts ?? 0) > 0 &&
    total >= (input ?? 0) + (output ?? 0) + (thoughts ?? 0);
  return {
    input,
    output: output === null ? null : output + (apart ? thoughts ?? 0 : 0),
    cacheRead: cached,
    reasoning: thoughts,
  };
}

/** Function responses among the parts. */
export function responsesOf(parts: readonly Fields[]): readonly Fields[] {
  return fieldsList(parts.map((part) => part.functionResponse));
}
