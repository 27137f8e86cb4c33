// What can be configured, and what it is without a configuration file. Loaded by every start, so nothing else is here:
// the file itself is io/load_config.ts and config.ts.

import type { FoldMode } from "../transcript/block.ts";

/** The settings of the configuration file that the screen depends on. */
export interface Settings {
  readonly keys: Readonly<Record<string, readonly string[]>>;
  readonly pasteThreshold: number;
  readonly previewHead: number;
  readonly previewTail: number;
  readonly showReasoning: boolean;
}

export const DEFAULT_SETTINGS: Settings = {
  keys: {},
  pasteThreshold: 0,
  previewHead: 2,
  previewTail: 2,
  showReasoning: true,
};

/** An agent that a person described. */
export interface AgentConfig {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Null: the directory the pod is for. */
  readonly cwd: string | null;
  /** Null: what its first valid answer is. */
  readonly protocol: "acp" | "pod-jsonl" | null;
}

/** How a person who looks elsewhere is told that the agent is done or asks. */
export type NotifyKind = "off" | "bell" | "osc9" | "osc777";

/** All settings, with their defaults where the file says nothing. */
export interface Config {
  /** Null: the demo agent. */
  readonly defaultAgent: string | null;
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly scrollRegions: "auto" | "off";
  readonly fold: FoldMode;
  readonly settings: Settings;
  readonly mouse: boolean;
  readonly color: boolean;
  readonly notify: NotifyKind;
  /** Null: as the agent's kind has it. */
  readonly idleEndMinutes: number | null;
  /** Null: 25, and 150 over ssh. */
  readonly escapeMs: number | null;
  readonly ambiguousWidth: 1 | 2;
}

/** Nothing configured. */
export const DEFAULT_CONFIG: Config = {
  defaultAgent: null,
  agents: {},
  scrollRegions: "auto",
  fold: "normal",
  settings: DEFAULT_SETTINGS,
  mouse: true,
  color: true,
  notify: "off",
  idleEndMinutes: null,
  escapeMs: null,
  ambiguousWidth: 1,
};

/** A configuration, or all that is wrong with it, one sentence a line. */
export type ReadConfig =
  | { readonly kind: "config"; readonly config: Config }
  | { readonly kind: "problem"; readonly what: string };
