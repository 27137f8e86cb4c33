// From requests to what a model would do: steps of reasoning, text and tool calls, as data. Pure.
// Running the calls is tools.ts, pacing turn.ts, the tour's own steps tour.ts.

import { EXAMPLE_BATCH } from "./questions.ts";
import type { PlanItem, Presentation } from "../../transcript/event.ts";
import { planAt } from "./plan.ts";
import { type DemoRequest, VERBS } from "./script.ts";
import { tourSteps } from "./tour.ts";

/** One call a step makes. A card has its answer with it: nothing runs. */
export interface ToolUse {
  readonly tool: "Read" | "Write" | "Edit" | "Grep" | "Glob" | "Bash" | "preview_release";
  readonly input: Readonly<Record<string, unknown>>;
  readonly card?: { readonly before: Presentation; readonly after: Presentation; readonly summary: string };
}

/** One model request: what it thinks, says and calls (side by side). Parts come in this order. */
export interface ModelStep {
  readonly reasoning?: string;
  readonly text?: string;
  readonly plan?: readonly PlanItem[];
  /** A batch of questions asked after the text. */
  readonly ask?: Readonly<Record<string, unknown>>;
  readonly note?: { readonly level: "info" | "warn" | "error"; readonly message: string };
  readonly calls: readonly ToolUse[];
}

/** What steps may depend on beside the requests. */
export interface StepFacts {
  /** Text files of the directory worth showing, best first. */
  readonly files: readonly string[];
}

/** How one call ended. */
export interface Outcome {
  readonly tool: string;
  readonly isError: boolean;
  readonly summary: string;
}

/** The steps that answer a message. The words after the last call are closingText's. */
export function planSteps(requests: readonly DemoRequest[], facts: StepFacts): ModelStep[] {
  const steps: ModelStep[] = [];
  for (const group of groupRequests(requests)) steps.push(...stepsOf(group, facts));
  const first = steps[0];
  if (first !== undefined && first.calls.length > 0 && first.reasoning === undefined) {
    steps[0] = { reasoning: thoughtAbout(requests), ...first };
  }
  return steps;
}

/** What the model says when all calls have come back; null when the steps said it already. */
export function closingText(requests: readonly DemoRequest[], outcomes: readonly Outcome[]): string | null {
  if (outcomes.length === 0 || requests.some((request) => request.kind === "tour")) return null;
  const failed = outcomes.filter((outcome) => outcome.isError);
  const calls = outcomes.length === 1 ? "1 call" : `${outcomes.length} calls`;
  if (failed.length === 0) {
    return `Done: ${outcomes.length === 1 ? outcomes[0]?.summary : `${calls}, all went well`}.`;
  }
  const list = failed.map((outcome) => `- ${outcome.tool}: ${outcome.summary}`).join("\n");
  return failed.length === outcomes.length && outcomes.length === 1
    ? `That did not work:\n\n${list}`
    : `Done: ${calls}, ${failed.length} failed:\n\n${list}`;
}

/** Neighbours that only look go side by side in one step, as a model would ask for them. */
function groupRequests(requests: readonly DemoRequest[]): DemoRequest[][] {
  const groups: DemoRequest[][] = [];
  for (const request of requests) {
    const last = groups.at(-1);
    if (last !== undefined && isLook(request) && last.every(isLook)) last.push(request);
    else groups.push([request]);
  }
  return groups;
}

function isLook(request: DemoRequest): boolean {
  return request.kind === "read" || request.kind === "grep" || request.kind === "glob";
}

function stepsOf(group: readonly DemoRequest[], facts: StepFacts): ModelStep[] {
  const calls = group.flatMap(callsOf);
  if (calls.length > 0) return [{ text: announce(calls), calls }];
  const request = group[0];
  switch (request?.kind) {
    case "plan":
      return planWalk(request.items);
    case "tour":
      return tourSteps(facts.files);
    case "help":
      return [{ text: helpText(), calls: [] }];
    case "ask":
      return [{ text: "Two things, then:", ask: EXAMPLE_BATCH, calls: [] }];
    case "unclear":
      return [{
        text: `I read "${request.text}" as a request, but not which. Write it as \`${request.wish}\`.`,
        calls: [],
      }];
    case "chat":
      return [{ text: chatAnswer(request.text), calls: [] }];
    default:
      return [];
  }
}

