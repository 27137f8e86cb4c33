// The time that keys are measured in. A lone Esc and an unfinished paste end by silence; but while the loop stands
// still (a long slice, a suspend, a machine too busy) nobody can tell silence from bytes that wait to be read, so
// that time does not count.

/** A clock in ms that stands still while the loop does. */
export interface KeyClock {
  now(): number;
  /**
   * To be called before bytes are decoded and before silence is judged. `dueMs`: when the decoder wanted to be asked,
   * null when not. True when that is long past: the clock is then set back to shortly before, so that bytes that
   * wait are read first.
   */
  catchUp(dueMs: number | null): boolean;
}

/** A timer that is later than this was held up, in ms. */
const LATE_MS = 10;
/** Time given to bytes that wait, in ms. */
const GRACE_MS = 10;

/** A clock over `real`, which counts ms. */
export function createKeyClock(real: () => number): KeyClock {
  let stoodMs = 0;
  const now = () => real() - stoodMs;
  return {
    now,
    catchUp(dueMs) {
      if (dueMs === null || now() <= dueMs + LATE_MS) return false;
      stoodMs += now() - dueMs + GRACE_MS;
      return true;
    },
  };
}
