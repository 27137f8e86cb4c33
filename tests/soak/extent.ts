// How long a half of the soak goes on, and what of memory it may leave behind: the same rule for both halves.

/** At least so many events, and not before that time (ms since 1970). */
export interface Extent {
  readonly events: number;
  readonly untilMs?: number;
}

/** What of the heap a session may leave behind it, in bytes, after the first ones. */
const MOST_GROWTH = 6e6;

/** Whether it is over. */
export function isEnough(events: number, extent: Extent): boolean {
  return events >= extent.events && Date.now() >= (extent.untilMs ?? 0);
}

/** What grew from session to session beyond what may; null when memory is flat, or cannot be told without collecting. */
export function growthOf(heaps: readonly number[]): string | null {
  const settled = heaps.slice(2);
  const growth = settled.length < 2 ? 0 : (settled.at(-1) ?? 0) - Math.min(...settled);
  if (!("gc" in globalThis) || growth <= MOST_GROWTH) return null;
  return `memory grew by ${megabytes(growth)}: ${heaps.map(megabytes).join(", ")}`;
}

/** Heap in use in bytes, garbage collected first where the runtime lets us. */
export function heapInUse(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return Deno.memoryUsage().heapUsed;
}

/** Bytes for people. */
export function megabytes(bytes: number | undefined): string {
  return `${((bytes ?? 0) / 1e6).toFixed(1)} MB`;
}
