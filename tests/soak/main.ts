// `deno task soak [--minutes N] [--seed S] [--events N]`: the screen, then a pod, each for half of the time and for at
// least so many events. Says figures, and exits with 1 when anything was wrong or memory grew from session to session.

import { loadLibraries } from "../../src/app/files.ts";
import { growthOf } from "./extent.ts";
import { soakPod } from "./pod.ts";
import { soakScreen } from "./screen.ts";

const SESSION_EVENTS = 10_000;
/** A pod's session is longer: who attaches gets it in pages. */
const POD_EVENTS = 50_000;

const options = readArguments(Deno.args);
const { seed, events, minutes } = options;
await loadLibraries();
console.log(`seed ${seed}, at least ${minutes} min and ${events} events in each half`);
const startMs = Date.now();
const half = () => ({ seed, events, untilMs: Date.now() + minutes * 30_000, say: console.log });
const screen = await soakScreen({ ...half(), sessionEvents: SESSION_EVENTS });
const written = `${(screen.bytes / 1e6).toFixed(1)} MB written`;
console.log(`screen: ${screen.events} events, ${screen.frames} frames, ${written}, every cell right`);
failOver(growthOf(screen.heaps));
const pod = await soakPod({ ...half(), sessionEvents: POD_EVENTS });
const [before, after] = pod.handles;
const told = `stopped ${pod.stops} times, dropped ${pod.drops} times, handles ${before} -> ${after}`;
console.log(`pod: ${pod.events} events, ${told}`);
failOver(growthOf(pod.heaps));
failOver(after > before ? "handles were left open" : null);
console.log(`all right after ${((Date.now() - startMs) / 1000).toFixed(0)} s`);

function failOver(problem: string | null): void {
  if (problem === null) return;
  console.error(problem);
  Deno.exit(1);
}

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
