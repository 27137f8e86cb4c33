// Inline Markdown (emphasis, code, links) as lines of spans, not yet wrapped.
// Without colour nothing may be lost, so marks that carry meaning stay: code keeps its backticks, struck text its
// tildes, a link shows where it goes. Emphasis only stresses words that are all there, so its marks go.

import type { Token, Tokens } from "marked";
import type { Line, Span } from "./line.ts";
import { decodeEntities } from "./markdown_entities.ts";
import { safeText } from "./outside_text.ts";
import type { Role } from "./role.ts";

/** What the text around a token asks for. */
interface Style {
  readonly base: Role;
  readonly strong: boolean;
  readonly emphasis: boolean;
  readonly strike: boolean;
  readonly link: boolean;
}

const FIRST_JOINING = 0x300;
const JOINING = /^[\p{M}\u200c\u200d]+/u;

type InlineDrawer = (token: never, style: Style, out: LineBuilder) => void;

const DRAWERS: Readonly<Record<string, InlineDrawer>> = {
  text: drawText,
  escape: drawText,
  strong: (token: Tokens.Strong, style, out) => drawAll(token.tokens, { ...style, strong: true }, out),
  em: (token: Tokens.Em, style, out) => drawAll(token.tokens, { ...style, emphasis: true }, out),
  del: drawStrike,
  codespan: drawCode,
  link: drawLink,
  image: drawImage,
  html: (token: Tokens.Tag, _style, out) => out.add(token.text, "md.html"),
  br: (_token, _style, out) => out.newLine(),
  checkbox: (token: Tokens.Checkbox, _style, out) => out.add(token.checked ? "[x] " : "[ ] ", "md.list_mark"),
};

/** The lines of inline tokens in the role of the block around them; line breaks of the source stay breaks. */
export function inlineLines(tokens: readonly Token[], base: Role): Line[] {
  const out = createLineBuilder();
  drawAll(tokens, { base, strong: false, emphasis: false, strike: false, link: false }, out);
  return out.lines();
}

/** The lines of text without any Markdown. Blanks at both ends of a line mean nothing and are dropped. */
export function plainLines(text: string, role: Role): Line[] {
  return text.split("\n").map((part) => {
    const trimmed = trimEnd(trimStart(part));
    return trimmed === "" ? { spans: [] } : { spans: [{ text: trimmed, role }] };
  });
}

function drawAll(tokens: readonly Token[], style: Style, out: LineBuilder): void {
  for (const token of tokens) {
    const draw = Object.hasOwn(DRAWERS, token.type) ? DRAWERS[token.type] : undefined;
    if (draw !== undefined) draw(token as never, style, out);
    else out.add(token.raw, roleIn(style));
  }
}

function drawText(token: Tokens.Text | Tokens.Escape, style: Style, out: LineBuilder): void {
  const literal = token.type === "escape" || token.escaped === true;
  // The parser has decoded numeric references already, so a control may be in `text` where `raw` has "&".
  const text = !literal && token.raw.includes("&") ? decodeEntities(token.text) : token.text;
  out.add(text, roleIn(style));
}

function drawStrike(token: Tokens.Del, style: Style, out: LineBuilder): void {
  const struck: Style = { ...style, strike: true };
  out.add("~~", roleIn(struck));
  drawAll(token.tokens, struck, out);
  out.add("~~", roleIn(struck));
}

