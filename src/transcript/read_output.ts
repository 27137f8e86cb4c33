// What a Read showed of a file: notices around it taken off, line numbers stripped where they surely are numbers,
// and whether all of the file was shown. Unsure means partial.

import { type FileSlice, sliceOfText } from "./file_cache.ts";

/** What the call asked for. */
export interface ReadRequest {
  /** First line, from 1; null when it did not say. */
  readonly offset: number | null;
  readonly limit: number | null;
  readonly summary: string;
}

/** Lines a Read gives when it names no limit, in the agents we know. */
const USUAL_LIMIT = 2000;

/** The slice a Read showed; null when it shows none (an image, a binary file). */
export function parseReadOutput(output: string, request: ReadRequest): FileSlice | null {
  if (output.includes("\0") || /^\[image [^\]\n]*\]\s*$/.test(output)) return null;
  const { body, cut, firstLine } = takeNotices(output);
  const start = firstLine ?? request.offset ?? 1;
  const limit = request.limit ?? USUAL_LIMIT;
  const numbered = stripNumbers(body, start);
  const isCut = cut || /truncat/i.test(request.summary);
  if (numbered !== null) {
    const slice = sliceOfText(numbered, { start, complete: false });
    // The newline that ends the listing is the tool's own: whether the file has one is not known.
    return { ...slice, finalNewline: true, complete: start === 1 && slice.lines < limit && !isCut };
  }
  const slice = sliceOfText(body, { start, complete: false });
  const complete = start === 1 && slice.lines < limit && !isCut;
  return complete ? { ...slice, complete } : { ...slice, finalNewline: true };
}

const HEAD_NOTICE =
  /^\s*IMPORTANT: The file content has been truncated\.[\s\S]*?lines (\d+)-\d+ of \d+[\s\S]*?--- FILE CONTENT[^\n]*---\n/;

/** Lines at the end of the text that are about it. `cut` says that lines are missing behind what was shown. */
const TAIL_NOTICES: readonly { readonly pattern: RegExp; readonly cut: boolean }[] = [
  { pattern: /\n*<\/(?:file|content)>$/, cut: false },
  { pattern: /\n*^\(End of file[^\n]*\)$/m, cut: false },
  {
    pattern:
      /\n*^[([<*. ]*(?:File has more lines|Output truncated|Results? truncated|Content truncated)[^\n]*$/im,
    cut: true,
  },
  { pattern: /\n*^\[(?:Showing lines|\d+ more lines|Truncated|Lines? \d+)[^\n]*\]$/im, cut: true },
  { pattern: /\n*^[([]?\.\.\. ?[([]?(?:truncated|\d+ (?:more )?lines)[^\n]*$/im, cut: true },
  { pattern: /\n*^[([<][^\n]*\btruncated\b[^\n]*[)\]>]$/im, cut: true },
];
/** Such a line is short, and has one of these words: a long text without them costs one search of its end. */
const TAIL_LENGTH = 500;
const TAIL_WORDS = /<\/|end of file|more lines|truncated|showing lines|\[lines? \d/i;

function takeNotices(output: string): { body: string; cut: boolean; firstLine: number | null } {
  let body = output.replace(/^<(?:file|content)>\n/, "");
  const head = HEAD_NOTICE.exec(body);
  let cut = head !== null;
  const firstLine = head === null ? null : Number(head[1]);
  if (head !== null) body = body.slice(head[0].length);
  for (;;) {
    const end = noticeStart(body);
    if (end === null) return { body, cut, firstLine };
    cut ||= end.cut;
    body = body.slice(0, end.start);
    if (body !== "" && !body.endsWith("\n")) body += "\n";
  }
}

/** Where a notice at the text's end begins; null when there is none. */
function noticeStart(body: string): { start: number; cut: boolean } | null {
  const text = body.trimEnd();
  if (text.endsWith("</system-reminder>")) {
    const start = text.lastIndexOf("<system-reminder>");
    if (start !== -1) return { start: text.slice(0, start).trimEnd().length, cut: false };
  }
  const tailStart = Math.max(0, text.length - TAIL_LENGTH);
  const tail = text.slice(tailStart);
  if (!TAIL_WORDS.test(tail)) return null;
  for (const notice of TAIL_NOTICES) {
    const match = notice.pattern.exec(tail);
    if (match !== null) return { start: tailStart + match.index, cut: notice.cut };
  }
  return null;
}

const NUMBERED = /^ *(\d+)[\t\u2192]/;

/** The text without its line numbers; null unless every non-empty line has one, rising by 1 from `start`. */
function stripNumbers(body: string, start: number): string | null {
  if (!NUMBERED.test(body)) return null;
  const lines = body.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const texts: string[] = [];
  let number = start;
  for (const [index, line] of lines.entries()) {
    const match = NUMBERED.exec(line);
    if (match !== null && Number(match[1]) === number) {
      texts.push(line.slice(match[0].length));
      number++;
      continue;
    }
    // Behind a blank line only words about the file may follow; three numbers in a row make that sure.
    if (line.trim() === "" && (texts.length >= 3 || isRestBlank(lines, index))) {
      return hasNumbers(lines, index) ? null : ended(texts);
    }
    return null;
  }
  return ended(texts);
}

function ended(texts: readonly string[]): string {
  return `${texts.join("\n")}\n`;
}

function isRestBlank(lines: readonly string[], from: number): boolean {
  return lines.slice(from).every((line) => line.trim() === "");
}

function hasNumbers(lines: readonly string[], from: number): boolean {
  return lines.slice(from).some((line) => NUMBERED.test(line));
}
