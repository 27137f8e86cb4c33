// A terminal that is not ours: @xterm/headless in the three width configurations that platform terminals fall into.
// Shows what bytes really do: cells, cursor, modes, title, scrollback, and what a program asked the terminal for.
// Golden, property and pty tests build on it; it knows frames only to compare itself with one.
//
//   const emulator = createEmulator({ width: 80, height: 24, config: "graphemes" });
//   emulator.write(bytes);
//   assert.deepEqual(compareFrame(emulator, frame, theme), []);

import type { IBufferCell, Terminal as XtermTerminal } from "@xterm/headless";
import * as xterm from "@xterm/headless";
import * as graphemesAddon from "@xterm/addon-unicode-graphemes";
import * as unicode11Addon from "@xterm/addon-unicode11";
import { cellText, type Cursor, type Frame, isDoubtfulGlyph, signWidth, TAIL } from "../src/screen/frame.ts";
import { LOOK_ATTRIBUTES, lookAttributes, lookColour, type Theme } from "../src/screen/theme.ts";

/** Whose idea of widths: grapheme clusters (Unicode 15), code points of Unicode 11, or the oldest table. */
export type WidthConfig = "graphemes" | "unicode11" | "default";

export const WIDTH_CONFIGS: readonly WidthConfig[] = ["graphemes", "unicode11", "default"];

/** One cell. A wide sign's second cell has the text "" and the width 0; a cell never written has the text "". */
export interface EmulatorCell {
  readonly text: string;
  readonly width: number;
  /** Colour number 0-15, -1 for the terminal's own, -2 for any other (256 colours, RGB). */
  readonly fg: number;
  readonly bg: number;
  /** Bits of LOOK_ATTRIBUTES, and 64 for anything else (blink, invisible, overline). */
  readonly attributes: number;
}

/** State a program must give back when it leaves. */
export interface EmulatorModes {
  readonly alternateScreen: boolean;
  /** "none", "x10", "vt200" (1000), "drag" (1002) or "any" (1003). */
  readonly mouse: string;
  readonly sgrMouse: boolean;
  readonly focus: boolean;
  readonly bracketedPaste: boolean;
  readonly autowrap: boolean;
  readonly origin: boolean;
  readonly insert: boolean;
  readonly synchronizedOutput: boolean;
  readonly cursorVisible: boolean;
  /** What DECSCUSR asked for last: 0 the terminal's own, 2 steady block, 6 steady bar, ... */
  readonly cursorStyle: number;
  /** Rows of the scroll region, half open. */
  readonly scrollRegion: readonly [top: number, bottom: number];
  /** Entries pushed by `CSI > flags u` and not popped again. */
  readonly keyboardStack: readonly number[];
  /** xterm's modifyOtherKeys level. */
  readonly modifyOtherKeys: number;
}

export interface Emulator {
  readonly width: number;
  readonly height: number;
  readonly config: WidthConfig;
  /** Answers of the terminal to queries (DA1, DECRQM, ...), oldest first. */
  readonly answers: string[];
  /** What was asked for that no program of ours should: "bell", "osc 52", "osc 8 <uri>", "cursor query". */
  readonly requests: string[];
  /** Takes bytes or a string at once. */
  write(data: Uint8Array | string): void;
  /** Takes them through the public queue; resolves when they were parsed. */
  writeAsync(data: Uint8Array | string): Promise<void>;
  resize(width: number, height: number): void;
  /** Rows and columns from 0, of the screen in front. */
  cell(row: number, column: number): EmulatorCell;
  cursor(): { readonly row: number; readonly column: number; readonly visible: boolean };
  modes(): EmulatorModes;
  title(): string;
  /** Rows above the normal screen. */
  scrollbackLength(): number;
  /** The screen in front, one text a row, as wide as the screen; a wide sign stands once. */
  picture(): string[];
  /** The normal screen with its scrollback, right blanks cut. */
  normalScreen(): string[];
  dispose(): void;
}

/** The parts of xterm.js that it keeps to itself and no public call shows. */
interface XtermCore {
  writeSync(data: Uint8Array | string): void;
  readonly coreService: { isCursorHidden: boolean };
  readonly coreMouseService: { activeEncoding: string };
  readonly _bufferService: { buffer: { scrollTop: number; scrollBottom: number } };
}

const OTHER_ATTRIBUTE = 64;

