// Message text as it arrives made into Markdown source: line ends are LF, tabs are blanks, nothing is a control.
// Works line by line, so a growing text is made ready piece by piece.

import { safeBlockText } from "./outside_text.ts";

/** Markers and blanks a line may begin with: tabs among them stand for Markdown's stops of 4 columns. */
const LINE_HEAD = /^[ \t>*+\-.)\d]*\t/;

/** Tab stops inside a line's head (CommonMark 2.2). */
const STOP = 4;

/** Where the last complete line of `text` ends: behind its line end. A CR at the very end may still get its LF. */
export function completeLength(text: string): number {
  const sure = text.endsWith("\r") ? text.slice(0, -1) : text;
  return Math.max(sure.lastIndexOf("\n"), sure.lastIndexOf("\r")) + 1;
}

/** Whole lines, or one unfinished line, as Markdown source. */
export function markdownSource(text: string): string {
  const lines = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const blanks = lines.includes("\t") ? lines.split("\n").map(expandHead).join("\n") : lines;
  return safeBlockText(blanks);
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
