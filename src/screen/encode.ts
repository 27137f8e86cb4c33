// Frames to the bytes that make a terminal show them: the only place that writes escapes while drawing.
// What differs is found by frame_diff.ts and scroll.ts; modes, the write itself and the restore are terminal.ts's.
//
// Terminals disagree about the width of some signs ("doubtful" ones, text/graphemes.ts says which). So that a wrong
// guess spoils no cell but the sign's own: (1) autowrap is off while we own the screen; (2) the sign's cells are
// blanked first, then it is written from an absolute position; (3) what follows begins with an absolute move;
// (4) the cells it could reach are painted again; (5) at the right edge the sign left of it is painted last.

import {
  BLANK,
  type ClusterPool,
  copyFrame,
  createFrame,
  type Cursor,
  type CursorShape,
  type Frame,
  glyphText,
  isDoubtfulGlyph,
  resizeFrame,
  signWidth,
  TAIL,
  UNKNOWN,
  usePool,
} from "./frame.ts";
import { createRuns, diffFrames, type Runs } from "./frame_diff.ts";
import { findScroll, scrollFrame } from "./scroll.ts";
import { blankLook, type Look, lookChange, type Theme } from "./theme.ts";

/** What the terminal can do, as far as drawing needs it. */
export interface Capabilities {
  /** Mode 2026: everything between its two ends is shown at once. */
  readonly synchronizedOutput: boolean;
  /** OSC 2 sets the window's title. */
  readonly title: boolean;
  /** DECSTBM with SU and SD move rows; without it a scroll is painted. */
  readonly scrollRegions: boolean;
}

/** Any terminal that can show us at all. */
export const BASIC_CAPABILITIES: Capabilities = {
  synchronizedOutput: false,
  title: true,
  scrollRegions: true,
};

/** What the terminal is known to show, and where it was left. */
export interface Encoder {
  theme: Theme;
  capabilities: Capabilities;
  readonly shown: Frame;
  readonly runs: Runs;
  /** The frame that is shown, and its version then: of the same frame only rows painted since are looked at. */
  frame: Frame | null;
  frameVersion: number;
  /** Rows of the next frame that may differ from what is shown: 1. */
  damage: Uint8Array;
  /** False: nothing is known of the screen, the next frame is painted whole. */
  isKnown: boolean;
  output: string;
  /** Position of the terminal's cursor; -1 unknown. */
  row: number;
  column: number;
  /** -1 unknown. */
  look: Look;
  cursorVisible: boolean | null;
  cursorShape: CursorShape | null;
  title: string | null;
}

const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";
/** DECSCUSR, steady shapes. */
const SHAPE_CODES: Record<CursorShape, string> = { bar: "\x1b[6 q", block: "\x1b[2 q" };
/** Shorter runs of blanks are written as blanks. */
const ERASE_FROM = 4;
/** Unchanged cells between two runs are written again up to this many: a move costs as much. */
const GAP = 4;
const TITLE_UNITS = 256;
/** Fewer changed rows are never worth a scroll. */
const LEAST_SCROLLED = 3;

export function createEncoder(
  options: { readonly theme: Theme; readonly capabilities: Capabilities },
): Encoder {
  return {
    theme: options.theme,
    capabilities: options.capabilities,
    shown: createFrame(0, 0),
    runs: createRuns(),
    frame: null,
    frameVersion: 0,
    damage: new Uint8Array(0),
    isKnown: false,
    output: "",
    row: -1,
    column: -1,
    look: -1,
    cursorVisible: null,
    cursorShape: null,
    title: null,
  };
}

/** Forgets what the terminal shows: after a resize, a suspend, another program, or a write that was dropped. */
export function invalidate(encoder: Encoder): void {
  encoder.isKnown = false;
  encoder.row = -1;
  encoder.column = -1;
  encoder.look = -1;
  encoder.cursorVisible = null;
  encoder.cursorShape = null;
  encoder.title = null;
}

