// `deno task soak [--minutes N] [--seed S] [--events N]`: the screen, then a pod. Says figures, and exits with 1 when
// anything was wrong or memory grew from session to session.

import { loadLibraries } from "../../src/app/files.ts";
import { soakPod } from "./pod.ts";
import { soakScreen } from "./screen.ts";

/** What of the heap a session may leave behind it, in bytes, after the first ones. */
const MOST_GROWTH = 12e6;

const options = readArguments(Deno.args);
await loadLibraries();
console.log(`seed ${options.seed}, ${options.minutes} min, at most ${options.events} events`);
const startMs = Date.now();
const screen = soakScreen({
  seed: options.seed,
  events: options.events,
  endMs: startMs + options.minutes * 60_000 * 0.8,
  sessionEvents: 10_000,
  say: console.log,
});
console.log(
  `screen: ${screen.events} events, ${screen.frames} frames, ${
    (screen.bytes / 1e6).toFixed(1)
  } MB written, every cell right`,
);
const settled = screen.heaps.slice(2);
const growth = settled.length < 2 ? 0 : (settled.at(-1) ?? 0) - Math.min(...settled);
if ("gc" in globalThis && growth > MOST_GROWTH) {
  console.error(
    `memory grew by ${(growth / 1e6).toFixed(1)} MB: ${
      screen.heaps.map((heap) => (heap / 1e6).toFixed(1)).join(", ")
    }`,
  );
  Deno.exit(1);
}
const pod = await soakPod({
  seed: options.seed,
  events: options.events,
  endMs: startMs + options.minutes * 60_000,
});
const [before, after] = pod.handles;
console.log(
  `pod: ${pod.events} events, stopped ${pod.stops} times, dropped ${pod.drops} times, handles ${before} -> ${after}`,
);
if (after > before) Deno.exit(1);
console.log(`all right after ${((Date.now() - startMs) / 1000).toFixed(0)} s`);

function readArguments(args: readonly string[]): { minutes: number; seed: number; events: number } {
  const read = { minutes: 5, seed: Date.now() % 1_000_000, events: 200_000 };
  for (let at = 0; at < args.length; at += 2) {
    const name = (args[at] ?? "").replace(/^--/, "") as keyof typeof read;
    if (!(name in read) || !(Number(args[at + 1]) > 0)) {
      console.error("Cannot soak: --minutes, --seed and --events want a number above 0");
      Deno.exit(2);
    }
    read[name] = Number(args[at + 1]);
  }
  return read;
}
