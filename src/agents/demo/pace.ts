// How the demo agent's text is cut and how long its parts take. The cutting is a pure function of the text;
// waiting is one function, so that tests run without it.

/** Waits, or returns early when the signal fires. Never rejects. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Milliseconds of a model's habits; all multiplied by the model's `slowness`. */
export const PACE = { firstToken: 350, token: 14, thought: 10, argument: 8, result: 60 } as const;

/** The real clock. */
export const sleepReally: Sleep = (ms, signal) => {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms);
    signal.addEventListener("abort", finish);
    function finish(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    }
  });
};

/** Text in pieces like a model's tokens: a short word with the space before it, or up to six signs of a longer one. */
export function tokens(text: string): string[] {
  return text.match(/\s*[^\s]{1,6}|\s+$/gu) ?? [];
}

/** Tokens of a text as bills count them: about four characters each. */
export function tokenCount(text: string): number {
  return Math.ceil(text.length / 4);
}
