// `trifold completions`: what a shell needs to complete our command line, from the tables that the help is made of.
// Files are left to the shell; pods and agents are asked of the program when they are wanted.

import type { CommandTables } from "../commands.ts";

/** What stands at a place of the command line: one of some words, a file, what the program lists, or anything. */
type Kind =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "file" }
  | { readonly kind: "listed"; readonly list: keyof typeof LISTS }
  | { readonly kind: "any" };

interface Option {
  readonly name: string;
  readonly label: string;
  /** Null: it takes no value. */
  readonly value: { readonly name: string; readonly kind: Kind } | null;
}

interface CommandLine {
  readonly name: string;
  readonly label: string;
  readonly word: Kind;
  readonly options: readonly Option[];
}

const SHELLS: Readonly<Record<string, (commands: readonly CommandLine[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The script for a shell, or null for one that is not known. */
export function completionScript(shell: string, tables: CommandTables): string | null {
  if (!Object.hasOwn(SHELLS, shell)) return null;
  return SHELLS[shell]?.(commandLines(tables)) ?? null;
}

function commandLines({ commands, flags }: CommandTables): CommandLine[] {
  const names = Object.keys(commands);
  return Object.entries(commands).map(([name, command]) => ({
    name,
    label: command.label,
    word: wordKind(command.usage, names),
    options: command.flags.map((flag) => {
      const { value = null, label = "", values } = flags[flag] ?? {};
      const kind: Kind = values !== undefined
        ? { kind: "words", words: values }
        : flag === "agent"
        ? { kind: "listed", list: "agents" }
        : value === "FILE"
        ? { kind: "file" }
        : { kind: "any" };
      return { name: flag, label, value: value === null ? null : { name: value, kind } };
    }),
  }));
}

/** From the last part of a usage line, such as "FILE|-", "[POD]", "[COMMAND]" or "bash|zsh|fish". */
function wordKind(usage: string, commands: readonly string[]): Kind {
  const last = (usage.split("\n")[0] ?? "").split(" ").at(-1) ?? "";
  if (last.includes("FILE")) return { kind: "file" };
  // Only what runs can be come back to, or stopped.
  if (last.includes("POD")) return { kind: "listed", list: usage.includes(" resume ") ? "pods" : "running" };
  if (last.includes("COMMAND")) return { kind: "words", words: commands };
  return /^[a-z]+(\|[a-z]+)+$/.test(last) ? { kind: "words", words: last.split("|") } : { kind: "any" };
}

/**
 * Commands of a shell that list ids and names, one a line. What holds other signs is left out: bash expands the words
 * it is given, and settings may name an agent anything.
 */
const LISTS = {
  pods: `trifold pods --all --json 2>/dev/null | ${valuesOf("id")}`,
  running:
    `trifold pods --all --json 2>/dev/null | sed -n -e '/^    "id": /h' -e '/^    "running": true/{x;p;}' | ${
      valuesOf("id")
    }`,
  agents: `trifold agents --json 2>/dev/null | ${valuesOf("name")}`,
} as const;

/** Picks the field of each object in a list that `--json` printed. */
function valuesOf(field: string): string {
  return `sed -n 's/^    "${field}": "\\([A-Za-z0-9._-]*\\)".*/\\1/p'`;
}

/** Understood in front of any command. */
const PLAIN_OPTIONS: readonly (readonly [name: string, label: string])[] = [
  ["version", "the version"],
  ["help", "what there is"],
];

function bashScript(commands: readonly CommandLine[]): string {
  // An empty reply lets the shell complete file names: see "-o default" below.
  const reply = (kind: Kind) => {
    if (kind.kind === "words") return `COMPREPLY=($(compgen -W '${kind.words.join(" ")}' -- "$word"))`;
    if (kind.kind !== "listed") return "COMPREPLY=()";
    return `COMPREPLY=($(compgen -W "$(${LISTS[kind.list]})" -- "$word"))`;
  };
  const cases = commands.flatMap(({ name, word, options }) => [
    `    ${name})`,
    `      options='${[...options.map((option) => `--${option.name}`), "--help"].join(" ")}'`,
    "      case $before in",
    ...options.flatMap((option) =>
      option.value === null ? [] : [`        --${option.name}) ${reply(option.value.kind)}; return ;;`]
    ),
    "      esac",
    `      if [[ $word != -* ]]; then ${reply(word)}; return; fi`,
    "      ;;",
  ]);
  const names = commands.map((command) => command.name).join(" ");
  const plain = PLAIN_OPTIONS.map(([name]) => `--${name}`).join(" ");
  return `# Completions of trifold for bash: source <(trifold completions bash)
_trifold() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} options='' at
  COMPREPLY=()
  # Behind "--" stands another program's command line, or a prompt.
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} == -- ]] && return
  done
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${names} ${plain}' -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$options" -- "$word"))
}
complete -o bashdefault -o default -F _trifold trifold
`;
}

function zshScript(commands: readonly CommandLine[]): string {
  const action = (kind: Kind) => {
    if (kind.kind === "words") return `(${kind.words.join(" ")})`;
    return kind.kind === "file" ? "_files" : kind.kind === "listed" ? `_trifold_${kind.list}` : " ";
  };
  // Brackets and colons part the pieces of a specification.
  const plain = (text: string) => text.replace(/[[\]:\\]/g, "\\$&").replaceAll("'", "'\\''");
  const cases = commands.flatMap(({ name, word, options }) => [
    `    ${name})`,
    "      _arguments -s \\",
    ...options.map((option) => {
      const value = option.value === null ? "" : `:${option.value.name}:${action(option.value.kind)}`;
      return `        '--${option.name}[${plain(option.label)}]${value}' \\`;
    }),
    "        '--help[what it does]' \\",
    `        '*: :${action(word)}'`,
    "      ;;",
  ]);
  return `#compdef trifold
# Completions of trifold for zsh: a file _trifold in a folder of $fpath, or source <(trifold completions zsh)
${
    Object.entries(LISTS).map(([list, command]) =>
      `_trifold_${list}() {
  local -a listed
  listed=(\${(f)"$(${command})"})
  _describe ${list} listed
}`
    ).join("\n")
  }
_trifold() {
  local -a commands
  commands=(
${commands.map(({ name, label }) => `    '${name}:${plain(label)}'`).join("\n")}
${PLAIN_OPTIONS.map(([name, label]) => `    '--${name}:${label}'`).join("\n")}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  # Behind "--" stands another program's command line, or a prompt.
  if ((\${words[(i)--]} < CURRENT)); then
    _default
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${cases.join("\n")}
  esac
}
# Loaded by name it is called at once; sourced it only says what it completes.
if [[ $zsh_eval_context == *loadautofunc* ]]; then _trifold "$@"; else compdef _trifold trifold; fi
`;
}

function fishScript(commands: readonly CommandLine[]): string {
  const quote = (text: string) => `'${text.replace(/['\\]/g, "\\$&")}'`;
  const values = (kind: Kind) => {
    if (kind.kind === "words") return ` -x -a ${quote(kind.words.join(" "))}`;
    if (kind.kind === "listed") return ` -x -a ${quote(`(${LISTS[kind.list]})`)}`;
    return kind.kind === "file" ? " -r -F" : " -x";
  };
  const lines = commands.flatMap(({ name, label, word, options }) => {
    const inside = `complete -c trifold -n ${quote(`__fish_seen_subcommand_from ${name}`)}`;
    const words = word.kind === "any" ? [] : [`${inside}${values(word).replace(" -r", "")}`];
    return [
      `complete -c trifold -n __fish_use_subcommand -f -a ${name} -d ${quote(label)}`,
      ...words,
      ...options.map((option) =>
        `${inside} -l ${option.name}${option.value === null ? "" : values(option.value.kind)} -d ${
          quote(option.label)
        }`
      ),
    ];
  });
  return `# Completions of trifold for fish: trifold completions fish | source
complete -c trifold -f
${
    PLAIN_OPTIONS.map(([name, label]) =>
      `complete -c trifold -n __fish_use_subcommand -l ${name} -d ${quote(label)}`
    ).join("\n")
  }
${lines.join("\n")}
`;
}