export function createEmulator(options: {
  readonly width: number;
  readonly height: number;
  readonly config?: WidthConfig;
  readonly scrollback?: number;
}): Emulator {
  const config = options.config ?? "graphemes";
  const terminal = openXterm(options, config);
  const core = (terminal as unknown as { _core: XtermCore })._core;
  const answers: string[] = [];
  const requests: string[] = [];
  let title = "";
  terminal.onData((data) => answers.push(data));
  terminal.onTitleChange((text) => title = text);
  terminal.onBell(() => requests.push("bell"));
  const watched = watchSequences(terminal, requests);
  let scratch: IBufferCell | undefined;
  const emulator: Emulator = {
    get width() {
      return terminal.cols;
    },
    get height() {
      return terminal.rows;
    },
    config,
    answers,
    requests,
    write: (data) => core.writeSync(data),
    writeAsync: (data) => new Promise((resolve) => terminal.write(data, resolve)),
    resize: (width, height) => terminal.resize(width, height),
    cell(row, column) {
      const buffer = terminal.buffer.active;
      scratch = buffer.getLine(buffer.baseY + row)?.getCell(column, scratch);
      return readCell(scratch);
    },
    cursor() {
      const { cursorX, cursorY } = terminal.buffer.active;
      // Behind the last cell xterm.js counts on; what a person sees is the cursor on the last cell.
      const column = Math.min(cursorX, terminal.cols - 1);
      return { row: cursorY, column, visible: !core.coreService.isCursorHidden };
    },
    modes() {
      const { modes } = terminal;
      const { scrollTop, scrollBottom } = core._bufferService.buffer;
      return {
        alternateScreen: terminal.buffer.active.type === "alternate",
        mouse: modes.mouseTrackingMode,
        sgrMouse: core.coreMouseService.activeEncoding === "SGR",
        focus: modes.sendFocusMode,
        bracketedPaste: modes.bracketedPasteMode,
        autowrap: modes.wraparoundMode,
        origin: modes.originMode,
        insert: modes.insertMode,
        synchronizedOutput: modes.synchronizedOutputMode,
        cursorVisible: !core.coreService.isCursorHidden,
        cursorStyle: watched.cursorStyle,
        scrollRegion: [scrollTop, scrollBottom + 1],
        keyboardStack: [...watched.keyboardStack],
        modifyOtherKeys: watched.modifyOtherKeys,
      };
    },
    title: () => title,
    scrollbackLength: () => terminal.buffer.normal.baseY,
    picture: () => readPicture(emulator),
    normalScreen() {
      const { normal } = terminal.buffer;
      return Array.from(
        { length: normal.length },
        (_, row) => normal.getLine(row)?.translateToString(true) ?? "",
      );
    },
    dispose: () => terminal.dispose(),
  };
  return emulator;
}

function openXterm(
  options: { width: number; height: number; scrollback?: number },
  config: WidthConfig,
): XtermTerminal {
  const { Terminal } = exportsOf(xterm);
  const terminal = new Terminal({
    cols: options.width,
    rows: options.height,
    scrollback: options.scrollback ?? 1000,
    allowProposedApi: true,
    logLevel: "off",
    windowOptions: { pushTitle: true, popTitle: true },
  });
  if (config === "graphemes") {
    terminal.loadAddon(new (exportsOf(graphemesAddon).UnicodeGraphemesAddon)() as never);
  } else if (config === "unicode11") {
    terminal.loadAddon(new (exportsOf(unicode11Addon).Unicode11Addon)() as never);
    terminal.unicode.activeVersion = "11";
  }
  return terminal;
}

/** CommonJS packages: what they export is under `default` for some loaders. */
function exportsOf<Module extends object>(module: Module): Module {
  return "default" in module ? (module as { default: Module }).default : module;
}

/** Follows what xterm.js has no state for. Every handler lets the sequence go on. */
function watchSequences(terminal: XtermTerminal, requests: string[]) {
  const state = { cursorStyle: 0, keyboardStack: [] as number[], modifyOtherKeys: 0 };
  const { parser } = terminal;
  const first = (params: (number | number[])[], fallback: number) => Number(params[0] ?? fallback);
  parser.registerCsiHandler({ intermediates: " ", final: "q" }, (params) => {
    state.cursorStyle = first(params, 0);
    return false;
  });
  parser.registerCsiHandler({ prefix: ">", final: "u" }, (params) => {
    state.keyboardStack.push(first(params, 0));
    return false;
  });
  parser.registerCsiHandler({ prefix: "<", final: "u" }, (params) => {
    state.keyboardStack.splice(-Math.max(1, first(params, 1)));
    return false;
  });
  parser.registerCsiHandler({ prefix: ">", final: "m" }, (params) => {
    if (first(params, 0) === 4) state.modifyOtherKeys = Number(params[1] ?? 0);
    return false;
  });
  parser.registerCsiHandler({ final: "n" }, (params) => {
    if (first(params, 0) === 6) requests.push("cursor query");
    return false;
  });
  parser.registerCsiHandler({ prefix: "?", final: "n" }, (params) => {
    if (first(params, 0) === 6) requests.push("cursor query");
    return false;
  });
  parser.registerOscHandler(52, () => {
    requests.push("osc 52");
    return false;
  });
  parser.registerOscHandler(8, (data) => {
    const uri = data.slice(data.indexOf(";") + 1);
    if (uri !== "") requests.push(`osc 8 ${uri}`);
    return false;
  });
  return state;
}

