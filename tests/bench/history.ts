// Our own figures over time: one line a recorded run in history.jsonl, so that a figure stands beside the one before.

const HISTORY = new URL("./history.jsonl", import.meta.url);

/** One recorded run. */
export interface RecordedRun {
  readonly date: string;
  /** What the figures may be compared with: figures of the same kind of machine. */
  readonly machine: string;
  readonly figures: Readonly<Record<string, number>>;
}

/** The figures of a run that ends now. */
export function runOf(figures: ReadonlyMap<string, number>): RecordedRun {
  const rounded = [...figures].map(([id, figure]) => [id, Number(figure.toPrecision(4))] as const);
  return { date: new Date().toISOString(), machine: machineName(), figures: Object.fromEntries(rounded) };
}

/** The newest recorded run of this kind of machine; null when there is none. */
export function lastRun(): RecordedRun | null {
  let text: string;
  try {
    text = Deno.readTextFileSync(HISTORY);
  } catch {
    return null;
  }
  const runs = text.trimEnd().split("\n").map((line) => JSON.parse(line) as RecordedRun);
  return runs.findLast((run) => run.machine === machineName()) ?? null;
}

/** Appends a run. */
export function recordRun(run: RecordedRun): void {
  Deno.writeTextFileSync(HISTORY, JSON.stringify(run) + "\n", { append: true });
}

function machineName(): string {
  const { os, arch } = Deno.build;
  return `${os} ${arch}, ${navigator.hardwareConcurrency} cores, Deno ${Deno.version.deno}`;
}
