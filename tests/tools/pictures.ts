// `deno task pictures`: chosen sections of goldens as pictures for README, in docs/pictures/. Text, the theme's own
// looks, one file that follows the reader's light or dark colours. A test says when they are out of date.

import {
  ANSI_COLOURS,
  createTheme,
  LOOK_ATTRIBUTES,
  type LookAttribute,
  lookAttributes,
  lookColour,
} from "../../src/screen/theme.ts";
import { ATTRIBUTE_SHIFT, DIM, REVERSE } from "../../src/screen/frame.ts";
import { loadClusterWidths, walkGraphemes } from "../../src/text/graphemes.ts";
import { type Role, ROLES } from "../../src/text/role.ts";

const ROOT = new URL("../../", import.meta.url);

/** A picture's file, and the section of a golden that it shows. */
export const PICTURES: readonly {
  readonly file: string;
  readonly golden: string;
  readonly section: string;
}[] = [
  { file: "turn", golden: "first-turn", section: "end | normal | 80x24" },
  { file: "detail", golden: "first-turn", section: "end | detail | 80x24" },
  { file: "overview", golden: "first-turn", section: "end | overview | 80x24" },
  { file: "plan", golden: "plan-and-queue", section: "end | normal | 80x24" },
  { file: "help", golden: "panels", section: "help | normal | 80x24" },
];

/** A cell, in the picture's units, and the room around the screen. */
const CELL = { width: 8.4, height: 18 };
const MARGIN = 12;
const TITLE_HEIGHT = 28;
/** From the top of a row to the line that its text stands on. */
const BASELINE = 13.5;

/** The 16 colours, behind the terminal's own text and background. Brightness as on widely used palettes. */
const PALETTES = {
  light: {
    text: "#1f2328",
    back: "#ffffff",
    edge: "#d0d7de",
    ansi:
      "24292f cf222e 116329 7d4e00 0969da 8250df 1b7c83 6e7781 57606a a40e26 1a7f37 633c01 218bff a475f9 3192aa 8c959f",
  },
  dark: {
    text: "#d1d7e0",
    back: "#0d1117",
    edge: "#30363d",
    ansi:
      "484f58 ff7b72 3fb950 d29922 58a6ff bc8cff 39c5cf b1bac4 6e7681 ffa198 56d364 e3b341 79c0ff d2a8ff 56d4dd ffffff",
  },
} as const;

const ATTRIBUTE_STYLES: Readonly<Record<LookAttribute, string | null>> = {
  bold: "font-weight:700",
  dim: "opacity:.62",
  italic: "font-style:italic",
  underline: "text-decoration:underline",
  // The palette's background.
  reverse: null,
  strike: "text-decoration:line-through",
};

/** Rows of a golden's section: their text, and their roles as run lengths in cells. */
interface Section {
  readonly rows: readonly string[];
  readonly roles: readonly (readonly Run[])[];
  readonly cursor: readonly [row: number, column: number] | null;
  readonly title: string;
}

interface Run {
  readonly look: number;
  readonly cells: number;
}

/** The picture of a golden's section as SVG. Throws when the golden has no such section. */
export function pictureSvg(golden: string, section: string): string {
  const { rows, roles, cursor, title } = parseSection(golden, section);
  const columns = Number(/(\d+)x\d+$/.exec(section)?.[1] ?? 0);
  const width = columns * CELL.width + 2 * MARGIN;
  const height = rows.length * CELL.height + TITLE_HEIGHT + 2 * MARGIN;
  const colours = new Set<number>();
  const attributes = new Set<LookAttribute>();
  const body: string[] = [];
  for (const [row, text] of rows.entries()) {
    for (const piece of pieces(text, roles[row] ?? [])) {
      const colour = lookColour(piece.look);
      const own = LOOK_ATTRIBUTES.filter(({ bit }) => (lookAttributes(piece.look) & bit) !== 0);
      if (colour >= 0) colours.add(colour);
      for (const { name } of own) attributes.add(name);
      const x = round(piece.column * CELL.width);
      const span = round(piece.cells * CELL.width);
      const names = [...own.map(({ name }) => name), ...(colour >= 0 ? [`c${colour}`] : [])];
      if (own.some(({ name }) => name === "reverse")) {
        const fill = colour >= 0 ? ` class="c${colour}"` : "";
        body.push(
          `<rect${fill} x="${x}" y="${row * CELL.height}" width="${span}" height="${CELL.height}"/>`,
        );
      }
      if (piece.text.trim() === "") continue;
      const list = names.length === 0 ? "" : ` class="${names.join(" ")}"`;
      // Fonts differ: each piece is told how wide it is, so that columns stand where they do in a terminal.
      body.push(
        `<text${list} x="${x}" y="${round(row * CELL.height + BASELINE)}" textLength="${span}">${
          escapeXml(piece.text)
        }</text>`,
      );
    }
  }
  if (cursor !== null) {
    const [row, column] = cursor;
    body.push(
      `<rect x="${round(column * CELL.width)}" y="${row * CELL.height}" width="2" height="${CELL.height}"/>`,
    );
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${
    round(width)
  } ${height}" role="img">
<title>${escapeXml(title)}</title>
<style>
${styles(colours, attributes)}
</style>
<rect class="window" x=".5" y=".5" width="${round(width - 1)}" height="${height - 1}" rx="8"/>
<text class="title" x="${round(width / 2)}" y="19">${escapeXml(title)}</text>
<g transform="translate(${MARGIN} ${MARGIN + TITLE_HEIGHT})">
${body.join("\n")}
</g>
</svg>
`;
}

/** Plain rules, those of dark behind those of light: viewers that know no queries or variables show the light one. */
function styles(colours: ReadonlySet<number>, attributes: ReadonlySet<LookAttribute>): string {
  const used = [...colours].sort((left, right) => left - right);
  const palette = ({ text, back, edge, ansi }: typeof PALETTES[keyof typeof PALETTES]) => {
    const own = ansi.split(" ");
    return [
      `text,rect{fill:${text}}`,
      `.window{fill:${back};stroke:${edge}}`,
      // The colour's name stands beside it, for whoever reads the file.
      ...used.map((colour) => `.c${colour}{fill:#${own[colour]}}/*${ANSI_COLOURS[colour]}*/`),
      ...(attributes.has("reverse") ? [`text.reverse{fill:${back}}`] : []),
    ];
  };
  return [
    "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}",
    ".title{text-anchor:middle;font-size:12px;opacity:.62}",
    ...LOOK_ATTRIBUTES.filter(({ name }) => attributes.has(name) && ATTRIBUTE_STYLES[name] !== null)
      .map(({ name }) => `text.${name}{${ATTRIBUTE_STYLES[name]}}`),
    ...palette(PALETTES.light),
    "@media(prefers-color-scheme:dark){",
    ...palette(PALETTES.dark),
    "}",
  ].join("\n");
}

