// A journey: testdata/journey-<name>/journey.jsonl. What a person does and waits to see, a JSON object a line, and what
// holds afterwards. Reading it is here, playing player.ts, what holds expect.ts.
//
//   {"journey":"what it shows"}             first. "agent": ["--flags"] runs agent.ts as a child, else the built-in one
//                                           "files": what stands in the directory, "size": [80, 24], "args": of trifold
//   {"text":"read a.txt"}                   typed, as it is       {"paste":"..."}   as a terminal pastes it
//   {"keys":["Enter","C-c"]}                keys by name (KEYS)
//   {"see":"text"} {"gone":"text"}          waits until it stands on the screen, or does not; lists: all of them
//   {"logged":"tool_output","with":"text"}  waits for that event in the pod's log
//   {"drafted":"text"}                      waits until the pod keeps it as the draft
//   {"make":"go"}                           makes an empty file where the agent works
//   {"size":[40,12]}                        another size of the terminal
//   {"kill":"client"|"pod"|"agent"}         SIGKILL
//   {"leave":true}                          Ctrl-C twice; the terminal is as before; {"leave":"text"}: that is said then
//   {"ends":0}                              the program ends by itself with that exit code; the terminal is as before
//   {"attach":true} {"resume":true}         a new terminal with `trifold attach`, or resume
//   {"holds":{...}}                         last: see Expected
// Any step may name its terminal: "in":"two". Without, it is the one that was opened last.

import assert from "node:assert/strict";

export interface Journey {
  readonly name: string;
  readonly what: string;
  /** Flags of agent.ts; null: the built-in demo agent. */
  readonly agent: readonly string[] | null;
  readonly args: readonly string[];
  readonly size: readonly [width: number, height: number];
  readonly files: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly expected: Expected;
}

/** One line of a journey. */
export interface Step {
  readonly line: number;
  readonly kind: StepKind;
  readonly value: unknown;
  /** Of "logged": what the event's line holds. */
  readonly with: string;
  /** Which terminal; null: the one that was opened last. */
  readonly terminal: string | null;
}

const STEP_KINDS = [
  "text",
  "paste",
  "keys",
  "see",
  "gone",
  "logged",
  "drafted",
  "make",
  "size",
  "kill",
  "leave",
  "ends",
  "attach",
  "resume",
] as const;
export type StepKind = typeof STEP_KINDS[number];

/** What holds at the end of a journey. */
export interface Expected {
  /** Texts that stand on the last screen, in this order. */
  readonly rows: readonly string[];
  /** Texts that do not. */
  readonly absent: readonly string[];
  /** How often events stand in the log. */
  readonly events: Readonly<Record<string, number>>;
  /** How the turns ended, in order. */
  readonly ends: readonly string[];
  /** The results of all tool calls in order, "! " before one that failed. */
  readonly results: readonly string[];
  /** How each batch of questions was closed: the reason, and what was chosen or written. */
  readonly closed: readonly string[];
  /** Files where the agent worked, and where the person stands; null: there is none. */
  readonly scratch: Readonly<Record<string, string | null>>;
  readonly home: Readonly<Record<string, string | null>>;
}

/** Bytes a terminal sends for a key. */
export const KEYS: Readonly<Record<string, string>> = {
  Enter: "\r",
  Esc: "\x1b",
  Tab: "\t",
  Space: " ",
  Backspace: "\x7f",
  Up: "\x1b[A",
  Down: "\x1b[B",
  PgUp: "\x1b[5~",
  PgDn: "\x1b[6~",
  End: "\x1b[F",
  F1: "\x1bOP",
  F6: "\x1b[17~",
  ...Object.fromEntries([..."abcdefghijklmnopqrstuvwxyz"].map((letter) => [
    `C-${letter}`,
    String.fromCharCode(letter.charCodeAt(0) & 0x1f),
  ])),
};

/** Reads a journey; throws at what it does not know. */
export function parseJourney(name: string, text: string): Journey {
  const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
  const head = lines[0] ?? {};
  const holds = lines.at(-1)?.holds as Partial<Expected> | undefined;
  assert.ok(
    typeof head.journey === "string" && head.journey !== "",
    `${name}: the first line names the journey`,
  );
  assert.ok(holds !== undefined && lines.length > 2, `${name}: the last line says what holds`);
  checkNames(name, head, ["journey", "agent", "args", "size", "files"]);
  checkNames(name, holds, Object.keys(NOTHING));
  return {
    name,
    what: head.journey,
    agent: head.agent as readonly string[] | undefined ?? null,
    args: head.args as readonly string[] | undefined ?? [],
    size: head.size as [number, number] | undefined ?? [80, 24],
    files: head.files as Record<string, string> | undefined ?? {},
    steps: lines.slice(1, -1).map((line, at) => parseStep(`${name}, line ${at + 2}`, line, at + 2)),
    expected: { ...NOTHING, ...holds },
  };
}

const NOTHING: Expected = {
  rows: [],
  absent: [],
  events: {},
  ends: [],
  results: [],
  closed: [],
  scratch: {},
  home: {},
};

function parseStep(where: string, line: Record<string, unknown>, number: number): Step {
  const kind = STEP_KINDS.find((one) => one in line);
  assert.ok(kind !== undefined, `${where}: no step ${JSON.stringify(line)}`);
  checkNames(where, line, [kind, "in", ...(kind === "logged" ? ["with"] : [])]);
  if (kind === "keys") {
    for (const key of listOf(line.keys)) assert.ok(key in KEYS, `${where}: no key ${key}`);
  }
  return {
    line: number,
    kind,
    value: line[kind],
    with: typeof line.with === "string" ? line.with : "",
    terminal: typeof line.in === "string" ? line.in : null,
  };
}

/** One text, or several. */
export function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [String(value)];
}

function checkNames(where: string, object: object, known: readonly string[]): void {
  const unknown = Object.keys(object).filter((name) => !known.includes(name));
  assert.deepEqual(unknown, [], `${where}: unknown fields`);
}
