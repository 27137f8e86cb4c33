// Session-level messages: initialize, session/new and its kin, options and models, titles, commands, context.

import { type AcpState, emit, ignore, type OpenRequest } from "./acp_state.ts";
import { fieldAt, type Fields, fieldsList, fieldsOf, firstText, numberOf, textOf } from "./fields.ts";

/** The answer to initialize: who the agent is. From here on it is there. */
export function takeInitialized(state: AcpState, result: Fields): void {
  const info = fieldsOf(result.agentInfo);
  state.agent = {
    name: textOf(info.name) ?? "",
    title: firstText(info.title, info.name) ?? "ACP agent",
    version: textOf(info.version) ?? "",
  };
  state.authMethods = fieldsList(result.authMethods);
  emit(state, "hello", {
    protocol: "pod-jsonl",
    version: 1,
    agent: [state.agent.title, state.agent.version].filter((part) => part !== "").join(" "),
    capabilities: ["questions", "models"],
  });
}

/** The agent wants a login first (error -32000): how it can be done. */
export function tellAuth(state: AcpState): void {
  const methods = state.authMethods.map((method) => ({
    id: textOf(method.id) ?? "",
    label: firstText(method.name, method.id) ?? "",
    type: firstText(method.type, fieldAt(method, "_meta", "type")) ?? "agent",
  }));
  emit(state, "auth", { methods });
}

/** Forgets the session before, whatever it was. */
export function beginSession(state: AcpState, sessionId: string | null, cwd: string | null): void {
  state.sessionId = sessionId;
  state.cwd = cwd;
  state.turn = null;
  state.turns = 0;
  state.userText = null;
  for (
    const kept of [state.blocks, state.cards, state.growing, state.held, state.questions, state.children]
  ) kept.clear();
  for (const kept of [state.compactions, state.plans]) kept.clear();
  state.configOptions = [];
  state.modes = null;
  state.models = [];
  state.model = null;
  state.contextTold = "";
  state.optionsTold = "";
  state.commandsTold = "";
  state.costTold = null;
  state.costAtTurn = null;
  state.usage = null;
}

/** An empty history with the greeting: what a session begins with. */
export function tellHistory(state: AcpState): void {
  const entry = state.models.find((model) => modelId(model) === state.model);
  emit(state, "history", {
    session_id: state.sessionId,
    status: "idle",
    greeting: {
      pod_name: state.agent.title,
      cwd: state.cwd,
      model: state.model,
      context_window: numberOf(fieldAt(entry, "_meta", "contextLimit")),
      notes: state.banner === null ? null : [state.banner.trim()],
    },
  });
}

/** What session/new, session/load and session/resume answer alike. */
export function takeSessionResult(state: AcpState, request: OpenRequest, result: Fields): void {
  state.banner = firstText(fieldAt(result, "_meta", "piAcp", "startupInfo"));
  const modes = fieldsOf(result.modes);
  if (Array.isArray(modes.availableModes)) {
    state.modes = { available: fieldsList(modes.availableModes), current: textOf(modes.currentModeId) };
  }
  const models = fieldsOf(result.models);
  state.models = fieldsList(models.availableModels);
  state.model = textOf(models.currentModelId);
  state.configOptions = fieldsList(result.configOptions);
  state.chosenModel = textOf(modelOption(state)?.currentValue);
  state.model = state.chosenModel ?? state.model;
  state.sessionId = firstText(result.sessionId, request.params.sessionId) ?? state.sessionId;
  const isNew = request.method === "session/new" || request.method === "session/fork";
  if (isNew || (request.method === "session/resume" && state.options.replay === "show")) tellHistory(state);
  tellOptions(state);
  tellModels(state);
}

/** config_option_update, or the answer to session/set_config_option: the complete list. */
export function takeConfigOptions(state: AcpState, fields: Fields): void {
  if (!Array.isArray(fields.configOptions)) return ignore(state, "answer without news");
  state.configOptions = fieldsList(fields.configOptions);
  const mode = state.configOptions.find((option) => option.category === "mode");
  if (mode !== undefined && state.modes !== null) {
    state.modes = { ...state.modes, current: textOf(mode.currentValue) ?? state.modes.current };
  }
  tellOptions(state);
  const model = textOf(modelOption(state)?.currentValue);
  if (model !== null && model !== state.chosenModel) {
    state.chosenModel = model;
    state.model = model;
    tellModels(state);
  }
}

