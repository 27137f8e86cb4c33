// What a command says when it cannot do its work, on standard error, and the exit code that goes with it.

/** Said where a full screen is asked for and there is none. */
export const NO_TERMINAL = "Cannot draw a full screen: standard input and output must both be a terminal\n" +
  "(trifold print FILE shows a recording without one)";

/** True when a person can be on both sides: keys come from a terminal and the screen is one. */
export function isInteractive(keyboard: { isTerminal(): boolean } = Deno.stdin): boolean {
  return keyboard.isTerminal() && Deno.stdout.isTerminal();
}

/** Says why; returns the exit code: 1 the work failed, 2 wrong usage. */
export function refuse(text: string, code = 1): number {
  console.error(text);
  return code;
}
