// What fuzzers once found, replayed; and a short run of each with a fixed seed, so that none rots. Longer runs:
// `deno task fuzz --minutes 5`.

import fc from "fast-check";
import { loadLibraries } from "../src/app/files.ts";
import { FUZZERS, keptValues } from "./fuzz/all.ts";

await loadLibraries();

for (const fuzzer of FUZZERS) {
  Deno.test(`fuzz ${fuzzer.name}: ${fuzzer.label}`, () => {
    for (const { file, why, value } of keptValues(fuzzer.name)) {
      try {
        fuzzer.check(value);
      } catch (error) {
        throw new Error(`testdata/fuzz/${file} falls again (${why})`, { cause: error });
      }
    }
    fc.assert(fc.property(fuzzer.values, fuzzer.check), { seed: 1, numRuns: fuzzer.gateRuns });
  });
}
