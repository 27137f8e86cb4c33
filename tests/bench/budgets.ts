// The budgets the benches are printed beside. A figure is compared with its budget for people, never for the gate.

/** One budget. `unit` is what figure and budget are in. */
export interface Budget {
  readonly id: string;
  readonly what: string;
  readonly unit: "ms wall" | "ms CPU" | "bytes" | "MB" | "% CPU" | "times";
  readonly most: number;
}

export const BUDGETS: readonly Budget[] = [
  { id: "S1 demo", what: "start to the demo agent's greeting", unit: "ms wall", most: 120 },
  { id: "S1 dist", what: "the same, from the executable in dist/", unit: "ms wall", most: 120 },
  { id: "size", what: "that executable", unit: "MB", most: Infinity },
  { id: "S1 1k", what: "start to the tail of 1,000 rows", unit: "ms wall", most: 120 },
  { id: "S1 1k built", what: "the same, bundled as it is shipped", unit: "ms wall", most: 120 },
  { id: "S1 100k", what: "start to the tail of 100,000 rows", unit: "ms wall", most: 120 },
  { id: "S1 100k built", what: "the same, bundled as it is shipped", unit: "ms wall", most: 120 },
  { id: "S1 attach 1k", what: "start to the tail of a pod's 1,000 rows", unit: "ms wall", most: 120 },
  { id: "S1 attach 1k built", what: "the same, bundled as it is shipped", unit: "ms wall", most: 120 },
  { id: "S1 attach 100k", what: "start to the tail of a pod's 100,000 rows", unit: "ms wall", most: 120 },
  { id: "S1 attach 100k built", what: "the same, bundled as it is shipped", unit: "ms wall", most: 120 },
  { id: "S1 doc 12", what: "first frame of a 12 MB export, to its parse alone", unit: "times", most: 1.5 },
  { id: "S1 doc 50", what: "first frame of a 50 MB export, to its parse alone", unit: "times", most: 1.5 },
  { id: "S1 doc ms", what: "the same of 12 MB, from the file's opening", unit: "ms wall", most: Infinity },
  { id: "S1 sessions", what: "start to the first rows of 4,000 sessions", unit: "ms wall", most: 200 },
  { id: "S1 sessions built", what: "the same, bundled as it is shipped", unit: "ms wall", most: 200 },
  { id: "S1 here", what: "start to the first of 4,000 that are of a directory", unit: "ms wall", most: 200 },
  { id: "S1 here built", what: "the same, bundled as it is shipped", unit: "ms wall", most: 200 },
  { id: "S2 100k", what: "100,000 rows parsed, reduced and measured", unit: "ms CPU", most: 500 },
  { id: "S3 1k", what: "a streamed token to its frame, 1,000 rows", unit: "ms CPU", most: 0.35 },
  { id: "S3 100k", what: "a streamed token to its frame, 100,000 rows", unit: "ms CPU", most: 0.35 },
  { id: "S3 p99", what: "the same, 99 of 100", unit: "ms wall", most: 2 },
  { id: "S4 100k", what: "bytes of a streamed token", unit: "bytes", most: 70 },
  { id: "S5 1k", what: "a scrolled line, 1,000 rows", unit: "ms CPU", most: 0.2 },
  { id: "S5 100k", what: "a scrolled line, 100,000 rows", unit: "ms CPU", most: 0.2 },
  { id: "S5 bytes", what: "bytes of a scrolled line", unit: "bytes", most: 200 },
  { id: "S6 100k", what: "a scrolled page, 100,000 rows", unit: "ms CPU", most: 0.6 },
  { id: "S6 bytes", what: "bytes of a scrolled page", unit: "bytes", most: 4500 },
  { id: "S7 100k", what: "a new width to its frame, 100,000 rows", unit: "ms wall", most: 16 },
  { id: "S7 all", what: "all rows of 100,000 measured at a new width", unit: "ms CPU", most: 120 },
  { id: "S7 fold", what: "a fold mode to its frame, 100,000 rows", unit: "ms wall", most: 16 },
  { id: "S8 1k", what: "memory at idle, 1,000 rows", unit: "MB", most: 65 },
  { id: "S8 1k built", what: "the same, bundled as it is shipped", unit: "MB", most: 65 },
  { id: "S8 10k", what: "memory at idle, 10,000 rows", unit: "MB", most: 75 },
  { id: "S8 10k built", what: "the same, bundled as it is shipped", unit: "MB", most: 75 },
  { id: "S8 100k", what: "memory at idle, 100,000 rows", unit: "MB", most: 140 },
  { id: "S8 doc 50", what: "memory at idle, an export of 50 MB", unit: "MB", most: 191 },
  { id: "S8 100k built", what: "the same, bundled as it is shipped", unit: "MB", most: 140 },
  { id: "S9 100k", what: "a key to its echo's frame, 100,000 rows", unit: "ms CPU", most: 1 },
  { id: "S9 draft", what: "the same with a draft of 2,000 lines", unit: "ms CPU", most: 1 },
  { id: "S9 bytes", what: "bytes of a key's echo", unit: "bytes", most: 60 },
  { id: "S9 wall", what: "a key to its echo in a pseudo-terminal, median", unit: "ms wall", most: 2 },
  { id: "S9 p99", what: "the same, 99 of 100", unit: "ms wall", most: 8 },
  { id: "S10", what: "idle, over three seconds", unit: "% CPU", most: 0.05 },
  { id: "S10 bytes", what: "bytes written while idle", unit: "bytes", most: 0 },
  { id: "S12 paint", what: "a whole frame of 200x60", unit: "ms CPU", most: 1 },
  { id: "S12 same", what: "a frame of 200x60 in which nothing changed", unit: "ms CPU", most: 0.1 },
  { id: "live event", what: "an agent's event through its pod to the terminal", unit: "ms wall", most: 8 },
  { id: "live flood", what: "5,000 words a second: the last one to the terminal", unit: "ms wall", most: 24 },
  { id: "live key", what: "a key while they come", unit: "ms wall", most: 2 },
  { id: "live memory", what: "what the client grows by while they come", unit: "MB", most: 10 },
];