function readCell(cell: IBufferCell | undefined): EmulatorCell {
  if (cell === undefined) return { text: "", width: 1, fg: -1, bg: -1, attributes: 0 };
  const on = {
    bold: cell.isBold(),
    dim: cell.isDim(),
    italic: cell.isItalic(),
    underline: cell.isUnderline(),
    reverse: cell.isInverse(),
    strike: cell.isStrikethrough(),
  };
  let attributes = cell.isBlink() || cell.isInvisible() || cell.isOverline() ? OTHER_ATTRIBUTE : 0;
  for (const { name, bit } of LOOK_ATTRIBUTES) if (on[name]) attributes |= bit;
  return {
    text: cell.getChars(),
    width: cell.getWidth(),
    fg: cell.isFgDefault() ? -1 : cell.isFgPalette() && cell.getFgColor() < 16 ? cell.getFgColor() : -2,
    bg: cell.isBgDefault() ? -1 : cell.isBgPalette() && cell.getBgColor() < 16 ? cell.getBgColor() : -2,
    attributes,
  };
}

function readPicture(emulator: Emulator): string[] {
  return Array.from({ length: emulator.height }, (_, row) => {
    let text = "";
    for (let column = 0; column < emulator.width; column++) {
      const cell = emulator.cell(row, column);
      text += cell.width === 0 ? cell.text : cell.text || " ";
    }
    return text;
  });
}

/** One difference between the emulator and a frame, as a sentence. */
export type WrongCell = string;

/**
 * Where the emulator shows something else than the frame. With graphemes every cell counts but those of a sign whose
 * width the emulator itself gives differently; in the other configurations every cell of a sign on whose width all
 * terminals agree; other cells may show only a piece of their sign. The cursor counts always; the title where the
 * frame has one.
 */
export function compareFrame(emulator: Emulator, frame: Frame, theme: Theme): WrongCell[] {
  const wrong: WrongCell[] = [];
  if (emulator.width !== frame.width || emulator.height !== frame.height) {
    return [`size ${emulator.width}x${emulator.height} instead of ${frame.width}x${frame.height}`];
  }
  for (let row = 0; row < frame.height; row++) {
    const rowStart = row * frame.width;
    for (let column = 0; column < frame.width;) {
      const width = signWidth(frame, rowStart + column, rowStart + frame.width);
      const isExact = isComparable(emulator, frame, { row, column, width });
      for (let cell = column; cell < column + width; cell++) {
        if (isExact) compareCell(emulator, frame, { theme, wrong, row, cell });
        else compareDoubtfulCell(emulator, frame, { wrong, row, cell });
      }
      column += width;
    }
  }
  compareCursor(emulator, frame.cursor, wrong);
  if (frame.title !== "" && emulator.title() !== frame.title) {
    wrong.push(`title ${JSON.stringify(emulator.title())} instead of ${JSON.stringify(frame.title)}`);
  }
  return wrong;
}

interface PlacedSign {
  readonly row: number;
  readonly column: number;
  readonly width: number;
}

function isComparable(emulator: Emulator, frame: Frame, sign: PlacedSign): boolean {
  if (!isDoubtfulAt(frame, sign.row, sign.column)) return true;
  if (emulator.config !== "graphemes" || !hasOurWidth(frame, sign)) return false;
  // Of two doubtful signs at the right edge the last may damage the other: no order of painting helps both.
  const edge = {
    row: sign.row,
    column: sign.column + sign.width,
    width: frame.width - sign.column - sign.width,
  };
  return edge.width !== 1 || !isDoubtfulAt(frame, edge.row, edge.column) || hasOurWidth(frame, edge);
}

function isDoubtfulAt(frame: Frame, row: number, column: number): boolean {
  return isDoubtfulGlyph(frame.clusters, frame.glyphs[row * frame.width + column] as number);
}

function hasOurWidth(frame: Frame, sign: PlacedSign): boolean {
  return probeWidth(cellText(frame, sign.row, sign.column)) === sign.width;
}

const probed = new Map<string, number>();
let probe: Emulator | null = null;

