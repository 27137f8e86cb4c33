// The look of every role: the 16 ANSI colours and attributes only, so that the person's own palette decides.
// Body text and backgrounds stay the terminal's. Chosen to be readable on light and dark palettes alike: no black,
// white or bright black for text of ours, dim instead; every state has a glyph or a word besides its colour.

import { type Role, ROLES } from "../text/role.ts";
import { ATTRIBUTE_SHIFT, DIM, REVERSE } from "./frame.ts";

/** The 16 colours in SGR order: 0-7 normal, 8-15 bright. */
export const ANSI_COLOURS = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
  "bright_black",
  "bright_red",
  "bright_green",
  "bright_yellow",
  "bright_blue",
  "bright_magenta",
  "bright_cyan",
  "bright_white",
] as const;

export type AnsiColour = typeof ANSI_COLOURS[number];

/** Attributes as bits of a look, in the order of LOOK_ATTRIBUTES. */
export const LOOK_ATTRIBUTES = [
  { name: "bold", bit: 1, on: "1" },
  { name: "dim", bit: 2, on: "2" },
  { name: "italic", bit: 4, on: "3" },
  { name: "underline", bit: 8, on: "4" },
  { name: "reverse", bit: 16, on: "7" },
  { name: "strike", bit: 32, on: "9" },
] as const;

export type LookAttribute = typeof LOOK_ATTRIBUTES[number]["name"];

/**
 * What a cell looks like, as one number: attributes in bits 0-5, text colour + 1 in bits 6-10 (0: the terminal's own).
 * Backgrounds are never set. 0 is plain text.
 */
export type Look = number;

const COLOUR_SHIFT = 6;
const ATTRIBUTE_BITS = (1 << COLOUR_SHIFT) - 1;
const DIM_BIT = 2;
const ITALIC_BIT = 4;
const UNDERLINE_BIT = 8;
const REVERSE_BIT = 16;
const STRIKE_BIT = 32;

/** Which look a style number has. */
export interface Theme {
  readonly color: boolean;
  /** Looks by style number (role and attributes). */
  readonly looks: Uint16Array;
  /** What can be seen of them on a blank cell. */
  readonly blankLooks: Uint16Array;
}

type Words = readonly (AnsiColour | LookAttribute)[];

const ROLE_LOOKS: Record<Role, Words> = {
  "default": [],
  "turn.mark": ["bold", "blue"],
  "turn.stats": ["dim"],
  "turn.problem": ["red"],
  "model": ["dim"],
  "user.mark": ["bold", "cyan"],
  "user.text": ["bold"],
  "user.pending": ["dim"],
  "user.steer": ["cyan"],
  "greeting.name": ["bold", "magenta"],
  "greeting.label": ["dim"],
  "greeting.text": [],
  "reasoning.mark": ["dim"],
  "reasoning.head": ["dim", "italic"],
  "reasoning.text": ["dim", "italic"],
  "selected.mark": ["bold", "cyan"],
  "more": ["dim"],
  "token": ["magenta"],
  "md.heading": ["bold", "blue"],
  "md.strong": ["bold"],
  "md.emphasis": ["italic"],
  "md.strong_emphasis": ["bold", "italic"],
  "md.strike": ["strike"],
  "md.code": ["cyan"],
  "md.fence": ["cyan"],
  "md.fence_mark": ["dim"],
  "md.link": ["underline", "blue"],
  "md.link_target": ["dim"],
  "md.quote": ["italic"],
  "md.quote_mark": ["dim"],
  "md.rule": ["dim"],
  "md.list_mark": ["blue"],
  "md.table_border": ["dim"],
  "md.table_head": ["bold"],
  "md.html": ["dim"],
  "status.pending": ["dim"],
  "status.streaming": ["yellow"],
  "status.executing": ["yellow"],
  "status.done": ["green"],
  "status.failed": ["bold", "red"],
  "status.incomplete": ["magenta"],
  "tool.name": ["bold"],
  "tool.argument": ["cyan"],
  "tool.summary": [],
  "tool.args": ["dim"],
  "tool.output": ["dim"],
  "tool.error": ["red"],
  "tool.path": ["cyan"],
  "tool.note": ["dim"],
  "tool.label": ["dim"],
  "tool.created": ["green"],
  "tool.overwrote": ["yellow"],
  "tool.command": ["bold"],
  "tool.exit": ["dim"],
  "diff.added": ["green"],
  "diff.removed": ["red"],
  "diff.context": [],
  "diff.hunk": ["cyan"],
  "diff.path": ["bold"],
  "diff.line_number": ["dim"],
  "note.info": ["blue"],
  "note.warn": ["yellow"],
  "note.error": ["bold", "red"],
  "compact.mark": ["magenta"],
  "compact.text": ["dim"],
  "question.mark": ["bold", "yellow"],
  "question.text": ["bold"],
  "question.answer": ["green"],
  "status.left": ["dim"],
  "status.warn": ["bold", "yellow"],
  "status.hint": ["yellow"],
  "status.spinner": ["cyan"],
  "status.fold": ["dim"],
  "plan.done": ["dim", "green"],
  "plan.active": ["bold", "yellow"],
  "plan.pending": ["dim"],
  "queue.text": ["dim"],
  "composer.mark": ["bold", "cyan"],
  "composer.text": [],
  "composer.placeholder": ["magenta"],
  "composer.selection": ["reverse"],
  "composer.hint": ["dim"],
  "panel.border": ["dim"],
  "panel.title": ["bold", "blue"],
  "panel.text": [],
  "panel.label": ["dim"],
  "panel.selected": ["reverse"],
  "panel.hint": ["dim"],
  "panel.warn": ["bold", "yellow"],
  "panel.key": ["bold", "cyan"],
  "find.hit": ["reverse"],
  "find.current": ["bold", "reverse", "yellow"],
  "ansi.bold": ["bold"],
  "ansi.dim": ["dim"],
  "ansi.italic": ["italic"],
  "ansi.underline": ["underline"],
  "ansi.reverse": ["reverse"],
  "ansi.strike": ["strike"],
  "ansi.black": ["black"],
  "ansi.red": ["red"],
  "ansi.green": ["green"],
  "ansi.yellow": ["yellow"],
  "ansi.blue": ["blue"],
  "ansi.magenta": ["magenta"],
  "ansi.cyan": ["cyan"],
  "ansi.white": ["white"],
  "ansi.bright_black": ["bright_black"],
  "ansi.bright_red": ["bright_red"],
  "ansi.bright_green": ["bright_green"],
  "ansi.bright_yellow": ["bright_yellow"],
  "ansi.bright_blue": ["bright_blue"],
  "ansi.bright_magenta": ["bright_magenta"],
  "ansi.bright_cyan": ["bright_cyan"],
  "ansi.bright_white": ["bright_white"],
  "ansi.on_black": ["reverse", "black"],
  "ansi.on_red": ["reverse", "red"],
  "ansi.on_green": ["reverse", "green"],
  "ansi.on_yellow": ["reverse", "yellow"],
  "ansi.on_blue": ["reverse", "blue"],
  "ansi.on_magenta": ["reverse", "magenta"],
  "ansi.on_cyan": ["reverse", "cyan"],
  "ansi.on_white": ["reverse", "white"],
};

