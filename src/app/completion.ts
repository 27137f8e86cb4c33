// Candidates for what is being completed: commands from their table, arguments a command knows, files from outside.

import { type Candidate, type CompletionRequest, setCandidates } from "../input/completion.ts";
import { wantedCompletion } from "../input/composer.ts";
import { cellWidth, graphemes } from "../text/graphemes.ts";
import { type Line, line, lineOf, padLine, shortenLine } from "../text/line.ts";
import { oneLine } from "./one_line.ts";
import type { Effect } from "./effect.ts";
import { SLASH_COMMANDS } from "./slash.ts";
import type { State } from "./state.ts";

/** Candidates shown at once. */
const SHOWN = 7;

/** Looks whether the draft now asks for candidates; files are asked for outside. */
export function refreshCompletion(state: State): readonly Effect[] {
  const request = wantedCompletion(state.composer);
  if (request === null) return [];
  if (request.kind === "file") return [{ kind: "find_files", request }];
  setCandidates(
    state.composer.completion,
    request,
    request.kind === "command" ? commands(state, request) : argumentsOf(state, request),
  );
  return [];
}

/** The rows of the open list; the marked one is in view. */
export function completionRows(state: State, width: number, height: number): readonly Line[] {
  const { candidates, selected } = state.composer.completion;
  const isCut = candidates.length > Math.min(SHOWN, height);
  const room = Math.max(1, Math.min(SHOWN, height) - (isCut ? 1 : 0));
  const first = Math.max(0, Math.min(selected - Math.floor(room / 2), candidates.length - room));
  const shown = candidates.slice(first, first + room);
  const more = isCut && height > 1
    ? [padLine(line(`  +${candidates.length - shown.length} more`, "panel.hint"), width, "panel.text")]
    : [];
  // Where something stands behind the labels they leave room for it.
  const hasDetails = shown.some((candidate) => candidate.detail !== undefined);
  const labels = Math.max(
    0,
    Math.min(
      hasDetails ? Math.floor(width / 2) : width - 2,
      Math.max(0, ...shown.map((candidate) => cellWidth(oneLine(candidate.label)))),
    ),
  );
  const isFile = state.composer.completion.request?.kind === "file";
  const rows = shown.map((candidate, at) => {
    const isMarked = first + at === selected;
    const role = isMarked ? "panel.selected" : "panel.text";
    const text = oneLine(candidate.label);
    const label = padLine(
      shortenLine(lineOf([isFile ? cutStart(text, labels) : text, role]), labels),
      labels,
      role,
    );
    const detail = candidate.detail === undefined ? "" : `  ${oneLine(candidate.detail)}`;
    const row = {
      spans: [
        { text: isMarked ? "> " : "  ", role } as const,
        ...label.spans,
        { text: detail, role: isMarked ? role : "panel.hint" } as const,
      ],
    };
    return padLine(shortenLine(row, width), width, role);
  });
  return [...rows, ...more.map((row) => shortenLine(row, width))];
}

/** A path that is too long keeps its end, which tells files apart. */
function cutStart(text: string, width: number): string {
  let used = cellWidth(text);
  if (used <= width) return text;
  const signs = graphemes(text);
  let first = 0;
  while (first < signs.length && used > width - 1) used -= cellWidth(signs[first++] ?? "");
  return `…${signs.slice(first).join("")}`;
}

function commands(state: State, request: CompletionRequest): readonly Candidate[] {
  const own = Object.entries(SLASH_COMMANDS)
    .filter(([, command]) => command.recording || !state.options.recording)
    .map(([name, command]): Candidate => ({
      label: `/${name} ${command.hint}`.trim(),
      text: name,
      detail: command.label,
    }));
  const agents = state.transcript.commands.map((command): Candidate => ({
    label: `/${command.name}${command.hint === null ? "" : ` ${command.hint}`}`,
    text: command.name,
    detail: command.description,
  }));
  return [...own, ...agents].filter((candidate) => candidate.text.startsWith(request.query));
}

function argumentsOf(state: State, request: CompletionRequest): readonly Candidate[] {
  const known: Readonly<Record<string, readonly string[]>> = {
    fold: ["detail", "normal", "overview"],
    model: state.transcript.models.map((entry) => `${entry.provider}/${entry.model}`),
  };
  const choices = Object.hasOwn(known, request.command) ? known[request.command] ?? [] : [];
  return choices.filter((text) => text.startsWith(request.query)).map((text) => ({ label: text, text }));
}
