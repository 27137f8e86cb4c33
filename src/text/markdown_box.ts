// The signs of tables, rules and quotes. Box drawing signs are of ambiguous width: where the terminal makes two
// cells of one, lines would not meet, so ASCII is drawn instead.

import { cellWidth } from "./graphemes.ts";

/** Signs of one cell each. */
export interface BoxSigns {
  readonly flat: string;
  readonly double: string;
  readonly side: string;
  /** Left end, crossing and right end of a table's upper border, of the lines inside, and of its lower border. */
  readonly top: readonly [left: string, cross: string, right: string];
  readonly middle: readonly [left: string, cross: string, right: string];
  readonly bottom: readonly [left: string, cross: string, right: string];
}

const BOX: BoxSigns = {
  flat: "─",
  double: "═",
  side: "│",
  top: ["┌", "┬", "┐"],
  middle: ["├", "┼", "┤"],
  bottom: ["└", "┴", "┘"],
};

const ASCII: BoxSigns = {
  flat: "-",
  double: "=",
  side: "|",
  top: ["+", "+", "+"],
  middle: ["+", "+", "+"],
  bottom: ["+", "+", "+"],
};

/** The signs that take one cell in this terminal. */
export function boxSigns(): BoxSigns {
  return cellWidth(BOX.side) === 1 ? BOX : ASCII;
}
