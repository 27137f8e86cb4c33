// The command line: which words are commands, which flags they take, and what wrong usage is told.
// The commands themselves are loaded when they are picked, so that a start pays only for what it runs.

import { programForm, restoreEnvironment } from "../pod/self.ts";
import type { FoldMode } from "../transcript/block.ts";
import { later } from "./io/later.ts";
import { loadConfig } from "./io/load_config.ts";
import { type Config, DEFAULT_CONFIG, type ReadConfig } from "./settings.ts";

/** Flags of all commands after reading. */
export interface Flags {
  readonly fold: FoldMode;
  readonly size: { readonly columns: number; readonly rows: number } | null;
  readonly keys: string | null;
  readonly format: string | null;
  readonly color: boolean;
  readonly mouse: boolean;
  readonly agent: string | null;
  readonly text: boolean;
  readonly json: boolean;
  readonly all: boolean;
  /** Only what belongs to this directory. */
  readonly here: boolean;
  /** Wait for what is written to the recording later. */
  readonly follow: boolean;
  /** All branches of a recording, not the newest alone. */
  readonly branch: boolean;
  /** A file that everything the client sees and does is written to. */
  readonly record: string | null;
  /** A file for problems and diagnostics. */
  readonly log: string | null;
  /** The configuration file's settings; their defaults for commands that read none. */
  readonly config: Config;
}

/** What a command is given: its words, what stood behind "--" (null: nothing did), its flags. */
export interface Call {
  readonly words: readonly string[];
  readonly rest: readonly string[] | null;
  readonly flags: Flags;
}

export interface FlagSpec {
  /** Null: the flag takes no value. */
  readonly value: string | null;
  readonly label: string;
  /** Where only some values are right. */
  readonly values?: readonly string[];
}

export interface Command {
  readonly usage: string;
  readonly label: string;
  readonly flags: readonly string[];
  readonly words: readonly [least: number, most: number];
  readonly run: (call: Call) => Promise<number> | number;
}

/** What help, completions and the man page are made of. */
export interface CommandTables {
  readonly commands: Readonly<Record<string, Command>>;
  readonly flags: Readonly<Record<string, FlagSpec>>;
}

/** What `--format` takes: here too, since a start that is told no format loads none of them. */
const FORMAT_NAMES = ["pod-jsonl", "acp", "claude", "codex", "pi", "gemini", "qwen", "opencode", "dsh"];

/** Text of the option, its value and what it does. Common flags are taken by every command that draws. */
const FLAGS: Readonly<Record<string, FlagSpec>> = {
  fold: {
    value: "MODE",
    label: "detail, normal or overview",
    values: ["detail", "normal", "overview"],
  },
  size: { value: "WxH", label: "columns and rows of the printed screen (default 80x24)" },
  keys: { value: "SCRIPT", label: 'keys pressed before the screen is printed, such as "<C-o><PgUp>"' },
  format: {
    value: "NAME",
    label: `${FORMAT_NAMES.join(", ")} (default: found out)`,
    values: FORMAT_NAMES,
  },
  agent: { value: "NAME", label: "the agent to start: demo, or one that trifold agents lists" },
  "no-color": { value: null, label: "no colours and no attributes (NO_COLOR does the same)" },
  "no-mouse": { value: null, label: "leave the mouse to the terminal" },
  config: { value: "FILE", label: "settings instead of those in the configuration directory" },
  record: {
    value: "FILE",
    label: "write all events and keys to FILE: trifold print shows that screen again",
  },
  log: { value: "FILE", label: "write problems and diagnostics to FILE" },
  text: { value: null, label: "only the picture, without roles" },
  json: { value: null, label: "as JSON" },
  all: { value: null, label: "of all directories" },
  here: { value: null, label: "only those of this directory" },
  follow: { value: null, label: "go on reading while the recording is written" },
  branch: { value: null, label: "all branches of the session, not the newest alone" },
};

