// The key table of README.md, as Markdown, from the table that the program itself uses.

import { keyTable } from "../../src/input/key_table.ts";

/** Markdown rows, one an action that has keys, in the shape that `deno fmt` gives tables. */
export function readmeKeys(): string {
  const rows = keyTable().filter((row) => row.keys !== "").map((row) => [row.keys, row.label] as const);
  const all = [["keys", "what they do"] as const, ...rows];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(all[0] ?? []), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n") +
    "\n\n";
}

const KEYS = /(<!-- keys -->\n\n)[^]*?(<!-- \/keys -->)/;

/** README with its key table as it ought to be; throws when the marks are missing. */
export function withKeys(readme: string): string {
  if (!KEYS.test(readme)) throw new Error("Cannot write the key table: README.md has no <!-- keys --> marks");
  return readme.replace(KEYS, (_all, head: string, tail: string) => head + readmeKeys() + tail);
}
