// Markdown blocks as shapes: what is to be drawn, before any width is known. Rows come from markdown_rows.ts.
// A message keeps its shapes, so that a new width never needs the parser again.

import type { Token, Tokens } from "marked";
import type { Line } from "./line.ts";
import { inlineLines, plainLines } from "./markdown_inline.ts";
import type { BlockTokens } from "./markdown_lexer.ts";
import { isTooWide } from "./markdown_stream.ts";
import type { Role } from "./role.ts";

/** A block, or a part of one, without a width. */
export type Shape =
  | { readonly kind: "text"; readonly lines: readonly Line[] }
  | { readonly kind: "heading"; readonly lines: readonly Line[]; readonly depth: number }
  | { readonly kind: "code"; readonly label: string | null; readonly lines: readonly string[] }
  | { readonly kind: "rule" }
  /** Blank lines of the source: one blank row, none at an end. */
  | { readonly kind: "gap" }
  | { readonly kind: "quote"; readonly body: readonly Shape[] }
  | { readonly kind: "item"; readonly mark: string; readonly body: readonly Shape[] }
  | TableShape;

/** A table's cells, each one unwrapped line. Every row has as many cells as the head. */
export interface TableShape {
  readonly kind: "table";
  readonly align: readonly ("left" | "center" | "right" | null)[];
  readonly head: readonly Line[];
  readonly rows: readonly (readonly Line[])[];
}

/** Reads inline text; null when it is to stay plain. */
export type InlineReader = (text: string) => readonly Token[] | null;

interface Context {
  readonly inline: BlockTokens["inline"];
  readonly read: InlineReader;
  /** The role of plain text here. */
  readonly role: Role;
}

type BlockDrawer = (token: never, context: Context, shapes: Shape[]) => void;

const DRAWERS: Readonly<Record<string, BlockDrawer>> = {
  space: drawSpace,
  paragraph: drawText,
  text: drawText,
  checkbox: (token: Tokens.Checkbox, context, shapes) => addText(shapes, inlineLines([token], context.role)),
  heading: drawHeading,
  code: (token: Tokens.Code, _context, shapes) =>
    void shapes.push({ kind: "code", label: token.lang || null, lines: codeLines(token.text) }),
  hr: (_token, _context, shapes) => void shapes.push({ kind: "rule" }),
  html: (token: Tokens.HTML, _context, shapes) => addText(shapes, literalLines(token.text, "md.html")),
  // Shown, though Markdown hides definitions: the one place where an unused one can be read.
  def: (token: Tokens.Def, _context, shapes) => addText(shapes, literalLines(token.raw, "md.link_target")),
  blockquote: (token: Tokens.Blockquote, context, shapes) =>
    void shapes.push({ kind: "quote", body: shapesOf(token.tokens, { ...context, role: "md.quote" }) }),
  list: drawList,
  table: drawTable,
};

/** The shapes of a piece's blocks. */
export function blockShapes(blocks: BlockTokens, read: InlineReader): readonly Shape[] {
  return shapesOf(blocks.tokens, { inline: blocks.inline, read, role: "default" });
}

/** Source that is shown as it is: paragraphs with gaps between them. */
export function literalShapes(text: string): readonly Shape[] {
  const shapes: Shape[] = [];
  for (const [index, part] of text.split(/\n(?: *\n)+/).entries()) {
    if (index > 0) shapes.push({ kind: "gap" });
    if (part !== "") shapes.push({ kind: "text", lines: plainLines(part, "default") });
  }
  return shapes;
}

