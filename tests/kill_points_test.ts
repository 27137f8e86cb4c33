// Any process of a session is killed at any moment: nothing that was in the log is lost, what goes on can be come
// back to, and every terminal is as it was. Six points with a fixed seed; TRIFOLD_KILL_POINTS=50 takes fifty, and
// TRIFOLD_KILL_SEED=N others.

import assert from "node:assert/strict";
import { endsWith, type Program, sees } from "./program_session.ts";
import {
  agentCommand,
  delay,
  kill,
  leave,
  type LogLine,
  readLog,
  readPid,
  until,
  withWorld,
  type World,
} from "./journeys/world.ts";
import { randomOf } from "./bench/generate.ts";

const POINTS = Number(Deno.env.get("TRIFOLD_KILL_POINTS") ?? 6);
const SEED = Number(Deno.env.get("TRIFOLD_KILL_SEED") ?? 4);
const AT_ONCE = 3;
const PATIENCE_MS = 30_000;
const WIDTH = 100;
const HEIGHT = 60;

/** What is killed, how, and when. */
interface Point {
  readonly victim: "client" | "pod" | "agent";
  readonly signal: "SIGKILL" | "SIGTERM" | "SIGHUP" | "SIGINT";
  /** Since the client was started. */
  readonly afterMs: number;
}

/** Exit codes of a client that a signal ends and that gives the terminal back. */
const CODES: Readonly<Record<string, number>> = { SIGTERM: 143, SIGHUP: 129, SIGINT: 130 };
/** Signals worth sending to each: a pod has no terminal that could hang up or interrupt. */
const SIGNALS: Readonly<Record<Point["victim"], readonly Point["signal"][]>> = {
  client: ["SIGKILL", "SIGTERM", "SIGHUP", "SIGINT"],
  pod: ["SIGKILL", "SIGKILL", "SIGTERM"],
  agent: ["SIGKILL", "SIGTERM"],
};
/** About as long as the journey takes on an idle machine, its start included. */
const JOURNEY_MS = 6000;

Deno.test({
  name: `any process killed at any moment: ${POINTS} points, seed ${SEED}`,
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const waiting = pointsOf(SEED, POINTS).map((point, at) => ({ point, at }));
    const faults: string[] = [];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { victim, signal, afterMs } = next.point;
        try {
          await survive(next.point);
        } catch (error) {
          const what = error instanceof Error ? error.message.replaceAll(/ " *",\n/g, "") : String(error);
          faults.push(
            `point ${next.at} of seed ${SEED} (${signal} to the ${victim} after ${afterMs} ms): ${what}`,
          );
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (faults.length > 0) throw new Error(faults.join("\n\n"));
  },
});

async function survive({ victim, signal, afterMs }: Point): Promise<void> {
  const files = {
    "a.txt": "one\ntwo\n",
    "slow.sh": "for n in 1 2 3 4 5 6; do echo step $n; sleep 0.1; done\n",
  };
  await withWorld(files, async (world) => {
    const program = await world.open(["run", "--", ...agentCommand()], [WIDTH, HEIGHT]);
    const startMs = Date.now();
    const going = { on: true };
    const journey = travel(program, world, going).catch(() => {});
    await delay(afterMs);
    const pid = await pidOf(victim, program, world);
    const before = world.logText();
    kill(pid, signal);
    going.on = false;
    await journey;
    assert.ok(Date.now() - startMs < 4 * PATIENCE_MS);
    const isBegun = await leaveAfter({ victim, signal, afterMs }, program, before);
    if (!isBegun) return;
    await comeBack(world, before);
  });
}

/** What the person does: looks, changes, runs, plans, until the journey is called off. */
async function travel(program: Program, world: World, going: { on: boolean }): Promise<void> {
  const turns = () => readLog(world.logText()).filter(({ event }) => event === "turn_end").length;
  const wait = async (isTrue: () => boolean) => {
    while (going.on && !isTrue()) await delay(20);
    if (!going.on) throw new Error("called off");
  };
  const allow = async () => {
    await wait(() => program.screen().includes("── Permission"));
    await delay(520);
    if (going.on) program.session.type("\r");
  };
  await wait(() => program.screen().includes("built-in demo"));
  program.session.type("read a.txt; edit a.txt: two => 2\r");
  await allow();
  await wait(() => turns() === 1);
  program.session.type("run sh slow.sh\r");
  await allow();
  await wait(() => world.logText().includes("step 2"));
  program.session.type("plan: look, change\r");
  await wait(() => turns() === 2);
  program.session.type("half a thought");
  await wait(() => false);
}

