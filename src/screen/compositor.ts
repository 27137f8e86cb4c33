// Paints layers into a frame, back to front; the frontmost layer that gives a cursor owns it. Rows that show what they
// showed before are left as they are. What a layer shows and where it stands is the app's decision.

import {
  clearFrame,
  clearRow,
  copyRow,
  type Cursor,
  type Frame,
  isPoolFull,
  type Region,
  type RowFace,
} from "./frame.ts";

/** Something painted over what is behind it. */
export interface Layer {
  readonly region: Region;
  /** Paints the rows of `region` that `wants` (all without it); the region is given as it was declared: it may be empty or reach past the frame. */
  paint(frame: Frame, region: Region, wants?: (row: number) => boolean): void;
  /** What a row of the frame depends on, for a layer as wide as the frame whose rows seldom change. */
  face?(row: number): RowFace | null;
  /** Where this layer wants the cursor; null: it leaves the cursor to the layers behind it. */
  cursor?(region: Region): Cursor | null;
}

/** Rows of the frame being composed: which stay as they are, and which some layer shows. Reused from frame to frame. */
let kept = new Uint8Array(0);
let covered = new Uint8Array(0);
/** The faces of the frame as it was; null where what stands there is unknown. */
const before: (RowFace | null)[] = [];
/** Fewer rows are not worth a move. */
const LEAST_MOVED = 3;
/** Changed rows that are looked for elsewhere: the first ones may be new. */
const SHIFT_TRIES = 6;
const isWanted = (row: number): boolean => kept[row] !== 1;

/** Clears the frame, but for the rows that stay, and paints the layers in order, the last one in front. */
export function compose(frame: Frame, layers: readonly Layer[]): void {
  keepRows(frame, layers);
  let cursor: Cursor | null = null;
  for (const layer of layers) {
    if (!isVisible(layer.region, frame)) continue;
    layer.paint(frame, layer.region, isWanted);
    cursor = layer.cursor?.(layer.region) ?? cursor;
  }
  frame.cursor = placeCursor(cursor, frame);
  frame.composedVersion = frame.version;
}

/** A row stays that one layer alone shows, with the face it has already. */
function keepRows(frame: Frame, layers: readonly Layer[]): void {
  if (kept.length < frame.height) {
    kept = new Uint8Array(frame.height);
    covered = new Uint8Array(frame.height);
  }
  kept.fill(0);
  covered.fill(0);
  if (isPoolFull(frame)) clearFrame(frame);
  const { rowFaces, rowVersions, composedVersion } = frame;
  before.length = frame.height;
  for (let row = 0; row < frame.height; row++) {
    // What was painted past the compositor is unknown to it.
    before[row] = (rowVersions[row] as number) <= composedVersion ? rowFaces[row] ?? null : null;
    rowFaces[row] = null;
  }
  for (const layer of layers) {
    if (!isVisible(layer.region, frame)) continue;
    const top = Math.max(0, layer.region.row);
    const bottom = Math.min(frame.height, layer.region.row + layer.region.height);
    for (let row = top; row < bottom; row++) {
      const face = covered[row] === 0 ? layer.face?.(row) ?? null : null;
      kept[row] = isSameFace(face, before[row] ?? null) ? 1 : 0;
      covered[row] = 1;
      rowFaces[row] = face;
    }
  }
  moveRows(frame);
  for (let row = 0; row < frame.height; row++) if (kept[row] === 0) clearRow(frame, row);
}

/** Rows that only stand elsewhere than before are moved there, where one distance is right for several of them. */
function moveRows(frame: Frame): void {
  const { height, rowFaces } = frame;
  frame.shift = findShift(rowFaces, height);
  const by = frame.shift;
  if (by === 0) return;
  // In the order in which no row is written over before it was taken.
  const [from, step] = by > 0 ? [0, 1] : [height - 1, -1];
  for (let row = from; row >= 0 && row < height; row += step) {
    if (kept[row] === 1 || !isSameFace(rowFaces[row] ?? null, before[row + by] ?? null)) continue;
    copyRow(frame, row, row + by);
    kept[row] = 1;
  }
}

/** The distance by which rows moved up, down where it is negative; 0 when none is right for several of them. */
function findShift(faces: readonly (RowFace | null)[], height: number): number {
  for (let row = 0, tries = 0; row < height && tries < SHIFT_TRIES; row++) {
    const face = faces[row] ?? null;
    // Blank rows look alike everywhere.
    if (kept[row] === 1 || face === null || face.length === 0 || face[0] === null) continue;
    tries++;
    for (let source = 0; source < height; source++) {
      if (source === row || !isSameFace(face, before[source] ?? null)) continue;
      const by = source - row;
      let count = 0;
      for (let other = Math.max(0, -by); other < Math.min(height, height - by); other++) {
        if (kept[other] === 1 || !isSameFace(faces[other] ?? null, before[other + by] ?? null)) continue;
        if (++count >= LEAST_MOVED) return by;
      }
    }
  }
  return 0;
}

function isSameFace(one: RowFace | null, other: RowFace | null): boolean {
  if (one === null || other === null || one.length !== other.length) return false;
  for (let part = 0; part < one.length; part++) if (one[part] !== other[part]) return false;
  return true;
}

function isVisible(region: Region, frame: Frame): boolean {
  return region.width > 0 && region.height > 0 &&
    region.row < frame.height && region.row + region.height > 0 &&
    region.column < frame.width && region.column + region.width > 0;
}

/** A caret behind the last cell of a full row stands on that cell; one outside the frame is hidden. */
function placeCursor(cursor: Cursor | null, frame: Frame): Cursor | null {
  if (cursor === null || cursor.row < 0 || cursor.row >= frame.height) return null;
  if (cursor.column < 0 || cursor.column > frame.width) return null;
  return cursor.column < frame.width ? cursor : { ...cursor, column: frame.width - 1 };
}
