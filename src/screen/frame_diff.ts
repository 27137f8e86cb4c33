// Two frames to the runs of cells that must be painted again.
// How runs become bytes is encode.ts's business, which rows only moved scroll.ts's.

import { BLANK, codePointCount, type Frame, isDoubtfulGlyph, TAIL } from "./frame.ts";
import type { Theme } from "./theme.ts";

/** Runs of cells to paint, in reading order: row, first column, column behind the last. Reused from frame to frame. */
export interface Runs {
  cells: Int32Array;
  count: number;
}

export function createRuns(): Runs {
  return { cells: new Int32Array(3 * 64), count: 0 };
}

/**
 * Finds the runs where `next` differs from `shown`; both have one size and one cluster pool. A run holds whole signs.
 * Behind a sign that terminals disagree about, a run goes on as far as the sign could reach in any of them, because
 * what stood there may have been damaged: two cells for each of its code points.
 */
export function diffFrames(
  shown: Frame,
  next: Frame,
  options: {
    readonly theme: Theme;
    readonly runs: Runs;
    /** Rows to be compared: those that are not 0. All of them without it. */
    readonly damage?: Uint8Array;
  },
): void {
  const { width, height, glyphs, styles } = next;
  const oldGlyphs = shown.glyphs;
  const oldStyles = shown.styles;
  const { damage, runs, theme } = options;
  runs.count = 0;
  for (let row = 0; row < height; row++) {
    if (damage?.[row] === 0) continue;
    let cell = row * width;
    const rowEnd = cell + width;
    while (cell < rowEnd && glyphs[cell] === oldGlyphs[cell] && styles[cell] === oldStyles[cell]) cell++;
    if (cell < rowEnd) diffRow(shown, next, { theme, runs, row, from: cell });
  }
}

interface RowOptions {
  readonly theme: Theme;
  readonly runs: Runs;
  readonly row: number;
  /** The first cell that differs. */
  readonly from: number;
}

function diffRow(shown: Frame, next: Frame, options: RowOptions): void {
  const { runs, row } = options;
  const { looks, blankLooks } = options.theme;
  const { glyphs, styles } = next;
  const oldGlyphs = shown.glyphs;
  const oldStyles = shown.styles;
  const rowStart = row * next.width;
  const rowEnd = rowStart + next.width;
  let cell = options.from;
  // Back to the lead of what stands there, or stood there: a cluster may have become narrower.
  while (cell > rowStart && (glyphs[cell] === TAIL || oldGlyphs[cell] === TAIL)) cell--;
  let runStart = -1;
  let reach = 0;
  while (cell < rowEnd) {
    const glyph = glyphs[cell] as number;
    let isChanged = glyph !== oldGlyphs[cell];
    if (!isChanged && styles[cell] !== oldStyles[cell]) {
      const seen = glyph === BLANK ? blankLooks : looks;
      isChanged = seen[styles[cell] as number] !== seen[oldStyles[cell] as number];
    }
    let end = cell + 1;
    for (; end < rowEnd && glyphs[end] === TAIL; end++) isChanged ||= oldGlyphs[end] !== TAIL;
    // The same cluster was wider before: its width was only estimated then.
    isChanged ||= end < rowEnd && oldGlyphs[end] === TAIL;
    if (isChanged || cell < reach) {
      if (runStart < 0) runStart = cell;
      if (glyph > 0x7e && isDoubtfulGlyph(next.clusters, glyph)) {
        reach = Math.max(reach, cell + 2 * codePointCount(next.clusters, glyph));
      }
    } else if (runStart >= 0) {
      addRun(runs, row, runStart - rowStart, cell - rowStart);
      runStart = -1;
    }
    cell = end;
  }
  if (runStart >= 0) addRun(runs, row, runStart - rowStart, rowEnd - rowStart);
}

function addRun(runs: Runs, row: number, start: number, end: number): void {
  const at = runs.count * 3;
  if (at + 3 > runs.cells.length) {
    const grown = new Int32Array(runs.cells.length * 2);
    grown.set(runs.cells);
    runs.cells = grown;
  }
  runs.cells[at] = row;
  runs.cells[at + 1] = start;
  runs.cells[at + 2] = end;
  runs.count++;
}