/** The capabilities the terminal has told meanwhile. */
export function setCapabilities(encoder: Encoder, capabilities: Capabilities): void {
  encoder.capabilities = capabilities;
}

/**
 * The one string that makes the terminal show `next`; "" when it does already. The encoder then takes it as shown:
 * a string that is not written whole must be followed by `invalidate`. Never erases ahead of what it writes.
 */
export function encodeFrame(encoder: Encoder, next: Frame): string {
  encoder.output = "";
  const { shown, runs, theme } = encoder;
  if (shown.width !== next.width || shown.height !== next.height) {
    invalidate(encoder);
    resizeFrame(shown, next.width, next.height);
  }
  const damaged = findDamage(encoder, next);
  if (encoder.isKnown) {
    usePool(shown, next.clusters);
    if (encoder.capabilities.scrollRegions && damaged >= LEAST_SCROLLED) writeScroll(encoder, next);
  } else {
    shown.glyphs.fill(UNKNOWN);
    encoder.isKnown = true;
  }
  diffFrames(shown, next, { theme, runs, damage: encoder.damage });
  for (let index = 0; index < runs.count; index++) writeRun(encoder, next, index * 3);
  writeTitle(encoder, next.title);
  const drawn = encoder.output;
  encoder.output = "";
  const isSynchronized = drawn !== "" && encoder.capabilities.synchronizedOutput;
  const hide = drawn !== "" && !isSynchronized && encoder.cursorVisible !== false;
  if (hide) encoder.cursorVisible = false;
  writeCursor(encoder, next.cursor);
  if (drawn !== "") copyFrame(shown, next);
  encoder.frame = next;
  encoder.frameVersion = next.version;
  const output = (hide ? HIDE_CURSOR : "") + drawn + encoder.output;
  encoder.output = "";
  return isSynchronized ? `\x1b[?2026h${output}\x1b[?2026l` : output;
}

/** Marks the rows that may differ from what is shown; returns how many there are. */
function findDamage(encoder: Encoder, next: Frame): number {
  if (encoder.damage.length !== next.height) encoder.damage = new Uint8Array(next.height);
  const { damage, frameVersion } = encoder;
  if (encoder.frame !== next || !encoder.isKnown || encoder.shown.clusters !== next.clusters) {
    damage.fill(1);
    return next.height;
  }
  let count = 0;
  for (let row = 0; row < next.height; row++) {
    const isPainted = (next.rowVersions[row] as number) > frameVersion;
    damage[row] = isPainted ? 1 : 0;
    if (isPainted) count++;
  }
  return count;
}

function writeScroll(encoder: Encoder, next: Frame): void {
  // Where rows were moved to make the frame, that distance is tried before all others are.
  const isNext = encoder.frame === next && next.shift !== 0;
  const scroll = findScroll(encoder.shown, next, { damage: encoder.damage, hint: isNext ? next.shift : 0 });
  if (scroll === null) return;
  const { top, bottom, by } = scroll;
  const count = Math.abs(by) === 1 ? "" : String(Math.abs(by));
  // Exposed rows take the colours in force, so these are reset first. DECSTBM moves the cursor.
  setLook(encoder, 0);
  encoder.output += `\x1b[${top === 0 ? "" : top + 1};${bottom}r\x1b[${count}${by > 0 ? "S" : "T"}\x1b[r`;
  encoder.row = -1;
  encoder.column = -1;
  scrollFrame(encoder.shown, scroll);
  encoder.damage.fill(1, top, bottom);
}

function writeRun(encoder: Encoder, next: Frame, at: number): void {
  const row = encoder.runs.cells[at] as number;
  const start = encoder.runs.cells[at + 1] as number;
  const end = encoder.runs.cells[at + 2] as number;
  if (!bridgeGap(encoder, next, row, start)) moveTo(encoder, row, start);
  const edge = writeCells(encoder, next, { row, start, end, blankFrom: blankTailStart(encoder, next, row) });
  if (edge > 0) repaintLeftOf(encoder, next, row, edge);
}

