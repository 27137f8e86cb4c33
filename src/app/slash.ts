// Slash commands: a line that begins with "/" never reaches the agent unless it is the agent's own command.
// A table from name to what it does; help and completion come from the same table.

import type { FoldMode } from "../transcript/block.ts";
import { send, shutDown } from "./actions_agent.ts";
import { setFold } from "./actions_view.ts";
import type { Effect } from "./effect.ts";
import { follow } from "../layout/viewport.ts";
import { copyAnswer } from "./copy.ts";
import { openFind } from "./find.ts";
import { helpPanel } from "./help.ts";
import { pickModel, pickOption, setOption } from "./picks.ts";
import { applyLayoutSettings, showHint, type State } from "./state.ts";
import { statusPanel } from "./status_panel.ts";

/** One command. `recording`: it also makes sense where there is no agent. */
export interface SlashCommand {
  readonly hint: string;
  readonly label: string;
  readonly recording: boolean;
  readonly run: (state: State, argument: string) => readonly Effect[] | void;
}

/** What became of a submitted line. */
export type SlashOutcome =
  | { readonly kind: "done"; readonly effects: readonly Effect[] }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unknown" };

export const SLASH_COMMANDS: Readonly<Record<string, SlashCommand>> = {
  help: {
    hint: "",
    label: "keys and commands",
    recording: true,
    run: (state) => {
      state.panel = helpPanel(state, "commands");
    },
  },
  model: {
    hint: "[provider/model]",
    label: "the models the agent offers, or take one",
    recording: false,
    run: selectModel,
  },
  set: {
    hint: "[option value]",
    label: "the agent's options and modes",
    recording: false,
    run: (state, argument) => {
      const [id = "", ...rest] = argument.split(/\s+/);
      if (id === "") return pickOption(state);
      if (rest.length > 0) return [setOption(state, id, rest.join(" "))];
      showHint(state, `/set ${id} wants a value`, "warn");
    },
  },
  clear: {
    hint: "",
    label: "empty this view; attaching again shows all",
    recording: true,
    run: (state) => {
      state.clearedThrough = state.transcript.blocks.at(-1)?.id ?? null;
      state.selected = null;
      state.focus = "composer";
      applyLayoutSettings(state);
      follow(state.layout, state.viewport);
    },
  },
  reasoning: {
    hint: "",
    label: "show or hide reasoning",
    recording: true,
    run: (state) => {
      state.showReasoning = !state.showReasoning;
      applyLayoutSettings(state);
      showHint(state, state.showReasoning ? "Reasoning is shown" : "Reasoning is hidden");
    },
  },
  fold: { hint: "[detail|normal|overview]", label: "fold mode", recording: true, run: foldCommand },
  tools: { hint: "", label: "the same as /fold", recording: true, run: foldCommand },
  copy: {
    hint: "",
    label: "the newest answer into the terminal's clipboard",
    recording: true,
    run: copyAnswer,
  },
  find: {
    hint: "[text]",
    label: "find a text in the transcript",
    recording: true,
    run: (state, argument) => openFind(state, argument),
  },
  redraw: { hint: "", label: "draw the screen again", recording: true, run: () => [{ kind: "redraw" }] },
  status: {
    hint: "",
    label: "facts of this session",
    recording: true,
    run: (state) => {
      state.panel = statusPanel(state);
    },
  },
  resume: {
    hint: "",
    label: "sessions, each with the command that opens it",
    recording: false,
    run: () => [{ kind: "list_sessions" }],
  },
  compact: {
    hint: "",
    label: "compact the conversation",
    recording: false,
    run: (state) => {
      const own = state.transcript.commands.some(({ name }) => name === "compact" || name === "compress");
      if (own || state.transcript.capabilities.includes("compact")) {
        return [send({ method: "compact", params: {} })];
      }
      showHint(state, "This agent cannot compact on demand", "warn");
    },
  },
  quit: { hint: "", label: "leave at once", recording: true, run: () => [{ kind: "quit", code: 0 }] },
  shutdown: { hint: "", label: "shut the agent down", recording: false, run: (state) => shutDown(state) },
};

/** Runs a line that begins with "/"; "//" is a literal "/", and the agent's own commands are text for it. */
export function runSlash(state: State, line: string): SlashOutcome {
  if (line.startsWith("//")) return { kind: "text", text: line.slice(1) };
  const match = /^\/(\S*)\s*([\s\S]*)$/.exec(line);
  const name = match?.[1] ?? "";
  const argument = (match?.[2] ?? "").trim();
  const command = Object.hasOwn(SLASH_COMMANDS, name) ? SLASH_COMMANDS[name] : undefined;
  if (command !== undefined && (command.recording || !state.options.recording)) {
    return { kind: "done", effects: command.run(state, argument) ?? [] };
  }
  if (state.transcript.commands.some((own) => own.name === name)) return { kind: "text", text: line };
  return { kind: "unknown" };
}

function foldCommand(state: State, argument: string): void {
  const modes: Readonly<Record<string, FoldMode>> = {
    detail: "detail",
    normal: "normal",
    overview: "overview",
  };
  const next: Readonly<Record<FoldMode, FoldMode>> = {
    normal: "detail",
    detail: "overview",
    overview: "normal",
  };
  const wanted = argument === ""
    ? next[state.fold]
    : Object.hasOwn(modes, argument)
    ? modes[argument]
    : undefined;
  if (wanted === undefined) {
    return showHint(state, `There is no fold mode "${argument}": detail, normal or overview`, "warn");
  }
  setFold(state, wanted);
}

/** provider/model in full is accepted though unlisted; a bare name must be listed once. */
function selectModel(state: State, argument: string): readonly Effect[] | void {
  const { models } = state.transcript;
  if (argument === "") return pickModel(state);
  const slash = argument.indexOf("/");
  if (slash > 0) {
    return [
      send({
        method: "select_model",
        params: { provider: argument.slice(0, slash), model: argument.slice(slash + 1) },
      }),
    ];
  }
  const found = models.filter((entry) => entry.model === argument);
  if (found.length === 1 && found[0] !== undefined) {
    return [send({ method: "select_model", params: { provider: found[0].provider, model: found[0].model } })];
  }
  showHint(
    state,
    found.length === 0
      ? `The agent names no model "${argument}"`
      : `"${argument}" is offered by several providers: write provider/model`,
    "warn",
  );
}
