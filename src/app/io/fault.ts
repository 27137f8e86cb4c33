// A switch for tests of what a fault of our own leaves behind: TRIFOLD_FAULT says where one happens, SIGUSR2 when.

const KINDS = ["uncaught", "draw"] as const;

/** Whether the next frame fails. */
let isDue = false;

/** Arms the fault that the environment asks for; without one nothing happens, ever. */
export function armFault(): void {
  const kind = KINDS.find((each) => each === Deno.env.get("TRIFOLD_FAULT"));
  if (kind === undefined || Deno.build.os === "windows") return;
  Deno.addSignalListener("SIGUSR2", () => {
    if (kind === "uncaught") throw new Error("a fault was asked for by TRIFOLD_FAULT");
    isDue = true;
  });
}

/** Called while a frame is drawn. */
export function failIfDue(): void {
  if (!isDue) return;
  isDue = false;
  throw new Error("a fault while drawing was asked for by TRIFOLD_FAULT");
}
