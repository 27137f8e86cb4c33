// Figures over time: one line a recorded run in history.jsonl, ours beside the ones before, and one line a recorded
// comparison in peers.jsonl. README's table is made from the newest lines of both.

const HISTORY = new URL("./history.jsonl", import.meta.url);
const PEERS = new URL("./peers.jsonl", import.meta.url);

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

/** A figure of a peer beside ours, and how many times ours it is, each the middle of what the pairs of runs gave. */
export interface ComparedFigure {
  readonly theirs: number;
  readonly ours: number;
  readonly ratio: number;
}

/** One peer (name and version) on a transcript of that many rows; figures by column, those it cannot give left out. */
export interface Comparison {
  readonly peer: string;
  readonly rows: number;
  readonly figures: Readonly<Record<string, ComparedFigure>>;
}

/** One recorded comparison with all peers. */
export interface RecordedPeers {
  readonly date: string;
  readonly machine: string;
  readonly compared: readonly Comparison[];
}

/** The newest recorded run of this kind of machine; null when there is none. */
export function lastRun(): RecordedRun | null {
  return recordedRuns().findLast((run) => run.machine === machineName()) ?? null;
}

/** All recorded runs, oldest first. */
export function recordedRuns(): RecordedRun[] {
  return linesOf(HISTORY) as RecordedRun[];
}

/** All recorded comparisons, oldest first. */
export function recordedPeers(): RecordedPeers[] {
  return linesOf(PEERS) as RecordedPeers[];
}

/** Appends a run. */
export function recordRun(run: RecordedRun): void {
  appendLine(HISTORY, run);
}

/** Appends a comparison that ends now. */
export function recordPeers(compared: readonly Comparison[]): void {
  const rounded = JSON.parse(
    JSON.stringify(
      compared,
      (_key, value) => typeof value === "number" ? Number(value.toPrecision(4)) : value,
    ),
  );
  appendLine(PEERS, { date: new Date().toISOString(), machine: machineName(), compared: rounded });
}

function appendLine(file: URL, value: RecordedRun | RecordedPeers): void {
  Deno.writeTextFileSync(file, JSON.stringify(value) + "\n", { append: true });
}

function linesOf(file: URL): unknown[] {
  try {
    return Deno.readTextFileSync(file).trimEnd().split("\n").map((line) => JSON.parse(line));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function machineName(): string {
  const { os, arch } = Deno.build;
  return `${os} ${arch}, ${navigator.hardwareConcurrency} cores, Deno ${Deno.version.deno}`;
}