const COMMANDS: Readonly<Record<string, Command>> = {
  run: {
    usage: "trifold run [--agent NAME] [PROMPT]\n       trifold run -- CMD ARGS...",
    label: "start an agent in this directory; CMD is any program that speaks ACP or pod JSONL",
    flags: ["agent", "fold", "no-color", "no-mouse", "config", "record", "log"],
    words: [0, Infinity],
    run: async (call) => (await later("start_agent")).runAgent(call),
  },
  attach: {
    usage: "trifold attach [POD]",
    label: "attach to a running pod: the newest of this directory, or by id or the beginning of one",
    flags: ["fold", "no-color", "no-mouse", "config", "record", "log"],
    words: [0, 1],
    run: async (call) => (await later("attach")).attachCommand(call),
  },
  pods: {
    usage: "trifold pods [--all] [--json]",
    label: "pods that run or can be resumed in this directory",
    flags: ["all", "json"],
    words: [0, 0],
    run: async (call) => (await later("pods")).podsCommand(call),
  },
  resume: {
    usage: "trifold resume [POD]\n       trifold resume --agent NAME [SESSION]",
    label: "start a pod again on its stored session; with --agent: the sessions an agent remembers itself",
    flags: ["agent", "fold", "no-color", "no-mouse", "config", "record", "log"],
    words: [0, 1],
    run: async (call) => (await later("attach")).resumeCommand(call),
  },
  stop: {
    usage: "trifold stop POD",
    label: "shut a pod down",
    flags: [],
    words: [1, 1],
    run: async (call) => (await later("pods")).stopCommand(call),
  },
  open: {
    usage: "trifold open FILE|FOLDER|-",
    label: "read a recorded session of any known format; nothing is ever written to it",
    flags: ["follow", "branch", "fold", "format", "no-color", "no-mouse", "config", "record", "log"],
    words: [1, 1],
    run: async (call) => (await later("open_recording")).openRecording(call),
  },
  print: {
    usage: "trifold print FILE|FOLDER|-",
    label: "a recording's screen as text; needs no terminal",
    flags: ["fold", "size", "keys", "format", "branch", "text", "json"],
    words: [1, 1],
    run: async (call) => (await later("print")).printRecording(call),
  },
  agents: {
    usage: "trifold agents [--json]",
    label: "agents that are known or configured, which are installed, how each is started",
    flags: ["json", "config"],
    words: [0, 0],
    run: async (call) => (await later("agents")).agentsCommand(call),
  },
  sessions: {
    usage: "trifold sessions [--here] [--json]",
    label: "sessions that agents keep on this machine, newest first; on a terminal, pick one to read it",
    flags: ["here", "json", "fold", "no-color", "no-mouse", "config"],
    words: [0, 0],
    run: async (call) => (await later("sessions")).sessionsCommand(call),
  },
  keys: {
    usage: "trifold keys",
    label: "the key table",
    flags: ["config"],
    words: [0, 0],
    run: async (call) => (await later("print")).printKeys(call),
  },
  completions: {
    usage: "trifold completions bash|zsh|fish",
    label: "a script for the shell that completes this command line",
    flags: [],
    words: [1, 1],
    run: async (call) => await printCompletions(call.words[0] ?? ""),
  },
  help: {
    usage: "trifold help [COMMAND]",
    label: "what there is, or what a command does",
    flags: [],
    words: [0, 1],
    run: async (call) => await printHelp(call.words[0]),
  },
};

/** The tables, for what is made of them. */
export function commandTables(): CommandTables {
  return { commands: COMMANDS, flags: FLAGS };
}