/** Cells the graphemes configuration gives a sign that stands alone on a row; asked once a sign. */
export function probeWidth(sign: string): number {
  const known = probed.get(sign);
  if (known !== undefined) return known;
  probe ??= createEmulator({ width: 40, height: 1, config: "graphemes", scrollback: 0 });
  probe.write(`\x1b[?7l\x1b[2J\x1b[H${sign}`);
  const width = probe.cell(0, 0).text === sign ? probe.cursor().column : -1;
  probed.set(sign, width);
  return width;
}

function compareCell(
  emulator: Emulator,
  frame: Frame,
  at: { readonly theme: Theme; readonly wrong: WrongCell[]; readonly row: number; readonly cell: number },
): void {
  const { theme, row, cell: column } = at;
  const index = row * frame.width + column;
  const seen = emulator.cell(row, column);
  const isTail = frame.glyphs[index] === TAIL;
  const text = cellText(frame, row, column);
  const width = isTail ? 0 : signWidth(frame, index, (row + 1) * frame.width);
  const isBlank = text === " ";
  const seenText = seen.text === "" && seen.width === 1 ? " " : seen.text;
  if (seenText !== text || seen.width !== width) {
    at.wrong.push(
      `${row},${column}: ${show(seenText)} width ${seen.width} instead of ${show(text)} width ${width}`,
    );
    return;
  }
  if (isTail) return;
  const look = (isBlank ? theme.blankLooks : theme.looks)[frame.styles[index] as number] as number;
  const ink = isBlank ? visibleInk(seen) : seen;
  if (ink.fg !== lookColour(look) || seen.bg !== -1 || ink.attributes !== lookAttributes(look)) {
    const wanted = `${lookColour(look)}/-1/${lookAttributes(look)}`;
    at.wrong.push(
      `${row},${column}: ${show(text)} ink ${ink.fg}/${seen.bg}/${ink.attributes} instead of ${wanted}`,
    );
  }
}

/** A cell of a sign that terminals disagree about may be blank or show a piece of such a sign, but nothing older. */
function compareDoubtfulCell(
  emulator: Emulator,
  frame: Frame,
  at: { readonly wrong: WrongCell[]; readonly row: number; readonly cell: number },
): void {
  const seen = emulator.cell(at.row, at.cell).text;
  const pieces = new Set<string>([" "]);
  for (let column = 0; column < frame.width; column++) {
    const glyph = frame.glyphs[at.row * frame.width + column] as number;
    if (glyph === TAIL || !isDoubtfulGlyph(frame.clusters, glyph)) continue;
    for (const point of cellText(frame, at.row, column)) pieces.add(point);
  }
  if ([...seen].every((point) => pieces.has(point))) return;
  at.wrong.push(
    `${at.row},${at.cell}: ${show(seen)} is left over in a cell of ${show(rowText(frame, at.row))}`,
  );
}

function rowText(frame: Frame, row: number): string {
  let text = "";
  for (let column = 0; column < frame.width; column++) text += cellText(frame, row, column);
  return text;
}

/** What of a blank cell's ink can be seen: nothing but for reverse, underline and strike. */
function visibleInk(cell: EmulatorCell): { fg: number; attributes: number } {
  const bits = (name: string) => LOOK_ATTRIBUTES.find((entry) => entry.name === name)?.bit ?? 0;
  if ((cell.attributes & (bits("reverse") | bits("underline") | bits("strike"))) === 0) {
    return { fg: -1, attributes: 0 };
  }
  return {
    fg: cell.fg,
    attributes: cell.attributes & ((cell.attributes & bits("reverse")) !== 0 ? ~bits("italic") : ~0),
  };
}

function compareCursor(emulator: Emulator, cursor: Cursor | null, wrong: WrongCell[]): void {
  const seen = emulator.cursor();
  if (cursor === null) {
    if (seen.visible) wrong.push("cursor visible instead of hidden");
    return;
  }
  if (!seen.visible) wrong.push("cursor hidden instead of visible");
  if (seen.row !== cursor.row || seen.column !== cursor.column) {
    wrong.push(`cursor ${seen.row},${seen.column} instead of ${cursor.row},${cursor.column}`);
  }
  const style = emulator.modes().cursorStyle;
  const wanted = cursor.shape === "bar" ? 6 : 2;
  if (style !== wanted) wrong.push(`cursor style ${style} instead of ${wanted} (${cursor.shape})`);
}

function show(text: string): string {
  const points = [...text].map((point) => (point.codePointAt(0) as number).toString(16)).join(" ");
  return `${JSON.stringify(text)} (${points})`;
}
