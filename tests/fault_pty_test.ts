// Faults of our own in a real pseudo-terminal (U14): whatever is thrown, the terminal comes back first.

import { endsWithFault, sees, startProgram } from "./program_session.ts";

/** By the value of TRIFOLD_FAULT. */
const FAULTS = [
  ["uncaught", "a fault was asked for by TRIFOLD_FAULT"],
  ["draw", "a fault while drawing was asked for by TRIFOLD_FAULT"],
] as const;

for (const [kind, text] of FAULTS) {
  Deno.test(`U14: ended by a fault: ${kind}`, async () => {
    const program = await startProgram([], { environment: { TRIFOLD_FAULT: kind }, errorsOnScreen: true });
    await sees(program, "demo/careful-1");
    program.session.type("hello\r");
    await sees(program, "= finished");
    await endsWithFault(program, text);
  });
}