/** Runs a command line; returns the exit code: 0, 1 when the work failed, 2 for wrong usage. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    return await runCommand(args);
  } catch (error) {
    // Of our own files this is said where they are written: here it is standard output's disk.
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    console.error("Cannot write everything: the disk is full");
    return 1;
  }
}

async function runCommand(args: readonly string[]): Promise<number> {
  restoreEnvironment();
  standWhereCalled();
  const first = args[0];
  // How a pod is started; not for people.
  if (first === "__pod") return await runPod(args[1] ?? "");
  const named = first !== undefined && Object.hasOwn(COMMANDS, first);
  const command = named ? COMMANDS[first] : COMMANDS.run;
  if (command === undefined) return 2;
  const own = named ? args.slice(1) : args;
  const before = own.includes("--") ? own.slice(0, own.indexOf("--")) : own;
  if (before.includes("--version") || before.includes("-V")) {
    return say((await later("version")).versionText());
  }
  if (before.includes("--help") || before.includes("-h")) return await printHelp(named ? first : undefined);
  const mistyped = named ? null : await mistypedCommand(args);
  if (mistyped !== null) return refuse(mistyped);
  const call = await readCall(command, own, named);
  if (typeof call === "string") return refuse(call);
  return await command.run(call);
}

async function runPod(directory: string): Promise<number> {
  return await (await later("pod")).runPod(directory, {
    demo: async () => (await later("start_demo")).startDemo,
    command: async () => (await later("start_command")).startCommand,
  });
}

/** What one word that is nearly a command is told; null for what may be a prompt. */
async function mistypedCommand(args: readonly string[]): Promise<string | null> {
  const [word] = args;
  if (args.length !== 1 || word === undefined || !/^[a-z]{3,}$/.test(word)) return null;
  return (await later("usage")).mistypedCommand(word, commandTables());
}

/** `deno task` runs in the project's folder and names the caller's in INIT_CWD; elsewhere that variable is not ours. */
function standWhereCalled(): void {
  const caller = Deno.env.get("INIT_CWD");
  if (caller === undefined || programForm() !== "sources") return;
  try {
    const project = Deno.realPathSync(new URL("../../", import.meta.url));
    if (Deno.realPathSync(Deno.cwd()) === project) Deno.chdir(caller);
  } catch {
    // A directory that is gone is no reason not to start: paths then resolve where the program stands.
  }
}

const MISSING = "something is missing";
const TOO_MANY = "too many words; a prompt that begins with a command's name: trifold -- PROMPT";

/** The call, or what is wrong with it. */
async function readCall(command: Command, args: readonly string[], named: boolean): Promise<Call | string> {
  const split = args.indexOf("--");
  const before = split === -1 ? args : args.slice(0, split);
  const behind = split === -1 ? null : args.slice(split + 1);
  const known = command.flags;
  const parsed = await parseArgs(before, known);
  // The parser takes "-follow" for letters.
  const strange = before.find((arg) =>
    arg.startsWith("-") && arg !== "-" &&
    !(arg.startsWith("--") && known.includes(arg.slice(2).split("=", 1)[0] ?? ""))
  );
  if (strange !== undefined) return (await later("usage")).unknownOption(strange, command, commandTables());
  // "trifold -- open the door" is a prompt; behind "run --" stands a command.
  const words = [...parsed._ as string[], ...(named ? [] : behind ?? [])];
  const [least, most] = command.words;
  if (words.length < least || words.length > most) {
    return await withUsage(
      `Cannot read the command line: ${words.length < least ? MISSING : TOO_MANY}`,
      command,
    );
  }
  const config = await readConfig(known.includes("config"), parsed);
  if (config.kind === "problem") return config.what;
  const flags = readFlags(parsed, config.config);
  return typeof flags === "string"
    ? await withUsage(flags, command)
    : { words, rest: named ? behind : null, flags };
}

/** Flags by name and words as `_`. Words alone need no parser: a start is 2 ms shorter without. */
async function parseArgs(
  args: readonly string[],
  known: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  if (!args.some((arg) => arg.startsWith("-"))) return { _: args };
  const { parse } = await import("@bomb.sh/args");
  return unmarked(parse(args.map(marked), {
    boolean: known.filter((flag) => FLAGS[flag]?.value === null),
    string: known.filter((flag) => FLAGS[flag]?.value !== null),
  }));
}