/** The lines of code as the parser or a fence's piece gives it, the last newline being no line of its own. */
export function codeLines(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function shapesOf(tokens: readonly Token[], context: Context): readonly Shape[] {
  const shapes: Shape[] = [];
  for (const token of tokens) {
    const draw = Object.hasOwn(DRAWERS, token.type) ? DRAWERS[token.type] : undefined;
    if (draw !== undefined) draw(token as never, context, shapes);
    else addText(shapes, literalLines(token.raw, context.role));
  }
  // Many are kept: no list is larger than what is in it.
  return shapes.slice();
}

function drawSpace(token: Tokens.Space, _context: Context, shapes: Shape[]): void {
  const firstBreak = token.raw.indexOf("\n");
  if (token.raw.includes("\n", firstBreak + 1)) shapes.push({ kind: "gap" });
}

function drawText(token: Tokens.Paragraph | Tokens.Text, context: Context, shapes: Shape[]): void {
  addText(shapes, blockLines(token.tokens, token.text, context, context.role));
}

/** Adds lines of text; right behind a task's box, to the box's line. */
function addText(shapes: Shape[], lines: readonly Line[]): void {
  const before = shapes.at(-1);
  const box = before?.kind === "text" ? before.lines.at(-1) : undefined;
  if (before?.kind === "text" && box !== undefined && isBox(box) && before.lines.length === 1) {
    const [first = { spans: [] }, ...rest] = lines;
    shapes[shapes.length - 1] = { kind: "text", lines: [boxed(first, box), ...rest] };
    return;
  }
  shapes.push({ kind: "text", lines });
}

function isBox(line: Line): boolean {
  return line.spans.length === 1 && line.spans[0]?.role === "md.list_mark";
}

function boxed(line: Line, box: Line): Line {
  const mark = box.spans[0]?.text ?? "";
  return { spans: [{ text: mark + " ", role: "md.list_mark" }, ...line.spans] };
}

/** The lines of a block's inline text. Tokens already there (a task's box) stand in front. */
function blockLines(
  tokens: readonly Token[] | undefined,
  text: string,
  context: Context,
  role: Role,
): readonly Line[] {
  const source = tokens === undefined ? undefined : context.inline.get(tokens);
  if (tokens === undefined) return plainLines(text, role);
  if (source === undefined) return inlineLines(tokens, role);
  const read = context.read(source);
  if (read === null) {
    return [...inlineLines(tokens, role).slice(0, tokens.length), ...plainLines(source, role)];
  }
  return inlineLines(tokens.length === 0 ? read : [...tokens, ...read], role);
}

function drawHeading(token: Tokens.Heading, context: Context, shapes: Shape[]): void {
  const lines = blockLines(token.tokens, token.text, context, "md.heading");
  shapes.push({ kind: "heading", lines, depth: token.depth });
}

function literalLines(raw: string, role: Role): readonly Line[] {
  return raw.replace(/\n+$/, "").split("\n").map((text) => ({ spans: text === "" ? [] : [{ text, role }] }));
}

function drawList(token: Tokens.List, context: Context, shapes: Shape[]): void {
  const marks = token.ordered ? numberMarks(token) : token.items.map(() => "- ");
  const width = Math.max(...marks.map((mark) => mark.length));
  for (const [index, item] of token.items.entries()) {
    // Numbers end in one column, so that all items begin in one.
    const mark = (marks[index] ?? "").padStart(width);
    shapes.push({ kind: "item", mark, body: shapesOf(item.tokens, context) });
    if (index < token.items.length - 1 && /\n *\n *$/.test(item.raw)) shapes.push({ kind: "gap" });
  }
}

/**
 * The items' numbers as the source has them, with the sign behind. Only a number that does not rise ("1." before
 * each item) is counted: Markdown would count them all, and then "step 4" in the text could be step 3 in the list.
 */
function numberMarks(list: Tokens.List): readonly string[] {
  let last = -1;
  return list.items.map((item) => {
    const [, digits = "", sign = "."] = /^ *(\d+)(.)/.exec(item.raw) ?? [];
    last = Math.max(last + 1, Number(digits));
    return `${last}${sign} `;
  });
}

function drawTable(token: Tokens.Table, context: Context, shapes: Shape[]): void {
  const [, delimiter = "", ...source] = token.raw.split("\n");
  if (isTooWide(delimiter)) return addText(shapes, literalLines(token.raw, context.role));
  const cell = (tokens: readonly Token[], text: string, role: Role) =>
    oneLine(blockLines(tokens, text, context, role));
  const head = token.header.map((each) => cell(each.tokens, each.text, "md.table_head"));
  const rows = token.rows.map((row, index) => {
    const rest = restFrom(source[index] ?? "", row.length);
    return row.map((each, column) => {
      if (column < row.length - 1 || rest === null) return cell(each.tokens, each.text, context.role);
      const read = context.read(rest);
      return oneLine(read === null ? plainLines(rest, context.role) : inlineLines(read, context.role));
    });
  });
  shapes.push({ kind: "table", align: token.align, head, rows });
}

/**
 * A source row's text from its last cell on, where it has more cells than the head. The parser drops those, and a
 * reader would miss text, most of all where code with a "|" in it was taken for two cells. Null when all is well.
 */
function restFrom(source: string, count: number): string | null {
  const cells = source.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "").split(/(?<!\\)\|/);
  if (cells.slice(count).every((each) => each.trim() === "")) return null;
  return cells.slice(count - 1).join("|").trim();
}

function oneLine(lines: readonly Line[]): Line {
  const [first = { spans: [] }, ...rest] = lines;
  return rest.reduce(
    (all, each) => ({ spans: [...all.spans, { text: " ", role: "default" }, ...each.spans] }),
    first,
  );
}