/**
 * A terminal that takes the sign at the right edge for a wider one puts it one cell further left. When the sign it
 * damages so is a doubtful one itself nothing is won by painting that again: it could damage the first.
 */
function repaintLeftOf(encoder: Encoder, next: Frame, row: number, edge: number): void {
  const rowStart = row * next.width;
  let left = edge - 1;
  while (left > 0 && next.glyphs[rowStart + left] === TAIL) left--;
  if (isDoubtfulGlyph(next.clusters, next.glyphs[rowStart + left] as number)) return;
  writeCells(encoder, next, { row, start: left, end: edge, blankFrom: next.width });
}

/** Writes the unchanged cells up to `column` where that is as short as moving over them. */
function bridgeGap(encoder: Encoder, next: Frame, row: number, column: number): boolean {
  const from = encoder.column;
  if (encoder.row !== row || from < 0 || column <= from || column - from > GAP) return false;
  const { looks, blankLooks } = encoder.theme;
  const rowStart = row * next.width;
  let text = "";
  for (let cell = rowStart + from; cell < rowStart + column; cell++) {
    const glyph = next.glyphs[cell] as number;
    const style = next.styles[cell] as number;
    if (glyph < BLANK || glyph > 0x7e) return false;
    if (glyph === BLANK ? blankLooks[style] !== blankLook(encoder.look) : looks[style] !== encoder.look) {
      return false;
    }
    text += String.fromCharCode(glyph);
  }
  encoder.output += text;
  encoder.column = column;
  return true;
}

interface Cells {
  readonly row: number;
  readonly start: number;
  readonly end: number;
  /** From this column on the row is plain and blank: it may be erased. */
  readonly blankFrom: number;
}

/** Writes cells; returns the column of a doubtful sign that ends at the right edge, or -1. */
function writeCells(encoder: Encoder, next: Frame, cells: Cells): number {
  const { row, start, end, blankFrom } = cells;
  const { width, glyphs, styles } = next;
  const { looks, blankLooks } = encoder.theme;
  const rowStart = row * width;
  const rowEnd = rowStart + width;
  let edge = -1;
  for (let column = start; column < end;) {
    const glyph = glyphs[rowStart + column] as number;
    const style = styles[rowStart + column] as number;
    if (glyph === BLANK) {
      const look = blankLooks[style] as number;
      if (encoder.look < 0 || blankLook(encoder.look) !== look) setLook(encoder, looks[style] as number);
      moveTo(encoder, row, column);
      if (column >= blankFrom && end - column >= ERASE_FROM) {
        encoder.output += "\x1b[K";
        return edge;
      }
      encoder.output += " ";
      advance(encoder, ++column, width);
      continue;
    }
    setLook(encoder, looks[style] as number);
    moveTo(encoder, row, column);
    if (glyph <= 0x7e) {
      encoder.output += String.fromCharCode(glyph);
      advance(encoder, ++column, width);
      continue;
    }
    const cellsOfSign = signWidth(next, rowStart + column, rowEnd);
    if (isDoubtfulGlyph(next.clusters, glyph)) {
      writeDoubtful(encoder, next.clusters, { glyph, column, cellsOfSign });
      if (column + cellsOfSign === width) edge = column;
    } else {
      encoder.output += glyphText(next.clusters, glyph);
      advance(encoder, column + cellsOfSign, width);
    }
    column += cellsOfSign;
  }
  return edge;
}

function writeDoubtful(
  encoder: Encoder,
  pool: ClusterPool,
  sign: { readonly glyph: number; readonly column: number; readonly cellsOfSign: number },
): void {
  encoder.output += " ".repeat(sign.cellsOfSign) + columnMove(sign.column) + glyphText(pool, sign.glyph);
  encoder.column = -1;
}

/** The cursor went right; at the right edge terminals differ about where it stands. */
function advance(encoder: Encoder, column: number, width: number): void {
  encoder.column = column < width ? column : -1;
}