function drawCode(token: Tokens.Codespan, _style: Style, out: LineBuilder): void {
  const runs = new Set((token.text.match(/`+/g) ?? []).map((run) => run.length));
  // CommonMark 6.1: the marks around code are a run of backticks that is not inside.
  let length = 1;
  while (runs.has(length)) length++;
  const marks = "`".repeat(length);
  const touches = token.text.startsWith("`") || token.text.endsWith("`");
  out.add(marks + (touches ? ` ${token.text} ` : token.text) + marks, "md.code");
}

function drawLink(token: Tokens.Link, style: Style, out: LineBuilder): void {
  const before = out.length();
  if (token.autolink === true) out.add(token.text, "md.link");
  else drawAll(token.tokens, { ...style, link: true }, out);
  addTarget(token, out, before);
}

function drawImage(token: Tokens.Image, style: Style, out: LineBuilder): void {
  out.add(token.tokens.length === 0 ? "image" : "image: ", "md.link");
  const before = out.length();
  drawAll(token.tokens, { ...style, link: true }, out);
  addTarget(token, out, before);
}

/** Says where a link goes, and its title, unless the label that begins at `before` says just that. */
function addTarget(token: Tokens.Link | Tokens.Image, out: LineBuilder, before: number): void {
  const href = plainTarget(token);
  const title = token.title ? ` "${oneLine(decodeEntities(token.title))}"` : "";
  const label = out.textFrom(before);
  const same = href === label || href === `mailto:${label}` || href === `http://${label}`;
  const target = (same ? "" : href) + title;
  if (target !== "") out.add(` (${target.trimStart()})`, "md.link_target");
}

function plainTarget(token: Tokens.Link | Tokens.Image): string {
  const literal = token.type === "link" && token.autolink === true;
  return oneLine(literal ? token.href : decodeEntities(token.href));
}

function oneLine(text: string): string {
  return text.replaceAll("\n", " ");
}

/** One role for what may be several styles at once: the one that says most wins. */
function roleIn(style: Style): Role {
  if (style.link) return "md.link";
  if (style.strike) return "md.strike";
  if (style.base === "md.heading" || style.base === "md.table_head") return style.base;
  if (style.strong) return style.emphasis ? "md.strong_emphasis" : "md.strong";
  return style.emphasis ? "md.emphasis" : style.base;
}

/** Lines under construction: neighbours of one role are one span, blanks around line breaks are dropped. */
interface LineBuilder {
  add(text: string, role: Role): void;
  newLine(): void;
  /** Text units added so far. */
  length(): number;
  textFrom(length: number): string;
  lines(): Line[];
}

function createLineBuilder(): LineBuilder {
  const lines: Span[][] = [];
  let spans: Span[] = [];
  let all = "";
  const put = (text: string, role: Role) => {
    const joining = joiningLength(text);
    const last = spans.at(-1);
    if (joining > 0 && last !== undefined) {
      // Marks that Markdown's own marks kept from their letter go with it, whatever their role.
      spans[spans.length - 1] = { text: last.text + text.slice(0, joining), role: last.role };
      if (joining < text.length) put(text.slice(joining), role);
      return;
    }
    const piece = joining > 0 ? safeText(text) : last === undefined ? trimStart(text) : text;
    if (piece === "") return;
    if (last?.role === role) spans[spans.length - 1] = { text: last.text + piece, role };
    else spans.push({ text: piece, role });
  };
  const finish = () => {
    for (let last = spans.at(-1); last !== undefined; last = spans.at(-1)) {
      const text = trimEnd(last.text);
      if (text !== "") {
        spans[spans.length - 1] = { text, role: last.role };
        break;
      }
      spans.pop();
    }
    lines.push(spans);
    spans = [];
  };
  return {
    add(text, role) {
      all += text;
      for (const [index, part] of text.split("\n").entries()) {
        if (index > 0) finish();
        put(part, role);
      }
    },
    newLine() {
      all += "\n";
      finish();
    },
    length: () => all.length,
    textFrom: (length) => all.slice(length),
    lines() {
      finish();
      return lines.map((each) => ({ spans: each.slice() }));
    },
  };
}

/** Units in front of `text` that have no look of their own but join the sign before them. */
function joiningLength(text: string): number {
  return text.charCodeAt(0) < FIRST_JOINING ? 0 : JOINING.exec(text)?.[0].length ?? 0;
}

/** Without the blanks (U+0020 only) in front. */
function trimStart(text: string): string {
  let start = 0;
  while (text.charCodeAt(start) === 0x20) start++;
  return start === 0 ? text : text.slice(start);
}

/** Without the blanks (U+0020 only) at the end. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return end === text.length ? text : text.slice(0, end);
}
