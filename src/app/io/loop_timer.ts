// The loop's one timer, and what is known from it of a loop that stood still (a stopped process, a machine too busy, a
// long piece of work): what was typed meanwhile is read late, and must not count as typed at a question that is seen
// only now.

export interface LoopTimer {
  /** Wakes at that time, instead of what was set before; null: not at all. */
  set(dueMs: number | null): void;
  /** The time that what is read now is dated to: when the loop stood still, the time at which it stopped. */
  readMs(): number;
}

export interface LoopTimerOptions {
  readonly nowMs?: () => number;
  /** Calls back after so many ms; what it returns takes that back. */
  readonly after?: (ms: number, call: () => void) => () => void;
}

/** A timer that is later than this was held up, in ms. */
const LATE_MS = 50;
/** Time given to bytes that wait, in ms. */
const GRACE_MS = 10;

/** Times are those of `performance.now()`. */
export function createLoopTimer(wake: () => void, options: LoopTimerOptions = {}): LoopTimer {
  const { nowMs = () => performance.now(), after = startTimer } = options;
  let stop = () => {};
  let dueMs: number | null = null;
  const isLate = () => dueMs !== null && nowMs() > dueMs + LATE_MS;
  const ring = () => {
    dueMs = null;
    wake();
  };
  return {
    set: (atMs) => {
      stop();
      stop = () => {};
      const now = nowMs();
      dueMs = atMs === null ? null : Math.max(atMs, now);
      if (dueMs === null) return;
      // Bytes that wait are read first.
      stop = after(dueMs - now, () => isLate() ? stop = after(GRACE_MS, ring) : ring());
    },
    readMs: () => isLate() ? dueMs! : nowMs(),
  };
}

function startTimer(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
}
