// A short soak with fixed seeds; the long ones are `deno task soak --minutes 5`.

import assert from "node:assert/strict";
import { loadLibraries } from "../src/app/files.ts";
import { soakPod } from "./soak/pod.ts";
import { soakScreen } from "./soak/screen.ts";

await loadLibraries();

Deno.test("soak, invariant 7: 3,000 events with resizes, scrolls, folds, panels and typing; every frame shown", async () => {
  const report = await soakScreen({ seed: 7, events: 3000, sessionEvents: 1200 });
  assert.ok(report.events >= 3000 && report.frames > 800, JSON.stringify(report));
});

Deno.test("soak, invariant 12: a pod and two clients, one of which stops reading; both end with what was said", async () => {
  const report = await soakPod({ seed: 3, events: 3000, sessionEvents: 2000 });
  assert.ok(report.events >= 3000);
  assert.ok(report.handles[1] <= report.handles[0], `handles ${report.handles.join(" -> ")}`);
});