interface Piece {
  readonly text: string;
  readonly column: number;
  readonly cells: number;
  readonly look: number;
}

/** A row as pieces of one look; wide signs stand alone, and long gaps part pieces. */
function pieces(text: string, runs: readonly Run[]): Piece[] {
  const looks = runs.flatMap(({ look, cells }) => Array<number>(cells).fill(look));
  const result: { text: string; column: number; cells: number; look: number }[] = [];
  let column = 0;
  walkGraphemes(text, (start, end, cells) => {
    const sign = text.slice(start, end);
    const look = looks[column] ?? 0;
    const last = result.at(-1);
    const isWide = cells !== 1;
    const joins = last !== undefined && last.look === look && !isWide && last.cells === last.text.length &&
      last.column + last.cells === column;
    if (joins) {
      last.text += sign;
      last.cells += cells;
    } else result.push({ text: sign, column, cells, look });
    column += cells;
  });
  return result.flatMap(withoutGaps);
}

/** Blanks at either end and gaps of three and more are not drawn, unless the look shows on them. */
function withoutGaps(piece: Piece): Piece[] {
  const shows = LOOK_ATTRIBUTES.some(({ name, bit }) =>
    (name === "reverse" || name === "underline" || name === "strike") &&
    (lookAttributes(piece.look) & bit) !== 0
  );
  if (shows || piece.cells !== piece.text.length) return [piece];
  return [...piece.text.matchAll(/\S+(?: {1,2}\S+)*/g)].map((match) => ({
    text: match[0],
    column: piece.column + match.index,
    cells: match[0].length,
    look: piece.look,
  }));
}

function parseSection(golden: string, name: string): Section {
  const text = golden.split(/^(?=== )/m).find((part) => part.startsWith(`== ${name} ==\n`));
  if (text === undefined) throw new Error(`Cannot draw "${name}": the golden has no such section`);
  const lines = text.split("\n");
  const state = lines[1] ?? "";
  const cursor = /^cursor (\d+),(\d+)/.exec(state);
  const end = lines.indexOf("-- roles");
  const rows = lines.slice(2, end).map((line) => /^\d+.│(.*)│$/.exec(line)?.[1] ?? "");
  const roles: Run[][] = rows.map(() => []);
  for (const line of lines.slice(end + 1)) {
    const match = /^(\d+) {2}(.*)$/.exec(line);
    if (match !== null) roles[Number(match[1])] = (match[2] ?? "").split(" ").map(parseRun);
  }
  const title = JSON.parse(/title (".*")$/.exec(state)?.[1] ?? '"Trifold"') as string;
  return { rows, roles, cursor: cursor === null ? null : [Number(cursor[1]), Number(cursor[2])], title };
}

const THEME = createTheme({ color: true });

/** "tool.path+dim*11" is eleven cells of that role, dimmed. */
function parseRun(text: string): Run {
  const match = /^([^+*]+)((?:\+\w+)*)\*(\d+)$/.exec(text);
  const role = match?.[1] === "_" ? "default" : match?.[1] ?? "";
  const id = ROLES.indexOf(role as Role);
  if (match === null || id < 0) throw new Error(`Cannot draw the role "${text}"`);
  const attributes = (match[2]?.includes("+dim") ? DIM : 0) | (match[2]?.includes("+reverse") ? REVERSE : 0);
  return { look: THEME.looks[id | (attributes << ATTRIBUTE_SHIFT)] ?? 0, cells: Number(match[3]) };
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A picture's file, and what it should hold. */
export async function drawPictures(): Promise<readonly { readonly path: URL; readonly svg: string }[]> {
  await loadClusterWidths();
  return PICTURES.map(({ file, golden, section }) => ({
    path: new URL(`docs/pictures/${file}.svg`, ROOT),
    svg: pictureSvg(Deno.readTextFileSync(new URL(`goldens/${golden}.screen`, ROOT)), section),
  }));
}

if (import.meta.main) {
  await Deno.mkdir(new URL("docs/pictures/", ROOT), { recursive: true });
  for (const { path, svg } of await drawPictures()) {
    Deno.writeTextFileSync(path, svg);
    console.log(`${path.pathname.slice(ROOT.pathname.length)}: ${(svg.length / 1000).toFixed(1)} KB`);
  }
}
