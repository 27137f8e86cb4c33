// `deno task docs`: writes the map in ARCHITECTURE.md anew, from the files themselves, and README.md's tables of keys and
// of speed. A file's line is the first sentence of its header, so that a map that lies is a header that lies.

import { withKeys } from "./keys_table.ts";
import { withSpeed } from "./speed_table.ts";

const ROOT = new URL("../../", import.meta.url);

/** Rooms in the order of the map, with what each is. Files of a folder that only serve one of its files stay one line each. */
const FOLDERS: readonly (readonly [path: string, what: string])[] = [
  ["src/text/", "LEAF: text measured in cells; knows no agent, no screen"],
  ["src/transcript/", "PURE: what happened; no widths, no colours, no clock"],
  ["src/tools/", "PURE: one file a tool: (calls, fold mode, width) to parts"],
  ["src/layout/", "PURE: which rows stand where"],
  ["src/screen/", "cells; knows text only, never the transcript"],
  ["src/input/", "bytes to meaning"],
  ["src/agents/", "ADAPTERS to live agents; the only place that knows their wire formats"],
  ["src/agents/demo/", "the built-in agent"],
  ["src/recordings/", "ADAPTERS to files: reading, telling the format, one translator a format"],
  ["src/pod/", "the host of one agent and session, and the way to it"],
  ["src/app/", "the shell that joins all of the above"],
  ["src/app/panels/", "what stands between transcript and status row while it is asked for"],
  ["src/app/io/", "the commands, and what of the client touches the world"],
];

const TOP: readonly (readonly [names: string, what: string])[] = [
  ["deno.json deno.lock", "tasks, strict flags, lint plugin, exact dependency versions"],
  ["main.ts", "reads arguments, picks a command; nothing else"],
  ["README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md LICENSE", ""],
];

const BOTTOM: readonly (readonly [names: string, what: string])[] = [
  ["build/", "the executables: bundle, `deno compile`, the portable form, releases, man page"],
  ["docs/pictures/", "README's pictures, drawn from goldens"],
  ["install.sh install.ps1", "download, verify the checksum, put in place"],
  [".github/workflows/", "what is tested on every push, and how a tag becomes a release"],
  ["examples/", "the smallest agent that speaks pod JSONL"],
  ["tests/", "goldens, emulator, pseudo-terminal, lint plugin, benches; unit tests stand beside their file"],
  ["testdata/<case>/", "events.jsonl, case.json (what it proves, keys, sizes)"],
  ["goldens/<case>.screen", "all fold modes and sizes of one case"],
];

const path = new URL("ARCHITECTURE.md", ROOT);
const before = Deno.readTextFileSync(path);
const pattern = /(^## The map\n[^]*?```\n)[^]*?(```)/m;
if (!pattern.test(before)) {
  throw new Error('Cannot write the map: ARCHITECTURE.md has no section "## The map" with a code block');
}
Deno.writeTextFileSync(
  path,
  before.replace(pattern, (_all, head: string, tail: string) => head + mapText() + tail),
);

const readme = new URL("README.md", ROOT);
Deno.writeTextFileSync(readme, withSpeed(withKeys(Deno.readTextFileSync(readme))));

function mapText(): string {
  const lines = TOP.map(([names, what]) => row(names, what));
  for (const [folder, what] of FOLDERS) {
    const files = sourceFiles(folder);
    if (files.length === 0) continue;
    lines.push("", row(folder, what));
    for (const file of files) lines.push(row(`  ${file}`, headline(folder + file)));
  }
  lines.push("", ...BOTTOM.map(([names, what]) => row(names, what)));
  return lines.join("\n") + "\n";
}

function row(names: string, what: string): string {
  return what === "" ? names : `${names.padEnd(24)} ${what}`;
}

function sourceFiles(folder: string): string[] {
  try {
    return [...Deno.readDirSync(new URL(folder, ROOT))]
      .filter((entry) =>
        entry.isFile && entry.name.endsWith(".ts") && !/_(test|test_helper|bench)\.ts$/.test(entry.name)
      )
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}

/** The first sentence of a file's header; other files lose their ending, for the map names each file once. */
function headline(file: string): string {
  const lines: string[] = [];
  for (const line of Deno.readTextFileSync(new URL(file, ROOT)).split("\n")) {
    if (!line.startsWith("//")) break;
    lines.push(line.replace(/^\/\/ ?/, ""));
  }
  const text = lines.join(" ");
  if (text === "") throw new Error(`Cannot write the map: ${file} has no header that says what it is for`);
  const sentence = /^.*?(?:[.:;](?= )|\.$)/.exec(text)?.[0] ?? text;
  return sentence.replace(/[.:;]$/, "").replace(/\.ts\b/g, "");
}
