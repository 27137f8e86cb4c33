// Paints layers into a frame, back to front; the frontmost layer that gives a cursor owns it. Rows that show what they
// showed before are left as they are. What a layer shows and where it stands is the app's decision.

import {
  clearFrame,
  clearRow,
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
  for (const layer of layers) {
    if (!isVisible(layer.region, frame)) continue;
    const top = Math.max(0, layer.region.row);
    const bottom = Math.min(frame.height, layer.region.row + layer.region.height);
    for (let row = top; row < bottom; row++) {
      const face = covered[row] === 0 ? layer.face?.(row) ?? null : null;
      const before = rowFaces[row] ?? null;
      // What was painted past the compositor is unknown to it.
      const isOwn = (rowVersions[row] as number) <= composedVersion;
      kept[row] = isOwn && face !== null && before !== null && isSameFace(face, before) ? 1 : 0;
      covered[row] = 1;
      rowFaces[row] = face;
    }
  }
  for (let row = 0; row < frame.height; row++) {
    if (covered[row] === 0) rowFaces[row] = null;
    if (kept[row] === 0) clearRow(frame, row);
  }
}

function isSameFace(face: RowFace, before: RowFace): boolean {
  if (face.length !== before.length) return false;
  for (let part = 0; part < face.length; part++) if (face[part] !== before[part]) return false;
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