/** The theme; `color: false` (NO_COLOR, --no-color, TERM=dumb) gives no styling at all, attributes included. */
export function createTheme(options: { readonly color: boolean }): Theme {
  const attributeSets = 4;
  const looks = new Uint16Array(attributeSets << ATTRIBUTE_SHIFT);
  const blankLooks = new Uint16Array(looks.length);
  if (!options.color) return { color: false, looks, blankLooks };
  for (let attributes = 0; attributes < attributeSets; attributes++) {
    for (let id = 0; id < ROLES.length; id++) {
      const look = lookOfWords(ROLE_LOOKS[ROLES[id] as Role]);
      const style = id | (attributes << ATTRIBUTE_SHIFT);
      looks[style] = withAttributes(look, attributes);
      blankLooks[style] = blankLook(looks[style]);
    }
  }
  return { color: true, looks, blankLooks };
}

/** Number of the look's text colour, -1 for the terminal's own. */
export function lookColour(look: Look): number {
  return (look >> COLOUR_SHIFT) - 1;
}

/** Bits of LOOK_ATTRIBUTES that are set. */
export function lookAttributes(look: Look): number {
  return look & ATTRIBUTE_BITS;
}

/** What can be seen of a look on a blank cell: a text colour only where reverse, underline or strike show it. */
export function blankLook(look: Look): Look {
  if ((look & REVERSE_BIT) !== 0) return look & ~ITALIC_BIT;
  return (look & (UNDERLINE_BIT | STRIKE_BIT)) !== 0 ? look : 0;
}

/** The fewest SGR parameters that change one look into a different one. ECMA-48 8.3.117. */
export function lookChange(from: Look, to: Look): string {
  if (to === 0) return "";
  const added: string[] = [];
  const whole = ["0"];
  const kept = (from & ATTRIBUTE_BITS & ~to) === 0;
  for (const attribute of LOOK_ATTRIBUTES) {
    if ((to & attribute.bit) === 0) continue;
    whole.push(attribute.on);
    if ((from & attribute.bit) === 0) added.push(attribute.on);
  }
  const colour = lookColour(to);
  if (colour >= 0) whole.push(colourCode(colour));
  if (colour !== lookColour(from)) added.push(colour >= 0 ? colourCode(colour) : "39");
  const full = whole.join(";");
  const step = added.join(";");
  return kept && step.length <= full.length ? step : full;
}

function colourCode(colour: number): string {
  return String(colour < 8 ? 30 + colour : 82 + colour);
}

function lookOfWords(words: Words): Look {
  let look = 0;
  for (const word of words) {
    const attribute = LOOK_ATTRIBUTES.find((entry) => entry.name === word);
    if (attribute !== undefined) look |= attribute.bit;
    else look |= (ANSI_COLOURS.indexOf(word as AnsiColour) + 1) << COLOUR_SHIFT;
  }
  return look;
}

function withAttributes(look: Look, attributes: number): Look {
  if ((attributes & DIM) !== 0) look |= DIM_BIT;
  // Reverse of what is reversed already would make the selected row's own selection invisible: it stays reversed.
  if ((attributes & REVERSE) !== 0) look |= REVERSE_BIT;
  return look;
}
