// The configuration file: every setting arrives, every fault is named.

import assert from "node:assert/strict";
import { parseConfig, SETTING_NAMES } from "./config.ts";
import { loadConfig } from "./io/load_config.ts";
import { type Config, DEFAULT_CONFIG } from "./settings.ts";
import { ownDirectory } from "./io/directories.ts";

/** Every setting with another value than its default. */
const FULL = {
  default_agent: "mine",
  agents: { mine: { command: "my-agent", args: ["--acp"], env: { A: "1" }, cwd: "/x", protocol: "acp" } },
  scroll_regions: "off",
  fold: "overview",
  keys: { redraw: ["<F5>"] },
  paste_threshold: 200,
  preview_head: 4,
  preview_tail: 5,
  show_reasoning: false,
  mouse: false,
  color: false,
  notify: "osc9",
  idle_end_minutes: 30,
  escape_ms: 60,
  ambiguous_width: 2,
};

function read(value: unknown): Config {
  const result = parseConfig(typeof value === "string" ? value : JSON.stringify(value), "c.json");
  assert.equal(result.kind, "config", JSON.stringify(result));
  return (result as { config: Config }).config;
}

function faultsOf(value: unknown): string[] {
  const result = parseConfig(typeof value === "string" ? value : JSON.stringify(value), "c.json");
  assert.equal(result.kind, "problem");
  return (result as { what: string }).what.split("\n").map((line) =>
    line.replace('Cannot read config "c.json": ', "")
  );
}

Deno.test("every setting of the file changes the configuration, and none is forgotten here", () => {
  assert.deepEqual(Object.keys(FULL), [...SETTING_NAMES]);
  assert.deepEqual(read({}), DEFAULT_CONFIG);
  const all = read(FULL);
  const seen = new Set(Object.entries(FULL).map(([name, value]) => JSON.stringify(read({ [name]: value }))));
  assert.equal(seen.size, SETTING_NAMES.length);
  assert.ok(!seen.has(JSON.stringify(DEFAULT_CONFIG)));
  assert.deepEqual(all.agents.mine, {
    command: "my-agent",
    args: ["--acp"],
    env: { A: "1" },
    cwd: "/x",
    protocol: "acp",
  });
  assert.deepEqual(all.settings, {
    keys: { redraw: ["<F5>"] },
    pasteThreshold: 200,
    previewHead: 4,
    previewTail: 5,
    showReasoning: false,
  });
});

Deno.test("an agent needs no more than its command", () => {
  assert.deepEqual(read({ agents: { a: { command: "x" } } }).agents.a, {
    command: "x",
    args: [],
    env: {},
    cwd: null,
    protocol: null,
  });
});

Deno.test("an unknown setting names the nearest known one", () => {
  assert.deepEqual(faultsOf({ paste_treshold: 3, fold: "detail" }), [
    'there is no setting "paste_treshold"; did you mean "paste_threshold"?',
  ]);
  assert.match(faultsOf({ zzzzzzzz: 1 })[0] ?? "", /no setting "zzzzzzzz"; known are default_agent, agents/);
  assert.deepEqual(faultsOf({ agents: { a: { command: "x", arg: [] } } }), [
    'there is no setting of agent a "arg"; did you mean "args"?',
  ]);
});

Deno.test("all faults are said, each with what would be right", () => {
  assert.deepEqual(faultsOf({ fold: "half", mouse: "yes", paste_threshold: -1, agents: { a: {} } }), [
    "agents.a.command is missing",
    'fold must be "detail" or "normal" or "overview", not "half"',
    "paste_threshold must be at least 0, not -1",
    'mouse must be true or false, not "yes"',
  ]);
  assert.deepEqual(faultsOf({ ambiguous_width: 3 }), ["ambiguous_width must be 1 or 2, not 3"]);
  assert.deepEqual(faultsOf({ escape_ms: 1.5 }), ["escape_ms must be a whole number, not 1.5"]);
});

Deno.test("faults of the keys are the keymap's own words", () => {
  const [unknown, forbidden] = faultsOf({ keys: { redrew: ["<F5>"], help: ["<C-i>"] } });
  assert.match(unknown ?? "", /no action "redrew"; did you mean "redraw"\?/);
  assert.match(forbidden ?? "", /<C-i> cannot be bound/);
});

Deno.test("a file that is no JSON object is a fault, a byte order mark is none", () => {
  assert.match(faultsOf("{")[0] ?? "", /JSON/);
  assert.deepEqual(faultsOf("[]"), ["it must be one JSON object"]);
  assert.deepEqual(read("\ufeff{}"), DEFAULT_CONFIG);
});

Deno.test("a named file must be there, the person's own need not be", async () => {
  const missing = await loadConfig("/nowhere/at/all.json");
  assert.deepEqual(missing, {
    kind: "problem",
    what: 'Cannot read config "/nowhere/at/all.json": there is no such file',
  });
});

Deno.test("directories follow XDG, and the platform without it", () => {
  const where = (kind: "config" | "state", system: string, environment: Record<string, string>) =>
    ownDirectory(kind, (name) => environment[name], system);
  assert.equal(where("config", "linux", { HOME: "/h", XDG_CONFIG_HOME: "/x/" }), "/x/trifold");
  assert.equal(where("config", "linux", { HOME: "/h", XDG_CONFIG_HOME: "x" }), "/h/.config/trifold");
  assert.equal(where("state", "linux", { HOME: "/h/" }), "/h/.local/state/trifold");
  assert.equal(where("state", "darwin", { HOME: "/h" }), "/h/Library/Application Support/trifold");
  assert.equal(where("config", "windows", { APPDATA: "C:\\A" }), "C:\\A/trifold");
  assert.equal(where("config", "linux", {}), null);
});
