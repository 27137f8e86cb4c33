// Recognises that rows only moved up or down, so that the terminal moves them instead of our painting them again.
// A wrong guess costs bytes, never correctness: the frame that is shown is moved too, and then compared by cell.

import { BLANK, type Frame } from "./frame.ts";

/** Rows `top` to `bottom` (half open) go up by `by` rows, or down where it is negative; exposed rows are blank. */
export interface Scroll {
  readonly top: number;
  readonly bottom: number;
  readonly by: number;
}

/** About what a scroll costs in bytes, and a little more so that none is done for nothing. */
const OVERHEAD = 30;
/** About what moving to a row and its colours cost. */
const ROW_COST = 6;
/** Erasing the rest of a row. */
const ERASE_COST = 3;
/** Taller frames are not searched: the search grows with the square of the rows. */
const ROWS_SEARCHED = 250;

// Facts about rows, reused from frame to frame.
let oldHashes = new Int32Array(0);
let newHashes = new Int32Array(0);
/** Bytes to paint the new row on a blank one, and over what is shown there now. */
let freshCosts = new Int32Array(0);
let currentCosts = new Int32Array(0);

/**
 * The scroll that saves most bytes between two frames of one size and cluster pool; null when none pays. At least
 * half of its rows stay in view: to push all out would be to erase ahead of content. Never the terminal's last row.
 * Rows whose `damage` is 0 are known to be shown as they are; `hint` is a distance that is likely, taken when it pays.
 */
export function findScroll(
  shown: Frame,
  next: Frame,
  { damage = null, hint = 0 }: { readonly damage?: Uint8Array | null; readonly hint?: number } = {},
): Scroll | null {
  const rows = next.height - 1;
  if (rows < 3 || rows > ROWS_SEARCHED) return null;
  reserveRows(rows);
  const changed = measureRows(shown, next, { rows, damage });
  if (changed.end - changed.start < 3) return null;
  let best: Scroll | null = null;
  let bestGain = OVERHEAD;
  const hinted = hint === 0 || 2 * Math.abs(hint) > changed.end - changed.start
    ? null
    : bestRegion(hint, changed.start, changed.end);
  if (hinted !== null && hinted.gain > OVERHEAD) {
    return { top: hinted.top, bottom: hinted.bottom, by: hint };
  }
  for (let by = 1; 2 * by <= changed.end - changed.start; by++) {
    for (const sign of [1, -1]) {
      const found = bestRegion(by * sign, changed.start, changed.end);
      if (found.gain <= bestGain) continue;
      bestGain = found.gain;
      best = { top: found.top, bottom: found.bottom, by: by * sign };
    }
  }
  return best;
}

/** Does to the frame what the terminal does. */
export function scrollFrame(frame: Frame, scroll: Scroll): void {
  const { width, glyphs, styles } = frame;
  const top = scroll.top * width;
  const bottom = scroll.bottom * width;
  const shift = Math.abs(scroll.by) * width;
  const exposed = scroll.by > 0 ? bottom - shift : top;
  if (scroll.by > 0) {
    glyphs.copyWithin(top, top + shift, bottom);
    styles.copyWithin(top, top + shift, bottom);
  } else {
    glyphs.copyWithin(top + shift, top, bottom - shift);
    styles.copyWithin(top + shift, top, bottom - shift);
  }
  glyphs.fill(BLANK, exposed, exposed + shift);
  styles.fill(0, exposed, exposed + shift);
}

/** Hashes and costs of the rows; the range of rows that changed. */
function measureRows(
  shown: Frame,
  next: Frame,
  { rows, damage }: { readonly rows: number; readonly damage: Uint8Array | null },
): { start: number; end: number } {
  let start = rows;
  let end = 0;
  for (let row = 0; row < rows; row++) {
    const cost = damage?.[row] === 0 ? 0 : changeCost(shown, next, row);
    currentCosts[row] = cost;
    if (cost === 0) continue;
    start = Math.min(start, row);
    end = row + 1;
  }
  for (let row = start; row < end; row++) {
    oldHashes[row] = hashRow(shown, row);
    newHashes[row] = hashRow(next, row);
    freshCosts[row] = paintCost(next, row);
  }
  return { start, end };
}

/**
 * The region that gains most when its rows move by `by`, counted in bytes. Its inner rows gain what painting them
 * over the present ones would cost, unless the row that comes there is another one; exposed rows are painted afresh.
 */
function bestRegion(by: number, start: number, end: number): { gain: number; top: number; bottom: number } {
  const shift = Math.abs(by);
  let gain = 0;
  let top = 0;
  /** Rows with content that only move. */
  let kept = 0;
  let best = { gain: 0, top: 0, bottom: 0 };
  // Moving up, row `row` takes what stood at row + by, and the exposed rows are the region's last ones. Moving down
  // is the same read from below, so the loop runs over distances from the far end of the region.
  for (let step = 0; step + shift < end - start; step++) {
    const row = by > 0 ? start + step : end - 1 - step;
    const source = row + by;
    const isMoved = oldHashes[source] === newHashes[row];
    if (isMoved && freshCosts[row] !== 0) kept++;
    const cost = isMoved ? 0 : Math.max(ROW_COST, freshCosts[row] as number) + ERASE_COST;
    gain += (currentCosts[row] as number) - cost;
    if (gain < 0) {
      gain = 0;
      top = step + 1;
      kept = 0;
      continue;
    }
    let total = gain;
    for (let exposed = 1; exposed <= shift; exposed++) {
      const at = by > 0 ? row + exposed : row - exposed;
      total += (currentCosts[at] as number) - (freshCosts[at] as number);
    }
    // As many rows stay in view as are exposed, or more.
    if (total <= best.gain || kept < shift) continue;
    best = by > 0
      ? { gain: total, top: start + top, bottom: row + 1 + shift }
      : { gain: total, top: row - shift, bottom: end - top };
  }
  return best;
}

/** Bytes to make the shown row the next one: 0 when it is. Blanks at its end are erased, whatever stands there. */
function changeCost(shown: Frame, next: Frame, row: number): number {
  const start = row * next.width;
  let end = start + next.width;
  let changes = 0;
  while (end > start && next.glyphs[end - 1] === BLANK) {
    end--;
    if (shown.glyphs[end] !== BLANK || shown.styles[end] !== next.styles[end]) changes = ERASE_COST;
  }
  for (let cell = start; cell < end; cell++) {
    if (shown.glyphs[cell] !== next.glyphs[cell] || shown.styles[cell] !== next.styles[cell]) changes++;
  }
  return changes === 0 ? 0 : changes + ROW_COST;
}

function hashRow(frame: Frame, row: number): number {
  const end = (row + 1) * frame.width;
  let hash = 0x811c9dc5 | 0;
  for (let cell = row * frame.width; cell < end; cell++) {
    hash = Math.imul(hash ^ (frame.glyphs[cell] as number), 0x01000193);
    hash = Math.imul(hash ^ (frame.styles[cell] as number), 0x01000193);
  }
  return hash;
}

function paintCost(frame: Frame, row: number): number {
  const start = row * frame.width;
  let end = start + frame.width;
  while (end > start && frame.glyphs[end - 1] === BLANK) end--;
  return end === start ? 0 : end - start + ROW_COST;
}

function reserveRows(rows: number): void {
  if (oldHashes.length >= rows) return;
  oldHashes = new Int32Array(rows);
  newHashes = new Int32Array(rows);
  freshCosts = new Int32Array(rows);
  currentCosts = new Int32Array(rows);
}
