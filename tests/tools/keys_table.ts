// The key table of README.md, as Markdown, from the table that the program itself uses.

import { keyTable } from "../../src/input/key_table.ts";

/** Markdown rows, one an action that has keys; keys that only panels know are left to the panel's own hints. */
export function readmeKeys(): string {
  const rows = keyTable().filter((row) => row.keys !== "" && row.group !== "panel");
  const lines = ["| keys | what they do |", "|---|---|"];
  for (const row of rows) lines.push(`| ${escapeCell(row.keys)} | ${escapeCell(row.label)} |`);
  return lines.join("\n") + "\n";
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}

const KEYS = /(<!-- keys -->\n)[^]*?(<!-- \/keys -->)/;

/** README with its key table as it ought to be; throws when the marks are missing. */
export function withKeys(readme: string): string {
  if (!KEYS.test(readme)) throw new Error("Cannot write the key table: README.md has no <!-- keys --> marks");
  return readme.replace(KEYS, (_all, head: string, tail: string) => head + readmeKeys() + tail);
}
