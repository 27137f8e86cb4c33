// The gate's properties draw the same values every time, so that what is green stays green until something changes.
// TRIFOLD_SEED=N draws others; `deno task fuzz` goes on for as long as it is told to, with seeds of its own.

import * as fc from "fast-check";

const wanted = Deno.env.get("TRIFOLD_SEED");
if (wanted !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted ?? 1) });
