// The seam to the parser `marked`: its lexer only, imported lazily. Blocks and inline text are read apart, so that
// inline reading (quadratic on hostile text) happens only for blocks of sane size.

import type { Lexer, Token } from "marked";
import { loadLibrary } from "./libraries.ts";

type Marked = typeof import("marked");
type Links = Lexer["tokens"]["links"];

/** Link definitions by their name; every object stays as it is once made. */
export type LinkTable = Readonly<Links>;

/** Blocks of one piece. The inline text of a block is still unread: `inline` has it by the block's token array. */
export interface BlockTokens {
  readonly tokens: readonly Token[];
  readonly inline: ReadonlyMap<readonly Token[], string>;
  /** Links the piece defines; null when none. */
  readonly links: LinkTable | null;
}

/** A block's inline text longer than this stays plain (UTF-16 units). */
export const LONGEST_INLINE = 4096;
/** A block with more marks than this stays plain: what hostile text costs grows with their square. */
const MOST_MARKS = 600;
const MOST_EMPHASIS_MARKS = 200;
const MARKS = /[`[\]<]/g;
const EMPHASIS_MARKS = /[*_~]/g;

const NO_LINKS: LinkTable = Object.create(null);

let marked: Marked | null = null;
let isWanted = false;
let loading: Promise<void> | null = null;
let generation = 0;
/** Kept, as a table has hundreds of cells; each use sets what a use may have changed. */
let inlineLexer: Lexer | null = null;
const work = { blockLength: 0, inlineLength: 0 };

/** Loads the parser; until then Markdown is drawn as plain text. */
export function loadMarkdown(): Promise<void> {
  loading ??= loadLibrary("marked").then((module) => {
    marked = module;
    generation++;
  });
  return loading;
}

/** True when something was drawn as plain text for want of the parser. */
export function isMarkdownWanted(): boolean {
  return isWanted && marked === null;
}

/** Grows when text drawn before may now be drawn better. */
export function markdownGeneration(): number {
  return generation;
}

/** UTF-16 units given to the parser since the program began: what tests measure speed by. */
export function lexedLength(): { readonly block: number; readonly inline: number } {
  return { block: work.blockLength, inline: work.inlineLength };
}

/** The blocks of a source; null while the parser is not loaded, or when it gives up on the text. */
export function lexBlocks(source: string): BlockTokens | null {
  if (marked === null) {
    isWanted = true;
    return null;
  }
  work.blockLength += source.length;
  const lexer = newLexer(marked);
  const tokens: Token[] = [];
  try {
    lexer.blockTokens(source, tokens);
  } catch {
    // "Infinite loop": the parser's own guard. The text is shown as it is.
    return null;
  }
  const inline = new Map<readonly Token[], string>(
    lexer.inlineQueue.map((entry) => [entry.tokens, entry.src]),
  );
  const links = lexer.tokens.links;
  return { tokens, inline, links: Object.keys(links).length === 0 ? null : links };
}

/** The inline tokens of a block's text; null when it stays plain. */
export function lexInline(text: string, links: LinkTable | null): readonly Token[] | null {
  if (marked === null || text.length > LONGEST_INLINE) return null;
  if (count(text, MARKS) > MOST_MARKS || count(text, EMPHASIS_MARKS) > MOST_EMPHASIS_MARKS) return null;
  work.inlineLength += text.length;
  inlineLexer ??= newLexer(marked);
  inlineLexer.tokens.links = links ?? NO_LINKS;
  inlineLexer.state.inLink = false;
  inlineLexer.state.inRawBlock = false;
  try {
    return inlineLexer.inlineTokens(text);
  } catch {
    inlineLexer = null;
    return null;
  }
}

/** Both tables in one, the first definition of a name wins (CommonMark 4.7); the same object when nothing is new. */
export function joinLinks(first: LinkTable | null, second: LinkTable | null): LinkTable | null {
  if (second === null) return first;
  if (first === null) return second;
  if (Object.keys(second).every((name) => Object.hasOwn(first, name))) return first;
  return Object.assign(Object.create(null), second, first);
}

function count(text: string, marks: RegExp): number {
  return text.match(marks)?.length ?? 0;
}

function newLexer(module: Marked): Lexer {
  return new module.Lexer({ ...module.getDefaults(), gfm: true });
}
