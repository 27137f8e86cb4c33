// What holds after a journey: the last screen, the pod's log, and the files that were really changed.

import assert from "node:assert/strict";
import { loadLibraries } from "../../src/app/files.ts";
import { createPlayer, feedBytes, show } from "../golden/player.ts";
import type { FoldMode } from "../../src/transcript/block.ts";
import type { View } from "../golden/case.ts";
import type { Program } from "../program_session.ts";
import type { Expected, Journey } from "./journey.ts";
import { type LogLine, readLog, textOf, type World } from "./world.ts";
import { exists } from "../paths.ts";

/** Checks all of it. `program` is the last terminal, before anything ended. */
export async function checkJourney(
  journey: Journey,
  world: World,
  program: Program | undefined,
): Promise<void> {
  const { expected } = journey;
  if (program === undefined) assert.deepEqual(expected.rows, [], "no terminal is left to look at");
  else {await program.session.until("what is to stand there", () =>
      faultOf(expected, program) === null, 15_000)
      .catch(() =>
        assert.fail(`${faultOf(expected, program)}:\n${program.screen()}`)
      );}
  const log = checkedLog(world.logText());
  if (program !== undefined) await checkPicture(world.logText(), program);
  const of = (name: string) => log.filter((line) => line.event === name);
  const counts = Object.keys(expected.events).map((name) => [name, of(name).length]);
  assert.deepEqual(Object.fromEntries(counts), expected.events, "events in the log");
  assert.deepEqual(of("turn_end").map(({ data }) => data.result), expected.ends, "ends of turns");
  assert.deepEqual(
    of("tool_result").map(({ data }) => `${data.is_error === true ? "! " : ""}${data.summary}`),
    expected.results,
    "results of tools",
  );
  assert.deepEqual(of("question_closed").map(closedText), expected.closed, "answers");
  checkFiles(world.work, expected.home);
  const scratch = world.scratch();
  assert.ok(scratch !== null || Object.keys(expected.scratch).length === 0, "no scratch copy was made");
  checkFiles(scratch ?? "", expected.scratch);
}

/** The log's lines: each of them JSON, all numbers there, none twice, in order. */
export function checkedLog(text: string): LogLine[] {
  assert.ok(text.endsWith("\n"), "the log's last line is whole");
  const log = readLog(text);
  const numbers = log.flatMap(({ seq }) => seq === undefined ? [] : [seq]);
  assert.deepEqual(numbers, numbers.map((_, at) => at + 1), "numbers of events");
  const unnumbered = log.filter(({ seq }) => seq === undefined).map(({ event }) => event);
  assert.deepEqual(unnumbered, ["hello", "history"]);
  return log;
}

/** What the log alone shows, without pod, client or agent, is what stands on the screen. */
export async function checkPicture(
  log: string,
  program: Program,
  fold: FoldMode = "normal",
): Promise<void> {
  const { width, height } = program.session.emulator;
  // The last two rows are the status, which tells the time, and the draft.
  const shown = () => program.screen().split("\n").slice(0, -2).map((row) => row.trimEnd());
  const told = (await pictureOfLog(log, { fold, width, height })).slice(0, -2);
  // On a busy machine the last frame may still be under way.
  await program.session.until("the same", () => shown().join("\n") === told.join("\n"), 10_000)
    .catch(() => assert.deepEqual(shown(), told, "the screen and the log alone"));
}

async function pictureOfLog(text: string, view: View): Promise<string[]> {
  await loadLibraries();
  const player = createPlayer(view, { recording: true });
  feedBytes(player, new TextEncoder().encode(text), true);
  assert.deepEqual(show(player, "the log"), []);
  return (player.emulators[0]?.picture() ?? []).map((row) => row.trimEnd());
}

/** What is wrong with the screen; null when it holds all that it should, and in order. */
function faultOf({ rows, absent }: Expected, program: Program): string | null {
  const screen = program.screen().split("\n");
  let at = 0;
  for (const text of rows) {
    const found = screen.findIndex((row, index) => index >= at && row.includes(text));
    if (found < 0) return `${JSON.stringify(text)} does not stand below row ${at}`;
    at = found;
  }
  const there = absent.find((text) => screen.some((row) => row.includes(text)));
  return there === undefined ? null : `${JSON.stringify(there)} stands there`;
}

function closedText({ data }: LogLine): string {
  const answers = data.answers as readonly { selected?: readonly string[]; text?: string | null }[];
  const said = answers.map(({ selected = [], text }) =>
    [...selected, ...(text ? [`"${text}"`] : [])].join("+")
  );
  return [String(data.reason), ...said].join(" ");
}

function checkFiles(root: string, files: Readonly<Record<string, string | null>>): void {
  for (const [path, text] of Object.entries(files)) {
    const found = exists(`${root}/${path}`) ? textOf(`${root}/${path}`) : null;
    assert.equal(found, text, `${path} in ${root}`);
  }
}
