// Plays a journey: a real client in a pseudo-terminal for each terminal it names, a real pod, real tools.

import assert from "node:assert/strict";
import { endsWith, type Program, sees } from "../program_session.ts";
import { checkJourney } from "./expect.ts";
import { type Journey, KEYS, listOf, type Step, type StepKind } from "./journey.ts";
import { agentCommand, delay, kill, leave, readPid, until, withWorld, type World } from "./world.ts";

/** Where a journey is. */
interface Place {
  readonly journey: Journey;
  readonly world: World;
  readonly open: Map<string, Program>;
  /** The terminal that was opened last. */
  last: string;
  /** When a panel was first seen that has not been answered. */
  panelMs: number | null;
}

/** Longest wait for what is to be seen, in ms: a machine may be busy. */
const PATIENCE_MS = 30_000;
/** A panel takes no key before it has been on the screen for so long (500 ms); seen later than drawn. */
const PANEL_MS = 520;

/** Plays it to its end, and checks what then holds. */
export async function playJourney(journey: Journey): Promise<void> {
  await withWorld(journey.files, async (world) => {
    const place: Place = { journey, world, open: new Map(), last: "one", panelMs: null };
    const start = journey.agent === null
      ? journey.args
      : ["run", ...journey.args, "--", ...agentCommand(...journey.agent)];
    place.open.set("one", await world.open(start, journey.size));
    for (const step of journey.steps) {
      try {
        await PLAY[step.kind](place, step);
      } catch (error) {
        const screens = [...place.open.values()].map((program) => program.screen()).join("\n---\n");
        throw new Error(`${journey.name}, line ${step.line}: ${textOf(error)}\n${screens}`, { cause: error });
      }
    }
    await checkJourney(journey, world, [...place.open.values()].at(-1));
    for (const program of place.open.values()) await leave(program);
  });
}

const PLAY: Readonly<Record<StepKind, (place: Place, step: Step) => Promise<void> | void>> = {
  text: (place, step) => type(place, step, String(step.value)),
  paste: (place, step) => type(place, step, `\x1b[200~${step.value}\x1b[201~`),
  async keys(place, step) {
    for (const key of listOf(step.value)) await type(place, step, KEYS[key] ?? "");
  },
  async see(place, step) {
    const program = terminalOf(place, step);
    for (const text of listOf(step.value)) await sees(program, text, PATIENCE_MS);
    place.panelMs = /── (Permission|Question)/.test(program.screen()) ? Date.now() : null;
  },
  async gone(place, step) {
    const program = terminalOf(place, step);
    for (const text of listOf(step.value)) {
      await program.session.until(`no ${text}`, () => !program.screen().includes(text), PATIENCE_MS);
    }
  },
  logged: (place, step) =>
    until(
      `${step.value} in the log`,
      () =>
        place.world.logText().split("\n").some((line) =>
          line.startsWith(`{"event":"${step.value}"`) && line.includes(step.with)
        ),
      PATIENCE_MS,
    ),
  drafted: (place, step) =>
    until("the draft at the pod", () => place.world.draftText().includes(String(step.value)), PATIENCE_MS),
  make: (place, step) => Deno.writeTextFileSync(`${place.world.scratch()}/${step.value}`, ""),
  size(place, step) {
    const [width, height] = step.value as [number, number];
    terminalOf(place, step).session.resize(width, height);
  },
  async kill(place, step) {
    const program = terminalOf(place, step);
    assert.ok(
      kill(VICTIMS[step.value as keyof typeof VICTIMS](place, program), "SIGKILL"),
      "nothing was killed",
    );
    if (step.value !== "client") return;
    await program.session.ended;
    close(place, step);
  },
  async leave(place, step) {
    const said = await leave(terminalOf(place, step));
    close(place, step);
    if (typeof step.value === "string") assert.ok(said.includes(step.value), `stderr: ${said}`);
    else assert.equal(said, "");
  },
  async ends(place, step) {
    await endsWith(terminalOf(place, step), Number(step.value), () => {}, { podsGoOn: true });
    close(place, step);
  },
  attach: (place, step) => reopen(place, step, "attach"),
  resume: (place, step) => reopen(place, step, "resume"),
};

const VICTIMS = {
  client: (_: Place, program: Program) => program.pid(),
  pod: ({ world }: Place) => world.pods()[0]?.pid,
  agent: ({ world }: Place) => readPid(`${world.home}/agent_pid`),
};

async function type(place: Place, step: Step, text: string): Promise<void> {
  // What comes sooner is not for the panel; how the panel itself holds to that is another test's.
  if (place.panelMs !== null) await delay(Math.max(0, place.panelMs + PANEL_MS - Date.now()));
  place.panelMs = null;
  terminalOf(place, step).session.type(text);
}

async function reopen(place: Place, step: Step, command: "attach" | "resume"): Promise<void> {
  const name = step.terminal ?? "one";
  assert.ok(!place.open.has(name), `there is a terminal ${name}`);
  place.open.set(name, await place.world.open([command], place.journey.size));
  place.last = name;
}

function close(place: Place, step: Step): void {
  place.open.delete(step.terminal ?? place.last);
  place.last = [...place.open.keys()].at(-1) ?? "one";
}

function terminalOf(place: Place, step: Step): Program {
  const program = place.open.get(step.terminal ?? place.last);
  assert.ok(program !== undefined, `there is no terminal ${step.terminal ?? place.last}`);
  return program;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
