// Paints layers into a frame, back to front; the frontmost layer that gives a cursor owns it.
// What a layer shows and where it stands is the app's decision.

import { clearFrame, type Cursor, type Frame, type Region } from "./frame.ts";

/** Something painted over what is behind it. */
export interface Layer {
  readonly region: Region;
  /** Paints inside `region`, given as it was declared: it may be empty or reach past the frame. */
  paint(frame: Frame, region: Region): void;
  /** Where this layer wants the cursor; null: it leaves the cursor to the layers behind it. */
  cursor?(region: Region): Cursor | null;
}

/** Clears the frame and paints the layers in order, the last one in front. */
export function compose(frame: Frame, layers: readonly Layer[]): void {
  clearFrame(frame);
  let cursor: Cursor | null = null;
  for (const layer of layers) {
    if (!isVisible(layer.region, frame)) continue;
    layer.paint(frame, layer.region);
    cursor = layer.cursor?.(layer.region) ?? cursor;
  }
  frame.cursor = placeCursor(cursor, frame);
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
