// Recorded journeys: the demo agent's scripted model drives real tools through a real pod and a real client in a
// pseudo-terminal. What each shows stands in its testdata/journey-<name>/journey.jsonl.

import assert from "node:assert/strict";
import { ROOT } from "./program_session.ts";
import { type Journey, parseJourney } from "./journeys/journey.ts";
import { playJourney } from "./journeys/player.ts";

/** All journeys there are. One that is missing, or not named here, fails. */
const JOURNEYS: readonly string[] = [
  "agent-crash",
  "allowed-always",
  "cancel",
  "compaction",
  "conversation",
  "denied",
  "detach",
  "draft",
  "edit",
  "own-words",
  "parallel-tools",
  "pause",
  "pod-killed",
  "questions",
  "queue",
  "shell-fails",
  "steer",
  "two-clients",
];
/** Most of a journey is waiting. */
const AT_ONCE = 4;

Deno.test("journeys: none is missing, none is unknown", () => {
  assert.deepEqual(journeyNames(), [...JOURNEYS].sort());
});

// Several at once: what one has open would count as another's leak.
Deno.test({
  name: "journeys",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (test) => {
    const wanted = Deno.env.get("TRIFOLD_JOURNEY");
    const waiting = JOURNEYS.filter((name) => wanted === undefined || name.includes(wanted)).map(readJourney);
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const journey = next;
        await test.step({
          name: `${journey.name}: ${journey.what}`,
          fn: () => playJourney(journey),
          sanitizeOps: false,
          sanitizeResources: false,
          sanitizeExit: false,
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  },
});

function readJourney(name: string): Journey {
  return parseJourney(name, Deno.readTextFileSync(`${ROOT}testdata/journey-${name}/journey.jsonl`));
}

/** Names of the folders, each of which holds its journey and nothing else. */
function journeyNames(): string[] {
  const names = [...Deno.readDirSync(`${ROOT}testdata`)].map(({ name }) => name).filter((name) =>
    name.startsWith("journey-")
  );
  for (const name of names) {
    const files = [...Deno.readDirSync(`${ROOT}testdata/${name}`)].map((entry) => entry.name);
    assert.deepEqual(files, ["journey.jsonl"], name);
  }
  return names.map((name) => name.slice("journey-".length)).sort();
}
