// A full grid of cells with cursor and title, in typed arrays that are reused from frame to frame.
// What a role looks like is theme.ts's business, what reaches the terminal encode.ts's.

import { isDoubtful, walkGraphemes } from "../text/graphemes.ts";
import type { Line } from "../text/line.ts";
import { type Role, roleId, roleOf } from "../text/role.ts";

/** Attribute of a painted line: shown dim, on top of what its roles say (blocks a compaction replaced). */
export const DIM = 1;
/** Attribute of a painted line: reverse video (the selected row). */
export const REVERSE = 2;

/** Glyph of a cell that shows nothing. */
export const BLANK = 0x20;
/** Glyph of the cells behind the lead cell of a sign that takes several. */
export const TAIL = 0;
/** Glyph of a cell of which nobody knows what the terminal shows there; only in the encoder's copy. */
export const UNKNOWN = 0xffffffff;
/** Glyphs from here on are graphemes of several code points: an index into the frame's pool. */
export const CLUSTER_BASE = 0x200000;

/** A style is the role's id and, above these bits, the attributes. */
export const ATTRIBUTE_SHIFT = 9;
const ROLE_MASK = (1 << ATTRIBUTE_SHIFT) - 1;

/** A control that got past the text room is never passed on to the terminal. */
const CONTROL_SUBSTITUTE = 0xfffd;
/** Stands for a wide sign of which only a part would fit. ASCII, so that no terminal can disagree about it. */
const EDGE_SUBSTITUTE = 0x3f;
/** A pool that has grown past this is left to the frames that use it, and a new one begun. */
const POOL_LIMIT = 4096;

export type CursorShape = "bar" | "block";

/** Where the terminal's cursor stands; rows and columns from 0. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
  readonly shape: CursorShape;
}

/** A rectangle of the screen. May reach past the frame, or be empty. */
export interface Region {
  readonly row: number;
  readonly column: number;
  readonly width: number;
  readonly height: number;
}

/** Graphemes of several code points, each under a number, with what the encoder must know about them. */
export interface ClusterPool {
  readonly ids: Map<string, number>;
  readonly texts: string[];
  readonly doubtful: boolean[];
  readonly codePoints: number[];
}

/** A grid of cells. `glyphs` and `styles` hold width x height cells, row by row. */
export interface Frame {
  width: number;
  height: number;
  /** A code point, TAIL, or CLUSTER_BASE + index into `clusters`. */
  glyphs: Uint32Array;
  /** Role id and attributes. */
  styles: Uint16Array;
  clusters: ClusterPool;
  /** Null: hidden. */
  cursor: Cursor | null;
  /** The window's title; empty: left as it is. */
  title: string;
  /** Grows with everything that is painted. */
  version: number;
  /** For each row the version of the last painting in it: an encoder compares no others. */
  rowVersions: Float64Array;
  /** The version when the compositor had painted it. */
  composedVersion: number;
  /** What the compositor knows each row to show; null where it must be painted anew. */
  readonly rowFaces: (RowFace | null)[];
  /** By how many rows the compositor moved rows up last, down where it is negative; 0: it moved none. */
  shift: number;
}

/** All that a row's cells depend on, to be compared part by part; the frame's width is not part of it. */
export type RowFace = readonly unknown[];

let currentPool = createPool();

/** A blank frame; sizes below 0 and fractions are taken down to whole cells. */
export function createFrame(width: number, height: number): Frame {
  const frame: Frame = {
    width: 0,
    height: 0,
    glyphs: new Uint32Array(0),
    styles: new Uint16Array(0),
    clusters: currentPool,
    cursor: null,
    title: "",
    version: 0,
    rowVersions: new Float64Array(0),
    composedVersion: 0,
    rowFaces: [],
    shift: 0,
  };
  resizeFrame(frame, width, height);
  return frame;
}

