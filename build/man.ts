// `deno task man`: the man page dist/trifold.1. Commands, options, keys, slash commands and settings come from the
// program's own tables; only what stands in no table is written here.

import config from "../deno.json" with { type: "json" };
import { commandTables } from "../src/app/commands.ts";
import { SETTING_NAMES } from "../src/app/config.ts";
import { SLASH_COMMANDS } from "../src/app/slash.ts";
import { keyTable } from "../src/input/key_table.ts";
import { DIST } from "./bundle.ts";

const ENVIRONMENT: readonly (readonly [name: string, what: string])[] = [
  ["NO_COLOR", "when set and not empty: no colours and no attributes"],
  ["VISUAL, EDITOR", "the editor for Ctrl-G"],
  ["SSH_CONNECTION", "when set, Esc is waited for longer"],
  ["XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_RUNTIME_DIR", "where the directories below lie"],
];

const FILES: readonly (readonly [path: string, what: string])[] = [
  ["~/.config/trifold/config.json", "settings; an unknown name is an error"],
  ["~/.local/state/trifold/pods/", "a directory for each pod: its log, which is a recording, and its notes"],
  ["~/.local/state/trifold/history/", "prompts of earlier clients, by directory"],
  ["~/.cache/trifold/", "where a portable executable unpacks"],
  ["$XDG_RUNTIME_DIR/trifold/", "sockets of pods; /tmp/trifold-UID/ where that variable is not set"],
];

const STATUS: readonly (readonly [code: string, what: string])[] = [
  ["0", "all well"],
  ["1", "the work failed; standard error says why"],
  ["2", "wrong usage; standard error says what is right"],
  ["129, 130, 143", "ended by a hang-up, by SIGINT, by SIGTERM"],
];

/** The whole page. */
export function manPage(): string {
  const { commands, flags } = commandTables();
  const synopsis = [
    "trifold [PROMPT]",
    ...Object.values(commands).flatMap(({ usage }) => usage.split("\n").map((line) => line.trim())),
    "trifold --version | --help | COMMAND --help",
  ];
  return [
    `.TH TRIFOLD 1 "" "trifold ${config.version}" "User Commands"`,
    section("NAME", "trifold \\- a full-screen terminal for coding agents"),
    section("SYNOPSIS", synopsis.map((line) => `${escapeText(line)}\n.br`).join("\n")),
    section(
      "DESCRIPTION",
      escapeText(
        "Shows the session of a coding agent on the whole terminal: transcript, status row, and a place to type. The agent runs in a pod, which goes on when the terminal is closed. Without a command, a pod with the default agent is started in this directory. A first word that is a command is the command; behind -- stands a prompt.",
      ),
    ),
    section(
      "COMMANDS",
      Object.entries(commands).map(([name, { label, flags: own }]) =>
        item(
          name,
          label + (own.length === 0 ? "" : `. Options: ${own.map((flag) => `--${flag}`).join(", ")}`),
        )
      ).join("\n"),
    ),
    section(
      "OPTIONS",
      Object.entries(flags).map(([name, { value, label }]) =>
        item(`--${name}${value === null ? "" : ` ${value}`}`, label)
      ).join("\n"),
    ),
    section("KEYS", keySection()),
    section(
      "SLASH COMMANDS",
      Object.entries(SLASH_COMMANDS).map(([name, { hint, label }]) => item(`/${name} ${hint}`.trim(), label))
        .join("\n"),
    ),
    section("SETTINGS", escapeText(`Names in config.json: ${[...SETTING_NAMES].sort().join(", ")}.`)),
    section("ENVIRONMENT", ENVIRONMENT.map(([name, what]) => item(name, what)).join("\n")),
    section("FILES", FILES.map(([path, what]) => item(path, what)).join("\n")),
    section("EXIT STATUS", STATUS.map(([code, what]) => item(code, what)).join("\n")),
  ].join("\n") + "\n";
}

function keySection(): string {
  const lines: string[] = [];
  let group = "";
  for (const row of keyTable()) {
    if (row.keys === "") continue;
    if (row.group !== group) lines.push(`.SS ${escapeText(row.group)}`);
    group = row.group;
    lines.push(item(row.keys, row.label));
  }
  return lines.join("\n");
}

function section(name: string, body: string): string {
  return `.SH ${name}\n${body}`;
}

function item(term: string, text: string): string {
  return `.TP\n.B ${escapeText(term).replaceAll('"', "\\(dq")}\n${escapeText(text)}`;
}

/** roff: a backslash is an escape, a hyphen may be drawn as a dash, "." and "'" at the start make a request. */
function escapeText(text: string): string {
  const plain = text.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}

if (import.meta.main) {
  await Deno.mkdir(DIST, { recursive: true });
  await Deno.writeTextFile(`${DIST}trifold.1`, manPage());
  console.log("dist/trifold.1");
}
