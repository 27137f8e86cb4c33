// A frame as golden text: picture first, ink after, so that a change of style does not touch the picture.
// The section's header, its order and what is compared with it are the goldens' own business.

import { cellAttributes, cellRole, cellText, type Cursor, DIM, type Frame, REVERSE } from "./frame.ts";

/** What the state line says beside cursor and title. Rows of the transcript count from 0, `rowsEnd` is half open. */
export interface SnapshotState {
  /** First row of the transcript in view, and the row behind the last. */
  readonly rowsStart: number;
  readonly rowsEnd: number;
  readonly rowCount: number;
  readonly isFollowing: boolean;
  /** The place that has the keys: composer, history, panel. */
  readonly focus: string;
  /** The open panel's name, or null. */
  readonly panel: string | null;
}

/** What is seen, where it is not taken from the frame itself: a terminal emulator's grid. */
export interface Picture {
  /** One text a row; a wide sign stands once. */
  readonly rows: readonly string[];
  readonly cursor: Cursor | null;
  readonly title: string;
}

/** The golden text below the section's header: state line, picture, roles. Ends with a newline. */
export function snapshotText(
  frame: Frame,
  state: SnapshotState,
  picture: Picture = framePicture(frame),
): string {
  const digits = frame.height >= 100 ? 3 : 2;
  const number = (row: number) => String(row).padStart(digits, "0");
  const lines = [stateLine(state, picture)];
  for (const [row, text] of picture.rows.entries()) {
    const mark = picture.cursor?.row === row ? "▸" : " ";
    lines.push(`${number(row)}${mark}│${visibleText(text)}│`);
  }
  lines.push("-- roles");
  for (let row = 0; row < frame.height; row++) {
    const runs = roleRuns(frame, row);
    if (runs !== "") lines.push(`${number(row)}  ${runs}`);
  }
  return lines.join("\n") + "\n";
}

/** The frame itself as a picture, for where no terminal is there to ask. */
export function framePicture(frame: Frame): Picture {
  const rows: string[] = [];
  for (let row = 0; row < frame.height; row++) {
    let text = "";
    for (let column = 0; column < frame.width; column++) text += cellText(frame, row, column);
    rows.push(text);
  }
  return { rows, cursor: frame.cursor, title: frame.title };
}

function stateLine(state: SnapshotState, picture: Picture): string {
  const { cursor, title } = picture;
  const parts = [
    cursor === null ? "cursor hidden" : `cursor ${cursor.row},${cursor.column} ${cursor.shape}`,
    `rows ${rowRange(state)} of ${state.rowCount} ${state.isFollowing ? "follow" : "held"}`,
    `focus ${state.focus}`,
  ];
  if (state.panel !== null) parts.push(`panel ${state.panel}`);
  parts.push(`title ${JSON.stringify(visibleText(title))}`);
  return parts.join("   ");
}

function rowRange(state: SnapshotState): string {
  return state.rowsEnd > state.rowsStart ? `${state.rowsStart}-${state.rowsEnd - 1}` : "none";
}

/** Run lengths in cells, `_` for the default; a trailing default run is dropped. */
function roleRuns(frame: Frame, row: number): string {
  const runs: { name: string; cells: number }[] = [];
  for (let column = 0; column < frame.width; column++) {
    const name = inkName(frame, row, column);
    const last = runs.at(-1);
    if (last?.name === name) last.cells++;
    else runs.push({ name, cells: 1 });
  }
  if (runs.at(-1)?.name === "_") runs.pop();
  return runs.map((run) => `${run.name}*${run.cells}`).join(" ");
}

function inkName(frame: Frame, row: number, column: number): string {
  const role = cellRole(frame, row, column);
  const attributes = cellAttributes(frame, row, column);
  return (role === "default" ? "_" : role) + ((attributes & DIM) !== 0 ? "+dim" : "") +
    ((attributes & REVERSE) !== 0 ? "+reverse" : "");
}

/** Controls, bidi signs, tags, blanks other than the space and the wide one: nothing a reader could see in a diff. */
const INVISIBLE =
  // deno-lint-ignore no-control-regex
  /[\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/u;
/** Invisible as well, but part of a cluster when a visible sign stands in front. */
const JOINERS = /[\u200c\u200d\ufe00-\ufe0f]/;

/** The text with invisible signs as `<U+200B>`; joiners and variation selectors stay behind a visible sign. */
function visibleText(text: string): string {
  let result = "";
  let isVisibleBefore = false;
  for (const sign of text) {
    const isToken: boolean = INVISIBLE.test(sign) || (JOINERS.test(sign) && !isVisibleBefore);
    result += isToken
      ? `<U+${(sign.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}>`
      : sign;
    isVisibleBefore = !isToken && sign !== " ";
  }
  return result;
}