/** The client ends, or is left; true when there is a session to come back to. */
async function leaveAfter(point: Point, program: Program, before: string): Promise<boolean> {
  const { victim, signal } = point;
  if (victim === "client") {
    if (signal === "SIGKILL") await program.session.ended;
    // Before it has taken the terminal a signal ends it as it ends any program.
    else await endsWith(program, CODES[signal] ?? 0, () => {}, { podsGoOn: true });
    return true;
  }
  const { session } = program;
  const isOver = () => session.output().includes("exit 1\r\n");
  await session.until("the loss", () => isOver() || program.screen().includes("disconnected"), PATIENCE_MS);
  if (!isOver()) {
    await sees(program, "Enter reconnects");
    await leave(program);
    return true;
  }
  // It was not there yet: said, and the screen was never taken.
  await endsWith(program, 1, () => {}, { podsGoOn: true });
  assert.ok(!session.output().includes("\x1b[?1049h"));
  return before !== "";
}

/** The log holds what it held, and whoever comes back sees it and can go on. */
async function comeBack(world: World, before: string, untilMs = Date.now() + PATIENCE_MS): Promise<void> {
  const again = await world.open([isAlive(world) ? "attach" : "resume", "--fold", "overview"], [
    WIDTH,
    HEIGHT,
  ]);
  await again.session.until(
    "the session",
    () => again.screen().includes("demo/careful-1") || again.session.output().includes("exit 1\r\n"),
    PATIENCE_MS,
  );
  if (again.session.output().includes("exit 1\r\n")) {
    // The pod was on its way to its end, or to its beginning, when it was asked for; a person would say the same again.
    const said = await endsWith(again, 1, () => {}, { podsGoOn: true });
    // A client killed before it had started its pod has left nothing.
    const isNothing = before === "" && (world.pods()[0]?.pid ?? null) === null && /^No pod/.test(said);
    if (isNothing && Date.now() > untilMs - PATIENCE_MS * 2 / 3) return;
    assert.ok(Date.now() < untilMs, `nobody can come back: ${said}`);
    await delay(100);
    return await comeBack(world, before, untilMs);
  }
  for (const text of tellings(readLog(before))) await sees(again, text, PATIENCE_MS);
  await leave(again);
  const after = world.logText();
  assert.ok(after.startsWith(before), "the log still begins with what it held");
  const numbers = readLog(after).flatMap(({ seq }) => seq === undefined ? [] : [seq]);
  assert.deepEqual(numbers, numbers.map((_, at) => at + 1), "numbers of events");
}

/** Texts that an overview of these events shows: what was sent, said, and came of tools. */
function tellings(log: readonly LogLine[]): string[] {
  return log.flatMap(({ event, data }) => {
    const text = event === "user_message" || event === "text_done"
      ? data.text
      : event === "tool_result" && !String(data.summary).startsWith("Denied")
      ? data.summary
      : null;
    const [first = ""] = typeof text === "string" ? text.split("\n") : [];
    return first === "" ? [] : [first.slice(0, 40)];
  });
}

function isAlive(world: World): boolean {
  const pid = world.pods()[0]?.pid;
  return kill(pid, "SIGCONT");
}

/** The victim's pid, waited for when it is not there yet. */
async function pidOf(victim: Point["victim"], program: Program, world: World): Promise<number> {
  const find = {
    client: () => readPid(`${world.home}/pid${program.terminal}`),
    pod: () => world.pods()[0]?.pid ?? null,
    agent: () => readPid(`${world.home}/agent_pid`),
  }[victim];
  await until(`the ${victim}`, () => find() !== null, PATIENCE_MS);
  return find() as number;
}

/** Points of a seed; every victim is among the first three. */
function pointsOf(seed: number, count: number): Point[] {
  const random = randomOf(seed);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const victims = ["client", "pod", "agent"] as const;
  return Array.from({ length: count }, (_, at) => {
    const victim = victims[at % victims.length] as Point["victim"];
    return { victim, signal: pick(SIGNALS[victim]), afterMs: Math.floor(random() * JOURNEY_MS) };
  });
}
