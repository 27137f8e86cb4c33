// Modes, options and models of an ACP session: what the agent offers, and which request chooses among it. Config
// options come first; modes and the older models object stand where no option says the same.

import { type Fields, fieldsList, fieldsOf, textOf } from "../recordings/fields.ts";

/** A request that changes a setting; the session's id is still to be put in. */
export interface SettingRequest {
  readonly method: string;
  readonly params: Fields;
}

/** What the session offers, as last told. */
export interface AcpSettings {
  /** Takes the answer to session/new and its kin. */
  begin(result: Fields): void;
  /** Takes a list of config options; it is always complete. */
  takeOptions(fields: Fields): void;
  /** The request for an option; null when the session has none of that id. */
  optionRequest(id: string, value: string | boolean): SettingRequest | null;
  /** The request for a model; null when the session lets none be chosen. */
  modelRequest(provider: string | null, model: string): SettingRequest | null;
}

/** Nothing is offered before a session has begun. */
export function createAcpSettings(): AcpSettings {
  let options: readonly Fields[] = [];
  let hasModes = false;
  let models: readonly string[] = [];
  return {
    begin: (result) => {
      options = fieldsList(result.configOptions);
      hasModes = Array.isArray(fieldsOf(result.modes).availableModes);
      models = fieldsList(fieldsOf(result.models).availableModels).flatMap((one) =>
        textOf(one.modelId) ?? []
      );
    },
    takeOptions: (fields) => {
      if (Array.isArray(fields.configOptions)) options = fieldsList(fields.configOptions);
    },
    optionRequest: (id, value) => {
      const option = options.find((one) => one.id === id);
      if (option !== undefined) return optionRequest(id, value);
      return id === "mode" && hasModes && typeof value === "string"
        ? { method: "session/set_mode", params: { modeId: value } }
        : null;
    },
    modelRequest: (provider, model) => {
      const full = provider === null || provider === "" ? model : `${provider}/${model}`;
      const option = options.find((one) => one.category === "model");
      if (option !== undefined) {
        return optionRequest(textOf(option.id) ?? "model", knownOf(valuesOf(option), full, model));
      }
      return models.length === 0
        ? null
        : { method: "session/set_model", params: { modelId: knownOf(models, full, model) } };
    },
  };
}

function optionRequest(configId: string, value: string | boolean): SettingRequest {
  return {
    method: "session/set_config_option",
    params: typeof value === "boolean" ? { configId, type: "boolean", value } : { configId, value },
  };
}

/** The name the agent lists; one it does not list is sent as it stands, for the agent to judge. */
function knownOf(listed: readonly string[], full: string, model: string): string {
  return [full, model].find((name) => listed.includes(name)) ?? full;
}

/** Values of a select option, groups flattened. */
function valuesOf(option: Fields): string[] {
  return fieldsList(option.options).flatMap((value) =>
    Array.isArray(value.options) ? valuesOf(value) : textOf(value.value) ?? []
  );
}
