// Message text as it arrives made into Markdown source: line ends are LF, tabs are blanks, nothing is a control.
// Works line by line, so a growing text is made ready piece by piece.

import { safeBlockText } from "./outside_text.ts";

/**
 * Markers and blanks a line may begin with: tabs among them stand for Markdown's stops of 4 columns. A head is no
 * longer than what is made ready of a long line at once (long_line.ts).
 */
const LINE_HEAD = /^[ \t>*+\-.)\d]{0,1023}\t/;

/** Tab stops inside a line's head (CommonMark 2.2). */
const STOP = 4;

/** Where the last complete line of `text` ends: behind its line end. A CR at the very end may still get its LF. */
export function completeLength(text: string): number {
  const sure = text.endsWith("\r") ? text.slice(0, -1) : text;
  return Math.max(sure.lastIndexOf("\n"), sure.lastIndexOf("\r")) + 1;
}

/** Whole lines, or one unfinished line, as Markdown source. */
export function markdownSource(text: string): string {
  const lines = withLineFeeds(text);
  return safeBlockText(lines.includes("\t") ? lines.split("\n").map(expandHead).join("\n") : lines);
}

/** The same for text whose first line is the rest of one that began `column` cells before. */
export function restOfSource(text: string, column: number): string {
  const lines = withLineFeeds(text);
  const end = lines.indexOf("\n");
  if (end === -1) return safeBlockText(lines, column);
  return `${safeBlockText(lines.slice(0, end), column)}\n${markdownSource(lines.slice(end + 1))}`;
}

function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** The tabs of the line's head as blanks; later ones stay for the text's own stops of 8. */
function expandHead(line: string): string {
  const head = LINE_HEAD.exec(line);
  if (head === null) return line;
  let expanded = "";
  for (const sign of head[0]) {
    expanded += sign === "\t" ? " ".repeat(STOP - (expanded.length % STOP)) : sign;
  }
  return expanded + line.slice(head[0].length);
}