/** Gives the frame a new size and clears it. Memory is kept unless the frame grows. */
export function resizeFrame(frame: Frame, width: number, height: number): void {
  frame.width = cellCount(width);
  frame.height = cellCount(height);
  const cells = frame.width * frame.height;
  if (frame.glyphs.length === cells) {
    // The arrays fit as they are.
  } else if (frame.glyphs.buffer.byteLength < cells * 4) {
    frame.glyphs = new Uint32Array(cells);
    frame.styles = new Uint16Array(cells);
  } else {
    frame.glyphs = new Uint32Array(frame.glyphs.buffer, 0, cells);
    frame.styles = new Uint16Array(frame.styles.buffer, 0, cells);
  }
  if (frame.rowVersions.length !== frame.height) frame.rowVersions = new Float64Array(frame.height);
  clearFrame(frame);
}

/** Makes every cell blank and hides the cursor; the title stays. */
export function clearFrame(frame: Frame): void {
  if (currentPool.texts.length > POOL_LIMIT) currentPool = createPool();
  frame.clusters = currentPool;
  frame.glyphs.fill(BLANK);
  frame.styles.fill(0);
  frame.rowVersions.fill(++frame.version);
  frame.rowFaces.length = 0;
  frame.cursor = null;
}

/** Makes one row blank. */
export function clearRow(frame: Frame, row: number): void {
  const start = row * frame.width;
  frame.glyphs.fill(BLANK, start, start + frame.width);
  frame.styles.fill(0, start, start + frame.width);
  frame.rowVersions[row] = ++frame.version;
}

/** Makes one row what another one is. */
export function copyRow(frame: Frame, row: number, source: number): void {
  const { width } = frame;
  frame.glyphs.copyWithin(row * width, source * width, (source + 1) * width);
  frame.styles.copyWithin(row * width, source * width, (source + 1) * width);
  frame.rowVersions[row] = ++frame.version;
}

/** True when what is painted next would begin a new pool of clusters: then no row may stay as it is. */
export function isPoolFull(frame: Frame): boolean {
  return frame.clusters !== currentPool || currentPool.texts.length > POOL_LIMIT;
}

/** Makes `target` equal to `source`, size, cursor and title included. */
export function copyFrame(target: Frame, source: Frame): void {
  if (target.width !== source.width || target.height !== source.height) {
    resizeFrame(target, source.width, source.height);
  }
  target.glyphs.set(source.glyphs);
  target.styles.set(source.styles);
  target.clusters = source.clusters;
  target.cursor = source.cursor;
  target.title = source.title;
}

/** Renames the frame's clusters to the numbers of another pool; afterwards frames of both can be compared by cell. */
export function usePool(frame: Frame, pool: ClusterPool): void {
  if (frame.clusters === pool) return;
  for (let cell = 0; cell < frame.glyphs.length; cell++) {
    const glyph = frame.glyphs[cell] as number;
    if (isCluster(glyph)) frame.glyphs[cell] = internCluster(pool, glyphText(frame.clusters, glyph));
  }
  frame.rowVersions.fill(++frame.version);
  frame.clusters = pool;
}

/** Fills a region with blanks of a role, so that what was painted below does not show through. */
export function fillRegion(frame: Frame, region: Region, role: Role = "default", attributes = 0): void {
  const left = Math.max(0, region.column);
  const right = Math.min(frame.width, region.column + region.width);
  const bottom = Math.min(frame.height, region.row + region.height);
  if (left >= right) return;
  const style = styleOf(role, attributes);
  frame.version++;
  for (let row = Math.max(0, region.row); row < bottom; row++) {
    frame.rowVersions[row] = frame.version;
    const start = row * frame.width;
    if (frame.glyphs[start + left] === TAIL) blankLead(frame, start, left);
    blankTails(frame, start, right);
    frame.glyphs.fill(BLANK, start + left, start + right);
    frame.styles.fill(style, start + left, start + right);
  }
}

// What the painting loop needs, outside it: one visitor for all calls, so that painting allocates nothing.
let pen: Frame = createFrame(0, 0);
let penText = "";
let penStyle = 0;
let penRow = 0;
let penColumn = 0;
let penLeft = 0;
let penRight = 0;