/** An option was set, and the answer lacks the list: what was asked for holds. */
export function takeConfigValue(state: AcpState, id: unknown, value: unknown): void {
  takeConfigOptions(state, {
    configOptions: state.configOptions.map((option) =>
      option.id === id ? { ...option, currentValue: value } : option
    ),
  });
}

/** current_mode_update, or session/set_mode that went well. */
export function takeMode(state: AcpState, mode: string | null): void {
  if (mode === null) return ignore(state, "mode without an id");
  if (state.modes !== null) state.modes = { ...state.modes, current: mode };
  state.configOptions = state.configOptions.map((option) =>
    option.category === "mode" ? { ...option, currentValue: mode } : option
  );
  tellOptions(state);
}

/** A model that was chosen (source client) or that a request really used (source request). */
export function takeModel(state: AcpState, model: string | null, source: "client" | "request"): boolean {
  if (model === null || model === state.model) return false;
  state.model = model;
  emit(state, "model_selected", { model, source });
  return true;
}

/** Options without the model, which has its own picker; modes as one of them where no option says the same. */
function tellOptions(state: AcpState): void {
  const options = state.configOptions.filter((option) => option.category !== "model").map((option) => ({
    id: textOf(option.id) ?? "",
    label: firstText(option.name, option.id) ?? "",
    current: typeof option.currentValue === "boolean" ? option.currentValue : textOf(option.currentValue),
    values: option.type === "boolean" ? [] : selectValues(option),
  }));
  const { modes } = state;
  if (modes !== null && !saysModes(options, modes.available)) {
    options.unshift({
      id: "mode",
      label: "Mode",
      current: modes.current,
      values: modes.available.map((mode) => ({
        id: textOf(mode.id) ?? "",
        label: firstText(mode.name, mode.id) ?? "",
      })),
    });
  }
  const told = JSON.stringify(options);
  if (told === state.optionsTold) return ignore(state, "options without news");
  state.optionsTold = told;
  emit(state, "options", { options });
}

function tellModels(state: AcpState): void {
  const option = modelOption(state);
  const limits = new Map(
    state.models.map((model) => [modelId(model), numberOf(fieldAt(model, "_meta", "contextLimit"))]),
  );
  const models = option === undefined
    ? state.models.map((model) => ({ id: modelId(model), label: firstText(model.name) }))
    : selectValues(option);
  if (models.length > 0) {
    emit(state, "model_catalog", {
      models: models.map(({ id, label }) => ({ model: id, label, context_window: limits.get(id) ?? null })),
    });
  }
  if (state.model !== null) emit(state, "model_selected", { model: state.model, source: "client" });
}

function modelOption(state: AcpState): Fields | undefined {
  return state.configOptions.find((option) => option.category === "model");
}

/** True when an option already offers what the modes offer (pi keeps its thinking levels in both). */
function saysModes(
  options: readonly { id: string; values: readonly { id: string }[] }[],
  modes: readonly Fields[],
): boolean {
  const ids = modes.map((mode) => textOf(mode.id) ?? "").join("\n");
  return options.some(({ id, values }) =>
    id === "mode" || values.map((value) => value.id).join("\n") === ids
  );
}

/** Values of a select option, groups flattened. */
function selectValues(option: Fields): { id: string; label: string }[] {
  return fieldsList(option.options).flatMap((value) =>
    Array.isArray(value.options)
      ? fieldsList(value.options).map((inner) => ({
        ...selectValue(inner),
        label: `${firstText(value.name) ?? ""}: ${selectValue(inner).label}`,
      }))
      : [selectValue(value)]
  );
}

function selectValue(value: Fields): { id: string; label: string } {
  return { id: textOf(value.value) ?? "", label: firstText(value.name, value.value) ?? "" };
}

function modelId(model: Fields): string {
  return textOf(model.modelId) ?? "";
}

/** available_commands_update: the whole list. Details beyond name, description and hint are left out. */
export function takeCommands(state: AcpState, update: Fields): void {
  const commands = fieldsList(update.availableCommands).map((command) => ({
    name: textOf(command.name) ?? "",
    description: textOf(command.description) ?? "",
    hint: firstText(fieldAt(command, "input", "hint")),
  })).filter((command) => command.name !== "");
  const told = JSON.stringify(commands);
  if (told === state.commandsTold) return ignore(state, "commands without news");
  state.commandsTold = told;
  emit(state, "commands", { commands });
}

/** session_info_update: the title; what agents keep in its `_meta` is theirs. */
export function takeSessionInfo(state: AcpState, update: Fields): void {
  if (!("title" in update)) return ignore(state, "session state of the agent");
  emit(state, "title", { title: textOf(update.title) ?? "" });
}
