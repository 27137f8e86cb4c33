// Candidates for what is being completed: commands from their table, arguments a command knows, files from outside.

import { type Candidate, type CompletionRequest, setCandidates } from "../input/completion.ts";
import { wantedCompletion } from "../input/composer.ts";
import type { Effect } from "./effect.ts";
import { SLASH_COMMANDS } from "./slash.ts";
import type { State } from "./state.ts";

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
