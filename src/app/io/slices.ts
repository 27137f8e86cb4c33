// Long work in slices, with keys looked at in between. One record is never cut: it is parsed and applied whole, 4 ms
// a megabyte.

/** Longest work before keys are looked at again, in ms. */
const SLICE_MS = 8;

/** Long work's time. */
export interface Slices {
  /** To be awaited after each piece of the work: lets keys in where the slice is used up, and begins the next. */
  rest(): Promise<void> | void;
}

export interface SliceOptions {
  readonly nowMs?: () => number;
  readonly letKeysIn?: () => Promise<void>;
}

/** A slice begins now. */
export function beginSlices(options: SliceOptions = {}): Slices {
  const { nowMs = () => performance.now(), letKeysIn = keysGetIn } = options;
  let endMs = nowMs() + SLICE_MS;
  const next = async () => {
    await letKeysIn();
    endMs = nowMs() + SLICE_MS;
  };
  return { rest: () => nowMs() < endMs ? undefined : next() };
}

/** What waits is done first: keys above all. */
export function keysGetIn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Each one after the other, with keys let in behind each: none waits for more than the longest. */
export async function oneByOne(
  work: readonly (() => Promise<void> | void)[],
  letKeysIn: () => Promise<void> = keysGetIn,
): Promise<void> {
  for (const one of work) {
    await one();
    await letKeysIn();
  }
}
