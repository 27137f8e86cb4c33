// What help says, and what wrong words of the command line are told: from the tables of commands and options. Not
// loaded by a start that is told nothing.

import { nearestName } from "../../input/nearest_name.ts";
import { line, lineText } from "../../text/line.ts";
import { wrapLine } from "../../text/wrap.ts";
import type { Command, CommandTables } from "../commands.ts";
import { oneLine } from "../one_line.ts";

/** Help wrapped to so many columns: what goes on stands below what it explains. */
export function fitted(text: string, columns: number): string {
  return text.split("\n").flatMap((row) => {
    if (row.length <= columns) return [row];
    // "  name   what it does", "usage: trifold ..."
    const label = /^ *\S+(?: \S+)* {2,}(?=\S)|^usage: +| +/.exec(row)?.[0].length ?? 0;
    const indent = label < columns / 2 ? label : 2;
    return wrapLine(line(row), columns, { indent }).map((one) => lineText(one).trimEnd());
  }).join("\n");
}

/** What `trifold --help` prints. */
export function generalHelp({ commands }: CommandTables): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 2;
  const rows = Object.entries(commands).map(([name, command]) => `  ${name.padEnd(width)}${command.label}`);
  return [
    "usage: trifold [PROMPT]          the demo agent in this directory",
    "       trifold COMMAND ...       COMMAND --help says more",
    "       trifold -- PROMPT         a prompt that begins with a command's name",
    "",
    "commands:",
    ...rows,
    "",
    "  --version, --help",
  ].join("\n");
}

/** What `trifold COMMAND --help` prints. */
export function commandHelp(command: Command, tables: CommandTables): string {
  const flags = command.flags.map((name) => {
    const spec = tables.flags[name];
    return `  ${`--${name}${spec?.value == null ? "" : ` ${spec.value}`}`.padEnd(18)}${spec?.label ?? ""}`;
  });
  return [usageText(command), "", command.label, ...(flags.length === 0 ? [] : ["", ...flags])].join("\n");
}

/** What `trifold help WORD` prints, or that there is no such command. */
export function helpWith(
  word: string,
  tables: CommandTables,
): { readonly kind: "help" | "problem"; readonly text: string } {
  const command = Object.hasOwn(tables.commands, word) ? tables.commands[word] : undefined;
  if (command !== undefined) return { kind: "help", text: commandHelp(command, tables) };
  const near = nearestName(word, Object.keys(tables.commands), word.length < 4 ? 1 : 2);
  const shown = oneLine(word);
  const hint = near === null
    ? `trifold help lists them. A prompt: trifold -- help ${shown}`
    : `did you mean trifold help ${near}?`;
  return { kind: "problem", text: `Cannot help with "${shown}": no such command; ${hint}` };
}

/** One word that is nearly a command is no prompt: it would start an agent and be sent. Null: it may be one. */
export function mistypedCommand(word: string, { commands }: CommandTables): string | null {
  const names = Object.keys(commands);
  // Of short names two letters are half: "story" is no "stop", "hello" no "help".
  const long = names.filter((name) => name.length >= 5);
  const near = nearestName(word, names, 1) ?? (word.length < 5 ? null : nearestName(word, long, 2));
  if (near === null) return null;
  return `Cannot run "${word}": did you mean trifold ${near}? A prompt of one word: trifold -- ${word}`;
}

/** Taken by every command. */
const GENERAL = ["help", "version"];

/** What an option is told that `command` does not take: the nearest one of any command, its own first. */
export function unknownOption(arg: string, command: Command, tables: CommandTables): string {
  const name = /^--?([^=]*)/.exec(arg)?.[1] ?? "";
  const near = nearestName(name, [...command.flags, ...GENERAL, ...Object.keys(tables.flags)]);
  const takers = near === null || command.flags.includes(near) || GENERAL.includes(near)
    ? ""
    : takersOf(near, tables);
  const problem = near === null
    ? "no such option"
    : near === name && takers !== ""
    ? `${nameOf(command, tables)} has no such option; ${takers}`
    : `no such option; did you mean --${near}?${takers === "" ? "" : ` ${takers}`}`;
  return `Cannot read ${oneLine(arg)}: ${problem}\n\n${usageText(command)}`;
}

/** Who takes an option: "trifold open takes it", "trifold open and trifold print take it". */
function takersOf(flag: string, tables: CommandTables): string {
  const names = Object.values(tables.commands).filter((command) => command.flags.includes(flag))
    .map((command) => nameOf(command, tables));
  const last = names.pop() ?? "";
  return names.length === 0 ? `${last} takes it` : `${names.join(", ")} and ${last} take it`;
}

function nameOf(command: Command, { commands }: CommandTables): string {
  const name = Object.entries(commands).find(([, one]) => one === command)?.[0] ?? "";
  return `trifold ${name}`;
}

/** How a command is written. */
export function usageText(command: Command): string {
  return `usage: ${command.usage}`;
}
