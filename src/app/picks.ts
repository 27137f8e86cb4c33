// What a picker offers and what picking does: models, the agent's options, and their values.

import type { AgentOption } from "../transcript/event.ts";
import { oneLine } from "./one_line.ts";
import { formatTokens } from "../layout/format.ts";
import type { Effect } from "./effect.ts";
import { openPicker } from "./event_picks.ts";
import { createPicker, type PickerItem, type PickerPurpose } from "./panels/picker_panel.ts";
import { showHint, type State } from "./state.ts";

/** Opens the list of models; a hint where the agent names none. */
export function pickModel(state: State): void {
  const { models, model } = state.transcript;
  const items = models.map((entry): PickerItem => ({
    id: `${entry.provider}/${entry.model}`,
    label: `${entry.provider}/${entry.model}`,
    detail: [
      entry.label ?? "",
      entry.context_window === null ? "" : `${formatTokens(entry.context_window)} tokens`,
    ].filter((part) => part !== "").join("  "),
    isCurrent: model !== null && entry.model === model.model &&
      entry.provider === (model.provider ?? entry.provider),
  }));
  const isListed = model === null || items.some((item) => item.isCurrent);
  if (!isListed && model !== null) {
    const id = `${model.provider ?? ""}/${model.model}`;
    items.unshift({ id, label: id.replace(/^\//, ""), detail: "", isCurrent: true });
  }
  if (items.length === 0) {
    return showHint(state, "The agent names no models; /model provider/model takes one all the same");
  }
  openPicker(state, createPicker("Model", { kind: "model" }, items));
}

/** Opens the list of the agent's options, modes among them. */
export function pickOption(state: State): void {
  const items = state.transcript.options.map((option): PickerItem => ({
    id: option.id,
    label: oneLine(option.label === "" ? option.id : option.label),
    detail: currentLabel(option),
    isCurrent: false,
  }));
  if (items.length === 0) return showHint(state, "The agent has no options");
  openPicker(state, createPicker("Options", { kind: "option" }, items));
}

/** Does what was picked. */
export function takePick(state: State, purpose: PickerPurpose, item: PickerItem): readonly Effect[] {
  switch (purpose.kind) {
    case "model": {
      const slash = item.id.indexOf("/");
      const provider = slash <= 0 ? null : item.id.slice(0, slash);
      return [{
        kind: "send",
        method: { method: "select_model", params: { provider, model: item.id.slice(slash + 1) } },
      }];
    }
    case "option": {
      const option = state.transcript.options.find((candidate) => candidate.id === item.id);
      if (option !== undefined) pickValue(state, option);
      return [];
    }
    case "option_value":
      return [setOption(state, purpose.option, item.id)];
    case "session":
      return [{ kind: "open_recording", path: item.id }];
    case "login": {
      const method = state.transcript.authMethods.find((candidate) => candidate.id === item.id);
      if (method === undefined) return [];
      if (method.terminal !== null) {
        return [{ kind: "login", methodId: method.id, terminal: method.terminal }];
      }
      showHint(state, "The agent logs in; Esc gives up");
      return [{ kind: "send", method: { method: "authenticate", params: { method_id: method.id } } }];
    }
  }
}

/** The method that sets an option; a switch takes true and false. */
export function setOption(state: State, id: string, value: string): Effect {
  const option = state.transcript.options.find((candidate) => candidate.id === id);
  const isSwitch = typeof option?.current === "boolean";
  return {
    kind: "send",
    method: { method: "set_option", params: { id, value: isSwitch ? value === "true" : value } },
  };
}

function pickValue(state: State, option: AgentOption): void {
  const values = option.values.length > 0 || typeof option.current !== "boolean"
    ? option.values
    : [{ id: "true", label: "on" }, { id: "false", label: "off" }];
  const items = values.map((value): PickerItem => ({
    id: value.id,
    label: oneLine(value.label === "" ? value.id : value.label),
    detail: "",
    isCurrent: String(option.current) === value.id,
  }));
  if (items.length === 0) {
    return showHint(
      state,
      `${oneLine(option.id)} has no values to pick from: /set ${oneLine(option.id)} VALUE`,
    );
  }
  const title = oneLine(option.label === "" ? option.id : option.label);
  openPicker(state, createPicker(title, { kind: "option_value", option: option.id }, items));
}

function currentLabel(option: AgentOption): string {
  if (typeof option.current === "boolean") return option.current ? "on" : "off";
  return oneLine(
    option.values.find((value) => value.id === option.current)?.label || (option.current ?? ""),
  );
}
