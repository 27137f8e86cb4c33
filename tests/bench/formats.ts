// How long other programs' recordings take to show their tail: 10 MB in each line format, made of the recordings in
// testdata/ over and over, each time with identifiers of its own.

import type { Executable } from "./program.ts";
import { measureProgram } from "./program.ts";
import { median } from "./terminal.ts";

const TESTDATA = new URL("../../testdata/", import.meta.url);
const LENGTH = 10e6;

/** Recordings in lines, of every format but our own. */
const CASES = [
  "acp-codex",
  "acp-gemini-plan",
  "acp-pi",
  "claude-session",
  "claude-stream-json",
  "codex-exec",
  "codex-rollout",
  "dsh-first",
  "dsh-third",
  "gemini-chat",
  "gemini-stream",
  "opencode-run",
  "pi-json",
  "pi-session",
  "qwen-chat",
] as const;

/** Fields that name a record, a message or a call; those of the session stay. */
const IDENTIFIER = /^(?!session).*(?:^id|_id|Id|ID|uuid|Uuid)$/;

/** Writes the recordings into `folder`; gives their paths. */
export async function writeRecordings(folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const name of CASES) {
    const text = await Deno.readTextFile(new URL(`${name}/events.jsonl`, TESTDATA));
    const values = text.trim().split("\n").map((line) => JSON.parse(line) as unknown);
    const parts: string[] = [];
    for (let length = 0, at = 0; length < LENGTH; at++) {
      const part = values.map((value) => JSON.stringify(value, (key, one) => renamed(key, one, at))).join(
        "\n",
      );
      parts.push(part);
      length += part.length;
    }
    const path = `${folder}/${name}.jsonl`;
    await Deno.writeTextFile(path, `${parts.join("\n")}\n`);
    paths.push(path);
  }
  return paths;
}

function renamed(key: string, value: unknown, at: number): unknown {
  return typeof value === "string" && IDENTIFIER.test(key) ? `${value}-${at}` : value;
}

/**
 * Milliseconds from the start to the tail, of each recording the median. They are started in turn: where the machine is
 * slow for some seconds, no single one of them looks slow.
 */
export async function measureRecordings(
  paths: readonly string[],
  starts: number,
  executable: Executable | null,
): Promise<readonly number[]> {
  const runs = paths.map((): number[] => []);
  for (let at = 0; at < starts; at++) {
    for (const [index, path] of paths.entries()) {
      runs[index]?.push((await measureProgram(["open", path], "normal", false, executable)).startMs);
    }
  }
  return runs.map(median);
}
