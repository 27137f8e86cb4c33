// `deno task fuzz [--minutes N] [--seed S] [NAME...]`: runs fuzzers for a time each, with seeds that are printed; what
// falls is shrunk and written to testdata/fuzz, where the gate replays it.

import fc from "fast-check";
import { loadLibraries } from "../../src/app/files.ts";
import { CORPUS, FUZZERS } from "./all.ts";
import type { Fuzzer } from "./fuzzer.ts";

const RUNS_A_SEED = 500;

const { minutes, seed, names } = readArguments(Deno.args);
await loadLibraries();
const chosen = FUZZERS.filter((fuzzer) => names.length === 0 || names.includes(fuzzer.name));
if (chosen.length === 0) {
  console.error(
    `Cannot fuzz ${names.join(", ")}: known are ${FUZZERS.map((fuzzer) => fuzzer.name).join(", ")}`,
  );
  Deno.exit(2);
}
let fallen = 0;
for (const fuzzer of chosen) if (!await fuzz(fuzzer)) fallen++;
Deno.exit(fallen === 0 ? 0 : 1);

/** Resolves with whether it stood. */
async function fuzz<Value>(fuzzer: Fuzzer<Value>): Promise<boolean> {
  const endMs = Date.now() + minutes * 60_000;
  let runs = 0;
  for (let round = seed; Date.now() < endMs; round++) {
    const result = await fc.check(fc.property(fuzzer.values, fuzzer.check), {
      seed: round,
      numRuns: RUNS_A_SEED,
      interruptAfterTimeLimit: Math.max(1, endMs - Date.now()),
      markInterruptAsFailure: false,
    });
    runs += result.numRuns;
    if (!result.failed) continue;
    const value = result.counterexample?.[0];
    const error = result.errorInstance instanceof Error
      ? result.errorInstance.message
      : String(result.errorInstance);
    const file = `${fuzzer.name}.seed-${round}.json`;
    const kept = { why: error.split("\n").slice(0, 6).join(" "), value };
    Deno.writeTextFileSync(new URL(file, CORPUS), JSON.stringify(kept, null, 1) + "\n");
    console.log(
      `${fuzzer.name}: FELL at seed ${round}, path ${result.counterexamplePath}, after ${runs} runs`,
    );
    console.log(
      `  ${error.slice(0, 800)}\n  kept as testdata/fuzz/${file}: ${JSON.stringify(value)?.slice(0, 800)}`,
    );
    if (result.errorInstance instanceof Error) {
      console.log(
        result.errorInstance.stack?.split("\n").filter((line) => line.includes("file:")).slice(0, 6).join(
          "\n",
        ),
      );
    }
    return false;
  }
  console.log(`${fuzzer.name}: ${runs} runs from seed ${seed} in ${minutes} min stood (${fuzzer.label})`);
  return true;
}

function readArguments(args: readonly string[]): { minutes: number; seed: number; names: string[] } {
  const read = { minutes: 1, seed: Date.now() % 1_000_000, names: [] as string[] };
  for (let at = 0; at < args.length; at++) {
    const name = args[at] ?? "";
    if (name === "--minutes") read.minutes = Number(args[++at]);
    else if (name === "--seed") read.seed = Number(args[++at]);
    else read.names.push(name);
  }
  if (!(read.minutes > 0) || !Number.isInteger(read.seed)) {
    console.error("Cannot fuzz: --minutes wants a number above 0, --seed a whole number");
    Deno.exit(2);
  }
  return read;
}