/** The parser takes words that begin with a digit for numbers ("2nd" is NaN to it): no word begins with one here. */
const WORD_MARK = "\u{f8ff}";

function marked(arg: string): string {
  return arg.startsWith("-") && arg !== "-" ? arg : WORD_MARK + arg;
}

function unmarked(parsed: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(plain)
      : typeof value === "string" && value.startsWith(WORD_MARK)
      ? value.slice(WORD_MARK.length)
      : value;
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, plain(value)]));
}

/** The settings, for commands that have any: what is printed is the same for everybody. */
async function readConfig(isRead: boolean, parsed: Readonly<Record<string, unknown>>): Promise<ReadConfig> {
  if (!isRead || parsed.config === "") return { kind: "config", config: DEFAULT_CONFIG };
  return await loadConfig(typeof parsed.config === "string" ? parsed.config : null);
}

function readFlags(parsed: Readonly<Record<string, unknown>>, config: Config): Flags | string {
  const text = (name: string) =>
    typeof parsed[name] === "string" && parsed[name] !== "" ? parsed[name] as string : null;
  for (const [name, spec] of Object.entries(FLAGS)) {
    if (spec.value !== null && name in parsed && text(name) === null) {
      return `Cannot read --${name}: it takes a value, ${spec.value}`;
    }
  }
  const fold = text("fold") ?? config.fold;
  if (fold !== "detail" && fold !== "normal" && fold !== "overview") {
    return `Cannot read --fold ${fold}: it is detail, normal or overview`;
  }
  const size = readSize(text("size"));
  if (typeof size === "string") return size;
  return {
    fold,
    size,
    keys: text("keys"),
    format: text("format"),
    // The parser gives "--no-color" as color: false.
    color: config.color && parsed.color !== false && !Deno.env.get("NO_COLOR") &&
      Deno.env.get("TERM") !== "dumb",
    mouse: config.mouse && parsed.mouse !== false,
    agent: text("agent"),
    text: parsed.text === true,
    json: parsed.json === true,
    all: parsed.all === true,
    here: parsed.here === true,
    follow: parsed.follow === true,
    branch: parsed.branch === true,
    record: text("record"),
    log: text("log"),
    config,
  };
}

function readSize(text: string | null): Flags["size"] | string {
  if (text === null) return null;
  const match = /^(\d{1,4})x(\d{1,4})$/.exec(text);
  const columns = Number(match?.[1] ?? 0);
  const rows = Number(match?.[2] ?? 0);
  if (columns < 1 || rows < 1 || columns > 1000 || rows > 1000) {
    return `Cannot read --size ${text}: it is columns x rows between 1x1 and 1000x1000, such as 80x24`;
  }
  return { columns, rows };
}

/** Wrong usage: what is wrong, and how the command is written. */
async function withUsage(what: string, command: Command): Promise<string> {
  return `${what}\n\n${(await later("usage")).usageText(command)}`;
}

async function printHelp(word: string | undefined): Promise<number> {
  const { fitted, generalHelp, helpWith } = await later("usage");
  const columns = Deno.stdout.isTerminal() ? Deno.consoleSize().columns : Infinity;
  if (word === undefined) return say(fitted(generalHelp(commandTables()), columns));
  const { kind, text } = helpWith(word, commandTables());
  return kind === "help" ? say(fitted(text, columns)) : refuse(text);
}

async function printCompletions(shell: string): Promise<number> {
  const script = (await later("completions")).completionScript(shell, commandTables());
  if (script === null) return refuse(`Cannot complete for ${shell}: it is bash, zsh or fish`);
  return say(script.trimEnd());
}

function say(text: string): number {
  console.log(text);
  return 0;
}

function refuse(text: string): number {
  console.error(text);
  return 2;
}