/**
 * Paints a line from the region's left edge on, cut at its right edge; cells behind the line's end stay as they are.
 * A sign of which only a part fits shows as `?`; a sign of which a part is painted over loses the rest too.
 */
export function paintLine(
  frame: Frame,
  region: { readonly row: number; readonly column: number; readonly width: number },
  line: Line,
  attributes = 0,
): void {
  if (region.row < 0 || region.row >= frame.height || region.width <= 0) return;
  pen = frame;
  penRow = region.row * frame.width;
  penColumn = region.column;
  penLeft = Math.max(0, region.column);
  penRight = Math.min(frame.width, region.column + region.width);
  if (penLeft >= penRight) return;
  frame.rowVersions[region.row] = ++frame.version;
  const wasTail = frame.glyphs[penRow + penLeft] === TAIL;
  for (const span of line.spans) {
    if (penColumn >= penRight) break;
    penStyle = styleOf(span.role, attributes);
    paintText(span.text);
  }
  if (penColumn <= penLeft) return;
  if (wasTail) blankLead(frame, penRow, penLeft);
  blankTails(frame, penRow, Math.min(penColumn, penRight));
}

/** ASCII is written straight into the arrays; from the first other sign on the text room walks the graphemes. */
function paintText(text: string): void {
  const painted = penColumn >= penLeft ? paintAscii(text) : 0;
  penColumn += painted;
  if (painted >= text.length || penColumn >= penRight) return;
  penText = painted === 0 ? text : text.slice(painted);
  walkGraphemes(penText, paintGrapheme);
}

/** Paints ASCII from the text's start; returns how many signs of it there were. */
function paintAscii(text: string): number {
  const { glyphs, styles } = pen;
  const style = penStyle;
  const cell = penRow + penColumn;
  const stop = Math.min(text.length, penRight - penColumn);
  let at = 0;
  for (; at < stop; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) break;
    glyphs[cell + at] = code;
    styles[cell + at] = style;
  }
  // From U+0300 on a sign may belong to the one before it.
  return at > 0 && at < text.length && text.charCodeAt(at) >= 0x300 ? at - 1 : at;
}

function paintGrapheme(start: number, end: number, width: number): void | false {
  if (penColumn >= penRight) return false;
  if (width <= 0) return;
  const stop = penColumn + width;
  if (penColumn < penLeft || stop > penRight) {
    for (let column = Math.max(penColumn, penLeft); column < Math.min(stop, penRight); column++) {
      pen.glyphs[penRow + column] = EDGE_SUBSTITUTE;
      pen.styles[penRow + column] = penStyle;
    }
  } else {
    pen.glyphs[penRow + penColumn] = glyphAt(penText, start, end);
    pen.styles[penRow + penColumn] = penStyle;
    for (let column = penColumn + 1; column < stop; column++) {
      pen.glyphs[penRow + column] = TAIL;
      pen.styles[penRow + column] = penStyle;
    }
  }
  penColumn = stop;
}

function glyphAt(text: string, start: number, end: number): number {
  const code = text.codePointAt(start) as number;
  if (end - start > (code > 0xffff ? 2 : 1)) return internCluster(pen.clusters, text.slice(start, end));
  return isControl(code) || (code >= 0xd800 && code <= 0xdfff) ? CONTROL_SUBSTITUTE : code;
}

/** Text of the cell: "" behind a sign's lead cell and outside the frame. */
export function cellText(frame: Frame, row: number, column: number): string {
  if (!isInside(frame, row, column)) return "";
  const glyph = frame.glyphs[row * frame.width + column] as number;
  return glyph === TAIL ? "" : glyphText(frame.clusters, glyph);
}

/** Role of the cell; "default" outside the frame. */
export function cellRole(frame: Frame, row: number, column: number): Role {
  if (!isInside(frame, row, column)) return "default";
  return roleOf((frame.styles[row * frame.width + column] as number) & ROLE_MASK);
}

