// The configuration file: its settings as one schema, what they are without a file, and what is wrong with one.
// A fault is never skipped over: the program says all of them and does not start.

import * as v from "valibot";
import { createKeymap } from "../input/keymap.ts";
import { nearestName } from "../input/nearest_name.ts";
import { type Config, DEFAULT_CONFIG, type ReadConfig } from "./settings.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000));

const agentSchema = v.object({
  command: v.pipe(v.string(), v.nonEmpty()),
  args: v.optional(v.array(v.string())),
  env: v.optional(v.record(v.string(), v.string())),
  cwd: v.optional(v.string()),
  protocol: v.optional(v.picklist(["acp", "pod-jsonl"])),
});

/** The settings as the file spells them. */
const configSchema = v.object({
  default_agent: v.optional(v.pipe(v.string(), v.nonEmpty())),
  agents: v.optional(v.record(v.string(), agentSchema)),
  scroll_regions: v.optional(v.picklist(["auto", "off"])),
  fold: v.optional(v.picklist(["detail", "normal", "overview"])),
  keys: v.optional(v.record(v.string(), v.array(v.string()))),
  paste_threshold: v.optional(count),
  preview_head: v.optional(count),
  preview_tail: v.optional(count),
  show_reasoning: v.optional(v.boolean()),
  mouse: v.optional(v.boolean()),
  color: v.optional(v.boolean()),
  notify: v.optional(v.picklist(["off", "bell", "osc9", "osc777"])),
  idle_end_minutes: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(1_000_000))),
  escape_ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2000))),
  ambiguous_width: v.optional(v.picklist([1, 2])),
});

/** The names of all settings, for a person who looks for one. */
export const SETTING_NAMES: readonly string[] = Object.keys(configSchema.entries);

/** Reads a configuration file's text; `path` names it in what is said. */
export function parseConfig(text: string, path: string): ReadConfig {
  const inFile = (what: string) => `Cannot read config ${JSON.stringify(path)}: ${what}`;
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    return { kind: "problem", what: inFile(error instanceof Error ? error.message : String(error)) };
  }
  if (!isObject(value)) return { kind: "problem", what: inFile("it must be one JSON object") };
  const problems = [...unknownNames(value)];
  const result = v.safeParse(configSchema, value);
  for (const issue of result.issues ?? []) {
    const name = v.getDotPath(issue) ?? "it";
    problems.push(
      issue.received === "undefined"
        ? `${name} is missing`
        : `${name} must be ${wishOf(issue)}, not ${issue.received}`,
    );
  }
  if (result.success) problems.push(...createKeymap(result.output.keys).problems);
  if (!result.success || problems.length > 0) {
    return { kind: "problem", what: problems.map(inFile).join("\n") };
  }
  return { kind: "config", config: toConfig(result.output) };
}

function toConfig(file: v.InferOutput<typeof configSchema>): Config {
  const { settings, ...rest } = DEFAULT_CONFIG;
  return {
    defaultAgent: file.default_agent ?? rest.defaultAgent,
    agents: Object.fromEntries(
      Object.entries(file.agents ?? {}).map(([name, agent]) => [name, {
        command: agent.command,
        args: agent.args ?? [],
        env: agent.env ?? {},
        cwd: agent.cwd ?? null,
        protocol: agent.protocol ?? null,
      }]),
    ),
    scrollRegions: file.scroll_regions ?? rest.scrollRegions,
    fold: file.fold ?? rest.fold,
    settings: {
      keys: file.keys ?? settings.keys,
      pasteThreshold: file.paste_threshold ?? settings.pasteThreshold,
      previewHead: file.preview_head ?? settings.previewHead,
      previewTail: file.preview_tail ?? settings.previewTail,
      showReasoning: file.show_reasoning ?? settings.showReasoning,
    },
    mouse: file.mouse ?? rest.mouse,
    color: file.color ?? rest.color,
    notify: file.notify ?? rest.notify,
    idleEndMinutes: file.idle_end_minutes ?? rest.idleEndMinutes,
    escapeMs: file.escape_ms ?? rest.escapeMs,
    ambiguousWidth: file.ambiguous_width ?? rest.ambiguousWidth,
  };
}

/** Names that are no setting; actions of `keys` are the keymap's to doubt. */
function unknownNames(file: Readonly<Record<string, unknown>>): string[] {
  const known = SETTING_NAMES;
  const problems = Object.keys(file).filter((name) => !known.includes(name)).map((name) =>
    unknownName("setting", name, known)
  );
  if (!isObject(file.agents)) return problems;
  const fields = Object.keys(agentSchema.entries);
  for (const [agent, value] of Object.entries(file.agents)) {
    if (!isObject(value)) continue;
    for (const name of Object.keys(value)) {
      if (!fields.includes(name)) problems.push(unknownName(`setting of agent ${agent}`, name, fields));
    }
  }
  return problems;
}

function unknownName(what: string, name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  const hint = near === null ? `known are ${known.join(", ")}` : `did you mean ${JSON.stringify(near)}?`;
  return `there is no ${what} ${JSON.stringify(name)}; ${hint}`;
}

/** What would have been right, in words. */
function wishOf(issue: v.BaseIssue<unknown>): string {
  switch (issue.type) {
    case "integer":
      return "a whole number";
    case "min_value":
      return `at least ${issue.expected?.replace(/^>=/, "")}`;
    case "max_value":
      return `at most ${issue.expected?.replace(/^<=/, "")}`;
    case "non_empty":
      return "text";
    case "picklist":
      return issue.expected?.replace(/^\((.*)\)$/, "$1").replaceAll(" | ", " or ") ?? "another value";
  }
  const words: Readonly<Record<string, string>> = {
    string: "text",
    boolean: "true or false",
    number: "a number",
    Array: "a list",
    Object: "an object",
  };
  return words[issue.expected ?? ""] ?? issue.expected ?? "another value";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
