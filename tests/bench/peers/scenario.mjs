// What every program of the comparison does, in its own process: puts the transcript on the screen, streams, scrolls
// by lines and pages, takes another width, waits. Times and memory are its own; bytes are counted outside, by marks.

import fs from "node:fs";
import process from "node:process";

const OUTPUT = process.env.BENCH_OUTPUT;
/** Between two phases: all that was written has arrived outside. */
const SETTLE_MS = 200;
/** A phase that takes longer is cut: its mean then stands for fewer repetitions. */
const PHASE_MS = 4000;

const now = () => performance.timeOrigin + performance.now();
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const memoryMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0) / 1024;

/** The pieces of the transcript: kind and text. */
export function transcript() {
  return JSON.parse(fs.readFileSync(process.env.BENCH_TRANSCRIPT, "utf8"));
}

/** A piece as a program without styles of its own would print it. */
export function coloured({ kind, text }) {
  if (kind === "user") return `\x1b[1;36m> ${text}\x1b[0m`;
  if (kind === "tool") return text.split("\n").map((line) => `\x1b[2m${line}\x1b[0m`).join("\n");
  if (kind !== "diff") return text;
  const colours = { "+": 32, "-": 31, "@": 36 };
  return text.split("\n").map((line) => colours[line[0]] ? `\x1b[${colours[line[0]]}m${line}\x1b[0m` : line)
    .join("\n");
}

/** A promise that `wake` fulfils: frames are waited for, but not for ever where nothing changed. */
export function createFrames(timeoutMs = 1000) {
  let waiting = null;
  return {
    wake: () => {
      const resolve = waiting;
      waiting = null;
      resolve?.();
    },
    after: (deed) => {
      const shown = new Promise((resolve) => {
        waiting = resolve;
        setTimeout(resolve, timeoutMs).unref();
      });
      deed();
      return shown;
    },
  };
}

/**
 * Runs one program. Each function resolves when its frame was handed to the terminal; `scroll` says false where it
 * cannot go further, `resized` resolves when the frame of a new width was.
 */
export async function run({ mount, append, scroll, resized, close }) {
  // Some programs let go of their input.
  const alive = setInterval(() => {}, 1000);
  const tokens = JSON.parse(process.env.BENCH_TOKENS);
  const rows = Number(process.env.BENCH_ROWS);
  const result = { startMs: 0, memoryMb: 0, idlePercent: 0, phases: {} };
  const repeat = async (name, times, deed) => {
    await sleep(SETTLE_MS);
    const from = now();
    const startCpu = cpuMs();
    let count = 0;
    for (; count < times && now() - from < PHASE_MS; count++) if (await deed(count) === false) break;
    const spentMs = cpuMs() - startCpu;
    await sleep(SETTLE_MS);
    result.phases[name] = { count, cpuMs: count === 0 ? null : spentMs / count, from, to: now() };
  };
  await mount(transcript());
  result.startMs = now();
  await repeat("token", 200, (at) => append(tokens[at % tokens.length]));
  if (scroll !== undefined) {
    await scroll(-50);
    await repeat("line", 100, () => scroll(-1));
    await repeat("page", 40, () => scroll(-(rows - 5)));
  }
  if (resized !== undefined) {
    await sleep(SETTLE_MS);
    fs.writeFileSync(`${OUTPUT}.resize`, "");
    const startMs = await resized();
    result.resizeMs = now() - startMs;
  }
  await sleep(1000);
  result.memoryMb = memoryMb();
  const idleCpu = cpuMs();
  await sleep(1500);
  result.idlePercent = (cpuMs() - idleCpu) / 15;
  fs.writeFileSync(OUTPUT, JSON.stringify(result));
  clearInterval(alive);
  await close?.();
  process.exit(0);
}

/** Resolves with the time at which the terminal's new size was known. */
export function whenResized(event, paint) {
  return new Promise((resolve) =>
    event(async () => {
      const startMs = now();
      await paint();
      resolve(startMs);
    })
  );
}