/** DIM and REVERSE of the cell; 0 outside the frame. */
export function cellAttributes(frame: Frame, row: number, column: number): number {
  if (!isInside(frame, row, column)) return 0;
  return (frame.styles[row * frame.width + column] as number) >> ATTRIBUTE_SHIFT;
}

/** Text of a glyph other than TAIL. */
export function glyphText(pool: ClusterPool, glyph: number): string {
  return isCluster(glyph) ? pool.texts[glyph - CLUSTER_BASE] ?? " " : String.fromCodePoint(glyph);
}

/** Cells the sign whose lead cell is `cell` takes; `cell` and `rowEnd` are indexes into the arrays. */
export function signWidth(frame: Frame, cell: number, rowEnd: number): number {
  let end = cell + 1;
  while (end < rowEnd && frame.glyphs[end] === TAIL) end++;
  return end - cell;
}

/** The style number of a role with attributes. */
export function styleOf(role: Role, attributes = 0): number {
  return roleId(role) | (attributes << ATTRIBUTE_SHIFT);
}

/** The role of a style number. */
export function styleRole(style: number): Role {
  return roleOf(style & ROLE_MASK);
}

// One answer a code point, asked for once: 0 unknown, 1 safe, 2 doubtful. Untouched pages of it cost no memory.
let doubt: Uint8Array | null = null;

/** True where terminals may disagree with us about the sign's width. */
export function isDoubtfulGlyph(pool: ClusterPool, glyph: number): boolean {
  if (glyph < 0x7f) return false;
  if (isCluster(glyph)) return pool.doubtful[glyph - CLUSTER_BASE] ?? true;
  doubt ??= new Uint8Array(0x110000);
  const known = doubt[glyph] as number;
  if (known !== 0) return known === 2;
  const answer = isDoubtful(String.fromCodePoint(glyph));
  doubt[glyph] = answer ? 2 : 1;
  return answer;
}

/** Code points of a glyph. */
export function codePointCount(pool: ClusterPool, glyph: number): number {
  return isCluster(glyph) ? pool.codePoints[glyph - CLUSTER_BASE] ?? 1 : 1;
}

function isCluster(glyph: number): boolean {
  return glyph >= CLUSTER_BASE && glyph !== UNKNOWN;
}

function createPool(): ClusterPool {
  return { ids: new Map(), texts: [], doubtful: [], codePoints: [] };
}

function internCluster(pool: ClusterPool, text: string): number {
  const known = pool.ids.get(text);
  if (known !== undefined) return known;
  const points = [...text];
  const id = CLUSTER_BASE + pool.texts.length;
  pool.ids.set(text, id);
  // A cluster is never taken apart on its way to the terminal, so a control inside it is made harmless here.
  pool.texts.push(
    points.map((point) => isControl(point.codePointAt(0) as number) ? "\ufffd" : point).join(""),
  );
  pool.doubtful.push(isDoubtful(text));
  pool.codePoints.push(points.length);
  return id;
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

function isInside(frame: Frame, row: number, column: number): boolean {
  return row >= 0 && row < frame.height && column >= 0 && column < frame.width;
}

/** Blanks what stands left of `column` of a sign whose tail was at `column`. */
function blankLead(frame: Frame, rowStart: number, column: number): void {
  let at = column - 1;
  while (at > 0 && frame.glyphs[rowStart + at] === TAIL) at--;
  for (; at >= 0 && at < column; at++) frame.glyphs[rowStart + at] = BLANK;
}

/** Blanks tails from `column` on whose lead was painted over. */
function blankTails(frame: Frame, rowStart: number, column: number): void {
  for (let at = column; at < frame.width && frame.glyphs[rowStart + at] === TAIL; at++) {
    frame.glyphs[rowStart + at] = BLANK;
  }
}

function cellCount(size: number): number {
  return Number.isFinite(size) ? Math.max(0, Math.floor(size)) : 0;
}
