// Colours and attributes that a tool's output asked for (SGR, ECMA-48 8.3.117) as roles. A role is one thing, so
// of several attributes the one that says most is kept: background, colour, then attributes.

import type { Role } from "./role.ts";

/** What SGR has set so far. Colours are 0-15, or -1 for the default. */
export interface SgrStyle {
  colour: number;
  background: number;
  readonly attributes: Set<Attribute>;
}

type Attribute = "bold" | "dim" | "italic" | "underline" | "reverse" | "strike";

const HUES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
const SHOWN_ATTRIBUTES = ["bold", "underline", "strike", "italic", "dim"] as const;

const SET: Readonly<Record<number, Attribute>> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  7: "reverse",
  9: "strike",
  21: "underline",
};
const UNSET: Readonly<Record<number, readonly Attribute[]>> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["reverse"],
  29: ["strike"],
};

/** The 16 colours as most terminals draw them, only to find the nearest. */
const PALETTE: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
];
const CUBE_STEPS = [0, 95, 135, 175, 215, 255];

/** A style with nothing set. */
export function plainStyle(): SgrStyle {
  return { colour: -1, background: -1, attributes: new Set() };
}

/** The same style, to be changed apart. */
export function copyStyle(style: SgrStyle): SgrStyle {
  return { ...style, attributes: new Set(style.attributes) };
}

/** True when nothing is set. */
export function isPlainStyle(style: SgrStyle): boolean {
  return style.colour === -1 && style.background === -1 && style.attributes.size === 0;
}

/** Applies the parameters of one SGR sequence to `style` in place. Unknown ones do nothing. */
export function applySgr(style: SgrStyle, parameters: string): void {
  const fields = parameters.split(";");
  for (let index = 0; index < fields.length; index++) {
    const parts = fields[index]!.split(":").map(Number);
    const code = parts[0]!;
    if (code !== 38 && code !== 48 && code !== 58) {
      applyCode(style, code, parts[1]);
      continue;
    }
    let colour: number;
    if (parts.length > 1) {
      // 38:2::r:g:b has a colour space field in front of red, 38:2:r:g:b has not.
      colour = extendedColour(
        parts[1]!,
        parts[1] === 2 && parts.length > 5 ? parts.slice(3) : parts.slice(2),
      );
    } else {
      const mode = Number(fields[index + 1]);
      const count = mode === 2 ? 3 : mode === 5 ? 1 : 0;
      colour = extendedColour(mode, fields.slice(index + 2, index + 2 + count).map(Number));
      index += 1 + count;
    }
    if (code === 38) style.colour = colour;
    if (code === 48) style.background = colour;
  }
}

/** The role for `style`; `base` when nothing is set that a role can say. */
export function sgrRole(style: SgrStyle, base: Role): Role {
  const isReverse = style.attributes.has("reverse");
  const colour = isReverse ? style.background : style.colour;
  const background = isReverse ? style.colour : style.background;
  if (background % 8 > 0) return `ansi.on_${HUES[background % 8]!}`;
  if (colour >= 8) return `ansi.bright_${HUES[colour - 8]!}`;
  if (colour >= 0) return `ansi.${HUES[colour]!}`;
  if (isReverse) return "ansi.reverse";
  const attribute = SHOWN_ATTRIBUTES.find((name) => style.attributes.has(name));
  return attribute === undefined ? base : `ansi.${attribute}`;
}

function applyCode(style: SgrStyle, code: number, detail: number | undefined): void {
  if (code === 0) {
    style.colour = -1;
    style.background = -1;
    style.attributes.clear();
  } else if (code >= 30 && code <= 37) style.colour = code - 30;
  else if (code === 39) style.colour = -1;
  else if (code >= 40 && code <= 47) style.background = code - 40;
  else if (code === 49) style.background = -1;
  else if (code >= 90 && code <= 97) style.colour = code - 82;
  else if (code >= 100 && code <= 107) style.background = code - 92;
  else applyAttribute(style, code, detail);
}

function applyAttribute(style: SgrStyle, code: number, detail: number | undefined): void {
  const attribute = SET[code];
  // 4:0 is "no underline", 4:3 a curly one.
  if (attribute !== undefined && detail !== 0) style.attributes.add(attribute);
  else if (attribute !== undefined) style.attributes.delete(attribute);
  for (const name of UNSET[code] ?? []) style.attributes.delete(name);
}

/** The nearest of the 16 for "5;n" and "2;r;g;b"; -1 when it is none. */
function extendedColour(mode: number, values: readonly number[]): number {
  const [first, green, blue] = values;
  if (mode === 2) return nearest(byte(first), byte(green), byte(blue));
  if (mode !== 5 || first === undefined || !(first >= 0 && first <= 255)) return -1;
  if (first < 16) return first;
  if (first >= 232) return nearest(8 + 10 * (first - 232), 8 + 10 * (first - 232), 8 + 10 * (first - 232));
  const cube = first - 16;
  return nearest(
    CUBE_STEPS[Math.floor(cube / 36)]!,
    CUBE_STEPS[Math.floor(cube / 6) % 6]!,
    CUBE_STEPS[cube % 6]!,
  );
}

function nearest(red: number, green: number, blue: number): number {
  let best = 0;
  let bestDistance = Infinity;
  for (const [index, [r, g, b]] of PALETTE.entries()) {
    const distance = 2 * (red - r) ** 2 + 4 * (green - g) ** 2 + 3 * (blue - b) ** 2;
    if (distance >= bestDistance) continue;
    best = index;
    bestDistance = distance;
  }
  return best;
}

function byte(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? 0 : Math.min(255, value);
}