function callsOf(request: DemoRequest): ToolUse[] {
  switch (request.kind) {
    case "read":
      return request.paths.map(({ path, first, last }) => ({
        tool: "Read",
        input: {
          file_path: path,
          ...(first === null ? {} : { offset: first }),
          ...(first === null || last === null ? {} : { limit: Math.max(1, last - first + 1) }),
        },
      }));
    case "grep":
      return [{ tool: "Grep", input: { pattern: request.pattern } }];
    case "glob":
      return [{ tool: "Glob", input: { pattern: request.pattern } }];
    case "edit":
      return [{
        tool: "Edit",
        input: {
          file_path: request.path,
          old_string: request.oldText,
          new_string: request.newText,
          ...(request.all ? { replace_all: true } : {}),
        },
      }];
    case "write":
      return [{ tool: "Write", input: { file_path: request.path, content: request.text } }];
    case "run":
      return [{ tool: "Bash", input: { command: request.command } }];
    default:
      return [];
  }
}

const DOING: Readonly<Record<string, (call: ToolUse) => string>> = {
  Read: (call) => `read ${code(call.input.file_path)}`,
  Write: (call) => `write ${code(call.input.file_path)}`,
  Edit: (call) => `edit ${code(call.input.file_path)}`,
  Grep: (call) => `search for ${code(call.input.pattern)}`,
  Glob: (call) => `list ${code(call.input.pattern)}`,
  Bash: (call) => `run ${code(String(call.input.command).split("\n")[0])}`,
};

function announce(calls: readonly ToolUse[]): string {
  const parts = calls.map((call) => DOING[call.tool]?.(call) ?? call.tool);
  const list = parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
  return `I will ${list}.`;
}

/** In backticks, with a fence longer than any run of backticks inside. */
function code(value: unknown): string {
  const text = String(value);
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

function thoughtAbout(requests: readonly DemoRequest[]): string {
  const looks = requests.filter(isLook).length;
  const parts = [requests.length === 1 ? "One request." : `${requests.length} requests, in order.`];
  if (looks > 1) parts.push("What only looks can go side by side.");
  if (
    requests.some((request) => request.kind === "edit" || request.kind === "write" || request.kind === "run")
  ) {
    parts.push("Some of it changes things, so it happens in the scratch copy.");
  }
  return parts.join(" ");
}

const SAMPLE_PLAN = ["Look at what is there", "Make the change", "Check that it holds"];

/** A plan made, worked through item by item, and done. */
function planWalk(items: readonly string[]): ModelStep[] {
  const texts = items.length === 0 ? SAMPLE_PLAN : items;
  const walk = texts.map((text, at): ModelStep => ({
    text: at === 0
      ? `A plan of ${texts.length === 1 ? "one step" : `${texts.length} steps`}. First: ${text}.`
      : `Next: ${text}.`,
    plan: planAt(texts, at),
    calls: [],
  }));
  return [...walk, { plan: planAt(texts, texts.length), text: "All steps of the plan are done.", calls: [] }];
}

function helpText(): string {
  const rows = VERBS.map((verb) => `| \`${verb.usage.replaceAll("|", "\\|")}\` | ${verb.does} |`);
  return [
    "I understand these requests, several of them one a line, or joined by `;` or `then`:",
    "",
    "| write | I will |",
    "|---|---|",
    ...rows,
    "",
    "Reading and searching happen where you stand. At the first change I make a scratch copy and work there.",
  ].join("\n");
}

function chatAnswer(text: string): string {
  const asked = text === ""
    ? "That was empty."
    : "I am the demo agent: there is no model behind me, so I cannot answer that.";
  return [
    `${asked} What I can do is real, though:`,
    "",
    "- look: `read FILE`, `grep PATTERN`, `glob PATTERN`",
    "- change, in a scratch copy: `edit FILE: old => new`, `write FILE: text`, `run COMMAND`",
    "- show: `tour` for one of everything, `plan`, `help` for the whole list",
    "",
    "A real agent starts with `trifold run -- CMD`.",
  ].join("\n");
}