/** Made once: a look is eleven bits, so a pair of them is a number. */
const lookChanges = new Map<number, string>();

function setLook(encoder: Encoder, look: Look): void {
  if (encoder.look === look) return;
  if (encoder.look < 0) {
    encoder.output += "\x1b[m";
    encoder.look = 0;
    return setLook(encoder, look);
  }
  const key = encoder.look << 16 | look;
  let change = lookChanges.get(key);
  if (change === undefined) {
    change = `\x1b[${lookChange(encoder.look, look)}m`;
    lookChanges.set(key, change);
  }
  encoder.output += change;
  encoder.look = look;
}

/** The first column from which on the row shows nothing in the terminal's own background. */
function blankTailStart(encoder: Encoder, next: Frame, row: number): number {
  const { blankLooks } = encoder.theme;
  const rowStart = row * next.width;
  let column = next.width;
  while (column > 0) {
    const cell = rowStart + column - 1;
    if (next.glyphs[cell] !== BLANK || blankLooks[next.styles[cell] as number] !== 0) break;
    column--;
  }
  return column;
}

/** The shortest of the moves that are certain: relative ones only from a known column. */
function moveTo(encoder: Encoder, row: number, column: number): void {
  if (encoder.row === row && encoder.column === column) return;
  if (encoder.row === row) encoder.output += moveInRow(encoder.column, column);
  else {
    const absolute = placeMove(row, column);
    const isAbove = encoder.row >= 0 && encoder.column === column;
    const relative = isAbove ? moveInColumn(row - encoder.row) : absolute;
    encoder.output += relative.length < absolute.length ? relative : absolute;
  }
  encoder.row = row;
  encoder.column = column;
}

function moveInRow(from: number, to: number): string {
  if (to === 0) return "\r";
  const absolute = columnMove(to);
  if (from < 0) return absolute;
  if (to < from && from - to <= 3) return "\b".repeat(from - to);
  const distance = Math.abs(to - from);
  const relative = `\x1b[${distance === 1 ? "" : distance}${to > from ? "C" : "D"}`;
  return relative.length < absolute.length ? relative : absolute;
}

function moveInColumn(by: number): string {
  return `\x1b[${Math.abs(by) === 1 ? "" : Math.abs(by)}${by < 0 ? "A" : "B"}`;
}

/** CHA, ECMA-48 8.3.9. */
function columnMove(column: number): string {
  return column === 0 ? "\r" : `\x1b[${column + 1}G`;
}

/** CUP, ECMA-48 8.3.21. */
function placeMove(row: number, column: number): string {
  if (column === 0) return row === 0 ? "\x1b[H" : `\x1b[${row + 1}H`;
  return `\x1b[${row === 0 ? "" : row + 1};${column + 1}H`;
}

function writeCursor(encoder: Encoder, cursor: Cursor | null): void {
  if (cursor === null) {
    if (encoder.cursorVisible !== false) encoder.output += HIDE_CURSOR;
    encoder.cursorVisible = false;
    return;
  }
  moveTo(encoder, cursor.row, cursor.column);
  if (encoder.cursorShape !== cursor.shape) encoder.output += SHAPE_CODES[cursor.shape];
  encoder.cursorShape = cursor.shape;
  if (encoder.cursorVisible !== true) encoder.output += SHOW_CURSOR;
  encoder.cursorVisible = true;
}

function writeTitle(encoder: Encoder, title: string): void {
  if (title === "" || encoder.title === title || !encoder.capabilities.title) return;
  encoder.title = title;
  encoder.output += `\x1b]2;${safeTitle(title)}\x1b\\`;
}

/** Ends with ST, not BEL: a terminal that does not know the sequence would ring. */
function safeTitle(title: string): string {
  const cut = title.length > TITLE_UNITS
    ? title.slice(0, TITLE_UNITS).replace(/[\ud800-\udbff]$/, "")
    : title;
  // deno-lint-ignore no-control-regex
  return cut.replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, "").toWellFormed();
}
