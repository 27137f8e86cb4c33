// One line that says what a finished ACP call did, and the card a call shows that none of our renderers draws.

import { type AcpCard, pathOf } from "./acp_card.ts";
import { type CardPart, contentParts } from "./acp_content.ts";
import { exitOf, outputLines, outputText, remarkText } from "./acp_shell.ts";
import type { OwnTool, ToolLook } from "./acp_tools.ts";
import { fieldAt, firstText, textOf } from "./fields.ts";

/** A summary is cut behind this many characters: it is one row. */
const LONGEST = 300;

/** How a finished call of ours reads; "" where its own looks say it better. `path` is its file, shortened. */
const OWN: Readonly<Record<OwnTool, (card: AcpCard, look: ToolLook, path: string | null) => string | null>> =
  {
    Read: (card, _, path) => {
      const lines = outputLines(card);
      const where = path === null ? "" : lines === 0 ? ` ${path}` : ` of ${path}`;
      return lines === 0 && path === null
        ? null
        : `Read${lines === 0 ? "" : ` ${countText(lines, "line")}`}${where}`;
    },
    Write: (card, look, path) => {
      const content = textOf(look.args.content);
      if (path === null || content === null) return null;
      const lines = content === "" ? 0 : content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
      return `${WRITE_LABELS[writtenAs(card)]} ${path} (${countText(lines, "line")})`;
    },
    Edit: (_card, _look, path) => path === null ? null : `Edited ${path}`,
    // The exit first: a renderer reads it there, and the command may hold the same words.
    Bash: (card, look) => {
      const { code, signal } = exitOf(card);
      const command = firstLine(textOf(look.args.command) ?? "");
      const told = signal !== null ? `killed by signal ${signal}` : code === null ? "" : `exit ${code}`;
      return told === "" || command === "" ? told : `${told}: ${command}`;
    },
    Glob: searchSummary,
    Grep: searchSummary,
  };

const WRITE_LABELS = { created: "Created", overwrote: "Overwrote", wrote: "Wrote" } as const;

/** The summary of a finished call: one line, "" where the call's own looks say it better. */
export function summaryOf(
  card: AcpCard,
  look: ToolLook,
  about: { isError: boolean; cwd: string | null },
): string {
  const remark = remarkText(card);
  if (remark !== null) return cut(firstLine(remark));
  const path = firstText(look.args.file_path, pathOf(card));
  const home = about.cwd === null ? null : `${about.cwd}/`;
  const near = path !== null && home !== null && path.startsWith(home) ? path.slice(home.length) : path;
  const own = look.own === null ? null : OWN[look.own](card, look, near);
  const said = look.own === null ? shortRaw(card) : firstLine(outputText(card) ?? "");
  if (!about.isError) return cut(own ?? firstText(said, card.title, look.name) ?? "");
  if (look.own === "Bash" && own !== null && own !== "") return cut(own);
  return cut(firstLine(outputText(card) ?? "") || `${firstText(card.title, look.name) ?? "tool"} failed`);
}

/** The card of a call that none of our renderers draws: its title, its kind and what it says of itself. */
export interface Card {
  readonly title: string;
  readonly kind: string;
  readonly body: unknown[];
}

/** That card; the arguments are shown by whoever draws it. `withOutput` puts text that is output into it; else such text comes as the call's output. */
export function presentationOf(card: AcpCard, withOutput: boolean): Card {
  const isOutput = card.contentIsOutput && !withOutput;
  const parts: (CardPart | Record<string, unknown>)[] = contentParts(card.content)
    .filter((part) => !isOutput || (part.type !== "text" && part.type !== "markdown"));
  const told = new Set(card.diffs.map((diff) => diff.path));
  const places = card.locations
    .map((place) => ({
      path: textOf(place.path) ?? "",
      line: typeof place.line === "number" ? place.line : null,
    }))
    .filter((place) => place.path !== "" && !told.has(place.path));
  if (places.length > 0) parts.push({ type: "locations", locations: places });
  return {
    title: firstText(card.title, card.toolName, card.kind) ?? "",
    kind: KINDS.has(card.kind) ? card.kind : "other",
    body: parts,
  };
}

const KINDS: ReadonlySet<string> = new Set([
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "other",
]);

/** Whether a Write made the file, as far as the agent said. */
function writtenAs(card: AcpCard): keyof typeof WRITE_LABELS {
  const response = textOf(fieldAt(card.rawOutput, "type"));
  const said = typeof card.rawOutput === "string" ? card.rawOutput : "";
  if (response === "create" || /^File created\b/i.test(said)) return "created";
  if (response === "update" || /\bhas been (?:updated|overwritten)\b/i.test(said)) return "overwrote";
  const [diff] = card.diffs;
  if (diff === undefined) return "wrote";
  return diff.old === null || diff.old === "" ? "created" : "overwrote";
}

function searchSummary(card: AcpCard, look: ToolLook): string {
  const pattern = textOf(look.args.pattern) ?? card.title;
  const lines = outputLines(card);
  return shortRaw(card) ??
    (lines === 0 ? `Searched for ${pattern}` : `${countText(lines, "line")} for ${pattern}`);
}

/** A short line an agent gives as raw output beside the content. */
function shortRaw(card: AcpCard): string | null {
  const raw = textOf(card.rawOutput);
  return raw !== null && raw !== "" && raw.length <= 80 && !raw.includes("\n") ? raw : null;
}

function countText(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function firstLine(text: string): string {
  return text.split("\n").find((line) => line.trim() !== "")?.trim() ?? "";
}

function cut(text: string): string {
  const line = firstLine(text);
  return line.length <= LONGEST ? line : line.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, "") + "…";
}
